"""Answers: systems side by side, files one after another."""

from dataclasses import replace

import numpy as np
import pytest

from tertium.align.tokens import align
from tertium.corpus.labels import Labels
from tertium.exceptions import UsageError
from tertium.families.base import make
from tertium.formats.objects import from_python
from tertium.results.answers import Answers
from tertium.results.collection import Collection
from tertium.results.decisions import Decisions
from tertium.results.items import NOWHERE, ROOT, Items

GOLD = [["B-PER", "I-PER", "O"], ["B-LOC", "O", "O"]]
A = [["B-PER", "O", "O"], ["B-LOC", "O", "B-ORG"]]
B = [["B-PER", "I-PER", "O"], ["B-ORG", "O", "B-ORG"]]
C = [["O", "O", "B-X"], ["O", "O", "O"]]
COUNTED = np.array([True, True])


def decided(system: list[list[str]], metric: str = "spans.fair(weights='eq7')") -> Decisions:
    gold, other = from_python(GOLD, name="gold"), from_python(system, name="system")
    judge = make(metric)
    return judge.fit(judge.facts(gold)).decide(gold, other, align(gold, other))


def joined(*systems: list[list[str]], places: bool = False, by: bool = False) -> Answers:
    each = (decided(system) for system in systems)
    if by:
        groups = Labels.of("abcdef")  # of the tokens
        each = (
            decisions.with_group(*(groups.take(i.start) for i in decisions.sides()))
            for decisions in each
        )
    return Decisions.join(each, counted=COUNTED, tokens=6, right_type="TP", places=places)


def test_gold_items_come_first_and_the_same_addition_once() -> None:
    found = joined(A, B, C)
    assert (found.systems, found.gold_items, len(found), found.units) == (3, 2, 4, 2)
    assert found.unit.tolist() == [0, 1, 0, 1], "extra items by unit"
    assert [found.names[code] for code in found.gold[:2]] == ["PER", "LOC"]
    assert found.gold[2:].tolist() == [-1, -1]
    assert found.answered.tolist() == [
        [True, True, False, True],
        [True, True, False, True],
        [False, False, True, False],
    ]
    assert found.right.tolist() == [
        [False, True, True, False],
        [True, False, True, False],
        [False, False, False, True],
    ], "to say nothing about an extra item is right"
    assert found.answer.tolist() == [[0, 0, 0, 0], [1, 1, 0, 0], [2, 2, 2, 2]]
    assert found.types[0] == "TP"
    assert [found.types[code] for code in found.type[:, 0]] == ["BEs", "TP", "FN"]


def test_credit_is_kept_where_it_is_graded() -> None:
    assert joined(A, B, C).credit is not None
    assert joined(A, B, C).credit.tolist() == [[0.5, 1], [1, 0], [0, 0]]  # type: ignore[union-attr]
    plain = [decided(system, "spans.f1") for system in (A, B)]
    assert Decisions.join(plain, counted=COUNTED).credit is None


def test_systems_may_come_one_by_one() -> None:
    collected = Collection()
    for system in (A, B, C):
        collected.add(decided(system))
    one = collected.answers(counted=COUNTED, unit_groups=["news", "wiki"])
    other = joined(A, B, C)
    assert np.array_equal(one.answer, other.answer)
    assert one.types[0] == "correct"
    assert one.group is not None
    assert one.group.tolist() == [0, 1, 0, 1]
    assert one.group_names == ("news", "wiki")


def test_items_are_grouped_by_their_first_words() -> None:
    found = joined(A, C, by=True)
    assert found.group is not None
    assert [found.group_names[code] for code in found.group] == ["a", "d", "c", "f"]
    empty = Labels.of([])
    nothing = from_python([["O"]], name="gold").take(np.zeros(0, np.int64))
    decisions = make("spans.f1(column='tag')").decide(nothing, nothing, align(nothing, nothing))
    groups = Decisions.join([decisions.with_group(empty, empty)], counted=COUNTED[:0]).group
    assert groups is not None, "there are groups, though nothing is in them"


