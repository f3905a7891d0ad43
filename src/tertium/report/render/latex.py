"""LaTeX tables in the style of booktabs, ready for `\\input`; best values in bold.

Needs `\\usepackage{booktabs}`, for tables of more than a page `\\usepackage{longtable}`, and, as
every LaTeX since 2018, UTF-8 input. Letters outside ASCII are left as they are: for scripts that
pdfLaTeX's fonts lack, use LuaLaTeX or XeLaTeX.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence

from tertium.results.blocks import Block, Range, Table, Text, as_table, reasons
from tertium.results.texts import CellText, p_value, text_rows, visible

LONGEST = 40  # rows that surely fit on a page; a longer table is broken over pages
WIDEST = 8  # columns; a wider table spans both columns of a page that has two

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\char34{}",
    "`": "{`}",
    "[": "{[}",  # after the end of a row, [ and * would be read as its arguments
    "*": "{*}",
    "–": "--",
    "·": r"\textperiodcentered{}",
    "•": r"\textbullet{}",
    "→": r"$\rightarrow$",
}
_PATTERN = re.compile("[" + re.escape("".join(_SPECIAL)) + "]")
_FONTS = {"best": "textbf", "ahead": "textbf", "behind": "textit", "leader": "textit"}
_SIDES = {"text": "l", "flag": "c", "letters": "@{}l"}
_COMMENTS = ("gold", "coverage", "tests", "note")
_LIGATURES = re.compile("-(?=-)|'(?=')|,(?=,)")


def escape(text: str) -> str:
    r"""Text that prints as it is, wherever it stands in a table or caption.

    >>> print(escape("50% of_x & y^2"))
    50\% of\_x \& y\textasciicircum{}2
    """
    apart = _LIGATURES.sub(lambda match: match[0] + "\0", visible(text))
    return _PATTERN.sub(lambda match: _SPECIAL[match[0]], apart).replace("\0", "{}")


def render(
    blocks: Sequence[Block], *, caption: str = "", label: str = "", is_own: bool = False
) -> str:
    """Paragraphs, then one float per table, or a longtable where that would not fit on a page.

    The caption of the first table is the one given, with what a reader needs to understand the
    table, unless it `is_own`, written by a person. What decided the numbers is in comments at the
    top, signatures to be copied as they are.
    """
    texts = [b for b in blocks if isinstance(b, Text)]
    tables = [as_table(b) for b in blocks if not isinstance(b, Text)]
    parts = [r"% Made by Tertium; needs \usepackage{booktabs}"]
    if any(len(table.rows) > LONGEST for table in tables):
        parts[0] += r" and \usepackage{longtable}"
    if not all(map(_is_latin, _words(texts, tables))):
        parts[0] += "; words in other scripts or with emoji need lualatex or xelatex and a font"
    parts[0] += "".join(f"\n{line}" for text in texts for line in _comment(text, tables))
    if tables:
        parts += [escape(text.text) for text in texts if text.role == "paragraph"]
    for number, table in enumerate(tables):
        names = [table.title, caption] if label else [table.title or caption]
        names = [caption] if is_own else names
        words = " ".join(
            filter(None, _caption(table, [table.title] if number else names, is_own and not number))
        )
        caption_line = f"\\caption{{{words}}}"
        if label:
            caption_line += f"\\label{{{label}{f'-{number + 1}' if number else ''}}}"
        made = _long if len(table.rows) > LONGEST else _float
        lines = made(table, caption_line)
        parts.append("\n".join(lines))
    if not tables:
        parts += [escape(b.text) + r"\par" for b in texts if b.role not in ("summary", "signature")]
    return "\n\n".join(parts) + "\n"


def _words(texts: Sequence[Text], tables: Sequence[Table]) -> Iterator[str]:
    yield from (text.text for text in texts)
    yield from (cell for t in tables for row in t.rows for cell in row if isinstance(cell, str))


def _is_latin(text: str) -> bool:
    """Only signs that pdflatex sets by itself: Latin with its accents, and those we translate."""
    return all(ord(c) < 0x180 or c in _SPECIAL or c in "…’“”" for c in text)


def _float(table: Table, caption: str) -> Iterator[str]:
    name = "table*" if len(table.columns) > WIDEST else "table"
    yield f"\\begin{{{name}}}"
    yield r"  \centering"
    yield f"  \\begin{{tabular}}{{{_sides(table)}}}"
    yield from (f"    {line}" for line in (*_head(table), *_rows(table), r"\bottomrule"))
    yield r"  \end{tabular}"
    yield f"  {caption}"
    yield f"\\end{{{name}}}"


def _long(table: Table, caption: str) -> Iterator[str]:
    """A table over several pages, with its head on each."""
    head = [f"  {line}" for line in _head(table)]
    yield f"\\begin{{longtable}}{{{_sides(table)}}}"
    yield f"  {caption}\\\\"
    yield from (*head, r"  \endfirsthead", *head, r"  \endhead")
    yield r"  \midrule"
    yield f"  \\multicolumn{{{len(table.columns)}}}{{r}}{{continued on the next page}} \\\\"
    yield r"  \endfoot"
    yield from (r"  \bottomrule", r"  \endlastfoot")
    yield from (f"  {line}" for line in _rows(table))
    yield r"\end{longtable}"


def _caption(table: Table, titles: Sequence[str], is_own: bool) -> Iterator[str]:
    """What the table is, how to read it, and why values are missing; of a caption that a person
    wrote the last alone."""
    yield from (_sentence(title) for title in titles if title)
    yield from () if is_own else map(_sentence, _key(table))
    for number, reason in enumerate(reasons(table), 1):
        yield f"\\textsuperscript{{{number}}}~{_sentence(_capital(reason))}"


def _key(table: Table) -> Iterator[str]:
    """How to read a table."""
    marks = table.marks
    if "best" in marks:
        within = f" within {table.within}" if table.within else ""
        yield f"The best value of each column{within} is in bold"
    if "leader" in marks:
        yield f"The best value of each {table.columns[table.league or 0].header} is in italics"
    if "ahead" in marks:
        worst = ", the worst in italics" if "behind" in marks else ""
        yield f"The best value of each row is in bold{worst}"
    if any(column.kind == "letters" for column in table.columns):
        yield "Systems that share a letter do not differ significantly"
    yield from (_capital(told) for told in (table.omitted, table.note) if told)


def _capital(text: str) -> str:
    """With a capital letter, unless the first word is a name such as `my_file`.

    >>> _capital("and 3 more labels"), _capital("my_file has no items")
    ('And 3 more labels', 'my_file has no items')
    """
    first = text.split(maxsplit=1)[0].rstrip(",;:") if text.strip() else ""
    return text[0].upper() + text[1:] if first.isalpha() else text


def _sentence(text: str) -> str:
    text = escape(text).rstrip()
    return text if not text or text.endswith(".") else f"{text}."


def _comment(text: Text, tables: Sequence[Table]) -> Iterator[str]:
    """What decided the numbers, as comments; without tables the rest is text of its own."""
    words = visible(text.text)
    if text.role == "signature":
        name = f" of {visible(text.name)}" if text.name else ""
        yield f"% signature{name}: {words}"
        yield from [f"%   for {visible(text.whose)}"] if text.whose else []
    elif text.role == "summary":
        yield f"% {words}"
    elif text.role in _COMMENTS and tables:
        yield from textwrap.wrap(
            f"% {text.role}: {words}", 100, subsequent_indent="%   ", break_long_words=False
        )


def _sides(table: Table) -> str:
    return "".join(_SIDES.get(c.kind, "r") for c in table.columns)


def _head(table: Table) -> Iterator[str]:
    yield r"\toprule"
    if table.has_groups:
        yield _group_row(table)
        yield _group_rules(table)
    names = [escape(column.header) for column in table.columns]
    yield _row([*map(_capital, names[: table.keys]), *names[table.keys :]])
    yield r"\midrule"


def _rows(table: Table) -> Iterator[str]:
    for number, row in enumerate(text_rows(table)):
        if number and row.begins:
            yield r"\addlinespace"
        yield _row([_cell(cell) for cell in row.cells])


def _cell(cell: CellText) -> str:
    text = "" if cell.is_again else _value(cell)
    if cell.note:
        text += f"\\textsuperscript{{{cell.note}}}"
    return f"\\{_FONTS[cell.mark]}{{{text}}}" if cell.mark else text


def _value(cell: CellText) -> str:
    text, value = escape(cell.text), cell.value
    if cell.is_letters:
        return f"\\textsuperscript{{{text}}}"
    if cell.column.kind == "p" and isinstance(value, int | float):
        return f"${p_value(value)}$"
    kind = getattr(value, "kind", None) or cell.column.kind
    is_signed = ("delta" in kind or "value" in kind) and isinstance(value, float | int | Range)
    return re.sub("[+-]", r"$\g<0>$", text) if is_signed else text


def _row(cells: Sequence[str]) -> str:
    return " & ".join(cells) + r" \\"


def _group_row(table: Table) -> str:
    return _row(
        [
            f"\\multicolumn{{{count}}}{{c}}{{{escape(name)}}}" if name else ""
            for name, count in table.groups
        ]
    )


def _group_rules(table: Table) -> str:
    rules, first = [], 1
    for name, count in table.groups:
        if name:
            rules.append(f"\\cmidrule(lr){{{first}-{first + count - 1}}}")
        first += count
    return " ".join(rules)
