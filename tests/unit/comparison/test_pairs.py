"""Pairs of systems: Tuggener (2017) on toy data, item by item."""

from pathlib import Path

import pytest

import plain_compare as plain
import tertium
from tertium.comparison.pairs import Transition
from tertium.corpus.corpus import Corpus
from tertium.exceptions import UsageError

KEY = [list("ABCDE")]
# Tables 1 and 2; the first table leaves out the wrong answers.
TOY = {"S1": [list("ABCXY")], "S2": [list("ZBCDV")], "S3": [list("ZWCDE")]}


def toy() -> tertium.Comparison:
    return tertium.compare(KEY, *TOY.values(), metric="tags.accuracy", names=[*TOY])


def percent(value: float | None) -> int:
    assert value is not None
    return round(100 * value)


def test_table_1_overlap_on_right_answers() -> None:
    view = toy().view
    found = {(p.a, p.b): percent(p.overlap_right) for p in view.pairs}
    assert found == {("S1", "S2"): 67, ("S2", "S3"): 67, ("S1", "S3"): 33}


def test_table_2_overlap_on_all_answers() -> None:
    view = toy().view
    found = {(p.a, p.b): percent(p.overlap_all) for p in view.pairs}
    assert found == {("S1", "S2"): 40, ("S2", "S3"): 60, ("S1", "S3"): 20}


def test_all_accuracies_are_60() -> None:
    comparison = toy()
    assert [r.value for r in comparison.scores] == [0.6, 0.6, 0.6]
    for pair in comparison.pairs:
        assert (pair.accuracy_a, pair.accuracy_b, pair.delta) == (0.6, 0.6, 0)


def test_equation_1_is_the_complement_of_overlap() -> None:
    for pair in toy().pairs:
        assert pair.diff == pair.different / 5
        assert pair.diff == pytest.approx(1 - pair.overlap_all)


def test_equation_1_is_the_complement_of_accuracy_with_one_as_gold() -> None:
    for pair in toy().pairs:
        value = tertium.score(TOY[pair.a], TOY[pair.b], metric="tags.accuracy").value
        assert value == pytest.approx(1 - (pair.diff or 0))


def test_the_toy_as_the_plain_way_finds_it() -> None:
    plain.check(toy().view, plain.tags(KEY, *TOY.values()))


def test_classes_of_the_toy() -> None:
    pair = toy().view.pair("S1", "S2")
    assert (pair.corrections, pair.new_errors, pair.changed_errors) == (1, 1, 1)
    assert pair.transitions("corrections") == [Transition("X", "D", 1)]
    assert pair.transitions("new_errors") == [Transition("A", "Z", 1)]
    assert pair.transitions("changed_errors") == [Transition("Y", "V", 1, gold="E")]


def test_the_other_way_round_corrections_are_new_errors() -> None:
    view = toy().view
    there, back = view.pair("S1", "S3"), view.pair("S3", "S1")
    assert (back.a, back.b) == ("S3", "S1")
    assert (there.corrections, there.new_errors) == (back.new_errors, back.corrections)
    assert there.different == back.different
    assert [(t.a, t.b) for t in there.transitions("corrections")] == [
        (t.b, t.a) for t in back.transitions("new_errors")
    ]


def test_transitions_are_in_order_of_count_then_of_names() -> None:
    gold = [["T"] * 7 + ["B"] * 2]
    a = [["C", "A", "A", "B", "B", "T", "T", "x", "y"]]
    b = [["T"] * 5 + ["Z", "A"] + ["q", "p"]]
    pair = tertium.compare(gold, a, b, metric="tags.accuracy").view.pairs[0]
    assert [(t.a, t.b, t.count) for t in pair.transitions("corrections")] == [
        ("A", "T", 2), ("B", "T", 2), ("C", "T", 1),
    ]  # fmt: skip
    assert [(t.a, t.b) for t in pair.transitions("new_errors")] == [("T", "A"), ("T", "Z")]
    changed = pair.transitions("changed_errors")
    assert [(t.gold, t.a, t.b) for t in changed] == [("B", "x", "q"), ("B", "y", "p")]


