"""Judgements: who gave which label to which item. Three layouts are read.

- a *table* with a row per judgement: item, annotator and label, perhaps also the gold label, the
  word and the sentence (CSV, TSV, JSON lines, Parquet, a data frame); or with a row per item and a
  column per annotator, if these are named: `annotator=ann+ben`
- the *matrix* of MACE: CSV without a header, a line per item and a column per annotator; an empty
  cell is no judgement, a blank line is an item without any, and ends a sequence
- *selections*: a task, the label that was asked for, an annotator, the numbers of the tokens that
  the annotator chose, counted from 0, and all tokens as a JSON list
"""

from __future__ import annotations

import io
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any

import numpy as np

from tertium.corpus.labels import Bytes, Int64, Labels, Names, unite
from tertium.exceptions import UsageError, suggestion
from tertium.formats.base import Problems, Reading
from tertium.formats.judgement_cells import (
    PARQUET,
    TableCells,
    first_repeated,
    is_json,
    of_fields,
    of_json_lines,
    of_parquet,
    of_python,
    of_quoted,
    split,
)
from tertium.formats.lines import load
from tertium.formats.sources import open_input

# The usual names of columns, by what they mean.
TABLE: Mapping[str, tuple[str, ...]] = {
    "item": ("item", "item_id", "task", "id"),
    "annotator": ("annotator", "worker", "rater", "coder"),
    "label": ("label", "response", "answer", "tag"),
}
BESIDE: Mapping[str, tuple[str, ...]] = {
    "gold": ("gold",),
    "word": ("word", "token", "form"),
    "sentence": ("sentence", "sentence_id", "sent_id"),
}
SELECTION: Mapping[str, tuple[str, ...]] = {
    role: (role,) for role in ("task", "asked", "annotator", "chosen", "tokens")
}
ROLES = tuple(dict.fromkeys([*TABLE, *BESIDE, *SELECTION]))
HELP = (
    "name the columns with '--columns item=NAME,annotator=NAME,label=NAME' or, if every annotator "
    "has a column, '--columns item=NAME,annotator=NAME+NAME'"
)
NO_TABLE = (
    f"give one annotated file per annotator; or, for a table, {HELP}; a matrix of annotators has "
    "neither a header nor quotes"
)


@dataclass(frozen=True, eq=False)
class Judgements:
    """Votes one by one.

    - `item`, `annotator`, `label`: a row per vote. The names of items and annotators are all that
      there are, also those without votes
    - `gold`, `words`, `sentence`: a row per item, where known; '' where an item has no gold label.
      Sentences are in one piece each, the code of a sentence is its number
    - `text`: a row per sentence; those of one text are tasks about the same words
    - `joins`: items are tokens, and neighbours with one label belong together
    - `order`: of every item, which one of the file it is, where sentences have put them in order
    - `people`: the annotators' own names, if they are called otherwise
    - `new_names`: of labels that were renamed; `settings`: what a signature says about the table
    """

    origin: str
    item: Labels
    annotator: Labels
    label: Labels
    gold: Labels | None = None
    words: Labels | None = None
    sentence: Labels | None = None
    text: Labels | None = None
    joins: bool = False
    order: Int64 | None = None
    people: tuple[str, ...] = ()
    new_names: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, object] = field(default_factory=dict)

    def renamed(self, names: Mapping[str, str], files: Sequence[str]) -> Judgements:
        """With new names for labels, as some files have them."""
        gold = self.gold and self.gold.rename(names)
        settings = {**self.settings, "map": tuple(files)}
        label = self.label.rename(names)
        return replace(self, label=label, gold=gold, new_names=names, settings=settings)


