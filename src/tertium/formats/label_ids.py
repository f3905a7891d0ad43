"""Label ids, as models use them in place of names: arrays or lists of whole numbers, or scores of
all labels (logits), with names from `id2label`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import compress
from numbers import Integral, Real
from typing import Any

import numpy as np

from tertium.exceptions import InputError, UsageError, counted, shorten
from tertium.formats.record_keys import TOKENS, is_tag_key

NO_ID = int(np.iinfo(np.int64).min)  # where the scores of labels are not numbers
Ids = list[Any]  # one array of ids per sentence, or one list of tags
HELP = "label ids need the names of the labels: id2label={0: 'O', 1: 'B-PER', ...}"


class TagLists(list[Any]):
    """Lists of tags made of label ids; `note` says what was left out of them."""

    note = ""


def as_array(data: Any) -> Any:
    """A tensor as a numpy array, anything else as it is."""
    for method in ("detach", "cpu", "numpy"):
        if not isinstance(data, np.ndarray) and hasattr(data, "numpy") and hasattr(data, method):
            data = getattr(data, method)()
    return data


def ids_of(data: Any, name: str) -> Ids | None:
    """Ids of every sentence; None for data that holds no numbers. Of logits, the best label."""
    data = as_array(data)
    if isinstance(data, np.ndarray) and data.dtype.kind in "iuf":
        if data.ndim not in (2, 3) or (data.ndim == 2 and data.dtype.kind == "f"):
            shape = " x ".join(map(str, data.shape))
            raise InputError(
                f"{name}: an array of {shape} {data.dtype} is neither label ids nor logits",
                help="label ids are sentences x positions (whole numbers), logits sentences x "
                "positions x labels",
            )
        return [*(_best(data, name) if data.ndim == 3 else data)]
    if isinstance(data, str | Mapping) or not hasattr(data, "__len__"):
        return None
    rows = [_row(row, name) for row in data]
    numeric = [row is not None for row in rows]
    return rows if any(numeric) and all(numeric) else None


def _best(logits: Any, name: str) -> Any:
    """The label with the highest score at each position, `NO_ID` where a score is nan."""
    if not logits.shape[-1]:
        raise InputError(f"{name}: the logits have no labels", help="their last axis has length 0")
    best = logits.argmax(-1)
    return np.where(np.isnan(logits).any(-1), NO_ID, best) if logits.dtype.kind == "f" else best


def _row(row: Any, name: str = "data") -> Any:
    """The ids of one sentence, as an array; None for anything else."""
    row = as_array(row)
    if isinstance(row, np.ndarray) and row.dtype.kind == "O":
        row = row.tolist()
    if isinstance(row, list | tuple):
        if not row:
            return np.zeros(0, np.int64)
        whole = all(isinstance(each, Integral) and not isinstance(each, bool) for each in row)
        if whole and not all(abs(int(each)) < 2**63 for each in row):
            raise InputError(f"{name}: {max(row, key=abs)} is too large for a label id")
        row = np.array(row, np.int64) if whole else None
    if not isinstance(row, np.ndarray):
        return None
    if row.ndim == 2 and row.dtype.kind in "iuf":
        return _best(row, name)
    return row if row.ndim == 1 and row.dtype.kind in "iu" else None


def names_of(id2label: Any) -> dict[int, str]:
    """The name of every id.

    >>> names_of(["O", "B-PER"]), names_of({"0": "O"})
    ({0: 'O', 1: 'B-PER'}, {0: 'O'})
    """
    if isinstance(id2label, Sequence) and not isinstance(id2label, str):
        id2label = dict(enumerate(id2label))
    if not isinstance(id2label, Mapping) or not id2label:
        got = shorten(repr(id2label), 80)
        raise UsageError(f"id2label must be a dictionary or a list of labels. Got {got} instead.")
    try:
        names = {int(key): name for key, name in id2label.items()}
        if any(isinstance(key, Real) and key not in names for key in id2label):
            raise ValueError
    except (TypeError, ValueError, OverflowError):
        raise UsageError(
            "the keys of id2label must be label ids, which are whole numbers",
            help="a dictionary of labels and ids is label2id; turn it round",
        ) from None
    if len(names) < len(id2label):
        raise UsageError("two keys of id2label are the same label id")
    for key, name in names.items():
        if not isinstance(name, str) or not name:
            raise UsageError(f"id2label must name every label. Got {name!r} for {key} instead.")
    return names


def tags_of_ids(sides: Sequence[tuple[str, Any]], id2label: Any, ignore: int | None) -> list[Any]:
    """Gold and systems with names in place of ids. Positions that gold ignores are left out on all
    sides; data that holds no ids stays as it is, save for these positions."""
    by_key = any(isinstance(value, Mapping | list | tuple) for value in _values(id2label))
    names = {} if by_key else names_of(id2label)
    sides = [(name, _filled(name, data, ignore)) for name, data in sides]
    named = [_names_by_key(name, data, id2label, by_key) for name, data in sides]
    found = [None if by_key else ids_of(data, name) for name, data in sides]
    for (name, data), ids, keys in zip(sides, found, named, strict=True):
        if ids is None and not keys:
            _refuse_numbers(name, data)
    if not any(named) and all(ids is None for ids in found):
        raise UsageError(
            "id2label is given, but there are no label ids in the data",
            help="label ids are whole numbers, in lists or under a key such as 'ner_tags'",
        )
    kept = None if ignore is None else _kept(sides[0], found[0], [*named[0]], ignore)
    result: list[Any] = []
    for (name, data), ids, keys in zip(sides, found, named, strict=True):
        if keys:
            result.append(_renamed(name, _shortened(name, data, kept), keys))
        elif ids is not None:
            result.append(_tags(name, ids, names, kept))
        else:
            result.append(_masked(name, data, kept))
    left_out = sum(int((~row).sum()) for row in kept or ())
    if left_out:
        result[0].note = f"{counted(left_out, 'position')} with the label id {ignore} left out"
    return result


def _filled(name: str, data: Any, ignore: int | None) -> Any:
    """Masked arrays with the id to ignore wherever they are masked."""
    if isinstance(data, list | tuple) and any(isinstance(r, np.ma.MaskedArray) for r in data):
        return [_filled(name, row, ignore) for row in data]
    if not isinstance(data, np.ma.MaskedArray):
        return data
    if not np.ma.is_masked(data):
        return data.data
    if ignore is None or data.dtype.kind not in "iu":
        raise InputError(
            f"{name}: the array of {data.dtype} has a mask",
            help="only label ids may be masked, with an id to 'ignore'; array.data has no mask",
        )
    return np.ma.filled(data.astype(np.int64), ignore)


def _refuse_numbers(name: str, data: Any) -> None:
    """Refuse numbers in lists that are not label ids."""
    for number, row in enumerate(data if isinstance(data, list | tuple) else (), 1):
        row = row.tolist() if isinstance(row, np.ndarray) else row
        for place, each in enumerate(row if isinstance(row, list | tuple) else (), 1):
            if isinstance(each, Real):
                raise InputError(
                    f"{name}: tag {place} of sentence {number} is {each!r}, expected a label id",
                    help="label ids are whole numbers, and a side has label ids or tags throughout",
                )


def _kept(gold: tuple[str, Any], ids: Ids | None, keys: Sequence[str], ignore: int) -> Ids | None:
    """Of every sentence, which positions gold does not ignore, under all `keys` it has ids."""
    if ids is not None:
        return [row != ignore for row in ids]
    if not keys:
        return None
    name, data = gold
    rows = zip(*(_id_rows(name, data, key) for key in keys), strict=True)
    return [
        ~np.all([row == ignore for row in some], axis=0)
        if len({len(row) for row in some}) == 1
        else np.ones(len(some[0]), np.bool_)  # refused where it is read
        for some in rows
    ]


def _values(id2label: Any) -> Iterator[Any]:
    values = id2label.values() if isinstance(id2label, Mapping) else ()
    return iter(values)


def _tags(name: str, ids: Ids, names: Mapping[int, str], kept: Ids | None) -> TagLists:
    known = np.array([*names.values()], dtype=object)
    keys = np.array([*names], np.int64)
    order = np.argsort(keys)
    keys, known = keys[order], known[order]
    if kept is not None:
        _check_sizes(name, ids, kept)
    found = TagLists()
    for number, row in enumerate(ids):
        chosen = row if kept is None else row[kept[number]]
        place = np.minimum(keys.searchsorted(chosen), len(keys) - 1)
        wrong = np.flatnonzero(keys[place] != chosen)
        if len(wrong):
            at = int(wrong[0] if kept is None else np.flatnonzero(kept[number])[wrong[0]]) + 1
            where = f"{name}: position {at} of sentence {number + 1}"
            if int(chosen[wrong[0]]) == NO_ID:
                raise InputError(f"{where} has nan among the scores of labels")
            raise InputError(
                f"{where} has the label id {int(chosen[wrong[0]])}, which id2label does not name",
                help=f"id2label names {int(keys[0])} to {int(keys[-1])}; 'ignore' is the id of "
                "positions in gold to leave out",
            )
        found.append(known[place].tolist())
    return found


def _masked(name: str, data: Any, kept: Ids | None) -> Any:
    """Lists of tags beside gold that ignores positions, if they are there, without these."""
    if kept is None or isinstance(data, str | Mapping) or not isinstance(data, Sequence):
        return data
    if data and all(isinstance(row, Mapping) for row in data):
        return _shortened(name, data, kept)
    if not all(isinstance(row, list | tuple) for row in data):
        return data
    if [len(row) for row in data] == [int(row.sum()) for row in kept]:
        return data
    _check_sizes(name, data, kept)
    return [
        [tag for tag, is_kept in zip(row, mask, strict=True) if is_kept]
        for row, mask in zip(data, kept, strict=True)
    ]


def _check_sizes(name: str, rows: Sequence[Any], kept: Ids) -> None:
    if len(rows) != len(kept):
        raise InputError(f"gold has {len(kept):,} sentences, {name} has {len(rows):,}")
    for number, (row, mask) in enumerate(zip(rows, kept, strict=True), 1):
        if len(row) != len(mask):
            raise InputError(
                f"sentence {number} has {len(mask):,} positions in gold, {len(row):,} in {name}",
                help="pad or cut both sides in the same way",
            )


def id_keys(data: Any) -> list[str]:
    """The keys of dictionaries, one per sentence, that hold ids."""
    if not isinstance(data, Sequence) or isinstance(data, str):
        return []
    first = next((each for each in data if isinstance(each, Mapping)), {})
    return [
        key
        for key, value in first.items()
        if isinstance(key, str)
        and is_tag_key(key)
        and len(_row(value) if _row(value) is not None else ())
    ]


def _names_by_key(
    name: str, data: Any, id2label: Any, by_key: bool
) -> dict[str, Mapping[int, str]]:
    """The names of ids under the keys of dictionaries; nothing if the data is something else."""
    keys = id_keys(data)
    if not keys:
        return {}
    if by_key:
        lacking = [key for key in id2label if key not in keys]
        if lacking:
            raise UsageError(
                f"{name}: there are no label ids under '{lacking[0]}'",
                help=f"label ids are under {', '.join(keys)}",
            )
        return {key: names_of(each) for key, each in id2label.items()}
    if len(keys) > 1:
        listed = ", ".join(f"'{key}'" for key in keys)
        raise UsageError(
            f"{name}: {listed} hold label ids",
            help=f"say whose names these are: id2label={{'{keys[-1]}': [...]}}",
        )
    return {keys[0]: names_of(id2label)}


def _id_rows(name: str, data: Sequence[Any], key: str) -> Ids:
    """What dictionaries hold under a key of ids."""
    rows = [_row(record.get(key)) for record in data]
    if any(row is None for row in rows):
        number = next(n for n, row in enumerate(rows, 1) if row is None)
        raise InputError(f"{name}: '{key}' of sentence {number} does not hold label ids")
    return rows


def _shortened(name: str, data: Sequence[Any], kept: Ids | None) -> Sequence[Any]:
    """Dictionaries without the positions that gold ignores, unless they lack these already."""
    if kept is None or all(row.all() for row in kept):
        return data
    sizes = [
        next((v for k, v in each.items() if k == TOKENS or is_tag_key(k)), ()) for each in data
    ]
    if [*map(len, sizes)] == [int(row.sum()) for row in kept]:
        return data
    _check_sizes(name, sizes, kept)
    spans = next((k for each in data for k in ("spans", "entities", "ents") if each.get(k)), None)
    if spans is not None:
        raise InputError(
            f"{name}: positions cannot be left out beside '{spans}'",
            help="give dictionaries with tokens and tags alone",
        )
    return [
        {
            key: [*compress(value, mask)]
            if isinstance(value, list | tuple | np.ndarray) and len(value) == len(mask)
            else value
            for key, value in record.items()
        }
        for record, mask in zip(data, kept, strict=True)
    ]


def _renamed(name: str, data: Sequence[Any], named: Mapping[str, Mapping[int, str]]) -> TagLists:
    """Dictionaries with names in place of ids; keys of ids without names are left out."""
    nameless = {*id_keys(data)} - named.keys()
    found = TagLists({k: v for k, v in each.items() if k not in nameless} for each in data)
    for key, names in named.items():
        ids = _id_rows(name, found, key)
        for record, tags in zip(found, _tags(f"{name}, '{key}'", ids, names, None), strict=True):
            record[key] = tags
    return found
