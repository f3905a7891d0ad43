"""What the columns of a file are: as `# global.columns` says, else by an index in front and by the
usual layouts.

An index counts the words of a sentence from 1 or 0, or those of the file, or it gives offsets
(`0-5`); it is never a form. The number of the sentence may stand before that of the word (`2-1`,
`s2_1`). Ranges (`1-2`) and empty nodes (`1.1`) in it are no words. Where a file does not name its
columns, only its first lines are looked at, and only what gold, systems and the parts of a folder
have in common: a column of entities may well be empty in one of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from tertium.corpus.labels import Bytes, Labels, Names
from tertium.corpus.schemes import is_span_tag, split
from tertium.formats.base import Problems
from tertium.formats.conll import NO_ID, RANGE, WORD
from tertium.formats.lines import FieldTable, Index, word_ids
from tertium.formats.sources import HEAD as SNIFFED

SAMPLE = 1000  # lines
MOST_COLUMNS = 1000
PLAIN, PREFIXED, OFFSETS = "plain", "prefixed", "offsets"  # kinds of index
INDEX_NAMES, FORM_NAMES = ("id", "index"), ("form", "word", "token")
LEXICAL_SEMANTICS = tuple(  # .conllulex
    "id form lemma upos xpos feats head deprel deps misc "
    "smwe lexcat lexlemma ss ss2 wmwe wcat wlemma lextag".split()
)
# CoNLL-X may be written with the names of CoNLL-U.
_SAME = {"cpostag": "upos", "postag": "xpos", "phead": "deps", "pdeprel": "misc"}
_HEADER = re.compile(r"\s*global[._ -]columns\s*[=:](.*)", re.IGNORECASE | re.DOTALL)
_PREFIX_BYTES = np.frombuffer(b"0123456789sS", np.uint8)
_CHUNK = re.compile(r"[BIES]-(NP|VP|PP|NC|VC|PC)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Layout:
    """Places of the columns to read by name, `form` among them, and the place of the index."""

    places: Mapping[str, int]
    index: int | None = None
    has_prefix: bool = False  # of the index: the number of the sentence
    is_index_checked: bool = True

    @classmethod
    def of(
        cls,
        table: FieldTable,
        lines: Index,
        of_line: Index,
        names: list[str] | None,
        roles: Mapping[str, int] | None,
        problems: Problems,
    ) -> Layout:
        """That of lines of equal width: as asked for, as the file says, or as it looks."""
        width = int(table.field_count[lines[0]]) if len(lines) else 0
        lines, of_line = lines[:SAMPLE], of_line[:SAMPLE]
        if names is not None:
            found = _declared_layout(names, problems, has_form=bool(roles and "form" in roles))
            if width and found.index is not None:
                kind = _index_kind(table.buf, *table.bounds(lines, found.index), of_line)
                index = None if kind == OFFSETS else found.index
                found = cls(found.places, index, kind == PREFIXED)
        else:
            found = cls._in_front(table, lines, of_line, width)
            if roles is None:
                _check_number(width, problems)
                form = found.places["form"]
                names_found = {"form": form, **_usual_names(table, lines, form)}
                found = replace(found, places=names_found)
        if roles is None:
            return found
        _check_roles(roles, width, problems)
        asked = {name: place % max(width, 1) for name, place in roles.items()}
        asked.setdefault("form", found.places["form"])
        is_index = found.index is not None and found.index not in asked.values()
        index = found.index if is_index else None
        return cls(asked, index, found.has_prefix, is_index_checked=False)

    @classmethod
    def _in_front(cls, table: FieldTable, lines: Index, of_line: Index, width: int) -> Layout:
        """An index in front, offsets in front or after it, then the form."""
        index, has_prefix, form = None, False, 0
        for place in range(min(2, width - 1)):
            kind = _index_kind(table.buf, *table.bounds(lines, place), of_line)
            if kind is None or (place and kind != OFFSETS):
                break
            form = place + 1
            if kind == OFFSETS:
                break
            index, has_prefix = place, kind == PREFIXED
        return cls({"form": form}, index, has_prefix)


def header(comment: str) -> list[str] | None:
    """The names of columns in a comment `global.columns = ...` (CoNLL-U Plus), in lower case; None
    if it is another comment.

    >>> header(" Global.Columns = ID FORM\\tPARSEME:MWE")
    ['id', 'form', 'parseme:mwe']
    """
    match = _HEADER.match(comment)
    return None if match is None else match[1].lower().replace(",", " ").split()


def header_of(head: bytes) -> list[str] | None:
    """The names that the comments at the beginning of a file give; None where they give none."""
    for line in head.lstrip().split(b"\n", SAMPLE)[:SAMPLE]:
        if not line.startswith(b"#"):
            return None
        if (names := header(line[1:].decode("utf-8", "replace"))) is not None:
            return names
    return None


def has_other_columns(head: bytes, columns: Sequence[str]) -> bool:
    """Do the comments at the beginning of a file name other columns than these, of which the last
    two may be left out?"""
    names = header_of(head)
    if names is None:
        return False
    expected = columns[: max(len(names), len(columns) - 2)]
    return [_SAME.get(name, name) for name in names] != [_SAME.get(n, n) for n in expected]


def refuse_other_columns(buf: Bytes, problems: Problems, columns: Sequence[str]) -> None:
    """Raise FormatError where a file names other columns, which would be taken for these."""
    if has_other_columns(head := buf[:SNIFFED].tobytes(), columns):
        raise problems.fatal(
            f"the file has the columns {' '.join(header_of(head) or ()).upper()}, "
            f"expected {' '.join(columns).upper()}",
            line=1,
            help="'--input-format columns' reads files that name their columns (CoNLL-U Plus)",
        )


def headers(comments: Labels) -> dict[int, list[str]]:
    """The distinct comments that name columns, by their codes. Few of the others are decoded."""
    names = comments.names
    codes = np.union1d(names.perhaps_with("g"), names.perhaps_with("G"))
    texts = zip(codes.tolist(), names.some(codes), strict=True)
    return {code: found for code, text in texts if (found := header(text)) is not None}


def refuse_coreference(comments: Labels, problems: Problems) -> None:
    """Raise FormatError for CoNLL-2012, in which documents and numbers stand before the form."""
    names = comments.names
    texts = names.some(names.perhaps_with("begin document"))
    if any(text.strip().startswith("begin document") for text in texts):
        raise problems.fatal(
            "the file is CoNLL-2012 ('#begin document'), whose columns must be named",
            help="'--input-format conll2012' reads it; '--columns form=3,pos=4' says which columns "
            "to read, counted from 0",
        )


def ids(table: FieldTable, lines: Index, column: int, *, has_prefix: bool) -> tuple[Any, Any]:
    """The kind (word, range, empty node, no id) and the first number of the ids in a column."""
    from tertium.formats._kernels import after_prefixes

    starts, ends = table.bounds(lines, column)
    kind, first, _ = word_ids(
        table.buf, after_prefixes(table.buf, starts, ends) if has_prefix else starts, ends
    )
    return kind, first


def looks_like_index(strings: Iterable[str], sentence: npt.NDArray[Any]) -> bool:
    """Would the first column of a file be taken for an index?"""
    names = Names.of(strings)
    bounds = names.bounds.astype(np.int32)
    return _index_kind(names.blob, bounds[:-1], bounds[1:], sentence) is not None


def _index_kind(buf: Bytes, starts: Any, ends: Any, sentence: npt.NDArray[Any]) -> str | None:
    """Which kind of index a column is, if it is one. More than half of its fields are what is due;
    a single field counts nothing unless it is a plain number."""
    from tertium.formats._kernels import after_prefixes

    kind, first, last = word_ids(buf, starts, ends)
    if counts_words(kind, first, sentence):
        return PLAIN
    if len(kind) < 2:
        return None
    begins = np.diff(sentence, prepend=-1) != 0
    fits = (kind == RANGE) & (first < last) & (begins | (first >= np.roll(last, 1)))
    if fits.sum() * 2 > len(fits):
        return OFFSETS
    # A number after a prefix cannot be due in half of the fields if so few begin like one.
    if np.isin(buf[starts[starts < ends]], _PREFIX_BYTES).sum() * 2 <= len(starts):
        return None
    kind, first, _ = word_ids(buf, after_prefixes(buf, starts, ends), ends)
    return PREFIXED if counts_words(kind, first, sentence) else None


def counts_words(kind: Any, number: Any, sentence: npt.NDArray[Any]) -> bool:
    """Is a column an index? More than half of its fields are the number that is due."""
    is_word = (kind == WORD) | (kind == NO_ID)
    fine = in_order(kind[is_word], number[is_word], sentence[is_word])
    return bool(fine.sum() * 2 > len(fine))


def in_order(kind: Any, number: Any, sentence: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Which numbers are one more than the one before or, in front of a sentence, 0 or 1."""
    follows = np.diff(number, prepend=-9) == 1
    begins = (np.diff(sentence, prepend=-1) != 0) & (number <= 1)
    return np.asarray((follows | begins) & (kind == WORD))


