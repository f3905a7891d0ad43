"""Dependency trees, and what stands beside them in CoNLL-U."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from tertium.corpus.corpus import Corpus
from tertium.corpus.layers import Arcs
from tertium.families.ballots import Ballot
from tertium.families.base import Metric
from tertium.families.deps.base import DepsMetric
from tertium.families.deps.keys import (
    DepthKey,
    DirectionKey,
    DistanceKey,
    ProjectivityKey,
    RelationKey,
)
from tertium.families.deps.vote import TreeBallot
from tertium.families.deps.words import token_heads
from tertium.families.family import Family, Verb
from tertium.families.tags import TagBallot
from tertium.results.items import Items
from tertium.results.parts import ErrorType


@dataclass(frozen=True, repr=False)
class DependencyFamily(Family):
    """Words with their heads and relations."""

    id = "deps"
    title = "dependencies"
    reads = (Arcs,)
    metrics: ClassVar[Mapping[Verb, tuple[str, ...]]] = {
        "score": ("deps.uas", "deps.las", "deps.ls"),
        "compare": ("deps.uas", "deps.las", "deps.ls"),
        "errors": ("deps.las",),
        "audit": (
            *("deps.las", "deps.uas", "deps.ls"),
            *("deps.clas", "deps.mlas", "deps.undirected", "deps.ned"),
        ),
    }
    beside = ("deps.uas", "deps.ls")
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
        ErrorType(":other", "the system's head is another word"),
    )
    keys = (RelationKey, DistanceKey, DirectionKey, DepthKey, ProjectivityKey)
    weight = "f1"
    place = "heads"

    def items(self, corpus: Corpus, name: str) -> Items:
        """The words with their heads, and relations as they are written."""
        return Items.of_tokens(corpus.layer(name, Arcs).label, token_heads(corpus))

    def vote(self, metric: Metric) -> Sequence[Ballot]:
        """Trees, and the tags that a metric looks at. Enhanced graphs have no vote."""
        if not isinstance(metric, DepsMetric):
            return ()
        return [
            TreeBallot(metric, name) if name == "deps" else TagBallot(metric, name)
            for name in sorted(metric.columns - {"enhanced"})
        ]
