"""Scores of one annotation against another: agreement as F1, or whatever a metric's value is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from tertium.families.sets import named_part
from tertium.results.blocks import Cell, Column, Table, Text, kind_of, or_missing
from tertium.significance.score.sides import NO_ITEMS


class SideScore(NamedTuple):
    """The value of B where A plays the gold standard, by one metric; None where it is undefined."""

    metric: str
    part: str
    value: float | None
    signature: str
    header: str

    @property
    def column(self) -> Column:
        """Where it is shown."""
        return Column(self.header, "", kind_of(named_part(self.metric).kind))

    @property
    def cell(self) -> Cell:
        """As a table has it."""
        return or_missing(self.value, NO_ITEMS)

    def to_dict(self) -> dict[str, Any]:
        """The entry in `scores` of the JSON output."""
        reason = {} if self.value is not None else {"reason": NO_ITEMS}
        return {k: v for k, v in self._asdict().items() if k != "header"} | reason


def score_table(scores: Sequence[SideScore]) -> Table:
    """One row: the value by every metric."""
    return Table(
        tuple(score.column for score in scores),
        (tuple(score.cell for score in scores),),
        title="B scored against A",
        keys=0,
    )


def signatures_of(found: Iterable[Any]) -> list[Text]:
    """The signatures of layers and scores, each once."""
    texts = dict.fromkeys(str(each.signature) for each in found)
    return [Text(text, role="signature") for text in texts]
