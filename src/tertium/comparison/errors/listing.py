"""`tertium.errors`: every error as an instance, from the same decisions as the score."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any, Unpack

from tertium._version import __version__
from tertium.comparison.errors.findings import Filters
from tertium.comparison.errors.instances import COLUMNS, Instance
from tertium.comparison.errors.search import Sample, Search, Tally, check_items
from tertium.exceptions import LayerError, UsageError, suggestion
from tertium.families.base import Metric, has_items, union
from tertium.families.family import error_metrics
from tertium.results.confusions import summed
from tertium.signature import Signature
from tertium.significance.score.counts import signature_of
from tertium.study.study import FileOptions, Study
from tertium.study.walk import walk, walk_options

if TYPE_CHECKING:
    import polars

CONTEXT = 200  # characters on either side


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


_NUMBERS = ("unit", "_line", "_first", "_last", "_start", "_end", "_head")


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
    fits of spans, trees and tags. `types` (a beginning is enough: "BE"), `gold_labels`,
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
    progress = way.pop("progress", None)
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
    kept: list[Instance] = []
    take = kept.append if each is None else each
    shown = dict.fromkeys(study.systems, 0)
    drawn = None if sample is None else Sample(sample)
    tallies: list[Tally] = []
    search = Search(
        Filters(*map(_listed, (types, gold_labels, system_labels, sentences))),
        most=limit if sample is None else sample,
        seed=None if sample is None else seed,
        context=context,
        lazy=way.get("jobs", 1) == 1 and way.get("executor") is None,
    )
    every = walk(study, search, must_agree=False, **way)
    for found in (found for file in every for found in file):
        system = found.tally.system
        tallies.append(found.tally)
        if found.tally.fitted != tallies[0].fitted:
            raise LayerError(
                f"a file of '{system}' has other layers than what came before it: "
                f"{found.tally.fitted!r} fits it, {tallies[0].fitted!r} the others",
                help="'--metric' names what is to be looked at",
            )
        if drawn is not None:
            drawn.add(found)
        else:
            room = None if limit is None else limit - shown[system]
            for instance in islice(found.instances, room):
                take(instance)
                shown[system] += 1
        if progress is not None:
            progress(len(tallies), len(study.shards) * len(study.systems))
    for instance in drawn.instances() if drawn is not None else ():
        take(instance)
        shown[instance.system] += 1
    return _added_up(study, tallies, tuple(kept), shown, None if sample is None else seed)


def _added_up(
    study: Study,
    tallies: Sequence[Tally],
    instances: tuple[Instance, ...],
    shown: Mapping[str, int],
    seed: int | None,
) -> Errors:
    metric, fitted = repr(tallies[0].metric), tallies[0].fitted
    of = {name: [t for t in tallies if t.system == name] for name in study.systems}
    known = sorted(union(t.labels for t in tallies))
    notes = [note for t in tallies for note in t.notes]
    for what, name in sorted(frozenset.intersection(*(t.unmet for t in tallies))):
        near = _near(name, known, fitted) if what == "label" else ""
        notes.append(f"there is no {what} '{name}' in these files.{near}".removesuffix("."))
    return Errors(
        gold=study.gold,
        metric=metric,
        signatures={
            name: signature_of(fitted, union(t.facts for t in parts), study)
            for name, parts in of.items()
        },
        instances=instances,
        counts={name: summed(t.counts for t in parts) for name, parts in of.items()},
        unfiltered={name: summed(t.unfiltered for t in parts) for name, parts in of.items()},
        coverage={name: summed(t.coverage for t in parts) for name, parts in of.items()},
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
