"""A family whose documents are paired on their own, for tests of what becomes of missing ones:
spans in columns, counted by document."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from plugins import registered
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels
from tertium.corpus.layers import Tags
from tertium.families.family import Use
from tertium.families.spans.exact import F1
from tertium.families.spans.family import SpanFamily

METRIC = "papers.f1"


@dataclass(frozen=True, repr=False)
class Papers(SpanFamily):
    """Spans, paired by documents."""

    id = "papers"
    unit = "document"
    pairs = "documents"
    metrics: ClassVar[Mapping[Use, tuple[str, ...]]] = dict.fromkeys(
        ("score", "compare", "errors", "audit"), (METRIC,)
    )


@dataclass(frozen=True, repr=False)
class PapersF1(F1):
    """Exact match."""

    id = METRIC
    family = "papers"


@contextmanager
def paper_family() -> Iterator[None]:
    """With the family registered."""
    with registered(Papers, PapersF1):
        yield


def corpus(origin: str, *documents: str, **fields: Any) -> Corpus:
    """Documents of words such as `Ada/B-PER`, with a name before a colon and sentences divided by
    bars; a document without a name is marked all the same."""
    names, texts = zip(*(each.rpartition(":")[::2] for each in documents), strict=True)
    sentences = [[s.split() for s in text.split("|")] for text in texts]
    words = [w.split("/") for document in sentences for s in document for w in s]
    sizes = [len(document) for document in sentences]
    return Corpus(
        np.cumsum([0, *(len(s) for document in sentences for s in document)]),
        Labels.of(form for form, *_ in words),
        {"ner": Tags(Labels.of(tag[0] if tag else "O" for _, *tag in words))},
        documents=np.cumsum([0, *sizes[:-1]]),
        document_names=Labels.of(names),
        origin=origin,
        **fields,
    )
