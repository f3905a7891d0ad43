"""spaCy's `Doc` and `Example`, known by their attributes: spaCy itself is not needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int64, Labels
from tertium.corpus.layers import Arcs, Layer, Spaces, Spans, Tags
from tertium.exceptions import InputError, Problem, counted

ROOT = "ROOT"  # what spaCy calls the relation of a root, in every scheme
NO_VALUE = "_"
PARTIAL = "partial"  # the kind of a note on what was read of some docs only, or otherwise
# The name of a layer, the attribute of `has_annotation`, and what a token says.
TOKEN_LAYERS: Mapping[str, tuple[str, Callable[[Any], str]]] = {
    "lemma": ("LEMMA", lambda token: token.lemma_),
    "upos": ("POS", lambda token: token.pos_),
    "xpos": ("TAG", lambda token: token.tag_),
    "feats": ("MORPH", lambda token: str(token.morph)),
}


def is_doc(value: Any) -> bool:
    """Does it have what a `Doc` has?"""
    return hasattr(value, "ents") and hasattr(value, "has_annotation")


def is_example(value: Any) -> bool:
    """Does it have what an `Example` has?"""
    return hasattr(value, "reference") and hasattr(value, "predicted")


def docs_of(data: Any, *, of_gold: bool) -> list[Any] | None:
    """One or several docs, or those of examples: the reference of gold, the prediction of a system.
    None for anything else."""
    if is_doc(data) or is_example(data):
        data = [data]
    if not isinstance(data, list | tuple) or not data:
        return None
    if all(map(is_example, data)):
        return [each.reference if of_gold else each.predicted for each in data]
    return [*data] if all(map(is_doc, data)) else None


def _layer(key: Any) -> str:
    """The name of a group of spans as a layer: its key, unless something else is called so.

    >>> _layer("sc"), _layer("upos")
    ('sc', 'upos_group')
    """
    return f"{key}_group" if key in (*TOKEN_LAYERS, "deps", "spans") else str(key)


class DocReader:
    """Makes one corpus of several docs; tokens of white space are left out, as spaCy's own scorer
    leaves them out."""

    def __init__(self, docs: Sequence[Any], name: str) -> None:
        self.docs, self.name = docs, name
        self.tokens = [[token for token in doc if not token.is_space] for doc in docs]
        sizes = [len(doc) for doc in docs]
        self.blank = sum(sizes) - sum(map(len, self.tokens))
        self.first = np.concatenate([[0], np.cumsum(sizes)])  # of each doc, blank tokens included
        used = np.zeros(int(self.first[-1]) + 1, np.int64)
        for base, tokens in zip(self.first.tolist(), self.tokens, strict=False):
            used[[base + token.i + 1 for token in tokens]] = 1
        self.place = np.cumsum(used)  # how many tokens stand before each, blank ones not counted

    def read(self) -> Corpus:
        """All docs."""
        every = [token for tokens in self.tokens for token in tokens]
        if not every:
            raise InputError(f"{self.name} is empty: there is no token in it")
        heads = self.heads() if self.has("DEP") else None
        spans = {name: self.spans(rows) for name, rows in self.groups()}
        offsets = self.sentences(heads, [*spans.values()])
        layers: dict[str, Layer] = {
            name: Tags(Labels.of(say(token) or NO_VALUE for token in every))
            for name, (attribute, say) in TOKEN_LAYERS.items()
            if self.has(attribute)
        }
        if heads is not None:
            relations = (t.dep_.lower() if t.dep_ == ROOT else t.dep_ or NO_VALUE for t in every)
            base = np.repeat(offsets[:-1], np.diff(offsets))
            number = np.where(heads == np.arange(len(heads)), 0, heads - base + 1)
            layers["deps"] = Arcs(number.astype(np.int32), Labels.of(relations))
        texts = [*self.partial(), *self.renamed()]
        problems = [Problem(text, kind=PARTIAL, severity="note") for text in texts]
        if self.blank:
            what = counted(self.blank, "token")
            problems.append(Problem(f"{what} of white space left out", severity="note"))
        begins = self.place[self.first[:-1]]
        return Corpus(
            offsets,
            Labels.of(token.text for token in every),
            {**layers, **spans},
            {"spaces": Spaces(np.array([bool(token.whitespace_) for token in every], np.bool_))},
            documents=np.unique(offsets.searchsorted(begins[begins < len(every)])),
            origin=self.name,
            format="python",
            problems=tuple(problems),
        )

    def has(self, attribute: str) -> bool:
        """Do all docs have such annotation?"""
        return all(doc.has_annotation(attribute) for doc in self.docs)

    def partial(self) -> Iterator[str]:
        """What was not read because some docs do not have it."""
        attributes = {name: attribute for name, (attribute, _) in TOKEN_LAYERS.items()}
        for name, attribute in {**attributes, "deps": "DEP", "entities": "ENT_IOB"}.items():
            lacking = [n for n, doc in enumerate(self.docs, 1) if not doc.has_annotation(attribute)]
            if 0 < len(lacking) < len(self.docs):
                yield (
                    f"{name} were not read: doc {lacking[0]} has no such annotation; "
                    "annotate every doc, if only with nothing (doc.ents = [])"
                    if attribute == "ENT_IOB"
                    else f"{name} was not read: doc {lacking[0]} has no such annotation"
                )

    def renamed(self) -> Iterator[str]:
        """Groups of spans that have the name of something else."""
        keys = dict.fromkeys(str(key) for doc in self.docs for key in getattr(doc, "spans", ()))
        for key in keys:
            if _layer(key) != key:
                yield f"the group '{key}' of doc.spans was read as '{_layer(key)}'"

    def heads(self) -> Int64:
        """The head of every token; a root is its own."""
        found = [
            self.place[base + token.head.i]
            for base, tokens in zip(self.first.tolist(), self.tokens, strict=False)
            for token in tokens
        ]
        return np.array(found, np.int64)

    def groups(self) -> Iterator[tuple[str, list[list[Any]]]]:
        """Groups of spans by their keys, and entities, of every doc."""
        keys = dict.fromkeys(key for doc in self.docs for key in getattr(doc, "spans", ()))
        for key in keys:
            yield _layer(key), [[*doc.spans[key]] if key in doc.spans else [] for doc in self.docs]
        if self.has("ENT_IOB"):  # last: the layer that is scored where none is named
            yield "spans", [[*doc.ents] for doc in self.docs]

    def spans(self, of_doc: Sequence[Sequence[Any]]) -> Spans:
        """Spans of tokens. One that covers nothing but white space is left out."""
        rows = [
            (int(self.place[base + span.start]), int(self.place[base + span.end]), span.label_)
            for base, spans in zip(self.first.tolist(), of_doc, strict=False)
            for span in spans
        ]
        rows = [row for row in rows if row[0] < row[1]]
        start, end = np.array([row[:2] for row in rows], np.int32).reshape(-1, 2).T
        return Spans(start.copy(), end.copy(), Labels.of(row[2] or NO_VALUE for row in rows))

    def sentences(self, heads: Int64 | None, spans: Sequence[Spans]) -> Int64:
        """Where sentences begin. A doc is one sentence if it does not say; what an entity or an arc
        crosses is no boundary."""
        begins = [int(self.place[base]) for base in self.first.tolist()]
        total = begins[-1]
        for doc, tokens, base in zip(self.docs, self.tokens, self.first.tolist(), strict=False):
            if doc.has_annotation("SENT_START"):
                begins += [int(self.place[base + t.i]) for t in tokens if t.is_sent_start]
        crossed = np.zeros(total + 1, np.int64)
        stretches = [(each.start.astype(np.int64), each.end - 1) for each in spans]
        if heads is not None:
            own = np.arange(len(heads))
            stretches.append((np.minimum(heads, own), np.maximum(heads, own)))
        for first, last in stretches:  # the boundaries after the first and up to the last token
            np.add.at(crossed, np.minimum(first + 1, total), 1)
            np.add.at(crossed, np.minimum(last + 1, total), -1)
        crossed = np.cumsum(crossed)
        found = np.unique(begins)
        kept = (crossed[found] == 0) | (found == 0) | (found == total)
        return np.unique(np.append(found[kept], [0, total])).astype(np.int64)
