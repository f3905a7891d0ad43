"""Corrections of p-values that were obtained together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from tertium.exceptions import UsageError

# What stands below a table: the full name, and what is kept at the level.
METHODS: Mapping[str, str] = {
    "holm": "Holm (family-wise error rate)",
    "bh": "Benjamini-Hochberg (false discovery rate)",
    "bonferroni": "Bonferroni (family-wise error rate)",
    "none": "no correction for multiple testing",
}


def adjust(p_values: Sequence[float | None], method: str = "holm") -> list[float | None]:
    """Adjusted p-values, in the order given: compare these with the level instead.

    - "holm" (Holm 1979), the i-th smallest of m p-values times m - i + 1, and "bonferroni", each
      times m: the chance of any false positive stays below the level, however the tests depend on
      each other; Holm's is never larger
    - "bh" (Benjamini and Hochberg 1995), the i-th smallest times m / i: the expected share of false
      among all positive results does, for independent tests and those that depend positively on
      each other
    - "none": as they are

    An undefined p-value (None) stays so and does not count in the family. Adjusted p-values are at
    most 1 and have the order of those given.

    >>> adjust([0.01, None, 0.04, 0.03])
    [0.03, None, 0.06, 0.06]
    """
    if method not in METHODS:
        raise UsageError(f"method must be one of {', '.join(METHODS)}. Got {method!r} instead.")
    for p in p_values:
        if p is not None and not 0 <= p <= 1:
            raise UsageError(f"p-values must be between 0 and 1, or None. Got {p} instead.")
    places = [i for i, p in enumerate(p_values) if p is not None]
    known = np.array([p for p in p_values if p is not None], dtype=np.float64)
    size = len(known)
    order = np.argsort(known, kind="stable")
    rising = known[order]
    if method == "holm":
        rising = np.maximum.accumulate(rising * np.arange(size, 0, -1))
    elif method == "bh":
        rising = np.minimum.accumulate((rising * (size / np.arange(1, size + 1)))[::-1])[::-1]
    elif method == "bonferroni":
        rising = rising * size
    found: list[float | None] = [None] * len(p_values)
    for place, p in zip(order.tolist(), np.minimum(rising, 1.0).tolist(), strict=True):
        found[places[place]] = p
    return found


def check_alpha(alpha: float) -> None:
    """Refuse a level that is none."""
    if not 0 < alpha < 1:
        raise UsageError(f"alpha must be between 0 and 1, such as 0.05. Got {alpha:g} instead.")
