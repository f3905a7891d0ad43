"""A family whose sentences are paired one by one, for tests of what becomes of lost ones: spans in
columns, but a sentence with other words is left out or, with `missing='penalise'`, judged."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from plugins import registered
from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels
from tertium.corpus.layers import Comments, Tags
from tertium.families.family import Use
from tertium.families.spans.exact import F1
from tertium.families.spans.family import SpanFamily
from tertium.registry import parameter
from tertium.results.decisions import Decisions


@dataclass(frozen=True, repr=False)
class Loose(SpanFamily):
    """Spans, paired by sentences."""

    id = "loose"
    pairs = "sentences"
    metrics: ClassVar[Mapping[Use, tuple[str, ...]]] = dict.fromkeys(
        ("score", "compare", "errors", "audit"), ("loose.f1",)
    )


@dataclass(frozen=True, repr=False)
class LooseF1(F1):
    """Exact match."""

    id = "loose.f1"
    family = "loose"
    missing: str = parameter("skip", help="what becomes of lost sentences")

    def decide(self, gold: Corpus, system: Corpus, alignment: Alignment) -> Decisions:
        if self.missing == "penalise":
            alignment = replace(alignment, lost=None)
        return super().decide(gold, system, alignment)


@contextmanager
def loose_family() -> Iterator[None]:
    """With the family registered."""
    with registered(Loose, LooseF1):
        yield


def corpus(origin: str, *sentences: str) -> Corpus:
    """Sentences of words such as `Ada/B-PER`, with an id before a colon."""
    ids, words = zip(*(each.rpartition(": ")[::2] for each in sentences), strict=True)
    tokens = [word.split("/") for each in words for word in each.split()]
    sizes = [len(each.split()) for each in words]
    comments = Comments(
        np.flatnonzero(ids).astype(np.int32),
        Labels.of(f" sent_id = {id}" for id in ids if id),
    )
    return Corpus(
        np.cumsum([0, *sizes]),
        Labels.of(form for form, *_ in tokens),
        {"ner": Tags(Labels.of(tag[0] if tag else "O" for _, *tag in tokens))},
        {"comments": comments},
        origin=origin,
    )
