"""Sentences that a system lost are left out of comparisons with it, and of those of all."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import tertium
from sentence_pairs import corpus, loose_family
from tertium.comparison.examples import Examples
from tertium.exceptions import GateError
from tertium.report.page import columns_of
from tertium.results.blocks.pages import PageView
from tertium.results.decisions import Decisions
from tertium.significance.audit.evidence import _right

ONE, TWO = "Ada/B-PER met Bob/B-PER", "He left Rome/B-LOC"
THREE, FOUR = "Eve/B-PER left Oslo/B-LOC", "We saw Rome/B-LOC again"
GOLD = corpus("gold", ONE, TWO, THREE, FOUR)
# a loses the second sentence, b the third; c loses none. All are wrong about what the others lost.
A = corpus("a", ONE, TWO.replace("He", "She"), THREE.replace("LOC", "PER"), FOUR)
B = corpus("b", ONE.replace("Bob/B-PER", "Bob/B-LOC"), TWO.replace("LOC", "PER"), "Eve", FOUR)
C = corpus("c", ONE, TWO, THREE, "We saw/B-LOC Rome again")
METRIC = "loose.f1"


@pytest.fixture(autouse=True)
def _family() -> Iterator[None]:
    with loose_family():
        yield


def compared(*systems: Any, **options: Any) -> Any:
    names = [system.origin for system in systems]
    return tertium.compare(GOLD, *systems, metric=METRIC, names=names, **options)


def test_a_pair_leaves_out_what_either_lost_and_nothing_else() -> None:
    view = compared(A, B, C).view
    counts = {(p.a, p.b): (p.gold_items, p.right_a, p.right_b, p.lost) for p in view.pairs}
    assert counts == {("a", "b"): (3, 3, 2, 2), ("a", "c"): (5, 4, 4, 1), ("b", "c"): (4, 2, 3, 1)}
    for pair in view.pairs:
        # Over the items that both were judged on, what changed explains the difference.
        gained = pair.corrections - pair.new_errors
        extra = (pair.classes[pair.gold_items :] == 3).sum()
        assert pair.right_b - pair.right_a == gained + extra


def test_a_pair_does_not_depend_on_third_systems() -> None:
    alone, among = compared(A, C).view.pairs[0].to_dict(), compared(A, B, C).view.pairs[1].to_dict()
    assert alone == among
    assert alone["left_out"] == 1


def test_a_lost_sentence_is_not_an_error() -> None:
    pair = compared(A, C).view.pair("a", "c")
    assert {t.b for t in pair.transitions("corrections", "labels")} == {"LOC"}
    assert pair.corrections == 1, "Oslo alone: Rome is in the sentence that a lost"


def test_complete_sentences_are_those_on_which_both_were_judged() -> None:
    view = compared(A, B, C).view
    assert view.complete.tolist() == [
        [True, False, False, True],
        [False, False, False, True],
        [True, True, True, False],
    ]
    assert view.pair("a", "c").complete == view.pair("c", "a").complete == (2, 2, 1, 3)
    assert view.counted.sum(axis=1).tolist() == [3, 3, 4]


def test_the_oracle_is_over_what_nobody_lost() -> None:
    found = compared(A, B, C)
    assert (found.view.oracle.items, found.view.oracle.correct) == (3, 3)
    assert sum(pattern.count for pattern in found.view.oracle.patterns) == 3
    assert found.view.to_dict()["left_out"] == 2
    assert found.view.to_dict()["gold_items"] == 6


def test_scores_and_tests_keep_the_counts_of_each_system() -> None:
    found = compared(A, C)
    a, c = (found.scores[name, METRIC] for name in "ac")
    assert (a.counts["gold"], c.counts["gold"]) == (5, 6)
    interval = found.assessment.of("a", "c", METRIC).interval
    assert interval.low <= c.value - a.value <= interval.high
    notes = [note for note in found.notes if note.startswith(METRIC)]
    assert notes == [
        "loose.f1: 1 sentence that a system lacks or has with different words is left out of the "
        "comparison; scores and their tests keep each system's own counts"
    ]


def test_mcnemar_is_over_the_items_that_both_were_judged_on() -> None:
    tested = compared(A, C, test="mcnemar").assessment.of("a", "c", METRIC).test
    assert tested.p == 1, "one item each way"


def test_examples_are_those_of_the_pair() -> None:
    found = compared(A, B, C, examples=True)
    shown = Examples(found.material, found.view).in_class(found.view.pair("a", "c"), "corrections")
    assert [(scene.id, scene.text) for scene in shown] == [("3", "Oslo")]


def test_groups_leave_out_the_same() -> None:
    view = compared(A, C, by="length:3,4").view
    sizes = {name: group.pairs[0].gold_items for name, group in view.groups.items()}
    assert sum(sizes.values()) == view.pairs[0].gold_items == 5


def test_some_systems_have_lost_what_they_have() -> None:
    some = compared(A, B, C).view.answers.of_systems([1, 2])
    assert (some.lost_by([0]), some.lost_by([1]), some.judged_by().gold_items) == (1, 0, 4)


def test_files_one_after_another() -> None:
    from tertium.results.answers import Answers

    one, two = compared(A, C).view.answers, compared(C, A).view.answers
    both = Answers.in_sequence([one, two])
    assert both.lost is not None
    assert both.lost.tolist() == [
        [False, True, False, False, False, False, False, False],
        [False, False, False, False, False, True, False, False],
    ]
    assert both.judged_by().gold_items == 10
    whole = compared(C, replace(C, origin="d")).view.answers
    assert whole.lost is None
    assert Answers.in_sequence([one, whole]).lost_by() == 1


def test_the_page_knows_what_was_lost() -> None:
    found = compared(A, B, C, examples=True)
    scenes = found.material.scenes(found.views)
    flags = columns_of(PageView(METRIC, METRIC, [], found.view, ("a", "b"), {}, {}), scenes)[
        "flags"
    ]
    of = found.view.answers
    assert ((flags >> 2) == of.lost[:, of.unit]).all()
    assert ((flags >> 1 & 1) == of.right).all()


def test_an_audit_counts_the_items_of_both() -> None:
    item, right = np.arange(4), np.array([True, True, False, True])
    unit, lost = np.array([0, 1, 1, 2], np.int32), np.array([False, True, False])
    first = (item[[0, 3]], right[[0, 3]], unit[[0, 3]], lost)
    a, b = _right([first, (item, right, unit, None)])
    assert (a.tolist(), b.tolist()) == ([True, True], [True, True])
    a, b = _right([(item, right, unit, None), (item, ~right, unit, None)])
    assert (len(a), b.tolist()) == (4, (~right).tolist())


def test_systems_joined_by_hand() -> None:
    from tertium.study.study import Study
    from tertium.study.walk import walk

    def judged(file: Any) -> list[Decisions]:
        return [each.decisions for system in file.systems() for each in system.judge()]

    (rows,) = walk(Study.of(GOLD, [A, B], metric=METRIC), judged)
    answers = Decisions.join(rows, counted=np.ones(4, np.bool_))
    assert (answers.lost_by(), answers.lost_by([0]), len(answers.judged_by([1]).unit)) == (2, 1, 4)


def test_the_same_answers_are_those_in_the_sentences_compared() -> None:
    summary = compared(replace(C, origin="lacks"), C).summary()
    assert summary.endswith("; lacks and c have the same answers")
    summary = compared(corpus("lacks", "Ada", TWO, THREE, "We saw/B-LOC Rome again"), C).summary()
    assert summary.endswith("; lacks and c have the same answers in the sentences compared")


def test_no_errors_are_claimed_where_nothing_was_judged() -> None:
    nobody = corpus("nobody", *["Nobody"] * 4)
    found = tertium.errors(GOLD, nobody, metric=METRIC)
    assert found.summary().startswith("Nothing was judged by ")
    assert "no errors" not in tertium.render(found)
    assert not any("errors" in note for note in tertium.draw(GOLD, nobody, metric=METRIC).notes)
    assert "there are errors in 1 of 3 sentences" in tertium.draw(GOLD, A, metric=METRIC).notes


def test_a_system_without_values_has_no_rank() -> None:
    nobody = corpus("nobody", *["Nobody"] * 4)
    metrics = [METRIC, "loose.f1(missing=skip,scheme=iob2)"]
    found = tertium.metrics(GOLD, nobody, A, C, metric=metrics)
    assert found.summary().startswith("All metrics rank the 2 systems alike")


def test_a_sentence_that_cannot_be_compared_is_a_difference() -> None:
    lacks = corpus("lacks", "Ada", TWO, THREE, FOUR)
    found = tertium.diff(GOLD, lacks, metric=METRIC, exit_code=True)
    assert found.summary().endswith("in the sentences compared")
    with pytest.raises(GateError, match=r"differ: 0 by .*, 1 sentence not compared$"):
        found.check()
    same = tertium.diff(GOLD, GOLD, metric=METRIC, exit_code=True)
    same.check()
    assert "sentences" not in same.summary()
