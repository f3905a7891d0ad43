"""Steps 2 and 3 of Algorithm 2 of Ortmann (2022): spans that overlap in different places."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tertium.corpus.labels import Int32, Int64, bounds_of, ranges
from tertium.families.spans.extents import Extents

MOST_ATOMS = 10_000  # of a span, each of which has a bit of its own


def match_overlaps(
    gold: Extents,
    gold_label: Int32,
    gold_cut: Int64,
    system: Extents,
    system_label: Int32,
    system_cut: Int64,
) -> tuple[Int64, npt.NDArray[np.bool_], Int64]:
    """Boundary errors, then labelling-boundary errors.

    Spans come in groups that do not overlap with one another (`*_cut` are the groups' bounds),
    sorted from shortest to longest inside a group. Gives for each gold span its partner, -1 for
    none, and whether that partner was matched before (second passes); and for each system span that
    found only a matched gold span (third passes) that one, else -1.
    """
    from tertium.families.spans import _kernels as k

    first = len(gold)  # of the system's spans, when all are numbered
    both = Extents.join([gold, system])
    spans = np.zeros((len(both), 12), np.int64)
    spans[:, k.START], spans[:, k.END] = both.start, both.end
    spans[:, k.LABEL] = np.concatenate([gold_label, system_label])
    spans[:, k.TURN], spans[:, k.PARTNER] = np.arange(len(both)), -1
    places = _places(both)
    spans[:, k.LOW], spans[:, k.HIGH], spans[:, k.AT], words = _as_bits(both, places)
    gaps = np.diff(both.gap_bounds)
    spans[:, k.LEFT] = np.where(gaps > 0, gaps, both.end - both.start)

    groups = np.stack([gold_cut[:-1], gold_cut[1:], system_cut[:-1], system_cut[1:]], axis=1)
    groups += np.array([0, 0, first, first])
    sizes = groups[:, 1::2] - groups[:, ::2]
    by_start = np.concatenate(
        [np.argsort(gold.start, kind="stable"), first + np.argsort(system.start, kind="stable")]
    )
    spans[by_start, k.LEAF] = np.arange(len(both))
    for cut, part in ((gold_cut, spans[:first]), (system_cut + first, spans[first:])):
        part[:, k.LEAF] -= np.repeat(cut[:-1], np.diff(cut))
    # Two in a group overlap; in the same place they differ in their tokens.
    pairs = groups[(sizes == 1).all(axis=1)]
    ours, theirs = pairs[:, 0], pairs[:, 2]
    apart = (spans[ours, : k.LABEL] != spans[theirs, : k.LABEL]).any(axis=1)
    spans[ours[apart], k.PARTNER] = theirs[apart]

    groups = groups[sizes.all(axis=1) & (sizes > 1).any(axis=1)]
    most = 4 * int(sizes.max(initial=1))
    free, matched, matched_gold = (np.empty(most, np.int64) for _ in range(3))
    heaps = free, matched, matched_gold
    k.match_groups(groups, spans, by_start, words, np.diff(places), *heaps, not gaps.any())
    partner = spans[:first, k.PARTNER]
    partner = np.where(partner >= 0, partner - first, -1)
    return partner, spans[:first, k.IS_SECOND] > 0, spans[first:, k.PARTNER]


def _places(spans: Extents) -> Int64:
    """All places where spans begin or end, gaps included, if a span is long; else none.

    Atoms that are left are kept as bits; with a bit for what is between two places these take no
    more time and memory where spans are longer, and the result is the same.
    """
    if int((spans.end - spans.start).max(initial=0)) <= MOST_ATOMS:
        return np.zeros(0, np.int64)
    atoms = spans.gap_atoms
    return np.unique(np.concatenate([spans.start, spans.end, atoms, atoms + 1]))


def _as_bits(spans: Extents, places: Int64) -> tuple[Int64, Int64, Int64, npt.NDArray[np.uint64]]:
    """The atoms of spans as bits in words of 64, which are numbered by `number // 64`: the first
    and the last word of each span, what to add to the number of a word to find it, and all words.

    Without places every atom has a bit; else there is one for what lies between two of them.
    """
    start, end, atoms = spans.start, spans.end, spans.gap_atoms
    if len(places):
        start, end, atoms = (np.searchsorted(places, each) for each in (start, end, atoms))
    low, high = start >> 6, (end - 1) >> 6
    bounds = bounds_of(high - low + 1)
    of_word = np.repeat(np.arange(len(spans)), high - low + 1)
    number = ranges(low, high + 1)
    before = np.clip(start[of_word] - number * 64, 0, 63).astype(np.uint64)
    after = np.clip((number + 1) * 64 - end[of_word], 0, 63).astype(np.uint64)
    words = (~np.uint64(0) << before) & (~np.uint64(0) >> after)
    at = bounds[:-1] - low
    sizes = np.diff(spans.gap_bounds)
    words[sizes[of_word] > 0] = 0
    bits = np.uint64(1) << (atoms & 63).astype(np.uint64)
    np.bitwise_or.at(words, np.repeat(at, sizes) + (atoms >> 6), bits)
    return low, high, at, words
