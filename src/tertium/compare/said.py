"""One system's decisions in the form in which systems are put side by side."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from tertium.align.tokens import Alignment
from tertium.compare.answers import Bools, Codes
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int32, Int64, Labels, Names
from tertium.exceptions import UsageError
from tertium.metrics.base import Metric, of_partner
from tertium.metrics.groups.words import WordKey, word_groups
from tertium.results.decisions import CORRECT, MISSING, Decisions

D = TypeVar("D", bound=np.generic)


@dataclass(frozen=True, eq=False)
class Where:
    """Where the items of some rows stand, as gold words: of gold, and of the system."""

    first: Int32
    last: Int32
    head: Int32
    said_first: Int32
    said_last: Int32
    said_head: Int32

    def take(self, rows: npt.NDArray[np.generic]) -> Where:
        """Chosen rows."""
        return Where(
            self.first[rows],
            self.last[rows],
            self.head[rows],
            self.said_first[rows],
            self.said_last[rows],
            self.said_head[rows],
        )


@dataclass(frozen=True, eq=False)
class Rows:
    """Some rows of decisions: gold items, or extra ones."""

    item: Int64
    unit: Int32
    gold: Int32
    answer: Int64
    right: Bools
    answered: Bools
    label: Int32
    type: Codes
    group: Int32 | None
    where: Where | None

    def take(self, rows: npt.NDArray[np.generic]) -> Rows:
        """Chosen rows."""
        return Rows(
            self.item[rows],
            self.unit[rows],
            self.gold[rows],
            self.answer[rows],
            self.right[rows],
            self.answered[rows],
            self.label[rows],
            self.type[rows],
            None if self.group is None else self.group[rows],
            None if self.where is None else self.where.take(rows),
        )

    def sharing(self, other: Rows) -> Rows:
        """The same with columns of the other rows where they are equal, to save memory."""

        def shared(mine: npt.NDArray[D], yours: npt.NDArray[D]) -> npt.NDArray[D]:
            return yours if np.array_equal(mine, yours) else mine

        return replace(
            self,
            item=shared(self.item, other.item),
            unit=shared(self.unit, other.unit),
            gold=shared(self.gold, other.gold),
        )


@dataclass(frozen=True, eq=False)
class Said:
    """What one system says in one file: about gold items, in their order, and what it adds.

    Labels are codes into `names`, groups into `group_names`.
    """

    names: Names
    types: tuple[str, ...]
    units: int
    counted: Bools
    gold: Rows
    extra: Rows
    group_names: Names | None = None
    tokens: int = 0

    @classmethod
    def of(
        cls,
        metric: Metric,
        decisions: Decisions,
        gold: Corpus,
        system: Corpus,
        alignment: Alignment,
        *,
        key: WordKey | None = None,
        places: bool = False,
    ) -> Said:
        """From a metric's decisions. `key` groups items by a property of words: gold items by the
        gold annotation, extra ones by the system's own."""
        group, group_names = None, None
        if key is not None:
            group, group_names = row_groups(metric, decisions, gold, system, key)
        where = _where(metric, decisions, gold, system, alignment) if places else None
        every = Rows(
            item=decisions.item,
            unit=decisions.unit,
            gold=decisions.gold,
            answer=decisions.answer,
            right=decisions.outcome == CORRECT,
            answered=decisions.outcome != MISSING,
            label=decisions.system,
            type=decisions.error_type.astype(np.uint8),
            group=group,
            where=where,
        )
        in_gold = decisions.in_gold
        if in_gold.all():
            ours, theirs = every, every.take(np.zeros(0, np.int64))
        else:
            ours, theirs = every.take(in_gold), every.take(~in_gold)
        if len(ours.item) and (np.diff(ours.item) <= 0).any():
            ours = ours.take(np.argsort(ours.item, kind="stable"))
        counted = counted_sentences(gold)
        types = (metric.right_type, *decisions.error_types[1:])
        return cls(
            decisions.names, types, decisions.units, counted, ours, theirs, group_names,
            gold.token_count,
        )  # fmt: skip


def counted_sentences(gold: Corpus) -> Bools:
    """Sentences that can be complete: those with tokens, or all where a file does not say how long
    they are."""
    sizes = np.diff(gold.offsets)
    return np.ones(len(sizes), np.bool_) if gold.atoms == "indices" else sizes > 0


def row_groups(
    metric: Metric, decisions: Decisions, gold: Corpus, system: Corpus, key: WordKey
) -> tuple[Int32, Names]:
    """The group of every row by a property of words: gold items by the gold annotation, extra ones
    by the system's own. Codes into names, -1 for none."""
    if decisions.gold_row is None or decisions.system_row is None:
        raise UsageError(f"{metric!r} does not say where its items are: no groups by {key.text}")
    sides = []
    for corpus, items, row in zip(
        (gold, system),
        metric.items(gold, system),
        (decisions.gold_row, decisions.system_row),
        strict=True,
    ):
        of_word = word_groups(corpus, key)
        sides.append(Labels(of_word.names, of_partner(of_word.codes[items.start], row, -1)))
    index: dict[str, int] = {}
    ours, theirs = (recoded(side.codes, side.names, index) for side in sides)
    group = np.where(decisions.in_gold, ours, theirs).astype(np.int32)
    return group, Names.of(index)


def _where(
    metric: Metric, decisions: Decisions, gold: Corpus, system: Corpus, alignment: Alignment
) -> Where:
    """Where both sides' items stand. A system word that has no partner is where the gold word is
    that holds its first character."""
    if decisions.gold_row is None or decisions.system_row is None:
        raise UsageError(f"{metric!r} does not say where its items are")
    alignment = metric.aligned(gold, system, alignment)
    ours, theirs = metric.items(gold, system)
    heads = metric.heads(gold, system)
    starts = _over_gold(alignment, alignment.system_start)
    ends = _over_gold(alignment, alignment.system_end - 1)
    mine, yours = decisions.gold_row, decisions.system_row
    nothing = np.full(len(decisions), -2, np.int64)
    head, said_head = nothing, nothing
    if heads is not None:
        head = of_partner(heads[0], mine, -2)
        token = of_partner(heads[1], yours, -2)
        said_head = np.where(token >= 0, starts[token] if len(starts) else -2, token)
    first, last = of_partner(ours.start, mine, -1), of_partner(ours.end, mine, 0) - 1
    said_first = of_partner(starts[theirs.start], yours, -1)
    said_last = of_partner(ends[theirs.end - 1], yours, -1)
    is_extra = ~decisions.in_gold
    return Where(
        np.where(is_extra | (mine < 0), said_first, first).astype(np.int32),
        np.where(is_extra | (mine < 0), said_last, last).astype(np.int32),
        head.astype(np.int32),
        said_first.astype(np.int32),
        said_last.astype(np.int32),
        said_head.astype(np.int32),
    )


def _over_gold(alignment: Alignment, atom: Int64) -> Int64:
    """The gold word that holds an atom of every system word."""
    paired = alignment.gold_of_system.astype(np.int64)
    if not (paired < 0).any():
        return paired
    place = np.searchsorted(alignment.gold_start, atom, side="right") - 1
    return np.where(paired >= 0, paired, np.maximum(place, 0))


def recoded(codes: Int32, names: Names, index: dict[str, int]) -> Int32:
    """Codes into a growing vocabulary; -1 stays."""
    return code_table(names, index)[codes]


def code_table(names: Iterable[str], index: dict[str, int]) -> Int32:
    """The code of every name in a growing vocabulary, and at the end -1 for none."""
    return np.array([*(index.setdefault(n, len(index)) for n in names), -1], np.int32)
