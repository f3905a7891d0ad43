"""What does not count: spans with some labels, and punctuation."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus
from tertium.corpus.layers import Spans, Tags
from tertium.corpus.schemes import is_span_column
from tertium.exceptions import LayerError
from tertium.families.base import is_punctuation
from tertium.families.spans.extents import Dropped

PUNCT = ("keep", "form", "tag")
# Tags of punctuation: STTS, UPOS, Penn Treebank and some of the author's own (FairEval's list).
PUNCTUATION_TAGS = frozenset(
    "$. $, $( PUNCT PUNKT KOMMA COMMA KLAMMER . , : ( ) \" `` '' -LRB- -RRB- ‘ “ ’ ”".split()
)
_NOT_PARTS_OF_SPEECH = ("lemma", "feats")


def names_in(text: str | None) -> frozenset[str]:
    """Labels in a list with commas.

    >>> sorted(names_in("LOC, ORG"))
    ['LOC', 'ORG']
    """
    return frozenset(filter(None, (name.strip() for name in (text or "").split(","))))


def are_names(value: object) -> bool:
    """Is it a list of labels, or None?"""
    return value is None or (isinstance(value, str) and bool(names_in(value)))


def with_labels_kept(spans: Spans, only: frozenset[str], without: frozenset[str]) -> Spans:
    """The spans whose label is among `only` (if there are any) and not among `without`."""
    if not only and not without:
        return spans
    wanted = [(not only or name in only) and name not in without for name in spans.label.names]
    keep = np.array(wanted or [False], np.bool_)[spans.label.codes]
    return Spans(
        spans.start[keep],
        spans.end[keep],
        spans.label.take(keep),
        None if spans.tokens is None else spans.tokens.take(np.flatnonzero(keep)),
    )


def punctuation_tags(gold: Corpus, column: str) -> Tags:
    """The column that tells punctuation: parts of speech beside the column of spans."""
    there = [
        name
        for name, tags in gold.of_kind(Tags).items()
        if name != column and name not in _NOT_PARTS_OF_SPEECH and not is_span_column(tags.labels)
    ]
    if not there:
        raise LayerError(
            f"{gold.origin} has no parts of speech that would tell punctuation",
            help="'punct=form' tells it by the words; '--with FILE' adds a layer of tags",
        )
    return gold.layer("upos" if "upos" in there else there[0], Tags)


def punctuation(gold: Corpus, alignment: Alignment, punct: str, column: str) -> Dropped:
    """The atoms of gold tokens that are punctuation."""
    if punct == "tag":
        labels = punctuation_tags(gold, column).labels
        marks = [name in PUNCTUATION_TAGS for name in labels.names]
    elif gold.forms is None:
        raise LayerError(f"{gold.origin} has no words that would tell punctuation")
    else:
        labels = gold.forms
        marks = [is_punctuation(name) for name in labels.names]
    tokens: npt.NDArray[np.bool_] = np.array(marks or [False], np.bool_)[labels.codes]
    # Words of a multiword token share its characters.
    start, rows = np.unique(alignment.gold_start[tokens], return_index=True)
    return Dropped(start, alignment.gold_end[tokens][rows])
