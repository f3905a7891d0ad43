"""Labels of tokens that were chosen one by one: as tags of a text, legal where they are those of
spans."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int32, Int64, Labels, Names
from tertium.corpus.layers import Tags
from tertium.corpus.schemes import decode, encode, is_span_column, scheme_of
from tertium.exceptions import counted
from tertium.families.ballots import BLANK, Proposals, Vote, in_text_order, or_nothing
from tertium.families.base import Metric, has_items
from tertium.families.family import family_of
from tertium.results.items import NOWHERE, Items, of_partner
from tertium.results.stats import Floats

OUTSIDE = "O"  # the label of words outside all spans
UNLABELLED = ("", BLANK)  # what is written where a word has no label
_NUMBERED = {"iob": "iob2", "ioe": "ioe2", "none": "iob2", "mixed": "iob2", "io": "iob2"}


def no_word_labels(fitted: Metric) -> str:
    """Why the items of a metric are not labels of words; empty if they are."""
    family = family_of(fitted)
    if not has_items(fitted):
        return f"{fitted.id} does not judge single items"
    if fitted.label_rows == "gold":
        return f"{fitted.header} ignores labels"
    is_flat = family.layout == "flat" and family.pairs == "text"
    return "" if is_flat else f"{family.title} are not labels of single words"


def word_labels(fitted: Metric, corpus: Corpus, partner: Int64) -> tuple[Labels, Int64]:
    """The label of every word: its own, or that of the smallest span around it; and the partners of
    the text's words, given those whatever their labels: a word without a label is none."""
    items = fitted.items(corpus)
    if items.is_token:
        return items.label, np.where(of_partner(labelled(items.label), partner, 0), partner, -1)
    names = [*dict.fromkeys([*items.label.names, OUTSIDE])]
    words = np.full(corpus.token_count, names.index(OUTSIDE), np.int32)
    sizes = items.end - items.start
    for row in np.lexsort((items.label.codes, -sizes)).tolist():  # inner spans last
        if items.tokens is None:
            words[items.start[row] : items.end[row]] = items.label.codes[row]
        else:
            words[items.start[row] + items.tokens[row]] = items.label.codes[row]
    return Labels(Names.of(names), words), partner


def labelled(labels: Labels) -> npt.NDArray[np.bool_]:
    """Which of some words have a label."""
    return ~np.isin(labels.codes, [labels.names.find(name) for name in UNLABELLED])


def complete(items: Items) -> Items:
    """Words with a label and, where words have heads, a head."""
    has = labelled(items.label)
    if items.second is not None:
        has = (items.second > NOWHERE) & (has | ~has.any())  # heads may have no labels at all
    return items.take(np.flatnonzero(has))


def tagged(
    base: Corpus, labels: Labels, origin: str, *, joins: bool
) -> tuple[Labels, Corpus, list[str]]:
    """Labels of all tokens as legal tags, the base with them as its only layer, and notes. `joins`:
    neighbours with the same label are one span."""
    tags, changed = regular(labels, base.offsets)
    tags = as_spans(tags, base.offsets) if joins else tags
    name, notes = "ner" if is_span_column(tags) else "tag", regular_notes(labels, tags, changed)
    return tags, replace(base, layers={name: Tags(tags)}, origin=origin), notes


def united(made: Corpus, text: Int64, confidence: Floats) -> Corpus:
    """The same with sentences that are about one text, by its number, as one. Of the tags that a
    word has, one of a span goes before O, and the more confident one before others."""
    ((name, layer),) = made.layers.items()
    assert isinstance(layer, Tags)
    labels = layer.labels
    _, first = np.unique(text, return_index=True)
    found = made.take(np.sort(first))
    number = np.argsort(np.argsort(first))[text]  # in the order in which texts occur
    sentence = made.sentence_of_token
    place = np.arange(made.token_count) - (made.offsets[:-1] - found.offsets[number])[sentence]
    inside = np.array([tag != OUTSIDE for tag in labels.names] or [True])[labels.codes]
    rank = in_text_order(labels.names.strings)[labels.codes]
    codes = np.zeros(found.token_count, np.int32)
    order = np.lexsort((-rank, confidence, inside))
    codes[place[order]] = labels.codes[order]  # the last of a place stays
    tags, _ = regular(Labels(labels.names, codes), found.offsets)
    return replace(found, layers={name: Tags(tags)})


def as_spans(labels: Labels, offsets: Int64) -> Labels:
    """Tags of spans for plain labels: neighbours with the same label are one span."""
    plain = labels.names.strings
    outside = np.array([name in (OUTSIDE, BLANK) for name in plain] or [True])[labels.codes]
    begins = np.append(True, np.diff(labels.codes) != 0)[: len(labels)]
    begins[offsets[:-1][np.diff(offsets) > 0]] = True
    names = Names.of([OUTSIDE, *(f"{p}-{name}" for name in plain for p in "BI")])
    codes: Int32 = np.where(outside, 0, 1 + 2 * labels.codes + ~begins).astype(np.int32)
    return Labels(names, codes)


def regular(labels: Labels, offsets: Int64) -> tuple[Labels, int]:
    """Labels that were chosen one by one as legal tags of spans, and how many changed; plain tags
    stay. A tag that goes on with a span that nothing began opens one; what has no label is
    outside."""
    spans = labels.rename({BLANK: OUTSIDE})
    if not is_span_column(spans):
        return labels, 0
    decoded = decode(Tags(spans), offsets)
    wanted = scheme_of(decoded.facts)
    tags, _ = encode(decoded.spans, offsets, _NUMBERED.get(wanted, wanted))
    changed = sum(a != b for a, b in zip(spans.to_list(), tags.labels.to_list(), strict=True))
    return tags.labels, changed


def regular_notes(labels: Labels, tags: Labels, changed: int) -> list[str]:
    """That tags are not the labels that were chosen, or stand where there are none."""
    many = "tag was" if changed == 1 else "tags were"
    found = [f"{changed:,} {many} changed to make spans legal"] if changed else []
    blank, there = (each.codes == each.names.find(BLANK) for each in (labels, tags))
    if count := int((blank & ~there).sum()):
        found.append(f"{counted(count, 'word')} without a label: {OUTSIDE} in the text")
    return found


def tags_of(base: Corpus, found: Proposals) -> Vote:
    """The best tag of every token, `_` for none; those of spans are made legal."""
    best = found.items.take(np.flatnonzero(found.is_best))
    words = np.full(base.token_count, -1, np.int32)
    words[best.start] = best.label.codes
    labels = or_nothing(best.label.names, words)
    tags, changed = regular(labels, base.offsets)
    return Vote(Tags(tags), notes=regular_notes(labels, tags, changed))
