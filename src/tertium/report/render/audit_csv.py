"""An audit as one table (CSV): a look a row, then how often random samples were significant."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tertium.report.render.tidy import Row, table

if TYPE_CHECKING:
    from tertium.significance.audit.audit import Audit

HEADER = (
    "section", "family", "name", "metric", "part", "label", "key", "group", "most_words", "share",
    "units", "words", "a", "b", "delta", "p", "adjusted", "better", "test", "exact", "trials",
    "samples", "significant", "undefined", "reason",
)  # fmt: skip
_LOOK = frozenset(HEADER) - {"section", "samples", "significant", "undefined"}


def render(found: Audit) -> str:
    """Every look, the main one first. What is undefined or does not concern a row is empty.

    `section` is `look` or `rate`. Of a rate `a` and `b` say how many of the `samples` favour which
    system; of a look they are the two values.
    """
    return table(HEADER, _rows(found))


def _rows(found: Audit) -> Iterator[Row]:
    for look, adjusted in zip(found.looks, found.adjusted, strict=True):
        told = {**look.to_dict(), "adjusted": adjusted}
        yield {"section": "look", **{k: v for k, v in told.items() if k in _LOOK}}
    for rate in found.rates:
        told = {k: v for k, v in rate.to_dict().items() if k in HEADER}
        yield {"section": "rate", **told}
