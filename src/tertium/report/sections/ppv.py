"""The section of `ppv`: how likely a significant result is true, and under which assumptions."""

from __future__ import annotations

import numpy as np

from tertium.results.blocks import Block, Cell, Column, Lines, Missing, Series, Table, Text
from tertium.significance.ppv import BETA, PRIOR_ODDS, PpvTable, ppv

LEAST, MOST = 0.0001, 0.1  # levels of the curve
POINTS = 16
USUAL = 0.05
NO_CUT_OFF = "no level is low enough: bias or a lack of power outweighs it"


def build(found: PpvTable) -> list[Block]:
    """PPV by level, the level for the probability wanted, curves, and what is assumed."""
    blocks: list[Block] = [_values(found), _cut_offs(found), _curves(found)]
    blocks += [Text(line) for line in assumptions(found)]
    return blocks


def assumptions(found: PpvTable) -> list[str]:
    """What the numbers stand on, in words."""
    lines = [f"assumed: {_odds(odds)} (R = {odds:g})" for odds in found.prior_odds]
    lines.append(
        f"assumed: a true effect is missed in {100 * found.beta:.3g} % of tests "
        f"(beta = {found.beta:g}, power {1 - found.beta:g})"
    )
    if found.bias:
        lines.append(
            f"assumed: {100 * found.bias:.3g} % of results that would not have been significant "
            f"are reported as if they were (bias = {found.bias:g})"
        )
    else:
        lines.append("assumed: no bias, one test, one metric that measures what is meant")
    if found.beta == BETA and PRIOR_ODDS in found.prior_odds:
        lines.append(
            f"R = {PRIOR_ODDS:g} and beta = {BETA:g} are those of Søgaard et al. (2014, section "
            "4), who call them somewhat arbitrary: give your own"
        )
    return lines


def _odds(odds: float) -> str:
    if odds == 1:
        return "as many true as null effects among all that are tested"
    if odds < 1:
        return f"1 true effect for {1 / odds:.3g} null effects among all that are tested"
    return f"{odds:.3g} true effects for 1 null effect among all that are tested"


def _values(found: PpvTable) -> Table:
    names = _names(found)
    rows: list[tuple[Cell, ...]] = [
        (alpha, *(values[place] for values in found.values))
        for place, alpha in enumerate(found.alphas)
    ]
    group = "PPV" if len(names) > 1 else ""
    return Table(
        (Column("alpha", "", "number"), *(Column(name, group, "percent") for name in names)),
        tuple(rows),
        title="Positive predictive value",
    )


def _cut_offs(found: PpvTable) -> Table:
    share = f"{100 * found.target:.4g} %"
    rows: list[tuple[Cell, ...]] = [
        (f"R = {odds:g}", Missing(NO_CUT_OFF) if cut is None else cut)
        for odds, cut in zip(found.prior_odds, found.cut_offs, strict=True)
    ]
    return Table(
        (Column("prior odds"), Column("alpha", "", "number")),
        tuple(rows),
        title=f"Level for a positive predictive value of {share}",
    )


def _names(found: PpvTable) -> list[str]:
    return ["PPV"] if len(found.prior_odds) == 1 else [f"R = {odds:g}" for odds in found.prior_odds]


def _curves(found: PpvTable) -> Lines:
    """As Figure 7 of Søgaard et al. (2014): a horizontal line at the PPV of .05 and a vertical one
    at the level wanted, where there is one curve."""
    low, high = min(LEAST, *found.alphas), max(MOST, *found.alphas)
    levels = np.geomspace(low, high, POINTS)
    series = []
    for name, odds in zip(_names(found), found.prior_odds, strict=True):
        values = ppv(levels, prior_odds=odds, beta=found.beta, bias=found.bias)
        series.append(Series(name, tuple(levels.tolist()), tuple(values.tolist())))
    thresholds = [(found.target, f"{100 * found.target:.4g} %")]
    marks = []
    if len(found.prior_odds) == 1:
        usual = ppv(USUAL, prior_odds=found.prior_odds[0], beta=found.beta, bias=found.bias)
        thresholds.append((usual, f"p < {USUAL:g}"))
        cut = found.cut_offs[0]
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