def read_judgements(
    data: Any, *, columns: str | Mapping[str, str] | None = None, name: str | None = None
) -> Judgements:
    """Judgements of a file, `-`, a data frame or a list of dictionaries.

    `columns` says what the columns of a table are called: `item=orig_id,label=response`. Raises
    InputError with file and line for what is malformed and for judgements that are repeated.
    """
    roles = _roles(columns)
    if not isinstance(data, str | os.PathLike):
        origin = name or "the table"
        return _of_cells(of_python(data), roles, Problems(Reading(origin)))
    path = os.fspath(data)
    origin = name or ("stdin" if path == "-" else path)
    problems = Problems(Reading(origin), help="correct the file, or leave these lines out")
    with open_input(path) as stream:
        if stream.read(len(PARQUET)) == PARQUET:
            stream.seek(0)
            content = stream.read()
            found = _of_cells(of_parquet(content, origin), roles, problems)
            return _with_digest(found, content)
        stream.seek(0)
        buf = load(stream, problems)
    if not buf.tobytes().strip():
        raise problems.fatal("the file is empty", help="check what wrote it")
    return _with_digest(_of_text(buf, roles, problems), buf.tobytes())


def read_known_table(
    data: Any, name: str, columns: str | Mapping[str, str] | None = None
) -> tuple[Labels, Labels, str]:
    """The items of a table, their known labels (`gold`, else `label`) and its digest; of a file,
    called by its name, the bytes were read before."""
    roles = _roles(columns)
    problems = Problems(Reading(name), help="correct the file")
    content = data if isinstance(data, bytes) else b""
    if content:
        cells = _cells_of(content, load(io.BytesIO(content), problems), problems)
    else:
        cells = of_python(data)
    known = {"item": TABLE["item"], "label": (*BESIDE["gold"], *TABLE["label"])}
    chosen = {"item": roles.get("item"), "label": roles.get("gold") or roles.get("label")}
    item, label = (
        _column(cells, [*filter(None, [chosen[role]]), *usual], problems)
        for role, usual in known.items()
    )
    assert item is not None
    assert label is not None
    labels = per_item("label", label, item, cells.lines, problems)
    problems.stop()
    number = np.arange(len(item.names), dtype=np.int32)
    digest = sha256(content).hexdigest() if content else ""
    return Labels(item.names, number), labels, digest


def _cells_of(content: bytes, buf: Bytes, problems: Problems) -> TableCells:
    """A table with a header, in any format."""
    if content[: len(PARQUET)] == PARQUET:
        return of_parquet(content, problems.reading.origin)
    if is_json(buf, problems):
        return of_json_lines(buf, problems)
    table = split(buf, problems)
    return of_quoted(buf, problems) if table is None else of_fields(table, problems)


def _with_digest(found: Judgements, content: bytes) -> Judgements:
    return replace(found, settings={"votes": sha256(content).hexdigest()[:8]})


def _roles(columns: str | Mapping[str, str] | None) -> dict[str, str]:
    """The columns named, by role."""
    if columns is None:
        return {}
    if isinstance(columns, str):
        pairs = [each.partition("=")[::2] for each in columns.split(",")]
        if bad := [role for role, value in pairs if not value.strip()]:
            raise UsageError(
                f"'--columns' must be ROLE=NAME,... Got '{bad[0]}' instead.", help=HELP
            )
        if len({role.strip() for role, _ in pairs}) < len(pairs):
            raise UsageError("'--columns' names a role twice", help=HELP)
        columns = {role.strip(): value.strip() for role, value in pairs}
    for role in columns:
        if role not in ROLES:
            raise UsageError(
                f"'--columns' has no role '{role}'.{suggestion(role, ROLES)}",
                help=f"the roles are {', '.join(ROLES)}",
            )
    return dict(columns)


def _of_text(buf: Bytes, roles: Mapping[str, str], problems: Problems) -> Judgements:
    # Which needs this module.
    from tertium.formats.annotator_matrix import of_matrix
    from tertium.formats.selections import SelectionRows, has_selections, of_selections

    if is_json(buf, problems):
        return _of_cells(of_json_lines(buf, problems), roles, problems)
    table = split(buf, problems)
    if table is None:
        return _of_cells(of_quoted(buf, problems), roles, problems)
    fields = np.asarray(table.field_count)
    header = [table.field(0, n).strip() for n in range(int(fields[0]))]
    if not roles and has_selections(table):
        return of_selections(SelectionRows.of_fields(table, problems), problems)
    if roles or _named(header, TABLE) or _named(header, SELECTION) or buf is table.buf:
        return _of_cells(of_fields(table, problems), roles, problems)
    return of_matrix(table, problems)


