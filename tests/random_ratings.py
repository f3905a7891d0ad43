"""Random tables of ratings, and coefficients of them."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from tertium.agreement.coefficients import make_coefficient
from tertium.agreement.sums import rated
from tertium.corpus.labels import Labels, Names
from tertium.formats.judgements import Judgements
from tertium.results.votes import Votes

Table = list[list[int]]  # items x annotators, labels 1, 2, ..., 0 for none


def votes_of(table: Table) -> Votes:
    """The votes of a table; labels are the numbers."""
    codes = np.array(table, np.int32).reshape(len(table), -1) - 1
    labels = Names.of(str(label + 1) for label in range(int(codes.max(initial=0)) + 1))
    sides = tuple(f"a{number}" for number in range(codes.shape[1]))
    return Votes.of_codes(codes, labels, sides, np.arange(len(codes)), len(codes))


def judged(items: Iterable[str], sides: Iterable[str], labels: Iterable[str | None]) -> Votes:
    """The votes of a table of judgements, given its columns; None is no label."""
    given = [*labels]
    said = np.array([label is not None for label in given], np.bool_)
    item, side = (Labels.of(each).take(said) for each in (items, sides))
    label = Labels.of(label for label in given if label is not None)
    return Votes.from_judgements(Judgements("", item, side, label))


def value_of(text: str, table: Table, unit: str = "all") -> tuple[float | None, str]:
    """A coefficient of a table and, where it has no value, the reason."""
    coefficient = make_coefficient(text)
    ratings = rated(votes_of(table), unit)
    coefficient.check(ratings)
    totals = coefficient.stats(ratings).totals()
    value = float(coefficient.score(totals)["value"])
    why = coefficient.why(totals)
    assert bool(why) == bool(np.isnan(value)), (value, why)
    return (None if np.isnan(value) else value), why


def full_tables(count: int) -> list[Table]:
    """Tables without gaps; annotators tend to agree."""
    random = np.random.default_rng(0)
    return [_table(random, gaps=0.0) for _ in range(count)]


def sparse_tables(count: int) -> list[Table]:
    """Tables with gaps."""
    random = np.random.default_rng(1)
    return [_table(random, gaps=random.random() * 0.7) for _ in range(count)]


def _table(random: np.random.Generator, gaps: float) -> Table:
    items, sides, labels = random.integers(2, 15), random.integers(2, 6), random.integers(2, 6)
    truth = random.integers(1, labels + 1, (items, 1))
    guesses = random.integers(1, labels + 1, (items, sides))
    found = np.where(random.random((items, sides)) < random.random(), truth, guesses)
    found[random.random((items, sides)) < gaps] = 0
    return found.tolist()
