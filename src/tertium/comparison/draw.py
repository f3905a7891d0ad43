"""`tertium.draw`: chosen sentences with their annotation, ready to be shown anywhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Unpack

import numpy as np

from tertium._version import __version__
from tertium.comparison.errors.verb import check_items, chosen
from tertium.corpus.corpus import Corpus
from tertium.exceptions import UsageError, shorten, suggestion
from tertium.families.base import Metric, has_items
from tertium.families.family import error_metrics
from tertium.results.blocks import Block, Cell, Column, Picture, Table, Text
from tertium.results.figures import Figure, figure_of
from tertium.results.items import NOWHERE, run_text
from tertium.results.scenes import Mark, Scene, Word
from tertium.results.texts import counted
from tertium.study.files import File
from tertium.study.judgement import scenes_of
from tertium.study.study import FileOptions, Study
from tertium.study.walk import walk, walk_options

LIMIT = 10  # sentences that are drawn if none is named
_SUGGESTED = 20_000  # ids among which a similar one is looked for


@dataclass(frozen=True, eq=False)
class Drawing:
    """Some sentences with what gold says and, unless there is none, what a system says. Printed it
    is text, in a notebook a picture.

    - `pairs`: a `Scene` for each sentence
    - `names`: what gold and system are called
    - `metric`: what decided what is marked
    - `notes`: what is worth knowing besides, such as how many sentences are not drawn
    """

    gold: str
    pairs: tuple[Scene, ...]
    names: tuple[str, str] = ("gold", "system")
    notes: tuple[str, ...] = ()
    metric: str = ""

    @property
    def figures(self) -> tuple[Figure, ...]:
        """What is drawn of each sentence."""
        return tuple(scene.figure or figure_of(scene) for scene in self.pairs)

    def render(self, format: str = "text", **look: Any) -> str:
        """In any output format; `look` is what `text` takes."""
        import tertium

        return tertium.render(self, format, **look)

    def text(
        self, *, width: int = 80, ascii: bool = False, color: bool = False, whole: bool = False
    ) -> str:
        """For a terminal. Heads are drawn one word per line, gold to the left of the words and the
        system to the right; all else stands over and under lines of words.

        In long sentences runs of words without errors are only counted, unless `whole`.
        """
        return self.render("text", width=width, ascii=ascii, color=color, whole=whole)

    def svg(self) -> str:
        """One SVG file with all sentences."""
        return self.render("svg")

    def html(self) -> str:
        """A whole HTML page."""
        return self.render("html")

    def to_dict(self) -> dict[str, Any]:
        """What the JSON output of `tertium draw` holds."""
        has_system = any(scene.has_system for scene in self.pairs)
        return {
            "tertium": __version__,
            "gold": self.gold,
            **({"system": self.names[1]} if has_system else {}),
            **({"metric": self.metric} if self.metric else {}),
            "sentences": [scene.to_dict() for scene in self.pairs],
            **({"notes": list(self.notes)} if self.notes else {}),
        }

    def table(self) -> Table:
        """All sentences in one table."""
        tables = [(scene, table_of(scene)) for scene in self.pairs]
        columns = tables[0][1].columns if tables else ()
        rows = [(scene.id, *row) for scene, table in tables for row in table.rows]
        return Table((Column("sentence"), *columns), tuple(rows))

    def blocks(self) -> list[Block]:
        """A picture of each sentence and the table behind it, and notes."""
        figures: list[Block] = [
            Picture(
                figure,
                table_of(scene),
                self.names,
                title=f"Sentence '{scene.id}'",
                summary="Words" if scene.has_heads else "Items",
            )
            for scene, figure in zip(self.pairs, self.figures, strict=True)
        ]
        return [*figures, *(Text(note) for note in self.notes)]

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<Drawing of {counted(len(self.pairs), 'sentence')}, {self.gold}>"

    def _repr_html_(self) -> str:
        return self.render("notebook")


def draw(
    gold: Any,
    system: Any = None,
    *,
    metric: str | Metric | None = None,
    sentence: str | int | Sequence[str | int] | None = None,
    limit: int = LIMIT,
    names: tuple[str, str] | None = None,
    subtypes: bool = False,
    **reading: Unpack[FileOptions],
) -> Drawing:
    """Sentences of gold, or of gold and a system with what the metric finds wrong marked.

    Takes data as `score` does. `metric` is any that judges single items; by default the first that
    fits of spans, arcs and tags. `sentence` is an id or a number counted from 1, or several of
    them; an id comes before a number that is written the same. Without it the first `limit`
    sentences are drawn, with a system those with errors. `subtypes` sets the parameter of that name
    of the metric: what follows a colon counts. `names` are what gold and system are called.
    """
    if limit < 0:
        raise UsageError(f"limit must not be negative. Got {limit} instead.")
    if names is not None and (isinstance(names, str) or len(names) != 2):
        raise UsageError(f"names must be those of gold and system. Got {names!r} instead.")
    way, options = walk_options(reading)
    study = Study.of(
        gold,
        () if system is None else (system,),
        metric=metric,
        also=frozenset({"comments", "misc", "upos"}),
        lenient=True,
        alone=True,
        defaults=_with_subtypes if subtypes else error_metrics,
        **options,
    )
    check_items(study)
    names = names or ("gold", study.systems[0] if study.systems else "system")
    if study.metrics and not any(map(has_items, study.metrics)):
        text = ", ".join(map(repr, study.metrics))
        note = f"{text} judges no single items, so there is nothing to draw"
        return Drawing(study.gold, (), names, (note,), text)
    if subtypes and study.metrics is not None:
        study = replace(study, metrics=_telling(study.metrics))
    given = [sentence] if isinstance(sentence, str | int) else sentence
    visit = _Draw(limit)
    if given is not None:
        visit = _Draw(ids=frozenset(each for each in given if isinstance(each, str)))
    files = [*walk(study, visit, **way)]
    notes = [note for file in files for note in file.notes]
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
class _Drawn:
    """What was drawn of one file.

    - `scenes`: by the number of their sentence in the file, counted from 0
    - `wanted`: how many sentences are worth drawing: those with errors, or all
    - `ids`: of all sentences, where some were asked for by name; `numbers`: their places in the
      file, counted from 1
    """

    metric: str
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
    numbers. All files are drawn by the first metric that fits."""

    limit: int = 0
    ids: frozenset[str] | None = None
    sentences: tuple[int, ...] = ()

    def __call__(self, file: File) -> _Drawn:
        gold, metric = file.gold, file.metrics[0]
        scenes = None if file.study.systems else scenes_of(file, file.fitted[0])
        wanted = [*range(gold.sentence_count)]
        for system in file.systems():
            judged = chosen(file, system)
            metric = file.metrics[file.fitted.index(judged.fitted)]
            scenes = judged.scenes()
            wanted = np.unique(judged.sentence[~judged.decisions.right]).tolist()
        assert scenes is not None
        names: tuple[str, ...] = ()
        places = wanted[: self.limit]
        if self.ids is not None:
            names = tuple(scenes.ids)
            first = {name: place for place, name in reversed([*enumerate(names)])}
            places = [first[name] for name in self.ids if name in first]
        places += self.sentences
        return _Drawn(
            metric=repr(metric),
            scenes={sentence: scenes.scene(sentence) for sentence in places},
            sentences=gold.sentence_count,
            skipped=file.skipped,
            wanted=len(wanted),
            notes=file.notes,
            ids=names,
            numbers=tuple(scenes.number(n) for n in range(len(names))),
        )


