"""`tertium.errors`: every error as an instance, from the same decisions as the score."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from tertium._version import __version__
from tertium.comparison.errors.findings import Filters, Findings
from tertium.comparison.errors.instances import COLUMNS, Instance
from tertium.exceptions import LayerError, UsageError, suggestion
from tertium.families.base import Metric, has_items, union
from tertium.families.family import error_metrics
from tertium.results.confusions import summed
from tertium.signature import Signature
from tertium.significance.score.counts import signature_of
from tertium.study.files import File, SystemFile
from tertium.study.judgement import Judgement
from tertium.study.study import FileOptions, Study, WalkOptions
from tertium.study.walk import walk, walk_options

if TYPE_CHECKING:
    import polars

CONTEXT = 200  # characters on either side
_NUMBERS = ("unit", "_line", "_first", "_last", "_start", "_end", "_head")
_Draw = tuple[float, tuple[int, int], Instance]  # random number, file and place, error


@dataclass(frozen=True, eq=False)
class FileErrors:
    """The errors of one system's file; those of several files add up.

    - `counts`: errors of each type that pass the filters; `unfiltered`: all errors
    - `unmet`: what the filters name that does not occur in the file, and `labels` that do
    - `instances`: those that are wanted, in the order of the text; `draws`: of a sample, each one's
      random number and place among the errors of the file
    """

    system: str
    metric: Metric
    fitted: Metric
    coverage: Mapping[str, int]
    facts: frozenset[str]
    notes: tuple[str, ...]
    counts: Mapping[str, int] = field(default_factory=dict)
    unfiltered: Mapping[str, int] = field(default_factory=dict)
    unmet: frozenset[tuple[str, str]] = frozenset()
    labels: frozenset[str] = frozenset()
    instances: Iterable[Instance] = ()
    draws: tuple[tuple[float, int], ...] = ()


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
            notes=(*file.notes, *fitted.remarks(file.gold, judged.corpus)),
        )
        if not has_items(fitted):
            why = f"{metric!r} judges no single items, so it has no errors to list"
            return replace(nothing, notes=(*nothing.notes, why))
        findings = Findings(judged, repr(metric))
        rows, unmet = findings.matching(self.filters), findings.unmet(self.filters)
        counts = findings.counts(rows)
        draws: tuple[tuple[float, int], ...] = ()
        if self.seed is None:
            rows = rows[: self.most]
        else:
            # Another sequence for each file, the same whatever process it is in.
            number = file.shard.number
            random = np.random.default_rng([self.seed, number] if number else self.seed)
            numbers = random.random(len(rows))
            places = np.sort(np.argsort(numbers, kind="stable")[: self.most])
            rows, draws = rows[places], tuple(zip(numbers[places], places.tolist(), strict=True))
        instances = findings.instances(rows.tolist(), self.context)
        return replace(
            nothing,
            counts=counts,
            unfiltered=findings.counts(findings.wrong),
            unmet=unmet,
            labels=frozenset(findings.decisions.names if unmet else ()),
            instances=instances if self.lazy else [*instances],
            draws=draws,
        )


def check_items(study: Study) -> None:
    """A set is not judged item by item; its members are."""
    if study.sets:
        text = next(iter(study.sets.values()))
        raise UsageError(
            f"{text} is a set of metrics, which have items of their own",
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
        f"{file.gold.origin} and {system.corpus.origin} share no layer that can be judged",
        help="'--columns' names the columns of a file, '--system-columns' those of the systems",
    )


class ErrorSample:
    """Errors drawn at random, `size` of each system.

    Every error gets a random number, and those with the smallest ones are taken. So no more than
    `size` instances per system are kept, however many files there are.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self.best: dict[str, list[_Draw]] = {}
        self.files = 0

    def add(self, found: FileErrors) -> None:
        """Let the errors of one more file take part."""
        best = self.best.setdefault(found.system, [])
        for (draw, place), instance in zip(found.draws, found.instances, strict=True):
            best.append((draw, (self.files, place), instance))
        best.sort(key=lambda draw: draw[:2])
        del best[self.size :]
        self.files += 1

    def instances(self) -> list[Instance]:
        """What was drawn, in the order in which it was met."""
        drawn = [draw for best in self.best.values() for draw in best]
        return [instance for _, _, instance in sorted(drawn, key=lambda draw: draw[1])]


