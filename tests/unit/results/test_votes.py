"""Votes: several sides on the same items."""

import pickle
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from random_ratings import judged
from tertium.corpus.labels import Labels
from tertium.results.items import Items
from tertium.results.votes import Votes

tables = st.integers(1, 4).flatmap(
    lambda sides: st.lists(
        st.lists(st.sampled_from(["N", "V", "D", None]), min_size=sides, max_size=sides),
        min_size=1,
        max_size=6,
    )
)
Table = list[list[str | None]]


def votes_of(table: Table, units: int = 2) -> Votes:
    """Votes over a base, every side having only the items it has a label for."""
    labels, partners = [], []
    for column in zip(*table, strict=True):
        there = [label is not None for label in column]
        labels.append(Labels.of(label for label in column if label is not None))
        partners.append(np.where(there, np.cumsum(there) - 1, -1))
    names = [f"s{number}" for number in range(len(table[0]))]
    unit = np.arange(len(table), dtype=np.int64) % units
    base = Items.of_tokens(Labels.constant("w", len(table)))
    return Votes.of(names, labels, partners, unit, units, base)


def said(votes: Votes) -> Table:
    """The labels themselves."""
    found: Table = [[None] * len(votes.sides) for _ in range(len(votes))]
    for item, side, label in zip(votes.item, votes.side, votes.label, strict=True):
        found[item][side] = votes.labels[label]
    return found


@given(tables)
def test_silent_stays_silent(table: Table) -> None:
    votes = votes_of(table)
    assert said(votes) == table
    assert len(votes) == len(table)
    assert said(pickle.loads(pickle.dumps(votes))) == table


@given(tables, st.randoms(use_true_random=False))
def test_permuting_sides_permutes_columns(table: Table, random: object) -> None:
    order = [*range(len(table[0]))]
    random.shuffle(order)  # type: ignore[attr-defined]
    assert said(votes_of([[row[s] for s in order] for row in table])) == [
        [row[s] for s in order] for row in said(votes_of(table))
    ]


@given(tables)
def test_a_table_of_judgements_gives_the_same(table: Table) -> None:
    rows = [(f"i{i}", f"s{s}", x) for i, row in enumerate(table) for s, x in enumerate(row)]
    votes = judged(*zip(*rows, strict=True))
    assert said(votes) == table
    assert votes.sides == votes_of(table).sides
    assert votes.unit.tolist() == [*range(len(table))]
    assert votes.units == len(table)
    assert votes.ids is not None
    assert [*votes.ids] == [f"i{i}" for i in range(len(table))]


@given(tables)
def test_votes_are_sorted_and_paired(table: Table) -> None:
    votes = votes_of(table)
    turned = np.arange(len(votes.labels))[::-1]
    for each in (votes, votes.relabel(turned, [*votes.labels][::-1])):
        rows = [*zip(each.item.tolist(), each.label.tolist(), each.side.tolist(), strict=True)]
        assert rows == sorted(rows)
        assert said(each) == table
        assert each.size.tolist() == [sum(x is not None for x in row) for row in table]
        counts = zip(*(column.tolist() for column in each.cells), strict=True)
        assert {(i, each.labels[code]): n for i, code, n in counts} == {
            (i, x): row.count(x) for i, row in enumerate(table) for x in row if x is not None
        }
        pairs = {
            (each.item[a], each.side[a], each.side[b])
            for first, second in each.pairs()
            for a, b in zip(first.tolist(), second.tolist(), strict=True)
        }
        sides = [[s for s, x in enumerate(row) if x is not None] for row in table]
        assert pairs == {(i, *p) for i, row in enumerate(sides) for p in combinations(row, 2)}
        for side, agreeing in enumerate(each.agreement.tolist()):
            assert agreeing == sum(row.count(row[side]) - 1 for row in table if row[side])


