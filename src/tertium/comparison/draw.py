"""`tertium.draw`: chooses sentences and finds what there is to be drawn of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import numpy as np

from tertium.comparison.errors.verb import check_items, chosen
from tertium.comparison.pictures import Drawing, DrawLook
from tertium.corpus.corpus import Corpus
from tertium.exceptions import UsageError, shorten, suggestion
from tertium.families.base import Metric, has_items
from tertium.families.family import error_metrics
from tertium.options import Verb, fill, option, take
from tertium.results.lost import Lost
from tertium.results.scenes import Scene
from tertium.results.texts import counted
from tertium.study.data import DataOptions, reads_data
from tertium.study.files import File
from tertium.study.judgement import scenes_of
from tertium.study.study import Study, Way
from tertium.study.walk import walk

LIMIT = 10  # sentences that are drawn if none is named
_SUGGESTED = 20_000  # ids among which a similar one is looked for


@dataclass(frozen=True)
class DrawOptions:
    """Which sentences are drawn, and how their items are compared."""

    sentence: str | int | Sequence[str | int] | None = option(
        None, "Draw the sentence with this id, or with this number (from 1); repeatable.",
        many=True, metavar="ID|NUMBER", objects=True
    )  # fmt: skip
    limit: int = option(
        LIMIT, "Without --sentence: draw the first N sentences, or the first N with errors. "
        "Default: 10.",
        metavar="N", least=0,
    )  # fmt: skip
    subtypes: bool = option(False, "Compare relations with their subtypes (nsubj:pass).")
    names: tuple[str, str] | None = option(None, "Names of gold and system.", flag="")


OPTIONS = (Study, DrawOptions, Way, DataOptions)


@reads_data(2)
def draw(gold: Any, system: Any = None, **options: Any) -> Drawing:
    """Sentences of gold, or of gold and a system with what the metric finds wrong marked.

    Takes data as `score` does. `metric` is any that judges single items; by default the first that
    fits of constituents, spans, arcs and tags. `sentence` is an id or a number counted from 1, or
    several of them; an id comes before a number that is written the same. Without it the first
    `limit` sentences are drawn, with a system those with errors. `subtypes` sets the parameter of
    that name of the metric: what follows a colon counts. `names` are what gold and system are
    called.
    """
    rest = dict(options)
    way, reading = take(Way, rest), take(Study, rest)
    own = fill(DrawOptions, rest, verb="draw", others=OPTIONS)
    if own.names is not None and (isinstance(own.names, str) or len(own.names) != 2):
        raise UsageError(f"names must be those of gold and system. Got {own.names!r} instead.")
    study = Study.of(
        gold,
        () if system is None else (system,),
        also=frozenset({"comments", "misc", "upos"}),
        lenient=True,
        alone=True,
        defaults=_with_subtypes if own.subtypes else error_metrics,
        **reading,
    )
    check_items(study)
    names = own.names or ("gold", study.systems[0] if study.systems else "system")
    if study.metrics and not any(map(has_items, study.metrics)):
        text = ", ".join(map(repr, study.metrics))
        note = f"{text} does not judge single items, so there is nothing to draw"
        return Drawing(study.gold, (), names, (note,), text)
    if own.subtypes and study.metrics is not None:
        study = replace(study, metrics=_telling(study.metrics))
    return drawn(study, own.sentence, names, own.limit, **way)


def drawn(
    study: Study,
    sentences: str | int | Sequence[str | int] | None,
    names: tuple[str, str],
    limit: int = LIMIT,
    **way: Any,
) -> Drawing:
    """The sentences of a study with one system at most."""
    given = [sentences] if isinstance(sentences, str | int) else sentences
    visit = _Draw(limit)
    if given is not None:
        visit = _Draw(ids=frozenset(each for each in given if isinstance(each, str)))
    files = [*walk(study, visit, **way)]
    notes = [note for file in files for note in file.notes]
    notes += Lost.added([file.lost for file in files]).notes(names[1], study.gold)
    if given is None:
        pairs = [scene for file in files for scene in file.scenes.values()][:limit]
        notes += _left_out(study, files, limit)
    else:
        pairs = _named(study, files, given)
    return Drawing(
        gold=study.gold,
        pairs=tuple(pairs),
        names=names,
        notes=tuple(dict.fromkeys(notes)),
        metric=", ".join(dict.fromkeys(file.metric for file in files)),
    )


def _with_subtypes(gold: Corpus) -> tuple[Metric, ...]:
    return _telling(error_metrics(gold))


def _telling(metrics: Sequence[Metric]) -> tuple[Metric, ...]:
    """The metrics that can tell subtypes, doing so."""
    found = [m for m in metrics if "subtypes" in m.parameters()]
    if not found:
        names = ", ".join(dict.fromkeys(m.id for m in metrics))
        raise UsageError(f"{names} has no parameter 'subtypes'")
    return tuple(replace(m, subtypes=True) for m in found)  # type: ignore[call-arg]


@dataclass(frozen=True)
class _FileDrawing:
    """What was drawn of one file.

    - `scenes`: by the number of their sentence in the file, counted from 0
    - `wanted`: how many sentences are worth drawing: those with errors, or all
    - `ids`: of all sentences, where some were asked for by name; `numbers`: their places in the
      file, counted from 1
    - `lost`: the sentences that could not be compared
    """

    metric: str
    scenes: dict[int, Scene]
    sentences: int
    skipped: int
    wanted: int
    notes: tuple[str, ...]
    ids: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()
    lost: Lost = Lost()


@dataclass(frozen=True)
class _Draw:
    """Draws the first `limit` sentences of a file that are worth it, or those with some ids or
    numbers. All files are drawn by the first metric that fits."""

    limit: int = 0
    ids: frozenset[str] | None = None
    sentences: tuple[int, ...] = ()

    def __call__(self, file: File) -> _FileDrawing:
        gold, metric = file.gold, file.metrics[0]
        scenes = None if file.study.systems else scenes_of(file, file.fitted[0])
        lost = Lost()
        wanted = [*range(gold.sentence_count)]
        for system in file.systems():
            judged = chosen(file, system)
            metric = file.metrics[file.fitted.index(judged.fitted)]
            scenes, lost = judged.scenes(), judged.lost
            wanted = np.unique(judged.sentence[~judged.decisions.right]).tolist()
        assert scenes is not None
        names: tuple[str, ...] = ()
        places = wanted[: self.limit]
        if self.ids is not None:
            names = tuple(scenes.ids)
            first = {name: place for place, name in reversed([*enumerate(names)])}
            places = [first[name] for name in self.ids if name in first]
        places += self.sentences
        return _FileDrawing(
            metric=repr(metric),
            scenes={sentence: scenes.scene(sentence) for sentence in places},
            sentences=gold.sentence_count,
            skipped=file.skipped,
            wanted=len(wanted),
            notes=file.notes,
            ids=names,
            numbers=tuple(scenes.number(n) for n in range(len(names))),
            lost=lost,
        )


def _left_out(study: Study, files: Sequence[_FileDrawing], limit: int) -> list[str]:
    """How many sentences are worth drawing, where not all are drawn or some have errors."""
    compared = sum(file.sentences - file.lost.coverage.get("left_out", 0) for file in files)
    sentences = counted(compared, "sentence")
    wanted = sum(file.wanted for file in files)
    drawn = {0: "none is drawn", 1: "the first is drawn"}
    cut = f"; {drawn.get(limit, f'the first {limit:,} are drawn')}" if wanted > limit else ""
    if not study.systems:
        return [f"there are {sentences}{cut}"] if cut else []
    if not wanted:
        return [f"there are no errors in {sentences}"] if compared else []
    return [f"there are errors in {wanted:,} of {sentences}{cut}"]


def _named(study: Study, files: Sequence[_FileDrawing], given: Sequence[str | int]) -> list[Scene]:
    """The sentences of these ids or numbers, in this order."""
    found: dict[str | int, Scene] = {}
    numbered: dict[int, tuple[int, int]] = {}
    before = 0
    for place, file in enumerate(files):
        for sentence, scene in file.scenes.items():
            found.setdefault(file.ids[sentence], scene)
        numbered |= {before + number: (place, n) for n, number in enumerate(file.numbers)}
        before += file.sentences + file.skipped
    for wanted in given:
        if wanted in found:
            continue
        if (number := _number(wanted)) not in numbered:
            raise _unknown(wanted, study.gold, files)
        place, sentence = numbered[number]
        alone = replace(study, shards=study.shards[place : place + 1])
        (file,) = walk(alone, _Draw(sentences=(sentence,)))
        found[wanted] = file.scenes[sentence]
    return [found[wanted] for wanted in given]


def _number(wanted: str | int) -> int:
    """The number that is meant; 0, which no sentence has, if it is none."""
    if isinstance(wanted, str):
        return int(wanted) if wanted.isdecimal() and wanted.isascii() and len(wanted) < 12 else 0
    return int(wanted)


def _unknown(wanted: str | int, gold: str, files: Sequence[_FileDrawing]) -> UsageError:
    """What is wrong with an id or number that no sentence has."""
    ids = [*islice((id for file in files for id in file.ids), _SUGGESTED)]
    near = suggestion(str(wanted), ids)
    help = "there are no sentences"
    if ids:
        total = counted(sum(file.sentences for file in files), "sentence")
        help = f"there are {total}; the first is '{shorten(ids[0], 60)}' or 1"
        if skipped := sum(file.skipped for file in files):
            help += f"; {counted(skipped, 'other')} skipped"
    return UsageError(
        f"there is no sentence '{wanted}' in {gold}.{near}".removesuffix("."), help=help
    )


def _check_files(files: Sequence[Any]) -> None:
    if len(files) > 2:
        raise UsageError(
            f"draw takes one system. Got {len(files) - 1:,} instead.",
            help="give GOLD and one SYSTEM, also if a study file has several",
        )


def _prepare(given: dict[str, Any], look: DrawLook) -> dict[str, Any]:
    if "sentence" in given and "limit" in given:
        raise UsageError("'--limit' and '--sentence' cannot be combined; leave out one of them")
    return given


VERB = Verb(
    "draw",
    draw,
    """Draw sentences of GOLD, or of GOLD and SYSTEM with errors marked.

    In text, dependency trees have one word per line, with gold on the left and the system on the
    right. Constituency trees are drawn for both sides, next to each other if they fit. Other
    annotation, and dependencies in SVG and HTML, are drawn along the words: gold above, and what
    only the system has below.

    \b
    tertium draw gold.conllu system.conllu --sentence dev-17
    tertium draw gold.conllu --sentence 1 --output tree.svg
    """,
    arguments="GOLD [SYSTEM]",
    options=OPTIONS,
    look=DrawLook,
    without=frozenset({"by", "lexicon", "short"}),
    words={
        "metric": "The metric that determines what is drawn and which errors are marked. Default: "
        "one that fits the layers present.",
    },
    check=_check_files,
    figures=True,
    prepare=_prepare,
)
