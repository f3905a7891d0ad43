"""`tertium.conventions`: what each convention of the field says about the same annotation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tertium._version import __version__
from tertium.comparison.partings import find_partings, parting_blocks, reach_text
from tertium.exceptions import TertiumError, UsageError
from tertium.families.base import Metric, make
from tertium.families.family import (
    MOST_PLACES,
    Convention,
    ConventionSet,
    Parting,
    families,
    family_of,
)
from tertium.options import Verb, fill, option, options_of, take
from tertium.results.assessment import Testing
from tertium.results.blocks import Block, Cell, Column, Table, Text, or_missing
from tertium.results.output import Look, Output
from tertium.results.scores import Result, flatten
from tertium.results.signatures import signature_texts
from tertium.results.texts import sizes_text
from tertium.significance.score.counts import count, scores_of, whole_number, zero_notes
from tertium.significance.score.coverage import system_coverage
from tertium.significance.score.result import Scores
from tertium.significance.score.verb import check_files
from tertium.study.data import DataOptions, reads_data
from tertium.study.study import Study, Way
from tertium.study.walk import walk

_FIGURES = ("precision", "recall", "f1")
_GATES = ("fail_under", "fail_if_worse", "max_drop", "annotate", "junit")  # of `score`


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

    def cell(self, name: str) -> Cell:
        """A figure, or why there is none."""
        return or_missing(getattr(self, name), self.reasons.get(name))


@dataclass(frozen=True, eq=False)
class Conventions(Output):
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

    no_figures = "conventions are shown as tables only, not as SVG"

    def __repr__(self) -> str:
        return f"<Conventions: {len(self.rows)} rows, {len(self.partings)} partings, {self.gold}>"

    def to_dict(self) -> dict[str, Any]:
        """The JSON output of `tertium conventions`."""
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

    @property
    def title(self) -> str:
        """What was scored."""
        return f"Conventions on {self.gold}"

    def in_short(self) -> str:
        """How far F1 depends on the convention and, of several systems, whether it decides which is
        best."""
        rows = [(row.convention, row.system, row.f1) for row in self.rows if row.f1 is not None]
        return reach_text(rows, several=len(self.systems) > 1)

    def blocks(self, look: Look) -> list[Block]:
        """The table of conventions, the sequences they read differently, and what a reader must
        know."""
        blocks: list[Block] = [self._table()]
        blocks += parting_blocks(self.partings, self.written, is_text=look.is_text)
        if not self.partings and len(self.readings) > 1:
            refused = any(row.f1 is None and row.gold is None for row in self.rows)
            those = f"the conventions that accept the {self.written}"
            who = those if refused else "all conventions"
            blocks.append(Text(f"{who} read the same {self.items} but count them differently"))
        size = sizes_text({}, self.units, self.tokens)
        blocks.append(Text(f"{self.gold} · {size}", role="gold"))
        blocks += [Text(line, role="coverage") for line in system_coverage(self.coverage)]
        blocks += [
            Text(
                f"{file}: only the first {MOST_PLACES:,} places where readings differ were checked"
            )
            for file in self.cut
        ]
        blocks += [Text(note) for note in self.notes]
        signed = ((r.system, r.convention, r.signature) for r in self.rows if r.signature)
        return [*blocks, *signature_texts(signed)]

    def _table(self) -> Table:
        """One row a convention, or a convention and system: then systems compete under each."""
        several = len(self.systems) > 1
        columns = [Column("convention"), *([Column("system")] if several else [])]
        columns += [Column(name, "", "percent", "higher") for name in _FIGURES]
        counts = ("correct",) if several else ("correct", "gold", "system")
        columns += [Column(name, self.items, "count") for name in counts]
        rows = []
        for row in self.rows:
            names: list[Cell] = [row.convention, row.system] if several else [row.convention]
            sizes: list[Cell] = [row.correct, row.gold, row.system_spans]
            rows.append((*names, *map(row.cell, _FIGURES), *sizes[: len(counts)]))
        contests = tuple(row.convention for row in self.rows)
        return Table(tuple(columns), tuple(rows), keys=1 + several, contests=contests)


@dataclass(frozen=True)
class ConventionOptions:
    """What `conventions` takes besides how files are read."""

    column: str | None = option(
        None, "The column of the annotation, if there are several.", metavar="NAME"
    )
    family: str | None = option(None, "The kind of annotation.", flag="")
    names: Sequence[str] | None = option(None, "Names of the systems.", flag="")


OPTIONS = (Study, ConventionOptions, Way, DataOptions)


@reads_data()
def conventions(gold: Any, *systems: Any, **options: Any) -> Conventions:
    """Score an annotation by every convention there is for it, and find where these part.

    `family` is the kind of annotation, by default the first that has conventions (spans). `column`
    names the layer; by default the one that the metrics choose. `options` are those of
    `tertium.score` about reading and alignment. A convention that refuses the data has no figures
    but says why; data that all refuse is an error.
    """
    rest = dict(options)
    way, reading = take(Way, rest), take(Study, rest)
    own = fill(ConventionOptions, rest, verb="conventions", others=OPTIONS)
    title, known = _known(own.family)
    chosen = [replace(c, metric=_on(c.metric, own.column)) for c in known.every]
    metrics = {c.metric: make(c.metric) for c in chosen}
    given: dict[str, Any] = {"metric": [*metrics.values()], "labels": False, "names": own.names}
    asked = Study.of(gold, systems, **reading, **given)
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
    found = find_partings(asked, known, readings, frozenset(scored.refused), way)
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
        readings=tuple(readings) if found.is_read else (),
        partings=found.every,
        cut=found.cut,
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
class _Results:
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


def _scored(asked: Study, metrics: Mapping[str, Metric], way: Mapping[str, Any]) -> _Results:
    """All at once, since every file is then read once; if a convention refuses, one convention at a
    time, and only if that one refuses, one system at a time."""
    found = _Results()
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


def _score(asked: Study, metrics: Sequence[Metric], way: Mapping[str, Any]) -> Scores:
    study = replace(asked, metrics=tuple(metrics))
    return scores_of(study, [*walk(study, count, **way)])


def _row(
    system: str, convention: Convention, result: Result | None, refused: TertiumError | None
) -> Row:
    names = {name: f"{convention.prefix}{name}" for name in ("precision", "recall", "f1")}
    row = Row(system, convention.name, convention.metric, names["f1"])
    if result is None or result.stats is None:
        why = refused.written[0].split("\n")[0] if refused else "not in this file"
        if result is not None:  # the system lacks the column
            why = result.reasons.get("f1", why)
        return replace(row, reasons=dict.fromkeys(names, why))
    parts, totals = flatten(result.parts), result.stats.totals()
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


def _prepare(given: dict[str, Any], look: Look) -> dict[str, Any]:
    """Where this runs in the place of `score`: the column that a metric names. Whatever else
    `score` takes is refused."""
    if given.get("significance") or any(name in given for name in options_of(Testing)):
        raise UsageError(
            "'--conventions' cannot be combined with tests",
            help="'tertium score --significance' tests each metric without it",
        )
    if any(given.get(name) for name in _GATES):
        raise UsageError(
            "'--conventions' cannot be combined with gates",
            help="set the gate without '--conventions'",
        )
    here = {"metric", "significance", *VERB.declared()}
    asked = [name for name, value in given.items() if value and name not in here]
    if asked:
        raise UsageError(
            f"'--conventions' cannot be combined with '--{asked[0].replace('_', '-')}'",
            help="run 'tertium score' once with '--conventions' and once without",
        )
    rest = {name: value for name, value in given.items() if name in VERB.declared()}
    return {**rest, **(_choice(given["metric"]) if given.get("metric") else {})}


def _choice(metrics: Sequence[str]) -> dict[str, str | None]:
    """The kind of annotation and the column that a metric names; the metrics themselves are
    given."""
    made = make(metrics[0])
    family = family_of(made)
    if family.conventions is None:
        family = next(each for each in families() if each.conventions is not None)
    assert family.conventions is not None
    usual = family.conventions.every[0].metric
    help = f"'--metric {usual}(column=NAME)' names the column of {family.title}"
    if len(metrics) > 1 or made.family != family.id:
        raise UsageError("'--conventions' uses its own metrics", help=help)
    given = {k: v for k, v in made.parameters().items() if v != type(made)().parameters()[k]}
    column = given.pop("column", None)
    if given:
        raise UsageError(
            f"'--conventions' sets all parameters but the column; leave out '{next(iter(given))}'",
            help=help,
        )
    return {"family": family.id, "column": None if column is None else str(column)}


VERB = Verb(
    "conventions",
    conventions,
    """Score spans under every convention of the field, and show where these differ.

    GOLD and each SYSTEM are given as for 'tertium score'. Every row of the table equals the output
    of the scorer that follows this convention.

    \b
    tertium conventions gold.bio system.bio
    tertium conventions gold.conllu a.conllu b.conllu --column ner
    """,
    arguments="GOLD SYSTEM...",
    options=OPTIONS,
    look=Look,
    without=frozenset({"metric", "by", "lexicon", "enrich"}),
    check=check_files,
    prepare=_prepare,
    cite=(
        "tjong-kim-sang-buchholz-2000-introduction",
        "nakayama-2018-seqeval",
        "segura-bedmar-etal-2013-semeval",
        "ortmann-2022-fine",
    ),
)
