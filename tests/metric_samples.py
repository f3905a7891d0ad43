"""Metrics for tests of what is done with metrics of any kind."""

from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from pathlib import Path
from typing import ClassVar

import numpy as np

from tertium.align.sentences import pair_sentences
from tertium.align.tokens import Alignment, align
from tertium.align.units import by_document, sentences_of
from tertium.corpus.corpus import Corpus
from tertium.corpus.layers import FunctionTrees, Tags
from tertium.families.base import Floats, Metric, Scored, divide
from tertium.families.family import Use, family_of
from tertium.families.tags import Accuracy, TagFamily
from tertium.families.theories.conversion import function_trees
from tertium.formats.files import read_file
from tertium.registry import parameter
from tertium.results.parts import Count, Part
from tertium.results.stats import Stats, Totals

GOLDS = {
    "gold.conllu": "{}.conllu",
    "entities-gold.bio": "entities-{}.bio",
    "trees-gold.mrg": "trees-{}.mrg",
    "coref-gold.conll": "coref-{}.conll",
}
SYSTEMS = ("arbor", "breeze", "cedar")


@cache
def sample_of(metric: Metric) -> tuple[Corpus, ...]:
    """The sample that a metric can judge: gold and three systems."""
    folder = Path(str(resources.files("tertium") / "samples"))
    if family_of(metric).reads == (FunctionTrees,):  # made when a study of theories is read
        names = ("gold.conllu", *(f"{name}.conllu" for name in SYSTEMS))
        return tuple(_theory(read_file(str(folder / name))) for name in names)
    for gold, system in GOLDS.items():
        if family_of(metric).find(read_file(str(folder / gold))):
            names = (gold, *(system.format(name) for name in SYSTEMS))
            return tuple(read_file(str(folder / name)) for name in names)
    raise AssertionError(f"there is no sample for {metric!r}")


def _theory(corpus: Corpus) -> Corpus:
    """Function trees alone, paired by number."""
    return replace(corpus, layers={"dep": function_trees(corpus)}, extras={})


def aligned(metric: Metric, gold: Corpus, system: Corpus) -> Alignment:
    """How two sides with the same sentences lie over each other for a metric."""
    if family_of(metric).pairs == "sentences":
        found = pair_sentences(gold, system)[1]
    else:
        found = align(gold, system)
    if metric.unit == "document":
        found = by_document(found, gold)
    return metric.aligned(gold, system, found)


def units_of(metric: Metric, corpus: Corpus) -> list[np.ndarray]:
    """The sentences of each unit of a metric."""
    if metric.unit == "sentence":
        return [*np.arange(corpus.sentence_count)[:, None]]
    return [sentences_of(corpus, [n]) for n in range(corpus.document_count)]


@dataclass(frozen=True, repr=False)
class Lengths(Metric):
    """Share of sentences with as many tokens on both sides: no items at all."""

    id = "tokens.lengths"
    title = "lengths"
    family = "deps"
    parts = (Part("same", over="units"),)
    cite = "@misc{x}"
    headline = "same"
    shown = ("same",)
    counts = (Count("same"), Count("sentences"))

    def facts(self, corpus: Corpus) -> frozenset[str]:
        return frozenset()

    def measure(
        self, gold: Corpus, system: Corpus, alignment: Alignment, *, labels: bool = True
    ) -> Stats:
        sizes = np.bincount(alignment.unit_of_system, minlength=alignment.units)
        same = (sizes == np.diff(gold.offsets)).astype(float)
        return Stats(("same", "sentences"), np.column_stack([same, np.ones_like(same)]))

    def score(self, totals: Totals) -> Scored:
        return {"same": divide(totals["same"], totals["sentences"])}


@dataclass(frozen=True, repr=False)
class Documents(TagFamily):
    """Tags with documents as units; no verb takes them unless they are named."""

    id = "docs"
    title = "tags by document"
    unit = "document"
    metrics: ClassVar[dict[Use, tuple[str, ...]]] = {}


@dataclass(frozen=True, repr=False)
class DocumentTags(Accuracy):
    """F1 of tags with documents as units."""

    id = "docs.tags"
    title = "tags by document"
    family = "docs"
    headline = "f1"
    shown = ("precision", "recall", "f1")

    column: str | None = parameter("upos", help="name of the tag column")


