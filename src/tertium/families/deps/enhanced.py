"""Scores of enhanced graphs: ELAS and EULAS (IWPT 2020 and 2021 shared tasks)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus, once
from tertium.corpus.enhanced import enhanced_graph
from tertium.corpus.labels import Int64, Labels, unite
from tertium.families.base import Floats, citation
from tertium.families.deps.base import DepsMetric, without_aligned_accuracy
from tertium.families.deps.words import WordPairs
from tertium.registry import parameter
from tertium.results.columns import nobodys_partner
from tertium.results.decisions import NO_LABEL, Decisions, name_hashes
from tertium.results.items import NOWHERE, Items, of_partner
from tertium.results.parts import Part

ERRORS = ("none", "label", "attachment", "missing", "extra", "unaligned")


class WordEdges(NamedTuple):
    """The edges of enhanced graphs between words, in the order of the text, and how many lead from
    an empty node to a word, which are not among them. `head` is -1 for the root."""

    word: Int64
    head: Int64
    label: Labels
    left_out: int


@once
def word_edges(corpus: Corpus) -> WordEdges:
    """The edges of a corpus; none where it has no enhanced graphs, which only the rules of the UD
    tools let through."""
    if "enhanced" not in corpus.extras:
        return WordEdges(np.zeros(0, np.int64), np.zeros(0, np.int64), Labels.of([]), 0)
    graph, words = enhanced_graph(corpus), corpus.token_count
    place = np.append(graph.place, [-2, -1]).astype(np.int64)  # of source -2 and -1
    word, head = place[graph.target], place[graph.source]
    of_word = word < words
    kept = of_word & (head >= -1) & (head < words)
    left_out = int(of_word.sum() - kept.sum())
    if not kept.all():
        return WordEdges(word[kept], head[kept], graph.label.take(kept), left_out)
    return WordEdges(word, head, graph.label, left_out)


@dataclass(frozen=True, repr=False)
class ELAS(DepsMetric):
    """Labelled attachment score over the edges of enhanced graphs.

    An edge is right if word, head and relation are, subtypes and all steps of a path included.
    Edges from empty nodes are left out, as the UD tools do, and counted in the coverage. Edges are
    paired one to one; `compat='udtools'` counts every pair of equal edges, which makes a difference
    where edges are repeated.
    """

    id = "deps.elas"
    title = "labelled attachment score of enhanced graphs"
    display = "ELAS"
    item = "edge"
    columns = frozenset({"deps", "enhanced"})
    cite = citation("bouma-etal-2020-overview")

    compat: str | None = parameter(
        None, help="count duplicate edges as the UD tools do", choices=(None, "udtools")
    )

    @property
    def parts(self) -> tuple[Part, ...]:  # type: ignore[override]
        """The UD tools give no accuracy of aligned edges."""
        return without_aligned_accuracy(DepsMetric.parts) if self.compat else DepsMetric.parts

    def decide(self, gold: Corpus, system: Corpus, alignment: Alignment) -> Decisions:
        """One row per gold edge, and one per system edge that was not paired."""
        from tertium.families.deps._kernels import match_edges

        pair = WordPairs.of(gold, system, alignment)
        mine, yours = word_edges(gold), word_edges(system)
        names, (ours, theirs) = unite(self.relations(mine.label), self.relations(yours.label))
        head = pair.in_gold(yours.head)
        found, equal = match_edges(
            pair.partner,
            _bounds(mine, gold),
            mine.head,
            ours,
            _bounds(yours, system),
            head,
            theirs,
        )
        paired = found >= 0
        same_head = of_partner(head, found, NOWHERE) == mine.head
        right = paired & same_head & (of_partner(theirs, found, NO_LABEL) == ours)
        extra = nobodys_partner(found[paired], len(yours.word))
        aligned = pair.aligned[mine.word]
        wrong = np.where(same_head, 1, 2)
        error = np.where(right, 0, np.where(paired, wrong, np.where(aligned, 3, 5)))
        left = mine.left_out + yours.left_out
        units = alignment.units
        pairs = np.bincount(alignment.unit_of_gold, weights=equal, minlength=units)
        surplus: Floats = pairs.astype(np.float64) - np.bincount(
            alignment.unit_of_gold[mine.word[right]], minlength=units
        )

        def label() -> Int64:
            return name_hashes(names)[theirs]

        def identity() -> tuple[Int64, ...]:
            word = yours.word
            return alignment.system_start[word], alignment.system_end[word], head, label()

        return Decisions.of(
            self.items(gold),
            self.items(system),
            alignment,
            partner=found,
            right=right,
            extra=extra,
            error=(error, np.where(pair.met[yours.word[extra]] >= 0, 4, 5)),
            error_types=ERRORS,
            labels=(names, ours, theirs),
            answer=lambda: (head, label()),
            identity=identity,
            marks={"aligned": (aligned, False)},
            unit_counts={"surplus": surplus} if self.compat else {},
            coverage=lambda: {"edges_of_empty_nodes": left} if left else {},
        )

    def items(self, corpus: Corpus) -> Items:
        """Every edge: its word, relation and head."""
        edges = word_edges(corpus)
        start = edges.word.astype(np.int32)
        return Items(start, start + np.int32(1), self.relations(edges.label), second=edges.head)

    def relations(self, labels: Labels) -> Labels:
        """As they are written."""
        return labels


@dataclass(frozen=True, repr=False)
class EULAS(ELAS):
    """ELAS without subtypes: every step of a path is cut at its colon."""

    id = "deps.eulas"
    title = "labelled attachment score of enhanced graphs, no subtypes"
    display = "EULAS"

    def relations(self, labels: Labels) -> Labels:
        """Cut at the colon, step by step."""
        return labels.rename({n: _universal_path(n) for n in labels.names})


def _universal_path(path: str) -> str:
    """
    >>> _universal_path("conj:en>obl:voor")
    'conj>obl'
    """
    return ">".join(step.split(":", 1)[0] for step in path.split(">"))


def _bounds(edges: WordEdges, corpus: Corpus) -> Int64:
    """Where the edges of each word begin; they stand in the order of the text."""
    return np.searchsorted(edges.word, np.arange(corpus.token_count + 1)).astype(np.int64)
