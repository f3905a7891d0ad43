"""Coreference as a family: what is read, what is scored by default."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from tertium.corpus.corpus import Corpus
from tertium.corpus.layers import Chains, Layer
from tertium.exceptions import LayerError
from tertium.families.coref.arcs import ArcsAny, ArcsNom
from tertium.families.coref.chains import chain_layers, mention_items
from tertium.families.coref.detection import ENTITY_TYPES
from tertium.families.coref.figure import chain_figure
from tertium.families.coref.groups import MentionKey, tag_layers
from tertium.families.family import Family, Use
from tertium.results.figures import Figure
from tertium.results.items import Items
from tertium.results.parts import ErrorType
from tertium.results.scenes import Scene

_ARCS = (ArcsNom.id, ArcsAny.id)


@dataclass(frozen=True, repr=False)
class CorefFamily(Family):
    """Mentions in chains, one for each entity. Counts are per document."""

    id = "coref"
    title = "coreference chains"
    unit = "document"
    pairs = "documents"
    reads = (Chains,)
    metrics: ClassVar[Mapping[Use, tuple[str, ...]]] = {
        "score": ("coref.muc", "coref.b3", "coref.ceafe", "coref.conll", "coref.lea", *_ARCS),
        "compare": ("coref.conll", "coref.lea", *_ARCS),
        "errors": _ARCS,
        "audit": (
            *("coref.conll", "coref.muc", "coref.b3", "coref.ceafm", "coref.ceafe"),
            *("coref.blanc", "coref.lea", "coref.mentions", *_ARCS),
        ),
    }
    criteria = (ArcsAny.id, ArcsNom.id)
    types = (
        ErrorType("tp", "linked to a correct antecedent", "same"),
        ErrorType("fp", "linked, but without an antecedent in gold", "only B"),
        ErrorType("fn", "not linked", "only A"),
        ErrorType("wl", "linked to a wrong antecedent", "different antecedent"),
        ErrorType("tn", "correctly left unlinked"),
        ErrorType("missing", "", "only A"),
        ErrorType("extra", "", "only B"),
        *ENTITY_TYPES,
    )
    keys = (MentionKey,)
    share = "recall"
    place = "antecedents"

    def usual(self, gold: Corpus, use: Use) -> list[str]:
        """ARCS by nominal antecedents only where parts of speech tell what is nominal; where one
        criterion will do, the strictest that there is."""
        found = super().usual(gold, use)
        has_nouns = bool(tag_layers(gold))
        left = {ArcsAny.id} if has_nouns and use in ("score", "errors") else set()
        return [text for text in found if text not in (left if has_nouns else {ArcsNom.id})]

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

    def figure(self, scene: Scene) -> Figure:
        """Mentions as boxes, and links to them from their antecedents."""
        return chain_figure(scene)
