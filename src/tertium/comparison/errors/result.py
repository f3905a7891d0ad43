"""The result of `errors`: a list of instances, and how many there are of each type."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from tertium._version import __version__
from tertium.comparison.errors.blocks import example_blocks, instance_table, pictures
from tertium.comparison.errors.instances import COLUMNS, Instance
from tertium.families.sets import headers_of
from tertium.results.blocks import Block, Cell, Column, Table, Text
from tertium.results.confusions import summed
from tertium.results.decisions import EXCUSED, OUTCOMES
from tertium.results.output import LongLook, Look, Output
from tertium.results.parts import ErrorType, legend
from tertium.results.signatures import signature_texts
from tertium.results.texts import counted, listed
from tertium.signature import Signature
from tertium.significance.score.coverage import coverage_text, system_coverage

if TYPE_CHECKING:
    import polars

SHOWN = 20  # errors of each system in text
MANY_TYPES, LONG_TYPE = 8, 15  # beyond these a table has a row for each type
_NUMBERS = ("unit", "_line", "_first", "_last", "_start", "_end", "_head")


@dataclass(frozen=True, eq=False)
class Errors(Output):
    """The errors of one or more systems, as far as they were asked for.

    - `instances`: those that are shown, file by file, and within a file system by system
    - `counts`: how many errors of each type pass the filters, for every system; `unfiltered`: how
      many there are at all
    - `coverage`: what was judged, for every system; `signatures`: what decided it
    - `seed`: of the sample, None if there was no sampling
    - `has_items`: does the metric judge single items? Otherwise there is nothing to list
    - `types`: what types of error mean; `limited`: was it said how many are kept?
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
    types: tuple[ErrorType, ...] = ()
    limited: bool = False
    version: str = field(default=__version__)

    look = LongLook
    no_figures = "errors are shown as a list, not as SVG"
    columns = COLUMNS

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

    @property
    def noun(self) -> str:
        """What is listed: errors, or differences if what is excused is among them."""
        excused = OUTCOMES[EXCUSED]
        return (
            "difference" if any(excused in each for each in self.unfiltered.values()) else "error"
        )

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

    def records(self) -> tuple[Instance, ...]:
        """The instances: JSON has one a line, CSV one a row."""
        return self.instances

    def to_frame(self, table: str = "long") -> polars.DataFrame:
        """The instances as a polars data frame, one row each, columns as in the CSV output."""
        import polars

        if table != "long":
            return Output.to_frame(self, table)

        schema = {
            name: polars.Int64 if name.endswith(_NUMBERS) else polars.String for name in COLUMNS
        }
        return polars.DataFrame(self.to_rows(), schema=schema)

    def __repr__(self) -> str:
        return f"<Errors: {len(self)} of {self.total:,} instances, {self.metric}>"

    @property
    def title(self) -> str:
        """What was looked through."""
        return f"Errors against {self.gold}"

    @property
    def metric_names(self) -> dict[str, str]:
        """What tables call the metrics, by their texts."""
        return headers_of([self.metric])

    def in_short(self) -> str:
        """How many errors there are, and which type is the most frequent."""
        if not self.has_items:
            return f"{self.metric} does not judge single items, so there are no errors to list"
        every = {name: sum(counts.values()) for name, counts in self.unfiltered.items()}
        if not any(every.values()):
            return f"{self._nothing().capitalize()} by {self.metric}"
        if self.total < sum(every.values()):
            whole = counted(sum(every.values()), self.noun)
            return f"{self.total:,} of {whole} by {self.metric} match the filters"
        if len(every) > 1:
            each = [f"{name} {counted(count, self.noun)}" for name, count in every.items()]
            return f"{listed(each)} by {self.metric}"
        types = self.counts[self.systems[0]]
        kind = max(types, key=lambda name: types[name])
        text = f"{self.systems[0]}: {counted(self.total, self.noun)} by {self.metric}"
        return text if len(types) == 1 else f"{text}, most often {kind} ({types[kind]:,})"

    def select(self, look: LongLook) -> Errors:
        """With no more errors of each system than text usually shows, unless it was said how many
        are wanted."""
        most = None if self.limited else look.usual(SHOWN)
        if most is None or not self.instances:
            return self
        of = {name: [e for e in self.instances if e.system == name][:most] for name in self.systems}
        kept = {id(each) for some in of.values() for each in some}
        return replace(
            self,
            instances=tuple(each for each in self.instances if id(each) in kept),
            shown={name: len(some) for name, some in of.items()},
        )

    def blocks(self, look: Look) -> list[Block]:
        """The errors, then how many there are. Text has each in its sentence, HTML those in arcs
        below a drawing of theirs; otherwise they are a table."""
        several = len(self.systems) > 1
        if look.is_text:
            left = self.total - sum(self.shown.values())
            rest = f"{counted(left, f'more {self.noun}')}; '--all' shows all" if left else ""
            return [*example_blocks(self.instances, several=several), *self._summary(rest)]
        drawn = [*pictures(self.instances)] if look.format == "html" else []
        if drawn or not self.instances:
            return [*drawn, *self._summary()]
        left = self.total - len(self)
        omitted = f"{left:,} more {'are' if left > 1 else 'is'} not shown" if left else ""
        first = "system" if several else ""
        return [instance_table(self.instances, first=first, omitted=omitted), *self._summary()]

    def notices(self, look: Look) -> list[str]:
        """What a list of data has no place for."""
        if look.format not in ("json", "csv"):
            return []
        found = [*self.notes]
        for name in self.systems:
            found.append(f"{name}: {coverage_text(self.coverage[name])}; {self.signatures[name]}")
        shown = sum(self.shown.values())
        if shown < self.total:
            found.append(f"{shown:,} of {counted(self.total, self.noun)} written")
        return found

    def _summary(self, rest: str = "") -> list[Block]:
        """How many errors there are of each type, how many are shown, and what decided it."""
        blocks: list[Block] = []
        if self.total:
            blocks.append(self._counts())
        elif self.has_items:
            blocks.append(Text(self._nothing()))
        blocks.append(Text(self.gold, role="gold"))
        blocks += [Text(line, role="coverage") for line in system_coverage(self.coverage)]
        blocks += [Text(rest)] if rest else []
        others = sum(sum(each.values()) for each in self.unfiltered.values()) - self.total
        if others and self.total:
            do = "does" if others == 1 else "do"
            blocks.append(
                Text(f"{counted(others, f'more {self.noun}')} {do} not match the filters")
            )
        if self.seed is not None:
            blocks.append(Text(f"drawn at random with seed {self.seed}"))
        blocks += [Text(note) for note in self.notes]
        signed = ((name, self.metric, each) for name, each in self.signatures.items())
        return [*blocks, *signature_texts(signed)]

    def _counts(self) -> Table:
        """One row per system, one column per type; how many are shown, if not all. Where there are
        many types, the other way round."""
        types = list(dict.fromkeys(t for each in self.counts.values() for t in each))
        partly = self.total != sum(self.shown.values())
        note, title = legend(types, self.types), f"{self.noun.capitalize()}s by type"
        if len(types) > MANY_TYPES or any(len(t) > LONG_TYPE for t in types):
            return replace(self._long_counts(types, partly, note), title=title)
        columns = [Column("system"), *(Column(t, kind="count") for t in types)]
        columns.append(Column(f"{self.noun}s", kind="count"))
        columns += [Column("shown", kind="count")] if partly else []
        rows: list[tuple[Cell, ...]] = []
        for name in self.systems:
            counts = self.counts[name]
            row: list[Cell] = [name, *(counts.get(t, 0) for t in types), sum(counts.values())]
            rows.append((*row, *([self.shown[name]] if partly else [])))
        return Table(tuple(columns), tuple(rows), title=title, note=note)

    def _long_counts(self, types: Sequence[str], partly: bool, note: str) -> Table:
        """One row per type, one column per system."""
        columns = [Column("type"), *(Column(name, kind="count") for name in self.systems)]
        counts = [self.counts[name] for name in self.systems]
        rows: list[tuple[Cell, ...]] = [(t, *(each.get(t, 0) for each in counts)) for t in types]
        rows.append(("(all)", *(sum(each.values()) for each in counts)))
        if partly:
            rows.append(("(shown)", *(self.shown[name] for name in self.systems)))
        return Table(tuple(columns), tuple(rows), note=note)

    def _nothing(self) -> str:
        """That there are no errors, or what there is besides what was asked for."""
        others = summed(self.unfiltered.values())
        if not others:
            was_judged = any(each["scored"] for each in self.coverage.values())
            return "no errors" if was_judged else "nothing was judged"
        there = ", ".join(f"{kind} {count:,}" for kind, count in others.items())
        whole = counted(sum(others.values()), self.noun)
        return f"no {self.noun}s match the filters; there are {whole}: {there}"
