"""Sentences paired by their words, in order, as diff pairs lines; forms are compared without what
treebanks write differently: brackets and quotation marks."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus, once
from tertium.corpus.labels import Int32, Int64, Labels, bounds_of, interned, joined, ranges, unite
from tertium.corpus.layers import Bools
from tertium.formats.trees.text import unescape

MOST_PAIRS = 2_000_000  # of equal sentences; with more, frequent ones take too long
_EDGES = slice(None, -1), slice(1, None)  # of bounds: where stretches begin, and where they end
_MARKS = str.maketrans(dict.fromkeys("“”„‟«»", '"') | dict.fromkeys("‘’‚‛`´", "'"))


def normal(form: str) -> str:
    r"""A form as it is compared: without white space, escapes and kinds of quotation marks.

    >>> normal("-LRB-"), normal("``"), normal("”"), normal("’s"), normal(r"1\/2"), normal("1 000")
    ('(', '"', '"', "'s", '1/2', '1000')
    """
    text = unescape("".join(form.split())).translate(_MARKS)
    return text.replace("''", '"')


def sentence_codes(corpora: Sequence[Corpus]) -> list[Int64]:
    """A number for every sentence, the same for sentences with the same characters. One without
    words has a number of its own."""
    blobs, bounds = [], []
    for corpus in corpora:
        assert corpus.forms is not None
        made = corpus.forms.rename({form: normal(form) for form in corpus.forms.names})
        edges = made.names.bounds
        text, at = joined(made.names.blob, edges[made.codes], edges[made.codes + 1])
        blobs.append(text)
        bounds.append(at[corpus.offsets])
    shifts = np.cumsum([0, *map(len, blobs)])
    moved = [each + shift for each, shift in zip(bounds, shifts, strict=False)]
    starts, ends = (np.concatenate([each[part] for each in moved]) for part in _EDGES)
    codes = interned(np.concatenate(blobs), starts, ends).codes.astype(np.int64)
    empty = starts == ends
    codes[empty] = -1 - np.arange(int(empty.sum()))
    return np.split(codes, np.cumsum([corpus.sentence_count for corpus in corpora])[:-1])


def matched(ours: Int64, theirs: Int64) -> Int64:
    """For each of ours the place of its partner among theirs, -1 for none; in order: a longest
    common subsequence or, if there are too many pairs, about that: frequent ones are then looked
    for between the others, or in halves."""
    found = np.full(len(ours), -1, np.int64)
    stretches = [(0, len(ours), 0, len(theirs))]
    while stretches:
        i, i_end, j, j_end = stretches.pop()
        head, tail = _same_ends(ours[i:i_end], theirs[j:j_end])
        found[i : i + head] = np.arange(j, j + head)
        found[i_end - tail : i_end] = np.arange(j_end - tail, j_end)
        i, i_end, j, j_end = i + head, i_end - tail, j + head, j_end - tail
        if i == i_end or j == j_end:
            continue
        pairs, is_all = _common(ours[i:i_end], theirs[j:j_end])
        pairs += (i, j)
        found[pairs[:, 0]] = pairs[:, 1]
        if not len(pairs) and not is_all:  # nothing is rare
            middle, other = (i + i_end) // 2, (j + j_end) // 2
            stretches += [(i, middle, j, other), (middle, i_end, other, j_end)]
        elif not is_all:
            edges = np.concatenate([[(i - 1, j - 1)], pairs, [(i_end, j_end)]])
            gaps = np.stack([edges[:-1] + 1, edges[1:]], axis=2).reshape(-1, 4)
            is_open = (gaps[:, 0] < gaps[:, 1]) & (gaps[:, 2] < gaps[:, 3])
            stretches += map(tuple, gaps[is_open].tolist())
    return found


def _same_ends(a: Int64, b: Int64) -> tuple[int, int]:
    """How many are the same at the beginning, and how many of the rest at the end."""
    size = min(len(a), len(b))
    head = int(np.append(a[:size] != b[:size], True).argmax())
    size -= head
    ends = a[len(a) - size :][::-1] != b[len(b) - size :][::-1]
    return head, int(np.append(ends, True).argmax())


def _common(a: Int64, b: Int64) -> tuple[Int64, bool]:
    """Places of a longest common subsequence (Hunt and Szymanski 1977), and whether all pairs were
    considered. What only leaves out some of the other is found without these."""
    if pairs := _contained(b.tolist(), a.tolist()):
        return np.array(pairs), True
    if pairs := _contained(a.tolist(), b.tolist()):
        return np.array(pairs)[:, ::-1], True
    order = np.argsort(b, kind="stable")
    first, last = (np.searchsorted(b[order], a, side) for side in ("left", "right"))
    counts = last - first
    ascending = np.sort(counts)
    cut = int(np.searchsorted(np.cumsum(ascending), MOST_PAIRS, side="right"))
    is_all = cut == len(counts)
    if not is_all:
        last = np.where(counts < ascending[cut], last, first)
    at = np.repeat(np.arange(len(a)), last - first)
    # Descending, so that none of ours has two partners.
    to = order[np.repeat(first + last - 1, last - first) - ranges(first, last)]
    rows = _rising(to.tolist())
    return np.stack([at[rows], to[rows]], axis=1).astype(np.int64), is_all


def _rising(places: list[int]) -> list[int]:
    """The rows of a longest list of places that rise.

    >>> _rising([3, 1, 2, 5, 4])
    [1, 2, 4]
    """
    ends: list[int] = []  # the least end of a rising list of every length
    last: list[int] = []  # and the row that it ends with
    before: list[int] = []
    for row, place in enumerate(places):
        size = bisect_left(ends, place)
        before.append(last[size - 1] if size else -1)
        ends[size : size + 1] = [place]
        last[size : size + 1] = [row]
    found = []
    row = last[-1] if last else -1
    while row >= 0:
        found.append(row)
        row = before[row]
    return found[::-1]


def _contained(some: list[int], every: list[int]) -> list[tuple[int, int]]:
    """Pairs of places in `every` and in `some`, if that only leaves out some of it; else none."""
    found: list[tuple[int, int]] = []
    rest = iter(enumerate(every))
    for place, value in enumerate(some):
        at = next((at for at, other in rest if other == value), None)
        if at is None:
            return []
        found.append((at, place))
    return found


def by_place(partner: Int64, count: int) -> Int64:
    """The same with what has no partner paired by number between two neighbours, where both sides
    have as many there; the other side has `count` in all.

    >>> by_place(np.array([0, -1, 2, -1, 5]), 6).tolist()
    [0, 1, 2, -1, 5]
    """
    ours = np.concatenate([[-1], np.flatnonzero(partner >= 0), [len(partner)]])
    theirs = np.concatenate([[-1], partner[partner >= 0], [count]])
    gaps = np.flatnonzero((np.diff(ours) == np.diff(theirs)) & (np.diff(ours) > 1))
    found = partner.copy()
    places = ranges(ours[gaps] + 1, ours[gaps + 1])
    found[places] = ranges(theirs[gaps] + 1, theirs[gaps + 1])
    return found


def with_forms_of(gold: Corpus, system: Corpus) -> tuple[Corpus, Bools]:
    """A corpus with as many sentences as gold, its forms written as gold writes them where they are
    the same but for that; and which sentences have the same tokens."""
    assert gold.forms is not None
    assert system.forms is not None
    names, (ours, theirs) = unite(gold.forms, system.forms)
    code: Int32 = Labels.of(map(normal, names)).codes
    same = np.diff(gold.offsets) == np.diff(system.offsets)
    mine = ranges(gold.offsets[:-1][same], gold.offsets[1:][same])
    other = ranges(system.offsets[:-1][same], system.offsets[1:][same])
    equal = code[ours[mine]] == code[theirs[other]]
    same[gold.sentence_of(mine[~equal])] = False
    forms = theirs.copy()
    forms[other[equal]] = ours[mine[equal]]
    return replace(system, forms=Labels(names, forms)), same


def in_characters(gold: Corpus, system: Corpus, alignment: Alignment) -> Alignment:
    """An alignment of sentences with places in characters of gold, the same for all systems. Of the
    lost sentences those are found that the system only divides into different tokens."""
    if alignment.method != "sentences":
        return alignment
    if "characters" not in alignment.derived:
        alignment.derived["characters"] = _in_characters(gold, system, alignment)
    found: Alignment = alignment.derived["characters"]
    return found


def _in_characters(gold: Corpus, system: Corpus, alignment: Alignment) -> Alignment:
    start, end = (_characters(gold)[part] for part in _EDGES)
    if alignment.lost is None:
        found = replace(alignment, gold_start=start, gold_end=end, method="characters")
        return replace(found, system_start=start, system_end=end)
    lost, divided = alignment.lost.copy(), _divided(gold, system, alignment.lost)
    lost[divided] = False
    unit, edges = system.sentence_of_token, _characters(gold)[gold.offsets]
    shift = edges[:-1] - _characters(system)[system.offsets[:-1]]
    # Tokens of a lost sentence lie in that of gold, as far as it goes.
    limits = np.maximum(edges[1:] - 1, edges[:-1])[unit], edges[1:][unit]
    first, last = (_characters(system)[part] + shift[unit] for part in _EDGES)
    first, last = np.minimum(first, limits[0]), np.minimum(last, limits[1])
    of_gold, of_system = alignment.system_of_gold.copy(), alignment.gold_of_system.copy()
    mine, other = (
        ranges(each.offsets[:-1][divided], each.offsets[1:][divided]) for each in (gold, system)
    )
    keys = start[mine] * 2**31 + end[mine], first[other] * 2**31 + last[other]
    _, at, to = np.intersect1d(*keys, return_indices=True)
    of_gold[mine[at]], of_system[other[to]] = other[to], mine[at]
    return replace(
        alignment,
        method="characters",
        gold_start=start,
        gold_end=end,
        system_start=first,
        system_end=last,
        system_of_gold=of_gold,
        gold_of_system=of_system,
        lost=lost if lost.any() else None,
    )


def _divided(gold: Corpus, system: Corpus, lost: Bools) -> Int64:
    """The lost sentences that have gold's characters."""
    numbers = np.flatnonzero(lost)
    plain = (replace(each, layers={}, extras={}).take(numbers) for each in (gold, system))
    ours, theirs = sentence_codes([*plain])
    found: Int64 = numbers[ours == theirs]
    return found


@once
def _characters(corpus: Corpus) -> Int64:
    """Where each token begins, in characters of the forms that are compared, and where the last
    one ends."""
    assert corpus.forms is not None
    sizes = np.array([len(normal(form)) for form in corpus.forms.names], np.int64)
    return bounds_of(sizes[corpus.forms.codes])
