"""Coefficients of agreement: worked examples, degenerate cases, and what adds up."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import tertium
from random_ratings import Table, full_tables, judged, sparse_tables, value_of, votes_of
from tertium import registry
from tertium.agreement.alpha import TOO_MANY
from tertium.agreement.coefficients import (
    CONSTANT,
    NO_PAIRS,
    NOTHING_SHARED,
    ONE_LABEL,
    Pairwise,
    make_coefficient,
    usual_coefficients,
)
from tertium.agreement.sums import rated, stats_of, without
from tertium.corpus.labels import Names
from tertium.exceptions import InputError, UsageError
from tertium.results.stats import add
from tertium.results.votes import PORTION, Votes

NAMES = registry.names("coefficients")
MORE = [
    "cohen(weights='linear')",
    "cohen(weights='quadratic')",
    "alpha(level='ordinal')",
    "alpha(level='interval')",
    "alpha(level='ratio')",
    "s(labels=7)",
    "ac1(labels=7)",
]
# The example of docs/coefficients: N is 1, V is 2.
EXAMPLE: Table = [[1, 1]] * 4 + [[2, 2]] * 3 + [[1, 2]] * 2 + [[2, 1]]
# Of Gwet's handbook and the page of the package irrCAC: 12 items, 4 annotators, gaps.
GWET: Table = [
    [1, 1, 0, 1], [2, 2, 3, 2], [3, 3, 3, 3], [3, 3, 3, 3], [2, 2, 2, 2], [1, 2, 3, 4],
    [4, 4, 4, 4], [1, 1, 2, 1], [2, 2, 2, 2], [0, 5, 5, 5], [0, 0, 1, 1], [0, 0, 3, 0],
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("agreement", 0.7),
        ("cohen", 0.4),
        ("scott", 0.195 / 0.495),
        ("fleiss", 0.195 / 0.495),
        ("conger", 0.4),
        ("alpha", 1 - 19 * 6 / 198),
        ("s", 0.4),
        ("ac1", 0.205 / 0.505),
        ("s(labels=4)", (0.7 - 0.25) / 0.75),
    ],
)
def test_the_worked_example(text: str, expected: float) -> None:
    assert value_of(text, EXAMPLE)[0] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("agreement", 0.81818),
        ("ac1", 0.77544),
        ("fleiss", 0.76117),
        ("conger", 0.76282),
        ("s", 0.77273),
        ("alpha", 0.74342),
    ],
)
def test_unequal_numbers_of_ratings(text: str, expected: float) -> None:
    """The figures of Gwet's handbook (2014, tables 2.10 and 4.2), which irrCAC gives as well."""
    assert value_of(text, GWET)[0] == pytest.approx(expected, abs=6e-6)


@pytest.mark.parametrize("text", [*NAMES, *MORE])
def test_units_add_up(text: str) -> None:
    for table in [*full_tables(15), *sparse_tables(15), GWET]:
        whole, each = (value_of(text, table, unit) for unit in ("all", "item"))
        assert whole[1] == each[1]
        assert whole[0] == (None if each[0] is None else pytest.approx(each[0], abs=1e-9))


@pytest.mark.parametrize("text", [*NAMES, *MORE])
def test_order_of_items_and_names_of_annotators_do_not_matter(text: str) -> None:
    random = np.random.default_rng(0)
    for table in sparse_tables(15):
        rows = np.array(table)
        mixed = rows[random.permutation(len(rows))][:, random.permutation(rows.shape[1])]
        one, other = value_of(text, table)[0], value_of(text, mixed.tolist())[0]
        assert one == (None if other is None else pytest.approx(other, abs=1e-9))


@pytest.mark.parametrize("text", [*NAMES, *MORE])
def test_resamples_are_the_formula_over_weighted_counts(text: str) -> None:
    """Drawing items with replacement is the same as a table in which they are repeated."""
    random = np.random.default_rng(3)
    coefficient = make_coefficient(text)
    for table in sparse_tables(8):
        stats = coefficient.stats(rated(votes_of(table)))
        draws = random.integers(len(table), size=(5, len(table)))
        weights = np.stack([np.bincount(draw, minlength=len(table)) for draw in draws])
        drawn = coefficient.score(stats.totals(weights.astype(float)))["value"]
        for value, draw in zip(drawn, draws, strict=True):
            rows = [table[item] for item in draw]
            if {label for row in rows for label in row} != {c for r in table for c in r}:
                continue  # the set of labels is that of all data
            expected = value_of(text, rows)[0]
            assert np.isnan(value) == (expected is None)
            assert expected is None or value == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("text", [*NAMES, *MORE])
