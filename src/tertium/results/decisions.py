"""Decisions: one row per judged item. Scores, error lists, comparisons all come from these rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

import numpy as np
import numpy.typing as npt

from tertium.align.tokens import Alignment
from tertium.corpus.labels import Int32, Int64, Labels, Names, unite
from tertium.display import Tabular
from tertium.exceptions import UsageError
from tertium.results.items import Items, V, occurrence, of_partner

if TYPE_CHECKING:
    import polars

    from tertium.results.answers import Answers

CORRECT, WRONG, MISSING, EXTRA, EXCUSED = range(5)
OUTCOMES = ("correct", "wrong", "missing", "extra", "excused")
NO_LABEL = -1
_MARK = "marks."  # before the names of a metric's own columns
_PLACE = "place."  # before those that say where items are
_TEXTS = ("sentence", "text", "form")  # endings of those that are texts, not numbers

Bools = npt.NDArray[np.bool_]
Codes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]
Array = npt.NDArray[Any]
Lazy = Array | Callable[[], Array]
# A column in two pieces: that of the gold items that count, that of extra items; or, for the
# latter, one value for all.
Pieces = tuple[Array, Array | float]
A = TypeVar("A", bound=Array)


class LazyColumn(Generic[A]):
    """A column of decisions, computed on first use and then kept."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, rows: None, owner: type) -> LazyColumn[A]: ...
    @overload
    def __get__(self, rows: Decisions, owner: type) -> A: ...
    def __get__(self, rows: Decisions | None, owner: type) -> LazyColumn[A] | A:
        return self if rows is None else rows.column(self.name)


