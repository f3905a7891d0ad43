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
    text = f"{sizes}; {_name(run)} has {100 * run.accuracy:.2f}% right"
    return f"{text}, an oracle {100 * (found.oracle or 0):.2f}%"


def build(found: Aggregation, look: LongLook) -> list[Block]:
    """All tables and notes."""
    blocks: list[Block] = [_methods(found), _annotators(found, look)]
    blocks += _disputed(found, look) + _lost(found, look)
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
    columns = [Column("method")]
    if has_gold:
        columns.append(Column("accuracy", "", "percent"))
    columns += [
        Column("coverage", "", "percent"),
        Column("ties", "", "count"),
        Column("log likelihood", "", "value", digits=2),
    ]
    rows: list[tuple[Cell, ...]] = []
    for run in found.runs:
        accuracy = (or_missing(run.accuracy, "no item has a gold label"),) if has_gold else ()
        likelihood = run.estimate.log_likelihood
        ties = int(run.estimate.tied.sum())
        rows.append((_name(run), *accuracy, or_missing(run.coverage), ties, likelihood))
    if has_gold:
        rows.append(("oracle", or_missing(found.oracle, "no item"), None, None, None))
    return Table(tuple(columns), tuple(rows), title="Methods")


def _annotators(found: Aggregation, look: LongLook) -> Table:
    rows = sorted(
        found.annotator_rows(), key=lambda row: (-(row["competence"] or 0), row["annotator"])
    )
    most = look.usual(2 * SHOWN)
    has_gold = found.data.gold is not None
    columns = [
        Column("annotator"),
        Column("votes", "", "count"),
        Column("competence", "", "percent"),
    ]
    columns += [Column("accuracy", "", "percent")] if has_gold else []
    cells: list[tuple[Cell, ...]] = []
    for row in rows[:most]:
        more = (or_missing(row["accuracy"], NOT_JUDGED),) if has_gold else ()
        value = or_missing(row["competence"], NO_VOTES)
        cells.append((row["annotator"], row["votes"], value, *more))
    return Table(tuple(columns), tuple(cells), title="Annotators", omitted=_rest(rows, most))


def _disputed(found: Aggregation, look: LongLook) -> list[Block]:
    rows = found.hot_spots().tolist()
    most = look.usual(SHOWN)
    words, gold, estimate = found.data.words, found.data.gold, found.run.estimate
    columns = [Column("item"), *([] if words is None else [Column("word")]), Column("votes")]
    columns += [Column("label"), Column("confidence", "", "percent")]
    columns += [] if gold is None else [Column("gold")]
    cells: list[tuple[Cell, ...]] = []
    for row in rows[:most]:
        cells.append(
            (
                found.data.items[row],
                *(() if words is None else (words[row],)),
                found.ballot(row),
                found.labels[row],
                float(estimate.confidence[row]),
                *(() if gold is None else (gold[row] or Missing("no gold label"),)),
            )
        )
    title, omitted = "Most disputed items", _rest(rows, most)
    return [Table(tuple(columns), tuple(cells), title=title, omitted=omitted)] if rows else []


def _lost(found: Aggregation, look: LongLook) -> list[Block]:
    rows = found.lost_items()
    most = look.usual(SHOWN)
    columns = (Column("gold"), Column("votes"), Column("items", "", "count"))
    title, omitted = "Items that no vote has right", _rest(rows, most)
    return (
        [Table(columns, tuple(rows[:most]), title=title, keys=2, omitted=omitted)] if rows else []
    )


def _rest(rows: list[Any], most: int | None) -> str:
    left = 0 if most is None else max(0, len(rows) - most)
    return f"{counted(left, 'more row')}; '--all' shows them" if left else ""
