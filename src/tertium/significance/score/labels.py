"""Tables per label, for every metric that has them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tertium.results.blocks import Cell, Column, Missing, Table, better_of, kind_of
from tertium.results.parts import Part
from tertium.results.scores import Result, flatten
from tertium.results.texts import in_words, listed
from tertium.significance.score.result import Scores

ALL, MICRO = "(all)", "micro avg"
MOST_COLUMNS = 12  # labels beside each other; more are rows
_NOT_FIGURES = ("counts", "reason", "reasons")


def label_tables(scores: Scores, *, parts: bool = False, shown: Sequence[str] = ()) -> list[Table]:
    """One table per metric, labels by gold frequency, then name, and all together at the end.

    Of one system precision, recall, F1 and support; of several the value alone, systems against
    labels, or the columns `shown`. With `parts` every figure and count of each label and system.
    """
    tables: list[Table] = []
    for metric in scores.metrics:
        results = [r for r in scores if r.metric == metric]
        if not any(r.labels for r in results):
            continue
        found = LabelFigures.of(results, scores.names[metric])
        if parts or len(results) == 1:
            tables.append(found.long(parts=parts))
        else:
            tables += [found.pivot(part) for part in found.chosen(shown)]
    return tables


@dataclass(frozen=True)
class LabelFigures:
    """The figures per label of one metric: `name` is what tables call it, `gold` how often each
    label occurs in gold, in the order of tables."""

    results: Sequence[Result]
    name: str
    gold: Mapping[str, float]

    @classmethod
    def of(cls, results: Sequence[Result], name: str) -> LabelFigures:
        """Those of some results by one metric."""
        gold: dict[str, float] = {}
        totals = [c.name for c in results[0].declared_counts if c.is_total and c.side == "gold"]
        for result in results:
            for label, row in result.labels.items():
                there = [row.get("counts", {}).get(count, 0) for count in (*totals, "gold")]
                gold[label] = max(gold.get(label, 0), *there)
        order = sorted(gold, key=lambda label: (-gold[label], label))
        return cls(results, name, {label: gold[label] for label in order})

    @property
    def first(self) -> Result:
        """Any of the results: what all of them say about their parts."""
        return self.results[0]

    def figures(self, parts: bool) -> list[str]:
        """The names of the numbers that labels have."""
        rows = [row for r in self.results for row in r.labels.values()]
        return list(dict.fromkeys(name for row in rows for name in _figures(row, parts)))

    @property
    def averages(self) -> dict[str, dict[str, str]]:
        """By the names of averages over labels, for each number the part that is its average."""
        found: dict[str, dict[str, str]] = {}
        there = {name for r in self.results for name in flatten(r.parts)}
        for part in self.first.declared:
            if part.average is not None and part.name in there:
                found.setdefault(part.average[0], {})[part.average[1]] = part.name
        return found

    def whole(self, result: Result) -> dict[str, dict[str, Any]]:
        """Figures and counts of all labels together, as rows of a label by their names."""
        counts = dict(result.counts)
        items = result.total("gold")
        if items is not None:
            counts.setdefault("gold", items)
        same = {"counts": counts, "reasons": result.reasons}
        flat, averages = flatten(result.parts), self.averages
        rows = {MICRO if averages else ALL: {**result.parts, **same}}
        for name, names in averages.items():
            figures = {figure: flat.get(part) for figure, part in names.items()}
            reasons = {f: r for f, part in names.items() if (r := result.reasons.get(part))}
            rows[name] = {**figures, "counts": {"gold": counts.get("gold")}, "reasons": reasons}
        return rows

    def long(self, *, parts: bool) -> Table:
        """A row per label and system; systems compete within a label."""
        several, first = len(self.results) > 1, self.first
        figures, counts = self.figures(parts), self._counts(parts)
        columns = [Column("label"), *([Column("system")] if several else [])]
        for name in figures:
            part = first.part(name)
            # Systems compete, labels do not.
            better = better_of(part.better) if several else None
            columns.append(Column(part.header, "", kind_of(part.kind), better))
        group = "counts" if counts != {"gold": "support"} else ""
        columns += [Column(header, group, "count") for header in counts.values()]
        rows: list[tuple[Cell, ...]] = []
        contests = []
        wholes = [self.whole(result) for result in self.results]
        # A label can have the name of an average.
        order = [*((label, True) for label in self.gold), *((name, False) for name in wholes[0])]
        for name, is_label in order:
            for result, whole in zip(self.results, wholes, strict=True):
                row = result.labels.get(name, {}) if is_label else whole[name]
                numbers = flatten(row.get("counts", {}))
                rows.append(
                    (
                        *([name, result.system] if several else [name]),
                        *(_figure(row, figure) for figure in figures),
                        *(numbers.get(count) for count in counts),
                    )
                )
                contests.append(f"label {name}" if is_label else f"all {name}")
        return Table(
            tuple(columns),
            tuple(rows),
            title=f"{self.name} by label" if several else f"{self.name} by label: {first.system}",
            keys=1 + several,
            contests=tuple(contests) if several else (),
        )

    def _counts(self, parts: bool) -> dict[str, str]:
        """The counts that are shown, with their headers."""
        rows = [row for r in self.results for row in r.labels.values()]
        every = list(dict.fromkeys(k for row in rows for k in flatten(row.get("counts", {}))))
        if parts:
            return {name: in_words(name) for name in every}
        if self.first.shown_counts:
            return {name: in_words(name) for name in self.first.shown_counts if name in every}
        return {"gold": "support"} if "gold" in every else {}

    def chosen(self, shown: Sequence[str]) -> list[Part]:
        """The numbers that are shown of every label: those that are asked for, or the value."""
        figures = [self.first.part(name) for name in self.figures(parts=True)]
        asked = [name.casefold() for name in shown]
        found = [p for p in figures if {p.name.casefold(), p.header.casefold()} & {*asked}]
        means = [part for part in figures if part.mean_of]
        values = [part for part in figures if part.name == self.first.headline]
        return found or (values or means or figures)[:1]

    def pivot(self, part: Part) -> Table:
        """Systems against labels, one number each; the shorter side above, if labels are few."""
        wholes = [self.whole(result) for result in self.results]
        headers = [*self.gold, *wholes[0]]
        cells: list[list[Cell]] = [
            [
                *(_figure(result.labels.get(label, {}), part.name) for label in self.gold),
                *(_figure(row, part.name) for row in whole.values()),
            ]
            for result, whole in zip(self.results, wholes, strict=True)
        ]
        kind, better = kind_of(part.kind), better_of(part.better)
        title = self.name
        if part.name != self.first.headline:  # R, or LAS R
            is_said = self.name == self.first.part().header
            title = part.header if is_said else f"{self.name} {part.header}"
        systems = [result.system for result in self.results]
        if len(self.gold) <= max(MOST_COLUMNS, len(systems)):
            columns = [Column("system"), *(Column(name, "", kind, better) for name in headers)]
            rows = [(name, *row) for name, row in zip(systems, cells, strict=True)]
        else:
            columns = [Column("label"), Column("support", "", "count")]
            columns += [Column(name, "", kind, better, contest="label") for name in systems]
            support = [*self.gold.values(), *([None] * len(wholes[0]))]
            turned = zip(headers, support, *cells, strict=True)
            rows = [tuple(row) for row in turned]
        return Table(tuple(columns), tuple(rows), title=f"{title} by label")


def _figures(row: Mapping[str, Any], parts: bool) -> dict[str, Any]:
    """The numbers of a row that are shown, those inside objects as `outer.inner`."""
    found = {name: value for name, value in row.items() if name not in _NOT_FIGURES}
    if parts:
        return flatten(found)
    return {name: value for name, value in found.items() if not isinstance(value, Mapping)}


def _figure(row: Mapping[str, Any], name: str) -> Cell:
    if not row:
        return Missing("the label does not occur here")
    value: float | None = _figures(row, parts=True).get(name)
    if value is not None:
        return value
    reason = row.get("reasons", {}).get(name) or row.get("reason")
    return Missing(reason or "nothing to divide by: the label does not occur on that side")


def label_notes(scores: Scores) -> list[str]:
    """Which labels have a figure that is undefined but reported as 0, by a tool's convention."""
    notes = []
    for result in scores:
        zero = [
            label or "''"
            for label, row in result.labels.items()
            if any(flatten(row).get(name) is not None for name in row.get("reasons", {}))
        ]
        if zero:
            notes.append(
                f"{result.system}: {scores.names[result.metric]} is 0 where a figure of a label is "
                f"undefined because gold or the system lacks it: {listed(zero, most=5)}"
            )
    return notes
