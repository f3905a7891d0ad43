"""An aggregation as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tertium.exceptions import counted
from tertium.results.blocks import Block, Cell, Column, Missing, Table, Text, or_missing
from tertium.results.output import LongLook

if TYPE_CHECKING:
    from tertium.agreement.crowd.result import Aggregation

SHOWN = 10
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
    text = f"{sizes}; {_name(run)} gets {100 * run.accuracy:.2f}% right"
    return f"{text}, an oracle {100 * (found.oracle or 0):.2f}%"


def build(found: Aggregation, look: LongLook) -> list[Block]:
    """All tables and notes."""
    blocks: list[Block] = [_methods(found), look.shortened(_annotators(found), 2 * SHOWN)]
    for table in (_disputed(found, look), _lost(found)):
        blocks += [look.shortened(table, SHOWN)] if table.rows else []
    rho = found.correlation
    if rho is not None:
        blocks.append(Text(f"competence and true accuracy correlate with Spearman's rho {rho:.2f}"))
    if found.run.output_accuracy not in (None, found.run.accuracy):
        value = 100 * (found.run.output_accuracy or 0)
        blocks.append(Text(f"with ties broken as in the output, {value:.2f}% are right"))
    blocks += [Text(note) for note in found.notes]
    return [*blocks, Text(found.signature, role="signature")]


def _name(run: Any) -> str:
    return f"{run.method}+dictionary" if run.filtered else str(run.method)


def _methods(found: Aggregation) -> Table:
    """Table 1 of Hovy, Plank and Søgaard (2014)."""
    has_gold = found.data.gold is not None
    columns = [Column("method"), *([Column("accuracy", kind="percent")] if has_gold else [])]
    columns += [Column("coverage", kind="percent"), Column("ties", kind="count")]
    columns.append(Column("log likelihood", kind="value", digits=2))
    rows: list[tuple[Cell, ...]] = []
    for run in found.runs:
        accuracy = (or_missing(run.accuracy, "no item has a gold label"),) if has_gold else ()
        likelihood = run.estimate.log_likelihood
        ties = int(run.estimate.tied.sum())
        rows.append((_name(run), *accuracy, or_missing(run.coverage), ties, likelihood))
    if has_gold:
        rows.append(("oracle", or_missing(found.oracle, "no item"), None, None, None))
    return Table(tuple(columns), tuple(rows), title="Methods")


def _annotators(found: Aggregation) -> Table:
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


def _disputed(found: Aggregation, look: LongLook) -> Table:
    words, gold, estimate = found.data.words, found.data.gold, found.run.estimate
    columns = [Column("item"), *([] if words is None else [Column("word")]), Column("votes")]
    columns += [Column("label"), Column("confidence", kind="percent")]
    columns += [] if gold is None else [Column("gold")]
    rows = found.hot_spots().tolist()
    none = (None,) * len(columns)  # what is not shown has no cells yet
    cells: list[tuple[Cell, ...]] = [none] * len(rows)
    for n, row in enumerate(rows[: look.usual(SHOWN)]):
        cells[n] = (
            found.data.items[row],
            *(() if words is None else (words[row],)),
            found.ballot(row),
            found.labels[row],
            float(estimate.confidence[row]),
            *(() if gold is None else (gold[row] or Missing("no gold label"),)),
        )
    return Table(tuple(columns), tuple(cells), title="Most disputed items")


def _lost(found: Aggregation) -> Table:
    columns = (Column("gold"), Column("votes"), Column("items", kind="count"))
    rows = tuple(found.lost_items())
    return Table(columns, rows, title="Items that no vote has right", keys=2)
