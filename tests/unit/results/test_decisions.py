"""Decisions: made from a pairing of items, chosen, grouped, sent elsewhere."""

import pickle
from typing import Any

import numpy as np
import pytest

from tertium.align.tokens import Alignment, align
from tertium.corpus.labels import Labels
from tertium.exceptions import UsageError
from tertium.formats.objects import from_python
from tertium.results.decisions import CORRECT, EXCUSED, EXTRA, MISSING, WRONG, Decisions
from tertium.results.items import Detail, Items
from tertium.results.stats import Stats


def words(text: str) -> list[dict[str, list[str]]]:
    return [
        {"tokens": sentence.split(), "tags": ["X"] * len(sentence.split())}
        for sentence in text.split("/")
    ]


def aligned() -> Alignment:
    """Gold `ab c d/ef`, system `ab cd/e f`: only `ab` has a partner."""
    gold, system = (from_python(words(text)) for text in ("ab c d/ef", "ab cd/e f"))
    return align(gold, system)


def decisions(**options: Any) -> Decisions:
    """Gold tokens A B A B, of which the second met what does not count; system tokens A B C C."""
    given: dict[str, Any] = {
        "partner": np.array([0, 1, -1, 2]),
        "right": np.array([True, False, False, False]),
        "answered": np.array([True, False, False, True]),
    }
    gold, system = (Items.of_tokens(Labels.of(labels)) for labels in ("ABAB", "ABCC"))
    return Decisions.of(gold, system, aligned(), **{**given, **options})


def test_columns_follow_from_the_pairing() -> None:
    made = decisions()
    assert [*made.names] == ["A", "B", "C"]
    assert made.units == 2
    assert made.unit.tolist() == [0, 0, 0, 1, 0, 1], "a system item lies where its first letter is"
    assert made.item[:4].tolist() == [0, 1, 2, 3]
    assert (made.item[4:] < 0).all()
    assert made.outcome.tolist() == [CORRECT, MISSING, MISSING, WRONG, EXTRA, EXTRA]
    assert made.error_type.tolist() == made.outcome.tolist()
    assert made.credit.tolist() == [1, 0, 0, 0, 0, 0]
    assert made.gold.tolist() == [0, 1, 0, 1, -1, -1]
    assert made.system.tolist() == [0, 1, -1, 2, 1, 2]
    assert made.gold_row.tolist() == [0, 1, 2, 3, -1, -1]
    assert made.system_row.tolist() == [0, 1, -1, 2, 1, 3]
    assert made.in_gold.tolist() == [True] * 4 + [False] * 2
    assert made.in_system.tolist() == [True, False, False, True, True, True]
    assert made.right.tolist() == [True] + [False] * 5
    assert not made.is_graded


def test_answers_differ_iff_what_was_said_does() -> None:
    made = decisions()
    assert made.answer[2] == 0, "nothing was said"
    assert made.answer[1] == made.answer[4], "B both times"
    assert made.answer[3] == made.answer[5]
    assert len(set(made.answer.tolist())) == 4
    heads = np.array([7, 8, 8, 8])
    assert len(set(decisions(answer=lambda: (heads,)).answer.tolist())) == 3


def test_only_some_gold_items_may_count() -> None:
    made = decisions(
        rows=np.array([1, 3]),
        partner=np.array([0, 2]),
        right=np.array([True, False]),
        answered=None,
    )
    assert made.item[:2].tolist() == [1, 3]
    assert made.unit.tolist() == [0, 1, 0, 1]
    assert made.gold.tolist() == [1, 1, -1, -1]
    assert made.outcome.tolist() == [CORRECT, WRONG, EXTRA, EXTRA]
    assert made.system_row.tolist() == [0, 2, 1, 3], "those that are nobody's partner"


def test_an_extra_item_may_have_met_one_of_gold() -> None:
    made = decisions(extra=np.array([3]), met=np.array([2]))
    assert (made.gold[4], made.gold_row[4], made.system_row[4]) == (0, 2, 3)
    assert made.outcome.tolist()[4:] == [EXTRA]
    assert not made.in_gold[4]


def test_the_same_addition_is_the_same_item() -> None:
    one, other = decisions(), decisions(extra=np.array([3]))
    assert one.item[5] == other.item[4]
    assert one.item[4] != one.item[5]
    same = np.zeros(4, np.int64)
    repeated = decisions(identity=lambda: (same,))
    assert repeated.item[4] != repeated.item[5], "what is repeated is another item"


def test_what_is_excused_is_right_and_no_error() -> None:
    made = decisions(
        excused=(np.array([False, True, False, False]), np.array([False, True])),
    )
    assert made.outcome.tolist() == [CORRECT, EXCUSED, MISSING, WRONG, EXTRA, EXCUSED]
    assert made.right.tolist() == [True, True, False, False, False, True]
    assert made.credit.tolist() == [1, 1, 0, 0, 0, 1]
    assert made.error_type.tolist() == [0, 0, 2, 1, 3, 0]
    assert made.in_gold.tolist() == [True] * 4 + [False] * 2
    assert made.to_frame()["outcome"].to_list()[1] == "excused"


