"""ELAS and EULAS: edges of enhanced graphs."""

from typing import Any

import pytest

import tertium

GOLD = """
1 She    she    PRON  _ _ 2 nsubj  2:nsubj|4:nsubj
2 came   come   VERB  _ _ 0 root   0:root
3 and    and    CCONJ _ _ 4 cc     4:cc
4 left   leave  VERB  _ _ 2 conj   2:conj:and
5 rather rather ADV   _ _ 6 advmod 6:advmod
6 early  early  ADV   _ _ 4 advmod 4:advmod
7 .      .      PUNCT _ _ 2 punct  2:punct
"""
ALL = (8, 8, 8)


def counts(trees: Any, gold: str, *edits: tuple[str, str]) -> list[tuple[float, ...]]:
    """ELAS and EULAS of a system with other entries in column DEPS."""
    system = trees.edit(gold, *((number, "deps", entry) for number, entry in edits))
    return [trees.counts(gold, system, metric) for metric in ("deps.elas", "deps.eulas")]


@pytest.mark.parametrize(
    ("edits", "elas", "eulas"),
    [
        pytest.param([], ALL, ALL, id="the same"),
        pytest.param([("1", "2:nsubj"), ("4", "2:conj")], (6, 8, 7), (7, 8, 7), id="u42"),
        pytest.param([("4", "2:conj:or")], (7, 8, 8), ALL, id="subtype"),
        pytest.param([("4", "2:list:and")], (7, 8, 8), (7, 8, 8), id="relation"),
        pytest.param([("4", "6:conj:and"), ("6", "2:advmod")], (6, 8, 8), (6, 8, 8), id="heads"),
        pytest.param([("1", "2:nsubj|4:nsubj|6:nsubj")], (8, 8, 9), (8, 8, 9), id="one more"),
        pytest.param([("1", "4:nsubj|2:nsubj")], ALL, ALL, id="another order"),
        pytest.param([("2", "4:parataxis")], (7, 8, 8), (7, 8, 8), id="no root"),
        pytest.param([("4", "0:root")], (7, 8, 8), (7, 8, 8), id="two roots"),
        pytest.param([("4", "_")], (7, 8, 7), (7, 8, 7), id="no edge"),
        pytest.param([("1", "2:NSUBJ|4:nsubj")], (7, 8, 8), (7, 8, 8), id="case"),
    ],
)
def test_one_difference(
    trees: Any, edits: list[Any], elas: tuple[int, ...], eulas: tuple[int, ...]
) -> None:
    assert counts(trees, GOLD, *edits) == [elas, eulas]


def test_paths_are_cut_step_by_step(trees: Any) -> None:
    gold = trees.edit(GOLD, ("4", "deps", "2:conj:and>obl:in"))
    assert counts(trees, gold, ("4", "2:conj:or>obl:at")) == [(7, 8, 8), ALL]
    assert counts(trees, gold, ("4", "2:conj:and>nmod:in")) == [(7, 8, 8), (7, 8, 8)]
    assert counts(trees, gold, ("4", "2:conj:and")) == [(7, 8, 8), (7, 8, 8)]


def test_edges_that_only_differ_in_subtypes(trees: Any) -> None:
    """`obl:in` and `obl:at` are two edges and become equal in EULAS. One to one, that is two right
    edges of two; the UD tools count each pair of equal edges, four of two."""
    gold = trees.edit(GOLD, ("6", "deps", "4:obl:in|4:obl:at"))
    for compat, correct in (("", 9), ("(compat=udtools)", 11)):
        found = trees.counts(gold, gold, f"deps.eulas{compat}")
        assert found == (correct, 9, 9)
        assert trees.counts(gold, gold, f"deps.elas{compat}") == (9, 9, 9)


def test_one_edge_against_two_equal_ones(trees: Any) -> None:
    gold = trees.edit(GOLD, ("6", "deps", "4:obl:in"))
    system = trees.edit(GOLD, ("6", "deps", "4:obl:in|4:obl:at"))
    assert trees.counts(gold, system, "deps.eulas") == (8, 8, 9)
    assert trees.counts(gold, system, "deps.eulas(compat=udtools)") == (9, 8, 9)
    assert trees.score(gold, system, "deps.eulas(compat=udtools)").parts["complete"] == 0


def test_equal_edges_come_first(trees: Any) -> None:
    """Whatever their order: what is equal is paired, then what has the same head, then the rest."""
    gold = trees.edit(GOLD, ("6", "deps", "2:obl|4:advmod|5:dep"))
    system = trees.edit(GOLD, ("6", "deps", "4:dep|2:obl|3:advmod"))
    rows = [row for row in trees.rows(gold, system, "deps.elas") if row[2] != "correct"]
    assert rows == [
        ("advmod", "dep", "wrong", "label"),
        ("dep", None, "missing", "missing"),
        (None, "advmod", "extra", "extra"),
    ]


