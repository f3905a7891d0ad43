"""Objects with `tokens` or `text`, lines of JSON or Python dictionaries, as a corpus.

Spans are objects or triples with offsets: `{"start": 0, "end": 5, "label": "PER"}`.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from numbers import Integral
from typing import Any

import numpy as np

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels, bounds_of
from tertium.corpus.layers import Bools, Comments, Layer, Spans, Tags
from tertium.exceptions import counted
from tertium.formats.base import Problems, Reader
from tertium.formats.characters import characters
from tertium.formats.record_keys import (
    ANSWERS,
    ASIDE,
    BESIDE_GROUP,
    EITHER_KEYS,
    END_KEYS,
    GROUP_KEY,
    LABEL_KEYS,
    MOST_LAYERS,
    PIECE_KEY,
    READ_KEYS,
    SPAN_KEYS,
    START_KEYS,
    TEXT,
    TOKENS,
    WHOLE,
    Record,
    first_of,
    is_comment,
    is_key,
    is_list,
    is_tag_key,
    json_kind,
    listed_keys,
    may_annotate,
    mode_of,
    token_numbers,
)


class RecordReader(Reader):
    """Turns objects into a corpus, each into a sentence.

    All have `tokens` or all have `text`, as the first one. `lines` says where each stands, for
    messages, None where they have no lines of their own; an object that could not be read at all is
    None, and its sentence is bad at once.
    """

    def __init__(
        self,
        problems: Problems,
        records: Sequence[Record | None],
        lines: Sequence[int] | None,
        format: str,
    ) -> None:
        super().__init__(problems, len(records), format)
        self.bad[:] = [record is None for record in records]
        self.records, self.known_lines = records, lines is not None
        self.lines = lines if lines is not None else [0] * len(records)
        modes = (mode_of(record) for record in records if record is not None)
        self.mode = next((mode for mode in modes if mode), TOKENS)
        self.content: list[Any] = ["" if self.mode == TEXT else []] * len(records)
        self.unread: Counter[str] = Counter()
        self.tags: dict[str, dict[int, list[str]]] = {}
        self.comments: list[tuple[int, str]] = []
        self.json_keys: list[tuple[int, str]] = []  # metadata that is not a plain string
        self.spans: list[tuple[int, int, int, str]] = []  # record, start, end (exclusive), label
        self.with_spans: set[int] = set()  # records that have a list of spans, if an empty one
        self.trimmed: list[int] = []  # lines of spans that begin or end in white space
        self.other_text: list[tuple[int, str]] = []
        self.beside_text: list[int] = []  # lines with spans over tokens that have a text as well

    def read(self) -> Corpus:
        """All records."""
        for number, record in enumerate(self.records):
            if record is not None:
                self.read_record(number, record)
        tags = self.settle_tags()
        self.refuse_silent()
        self.note_spans()
        for key, count in self.unread.items():
            self.problems.note(
                f"key '{key}' was not read ({counted(count, 'time')})", kind="unread"
            )
        self.problems.stop()
        for number in np.flatnonzero(self.bad).tolist():
            self.content[number] = self.content[number][:0]
        return self.build(tags)

    # -- one record --------------------------------------------------------------------------

    def read_record(self, number: int, record: Record) -> None:
        """Check one record and keep what it says."""
        mode = mode_of(record, self.mode)
        if mode != self.mode:
            self.error(number, self.wrong_mode(record, mode))
            return
        value = record[mode]
        if mode == TOKENS and not self.are_strings(number, TOKENS, value):
            return
        answer = record.get("answer")
        if isinstance(answer, str) and answer in ANSWERS:
            message = f"the record was {ANSWERS[answer]} by the annotator ('answer': '{answer}')"
            self.error(number, f"{message}; '--on-error skip' leaves it out")
            return
        self.content[number] = list(value) if mode == TOKENS else value
        lists = [key for key in SPAN_KEYS if self.holds_spans(key, record.get(key))]
        if lists:
            self.with_spans.add(number)
        for key, value in record.items():
            if key != mode and key not in lists:
                self.read_key(number, record, key, value)
        found = [key for key in lists if len(record[key])]
        if len(found) > 1:
            self.error(number, f"both '{found[0]}' and '{found[1]}' hold spans")
        for key in found[:1]:
            for place, item in enumerate(record[key], 1):
                if wrong := self.read_span(number, item, self.content[number]):
                    self.error(number, f"item {place} of '{key}' {wrong}", is_span=True)
            if mode == TOKENS and isinstance(record.get(TEXT), str):
                self.beside_text.append(self.lines[number])

    def wrong_mode(self, record: Record, mode: str) -> str:
        """Why a record is not one of this file."""
        if mode:
            return f"there is '{mode}', but the file began with '{self.mode}'"
        for key, expected in ((TOKENS, "a list of strings"), (TEXT, "a string")):
            if key in record:
                return f"'{key}' is {json_kind(record[key])}, expected {expected}"
        return f"there is neither '{TOKENS}' nor '{TEXT}'; {listed_keys(record)}"

    def read_key(self, number: int, record: Record, key: str, value: Any) -> None:
        """Sort one key into metadata, tags and what is not read."""
        if key in SPAN_KEYS and value is None:
            return
        if value is None or isinstance(value, str | int | float):
            self.read_metadata(number, record, key, value)
        elif key == "comments" and is_list(value) and all(map(is_comment, value)):
            self.comments += [(number, comment) for comment in value]
        elif self.mode == TOKENS and is_list(value) and all(isinstance(v, str) for v in value):
            self.tags.setdefault(key, {})[number] = list(value)
        elif self.mode == TOKENS and is_tag_key(key):
            self.are_strings(number, key, value)
        else:
            self.unread[key] += 1

    def read_metadata(self, number: int, record: Record, key: str, value: Any) -> None:
        """A scalar becomes the comment `key = value`; `id` is the sentence's id."""
        if not is_key(key):
            self.unread[key] += 1
            return
        if isinstance(value, float) and not math.isfinite(value):
            value = str(value)
        name = "sent_id" if key == "id" and "sent_id" not in record else key
        plain = is_comment(value)
        if not plain:
            self.json_keys.append((number, name))
        self.comments.append((number, f" {name} = {value if plain else json.dumps(value)}"))

    def holds_spans(self, key: str, value: Any) -> bool:
        """Is this list one of spans? A list of strings under `label` may be one of tags."""
        if not is_list(value):
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
        good = int((~self.bad).sum())
        layers: dict[str, dict[int, list[str]]] = {}
        for key, lists in self.tags.items():
            fitting = sum(
                len(tags) == len(self.content[i]) for i, tags in lists.items() if not self.bad[i]
            )
            if key in EITHER_KEYS and not any(lists.values()):
                continue  # empty everywhere: no spans, and no tags either
            if not is_tag_key(key) and 2 * fitting < good:
                self.unread[key] += len(lists)
                continue
            name = "tag" if key == "tags" else key
            if name in layers:
                raise self.problems.fatal("both 'tags' and 'tag' hold tags")
            layers[name] = lists
            if len(layers) > MOST_LAYERS:
                message = f"more than {MOST_LAYERS:,} keys hold tags"
                help = "leave the keys out of the file that are not to be scored"
                raise self.problems.fatal(message, help=help)
            wanted = self.occupied.copy()
            wanted[[*lists]] = True
            for i in np.flatnonzero(wanted & ~self.bad).tolist():
                self.check_tags(i, key, lists.get(i))
        return layers

    @cached_property
    def occupied(self) -> Bools:
        """Which records have content."""
        return np.array([len(each) > 0 for each in self.content], np.bool_)

    def check_tags(self, number: int, key: str, tags: list[str] | None) -> None:
        """As many tags as tokens, none of them empty."""
        tokens = len(self.content[number])
        if tags is None:
            self.error(number, f"there is no '{key}', which other lines have")
        elif len(tags) != tokens:
            self.error(number, f"'{key}' has {len(tags)} strings, but '{TOKENS}' has {tokens}")
        else:
            self.are_strings(number, key, tags)

    def are_strings(self, number: int, key: str, values: Any) -> bool:
        """Is it a list of strings, none of them empty? Otherwise an error says what is wrong."""
        if not is_list(values):
            self.error(number, f"'{key}' is {json_kind(values)}, expected a list of strings")
            return False
        for place, value in enumerate(values, 1):
            if not isinstance(value, str) or not value:
                what = "empty" if value == "" else f"{json_kind(value)}, expected a string"
                self.error(number, f"item {place} of '{key}' is {what}")
                return False
        return True

    # -- spans -------------------------------------------------------------------------------

    def read_span(self, number: int, item: Any, content: str | list[str]) -> str:
        """Keep one span, or say what is wrong with it."""
        if isinstance(item, Mapping):
            start, end, label = (
                first_of(item, keys) for keys in (START_KEYS, END_KEYS, LABEL_KEYS)
            )
            if self.mode == TOKENS:
                start, end = token_numbers(item) or (start, end)
            if is_list(label) and len(label) == 1:
                (label,) = label
            known = READ_KEYS | BESIDE_GROUP if GROUP_KEY in item else READ_KEYS
            self.unread.update(f"spans.{name}" for name in item if name not in known)
        elif is_list(item) and len(item) == 3:
            start, end, label = item
        else:
            return "is neither an object with 'start', 'end' and 'label' nor [start, end, label]"
        for what, value in (("start", start), ("end", end)):
            if isinstance(value, bool) or not isinstance(value, Integral):
                shown = f": {value!r}" if value is not None else ""
                return f"has no whole number as '{what}'{shown}"
        if label is None and isinstance(item, Mapping) and PIECE_KEY in item:
            return f"is a piece of an entity ('{PIECE_KEY}'): {WHOLE}"
        if not isinstance(label, str) or not label:
            return f"has no string as label: {label!r}"
        if start < 0 or end > len(content):
            unit = "characters" if self.mode == TEXT else "tokens"
            return f"goes from {start} to {end}, but there are {len(content)} {unit}"
        if end <= start:
            return f"covers nothing: it goes from {start} to {end}, and the end is exclusive"
        start, end = int(start), int(end)
        if isinstance(content, str):
            inside = content[start:end]
            if inside.isspace():
                return f"covers white space only: {start} to {end}"
            line = self.lines[number]
            if inside != inside.strip():
                self.trimmed.append(line)
            said = item.get("text") if isinstance(item, Mapping) else None
            if isinstance(said, str) and said.strip() != inside.strip():
                self.other_text.append((line, f"'{said}', but {start} to {end} is '{inside}'"))
        self.spans.append((number, start, end, label))
        return ""

    def note_spans(self) -> None:
        """Tell what was unusual, each kind once, at the first line that has it."""

        def tell(lines: list[int], message: str, kind: str = "note") -> None:
            if lines:
                self.problems.note(message.format(len(lines)), line=lines[0], kind=kind)

        message = "{:,} spans began or ended in white space, which was left out"
        tell(self.trimmed, message, "trimmed")
        for line, example in self.other_text[:1]:
            count = f"{len(self.other_text):,} spans"
            message = f"{count} have a different text than their offsets: {example}; "
            message += "check whether the offsets count bytes or UTF-16 units"
            self.problems.note(message, line=line, kind="text")
        message = "in {:,} lines with 'tokens' and 'text' "
        message += "spans were read as numbers of tokens, not of characters"
        tell(self.beside_text, message)
        if self.with_spans or self.mode == TEXT:
            without = sorted(set(np.flatnonzero(~self.bad).tolist()) - self.with_spans)
            lines = [self.lines[number] for number in without]
            tell(lines, "{:,} lines have no list of spans; read as 'no span'")

    def refuse_silent(self) -> None:
        """An error for every record whose annotation may stand where nothing was read: it has no
        list of spans, but a list or an object under another key; or no record has one. An empty
        list is none where the spans are null."""
        if self.mode == TOKENS and not self.with_spans:
            return
        aside = {TEXT, TOKENS, *ASIDE, *self.tags}
        for number in np.flatnonzero(self.occupied & ~self.bad).tolist():
            record = self.records[number] or {}
            if number in self.with_spans:
                continue
            null = any(record.get(k, k) is None for k in SPAN_KEYS)
            other = any(
                k not in aside and may_annotate(v) and (v or not null) for k, v in record.items()
            )
            said = "answer" in record or null
            if other or not (self.with_spans or said):
                message = f"nothing was read: there is no list of spans; {listed_keys(record)}; "
                message += f"spans are read from {', '.join(SPAN_KEYS)}"
                self.error(number, message)

    # -- the corpus --------------------------------------------------------------------------

    def build(self, tags: dict[str, dict[int, list[str]]]) -> Corpus:
        """A corpus of words or of characters."""
        bounds = bounds_of([len(each) for each in self.content])
        extras: dict[str, Layer] = {}
        if self.mode == TEXT:
            forms, atoms_before, extras = characters(self.content)
        else:
            forms = Labels.of(token for tokens in self.content for token in tokens)
            atoms_before = np.arange(bounds[-1] + 1)
        layers: dict[str, Layer] = {}
        occupied = np.flatnonzero(self.occupied & ~self.bad).tolist()
        for name, lists in tags.items():
            column = [t for i in occupied for t in lists[i]]
            layers[name] = Tags(Labels.of(column))
        if self.with_spans or self.mode == TEXT:
            rows = [row for row in self.spans if not self.bad[row[0]]]
            number, *limits = np.array([row[:3] for row in rows], np.int64).reshape(-1, 3).T
            start, end = (atoms_before[bounds[number] + at].astype(np.int32) for at in limits)
            layers["spans"] = Spans(start, end, Labels.of(row[3] for row in rows))
        for name, notes in (("comments", self.comments), ("json", self.json_keys)):
            if notes:
                sentence = np.array([number for number, _ in notes], np.int32)
                extras[name] = Comments(sentence, Labels.of(text for _, text in notes))
        offsets = atoms_before[bounds]
        return self.corpus(
            offsets,
            forms=forms,
            layers={} if self.bad.all() else layers,
            extras=extras,
            atoms="characters" if self.mode == TEXT else "words",
            lines=np.repeat(np.array(self.lines, np.int32), np.diff(offsets))
            if self.known_lines
            else None,
        )

    # -- problems ----------------------------------------------------------------------------

    def name(self, sentence: int) -> str:
        """A record's id or number."""
        record = self.records[sentence] or {}
        given = record.get("sent_id", record.get("id"))
        return str(given) if isinstance(given, str | int) else super().name(sentence)

    def error(self, number: int, message: str, *, is_span: bool = False) -> None:
        """Something that makes a record useless, unless it is one span, which may be left out."""
        self.problems.error(message, line=self.lines[number], sentence=self.name(number))
        if is_span and self.reading.on_error == "repair":
            self.repaired += 1
        else:
            self.bad[number] = True
