"""Everything wrong with a file, for `validate`: nothing is raised, nothing stops at the first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tertium.corpus.corpus import Corpus
from tertium.exceptions import FormatError, InputError, Problem
from tertium.formats.base import Format
from tertium.formats.read import read_file


@dataclass(frozen=True)
class Checked:
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


def check_file(path: str, *, format: str | Format | None = None) -> Checked:
    """Read a file and collect every problem. A file that cannot be read at all is one more."""
    try:
        corpus = read_file(path, format=format, check=True)
    except FormatError as error:
        found = sorted(error.problems, key=lambda p: p.line)
        if error.unlisted:
            found.append(Problem(f"{error.unlisted:,} more errors are not listed", found[-1].line))
        return Checked(path, None, tuple(found))
    except InputError as error:
        return Checked(path, None, (Problem(error.message, kind="file"),))
    return Checked(path, corpus, tuple(sorted(corpus.problems, key=lambda p: p.line)))


def _entry(problem: Problem) -> dict[str, Any]:
    return {
        "line": problem.line or None,
        "sentence": problem.sentence,
        "kind": problem.kind,
        "message": problem.message,
    }
