"""Systems over several data sets: who is better in general (Demsar 2006), and on how many of them
there is an effect (Dror et al. 2017)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from tertium.exceptions import UsageError
from tertium.results.output import record
from tertium.results.stats import Floats
from tertium.results.texts import counted, level
from tertium.significance.corrections import adjust, check_alpha
from tertium.significance.ranks import DIGITS, RankTest, doubled_ranks, sign_test, wilcoxon

FEW = 5  # below this many data sets a result carries a warning
COMBINING = {
    "bonferroni": "Bonferroni (any dependence between data sets)",
    "fisher": "Fisher (independent data sets)",
}


@dataclass(frozen=True, slots=True)
class Friedman:
    """Do mean ranks differ more than chance would have it?

    `f` is the form of Iman and Davenport (1980), which is less conservative than `chi_square`.
    """

    chi_square: float | None
    p: float | None
    f: float | None
    f_p: float | None
    degrees: tuple[int, int]
    reason: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; `reason` only where something is undefined."""
        return record(self)


@dataclass(frozen=True, slots=True)
class SystemPair:
    """Two systems over data sets.

    - `difference`: mean over data sets of B's value less A's
    - `wins`, `losses`, `ties`: data sets on which A is better, worse, equal
    - `wilcoxon`, `sign`: tests whether A and B differ; `adjusted`: Wilcoxon's p after Holm
    - `ranks_differ`: are the mean ranks apart by the critical difference? None for two systems
    """

    a: str
    b: str
    difference: float
    wins: int
    losses: int
    ties: int
    wilcoxon: RankTest
    adjusted: float | None
    sign: RankTest | None = None
    ranks_differ: bool | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON, without what was not asked."""
        return record(self)


@dataclass(frozen=True, slots=True)
class Datasets:
    """Systems over data sets.

    - `names`: the data sets used; `left_out`: those on which a system has no value
    - `mean_ranks`: of each system over data sets, 1 for the best, best system first
    - `critical_difference` (Nemenyi): mean ranks that are so far apart differ at level `alpha`
    - `groups`: systems next to each other in rank that are not so far apart, for the bars of the
      diagram; at least two in each
    """

    names: tuple[str, ...]
    left_out: tuple[str, ...]
    better: str
    alpha: float
    mean_ranks: Mapping[str, float]
    friedman: Friedman | None
    critical_difference: float | None
    groups: tuple[tuple[str, ...], ...]
    pairs: tuple[SystemPair, ...]
    warnings: tuple[str, ...]

    @property
    def can_differ(self) -> bool:
        """Are there enough data sets for the test of a pair to be significant?"""
        return least_p(len(self.names)) <= self.alpha

    @property
    def can_rank(self) -> bool:
        """Are there enough of them for two mean ranks to be a critical difference apart?"""
        apart = self.critical_difference
        return apart is not None and apart <= len(self.mean_ranks) - 1

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; Friedman and what follows from it for three systems and more."""
        found: dict[str, Any] = {
            "datasets": list(self.names),
            "left_out": list(self.left_out),
            "better": self.better,
            "alpha": self.alpha,
            "mean_ranks": dict(self.mean_ranks),
        }
        if self.friedman is not None:
            found["friedman"] = self.friedman.to_dict()
            found["critical_difference"] = self.critical_difference
            found["groups"] = [list(group) for group in self.groups]
        found["pairs"] = [pair.to_dict() for pair in self.pairs]
        found["warnings"] = list(self.warnings)
        return found