def test_places_are_those_of_each_side() -> None:
    found = joined(A, B, C, places=True)
    first, last, head = found.place(0)
    assert (first.tolist(), last.tolist()) == ([0, 3, 2, 5], [1, 3, 2, 5])
    assert (head == NOWHERE).all()
    first, last, _ = found.place(1)
    assert (first.tolist(), last.tolist()) == ([0, 3, -1, 5], [0, 3, -1, 5])
    some = found.of_systems([2])
    assert len(some) == 3
    assert some.place(1)[0].tolist() == [-1, -1, 2]
    bare = Decisions({}, names=decided(A).names, units=1)
    with pytest.raises(UsageError, match="do not record positions"):
        bare.sides()


def test_files_stand_one_after_another() -> None:
    parts = [joined(A, B, places=True), joined(A, C, places=True)]
    found = Answers.in_sequence(parts)
    assert (found.gold_items, found.units, found.tokens) == (4, 4, 12)
    assert len(found) == len(parts[0]) + len(parts[1])
    assert found.unit.tolist() == [0, 1, 2, 3, 1, 2, 3]
    assert found.place(0)[0].tolist() == [0, 3, 6, 9, 5, 8, 11]
    assert found.place(2)[0].tolist() == [0, 3, -1, -1, 5, 8, -1]
    labels = [found.names[code] for code in found.gold[:4]]
    assert labels == ["PER", "LOC", "PER", "LOC"]
    assert found.credit is not None
    assert found.credit.tolist() == [[0.5, 1, 0.5, 1], [1, 0, 0, 0]]
    assert Answers.in_sequence(parts[:1]) is parts[0]


def test_chosen_items_keep_their_columns() -> None:
    found = joined(A, B, C, places=True).take(np.array([False, True, True, False]))
    assert (found.gold_items, len(found)) == (1, 2)
    assert found.counted.tolist() == [True, True]
    assert found.credit is not None
    assert found.credit.tolist() == [[1], [0], [0]]
    assert found.place(0)[0].tolist() == [3, 2]
    assert found.right_per_label.sum(axis=1).tolist() == [1, 0, 0]
    assert found.gold_per_label.sum() == 1


def test_heads_over_gold_tokens() -> None:
    gold, system = (
        from_python([{"tokens": text.split(), "tags": ["X"] * len(text.split())}])
        for text in ("ab c", "a b c")
    )
    labels = Labels.of("XYZ")
    items = Items.of_tokens(labels, np.array([2, ROOT, NOWHERE])).over(align(gold, system))
    assert items.start.tolist() == [0, 0, 1]
    assert items.end.tolist() == [1, 1, 2]
    assert items.second is not None
    assert items.second.tolist() == [1, ROOT, NOWHERE]
    both = Items.join([items, items], [0, 2])
    assert both.second is not None
    assert both.second.tolist() == [1, ROOT, NOWHERE, 3, ROOT, NOWHERE]
    assert both.start.tolist() == [0, 0, 1, 2, 2, 3]


def test_places_in_the_unit() -> None:
    gold = from_python(
        [{"tokens": ["a"], "tags": ["X"]}, {"tokens": ["b", "c"], "tags": ["X", "Y"]}]
    )
    decisions = make("tags.accuracy").decide(gold, gold, align(gold, gold))
    found = Decisions.join([decisions], counted=np.ones(2, np.bool_), tokens=3, places=True)
    heads = replace(found.sides[0], second=np.array([2, ROOT, 0], np.int64))
    found = replace(found, sides=(heads, found.sides[1]))
    first, last, second = (
        column.tolist() for column in found.place_in(0, np.array([0, 1])[found.unit])
    )
    assert first == last == [0, 0, 1]
    assert second == [2, ROOT, NOWHERE], "what lies before the unit is nowhere in it"
