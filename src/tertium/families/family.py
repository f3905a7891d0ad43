"""Families: everything that is true of one kind of annotation (docs/design.md); and conventions:
the ways in which the field counts the same annotation, and where they part."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal, cast

from tertium import registry
from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels
from tertium.corpus.layers import Arcs, Chains, Layer
from tertium.exceptions import LayerError, UsageError
from tertium.families.base import Metric, column_fact, has_items, make
from tertium.families.sets import known_metric, plain
from tertium.registry import Plugin
from tertium.results.figures import Figure, figure_of
from tertium.results.items import Items
from tertium.results.parts import ErrorType
from tertium.results.scenes import Scene
from tertium.results.stats import UnitKind

if TYPE_CHECKING:
    from tertium.families.ballots import Ballot
    from tertium.families.keys import Key

MOST_PLACES = 20_000  # in one file: a file that is read in quite another way parts everywhere
Use = Literal["score", "compare", "errors", "audit", "train", "vote"]


@dataclass(frozen=True)
class Convention:
    """A way of counting: which metric it is, and which of its parts and counts.

    `reading` is the name of its own way to read what is written: that is where conventions may
    part. Empty where it reads as another one does.
    """

    name: str
    metric: str
    counts: tuple[str, str, str] = ("correct", "gold", "system")
    prefix: str = ""
    reading: str = ""


@dataclass(frozen=True)
class Parting:
    """A sequence of tags that is not the same to everybody.

    - `tags`: the sequence, with a neighbour at each side where there is one
    - `readings`: what each convention makes of it, such as `PER 2-3`; "nothing" for no item.
      Numbers count the tags that are shown
    - `count`: how often it occurs; `where`: its first place, as file, line and sentence
    """

    file: str
    tags: tuple[str, ...]
    readings: Mapping[str, str]
    count: int
    where: str

    def to_dict(self) -> dict[str, Any]:
        """The entry in `partings` of the JSON output."""
        return {
            "tags": list(self.tags),
            "count": self.count,
            "readings": dict(self.readings),
            "file": self.file,
            "where": self.where,
        }


@dataclass(frozen=True)
class ConventionSet:
    """The conventions of a family.

    - `written`: what sequences consist of that are read differently, in the plural
    - `partings`: where readings of a file part, given the metrics that read, by the names of their
      readings; None for a file that leaves nothing to be read
    """

    every: tuple[Convention, ...]
    written: str
    partings: Callable[[Corpus, Mapping[str, Metric]], list[Parting] | None]


@dataclass(frozen=True, repr=False)
class Family(Plugin):
    """A kind of annotation: what it reads, its items, its usual metrics, its pictures.

    - `title`: what it is called in messages, in the plural
    - `unit`: what counts are per and what is resampled, "sentence" or "document"
    - `pairs`: how two sides find each other: "text" by the running text, which must be the same,
      "sentences" by id or else by number, where a sentence with other words is lost and all others
      are judged (`align/sentences.py`; the unit is then the sentence), "documents" by name or else
      in order, where a document that the system lacks is an empty one and an extra one is ignored
      (`align/documents.py`; the unit is then the document)
    - `reads`: the layer classes it starts from
    - `metrics`: ids of the metrics that a verb uses where none is named, for each layer that is
      found; `errors` and `vote` take the first, `audit` has the usual one first. `beside` are
      those that `compare` only scores, as `id(column)` if only those of columns that a metric would
      not choose by itself
    - `criteria`: ids of metrics that judge the same items by looser and by stricter criteria:
      `compare` shows how much systems differ under each of them in one table
    - `types`: its error types in the order of tables
    - `keys`: by what its items can be grouped (`--by`)
    - `conventions`: the ways in which the field counts it (`--conventions`)
    - `weight`: the part of a metric that says how far a system is to be trusted in a vote
    - `lacking`: what a system may lack although it has the layer
    - `share`: what the share of gold items that are right is called where systems add none:
      "accuracy" of items that are given, such as tokens, "recall" of items that are to be found
    - `place`: in what two items of the same label can differ, in the plural
    - `layout`: "nested" if its items are constituents, which lie in each other and are drawn as
      trees; not those of metrics that judge words or words with heads
    """

    title: ClassVar[str]
    unit: ClassVar[UnitKind] = "sentence"
    pairs: ClassVar[Literal["text", "sentences", "documents"]] = "text"
    reads: ClassVar[tuple[type[Layer], ...]] = ()
    metrics: ClassVar[Mapping[Use, tuple[str, ...]]] = {}
    beside: ClassVar[tuple[str, ...]] = ()
    criteria: ClassVar[tuple[str, ...]] = ()
    types: ClassVar[tuple[ErrorType, ...]] = ()
    keys: ClassVar[tuple[type[Key], ...]] = ()
    conventions: ClassVar[ConventionSet | None] = None
    weight: ClassVar[str] = "precision"
    lacking: ClassVar[str] = ""
    share: ClassVar[Literal["accuracy", "recall"]] = "accuracy"
    place: ClassVar[str] = "places"
    layout: ClassVar[Literal["flat", "nested"]] = "flat"

    def find(self, corpus: Corpus) -> list[str]:
        """Names of the layers that it can judge, the usual one first."""
        return [name for name, layer in corpus.layers.items() if isinstance(layer, self.reads)]

    def usual(self, gold: Corpus, use: Use) -> list[str]:
        """Texts of the metrics that a verb uses for a gold standard where none is named."""
        return [
            text
            for name in self.find(gold)
            for metric in self.metrics.get(use, ())
            for text in fitting(metric, name, gold)
        ]

    def layer(self, corpus: Corpus, name: str) -> Layer:
        """A layer as its metrics see it: as it was read, or derived from that."""
        found = corpus.layers.get(name)
        if not isinstance(found, self.reads):
            raise LayerError(f"{corpus.origin} has no {self.title} '{name}'")
        return found

    def items(self, corpus: Corpus, name: str) -> Items:
        """The items of a layer, whole: what pictures show."""
        raise UsageError(f"{self.title} have no items")

    def relabel(self, layer: Layer, names: Mapping[str, str]) -> Layer | None:
        """The layer with other names for some labels (`names.get` is asked for each label): of its
        field `label` or `labels` or, if there is none, of all fields that hold labels. None for a
        layer that the family does not read."""
        if not isinstance(layer, self.reads):
            return None
        held = [f.name for f in fields(layer) if isinstance(getattr(layer, f.name), Labels)]
        chosen = [name for name in held if name in ("label", "labels")] or held
        columns: dict[str, Any] = {name: getattr(layer, name).rename(names) for name in chosen}
        return replace(layer, **columns)

    def align(self, gold: Corpus, system: Corpus, alignment: Alignment) -> Alignment:
        """How two sides lie over each other, where tokens do not say it all."""
        return alignment

    def vote(self, metric: Metric) -> Sequence[Ballot]:
        """The layers that a metric judges and on which systems can vote; none by default."""
        return ()

    def figure(self, scene: Scene) -> Figure:
        """What is drawn of a scene: by default a link for each item with a second anchor and a box
        for any other."""
        return figure_of(scene)


def families() -> list[Family]:
    """Everything registered, in order."""
    return [family(name) for name in registry.names("families")]


def family(name: str) -> Family:
    """The family of that id."""
    return cast(Family, registry.get("families", name)())


def family_of(metric: Metric) -> Family:
    """The family that a metric belongs to."""
    return family(metric.family)


def whole_items(metric: Metric, corpus: Corpus, items: Items | None = None) -> Items:
    """The items of a metric as pictures show them: those of its family where they are the same but
    for their labels, which a metric may have cut. `items` are those that it decided about."""
    items = metric.items(corpus) if items is None else items
    try:
        whole = Metric.items(metric, corpus)
    except (LayerError, UsageError):
        return items
    return whole if items.is_over(whole) else items


def default_metrics(gold: Corpus) -> tuple[Metric, ...]:
    """What is scored when no metric is named: every layer of the gold standard. What no system has
    is dropped from the results later."""
    return _usual(gold, "score")


def error_metrics(gold: Corpus) -> tuple[Metric, ...]:
    """Whose errors are listed when no metric is named: the first of these that a system has a layer
    for. Families that are registered later come first: what is annotated on top of words and tags
    is what a file is about."""
    return _usual(gold, "errors")


def compared_metrics(gold: Corpus) -> tuple[Metric, ...]:
    """What systems are compared by when no metric is named, with those that are only scored
    (`is_compared`)."""
    return _usual(gold, "compare")


def trainer_metrics(gold: Corpus) -> tuple[Metric, ...]:
    """What is worth watching while a model is trained."""
    return _usual(gold, "train")


def audited_metrics(gold: Corpus) -> tuple[Metric, ...]:
    """All that somebody might report of two systems: of each layer the usual metric first, then
    others that fit it. The order of families is that of `error_metrics`."""
    return _usual(gold, "audit")


def voted_metrics(corpus: Corpus) -> tuple[Metric, ...]:
    """On whose items annotators vote when no metric is named: the first of these. The order of
    families is that of `error_metrics`."""
    return _usual(corpus, "vote")


def is_compared(metric: Metric, *, named: bool) -> bool:
    """Are systems compared item by item under this metric, or only scored?"""
    names = {metric.id, f"{metric.id}(column)" if metric.parameters().get("column") else ""}
    return has_items(metric) and (named or not names & {*family_of(metric).beside})


def prominence(metric: Metric) -> int:
    """How far a metric is what a file is judged by, where only one can be named: families that are
    registered later come first, in each its usual metric."""
    is_usual = plain(metric).id in family_of(metric).metrics.get("audit", ())[:1]
    return 2 * registry.names("families").index(metric.family) + is_usual


def why_not_scored(metric: Metric, what: str) -> str:
    """Why something is classified by a metric that `score` does not show where none is named; empty
    if it does."""
    usual = family_of(metric).metrics.get("score", ())
    if is_scored(metric) or not usual:
        return ""
    return (
        f"{what} are classified by {metric.id}; 'tertium score' reports {usual[0]}, whose counts "
        "differ"
    )


def main_metric(texts: Sequence[str]) -> str:
    """The most prominent of some metrics, the first of equals; unknown ones come last."""
    known = {text: metric for text in texts if (metric := known_metric(text)) is not None}
    return max(texts, key=lambda text: prominence(known[text]) if text in known else -1)


def is_about_chains(gold: Corpus) -> bool:
    """Is a file one of coreference chains? Then tags, trees and names in it belong to the text that
    systems were given, and are judged only if somebody names them. Files with dependencies are
    about all that they hold."""
    return bool(gold.of_kind(Chains)) and not gold.of_kind(Arcs)


def for_results(metric: Metric) -> dict[str, Any]:
    """What a result must know of the family of its metric."""
    of = family_of(metric)
    told = {"types": of.types, "share": of.share, "lacking": of.lacking}
    return {**told, "prominence": prominence(metric)}


def is_scored(metric: Metric) -> bool:
    """Is it one that `score` shows where none is named?"""
    return metric.id in family_of(metric).metrics.get("score", ())


def fitting(metric: str, name: str, gold: Corpus) -> list[str]:
    """The text of a metric of one layer, with the column only where it is not the one that the
    metric would choose; nothing if a metric that has no choice does not fit."""
    made = make(metric)
    try:
        is_default = column_fact(name) <= made.facts(gold)
    except LayerError:
        is_default = False
        if "column" not in made.parameters():
            return []
    has_choice = "column" in made.parameters() and not is_default
    return [f"{metric}(column='{name}')" if has_choice else metric]


def _usual(gold: Corpus, use: Use) -> tuple[Metric, ...]:
    every = reversed(families()) if use in ("errors", "audit", "vote") else families()
    texts = dict.fromkeys(text for each in every for text in each.usual(gold, use))
    if not texts:
        there = ", ".join(gold.layers) or "none"
        unread = [each.message for each in gold.problems if each.kind in ("unread", "partial")]
        what = "annotators can vote on" if use == "vote" else "can be scored"
        named = "'--metric' can name a metric of one of these" if gold.layers else ""
        if use == "vote":
            named = "annotators vote on tags, spans and dependencies; '--metric' names one of these"
        raise LayerError(
            f"{gold.origin} has no layer that {what} (layers: {there})",
            help="; ".join(unread[:2]) or named or "'--columns' names the columns of a file",
        )
    return tuple(make(text) for text in texts)
