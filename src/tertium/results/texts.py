"""Text for people: control characters made visible, numbers written as the field writes them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from tertium.results.blocks import Cell, Kind, Mark, Missing, Range
from tertium.results.wording import change, number, p_value, unit_noun

if TYPE_CHECKING:
    from tertium.results.parts import PartKind
    from tertium.results.stats import UnitKind

# C0 and C1 controls, line and paragraph separators, marks that reorder a line, lone surrogates and
# what XML refuses. A label holding one could move the cursor, forge a line of output, turn a number
# around or break a file.
_UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)
# Fills of the parts of a bar, each unlike its neighbours; the second line for ASCII.
FILLS = "█░▚▄▒═▓╱▌·▀┼"
ASCII_FILLS = "#.%o:=@/|-^+"
# Colours of the categories or curves of a figure on a terminal, besides their signs.
COLOURS = ("blue", "yellow", "cyan", "magenta", "green", "red", "white")
# Marks of cells: of the best of a column, of the best and worst of a row, of upper bounds.
SIGNS: dict[Mark, str] = {"best": "•", "ahead": "▲", "behind": "▼", "bound": "◆"}
_PARTS: dict[Kind, PartKind] = {"percent": "share", "count": "count", "value": "value"}
_CHANGES: dict[Kind, PartKind] = {
    "delta": "share",
    "count_delta": "count",
    "value_delta": "value",
}
Piece = tuple[str, str]  # text and the name of its colour
_NAMED = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}


def visible(text: str) -> str:
    r"""The text on one line, with every control character written out.

    >>> print(visible("a\nb\x1b[31m"))
    a\nb\x1b[31m
    """
    return _UNSAFE.sub(_escaped, text)


def _escaped(match: re.Match[str]) -> str:
    code = ord(match[0])
    return _NAMED.get(match[0]) or (f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}")


def counted(count: int, one: str, many: str = "") -> str:
    """A number with its noun.

    >>> counted(1, "unit"), counted(2077, "unit"), counted(0, "index", "indices")
    ('1 unit', '2,077 units', '0 indices')
    """
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def sizes_text(sizes: Mapping[UnitKind, int], sentences: int, tokens: int | None) -> str:
    """How large the data is. Sentences are called units, unless something is counted in others.

    >>> sizes_text({"sentence": 6}, 6, 13), sizes_text({"document": 2}, 6, None)
    ('6 units · 13 tokens', '6 sentences · 2 documents')
    """
    others = [kind for kind in sizes if kind != "sentence"]
    found = [counted(sentences, unit_noun("sentence", among_others=bool(others)))]
    found += [counted(sizes[kind], kind) for kind in others]
    found += [] if tokens is None else [counted(tokens, "token")]
    return " · ".join(found)


def shown(value: Cell, kind: Kind) -> str:
    """A cell as text: percentages with two decimals, counts with thousands separators.

    >>> shown(0.84231, "percent"), shown(-0.0031, "delta"), shown(25096, "count")
    ('84.23', '-0.31', '25,096')
    >>> shown(Range(-0.003, 0.012), "interval_delta"), shown(0.0312, "p")
    ('[-0.30, +1.20]', '.0312')
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
        return f"[{shown(value.low, inner)}, {shown(value.high, inner)}]"
    if kind == "p":
        return p_value(value)
    if kind == "flag":
        return "•" if value else ""
    if kind in _PARTS:
        return number(value, _PARTS[kind])
    if kind in _CHANGES:
        return change(value, _CHANGES[kind])
    return f"{value:,.4g}" if isinstance(value, float) else f"{value:,}"


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
