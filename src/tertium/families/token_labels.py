"""Labels of tokens, plain tags or tags of spans, on which annotators vote token by token."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int32, Int64, Labels, Names
from tertium.corpus.layers import Tags
from tertium.corpus.schemes import decode, encode, is_span_column, scheme_of
from tertium.exceptions import LayerError
from tertium.families.tags import TagFamily, usual_column
from tertium.results.items import Items
from tertium.results.votes import Votes

OUTSIDE = "O"
NO_LABEL = "_"
_NUMBERED = {"iob": "iob2", "ioe": "ioe2", "none": "iob2", "mixed": "iob2", "io": "iob2"}


def label_column(corpus: Corpus, name: str | None = None) -> str:
    """The column of tags that is voted on: that one, else the usual one of tags."""
    if name is not None:
        corpus.layer(name, Tags)  # raises, with what there is
        return name
    found = next(iter(TagFamily().find(corpus)), None) or usual_column(corpus)
    if found is None:
        raise LayerError(
            f"{corpus.origin} has no column of tags to vote on",
            help="'tertium compare --ensembles' lets systems vote on spans and trees",
        )
    return found


def token_votes(
    base: Corpus,
    names: Sequence[str],
    sides: Sequence[Corpus],
    alignments: Sequence[Alignment],
    columns: Sequence[str],
) -> Votes:
    """What sides say about the tokens of the base."""
    found = [s.layer(column, Tags).labels for s, column in zip(sides, columns, strict=True)]
    own = Items.of_tokens(found[0]) if len(found[0]) == base.token_count else None
    partners = [alignment.system_of_gold for alignment in alignments]
    unit = base.sentence_of_token
    return Votes.of(names, found, partners, unit, base.sentence_count, own)


def with_labels(base: Corpus, column: str, labels: Labels, origin: str) -> Corpus:
    """The base with other labels in a column of tags."""
    layers = {**base.layers, column: Tags(labels)}
    return replace(base, layers=layers, origin=origin, lines=None, problems=(), repaired=0)


def corpus_of(words: Labels, offsets: Int64, labels: Labels, origin: str) -> Corpus:
    """Words with one column of tags."""
    name = "ner" if is_span_column(labels) else "tag"
    return Corpus(offsets, words, {name: Tags(labels)}, origin=origin, format="columns")


def as_spans(labels: Labels, offsets: Int64) -> Labels:
    """Tags of spans for plain labels: neighbours with the same label are one span."""
    plain = labels.names.strings
    outside = np.array([name in (OUTSIDE, NO_LABEL) for name in plain] or [True])[labels.codes]
    begins = np.append(True, np.diff(labels.codes) != 0)[: len(labels)]
    begins[offsets[:-1][np.diff(offsets) > 0]] = True
    names = Names.of([OUTSIDE, *(f"{p}-{name}" for name in plain for p in "BI")])
    codes: Int32 = np.where(outside, 0, 1 + 2 * labels.codes + ~begins).astype(np.int32)
    return Labels(names, codes)


def regular(labels: Labels, offsets: Int64) -> tuple[Labels, int]:
    """Labels that were chosen one by one as legal tags of spans, and how many changed; plain tags
    stay. A tag that goes on with a span that nothing began opens one; what has no label is
    outside."""
    spans = labels.rename({NO_LABEL: OUTSIDE})
    if not is_span_column(spans):
        return labels, 0
    decoded = decode(Tags(spans), offsets)
    wanted = scheme_of(decoded.facts)
    tags, _ = encode(decoded.spans, offsets, _NUMBERED.get(wanted, wanted))
    changed = sum(a != b for a, b in zip(spans.to_list(), tags.labels.to_list(), strict=True))
    return tags.labels, changed
