"""`tertium.conventions`: what each convention of the field says about the same annotation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tertium._version import __version__
from tertium.exceptions import TertiumError, UsageError
from tertium.families.base import Metric, make
from tertium.families.family import MOST_PLACES, Convention, ConventionSet, Parting, families
from tertium.results.scores import Result, flatten
from tertium.significance.score.counts import count, scores_of, whole_number, zero_notes
from tertium.significance.score.result import Scores
from tertium.study.files import File
from tertium.study.study import Study, WalkOptions
from tertium.study.walk import walk, walk_options


@dataclass(frozen=True)
class Row:
    """What one convention says about one system; without figures where it refuses, with a reason.

    `part` is the part of the metric that `f1` is; `correct`, `gold` and `system_spans` are counts.
    """

    system: str
    convention: str
    metric: str
    part: str
    precision: float | None = None
    recall: float | None = None
    f1: float | None = None
    correct: float | None = None
    gold: float | None = None
    system_spans: float | None = None
    reasons: Mapping[str, str] = field(default_factory=dict)
    signature: str = ""


@dataclass(frozen=True, eq=False)
class Conventions:
    """Rows by convention, then system; and the sequences that are read differently.

    `coverage` is what was scored of each system, by the first convention that accepts it.
    `readings` are the conventions that read in a way of their own and accept the data; `cut` names
    files in which only the first places where they part were looked at. `items` is what is counted,
    `written` what sequences consist of, in words.
    """

    gold: str
    systems: tuple[str, ...]
    units: int
    tokens: int | None
    rows: tuple[Row, ...]
    coverage: Mapping[str, Mapping[str, int]]
    readings: tuple[str, ...]
    partings: tuple[tuple[str, Parting], ...]
    cut: tuple[str, ...]
    notes: tuple[str, ...]
    items: str
    written: str

    def __repr__(self) -> str:
        return f"<Conventions: {len(self.rows)} rows, {len(self.partings)} partings, {self.gold}>"

    def to_dict(self) -> dict[str, Any]:
        """The JSON output of `tertium score --conventions`."""
        return {
            "tertium": __version__,
            "gold": self.gold,
            "units": self.units,
            "tokens": self.tokens,
            "conventions": [
                {
                    "system": row.system,
                    "convention": row.convention,
                    "metric": row.metric,
                    "part": row.part,
                    "value": row.f1,
                    "parts": {"precision": row.precision, "recall": row.recall, "f1": row.f1},
                    "counts": {
                        "correct": row.correct,
                        "gold": row.gold,
                        "system": row.system_spans,
                    },
                    **({"reasons": dict(row.reasons)} if row.reasons else {}),
                    "signature": row.signature,
                }
                for row in self.rows
            ],
            "coverage": {name: dict(each) for name, each in self.coverage.items()},
            "partings": [{"in": side, **found.to_dict()} for side, found in self.partings],
            **({"notes": list(self.notes)} if self.notes else {}),
        }


def conventions(
    gold: Any,
    *systems: Any,
    column: str | None = None,
    family: str | None = None,
    **options: Any,
) -> Conventions:
    """Score an annotation by every convention there is for it, and find where these part.

    `family` is the kind of annotation, by default the first that has conventions (spans). `column`
    names the layer; by default the one that the metrics choose. `options` are those of
    `tertium.score` about reading and alignment. A convention that refuses the data has no figures
    but says why; data that all refuse is an error.
    """
    title, known = _known(family)
    chosen = [replace(c, metric=_on(c.metric, column)) for c in known.every]
    metrics = {c.metric: make(c.metric) for c in chosen}
    way, reading = walk_options(options)
    asked = Study.of(gold, systems, metric=list(metrics.values()), labels=False, **reading)
    scored = _scored(asked, metrics, way)
    rows = [
        _row(system, c, scored.results.get(key), scored.refused.get(key))
        for c in chosen
        for system in asked.systems
        for key in [(system, c.metric)]
    ]
    readings = {
        c.reading: metrics[c.metric]
        for c in chosen
        if c.reading and any((system, c.metric) in scored.results for system in asked.systems)
    }
    reader = _Reader(known, tuple(readings), frozenset(scored.refused))
    apart, cut, read = _partings(asked, readings, reader, way)
    return Conventions(
        gold=asked.gold,
        systems=asked.systems,
        units=scored.units,
        tokens=scored.tokens,
        rows=tuple(rows),
        coverage={
            system: next(r.coverage for (name, _), r in scored.results.items() if name == system)
            for system in asked.systems
        },
        readings=tuple(readings) if read else (),
        partings=tuple(apart),
        cut=tuple(cut),
        notes=tuple(dict.fromkeys(scored.notes)),
        items=title,
        written=known.written,
    )


def _known(family: str | None) -> tuple[str, ConventionSet]:
    """What a kind of annotation is called, and the conventions there are for it."""
    for each in families():
        if each.conventions is not None and family in (None, each.id):
            return each.title, each.conventions
    raise UsageError(f"there are no conventions for {family or 'anything'}")


def _on(metric: str, column: str | None) -> str:
    """The metric's text with the column in it."""
    return metric if column is None else repr(replace(make(metric), column=column))  # type: ignore[call-arg]


