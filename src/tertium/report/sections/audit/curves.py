"""p-value curves, as in Figures 3 to 6 of Søgaard et al. (2014)."""

from __future__ import annotations

from tertium.report.blocks import Lines, Series
from tertium.results.wording import level
from tertium.significance.audits.audit import Audit
from tertium.significance.audits.looks import LEVELS, USUAL
from tertium.significance.audits.sampling import Curve

SIZE = "p as sentences are added in one random order"
LENGTH = "p on sentences up to a length"


def size_plot(audit: Audit) -> Lines:
    """p over the number of words, or of units where words are unknown."""
    curve = audit.size
    in_words = all(look.words is not None for look in curve.looks)
    places: dict[float, float | None] = {}
    for look in curve.looks:
        # Empty sentences add no words: the larger sample stands for both.
        places[float((look.words or 0) if in_words else look.units)] = look.p
    return _plot(
        audit,
        curve,
        places,
        f"{audit.metric}: {SIZE}",
        "words" if in_words else "units",
        f"{curve.looks[0].units:,} to {curve.looks[-1].units:,} units; another seed is another "
        "order",
    )


def length_plot(audit: Audit, curve: Curve) -> Lines:
    """p over the cut-off."""
    places = {float(look.most_words or 0): look.p for look in curve.looks}
    return _plot(
        audit,
        curve,
        places,
        f"{audit.metric}: {LENGTH}",
        "words of the longest sentence",
        f"{curve.looks[0].units:,} to {curve.looks[-1].units:,} units",
    )


def _plot(
    audit: Audit,
    curve: Curve,
    places: dict[float, float | None],
    title: str,
    x_axis: str,
    note: str,
) -> Lines:
    reason = next((look.test.reason for look in curve.looks if look.test.reason), "undefined")
    return Lines(
        (Series(audit.metric, tuple(places), tuple(places.values()), reason=reason),),
        title=title,
        x_axis=x_axis,
        y_axis="p",
        x_kind="count",
        y_kind="p",
        log_y=True,
        y_range=(None, 1.0),
        thresholds=tuple((alpha, level(alpha)) for alpha in LEVELS),
        shade_below=USUAL,
        note=f"{note}; shaded: p < {level(USUAL)}",
        numbers=False,
    )