def test_nothing_comes_last_among_names() -> None:
    gold = [["B-X", "O", "B-Y", "O", "B-Z", "O"]]
    a = [["O", "O", "B-A", "O", "B-zz", "O"]]
    b = [["B-X", "O", "B-Y", "O", "B-Z", "O"]]
    pair = tertium.compare(gold, a, b, metric="spans.f1").view.pairs[0]
    assert [(t.a, t.b) for t in pair.transitions("corrections", "labels")] == [
        ("A", "Y"), ("zz", "Z"), (None, "X"),
    ]  # fmt: skip


def test_table_12_is_ordered_by_the_size_of_the_difference() -> None:
    gold = [list("AAAABBBBCCDD")]
    a = [list("AAAAxxxxCxDD")]  # A 4/4, B 0/4, C 1/2, D 2/2
    b = [list("AAxxBBBxCCDD")]  # A 2/4, B 3/4, C 2/2, D 2/2
    pair = tertium.compare(gold, a, b, metric="tags.accuracy").view.pairs[0]
    rows = [(r.label, r.items, r.accuracy_a, r.accuracy_b, r.delta) for r in pair.labels]
    assert rows == [
        ("B", 4, 0, 0.75, 0.75),
        ("A", 4, 1, 0.5, -0.5),
        ("C", 2, 0.5, 1, 0.5),
        ("D", 2, 1, 1, 0),
    ]
    row = pair.labels[0]
    assert (row.corrections, row.new_errors, row.changed_errors) == (3, 0, 0)


def test_a_label_that_is_always_wrong_but_differently_is_there() -> None:
    pair = tertium.compare([["A"]], [["x"]], [["y"]], metric="tags.accuracy").view.pairs[0]
    row = pair.labels[0]
    assert (row.label, row.right_a, row.right_b, row.delta) == ("A", 0, 0, 0)
    assert row.changed_errors == 1


def test_complete_sentences() -> None:
    gold = [["A", "B"], ["A"], ["C"], []]
    a = [["A", "B"], ["x"], ["C"], []]
    b = [["A", "x"], ["A"], ["C"], []]
    pair = tertium.compare(gold, a, b, metric="tags.accuracy").view.pairs[0]
    assert pair.complete is not None
    assert pair.complete._asdict() == {"a": 2, "b": 2, "both": 1, "sentences": 3}


def test_a_sentence_with_something_added_is_not_complete() -> None:
    gold = [["B-X", "O"], ["O", "O"]]
    a = [["B-X", "B-Y"], ["O", "O"]]
    pair = tertium.compare(gold, a, gold, metric="spans.f1").view.pairs[0]
    assert pair.complete is not None
    assert pair.complete._asdict() == {"a": 1, "b": 2, "both": 1, "sentences": 2}


# What systems add.

GOLD = [["B-X", "I-X", "O", "O", "O"]]
ONE = [["O", "O", "O", "B-Y", "O"]]
TWO = [["B-X", "I-X", "O", "B-Y", "B-Z"]]
NOTHING = [["O", "O", "O", "O", "O"]]


@pytest.mark.parametrize("metric", ["spans.f1", "spans.fair", "spans.partial"])
def test_the_same_addition_of_two_systems_is_one_item(metric: str) -> None:
    view = tertium.compare(GOLD, ONE, TWO, NOTHING, metric=metric).view
    assert view.answers.gold_items == 1
    assert len(view.answers) == 3
    one_two, one_none, two_none = view.pairs
    assert [p.items for p in view.pairs] == [3, 2, 3]
    # ONE -> TWO: X is found, Z is new, Y stays.
    assert (one_two.different, one_two.corrections, one_two.new_errors) == (2, 1, 1)
    assert (one_none.different, one_none.corrections, one_none.new_errors) == (1, 1, 0)
    assert (two_none.different, two_none.corrections, two_none.new_errors) == (3, 2, 1)


