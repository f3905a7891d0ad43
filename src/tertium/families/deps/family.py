"""Dependency trees, and what stands beside them in CoNLL-U; and groups by properties of arcs:
relation, distance, direction, depth, projectivity."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from tertium.align.tokens import Alignment, align
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int64, Labels, Names
from tertium.corpus.layers import Arcs
from tertium.exceptions import UsageError
from tertium.families.ballots import Ballot
from tertium.families.base import Metric
from tertium.families.deps.base import DepsMetric
from tertium.families.deps.tags import UFeats
from tertium.families.deps.vote import ArcBallot
from tertium.families.deps.words import has_universal_features, token_heads
from tertium.families.family import Family, Use
from tertium.families.keys import NONE, BucketKey, Key, bucket_names, named_groups
from tertium.families.tags import TagBallot
from tertium.formats.resources import Lexicon
from tertium.results.items import Items
from tertium.results.parts import ErrorType

_UNSPECIFIED = "_"


class ArcKey(Key):
    """What the properties of arcs share."""

    column = "deps"
    what = "dependency trees"
    family = "deps"

    def has(self, corpus: Corpus) -> bool:
        """Are there trees?"""
        return isinstance(corpus.layers.get(self.column), Arcs)

    def heads(self, corpus: Corpus) -> Int64:
        """Heads that point into their sentence; all others are none."""
        size = np.repeat(np.diff(corpus.offsets), np.diff(corpus.offsets))
        head = corpus.layer(self.column, Arcs).head.astype(np.int64)
        return np.where(head > size, -1, head)


@dataclass(frozen=True)
class RelationKey(ArcKey):
    """The relation, without its subtype unless `full`."""

    name = "deprel"

    full: bool = False

    @classmethod
    def parse(cls, text: str, argument: str | None, lexicon: Lexicon | None) -> Self:
        """`deprel:full` keeps subtypes."""
        if argument not in (None, "full"):
            raise UsageError(f"there is no key '{text}'; write deprel or deprel:full")
        return cls(text, argument == "full")

    def of_words(self, corpus: Corpus) -> Labels:
        """Words without a head have no relation."""
        labels, head = corpus.layer(self.column, Arcs).label, self.heads(corpus)
        cut = {n: n if self.full else n.split(":")[0] for n in labels.names}
        renamed = labels.rename({**cut, _UNSPECIFIED: NONE})
        if not (head < 0).any():
            return renamed
        names = dict.fromkeys([*renamed.names, NONE])
        place = [*names].index(NONE)
        return Labels(Names.of(names), np.where(head < 0, place, renamed.codes).astype(np.int32))


@dataclass(frozen=True)
class DistanceKey(ArcKey, BucketKey):
    """How far a word is from its head."""

    name = "distance"
    usual = (1, 2, 6)

    @property
    def names(self) -> list[str]:
        """The root first."""
        return ["root", *bucket_names(self.edges)]

    def of_words(self, corpus: Corpus) -> Labels:
        """In words."""
        head = self.heads(corpus)
        codes = np.searchsorted(self.edges, np.abs(_places(corpus) - head)) + 1
        codes[head == 0] = 0
        codes[head < 0] = -1
        return named_groups(self.names, codes)


@dataclass(frozen=True)
class DirectionKey(ArcKey):
    """On which side of its head a word stands."""

    name = "direction"
    known = ("left", "right", "root")

    def of_words(self, corpus: Corpus) -> Labels:
        """By the head's place."""
        head = self.heads(corpus)
        codes = np.where(_places(corpus) < head, 0, 1)
        codes[head == 0] = 2
        codes[head < 0] = -1
        return named_groups(self.names, codes)


@dataclass(frozen=True)
class DepthKey(ArcKey, BucketKey):
    """Arcs from a word up to the root."""

    name = "depth"
    usual = (1, 2, 3, 6)

    def of_words(self, corpus: Corpus) -> Labels:
        """None for words that no chain of heads leads to the root."""
        head, words = self.heads(corpus), corpus.token_count
        root, nowhere = words, words + 1
        first = np.arange(words) - _places(corpus)  # the number before that of the sentence's first
        above = np.where(head > 0, first + head, np.where(head == 0, root, nowhere))
        above = np.append(above, [root, nowhere])
        depth = np.append(np.ones(words, np.int64), [0, 0])
        # Twice as many arcs up each time: no way to the root is longer than its sentence.
        for _ in range(int(np.diff(corpus.offsets).max(initial=0)).bit_length()):
            depth, above = depth + depth[above], above[above]
            if not (above < words).any():
                break
        codes = np.where(above == root, np.searchsorted(self.edges, depth), -1)
        return named_groups(self.names, codes[:words])


