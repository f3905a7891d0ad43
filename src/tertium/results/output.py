"""What every verb gives back: data for JSON and CSV, a frame, and blocks for all other formats."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

from tertium.display import Display, frame_of
from tertium.exceptions import UsageError, Verdict, refuse, suggestion, unknown
from tertium.options import OUTPUT, option, options_of, take

if TYPE_CHECKING:
    import polars as pl

    from tertium.results.blocks import Block, Table
    from tertium.results.blocks.pages import Page

SECTION, PART, VALUE, TEXT = "section", "part", "value", "text"
NUMBER, LONG = "number", "long"
Rows = list[dict[str, Any]]
PAGE_ROWS = 2000  # of a table on a page
REMARKS = ("reason", "warning")  # texts about a number, which do not say what it is of


@dataclass(frozen=True)
class Look:
    """What is shown of a result, and how: the format, and what text may use. A verb adds fields of
    its own."""

    option_group: ClassVar[str] = OUTPUT

    format: str = "text"
    width: int = 80
    color: bool = False
    ascii: bool = False
    title: str | None = option(
        None, "Title of an HTML page or a figure. Default: none for figures.", metavar="TEXT",
    )  # fmt: skip
    ids: bool = option(False, "Show metric ids, such as {LAS}, instead of names.")
    digits: int | None = option(
        None, "Decimal places of scores and differences, except in JSON and CSV. Default: 2.",
        kind=int, metavar="N", least=0, most=10,
    )  # fmt: skip
    caption: str | None = option(
        None, "Caption of the first LaTeX table. Default: a short description of the data.",
        metavar="TEXT",
    )  # fmt: skip
    label: str | None = option(
        None, "Label of the first LaTeX table, for \\ref; further tables are numbered.",
        metavar="NAME",
    )  # fmt: skip
    short: bool = option(False, "Abbreviate signatures, except in JSON and CSV.")
    safe_csv: bool = option(
        False, "In CSV, put ' before text that a spreadsheet would run as a formula, and escape "
        "control characters.",
    )  # fmt: skip

    @property
    def is_text(self) -> bool:
        """Is it for a terminal, where lines are short and a user can ask for more?"""
        return self.format == "text"

    @property
    def is_bare(self) -> bool:
        """Is nothing but the blocks of a result to be shown, for scripts?"""
        return False

    @property
    def draws(self) -> bool:
        """Can the format draw figures?"""
        return self.format in ("html", "svg")

    @classmethod
    def of(cls, format: str, shown: Mapping[str, Any]) -> Self:
        """What these keywords say; one that it does not have is refused."""
        known = {each.name for each in fields(cls)}
        for name in sorted(shown.keys() - known):
            raise UsageError(
                f"there is no option '{name}' for what is shown.{suggestion(name, sorted(known))}"
            )
        rest = dict(shown)
        return cls(**{"format": format, **take(cls, rest), **rest})

    def __post_init__(self) -> None:
        if not isinstance(self.width, int) or self.width < 1:
            raise UsageError(f"width must be a whole number above 0. Got {self.width!r} instead.")
        if self.label is not None and not re.fullmatch(r"[\w:.+/-]+", self.label):
            raise UsageError(
                f"'{self.label}' is not a valid LaTeX label",
                help="use letters, digits and : . _ - + /, such as tab:scores",
            )
        kind: Any = type(self)
        for name, declared in options_of(kind).items():
            declared.check(getattr(self, name))


@dataclass(frozen=True)
class LongLook(Look):
    """How a result is shown that may be long: text has the usual amount unless all is wanted."""

    all: bool = option(False, "Show all tables with all rows.")

    def usual(self, most: int) -> int | None:
        """How many of something are shown, None for all of them."""
        return most if self.is_text and not self.all else None

    def room(self, most: int) -> int | None:
        """How many rows of a table are shown, None for all of them: a page has room for many."""
        is_page = self.format == "html" and not self.all
        return max(most, PAGE_ROWS) if is_page else self.usual(most)

    def rest(self, left: int, noun: str = "") -> str:
        """What stands below a table for rows that are not shown."""
        from tertium.results.texts import rest_text

        return rest_text(left, is_text=self.format in ("text", "html"), noun=noun)

    def shortened(self, table: Table, most: int, noun: str = "") -> Table:
        """The table with the usual number of rows."""
        rows = table.rows[: self.room(most)]
        return replace(table, rows=rows, omitted=self.rest(len(table.rows) - len(rows), noun))


class Output(Display):
    """The result of a verb. Printed it is text, in a notebook tables and figures.

    - `look`: what says how it is shown
    - `no_figures`: why there is nothing to show as SVG
    - `is_drawing`: is it nothing but pictures of sentences, and notes?
    - `is_page`: is its HTML the interactive page?
    - `columns`: of a list of records (`records`), those of CSV
    """

    look: ClassVar[type[Look]] = Look
    no_figures: ClassVar[str] = ""
    is_drawing: ClassVar[bool] = False
    is_page: ClassVar[bool] = False
    columns: ClassVar[tuple[str, ...]] = ()

    @property
    def title(self) -> str:
        """What a page, a picture or a caption says about it."""
        return "Tertium"

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.in_short()}>"

    def summary(self) -> str:
        """The result in one sentence without a full stop, shown before everything else; empty
        where there is nothing to say."""
        from tertium.results.names import short_names, teller

        names = {**self.metric_names, **short_names(self.system_names)}
        return teller(names)(self.in_short())

    def in_short(self) -> str:
        """The same, with the texts of metrics."""
        return ""

    @property
    def system_names(self) -> Sequence[str]:
        """The systems, or A and B, which are shown without the endings of their files."""
        both = (getattr(self, side, "") for side in "ab")
        return tuple(getattr(self, "systems", filter(None, both)))

    @property
    def metric_names(self) -> Mapping[str, str]:
        """What tables call the metrics, by their texts."""
        return {}

    @property
    def caption(self) -> str:
        """What a table in a paper says about it."""
        return self.title

    def with_ids(self) -> Self:
        """The same with the ids of metrics in place of their names."""
        return self

    def to_dict(self) -> dict[str, Any]:
        """All there is, as the JSON output has it."""
        raise NotImplementedError

    def blocks(self, look: Any) -> list[Block]:
        """What is shown in every format but JSON and CSV."""
        raise NotImplementedError

    def select(self, look: Any) -> Output:
        """The part of it that is to be shown, also in JSON and CSV."""
        return self

    def records(self) -> Sequence[Any] | None:
        """Where the result is a list: what JSON has one a line and CSV one a row. Each record has
        `to_dict` and `to_row`."""
        return None

    def page(self) -> Page | None:
        """The interactive page, where there is one."""
        return None

    def notices(self, look: Any) -> list[str]:
        """What a user must know and this format has no place for: the shell prints it beside."""
        return []

    def verdicts(self) -> list[Verdict]:
        """What was found about every gate that was asked for."""
        return []

    def check(self) -> None:
        """Raise GateError, naming every offence, if a gate that was asked for is not met."""
        refuse(self.verdicts())

    def to_rows(self) -> list[dict[str, Any]]:
        """What CSV holds: the flattened dictionary, one number per row, or records."""
        records = self.records()
        return flat_rows(self.to_dict()) if records is None else [r.to_row() for r in records]

    def frames(self) -> Mapping[str, Callable[[], Rows]]:
        """Its tables as rows, by the names that `to_frame` takes, the usual one first."""
        return {LONG: self.to_rows}

    def to_frame(self, table: str = "") -> pl.DataFrame:
        """A table of it as a polars data frame; "long" has all numbers, one per row, as CSV."""
        known = self.frames()
        if table and table not in known:
            raise unknown("table", table, known)
        table = table or next(iter(known))
        rows = known[table]()
        is_long = known[table] == self.to_rows
        return frame_of(rows, columns_of(rows) if is_long else ())


@dataclass
class Records:
    """A result that is a list, while it is found: for more records than fit into memory.

    - `each`: gives the records and returns the `result`, which has all but them
    - `columns`: those of CSV
    - `blocks`: what text shows of records; one block may hold several
    - `systems`: whose records they are
    """

    each: Generator[Any, None, Output]
    columns: tuple[str, ...]
    blocks: Callable[[Iterable[Any]], Iterable[Block]]
    systems: Sequence[str] = ()
    result: Any = None

    def __iter__(self) -> Iterator[Any]:
        self.result = yield from self.each


def record(
    thing: Any, *, first: Sequence[str] = (), names: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """The fields of a dataclass for JSON (`plain_data`): all that have no default, others where
    they differ from it.

    `first` come first, whatever they are; `names` are other names of some.

    >>> record(Look(width=60, ascii=True), first=["format"], names={"width": "columns"})
    {'format': 'text', 'columns': 60, 'ascii': True}
    """
    declared = {each.name: each for each in fields(thing)}
    found: dict[str, Any] = {}
    for name in dict.fromkeys((*first, *declared)):
        value, default = getattr(thing, name), declared[name].default
        if name in first or default is MISSING or value != default:
            found[(names or {}).get(name, name)] = plain_data(value)
    return found


def plain_data(value: Any) -> Any:
    """The same for JSON: tuples become lists, results within it what their own `to_dict` says or,
    without one, records."""
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if is_dataclass(value) and not isinstance(value, type):
        return record(value)
    if isinstance(value, Mapping):
        return {key: plain_data(each) for key, each in value.items()}
    return [*map(plain_data, value)] if isinstance(value, tuple) else value


def columns_of(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Names of columns in order of appearance; the part and its value, or text, come last."""
    found = dict.fromkeys(name for row in rows for name in row)
    last = [name for name in (PART, VALUE, TEXT) if name in found]
    return [*(name for name in found if name not in last), *last]


