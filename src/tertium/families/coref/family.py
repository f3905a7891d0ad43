"""Coreference as a family: what is read, what is scored by default."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from tertium.corpus.corpus import Corpus
from tertium.corpus.layers import Chains, Layer
from tertium.exceptions import LayerError
from tertium.families.coref.mentions import chain_layers, mention_items
from tertium.families.family import Family, Use
from tertium.results.items import Items
from tertium.results.parts import ErrorType


@dataclass(frozen=True, repr=False)
class CorefFamily(Family):
    """Mentions in chains, one for each entity. Counts are per document."""

    id = "coref"
    title = "coreference chains"
    unit = "document"
    pairs = "documents"
    reads = (Chains,)
    metrics: ClassVar[Mapping[Use, tuple[str, ...]]] = {
        "score": ("coref.muc", "coref.b3", "coref.ceafe", "coref.conll", "coref.lea"),
        "compare": ("coref.mentions", "coref.conll"),
        "errors": ("coref.mentions",),
        "audit": (
            "coref.conll",
            *(f"coref.{name}" for name in ("muc", "b3", "ceafm", "ceafe", "blanc", "lea")),
            "coref.mentions",
        ),
    }
    types = (ErrorType("missing", "", "only A"), ErrorType("extra", "", "only B"))
    share = "recall"
    place = "boundaries"

    def find(self, corpus: Corpus) -> list[str]:
        """Layers of chains, as such or written in another one."""
        return [*chain_layers(corpus)]

    def layer(self, corpus: Corpus, name: str) -> Layer:
        """A layer of chains, wherever it is written."""
        found = chain_layers(corpus).get(name)
        if found is None:
            raise LayerError(f"{corpus.origin} has no {self.title} '{name}'")
        return found

    def items(self, corpus: Corpus, name: str) -> Items:
        """Every mention, labelled with the type of its entity."""
        self.layer(corpus, name)
        return mention_items(corpus)
