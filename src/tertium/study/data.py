"""What Python programs have at hand, as gold and systems: one table with both sides, systems in a
dictionary, spaCy's examples, label ids, the output of a pipeline."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from os import PathLike
from typing import Any, ParamSpec, TypeVar

from tertium.corpus.corpus import Corpus
from tertium.exceptions import UsageError
from tertium.formats.label_ids import tags_of_ids
from tertium.formats.objects import as_lists, is_frame, or_lists, token_records
from tertium.formats.record_keys import TEXT, TOKENS, record_of
from tertium.formats.sources import Source
from tertium.formats.spacy_docs import is_example
from tertium.formats.span_lists import SpanLists, are_span_lists, is_pipeline
from tertium.formats.tables import pick_columns
from tertium.options import option, take
from tertium.study.sides import Runs

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True)
class DataOptions:
    """How Python objects become gold and systems."""

    gold: str | None = option(
        None, "Where one data frame or list of dictionaries holds both sides: the column of gold.",
        flag="",
    )  # fmt: skip
    systems: str | Sequence[str] | None = option(
        None, "In the same case, the columns of the systems: a name or a list of names.", flag=""
    )
    id2label: Any = option(
        None, "Names of label ids, as a dictionary or a list; {key: names} for dictionaries with "
        "several keys of ids.",
        flag="",
    )  # fmt: skip
    ignore: int | None = option(
        -100, "The label id of positions in gold that do not count, such as special tokens.",
        flag="", kind=int,
    )  # fmt: skip


def reads_data(sides: int | None = None) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Let a verb take all that `DataOptions` describes. `sides` is how many of its arguments are
    data; all by default."""

    def decorate(call: Callable[P, T]) -> Callable[P, T]:
        @wraps(call)
        def wrapped(*data: Any, **options: Any) -> T:
            own = DataOptions(**take(DataOptions, options))
            count = len(data) if sides is None else sides
            if sides is not None and own.gold is not None:
                count = 1  # one table; what follows is something else
            return call(*arranged(data[:count], own), *data[count:], **options)

        return wrapped

    return decorate


def arranged(data: Sequence[Any], asked: DataOptions) -> list[Any]:
    """Gold and systems, one by one, as `Study` takes them."""
    sides = [*data]
    if asked.gold is not None or asked.systems is not None:
        sides = _of_columns(sides, asked)
    elif len(sides) == 1 and isinstance(sides[0], Mapping):  # annotators, none of whom is gold
        sides = _named(sides[0])
    elif len(sides) == 1 and _are_examples(sides[0]):
        sides *= 2
    systems: list[Any] = []
    for system in sides[1:]:
        systems += _named(system) if isinstance(system, Mapping) else [system]
    sides = [*sides[:1], *systems]
    if asked.id2label is not None:
        sides = _with_labels(sides, asked)
    if all(isinstance(side, str | PathLike | Source | Corpus) for side in sides):
        return sides
    return _with_spans(sides)


def _are_examples(data: Any) -> bool:
    each = data if isinstance(data, list | tuple) else [data]
    return bool(each) and all(map(is_example, each))


def _named(systems: Mapping[Any, Any]) -> list[Any]:
    """Systems by name, each as one that ran once."""
    if TEXT in systems or TOKENS in systems:
        raise UsageError(
            "a single dictionary with 'tokens' or 'text' is one sentence",
            help="data is a list of such dictionaries; a dictionary of systems has names as keys",
        )
    if not systems:
        raise UsageError("the dictionary of systems is empty")
    for name in systems:
        if not isinstance(name, str) or not name:
            raise UsageError(f"the name of a system must be text. Got {name!r} instead.")
    return [
        data if isinstance(data, Runs) else Runs(name, (data,)) for name, data in systems.items()
    ]


# -- one table with both sides -----------------------------------------------------------------


def _of_columns(data: Sequence[Any], asked: DataOptions) -> list[Any]:
    """Gold and every system from columns of one table."""
    names = [asked.systems] if isinstance(asked.systems, str) else [*(asked.systems or ())]
    if asked.gold is None or not names:
        lacking = "gold" if asked.gold is None else "systems"
        raise UsageError(
            f"'{lacking}' is missing: name the columns of gold and of the systems",
            help="score(table, gold='gold', systems=['a', 'b'])",
        )
    if len(data) != 1:
        raise UsageError(
            f"gold and systems name columns of one table, but there are {len(data)} arguments",
            help="score(table, gold='gold', systems=['a', 'b'])",
        )
    gold, *systems = pick_columns(data[0], [asked.gold, *names], ids=asked.id2label is not None)
    return [gold, *(Runs(name, (each,)) for name, each in zip(names, systems, strict=True))]


# -- label ids and spans ---------------------------------------------------------------------


def _with_labels(sides: Sequence[Any], asked: DataOptions) -> list[Any]:
    """Names in place of label ids, every run of a system included."""
    flat: list[tuple[str, Any]] = []
    numbers = [""] if len(sides) == 2 else range(1, len(sides))
    usual = ["gold", *(f"system{number}" for number in numbers)]
    for name, side in zip(usual, sides, strict=False):
        if isinstance(side, Runs):
            flat += [(side.name, as_records(data)) for data in side.data]
        else:
            flat.append((name, as_records(side)))
    made = iter(tags_of_ids(flat, asked.id2label, asked.ignore))
    return [
        Runs(side.name, tuple(next(made) for _ in side.data))
        if isinstance(side, Runs)
        else next(made)
        for side in sides
    ]


def as_records(data: Any) -> Any:
    """Data sets and frames as dictionaries, one per sentence; the rest as it is."""
    found = (
        as_lists(data) if is_frame(data) or type(data).__module__.startswith("datasets") else data
    )
    if not is_frame(found):
        return found
    records = token_records(found, "the frame")
    return records if is_frame(records) else or_lists(records)


def _with_spans(sides: list[Any]) -> list[Any]:
    """The output of a pipeline with the texts of gold, and empty lists beside lists of spans as
    lists of spans."""
    gold, *systems = sides
    flat = [data for each in systems for data in (each.data if isinstance(each, Runs) else [each])]
    is_lists = _is_empty(gold) and any(map(are_span_lists, flat))
    return [SpanLists(gold) if is_lists else gold, *(_beside(system, gold) for system in systems)]


def _is_empty(data: Any) -> bool:
    """Is it a list of empty lists?"""
    return isinstance(data, list | tuple) and all(
        isinstance(each, list | tuple) and not each for each in data
    )


def _beside(system: Any, gold: Any) -> Any:
    if isinstance(system, Runs):
        return Runs(system.name, tuple(_beside(each, gold) for each in system.data))
    if _is_empty(system) and are_span_lists(gold):
        return SpanLists(system)
    if is_pipeline(system) or _is_empty(system):
        records = [record_of(each) for each in gold] if isinstance(gold, list | tuple) else []
        texts = [each.get(TEXT) for each in records if each is not None]
        if texts and len(texts) == len(system) and all(isinstance(each, str) for each in texts):
            return [
                {TEXT: text, "entities": found} for text, found in zip(texts, system, strict=True)
            ]
    return system
