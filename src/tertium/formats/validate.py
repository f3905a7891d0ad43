"""Everything wrong with a file or a corpus: for `validate`, for what is made in Python, and for the
UD evaluation, which refuses files that our reader takes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

import numpy as np

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int32, Int64
from tertium.corpus.layers import Arcs, Tags
from tertium.corpus.schemes import decode, scheme_of, untyped
from tertium.display import Display, frame_of
from tertium.exceptions import (
    FormatError,
    InputError,
    Problem,
    UsageError,
    Verdict,
    counted,
    on_one_line,
    shorten,
)
from tertium.formats.base import (
    CYCLES,
    LISTED_PROBLEMS,
    ROOTED,
    SHOWN_NOTES,
    Format,
    InputOptions,
    is_for_spans,
    tokens_on_cycles,
)
from tertium.formats.conll import several_roots
from tertium.formats.files import named, no_sentence, read_file
from tertium.formats.sources import resolve
from tertium.options import OUTPUT, Verb, fill, option

if TYPE_CHECKING:
    import polars as pl


SHOWN = 20  # problems of a file in text


@dataclass(frozen=True)
class ValidateOptions(InputOptions):
    """How files are read, and how much text shows."""

    all: bool = option(
        False, f"List every problem in text; otherwise {SHOWN} per file, by kind.",
        group=OUTPUT,
    )  # fmt: skip


@dataclass(frozen=True)
class FileProblems:
    """One file: what was read, if it could be read at all, and every problem in order of lines."""

    file: str
    corpus: Corpus | None
    problems: tuple[Problem, ...]

    @property
    def errors(self) -> list[Problem]:
        """What breaks the format."""
        return [p for p in self.problems if p.severity == "error"]

    @property
    def notes(self) -> list[Problem]:
        """What is unusual but was read."""
        return [p for p in self.problems if p.severity != "error"]

    def to_dict(self) -> dict[str, Any]:
        """The entry of this file in the JSON output of `tertium validate`."""
        read = None
        if self.corpus is not None:
            read = {
                "format": self.corpus.format,
                "sentences": self.corpus.sentence_count,
                "tokens": self.corpus.token_count,
                "atoms": self.corpus.atoms,
                "layers": {n: type(c).__name__.lower() for n, c in self.corpus.layers.items()},
            }
        return {
            "file": self.file,
            "valid": not self.errors,
            "read": read,
            "errors": [_entry(p) for p in self.errors],
            "notes": [_entry(p) for p in self.notes],
        }

    def text(self, most: int | None = SHOWN) -> str:
        """One line per problem, as compilers do, then a summary of the file. Of more than `most`
        problems the first of every kind are shown, kind by kind."""
        lines = [self.file]
        is_long = most is not None and len(self.problems) > most
        lines += self._by_kind(most or 0) if is_long else map(self._line, self._every)
        lines += [f"read    {self._what_was_read()}", f"errors  {_kinds(self.errors)}"]
        lines += [f"notes   {_kinds(self.notes)}"] if self.notes else []
        return "\n".join(map(on_one_line, lines))

    @property
    def _every(self) -> list[Problem]:
        return [*self.errors, *self.notes]

    def _line(self, problem: Problem) -> str:
        note = "" if problem.severity == "error" else "note: "
        return f"{problem.place(self.file)}: {note}{problem.message}"

    def _by_kind(self, most: int) -> Iterator[str]:
        """The first problems of every kind, the most frequent kind first, errors before notes."""
        kinds = Counter((p.severity != "error", p.kind) for p in self._every)
        order = sorted(kinds, key=lambda kind: (kind[0], -kinds[kind], kind[1]))
        for place, kind in enumerate(order):
            share = max(1, most // (len(order) - place))
            found = [p for p in self._every if (p.severity != "error", p.kind) == kind]
            yield f"{'notes' if kind[0] else 'errors'} of kind '{kind[1]}': {len(found):,}"
            yield from map(self._line, found[:share])
            if len(found) > share:
                yield f"... and {len(found) - share:,} more; '--all' lists all"
            most -= min(share, len(found))

    def _what_was_read(self) -> str:
        corpus = self.corpus
        if corpus is None:
            return "nothing could be used"
        atom = {"words": "word", "characters": "character", "indices": "index"}.get(corpus.atoms)
        return " · ".join(
            [
                corpus.format,
                counted(corpus.sentence_count, "sentence"),
                counted(corpus.token_count, atom or corpus.atoms, corpus.atoms),
                f"layers {', '.join(corpus.layers) or 'none'}",
            ]
        )


@dataclass(frozen=True)
class Validation(Display):
    """The problems of several files; `all` if text lists every one of them."""

    files: tuple[FileProblems, ...]
    left_out: tuple[str, ...] = ()
    all: bool = False
    title = "Problems"

    def to_dict(self) -> dict[str, Any]:
        """The JSON output of `tertium validate`."""
        return {"files": [each.to_dict() for each in self.files]}

    def to_rows(self) -> list[dict[str, Any]]:
        """One row per problem; a file without any has one that says what was read."""
        found: list[dict[str, Any]] = []
        for file in self.files:
            corpus = file.corpus
            read = {} if corpus is None else {"format": corpus.format}
            for each in file._every:
                entry = {**_entry(each), "severity": each.severity}
                found.append({"file": file.file, **read, **entry})
            if not file.problems:
                found.append({"file": file.file, **read, "message": file._what_was_read()})
        return found

    def to_frame(self) -> pl.DataFrame:
        """The same rows as a polars data frame."""
        return frame_of(self.to_rows())

    def summary(self) -> str:
        """How many files have errors."""
        told = counted(sum(len(e.errors) for e in self.files), "error")
        notes = sum(len(e.notes) for e in self.files)
        told += f" and {counted(notes, 'note')}" if notes else ""
        if len(self.files) == 1:
            return f"{self.files[0].file}: {told}"
        bad = sum(bool(e.errors) for e in self.files)
        return f"{bad:,} of {counted(len(self.files), 'file')} with errors: {told}"

    def __str__(self) -> str:
        """What is wrong with each file."""
        texts = [each.text(None if self.all else SHOWN) for each in self.files]
        return "\n".join([f"{on_one_line(self.summary())}.\n", *(f"{text}\n" for text in texts)])

    def __repr__(self) -> str:
        errors = sum(len(each.errors) for each in self.files)
        return f"<Validation of {counted(len(self.files), 'file')}: {counted(errors, 'error')}>"

    def notices(self, look: Any) -> list[str]:
        """What was left out of folders; problems are the result."""
        return [*self.left_out]

    def verdicts(self) -> list[Verdict]:
        """What was found in every file."""
        return [
            Verdict(
                f"{each.file} has no errors",
                counted(len(each.errors), "error") if each.errors else "",
                file=each.file,
                problems=each.problems,
            )
            for each in self.files
        ]

    def check(self) -> None:
        """Raise InputError if there is an error in a file."""
        bad = [each.file for each in self.files if each.errors]
        if bad:
            raise InputError(f"{counted(len(bad), 'file')} with errors: {', '.join(bad[:5])}")


def validate(*files: str | PathLike[str], **options: Any) -> Validation:
    """Everything wrong with files, folders or globs; `options` are `input_format`, `columns`, and
    `all`, which makes the text list every problem."""
    asked = fill(ValidateOptions, options, verb="validate")
    format = named(asked.input_format, asked.columns)
    found: list[FileProblems] = []
    left_out: list[str] = []
    for text in [fspath(file) for file in files]:
        try:
            source = resolve(text)
        except InputError as error:
            found.append(_unread(text, error))
            continue
        left_out += [source.note] if source.note else []
        found += [check_file(path, format=format) for path in source.files]
    return Validation(tuple(found), tuple(left_out), asked.all)


def _unread(path: str, error: InputError) -> FileProblems:
    """A file that could not be opened; its name stands before every problem already."""
    message = "; ".join(
        filter(None, (error.written[0].removeprefix(f"{on_one_line(path)}: "), error.written[1]))
    )
    return FileProblems(path, None, (Problem(message, kind="file"),))


def _kinds(problems: Sequence[Problem]) -> str:
    """`12 · heads 10, columns 2`: the most frequent kind first; a single kind says nothing."""
    if not problems:
        return "none"
    kinds = Counter(p.kind for p in problems)
    if len(kinds) == 1:
        return f"{len(problems):,}"
    order = sorted(kinds, key=lambda kind: (-kinds[kind], kind))
    return f"{len(problems):,} · " + ", ".join(f"{kind} {kinds[kind]:,}" for kind in order)


def _entry(problem: Problem) -> dict[str, Any]:
    return {
        "line": problem.line or None,
        "sentence": problem.sentence,
        "kind": problem.kind,
        "message": problem.message,
    }


def check_file(path: str, *, format: str | Format | None = None) -> FileProblems:
    """Read a file and collect every problem; nothing is raised, nothing stops at the first. A file
    that cannot be read at all is one more."""
    try:
        corpus = read_file(path, format=format, check=True)
    except FormatError as error:
        found = sorted(error.problems, key=lambda p: p.line)
        if error.unlisted:
            found.append(Problem(f"{error.unlisted:,} more errors are not listed", found[-1].line))
        return FileProblems(path, None, tuple(found))
    except InputError as error:
        return _unread(path, error)
    found = [*corpus.problems, *tag_problems(corpus), *id_problems(corpus)]
    if not corpus.sentence_count:
        found.append(no_sentence(corpus))
    return FileProblems(path, corpus, tuple(sorted(found, key=lambda p: p.line)))


def tag_problems(corpus: Corpus) -> list[Problem]:
    """Tags that are no span tags in columns meant to hold spans, and spans written irregularly.

    The scheme that a file's regular spans speak for is the yardstick: `I-X` after O is irregular in
    a file that otherwise opens every span with B.
    """
    found: list[Problem] = []
    for name, layer in corpus.of_kind(Tags).items():
        if not is_for_spans(corpus, layer):
            continue
        bad = untyped(layer)
        for token in bad[:LISTED_PROBLEMS].tolist():
            message = f"tag '{layer.labels[token]}' in column '{name}' is neither O nor PREFIX-TYPE"
            found.append(problem_at(corpus, token, message, "tag"))
        if len(bad) > LISTED_PROBLEMS:
            found.append(Problem(f"{len(bad) - LISTED_PROBLEMS:,} more such tags are not listed"))
        if len(bad):
            continue
        facts = decode(layer, corpus.offsets).facts
        scheme = {"iob": "iob2", "ioe": "ioe2"}.get(scheme_of(facts))
        decoded = decode(layer, corpus.offsets, expected=scheme)
        if decoded.irregular:
            message = f"{decoded.irregular:,} spans of column '{name}' are irregular under "
            message += f"{scheme or scheme_of(facts)}, the first of them here"
            found.append(problem_at(corpus, decoded.first_irregular, message, "tag", "note"))
    return found


def id_problems(corpus: Corpus) -> list[Problem]:
    """Sentences with the id of an earlier one; the first of them are listed."""
    ids = corpus.sentence_ids
    if ids is None:
        return []
    known = ids.codes != ids.names.find("")
    known[np.unique(ids.codes, return_index=True)[1]] = False
    again, lines = np.flatnonzero(known).tolist(), np.zeros(corpus.sentence_count, np.int64)
    if corpus.lines is not None:
        filled = np.diff(corpus.offsets) > 0
        lines[filled] = corpus.lines[corpus.offsets[:-1][filled]]
    found: list[Problem] = []
    for place, sentence in enumerate(again[: SHOWN_NOTES + 1]):
        message = "an earlier sentence has the same id"
        if place == SHOWN_NOTES:
            message = f"{len(again) - place:,} more such places from here on: {message}"
        line, name = int(lines[sentence]), shorten(ids[sentence])
        found.append(Problem(message, line, name, "id", "note"))
    return found


def problem_at(
    corpus: Corpus, token: int, message: str, kind: str = "head", severity: str = "error"
) -> Problem:
    """A problem with the line and the sentence of a token."""
    line = int(corpus.lines[token]) if corpus.lines is not None else 0
    sentence = corpus.sentence_id(int(corpus.sentence_of_token[token]))
    return Problem(message, line, sentence, kind, severity)


def check_heads(corpus: Corpus, *, checks: frozenset[str] | None = None) -> None:
    """Raise FormatError where what a corpus holds as dependency trees are none.

    Readers check what they read; this is for a corpus made in Python. A head may be missing (-1).
    Several roots are fine where `checks` are given without that of roots, and in CoNLL-X; cycles
    where they allow them.
    """
    rooted = corpus.format != "conllx" and (checks is None or ROOTED in checks)
    cyclic = checks is not None and CYCLES in checks
    key = ("heads are sound", rooted, cyclic)
    if key in corpus.derived:
        return
    found: list[Problem] = []
    for name, arcs in corpus.of_kind(Arcs).items():
        found += _head_problems(corpus, name, arcs, rooted, cyclic)
    if found:
        raise FormatError(
            corpus.origin,
            found,
            help="heads are counted from 1 in their sentence; 0 is the root, -1 is no head",
        )
    corpus.derived[key] = True


def _head_problems(
    corpus: Corpus, name: str, arcs: Arcs, rooted: bool, cyclic: bool
) -> list[Problem]:
    head, tokens = np.asarray(arcs.head), corpus.token_count
    if head.dtype.kind not in "iu":
        return [Problem(f"heads of '{name}' are not integers", kind="head")]
    if not len(head) == len(arcs.label) == tokens:
        sizes = f"{len(head):,} heads and {len(arcs.label):,} relations for {tokens:,} words"
        return [Problem(f"'{name}' has {sizes}", kind="head")]
    of_token = corpus.sentence_of_token
    size = np.diff(corpus.offsets)[of_token]
    outside = np.flatnonzero((head < -1) | (head > size))
    if len(outside):

        def message(i: int) -> str:
            return f"head {head[i]} is outside the sentence of {size[i]} words"

        return head_errors(corpus, outside, message)

    def ancestor(i: int) -> str:
        return f"word {i - corpus.offsets[of_token[i]] + 1} is its own ancestor"

    found: list[Problem] = []
    if not cyclic:
        cycles = tokens_on_cycles(head.astype(np.int32), corpus.offsets)
        found = head_errors(corpus, cycles, ancestor)
    return found + root_problems(corpus, head) if rooted else found


def root_problems(corpus: Corpus, head: Int32) -> list[Problem]:
    """Sentences with several roots, each at the second of them."""
    _, second, message = several_roots(head, corpus.sentence_of_token, corpus.offsets)
    return head_errors(corpus, second, message)


def head_errors(corpus: Corpus, tokens: Int64, message: Callable[[int], str]) -> list[Problem]:
    """A problem for each of these tokens, as far as they are listed."""
    return [
        problem_at(corpus, token, message(token)) for token in tokens[:LISTED_PROBLEMS].tolist()
    ]


def _check_files(files: Sequence[str]) -> None:
    if not files:
        raise UsageError("name one file or more", help="'tertium validate --help' shows the usage")


VERB = Verb(
    "validate",
    validate,
    """List the problems of annotated files, with line and sentence.

    FILE is a file, a folder, a glob in quotes, or - for standard input. Errors break the rules of
    the format; notes point out what is unusual but was read. Exit code 3 if there is any error.
    """,
    arguments="FILE...",
    options=(ValidateOptions,),
    without=frozenset({"on_error"}),
    words={"input_format": "The files' format."},
    check=_check_files,
    study=False,
    checks=True,
)
