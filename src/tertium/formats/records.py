"""Objects with `tokens` or `text`, lines of JSON or Python dictionaries, as a corpus."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from numbers import Integral
from typing import Any

import numpy as np

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int64, Labels
from tertium.corpus.layers import Comments, Layer, Spans, Tags
from tertium.formats.base import Problems
from tertium.formats.characters import Characters
from tertium.formats.lines import LINE_BREAKS

Record = Mapping[str, Any]

TEXT, TOKENS = "text", "tokens"
SPAN_KEYS = ("spans", "entities", "labels", "label")
EITHER_KEYS = ("labels", "label")  # spans or, over tokens, tags
TAG_KEYS = frozenset(
    "tags tag upos xpos pos pos_tags lemma lemmas feats ner chunk labels label".split()
)
RESERVED = frozenset((TEXT, TOKENS, "spans", "entities", "comments", "id", "sent_id"))


@dataclass
class RecordReader:
    """Turns objects into a corpus, each into a sentence.

    All have `tokens` or all have `text`, as the first one. `lines` says where each stands, for
    messages; an object that could not be read at all is None, and its sentence is bad at once.
    """

    problems: Problems
    records: Sequence[Record | None]
    lines: Sequence[int]
    format: str
    mode: str = TOKENS
    repaired: int = 0
    unread: dict[str, int] = field(default_factory=dict)
    tags: dict[str, dict[int, list[str]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.bad = np.array([r is None for r in self.records], np.bool_)
        self.content: list[Any] = [""] * len(self.records)
        self.spans = SpanLists(self)
        self.comments: tuple[list[int], list[str]] = ([], [])
        self.json_keys: tuple[list[int], list[str]] = ([], [])

    def corpus(self) -> Corpus:
        """All records."""
        modes = (self.mode_of(record) for record in self.records if record is not None)
        self.mode = next((mode for mode in modes if mode), TOKENS)
        for number, record in enumerate(self.records):
            if record is not None:
                self.read(number, record)
        tags = self.settle_tags()
        self.spans.note()
        for key, count in self.unread.items():
            self.problems.note(f"key '{key}' was not read ({count:,} times)", kind="unread")
        if self.problems.stops:
            self.problems.settle()  # raises, unless every problem is wanted
        nothing: Any = "" if self.mode == TEXT else []
        content: list[Any] = [
            nothing if bad else value
            for value, bad in zip(self.content, self.bad.tolist(), strict=True)
        ]
        return self.of_text(content) if self.mode == TEXT else self.of_tokens(content, tags)

    # -- one record --------------------------------------------------------------------------

    @staticmethod
    def mode_of(record: Record) -> str:
        """`tokens` or `text`, or nothing. A text goes before tokens that are objects."""
        has_text = isinstance(record.get(TEXT), str)
        tokens = record.get(TOKENS)
        if isinstance(tokens, list | tuple) and not (
            has_text and any(isinstance(token, Mapping) for token in tokens)
        ):
            return TOKENS
        return TEXT if has_text else ""

    def wrong_mode(self, record: Record, mode: str) -> str:
        """Why a record is not one of this file."""
        if mode:
            return f"there is '{mode}', but the file began with '{self.mode}'"
        for key, expected in ((TOKENS, "a list of strings"), (TEXT, "a string")):
            if key in record:
                return f"'{key}' is {_kind(record[key])}, expected {expected}"
        return f"there is neither '{TOKENS}' nor '{TEXT}'"

    def read(self, number: int, record: Record) -> None:
        """Check one record and keep what it says."""
        mode = self.mode_of(record)
        if mode != self.mode:
            self.error(number, self.wrong_mode(record, mode))
            return
        value = record[mode]
        if mode == TOKENS and not self.are_strings(number, TOKENS, value):
            return
        self.content[number] = list(value) if mode == TOKENS else value
        for key, value in record.items():
            if key != mode:
                self.read_key(number, record, key, value)
        found = [k for k in SPAN_KEYS if self.holds_spans(record.get(k), k) and len(record[k])]
        if len(found) > 1:
            self.error(number, f"both '{found[0]}' and '{found[1]}' hold spans")
        for key in found[:1]:
            self.spans.read(number, key, record[key], self.content[number])
            if mode == TOKENS and isinstance(record.get(TEXT), str):
                self.spans.beside_text.append(self.lines[number])
        if any(self.holds_spans(record.get(k), k) for k in SPAN_KEYS):
            self.spans.present.add(number)

    def read_key(self, number: int, record: Record, key: str, value: Any) -> None:
        """Sort one key into metadata, tags, spans and what is not read."""
        if key in SPAN_KEYS and (value is None or self.holds_spans(value, key)):
            return
        if value is None or isinstance(value, str | int | float):
            self.read_metadata(number, record, key, value)
        elif key == "comments" and _is_list(value) and all(map(_is_comment, value)):
            self.comments[0].extend([number] * len(value))
            self.comments[1].extend(value)
        elif self.mode == TOKENS and _is_list(value) and all(isinstance(v, str) for v in value):
            self.tags.setdefault(key, {})[number] = list(value)
        elif self.mode == TOKENS and (key in TAG_KEYS or key.endswith("_tags")):
            self.are_strings(number, key, value)
        else:
            self.unread[key] = self.unread.get(key, 0) + 1

    def read_metadata(self, number: int, record: Record, key: str, value: Any) -> None:
        """A scalar becomes the comment `key = value`; `id` is the sentence's id."""
        if key != key.strip() or not key or any(c in key for c in "=" + LINE_BREAKS):
            self.unread[key] = self.unread.get(key, 0) + 1
            return
        if isinstance(value, float) and not math.isfinite(value):
            value = str(value)
        name = "sent_id" if key == "id" and "sent_id" not in record else key
        plain = isinstance(value, str) and not any(c in value for c in LINE_BREAKS)
        if not plain:
            self.json_keys[0].append(number)
            self.json_keys[1].append(name)
        self.comments[0].append(number)
        self.comments[1].append(f" {name} = {value if plain else json.dumps(value)}")

    def holds_spans(self, value: Any, key: str) -> bool:
        """Is this list one of spans? A list of strings under `label` may be one of tags."""
        if key not in SPAN_KEYS or not _is_list(value):
            return False
        if self.mode == TEXT or key not in EITHER_KEYS:
            return True
        return len(value) > 0 and not any(isinstance(v, str | int | float) for v in value)

    # -- tags --------------------------------------------------------------------------------

    def settle_tags(self) -> dict[str, dict[int, list[str]]]:
        """The keys that hold tags, by the name of their layer.

        A list of strings is one of tags if its key is a usual one or if it is as long as `tokens`
        in at least half of the records; then all records must have it, and as long.
        """
        good = [i for i, bad in enumerate(self.bad.tolist()) if not bad]
        layers: dict[str, dict[int, list[str]]] = {}
        for key, lists in self.tags.items():
            fitting = sum(i in lists and len(lists[i]) == len(self.content[i]) for i in good)
            if key in EITHER_KEYS and not any(lists.values()):
                continue  # empty everywhere: no spans, and no tags either
            if not (key in TAG_KEYS or key.endswith("_tags")) and 2 * fitting < len(good):
                self.unread[key] = self.unread.get(key, 0) + len(lists)
                continue
            name = "tag" if key == "tags" else key
            if name in layers:
                raise self.problems.fatal("both 'tags' and 'tag' hold tags")
            layers[name] = lists
            for i in good:
                self.check_tags(i, key, lists.get(i))
        return layers

    def check_tags(self, number: int, key: str, tags: list[str] | None) -> None:
        """As many tags as tokens, none of them empty."""
        tokens = len(self.content[number])
        if tags is None:
            if tokens:
                self.error(number, f"there is no '{key}', which other lines have")
        elif len(tags) != tokens:
            self.error(number, f"'{key}' has {len(tags)} strings, but '{TOKENS}' has {tokens}")
        else:
            self.are_strings(number, key, tags)

    def are_strings(self, number: int, key: str, values: Any) -> bool:
        """Is it a list of strings, none of them empty? Otherwise an error says what is wrong."""
        if not _is_list(values):
            self.error(number, f"'{key}' is {_kind(values)}, expected a list of strings")
            return False
        for place, value in enumerate(values, 1):
            if not isinstance(value, str) or not value:
                what = "empty" if value == "" else f"{_kind(value)}, expected a string"
                self.error(number, f"item {place} of '{key}' is {what}")
                return False
        return True

    # -- the corpus --------------------------------------------------------------------------

    def of_tokens(self, content: list[list[str]], tags: dict[str, dict[int, list[str]]]) -> Corpus:
        """A corpus of words."""
        sizes = np.array([len(tokens) for tokens in content], np.int64)
        offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        layers: dict[str, Layer] = {}
        for name, lists in tags.items():
            column = [t for i, tokens in enumerate(content) if tokens for t in lists[i]]
            layers[name] = Tags(Labels.of(column))
        if self.spans.present:
            layers["spans"] = self.span_layer(offsets)
        forms = Labels.of(token for tokens in content for token in tokens)
        return self.finish(offsets, forms, layers, {}, "words")

    def of_text(self, content: list[str]) -> Corpus:
        """A corpus of characters."""
        characters = Characters.of(content)
        spans = self.span_layer(characters.bounds)
        start, end = (characters.atoms_before[x].astype(np.int32) for x in (spans.start, spans.end))
        layers: dict[str, Layer] = {"spans": Spans(start, end, spans.label)}
        return self.finish(
            characters.offsets, characters.forms, layers, characters.extras(), "characters"
        )

    def span_layer(self, offsets: Int64) -> Spans:
        """The spans of good sentences, at the places where these sentences begin."""
        rows = [row for row in self.spans.rows if not self.bad[row[0]]]
        base = offsets[[row[0] for row in rows]]
        start, end = (
            (base + np.array([row[at] for row in rows], np.int64)).astype(np.int32) for at in (1, 2)
        )
        return Spans(start, end, Labels.of(row[3] for row in rows))

    def finish(
        self,
        offsets: Int64,
        forms: Labels,
        layers: dict[str, Layer],
        extras: dict[str, Layer],
        atoms: str,
    ) -> Corpus:
        """Put the corpus together."""
        comments = None
        if self.comments[0]:
            comments = _comments(*self.comments)
            extras["comments"] = comments
        if self.json_keys[0]:
            extras["json"] = _comments(*self.json_keys)
        return Corpus(
            offsets=offsets,
            forms=forms,
            layers={} if self.bad.all() else layers,
            extras=extras,
            atoms=atoms,
            origin=self.problems.reading.origin,
            format=self.format,
            lines=np.repeat(np.array(self.lines, np.int32), np.diff(offsets)),
            skipped=self.bad if self.bad.any() else None,
            problems=self.problems.settle(),
            repaired=self.repaired,
        )

    # -- problems ----------------------------------------------------------------------------

    def error(self, number: int, message: str) -> None:
        """Something that makes a record useless."""
        self.report(number, message)
        self.bad[number] = True

    def report(self, number: int, message: str) -> None:
        """Something wrong in a record."""
        record = self.records[number] or {}
        given = record.get("sent_id", record.get("id"))
        name = str(given) if isinstance(given, str | int) else str(number + 1)
        self.problems.error(message, line=self.lines[number], sentence=name)