def picked(entries: Iterable[Mapping[str, Any]], *names: str) -> list[dict[str, Any]]:
    """Entries with these keys alone, as far as they have them."""
    return [{name: each[name] for name in names if name in each} for each in entries]


def flat_rows(data: Mapping[str, Any]) -> list[dict[str, Any]]:
    """A nested dictionary as rows of one number each.

    The texts of an entry in a list, and the keys of a dictionary of dictionaries, say what a number
    is about and are columns of their own; entries that no text tells apart are numbered. `section`
    is the path to the entry, `part` the path to the number inside it. What is a text and no number
    is in the column `text`, so that `value` holds numbers alone; true is 1, false 0.

    >>> entry = {"system": "a", "parts": {"f1": 0.5}, "labels": {"N": {"f1": 1.0}}}
    >>> for row in flat_rows({"units": 2, "scores": [entry]}):
    ...     print(row)
    {'section': '', 'part': 'units', 'value': 2}
    {'section': 'scores', 'system': 'a', 'part': 'parts.f1', 'value': 0.5}
    {'section': 'scores.labels', 'system': 'a', 'label': 'N', 'part': 'f1', 'value': 1.0}
    """
    return [*map(_numeric, _entry_rows(data, {}, "", ()))]


def _numeric(row: dict[str, Any]) -> dict[str, Any]:
    """A row with a number, or nothing, as its value."""
    value = row[VALUE]
    if isinstance(value, str):
        return {**row, VALUE: None, TEXT: value}
    return {**row, VALUE: int(value)} if isinstance(value, bool) else row


