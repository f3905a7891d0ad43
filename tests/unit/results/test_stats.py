from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.corpus.labels import Names
from tertium.results.compact import Cells, compact
from tertium.results.decisions import extra_items, fingerprint, name_hashes
from tertium.results.stats import Stats, add, alike, join, label_block


def ints(*values: int) -> np.ndarray:
    return np.array(values, np.int32)


def make(labels: list[str], units: list[int], codes: list[int], size: int) -> Stats:
    counted = np.ones(len(codes), bool)
    block = label_block(Names.of(labels), ints(*units), {"gold": (ints(*codes), counted)})
    return Stats(("n",), np.arange(size, dtype=float)[:, None], *block)


def test_shards_may_have_different_labels() -> None:
    one = make(["a", "b"], [0, 0, 1], [0, 1, 0], 2)
    two = make(["c", "a"], [0, 1], [0, 1], 2)
    both = one + two
    totals = both.totals()
    assert totals.labels == ("a", "b", "c")
    assert totals.label("gold").tolist() == [3, 1, 1]
    assert both.units == 4
    assert totals["n"] == 2
    assert add([two, one]).totals().label("gold").tolist() == [3, 1, 1]


def test_taking_units_keeps_the_label_set() -> None:
    taken = make(["a", "b"], [0, 1], [0, 1], 3).take(np.array([2, 1]))
    assert taken.dense.tolist() == [[2], [1]]
    assert taken.totals().labels == ("a", "b")
    assert taken.totals().label("gold").tolist() == [0, 1]


def test_weights_resample_both_blocks() -> None:
    stats = make(["a", "b"], [0, 1, 1], [0, 1, 1], 2)
    totals = stats.totals(np.array([[1.0, 1.0], [0.0, 3.0]]))
    assert totals["n"].tolist() == [1, 3]
    assert totals.label("gold").tolist() == [[1, 2], [0, 6]]


def test_stats_of_other_metrics_do_not_add() -> None:
    with pytest.raises(ValueError, match="different metrics"):
        add([Stats(("a",), np.zeros((1, 1))), Stats(("b",), np.zeros((1, 1)))])


def test_rows_need_not_be_sorted_by_unit() -> None:
    labels = [f"l{i}" for i in range(2000)]
    stats = make(labels, [4999, 0, 4999], [1999, 0, 1999], 5000)
    assert stats.totals().label("gold").tolist() == [1, 2]
    # Only what falls behind is sorted: a unit may have more than one cell of a label.
    cells = sorted(zip(stats.cells.unit, stats.cells.value, strict=True))
    assert cells == [(0, 1), (4999, 1), (4999, 1)]


LIMITS = (1, 255, 256, 65_535, 65_536, 2**32 - 1, 2**32)
# Sums of quarters are exact, in whatever order.
NUMBERS = st.one_of(
    st.integers(0, 3), st.sampled_from(LIMITS), st.integers(-800, 800).map(lambda n: n / 4)
)
COLUMNS, LABEL_COLUMNS = ("a", "b"), ("x", "y")


@st.composite
def plain_stats(draw: st.DrawFn, units: int | None = None) -> tuple[Stats, np.ndarray, Counter]:
    """Stats, and the same as a plain array and a count of (unit, column, label)."""
    if units is None:
        units = draw(st.integers(1, 9))
    rows = st.lists(NUMBERS, min_size=len(COLUMNS), max_size=len(COLUMNS))
    dense = np.array(draw(st.lists(rows, min_size=units, max_size=units)), np.float64)
    labels = draw(st.lists(st.sampled_from("pqrs"), min_size=1, unique=True))
    keys = [(column, label) for column in LABEL_COLUMNS for label in labels]
    cell = st.tuples(st.integers(0, units - 1), st.integers(0, len(keys) - 1), NUMBERS)
    cells = draw(st.lists(cell, max_size=40))
    counted: Counter = Counter()
    for unit, key, value in cells:
        counted[unit, *keys[key]] += value
    block = Cells.of(
        np.array([unit for unit, _, _ in cells], np.int64),
        np.array([key for _, key, _ in cells], np.int64),
        np.array([value for _, _, value in cells], np.float64),
    )
    return Stats(COLUMNS, dense, tuple(keys), block, LABEL_COLUMNS), dense, counted


def check(stats: Stats, dense: np.ndarray, counted: Counter) -> None:
    """Everything that can be asked of stats is what the plain numbers say."""
    assert stats.units == len(dense)
    assert stats.dense.dtype == np.float64
    assert np.array_equal(stats.dense, dense)
    keys = {key: n for n, key in enumerate(stats.keys, dense.shape[1])}
    matrix = np.zeros((len(dense), stats.width))
    matrix[:, : dense.shape[1]] = dense
    for (unit, *key), value in counted.items():
        if value:
            matrix[unit, keys[*key]] = value
    found = stats.matrix()
    assert np.array_equal(found if isinstance(found, np.ndarray) else found.toarray(), matrix)
    weights = np.stack([np.ones(len(dense)), np.arange(len(dense))])
    for totals, sums in (
        (stats.totals(), matrix.sum(axis=0)),
        (stats.totals(weights), weights @ matrix),
    ):
        assert np.array_equal(totals.dense, sums[..., : dense.shape[1]])
        for column, label in stats.keys:
            place = totals.labels.index(label)
            assert np.array_equal(totals.label(column)[..., place], sums[..., keys[column, label]])


def renumbered(counted: Counter, numbers: list[int]) -> Counter:
    """Counts of some units only, which get the places of their numbers."""
    return Counter(
        {(numbers.index(u), *key): n for (u, *key), n in counted.items() if u in numbers}
    )


