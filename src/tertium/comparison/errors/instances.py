"""Errors as instances: one error, both sides, and the words around it."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

from tertium.results.items import run_text, runs
from tertium.results.output import record
from tertium.results.scenes import Scene

Range = tuple[int, int]  # of characters, end exclusive
AROUND = 30  # characters on either side of a span in a table
CUT = "…"
SIDES = ("gold", "system")


@dataclass(frozen=True, slots=True)
class Head:
    """The second anchor of an item, such as the head of a word: its number in its sentence (0 for
    the root) and its form; `sentence` is that sentence's id where it is not the item's own."""

    number: int
    form: str | None = None
    sentence: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """The sentence only where it is another."""
        return record(self, first=("number", "form"))


@dataclass(frozen=True, slots=True)
class Item:
    """What one side has: a span, a tag, a word with its relation, as its own file has it.

    - `first`, `last`: tokens of the side's sentence, counted from 1; None in texts without tokens
    - `tokens`: all of them, only where the span has gaps
    - `start`, `end`: characters of the sentence's text, end exclusive; None where the file does not
      say what stands between its tokens
    - `text`: the words, with spaces as in the text; None in files that have none
    - `head`: of a word in a dependency tree
    - `detail`: what a metric looks at besides, such as tags and function words
    - `line`: where the item begins in the file; `sentence`: the sentence's id there
    """

    label: str
    file: str
    sentence: str
    line: int | None = None
    first: int | None = None
    last: int | None = None
    tokens: tuple[int, ...] | None = None
    start: int | None = None
    end: int | None = None
    text: str | None = None
    head: Head | None = None
    detail: str | None = None

    @property
    def place(self) -> str:
        """The tokens of its sentence, `4-6` or with gaps `4-5,8`; characters without tokens."""
        if self.first is None:
            return f"characters {self.start}-{self.end}"
        return run_text(runs(self.tokens or ()) or [(self.first, self.last or self.first)])

    @property
    def described(self) -> str:
        """`ORG 4-6`, or of a word in a tree `obl(reopen-4, Monday-9)`, with what else the metric
        looks at in brackets."""
        detail = f" [{self.detail}]" if self.detail else ""
        if self.head is None:
            return f"{self.label} {self.place}{detail}"
        head = "ROOT-0" if self.head.number == 0 else _dashed(self.head.form, self.head.number)
        head += "" if self.head.sentence is None else f" of '{self.head.sentence}'"
        return f"{self.label}({head}, {_dashed(self.text, self.first)}){detail}"

    def to_dict(self) -> dict[str, Any]:
        """Without what is not known."""
        return record(self)


def _dashed(form: str | None, number: int | None) -> str:
    return f"{form}-{number}" if form is not None else str(number)


@dataclass(frozen=True, slots=True)
class Context:
    """The sentence around an error, or the part of it that lies near.

    - `text`: the gold words; in files without words the numbers of the tokens (`numbers`)
    - `gold`, `system`: where the items stand in `text`; several ranges where a span has gaps
    - `gold_head`, `system_head`: where the heads stand, of dependencies
    - `left_out`: how many characters of the sentence stand before and after `text`
    """

    text: str
    gold: tuple[Range, ...] = ()
    system: tuple[Range, ...] = ()
    gold_head: Range | None = None
    system_head: Range | None = None
    left_out: tuple[int, int] = (0, 0)
    numbers: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Without what is not there."""
        found: dict[str, Any] = {
            "text": self.text,
            "gold": [list(r) for r in self.gold],
            "system": [list(r) for r in self.system],
            "left_out": list(self.left_out),
        }
        for name in ("gold_head", "system_head"):
            if (place := getattr(self, name)) is not None:
                found[name] = list(place)
        return found

    def marked(self) -> str:
        """The words near an error: `[` and `]` around what gold has, `<` and `>` around the
        system's.

        >>> Context("The new Acme Labs Oslo office", ((8, 22),), ((8, 17),)).marked()
        'The new [<Acme Labs> Oslo] office'
        """
        signs = [
            sign
            for ranges, (left, right) in ((self.gold, "[]"), (self.system, "<>"))
            for start, end in ranges
            for sign in ((start, end, left), (end, start, right))
        ]
        if not signs:
            return ""
        # What begins first ends last, as far as it can be; closing signs come before opening ones.
        signs.sort(key=lambda s: (s[0], s[2] in "[<", -s[1], s[2] in "]<"))
        text = self.text
        start = _edge(text, signs[0][0] - AROUND, 1)
        end = _edge(text, signs[-1][0] + AROUND, -1)
        parts = [f"{CUT} " if start or self.left_out[0] else ""]
        done = start
        for at, _, sign in signs:
            parts += [text[done:at], sign]
            done = at
        parts += [text[done:end], f" {CUT}" if end < len(text) or self.left_out[1] else ""]
        return "".join(parts)


