"""Everything wrong with a file, for `validate`: nothing is raised, nothing stops at the first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tertium.corpus.corpus import Corpus
from tertium.corpus.layers import Tags
from tertium.corpus.schemes import decode, scheme_of, untyped
from tertium.exceptions import FormatError, InputError, Problem
from tertium.formats.base import LISTED_PROBLEMS, Format, is_for_spans
from tertium.formats.files import read_file


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
    found = [*corpus.problems, *tag_problems(corpus)]
    return Checked(path, corpus, tuple(sorted(found, key=lambda p: p.line)))


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
            found.append(_at(corpus, token, message, "error"))
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
            found.append(_at(corpus, decoded.first_irregular, message, "note"))
    return found


def _at(corpus: Corpus, token: int, message: str, severity: str) -> Problem:
    line = int(corpus.lines[token]) if corpus.lines is not None else 0
    sentence = corpus.sentence_id(int(corpus.sentence_of_token[token]))
    return Problem(message, line, sentence, "tag", severity)


def _entry(problem: Problem) -> dict[str, Any]:
    return {
        "line": problem.line or None,
        "sentence": problem.sentence,
        "kind": problem.kind,
        "message": problem.message,
    }
