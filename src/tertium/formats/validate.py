"""Everything wrong with files: the verb `validate`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

from tertium.corpus.corpus import Corpus
from tertium.display import Display, frame_of
from tertium.exceptions import (
    FormatError,
    InputError,
    Problem,
    UsageError,
    Verdict,
    counted,
    on_one_line,
)
from tertium.formats.base import Format, InputOptions
from tertium.formats.files import named, no_sentence, read_file
from tertium.formats.problems import id_problems, mention_problems, tag_problems
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
    found += mention_problems(corpus)
    if not corpus.sentence_count:
        found.append(no_sentence(corpus))
    return FileProblems(path, corpus, tuple(sorted(found, key=lambda p: p.line)))


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