def _declared_layout(names: list[str], problems: Problems, *, has_form: bool) -> Layout:
    """The layout of a file that names its columns."""
    _check_number(len(names), problems)
    places = {name: place for place, name in enumerate(names)}
    if len(places) < len(names):
        twice = next(name for place, name in enumerate(names) if name in names[:place])
        raise problems.fatal(f"'global.columns' names '{twice.upper()}' twice")
    index = next((places.pop(name) for name in INDEX_NAMES if name in places), None)
    form = next((name for name in FORM_NAMES if name in places), None)
    if form is None and not has_form:
        raise problems.fatal(
            "'global.columns' names no column FORM",
            help="'--columns form=1,upos=3' says which columns to read, counted from 0",
        )
    others = {name: place for name, place in places.items() if name != form}
    return Layout({"form": places[form] if form else 0, **others}, index)


def _usual_names(table: FieldTable, lines: Index, form: int) -> dict[str, int]:
    """Names of the columns beside the form and what stands before it, by these lines."""
    width = int(table.field_count[lines[0]]) if len(lines) else 0
    places = range(form + 1, width)
    names = [f"column{place}" for place in places]
    if form and width == len(LEXICAL_SEMANTICS):
        names = list(LEXICAL_SEMANTICS[2:])
    elif len(places) == 1:
        names = ["tag"]
    elif len(places) in (2, 3):
        tags = [table.labels(lines, place).names for place in places]
        if form and len(tags) == 2 and all(is_span_tag(tag) for column in tags for tag in column):
            names = ["outer", "inner"]  # GermEval
        elif len(tags) == 2 and _has_parts_of_speech(tags[0]):
            names = ["pos", "tag"]
        elif len(tags) == 3 and _is_conll03(*tags):
            names = ["pos", "chunk", "ner"]
    return dict(zip(names, places, strict=True))