def _comments(sentence: list[int], text: list[str]) -> Comments:
    return Comments(np.array(sentence, np.int32), Labels.of(text))


def _is_list(value: Any) -> bool:
    return isinstance(value, list | tuple)


def _is_comment(value: Any) -> bool:
    return isinstance(value, str) and not any(c in value for c in LINE_BREAKS)


def _kind(value: Any) -> str:
    """What a value is, in the words of JSON."""
    if value is None:
        return "null"
    for types, words in (
        (bool, "a truth value"),
        (str, "a string"),
        (int | float, "a number"),
        (list | tuple, "a list"),
        (Mapping, "an object"),
    ):
        if isinstance(value, types):
            return words
    return f"a {type(value).__name__}"


START_KEYS = ("start", "begin", "start_offset")
END_KEYS = ("end", "end_offset")
LABEL_KEYS = ("label", "type", "labels")
READ_KEYS = frozenset((*START_KEYS, *END_KEYS, *LABEL_KEYS, "text"))


class SpanLists:
    """Collects and checks the spans of all records.

    `rows` are (record, start, end, label) with offsets as written, end exclusive. A span that is
    wrong makes its record bad; under "repair" it is left out instead.
    """

    def __init__(self, reader: RecordReader) -> None:
        self.reader = reader
        self.rows: list[tuple[int, int, int, str]] = []
        self.present: set[int] = set()  # records that have a list of spans, if an empty one
        self.trimmed: list[int] = []  # lines of spans that begin or end in white space
        self.other_text: list[tuple[int, str]] = []
        self.beside_text: list[int] = []  # lines with spans over tokens that have a text as well

    def read(self, number: int, key: str, items: Sequence[Any], content: str | list[str]) -> None:
        """One record's spans over its text or tokens."""
        for place, item in enumerate(items, 1):
            wrong = self.read_item(number, item, content)
            if not wrong:
                continue
            self.reader.report(number, f"item {place} of '{key}' {wrong}")
            if self.reader.problems.reading.on_error == "repair":
                self.reader.repaired += 1
            else:
                self.reader.bad[number] = True

    def read_item(self, number: int, item: Any, content: str | list[str]) -> str:
        """Keep one span, or say what is wrong with it."""
        if isinstance(item, Mapping):
            start, end, label = (_first(item, keys) for keys in (START_KEYS, END_KEYS, LABEL_KEYS))
            if isinstance(label, list | tuple) and len(label) == 1:
                (label,) = label
            for name in item:
                if name not in READ_KEYS:
                    name = f"spans.{name}"
                    self.reader.unread[name] = self.reader.unread.get(name, 0) + 1
        elif isinstance(item, list | tuple) and len(item) == 3:
            start, end, label = item
        else:
            return "is neither an object with 'start', 'end' and 'label' nor [start, end, label]"
        for what, value in (("start", start), ("end", end)):
            if isinstance(value, bool) or not isinstance(value, Integral):
                return f"has no whole number as '{what}'" + (
                    f": {value!r}" if value is not None else ""
                )
        if not isinstance(label, str) or not label:
            return f"has no string as label: {label!r}"
        unit = "characters" if isinstance(content, str) else "tokens"
        if start < 0 or end > len(content):
            return f"goes from {start} to {end}, but there are {len(content)} {unit}"
        if end <= start:
            return f"covers nothing: it goes from {start} to {end}, and the end is exclusive"
        start, end = int(start), int(end)
        if isinstance(content, str):
            inside = content[start:end]
            if inside.isspace():
                return f"covers white space only: {start} to {end}"
            line = self.reader.lines[number]
            if inside != inside.strip():
                self.trimmed.append(line)
            said = item.get("text") if isinstance(item, Mapping) else None
            if isinstance(said, str) and said.strip() != inside.strip():
                self.other_text.append((line, f"'{said}', but {start} to {end} is '{inside}'"))
        self.rows.append((number, start, end, label))
        return ""

    def note(self) -> None:
        """Tell what was unusual, each kind once."""
        problems, count = self.reader.problems, len(self.trimmed)
        if count:
            problems.note(
                f"{count:,} spans began or ended in white space, which was left out",
                line=self.trimmed[0],
                kind="trimmed",
            )
        if self.other_text:
            line, example = self.other_text[0]
            problems.note(
                f"{len(self.other_text):,} spans say another text than their offsets: {example}; "
                "are the offsets counted in bytes or in UTF-16?",
                line=line,
                kind="text",
            )
        if self.beside_text:
            problems.note(
                f"in {len(self.beside_text):,} lines with 'tokens' and 'text' "
                "spans were read as numbers of tokens, not of characters",
                line=self.beside_text[0],
            )
        without = [
            line
            for i, (line, bad) in enumerate(
                zip(self.reader.lines, self.reader.bad.tolist(), strict=True)
            )
            if i not in self.present and not bad
        ]
        if without and (self.present or self.reader.mode == "text"):
            problems.note(
                f"{len(without):,} lines have no list of spans; read as 'no span'", line=without[0]
            )


def _first(item: Mapping[str, Any], keys: tuple[str, ...]) -> Any:
    return next((item[key] for key in keys if key in item), None)
