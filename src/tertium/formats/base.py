"""What a format is, and what all readers share: options, problems and policies for bad input."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, BinaryIO, ClassVar, cast

import numpy as np
import numpy.typing as npt

from tertium import registry
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int64
from tertium.corpus.layers import Tags
from tertium.corpus.schemes import means_spans
from tertium.exceptions import FormatError, Problem, UsageError, shorten
from tertium.options import INPUT, option
from tertium.registry import Plugin

ON_ERROR = ("fail", "skip", "repair")
LISTED_PROBLEMS = 10_000
SHOWN_NOTES = 20  # of one kind
CHANGED = "changed"  # the kind of a note about what parameters of a format changed
# Optional checks of formats, which metrics name among what they need.
ROOTED = "rooted"  # a sentence has one root
CYCLES = "cycles"  # no check but the leave to have cycles: where all metrics name it


@dataclass(frozen=True)
class InputOptions:
    """How files are read, as every verb that reads some takes it."""

    option_group: ClassVar[str] = INPUT

    input_format: str | None = option(None, "Format of gold and systems.", metavar="FORMAT")
    columns: str | None = option(None, "Roles of columns: form=0,upos=1,ner=-1.", metavar="ROLES")
    on_error: str = option(
        "fail", "What happens to bad sentences; skipped and repaired ones are counted.",
        choices=ON_ERROR,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Reading:
    """How a file is to be read.

    - `origin`: the name used in messages
    - `on_error`: "fail" raises, "skip" leaves bad sentences out and counts them, "repair" mends
      what can be mended and counts it (what cannot is skipped)
    - `needs`: names of the columns that will be used, None for all; a reader may leave others out
    - `check`: collect every problem and never raise (for `validate`)
    - `checks`: names of the optional checks of the format that are made, None for all; a reader
      ignores those it does not know
    """

    origin: str = "<input>"
    on_error: str = "fail"
    needs: frozenset[str] | None = None
    check: bool = False
    checks: frozenset[str] | None = None

    def __post_init__(self) -> None:
        if self.on_error not in ON_ERROR:
            raise UsageError(
                f"on_error must be one of {', '.join(ON_ERROR)}. Got '{self.on_error}' instead."
            )

    def wants(self, name: str) -> bool:
        """Will this column be used?"""
        return self.needs is None or name in self.needs

    def demands(self, check: str) -> bool:
        """Is this optional check made?"""
        return self.checks is None or check in self.checks

    @property
    def allows_cycles(self) -> bool:
        """Are heads that form a cycle read as they are?"""
        return self.checks is not None and CYCLES in self.checks

    @property
    def policy(self) -> str:
        """What happens to bad sentences, and what makes one bad if that is not the usual."""
        found = [self.on_error]
        if self.wants("deps") and not self.demands(ROOTED):
            found.append("any-roots")
        if self.allows_cycles:
            found.append("cycles")
        if self.needs is not None and "enhanced" in self.needs:
            found.append("graphs")
        return "+".join(found)


@dataclass
class Problems:
    """Collects what a reader meets in one file.

    A file of another kind can break a rule on every line, so errors are listed up to
    `LISTED_PROBLEMS` and only counted beyond. Readers take the rows to report from `listed`, so
    that the work is bounded as well. Of notes readers make a few of each kind.
    """

    reading: Reading
    found: list[Problem] = field(default_factory=list)
    listed_count: dict[str, int] = field(default_factory=lambda: {"error": 0, "note": 0})
    unlisted: int = 0  # errors that were counted only
    help: str | None = None  # what to do about the errors, where there is more to say than usual

    def error(
        self, message: str, *, line: int = 0, sentence: str | None = None, kind: str = "format"
    ) -> None:
        """Something that breaks the format."""
        self._add(Problem(message, line, sentence, kind, "error"))

    def note(
        self, message: str, *, line: int = 0, sentence: str | None = None, kind: str = "note"
    ) -> None:
        """Something unusual that was read all the same."""
        self._add(Problem(message, line, sentence, kind, "note"))

    def withdraw(self, kind: str) -> bool:
        """Take back the notes of a kind, where another says the same and more; were there any?"""
        before = len(self.found)
        self.found = [p for p in self.found if p.severity == "error" or p.kind != kind]
        return len(self.found) < before

    def _add(self, problem: Problem) -> None:
        if self.listed_count[problem.severity] < LISTED_PROBLEMS:
            self.listed_count[problem.severity] += 1
            self.found.append(problem)
        elif problem.severity == "error":
            self.unlisted += 1

    def listed(self, rows: npt.NDArray[np.integer[Any]]) -> list[int]:
        """The first of these rows, as many as can still be listed; the others are counted."""
        room = LISTED_PROBLEMS - self.listed_count["error"]
        self.unlisted += max(0, len(rows) - room)
        return [int(row) for row in rows[:room]]

    @property
    def errors(self) -> list[Problem]:
        """What breaks the format, in the order of lines; without what was only counted."""
        return sorted((p for p in self.found if p.severity == "error"), key=lambda p: p.line)

    @property
    def stops(self) -> bool:
        """Has an error been met after which, under "fail", reading on is of no use?"""
        return bool(self.listed_count["error"]) and self.reading.on_error == "fail"

    def stop(self) -> None:
        """Raise where reading on is of no use, unless every problem is wanted."""
        if self.stops:
            self.settle()

    def settle(self) -> tuple[Problem, ...]:
        """Raise under "fail" if there are errors; else give back everything found."""
        if self.stops and not self.reading.check:
            raise FormatError(
                self.reading.origin, self.errors, help=self.help, unlisted=self.unlisted
            )
        found = sorted(self.found, key=lambda p: p.line)
        if self.unlisted:
            last = found[-1].line if found else 0
            found.append(Problem(f"{self.unlisted:,} more errors are not listed", last))
        return tuple(found)

    def fatal(self, message: str, *, line: int = 0, help: str | None = None) -> FormatError:
        """An error after which nothing of the file can be used, whatever the policy."""
        problem = Problem(message, line)
        return FormatError(
            self.reading.origin,
            [problem, *self.errors],  # first, so that it is shown
            help=help or self.help or "the file cannot be read",
            unlisted=self.unlisted,
        )


@dataclass(frozen=True, repr=False)
class Format(Plugin):
    """A file format. Subclasses are frozen dataclasses; their fields are parameters.

    - `suffixes`: file name endings that speak for it
    - `layers`: names or kinds of the layers it can hold, which survive writing and reading
    - `lossy`: what writing leaves out, in words; empty if nothing
    - `has_span_tags`: a column may hold spans as tags (B-PER, I-PER, O)
    """

    title: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]] = ()
    layers: ClassVar[tuple[str, ...]] = ()
    lossy: ClassVar[str] = ""
    has_span_tags: ClassVar[bool] = True

    @abstractmethod
    def sniff(self, head: bytes) -> float:
        """How sure the format is, from 0 to 1, that a file beginning like this is its own."""

    @abstractmethod
    def read(self, stream: BinaryIO, reading: Reading) -> Corpus:
        """A corpus from a stream of (decompressed) bytes."""

    @abstractmethod
    def write(self, corpus: Corpus, stream: BinaryIO) -> None:
        """Write a corpus; raises InputError where the corpus lacks what the format needs."""

    def changed(self, corpus: Corpus) -> Corpus:
        """The corpus as parameters ask for it to be written, with notes on what was changed."""
        return corpus

    @property
    def changes(self) -> str:
        """The parameters that change what is read, for signatures; empty for none."""
        return ""


def changes_of(corpus: Corpus) -> list[str]:
    """What parameters of a format changed, after the name of the corpus."""
    found = (problem for problem in corpus.problems if problem.kind == CHANGED)
    return [f"{corpus.origin}: {problem.message}" for problem in found]


def is_for_spans(corpus: Corpus, tags: Tags) -> bool:
    """Is a column meant to hold spans? In some formats none is, even if lemmas look like tags."""
    if not means_spans(tags.labels):
        return False
    if not registry.knows("formats", corpus.format):
        return True  # made in Python
    return cast("type[Format]", registry.get("formats", corpus.format)).has_span_tags


class Reader:
    """Reads one file: the sentences that are bad, what was repaired and, in the end, the corpus."""

    def __init__(self, problems: Problems, sentences: int, format: str) -> None:
        self.problems, self.reading, self.format = problems, problems.reading, format
        self.bad = np.zeros(sentences, np.bool_)  # sentences that cannot be used
        self.repaired = 0
        self._names: dict[int, str] = {}

    def name(self, sentence: int) -> str:
        """A sentence's id or number; looked for once, however many problems the sentence has."""
        if sentence not in self._names:
            self._names[sentence] = shorten(self.find_name(sentence))
        return self._names[sentence]

    def find_name(self, sentence: int) -> str:
        """A sentence's id or number."""
        return str(sentence + 1)

    def refuse(
        self,
        rows: npt.NDArray[np.integer[Any]],
        message: str | Callable[[int], str],
        lines: npt.NDArray[np.integer[Any]],
        sentence: npt.NDArray[np.integer[Any]],
        *,
        kind: str = "format",
        mended: int = 0,
    ) -> None:
        """An error for each of these rows, which have lines (counted from 0) and sentences.

        The sentences are bad, unless under "repair" the caller mends as many places instead.
        """
        for row in self.problems.listed(rows):
            text = message if isinstance(message, str) else message(row)
            name = self.name(int(sentence[row]))
            self.problems.error(text, line=int(lines[row]) + 1, sentence=name, kind=kind)
        if mended and self.reading.on_error == "repair":
            self.repaired += mended
        else:
            self.bad[sentence[rows]] = True

    def note_few(
        self,
        kind: str,
        message: str | Callable[[int], str],
        lines: npt.NDArray[np.integer[Any]],
        sentence: npt.NDArray[np.integer[Any]] | None = None,
    ) -> None:
        """A note for each of the first lines (counted from 0); the others are counted in one more.

        `message` may be a function of the place among the lines.
        """
        for i, line in enumerate(lines[: SHOWN_NOTES + 1].tolist()):
            text = message if isinstance(message, str) else message(i)
            if i == SHOWN_NOTES:
                text = f"{len(lines) - i:,} more such places from here on: {text}"
            name = None if sentence is None else self.name(int(sentence[i]))
            self.problems.note(text, line=line + 1, sentence=name, kind=kind)

    def corpus(self, offsets: Int64, **content: Any) -> Corpus:
        """The corpus with what every reader knows; raises under "fail" if there are errors."""
        return Corpus(
            offsets,
            **content,
            origin=self.reading.origin,
            format=self.format,
            skipped=self.bad if self.bad.any() else None,
            problems=self.problems.settle(),
            repaired=self.repaired,
        )


def tokens_on_cycles(head: npt.NDArray[np.int32], offsets: Int64) -> Int64:
    """One token of every cycle, as positions in the corpus. Cutting these leaves no cycle."""
    from tertium.formats._kernels import mark_cycles

    mark = np.zeros(len(head), np.int32)
    mark_cycles(head, offsets, mark)
    return np.flatnonzero(mark < 0)
