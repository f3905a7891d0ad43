"""What a metric is (docs/design.md)."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from importlib import resources
from typing import ClassVar, Self, TypeVar, cast

import numpy as np
import numpy.typing as npt

from tertium import registry
from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels
from tertium.exceptions import LayerError, UsageError, suggestion
from tertium.formats.resources import Resource, load
from tertium.registry import Plugin
from tertium.results.decisions import Decisions
from tertium.results.items import Detail, Items
from tertium.results.parts import Count, Part
from tertium.results.stats import Stats, Totals, UnitKind, label_block

# Columns of which a file has several: one nameless column is not the answer to all of them.
FURTHER_COLUMNS = ("xpos", "feats", "lemma")
PARTS_OF_SPEECH = {"pos", "upos"}
_COLUMN, HAS = "column=", "has "  # before the name of a column in a fact

Floats = npt.NDArray[np.float64]
Scored = dict[str, Floats]
M = TypeVar("M", bound="Metric")


@dataclass(frozen=True, repr=False)
class Measure(Plugin):
    """Counts per unit and a formula over their sums: what scores, intervals and tables need.

    Its fields are its parameters, and its text parses back.

    - `parts`: its numbers; `headline` is the one that is its value, `shown` are those in tables,
      where a metric may also name counts
    - `display`: what tables call it, such as F1; by default its id
    """

    title: ClassVar[str]
    display: ClassVar[str] = ""
    parts: ClassVar[tuple[Part, ...]]
    headline: ClassVar[str]
    shown: ClassVar[tuple[str, ...]]
    cite: ClassVar[str]
    version: ClassVar[int] = 1

    @property
    def header(self) -> str:
        """What tables call it: not by the name of a metric that it was made from."""
        own = next(kind for kind in type(self).__mro__ if "id" in vars(kind))
        return str(vars(own).get("display", "")) or self.id

    @property
    def zero_because(self) -> str:
        """Why 0 divided by 0 is reported as 0, as by official scorers; empty if undefined."""
        return "because undefined='zero'" if self.parameters().get("undefined") == "zero" else ""

    @abstractmethod
    def score(self, totals: Totals) -> Scored:
        """The numbers from summed counts, for any leading axes; nan where undefined."""

    def label_scores(self, totals: Totals) -> Scored:
        """The numbers per label, last axis as `totals.labels`; empty without label counts. By
        default precision, recall and F1 from the counts of `with_labels`."""
        if "correct" not in totals.sparse:
            return {}
        return precision_recall_f1(*map(totals.label, ("correct", "gold", "system")))

    def reason(self, part: str, label: str | None = None) -> str:
        """Why a part is undefined, of everything or of a label."""
        over = next((p.over for p in self.parts if p.name == part), "both")
        if label is None:
            return {
                "gold": "the gold standard has nothing to score",
                "system": "the system has nothing to score",
            }.get(over or "", "there is nothing to score")
        return {
            "gold": "the gold standard never has this label",
            "system": "the system never has this label",
        }.get(over or "", "neither gold nor system has this label")


@dataclass(frozen=True, repr=False)
class Metric(Measure):
    """A measure of systems against a gold standard, of one family.

    Subclasses declare the class variables below and those of `Measure`, and give `decide`, `stats`
    and `score`; one without items of its own (a mean of others) gives `measure` and `score`.

    - `family`: the id of the kind of annotation that it judges
    - `counts`: the columns of its stats that are its counts in JSON; `shown_counts`: those that
      tables per label show, all if empty
    - `label_rows`: how rows give counts per label: "both" counts each side's items by its own
      label; "gold" counts a row under its gold label, for measures that ignore labels; "refilter"
      decides again on the items of each label, for which the measure overrides `measure`
    - `transitions`: what a change between two systems is shown as, `labels` or (error) `types`;
      `right_type`: what stands for right among the types, `silence` for a system that lacks what
      another one adds, as `tn` stands beside `fp`; without a name it is `none`
    - `named_by`: parameters that its name in tables depends on; they name no files
    - `item`: what its items are called; `details`: what it compares besides labels and anchors
    """

    family: ClassVar[str]
    counts: ClassVar[tuple[Count, ...]] = ()
    shown_counts: ClassVar[tuple[str, ...]] = ()
    transitions: ClassVar[str] = "labels"
    right_type: ClassVar[str] = "correct"
    silence: ClassVar[str] = ""
    details: ClassVar[tuple[Detail, ...]] = ()
    label_rows: ClassVar[str] = "both"
    named_by: ClassVar[tuple[str, ...]] = ("column",)
    item: ClassVar[str] = "item"

    @property
    def member(self) -> tuple[str, str] | None:
        """Of a metric that is one of a set, the set's text and its own name there."""
        return None

    @property
    def unit(self) -> UnitKind:
        """What counts are per and what is resampled, as the family says."""
        from tertium.families.family import family_of

        return family_of(self).unit

    def needs(self) -> frozenset[str] | None:
        """Names of the columns a reader must provide besides the forms, and of the optional checks
        it must make (`tertium.formats.base`); None for all columns."""
        return None

    def facts(self, corpus: Corpus) -> frozenset[str]:
        """What the metric notices about a file of either side: what `fit` and the signature need to
        know. Facts of several files are united.

        Raises LayerError where the file lacks the layer.
        """
        _layer_name(self, corpus)
        return frozenset()

    def fit(self, facts: frozenset[str]) -> Self:
        """The same metric with automatic parameters settled by facts about the gold standard; with
        no facts itself, unless all gold files must be known before one of them is judged."""
        return self

    def aligned(self, gold: Corpus, system: Corpus, alignment: Alignment) -> Alignment:
        """How the two sides lie over each other for this metric; an evaluation that has its own way
        of pairing, or that refuses some files, says so here."""
        return alignment

    def items(self, corpus: Corpus) -> Items:
        """The items of one side; `gold_row` and `system_row` of decisions are numbers of these. By
        default the family's usual ones."""
        from tertium.families.family import family_of

        return family_of(self).items(corpus, _layer_name(self, corpus))

    def decide(self, gold: Corpus, system: Corpus, alignment: Alignment) -> Decisions:
        """One row per item (docs/design.md, "Decisions")."""
        raise UsageError(f"{self!r} does not judge single items")

    def stats(self, decisions: Decisions, *, labels: bool = True) -> Stats:
        """Additive counts per unit; with `labels` also per label."""
        raise UsageError(f"{self!r} does not judge single items")

    def measure(
        self, gold: Corpus, system: Corpus, alignment: Alignment, *, labels: bool = True
    ) -> Stats:
        """The same counts without a detour over decisions, for measures that have no items, or
        whose counts per label are not sums over decisions."""
        return self.stats(self.decide(gold, system, alignment), labels=labels)

    def settings(self, facts: frozenset[str]) -> dict[str, object]:
        """What decides the number: parameters that are set (not None) and mean something, and what
        was settled from the facts."""
        values = self.parameters()
        return {
            f.name: value.name if isinstance(value, Resource) else value
            for f in fields(self)
            if (value := values[f.name]) is not None
            and values[f.metadata.get("needs") or f.name] is not None
        }

    def remarks(self, gold: Corpus, system: Corpus) -> list[str]:
        """What a reader should know about how this system was read; notes below the table."""
        return []


