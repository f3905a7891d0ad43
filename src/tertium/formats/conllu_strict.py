"""stub"""

from __future__ import annotations

from tertium.corpus.corpus import Corpus
from tertium.exceptions import Problem


def refusals(corpus: Corpus, *, several_roots_ok: bool = False) -> list[Problem]:
    """Stub."""
    return []
