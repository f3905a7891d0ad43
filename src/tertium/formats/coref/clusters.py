"""Clusters of mentions in JSON: a document an object, mentions as first and last token."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from numbers import Integral
from typing import Any

import numpy as np

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels, bounds_of
from tertium.corpus.layers import Chains, Comments, Layer, Tags, covered
from tertium.corpus.trees import POS
from tertium.exceptions import InputError, counted
from tertium.formats.base import Problems, Reader
from tertium.formats.coref.documents import COREF, NOT_READ, stop_at_documents, twin_name
from tertium.formats.coref.pairs import numbered
from tertium.formats.lines import by_sentence
from tertium.formats.record_keys import (
    CLUSTERS,
    SENTENCES,
    TOKENS,
    Record,
    is_comment,
    is_key,
    is_list,
    json_kind,
    listed_keys,
)

NAME_KEYS = ("doc_key", "doc_id", "document_id", "id", "name")
SENTENCE_MAP = "sentence_map"  # the sentence of each token, beside a flat list of tokens


class ClusterReader(Reader):
    """Turns objects into a corpus, each into a document. An object that could not be read at all is
    None, and bad at once."""

    def __init__(
        self,
        problems: Problems,
        records: Sequence[Record | None],
        lines: Sequence[int] | None,
        format: str,
    ) -> None:
        self.records = records
        self.known_lines = lines is not None
        self.record_lines = lines if lines is not None else [0] * len(records)
        self.problems, self.reading, self.repaired = problems, problems.reading, 0
        self.unread: Counter[str] = Counter()
        self.names = [self.find_document(number) for number in range(len(records))]
        self.wrong = np.array([record is None for record in records], np.bool_)
        self.tags: dict[int, list[str]] = {}
        self.mentions: list[tuple[int, int, int, int]] = []  # document, cluster, first, last
        self.comments: list[tuple[int, str]] = []
        self.json_keys: list[tuple[int, str]] = []
        self.sentences: list[list[list[str]]] = [
            self.read_record(number, record) if record is not None else [[]]
            for number, record in enumerate(records)
        ]
        mended = self.repaired
        super().__init__(problems, sum(map(len, self.sentences)), format)
        self.repaired = mended

    def read(self) -> Corpus:
        """All records."""
        self.refuse_twins()
        for key, count in self.unread.items():
            message = f"key '{key}' was not read ({counted(count, 'time')})"
            self.problems.note(message, kind=NOT_READ if CLUSTERS in key else "unread")
        stop_at_documents(self.problems)
        starts = bounds_of([len(each) for each in self.sentences])
        document = np.repeat(np.arange(len(self.records)), np.diff(starts))
        self.bad = self.wrong[document]
        kept = [
            [] if self.wrong[number] else sentence
            for number, sentences in enumerate(self.sentences)
            for sentence in sentences
        ]
        offsets = bounds_of([len(sentence) for sentence in kept])
        layers: dict[str, Layer] = {COREF: self.chains(offsets, offsets[starts[:-1]])}
        if self.tags and all(n in self.tags for n in np.flatnonzero(~self.wrong).tolist()):
            good = (self.tags[number] for number in sorted(self.tags) if not self.wrong[number])
            layers[POS] = Tags(Labels.of(chain.from_iterable(good)))
        extras: dict[str, Layer] = {}
        for name, notes in (("comments", self.comments), ("json", self.json_keys)):
            if notes:
                of_note = starts[[number for number, _ in notes]].astype(np.int32)
                extras[name] = Comments(of_note, Labels.of(text for _, text in notes))
        lines = np.array(self.record_lines, np.int32)[document]
        return self.corpus(
            offsets,
            forms=Labels.of(chain.from_iterable(kept)),
            layers={} if self.wrong.all() else layers,
            extras=extras,
            documents=starts[:-1],
            document_names=Labels.of(self.names),
            lines=np.repeat(lines, np.diff(offsets)) if self.known_lines else None,
        )

    def chains(self, offsets: Any, first: Any) -> Chains:
        """The layer; `first` is the first token of each document."""
        found = [mention for mention in self.mentions if not self.wrong[mention[0]]]
        number, cluster, begin, last = np.array(found, np.int64).reshape(-1, 4).T
        start, end = first[number] + begin, first[number] + last + 1
        order = np.lexsort((cluster, -end, start))
        start, end, cluster, number = (each[order] for each in (start, end, cluster, number))
        return Chains(
            start.astype(np.int32),
            end.astype(np.int32),
            Labels.constant("", len(start)),
            entity=numbered(number, cluster),
            name=Labels.of(map(str, cluster.tolist())),
            sentence=(np.searchsorted(offsets, start, side="right") - 1).astype(np.int32),
        )

    # -- one record --------------------------------------------------------------------------

    def find_document(self, number: int) -> str:
        """A document's name; empty for one without."""
        record = self.records[number] or {}
        found = next((record[key] for key in NAME_KEYS if key in record), "")
        return str(found) if isinstance(found, str | int) and is_comment(str(found)) else ""

    def error(self, number: int, message: str, *, mended: bool = False) -> None:
        """Something wrong with a document, which is bad unless under "repair" it is mended."""
        name = self.names[number] or str(number + 1)
        where = f"document '{name}': {message}"
        self.problems.error(where, line=self.record_lines[number], kind=CLUSTERS)
        if mended and self.reading.on_error == "repair":
            self.repaired += 1
        else:
            self.wrong[number] = True

    def refuse_twins(self) -> None:
        """Documents with the name of an earlier one."""
        seen = dict[str, int]()
        for number, name in enumerate(self.names):
            if name and seen.setdefault(name, number) != number:
                line = self.record_lines[seen[name]]
                first = f" (first in line {line})" if line else ""
                self.error(number, f"it is in the file twice{first}")
                self.names[number] = twin_name(name, self.record_lines[number])

    def read_record(self, number: int, record: Record) -> list[list[str]]:
        """The sentences of a document; clusters, tags and metadata are kept."""
        sentences = self.read_sentences(number, record)
        size = sum(map(len, sentences))
        if CLUSTERS not in record:
            self.error(number, f"there is no '{CLUSTERS}'; {listed_keys(record)}")
        elif not self.wrong[number]:
            self.read_clusters(number, record[CLUSTERS], size)
        given = next((key for key in NAME_KEYS if key in record), "")
        for key, value in record.items():
            if key in (SENTENCES, TOKENS, CLUSTERS) or (key == given and self.names[number]):
                continue
            if key == SENTENCE_MAP and SENTENCES not in record:
                continue
            tags = _flat(value) if key == POS else None
            if tags is not None and len(tags) == size and all(tags):
                self.tags[number] = tags
            elif (value is None or isinstance(value, str | int | float)) and is_key(key):
                plain = is_comment(value)
                if not plain:
                    self.json_keys.append((number, key))
                shown = value if plain else json.dumps(value)
                self.comments.append((number, f" {key} = {shown}"))
            elif key == "comments" and is_list(value) and all(map(is_comment, value)):
                self.comments += [(number, comment) for comment in value]
            else:
                self.unread[key] += 1
        return sentences or [[]]

    def read_sentences(self, number: int, record: Record) -> list[list[str]]:
        """Lists of tokens: `sentences`, or `tokens` as one or as `sentence_map` cuts them."""
        key = SENTENCES if SENTENCES in record else TOKENS
        value = record.get(key)
        tokens = _flat(value)
        if tokens is None or not all(tokens):
            kind = "missing" if key not in record else json_kind(value)
            kind = "a list that holds something else" if is_list(value) else kind
            self.error(number, f"'{key}' is {kind}, expected lists of words")
            return [[]]
        if tokens and isinstance(value[0], str):  # type: ignore[index]
            of_token: Any = record.get(SENTENCE_MAP) if key == TOKENS else None
            if not is_list(of_token) or len(of_token) != len(tokens):
                return [tokens]
            cuts = [i for i in range(1, len(tokens)) if of_token[i] != of_token[i - 1]]
            return [tokens[a:b] for a, b in zip([0, *cuts], [*cuts, len(tokens)], strict=True)]
        return [list(each) for each in value if each]  # type: ignore[union-attr]

    def read_clusters(self, number: int, value: Any, size: int) -> None:
        """Clusters are lists of mentions, each a list of its first and last token."""
        if not is_list(value):
            self.error(number, f"'{CLUSTERS}' is {json_kind(value)}, expected a list of lists")
            return
        count = 0
        for place, cluster in enumerate(value, 1):
            what = f"cluster {place}"
            if not is_list(cluster):
                self.error(number, f"{what} is {json_kind(cluster)}, expected a list of mentions")
                continue
            for mention in cluster:
                if wrong := _wrong(mention, size):
                    self.error(number, f"{what}: {wrong}", mended=True)
                else:
                    self.mentions.append((number, count, int(mention[0]), int(mention[1])))
            count += bool(cluster)