def _named(header: Sequence[str], wanted: Mapping[str, tuple[str, ...]]) -> bool:
    """Are there columns with usual names for all of this?"""
    found = {name.lower() for name in header}
    return all(not found.isdisjoint(names) for names in wanted.values())


def _of_cells(cells: TableCells, roles: Mapping[str, str], problems: Problems) -> Judgements:
    """A table with a header: a row per judgement, or selections."""
    wanted: Mapping[str, tuple[str, ...]] = TABLE
    chosen = {role for role in roles if role in SELECTION and role not in TABLE}
    if chosen or (not roles and _named(cells.names, SELECTION)):
        wanted = SELECTION
    known = {**wanted, **(BESIDE if wanted is TABLE else {})}
    people = roles.get("annotator", "").split("+")
    if wanted is TABLE and len(people) > 1 and roles["annotator"] not in cells.names:
        return _of_columns(cells, roles, people, problems)
    lower = {name.lower() for name in cells.names}
    if not roles and all(lower.isdisjoint(names) for names in wanted.values()):
        names = ", ".join(names[0] for names in wanted.values())
        message = f"not a table of judgements: none of its columns is {names}"
        raise problems.fatal(message, line=1, help=NO_TABLE)
    columns: dict[str, Labels] = {}
    for role, usual in known.items():
        named = (roles[role],) if role in roles else usual
        needed = role in roles or role in wanted
        if (found := _column(cells, named, problems, needed=needed)) is not None:
            columns[role] = found
    if wanted is SELECTION:
        from tertium.formats.selections import SelectionRows, of_selections

        return of_selections(SelectionRows(columns, cells.lines), problems)
    return _of_table(columns, cells.lines, problems)


def _column(
    cells: TableCells, named: Sequence[str], problems: Problems, *, needed: bool = True
) -> Labels | None:
    """The first column with one of these names, whatever their case where none is as written."""
    for names in (cells.names, [name.lower() for name in cells.names]):
        if found := [name for name in named if name in names]:
            return stripped(cells.column(names.index(found[0])))
    if needed:
        raise problems.fatal(
            f"there is no column '{named[0]}'.{suggestion(named[0], cells.names)}",
            line=1,
            help=f"the columns are {', '.join(cells.names)}; {HELP}",
        )
    return None


def stripped(column: Labels) -> Labels:
    """Without white space around cells, which would tell equal labels apart."""
    bare = {name: name.strip() for name in column.names if name != name.strip()}
    return column.rename(bare) if bare else column


def _of_columns(
    cells: TableCells, roles: Mapping[str, str], people: Sequence[str], problems: Problems
) -> Judgements:
    """A row per item and a column per annotator, as a row per judgement. Items are numbered where
    no column names them."""
    if "label" in roles:
        raise UsageError("a table with a column per annotator has no column of labels", help=HELP)
    if twice := [name for name in people if people.count(name) > 1]:
        raise UsageError(f"'--columns' names the annotator '{twice[0]}' twice")
    names, codes = unite(*filter(None, (_column(cells, [each], problems) for each in people)))
    size = len(cells.lines)
    rows, side = np.divmod(np.arange(size * len(people)), len(people))
    columns = {
        "item": Labels(numbers(size), rows.astype(np.int32)),
        "annotator": Labels(Names.of(people), side.astype(np.int32)),
        "label": Labels(names, np.stack(codes, axis=1).ravel()),
    }
    for role, usual in {"item": TABLE["item"], **BESIDE}.items():
        named, needed = ((roles[role],), True) if role in roles else (usual, False)
        if (found := _column(cells, named, problems, needed=needed)) is not None:
            columns[role] = found.take(rows)
    return _of_table(columns, cells.lines[rows], problems)