def across(
    values: Mapping[str, Sequence[float | None]],
    names: Sequence[str],
    *,
    better: str = "higher",
    alpha: float = 0.05,
    tie_correction: bool = True,
) -> Datasets:
    """Compare systems by their values on the same data sets (Demsar 2006).

    `values` holds for every system one value per data set, in the order of `names`. A data set
    without a value of each system is left out and told. Values are rounded to 12 digits, equal ones
    get mid-ranks.

    Two systems: Wilcoxon's test and the sign test. More: Friedman's test, Nemenyi's critical
    difference, and Wilcoxon's test for each pair with Holm's correction. `tie_correction=False`
    is Friedman's statistic as Demsar has it, which ties make smaller than it should be.

    >>> found = across({"A": [0.8, 0.7, 0.9], "B": [0.7, 0.6, 0.8], "C": [0.7, 0.5, 0.6]}, "xyz")
    >>> dict(found.mean_ranks)
    {'A': 1.0, 'B': 2.1666666666666665, 'C': 2.8333333333333335}
    """
    _check(values, names, better, alpha)
    table = np.array([list(values[s]) for s in values], dtype=np.float64).round(DIGITS)
    if np.isinf(table).any():
        raise UsageError("values must be finite, or None where there is none")
    kept = ~np.isnan(table.sum(axis=0))
    table = table[:, kept]
    systems, count = list(values), int(kept.sum())
    if not count:
        raise UsageError("there is no data set on which all systems have a value")
    signed = table if better == "higher" else -table
    ranks = np.stack([doubled_ranks(-column) for column in signed.T], axis=1) / 2
    mean = ranks.mean(axis=1)
    order = sorted(range(len(systems)), key=lambda i: (mean[i], i))
    several = len(systems) > 2
    apart = critical_difference(len(systems), count, alpha=alpha) if several else None
    return Datasets(
        names=tuple(name for name, keep in zip(names, kept, strict=True) if keep),
        left_out=tuple(name for name, keep in zip(names, kept, strict=True) if not keep),
        better=better,
        alpha=alpha,
        mean_ranks={systems[i]: float(mean[i]) for i in order},
        friedman=_friedman(ranks, tie_correction) if several else None,
        critical_difference=apart,
        groups=_groups([systems[i] for i in order], mean[order], apart),
        pairs=_pairs(systems, table, signed, mean, apart),
        warnings=_warnings(count, alpha),
    )


def critical_difference(systems: int, datasets: int, *, alpha: float = 0.05) -> float:
    """Nemenyi's critical difference of mean ranks: q sqrt(k (k + 1) / (6 N)), q being the
    studentised range divided by the square root of two (Demsar 2006, section 3.2.2).

    >>> round(critical_difference(4, 14), 2)
    1.25
    """
    from scipy.stats import studentized_range

    q = float(studentized_range.isf(alpha, systems, np.inf)) / math.sqrt(2)
    return q * math.sqrt(systems * (systems + 1) / (6 * datasets))


def _check(
    values: Mapping[str, Sequence[float | None]], names: Sequence[str], better: str, alpha: float
) -> None:
    if len(values) < 2:
        raise UsageError(f"two systems are needed to compare. Got {len(values)} instead.")
    for system, row in values.items():
        if len(row) != len(names):
            raise UsageError(f"'{system}' has {len(row)} values for {len(names)} data sets")
    if better not in ("higher", "lower"):
        raise UsageError(f"better must be higher or lower. Got {better!r} instead.")
    check_alpha(alpha)


def _friedman(ranks: Floats, tie_correction: bool) -> Friedman:
    from scipy.special import chdtrc, fdtrc

    systems, count = ranks.shape
    middle = (systems + 1) / 2
    between = count * float(((ranks.mean(axis=1) - middle) ** 2).sum())
    # Without ties this is the variance of the numbers 1 to k, and the textbook formula.
    within = systems * (systems**2 - 1) / 12
    if tie_correction:
        within = float(((ranks - middle) ** 2).sum()) / count
    degrees = systems - 1, (systems - 1) * (count - 1)
    if within == 0:
        reason = "all systems are equal on all data sets"
        return Friedman(None, None, None, None, degrees, reason)
    chi_square = (systems - 1) * between / within
    p = float(chdtrc(degrees[0], chi_square))
    room = count * (systems - 1) - chi_square
    if degrees[1] == 0 or math.isclose(room, 0, abs_tol=1e-9):
        reason = "F is undefined: all data sets have the systems in the same order"
        return Friedman(chi_square, p, None, None, degrees, reason)
    f = (count - 1) * chi_square / room
    return Friedman(chi_square, p, f, float(fdtrc(*degrees, f)), degrees)


def _groups(
    best_first: list[str], mean: Floats, apart: float | None
) -> tuple[tuple[str, ...], ...]:
    """Runs of systems whose first and last are closer than `apart`, without runs inside others."""
    if apart is None:
        return ()
    found: list[tuple[str, ...]] = []
    reached = 0
    for first in range(len(best_first)):
        last = int((mean - mean[first] < apart).sum())
        if last > reached and last - first > 1:
            found.append(tuple(best_first[first:last]))
        reached = max(reached, last)
    return tuple(found)


def _pairs(
    systems: list[str], table: Floats, signed: Floats, mean: Floats, apart: float | None
) -> tuple[SystemPair, ...]:
    pairs = list(combinations(range(len(systems)), 2))
    tests = [wilcoxon(signed[a] - signed[b]) for a, b in pairs]
    adjusted = adjust([test.p for test in tests], "holm")
    return tuple(
        SystemPair(
            a=systems[a],
            b=systems[b],
            difference=float((table[b] - table[a]).mean()),
            wins=int((signed[a] > signed[b]).sum()),
            losses=int((signed[a] < signed[b]).sum()),
            ties=int((signed[a] == signed[b]).sum()),
            wilcoxon=test,
            adjusted=p,
            sign=sign_test(signed[a] - signed[b]) if apart is None else None,
            ranks_differ=None if apart is None else bool(abs(mean[a] - mean[b]) >= apart),
        )
        for (a, b), test, p in zip(pairs, tests, adjusted, strict=True)
    )


