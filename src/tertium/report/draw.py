"""`tertium.draw`: the dependency trees of chosen sentences, ready to be shown anywhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tertium.align.trees import TreePair, TreePairs
from tertium.exceptions import UsageError, shorten, suggestion
from tertium.metrics.request import Request, request
from tertium.metrics.shards.opening import open_shard
from tertium.report.drawing import Drawing
from tertium.report.render.plain import counted

LIMIT = 10  # sentences that are drawn if none is named
_SUGGESTED = 20_000  # ids among which a similar one is looked for


def draw(
    gold: Any,
    system: Any = None,
    *,
    sentence: str | int | Sequence[str | int] | None = None,
    limit: int = LIMIT,
    names: tuple[str, str] | None = None,
    subtypes: bool = False,
    align: str = "auto",
    on_error: str = "fail",
    input_format: str | None = None,
    system_format: str | None = None,
    columns: str | None = None,
    system_columns: str | None = None,
    map_labels: Sequence[str] = (),
    with_files: Sequence[str] = (),
) -> Drawing:
    """The dependency trees of gold, or of gold and a system with their differences marked.

    Takes data as `score` does. `sentence` is an id or a number counted from 1, or several of them;
    an id comes before a number that is written the same. Without it the first `limit` sentences are
    drawn, with a system those on which the trees differ. Relations are compared without what
    follows a colon, unless `subtypes`. `names` are what gold and system are called.
    """
    if limit < 0:
        raise UsageError(f"limit must not be negative. Got {limit} instead.")
    if names is not None and (isinstance(names, str) or len(names) != 2):
        raise UsageError(f"names must be those of gold and system. Got {names!r} instead.")
    asked = request(
        gold,
        () if system is None else (system,),
        metric="deps.las(subtypes=True)" if subtypes else "deps.las",
        input_format=input_format,
        system_format=system_format,
        columns=columns,
        system_columns=system_columns,
        align=align,
        on_error=on_error,
        map_labels=map_labels,
        with_files=with_files,
        also=frozenset({"comments", "misc", "upos"}),
        any_roots=True,
        alone=True,
    )
    if sentence is None:
        pairs, notes = _first(asked, limit, subtypes=subtypes)
    else:
        given = [sentence] if isinstance(sentence, str | int) else list(sentence)
        pairs, notes = _named(asked, given, subtypes=subtypes)
    return Drawing(
        gold=asked.gold,
        pairs=tuple(pairs),
        names=names or ("gold", asked.systems[0] if asked.systems else "system"),
        notes=tuple(dict.fromkeys(notes)),
    )


@dataclass(frozen=True, eq=False)
class _File:
    """One gold file that was read.

    - `before`: how many sentences the files before it have
    - `wanted`: the sentences that are worth drawing: those on which the trees differ, or all
    """

    pairs: TreePairs
    before: int
    sentences: int
    skipped: int
    wanted: list[int]
    notes: tuple[str, ...]

    def number(self, sentence: int) -> int:
        """A sentence's place in all files together, counted from 1."""
        return self.before + self.pairs.number(sentence)


def _files(asked: Request, *, subtypes: bool) -> Iterator[_File]:
    """Every file, one at a time; what differs is what the metric decides."""
    before = 0
    for shard in asked.shards:
        opened = open_shard(shard, asked.options, asked.options.needs())
        (metric,), gold, kept = opened.fitted, opened.gold, opened.kept
        pairs, wanted = None, [*range(gold.sentence_count)]
        for system, alignment in opened.systems():
            metric.check(system)
            pairs = TreePairs(gold, system, alignment, subtypes=subtypes, kept=kept)
            decisions = metric.decide(gold, system, alignment)
            wanted = np.unique(decisions.unit[~decisions.right]).tolist()
        yield _File(
            pairs=pairs or TreePairs(gold, subtypes=subtypes, kept=kept),
            before=before,
            sentences=gold.sentence_count,
            skipped=opened.skipped,
            wanted=wanted,
            notes=opened.notes,
        )
        before += gold.sentence_count + opened.skipped


def _first(asked: Request, limit: int, *, subtypes: bool) -> tuple[list[TreePair], list[str]]:
    """The first sentences that are worth drawing, and how many more there are."""
    pairs: list[TreePair] = []
    notes: list[str] = []
    sentences, wanted = 0, 0
    for file in _files(asked, subtypes=subtypes):
        room = max(limit - len(pairs), 0)
        pairs += [file.pairs.pair(sentence) for sentence in file.wanted[:room]]
        sentences += file.sentences
        wanted += len(file.wanted)
        notes += file.notes
    if asked.systems:
        if not wanted:
            notes.append(f"the trees are the same in all of {counted(sentences, 'sentence')}")
        else:
            differ = f"the trees differ in {wanted:,} of {counted(sentences, 'sentence')}"
            notes.append(differ + (f"; {_drawn(limit)}" if wanted > limit else ""))
    elif wanted > limit:
        notes.append(f"there are {counted(sentences, 'sentence')}; {_drawn(limit)}")
    return pairs, notes


def _named(
    asked: Request, given: Sequence[str | int], *, subtypes: bool
) -> tuple[list[TreePair], list[str]]:
    """The sentences of these ids or numbers, in this order."""
    found: dict[str | int, TreePair] = {}
    by_number: dict[str | int, TreePair] = {}
    ids: list[str] = []
    notes: list[str] = []
    total, skipped = 0, 0
    for file in _files(asked, subtypes=subtypes):
        names = file.pairs.ids
        there = {name: sentence for sentence, name in reversed([*enumerate(names)])}
        numbers = {file.number(sentence): sentence for sentence in range(file.sentences)}
        for wanted in given:
            if wanted in there and wanted not in found:
                found[wanted] = file.pairs.pair(there[str(wanted)])
            elif (number := _number(wanted)) in numbers:
                by_number[wanted] = file.pairs.pair(numbers[number])
        ids += names[: max(_SUGGESTED - len(ids), 0)]
        total, skipped = total + file.sentences, skipped + file.skipped
        notes += file.notes
    found = {**by_number, **found}
    for wanted in given:
        if wanted not in found:
            near = suggestion(str(wanted), ids)
            help = (
                f"there are {counted(total, 'sentence')}; '{shorten(ids[0], 60)}' or 1 is the first"
            )
            if skipped:
                help += f"; {counted(skipped, 'other')} skipped"
            raise UsageError(
                f"there is no sentence '{wanted}' in {asked.gold}.{near}".removesuffix("."),
                help=help if ids else "there are no sentences",
            )
    return [found[wanted] for wanted in given], notes


def _number(wanted: str | int) -> int:
    """The number that is meant; 0, which no sentence has, if it is none."""
    if isinstance(wanted, str):
        return int(wanted) if wanted.isdecimal() and wanted.isascii() and len(wanted) < 12 else 0
    return int(wanted)


def _drawn(limit: int) -> str:
    return {0: "none is drawn", 1: "the first is drawn"}.get(
        limit, f"the first {limit:,} are drawn"
    )
