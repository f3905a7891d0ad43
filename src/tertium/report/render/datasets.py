"""Systems over data sets in any format."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from tertium.report.render.choose import in_format
from tertium.report.render.tidy import table

if TYPE_CHECKING:
    from tertium.significance.datasets import AcrossDatasets, MetricAcross

HEADER = ("section", "metric", "dataset", "system", "a", "b", "part", "value")


def render(
    found: AcrossDatasets, format: str, *, width: int = 80, color: bool = False, ascii: bool = False
) -> str:
    """JSON and CSV have every number; CSV one a row, and an undefined one is empty."""
    from tertium.report.sections.datasets import build

    return in_format(
        format,
        data=found.to_dict,
        csv=lambda: table(HEADER, (row for each in found.metrics for row in _rows(found, each))),
        blocks=lambda: build(found),
        title=f"{', '.join(found.systems)} over {len(found.names)} data sets",
        width=width,
        color=color,
        ascii=ascii,
    )


def _rows(found: AcrossDatasets, each: MetricAcross) -> Iterator[dict[str, Any]]:
    head = {"metric": each.metric}
    for system, values in each.values.items():
        for name, value in zip(found.names, values, strict=True):
            place = {"section": "value", "dataset": name, "system": system}
            yield {**head, **place, "part": "value", "value": value}
    data = each.found
    if data is not None:
        for system, rank in data.mean_ranks.items():
            row = {"section": "rank", "system": system, "part": "mean_rank", "value": rank}
            yield {**head, **row}
        if data.friedman is not None:
            figures = data.friedman.to_dict()
            figures["critical_difference"] = data.critical_difference
            for part in ("chi_square", "p", "f", "f_p", "critical_difference"):
                yield {**head, "section": "friedman", "part": part, "value": figures[part]}
        for pair in data.pairs:
            names = {"section": "pair", "a": pair.a, "b": pair.b}
            figures = {
                "difference": pair.difference,
                "wins": pair.wins,
                "losses": pair.losses,
                "ties": pair.ties,
                "wilcoxon": pair.wilcoxon.p,
                "adjusted": pair.adjusted,
                **({"sign": pair.sign.p} if pair.sign is not None else {}),
            }
            yield from ({**head, **names, "part": p, "value": v} for p, v in figures.items())
    for a, b, effect in each.effects:
        names = {"section": "effect", "a": a, "b": b}
        yield {**head, **names, "part": "count", "value": effect.count}
        yield {**head, **names, "part": "used", "value": effect.used}
        for name in effect.datasets:
            yield {**head, **names, "dataset": name, "part": "effect", "value": 1}
