"""McNemar's test: paired decisions on gold items, whatever sentence they are in."""

from __future__ import annotations

from tertium.results.assessment import TOWARDS, TWO_SIDED, Test
from tertium.significance.ranks import mcnemar

MCNEMAR = "mcnemar"
TITLE = "McNemar's test over gold items"


def item_test(
    only_a: int,
    only_b: int,
    items: int,
    delta: float | None,
    *,
    direction: str = TWO_SIDED,
    warning: str = "",
) -> Test:
    """Do A and B have as many of `items` right that the other has not? If all items are alike, p is
    1: that is what the hypothesis says, and no reason to doubt it."""
    found = mcnemar(
        only_b,
        only_a,
        same=items - only_a - only_b,
        direction=None if direction == TWO_SIDED else direction,
    )
    return Test(
        delta,
        1.0 if items and found.p is None else found.p,
        MCNEMAR,
        items,
        exact=True,
        direction=direction,
        differing=found.used,
        reason="" if items else found.reason or "",
        warning=warning,
        towards=TOWARDS[found.side],
    )
