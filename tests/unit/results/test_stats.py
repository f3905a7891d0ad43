import numpy as np
import pytest

from tertium.corpus.labels import Names
from tertium.results.decisions import extra_items, fingerprint, name_hashes
from tertium.results.stats import Stats, add, label_block


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