@dataclass(frozen=True, eq=False)
class Errors:
    """The errors of one or more systems, as far as they were asked for.

    - `instances`: those that are shown, file by file, and within a file system by system
    - `counts`: how many errors of each type pass the filters, for every system; `unfiltered`: how
      many there are at all
    - `coverage`: what was judged, for every system; `signatures`: what decided it
    - `seed`: of the sample, None if there was no sampling
    - `has_items`: does the metric judge single items? Otherwise there is nothing to list
    """

    gold: str
    metric: str
    signatures: Mapping[str, Signature]
    instances: tuple[Instance, ...]
    counts: Mapping[str, Mapping[str, int]]
    unfiltered: Mapping[str, Mapping[str, int]]
    coverage: Mapping[str, Mapping[str, int]]
    shown: Mapping[str, int]
    seed: int | None = None
    notes: tuple[str, ...] = ()
    has_items: bool = True
    version: str = field(default=__version__)

    def __iter__(self) -> Iterator[Instance]:
        return iter(self.instances)

    def __len__(self) -> int:
        return len(self.instances)

    @property
    def systems(self) -> list[str]:
        """Names of systems in order."""
        return list(self.counts)

    @property
    def total(self) -> int:
        """How many errors pass the filters, shown or not."""
        return sum(sum(each.values()) for each in self.counts.values())

    def to_dict(self) -> dict[str, Any]:
        """Everything, with each instance as a line of the JSON output."""
        return {
            "tertium": self.version,
            "gold": self.gold,
            "metric": self.metric,
            "systems": [
                {
                    "system": name,
                    "errors": sum(self.counts[name].values()),
                    "types": dict(self.counts[name]),
                    "unfiltered": dict(self.unfiltered[name]),
                    "shown": self.shown[name],
                    "coverage": dict(self.coverage[name]),
                    "signature": str(self.signatures[name]),
                }
                for name in self.systems
            ],
            **({"seed": self.seed} if self.seed is not None else {}),
            **({"notes": list(self.notes)} if self.notes else {}),
            "instances": [instance.to_dict() for instance in self.instances],
        }

    def to_frame(self) -> polars.DataFrame:
        """The instances as a polars data frame, one row each, columns as in the CSV output."""
        import polars

        rows = [instance.to_row() for instance in self.instances]
        schema = {
            name: polars.Int64 if name.endswith(_NUMBERS) else polars.String for name in COLUMNS
        }
        return polars.DataFrame(rows, schema=schema)

    def __repr__(self) -> str:
        return f"<Errors: {len(self)} of {self.total:,} instances, {self.metric}>"


def errors(
    gold: Any,
    *systems: Any,
    metric: str | Metric | None = None,
    types: str | Sequence[str] = (),
    gold_labels: str | Sequence[str] = (),
    system_labels: str | Sequence[str] = (),
    sentences: str | Sequence[str] = (),
    limit: int | None = None,
    sample: int | None = None,
    seed: int = 0,
    context: int = CONTEXT,
    names: Sequence[str] | None = None,
    each: Callable[[Instance], None] | None = None,
    **reading: Unpack[FileOptions],
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
    for name, number in (("limit", limit), ("sample", sample), ("context", context)):
        if number is not None and number < 0:
            raise UsageError(f"{name} must not be negative. Got {number} instead.")
    if limit is not None and sample is not None:
        raise UsageError("limit takes the first errors, sample any; give one of them")
    way, options = walk_options(reading)
    study = Study.of(
        gold,
        systems,
        metric=metric,
        names=names,
        defaults=error_metrics,
        also=frozenset({"comments", "misc"}),
        **options,
    )
    check_items(study)
    search = Search(
        Filters(*map(_listed, (types, gold_labels, system_labels, sentences))),
        most=limit if sample is None else sample,
        seed=None if sample is None else seed,
        context=context,
        lazy=way.get("jobs", 1) == 1 and way.get("executor") is None,
    )
    kept: list[Instance] = []
    parts, shown = _hand_out(study, search, kept.append if each is None else each, way)
    return _added_up(study, parts, tuple(kept), shown, search.seed)


def _hand_out(
    study: Study, search: Search, take: Callable[[Instance], None], way: WalkOptions
) -> tuple[list[FileErrors], dict[str, int]]:
    """Hand the instances of all files to `take`. What else is known of each file, and how many
    instances of each system there were."""
    progress = way.pop("progress", None)
    shown = dict.fromkeys(study.systems, 0)
    drawn = None if search.seed is None else ErrorSample(search.most or 0)
    parts: list[FileErrors] = []
    for found in chain.from_iterable(walk(study, search, must_agree=False, **way)):
        parts.append(replace(found, instances=(), draws=()))
        if found.fitted != parts[0].fitted:
            raise LayerError(
                f"a file of '{found.system}' has other layers than what came before it: "
                f"{found.fitted!r} fits it, {parts[0].fitted!r} the others",
                help="'--metric' names what is to be looked at",
            )
        if drawn is not None:
            drawn.add(found)
        else:
            room = None if search.most is None else search.most - shown[found.system]
            for instance in islice(found.instances, room):
                take(instance)
                shown[found.system] += 1
        if progress is not None:
            progress(len(parts), len(study.shards) * len(study.systems))
    for instance in drawn.instances() if drawn is not None else ():
        take(instance)
        shown[instance.system] += 1
    return parts, shown


def _added_up(
    study: Study,
    parts: Sequence[FileErrors],
    instances: tuple[Instance, ...],
    shown: Mapping[str, int],
    seed: int | None,
) -> Errors:
    metric, fitted = repr(parts[0].metric), parts[0].fitted
    of = {name: [part for part in parts if part.system == name] for name in study.systems}
    known = sorted(union(part.labels for part in parts))
    notes = [note for part in parts for note in part.notes]
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
        instances=instances,
        counts={name: summed(part.counts for part in files) for name, files in of.items()},
        unfiltered={name: summed(part.unfiltered for part in files) for name, files in of.items()},
        coverage={name: summed(part.coverage for part in files) for name, files in of.items()},
        shown=shown,
        seed=seed,
        notes=tuple(dict.fromkeys(notes)),
        has_items=has_items(fitted),
    )


def _listed(given: str | Sequence[str]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given)


def _near(label: str, known: Sequence[str], metric: Metric) -> str:
    """A label that may have been meant: subtypes (what follows a colon) often do not count."""
    base = label.partition(":")[0]
    if base != label and base in known:
        found = f" Labels are compared without subtypes: '{base}' stands for all of its own"
        if "subtypes" in metric.parameters():
            found += f"; {metric.id}(subtypes=yes) keeps them"
        return found
    return suggestion(label, known)