def test_no_item_with_two_ratings(text: str) -> None:
    is_pairwise = text.startswith(("cohen", "scott"))
    reason = NOTHING_SHARED if is_pairwise else NO_PAIRS
    for table in ([[1, 0], [0, 2], [2, 0]], [[0, 0]], [[1], [2]]):
        assert value_of(text, table) == (None, reason)


@pytest.mark.parametrize("text", [*NAMES, *MORE])
def test_constant_labels(text: str) -> None:
    value, why = value_of(text, [[2, 2, 2], [2, 2, 0], [2, 2, 2]])
    if text in ("agreement", "s(labels=7)", "ac1(labels=7)"):
        assert value == 1
    else:
        reason = ONE_LABEL if text in ("s", "ac1") else CONSTANT
        assert (value, why) == (
            None,
            Pairwise.constant if text[:5] in ("cohen", "scott") else reason,
        )


def test_a_kappa_of_pairs_with_one_label_each_says_so() -> None:
    """Not all ratings have the same label, but those of every two annotators do."""
    table = [[1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 2, 2]]
    assert value_of("cohen", table) == (None, Pairwise.constant)
    assert value_of("fleiss", table)[0] == 1


def test_constant_labels_beside_single_ratings() -> None:
    """Items with one rating count for Fleiss, but not for alpha."""
    table = [[2, 2], [2, 2], [1, 0]]
    assert value_of("alpha", table) == (None, CONSTANT)
    assert value_of("fleiss", table)[0] == 1


def test_one_disagreement_in_otherwise_constant_data_is_alpha_zero() -> None:
    for size in (2, 5, 50):
        assert value_of("alpha", [[1, 1]] * size + [[1, 2]])[0] == pytest.approx(0, abs=1e-12)


def test_a_single_item_with_two_ratings() -> None:
    assert value_of("alpha", [[1, 2], [1, 0]])[0] == pytest.approx(0, abs=1e-12)
    assert value_of("alpha", [[1, 1], [2, 0]]) == (None, CONSTANT)
    assert value_of("agreement", [[1, 1], [2, 0]])[0] == 1


def test_pairs_without_a_value_do_not_count() -> None:
    """The first two never use a second label; each of them has a kappa with the third."""
    table = [[1, 1, 1], [1, 1, 2], [1, 1, 1]]
    assert value_of("cohen", table)[0] == pytest.approx(0, abs=1e-12)
    assert value_of("cohen", [[1, 1, 0], [1, 1, 0], [0, 1, 1], [0, 2, 2]])[0] == 1


def test_weights_go_by_places_not_by_differences() -> None:
    text = "cohen(weights='linear')"
    near, far = [[1, 2], [2, 3], [3, 1], [3, 3]], [[1, 5], [5, 9], [9, 1], [9, 9]]
    assert value_of(text, near) == value_of(text, far)


def test_alpha_of_spellings_of_one_number() -> None:
    votes = judged("112233", "xyxyxy", ["1", "1.0", "2", "2", "3", "2.0"])
    plain = judged("112233", "xyxyxy", ["1", "1", "2", "2", "3", "2"])
    for level in ("ordinal", "interval", "ratio"):
        coefficient = make_coefficient(f"alpha(level={level})")
        values = [
            float(coefficient.score(coefficient.stats(rated(v)).totals())["value"])
            for v in (votes, plain)
        ]
        assert values[0] == pytest.approx(values[1], abs=1e-12)


def real_votes(items: int) -> Votes:
    random = np.random.default_rng(5)
    truth = random.random(items)[:, None] * 100
    values = np.round(np.abs(truth + random.normal(0, 9, (items, 3))), 6)
    labels = [repr(value) for value in np.unique(values).tolist()]
    codes = np.searchsorted(np.unique(values), values).astype(np.int32)
    return Votes.of_codes(codes, Names.of(labels), ("x", "y", "z"), np.arange(items), items)


