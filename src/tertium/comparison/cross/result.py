"""The result of `cross`: systems of different theories in one table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple, Self

from tertium.comparison.pictures import Drawing, DrawLook
from tertium.results.blocks import (
    Block,
    Cell,
    Column,
    Missing,
    Picture,
    Table,
    Text,
    kind_of,
    or_missing,
)
from tertium.results.blocks.tables import better_of
from tertium.results.names import ending_note, renamed, short_names
from tertium.results.output import LongLook, Output, Rows
from tertium.results.scores import Result
from tertium.significance.assess import joined, without_intervals
from tertium.significance.score.coverage import coverage_lines, lacking_cell, lacks_layer
from tertium.significance.score.result import Scores
from tertium.significance.score.sets import signatures
from tertium.significance.score.summary import summary
from tertium.significance.score.table import gold_line
from tertium.significance.tables import significance_blocks, significance_lines

GENERAL = "generalised gold"
NO_LABELS = "no function labels in the gold standards, or in the files of all systems"
CEILING = "ceiling"
KINDS = {"all": "TedEval multiple", "own": "TedEval single"}


class Place(NamedTuple):
    """A column of scores: those by a metric, against the gold standard of a theory or, for "",
    across theories."""

    metric: str
    theory: str
    group: str
    header: str


@dataclass(frozen=True, eq=False)
class CrossComparison(Output):
    """Systems of different theories, each by the usual metrics of its theory and all by TedEval.

    - `scores`: those of TedEval, for all systems
    - `native`: by theory, scores against its gold standard: of its own systems, and unlabelled
      attachment scores of converted systems of other theories
    - `theories`: the theory of every system
    - `variants`: by metric, the gold standards that count ("own", "all") and "L" or "U"
    - `overlap`: records as JSON has them, of every two theories
    - `conversions`: the same, of theories whose trees were converted to dependencies
    - `drawings`: the same sentences in each: gold standards beside the first of them, and systems
      beside the generalised gold
    - `reasons`: why a system has no scores against the gold standard of a theory
    """

    scores: Scores
    native: Mapping[str, Scores]
    theories: Mapping[str, str]
    variants: Mapping[str, tuple[str, str]]
    overlap: Rows = field(default_factory=list)
    conversions: Rows = field(default_factory=list)
    reasons: Mapping[tuple[str, str], str] = field(default_factory=dict)
    drawings: tuple[Drawing, ...] = ()

    look = LongLook

    @property
    def systems(self) -> list[str]:
        """Names of systems in order."""
        return [*self.theories]

    @cached_property
    def whole(self) -> Scores:
        """All scores and tests together."""
        every = (self.scores, *self.native.values())
        tested = [each.assessment for each in every if each.assessment is not None]
        return replace(
            self.scores,
            results=tuple(result for each in every for result in each),
            assessment=joined(tested) if tested else None,
        )

    @property
    def main(self) -> str:
        """The metric that systems are ranked by: against what all gold standards have in common,
        with labels if all systems have them."""
        by = {names: metric for metric, names in self.variants.items()}
        found = [self.scores.find(system, by["all", "L"]) for system in self.systems]
        has_labels = all(each is not None and each.value is not None for each in found)
        return by["all", "L" if has_labels else "U"]

    @property
    def title(self) -> str:
        """What was compared."""
        return f"Comparison across theories: {self.scores.gold}"

    @property
    def metric_names(self) -> dict[str, str]:
        """What tables call the metrics, by their texts."""
        return self.whole.names

    def in_short(self) -> str:
        """Which system is best across theories, by how much, and whether that may be chance."""
        return summary(self.scores, self.scores.assessment, metric=self.main)

    def with_ids(self) -> Self:
        """The same with the ids of metrics in place of their names."""
        native = {theory: each.with_ids() for theory, each in self.native.items()}
        return replace(self, scores=self.scores.with_ids(), native=native)

    def to_dict(self) -> dict[str, Any]:
        """The JSON output of `tertium cross` (docs/verbs/cross.md)."""
        found = self.whole.to_dict()
        found |= {"scores": self._compared(found["scores"]), "overlap": self.overlap}
        found |= {"conversions": self.conversions}
        return found | ({"sentences": self._sentences()} if self.drawings else {})

    def _compared(self, rows: Rows) -> Rows:
        """Rows of all results with the theory of the system, and what it was compared with: "all"
        gold standards, "own" or the name of one."""
        golds = [self.variants[result.metric][0] for result in self.scores]
        golds += [theory for theory, each in self.native.items() for _ in each]
        return [
            {"system": row["system"], "theory": self.theories[row["system"]], "golds": gold, **row}
            for row, gold in zip(rows, golds, strict=True)
        ]

    def _sentences(self) -> Rows:
        """The trees of sentences, as JSON has them."""
        return [
            {"gold": each.names[0], "system": each.names[1], **scene.to_dict()}
            for scenes in zip(*(each.pairs for each in self.drawings), strict=True)
            for each, scene in zip(self.drawings, scenes, strict=True)
        ]

    def frames(self) -> Mapping[str, Callable[[], Rows]]:
        """`overlap` has a row per pair of theories; the others are those of scores, `scores` with
        the theory of the system and the gold standards that it was compared with."""
        found, more = self.whole.frames(), {"overlap": lambda: self.overlap}
        return {**found, **more, "scores": lambda: self._compared(found["scores"]())}

    @property
    def places(self) -> Iterator[Place]:
        """The columns in order: TedEval, then theory by theory its usual metrics."""
        for metric, (golds, kind) in self.variants.items():
            yield Place(metric, "", KINDS[golds], kind)
        for theory, scores in self.native.items():
            for metric in scores.metrics:
                yield Place(metric, theory, f"gold {theory}", scores.names[metric])

    def blocks(self, look: LongLook) -> list[Block]:
        """The table, overlap of gold standards, what was scored, tests, notes, signatures."""
        names = short_names(self.systems)
        whole: Scores = renamed(self.whole, names)
        said = {f"{r.system}: {why}" for r in whole for why in r.reasons.values()}
        notes = [*ending_note(self.systems), *(n for n in whole.notes if n not in said)]
        for (system, theory), why in self.reasons.items():
            if theory not in self.native:  # there is no column that could have a footnote
                notes.append(f"{names[system]}, gold {theory}: {why}")
        told = [r for r in whole if r.metric == self.main or r.metric not in self.variants]
        rows = ((names[str(row[0])], *row[1:]) for row in self.table.rows)
        blocks: list[Block] = [replace(self.table, rows=tuple(rows))]
        blocks += [self._overlap_table()] if self.overlap else []
        look_at = DrawLook(whole=look.all)
        pictures = (each.blocks(look_at)[: len(each.pairs)] for each in self.drawings)
        for sentence in zip(*pictures, strict=True):
            for each, drawing in zip(sentence, self.drawings, strict=True):
                assert isinstance(each, Picture)
                title = f"Sentence '{each.sentence}': {' and '.join(drawing.names)}"
                blocks.append(replace(each, title=title, where=title, summary="Nodes"))
        blocks.append(Text(gold_line(whole), role="gold"))
        covered = coverage_lines(replace(whole, results=tuple(told)))
        blocks += [Text(line, role="coverage") for line in covered]
        tests = whole.assessment
        if tests is not None:
            is_shown = look.usual(0) is None
            # Differences between many systems have no intervals.
            if not is_shown or any(each.interval is None for each in tests.comparisons):
                tests = without_intervals(tests)
            blocks += significance_blocks(tests, None) if is_shown else []
        blocks += [*significance_lines(tests), *map(Text, notes)]
        return [*blocks, *signatures(whole)]

    @cached_property
    def table(self) -> Table:
        """A row per system, with letters of significance; the best of all and of each theory are
        marked. After attachment scores the ceiling: that of converted gold trees."""
        columns = [Column("system"), Column("theory")]
        rows: list[list[Cell]] = [[*each] for each in self.theories.items()]
        ceilings = {each["from"]: each for each in self.conversions}
        for place in self.places:
            scores = self.native[place.theory] if place.theory else self.scores
            part, tested = scores.part(place.metric), scores.assessment
            head = place.header, place.group, kind_of(part.kind), better_of(part.better)
            columns.append(Column(*head, metric=place.metric))
            for row, system in zip(rows, self.systems, strict=True):
                row.append(self._cell(scores, system, place))
            if tested is not None and any(metric == place.metric for _, metric in tested.letters):
                columns.append(Column("", place.group, "letters"))
                for row, system in zip(rows, self.systems, strict=True):
                    row.append(tested.letters.get((system, place.metric)))
            if any(each["metric"] == place.metric and each["to"] == place.theory
                   for each in self.conversions):  # fmt: skip
                columns.append(Column(CEILING, place.group, kind_of(part.kind)))
                for row, theory in zip(rows, self.theories.values(), strict=True):
                    row.append(ceilings[theory]["value"] if theory in ceilings else None)
        note = "L: labelled, U: unlabelled"
        if any(column.header == CEILING for column in columns):
            note += "; ceiling: gold trees after the same conversion to dependencies"
        return Table(tuple(columns), tuple(map(tuple, rows)), keys=2, league=1, note=note)

    def _cell(self, scores: Scores, system: str, place: Place) -> Cell:
        found: Result | None = scores.find(system, place.metric)
        if found is not None and lacks_layer(found):
            return lacking_cell(found)
        if found is not None:
            reason = found.reasons.get("value", "")
            return or_missing(found.value, reason.removeprefix(f"{place.metric}: "))
        other = "not applicable to systems of this theory" if place.theory else NO_LABELS
        return Missing(self.reasons.get((system, place.theory), other))

    def _overlap_table(self) -> Table:
        kind = kind_of(self.scores.part(self.main).kind)
        columns = Column("theory"), Column("and"), Column("L", "", kind), Column("U", "", kind)
        rows = [
            (*each["golds"], *(or_missing(each[k]) for k in ("labeled", "unlabeled")))
            for each in self.overlap
        ]
        return Table(columns, tuple(rows), "Overlap of gold standards", keys=2)

    def __repr__(self) -> str:
        return f"<CrossComparison of {', '.join(self.systems)}>"
