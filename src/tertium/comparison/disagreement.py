"""Two annotations of one text, neither of which is gold: where they differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tertium._version import __version__
from tertium.comparison.errors.instances import Context, Instance
from tertium.comparison.pairs import Transition, share, transition_order
from tertium.exceptions import UsageError, suggestion
from tertium.results.stats import UnitKind
from tertium.signature import Signature

SAME, ONLY_A, ONLY_B = "same", "only A", "only B"
NOTHING = "there is nothing to compare"  # why a share is undefined


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

    def to_dict(self, unit: UnitKind = "sentence") -> dict[str, Any]:
        """The entry in `groups` of the JSON output."""
        sentences = {"all": self.sentences, "same": self.same_sentences}
        return {
            "items": self.items,
            "different": self.different,
            "diff": self.diff,
            **({} if self.sentences is None else {f"{unit}s": sentences}),
            **({} if self.items else {"reason": NOTHING}),
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
            **({} if self.items else {"reason": NOTHING}),
        }

    def __repr__(self) -> str:
        return f"<{self.metric}: {self.different:,} of {self.items:,} differ>"


@dataclass(frozen=True, eq=False)
class Difference:
    """Where two annotations of one text differ.

    - `a`, `b`: their names; `layers`: one for each metric
    - `instances`: differences in their sentences, where these were asked for; the `gold` side of
      each is A, the `system` side B
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
        """Do the two differ anywhere?"""
        return any(layer.different for layer in self.layers)

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
            **(
                {"examples": [instance_dict(each) for each in self.instances]}
                if self.instances is not None
                else {}
            ),
            **({"notes": list(self.notes)} if self.notes else {}),
        }

    def __repr__(self) -> str:
        found = "; ".join(repr(layer).strip("<>") for layer in self.layers)
        return f"<{self.a} and {self.b}: {found}>"


def instance_dict(instance: Instance) -> dict[str, Any]:
    """One difference in its sentence, for JSON."""
    return {
        "metric": instance.metric,
        "kind": instance.type,
        "sentence": instance.sentence,
        "file": instance.file,
        **({"document": instance.document} if instance.document is not None else {}),
        "a": instance.gold_item.to_dict() if instance.gold_item else None,
        "b": instance.system_item.to_dict() if instance.system_item else None,
        "context": None if instance.context.numbers else _context(instance.context),
    }


def _context(context: Context) -> dict[str, Any]:
    names = {"gold": "a", "system": "b", "gold_head": "a_head", "system_head": "b_head"}
    return {names.get(name, name): value for name, value in context.to_dict().items()}
