"""What verbs that read single files share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tertium.exceptions import UsageError

if TYPE_CHECKING:
    from tertium.formats.base import Format


def named_format(name: str | None, columns: str | None) -> Format | None:
    """The format of `--input-format` and `--columns`; None if it is to be recognised."""
    from tertium.formats.columns import Columns
    from tertium.formats.sniff import make

    if columns is None:
        return make(name) if name else None
    if name not in (None, "columns"):
        raise UsageError(f"'--columns' goes with the format 'columns', not with '{name}'")
    return Columns(columns=columns)
