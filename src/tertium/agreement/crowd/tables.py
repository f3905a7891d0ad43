"""An aggregation as tables and pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tertium.exceptions import counted
from tertium.results.blocks import Block, Cell, Column, Matrix, Missing, Table, Text, or_missing
from tertium.results.output import LongLook
from tertium.results.texts import number

if TYPE_CHECKING:
    from tertium.agreement.crowd.result import Aggregation, CrowdRun

SHOWN = 10
MOST_LABELS = 40  # in a picture
NO_VOTES = "gave no vote"
NOT_JUDGED = "judged no item with a gold label"


def summary_of(found: Aggregation) -> str:
    """Sizes and, with gold, how good the labels are."""
    votes, run = found.data.votes, found.run
    sizes = (
        f"{counted(len(votes.item), 'vote')} of {counted(len(votes.sides), 'annotator')} on "
        f"{counted(len(votes), 'item')}"
    )
    if run.accuracy is None:
        given = int((run.estimate.label >= 0).sum())
        return f"{sizes}; {run.method} labels {given:,} of them"
    text = f"{sizes}; {_name(run)} gets {number(run.accuracy)}% right"
    return f"{text}, an oracle {number(found.oracle or 0)}%"


def build(found: Aggregation, look: LongLook) -> list[Block]:
    """All tables, pictures and notes."""
    blocks: list[Block] = [_methods(found), look.shortened(_annotators(found), 2 * SHOWN)]
    if look.draws and len(found.data.votes.labels) <= MOST_LABELS:
        blocks.append(_given(found))
    for table in (_disputed(found, look), _lost(found)):
        blocks += [look.shortened(table, SHOWN)] if table.rows else []
    rho, output = found.correlation, found.run.output_accuracy
    if rho is not None:
        told = f"competence and true accuracy correlate with Spearman's rho {rho:.2f}"
        blocks.append(Text(told))
    if output is not None and output != found.run.accuracy:
        blocks.append(Text(f"with ties broken as in the output, {number(output)}% are right"))
    scored = found.score
    if scored is not None and scored.value is not None and scored.value != output:
        told = f"{scored.metric} of the text as it is written: {number(scored.value)}"
        blocks.append(Text(told))
    blocks += [Text(note) for note in found.notes]
    return [*blocks, Text(found.signature, role="signature")]


def _name(run: CrowdRun) -> str:
    return f"{run.method}+dictionary" if run.filtered else run.method


def _methods(found: Aggregation) -> Table:
    """Table 1 of Hovy, Plank and Søgaard (2014)."""
    has_gold = found.data.gold is not None
    columns = [Column("method"), *([Column("accuracy", kind="percent")] if has_gold else [])]
    columns += [Column("coverage", kind="percent"), Column("ties", kind="count")]
    columns.append(Column("log likelihood", kind="value", digits=2))
    rows: list[tuple[Cell, ...]] = []
    for run in found.runs:
        accuracy = (or_missing(run.accuracy, run.reason),) if has_gold else ()
        likelihood, ties = run.estimate.log_likelihood, int(run.estimate.tied.sum())
        rows.append((_name(run), *accuracy, or_missing(run.coverage), ties, likelihood))
    if has_gold:
        rows.append(("oracle", or_missing(found.oracle, "no item"), None, None, None))
    return Table(tuple(columns), tuple(rows), title="Methods")


def _annotators(found: Aggregation) -> Table:
    """The most competent first."""
    has_gold = found.data.gold is not None
    columns = [Column("annotator"), Column("votes", kind="count")]
    columns += [Column(n, kind="percent") for n in ("competence", "accuracy")[: 1 + has_gold]]
    cells: list[tuple[Cell, ...]] = []
    for row in sorted(
        found.annotator_rows(), key=lambda row: (-(row["competence"] or 0), row["annotator"])
    ):
        more = (or_missing(row["accuracy"], NOT_JUDGED),) if has_gold else ()
        value = or_missing(row["competence"], NO_VOTES)
        cells.append((row["annotator"], row["votes"], value, *more))
    return Table(tuple(columns), tuple(cells), title="Annotators")


def _given(found: Aggregation) -> Matrix:
    """Which labels annotators give to items, by the label that these have in the end."""
    votes, labels = found.run.votes, found.run.votes.labels
    chosen = found.run.estimate.label[votes.item]
    there = chosen >= 0
    size = len(labels)
    key = chosen[there].astype(np.int64) * size + votes.label[there]
    counts = np.bincount(key, minlength=size * size).reshape(size, size)
    values = tuple(map(tuple, counts.tolist()))
    names = tuple(labels)
    title = "votes by aggregated label"
    return Matrix(names, names, values, title, "aggregated label", "vote", name="votes")


def _disputed(found: Aggregation, look: LongLook) -> Table:
    rows = found.hot_spots().tolist()
    shown = [found.spot(row) for row in rows[: look.usual(SHOWN)]]
    names = [name for name in (shown[0] if shown else ()) if name not in ("word", "entropy")]
    columns = [
        Column("votes" if n == "ballot" else n, kind="percent" if n == "confidence" else "text")
        for n in names
    ]
    none = (None,) * len(columns)  # what is not shown has no cells yet
    cells: list[tuple[Cell, ...]] = [none] * len(rows)
    for n, spot in enumerate(shown):
        cells[n] = tuple(Missing("no gold label") if spot[k] is None else spot[k] for k in names)
    return Table(tuple(columns), tuple(cells), title="Most disputed items")


def _lost(found: Aggregation) -> Table:
    columns = (Column("gold"), Column("votes"), Column("items", kind="count"))
    rows = tuple(found.lost_items())
    return Table(columns, rows, title="Items that no vote has right", keys=2)
