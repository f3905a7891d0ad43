"""Text for people: control characters made visible, numbers written as the field writes them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from json import dumps
from typing import TYPE_CHECKING, NamedTuple, cast

from tertium.exceptions import counted as counted
from tertium.results.blocks import Cell, Column, Kind, Mark, Missing, Range, Table, reasons

if TYPE_CHECKING:
    from tertium.results.parts import PartKind
    from tertium.results.stats import UnitKind

# DEL and C1 controls, line and paragraph separators, marks that reorder a line, signs that nobody
# sees (joiners shape scripts and emoji, so they stay), lone surrogates and what XML refuses. A
# label holding one could move the cursor, forge a line of output, turn a number around, pass for
# another label or break a file.
_BEYOND = (
    "\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u2069\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\ufffe\uffff\U000e0000-\U000e007f"
)
_UNSAFE = re.compile(f"[\x00-\x1f{_BEYOND}]")
_UNSAFE_IN_JSON = re.compile(f"[{_BEYOND}]")  # where C0 is escaped anyway
# Fills of the parts of a bar, each unlike its neighbours; the second line for ASCII.
FILLS = "█░▚▄▒═▓╱▌·▀┼"
ASCII_FILLS = "#.%o:=@/|-^+"
# Colours of the categories or curves of a figure on a terminal, besides their signs.
COLOURS = ("blue", "yellow", "cyan", "magenta", "green", "red", "white")
# Marks of cells: the best of a column, of its league, best and worst of a row, upper bounds.
SIGNS: dict[Mark, str] = {
    "best": "•",
    "leader": "◦",
    "ahead": "▲",
    "behind": "▼",
    "bound": "◆",
}
_PARTS: dict[Kind, PartKind] = {"percent": "share", "count": "count", "value": "value"}
_CHANGES: dict[Kind, PartKind] = {
    "delta": "share",
    "count_delta": "count",
    "value_delta": "value",
}
_decimals: ContextVar[int | None] = ContextVar("decimals", default=None)
Piece = tuple[str, str]  # text and the name of its colour
_NAMED = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}
P_DIGITS = 3  # of p-values
_TINY = 1e-12  # what sums of floating point numbers may be off
_NOISE = 1e-9  # a difference below it is none, whatever the size of the values
_SMALL, _HUGE = 0.00005, 1e12  # numbers beyond are written with an exponent


def visible(text: str) -> str:
    r"""The text on one line, with every control character written out.

    >>> print(visible("a\nb\x1b[31m"))
    a\nb\x1b[31m
    """
    return _UNSAFE.sub(_escaped, text)


def _escaped(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code > 0xFFFF:
        return f"\\U{code:08x}"
    return _NAMED.get(match[0]) or (f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}")


def escaped_json(text: str) -> str:
    r"""JSON that holds the same data, with the characters written out that `visible` shows.

    >>> print(escaped_json('"a\u202eb"'))
    "a\u202eb"
    """
    is_plain = text.isascii() and "\x7f" not in text
    return text if is_plain else _UNSAFE_IN_JSON.sub(lambda match: dumps(match[0])[1:-1], text)


def printable(text: str, *, ascii: bool) -> str:
    """The same for a terminal; in ASCII other letters are escaped, so that columns stay true."""
    text = visible(text)
    return text.encode("ascii", "backslashreplace").decode() if ascii else text


def rest_text(left: int, *, is_text: bool = True, noun: str = "", more: str = "") -> str:
    """What stands below a table for rows that are not shown; at a terminal also how to see them.
    `more` is further told of them.

    >>> rest_text(12), rest_text(1, is_text=False, noun="more test"), rest_text(0)
    ("and 12 more; '--all' shows all", 'and 1 more test', '')
    """
    if left <= 0:
        return ""
    told = f"and {counted(left, noun) if noun else f'{left:,} more'}{more}"
    return f"{told}; '--all' shows all" if is_text else told


def common_noun(nouns: Iterable[str], otherwise: str = "item") -> str:
    """The plural of what different metrics count, where all count the same.

    >>> common_noun(["token", "token"]), common_noun(["token", "span"])
    ('tokens', 'items')
    """
    found = {*nouns}
    return f"{found.pop() if len(found) == 1 else otherwise}s"


def sizes_text(sizes: Mapping[UnitKind, int], sentences: int, tokens: int | None) -> str:
    """How large the data is.

    >>> sizes_text({"sentence": 6}, 6, 13), sizes_text({"document": 2}, 6, None)
    ('6 sentences · 13 tokens', '6 sentences · 2 documents')
    """
    others = [kind for kind in sizes if kind != "sentence"]
    found = [counted(sentences, "sentence")]
    found += [counted(sizes[kind], kind) for kind in others]
    found += [] if tokens is None else [counted(tokens, "token")]
    return " · ".join(found)


def shown(value: Cell, kind: Kind, digits: int | None = None) -> str:
    """A cell as text: percentages with two decimals or as many as there are `digits`, counts with
    thousands separators.

    >>> shown(0.84231, "percent"), shown(-0.0031, "delta"), shown(25096, "count")
    ('84.23', '-0.31', '25,096')
    >>> shown(0.84231, "percent", 1), shown(Range(0.8, 0.9), "interval", 0)
    ('84.2', '[80, 90]')
    >>> shown(Range(-0.003, 0.012), "interval_delta"), shown(0.0312, "p")
    ('[-0.30, +1.20]', '.031')
    """
    if value is None:
        return ""
    if isinstance(value, Missing):
        return "–"
    if isinstance(value, str):
        return visible(value)
    kind = getattr(value, "kind", None) or kind
    if isinstance(value, Range):
        inner = cast(Kind, kind.removeprefix("interval").removeprefix("_") or "percent")
        return f"[{shown(value.low, inner, digits)}, {shown(value.high, inner, digits)}]"
    if kind == "p":
        return p_value(value)
    if kind == "flag":
        return "•" if value else ""
    if kind in _PARTS:
        return number(value, _PARTS[kind], digits)
    if kind in _CHANGES:
        return change(value, _CHANGES[kind], digits)
    return f"{value:,.4g}" if isinstance(value, float) else f"{value:,}"


class CellText(NamedTuple):
    """A cell of a table as text, and what every format shows besides, in its own way.

    - `mark`: is it the best or worst? `note`: the number of its footnote, 0 for none
    - `is_key`: does it name the row? `is_again`: so does the same name above, for both rows
    """

    text: str
    value: Cell
    column: Column
    mark: Mark | None
    note: int
    is_key: bool
    is_again: bool

    @property
    def is_letters(self) -> bool:
        """Are they letters beside the value on their left?"""
        return self.column.kind == "letters" and isinstance(self.value, str)


class RowText(NamedTuple):
    """The cells of a row; does it begin a contest, where there are several?"""

    cells: tuple[CellText, ...]
    begins: bool


def text_rows(table: Table) -> Iterator[RowText]:
    """The rows of a table, ready to be escaped and set."""
    notes = {reason: number for number, reason in enumerate(reasons(table), 1)}
    within = bool(table.within)
    for i, row in enumerate(table.rows):
        continues = table.continues(i)
        cells = tuple(
            CellText(
                text=shown(value, column.kind, column.digits),
                value=value,
                column=column,
                mark=table.mark(i, place),
                note=notes[value.reason] if isinstance(value, Missing) else 0,
                is_key=place < table.keys,
                is_again=continues and place < table.keys - 1 and value == table.rows[i - 1][place],
            )
            for place, (value, column) in enumerate(zip(row, table.columns, strict=True))
        )
        yield RowText(cells, within and not continues)


def in_words(name: str) -> str:
    """The name of a part as a table shows it.

    >>> in_words("weighted.f1"), in_words("sentence_mean")
    ('weighted f1', 'sentence mean')
    """
    return name.replace("_", " ").replace(".", " ")


def runs_right_to_left(text: str) -> bool:
    """Does a text hold letters of a script that runs from right to left?"""
    return not text.isascii() and any(unicodedata.bidirectional(c) in ("R", "AL") for c in text)


def fitted(text: str, cells: int, sign: str) -> str:
    """The text in exactly so many cells: filled with spaces, or its beginning and a sign."""
    from rich.cells import cell_len

    text = cut_to(text, cells, sign)
    return text + " " * (cells - cell_len(text))


def cut_to(text: str, cells: int, sign: str) -> str:
    """The text, or its beginning and a sign, in at most so many cells."""
    from rich.cells import cell_len

    if cell_len(text) <= cells:
        return text
    room, end = cells - cell_len(sign), 0
    while end < len(text) and cell_len(text[: end + 1]) <= room:
        end += 1
    return text[:end] + sign


def p_value(value: float, least: float = 0.0, *, digits: int = P_DIGITS) -> str:
    """A p-value without a zero in front.

    A value that would round to 0 is shown as below the smallest that can be written: a p-value is
    never 0. Where none of k resamples counts, `least` is 1 / k: no more is known.

    >>> p_value(0.0312), p_value(0.0004), p_value(0.9996), p_value(1)
    ('.031', '<.001', '>.999', '1.00')
    >>> p_value(0, least=1 / 30), p_value(0.05, least=0.1), p_value(0, least=1e-6)
    ('<.033', '.050', '<.001')
    """
    if not -_TINY <= value <= 1 + _TINY:
        raise ValueError(f"a p-value must be between 0 and 1. Got {value} instead.")
    step = 10.0**-digits
    if value < step / 2:
        bound = max(step, least) if value <= 0 else step
        return "1.00" if bound >= 1 else f"<{bound:.{digits}f}".replace("0.", ".")
    if value >= 1:
        return "1.00"
    nearest = 1 - step if value >= 1 - step / 2 else value
    return ">" * (nearest < value) + f"{nearest:.{digits}f}".removeprefix("0")


def p_text(value: float, least: float = 0.0) -> str:
    """The same with its sign in front.

    >>> p_text(0.0312), p_text(0.00001)
    ('p = .031', 'p < .001')
    """
    text = p_value(value, least)
    return f"p {text[0]} {text[1:]}" if text[0] in "<>" else f"p = {text}"


def number(value: float, kind: PartKind = "share", digits: int | None = None) -> str:
    """A number of a measure: shares as percentages, counts whole where they are, others with about
    four digits. `digits` are decimal places of all but whole counts.

    >>> number(0.84231), number(25096, "count"), number(2.5, "count")
    ('84.23', '25,096', '2.50')
    >>> number(0.84231, "value"), number(12.345, "mean"), number(-1234.5, "value")
    ('0.8423', '12.35', '-1,234.5')
    """
    digits = _decimals.get() if digits is None else digits
    places = 2 if digits is None else digits
    if kind == "share":
        return f"{100 * value:.{places}f}"
    if kind == "count":
        return f"{int(value):,}" if float(value).is_integer() else f"{value:,.{places}f}"
    if digits is not None:
        return f"{value:,.{digits}f}"
    size = abs(value)
    if 0 < size < _SMALL or size >= _HUGE:
        return f"{value:.3g}"
    return f"{value:,.{1 + sum(size < 10**power for power in range(3))}f}"


@contextmanager
def decimals(digits: int | None) -> Iterator[None]:
    """Within it, numbers have so many decimal places where nothing else is said.

    >>> with decimals(1):
    ...     number(0.84231), change(0.00159), number(0.84231, digits=3)
    ('84.2', '+0.2', '84.231')
    """
    before = _decimals.set(digits)
    try:
        yield
    finally:
        _decimals.reset(before)


def change(delta: float, kind: PartKind = "share", digits: int | None = None) -> str:
    """A difference of two such numbers with its sign; of shares in percentage points.

    >>> change(0.00159), change(-0.00001), change(-0.25, "value"), change(3, "count")
    ('+0.16', '0.00', '-0.2500', '+3')
    """
    text = number(0.0 if abs(delta) < _NOISE else abs(delta), kind, digits)
    return text if not text.strip("0.,") else f"{'-' if delta < 0 else '+'}{text}"


def points(kind: PartKind) -> str:
    """The noun behind a difference in running text: only shares have one."""
    return " points" if kind == "share" else ""


def level(alpha: float) -> str:
    """A level without a zero in front.

    >>> level(0.05), level(0.0025)
    ('.05', '.0025')
    """
    return f"{alpha:g}".removeprefix("0")


def level_text(level: float) -> str:
    """The level of an interval.

    >>> level_text(0.95), level_text(0.999)
    ('95%', '99.9%')
    """
    return f"{100 * level:.10g}%"


def interval_header(level: float) -> str:
    """What a column of confidence intervals is called.

    >>> interval_header(0.95)
    '95% CI'
    """
    return f"{level_text(level)} CI"


def listed(names: list[str], most: int = 3) -> str:
    """Names in running text; of many the first, and how many more.

    >>> listed(["a", "b"]), listed(["a", "b", "c", "d", "e"])
    ('a and b', 'a, b, c and 2 more')
    """
    if len(names) > most + 1:
        return f"{', '.join(names[:most])} and {len(names) - most:,} more"
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1]))) if names else ""
