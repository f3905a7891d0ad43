"""MUC, B3, CEAF, LEA, BLANC, the CoNLL score and mentions on small texts, counted by hand."""

import numpy as np
import pytest

import tertium
from chain_samples import chained, counts, over, scores
from tertium.corpus.labels import bounds_of
from tertium.families.base import make
from tertium.families.coref._kernels import best_pairs

A, B, C, D, E, F, G = ((n, n) for n in range(7))
GOLD = chained([[A, B, C], [D, E, F, G]])
SYSTEM = chained([[A, B], [C, D], [F, G, (8, 9)]])


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        ("mentions", [6, 7, 6, 7]),
        ("muc", [2, 5, 2, 4]),
        # a b: 2/3 and 1 each; c: 1/3, 1/2; d: 1/4, 1/2; f g: 2/4 and 2/3 each
        ("b3", [2 * 2 / 3 + 1 / 3 + 1 / 4 + 1, 7, 2 + 1 / 2 + 1 / 2 + 4 / 3, 7]),
        ("ceafm", [4, 7, 4, 7]),
        ("ceafe", [4 / 5 + 4 / 7, 2, 4 / 5 + 4 / 7, 3]),
        ("lea", [3 * 1 / 3 + 4 * 1 / 6, 7, 2 * 1 + 0 + 3 * 1 / 3, 7]),
        ("blanc", [2, 9, 2, 5, 8, 12, 8, 16]),
    ],
)
def test_counts(metric: str, expected: list[float]) -> None:
    assert counts(f"coref.{metric}", GOLD, SYSTEM) == pytest.approx(expected)


def test_conll_is_the_mean_of_three() -> None:
    found = scores("coref.conll", GOLD, SYSTEM)
    single = {name: scores(f"coref.{name}", GOLD, SYSTEM)["f1"] for name in ("muc", "b3", "ceafe")}
    assert {name: found[name] for name in single} == single
    assert found["f1"] == pytest.approx(sum(single.values()) / 3)
    dropped = scores("coref.conll(singletons=drop)", chained([[A, B], [C]]), SYSTEM)
    assert dropped["b3"] == scores("coref.b3", chained([[A, B]]), SYSTEM)["f1"]


def test_counts_are_per_document() -> None:
    twice = chained([[A, B, C]], [[A, B]]), chained([[A, B]], [[A, C]])
    stats = make("coref.muc").measure(*twice, over(*twice))
    assert stats.dense.tolist() == [[1, 2, 1, 1], [0, 1, 0, 1]]


def test_singletons_have_no_links_but_are_found_by_lea() -> None:
    alone = chained([[A], [B], [C, D]])
    assert counts("coref.lea", alone, alone) == [4, 4, 4, 4]
    assert counts("coref.lea", alone, chained([[A, E], [B], [C, D]])) == [3, 4, 3, 5]
    repeated = chained([[A], [A]])
    assert counts("coref.lea", repeated, chained([[A]])) == [2, 2, 1, 1]
    only = chained([[A], [B]])
    assert np.isnan(scores("coref.muc", only, only)["f1"])
    assert scores("coref.b3", only, only)["f1"] == 1
    assert scores("coref.conll", only, only)["f1"] == pytest.approx(2 / 3)
    assert np.isnan(scores("coref.conll(undefined=null)", only, only)["f1"])


def test_a_mean_says_what_it_takes_for_zero() -> None:
    only = [{"doc_key": "x", "sentences": [["a", "b"]], "clusters": [[[0, 0]], [[1, 1]]]}]
    found = tertium.score(only, only, metric="coref.conll")
    assert found.value == pytest.approx(2 / 3)
    assert any("muc is 0 because undefined='zero'" in note for note in found.notes)


def test_one_empty_side_is_zero_and_two_are_undefined() -> None:
    none = chained([])
    for name in ("mentions", "muc", "b3", "ceafm", "ceafe", "lea"):
        found = scores(f"coref.{name}", GOLD, none)
        assert np.isnan(found["precision"])
        assert (found["recall"], found["f1"]) == (0, 0)
        found = scores(f"coref.{name}", none, GOLD)
        assert np.isnan(found["recall"])
        assert (found["precision"], found["f1"]) == (0, 0)
        assert np.isnan(scores(f"coref.{name}", none, none)["f1"])
    assert make("coref.muc").reason("recall") == "the gold standard has no links that count"
    assert make("coref.conll").reason("ceafe") == "neither gold nor system has entities that count"


def test_blanc_leaves_out_a_half_that_gold_lacks() -> None:
    one, apart = chained([[A, B, C]]), chained([[A], [B], [C]])
    assert scores("coref.blanc", one, chained([[A, B], [C]]))["f1"] == pytest.approx(1 / 2)
    assert scores("coref.blanc", apart, chained([[A, B], [C]]))["recall"] == pytest.approx(2 / 3)
    both = scores("coref.blanc(rule=ua)", one, chained([[A, B], [C]]))
    assert both["f1"] == pytest.approx(1 / 4)
    assert scores("coref.blanc(rule=ua)", one, one)["f1"] == 1
    assert np.isnan(scores("coref.blanc", chained([[A]]), one)["f1"])
    assert scores("coref.blanc(rule=ua)", chained([[A]]), one)["f1"] == 0
    assert make("coref.blanc").reason("f1") != make("coref.blanc(rule=ua)").reason("f1")


def test_blanc_counts_a_pair_in_several_entities_once() -> None:
    gold = chained([[A, B, C], [A, B, D], [A, B]])
    # The system keeps a b c and d. In gold, a and b are in three entities together, and each of
    # them is also in another entity than itself.
    assert counts("coref.blanc", gold, gold) == [3, 5, 3, 3, 3, 8, 3, 3]
    assert counts("coref.blanc", chained([[A, A, B]]), chained([[A, B]])) == [
        1,
        2,
        1,
        1,
        0,
        0,
        0,
        0,
    ]


def test_detection_has_items() -> None:
    metric = make("coref.mentions")
    decisions = metric.decide(GOLD, SYSTEM, over(GOLD, SYSTEM))
    names = [decisions.error_types[code] for code in decisions.error_type]
    assert names == ["none"] * 4 + ["missing"] + ["none"] * 2 + ["extra"]
    assert decisions.coverage == {"scored": 7, "unaligned": 0}


def test_the_best_map_is_found_in_any_table() -> None:
    from scipy.optimize import linear_sum_assignment

    for seed in range(300):
        rng = np.random.default_rng(seed)
        rows, columns = rng.integers(1, 12, 2)
        weights = rng.integers(1, 4, (rows, columns)) if seed % 2 else rng.random((rows, columns))
        table = np.where(rng.random((rows, columns)) < rng.random(), weights, 0.0)
        one, two = np.nonzero(table)
        bounds = bounds_of(np.bincount(one, minlength=rows))
        taken = best_pairs(bounds, two.astype(np.int64), table[one, two], columns)
        chosen = taken[taken >= 0]
        assert len({*two[chosen].tolist()}) == len(chosen)
        assert (one[chosen] == np.flatnonzero(taken >= 0)).all()
        best = table[linear_sum_assignment(-table)].sum()
        assert table[one[chosen], two[chosen]].sum() == pytest.approx(best)


def test_ties_go_to_what_comes_first() -> None:
    bounds, ones = np.array([0, 2, 4]), np.ones(4)
    assert best_pairs(bounds, np.array([0, 1, 0, 1]), ones, 2).tolist() == [0, 3]
    assert best_pairs(np.array([0, 1, 2]), np.array([0, 0]), ones[:2], 1).tolist() == [0, -1]
