"""JSON lines: one object a line, with `tokens` and tags or spans, or with `text` and spans."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Bytes, Int64, Labels, bounds_of
from tertium.corpus.layers import Comments, Spans, Tags
from tertium.exceptions import InputError
from tertium.formats.base import Problems
from tertium.formats.characters import texts_of
from tertium.formats.files import OWN_SUFFIX, first_object
from tertium.formats.lines import TextFormat, by_sentence, check_strings, check_text, grouped
from tertium.formats.records import RESERVED, SPAN_KEYS, TEXT, TOKENS, Record, RecordReader

_METADATA = re.compile(r" (\S(?:[^=]*[^=\s])?) = (.*)", re.DOTALL)


@dataclass(frozen=True, repr=False)
class Jsonl(TextFormat):
    """One object a line, each a sentence (or a text of any length).

    - `text` and a list of spans (`spans`, `entities`, `labels` or `label`) with character offsets,
      end exclusive: atoms are the characters that are not white space; layer `spans`
    - `tokens` and lists of as many strings: tag layers named by their keys (`tags` is `tag`); a
      list of spans there counts tokens

    Strings and numbers are metadata, kept as comments `key = value`; `id` is the sentence's id.
    """

    id = "jsonl"
    title = "JSON lines: text with character spans, or tokens with tags or spans"
    suffixes = (".jsonl", ".ndjson", ".jsonlines")
    layers = ("tags", "spans")
    lossy = "dependency trees, multiword tokens, spaces between tokens; keys it does not know"

    def sniff(self, head: bytes) -> float:
        """The first line is an object with one of the keys; a long one may be cut. Other objects
        are read as well, for the message, unless a format knows them."""
        line, newline, _ = head.lstrip().partition(b"\n")
        if not line.startswith(b"{"):
            return 0.0
        found = first_object(head)
        if found is not None:
            return 0.95 if TEXT in found or TOKENS in found else OWN_SUFFIX
        if any(b'"%s"' % key.encode() in line for key in (TEXT, TOKENS)):
            return 0.7
        return 0.3 if newline else OWN_SUFFIX

    def parse(self, buf: Bytes, problems: Problems) -> Corpus:
        """See the class."""
        check_text(buf, problems)
        records: list[Record | None] = []
        lines: list[int] = []
        for number, line in enumerate(buf.tobytes().split(b"\n"), 1):
            if line.strip():
                records.append(_parse(line, number, len(records), problems))
                lines.append(number)
        return RecordReader(problems, records, lines, self.id).read()

    def blocks(self, corpus: Corpus) -> Iterator[str]:
        """A corpus of words as `tokens` with tags and spans, one of characters as `text`."""
        if corpus.forms is None:
            raise InputError(
                f"{corpus.origin} has neither words nor text and cannot be written as jsonl",
                help="spans over token numbers convert to 'spans'",
            )
        for each in _objects(corpus):
            yield json.dumps(each, ensure_ascii=False) + "\n"


def _parse(line: bytes, number: int, place: int, problems: Problems) -> Record | None:
    """The object in a line, None if there is none."""
    try:
        value = json.loads(
            line.decode(), object_pairs_hook=_unique, parse_constant=_refuse, parse_float=_finite
        )
        if rb"\u" in line:
            json.dumps(value, ensure_ascii=False).encode()  # half a surrogate pair cannot be
    except UnicodeEncodeError:
        message = "a string holds half a surrogate pair (\\ud800 to \\udfff), which is no character"
    except json.JSONDecodeError as error:
        message = f"not valid JSON: {error.msg} at character {error.pos + 1}"
        if line.lstrip()[:1] not in b"{[" or not line.rstrip().endswith((b"}", b"]")):
            message += "; every line must be a whole object"
    except RecursionError:
        message = "not readable: nested too deeply"
    except ValueError as error:  # a key twice, NaN, a number of thousands of digits
        message = f"not valid JSON: {error}"
    else:
        if isinstance(value, dict):
            return value
        message = "not an object: a line must be {...}"
    problems.error(message, line=number, sentence=str(place + 1))
    return None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"key '{twice}' is there twice")
    return found


def _finite(text: str) -> float:
    value = float(text)
    return value if math.isfinite(value) else _refuse(text)


def _refuse(name: str) -> Any:
    raise ValueError(f"{name} is no number of JSON")


def _objects(corpus: Corpus) -> Iterator[dict[str, Any]]:
    """Every sentence as an object: metadata, then content, then layers."""
    assert corpus.forms is not None
    spans, tags = _span_layer(corpus), _tag_columns(corpus)
    content: Sequence[str | list[str]]
    key, places = TOKENS, None
    if corpus.atoms == "characters":
        key, (content, places) = TEXT, texts_of(corpus)
    else:
        content = _slices(corpus, corpus.forms)
    listed = _spans_by_sentence(corpus, spans, places) if spans is not None else {}
    taken = {key, "comments", "id", *tags, *(SPAN_KEYS if key == TEXT else ())}
    metadata = _metadata(corpus, taken | ({"spans"} if spans is not None else set()))
    for sentence in range(corpus.sentence_count):
        found = {**metadata.get(sentence, {}), key: content[sentence]}
        found.update({name: column[sentence] for name, column in tags.items()})
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


def _slices(corpus: Corpus, labels: Labels) -> list[list[str]]:
    """A column, cut into sentences."""
    check_strings(corpus, labels, "an item of jsonl", refused=lambda name: not name)
    return [*by_sentence(corpus, labels.to_list())]


def _tag_columns(corpus: Corpus) -> dict[str, list[list[str]]]:
    """Tag layers by key, cut into sentences."""
    found: dict[str, list[list[str]]] = {}
    for name, layer in corpus.of_kind(Tags).items():
        key = "tags" if name == "tag" else name
        if name in RESERVED or key in found or corpus.atoms == "characters":
            raise InputError(f"{corpus.origin}: a tag layer '{name}' cannot be written as jsonl")
        found[key] = _slices(corpus, layer.labels)
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
        odd = [i for i, k in enumerate(keys) if not k or k in taken or k in keys[:i]]
        found: dict[str, Any] = {}
        for i, match in enumerate(parsed):
            if odd and odd[0] <= i <= odd[-1]:
                found.setdefault("comments", []).append(comments[i])
            elif match:
                key, value = match[1], match[2]
                found[key] = json.loads(value) if (sentence, key) in as_json else value
        result[sentence] = found
    return result
