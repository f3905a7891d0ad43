"""From files to answers: every system of every file judged once, and put side by side."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from tertium.align.tokens import align
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int64
from tertium.exceptions import AlignmentError
from tertium.families.keys import counted_units
from tertium.results.answers import Answers
from tertium.results.collection import Collection
from tertium.significance.score.counts import FileScores
from tertium.study.files import File, SystemFile
from tertium.study.judgement import Finding

# Ways of pairing tokens that number them alike.
_ATOMS = {"tokens": "tokens", "position": "tokens", "characters": "characters"}


@dataclass(frozen=True, eq=False)
class FileAnswers:
    """What one file gives.

    - `answers`: for every metric, the systems that have its layer and what they say; None where
      fewer than two have it or where systems are not compared by it
    - `gold`: the sentences, if they are to be shown; `kept`: the numbers that they have in their
      file, None if none was skipped
    - `documents`: the document of every sentence
    """

    scores: FileScores
    answers: tuple[tuple[tuple[int, ...], Answers] | None, ...]
    documents: Int64
    gold: Corpus | None = None
    kept: Int64 | None = None


@dataclass(frozen=True)
class SideBySide:
    """Puts the systems of a file side by side; with `places`, where items stand is kept as well."""

    places: bool = False

    def __call__(self, file: File) -> FileAnswers:
        try:
            return self._with_method(file, file.study.align)
        except _UnlikeError as unlike:
            return self._with_method(file, unlike.method, for_all=True)

    def _with_method(self, file: File, method: str, *, for_all: bool = False) -> FileAnswers:
        """All systems with their tokens paired in one way; `for_all` if it was chosen because
        systems lie over the gold standard in different ways."""
        compared = [m for m, metric in enumerate(file.metrics) if file.study.compares(metric)]
        joined = {m: Collection(places=self.places) for m in compared}
        findings: list[list[Finding]] = []
        rows: dict[int, list[int]] = {m: [] for m in compared}
        way = ""
        for number, system in enumerate(file.systems(method)):
            found = system.way
            way = way or found
            if for_all and _is_other(system):
                raise AlignmentError(
                    f"{system.corpus.origin} and a second system cannot be compared: one of them "
                    f"has other tokens than {file.gold.origin}, and one has only numbers or places "
                    "of tokens",
                    help="leave out one of the two; 'tertium score' scores each of them",
                )
            if not _alike(way, found):
                raise _UnlikeError(_for_both(way, found))
            findings.append([])
            for m, judged in enumerate(system.judge()):
                findings[-1].append(judged.finding)
                if m in joined and judged.finding.stats is not None:
                    joined[m].add(judged.decisions)
                    rows[m].append(number)
            del system, judged  # before the next is read: both may be large
        answers: list[tuple[tuple[int, ...], Answers] | None] = []
        for m, metric in enumerate(file.fitted):
            together = None
            if len(rows.get(m, ())) > 1:
                together = (
                    tuple(rows[m]),
                    joined.pop(m).answers(
                        counted=counted_units(file.gold, metric.unit),
                        tokens=file.gold.token_count,
                        right_type=metric.right_type,
                        silence=metric.silence,
                        unit_groups=file.groups.get(metric.unit, ()),
                    ),
                )
            answers.append(together)
        gold = replace(file.gold, layers={}, lines=None) if self.places else None
        return FileAnswers(
            FileScores.of(file, findings),
            tuple(answers),
            file.gold.document_of_sentence.astype(np.int64),
            gold,
            file.kept,
        )


class _UnlikeError(Exception):
    """Systems lie over the gold standard in different ways: what they add could not be compared.
    `method` is one for all."""

    def __init__(self, method: str) -> None:
        super().__init__(method)
        self.method = method


def _is_other(system: SystemFile) -> bool:
    """Does a way of pairing that was chosen for another system's sake not do for this one?"""
    gold, corpus = system.file.gold, system.corpus
    if system.method != "indices":
        return not _alike(system.method, system.way)
    if gold.forms is None or corpus.forms is None:
        return False
    asked = system.file.study.align
    own = align(gold, corpus, method="auto" if asked == "characters" else asked)
    return own.method == "characters"


def _alike(one: str, other: str) -> bool:
    return _ATOMS.get(one, one) == _ATOMS.get(other, other)


def _for_both(one: str, other: str) -> str:
    """A way of pairing tokens that will do for systems paired in two ways."""
    return "indices" if "indices" in (one, other) else "characters"