def _edge(text: str, at: int, step: int) -> int:
    """The nearest border of a word at or, by `step`, towards the marks; not far for long words."""
    if not 0 < at < len(text):
        return min(max(at, 0), len(text))
    for place in range(at, at + step * AROUND, step):
        if text[place - 1 if step > 0 else place].isspace():
            return place
    return at


@dataclass(frozen=True, slots=True)
class Instance:
    """One error of one system.

    - `type`: why it is one, in the metric's words; `outcome`: wrong, missing or extra
    - `gold_label`, `system_label`: None where that side has nothing
    - `unit`: the sentence as in decisions, counted from 0; `sentence`: its id or, without one, its
      number in the file, counted from 1; `document`: the document's name, where the file marks any
    - `gold_item`, `system_item`: what was compared, None where a side has nothing
    - `scene`: of words with heads and of trees, the sentence with those of both sides; all errors
      of a sentence share it
    """

    system: str
    metric: str
    type: str
    outcome: str
    gold_label: str | None
    system_label: str | None
    unit: int
    sentence: str
    file: str
    document: str | None
    gold_item: Item | None
    system_item: Item | None
    context: Context
    scene: Scene | None = field(default=None, compare=False, repr=False)

    @property
    def items(self) -> tuple[Item | None, Item | None]:
        """What gold has, and the system."""
        return self.gold_item, self.system_item

    def to_dict(self) -> dict[str, Any]:
        """One line of the JSON output of `tertium errors` (docs/verbs/errors.md)."""
        document = {} if self.document is None else {"document": self.document}
        return {
            **{name: getattr(self, name) for name in _WHOLE},
            **document,
            "gold_item": self.gold_item.to_dict() if self.gold_item else None,
            "system_item": self.system_item.to_dict() if self.system_item else None,
            "context": None if self.context.numbers else self.context.to_dict(),
        }

    def of_sides(self) -> dict[str, Any]:
        """The same for JSON as a difference of two annotations, A in gold's place."""
        data = self.to_dict()
        names = {"gold": "a", "system": "b", "gold_head": "a_head", "system_head": "b_head"}
        context = data["context"] and {names.get(k, k): v for k, v in data["context"].items()}
        where: dict[str, Any] = {k: data[k] for k in ("sentence", "file", "document") if k in data}
        return {
            "metric": self.metric,
            "kind": self.type,
            **where,
            "a": data["gold_item"],
            "b": data["system_item"],
            "context": context,
        }

    def to_row(self) -> dict[str, str | int | None]:
        """The same flat, one value a column: a row of the CSV output and of `Errors.to_frame`."""
        row: dict[str, str | int | None] = {n: getattr(self, n) for n in _FIRST}
        for side, item in zip(SIDES, self.items, strict=True):
            for name in _OF_ITEM:
                row[f"{side}_{name}"] = getattr(item, name, None)
            tokens = item.tokens if item else None
            row[f"{side}_tokens"] = None if tokens is None else " ".join(map(str, tokens))
            head = item.head if item else None
            row[f"{side}_head"] = head.number if head else None
            row[f"{side}_head_form"] = head.form if head else None
        row["context"] = None if self.context.numbers else self.context.text
        return row


_WHOLE = [each.name for each in fields(Instance)][:9]
_FIRST = (*_WHOLE[:-1], "document", "file")
_OF_ITEM = ("line", "first", "last", "start", "end", "text")
COLUMNS = (
    *_FIRST,
    *(f"{side}_{name}" for side in SIDES for name in (*_OF_ITEM, "tokens", "head", "head_form")),
    "context",
)