@dataclass(eq=False, repr=False)
class Decisions(Tabular):
    """The verdict on every item of one system, as columns.

    - `unit`: what is resampled (a sentence, a document); `units` says how many there are
    - `item`: a gold item's number; an extra item (what the system added) has a negative number
      made from its content, so the same addition by two systems is one item
    - `gold`, `system`: label codes into `names`, -1 for none
    - `answer`: one integer for everything in the system's answer that the metric looks at: two
      systems differ iff these do; 0 where the system has nothing
    - `outcome`: correct, wrong, missing, extra or excused (not what gold says, and no error);
      `error_type` why, as a code into `error_types`
    - `credit`: how right, from 0 to 1
    - `gold_row`, `system_row`: the item's number among the items of each side, -1 where that side
      has none: what an error looks like in its sentence. An extra item may have been compared with
      a gold item that already has a row of its own, a missing one with something of the system that
      does not count
    - `in_gold`, `in_system`: is the row an item of gold, is it one of the system?
    - `columns`: these by name, and further ones that the metric's own stats need (`marks`)
    - `unit_counts`: additive numbers per unit that have no items, such as complete sentences
    - `own_coverage`: what was scored and what is odd about it, where that is not simply the gold
      items and the tokens without a partner
    - `tell_one_way`: makes `one_way`
    - `gold_items`, `system_items`: the items of both sides; `alignment`: how they lie over each
      other
    - `is_graded`: may credit lie between 0 and 1?
    - `group`: the group of every row, where items are grouped (`--by`)
    - `lost`: units without rows because the system lacks them or has other words; None for none

    Columns are computed on first use: counting needs neither answers nor places.
    """

    unit = LazyColumn[Int32]()
    item = LazyColumn[Int64]()
    gold = LazyColumn[Int32]()
    system = LazyColumn[Int32]()
    answer = LazyColumn[Int64]()
    outcome = LazyColumn[Codes]()
    error_type = LazyColumn[Codes]()
    credit = LazyColumn[Floats]()
    gold_row = LazyColumn[Int64]()
    system_row = LazyColumn[Int64]()
    in_gold = LazyColumn[Bools]()
    in_system = LazyColumn[Bools]()

    columns: dict[str, Lazy]
    names: Names
    units: int
    error_types: tuple[str, ...] = ("none",)
    unit_counts: Mapping[str, Floats] = field(default_factory=dict)
    gold_items: Items | None = None
    system_items: Items | None = None
    alignment: Alignment | None = None
    is_graded: bool = False
    group: Labels | None = None
    own_coverage: Callable[[], Mapping[str, int]] | None = None
    tell_one_way: Callable[[], str] | None = None
    lost: Bools | None = None

    def column(self, name: str) -> Any:
        """A column by its name."""
        found = self.columns[name]
        if callable(found):
            found = self.columns[name] = found()
        return found

    @property
    def marks(self) -> dict[str, Array]:
        """The metric's own columns, by name."""
        names = [name for name in self.columns if name.startswith(_MARK)]
        return {name.removeprefix(_MARK): self.column(name) for name in names}

    def mark(self, name: str) -> Array | None:
        """One of the metric's own columns; None if there is none of that name."""
        found: Array | None = self.column(_MARK + name) if _MARK + name in self.columns else None
        return found

    @classmethod
    def of(
        cls,
        gold: Items,
        system: Items,
        alignment: Alignment,
        *,
        partner: npt.NDArray[np.integer[Any]],
        right: Bools,
        rows: Int64 | None = None,
        answered: Bools | None = None,
        excused: Pieces | None = None,
        extra: Int64 | None = None,
        met: Int64 | None = None,
        error: Pieces | None = None,
        error_types: tuple[str, ...] = ("none", "label", "missing", "extra"),
        labels: tuple[Names, Int32, Int32] | None = None,
        answer: Callable[[], Sequence[Array]] | None = None,
        identity: Callable[[], Sequence[Array]] | None = None,
        credit: Pieces | None = None,
        marks: Mapping[str, Pieces] | None = None,
        unit_counts: Mapping[str, Floats] | None = None,
        coverage: Callable[[], Mapping[str, int]] | None = None,
        judges_lost: bool = False,
    ) -> Decisions:
        """Decisions from a pairing of two sides' items.

        - `rows`: the gold items that count, in order; None for all. The following are of these:
        - `partner`: the system item each is compared with, -1 for none; `right`: is it right?
        - `answered`: does the partner count? None if every partner does. A gold item whose partner
          does not count is missing
        - `excused`: not what gold says, and no error
        - `extra`: the system items that are rows of their own; None for those that are nobody's
          partner. `met`: the gold item that each was compared with, -1 for none
        - `error`: why, as codes into `error_types`; by default the outcome, where the last type
          stands for the outcomes that have none of their own
        - `labels`: a joint vocabulary, and the codes of all items of each side; by default their
          labels
        - `answer`: of all system items, everything that the metric looks at, as columns that mean
          the same for every system; by default the label
        - `identity`: of all system items, what makes additions of two systems the same; by default
          place and label
        - `credit`: how right, where that is not simply whether
        - `judges_lost`: do rows of units count that the alignment lost? Else they are left out
        """
        from tertium.results.columns import Pairing, united

        made = Pairing(
            ours=gold,
            theirs=system,
            alignment=alignment,
            partner=partner,
            right=right,
            rows=rows,
            answered=partner >= 0 if answered is None else answered,
            excused=excused,
            chosen=extra,
            met=met,
            errors=error,
            types=len(error_types),
            labels=labels or united(gold.label, system.label),
            answers=answer,
            identity=identity,
            credits=credit,
        )
        columns: dict[str, Lazy] = {name: getattr(made, name) for name in _COLUMNS}
        columns |= {_MARK + name: partial(made.both, *p) for name, p in (marks or {}).items()}
        found = cls(
            columns,
            names=made.labels[0],
            units=alignment.units,
            error_types=error_types,
            unit_counts=unit_counts or {},
            gold_items=gold,
            system_items=system,
            alignment=alignment,
            is_graded=credit is not None,
            own_coverage=coverage,
            lost=None if judges_lost else alignment.lost,
        )
        return found if found.lost is None else found.take(np.flatnonzero(~found.lost[found.unit]))

    def __len__(self) -> int:
        return len(self.outcome)

    @cached_property
    def coverage(self) -> dict[str, int]:
        """What was scored, tokens without a partner, and whatever is odd."""
        own = {} if self.own_coverage is None else self.own_coverage()
        found = {"scored": int(self.in_gold.sum())}
        if self.alignment is not None and "unaligned" not in own:
            found |= self.alignment.coverage
        return {**found, **own}

    @cached_property
    def right(self) -> Bools:
        """Rows that are correct or excused."""
        return np.equal(self.outcome, CORRECT) | np.equal(self.outcome, EXCUSED)

    @cached_property
    def one_way(self) -> str:
        """What a reader must know where items would be paired otherwise if the sides changed
        places; empty if they would not."""
        return "" if self.tell_one_way is None else self.tell_one_way()

    def sides(self) -> tuple[Items, Items]:
        """The items of both sides, for those who must have them."""
        if self.gold_items is None or self.system_items is None:
            raise UsageError("these decisions do not record positions")
        return self.gold_items, self.system_items

    def take(self, rows: Int64, units: Int64 | None = None) -> Decisions:
        """The chosen rows. `units` are the units to be kept, rising and with those of all chosen
        rows among them; they are numbered anew. All are kept by default."""

        def picked(name: str) -> Array:
            found: Array = self.column(name)[rows]
            if name != "unit" or units is None:
                return found
            place = np.zeros(self.units, np.int32)
            place[units] = np.arange(len(units), dtype=np.int32)
            return place[found]

        kept: Any = slice(None) if units is None else units
        return self.changed(
            columns={name: partial(picked, name) for name in self.columns},
            units=self.units if units is None else len(units),
            unit_counts={name: each[kept] for name, each in self.unit_counts.items()},
            group=None if self.group is None else self.group.take(rows),
            lost=None if self.lost is None else self.lost[kept],
        )

    def with_marks(self, **marks: Lazy) -> Decisions:
        """The same rows with further columns of the metric's own."""
        return self.changed({_MARK + name: mark for name, mark in marks.items()})

    def with_places(self, places: Mapping[str, Lazy]) -> Decisions:
        """The same rows with further columns of `to_frame`: places and words of their items."""
        return self.changed({_PLACE + name: column for name, column in places.items()})

    def with_group(self, gold: Labels, system: Labels) -> Decisions:
        """The same rows, grouped by a property of each side's items: gold items by that of gold,
        extra ones by that of the system."""
        names, (ours, theirs) = unite(gold, system)
        mine, yours = self.of_items(ours, theirs)
        group = np.where(self.in_gold, mine, yours).astype(np.int32)
        return self.changed(group=Labels(names, group))

    def of_first(self, gold: npt.NDArray[V], system: npt.NDArray[V]) -> tuple[Array, Array]:
        """The same of the first token of each row's item, in columns of tokens."""
        ours, theirs = self.sides()
        return self.of_items(ours.of_first(gold), theirs.of_first(system))

    def of_items(self, gold: npt.NDArray[V], system: npt.NDArray[V]) -> tuple[Array, Array]:
        """What each row's item has in columns of items, by side; -1 where a side has no item."""
        return of_partner(gold, self.gold_row, -1), of_partner(system, self.system_row, -1)

    def changed(self, columns: Mapping[str, Lazy] | None = None, **others: Any) -> Decisions:
        """The same with some columns or attributes replaced."""
        return replace(self, columns={**self.columns, **(columns or {})}, **others)

    def per_unit(self, rows: Bools | None = None) -> Floats:
        """How many of the (masked) rows each unit has."""
        unit = self.unit if rows is None else self.unit[rows]
        return np.bincount(unit, minlength=self.units).astype(np.float64)

    def credit_per_unit(self, rows: Bools | None = None) -> Floats:
        """The sum of credits of each unit."""
        chosen: Any = slice(None) if rows is None else rows
        unit, credit = self.unit[chosen], self.credit[chosen]
        return np.bincount(unit, weights=credit, minlength=self.units).astype(np.float64)

    @staticmethod
    def join(systems: Iterable[Decisions], *, places: bool = False, **options: Any) -> Answers:
        """Systems side by side: what each says about every item. They are taken one by one.

        With `places`, where items stand is kept as well; `options` are those of
        `Collection.answers`.
        """
        from tertium.results.collection import Collection

        collected = Collection(places=places)
        for decisions in systems:
            collected.add(decisions)
        return collected.answers(**options)

    def to_frame(self) -> polars.DataFrame:
        """As a polars data frame with names instead of codes."""
        import polars

        def texts(names: Sequence[str | None], codes: Array) -> polars.Series:
            known = np.array([*names], dtype=object)
            return polars.Series(known[codes].tolist(), dtype=polars.String)

        labels = [*self.names, None]
        places = {
            name.removeprefix(_PLACE): polars.Series(
                self.column(name).tolist(),
                dtype=polars.String if name.endswith(_TEXTS) else polars.Int64,
            )
            for name in self.columns
            if name.startswith(_PLACE)
        }
        sentence = {name: places.pop(name) for name in [*places] if name == "sentence"}
        return polars.DataFrame(
            {
                "unit": self.unit,
                **sentence,
                "item": self.item,
                "gold": texts(labels, self.gold),
                "system": texts(labels, self.system),
                "outcome": texts(OUTCOMES, self.outcome),
                "error_type": texts(self.error_types, self.error_type),
                "credit": self.credit,
                **places,
                "answer": self.answer,
            }
        )

    def __repr__(self) -> str:
        return f"<Decisions: {len(self):,} items, {int(self.right.sum()):,} correct>"

    def __getstate__(self) -> dict[str, Any]:
        made = {name: self.column(name) for name in self.columns}
        gone = dict.fromkeys(("alignment", "own_coverage", "tell_one_way"))
        return {**self.__dict__, **gone, "columns": made}


