"""Algorithm 2 of Ortmann (2022): which gold span meets which system span, and how they differ."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tertium.corpus.labels import Int32, Int64
from tertium.families.spans.extents import Keys, Places, paired

Codes = npt.NDArray[np.uint8]

TYPES = ("TP", "LE", "BEs", "BEl", "BEo", "LBE", "FN", "FP")
TP, LE, BES, BEL, BEO, LBE, FN, FP = range(len(TYPES))
NO_ROW = 255


@dataclass(frozen=True, eq=False)
class Matched:
    """What became of every span.

    - `gold_type`: TP, LE, BEs, BEl, BEo, LBE or FN; `gold_partner`: the system span, -1 for FN;
      `is_second`: does that span belong to another gold span already (second passes)?
    - `system_type`: FP, or the error of a span that found only a gold span that was matched
      already (third passes); NO_ROW for the partner of a gold span. `system_partner`: that gold
      span, -1 for none
    """

    gold_type: Codes
    gold_partner: Int64
    is_second: npt.NDArray[np.bool_]
    system_type: Codes
    system_partner: Int64


def match(
    gold: Places, system: Places, keys: Keys, gold_label: Int32, system_label: Int32
) -> Matched:
    """Match the spans of all sentences.

    Spans that do not overlap, directly or through others, cannot influence one another: the work
    is done group by group of overlapping spans, so that it grows with the number of spans even
    where a sentence is a whole document.
    """
    from tertium.families.spans._kernels import match_labels, match_overlaps

    gold_type = np.full(len(gold), FN, np.uint8)
    system_type = np.full(len(system), FP, np.uint8)
    gold_partner = np.full(len(gold), -1, np.int64)
    system_partner = np.full(len(system), -1, np.int64)

    def pair(ours: Int64, theirs: Int64, kind: int | Codes) -> None:
        gold_type[ours], gold_partner[ours] = kind, theirs
        system_type[theirs] = NO_ROW

    pair(*paired(*keys.full), TP)

    ours, theirs = np.flatnonzero(gold_type == FN), np.flatnonzero(system_type == FP)
    ours = ours[np.argsort(keys.range_[0][ours], kind="stable")]
    theirs = theirs[np.argsort(keys.range_[1][theirs], kind="stable")]
    found = match_labels(
        gold_label[ours], keys.range_[0][ours], system_label[theirs], keys.range_[1][theirs]
    )
    pair(ours[found >= 0], theirs[found[found >= 0]], LE)

    ours, theirs = np.flatnonzero(gold_type == FN), np.flatnonzero(system_type == FP)
    ours, theirs, gold_cut, system_cut = _groups(gold, system, ours, theirs)
    partner, second, third = match_overlaps(
        gold_cut,
        _columns(gold.take(ours), gold_label[ours]),
        system_cut,
        _columns(system.take(theirs), system_label[theirs]),
    )

    at = np.flatnonzero(partner >= 0)
    rows, others = ours[at], theirs[partner[at]]
    gold_type[rows] = _kinds(gold, system, gold_label, system_label, rows, others)
    gold_partner[rows] = others
    system_type[others] = NO_ROW
    is_second = np.zeros(len(gold), np.bool_)
    is_second[rows] = second[at]
    at = np.flatnonzero(third >= 0)
    rows, others = theirs[at], ours[third[at]]
    system_type[rows] = _kinds(gold, system, gold_label, system_label, others, rows)
    system_partner[rows] = others
    return Matched(gold_type, gold_partner, is_second, system_type, system_partner)


def _columns(some: Places, label: Int32) -> tuple[Int64, Int64, Int32, Int64, Int64]:
    return some.start, some.end, label, some.gap_bounds, some.gap_atoms


def _groups(
    gold: Places, system: Places, ours: Int64, theirs: Int64
) -> tuple[Int64, Int64, Int64, Int64]:
    """The rows sorted by group of overlapping spans, then from shortest to longest, then as they
    came; and the bounds of the groups on both sides."""
    start = np.concatenate([gold.start[ours], system.start[theirs]])
    end = np.concatenate([gold.end[ours], system.end[theirs]])
    order = np.argsort(start, kind="stable")
    reach = np.maximum.accumulate(end[order]) if len(order) else end
    group = np.zeros(len(order), np.int64)
    group[order[1:]] = np.cumsum(start[order[1:]] >= reach[:-1])
    count = int(group.max(initial=-1)) + 1
    sorted_rows, cuts = [], []
    for rows, of, size in (
        (ours, group[: len(ours)], (end - start)[: len(ours)]),
        (theirs, group[len(ours) :], (end - start)[len(ours) :]),
    ):
        by_group = np.lexsort((size, of))
        sorted_rows.append(rows[by_group])
        cuts.append(np.searchsorted(of[by_group], np.arange(count + 1)))
    return sorted_rows[0], sorted_rows[1], cuts[0], cuts[1]


def _kinds(
    gold: Places,
    system: Places,
    gold_label: Int32,
    system_label: Int32,
    ours: Int64,
    theirs: Int64,
) -> Codes:
    """The error of pairs of overlapping spans, with the gold span as reference."""
    t0, t1, s0, s1 = gold.start[ours], gold.end[ours], system.start[theirs], system.end[theirs]
    boundary = np.where((s0 >= t0) & (s1 <= t1), BES, np.where((s0 <= t0) & (s1 >= t1), BEL, BEO))
    same = gold_label[ours] == system_label[theirs]
    return np.where(same, boundary, LBE).astype(np.uint8)