def _wrong(mention: Any, size: int) -> str:
    """What is wrong with a mention in a document of so many tokens."""
    shown = json.dumps(mention, default=str)
    if not is_list(mention) or len(mention) != 2:
        return f"the mention {shown} is not [first token, last token]"
    first, last = mention
    if any(isinstance(each, bool) or not isinstance(each, Integral) for each in mention):
        return f"the mention {shown} is not a pair of whole numbers"
    if not 0 <= first <= last:
        return f"the mention {shown} ends before it begins, or begins before the text"
    length = counted(size, "token")
    return "" if last < size else f"the mention {shown} is beyond the text of {length}"


def _flat(value: Any) -> list[str] | None:
    """The strings of a list, or of a list of lists; None for anything else."""
    if not is_list(value):
        return None
    if all(isinstance(each, str) for each in value):
        return list(value)
    if not all(is_list(each) and all(isinstance(s, str) for s in each) for each in value):
        return None
    return [*chain.from_iterable(value)]


def cluster_objects(
    corpus: Corpus, chains: Chains, forms: list[str], metadata: dict[int, dict[str, Any]]
) -> Iterator[dict[str, Any]]:
    """Every document as an object. Mentions of empty nodes alone are left out."""
    if (covered(chains.start, chains.end, chains.tokens) < chains.end - chains.start).any():
        raise InputError(
            f"{corpus.origin} has mentions with gaps, which clusters of jsonl cannot hold",
            help="'conllu' can hold them",
        )
    of_mention = corpus.document_of_sentence[chains.sentence]
    bounds = np.append(corpus.documents, corpus.sentence_count).tolist()
    words = [*by_sentence(corpus, forms)]
    pos = corpus.layers.get(POS)
    tags = [*by_sentence(corpus, pos.labels.to_list())] if isinstance(pos, Tags) else None
    for document, name in enumerate(corpus.document_names.to_list()):
        first, last = bounds[document], bounds[document + 1]
        found: dict[str, Any] = {"doc_key": name} if name else {}
        found |= metadata.get(first, {})
        found[SENTENCES] = words[first:last]
        if tags is not None:
            found[POS] = tags[first:last]
        rows = np.flatnonzero((of_mention == document) & (chains.end > chains.start))
        found[CLUSTERS] = _clusters(chains, rows, int(corpus.offsets[first]))
        yield found


def _clusters(chains: Chains, rows: Any, first: int) -> list[list[list[int]]]:
    """The clusters of a document, in the order of their names where these count them, otherwise of
    their first mentions."""
    entities = chains.entity[rows].tolist()
    names = dict(zip(entities, chains.name.take(rows).to_list(), strict=True))
    places = {entity: int(name) if name.isdecimal() else -1 for entity, name in names.items()}
    if sorted(places.values()) != [*range(len(places))]:
        places = {entity: place for place, entity in enumerate(sorted(places))}
    found: list[list[list[int]]] = [[] for _ in places]
    spans = zip(
        (chains.start[rows] - first).tolist(), (chains.end[rows] - first).tolist(), strict=True
    )
    for entity, (start, end) in zip(entities, spans, strict=True):
        found[places[entity]].append([start, end - 1])
    return found
