"""Markdown tables (GitHub's dialect), best values in bold."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tertium.report.render.figures import FigureText
from tertium.results.blocks import Block, Column, Picture, Table, Text, as_table, reasons
from tertium.results.texts import CellText, text_rows, visible

# What would be taken for markup inside a line, and only there: a readable page is the point of
# Markdown, so `macro_f1` and `name(punct='form')` stay as they are.
_MARKUP = re.compile(
    r"""
    [|`*]                           # the end of a cell, code, emphasis
  | (?<![^\W_])_+ | _+(?![^\W_])    # emphasis, unless it is inside a word
  | \\(?=[!-/:-@\[-`{-~]|$)         # a backslash that would escape
  | <(?=[A-Za-z/!?])                # HTML
  | &(?=\#?\w+;)                    # a character reference
  | \](?=\()                        # a link
  | (?<!\S)\#(?=\#*$)              # the end of a heading
    """,
    re.VERBOSE,
)
_AROUND = {"best": "**", "ahead": "**", "behind": "*", "leader": "*"}
_SIDES = {"text": "---", "letters": "---", "flag": ":---:"}
_PAIRED = "~$"  # struck out and mathematics


def escape(text: str) -> str:
    r"""Text that shows as it is.

    >>> print(escape("a|b *c* macro_f1 _x_ name(punct='form')"))
    a\|b \*c\* macro_f1 \_x\_ name(punct='form')
    """
    text = _MARKUP.sub(lambda match: "".join(f"\\{sign}" for sign in match[0]), visible(text))
    for sign in _PAIRED:
        if text.count(sign) > 1:
            text = text.replace(sign, f"\\{sign}")
    return text


def render(blocks: Sequence[Block]) -> str:
    """Tables with their footnotes; other lines as a list, signatures and code set as code."""
    parts: list[str] = []
    before = ""
    for block in blocks:
        if isinstance(block, Picture):
            parts += [f"## {escape(block.where or block.title)}", _fenced(_drawn(block))]
        elif not isinstance(block, Text):
            parts.append("\n".join(_table(as_table(block, grouped=False))))
        elif block.role == "title":
            parts.append(f"## {escape(block.text)}")
        elif block.role in ("summary", "paragraph"):
            parts.append(escape(block.text))
        elif block.role == "code":
            parts.append(_fenced(block.text))
        else:
            text = _code(block.text) if block.role == "signature" else escape(block.text)
            text = f"{escape(block.name)} {text}" if block.name else text
            text += f" for {escape(block.whose)}" if block.whose else ""
            line = f"- {block.role}: {text}"
            if before == "list":
                parts[-1] += f"\n{line}"
            else:
                parts.append(line)
            before = "list"
            continue
        before = ""
    return "\n\n".join(parts) + "\n"


def _table(table: Table) -> Iterator[str]:
    if table.title:
        yield f"**{escape(table.title)}**"
        yield ""
    yield _row([escape(_header(c)) for c in table.columns])
    yield _row([_SIDES.get(c.kind, "---:") for c in table.columns])
    for row in text_rows(table):
        yield _row([_cell(cell) for cell in row.cells])
    for line in filter(None, (table.omitted, table.note)):
        yield ""
        yield escape(line)
    if "leader" in table.marks:
        yield ""
        yield f"bold: best of its column; italics: {escape(table.marks['leader'])}"
    if "ahead" in table.marks:
        yield ""
        yield "bold: best of its row" + "; italics: worst" * ("behind" in table.marks)
    for number, reason in enumerate(reasons(table), 1):
        yield from [""] if number == 1 else []
        yield f"<sup>{number}</sup> {escape(reason)}  "


def _cell(cell: CellText) -> str:
    text = escape(cell.text)
    if cell.is_letters:
        text = f"<sup>{text}</sup>"
    if cell.note:
        text += f"<sup>{cell.note}</sup>"
    around = _AROUND[cell.mark] if cell.mark else ""
    return f"{around}{text}{around}"


def _header(column: Column) -> str:
    """Markdown has no column groups: the group's name stands in front of each header."""
    return f"{column.group} {column.header}" if column.group else column.header


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _code(text: str) -> str:
    """Inline code, fenced by more backticks than it holds."""
    text = visible(text)
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", text)), default=0))
    space = " " if "`" in text else ""
    return f"{fence}{space}{text}{space}{fence}"


def _drawn(picture: Picture) -> str:
    """A picture of signs, and what they mean."""
    look = FigureText()
    art = look.draw(picture.figure, names=picture.names)
    return f"{art}\n{look.legend([picture.figure], art)}".rstrip("\n")


def _fenced(text: str) -> str:
    lines = "\n".join(visible(line) for line in text.split("\n"))
    longest = max((len(run) for run in re.findall("`+", lines)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{lines}\n{fence}"