@dataclass(frozen=True, repr=False)
class DocumentVerbs(Metric):
    """Share of documents with as many verbs on both sides: documents as units, and no items."""

    id = "docs.verbs"
    title = "verbs by document"
    family = "docs"
    parts = (Part("same", over="units"),)
    cite = "@misc{x}"
    headline = "same"
    shown = ("same",)
    counts = (Count("same"), Count("documents"))

    def needs(self) -> frozenset[str] | None:
        return frozenset({"upos"})

    def facts(self, corpus: Corpus) -> frozenset[str]:
        corpus.layer("upos", Tags)
        return frozenset()

    def measure(
        self, gold: Corpus, system: Corpus, alignment: Alignment, *, labels: bool = True
    ) -> Stats:
        verbs = []
        for corpus, unit in ((gold, alignment.unit_of_gold), (system, alignment.unit_of_system)):
            tags = np.array(corpus.layer("upos", Tags).labels.to_list())
            verbs.append(np.bincount(unit[tags == "VERB"], minlength=alignment.units))
        same = (verbs[0] == verbs[1]).astype(float)
        return Stats(("same", "documents"), np.column_stack([same, np.ones_like(same)]))

    def score(self, totals: Totals) -> Scored:
        return {"same": divide(totals["same"], totals["documents"])}


@dataclass(frozen=True, repr=False)
class Correlation(Accuracy):
    """A value from -1 to 1, such as MCC."""

    id = "toy.mcc"
    title = "correlation"
    headline = "mcc"
    shown = ("mcc",)
    parts = (Part("mcc", "value", (-1.0, 1.0)), *Accuracy.parts)

    def score(self, totals: Totals) -> Scored:
        found = super().score(totals)
        return {self.headline: self.number(totals, found["accuracy"]), **found}

    def number(self, totals: Totals, accuracy: Floats) -> Floats:
        return 2 * accuracy - 1


@dataclass(frozen=True, repr=False)
class Kappa(Correlation):
    """Corrected for chance."""

    id = "toy.kappa"
    title = "kappa"
    headline = "kappa"
    shown = ("kappa", "accuracy")
    parts = (Part("kappa", "value", (-1.0, 1.0)), *Accuracy.parts)

    def number(self, totals: Totals, accuracy: Floats) -> Floats:
        return (accuracy - 0.1) / 0.9


@dataclass(frozen=True, repr=False)
class Crossings(Correlation):
    """A mean per sentence of which less is better, such as crossing brackets."""

    id = "toy.crossings"
    title = "crossings"
    headline = "crossings"
    shown = ("crossings",)
    parts = (
        Part("crossings", "mean", (0.0, float("inf")), "lower", "units"),
        *Accuracy.parts,
    )

    def number(self, totals: Totals, accuracy: Floats) -> Floats:
        return divide(totals["items"] - totals["correct"], totals["sentences"])


@dataclass(frozen=True, repr=False)
class Likelihood(Correlation):
    """A sum below 0, such as a log-likelihood."""

    id = "toy.likelihood"
    title = "log-likelihood"
    headline = "likelihood"
    shown = ("likelihood",)
    parts = (Part("likelihood", "value", (-float("inf"), 0.0)), *Accuracy.parts)

    def number(self, totals: Totals, accuracy: Floats) -> Floats:
        return -31.7 * (totals["items"] - totals["correct"])


@dataclass(frozen=True, repr=False)
class Wrong(Correlation):
    """A count of which less is better."""

    id = "toy.wrong"
    title = "wrong tags"
    headline = "wrong"
    shown = ("wrong",)
    parts = (Part("wrong", "count", (0.0, float("inf")), "lower"), *Accuracy.parts)

    def number(self, totals: Totals, accuracy: Floats) -> Floats:
        return np.asarray(totals["items"] - totals["correct"], np.float64)


@dataclass(frozen=True, repr=False)
class Load(Correlation):
    """A number of which neither more nor less is better."""

    id = "toy.load"
    title = "load"
    headline = "load"
    shown = ("load",)
    parts = (Part("load", "mean", (0.0, float("inf")), "none"), *Accuracy.parts)

    def number(self, totals: Totals, accuracy: Floats) -> Floats:
        return divide(totals["correct"], totals["sentences"])


SCALES = (Correlation, Kappa, Crossings, Likelihood, Wrong, Load)