def test_an_addition_goes_from_nothing_and_to_nothing() -> None:
    view = tertium.compare(GOLD, ONE, TWO, NOTHING, metric="spans.fair").view
    one_two, one_none, two_none = view.pairs
    assert one_none.transitions("corrections", "types") == [Transition("FP", None, 1)]
    assert one_two.transitions("new_errors", "types") == [Transition(None, "FP", 1)]
    assert one_two.transitions("corrections", "types") == [Transition("FN", "TP", 1)]
    assert two_none.transitions("corrections", "labels") == [
        Transition("Y", None, 1), Transition("Z", None, 1),
    ]  # fmt: skip
    assert one_two.transitions("corrections", "both") == [Transition("FN", "TP X", 1)]
    assert one_none.transitions("corrections", "both") == [Transition("FP Y", None, 1)]


def test_the_second_of_two_equal_additions_is_an_item_of_its_own() -> None:
    def corpus(*spans: tuple[int, int, str]) -> list[dict[str, object]]:
        return [{"tokens": ["a", "b", "c"], "spans": [list(s) for s in spans]}]

    gold = corpus((0, 1, "X"))
    once, twice = corpus((1, 2, "Y")), corpus((1, 2, "Y"), (1, 2, "Y"))
    pair = tertium.compare(gold, once, twice, metric="spans.fair").view.pairs[0]
    assert (pair.items, pair.different, pair.new_errors) == (3, 1, 1)


def test_fair_types_of_a_gold_span() -> None:
    gold = [["B-X", "I-X", "I-X", "O"]]
    short = [["B-X", "I-X", "O", "O"]]
    other = [["B-Y", "I-Y", "I-Y", "O"]]
    view = tertium.compare(gold, short, other, gold, metric="spans.fair", names="ABC").view
    told = view.pair("A", "C").transitions("corrections", "types")
    assert told == [Transition("BEs", "TP", 1)]
    assert view.pair("A", "B").transitions("changed_errors", "types") == [
        Transition("BEs", "LE", 1)
    ]
    assert view.pair("C", "B").transitions("new_errors", "types") == [Transition("TP", "LE", 1)]


# Measures that take several answers for right.


def tree(tmp_path: Path, *heads: int) -> Corpus:
    file = tmp_path / f"{'-'.join(map(str, heads))}.conllu"
    rows = [
        f"{i}\tw{i}\t_\tX\t_\t_\t{head}\t{'root' if head == 0 else 'dep'}\t_\t_"
        for i, head in enumerate(heads, 1)
    ]
    file.write_text("\n".join(rows) + "\n\n")
    return tertium.read(file)


def test_two_right_answers_may_differ(tmp_path: Path) -> None:
    """Under NED a word may hang from its gold parent, child or grandparent."""
    gold = tree(tmp_path, 0, 1, 2)
    grandparent = tree(tmp_path, 0, 1, 1)
    pair = tertium.compare(gold, gold, grandparent, metric="deps.ned", names="AB").view.pairs[0]
    assert (pair.different, pair.both_right) == (1, 1)
    assert (pair.corrections, pair.new_errors, pair.changed_errors) == (0, 0, 0)
    assert pair.to_dict()["both_right"] == 1
    assert (pair.right_a, pair.right_b, pair.shared_right) == (3, 3, 3)
    strict = tertium.compare(gold, gold, grandparent, metric="deps.uas", names="AB").view.pairs[0]
    assert (strict.different, strict.both_right, strict.new_errors) == (1, 0, 1)
    assert "both_right" not in strict.to_dict()


def test_undirected_attachment_takes_the_reversed_arc(tmp_path: Path) -> None:
    gold, turned = tree(tmp_path, 0, 1, 2), tree(tmp_path, 2, 0, 2)
    pair = tertium.compare(gold, gold, turned, metric="deps.undirected", names="AB").view.pairs[0]
    assert pair.different == 2
    assert pair.both_right >= 1
    parts = pair.corrections + pair.new_errors + pair.changed_errors + pair.both_right
    assert parts == pair.different


