"""Power in any format."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from tertium.report.render.choose import in_format
from tertium.report.render.tidy import table

if TYPE_CHECKING:
    from tertium.significance.power import MetricPower, Power

HEADER = ("section", "metric", "units", "words", "difference", "part", "value")


def render(
    found: Power, format: str, *, width: int = 80, color: bool = False, ascii: bool = False
) -> str:
    """JSON and CSV have every number; CSV one a row, and an undefined one is empty."""
    from tertium.report.sections.power import build

    return in_format(
        format,
        data=found.to_dict,
        csv=lambda: table(HEADER, (row for each in found.metrics for row in _rows(each))),
        blocks=lambda: build(found, format=format),
        title=f"Power of a test of {found.a} and {found.b}",
        width=width,
        color=color,
        ascii=ascii,
    )


def _rows(each: MetricPower) -> Iterator[dict[str, Any]]:
    needed = each.needed
    whole = {
        "observed": each.observed,
        "p": each.test.p,
        "difference": each.difference,
        "power": each.power,
        "needed.units": needed and needed.units,
        "needed.words": needed and needed.words,
        "needed.bound": needed and needed.bound,
        "detectable": each.detectable,
    }
    for part, value in whole.items():
        yield {"section": "metric", "metric": each.metric, "part": part, "value": value}
    for size in each.by_units:
        head = {"section": "units", "metric": each.metric, "units": size.units, "words": size.words}
        yield {**head, "difference": each.difference, "part": "power", "value": size.power}
        yield {**head, "part": "detectable", "value": size.detectable}
    for at in each.by_difference:
        head = {"section": "difference", "metric": each.metric, "difference": at.difference}
        yield {**head, "part": "power", "value": at.power}
