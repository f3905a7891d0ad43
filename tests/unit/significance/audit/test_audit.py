"""Looks of an audit against plain Python: all swaps tried, subsets picked by hand."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tertium
from tertium.exceptions import InputError, LayerError, UsageError
from tertium.results.assessment import Testing
from tertium.significance.audit import curves
from tertium.significance.audit.curves import ORDER
from tertium.significance.audit.looks import AuditLook
from tertium.significance.audit.result import Audit
from tertium.significance.resample import generator
from tertium.significance.tests import paired_test

pytestmark = pytest.mark.usefixtures("few_samples")

QUICK: dict[str, Any] = {"samples": 3, "sample_trials": 50, "testing": Testing(trials=300)}
# Eight sentences of one to four words: exact, since 2 to the 8th is below the number of trials.
GOLD = [["N"], ["N", "V"], ["V", "N", "N"], ["N", "V", "N", "V"]] * 2
A = [["N"], ["V", "V"], ["V", "V", "N"], ["V", "V", "N", "V"], ["V"], ["N", "N"]]
A += [["V", "N", "N"], ["N", "V", "V", "N"]]
B = [["N"], ["N", "V"], ["V", "N", "N"], ["N", "V", "N", "N"], ["N"], ["N", "V"]]
B += [["V", "N", "V"], ["N", "V", "N", "V"]]

Tags = Sequence[Sequence[str]]
Value = Callable[[Tags, Tags], float]


def accuracy(gold: Tags, system: Tags) -> float:
    pairs = [(g, s) for x, y in zip(gold, system, strict=True) for g, s in zip(x, y, strict=True)]
    return sum(g == s for g, s in pairs) / len(pairs)


def f1_of_v(gold: Tags, system: Tags) -> float:
    pairs = [(g, s) for x, y in zip(gold, system, strict=True) for g, s in zip(x, y, strict=True)]
    both = sum(g == s == "V" for g, s in pairs)
    return 2 * both / (sum(g == "V" for g, _ in pairs) + sum(s == "V" for _, s in pairs))


def complete(gold: Tags, system: Tags) -> float:
    return sum(g == s for g, s in zip(gold, system, strict=True)) / len(gold)


def plain_p(units: Sequence[int], value: Value) -> float:
    """The share of all ways to swap whose difference is at least the observed one."""
    gold, a, b = ([side[u] for u in units] for side in (GOLD, A, B))
    observed = abs(value(gold, b) - value(gold, a))
    beyond = 0
    for swaps in product((False, True), repeat=len(units)):
        first = [y if swap else x for x, y, swap in zip(a, b, swaps, strict=True)]
        second = [x if swap else y for x, y, swap in zip(a, b, swaps, strict=True)]
        beyond += abs(value(gold, second) - value(gold, first)) >= observed - 1e-12
    return beyond / 2 ** len(units)


@pytest.fixture(scope="module")
def small() -> Audit:
    return tertium.audit(GOLD, A, B, metric="tags.accuracy", **QUICK)


@pytest.fixture(scope="module")
def entities(samples: Path) -> Audit:
    files = [samples / f"entities-{name}.bio" for name in ("gold", "arbor", "breeze")]
    return tertium.audit(*files, **QUICK)


def look_of(found: Audit, name: str) -> AuditLook:
    (look,) = [each for each in found.looks if each.name == name]
    return look


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("tags.accuracy", accuracy),
        ("tags.accuracy complete", complete),
        ("F1 of V", f1_of_v),
    ],
)
def test_numbers_are_those_of_plain_python(small: Audit, name: str, value: Value) -> None:
    look = look_of(small, name)
    assert look.values == pytest.approx((value(GOLD, A), value(GOLD, B)))
    assert look.p == pytest.approx(plain_p(range(8), value))
    assert look.test.exact


def test_cut_offs_are_those_of_plain_python(small: Audit) -> None:
    assert small.length is not None
    assert [look.most_words for look in small.length.looks] == [1, 2, 3, 4]
    for look in small.length.looks:
        units = [u for u, words in enumerate(GOLD) if len(words) <= (look.most_words or 0)]
        assert look.p == pytest.approx(plain_p(units, accuracy))
        assert look.units == len(units)
        assert look.words == sum(len(GOLD[u]) for u in units)


def test_samples_have_the_median_p_of_all_orders(small: Audit) -> None:
    orders = [generator(0, ORDER, n).permutation(8).tolist() for n in range(curves.ORDERS)]
    assert [look.units for look in small.size.looks] == list(range(1, 9))
    for look in small.size.looks:
        p = sorted(plain_p(order[: look.units], accuracy) for order in orders)
        assert look.p == pytest.approx(p[curves.ORDERS // 2])


def test_a_part_that_is_another_name_of_a_number_is_no_look(small: Audit) -> None:
    names = [look.name for look in small.metrics]
    assert names == ["tags.accuracy sentence mean", "tags.accuracy complete"]


def test_parts_that_differ_from_the_headline_are_looks(entities: Audit) -> None:
    names = {look.name for look in entities.metrics}
    assert {"spans.f1 precision", "spans.f1 macro F1", "spans.f1 unlabeled F1"} <= names
    assert {"spans.fair", "spans.partial"} <= names
    assert "spans.fair traditional F1" not in names, "it is spans.f1"
    assert [look.label for look in entities.labels] == ["LOC", "MISC", "ORG", "PER"]


def test_the_main_look_is_the_usual_test(samples: Path, entities: Audit) -> None:
    files = [str(samples / f"entities-{name}.bio") for name in ("gold", "arbor", "breeze")]
    a, b = tertium.score(*files, metric="spans.f1")
    assert entities.main.test == paired_test(a, b, trials=300)
    for look in entities.tests:
        if look.test.method != "mcnemar":
            assert look.test == paired_test(a, b, test=look.test.method, trials=300)
    assert [look.test.method for look in entities.tests] == [
        "bootstrap", "wilcoxon", "sign", "mcnemar",
    ]  # fmt: skip


def test_mcnemar_is_over_gold_items(small: Audit) -> None:
    pairs = [
        (x == g, y == g)
        for gold, a, b in zip(GOLD, A, B, strict=True)
        for g, x, y in zip(gold, a, b, strict=True)
    ]
    only_a = sum(a and not b for a, b in pairs)
    only_b = sum(b and not a for a, b in pairs)
    test = small.tests[-1].test
    assert (test.units, test.differing) == (20, only_a + only_b)
    assert test.delta == pytest.approx((only_b - only_a) / 20)
    assert test.p == pytest.approx(tertium_mcnemar(only_a, only_b))


def tertium_mcnemar(a: int, b: int) -> float:
    """Twice the chance of so few heads among a + b coins."""
    from math import comb

    few = sum(comb(a + b, k) for k in range(min(a, b) + 1)) / 2 ** (a + b)
    return min(1.0, 2 * few)


def test_sentences_without_entities_are_left_out(samples: Path, entities: Audit) -> None:
    look = look_of(entities, "sentences with entities")
    files = [str(samples / f"entities-{name}.bio") for name in ("gold", "arbor", "breeze")]
    a, b = tertium.score(*files, metric="spans.f1")
    assert a.stats is not None
    has = np.flatnonzero(a.stats.dense[:, a.stats.columns.index("gold")])
    assert look.units == len(has) == 56
    assert look.test == paired_test(a, b, trials=300, units=has)


def test_groups_of_units_and_of_words(samples: Path) -> None:
    files = [str(samples / f"{name}.conllu") for name in ("gold", "arbor", "breeze")]
    found = tertium.audit(*files, metric="deps.las", by=["genre", "upos"], **QUICK)
    assert {look.key for look in found.groups} == {"genre", "upos"}
    assert look_of(found, "genre news").units == 32
    noun = look_of(found, "upos NOUN")
    a, b = tertium.score(*files, metric="deps.las", by="upos")
    assert noun.values == (a.groups["NOUN"].value, b.groups["NOUN"].value)
    assert noun.units < 64, "sentences without a noun do not count"


def test_every_look_counts_once(small: Audit) -> None:
    parts = [small.metrics, small.labels, small.tests, small.groups]
    assert small.length is not None
    curves = len(small.size.looks) + len(small.length.looks) - 2
    assert len(small.looks) == 1 + sum(map(len, parts)) + curves
    assert sum(t.looks + t.undefined for t in small.tallies) == len(small.looks)
    significant = [look for look in small.looks if look.p is not None and look.p < 0.05]
    assert small.whole.at(0.05) == len(significant)


def test_the_free_choice_is_the_smallest_p_of_metrics_and_labels(entities: Audit) -> None:
    ps = [look.p for look in entities.numbers if look.p is not None]
    assert entities.chosen is not None
    assert entities.chosen.p == min(ps)
    assert entities.chosen_adjusted == pytest.approx(min(1.0, min(ps) * len(ps)))


def test_systems_in_the_other_order(small: Audit) -> None:
    turned = tertium.audit(GOLD, B, A, metric="tags.accuracy", **QUICK)
    for look, other in zip(small.looks, turned.looks, strict=True):
        if look.test.method != "bootstrap":
            assert look.p == other.p
        assert {look.better, other.better} in ({"a", "b"}, {None})
    assert small.rates[-1].b == turned.rates[-1].a


def test_identical_systems() -> None:
    found = tertium.audit(GOLD, A, [list(s) for s in A], metric="tags.accuracy", **QUICK)
    assert found.is_same
    assert {look.p for look in found.looks} == {1.0, None}
    assert found.whole.at(0.05) == 0
    assert "do not differ in any analysis" in found.verdict[1]
    assert len(found.verdict) == 2


def test_one_sentence() -> None:
    found = tertium.audit([["N", "V"]], [["N", "N"]], [["N", "V"]], **QUICK)
    assert found.main.p == 1.0
    assert len(found.size.looks) == 1
    assert {rate.units for rate in found.rates} == {1}
    tertium.render(found, "html")


def test_a_part_without_values_is_counted_apart() -> None:
    gold = [["B-X", "O"], ["O", "O", "O"], ["B-Y"]]
    found = tertium.audit(gold, [["B-X", "O"], ["O", "O", "O"], ["O"]], gold, **QUICK)
    look = look_of(found, "F1 of Y")
    assert look.p is not None, "gold has the label"
    assert found.length is not None
    first = found.length.looks[0]
    assert (first.most_words, first.p) == (1, 1.0)
    gold = [["O"], ["B-X", "O"], ["O", "B-X"]]
    found = tertium.audit(gold, [["O"], ["B-X", "O"], ["O", "O"]], gold, **QUICK)
    assert found.length is not None
    first = found.length.looks[0]
    assert first.p is None
    assert first.test.reason
    assert found.whole.undefined >= 1
    assert found.whole.looks + found.whole.undefined == len(found.looks)


def test_lower_values_may_be_better(small: Audit) -> None:
    turned = replace(small.main, wins="lower")
    assert (small.main.better, turned.better) == ("b", "a")


def test_files_of_spans_have_no_lengths(tmp_path: Path) -> None:
    spans = "X\t1\t2\t1, 2\n\n"
    other = f"{spans}X\t3\t3\t3\n"
    texts = {"gold": f"{spans}Y\t3\t3\t3\n", "a": other, "b": f"{spans}Y\t3\t3\t3\n"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    files = [tmp_path / name for name in texts]
    found = tertium.audit(*files, input_format="spans", **QUICK)
    assert found.length is None
    assert any("lengths are unknown" in line for line in found.left_out)
    assert tertium.render(found, "text")


def test_shards_are_one_corpus(tmp_path: Path, small: Audit) -> None:
    for side, data in (("gold", GOLD), ("a", A), ("b", B)):
        folder = tmp_path / side
        folder.mkdir()
        for number, part in enumerate((data[:3], data[3:])):
            text = "\n\n".join("\n".join(f"w\t{tag}" for tag in tags) for tags in part)
            (folder / f"{number}.tsv").write_text(text + "\n", encoding="utf-8")
    found = tertium.audit(*(tmp_path / side for side in ("gold", "a", "b")), **QUICK)
    assert [look.p for look in found.looks] == [look.p for look in small.looks]


def test_what_b_lacks_is_left_out_and_said(samples: Path, tmp_path: Path) -> None:
    lines = (samples / "breeze.conllu").read_text("utf-8").split("\n")
    kept = [
        "\t".join([*line.split("\t")[:4], *"______"]) if line and line[0] != "#" else line
        for line in lines
    ]
    (tmp_path / "b.conllu").write_text("\n".join(kept), encoding="utf-8")
    files = [samples / "gold.conllu", samples / "arbor.conllu", tmp_path / "b.conllu"]
    found = tertium.audit(*files, **QUICK)
    assert found.metric == "tags.accuracy"
    assert any("xpos" in line and "was not tested" in line for line in found.left_out)
    with pytest.raises(LayerError):
        tertium.audit(*files, metric="deps.las", **QUICK)


def test_other_layers_are_other_tasks(samples: Path) -> None:
    files = [samples / f"{name}.conllu" for name in ("gold", "arbor", "breeze")]
    found = tertium.audit(*files, metric="deps.las", **QUICK)
    assert {look.metric.partition(".")[0] for look in found.looks} == {"deps"}
    assert any("seen and unseen" in line for line in found.left_out), "there is no lexicon"
    assert any("tags.accuracy" in line for line in found.left_out)
    both = tertium.audit(*files, metric=["deps.las", "tags.accuracy"], **QUICK)
    assert "tags.accuracy" in {look.metric for look in both.metrics}


def test_a_lexicon_tells_words_apart(samples: Path, tmp_path: Path) -> None:
    files = [samples / f"{name}.conllu" for name in ("gold", "arbor", "breeze")]
    words = (samples / "upos-ann1.tsv").read_text("utf-8").split("\n")
    lexicon = str(tmp_path / "train.tsv")
    Path(lexicon).write_text("\n".join(words[:200]), encoding="utf-8")
    found = tertium.audit(*files, metric="deps.las", lexicon=lexicon, **QUICK)
    assert {look.key for look in found.groups} == {"known"}
    assert not any("seen and unseen" in line for line in found.left_out)
    tags = tertium.audit(*files, metric="tags.accuracy", lexicon=lexicon, **QUICK)
    assert "tags.accuracy known" in {look.name for look in tags.metrics}


def test_a_seed_decides_everything(samples: Path) -> None:
    files = [samples / f"entities-{name}.bio" for name in ("gold", "arbor", "cedar")]

    def found(seed: int) -> Any:
        options = {**QUICK, "testing": Testing(trials=100, seed=seed)}
        return tertium.audit(*files, **options).to_dict()

    first = found(0)
    assert first == found(0)
    assert first["curves"] != found(1)["curves"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"samples": 0}, "samples must be at least 1"),
        ({"sample_trials": 0}, "sample_trials must be at least 1"),
        ({"testing": Testing(test="t")}, "test must be one of"),
        ({"by": "known"}, "known words need a lexicon"),
        ({"by": ""}, "by must be a key"),
        ({"by": "genre"}, "no sentence"),
        ({"metric": "deps.ud"}, "is a set of metrics"),
    ],
)
def test_what_there_is_not_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        tertium.audit(GOLD, A, B, **options)


def test_exactly_two_systems() -> None:
    with pytest.raises(UsageError, match="audit takes two systems") as caught:
        tertium.audit(GOLD, A, B, A)
    assert "compare" in (caught.value.help or "")
    with pytest.raises(UsageError, match="several runs"):
        tertium.audit(GOLD, tertium.runs("R", A, B), B)


def test_nothing_to_test() -> None:
    with pytest.raises((InputError, LayerError, UsageError)):
        tertium.audit([], [], [])


def test_a_bootstrap_of_few_units_among_other_tests_is_warned_of(
    small: Audit,
) -> None:
    assert any("fewer than 200 sentences" in note for note in small.notes)
    many = tertium.audit(GOLD * 25, A * 25, B * 25, **QUICK).notes
    assert not any("fewer than 200 sentences" in note for note in many)


def test_few_units_of_samples_and_cut_offs_are_warned_of() -> None:
    many = tertium.audit(GOLD * 40, A * 40, B * 40, test="bootstrap", **QUICK)
    assert many.units >= 200
    (note,) = [note for note in many.notes if note.startswith("fewer than 200 sentences")]
    small = sum(look.units < 200 for look in many.family("size"))
    assert note.startswith(f"fewer than 200 sentences in {small} of 19 sample sizes and ")
    assert "length cut-off" in note


def test_looks_near_a_level_are_told_with_their_error(small: Audit) -> None:
    near = [look for look in small.looks if look.test.is_near(0.05)]
    told = [note for note in small.notes if "other side of .05" in note]
    assert bool(near) == bool(told)
    for note in told:
        assert f"could put {len(near)} look" in note
        assert "±" in note
