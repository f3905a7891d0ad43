"""An aggregation as tables and pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from tertium.exceptions import counted
from tertium.results.blocks import (
    Block,
    Cell,
    Column,
    Kind,
    Matrix,
    Missing,
    Shares,
    Table,
    Text,
    table_of,
)
from tertium.results.output import LongLook
from tertium.results.texts import number, rest_text

if TYPE_CHECKING:
    from tertium.agreement.crowd.result import Aggregation, Rows

SHOWN = 10
MOST_LABELS = 40  # in a picture
HEADERS = {"log_likelihood": "log likelihood", "ballot": "votes", "count": "items"}
KINDS: dict[str, Kind] = {
    **dict.fromkeys(("votes", "count", "ties"), "count"),
    **dict.fromkeys(("accuracy", "coverage", "competence", "confidence"), "percent"),
    "log_likelihood": "value",
}
DIGITS = {"log_likelihood": 2}
MISSING = {
    "accuracy": "judged no item with a gold label",
    "competence": "gave no vote",
    "gold": "no gold label",
}


def summary_of(found: Aggregation) -> str:
    """Sizes and, with gold, how good the labels are."""
    votes, last = found.data.votes, found.methods[-1]
    sizes = (
        f"{counted(len(votes.item), 'vote')} of {counted(len(votes.sides), 'annotator')} on "
        f"{counted(len(votes), 'item')}"
    )
    if found.accuracy is None or found.oracle is None:
        return (
            f"{sizes}; {last['method']} labels {int((found.estimate.label >= 0).sum()):,} of them"
        )
    text = f"{sizes}; {_name(last)} gets {number(found.accuracy)}% right"
    return f"{text}, an oracle {number(found.oracle['accuracy'] or 0)}%"


def build(found: Aggregation, look: LongLook) -> list[Block]:
    """All tables, pictures and notes."""
    people = sorted(found.annotators, key=lambda row: (-(row["competence"] or 0), row["annotator"]))
    blocks: list[Block] = [_methods(found)]
    blocks.append(look.shortened(_table("Annotators", people), 2 * SHOWN))
    if look.draws:
        blocks.append(_trust(found, people))
        blocks += [_given(found)] if len(found.data.votes.labels) <= MOST_LABELS else []
    if spots := [*map(found.spot, found.disputed[: look.usual(SHOWN)])]:
        where = "word" if look.is_text else "context"
        shown = ("item", where, "ballot", "label", "confidence", "gold")
        left = rest_text(len(found.disputed) - len(spots), is_text=look.is_text)
        blocks.append(replace(_table("Most disputed items", spots, shown), omitted=left))
    if lost := (found.oracle or {}).get("lost"):
        table = _table("Items that no vote has right", lost, keys=2)
        blocks.append(look.shortened(table, SHOWN))
    rho, output, scored = found.correlation, found.methods[-1]["output_accuracy"], found.score
    if rho is not None:
        told = f"competence and true accuracy correlate with Spearman's rho {rho:.2f}"
        blocks.append(Text(told))
    if output is not None and output != found.accuracy:
        blocks.append(Text(f"with ties broken as in the output, {number(output)}% are right"))
    if scored is not None and scored.value is not None and scored.value != output:
        blocks.append(Text(f"{scored.metric} of the text as written: {number(scored.value)}"))
    blocks += [Text(note) for note in found.notes]
    return [*blocks, Text(found.signature, role="signature")]


def _table(title: str, rows: Rows, shown: Sequence[str] = (), keys: int = 1) -> Table:
    """Records as rows, with what is shown of them; of what has no number or text the reason."""
    names = [key for key in shown or rows[0] if key in rows[0]]
    columns = [
        Column(HEADERS.get(key, key), kind=KINDS.get(key, "text"), digits=DIGITS.get(key))
        for key in names
    ]

    cells: list[list[Cell]] = []
    for row in rows:
        why = {key: Missing(row.get("reason") or reason) for key, reason in MISSING.items()}
        cells.append([why.get(key) if row[key] is None else row[key] for key in names])
    return table_of(columns, cells, title=title, keys=keys)


def _name(method: Mapping[str, Any]) -> str:
    return f"{method['method']}+dictionary" if method["dictionary"] else str(method["method"])


def _methods(found: Aggregation) -> Table:
    """Table 1 of Hovy, Plank and Søgaard (2014)."""
    rows = [{**each, "method": _name(each)} for each in found.methods]
    shown = ["method", "accuracy", "coverage", "ties", "log_likelihood"]
    if found.oracle is None:
        shown.remove("accuracy")
    else:
        best = {"method": "oracle", "accuracy": found.oracle["accuracy"]}
        rows.append({**dict.fromkeys(rows[0]), **best})
    return _table("Methods", rows, shown)


def _trust(found: Aggregation, people: Rows) -> Shares:
    """How far annotators can be trusted, the most competent first; with gold also how far they are
    right."""
    names = tuple(row["annotator"] for row in people)
    series = ("competence", "accuracy") if found.oracle else ("competence",)
    values = tuple(tuple(row[each] for each in series) for row in people)
    title, why = "Competence of annotators", "gave no vote, or none on an item with a gold label"
    return Shares(names, series, values, title, "annotator", reason=why, name="competence")


def _given(found: Aggregation) -> Matrix:
    """Which labels annotators give to items, by the label that these have in the end."""
    votes, labels = found.votes, tuple(found.votes.labels)
    chosen, size = found.estimate.label[votes.item], len(labels)
    there = chosen >= 0
    key = chosen[there].astype(np.int64) * size + votes.label[there]
    counts = np.bincount(key, minlength=size * size).reshape(size, size)
    shares = counts / np.maximum(counts.sum(1, keepdims=True), 1)
    values = tuple(map(tuple, shares.tolist()))
    axes = ("aggregated label", "vote")
    return Matrix(
        labels, labels, values, "Votes by aggregated label", *axes, "percent", name="votes"
    )