def _left_out(study: Study, files: Sequence[_Drawn], limit: int) -> list[str]:
    """How many sentences are worth drawing, where not all are drawn or some have errors."""
    sentences = counted(sum(file.sentences for file in files), "sentence")
    wanted = sum(file.wanted for file in files)
    drawn = {0: "none is drawn", 1: "the first is drawn"}
    cut = f"; {drawn.get(limit, f'the first {limit:,} are drawn')}" if wanted > limit else ""
    if not study.systems:
        return [f"there are {sentences}{cut}"] if cut else []
    if not wanted:
        return [f"there are no errors in {sentences}"]
    return [f"there are errors in {wanted:,} of {sentences}{cut}"]


def _named(study: Study, files: Sequence[_Drawn], given: Sequence[str | int]) -> list[Scene]:
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


def _unknown(wanted: str | int, gold: str, files: Sequence[_Drawn]) -> UsageError:
    """What is wrong with an id or number that no sentence has."""
    ids = [*islice((id for file in files for id in file.ids), _SUGGESTED)]
    near = suggestion(str(wanted), ids)
    help = "there are no sentences"
    if ids:
        total = counted(sum(file.sentences for file in files), "sentence")
        help = f"there are {total}; '{shorten(ids[0], 60)}' or 1 is the first"
        if skipped := sum(file.skipped for file in files):
            help += f"; {counted(skipped, 'other')} skipped"
    return UsageError(
        f"there is no sentence '{wanted}' in {gold}.{near}".removesuffix("."), help=help
    )


def table_of(scene: Scene) -> Table:
    """A row for each item, with what each side says about it; of words with heads, as their file
    has them."""
    sides = ("gold", "system") if scene.has_system else ("gold",)
    heads = ["number", "form", "upos", "head", "relation"]
    names = heads if scene.has_heads else ["label", "tokens", "text", "second"]
    columns = [
        Column(name, side if scene.has_system else "", "text") for side in sides for name in names
    ]
    columns += [Column("outcome")] if scene.has_system else []
    rows: list[tuple[Cell, ...]] = []
    for row in scene.rows:
        cells: list[Cell] = []
        for mark, words in zip(row, scene.tokens, strict=False):
            cells += _cells(mark, words, has_heads=scene.has_heads) if mark else [None] * len(names)
        if scene.has_system:
            cells.append(next((mark.outcome for mark in row if mark and mark.outcome), None))
        rows.append(tuple(cells))
    return Table(tuple(columns), tuple(rows), keys=1)


def _cells(mark: Mark, words: Sequence[Word | None], *, has_heads: bool) -> list[Cell]:
    there = [word for word in (words[place] for place in mark.places) if word]
    second = str(mark.second_number) if mark.second_number >= 0 else None
    if has_heads and there:
        return [str(there[0].number), there[0].form, there[0].upos, second, mark.label]
    numbers = [word.number for word in there]
    text = " ".join(word.form for word in there)
    return [mark.label, run_text(numbers), text, second if mark.second != NOWHERE else None]
