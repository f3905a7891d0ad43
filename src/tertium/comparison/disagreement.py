"""Two annotations of one text, neither of which is gold: where they differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import groupby, islice
from typing import Any, NamedTuple

from tertium._version import __version__
from tertium.comparison.errors.blocks import example_blocks, instance_table
from tertium.comparison.errors.instances import Instance
from tertium.comparison.pairs import Transition, share, transition_order
from tertium.comparison.side_scores import SideScore, score_table, signatures_of
from tertium.exceptions import GateError, UsageError, suggestion
from tertium.families.family import family, main_metric
from tertium.families.sets import headers_of
from tertium.options import option
from tertium.results.blocks import NOTHING, Block, Cell, Column, Missing, Table, Text, or_missing
from tertium.results.names import short_names
from tertium.results.output import LongLook, Output, picked
from tertium.results.stats import UnitKind
from tertium.results.texts import common_noun, counted, listed, number, rest_text, sizes_text
from tertium.signature import Signature
from tertium.significance.score.coverage import system_coverage
from tertium.significance.score.sides import NO_ITEMS

SHOWN = 20  # rows of a table on a screen
SIDES = ("A", "B")
SAME, ONLY_A, ONLY_B = "same", "only A", "only B"
SPREAD = Missing("a sentence has words of several groups")


class LabelCounts(NamedTuple):
    """How often A and B have a label, and on how many items both give the same answer with it."""

    label: str
    a: int
    b: int
    same: int


class GroupCounts(NamedTuple):
    """Items of a group, and those on which the two differ; of a group of whole sentences (or other
    units) also these, and how many of them have no difference."""

    items: int = 0
    different: int = 0
    sentences: int | None = None
    same_sentences: int | None = None

    @property
    def diff(self) -> float | None:
        """The share on which they differ; None in an empty group."""
        return share(self.different, self.items)

    @property
    def cells(self) -> tuple[Cell, ...]:
        """Items and those that differ, shares of these and of the others, and sentences."""
        shares = (self.diff, share(self.items - self.different, self.items))
        sentences = (self.same_sentences, self.sentences)
        return (
            self.items,
            self.different,
            *(or_missing(value, NO_ITEMS) for value in shares),
            *(SPREAD if count is None else count for count in sentences),
        )

    def to_dict(self, unit: UnitKind = "sentence") -> dict[str, Any]:
        """The entry in `groups` of the JSON output."""
        sentences = {"all": self.sentences, "same": self.same_sentences}
        return {
            "items": self.items,
            "different": self.different,
            "diff": self.diff,
            **({} if self.sentences is None else {f"{unit}s": sentences}),
            **({} if self.items else {"reason": NO_ITEMS}),
        }


@dataclass(frozen=True, eq=False)
class LayerDifference:
    """Two annotations under one metric.

    - `items`: what A has, and what only B has; `different`: those on which answers differ
    - `kinds`: items by how the two differ, `same` among them
    - `counts`: how often A's label became B's on items that differ; None for nothing
    - `label_counts`: of every label A's, B's, and the same of both
    - `sentences`, `same_sentences`: how many there are, and how many have no difference; documents
      where these are the metric's `unit`
    - `one_way`: what a reader must know where kinds may be others from B to A; else empty
    """

    metric: str
    layer: str
    items: int
    different: int
    kinds: Mapping[str, int]
    counts: Mapping[tuple[str | None, str | None], int]
    label_counts: Mapping[str, tuple[int, int, int]]
    sentences: int
    same_sentences: int
    coverage: Mapping[str, int]
    signature: Signature
    groups: Mapping[str, GroupCounts] = field(default_factory=dict)
    one_way: str = ""
    unit: UnitKind = "sentence"
    item: str = "item"

    @property
    def diff(self) -> float | None:
        """Share of items on which the two differ (Tuggener 2017, equation 1)."""
        return share(self.different, self.items)

    @property
    def agreement(self) -> float | None:
        """Share of items on which they do not."""
        return share(self.items - self.different, self.items)

    @property
    def transitions(self) -> list[Transition]:
        """What A has and what B has instead, most frequent first, then by name."""
        found = [Transition(a, b, count) for (a, b), count in self.counts.items()]
        return sorted(found, key=transition_order)

    @property
    def labels(self) -> list[LabelCounts]:
        """Every label, most frequent first (A's and B's together), then by name."""
        found = [LabelCounts(label, *counts) for label, counts in self.label_counts.items()]
        return sorted(found, key=lambda row: (-row.a - row.b, row.label))

    def to_dict(self) -> dict[str, Any]:
        """The entry in `layers` of the JSON output."""
        groups = {name: group.to_dict(self.unit) for name, group in self.groups.items()}
        return {
            "metric": self.metric,
            "layer": self.layer,
            "items": self.items,
            "different": self.different,
            "diff": self.diff,
            "agreement": self.agreement,
            f"{self.unit}s": {"all": self.sentences, "same": self.same_sentences},
            "kinds": dict(self.kinds),
            "transitions": [{"a": t.a, "b": t.b, "count": t.count} for t in self.transitions],
            "labels": {
                row.label: {"a": row.a, "b": row.b, "same": row.same} for row in self.labels
            },
            **({"groups": groups} if groups else {}),
            "coverage": dict(self.coverage),
            "signature": str(self.signature),
            **({} if self.items else {"reason": NO_ITEMS}),
        }

    @property
    def whole(self) -> GroupCounts:
        """The counts of all items."""
        return GroupCounts(self.items, self.different, self.sentences, self.same_sentences)

    def tables(self, limit: int | None, *, is_text: bool) -> Iterator[Table]:
        """Kinds, changes and labels, at most `limit` rows of each; at a terminal they say how to
        see the rest."""
        if not self.different:
            return

        def rest(count: int) -> str:
            return "" if limit is None else rest_text(count - limit, is_text=is_text)

        kinds = [(kind, count, count / self.items) for kind, count in self.kinds.items()]
        numbers = (Column("count", kind="count"), Column("share", kind="percent"))
        if len(kinds) > 2:  # else the first table has said it
            yield Table(
                (Column("kind"), Column(f"{self.item}s", kind="count"), numbers[1]),
                tuple(kinds[:limit]),
                title=f"{self.metric}: kinds",
                omitted=rest(len(kinds)),
            )
        changes = self.transitions
        rows: list[tuple[Cell, ...]] = [
            (*(NOTHING if x is None else x for x in (t.a, t.b)), t.count, t.count / self.different)
            for t in changes[:limit]
        ]
        # A label beside itself.
        moved = any(t.a == t.b for t in changes[:limit])
        yield Table(
            (*map(Column, SIDES), *numbers),
            tuple(rows),
            title=f"{self.metric}: labels of A and B where they differ",
            keys=2,
            omitted=rest(len(changes)),
            note=f"same label: different {family(self.layer).place}" if moved else "",
        )
        labels = [row for row in self.labels if not row.a == row.b == row.same]
        even = len(self.labels) - len(labels)
        yield Table(
            (Column("label"), *(Column(name, kind="count") for name in (*SIDES, SAME))),
            tuple(labels[:limit]),
            title=f"{self.metric}: labels",
            omitted=rest(len(labels)),
            note=f"{counted(even, 'label')} without differences left out" if even else "",
        )

    def __repr__(self) -> str:
        return f"<{self.metric}: {self.different:,} of {self.items:,} differ>"


@dataclass(frozen=True)
class DiffLook(LongLook):
    """How much is shown: rows of a table, and differences of each metric where there are any."""

    limit: int | None = option(
        None, f"Rows per table, 0 for all. Default: {SHOWN} in text, all in other formats.",
        kind=int, metavar="N", least=0,
    )  # fmt: skip
    examples: int | None = None


@dataclass(frozen=True, eq=False)
class Difference(Output):
    """Where two annotations of one text differ.

    - `a`, `b`: their names; `layers`: one for each metric
    - `instances`: differences in their sentences, if wanted; the `gold` side of each is A
    - `is_gate`: is it a failure if the two differ? `regrouped`: the same by further keys
    - `scores`: the value of B where A plays gold, by metric
    """

    a: str
    b: str
    layers: tuple[LayerDifference, ...]
    units: int
    tokens: int | None
    by: str | None = None
    instances: tuple[Instance, ...] | None = None
    notes: tuple[str, ...] = ()
    version: str = field(default=__version__)
    is_gate: bool = False
    regrouped: tuple[Difference, ...] = ()
    scores: tuple[SideScore, ...] = ()

    look = DiffLook
    no_figures = "differences are shown as tables only, not as SVG"

    @property
    def metrics(self) -> list[str]:
        """The metrics, in order."""
        return [layer.metric for layer in self.layers]

    def __getitem__(self, metric: str) -> LayerDifference:
        for layer in self.layers:
            if layer.metric == metric:
                return layer
        raise UsageError(
            f"nothing was compared by '{metric}'.{suggestion(metric, self.metrics)}",
            help=f"compared: {', '.join(self.metrics)}",
        )

    @property
    def layer(self) -> LayerDifference:
        """The only one."""
        if len(self.layers) != 1:
            raise UsageError(
                f"there are {len(self.layers)} layers; choose one: difference['METRIC']",
                help=f"compared: {', '.join(self.metrics)}",
            )
        return self.layers[0]

    @property
    def is_different(self) -> bool:
        """Do the two differ anywhere, also in sentences that could not be compared?"""
        return self._uncompared > 0 or any(layer.different for layer in self.layers)

    @property
    def _uncompared(self) -> int:
        """How many sentences only one of the two has, or has with other words."""
        counts = [layer.coverage for layer in self.layers]
        return max((c.get("left_out", 0) + c.get("ignored", 0) for c in counts), default=0)

    def to_dict(self) -> dict[str, Any]:
        """The JSON output of `tertium diff` (docs/verbs/diff.md)."""
        return {
            "tertium": self.version,
            "a": self.a,
            "b": self.b,
            "units": self.units,
            "tokens": self.tokens,
            **({"by": self.by} if self.by else {}),
            "layers": [layer.to_dict() for layer in self.layers],
            "scores": [score.to_dict() for score in self.scores],
            **({"also_by": [each._groups() for each in self.regrouped]} if self.regrouped else {}),
            **(
                {}
                if self.instances is None
                else {"examples": [each.of_sides() for each in self.instances]}
            ),
            **({"notes": list(self.notes)} if self.notes else {}),
        }

    def _groups(self) -> dict[str, Any]:
        """An entry of `also_by`."""
        layers = (layer.to_dict() for layer in self.layers)
        return {"by": self.by, "layers": picked(layers, "metric", "groups")}

    def __repr__(self) -> str:
        found = "; ".join(repr(layer).strip("<>") for layer in self.layers)
        return f"<{self.a} and {self.b}: {found}>"

    @property
    def title(self) -> str:
        """The two sides."""
        return " and ".join(self._names)

    @property
    def _names(self) -> tuple[str, str]:
        """The sides without the endings of their files."""
        short = short_names((self.a, self.b))
        return short[self.a], short[self.b]

    @property
    def metric_names(self) -> dict[str, str]:
        """What tables call the metrics, by their texts."""
        return headers_of(self.metrics)

    def in_short(self) -> str:
        """On how many items the two differ under the main metric."""
        if not self.layers:
            return ""
        layer = self[main_metric(self.metrics)]
        if not layer.items:
            return f"There is nothing to compare by {layer.metric}"
        if not any(each.different for each in self.layers):
            where = " in the sentences compared" if self._uncompared else ""
            return f"{self.title} are the same by {listed(self.metrics)}{where}"
        share, items = number(layer.agreement or 0.0), counted(layer.items, layer.item)
        text = f"{self.title} agree on {share}% of {items} by {layer.metric}"
        return f"{text}: {counted(layer.different, 'difference')}" if layer.different else text

    def select(self, look: DiffLook) -> Difference:
        """With the first differences of each metric."""
        if look.examples is None:
            return self
        if look.examples < 0:
            raise UsageError(f"examples must not be negative. Got {look.examples} instead.")
        if self.instances is None:
            raise UsageError(
                "there are no sentences to show examples from", help="diff with examples=True"
            )
        by_metric = groupby(self.instances, lambda each: each.metric)
        first = [each for _, those in by_metric for each in islice(those, look.examples or None)]
        return replace(self, instances=tuple(first))

    def blocks(self, look: DiffLook) -> list[Block]:
        """A table of all layers, tables of kinds, changes and labels, and what a reader must know.
        Differences come first in text, in their sentences, and are a table elsewhere."""
        is_text = look.is_text
        limit = look.usual(SHOWN) if look.limit is None else look.limit or None
        examples = self.instances or ()
        shown = example_blocks(examples if is_text else (), sides=SIDES, names=SIDES)
        blocks: list[Block] = [*shown]
        blocks += [each._overview() for each in (self, *self.regrouped) if each.layers]
        blocks += [score_table(self.scores)] if self.scores else []
        for layer in self.layers:
            blocks += layer.tables(limit, is_text=is_text)
        if examples and not is_text:
            first = "metric" if len({each.metric for each in examples}) > 1 else ""
            blocks.append(
                instance_table(examples, first=first, kind="kind", sides=SIDES, title="Differences")
            )
        sizes = {layer.unit: layer.sentences for layer in self.layers}
        blocks.append(Text(sizes_text(sizes, self.units, self.tokens)))
        coverage = system_coverage({layer.metric: layer.coverage for layer in self.layers})
        blocks += [Text(line, role="coverage") for line in coverage]
        blocks += [Text(note) for note in self.notes]
        return [*blocks, *signatures_of([*self.layers, *self.scores])]

    def _overview(self) -> Table:
        """One row a metric, or with `--by` one row a group of it."""
        grouped = any(layer.groups for layer in self.layers)
        columns = [Column("metric"), *([Column(self.by or "group")] if grouped else [])]
        items = common_noun(layer.item for layer in self.layers)
        columns += [Column(name, kind="count") for name in (items, "different")]
        columns += [Column(name, kind="percent") for name in ("diff", "agreement")]
        units = common_noun(layer.unit for layer in self.layers)
        columns += [Column(name, units, "count") for name in ("same", "all")]
        rows: list[tuple[Cell, ...]] = []
        for layer in self.layers:
            whole: list[Cell] = ["all"] if grouped else []
            rows.append((layer.metric, *whole, *layer.whole.cells))
            rows += [(layer.metric, name, *each.cells) for name, each in layer.groups.items()]
        a, b = self._names
        return Table(tuple(columns), tuple(rows), title=f"{a} (A) and {b} (B)", keys=1 + grouped)

    def check(self) -> None:
        """Raise GateError if the two differ and must not."""
        if self.is_gate and self.is_different:
            counts = [f"{each.different:,} by {each.metric}" for each in self.layers]
            if self._uncompared:
                counts.append(f"{counted(self._uncompared, 'sentence')} not compared")
            raise GateError(f"{self.title} differ: {', '.join(counts)}")