@dataclass(frozen=True)
class ProjectivityKey(ArcKey):
    """Are all words between a word and its head below the head?"""

    name = "projectivity"
    known = ("projective", "non-projective")

    def of_words(self, corpus: Corpus) -> Labels:
        """None for words on a cycle."""
        from tertium.families.deps._kernels import projective

        verdict = projective(self.heads(corpus), corpus.offsets)
        return named_groups(self.names, np.where(verdict < 0, -1, 1 - verdict))


def _places(corpus: Corpus) -> Int64:
    """The number of every word in its sentence, counted from 1."""
    before = np.repeat(corpus.offsets[:-1], np.diff(corpus.offsets))
    return np.arange(1, corpus.token_count + 1) - before


@dataclass(frozen=True, repr=False)
class DependencyFamily(Family):
    """Words with their heads and relations."""

    id = "deps"
    title = "dependencies"
    reads = (Arcs,)
    metrics: ClassVar[Mapping[Use, tuple[str, ...]]] = {
        "score": ("deps.ufeats", "deps.uas", "deps.las"),
        "compare": ("deps.ufeats", "deps.uas", "deps.las"),
        "errors": ("deps.las",),
        "vote": ("deps.las",),
        "audit": (
            *("deps.las", "deps.uas", "deps.ls"),
            *("deps.clas", "deps.mlas", "deps.undirected", "deps.ned"),
        ),
    }
    beside = ("deps.ufeats", "deps.uas")
    types = (
        ErrorType("extra", "", "only B"),
        ErrorType("missing", "", "only A"),
        ErrorType("label"),
        ErrorType("attachment", "the head is wrong"),
        ErrorType("both", "head and relation are wrong"),
        ErrorType("unaligned"),
        # Where the system's head stands in the gold tree.
        ErrorType(":root", "the system has no head, or one for the root"),
        ErrorType(":sibling", "the system's head is below the right one"),
        ErrorType(":grandparent", "the system's head is the head of the right one"),
        ErrorType(":child", "the system's head is below the word itself"),
        ErrorType(":other", "the system's head is an unrelated word"),
    )
    keys = (RelationKey, DistanceKey, DirectionKey, DepthKey, ProjectivityKey)
    weight = "f1"
    place = "heads"

    def usual(self, gold: Corpus, use: Use) -> list[str]:
        """Features only where they are those of UD, but also without trees."""
        features, found = UFeats.id, super().usual(gold, use)
        if features not in self.metrics.get(use, ()) or not has_universal_features(gold):
            return [text for text in found if text != features]
        return [*dict.fromkeys([features, *found])]

    def align(self, gold: Corpus, system: Corpus, alignment: Alignment) -> Alignment:
        """Where tokens differ, only space characters (Unicode category Zs) are left out of the
        text, as in the UD evaluation: other white space counts."""
        if not alignment.loose:
            return alignment
        key = (DependencyFamily, "strict")
        known = alignment.derived.get(key)
        if known is None or known[0] is not gold or known[1] is not system:
            found = align(gold, system, method="characters", strict=True)
            known = gold, system, replace(found, peer=alignment.peer)
            alignment.derived[key] = known
        strict: Alignment = known[2]
        return strict

    def items(self, corpus: Corpus, name: str) -> Items:
        """The words with their heads, and relations as they are written."""
        return Items.of_tokens(corpus.layer(name, Arcs).label, token_heads(corpus))

    def vote(self, metric: Metric) -> Sequence[Ballot]:
        """Trees, and the tags that a metric looks at. Enhanced graphs have no vote."""
        if not isinstance(metric, DepsMetric):
            return ()
        return [
            ArcBallot(metric, name) if name == "deps" else TagBallot(metric, name)
            for name in sorted(metric.columns - {"enhanced"})
        ]
