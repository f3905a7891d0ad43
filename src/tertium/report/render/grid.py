"""The layout of a text table: widths, column groups with rules, and cutting what is too wide."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, zip_longest

from rich.cells import cell_len, chop_cells
from rich.text import Text as Line

from tertium.results.blocks import Graphic, Table, is_interval, reasons
from tertium.results.texts import SIGNS, RowText, text_rows, visible

GAP = 2
MIN_KEY = 16
NARROWER = (12, 9)  # headers of columns that would not fit side by side
_SUPERSCRIPT = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_METRIC = re.compile(r"(\w+(?:\.\w+)+)\((\w+=.+)\)")  # with parameters
_STYLES = {"best": "bold cyan", "leader": "italic", "ahead": "bold cyan", "behind": "yellow"}


@dataclass(frozen=True)
class _Cell:
    lines: tuple[str, ...]
    style: str = ""


@dataclass(frozen=True)
class _Column:
    """A column ready to be set.

    - `name_width`: what a parameter in the group's name may take before it is folded
    - `judged`: is there anything to win?
    - `tied`: does it make no sense without the column on its left?
    """

    header: tuple[str, ...]
    group: str
    cells: tuple[_Cell, ...]
    width: int
    right: bool
    name_width: int
    judged: bool
    tied: bool


def grid(table: Table, width: int) -> Iterator[Line]:
    """The lines of a table. Too wide for `width`, it is cut between column groups and continued
    below with its row names repeated; a group that is too wide itself is cut within."""
    keys, parts = _laid_out(table, width)
    yield from title_lines(table, width)
    for number, part in enumerate(parts):
        if number:
            yield Line()
        yield from _part([*keys, *part])
    yield from note_lines(table, width)
    yield from footnote_lines(table, width)


def _laid_out(table: Table, width: int) -> tuple[list[_Column], list[list[_Column]]]:
    """The columns that name rows, and the others in parts that fit beside them. Headers are folded
    further than usual if there are fewer parts then."""
    best: tuple[list[_Column], list[list[_Column]]] | None = None
    rows = [*text_rows(table)]
    for limit in (max(width // 4, MIN_KEY), *NARROWER):
        columns = [_column(table, rows, place, width, limit) for place in range(len(table.columns))]
        keys = _squeezed(columns[: table.keys], columns[table.keys :], width)
        parts = _cut(columns[table.keys :], width - sum(c.width + GAP for c in keys))
        if best is None or len(parts) < len(best[1]):
            best = keys, parts
        if len(best[1]) == 1:
            break
    assert best is not None
    return best


def title_lines(block: Table | Graphic, width: int) -> Iterator[Line]:
    """The title, folded; nothing where there is none."""
    for text in folded(visible(block.title), width) if block.title else ():
        yield Line(text.rstrip(), style="bold")


def note_lines(table: Table, width: int) -> Iterator[Line]:
    """What is left out, and what a reader must know."""
    for told in filter(None, (table.omitted, table.note)):
        for text in textwrap.wrap(visible(told), width):
            yield Line(text, style="dim")


def footnote_lines(table: Table, width: int) -> Iterator[Line]:
    """What marks mean, and why values are missing."""
    notes = [f"{SIGNS[mark]} {visible(meaning)}" for mark, meaning in table.marks.items()]
    notes += [f"{superscript(n)} {visible(reason)}" for n, reason in enumerate(reasons(table), 1)]
    for note in notes:
        for text in textwrap.wrap(note, width, subsequent_indent="  "):
            yield Line(text, style="dim")


def superscript(number: int) -> str:
    """The sign of a footnote."""
    return str(number).translate(_SUPERSCRIPT)


def _column(table: Table, rows: Sequence[RowText], place: int, width: int, limit: int) -> _Column:
    column = table.columns[place]
    there = [row.cells[place] for row in rows]
    has_marks = any(cell.mark for cell in there)
    cells = []
    for cell in there:
        text = cell.text + (superscript(cell.note) if cell.note else "")
        if has_marks:
            text += SIGNS[cell.mark] if cell.mark else " "
        style = _STYLES[cell.mark] if cell.mark else ""
        cells.append(_Cell(("",) if cell.is_again else (text,), style))
    sign = f" {SIGNS['bound']}" if column.bound else ""
    header: tuple[str, ...] = (visible(column.header) + sign,)
    widest = max((cell_len(line) for c in cells for line in c.lines), default=0)
    if place >= table.keys:  # such as a system's name over its counts; names of rows come later
        # A word is not broken to save a part, only where it is too long for any.
        longest = max(map(cell_len, re.split("(?<=[ /_.-])", header[0])))
        least = min(longest, max(width // 4, MIN_KEY))
        header = folded(header[0], max(widest, limit, least))
    header = tuple(line.rstrip() + " " * has_marks for line in header)
    return _Column(
        header=header,
        group=visible(column.group),
        cells=tuple(cells),
        width=max(widest, *map(cell_len, header)),
        right=column.kind not in ("text", "letters"),
        name_width=width // 4,
        judged=column.better is not None,
        tied=column.kind == "letters" or is_interval(column.kind),
    )


def _squeezed(keys: list[_Column], rest: Sequence[_Column], width: int) -> list[_Column]:
    """Long names of rows are folded, not cut off, and only so far that the widest group of other
    columns fits beside them, and the first one beside what stands before it; a third of the line
    is theirs in any case."""
    if not keys:
        return keys
    runs = _runs(rest)
    first = next((n for n, run in enumerate(runs) if run[0].group), 0)
    needed = max(map(_width, _runs(rest, tied=True)), default=0)
    needed = max(needed, _width([*chain(*runs[: first + 1])]))
    gaps = GAP * (len(keys) - 1)
    floor = min(MIN_KEY, (width // 2 - gaps) // len(keys))
    room = max(width - GAP - needed, width // 3, floor * len(keys) + gaps)
    while (excess := sum(c.width for c in keys) + gaps - room) > 0:
        widest = max(c.width for c in keys)
        tied = sum(c.width == widest for c in keys)
        next_widest = max((c.width for c in keys if c.width < widest), default=0)
        target = max(widest - -(-excess // tied), next_widest, floor)
        narrow = [
            _narrowed(c, max(target, _longest_word(c, width // 3))) if c.width == widest else c
            for c in keys
        ]
        if all(a.width == b.width for a, b in zip(keys, narrow, strict=True)):
            break
        keys = narrow
    return keys


def _longest_word(column: _Column, most: int) -> int:
    """How wide a column must be for its words to stay whole; longer ones are broken anyway."""
    texts = ["".join(lines) for lines in (column.header, *(c.lines for c in column.cells))]
    words = (word.rstrip() for text in texts for word in re.split("(?<=[ /_.-])", text))
    return min(max(map(cell_len, words)), most)


def _narrowed(column: _Column, width: int) -> _Column:
    cells = tuple(replace(c, lines=folded("".join(c.lines), width)) for c in column.cells)
    header = folded("".join(column.header), width)
    return replace(column, header=header, cells=cells, width=width)


def folded(
    text: str, width: int, breaks: Sequence[str] = ("(?<=, )", "(?<=/)", "(?<=[ _.-])")
) -> tuple[str, ...]:
    """Lines of at most `width` cells, broken at the first of `breaks` by which it can be done."""
    lines = [""]
    for piece in re.split(breaks[0], text):
        if cell_len(lines[-1] + piece) <= width:
            lines[-1] += piece
        elif breaks[1:]:
            lines += folded(piece, width, breaks[1:])
        else:
            lines += chop_cells(piece, width)
    return tuple(line for line in lines if line) or ("",)


def _cut(columns: Sequence[_Column], space: int) -> list[list[_Column]]:
    """Columns in as few parts as fit into `space`, broken between groups where possible.

    The first part is not left without a judged column, such as one of sizes alone, if one fits.
    """
    parts: list[list[_Column]] = []
    for group in _runs(columns, tied=True):
        wanting = len(parts) == 1 and not any(c.judged for c in parts[0]) and group[0].judged
        if parts and _width([*parts[-1], *group]) <= space:
            parts[-1] += group
        elif not wanting and _width(group) <= space:
            parts.append(list(group))
        else:
            for number, column in enumerate(group):
                if (number or wanting) and _width([*parts[-1], column]) <= space:
                    parts[-1].append(column)
                else:
                    parts.append([column])
    return parts or [[]]


def _runs(columns: Sequence[_Column], *, tied: bool = False) -> list[list[_Column]]:
    """Neighbouring columns of one group; with `tied`, also those that make no sense without the
    column on their left."""
    runs: list[list[_Column]] = []
    for column in columns:
        is_same = runs and column.group and runs[-1][0].group == column.group
        if is_same or (runs and tied and column.tied):
            runs[-1].append(column)
        else:
            runs.append([column])
    return runs


def _group_lines(run: Sequence[_Column]) -> list[str]:
    """A metric's id and, on lines of their own, its parameters; not wider than the columns below
    unless a name is. Other long names are folded."""
    group, most, inner = run[0].group, run[0].name_width, _inner_width(run)
    metric = _METRIC.fullmatch(group)
    if metric is None:
        return [line.rstrip() for line in folded(group, max(most, inner))]
    name, inside = metric.groups()
    longest = max(map(cell_len, inside.split(", ")))
    width = max(min(longest + 1, most), cell_len(name), inner)  # 1 for the comma
    lines = folded(inside, width, ("(?<=, )", "(?<=/)", "(?<=[ _.=-])"))
    return [name, *(line.rstrip() for line in lines if line.strip())]


def _inner_width(columns: Sequence[_Column]) -> int:
    return sum(c.width for c in columns) + GAP * (len(columns) - 1)


def _run_width(run: Sequence[_Column]) -> int:
    return max(_inner_width(run), *map(cell_len, _group_lines(run)))


def _width(columns: Sequence[_Column]) -> int:
    runs = _runs(columns)
    return sum(map(_run_width, runs)) + GAP * (len(runs) - 1)


def _part(columns: Sequence[_Column]) -> Iterator[Line]:
    """One table that fits: group names over a rule, headers, rule, rows, rule."""
    runs = _runs(columns)
    # A group name wider than its columns widens the first of them.
    wider = {id(run[0]): _run_width(run) - _inner_width(run) for run in runs}
    widths = [c.width + wider.get(id(c), 0) for c in columns]
    if any(run[0].group for run in runs):
        names = [_group_lines(run) for run in runs]
        for level in zip_longest(*names, fillvalue=""):
            yield _joined(map(_centred, level, map(_run_width, runs)))
        yield _joined(("─" if run[0].group else " ") * _run_width(run) for run in runs)
    headers = [*zip_longest(*(c.header[::-1] for c in columns), fillvalue="")] or [()]
    for level in headers[::-1]:
        yield Line(_joined(map(_padded, level, widths, columns)).plain, style="bold")
    yield Line("─" * (sum(widths) + GAP * (len(widths) - 1)))
    for row in range(len(columns[0].cells) if columns else 0):
        cells = [column.cells[row] for column in columns]
        for level in zip_longest(*(cell.lines for cell in cells), fillvalue=""):
            line = Line()
            for number, text in enumerate(map(_padded, level, widths, columns)):
                line.append(" " * GAP if number else "")
                line.append(text, style=cells[number].style or None)
            yield line


def _joined(cells: Iterable[str]) -> Line:
    return Line((" " * GAP).join(cells))


def _padded(text: str, width: int, column: _Column) -> str:
    fill = " " * (width - cell_len(text))
    return fill + text if column.right else text + fill


def _centred(text: str, width: int) -> str:
    fill = width - cell_len(text)
    return " " * (fill // 2) + text + " " * (fill - fill // 2)
