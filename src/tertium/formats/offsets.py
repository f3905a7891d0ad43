"""Lists of spans as objects or triples with offsets: `{"start": 0, "end": 5, "label": "PER"}`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Integral
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tertium.formats.records import RecordReader

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
