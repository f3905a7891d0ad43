"""CorefUD."""

from __future__ import annotations

from tertium.corpus.corpus import Corpus, once
from tertium.corpus.layers import Chains


@once
def entity_chains(corpus: Corpus) -> Chains | None:
    found = corpus.layers.get("coref")
    return found if isinstance(found, Chains) else None