def _layer_name(metric: Metric, corpus: Corpus) -> str:
    """The layer that a metric looks at: its parameter `column`, or the first that its family finds.
    Raises LayerError if there is none."""
    from tertium.families.family import family_of

    family = family_of(metric)
    names, wanted = family.find(corpus), metric.parameters().get("column")
    if wanted is not None and wanted not in names:
        raise LayerError(f"{corpus.origin} has no {family.title} '{wanted}'")
    if not names:
        raise LayerError(
            f"{corpus.origin} has no {family.title} to score with {metric.id}",
            help="'tertium validate' shows what was read",
        )
    return str(wanted or names[0])


def has_items(metric: Metric) -> bool:
    """Does a metric judge single items? Others only count."""
    return type(metric).decide is not Metric.decide


def lacks(metric: Metric, corpus: Corpus) -> str | None:
    """Why a metric cannot judge a file, None if it can."""
    try:
        metric.facts(corpus)
    except LayerError as error:
        return error.written[0]
    return None


def part_of(measure: Measure, name: str | None = None) -> Part:
    """What a measure declares about one of its numbers, by default about its value."""
    name = name or measure.headline
    return next((part for part in measure.parts if part.name == name), Part(name))


def counterpart(corpus: Corpus, name: str, candidates: Sequence[str]) -> str:
    """The layer of a corpus that answers to the gold layer `name`.

    It is the one of that name, else the only candidate, provided that one of the two names only
    says that its format has no name for it: `upos` of CoNLL-U and `tag` of a file of two columns,
    or both are parts of speech.
    """
    if name in candidates:
        return name
    if len(candidates) == 1 and name not in FURTHER_COLUMNS:
        both = (name, candidates[0])
        if any(map(_is_generic, both)) or set(both) <= PARTS_OF_SPEECH:
            return candidates[0]
    there = f"It has: {', '.join(candidates)}.{suggestion(name, candidates)}" if candidates else ""
    raise LayerError(f"{corpus.origin} has no layer '{name}'. {there}".strip())


def column_fact(name: str) -> frozenset[str]:
    """What `facts` says about the column that a metric would choose in a file."""
    return frozenset({f"{_COLUMN}{name}"})


def with_column(metric: M, facts: frozenset[str]) -> M:
    """The metric with the column that it would choose in all files, unless it has one."""
    names = sorted(f.removeprefix(_COLUMN) for f in facts if f.startswith(_COLUMN))
    if not names or metric.parameters()["column"] is not None:
        return metric
    if len(names) > 1:
        raise LayerError(
            f"files differ in the column that {metric.id} would score: {', '.join(names)}",
            help=f"name it: {metric.id}(column='{names[0]}')",
        )
    return replace(metric, column=names[0])  # type: ignore[call-arg]


