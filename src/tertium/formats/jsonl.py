"""JSON: objects with `tokens` and tags or spans, or with `text` and spans; one a line or a list."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Bytes, Int64, Labels, bounds_of
from tertium.corpus.layers import Chains, Comments, Spans, Tags
from tertium.exceptions import InputError
from tertium.formats.base import Problems
from tertium.formats.characters import texts_of
from tertium.formats.coref.clusters import NAME_KEYS, ClusterReader, cluster_objects
from tertium.formats.coref.documents import COREF
from tertium.formats.files import OWN_SUFFIX, first_record
from tertium.formats.lines import TextFormat, by_sentence, check_strings, check_text, grouped
from tertium.formats.record_keys import (
    CLUSTERS,
    RESERVED,
    SENTENCES,
    SPAN_KEYS,
    TEXT,
    TOKENS,
    Record,
    has_clusters,
    record_of,
)
from tertium.formats.records import RecordReader

_BEGINS = re.compile(rb"""\s*(\{|\[\s*[{[]|\["[^"]*",\s*\{)""")
TAKEN = {SENTENCES, TOKENS, CLUSTERS, "pos", "comments", *NAME_KEYS}
_METADATA = re.compile(r" (\S(?:[^=]*[^=\s])?) = (.*)", re.DOTALL)


@dataclass(frozen=True, repr=False)
class Jsonl(TextFormat):
    """One object a line, each a sentence (or a text of any length); or one array of such objects.

    - `text` and a list of spans (`spans`, `entities`, `ents`, `labels` or `label`) with character
      offsets, end exclusive: atoms are the characters that are not white space; layer `spans`.
      A pair of text and object, as spaCy has it, is the same
    - `tokens` and lists of as many strings: tag layers named by their keys (`tags` is `tag`); a
      list of spans there counts tokens

    - `clusters` and `sentences`, lists of words (or `tokens`, one list of them): an object is a
      document, named by `doc_key`, and a cluster a list of mentions, each with the numbers of its
      first and last token in the document; layer `coref`. Lists `pos` are parts of speech

    Strings and numbers are metadata, kept as comments `key = value`; `id` is the sentence's id.
    """

    id = "jsonl"
    title = "JSON lines: text with spans, tokens with tags, clusters of mentions"
    suffixes = (".jsonl", ".ndjson", ".jsonlines", ".json")
    layers = ("tags", "spans", COREF)
    lossy = "dependency trees, multiword tokens, spaces between tokens; keys it does not know"

    def sniff(self, head: bytes) -> float:
        """The first record is an object with one of the keys; a long one may be cut. Other objects
        are read as well, for the message, unless a format knows them."""
        line, newline, _ = head.lstrip().partition(b"\n")
        if not _BEGINS.match(head):
            return 0.0
        found = first_record(head)
        if found is not None:
            known = TEXT in found or TOKENS in found or has_clusters([found])
            return 0.95 if known else OWN_SUFFIX
        if any(b'"%s"' % key.encode() in line for key in (TEXT, TOKENS, CLUSTERS, SENTENCES)):
            return 0.7
        return 0.3 if newline else OWN_SUFFIX

    def parse(self, buf: Bytes, problems: Problems) -> Corpus:
        """See the class."""
        check_text(buf, problems)
        data = buf.tobytes()
        records, lines = _document(data, problems), None
        if records is None:
            records, lines = _lines(data, problems)
        kind = ClusterReader if has_clusters(records) else RecordReader
        return kind(problems, records, lines, self.id).read()

    def blocks(self, corpus: Corpus) -> Iterator[str]:
        """A corpus of words as `tokens` with tags and spans, one of characters as `text`."""
        if corpus.forms is None:
            raise InputError(
                f"{corpus.origin} has neither words nor text and cannot be written as jsonl",
                help="spans over token numbers convert to 'spans'",
            )
        chains = corpus.layers.get(COREF)
        if isinstance(chains, Chains) and corpus.atoms == "words":
            forms, metadata = _strings(corpus, corpus.forms), _metadata(corpus, TAKEN)
            objects = cluster_objects(corpus, chains, forms, metadata)
        else:
            objects = _objects(corpus)
        for each in objects:
            yield json.dumps(each, ensure_ascii=False) + "\n"


def _lines(data: bytes, problems: Problems) -> tuple[list[Record | None], list[int]]:
    """What stands in every line that is not blank, None where that is no record; and the lines."""
    records: list[Record | None] = []
    lines: list[int] = []
    for number, line in enumerate(data.split(b"\n"), 1):
        if not line.strip():
            continue
        value, message, _ = _loaded(line)
        records.append(record_of(value))
        lines.append(number)
        if records[-1] is None:
            whole = line.lstrip()[:1] in b"{[" and line.rstrip().endswith((b"}", b"]"))
            message += "" if whole or not message else "; every line must be a whole object"
            message = message or "not an object: a line must be {...}"
            problems.error(message, line=number, sentence=str(len(records)))
    return records, lines


def _document(data: bytes, problems: Problems) -> list[Record | None] | None:
    """The records of a file that is one array, or one object over several lines; None where every
    line has its own."""
    text = data.lstrip()
    if text[:1] not in (b"[", b"{") or record_of(_loaded(text.partition(b"\n")[0])[0]) is not None:
        return None
    value, message, line = _loaded(data)
    if isinstance(value, dict):
        return [value]
    if text[:1] == b"{":
        return None  # the lines are told what is wrong with them
    if message:
        help = "a file has one object per line, or is one array of objects"
        raise problems.fatal(message, line=line, help=help)
    records = [record_of(item) for item in value]
    for number, record in enumerate(records, 1):
        if record is None:
            problems.error(f"item {number} of the array is not an object", sentence=str(number))
    return records


def _loaded(data: bytes) -> tuple[Any, str, int]:
    """A JSON value, or what is wrong with it and in which line, counted from 1."""
    try:
        value = json.loads(
            data.decode(), object_pairs_hook=_unique, parse_constant=_refuse, parse_float=_finite
        )
        if rb"\u" in data:
            json.dumps(value, ensure_ascii=False).encode()  # half a surrogate pair cannot be
    except UnicodeEncodeError:
        message = (
            "a string holds half a surrogate pair (\\ud800 to \\udfff), which is not a character"
        )
    except json.JSONDecodeError as error:
        return None, f"not valid JSON: {error.msg} at character {error.colno}", error.lineno
    except RecursionError:
        message = "not readable: nested too deeply"
    except ValueError as error:  # a key twice, NaN, a number of thousands of digits
        message = f"not valid JSON: {error}"
    else:
        return value, "", 0
    return None, message, 1


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        counts = Counter(key for key, _ in pairs)
        twice = next(key for key, count in counts.items() if count > 1)
        raise ValueError(f"key '{twice}' is there twice")
    return found


def _finite(text: str) -> float:
    value = float(text)
    return value if math.isfinite(value) else _refuse(text)


def _refuse(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON number")


def _objects(corpus: Corpus) -> Iterator[dict[str, Any]]:
    """Every sentence as an object: metadata, then content, then layers."""
    assert corpus.forms is not None
    spans, tags = _span_layer(corpus), _tag_columns(corpus)
    content: Sequence[str | list[str]]
    key, places = TOKENS, None
    if corpus.atoms == "characters":
        key, (content, places) = TEXT, texts_of(corpus)
    else:
        content = [*by_sentence(corpus, _strings(corpus, corpus.forms))]
    listed = _spans_by_sentence(corpus, spans, places) if spans is not None else {}
    taken = {key, "comments", "id", *tags, *(SPAN_KEYS if key == TEXT else ())}
    metadata = _metadata(corpus, taken | ({"spans"} if spans is not None else set()))
    for sentence, (first, last) in enumerate(pairwise(corpus.offsets.tolist())):
        found = {**metadata.get(sentence, {}), key: content[sentence]}
        if last > first or not sentence:  # a layer without tokens is there as well
            found.update({name: column[first:last] for name, column in tags.items()})
        if spans is not None:
            found["spans"] = listed.get(sentence, [])
        yield found


def _spans_by_sentence(
    corpus: Corpus, spans: Spans, places: list[Int64] | None
) -> dict[int, list[dict[str, Any]]]:
    """Spans as objects, counted in tokens or, where `places` are given, in characters of a text."""
    sentence = spans.sentence_of_row(corpus.offsets)
    starts, ends = ((x - corpus.offsets[sentence]).tolist() for x in (spans.start, spans.end))
    found: list[tuple[int, dict[str, Any]]] = []
    rows = zip(sentence.tolist(), starts, ends, spans.label.to_list(), strict=True)
    for number, start, end, label in rows:
        if places is not None:
            start, end = int(places[number][start]), int(places[number][end - 1]) + 1
        found.append((number, {"start": start, "end": end, "label": label}))
    return grouped(found)


def _strings(corpus: Corpus, labels: Labels) -> list[str]:
    """A column that can be written."""
    check_strings(corpus, labels, "an item of jsonl", refused=lambda name: not name)
    return labels.to_list()


def _tag_columns(corpus: Corpus) -> dict[str, list[str]]:
    """Tag layers by key."""
    found: dict[str, list[str]] = {}
    for name, layer in corpus.of_kind(Tags).items():
        key = "tags" if name == "tag" else name
        if name in RESERVED or key in found or corpus.atoms == "characters":
            raise InputError(f"{corpus.origin}: a tag layer '{name}' cannot be written as jsonl")
        found[key] = _strings(corpus, layer.labels)
    return found


def _span_layer(corpus: Corpus) -> Spans | None:
    there = corpus.of_kind(Spans)
    if not there:
        return None
    if len(there) > 1:
        raise InputError(
            f"{corpus.origin} has several layers of spans ({', '.join(there)}); jsonl holds one"
        )
    (spans,) = there.values()
    sizes = spans.end - spans.start
    if spans.tokens is not None and not np.array_equal(spans.tokens.bounds, bounds_of(sizes)):
        raise InputError(
            f"{corpus.origin} has spans with gaps, which jsonl cannot hold",
            help="'spans' can hold them",
        )
    if (sizes <= 0).any() or len(spans.label.where("")):
        raise InputError(f"{corpus.origin} has spans without tokens or without label")
    return spans


def _metadata(corpus: Corpus, taken: set[str]) -> dict[int, dict[str, Any]]:
    """Comments `key = value` as keys.

    What is no such comment, or repeats a key, stands as it is in a list `comments`, together with
    all between the first and the last of them, so that their order stays.
    """
    as_json = set(corpus.rows_of("json", Comments))
    result: dict[int, dict[str, Any]] = {}
    texts: dict[int, list[str]] = grouped(corpus.rows_of("comments", Comments))
    for sentence, comments in texts.items():
        parsed = [_METADATA.fullmatch(c) for c in comments]
        keys = [m[1] if m else "" for m in parsed]
        first = {key: i for i, key in reversed([*enumerate(keys)])}
        odd = [i for i, k in enumerate(keys) if not k or k in taken or first[k] < i]
        found: dict[str, Any] = {}
        for i, match in enumerate(parsed):
            if odd and odd[0] <= i <= odd[-1]:
                found.setdefault("comments", []).append(comments[i])
            elif match:
                key, value = match[1], match[2]
                found[key] = json.loads(value) if (sentence, key) in as_json else value
        result[sentence] = found
    return result
