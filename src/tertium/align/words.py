"""Sentences paired by their words, in order, as diff pairs lines; forms are compared without what
treebanks write differently: brackets and quotation marks."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from difflib import SequenceMatcher

import numpy as np

from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus, once
from tertium.corpus.labels import Int32, Int64, Labels, bounds_of, interned, joined, ranges, unite
from tertium.corpus.layers import Bools
from tertium.formats.trees.text import unescape

MOST_DIFFERENCES = 1000  # above that the longest common subsequence takes too long
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


_EDGES = slice(None, -1), slice(1, None)


def matched(ours: Int64, theirs: Int64) -> Int64:
    """For each of ours the place of its partner among theirs, -1 for none; in order.

    What is the same at both ends is paired, then a longest common subsequence of the rest or, if
    there is too much of it, what occurs once on each side and what lies between these.
    """
    found = np.full(len(ours), -1, np.int64)
    size = min(len(ours), len(theirs))
    head = int(np.append(ours[:size] != theirs[:size], True).argmax())
    size -= head
    ends = ours[len(ours) - size :][::-1] != theirs[len(theirs) - size :][::-1]
    tail = int(np.append(ends, True).argmax())
    found[:head] = np.arange(head)
    found[len(ours) - tail :] = np.arange(len(theirs) - tail, len(theirs))
    a, b = ours[head : len(ours) - tail], theirs[head : len(theirs) - tail]
    if not (len(a) and len(b)):
        return found
    for i, j in _common(a, b):
        found[head + i] = head + j
    return found


def _common(a: Int64, b: Int64) -> Iterator[tuple[int, int]]:
    """Places of a common subsequence, about the longest."""
    anchors = _anchors(a, b)
    if len(anchors) < min(len(a), len(b)) / 2:  # much is repeated
        both = a.tolist(), b.tolist()
        flipped = [(i, j) for j, i in _contained(*both)]
        found = _contained(b.tolist(), a.tolist()) or flipped or _shortest(*both)
        if found:
            yield from found
            return
    edges = zip([(-1, -1), *anchors], [*anchors, (len(a), len(b))], strict=True)
    for (i, j), (i_next, j_next) in edges:
        gap = a[i + 1 : i_next].tolist(), b[j + 1 : j_next].tolist()
        pairs = _shortest(*gap) if all(gap) else []
        if pairs is None:
            blocks = SequenceMatcher(None, *gap, autojunk=False).get_matching_blocks()
            pairs = [(n + k, m + k) for n, m, size in blocks for k in range(size)]
        yield from ((i + 1 + n, j + 1 + m) for n, m in pairs)
        if i_next < len(a):
            yield i_next, j_next


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


def _shortest(a: list[int], b: list[int]) -> list[tuple[int, int]] | None:
    """A longest common subsequence by Myers' greedy algorithm, None if too much is different.

    >>> _shortest([1, 2, 3, 1, 2], [2, 1, 2, 3, 2])
    [(0, 1), (1, 2), (2, 3), (4, 4)]
    """
    far = {1: 0}  # how far in a each diagonal is reached with so many differences
    steps: list[dict[int, int]] = []
    for count in range(min(len(a) + len(b), MOST_DIFFERENCES) + 1):
        steps.append(dict(far))
        for k in range(-count, count + 1, 2):
            down = k == -count or (k != count and far[k - 1] < far[k + 1])
            i = far[k + 1] if down else far[k - 1] + 1
            while i < len(a) and i - k < len(b) and a[i] == b[i - k]:
                i += 1
            far[k] = i
            if i >= len(a) and i - k >= len(b):
                return _walked(steps, len(a), len(b))
    return None


def _walked(steps: list[dict[int, int]], i: int, j: int) -> list[tuple[int, int]]:
    """The pairs on the way back from the end."""
    found: list[tuple[int, int]] = []
    for count in range(len(steps) - 1, -1, -1):
        far, k = steps[count], i - j
        down = k == -count or (k != count and far[k - 1] < far[k + 1])
        before = far[k + 1] if down else far[k - 1] + 1
        while i > before:
            i, j = i - 1, j - 1
            found.append((i, j))
        i, j = (i, j - 1) if down else (i - 1, j)
    return found[::-1]


def _anchors(a: Int64, b: Int64) -> list[tuple[int, int]]:
    """Places of what occurs once on each side: the longest list that rises on both."""
    once = [
        values[counts == 1] for values, counts in (np.unique(x, return_counts=True) for x in (a, b))
    ]
    common = np.intersect1d(*once)
    order_a, order_b = np.argsort(a, kind="stable"), np.argsort(b, kind="stable")
    at = order_a[np.searchsorted(a[order_a], common)]
    to = order_b[np.searchsorted(b[order_b], common)][np.argsort(at)]
    at = np.sort(at)
    ends: list[int] = []  # the least end of a rising list of every length
    rows: list[int] = []  # and the row that it ends with
    before = np.full(len(at), -1, np.int64)
    for row, place in enumerate(to.tolist()):
        size = bisect_left(ends, place)
        before[row] = rows[size - 1] if size else -1
        ends[size : size + 1] = [place]
        rows[size : size + 1] = [row]
    found: list[tuple[int, int]] = []
    row = rows[-1] if rows else -1
    while row >= 0:
        found.append((int(at[row]), int(to[row])))
        row = int(before[row])
    return found[::-1]


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