def test_errors_and_credit_can_be_given() -> None:
    made = decisions(
        error=(np.array([0, 1, 1, 2]), 1),
        error_types=("none", "lost", "other"),
        credit=(np.array([1, 0, 0, 0.5]), 0.25),
    )
    assert made.error_type.tolist() == [0, 1, 1, 2, 1, 1]
    assert made.credit.tolist() == [1, 0, 0, 0.5, 0.25, 0.25]
    assert made.is_graded
    assert made.credit_per_unit().tolist() == [1.25, 0.75]
    short = decisions(error_types=("none", "label", "unaligned"))
    assert short.error_type.tolist() == [0, 2, 2, 1, 2, 2]


def test_columns_are_made_when_they_are_asked_for() -> None:
    asked = []

    def answer() -> tuple[Any, ...]:
        asked.append(1)
        return (np.arange(4),)

    made = decisions(answer=answer, marks={"new": (np.arange(4), 9)})
    some = made.take(np.array([3, 4]))
    assert made.per_unit(made.in_gold & made.right).tolist() == [1, 0]
    assert not asked
    assert some.answer.tolist() == made.answer[[3, 4]].tolist()
    assert asked == [1]
    assert made.marks["new"].tolist() == [0, 1, 2, 3, 9, 9]
    assert made.mark("old") is None


def test_rows_are_chosen_in_every_column() -> None:
    made = decisions(marks={"new": (np.array([1, 2, 3, 4]), 5)})
    some = made.take(np.array([2, 0]))
    for name in ("unit", "item", "gold", "system", "answer", "outcome", "error_type", "credit"):
        assert some.column(name).tolist() == made.column(name)[[2, 0]].tolist()
    assert (some.gold_row.tolist(), some.system_row.tolist()) == ([2, 0], [-1, 0])
    assert some.marks["new"].tolist() == [3, 1]
    assert some.units == 2
    assert some.per_unit().tolist() == [2, 0]
    assert (
        made.take(np.array([2, 0])).with_marks(known=np.array([True, False])).mark("new")
        is not None
    )


def test_units_are_numbered_anew() -> None:
    made = decisions(unit_counts={"odd": np.array([1.0, 2])})
    some = made.take(np.array([3, 5]), np.array([1]))
    assert (some.units, some.unit.tolist()) == (1, [0, 0])
    assert some.unit_counts["odd"].tolist() == [2]
    assert len(made.take(np.zeros(0, np.int64))) == 0


def test_gold_items_are_grouped_by_gold_and_extra_ones_by_the_system() -> None:
    made = decisions().with_group(Labels.of("xyxy"), Labels.of("zzxw"))
    assert made.group is not None
    assert made.group.to_list() == ["x", "y", "x", "y", "z", "w"]
    some = made.take(np.array([5, 0])).group
    assert some is not None
    assert some.to_list() == ["w", "x"]


def test_decisions_may_lack_items() -> None:
    made = decisions()
    bare = Decisions({"unit": made.unit}, names=made.names, units=2)
    with pytest.raises(UsageError, match="do not record positions"):
        bare.sides()


def test_decisions_travel() -> None:
    corpus = from_python(words("ab"))
    gold = Items.of_tokens(Labels.of("A"), details={Detail("file", "its file"): [corpus.origin]})
    nobody = np.zeros(0, np.int64)
    one = Decisions.of(
        gold, gold, align(corpus, corpus), partner=nobody[:1], rows=nobody, right=nobody == 0
    )
    for made in (decisions(marks={"new": (np.arange(4), 9)}), one):
        again = pickle.loads(pickle.dumps(made))
        for name in ("item", "answer", "outcome", "unit", "marks.new"):
            if name in made.columns:
                assert again.column(name).tolist() == made.column(name).tolist()
        assert again.alignment is None
        assert again.names == made.names


def test_stats_of_rows_are_counts_of_units() -> None:
    made = decisions()
    stats = Stats(("right",), made.per_unit(made.right)[:, None])
    assert stats.totals()["right"] == 1


def empty_items() -> Items:
    """Over the first token, none at the first, none at the last, the last two."""
    ends = np.array([[0, 1], [0, 0], [3, 3], [2, 4]], np.int32)
    return Items(ends[:, 0], ends[:, 1], Labels.of("BBBC"))


def test_an_item_may_cover_no_token() -> None:
    items = empty_items()
    made = Decisions.of(
        items, items, aligned(), partner=np.full(4, -1), right=np.zeros(4, np.bool_)
    )
    assert made.unit.tolist() == [0, 0, 1, 0, 0, 0, 1, 1]
    assert len({*made.item.tolist()}) == 8
    over = items.over(aligned())
    assert (over.end - over.start).tolist()[1:3] == [0, 0]
    assert over.start.tolist()[1:3] == [0, 3]
    # The same addition of a system whose other tokens differ is the same item.
    alone = items.take(np.array([1]))
    other = Decisions.of(items, alone, aligned(), partner=np.full(4, -1), right=np.zeros(4, bool))
    assert other.item[-1] == made.item[5]
    answers = Decisions.join([made, other], counted=np.ones(2, np.bool_), places=True)
    first, last, _ = answers.place(0)
    assert (last - first).tolist()[:4] == [0, -1, -1, 1]
