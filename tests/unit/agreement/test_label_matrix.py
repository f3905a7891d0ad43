"""Which labels annotators confuse: the definitions of Plank, Hovy and Søgaard (2014), section 3."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from random_ratings import Table, full_tables, sparse_tables, votes_of
from tertium.agreement.label_matrix import LabelMatrix
from tertium.agreement.sums import rated
from tertium.exceptions import InputError
from tertium.formats.confusions import load_confusions

TABLE: Table = [[1, 1], [1, 1], [1, 2], [2, 1], [1, 2], [2, 3], [3, 3], [3, 0]]


def matrix_of(table: Table) -> LabelMatrix:
    return LabelMatrix.of(rated(votes_of(table)))


def test_two_annotators() -> None:
    found = matrix_of(TABLE)
    assert found.items == 7
    assert found.counts.tolist() == [[2, 2, 0], [1, 0, 1], [0, 0, 1]]
    # The mean of P(A1 = 1, A2 = 2) = 2/7 and P(A1 = 2, A2 = 1) = 1/7.
    chances = found.probabilities("1243")
    assert chances[0, 1] == pytest.approx((2 / 7 + 1 / 7) / 2)
    assert chances[:, 2].tolist() == [0, 0, 0, 0]
    assert [tuple(row.values()) for row in found.pairs()] == [
        ("1", "2", 3.0, pytest.approx(3 / 14)),
        ("2", "3", 1.0, pytest.approx(1 / 14)),
    ]
    # Precision 2/4, recall 2/3: the harmonic mean.
    assert found.label_scores()["1"]["f1"] == pytest.approx(2 * 2 / (4 + 3))
    assert found.label_scores()["2"]["f1"] == 0


def plain_matrix(table: Table) -> np.ndarray:
    """The definition in loops: all ordered pairs of an item, weighted to one item."""
    size = max(max(row) for row in table)
    found = np.zeros((size, size))
    for row in table:
        given = [label for label in row if label]
        for i, a in enumerate(given):
            for j, b in enumerate(given):
                if i != j:
                    found[a - 1, b - 1] += 1 / (len(given) * (len(given) - 1))
    return found


def test_many_annotators() -> None:
    for table in [*full_tables(10), *sparse_tables(20)]:
        if max(map(max, table)) == 0:
            continue
        found, expected = matrix_of(table), plain_matrix(table)
        used = [int(label) - 1 for label in found.labels]
        assert found.both == pytest.approx((expected + expected.T)[np.ix_(used, used)] / 2)
        assert found.counts.sum() == pytest.approx(found.items)


def test_json_and_back(tmp_path: Path) -> None:
    found, path = matrix_of(TABLE), tmp_path / "x.json"
    path.write_text(json.dumps({"confusion": found.to_dict()}), "utf-8")
    again = LabelMatrix.from_confusions(load_confusions(str(path)))
    assert (again.labels, again.items) == (found.labels, found.items)
    assert (again.both == found.both).all()
    for data in ({}, [], {"confusion": {}}, {"confusion": {"labels": ["a"], "counts": [[1, 2]]}}):
        path.write_text(json.dumps(data), "utf-8")
        with pytest.raises(InputError, match=r"x\.json(:| has no counts of confused labels)"):
            load_confusions(str(path))


def test_matrices_are_compared_over_the_union_of_labels() -> None:
    from scipy import stats

    one = LabelMatrix(("A", "B", "C"), np.array([[5, 2, 1], [0, 5, 0], [1, 3, 5.0]]), 22)
    other = LabelMatrix(("B", "A", "D"), np.array([[5, 4, 0], [0, 5, 1], [0, 2, 5.0]]), 22)
    found = one.compare(other)
    # A:B, A:C, A:D, B:C, B:D, C:D, zeros included.
    x, y = np.array([2, 2, 0, 3, 0, 0]), np.array([4, 0, 3, 0, 0, 0])
    assert (found["labels"], found["pairs"]) == (4, 6)
    for name, test in (("spearman", stats.spearmanr), ("kendall", stats.kendalltau)):
        assert found[name]["value"] == pytest.approx(float(test(x, y).statistic))
        assert found[name]["p"] == pytest.approx(float(test(x, y).pvalue))
    assert one.compare(one)["spearman"]["value"] == pytest.approx(1)
    assert other.compare(one)["kendall"] == found["kendall"]


def test_comparisons_that_are_undefined() -> None:
    small = LabelMatrix(("A", "B"), np.array([[1.0, 1], [0, 1]]), 3)
    even = LabelMatrix(("A", "B", "C"), np.eye(3), 3)
    full = LabelMatrix(("A", "B", "C"), np.array([[1.0, 2, 0], [0, 1, 1], [0, 0, 1]]), 6)
    empty = LabelMatrix(("A", "B", "C"), np.zeros((3, 3)), 0)
    for a, b, why in (
        (small, small, "fewer than three"),
        (full, even, "the same frequency in the earlier run"),
        (empty, full, "the same frequency in this run"),
    ):
        found = a.compare(b)
        assert found["spearman"] == {"value": None, "p": None}
        assert why in found["reason"]


def test_what_coarse_labels_hide() -> None:
    found = matrix_of(TABLE).lost_by({"1": "X", "2": "X"})
    assert (found["types"], found["lost"], found["share"]) == (2, 1, 0.5)
    assert found["share_of_disagreements"] == pytest.approx(3 / 4)
    none = matrix_of([[1, 1], [2, 2]]).lost_by({})
    assert none["share"] is None
    assert none["reason"] == "annotators never disagree"


def test_a_label_without_shared_items_has_no_f1() -> None:
    found = matrix_of([[1, 1], [2, 0]]).label_scores()
    reason = "no item with two or more ratings has this label"
    assert found["2"] == {"f1": None, "count": 0.0, "reason": reason}
