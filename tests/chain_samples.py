"""Texts with coreference chains, made from lists of mentions."""

from collections.abc import Sequence
from itertools import chain

import numpy as np

from tertium.align.tokens import Alignment, align
from tertium.align.units import by_document
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels, bounds_of
from tertium.corpus.layers import Chains, Ragged
from tertium.families.base import Metric, make

Mention = tuple[int, ...]  # first and last token of the document, or all tokens if there are gaps


def chained(
    *documents: Sequence[Sequence[Mention]], size: int = 12, origin: str = "text"
) -> Corpus:
    """Documents of so many tokens, each one sentence, with chains of mentions."""
    rows = []
    for number, chains in enumerate(documents):
        for name, mentions in enumerate(chains):
            rows += [(number, m[0], m[-1], name, m) for m in mentions]
    rows.sort(key=lambda row: row[:2])
    first = np.array([row[0] * size for row in rows], np.int32)
    tokens = [[t - m[0] for t in (m if len(m) > 2 else range(m[0], m[-1] + 1))] for *_, m in rows]
    numbers: dict[tuple[int, int], int] = {}
    for document, _, _, name, _ in rows:
        known = sum(1 for key in numbers if key[0] == document)
        numbers.setdefault((document, name), known)
    has_gaps = any(len(m) > 2 for *_, m in rows)
    layer = Chains(
        first + np.array([row[1] for row in rows], np.int32),
        first + np.array([row[2] + 1 for row in rows], np.int32),
        Labels.constant("", len(rows)),
        Ragged(
            bounds_of([len(t) for t in tokens]), np.array([*chain.from_iterable(tokens)], np.int32)
        )
        if has_gaps
        else None,
        entity=np.array([numbers[row[0], row[3]] for row in rows], np.int32),
        name=Labels.of(str(row[3]) for row in rows),
        sentence=np.array([row[0] for row in rows], np.int32),
    )
    count = len(documents)
    return Corpus(
        offsets=np.arange(count + 1) * size,
        forms=Labels.of(f"w{n}" for n in range(count * size)),
        layers={"coref": layer},
        documents=np.arange(count),
        document_names=Labels.of(f"d{n}" for n in range(count)),
        origin=origin,
    )


def over(gold: Corpus, system: Corpus) -> Alignment:
    """How two texts lie over each other, by document."""
    return by_document(align(gold, system), gold)


def counts(metric: str | Metric, gold: Corpus, system: Corpus) -> list[float]:
    """All counts of a metric over all documents."""
    made = make(metric)
    totals = made.measure(gold, system, over(gold, system)).totals()
    return [float(totals[count.name]) for count in made.counts]


def scores(metric: str | Metric, gold: Corpus, system: Corpus) -> dict[str, float]:
    """All numbers of a metric."""
    made = make(metric)
    totals = made.measure(gold, system, over(gold, system)).totals()
    return {name: float(value) for name, value in made.score(totals).items()}