def least_p(count: int) -> float:
    """The smallest p that Wilcoxon's test and the sign test can have over so many data sets."""
    return 2.0 ** (1 - count)


def _warnings(count: int, alpha: float) -> tuple[str, ...]:
    least = least_p(count)
    found = []
    if least > alpha:
        found.append(
            f"{counted(count, 'data set')} are too few to test pairs of systems over data sets: p "
            f"cannot be below {level(least)}"
        )
    elif count < FEW:
        found.append(
            f"fewer than {FEW} data sets say little about further ones, and the distributions "
            "behind Friedman's test and the critical difference need more than 10 (Demsar)"
        )
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Replicability:
    """On how many data sets there is an effect, and on which.

    - `count`: with confidence 1 - alpha there is an effect on at least so many of `used` data sets
    - `partial`: of u = 1, 2, ... the p-value of "there is an effect on fewer than u"
    - `datasets`: those that Holm's correction names; with Fisher they may be fewer than `count`
    """

    count: int | None
    used: int
    undefined: int
    alpha: float
    method: str
    partial: tuple[float, ...]
    datasets: tuple[str, ...]
    reason: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; `reason` only where the count is undefined."""
        return record(self)


Effects = tuple[tuple[str, str, Replicability], ...]  # of A and B


def partial_conjunction(
    p_values: Sequence[float | None],
    names: Sequence[str],
    *,
    alpha: float = 0.05,
    method: str = "bonferroni",
) -> Replicability:
    """The number of data sets with an effect (Dror et al. 2017; Benjamini and Heller 2008).

    There is an effect on u of N data sets unless N - u + 1 of them have none, so that the largest
    N - u + 1 p-values are combined: by Bonferroni, (N - u + 1) p_(u), which holds however data sets
    depend on each other, or by Fisher, for independent ones. Each is made at least as large as the
    one before; the count is the largest u for which it is at most `alpha`. Undefined p-values are
    left out and counted. One-sided p-values of the same direction ask for the same effect
    everywhere; two-sided ones let it be for or against.

    >>> partial_conjunction([0.001, 0.01, 0.02, 0.6], ["a", "b", "c", "d"]).datasets
    ('a', 'b', 'c')
    """
    if method not in COMBINING:
        raise UsageError(f"method must be one of {', '.join(COMBINING)}. Got {method!r} instead.")
    check_alpha(alpha)
    if len(p_values) != len(names):
        raise UsageError(f"there are {len(p_values)} p-values for {len(names)} data sets")
    adjusted = adjust(p_values, "holm")
    rising = np.sort(np.array([p for p in p_values if p is not None], dtype=np.float64))
    used = len(rising)
    undefined = len(p_values) - used
    if not used:
        reason = "no data set has a p-value"
        return Replicability(None, 0, undefined, alpha, method, (), (), reason)
    nulls = np.arange(used, 0, -1)
    if method == "bonferroni":
        partial = np.minimum(nulls * rising, 1.0)
    else:
        from scipy.special import gammaincc

        with np.errstate(divide="ignore"):  # p = 0 is beyond any doubt: its logarithm may be
            logs = -np.log(rising)
        partial = gammaincc(nulls, np.cumsum(logs[::-1])[::-1])
    partial = np.maximum.accumulate(partial)
    return Replicability(
        count=int((partial <= alpha).sum()),
        used=used,
        undefined=undefined,
        alpha=alpha,
        method=method,
        partial=tuple(partial.tolist()),
        datasets=tuple(
            name for name, p in zip(names, adjusted, strict=True) if p is not None and p <= alpha
        ),
    )


def effects(
    systems: Iterable[str],
    names: Sequence[str],
    p_of: Callable[[str, str, str], float | None],
    *,
    alpha: float,
) -> Effects:
    """On how many data sets every two systems differ, from p of A and B on each."""
    return tuple(
        (a, b, partial_conjunction([p_of(a, b, name) for name in names], names, alpha=alpha))
        for a, b in combinations(systems, 2)
    )


@dataclass(frozen=True, eq=False)
class Across:
    """What holds across data sets: ranks of all systems, and in how many sets each pair differs."""

    datasets: Datasets
    replicability: Effects

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            **self.datasets.to_dict(),
            "replicability": [
                {"a": a, "b": b, **found.to_dict()} for a, b, found in self.replicability
            ],
        }