def _has_parts_of_speech(tags: Names) -> bool:
    """Are there letters, all of them upper case, in something else than tags of spans?"""
    if any(split(tag) not in (None, ("O", "")) for tag in tags):
        return False
    return any(tag.isupper() and tag != "O" for tag in tags) and not any(
        letter.islower() for tag in tags for letter in tag
    )


def _is_conll03(first: Names, second: Names, third: Names) -> bool:
    """Does the second column hold chunks, and neither of the others?"""
    return any(map(_CHUNK.fullmatch, second)) and not any(
        _CHUNK.fullmatch(tag) for column in (first, third) for tag in column
    )


def _check_number(width: int, problems: Problems) -> None:
    if width > MOST_COLUMNS:
        raise problems.fatal(
            f"{width:,} columns; more than {MOST_COLUMNS:,} are read only if they are named",
            help="'--columns form=0,ner=-1' says which columns to read",
        )


def _check_roles(roles: Mapping[str, int], width: int, problems: Problems) -> None:
    for name, place in roles.items():
        if width and not -width <= place < width:
            raise problems.fatal(
                f"column '{name}' is number {place}, "
                f"but the file has {width} columns (0 to {width - 1})",
                help="'--columns' names columns as NAME=NUMBER, counted from 0, or -1 from the end",
            )