def _is_generic(name: str) -> bool:
    return name in ("tag", "spans") or (name.startswith("column") and name[6:].isdigit())


def column_remark(system: Corpus, name: str, candidates: Sequence[str]) -> list[str]:
    """A note where the layer that answers to `name` is called otherwise."""
    found = counterpart(system, name, candidates)
    if found == name:
        return []
    return [f"{system.origin}: column '{found}' is compared with '{name}'"]


def make(text: str | Metric) -> Metric:
    """A metric from its text, such as `deps.las(subtypes=True)`; files it names are read. The name
    of a set (`deps.ud`) gives a `MetricSet`; a set of one is that one."""
    from tertium.families.sets import MetricSet

    made: object = text
    if isinstance(text, Metric):
        return text
    if not isinstance(made, MetricSet):
        name, _ = registry.parse_call(text)
        parent, _, short = name.rpartition(".")
        if not registry.knows("metrics", name) and registry.knows("metrics", parent):
            whole = registry.build("metrics", text.replace(name, parent, 1), load=load)
            if isinstance(whole, MetricSet):
                return whole.pick(short)
        made = registry.build("metrics", text, load=load)
    if isinstance(made, MetricSet) and len(members := made.members()) == 1:
        (made,) = members.values()
    return cast(Metric, made)


def citation(*keys: str) -> str:
    """What to cite: entries of `citations.bib` by their keys."""
    return "\n\n".join(_bibliography()[key] for key in keys)


@cache
def _bibliography() -> dict[str, str]:
    text = (resources.files("tertium") / "families" / "citations.bib").read_text(encoding="utf-8")
    entries = text.strip().split("\n\n")
    return {entry.partition("{")[2].partition(",")[0]: entry for entry in entries}


def divide(numerator: npt.ArrayLike, denominator: npt.ArrayLike) -> Floats:
    """A quotient that is nan, without a warning, where the denominator is 0."""
    a, b = np.asarray(numerator, np.float64), np.asarray(denominator, np.float64)
    quotient: Floats = np.full(np.broadcast(a, b).shape, np.nan)
    np.divide(a, b, out=quotient, where=b != 0)
    return quotient


def f1(
    correct: npt.ArrayLike, gold: npt.ArrayLike, system: npt.ArrayLike, beta: float = 1
) -> Floats:
    """Harmonic mean of precision and recall from counts, arrays or not; F-beta with `beta`.

    Undefined (nan) when both sides are empty: there was nothing to find and nothing was claimed.

    >>> float(f1(3, gold=4, system=4)), float(f1(1, gold=4, system=1, beta=2))
    (0.75, 0.29411764705882354)
    """
    right, weight = np.asarray(correct, np.float64), beta * beta
    return divide((1 + weight) * right, weight * np.asarray(gold) + np.asarray(system))


def precision_recall_f1(
    correct: Floats, gold: Floats, system: Floats, *, prefix: str = "", beta: float = 1
) -> Scored:
    """The three numbers of the field."""
    return {
        f"{prefix}precision": divide(correct, system),
        f"{prefix}recall": divide(correct, gold),
        f"{prefix}f1": f1(correct, gold, system, beta),
    }


def columns_of(columns: Mapping[str, Floats]) -> tuple[tuple[str, ...], Floats]:
    """Named columns per unit as the dense block of Stats."""
    return tuple(columns), np.column_stack([*columns.values()])


def with_labels(
    stats: Stats,
    decisions: Decisions,
    label_rows: str = "both",
    correct: npt.NDArray[np.int32] | None = None,
) -> Stats:
    """Add correct, gold and system counts per label (see `Metric.label_rows`); `correct` are the
    labels under which right items count, where they are not those of gold."""
    in_gold = decisions.in_gold & (decisions.gold >= 0)
    by_gold = label_rows == "gold"
    system = decisions.gold if by_gold else decisions.system
    block = label_block(
        decisions.names,
        decisions.unit,
        {
            "correct": (
                decisions.gold if correct is None else correct,
                in_gold & decisions.right,
            ),
            "gold": (decisions.gold, in_gold),
            "system": (system, decisions.in_system & (system >= 0)),
        },
    )
    return Stats(stats.columns, stats.counts, *block)


def union(sets: Iterable[frozenset[str]]) -> frozenset[str]:
    """All members of several sets."""
    return frozenset().union(*sets)


def with_row_labels(
    stats: Stats, decisions: Decisions, rows: Mapping[str, npt.NDArray[np.bool_]]
) -> Stats:
    """Add counts of rows per label: that of gold, or of the system where gold has none."""
    label = np.where(decisions.in_gold, decisions.gold, decisions.system)
    columns = {name: (label, chosen) for name, chosen in rows.items()}
    block = label_block(decisions.names, decisions.unit, columns)
    return Stats(stats.columns, stats.counts, *block)


def which(labels: Labels, test: Callable[[str], bool]) -> npt.NDArray[np.bool_]:
    """Of which rows does the label pass a test?"""
    return np.array([*map(test, labels.names), False], np.bool_)[labels.codes]
