"""Columns of strings: each distinct string once, and one int32 code per row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, overload

import numpy as np
import numpy.typing as npt

Int32 = npt.NDArray[np.int32]
Int64 = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]

_MOST_BLANKS = 4


class Names(Sequence[str]):
    """Distinct strings, kept as UTF-8 in one block and decoded only when looked at.

    >>> names = Names.of(["a", "bc"])
    >>> len(names), names[1], names.find("bc"), names.find("x")
    (2, 'bc', 1, -1)
    """

    __slots__ = ("__dict__", "blob", "bounds")

    def __init__(self, blob: Bytes, bounds: Int64) -> None:
        self.blob = blob
        self.bounds = bounds

    @classmethod
    def of(cls, strings: Iterable[str]) -> Names:
        """From Python strings, which must be distinct."""
        encoded = [s.encode("utf-8", "surrogatepass") for s in strings]
        bounds = bounds_of([len(e) for e in encoded])
        return cls(np.frombuffer(b"".join(encoded), np.uint8), bounds)

    @cached_property
    def strings(self) -> list[str]:
        """All of them, decoded once."""
        data, bounds = self.blob.tobytes(), self.bounds.tolist()
        return [data[a:b].decode("utf-8", "surrogatepass") for a, b in pairwise(bounds)]

    def some(self, codes: npt.ArrayLike) -> list[str]:
        """The strings of some codes, without decoding the others."""
        chosen, data = np.asarray(codes, np.int64), self.blob.data
        ends = zip(self.bounds[chosen].tolist(), self.bounds[chosen + 1].tolist(), strict=True)
        return [str(data[a:b], "utf-8", "surrogatepass") for a, b in ends]

    @cached_property
    def _index(self) -> dict[str, int]:
        return {s: i for i, s in enumerate(self.strings)}

    def find(self, name: str) -> int:
        """The code of `name`, or -1; without decoding the others, if that was not done before."""
        if "_index" in self.__dict__ or len(self) < 1000:
            return self._index.get(name, -1)
        wanted = np.frombuffer(name.encode("utf-8", "surrogatepass"), np.uint8)
        codes = np.flatnonzero(np.diff(self.bounds) == len(wanted))
        for i, byte in enumerate(wanted):
            codes = codes[self.blob[self.bounds[codes] + i] == byte]
        return int(codes[0]) if len(codes) else -1

    def perhaps_with(self, prefix: str) -> Int64:
        """Codes of all strings that begin with a prefix, white space aside, and of a few others:
        those worth decoding to look for it."""
        wanted = prefix.encode("utf-8", "surrogatepass")
        padded = np.append(self.blob, np.zeros(len(wanted) + 1, np.uint8))
        first, last = self.bounds[:-1].copy(), self.bounds[1:]
        for _ in range(_MOST_BLANKS):
            first += (first < last) & (padded[first] <= ord(" "))
        # White space may be other than ASCII, or more of it.
        unclear = (first < last) & ((padded[first] <= ord(" ")) | (padded[first] >= 128))
        found = last - first >= len(wanted)
        for i, byte in enumerate(wanted):
            found &= padded[np.where(found, first + i, 0)] == byte
        return np.flatnonzero(found | unclear)

    def __len__(self) -> int:
        return len(self.bounds) - 1

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        return self.strings[index]

    def __iter__(self) -> Iterator[str]:
        return iter(self.strings)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Names):
            return NotImplemented
        return np.array_equal(self.bounds, other.bounds) and np.array_equal(self.blob, other.blob)

    def __hash__(self) -> int:
        return hash((len(self), self.blob.tobytes()))

    def __repr__(self) -> str:
        return f"Names({len(self)})"


def bounds_of(sizes: Sequence[int] | npt.NDArray[np.integer | np.bool_]) -> Int64:
    """Where stretches of these sizes begin that stand one after another, and where the last ends.

    >>> bounds_of([2, 0, 3]).tolist()
    [0, 2, 2, 5]
    """
    bounds = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes, out=bounds[1:])
    return bounds


def ranges(first: npt.NDArray[Any], last: npt.NDArray[Any]) -> Int64:
    """first[0]..last[0]-1, first[1]..last[1]-1, ... in one array.

    >>> ranges(np.array([5, 0]), np.array([7, 1])).tolist()
    [5, 6, 0]
    """
    sizes = last - first
    starts = np.cumsum(sizes) - sizes
    moved: Int64 = np.arange(int(sizes.sum()), dtype=np.int64) + np.repeat(first - starts, sizes)
    return moved


def joined(buf: Bytes, starts: npt.NDArray[Any], ends: npt.NDArray[Any]) -> tuple[Bytes, Int64]:
    """The byte strings between starts and ends one after another, and where each begins."""
    return buf[ranges(starts, ends)], bounds_of(ends - starts)


@dataclass(frozen=True, eq=False, slots=True)
class Labels:
    """A column of strings as codes into `names`. Two are equal when every row's string is.

    >>> Labels.of(["O", "B-X", "O"]).codes.tolist()
    [0, 1, 0]
    >>> Labels.of(["a", "b"]) == Labels(Names.of(["b", "a"]), np.array([1, 0], np.int32))
    True
    """

    names: Names
    codes: Int32

    @classmethod
    def of(cls, strings: Iterable[str]) -> Labels:
        """Intern Python strings in order of first occurrence."""
        index: dict[str, int] = {}
        codes = [index.setdefault(s, len(index)) for s in strings]
        return cls(Names.of(index), np.array(codes, np.int32))

    @classmethod
    def constant(cls, name: str, size: int) -> Labels:
        """The same string in every row."""
        return cls(Names.of([name]), np.zeros(size, np.int32))

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, row: int) -> str:
        return self.names[int(self.codes[row])]

    def where(self, name: str) -> Int64:
        """The rows that hold `name`."""
        code = self.names.find(name)
        return np.flatnonzero(self.codes == code) if code >= 0 else np.zeros(0, np.int64)

    def take(self, rows: npt.NDArray[np.generic]) -> Labels:
        """The rows chosen by a mask or by numbers."""
        return Labels(self.names, self.codes[rows])

    def to_list(self) -> list[str]:
        """All rows as Python strings."""
        names = self.names.strings
        return [names[c] for c in self.codes.tolist()]

    def counts(self) -> Int64:
        """How many rows have each name."""
        return np.bincount(self.codes, minlength=len(self.names)).astype(np.int64)

    def used_names(self) -> list[str]:
        """The names that occur in some row."""
        return self.names.some(np.flatnonzero(self.counts()))

    def is_constant(self, name: str) -> bool:
        """Does every row hold `name`? True for no rows."""
        if not len(self.codes):
            return True
        first = self.codes[0]
        return bool((self.codes == first).all()) and self.names[int(first)] == name

    def rename(self, mapping: Mapping[str, str]) -> Labels:
        """Other names for some strings; names that become equal are merged."""
        renamed = Labels.of(mapping.get(n, n) for n in self.names)
        return Labels(renamed.names, renamed.codes[self.codes])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Labels):
            return NotImplemented
        if len(self) != len(other):
            return False
        if self.names == other.names:
            return np.array_equal(self.codes, other.codes)
        _, (mine, theirs) = unite(self, other)
        return np.array_equal(mine, theirs)

    __hash__ = None  # type: ignore[assignment]


def unite(*columns: Labels) -> tuple[Names, list[Int32]]:
    """One vocabulary for several columns, and each column's codes in it.

    >>> names, (a, b) = unite(Labels.of(["x", "y"]), Labels.of(["y", "z"]))
    >>> list(names), a.tolist(), b.tolist()
    (['x', 'y', 'z'], [0, 1], [1, 2])
    """
    if not columns:
        return Names.of([]), []
    if all(c.names is columns[0].names for c in columns):
        return columns[0].names, [c.codes for c in columns]
    blob = np.concatenate([c.names.blob for c in columns])
    shifts = np.cumsum([0, *(len(c.names.blob) for c in columns)])
    starts, ends = (
        np.concatenate([c.names.bounds[part] + s for c, s in zip(columns, shifts, strict=False)])
        for part in (slice(None, -1), slice(1, None))
    )
    joint = interned(blob, starts, ends)
    sizes = np.cumsum([0, *(len(c.names) for c in columns)])
    return joint.names, [
        joint.codes[first:last][c.codes]
        for c, (first, last) in zip(columns, pairwise(sizes), strict=True)
    ]


def interned(buf: Bytes, starts: npt.NDArray[Any], ends: npt.NDArray[Any]) -> Labels:
    """The byte strings between starts and ends as a column, codes by first occurrence."""
    codes, firsts = _intern(buf, starts, ends)
    return Labels(Names(*joined(buf, starts[firsts], ends[firsts])), codes)


def _intern(buf: Bytes, starts: npt.NDArray[Any], ends: npt.NDArray[Any]) -> tuple[Int32, Int64]:
    """A code for every byte string, in order of first occurrence, and each code's first row."""
    from tertium.corpus._kernels import intern_rows

    # One type of each for all callers: the kernel is compiled once.
    buf = buf.view()
    buf.flags.writeable = False
    if len(buf) < 2**31:
        starts, ends = (np.ascontiguousarray(each, np.int32) for each in (starts, ends))
    codes = np.empty(len(starts), np.int32)
    firsts = np.empty(512, np.int64)
    known = np.empty((512, 3), np.int64)
    blob = np.empty(1 << 14, np.uint8)
    row, count, filled = 0, 0, 0
    while row < len(starts):
        table = np.full(2 * len(firsts), -1, np.int32)
        row, count, filled = intern_rows(
            buf, starts, ends, row, codes, table, firsts, known, blob, count, filled
        )
        if count == len(firsts):
            firsts, known = (
                np.concatenate([each, np.empty_like(each)]) for each in (firsts, known)
            )
        elif row < len(starts):
            room = len(blob) + int(ends[row] - starts[row])
            blob = np.concatenate([blob, np.empty(room, np.uint8)])
    return codes, firsts[:count].copy()


def concatenate(columns: Sequence[Labels]) -> Labels:
    """Columns one after another."""
    names, codes = unite(*columns)
    return Labels(names, np.concatenate(codes) if codes else np.zeros(0, np.int32))