@given(plain_stats(), st.data())
def test_compact_counts_are_what_plain_ones_are(
    made: tuple[Stats, np.ndarray, Counter], data: st.DataObject
) -> None:
    stats, dense, counted = made
    check(stats, dense, counted)
    units = len(dense)
    order = data.draw(st.permutations(range(units)))
    some = order[: data.draw(st.integers(0, units))]
    taken = stats.take(np.array(some, np.int64))
    check(taken, dense[some], renumbered(counted, some))
    wide = dense.copy()
    wide[np.setdiff1d(np.arange(units), some)] = 0
    there = Counter({key: n for key, n in counted.items() if key[0] in some})
    spread = replace(taken, place=np.array(some, np.int64), out_of=units).spread()
    check(spread, wide, there)
    group = np.array(data.draw(st.lists(st.integers(0, 2), min_size=units, max_size=units)))
    for number, part in enumerate(stats.split(group, 3)):
        rows = np.flatnonzero(group == number).tolist()
        check(part, dense[rows], renumbered(counted, rows))
    documents: Counter = Counter()
    for (unit, *key), value in counted.items():
        documents[group[unit], *key] += value
    sums = np.zeros((3, dense.shape[1]))
    np.add.at(sums, group, dense)
    summed = stats.by_document(group, 3)
    assert summed.kind == "document"
    check(summed, sums, documents)
    part_of = replace(taken, place=np.array(some, np.int64), out_of=units).by_document(group, 3)
    assert np.array_equal(part_of.spread().dense, spread.by_document(group, 3).dense)
    one = stats.of_label("p")
    of_p = Counter({key: n for key, n in counted.items() if key[2] == "p"})
    check(one, dense[:, :0], of_p)


@given(plain_stats(), plain_stats())
def test_compact_stats_add_up(
    one: tuple[Stats, np.ndarray, Counter], two: tuple[Stats, np.ndarray, Counter]
) -> None:
    both = Counter({**one[2], **{(u + len(one[1]), *k): n for (u, *k), n in two[2].items()}})
    check(one[0] + two[0], np.concatenate([one[1], two[1]]), both)


@given(st.integers(1, 6).flatmap(lambda n: st.tuples(plain_stats(units=n), plain_stats(units=n))))
def test_compact_stats_side_by_side(
    pair: tuple[tuple[Stats, np.ndarray, Counter], tuple[Stats, np.ndarray, Counter]],
) -> None:
    for stats, (_, dense, counted) in zip(alike([made[0] for made in pair]), pair, strict=True):
        check(stats, dense, counted)
    joined = join({"one": pair[0][0], "two": pair[1][0]})
    dense = np.concatenate([pair[0][1], pair[1][1]], axis=1)
    assert np.array_equal(joined.dense, dense)
    assert np.array_equal(joined.totals().dense, dense.sum(axis=0))
    assert np.array_equal(joined.take(np.array([0])).dense, dense[:1])
    document = np.zeros(len(dense), np.int64)
    assert np.array_equal(joined.by_document(document, 1).dense[0], dense.sum(axis=0))
    assert joined.by_document(document, 1).kind == "document"


@pytest.mark.parametrize(
    ("numbers", "type"),
    [
        ([], np.uint8),
        ([0, -0.0, 255], np.uint8),
        ([256], np.uint16),
        ([65_536], np.uint32),
        ([2.0**32], np.float64),
        ([-1], np.float64),
        ([1, 0.5], np.float64),
        ([np.nan, 1], np.float64),
        ([np.inf], np.float64),
    ],
)
def test_the_smallest_type_that_holds_all_numbers(numbers: list[float], type: type) -> None:
    found = compact(np.array(numbers, np.float64))
    assert found.dtype == type
    assert np.array_equal(found, np.array(numbers, np.float64), equal_nan=True)


def test_stats_of_different_units_do_not_mix() -> None:
    sentences = make(["a"], [0, 1], [0, 0], 2)
    documents = sentences.by_document(np.array([0, 1]), 2)
    for mixed in (
        lambda: sentences + documents,
        lambda: join({"a": sentences, "b": documents}),
        lambda: alike([sentences, documents]),
    ):
        with pytest.raises(ValueError, match="different units: document and sentence"):
            mixed()
    with pytest.raises(ValueError, match="only stats per sentence"):
        documents.by_document(np.array([0, 0]), 1)
    with pytest.raises(ValueError, match="2 sentences, but 3"):
        sentences.by_document(np.array([0, 0, 0]), 1)
    for kept in (
        documents.take(np.array([1])),
        documents.split(np.array([0, 1]), 2)[1],
        documents + documents,
        join({"a": documents}),
        documents.of_label("a"),
        replace(documents, place=np.array([1, 2]), out_of=3).spread(),
    ):
        assert kept.kind == "document"


def test_fingerprints_are_the_same_everywhere() -> None:
    # Recorded once: answers may be stored and compared later, on other machines.
    assert fingerprint(np.array([1, 2]), np.array([3, -4])).tolist() == [
        -7401281715059793272,
        6252131591037023210,
    ]
    assert fingerprint(np.array([1]), np.array([2])) != fingerprint(np.array([2]), np.array([1]))


def test_extra_items_are_negative_and_know_repetitions() -> None:
    items = extra_items(np.array([5, 5, 7]), np.array([6, 6, 8]))
    assert (items < 0).all()
    assert len(set(items.tolist())) == 3
    again = extra_items(np.array([7, 5]), np.array([8, 6]))
    assert set(again.tolist()) == {items[2], items[0]}


def test_name_hashes_have_one_more_for_no_label() -> None:
    hashes = name_hashes(Names.of(["a", "b"]))
    assert len(hashes) == 3
    assert hashes[-1] == 0
    assert hashes[0] == name_hashes(Names.of(["z", "a"]))[1]
