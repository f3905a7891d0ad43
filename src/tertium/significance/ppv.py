"""How likely is a significant result true? The positive predictive value (Søgaard et al. 2014,
section 4; Ioannidis 2005)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tertium.exceptions import UsageError
from tertium.options import Verb, fill, option
from tertium.results.blocks import Block, Cell, Column, Lines, Series, Table, Text, or_missing
from tertium.results.output import Look, Output
from tertium.results.texts import level

Floats = npt.NDArray[np.float64]

# Assumptions of the paper, which calls them "somewhat arbitrary": say so wherever they are used.
PRIOR_ODDS = 0.1
BETA = 0.5
TINY = 1e-12  # what a level and odds are at least
TARGET = 0.95
ALPHAS = (0.05, 0.01, 0.005, 0.0025, 0.001)
LEAST, MOST = 0.0001, 0.1  # levels of the curve
POINTS = 16
USUAL = 0.05
NO_CUT_OFF = "no level is low enough: bias or a lack of power outweighs it"


def ppv(
    alpha: float | Floats | Sequence[float],
    *,
    prior_odds: float | Floats = PRIOR_ODDS,
    beta: float | Floats = BETA,
    bias: float | Floats = 0.0,
) -> Any:
    """The probability that a result with p below `alpha` is true: a number, or an array for arrays.

    PPV = (1 - beta) R / (R - beta R + alpha), where R (`prior_odds`) is the number of true to that
    of null effects among all that are tested, and `beta` the share of true effects that are missed.
    `bias` (u of Ioannidis 2005) is the share of results that would not have been positive but are
    reported so all the same.

    >>> round(ppv(0.05), 3), round(ppv(0.01), 3), round(ppv(0.0025), 3)
    (0.5, 0.833, 0.952)
    """
    a = _checked("alpha", alpha, "above 0 and at most 1", lambda v: (v > 0) & (v <= 1))
    _checked("alpha", alpha, f"{TINY:g} or more", lambda v: v >= TINY)
    true = _true_positives(prior_odds, beta, bias)
    u = _share("bias", bias)
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
    share = float(_checked("target", target, "above 0 and below 1", lambda v: (v > 0) & (v < 1)))
    # What false positives may amount to, relative to null effects: alpha + u (1 - alpha).
    false = float(_true_positives(prior_odds, beta, bias)) * (1 - share) / share
    if false >= 1:
        return 1.0
    return (false - bias) / (1 - bias) if false > bias else None


@dataclass(frozen=True)
class PpvOptions:
    """What is assumed, and which levels are looked at."""

    alphas: tuple[float, ...] = option(
        ALPHAS, "A level of significance; repeatable. Default: .05, .01, .005, .0025, .001.",
        flag="--alpha", kind=float, metavar="ALPHA",
    )  # fmt: skip
    prior_odds: tuple[float, ...] = option(
        (PRIOR_ODDS,),
        "Ratio of true to null effects among those tested; repeatable. Default: 0.1.",
        kind=float, metavar="R",
    )  # fmt: skip
    beta: float = option(
        BETA, "Share of true effects that are missed (1 - power). Default: 0.5.", metavar="SHARE"
    )
    bias: float = option(
        0.0, "Share of non-significant results that are reported as significant.", metavar="SHARE"
    )
    target: float = option(
        TARGET, "The positive predictive value wanted. Default: 0.95.", metavar="SHARE"
    )


@dataclass(frozen=True, slots=True)
class PpvTable(Output):
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

    @property
    def title(self) -> str:
        """What the numbers are."""
        return "Positive predictive value"

    def __repr__(self) -> str:
        return f"<PpvTable: {len(self.prior_odds)} prior odds, {len(self.alphas)} alphas>"

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
            "notes": self.assumptions(),
        }

    def to_rows(self) -> list[dict[str, Any]]:
        """One number per row: `ppv` of an alpha, `cut_off` of a target."""
        found: list[dict[str, Any]] = []
        for odds, values, cut in zip(self.prior_odds, self.values, self.cut_offs, strict=True):
            head = {"prior_odds": odds, "beta": self.beta, "bias": self.bias}
            for alpha, value in zip(self.alphas, values, strict=True):
                found.append({**head, "alpha": alpha, "part": "ppv", "value": value})
            found.append({**head, "target": self.target, "part": "cut_off", "value": cut})
        return found

    def in_short(self) -> str:
        """How likely a significant result is to be true, and which level makes it so."""
        odds, values, cut = self.prior_odds[0], self.values[0], self.cut_offs[0]
        text = f"With prior odds of {odds:g}, a result with p < {level(self.alphas[0])} is true in "
        text += f"{100 * values[0]:.3g}% of cases; "
        target = f"{100 * self.target:.4g}%"
        if cut is None:
            return f"{text}no level reaches {target}"
        return f"{text}{target} takes p < {level(float(f'{cut:.2g}'))}"

    def blocks(self, look: Look) -> list[Block]:
        """PPV by level, the level for the probability wanted, curves, and what is assumed."""
        notes = [Text(line) for line in self.assumptions()]
        return [self._values(), self._cut_offs(), self._curves(), *notes]

    def assumptions(self) -> list[str]:
        """What the numbers stand on, in words."""
        lines = [f"assumed: {_odds(odds)} (R = {odds:g})" for odds in self.prior_odds]
        lines.append(
            f"assumed: a true effect is missed in {100 * self.beta:.3g}% of tests "
            f"(beta = {self.beta:g}, power {1 - self.beta:g})"
        )
        if self.bias:
            lines.append(
                f"assumed: {100 * self.bias:.3g}% of results that would not have been significant "
                f"are reported as if they were (bias = {self.bias:g})"
            )
        else:
            lines.append("assumed: no bias, one test, one metric that measures what is meant")
        if self.beta == BETA and PRIOR_ODDS in self.prior_odds:
            lines.append(
                f"R = {PRIOR_ODDS:g} and beta = {BETA:g} are those of Søgaard et al. (2014, "
                "section 4), who call them somewhat arbitrary; choose your own"
            )
        return lines

    def _values(self) -> Table:
        names = self._names()
        rows: list[tuple[Cell, ...]] = [
            (alpha, *(values[place] for values in self.values))
            for place, alpha in enumerate(self.alphas)
        ]
        group = "PPV" if len(names) > 1 else ""
        return Table(
            (Column("alpha", "", "number"), *(Column(name, group, "percent") for name in names)),
            tuple(rows),
            title="Positive predictive value",
        )

    def _cut_offs(self) -> Table:
        share = f"{100 * self.target:.4g} %"
        rows: list[tuple[Cell, ...]] = [
            (f"R = {odds:g}", or_missing(cut, NO_CUT_OFF))
            for odds, cut in zip(self.prior_odds, self.cut_offs, strict=True)
        ]
        return Table(
            (Column("prior odds"), Column("alpha", "", "number")),
            tuple(rows),
            title=f"Level for a positive predictive value of {share}",
        )

    def _names(self) -> list[str]:
        several = len(self.prior_odds) > 1
        return [f"R = {odds:g}" if several else "PPV" for odds in self.prior_odds]

    def _curves(self) -> Lines:
        """As Figure 7 of Søgaard et al. (2014): a horizontal line at the PPV of .05 and a vertical
        one at the level wanted, where there is one curve."""
        low, high = min(LEAST, *self.alphas), max(MOST, *self.alphas)
        levels = np.geomspace(low, high, POINTS)
        series = []
        for name, odds in zip(self._names(), self.prior_odds, strict=True):
            values = ppv(levels, prior_odds=odds, beta=self.beta, bias=self.bias)
            series.append(Series(name, tuple(levels.tolist()), tuple(values.tolist())))
        thresholds = [(self.target, f"{100 * self.target:.4g} %")]
        marks = []
        if len(self.prior_odds) == 1:
            usual = ppv(USUAL, prior_odds=self.prior_odds[0], beta=self.beta, bias=self.bias)
            thresholds.append((usual, f"p < {USUAL:g}"))
            cut = self.cut_offs[0]
            if cut is not None and low <= cut <= high:
                marks.append((cut, f"alpha {cut:.2g}"))
        return Lines(
            tuple(series),
            title="Positive predictive value by level",
            x_axis="alpha",
            y_axis="PPV",
            x_kind="number",
            y_kind="percent",
            log_x=True,
            y_range=(0.0, 1.0),
            thresholds=tuple(thresholds),
            marks=tuple(marks),
            numbers=False,
        )


def _odds(odds: float) -> str:
    if odds == 1:
        return "as many true as null effects among all that are tested"
    if odds < 1:
        return f"1 true effect for {1 / odds:.3g} null effects among all that are tested"
    return f"{odds:.3g} true effects for 1 null effect among all that are tested"


def ppv_table(alphas: Sequence[float] = ALPHAS, **options: Any) -> PpvTable:
    """PPV for several levels and prior odds; `options` are those of `PpvOptions`.

    >>> [round(value, 3) for value in ppv_table(prior_odds=[0.1]).values[0]]
    [0.5, 0.833, 0.909, 0.952, 0.98]
    """
    asked = fill(PpvOptions, {"alphas": alphas, **options}, verb="ppv_table")
    levels, prior_odds = tuple(asked.alphas), tuple(asked.prior_odds)
    given = {"beta": asked.beta, "bias": asked.bias}
    return PpvTable(
        alphas=levels,
        prior_odds=prior_odds,
        target=asked.target,
        values=tuple(tuple(ppv(levels, prior_odds=r, **given).tolist()) for r in prior_odds),
        cut_offs=tuple(cut_off(asked.target, prior_odds=r, **given) for r in prior_odds),
        **given,
    )


def _true_positives(
    prior_odds: float | Floats, beta: float | Floats, bias: float | Floats
) -> Floats:
    """True effects that are reported, relative to the number of null effects."""
    odds = _checked(
        "prior_odds", prior_odds, "above 0 and finite", lambda v: (v > 0) & np.isfinite(v)
    )
    bounds = f"from {TINY:g} to {1 / TINY:g}"
    _checked("prior_odds", prior_odds, bounds, lambda v: (v >= TINY) & (v <= 1 / TINY))
    missed = _share("beta", beta)
    found: Floats = (1 - missed + _share("bias", bias) * missed) * odds
    return found


def _share(name: str, value: float | Floats) -> Floats:
    return _checked(name, value, "at least 0 and at most 1", lambda v: (v >= 0) & (v <= 1))


def _checked(
    name: str,
    value: float | Floats | Sequence[float],
    bounds: str,
    is_good: Callable[[Floats], npt.NDArray[np.bool_]],
) -> Floats:
    found = np.asarray(value, dtype=np.float64)
    bad = ~is_good(found)
    if bad.any():
        raise UsageError(f"{name} must be {bounds}. Got {float(found[bad].flat[0]):g} instead.")
    return found


def _prepare(given: dict[str, Any], look: Look) -> dict[str, Any]:
    """No odds twice, and levels from the highest down, whatever their order."""
    found = dict(given)
    if "prior_odds" in given:
        found["prior_odds"] = tuple(dict.fromkeys(given["prior_odds"]))
    if "alphas" in given:
        found["alphas"] = tuple(sorted(set(given["alphas"]), reverse=True))
    return found


VERB = Verb(
    "ppv",
    ppv_table,
    """Estimate how likely a significant result is to be true, and which level it takes.

    The positive predictive value of a test depends on how many of the effects that are tested are
    true, which nobody knows: the values taken for it are assumptions.

    \b
    tertium ppv
    tertium ppv --prior-odds 0.1 --prior-odds 1 --beta 0.2
    tertium ppv --alpha 0.05 --alpha 0.0025 --bias 0.1
    """,
    options=(PpvOptions,),
    study=False,
    figures=True,
    prepare=_prepare,
    cite=("sogaard-etal-2014-whats", "ioannidis-2005-why"),
)
