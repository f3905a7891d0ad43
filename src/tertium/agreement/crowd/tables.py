"""An aggregation as tables and pictures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from tertium.exceptions import counted
from tertium.results.blocks import (
    Block,
    Column,
    Matrix,
    Shares,
    Table,
    Text,
    table_of_records,
)
from tertium.results.output import LongLook
from tertium.results.texts import number, rest_text

if TYPE_CHECKING:
    from tertium.agreement.crowd.result import Aggregation, Rows

SHOWN = 10
MOST_LABELS = 40  # in a picture
METHOD: dict[str, Column] = {
    "method": Column("method"),
    "accuracy": Column("accuracy", kind="percent"),
    "coverage": Column("coverage", kind="percent"),
    "ties": Column("ties", kind="count"),
    "log_likelihood": Column("log likelihood", kind="value", digits=2),
}
PERSON = {
    "annotator": Column("annotator"),
    "votes": Column("votes", kind="count"),
    "competence": Column("competence", kind="percent"),
    "accuracy": Column("accuracy", kind="percent"),
}
SPOT = {
    "item": Column("item"),
    "word": Column("word"),
    "context": Column("context"),
    "ballot": Column("votes"),
    "label": Column("label"),
    "confidence": Column("confidence", kind="percent"),
    "gold": Column("gold"),
}
LOST = {"gold": SPOT["gold"], "ballot": SPOT["ballot"], "count": Column("items", kind="count")}
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
    table = table_of_records(people, title="Annotators", columns=PERSON, reasons=MISSING)
    blocks.append(look.shortened(table, 2 * SHOWN))
    if look.draws:
        blocks.append(_trust(found, people))
        blocks += [_given(found)] if len(found.data.votes.labels) <= MOST_LABELS else []
    if spots := [*map(found.spot, found.disputed[: look.usual(SHOWN)])]:
        hidden = "context" if look.is_text else "word"
        columns = {key: column for key, column in SPOT.items() if key != hidden}
        title = "Most disputed items"
        table = table_of_records(spots, title=title, columns=columns, reasons=MISSING)
        left = rest_text(len(found.disputed) - len(spots), is_text=look.is_text)
        blocks.append(replace(table, omitted=left))
    if lost := (found.oracle or {}).get("lost"):
        title = "Items that no vote has right"
        table = table_of_records(lost, title=title, columns=LOST, keys=2)
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


def _name(method: Mapping[str, Any]) -> str:
    return f"{method['method']}+dictionary" if method["dictionary"] else str(method["method"])


def _methods(found: Aggregation) -> Table:
    """Table 1 of Hovy, Plank and Søgaard (2014)."""
    rows = [{**each, "method": _name(each)} for each in found.methods]
    columns = METHOD
    if found.oracle is None:
        columns = {key: column for key, column in METHOD.items() if key != "accuracy"}
    else:
        rows.append({"method": "oracle", "accuracy": found.oracle["accuracy"]})
    return table_of_records(rows, title="Methods", columns=columns, reasons=MISSING)


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