@dataclass
class _Scored:
    """Results by system and metric, or why there is none; notes, and the size of the gold data."""

    results: dict[tuple[str, str], Result] = field(default_factory=dict)
    refused: dict[tuple[str, str], TertiumError] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    units: int = 0
    tokens: int | None = None

    def add(self, scores: Scores, metrics: Mapping[str, Metric]) -> None:
        """Take over results. That a figure is 0 by convention is said in its row."""
        self.units, self.tokens = scores.units, scores.tokens
        self.results |= {(r.system, r.metric): r for r in scores}
        told = {note for r in scores for note in zero_notes(r, metrics[r.metric])}
        self.notes += [note for note in scores.notes if note not in told]


def _scored(asked: Study, metrics: Mapping[str, Metric], way: WalkOptions) -> _Scored:
    """All at once, since every file is then read once; if a convention refuses, one convention at a
    time, and only if that one refuses, one system at a time."""
    found = _Scored()
    try:
        found.add(_score(asked, [*metrics.values()], way), metrics)
        return found
    except TertiumError:
        pass
    for text, metric in metrics.items():
        try:
            found.add(_score(asked, [metric], way), metrics)
        except TertiumError:
            for number, system in enumerate(asked.systems):
                try:
                    found.add(_score(asked.alone(number), [metric], way), metrics)
                except TertiumError as error:
                    found.refused[system, text] = error
    for system in asked.systems:
        if not any(name == system for name, _ in found.results):
            raise next(error for (name, _), error in found.refused.items() if name == system)
    return found


def _score(asked: Study, metrics: Sequence[Metric], way: WalkOptions) -> Scores:
    study = replace(asked, metrics=tuple(metrics))
    return scores_of(study, [*walk(study, count, **way)])


def _row(
    system: str, convention: Convention, result: Result | None, refused: TertiumError | None
) -> Row:
    names = {name: f"{convention.prefix}{name}" for name in ("precision", "recall", "f1")}
    row = Row(system, convention.name, convention.metric, names["f1"])
    if result is None:
        why = refused.message.split("\n")[0] if refused else "not in this file"
        return replace(row, reasons=dict.fromkeys(names, why))
    parts, stats = flatten(result.parts), result.stats
    assert stats is not None
    totals = stats.totals()
    counts = [whole_number(float(totals[count])) for count in convention.counts]
    return replace(
        row,
        **{name: parts[part] for name, part in names.items()},
        correct=counts[0],
        gold=counts[1],
        system_spans=counts[2],
        reasons={n: result.reasons[part] for n, part in names.items() if part in result.reasons},
        signature=str(result.signature),
    )


def _partings(
    asked: Study, readings: Mapping[str, Metric], reader: _Reader, way: WalkOptions
) -> tuple[list[tuple[str, Parting]], list[str], bool]:
    """Where the readings of gold part, and of each system; files with too many such places to look
    at all; and whether there was anything to be read."""
    found: dict[tuple[str, Any], Parting] = {}
    cut, read = [], False
    study = replace(asked, metrics=tuple(readings.values()))
    for file in walk(study, reader, **way):
        for side, origin, places in file:
            read = True
            if sum(p.count for p in places) >= MOST_PLACES:
                cut.append(origin)
            for parting in places:
                key = (side, (parting.tags, tuple(parting.readings.items())))
                if key in found:
                    parting = replace(found[key], count=found[key].count + parting.count)
                found[key] = parting
    order = list(dict.fromkeys(side for side, _ in found))
    rows = [(side, parting) for (side, _), parting in found.items()]
    rows.sort(key=lambda row: (order.index(row[0]), -row[1].count, row[1].tags))
    return rows, cut, read


@dataclass(frozen=True)
class _Reader:
    """Reads a file in every way that has a name, but for what a way refuses."""

    known: ConventionSet
    names: tuple[str, ...]
    refused: frozenset[tuple[str, str]]

    def __call__(self, file: File) -> list[tuple[str, str, list[Parting]]]:
        """Of gold and of each system its name, where it was read from, and where readings part."""
        found = []
        for system in file.systems():
            able = {
                name: fitted
                for name, metric, fitted in zip(self.names, file.metrics, file.fitted, strict=True)
                if (system.name, repr(metric)) not in self.refused
            }
            mine = f"system {system.name}" if system.name == "gold" else system.name
            is_first = system.name == file.study.systems[0]
            sides = [("gold", file.gold)] if is_first else []
            for side, corpus in (*sides, (mine, system.corpus)):
                places = self.known.partings(corpus, able)
                if places is not None:
                    found.append((side, corpus.origin, places))
        return found
