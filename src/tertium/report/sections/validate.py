"""The section of `validate`: every problem of every file, and what was read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tertium.exceptions import Problem
from tertium.formats.validate import Validation
from tertium.results.blocks import Block, Cell, Column, Table, Text, table_of
from tertium.results.texts import counted

_PROBLEMS = (
    Column("file"),
    Column("line", kind="count"),
    Column("sentence"),
    Column("severity"),
    Column("kind"),
    Column("message"),
)
_FILES = (
    Column("file"),
    Column("format"),
    Column("sentences", kind="count"),
    Column("tokens", kind="count"),
    Column("layers"),
    Column("errors", kind="count"),
    Column("notes", kind="count"),
)
_ONE_ATOM = {"words": "word", "characters": "character", "indices": "index"}


def build_lines(files: Sequence[Validation]) -> list[Block]:
    """For reading on a screen: one line a problem, as compilers do, then a summary of the file."""
    blocks: list[Block] = []
    for checked in files:
        blocks.append(Text(checked.file, role="title"))
        lines = [f"{p.place(checked.file)}: {p.message}" for p in checked.errors]
        lines += [f"{p.place(checked.file)}: note: {p.message}" for p in checked.notes]
        summary = [
            f"{'read':<8}{_what_was_read(checked)}",
            f"{'errors':<8}{_counts(checked.errors)}",
        ]
        if checked.notes:
            summary.append(f"{'notes':<8}{_counts(checked.notes)}")
        blocks.append(Text("\n".join([*lines, *summary, ""]), role="code"))
    if len(files) > 1:
        bad = sum(bool(checked.errors) for checked in files)
        blocks.append(Text(f"{len(files):,} files, {bad:,} of them with errors", role="title"))
    return blocks


def build(files: Sequence[Validation]) -> list[Block]:
    """For every other format: a table of files and, if there are any, a table of problems."""
    rows = [(c, p) for c in files for p in (*c.errors, *c.notes)]
    blocks: list[Block] = [table_of(_FILES, [_file_row(c) for c in files], title="Files")]
    if rows:
        blocks.append(problem_table(rows))
    return blocks


def problem_table(rows: Sequence[tuple[Validation, Problem]]) -> Table:
    """One row a problem."""
    cells: list[tuple[Cell, ...]] = [
        (c.file, p.line or None, p.sentence, p.severity, p.kind, p.message) for c, p in rows
    ]
    return table_of(_PROBLEMS, cells, title="Problems")


def _file_row(checked: Validation) -> tuple[Cell, ...]:
    corpus = checked.corpus
    errors, notes = len(checked.errors), len(checked.notes)
    if corpus is None:
        return (checked.file, None, None, None, None, errors, notes)
    layers = ", ".join(corpus.layers)
    counts = (corpus.sentence_count, corpus.token_count)
    return (checked.file, corpus.format, *counts, layers, errors, notes)


def _what_was_read(checked: Validation) -> str:
    corpus = checked.corpus
    if corpus is None:
        return "nothing could be used"
    return " · ".join(
        [
            corpus.format,
            counted(corpus.sentence_count, "sentence"),
            counted(corpus.token_count, _ONE_ATOM.get(corpus.atoms, corpus.atoms), corpus.atoms),
            f"layers {', '.join(corpus.layers) or 'none'}",
        ]
    )


def _counts(problems: Sequence[Problem]) -> str:
    """`12 · heads 10, columns 2`: the most frequent kind first; a single kind says nothing."""
    if not problems:
        return "none"
    kinds = Counter(p.kind for p in problems)
    if len(kinds) == 1:
        return f"{len(problems):,}"
    order = sorted(kinds, key=lambda kind: (-kinds[kind], kind))
    return f"{len(problems):,} · " + ", ".join(f"{kind} {kinds[kind]:,}" for kind in order)