def _entry_rows(
    entry: Mapping[str, Any], about: Mapping[str, Any], section: str, names: Collection[str]
) -> Iterator[dict[str, Any]]:
    """Rows of an entry; `names` are the keys that say what it is about."""
    mine = {_free(key, section, about): entry[key] for key in names if key in entry}
    rest = {key: value for key, value in entry.items() if key not in names}
    if mine and not rest:  # all texts, such as letters of a system
        yield {SECTION: section, **about, **mine, PART: "", VALUE: None}
    yield from _part_rows(rest, {**about, **mine}, section, "")


def _part_rows(
    data: Mapping[str, Any], about: Mapping[str, Any], section: str, prefix: str
) -> Iterator[dict[str, Any]]:
    for key, value in data.items():
        part = f"{prefix}{key}"
        inner = f"{section}.{part}" if section else part
        if isinstance(value, Mapping):
            if value and all(isinstance(each, Mapping) for each in value.values()):
                column = _free(_singular(key), inner, about)
                for name, each in value.items():
                    yield from _entry_rows(each, {**about, column: name}, inner, ())
            else:
                yield from _part_rows(value, about, section, f"{part}.")
        elif isinstance(value, list | tuple):
            if any(isinstance(each, Mapping) for each in value):
                yield from _list_rows(value, about, inner)
            else:
                yield from _value_rows(value, about, section, part)
        else:
            yield {SECTION: section, **about, PART: part, VALUE: value}


def _list_rows(
    entries: Sequence[Mapping[str, Any]], about: Mapping[str, Any], section: str
) -> Iterator[dict[str, Any]]:
    """Rows of a list of entries, numbered from 0 unless their texts tell them apart."""
    texts = dict.fromkeys(k for e in entries for k, v in e.items() if isinstance(v, str))
    names = [name for name in texts if name not in REMARKS]
    told = {repr([each.get(name) for name in names]) for each in entries}
    column = _free(NUMBER, section, about)
    for number, each in enumerate(entries):
        here = {**about, column: number} if not names or len(told) < len(entries) else about
        yield from _entry_rows(each, here, section, names)


def _value_rows(
    values: Sequence[Any], about: Mapping[str, Any], section: str, part: str
) -> Iterator[dict[str, Any]]:
    """Rows of a list of numbers or texts, numbered from 0, and of lists in it."""
    for number, value in enumerate(values):
        if isinstance(value, list | tuple):
            yield from _value_rows(value, about, section, f"{part}.{number}")
        else:
            yield {SECTION: section, **about, PART: f"{part}.{number}", VALUE: value}


def _singular(key: str) -> str:
    """What one entry of a dictionary is called: `label` of `labels`, but `across` of `across`."""
    return key if key.endswith("ss") else key.removesuffix("s")


def _free(key: str, section: str, about: Mapping[str, Any]) -> str:
    """A name of a column that nothing further out has."""
    taken = {*about, SECTION, PART, VALUE}
    names = (key, f"{section.rpartition('.')[2]}.{key}", f"{section}.{key}")
    return next(name for name in names if name not in taken)
