"""Correlation of two measures over the same units or systems."""

from __future__ import annotations

from typing import Any

import numpy as np

from tertium.results.stats import Floats

SAME = 1e-12  # values that differ by less are the same
LEAST = 3  # values that a correlation needs
COEFFICIENTS = ("pearson", "spearman", "kendall")


def correlate(
    a: str, b: str, level: str, x: Floats, y: Floats, *, p_values: bool = False
) -> dict[str, Any]:
    """Pearson's r, Spearman's rho and Kendall's tau-b of A and B over places where both have a
    value (not nan), as a record; None with a reason where they are undefined. `level` is what
    places are; with `p_values`, `p` has those of the three.

    >>> found = correlate("A", "B", "system", np.array([1.0, 2, 3]), np.array([2.0, 2, 5]))
    >>> found["n"], round(found["spearman"], 4), round(found["kendall"], 4)
    (3, 0.866, 0.8165)
    >>> correlate("A", "B", "system", np.array([1.0, 2]), np.array([2.0, 5]))["reason"]
    'there are fewer than three systems with both values'
    """
    both = ~np.isnan(x + y)
    order = np.lexsort((y[both], x[both]))  # sums must not depend on the order of systems
    x, y = x[both][order], y[both][order]
    found = {"a": a, "b": b, "level": level, "n": len(x), "undefined": len(both) - len(x)}
    same = [name for name, v in ((a, x), (b, y)) if len(v) < LEAST or np.ptp(v) <= SAME]
    if same:
        few = f"there are fewer than three {level}s with both values"
        reason = few if len(x) < LEAST else f"all {level}s have the same {same[0]}"
        none = dict.fromkeys(COEFFICIENTS)
        return {**found, **none, "reason": reason, **({"p": none} if p_values else {})}
    from scipy import stats

    each = (stats.pearsonr(x, y), stats.spearmanr(x, y), stats.kendalltau(x, y))
    tested = dict(zip(COEFFICIENTS, each, strict=True))
    if p_values:
        found["p"] = {name: float(test.pvalue) for name, test in tested.items()}
    return {**found, **{name: float(test.statistic) for name, test in tested.items()}}