_COLUMNS = [name for name, each in vars(Decisions).items() if isinstance(each, LazyColumn)]

# Odd 64-bit constants of splitmix64: multiplying and shifting spreads every input bit.
_MIX = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))


def fingerprint(*columns: npt.NDArray[np.generic]) -> Int64:
    """One integer per row for several integer columns; equal rows, equal integers, on any machine.

    Answers and extra items are identified this way, because the codes of labels differ between
    systems: pass `name_hashes(names)[codes]`, not codes.
    """
    state = np.zeros(len(columns[0]), np.uint64)
    for column in columns:
        state = (state ^ column.astype(np.int64).view(np.uint64)) * _MIX[0] + _MIX[2]
        state ^= state >> np.uint64(31)
        state *= _MIX[1]
        state ^= state >> np.uint64(27)
    return state.view(np.int64)


def extra_items(*columns: npt.NDArray[np.generic]) -> Int64:
    """Numbers for items that only the system has: negative, made from their content, of which the
    n-th repetition is another item."""
    code = fingerprint(*columns)
    return fingerprint(code, occurrence(code)) | np.int64(-(2**63))


def name_hashes(names: Names) -> Int64:
    """A 64-bit hash of each name, the same in every process, for `fingerprint`; one more, 0, for no
    name (-1)."""
    from tertium.corpus._kernels import hash_names

    found: Int64 = hash_names(names.blob, names.bounds).view(np.int64)
    return found
