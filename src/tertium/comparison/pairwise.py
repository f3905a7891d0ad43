"""More than two annotations of one text: every two of them compared (Tuggener 2017, table 13)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from statistics import fmean
from typing import Any

from tertium._version import __version__
from tertium.comparison.disagreement import Difference, DiffLook
from tertium.comparison.side_scores import SideScore, signatures_of
from tertium.exceptions import GateError
from tertium.results.blocks import Block, Cell, Column, Missing, Table, Text, or_missing
from tertium.results.output import Output
from tertium.results.texts import counted, listed, number, sizes_text
from tertium.significance.score.sides import NO_ITEMS


@dataclass(frozen=True, eq=False)
class PairwiseDifference(Output):
    """Several annotations of one text, every two of them compared.

    - `names`: of the annotations; `pairs`: by the names of A and B, in both directions
    - `is_gate`: is it a failure if any two differ?
    """

    names: tuple[str, ...]
    pairs: Mapping[tuple[str, str], Difference]
    is_gate: bool = False
    version: str = field(default=__version__)

    look = DiffLook
    no_figures = "differences are shown as tables only, not as SVG"

    @cached_property
    def scored(self) -> list[SideScore]:
        """The metrics that every pair was scored by, with the scores of the first pair."""
        common = [{each.metric for each in pair.scores} for pair in self.pairs.values()]
        first = next(iter(self.pairs.values()))
        return [each for each in first.scores if all(each.metric in there for there in common)]

    def value(self, a: str, b: str, metric: str) -> float | None:
        """The value of B against A; None where it is undefined."""
        return next(each.value for each in self.pairs[a, b].scores if each.metric == metric)

    def means(self) -> dict[str, float | None]:
        """By metric, the mean over all pairs in both directions; None where one is undefined."""
        found = {}
        for score in self.scored:
            values = [self.value(*pair, score.metric) for pair in self.pairs]
            some = [value for value in values if value is not None]
            found[score.metric] = fmean(some) if len(some) == len(values) else None
        return found

    @property
    def system_names(self) -> tuple[str, ...]:
        """All sides."""
        return self.names

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader must know, of all pairs."""
        found = dict.fromkeys(note for pair in self.pairs.values() for note in pair.notes)
        every = dict.fromkeys(s.metric for pair in self.pairs.values() for s in pair.scores)
        shown = {score.metric for score in self.scored}
        left = sorted(metric for metric in every if metric not in shown)
        if left:
            found[f"not shown, because some pairs lack the layer: {', '.join(left)}"] = None
        return tuple(found)

    @property
    def title(self) -> str:
        """All sides."""
        return ", ".join(self.names)

    @property
    def metric_names(self) -> dict[str, str]:
        """What tables call the metrics, by their texts."""
        return next(self._one_way()).metric_names

    def in_short(self) -> str:
        """How much all agree on average."""
        means = self.means()
        texts = [
            f"{score.header} {number(value)}"
            for score in self.scored
            if (value := means[score.metric]) is not None
        ]
        pairs = counted(len(self.pairs) // 2, "pair")
        return f"Mean agreement of {pairs}: {', '.join(texts)}" if texts else ""

    def __repr__(self) -> str:
        return f"<{self.title}: {counted(len(self.pairs) // 2, 'pair')}>"

    def _one_way(self) -> Iterator[Difference]:
        """Every pair once."""
        return (self.pairs[pair] for pair in combinations(self.names, 2))

    def to_dict(self) -> dict[str, Any]:
        """The JSON output of `tertium diff` with more than two annotations."""
        return {
            "tertium": self.version,
            "sides": list(self.names),
            "pairs": [each.to_dict() for each in self._one_way()],
            "matrix": {
                score.metric: {
                    a: {b: self.value(a, b, score.metric) for b in self.names if b != a}
                    for a in self.names
                }
                for score in self.scored
            },
            "mean": self.means(),
            **({"notes": list(self.notes)} if self.notes else {}),
        }

    def blocks(self, look: DiffLook) -> list[Block]:
        """The pairs, and a matrix for every metric."""
        first = next(self._one_way())
        blocks: list[Block] = [self._pairs(), *map(self._matrix, self.scored)]
        sizes = {layer.unit: layer.sentences for layer in first.layers}
        blocks.append(Text(sizes_text(sizes, first.units, first.tokens)))
        blocks += [Text(note) for note in self.notes]
        return [*blocks, *signatures_of([*first.layers, *self.scored])]

    def _pairs(self) -> Table:
        """One row per pair and their mean: the value of B against A, and the share on which they
        agree."""
        first = next(self._one_way())
        columns = [Column("A"), Column("B"), *(score.column for score in self.scored)]
        columns += [Column(layer.metric, "agreement", "percent") for layer in first.layers]
        rows: list[tuple[Cell, ...]] = []
        for each in self._one_way():
            by_metric = {score.metric: score.cell for score in each.scores}
            values = [by_metric[score.metric] for score in self.scored]
            shares = {layer.metric: or_missing(layer.agreement, NO_ITEMS) for layer in each.layers}
            agreed = [shares.get(layer.metric, Missing(NO_ITEMS)) for layer in first.layers]
            rows.append((each.a, each.b, *values, *agreed))
        means = self.means()
        average = [or_missing(means[score.metric], NO_ITEMS) for score in self.scored]
        blank: Sequence[Cell] = [None] * len(first.layers)
        rows.append((f"mean of {len(rows)}", "", *average, *blank))
        return Table(tuple(columns), tuple(rows), title="pairs: B scored against A", keys=2)

    def _matrix(self, score: SideScore) -> Table:
        """The value of every annotation against every other."""
        kind = score.column.kind
        rows = [
            (a, *(None if a == b else self._cell(a, b, score.metric) for b in self.names))
            for a in self.names
        ]
        return Table(
            (Column("A"), *(Column(name, "B", kind) for name in self.names)),
            tuple(rows),
            title=f"{score.header} of B against A",
        )

    def _cell(self, a: str, b: str, metric: str) -> Cell:
        return or_missing(self.value(a, b, metric), NO_ITEMS)

    def check(self) -> None:
        """Raise GateError if any two differ and must not."""
        apart = [pair for pair in self._one_way() if pair.is_different]
        if self.is_gate and apart:
            names = [f"{pair.a}:{pair.b}" for pair in apart]
            raise GateError(f"annotations differ: {listed(names)}")
