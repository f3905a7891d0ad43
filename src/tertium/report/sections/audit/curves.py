"""p-value curves, as in Figures 3 to 6 of Søgaard et al. (2014)."""

from __future__ import annotations

from tertium.results.blocks import Lines, Series
from tertium.results.texts import level, unit_noun
from tertium.significance.audit.audit import Audit
from tertium.significance.audit.curves import Curve
from tertium.significance.audit.looks import LEVELS, USUAL


def size(audit: Audit) -> str:
    """What the curve over sizes shows."""
    return f"p as {audit.unit}s are added in one random order"


def length(audit: Audit) -> str:
    """What the curve over lengths shows."""
    return f"p on {audit.unit}s up to a length"


def size_plot(audit: Audit) -> Lines:
    """p over the number of words, or of units where words are unknown."""
    curve, noun = audit.size, unit_noun(audit.unit)
    in_words = all(look.words is not None for look in curve.looks)
    places: dict[float, float | None] = {}
    for look in curve.looks:
        # Empty sentences add no words: the larger sample stands for both.
        places[float((look.words or 0) if in_words else look.units)] = look.p
    return _plot(
        audit,
        curve,
        places,
        f"{audit.metric}: {size(audit)}",
        "words" if in_words else f"{noun}s",
        f"{curve.looks[0].units:,} to {curve.looks[-1].units:,} {noun}s; another seed is another "
        "order",
    )


def length_plot(audit: Audit, curve: Curve) -> Lines:
    """p over the cut-off."""
    places = {float(look.most_words or 0): look.p for look in curve.looks}
    return _plot(
        audit,
        curve,
        places,
        f"{audit.metric}: {length(audit)}",
        f"words of the longest {audit.unit}",
        f"{curve.looks[0].units:,} to {curve.looks[-1].units:,} {unit_noun(audit.unit)}s",
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
        note=note,
        numbers=False,
    )