def _of_table(columns: Mapping[str, Labels], lines: Int64, problems: Problems) -> Judgements:
    item, annotator, label = (columns[role] for role in TABLE)
    if not len(item):
        raise problems.fatal("there is no judgement in the file")
    refuse_empty({"item": item, "annotator": annotator}, lines, problems)
    refuse_repeated(item, annotator, lines, problems)
    beside = {
        role: per_item(role, columns[role], item, lines, problems)
        for role in BESIDE
        if role in columns
    }
    if (sentence := beside.get("sentence")) is not None:
        for row in problems.listed(sentence.where("")):
            problems.error(f"item '{item.names[int(row)]}' has no sentence")
    problems.stop()
    said = label.codes != label.names.find("")
    found = Judgements(
        problems.reading.origin,
        item.take(said),
        annotator.take(said),
        _used(label.take(said)),
        beside.get("gold"),
        beside.get("word"),
        beside.get("sentence"),
    )
    return found if found.sentence is None else _by_sentence(found)


def refuse_empty(columns: Mapping[str, Labels], lines: Int64, problems: Problems) -> None:
    """Every judgement has these."""
    for role, column in columns.items():
        for row in problems.listed(column.where("")):
            problems.error(f"the {role} is empty", line=int(lines[row]))
    problems.stop()


def refuse_repeated(item: Labels, annotator: Labels, lines: Int64, problems: Problems) -> None:
    """An annotator judges an item once."""
    cell = item.codes.astype(np.int64) * max(len(annotator.names), 1) + annotator.codes
    again, first = first_repeated(cell)
    for place in problems.listed(np.arange(len(again))):
        row = int(again[place])
        problems.error(
            f"'{annotator[row]}' judges item '{item[row]}' again, after line "
            f"{int(lines[first[place]])}",
            line=int(lines[row]),
        )
    problems.stop()


def per_item(role: str, column: Labels, item: Labels, lines: Int64, problems: Problems) -> Labels:
    """What a column says about items: the same in all their rows, or nothing in some."""
    codes = np.full(len(item.names), -1, np.int32)
    empty = column.names.find("")
    rows = np.flatnonzero(column.codes != empty)[::-1]
    codes[item.codes[rows]] = column.codes[rows]  # of several rows the first one stays
    bad = np.flatnonzero((column.codes != empty) & (column.codes != codes[item.codes]))
    for row in problems.listed(bad):
        other = column.names[int(codes[item.codes[row]])]
        problems.error(
            f"item '{item[row]}' has the {role} '{column[row]}', in an earlier line '{other}'",
            line=int(lines[row]),
        )
    if not (codes < 0).any():
        return Labels(column.names, codes)
    names = column.names if empty >= 0 else Names.of([*column.names, ""])
    return Labels(names, np.where(codes < 0, np.int32(names.find("")), codes))


def _used(labels: Labels) -> Labels:
    """Without names that no row has, in the order in which they first occur."""
    codes, first = np.unique(labels.codes, return_index=True)
    order = codes[np.argsort(first)]
    place = np.zeros(len(labels.names), np.int32)
    place[order] = np.arange(len(order))
    return Labels(Names.of(labels.names.some(order)), place[labels.codes])


def _by_sentence(found: Judgements) -> Judgements:
    """Items of one sentence together, sentences in the order of their first items."""
    assert found.sentence is not None
    sentence = _used(found.sentence)
    order = np.argsort(sentence.codes, kind="stable")
    place = np.empty(len(order), np.int32)
    place[order] = np.arange(len(order))
    item = Labels(Names.of(found.item.names.some(order)), place[found.item.codes])
    gold, words = (each and each.take(order) for each in (found.gold, found.words))
    moved = replace(found, item=item, sentence=sentence.take(order), order=order)
    return replace(moved, gold=gold, words=words)


def numbers(count: int) -> Names:
    """The names of what has none: 1, 2, ..."""
    return Names.of(str(number) for number in range(1, count + 1))