@given(tables, st.data())
def test_some_items_and_some_votes(table: Table, data: st.DataObject) -> None:
    votes = votes_of(table)
    items = data.draw(st.lists(st.booleans(), min_size=len(table), max_size=len(table)))
    left = votes.of_items(np.array(items))
    assert said(left) == [row for row, kept in zip(table, items, strict=True) if kept]
    assert left.unit.tolist() == votes.unit[np.array(items)].tolist()
    first = votes.take(votes.side == 0)
    assert said(first) == [[row[0], *[None] * (len(row) - 1)] for row in table]
    assert (votes.as_one().units, votes.by_item().units) == (1, len(table))


def test_nobody_votes_on_nothing() -> None:
    votes = judged([], [], [])
    assert (len(votes), votes.sides, votes.units) == (0, (), 0)
    assert said(Votes.of([], [], [], np.zeros(2, np.int64), 1)) == [[], []]


def items_of(*spans: tuple[int, int, str]) -> Items:
    start, end, label = zip(*spans, strict=True) if spans else ((), (), ())
    return Items(np.array(start, np.int32), np.array(end, np.int32), Labels.of(label))


def test_votes_on_the_items_of_sides() -> None:
    """Who could have proposed an item and did not votes against it; who lacks the sentence is
    silent."""
    sides = [items_of((0, 2, "X"), (3, 4, "Y")), items_of((0, 2, "Z"))]
    unit = np.array([0, 0, 0, 1], np.int32)
    covered = np.array([[True, True], [True, False]])
    votes = Votes.from_items("ab", sides, unit, covered)
    assert said(votes) == [["X", "Z"], ["Y", None]]
    votes = Votes.from_items("ab", sides, unit, np.ones((2, 2), np.bool_))
    assert said(votes) == [["X", "Z"], ["Y", "(none)"]]
    assert votes.ballot(1) == "(none) (1), Y (1)"
    assert votes.labels_of(items_of((3, 4, "Q"), (1, 2, "R"))).to_list() == ["", "Q"]
    assert said(Votes.from_items("ab", [items_of()] * 2, unit)) == []


def test_the_order_of_a_side_does_not_matter() -> None:
    one = items_of((0, 2, "X"), (0, 2, "A"), (1, 2, "B"))
    other = items_of((1, 2, "B"), (0, 2, "A"), (0, 2, "X"))
    votes = Votes.from_items("ab", [one, other], np.zeros(2, np.int32))
    assert said(votes) == [["A", "A"], ["X", "X"], ["B", "B"]]
    assert votes.labels_of(other).to_list() == ["A", "X", "B"]


@pytest.mark.parametrize("seed", range(10))
def test_labels_say_where_second_anchors_are(seed: int) -> None:
    rng = np.random.default_rng(seed)
    second = rng.integers(-1, 6, (2, 6))
    second[second == np.arange(6)] = -1
    labels = [Labels.of(rng.choice(["a", "b+1", "c-2"], 6)) for _ in range(2)]
    sides = [Items.of_tokens(own, at) for own, at in zip(labels, second, strict=True)]
    votes = Votes.from_items("ab", sides, np.zeros(6, np.int32))
    for row in range(len(votes.item)):
        back = votes.items_of(votes.item[row : row + 1], votes.label[row : row + 1])
        item, side = int(votes.item[row]), int(votes.side[row])
        assert back.label[0] == labels[side][item]
        assert back.second is not None
        assert back.second[0] == second[side, item]


def test_places_far_behind_are_told_apart() -> None:
    """Their numbers are larger than 32 bits hold."""
    start = np.array([0, 10_000, 858_994], np.int32)
    end = np.array([2_706, 14_999, 858_996], np.int32)
    items = Items(start, end, Labels.of("ABC"))
    votes = Votes.from_items(["a", "b"], [items, items], np.zeros(858_996, np.int64))
    assert len(votes) == 3
    assert [votes.ballot(n) for n in range(3)] == ["A (2)", "B (2)", "C (2)"]
