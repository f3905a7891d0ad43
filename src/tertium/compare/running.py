"""From files to answers: every system of every file judged once, and put side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from tertium.align.tokens import Alignment, align
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int64
from tertium.exceptions import AlignmentError, LayerError
from tertium.metrics.base import Metric, union
from tertium.metrics.groups.words import word_groups
from tertium.metrics.shards.judging import Judged, examine
from tertium.metrics.shards.opening import Opened, listed, open_shard
from tertium.metrics.shards.options import Options
from tertium.metrics.shards.pairing import Shard
from tertium.metrics.shards.running import Outcome, settled_on_all, with_ids
from tertium.results.answers import Answers, Bools
from tertium.results.collection import Collection
from tertium.results.decisions import Decisions

# Ways of pairing tokens that number them alike.
_ATOMS = {"tokens": "tokens", "position": "tokens", "characters": "characters"}


@dataclass(frozen=True, eq=False)
class Found:
    """What one shard gives.

    - `answers`: for every metric, the systems that have its layer and what they say; None where
      fewer than two have it or where the metric has no items
    - `gold`, `systems`, `opened`: the corpora themselves, and `alignment`, how the first system
      lies over gold; all but `gold` only if they were to be kept
    - `kept`: the numbers that sentences have in their files, None if none was skipped
    """

    outcome: Outcome
    answers: tuple[tuple[tuple[int, ...], Answers] | None, ...]
    gold: Corpus
    systems: tuple[Corpus, ...] = ()
    alignment: Alignment | None = None
    opened: Opened | None = None
    kept: Int64 | None = None


def run_all(
    shards: Sequence[Shard],
    options: Options,
    *,
    places: bool = False,
    keep: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> list[Found]:
    """Every shard in turn. `places` asks for where items stand, `keep` for the corpora."""
    options = settled_on_all(shards, options, map)
    found: list[Found] = []
    for shard in shards:
        each = with_ids(options, partial(_run, shard, options, places, keep))
        found.append(each)
        first = found[0].outcome.metrics
        if each.outcome.metrics != first:
            raise LayerError(
                f"'{shard.name}' and '{shards[0].name}' have different layers: "
                f"{listed(each.outcome.metrics)} fit the one, {listed(first)} the other",
                help="'--metric' names what is to be compared",
            )
        if progress is not None:
            progress(len(found), len(shards))
    return found


def _run(
    shard: Shard, options: Options, places: bool, keep: bool, needs: frozenset[str] | None
) -> Found:
    opened = open_shard(shard, options, needs)
    run = _Run(opened, places, keep)
    try:
        return run.with_method(options.align)
    except _UnlikeError as unlike:
        return run.with_method(unlike.method, for_all=True)


class _UnlikeError(Exception):
    """Systems lie over the gold standard in different ways: what they add could not be compared.
    `method` is one for all."""

    def __init__(self, method: str) -> None:
        super().__init__(method)
        self.method = method


@dataclass(frozen=True, eq=False)
class _Run:
    opened: Opened
    places: bool
    keep: bool

    def with_method(self, method: str, *, for_all: bool = False) -> Found:
        """Judge every system, with their tokens paired in one way; `for_all` if it was chosen
        because systems lie over the gold standard in different ways."""
        opened, gold = self.opened, self.opened.gold
        judged: list[tuple[Judged, ...]] = []
        collected = [Collection(places=self.places) for _ in opened.fitted]
        rows: list[list[int]] = [[] for _ in opened.fitted]
        kept: list[Corpus] = []
        base: Alignment | None = None
        way = ""
        for number, (system, alignment) in enumerate(opened.systems(method)):
            way = way or alignment.method
            if for_all and self._is_other(method, system, alignment):
                raise AlignmentError(
                    f"{system.origin} and another system cannot be compared: one of them has other "
                    f"tokens than {gold.origin}, and one has only numbers or places of tokens",
                    help="leave out one of the two; 'tertium score' scores each of them",
                )
            if not _alike(way, alignment.method):
                raise _UnlikeError(_for_both(way, alignment.method))
            row = []
            for m, metric in enumerate(opened.fitted):
                verdict, decisions = self._judge(metric, system, alignment)
                row.append(verdict)
                if decisions is not None:
                    collected[m].add(decisions)
                    rows[m].append(number)
            judged.append(tuple(row))
            if self.keep:  # as copies, without all that metrics have computed and put beside them
                kept.append(self._slim(system) if kept else replace(system))
                base = base or replace(alignment)
        answers = []
        for m, there in enumerate(rows):
            together = None
            if len(there) > 1:
                together = (
                    tuple(there),
                    collected[m].answers(
                        counted=counted_sentences(gold),
                        tokens=gold.token_count,
                        right_type=opened.fitted[m].right_type,
                        unit_groups=opened.groups,
                    ),
                )
            answers.append(together)
            collected[m] = Collection()  # what was in it is large and no longer needed
        return Found(
            Outcome.of(opened, judged),
            tuple(answers),
            gold,
            tuple(kept),
            base,
            opened if self.keep else None,
            opened.kept,
        )

    def _is_other(self, method: str, system: Corpus, alignment: Alignment) -> bool:
        """Does a way of pairing that was chosen for another system's sake not do for this one?"""
        if method != "indices":
            return not _alike(method, alignment.method)
        if self.opened.gold.forms is None or system.forms is None:
            return False
        asked = self.opened.options.align
        own = align(self.opened.gold, system, method="auto" if asked == "characters" else asked)
        return own.method == "characters"

    def _slim(self, system: Corpus) -> Corpus:
        """A system that votes, without the layers on which there is no vote."""
        needs = [metric.needs() for metric in self.opened.fitted]
        needed = None if None in needs else union(n for n in needs if n is not None)
        if needed is None or not needed <= system.layers.keys():
            return replace(system)  # a layer may go by another name
        layers = {name: layer for name, layer in system.layers.items() if name in needed}
        extras = {name: each for name, each in system.extras.items() if name == "multiwords"}
        return replace(system, layers=layers, extras=extras, lines=None)

    def _judge(
        self, metric: Metric, system: Corpus, alignment: Alignment
    ) -> tuple[Judged, Decisions | None]:
        opened = self.opened
        verdict, decisions = examine(metric, opened.gold, system, alignment, opened)
        if verdict.stats is None or not opened.options.compares(opened.asked(metric)):
            return verdict, None
        assert decisions is not None, "a metric without items is not compared"
        if key := opened.options.word_key:
            groups = word_groups(opened.gold, key), word_groups(system, key)
            decisions = decisions.with_group(*groups)
        return verdict, decisions


def counted_sentences(gold: Corpus) -> Bools:
    """Sentences that can be complete: those with tokens, or all where a file does not say how long
    they are."""
    sizes = np.diff(gold.offsets)
    return np.ones(len(sizes), np.bool_) if gold.atoms == "indices" else sizes > 0


def _alike(one: str, other: str) -> bool:
    return _ATOMS.get(one, one) == _ATOMS.get(other, other)


def _for_both(one: str, other: str) -> str:
    """A way of pairing tokens that will do for systems paired in two ways."""
    return "indices" if "indices" in (one, other) else "characters"
