"""Results with counts per unit made up for tests of significance, and a plain second opinion."""

from itertools import product

import numpy as np

from tertium.families.base import make
from tertium.results.scores import Result
from tertium.results.stats import Stats
from tertium.signature import Signature
from tertium.significance.resample import Rows, drawn_values, swapped_values
from tertium.significance.score.counts import Finish

COLUMNS = ("correct", "gold", "system", "placed")


def f1_result(name: str, counts: np.ndarray) -> Result:
    """A result of spans.f1 from correct, gold and system spans of every unit."""
    dense = np.column_stack([counts, counts[:, 0]]).astype(np.float64)
    stats = Stats(COLUMNS, dense)
    formula = Finish(make("spans.f1"))
    value = float(formula.score(stats.totals())["f1"])
    return Result(
        system=name,
        metric="spans.f1",
        value=None if np.isnan(value) else value,
        parts={"f1": value},
        counts={},
        labels={},
        coverage={},
        signature=Signature.make("spans.f1", {}),
        stats=stats,
        formula=formula,
        headline="f1",
    )


def random_pair(
    units: int, seed: int, *, a: float = 0.8, b: float = 0.8, spurious: float = 0.3
) -> tuple[Result, Result]:
    """Two systems that find each gold span with the given chances, over the same gold spans."""
    random = np.random.default_rng(seed)
    gold = random.poisson(2.0, units)
    pair = []
    for name, chance in (("a", a), ("b", b)):
        correct = random.binomial(gold, chance)
        system = correct + random.poisson(spurious, units)
        pair.append(f1_result(name, np.column_stack([correct, gold, system])))
    return pair[0], pair[1]


def plain_f1(counts: np.ndarray) -> float:
    """2 * correct / (gold + system)."""
    correct, gold, system = (float(counts[:, i].sum()) for i in range(3))
    return 2 * correct / (gold + system) if gold + system else float("nan")


def plain_exact_p(a: Result, b: Result) -> float:
    """The share of all 2^n swaps whose difference is at least as large as the observed one."""
    first, second = (result.stats.dense for result in (a, b))  # type: ignore[union-attr]
    observed = plain_f1(second) - plain_f1(first)
    extreme = total = 0
    for swaps in product((False, True), repeat=len(first)):
        mask = np.array(swaps)[:, None]
        one, other = np.where(mask, second, first), np.where(mask, first, second)
        found = plain_f1(other) - plain_f1(one)
        total += 1
        extreme += abs(found) >= abs(observed) - 1e-12
    return extreme / total


def drawn_sums(
    rows: Rows, trials: int, random: np.random.Generator, *, units: int | None = None
) -> np.ndarray:
    """The sums of draws themselves."""
    return drawn_values(rows, trials, random, lambda sums: sums, units=units)


def swapped_sums(rows: Rows, trials: int, random: np.random.Generator) -> np.ndarray:
    """The sums of swaps themselves."""
    return swapped_values(rows, trials, random, lambda sums: sums)
