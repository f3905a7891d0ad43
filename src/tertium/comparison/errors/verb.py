"""`tertium.errors`: every error as an instance, from the same decisions as the score."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, count, islice
from typing import Any

import numpy as np

from tertium.comparison.errors.blocks import example_blocks
from tertium.comparison.errors.columns import ErrorColumns, Filters
from tertium.comparison.errors.instances import COLUMNS, Instance
from tertium.comparison.errors.result import SHOWN, Errors
from tertium.exceptions import LayerError, UsageError, suggestion
from tertium.families.base import Metric, has_items, union
from tertium.families.family import error_metrics, families, family_of, why_not_scored
from tertium.options import Verb, fill, option, take
from tertium.results.confusions import summed
from tertium.results.lost import Lost
from tertium.results.output import LongLook, Records
from tertium.significance.score.counts import signature_of
from tertium.significance.score.verb import alone_help
from tertium.study.data import DataOptions, reads_data
from tertium.study.files import File, SystemFile
from tertium.study.judgement import Judgement
from tertium.study.study import Study, Way
from tertium.study.walk import walk

CONTEXT = 200  # characters on either side
_Draw = tuple[float, int, Instance]  # random number, place among all that were drawn, error


@dataclass(frozen=True, eq=False)
class FileErrors:
    """The errors of one system's file; those of several files add up.

    - `counts`: errors of each type that pass the filters; `unfiltered`: all errors
    - `unmet`: what the filters name that does not occur in the file, and `labels` that do
    - `instances`: those that are wanted, in the order of the text; `draws`: of a sample, each one's
      random number
    """

    system: str
    metric: Metric
    fitted: Metric
    coverage: Mapping[str, int]
    facts: frozenset[str]
    notes: tuple[str, ...]
    lost: Lost
    counts: Mapping[str, int] = field(default_factory=dict)
    unfiltered: Mapping[str, int] = field(default_factory=dict)
    unmet: frozenset[tuple[str, str]] = frozenset()
    labels: frozenset[str] = frozenset()
    instances: Iterable[Instance] = ()
    draws: Sequence[float] = ()


@dataclass(frozen=True)
class Search:
    """Looks for the errors of every system in a file. All systems are judged by the same metric.

    - `most`: how many of each system are wanted at most, None for all; with `seed` they are drawn
      at random
    - `context`: how many characters around an error come along
    - `lazy`: instances are made one by one when they are needed, which cannot travel
    """

    filters: Filters
    most: int | None = None
    seed: int | None = None
    context: int = 0
    lazy: bool = False

    def __call__(self, file: File) -> Iterable[FileErrors]:
        found = (self._found(chosen(file, system)) for system in file.systems())
        return found if self.lazy else [*found]

    def _found(self, judged: Judgement) -> FileErrors:
        file, fitted = judged.file, judged.fitted
        metric = file.metrics[file.fitted.index(fitted)]
        nothing = FileErrors(
            system=judged.system.name,
            metric=metric,
            fitted=fitted,
            coverage=judged.coverage,
            facts=judged.facts,
            notes=(
                *file.notes,
                *fitted.remarks(file.gold, judged.corpus),
                *_other_columns(file, metric, fitted),
            ),
            lost=judged.lost,
        )
        if not has_items(fitted):
            why = f"{metric!r} does not judge single items, so there are no errors to list"
            return replace(nothing, notes=(*nothing.notes, why))
        findings = ErrorColumns(judged, repr(metric))
        rows, unmet = findings.matching(self.filters), findings.unmet(self.filters)
        counts = findings.counts(rows)
        draws: Sequence[float] = ()
        if self.seed is None:
            rows = rows[: self.most]
        else:
            # Another sequence for each file, the same whatever process it is in.
            number = file.shard.number
            random = np.random.default_rng([self.seed, number] if number else self.seed)
            numbers = random.random(len(rows))
            places = np.sort(np.argsort(numbers, kind="stable")[: self.most])
            rows, draws = rows[places], numbers[places].tolist()
        instances = findings.instances(rows.tolist(), self.context)
        return replace(
            nothing,
            counts=counts,
            unfiltered=findings.counts(findings.listed(self.filters)),
            unmet=unmet,
            labels=frozenset(findings.decisions.names if unmet else ()),
            instances=instances if self.lazy else [*instances],
            draws=draws,
        )


def _other_columns(file: File, metric: Metric, fitted: Metric) -> list[str]:
    """A note where nobody chose the column, and the gold standard has others of the family that it
    is about."""
    column, family = fitted.parameters().get("column"), family_of(fitted)
    is_chosen = file.study.metrics is not None and metric.parameters().get("column") is not None
    if column is None or is_chosen:
        return []
    usual = (each for each in reversed(families()) if each.usual(file.gold, "errors"))
    if next(usual, None) != family:
        return []
    others = [name for name in family.find(file.gold) if name != column]
    if not others:
        return []
    asked = f"--metric \"{metric.id}(column='{others[0]}')\""
    return [f"only column '{column}' is shown; for {', '.join(others)}: {asked}"]


def check_items(study: Study) -> None:
    """A set is not judged item by item; its members are."""
    if study.sets:
        text = next(iter(study.sets.values()))
        raise UsageError(
            f"{text} is a set of metrics; errors are listed for one",
            help=f"choose one of them: {', '.join(metric.id for metric in study.sets)}",
        )


def chosen(file: File, system: SystemFile) -> Judgement:
    """By the first metric that the system has a layer for."""
    every = [*system.judge()]
    for judged in every:
        if judged.missing is None:
            return judged
    if len(every) == 1:
        every[0].fitted.facts(system.corpus)  # raises, with what there is
    raise LayerError(
        f"{file.gold.origin} and {system.corpus.origin} share no layer that can be scored",
        help="'--columns' names the columns of a file, '--system-columns' those of the systems",
    )


@dataclass(frozen=True)
class ErrorOptions:
    """Which errors are wanted, and how much comes along."""

    types: tuple[str, ...] = option(
        (), "Only errors of this type, such as label; BE selects every type that begins with it; "
        "repeatable.",
        flag="--type", metavar="TYPE",
    )  # fmt: skip
    gold_labels: tuple[str, ...] = option(
        (), "Only errors with this label in gold; 'none' if there is none; repeatable.",
        flag="--gold-label", metavar="LABEL", once="--gold",
    )  # fmt: skip
    system_labels: tuple[str, ...] = option(
        (), "Only errors with this label in the system; 'none' if there is none; repeatable.",
        flag="--system-label", metavar="LABEL", once="--system",
    )  # fmt: skip
    sentences: tuple[str, ...] = option(
        (), "Only errors in the sentence with this id, or this number if there are no ids; "
        "repeatable.",
        flag="--sentence", metavar="ID",
    )  # fmt: skip
    limit: int | None = option(
        None, f"Show the first N per system. Default: {SHOWN} in text, all in other formats.",
        kind=int, metavar="N", least=0,
    )  # fmt: skip
    sample: int | None = option(
        None, "Show N errors per system, drawn at random.", kind=int, metavar="N", least=0
    )
    seed: int = option(0, "Random seed of --sample. Default: 0.", metavar="S", least=0)
    context: int = option(CONTEXT, "Characters of context around an error.", flag="", least=0)
    names: Sequence[str] | None = option(None, "Names of the systems.", flag="")


OPTIONS = (Study, ErrorOptions, Way, DataOptions)


@reads_data()
def errors(
    gold: Any,
    *systems: Any,
    each: Callable[[Instance], None] | None = None,
    **options: Any,
) -> Errors:
    """Every error of every system: type, labels, place, and the words in context.

    Takes data as `score` does. `metric` is any that judges single items; by default the first that
    fits of spans, arcs and tags. `types` (a beginning is enough: "BE"), `gold_labels`,
    `system_labels` ("none" where there is no label) and `sentences` (ids) choose. `limit` keeps the
    first ones of each system, `sample` draws that many of each at random; both still count all.
    `context` is how many characters around the error come along. With `each`, instances are handed
    to that function as they are found and not kept, for more errors than fit into memory.

    >>> found = errors([["B-PER", "O", "B-LOC"]], [["B-PER", "O", "B-ORG"]])
    >>> [(e.type, e.gold_label, e.system_label, e.gold_item.first) for e in found]
    [('LE', 'LOC', 'ORG', 3)]
    """
    records = stream_errors(gold, *systems, **options)
    kept: list[Instance] = []
    for instance in records:
        (each or kept.append)(instance)
    found: Errors = replace(records.result, instances=tuple(kept))
    return found


def stream_errors(gold: Any, *systems: Any, **options: Any) -> Records:
    """The same, one error after another."""
    rest = dict(options)
    way, reading = take(Way, rest), take(Study, rest)
    own = fill(ErrorOptions, rest, verb="errors", others=OPTIONS)
    if own.limit is not None and own.sample is not None:
        raise UsageError("'limit' and 'sample' cannot be combined; give one of them")
    study = Study.of(
        gold,
        systems,
        names=own.names,
        defaults=error_metrics,
        also=frozenset({"comments", "misc"}),
        **reading,
    )
    check_items(study)
    wanted: list[Any] = [own.types, own.gold_labels, own.system_labels, own.sentences]
    search = Search(
        Filters(*((each,) if isinstance(each, str) else tuple(each) for each in wanted)),
        most=own.limit if own.sample is None else own.sample,
        seed=None if own.sample is None else own.seed,
        context=own.context,
        lazy=way.get("jobs", 1) == 1 and way.get("executor") is None,
    )
    blocks = partial(example_blocks, several=len(study.systems) > 1)
    return Records(_found(study, search, way), COLUMNS, blocks, study.systems)


def _found(study: Study, search: Search, way: dict[str, Any]) -> Generator[Instance, None, Errors]:
    """The instances of all files, and what else is known of them.

    Of a sample, those with the smallest random numbers are taken: so no more than are wanted of
    each system are kept, however many files there are.
    """
    progress = way.pop("progress", None)
    shown = dict.fromkeys(study.systems, 0)
    best: dict[str, list[_Draw]] = {name: [] for name in study.systems}
    place = count()
    parts: list[FileErrors] = []
    for found in chain.from_iterable(walk(study, search, must_agree=False, **way)):
        parts.append(replace(found, instances=(), draws=()))
        if found.fitted != parts[0].fitted:
            raise LayerError(
                f"a file of '{found.system}' has different layers than earlier files: "
                f"{found.fitted!r} fits it, {parts[0].fitted!r} the rest",
                help="'--metric' chooses one that fits all",
            )
        if search.seed is not None:
            drawn = zip(found.draws, place, found.instances, strict=False)
            ranked = sorted([*best[found.system], *drawn], key=lambda draw: draw[:2])
            best[found.system] = ranked[: search.most]
        else:
            room = None if search.most is None else search.most - shown[found.system]
            for instance in islice(found.instances, room):
                yield instance
                shown[found.system] += 1
        if progress is not None:
            progress(len(parts), len(study.shards) * len(study.systems))
    for _, _, instance in sorted(chain(*best.values()), key=lambda draw: draw[1]):
        yield instance
        shown[instance.system] += 1
    return _added_up(study, parts, shown, search)


def _added_up(
    study: Study,
    parts: Sequence[FileErrors],
    shown: Mapping[str, int],
    search: Search,
) -> Errors:
    metric, fitted = repr(parts[0].metric), parts[0].fitted
    of = {name: [part for part in parts if part.system == name] for name in study.systems}
    known = sorted(union(part.labels for part in parts))
    notes = [note for part in parts for note in part.notes]
    for name, files in of.items():
        notes += Lost.added([part.lost for part in files]).notes(name, study.gold)
    if study.metrics is None and any(part.unfiltered for part in parts):
        notes += filter(None, [why_not_scored(fitted, "errors")])
    for what, name in sorted(frozenset.intersection(*(part.unmet for part in parts))):
        near = _near(name, known, fitted) if what == "label" else ""
        notes.append(f"there is no {what} '{name}' in these files.{near}".removesuffix("."))
    return Errors(
        gold=study.gold,
        metric=metric,
        signatures={
            name: signature_of(fitted, union(part.facts for part in files), study)
            for name, files in of.items()
        },
        instances=(),
        counts={name: summed(part.counts for part in files) for name, files in of.items()},
        unfiltered={name: summed(part.unfiltered for part in files) for name, files in of.items()},
        coverage={name: summed(part.coverage for part in files) for name, files in of.items()},
        shown=shown,
        seed=search.seed,
        notes=tuple(dict.fromkeys(notes)),
        has_items=has_items(fitted),
        types=family_of(fitted).types,
        limited=search.most is not None,
    )


def _near(label: str, known: Sequence[str], metric: Metric) -> str:
    """A label that may have been meant: subtypes (what follows a colon) often do not count."""
    base = label.partition(":")[0]
    if base != label and base in known:
        found = f" Labels are compared without subtypes: '{base}' includes them"
        if "subtypes" in metric.parameters():
            found += f"; {metric.id}(subtypes=yes) keeps them"
        return found
    return suggestion(label, known)


def _check_files(files: Sequence[Any]) -> None:
    if len(files) == 1:
        raise UsageError(
            f"there is no system to compare with '{files[0]}'", help=alone_help(files[0], "errors")
        )


def _prepare(given: dict[str, Any], look: LongLook) -> dict[str, Any]:
    if len(metrics := given.get("metric", ())) > 1:
        raise UsageError(
            f"errors are listed for one metric; '--metric' was given {len(metrics)} times"
        )
    named = [name for name in ("limit", "sample") if name in given]
    if look.all and named:
        raise UsageError(f"'--all' and '--{named[0]}' contradict each other")
    most = None if named else look.usual(SHOWN)
    return given if most is None else {**given, "limit": most}


VERB = Verb(
    "errors",
    errors,
    """Show the errors of systems in their sentences, with both sides marked.

    GOLD and each SYSTEM are given as for 'tertium score'. Errors come from the same decisions as
    the score of the metric. --format json writes one object per line.

    \b
    tertium errors gold.bio system.bio --gold-label ORG --system-label LOC
    tertium errors gold.conllu a.conllu --type attachment --limit 20
    tertium errors gold.bio system.bio --output errors.jsonl
    """,
    arguments="GOLD SYSTEM...",
    options=OPTIONS,
    look=LongLook,
    without=frozenset({"by", "lexicon"}),
    words={
        "metric": "A metric that judges single items, such as {LAS}. Default: one that fits the "
        "layers present.",
    },
    check=_check_files,
    suffixes={".jsonl": "json", ".ndjson": "json"},
    prepare=_prepare,
    stream=stream_errors,
    cite=("ortmann-2022-fine",),
)
