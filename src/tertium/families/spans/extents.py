"""Where spans lie, in the atoms that gold and system share (see `Alignment`), and which atoms do
not count."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int32, Int64, bounds_of, ranges
from tertium.corpus.layers import Tags
from tertium.corpus.schemes import span_columns
from tertium.exceptions import LayerError
from tertium.families.base import which
from tertium.results.items import Items, occurrence

Bools = npt.NDArray[np.bool_]
PUNCT = ("keep", "form", "tag")
# Tags of punctuation: STTS, UPOS, Penn Treebank and some of the author's own (FairEval's list).
PUNCTUATION_TAGS = frozenset(
    "$. $, $( PUNCT PUNKT KOMMA COMMA KLAMMER . , : ( ) \" `` '' -LRB- -RRB- ‘ “ ’ ”".split()
)
_NOT_PARTS_OF_SPEECH = ("lemma", "feats")


@dataclass(frozen=True, eq=False)
class Extents:
    """First atom and end of each span, and for spans with gaps the atoms they cover.

    `gap_atoms[gap_bounds[i]:gap_bounds[i + 1]]` is empty for a span without gaps. `content` is 0
    for these, else a hash of the atoms: equal iff the token sets are.
    """

    start: Int64
    end: Int64
    gap_bounds: Int64
    gap_atoms: Int64
    content: Int64

    def __len__(self) -> int:
        return len(self.start)

    @property
    def identity(self) -> tuple[Int64, Int64, Int64]:
        """What tells one place from another, the same for every system."""
        return self.start, self.end, self.content

    def take(self, rows: Int64) -> Extents:
        """The chosen spans."""
        first, last = self.gap_bounds[rows], self.gap_bounds[rows + 1]
        return Extents(
            self.start[rows],
            self.end[rows],
            bounds_of(last - first),
            self.gap_atoms[ranges(first, last)],
            self.content[rows],
        )

    @classmethod
    def join(cls, parts: Sequence[Extents]) -> Extents:
        """Spans one after another."""
        bounds = bounds_of(np.concatenate([np.diff(part.gap_bounds) for part in parts]))
        start, end, atoms, content = (
            np.concatenate([getattr(part, name) for part in parts])
            for name in ("start", "end", "gap_atoms", "content")
        )
        return cls(start, end, bounds, atoms, content)


def atoms_of(spans: Items, start: Int64, end: Int64) -> tuple[Int64, Int64]:
    """First atom and end of each span, given the atoms of each token."""
    if not len(spans):
        return spans.start.astype(np.int64), spans.end.astype(np.int64)
    return start[spans.start], end[spans.end - 1]


@dataclass(frozen=True, eq=False)
class Omissions:
    """Stretches of atoms that do not count, in order and apart from one another."""

    start: Int64
    end: Int64

    def rank(self, atoms: Int64) -> Int64:
        """For each atom, its number when only those that count are numbered."""
        gone = np.concatenate([[0], np.cumsum(self.end - self.start)])
        before = np.searchsorted(self.end, atoms, side="right")
        # The stretch that an atom lies in is gone up to the atom.
        inside = np.append(self.start, np.iinfo(np.int64).max)[before]
        ranks: Int64 = atoms - gone[before] - np.maximum(atoms - inside, 0)
        return ranks

    def has(self, atoms: Int64) -> Bools:
        """Which atoms do not count."""
        return np.equal(self.rank(atoms + 1), self.rank(atoms))


def extents_of(spans: Items, start: Int64, end: Int64, dropped: Omissions | None = None) -> Extents:
    """Extents of spans, given the atoms of each token.

    With `dropped`, places are counted in the atoms that count, and a span of which nothing counts
    ends where it starts.
    """
    first, last = atoms_of(spans, start, end)
    bounds, atoms = np.zeros(len(first) + 1, np.int64), np.zeros(0, np.int64)
    gaps = np.zeros(len(first), np.bool_)
    if spans.tokens is not None:
        rows = np.flatnonzero(np.diff(spans.tokens.bounds) < spans.end - spans.start)
        gaps[rows] = True
        sets = spans.tokens.take(rows)
        tokens = sets.values + np.repeat(spans.start[rows], np.diff(sets.bounds))
        atoms = ranges(start[tokens], end[tokens])
        sizes = np.zeros(len(first), np.int64)
        owner = np.repeat(np.repeat(rows, np.diff(sets.bounds)), end[tokens] - start[tokens])
        np.add.at(sizes, owner, 1)
        bounds = bounds_of(sizes)
    if dropped is not None:
        counts = ~dropped.has(atoms)
        owner = np.repeat(np.arange(len(first)), np.diff(bounds))[counts]
        atoms = dropped.rank(atoms[counts])
        bounds = bounds_of(np.bincount(owner, minlength=len(first)))
        first, last = dropped.rank(first), dropped.rank(last)
    # A span with gaps reaches from the first of its tokens that are left to the last.
    left = gaps & (np.diff(bounds) > 0)
    first[left], last[left] = atoms[bounds[:-1][left]], atoms[bounds[1:][left] - 1] + 1
    last[gaps & ~left] = first[gaps & ~left]
    return Extents(first, last, bounds, atoms, contents(first, last, bounds, atoms))


def contents(
    first: Int32 | Int64, last: Int32 | Int64, bounds: Int64, atoms: Int32 | Int64
) -> Int64:
    """A hash of the atoms of each span that has gaps, 0 for all others."""
    content = np.zeros(len(first), np.int64)
    sizes = np.diff(bounds)
    for row in np.flatnonzero((sizes > 0) & (sizes < last - first)).tolist():
        digest = hashlib.blake2b(atoms[bounds[row] : bounds[row + 1]].tobytes(), digest_size=8)
        content[row] = int.from_bytes(digest.digest(), "little", signed=True)
    return content


def sides_of(
    ours: Items, theirs: Items, alignment: Alignment
) -> tuple[tuple[Items, Int64, Int64, Int32], ...]:
    """Of gold and of the system: the spans, the atoms of each token, and the unit of each span."""
    system = alignment.system_start, alignment.system_end
    return (
        (ours, alignment.gold_start, alignment.gold_end, ours.of_first(alignment.unit_of_gold)),
        (theirs, *system, theirs.of_first(alignment.unit_of_system)),
    )


def packed(key: Int64, column: Int64) -> Int64:
    """One integer for two; keys are numbered anew where there would be no room."""
    size = int(column.max(initial=0)) + 1
    if int(key.max(initial=0)) >= 2**62 // size:
        key = np.unique(key, return_inverse=True)[1].astype(np.int64)
    return key * size + column


@dataclass(frozen=True, eq=False)
class SpanKeys:
    """Integers for the spans of gold and system that are equal iff something of the spans is.

    - `range_`: first and last atom; `place`: the token set too; `full`: the label too
    """

    range_: tuple[Int64, Int64]
    place: tuple[Int64, Int64]
    full: tuple[Int64, Int64]


def keys_of(ours: Extents, theirs: Extents, gold_label: Int32, system_label: Int32) -> SpanKeys:
    """SpanKeys of all spans, gold and system."""
    start = np.concatenate([ours.start, theirs.start])
    end = np.concatenate([ours.end, theirs.end])
    content = np.concatenate([ours.content, theirs.content])
    range_ = packed(start, end - start)
    place = range_
    if content.any():
        place = packed(range_, np.unique(content, return_inverse=True)[1].astype(np.int64))
    full = packed(place, np.concatenate([gold_label, system_label]).astype(np.int64))
    cut = len(ours)
    return SpanKeys(*((key[:cut], key[cut:]) for key in (range_, place, full)))


def paired(gold: Int64, system: Int64) -> tuple[Int64, Int64]:
    """Rows of gold and system with the same key, each used once, in order."""
    both = packed(
        np.concatenate([gold, system]), np.concatenate([occurrence(gold), occurrence(system)])
    )
    _, at, partner = np.intersect1d(both[: len(gold)], both[len(gold) :], return_indices=True)
    return at.astype(np.int64), partner.astype(np.int64)


def overlap_groups(start: Int32 | Int64, end: Int32 | Int64) -> Int64:
    """A number for every span, the same for spans that overlap directly or through others; groups
    are numbered in the order of the text."""
    order = np.argsort(start, kind="stable")
    reach = np.maximum.accumulate(end[order])
    group = np.zeros(len(order), np.int64)
    group[order[1:]] = np.cumsum(start[order[1:]] >= reach[:-1])
    return group


def distinct(keys: Int64) -> Int64:
    """The first row of every distinct key, in order of rows."""
    return np.sort(np.unique(keys, return_index=True)[1]).astype(np.int64)


def row_of(wanted: Int64, keys: Int64, rows: Int64) -> Int64:
    """The row, among the given ones, that has each wanted key; -1 where none has."""
    order = rows[np.argsort(keys[rows], kind="stable")]
    if not len(order):
        return np.full(len(wanted), -1, np.int64)
    place = np.minimum(np.searchsorted(keys[order], wanted), len(order) - 1)
    return np.where(keys[order[place]] == wanted, order[place], -1)


def repeated(unit: Int32, rows: Int64, units: int) -> npt.NDArray[np.float64]:
    """How many spans of each unit repeat another one."""
    repeats = np.ones(len(unit), np.bool_)
    repeats[rows] = False
    return np.bincount(unit[repeats], minlength=units).astype(np.float64)


def punctuation(gold: Corpus, alignment: Alignment, punct: str, column: str) -> Omissions:
    """The atoms of gold tokens that are punctuation: by their words, or by a column of parts of
    speech beside the column of spans. Where neither side is gold, those that both sides have."""
    sides = [(gold, alignment.gold_start, alignment.gold_end)]
    if alignment.peer is not None:
        corpus, over = alignment.peer
        sides.append((corpus, over.system_start, over.system_end))
    found, lacking = [], []
    for corpus, start, end in sides:
        try:
            tokens = _punctuation(corpus, punct, column)
        except LayerError as error:  # a side that cannot tell does not decide
            lacking.append(error)
        else:  # words of a multiword token share its characters
            found.append(np.unique(ranges(start[tokens], end[tokens])))
    if not found:
        raise lacking[0]
    atoms = found[0] if len(found) == 1 else np.intersect1d(found[0], found[1])
    return Omissions(atoms, atoms + 1)


def _punctuation(gold: Corpus, punct: str, column: str) -> npt.NDArray[np.bool_]:
    """Which tokens are punctuation."""
    if punct == "tag":
        others = {column, *_NOT_PARTS_OF_SPEECH, *span_columns(gold)}
        there = [name for name in gold.of_kind(Tags) if name not in others]
        if not there:
            raise LayerError(
                f"{gold.origin} has no parts of speech to identify punctuation by",
                help="'punct=form' identifies it by the words; '--with FILE' adds a layer of tags",
            )
        labels = gold.layer("upos" if "upos" in there else there[0], Tags).labels
        return which(labels, PUNCTUATION_TAGS.__contains__)
    if gold.forms is None:
        raise LayerError(f"{gold.origin} has no words to identify punctuation by")
    return which(gold.forms, is_punctuation)


def is_punctuation(form: str) -> bool:
    """Does a word consist of punctuation alone (Unicode category P)?

    >>> is_punctuation("..."), is_punctuation("$"), is_punctuation("")
    (True, False, False)
    """
    return bool(form) and all(unicodedata.category(c).startswith("P") for c in form)