@pytest.mark.parametrize("level", ["ordinal", "ratio"])
def test_many_values_are_computed_in_portions(level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same number with and without counts per value."""
    coefficient = make_coefficient(f"alpha(level={level})")
    ratings = rated(real_votes(120))
    whole = coefficient.score(coefficient.stats(ratings).totals())["value"]
    assert not coefficient.unresampled(ratings)
    monkeypatch.setattr("tertium.agreement.alpha.MOST_VALUES", 10)
    assert coefficient.unresampled(ratings) == TOO_MANY
    monkeypatch.setattr("tertium.agreement.alpha.PORTION", 500)
    totals = coefficient.stats(ratings).totals()
    assert coefficient.score(totals)["value"] == pytest.approx(float(whole), abs=1e-9)


def test_real_values_do_not_blow_up() -> None:
    ratings = rated(real_votes(20_000), "all")
    assert len(ratings.labels) > 50_000
    for level in ("interval", "ordinal", "nominal"):
        coefficient = make_coefficient(f"alpha(level={level})")
        value = float(coefficient.score(coefficient.stats(ratings).totals())["value"])
        assert (0.8 < value < 1) == (level != "nominal")


def test_large_numbers_keep_their_digits() -> None:
    small = value_of("alpha(level='interval')", [[1, 2], [3, 3], [5, 4]])[0]
    votes = judged("112233", "xyxyxy", [f"{10**9 + n}" for n in (1, 2, 3, 3, 5, 4)])
    coefficient = make_coefficient("alpha(level=interval)")
    found = float(coefficient.score(coefficient.stats(rated(votes)).totals())["value"])
    assert found == pytest.approx(small, abs=1e-9)


def test_pairs_are_made_in_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    before = [value_of(text, GWET)[0] for text in (*NAMES, *MORE)]
    monkeypatch.setattr("tertium.results.votes.PORTION", 2)
    assert PORTION > 2
    assert [value_of(text, GWET)[0] for text in (*NAMES, *MORE)] == pytest.approx(before)


def test_distances_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "distances.tsv"
    path.write_text("# how bad\n1\t2\t1\n2\t3\t1\n1\t3\t4\n", "utf-8")
    table = [[1, 2], [2, 3], [3, 1], [3, 3], [1, 1]]
    text = f"alpha(distances='{path}')"
    expected = value_of("alpha(level='interval')", table)[0]
    assert value_of(text, table)[0] == pytest.approx(expected, abs=1e-12)
    assert make_coefficient(repr(make_coefficient(text))) == make_coefficient(text)
    with pytest.raises(InputError, match="has no label '4'"):
        value_of(text, [[1, 4]])
    with pytest.raises(UsageError, match="cannot be combined"):
        make_coefficient(f"alpha(level=ratio, distances='{path}')")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a\tb\n", r"distances.tsv:1: 2 columns, expected 3"),
        ("a\tb\tx\n", r"distances.tsv:1: a distance must be a number"),
        ("a\tb\t-1\n", r"distances.tsv:1: a distance must be a number"),
        ("a\ta\t1\n", r"distances.tsv:1: the distance of 'a' to itself must be 0"),
        ("a\tb\t1\nb\ta\t2\n", r"distances.tsv:2: 'b' and 'a' have two distances"),
        ("a\tb\t1e308\n", r"distances.tsv:1: a distance must be a number from 0 to 1e\+15"),
        ("a\tb\t0\n", r"distances.tsv has no distance above 0"),
    ],
)
def test_bad_files_of_distances(content: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "distances.tsv"
    path.write_text(content, "utf-8")
    with pytest.raises(InputError, match=message):
        make_coefficient(f"alpha(distances='{path}')")


def test_a_pair_of_labels_without_a_distance(tmp_path: Path) -> None:
    path = tmp_path / "distances.tsv"
    path.write_text("1\t2\t1\n2\t3\t1\n", "utf-8")
    with pytest.raises(InputError, match="no distance between '1' and '3'"):
        value_of(f"alpha(distances='{path}')", [[1, 2], [3, 3]])


def named(labels: list[str]) -> Votes:
    return rated(judged("1122", "xyxy", labels))


def test_labels_without_an_order_are_refused() -> None:
    ratings = named(["low", "mid", "mid", "mid"])
    for text in ("cohen(weights=linear)", "alpha(level=ordinal)"):
        with pytest.raises(UsageError, match="needs labels with an order"):
            make_coefficient(text).check(ratings)
    for text in ("alpha(level=interval)", "alpha(level=ratio)"):
        with pytest.raises(UsageError, match="needs numbers as labels"):
            make_coefficient(text).check(ratings)
    with pytest.raises(UsageError, match="not negative"):
        make_coefficient("alpha(level=ratio)").check(named(["-1", "2", "3", "3"]))
    with pytest.raises(UsageError, match="the data has more labels, 3"):
        make_coefficient("s(labels=2)").check(named(["a", "b", "c", "c"]))


def test_an_order_of_labels() -> None:
    votes = judged("112233", "xyxyxy", "low mid high high mid high".split())
    ordered = rated(votes, "item", ["low", "mid", "high"])
    assert tuple(ordered.labels) == ("low", "mid", "high")
    coefficient = make_coefficient("alpha(level=ordinal)")
    coefficient.check(ordered)
    found = float(coefficient.score(coefficient.stats(ordered).totals())["value"])
    table = [[1, 2], [3, 3], [2, 3]]
    assert found == pytest.approx(value_of("alpha(level='ordinal')", table)[0])
    with pytest.raises(InputError, match=r"the label 'low' is not in the order"):
        rated(votes, "item", ["lo", "mid", "high"])


def test_numbers_are_in_the_order_of_their_values() -> None:
    assert tuple(named(["10", "9", "2", "2"]).labels) == ("2", "9", "10")
    assert named(["10", "x", "2", "2"]).values is None


def test_without_a_label() -> None:
    ratings = rated(votes_of([[1, 1], [1, 2], [1, 0], [2, 2]]))
    left = without(ratings, "1")
    assert len(left.size) == 2
    assert left.labels == ratings.labels
    assert without(ratings, "x").item.tolist() == ratings.item.tolist()
    single = rated(votes_of([[1, 1], [0, 0], [1, 2]]))
    assert len(without(single, "1")) == 2, "what nobody rated stays"


def test_stats_of_parts_add_up() -> None:
    parts = [rated(votes_of(table)) for table in (GWET, [[1, 2, 3, 5], [4, 4, 4, 4]])]
    whole = rated(votes_of([*GWET, [1, 2, 3, 5], [4, 4, 4, 4]]))
    for coefficient in usual_coefficients():
        if coefficient.id in ("cohen", "scott"):
            continue
        joint = add([coefficient.stats(part) for part in parts]).totals()
        value = coefficient.score(coefficient.stats(whole).totals())["value"]
        assert coefficient.score(joint)["value"] == pytest.approx(float(value))


@pytest.mark.parametrize("text", [*NAMES, *MORE])
def test_texts_parse_back_and_are_cited(text: str) -> None:
    made = make_coefficient(text)
    assert make_coefficient(repr(made)) == made
    assert made.cite.startswith("@")


@pytest.mark.parametrize(
    "text", ["cohen(weights=cubic)", "alpha(level=x)", "s(labels=1)", "kappa", "ac1(labels=2.5)"]
)
def test_what_there_is_not_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        make_coefficient(text)


def test_sums_of_one_unit_are_small() -> None:
    ratings = rated(votes_of(EXAMPLE), "all")
    cells = [(0, ratings.label, ratings.item, 1.0)]
    stats = stats_of(ratings, {"size": ratings.size}, ("share",), ratings.labels, cells)
    assert len(stats.cells.key) == 2


def test_weights_take_spellings_of_one_number_for_one_label() -> None:
    table = [("1", "1.0"), ("2", "2"), ("1", "3"), ("1", "1")]
    other = [(a.replace("1.0", "1"), b.replace("1.0", "1")) for a, b in table]
    for weights in ("linear", "quadratic"):
        both = [
            tertium.agree(
                [
                    {"item": i, "annotator": who, "label": label}
                    for i, row in enumerate(rows)
                    for who, label in zip("ab", row, strict=True)
                ],
                coefficient=f"cohen(weights={weights})",
            )
            for rows in (table, other)
        ]
        values = [next(iter(found.coefficients.values())).value for found in both]
        assert values[0] == pytest.approx(values[1], abs=1e-12)
