"""One table that holds the annotation of several sides: a data frame, or a list of dictionaries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tertium.exceptions import InputError, UsageError
from tertium.formats.objects import (
    FORM_COLUMNS,
    SENTENCE_COLUMNS,
    as_lists,
    is_frame,
    sentence_records,
    token_records,
)
from tertium.formats.record_keys import TEXT, TOKENS

LAYER = "tag"  # what the chosen column is called on every side


def pick_columns(data: Any, names: Sequence[str], *, ids: bool = False) -> list[Any]:
    """For each name the words and that column alone, as `from_python` takes them; of label `ids` by
    sentences."""
    data = data.collect() if hasattr(data, "collect") else data  # a lazy frame
    table: Any = sentence_records(data) or data if is_frame(data) else as_lists(data)
    if is_frame(table):
        known = [str(column) for column in table.columns]
        if len({*known}) < len(known):
            raise InputError("two columns of the table have the same name")
        table = token_records(table, "the table") if ids else table
    elif isinstance(table, list) and table and all(isinstance(each, Mapping) for each in table):
        known = [*dict.fromkeys(str(key) for each in table for key in each)]
    else:
        raise UsageError(
            f"gold and systems name columns of a table. Got {type(data).__name__} instead.",
            help="a table is a data frame or a list of dictionaries",
        )
    for name in names:
        if name not in known:
            raise InputError(
                f"the table has no column '{name}'", help=f"its columns: {', '.join(known)}"
            )
    pick = _of_frame if is_frame(table) else _of_records
    return [pick(table, name) for name in names]


def _of_frame(frame: Any, name: str) -> Any:
    """Sentences, words and one column of a frame with one token per row."""
    there = [
        next((c for c in names if c in frame.columns and c != name), None)
        for names in (SENTENCE_COLUMNS, FORM_COLUMNS)
    ]
    columns = {c: frame[c].to_list() for c in there if c is not None}
    tags = frame[name].to_list()
    column = frame[name]
    missing = column.is_null() if hasattr(column, "is_null") else column.isna()
    for row, (tag, lacks) in enumerate(zip(tags, missing.to_list(), strict=True), 1):
        if lacks or not isinstance(tag, str) or not tag:
            is_there = not lacks and tag != ""
            what = f"of type {type(tag).__name__}" if is_there else "empty or missing"
            raise InputError(f"row {row} of column '{name}' is {what}, expected a tag")
    return type(frame)({**columns, LAYER: tags})


def _of_records(records: Sequence[Mapping[str, Any]], name: str) -> list[Any]:
    """Words or text and one list of each dictionary: tags beside tokens, or spans of a text."""
    for number, each in enumerate(records, 1):
        if not isinstance(each.get(name), list | tuple):
            raise InputError(f"'{name}' of sentence {number} is not a list")
    listed = (one for each in records for one in each[name])
    is_tags = not any(isinstance(one, Mapping | list | tuple) for one in listed)
    found: list[Any] = []
    for each in records:
        value = each[name]
        about = {key: each[key] for key in (TOKENS, "id", "sent_id") if key in each}
        if TOKENS in each and is_tags:
            found.append({**about, "tags": value})
        elif TEXT in each or TOKENS in each:
            found.append({**about, **({TEXT: each[TEXT]} if TEXT in each else {}), "spans": value})
        else:
            found.append(value)
    return found