def test_edges_from_empty_nodes_are_left_out_and_counted(trees: Any) -> None:
    gold = trees.edit(GOLD, ("1", "deps", "2:nsubj|2.1:nsubj"))
    found = trees.score(gold, GOLD, "deps.elas")
    assert [*found.counts.values()] == [7, 7, 8, 7]
    assert found.coverage["edges_of_empty_nodes"] == 1
    assert "edges_of_empty_nodes" not in trees.score(GOLD, GOLD, "deps.elas").coverage


def test_empty_nodes_themselves_do_not_count(trees: Any) -> None:
    line = "2.1 was be AUX _ _ _ _ 4:dep\n3 and"
    gold = GOLD.replace("3 and", line)
    assert trees.counts(gold, GOLD, "deps.elas") == ALL
    assert trees.counts(GOLD, gold, "deps.elas") == ALL


def test_unaligned_words(trees: Any) -> None:
    """`rather` and `early` are one system word: its edge and those of both are nowhere right."""
    system = """
1 She         she   PRON  _ _ 2 nsubj  2:nsubj|4:nsubj
2 came        come  VERB  _ _ 0 root   0:root
3 and         and   CCONJ _ _ 4 cc     4:cc
4 left        leave VERB  _ _ 2 conj   2:conj:and
5 ratherearly early ADV   _ _ 4 advmod 4:advmod
6 .           .     PUNCT _ _ 5 punct  5:punct
"""
    found = trees.score(GOLD, system, "deps.elas")
    assert found.counts == {"correct": 5, "gold": 8, "system": 7, "aligned": 6}
    assert found.parts["aligned_accuracy"] == pytest.approx(5 / 6)
    rows = [row for row in trees.rows(GOLD, system, "deps.elas") if row[2] != "correct"]
    assert rows == [
        ("advmod", None, "missing", "unaligned"),
        ("advmod", None, "missing", "unaligned"),
        ("punct", "punct", "wrong", "attachment"),
        (None, "advmod", "extra", "unaligned"),
    ]


def test_errors_and_confusions(trees: Any) -> None:
    system = trees.edit(
        GOLD, ("1", "deps", "2:nsubj"), ("4", "deps", "2:conj"), ("6", "deps", "2:advmod|4:dep")
    )
    assert trees.errors(GOLD, system, "deps.elas") == [
        ("missing", "She", None),
        ("label", "left", "left"),
        ("label", "early", "early"),
        ("extra", None, "early"),
    ]
    found = trees.score(GOLD, system, "deps.elas", confusion=True)
    assert found.confusion["conj:and", "conj"] == 1
    assert found.error_types == {
        ("missing", "nsubj", None): 1,
        ("label", "conj:and", "conj"): 1,
        ("label", "advmod", "dep"): 1,
        ("extra", None, "advmod"): 1,
    }
    assert found.labels["nsubj"]["counts"] == {"correct": 1, "gold": 2, "system": 1}


def test_units_add_up(trees: Any) -> None:
    two = GOLD + GOLD
    system = GOLD + trees.edit(GOLD, ("1", "deps", "2:nsubj|4:nsubj|6:nsubj"))
    found = trees.score(two, system, "deps.elas")
    assert found.stats.dense[:, :3].tolist() == [[8, 8, 8], [8, 8, 9]]
    assert found.parts["complete"] == pytest.approx(1 / 2)


def test_answers_are_head_and_relation(trees: Any) -> None:
    gold = trees.write(GOLD)
    texts = [trees.edit(GOLD, ("4", "deps", e)) for e in ("2:conj", "2:list", "6:conj:and")]
    one, two, three = (tertium.decide(gold, trees.write(t), "deps.elas").answer for t in texts)
    assert (one != two).sum() == (one != three).sum() == (two != three).sum() == 1


def test_without_graphs(trees: Any) -> None:
    bare = trees.edit(GOLD, *((str(i), "deps", "_") for i in range(1, 8)))
    for sides in ((bare, GOLD), (GOLD, bare)):
        with pytest.raises(tertium.LayerError, match="no enhanced graphs"):
            trees.score(*sides, "deps.elas")


def test_signature(trees: Any) -> None:
    assert "compat" not in str(trees.score(GOLD, GOLD, "deps.elas").signature)
    found = trees.score(GOLD, GOLD, "deps.elas(compat=udtools)")
    assert "|compat:udtools|" in str(found.signature)
    assert found.parts["aligned_accuracy"] is None
