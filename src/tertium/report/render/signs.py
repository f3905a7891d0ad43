"""Signs that drawings in text are made of, and how such drawings look."""

from __future__ import annotations

from dataclasses import dataclass

from tertium.results.texts import printable


@dataclass(frozen=True)
class Signs:
    """What is drawn with. Signs of differences stand beside what differs.

    - `lines`: by the directions that meet in a cell, as sums of up 1, down 2, left 4, right 8
    - `entered`: the same where a line enters a head's bus and levels have no room between
    - `arrow`, `root`: whole where both sides agree on the head, hollow where they do not
    - `beyond`: a line to a bus that is left out
    - `above`, `below`: left and right corner of a bracket on that side of words, and its arrow
    - `dotted`: over gaps of a bracket, and to a head in another sentence
    """

    lines: str = " ╵╷│─┘┐┤─└┌├─┴┬┼"
    entered: str = " ╵╷│─┘┐┤─└┌├─┷┯┿"
    arrow: str = "►▷"
    root: str = "●○"
    circle: str = "↻"
    beyond: str = "‹"
    above: str = "┌┐▼"
    below: str = "└┘▲"
    line: str = "─"
    dotted: str = "┄"
    differs: str = "≠"
    only_gold: str = "−"
    only_system: str = "+"
    excused: str = "≈"
    cut: str = "…"

    def of(self, what: str | None) -> str:
        """The sign of an outcome, or of a side that has a word alone."""
        if what in ("missing", "gold"):
            return self.only_gold
        if what in ("extra", "system"):
            return self.only_system
        return {"wrong": self.differs, "excused": self.excused}.get(what or "", " ")


UNICODE = Signs()
ASCII = Signs(
    lines=" '.|-'.+-'.+-++|",
    entered=" '.|-'.+-'.+-^v#",
    arrow=">*",
    root="oO",
    circle="%",
    beyond="{",
    above="..v",
    below="''^",
    line="-",
    dotted=":",
    differs="!",
    only_gold="-",
    only_system="+",
    excused="=",
    cut="~",
)


@dataclass(frozen=True)
class TextLook:
    """How drawings look as text at most `width` cells wide.

    `whole` draws every word, also in long runs that are alike.
    """

    width: int = 80
    color: bool = False
    ascii: bool = False
    whole: bool = False

    @property
    def signs(self) -> Signs:
        """What is drawn with: no colour is needed to tell signs apart."""
        return ASCII if self.ascii else UNICODE

    def show(self, text: str) -> str:
        """Text that cannot move the cursor; in ASCII with escapes, so that columns stay true."""
        return printable(text, ascii=self.ascii)
