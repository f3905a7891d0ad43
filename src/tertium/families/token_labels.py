"""Labels of tokens that were chosen one by one: as tags of a text, legal where they are those of
spans."""

from __future__ import annotations

import numpy as np

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int32, Int64, Labels, Names, unite
from tertium.corpus.layers import Tags
from tertium.corpus.schemes import decode, encode, is_span_column, scheme_of
from tertium.families.ballots import NOTHING, Proposals, Vote

OUTSIDE = "O"
_NUMBERED = {"iob": "iob2", "ioe": "ioe2", "none": "iob2", "mixed": "iob2", "io": "iob2"}


def corpus_of(words: Labels, offsets: Int64, labels: Labels, origin: str) -> Corpus:
    """Words with one column of tags."""
    name = "ner" if is_span_column(labels) else "tag"
    return Corpus(offsets, words, {name: Tags(labels)}, origin=origin, format="columns")


def as_spans(labels: Labels, offsets: Int64) -> Labels:
    """Tags of spans for plain labels: neighbours with the same label are one span."""
    plain = labels.names.strings
    outside = np.array([name in (OUTSIDE, NOTHING) for name in plain] or [True])[labels.codes]
    begins = np.append(True, np.diff(labels.codes) != 0)[: len(labels)]
    begins[offsets[:-1][np.diff(offsets) > 0]] = True
    names = Names.of([OUTSIDE, *(f"{p}-{name}" for name in plain for p in "BI")])
    codes: Int32 = np.where(outside, 0, 1 + 2 * labels.codes + ~begins).astype(np.int32)
    return Labels(names, codes)


def regular(labels: Labels, offsets: Int64) -> tuple[Labels, int]:
    """Labels that were chosen one by one as legal tags of spans, and how many changed; plain tags
    stay. A tag that goes on with a span that nothing began opens one; what has no label is
    outside."""
    spans = labels.rename({NOTHING: OUTSIDE})
    if not is_span_column(spans):
        return labels, 0
    decoded = decode(Tags(spans), offsets)
    wanted = scheme_of(decoded.facts)
    tags, _ = encode(decoded.spans, offsets, _NUMBERED.get(wanted, wanted))
    changed = sum(a != b for a, b in zip(spans.to_list(), tags.labels.to_list(), strict=True))
    return tags.labels, changed


def changed_note(count: int) -> list[str]:
    """That so many tags are not those that were chosen."""
    many = "tag was" if count == 1 else "tags were"
    return [f"{count:,} {many} changed to make spans legal"] if count else []


def tags_of(base: Corpus, found: Proposals) -> Vote:
    """The best tag of every token, `_` for none; those of spans are made legal."""
    best = found.items.take(np.flatnonzero(found.is_best))
    names, (codes, none) = unite(best.label, Labels.of([NOTHING]))
    words = np.full(base.token_count, none[0], np.int32)
    words[best.start] = codes
    tags, changed = regular(Labels(names, words), base.offsets)
    return Vote(Tags(tags), notes=changed_note(changed))
