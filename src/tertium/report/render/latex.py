"""LaTeX tables in the style of booktabs, ready for `\\input`; best values in bold.

Needs `\\usepackage{booktabs}`, for tables of more than a page `\\usepackage{longtable}`, and, as
every LaTeX since 2018, UTF-8 input. Letters outside ASCII are left as they are: for scripts that
pdfLaTeX's fonts lack, use LuaLaTeX or XeLaTeX.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tertium.results.blocks import Block, Range, Table, Text, as_table, reasons
from tertium.results.texts import CellText, p_value, text_rows, visible

LONGEST = 40  # rows that surely fit on a page; a longer table is broken over pages

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
    "∅": r"$\emptyset$",
    "→": r"$\rightarrow$",
}
_PATTERN = re.compile("[" + re.escape("".join(_SPECIAL)) + "]")
_FONTS = {"best": "textbf", "ahead": "textbf", "behind": "textit"}
_SIDES = {"text": "l", "flag": "c", "letters": "@{}l"}
_LIGATURES = re.compile("-(?=-)|'(?=')|,(?=,)")


def escape(text: str) -> str:
    r"""Text that prints as it is, wherever it stands in a table or caption.

    >>> print(escape("50% of_x & y^2"))
    50\% of\_x \& y\textasciicircum{}2
    """
    apart = _LIGATURES.sub(lambda match: match[0] + "\0", visible(text))
    return _PATTERN.sub(lambda match: _SPECIAL[match[0]], apart).replace("\0", "{}")


def render(blocks: Sequence[Block], *, caption: str = "") -> str:
    """Paragraphs, then one float a table, or a longtable where that would not fit on a page.

    Captions say what is bold and why values are missing. Signatures are comments at the top, to be
    copied as they are.
    """
    texts = [b for b in blocks if isinstance(b, Text)]
    tables = [as_table(b, nothing="∅") for b in blocks if not isinstance(b, Text)]
    parts = [r"% Made by Tertium; needs \usepackage{booktabs}"]
    if any(len(table.rows) > LONGEST for table in tables):
        parts[0] += r" and \usepackage{longtable}"
    if not all(map(_is_latin, _words(texts, tables))):
        parts[0] += "; words in other scripts or with emoji need lualatex or xelatex and a font"
    parts[0] += "".join(f"\n% {visible(each.text)}" for each in texts if each.role == "summary")
    parts[0] += "".join(f"\n{line}" for text in texts for line in _signature(text))
    if tables:
        parts += [escape(text.text) for text in texts if text.role == "paragraph"]
    for table in tables:
        told = texts if table is tables[0] else []
        words = " ".join(filter(None, _caption(table, table.title or caption, told)))
        lines = _long(table, words) if len(table.rows) > LONGEST else _float(table, words)
        parts.append("\n".join(lines))
    if not tables:
        apart = ("summary", "signature")
        parts += [escape(b.text) + r"\par" for b in texts if b.role not in apart]
    return "\n\n".join(parts) + "\n"


def _words(texts: Sequence[Text], tables: Sequence[Table]) -> Iterator[str]:
    yield from (text.text for text in texts)
    yield from (cell for t in tables for row in t.rows for cell in row if isinstance(cell, str))


def _is_latin(text: str) -> bool:
    """Only signs that pdflatex sets by itself: Latin with its accents, and those we translate."""
    return all(ord(c) < 0x180 or c in _SPECIAL or c in "…’“”" for c in text)


def _float(table: Table, caption: str) -> Iterator[str]:
    yield r"\begin{table}"
    yield r"  \centering"
    yield f"  \\begin{{tabular}}{{{_sides(table)}}}"
    yield from (f"    {line}" for line in (*_head(table), *_rows(table), r"\bottomrule"))
    yield r"  \end{tabular}"
    yield f"  \\caption{{{caption}}}"
    yield r"\end{table}"


def _long(table: Table, caption: str) -> Iterator[str]:
    """A table over several pages, with its head on each."""
    head = [f"  {line}" for line in _head(table)]
    yield f"\\begin{{longtable}}{{{_sides(table)}}}"
    yield f"  \\caption{{{caption}}}\\\\"
    yield from (*head, r"  \endfirsthead", *head, r"  \endhead")
    yield r"  \midrule"
    yield f"  \\multicolumn{{{len(table.columns)}}}{{r}}{{continued on the next page}} \\\\"
    yield r"  \endfoot"
    yield from (r"  \bottomrule", r"  \endlastfoot")
    yield from (f"  {line}" for line in _rows(table))
    yield r"\end{longtable}"


def _caption(table: Table, title: str, texts: Sequence[Text]) -> Iterator[str]:
    yield _sentence(title)
    marks = table.marks
    if "best" in marks:
        within = f" within {table.within}" if table.within else ""
        yield _sentence(f"The best value of each column{within} is in bold")
    if "ahead" in marks:
        worst = ", the worst in italics" if "behind" in marks else ""
        yield _sentence(f"The best value of each row is in bold{worst}")
    for number, reason in enumerate(reasons(table), 1):
        yield f"\\textsuperscript{{{number}}}~{_sentence(_capital(reason))}"
    for told in filter(None, (table.omitted, table.note)):
        yield _sentence(_capital(told))
    coverage = [text.text for text in texts if text.role == "coverage"]
    if coverage:
        yield _sentence(f"Coverage: {'; '.join(coverage)}")
    for text in texts:
        if text.role == "tests":
            yield _sentence(f"Significance: {text.text}")
    for text in texts:
        if text.role == "note":
            yield _sentence(_capital(text.text))


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


def _signature(text: Text) -> Iterator[str]:
    if text.role == "signature":
        name = f" of {visible(text.name)}" if text.name else ""
        yield f"% signature{name}: {visible(text.text)}"
        yield from [f"%   for {visible(text.whose)}"] if text.whose else []


def _sides(table: Table) -> str:
    return "".join(_SIDES.get(c.kind, "r") for c in table.columns)


def _head(table: Table) -> Iterator[str]:
    yield r"\toprule"
    if table.has_groups:
        yield _group_row(table)
        yield _group_rules(table)
    yield _row([escape(column.header) for column in table.columns])
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
