"""Entities in BIO: a gold standard and a system that keeps nine spans of ten exactly."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vocabulary import FINAL, Vocabulary, sentence_lengths

ENTITIES_PER_TOKEN = 0.08
LENGTHS = np.arange(1, 7)
LENGTH_SHARES = np.array([0.46, 0.31, 0.14, 0.06, 0.02, 0.01])
TYPE_NAMES = (
    "PER LOC ORG MISC DATE WORK EVENT PRODUCT LAW LANG MONEY TIME GROUP PLACE SPECIES AWARD"
).split()
BLOCK = 1_000_000

Spans = list[tuple[int, int, int]]


def write_bio(
    gold: Path,
    system: Path,
    *,
    vocabulary: Vocabulary,
    tokens: int,
    sentences: int,
    types: int,
    seed: int,
) -> None:
    """Two files, form TAB tag, an empty line after each sentence; large ones in blocks."""
    blocks = max(1, round(tokens / BLOCK))
    with gold.open("w", encoding="utf-8") as g, system.open("w", encoding="utf-8") as s:
        for block in range(blocks):
            rng = np.random.default_rng([seed, types, block])
            size, count = tokens // blocks, max(1, sentences // blocks)
            first, ends = _gold(rng, size, count, types)
            second = _system(rng, first, ends, types)
            forms = [vocabulary.forms[i] for i in vocabulary.draw(rng, size).tolist()]
            for end in ends.tolist():
                forms[end - 1] = FINAL[0]
            g.write(_text(forms, first, ends))
            s.write(_text(forms, second, ends))


def _gold(
    rng: np.random.Generator, tokens: int, sentences: int, types: int
) -> tuple[Spans, NDArray[np.int64]]:
    """Spans in order, and the ends of the sentences; no span holds the last token of one."""
    lengths = rng.choice(LENGTHS, int(tokens * ENTITIES_PER_TOKEN), p=LENGTH_SHARES)
    outside = tokens - int(lengths.sum())
    pieces = rng.permutation(np.concatenate([lengths, np.zeros(outside, dtype=np.int64)]))
    starts = np.concatenate([[0], np.cumsum(np.maximum(pieces, 1))[:-1]])
    # A sentence ends at the first token outside any span from its planned end on.
    free = starts[pieces == 0]
    planned = np.cumsum(sentence_lengths(rng, tokens, sentences)) - 1
    ends = np.unique(free[np.searchsorted(free, planned).clip(max=free.size - 1)]) + 1
    ends[-1] = tokens
    chosen = pieces > 0
    weights = 1 / (np.arange(types) + 2.0)
    labels = rng.choice(types, int(chosen.sum()), p=weights / weights.sum())
    first = starts[chosen]
    return list(
        zip(first.tolist(), (first + pieces[chosen]).tolist(), labels.tolist(), strict=True)
    ), ends


def _system(rng: np.random.Generator, gold: Spans, ends: NDArray[np.int64], types: int) -> Spans:
    """Nine spans of ten as they are; the rest missing or with another boundary, label or both."""
    last = int(ends[-1])
    taken = np.zeros(last + 1, dtype=bool)
    for start, end, _ in gold:
        taken[start:end] = True
    taken[ends - 1] = True  # the final full stop belongs to no span, and no span reaches beyond it
    taken[last] = True
    spans: Spans = []
    draws = rng.random(len(gold)).tolist()
    for (start, end, label), draw in zip(gold, draws, strict=True):
        if draw >= 0.10:
            spans.append((start, end, label))
            continue
        if draw < 0.025:
            continue
        if draw < 0.05 or draw >= 0.08:
            label = (label + 1 + int(draw * 1e6) % (types - 1)) % types
        if draw >= 0.05:
            if end - start > 1:
                start, end = (start + 1, end) if int(draw * 1e6) % 2 else (start, end - 1)
            elif not taken[end]:
                taken[end] = True
                end += 1
        spans.append((start, end, label))
    extra = rng.integers(0, last - 1, int(0.03 * len(gold) + 0.5))
    for start in extra.tolist():
        if not taken[start]:
            taken[start] = True
            spans.append((start, start + 1, start % types))
    return sorted(spans)


def _text(forms: list[str], spans: Spans, ends: NDArray[np.int64]) -> str:
    tags = ["O"] * len(forms)
    for start, end, label in spans:
        tags[start] = f"B-{TYPE_NAMES[label]}"
        tags[start + 1 : end] = [f"I-{TYPE_NAMES[label]}"] * (end - start - 1)
    lines = [f"{form}\t{tag}\n" for form, tag in zip(forms, tags, strict=True)]
    for end in ends.tolist():
        lines[end - 1] += "\n"
    return "".join(lines)
