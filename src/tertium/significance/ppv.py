"""How likely is a significant result true? The positive predictive value (Søgaard et al. 2014,
section 4; Ioannidis 2005)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from tertium.exceptions import UsageError

Floats = npt.NDArray[np.float64]

# Assumptions of the paper, which calls them "somewhat arbitrary": say so wherever they are used.
PRIOR_ODDS = 0.1
BETA = 0.5
TARGET = 0.95
ALPHAS = (0.05, 0.01, 0.005, 0.0025, 0.001)
ODDS = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0)


@overload
def ppv(
    alpha: float, *, prior_odds: float = ..., beta: float = ..., bias: float = ...
) -> float: ...
@overload
def ppv(
    alpha: Floats | Sequence[float],
    *,
    prior_odds: float | Floats = ...,
    beta: float | Floats = ...,
    bias: float | Floats = ...,
) -> Floats: ...
@overload
def ppv(
    alpha: float | Floats | Sequence[float],
    *,
    prior_odds: float | Floats = ...,
    beta: float | Floats = ...,
    bias: float | Floats = ...,
) -> float | Floats: ...
def ppv(
    alpha: float | Floats | Sequence[float],
    *,
    prior_odds: float | Floats = PRIOR_ODDS,
    beta: float | Floats = BETA,
    bias: float | Floats = 0.0,
) -> float | Floats:
    """The probability that a result with p below `alpha` is true; arrays are fine.

    PPV = (1 - beta) R / (R - beta R + alpha), where R (`prior_odds`) is the number of true to that
    of null effects among all that are tested, and `beta` the share of true effects that are missed.
    `bias` (u of Ioannidis 2005) is the share of results that would not have been positive but are
    reported so all the same.

    >>> round(ppv(0.05), 3), round(ppv(0.01), 3), round(ppv(0.0025), 3)
    (0.5, 0.833, 0.952)
    """
    a = _checked("alpha", alpha, above=0, most=1)
    true = _true_positives(prior_odds, beta, bias)
    u = _checked("bias", bias, least=0, most=1)
    found: Floats = true / (true + a + u * (1 - a))
    return found if found.ndim else float(found)


def cut_off(
    target: float = TARGET,
    *,
    prior_odds: float = PRIOR_ODDS,
    beta: float = BETA,
    bias: float = 0.0,
) -> float | None:
    """The alpha at which a result below it is true with probability `target`.

    At most 1: any result is then good enough. None where bias or a lack of power leaves no alpha.

    >>> round(cut_off(), 5)
    0.00263
    >>> cut_off(bias=0.1) is None
    True
    """
    share = float(_checked("target", target, above=0, below=1))
    # What false positives may amount to, relative to null effects: alpha + u (1 - alpha).
    false = float(_true_positives(prior_odds, beta, bias)) * (1 - share) / share
    if false >= 1:
        return 1.0
    return (false - bias) / (1 - bias) if false > bias else None


@dataclass(frozen=True, slots=True)
class PpvTable:
    """PPV by alpha and prior odds, and the cut-off that each odds ask for.

    `values[i][j]` is for `prior_odds[i]` and `alphas[j]`; a cut-off is None where no alpha reaches
    the target.
    """

    alphas: tuple[float, ...]
    prior_odds: tuple[float, ...]
    beta: float
    bias: float
    target: float
    values: tuple[tuple[float, ...], ...]
    cut_offs: tuple[float | None, ...]

    def to_dict(self) -> dict[str, Any]:
        """One row for each of the prior odds."""
        rows = zip(self.prior_odds, self.values, self.cut_offs, strict=True)
        return {
            "alphas": list(self.alphas),
            "beta": self.beta,
            "bias": self.bias,
            "target": self.target,
            "rows": [
                {"prior_odds": odds, "ppv": list(values), "cut_off": cut}
                for odds, values, cut in rows
            ],
        }


def ppv_table(
    alphas: Sequence[float] = ALPHAS,
    *,
    prior_odds: Sequence[float] = ODDS,
    beta: float = BETA,
    bias: float = 0.0,
    target: float = TARGET,
) -> PpvTable:
    """PPV for several levels and prior odds.

    >>> [round(value, 3) for value in ppv_table(prior_odds=[0.1]).values[0]]
    [0.5, 0.833, 0.909, 0.952, 0.98]
    """
    rows = [ppv(list(alphas), prior_odds=odds, beta=beta, bias=bias) for odds in prior_odds]
    return PpvTable(
        alphas=tuple(alphas),
        prior_odds=tuple(prior_odds),
        beta=beta,
        bias=bias,
        target=target,
        values=tuple(tuple(row.tolist()) for row in rows),
        cut_offs=tuple(
            cut_off(target, prior_odds=odds, beta=beta, bias=bias) for odds in prior_odds
        ),
    )


def _true_positives(
    prior_odds: float | Floats, beta: float | Floats, bias: float | Floats
) -> Floats:
    """True effects that are reported, relative to the number of null effects."""
    odds = _checked("prior_odds", prior_odds, above=0, below=np.inf)
    missed = _checked("beta", beta, least=0, most=1)
    found: Floats = (1 - missed + _checked("bias", bias, least=0, most=1) * missed) * odds
    return found


def _checked(
    name: str,
    value: float | Floats | Sequence[float],
    *,
    least: float | None = None,
    above: float | None = None,
    most: float | None = None,
    below: float | None = None,
) -> Floats:
    found = np.asarray(value, dtype=np.float64)
    good = ~np.isnan(found)
    bounds: list[str] = []
    if least is not None:
        good &= found >= least
        bounds.append(f"at least {least:g}")
    if above is not None:
        good &= found > above
        bounds.append(f"above {above:g}")
    if most is not None:
        good &= found <= most
        bounds.append(f"at most {most:g}")
    if below is not None:
        good &= found < below
        bounds.append("finite" if np.isinf(below) else f"below {below:g}")
    if not good.all():
        first = found[~good].flat[0] if found.ndim else found
        raise UsageError(f"{name} must be {' and '.join(bounds)}. Got {float(first):g} instead.")
    return found
