"""Votes beside the best system and the upper bound, as tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tertium.comparison.compare.changes import right_word
from tertium.comparison.compare.views import View
from tertium.comparison.pairs import share
from tertium.comparison.vote.ensembles import Ensemble, no_gap
from tertium.families.family import family
from tertium.results.assessment import Assessment
from tertium.results.blocks import Block, Cell, Column, Table, kind_of, or_missing
from tertium.results.parts import PartKind
from tertium.results.texts import counted, interval_header
from tertium.significance.score.result import Scores
from tertium.significance.tables import SHORT, interval_cell, p_cell


def ensemble_blocks(
    ensembles: Sequence[Ensemble], scores: Scores, view: View, assessment: Assessment | None
) -> list[Block]:
    """One row a vote, after the best single system; and the upper bound. Nothing where there was no
    vote on what the metric judges. `scores` are those of systems, `assessment` is that of votes."""
    gains = {v.name: gain for v in ensembles for gain in v.gains if gain.metric == view.metric}
    if not gains:
        return []
    oracle, best = view.oracle, view.systems[view.oracle.best]
    single = scores.find(best, view.metric)
    top = None if single is None else single.value
    tests = _Tests(view.metric, assessment)
    right = int(oracle.right[oracle.best])
    first = tests.interval(None)
    rows: list[tuple[Cell, ...]] = [
        (f"best system: {best}", top, *first, None, *tests.p(None),
         right, _share(right, oracle.items), None, None)
    ]  # fmt: skip
    for vote in ensembles:
        gain, found = gains[vote.name], vote.scores.find(vote.name, view.metric)
        value = None if found is None else found.value
        reason = "undefined" if found is None else found.reasons.get("value", "undefined")
        rows.append(
            (
                vote.title,
                or_missing(value, reason),
                *tests.interval(vote.title),
                None if value is None or top is None else value - top,
                *tests.p(vote.title),
                gain.right,
                _share(gain.right, oracle.items),
                or_missing(gain.closed, no_gap(gain, "the oracle")),
                gain.ties,
            )
        )
    right, none = oracle.correct, (None,) * (2 + len(first) + len(tests.p(None)))
    rows.append(("oracle", *none, right, _share(right, oracle.items), None, None))
    headline = single.part().header if single else "value"
    kind = scores.part(view.metric).kind
    interval, p = tests.columns(kind)
    return [
        Table(
            (
                Column(""),
                Column(headline, view.metric, kind_of(kind)),
                *interval,
                Column("change", view.metric, kind_of(kind, "delta")),
                *p,
                Column(f"{view.item}s", "correct", "count"),
                Column(right_word(view), "correct", "percent"),
                Column("gap closed", "", "delta"),
                Column("ties", "", "count"),
            ),
            tuple(rows),
            title=f"{view.metric}: ensemble gain",
            note="; ".join([*_notes(ensembles, view), *tests.note()]),
        )
    ]


def _notes(ensembles: Sequence[Ensemble], view: View) -> Iterator[str]:
    yield "gap: between the best system and the oracle"
    yield from (f"{vote.title}: weights {vote.weights}" for vote in ensembles)
    if family(view.layer).share == "recall":
        yield "the gap is in recall, which a vote trades for precision"
        yield "ties: exactly half of the votes, which counts as no majority"
    else:
        yield "ties are broken by agreement with the other systems, then by label"


@dataclass(frozen=True)
class _Tests:
    """Intervals of votes and tests against the best system, as far as they were made."""

    metric: str
    assessment: Assessment | None

    def columns(self, kind: PartKind) -> tuple[list[Column], list[Column]]:
        """Of intervals, and of p-values."""
        if self.assessment is None:
            return [], []
        level = interval_header(self.assessment.testing.level)
        interval = Column(level, self.metric, kind_of(kind, "interval"))
        return [interval], [Column(self._header, self.metric, "p")]

    def interval(self, vote: str | None) -> list[Cell]:
        """That of a vote, or of the best system."""
        if self.assessment is None:
            return []
        found = self.assessment.intervals
        names = [n for n, metric, _ in found if metric == self.metric]
        name = vote or next(iter(names), "")
        return [interval_cell(found.get((name, self.metric, None)))]

    def p(self, vote: str | None) -> list[Cell]:
        """Corrected for all tests of votes."""
        if self.assessment is None:
            return []
        tests = [c for c in self.assessment.comparisons if (c.b, c.metric) == (vote, self.metric)]
        return [p_cell(c.adjusted, c.test, self._count) for c in tests] or [None]

    @property
    def _count(self) -> int:
        tests = () if self.assessment is None else self.assessment.comparisons
        return sum(each.test.p is not None for each in tests)

    @property
    def _header(self) -> str:
        correction = "none" if self.assessment is None else self.assessment.testing.correction
        return SHORT.get(correction, "p") if self._count > 1 else "p"

    def note(self) -> list[str]:
        """What was tested."""
        if not self._count:
            return []
        over = "" if self._header == "p" else f", over {counted(self._count, 'test')} of votes"
        return [f"{self._header}: each vote against the best system{over}"]


def _share(right: int, items: int) -> Cell:
    return or_missing(share(right, items), "there is nothing in gold")
