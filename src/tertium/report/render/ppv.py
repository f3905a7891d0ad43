"""Positive predictive values in any format."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from tertium._version import __version__
from tertium.report.render.choose import in_format
from tertium.report.render.tidy import table

if TYPE_CHECKING:
    from tertium.significance.ppv import PpvTable

HEADER = ("prior_odds", "beta", "bias", "alpha", "target", "part", "value")


def render(
    found: PpvTable, format: str, *, width: int = 80, color: bool = False, ascii: bool = False
) -> str:
    """JSON and CSV have every number; CSV one a row: `ppv` of an alpha, `cut_off` of a target."""
    from tertium.report.sections.ppv import assumptions, build

    return in_format(
        format,
        data=lambda: {
            "tertium": __version__,
            **found.to_dict(),
            "notes": assumptions(found),
        },
        csv=lambda: table(HEADER, _rows(found)),
        blocks=lambda: build(found),
        title="Positive predictive value",
        width=width,
        color=color,
        ascii=ascii,
    )


def _rows(found: PpvTable) -> Iterator[dict[str, Any]]:
    rows = zip(found.prior_odds, found.values, found.cut_offs, strict=True)
    for odds, values, cut in rows:
        head = {"prior_odds": odds, "beta": found.beta, "bias": found.bias}
        for alpha, value in zip(found.alphas, values, strict=True):
            yield {**head, "alpha": alpha, "part": "ppv", "value": value}
        yield {**head, "target": found.target, "part": "cut_off", "value": cut}