def test_under_uas_only_the_head_is_the_answer(samples: Path) -> None:
    files = [samples / f"{n}.conllu" for n in ("gold", "arbor", "breeze")]
    found = tertium.compare(*files, metric=["deps.uas", "deps.ls", "deps.las"])
    uas, ls, las = (found[m].pairs[0].different for m in ("deps.uas", "deps.ls", "deps.las"))
    assert max(uas, ls) < las < uas + ls


@pytest.mark.parametrize("kind", ["corrections", "new_errors", "changed_errors"])
@pytest.mark.parametrize("mode", ["labels", "types", "both"])
def test_transitions_add_up_to_their_class(samples: Path, kind: str, mode: str) -> None:
    files = [samples / f"entities-{n}.bio" for n in ("gold", "arbor", "breeze", "cedar")]
    for pair in tertium.compare(*files).pairs:
        told = pair.transitions(kind, mode)
        assert sum(t.count for t in told) == getattr(pair, kind) == len(pair.items_of(kind))
        assert len({(t.gold, t.a, t.b) for t in told}) == len(told)


def test_a_name_that_is_no_system() -> None:
    with pytest.raises(UsageError, match="no system 'S9'"):
        toy().view.pair("S1", "S9")


def test_changed_errors_are_split_by_credit() -> None:
    gold = [["B-PER", "I-PER", "O", "B-LOC", "I-LOC", "O", "B-ORG", "I-ORG"]]
    a = [["B-LOC", "O", "O", "B-LOC", "O", "O", "B-ORG", "O"]]
    b = [["B-PER", "O", "O", "B-PER", "O", "O", "O", "B-ORG"]]
    found = tertium.compare(gold, a, b, metric="spans.fair(weights='eq7')", names=["A", "B"])
    pair, oracle = found.view.pairs[0], found.view.oracle
    assert pair.changed_errors == 3
    assert pair.changed == {"better": 1, "worse": 1, "level": 1}
    assert found.view.pair("B", "A").changed == {"better": 1, "worse": 1, "level": 1}
    assert pair.to_dict()["changed"] == pair.changed
    assert oracle.correct == 0
    assert oracle.credit == oracle.to_dict()["credit"] == 0.5
    exact = tertium.compare(gold, a, b, metric="spans.f1").view
    assert exact.pairs[0].changed is None
    assert "changed" not in exact.pairs[0].to_dict()
    assert "credit" not in exact.oracle.to_dict()


def test_common_items_are_gold_items_that_both_systems_annotate() -> None:
    gold = [["B-X", "O", "B-Y", "O", "B-Z", "O"]]
    a = [["B-X", "O", "B-X", "O", "O", "B-W"]]  # Y is wrong, Z missing, W added
    b = [["B-Y", "O", "B-Y", "O", "B-Z", "B-W"]]
    union, common = (
        tertium.compare(gold, a, b, names=["a", "b"], metric="spans.f1", items=items)
        for items in ("union", "common")
    )
    pair = union.view.pairs[0]
    assert (pair.items, pair.different, *pair.counts) == (4, 3, 2, 1, 0)
    pair = common.view.pairs[0]
    assert (pair.items, pair.different, *pair.counts) == (2, 2, 1, 1, 0)
    assert (pair.gold_items, pair.right_a, pair.right_b) == (2, 1, 1)
    assert [t.a for t in pair.transitions("corrections")] == ["label"]
    assert common.view.oracle.to_dict() == union.view.oracle.to_dict()
    assert common.scores.to_dict()["scores"] == union.scores.to_dict()["scores"]
    assert (common.to_dict()["items"], union.to_dict()["items"]) == ("common", "union")
    mcnemar = tertium.Testing(test="mcnemar")
    tests = [
        tertium.compare(
            gold, a, b, names=["a", "b"], metric="spans.f1", items=items, significance=mcnemar
        ).assessment.of("a", "b", "spans.f1")
        for items in ("union", "common")
    ]
    assert tests[0] == tests[1]  # scores are tested, whatever is compared


def test_what_pairs_consist_of_is_one_of_two() -> None:
    with pytest.raises(tertium.UsageError, match="union"):
        tertium.compare([["A"]], [["A"]], [["B"]], names=["a", "b"], items="all")
