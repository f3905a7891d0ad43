"""On how many of several data sets is there an effect (Dror et al. 2017)?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from tertium.exceptions import UsageError
from tertium.significance.corrections import adjust, check_alpha

COMBINING = {
    "bonferroni": "Bonferroni (any dependence between data sets)",
    "fisher": "Fisher (independent data sets)",
}


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
        found = {**asdict(self), "partial": list(self.partial), "datasets": list(self.datasets)}
        if self.reason is None:
            del found["reason"]
        return found


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
