"""`tertium.draw`: the dependency trees of chosen sentences, ready to be shown anywhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Unpack

import numpy as np

from tertium.exceptions import UsageError, shorten, suggestion
from tertium.report.drawing import Drawing
from tertium.report.render.plain import counted
from tertium.results.scenes import Scene, Scenes
from tertium.study.files import File
from tertium.study.study import FileOptions, Study, WalkOptions
from tertium.study.walk import walk, walk_options

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
    **reading: Unpack[FileOptions],
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
    way, options = walk_options(reading)
    study = Study.of(
        gold,
        () if system is None else (system,),
        metric="deps.las(subtypes=True)" if subtypes else "deps.las",
        also=frozenset({"comments", "misc", "upos"}),
        lenient=True,
        alone=True,
        **options,
    )
    if sentence is None:
        pairs, notes = _first(study, limit, way)
    else:
        given = [sentence] if isinstance(sentence, str | int) else list(sentence)
        pairs, notes = _named(study, given, way)
    return Drawing(
        gold=study.gold,
        pairs=tuple(pairs),
        names=names or ("gold", study.systems[0] if study.systems else "system"),
        notes=tuple(dict.fromkeys(notes)),
    )


@dataclass(frozen=True)
class _Drawn:
    """What was drawn of one file.

    - `scenes`: the trees by the number of their sentence in the file, counted from 0
    - `wanted`: how many sentences are worth drawing: those on which the trees differ, or all
    - `ids`: of all sentences, where some were asked for by name; `numbers`: their places in the
      file, counted from 1
    """

    scenes: dict[int, Scene]
    sentences: int
    skipped: int
    wanted: int
    notes: tuple[str, ...]
    ids: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()


@dataclass(frozen=True)
class _Draw:
    """Draws the first `limit` sentences of a file that are worth it, or those with some ids or
    numbers; what differs is what the metric decides."""

    limit: int = 0
    ids: frozenset[str] | None = None
    sentences: tuple[int, ...] = ()

    def __call__(self, file: File) -> _Drawn:
        gold, kept, (metric,) = file.gold, file.kept, file.fitted
        scenes = Scenes(gold, metric.items(gold), kept=kept)
        wanted = [*range(gold.sentence_count)]
        for system in file.systems():
            (judged,) = system.judge()
            metric.facts(system.corpus)  # raises, with what there is
            scenes = judged.scenes()
            rows = judged.decisions
            wanted = np.unique(rows.unit[~rows.right]).tolist()
        names: tuple[str, ...] = ()
        chosen = wanted[: self.limit]
        if self.ids is not None:
            names = tuple(scenes.ids)
            first = {name: place for place, name in reversed([*enumerate(names)])}
            chosen = [first[name] for name in self.ids if name in first]
        chosen += self.sentences
        return _Drawn(
            scenes={sentence: scenes.scene(sentence) for sentence in chosen},
            sentences=gold.sentence_count,
            skipped=file.skipped,
            wanted=len(wanted),
            notes=file.notes,
            ids=names,
            numbers=tuple(scenes.number(n) for n in range(len(names))),
        )


def _first(study: Study, limit: int, way: WalkOptions) -> tuple[list[Scene], list[str]]:
    """The first sentences that are worth drawing, and how many more there are."""
    pairs: list[Scene] = []
    notes: list[str] = []
    sentences, wanted = 0, 0
    for file in walk(study, _Draw(limit), **way):
        pairs += [*file.scenes.values()][: max(limit - len(pairs), 0)]
        sentences += file.sentences
        wanted += file.wanted
        notes += file.notes
    if study.systems:
        if not wanted:
            notes.append(f"the trees are the same in all of {counted(sentences, 'sentence')}")
        else:
            differ = f"the trees differ in {wanted:,} of {counted(sentences, 'sentence')}"
            notes.append(differ + (f"; {_drawn(limit)}" if wanted > limit else ""))
    elif wanted > limit:
        notes.append(f"there are {counted(sentences, 'sentence')}; {_drawn(limit)}")
    return pairs, notes


def _named(
    study: Study, given: Sequence[str | int], way: WalkOptions
) -> tuple[list[Scene], list[str]]:
    """The sentences of these ids or numbers, in this order."""
    found: dict[str | int, Scene] = {}
    by_number: dict[str | int, tuple[int, int]] = {}
    ids: list[str] = []
    notes: list[str] = []
    total, skipped, before = 0, 0, 0
    wanted_ids = frozenset(each for each in given if isinstance(each, str))
    for place, file in enumerate(walk(study, _Draw(ids=wanted_ids), **way)):
        named: dict[str | int, Scene] = {
            file.ids[sentence]: pair for sentence, pair in file.scenes.items()
        }
        found = {**named, **found}
        numbers = {before + number: sentence for sentence, number in enumerate(file.numbers)}
        for wanted in given:
            if (number := _number(wanted)) in numbers:
                by_number[wanted] = place, numbers[number]
        ids += file.ids[: max(_SUGGESTED - len(ids), 0)]
        total, skipped = total + file.sentences, skipped + file.skipped
        before += file.sentences + file.skipped
        notes += file.notes
    for wanted in given:
        if wanted not in found and wanted in by_number:
            place, sentence = by_number[wanted]
            alone = replace(study, shards=study.shards[place : place + 1])
            (file,) = walk(alone, _Draw(sentences=(sentence,)))
            found[wanted] = file.scenes[sentence]
        if wanted not in found:
            near = suggestion(str(wanted), ids)
            help = (
                f"there are {counted(total, 'sentence')}; '{shorten(ids[0], 60)}' or 1 is the first"
            )
            if skipped:
                help += f"; {counted(skipped, 'other')} skipped"
            raise UsageError(
                f"there is no sentence '{wanted}' in {study.gold}.{near}".removesuffix("."),
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
