"""Algorithm 2 of Ortmann (2022): which gold span meets which system span, and how they differ; and
how much of a true positive, false positive and false negative each kind of error counts as."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from tertium.corpus.labels import Int32, Int64
from tertium.exceptions import UsageError
from tertium.families.spans.extents import Extents, SpanKeys, overlap_groups, paired
from tertium.families.spans.overlaps import match_overlaps

Weights = Mapping[str, tuple[float, float, float]]  # error type -> shares of TP, FP, FN

_WHOLE = {"TP": (1.0, 0.0, 0.0), "FP": (0.0, 1.0, 0.0), "FN": (0.0, 0.0, 1.0)}
_HALF = (0.0, 0.5, 0.5)
_FIVE = {**_WHOLE, **dict.fromkeys(("LE", "BEs", "BEl", "BEo", "LBE"), _HALF)}
# Equations 5, 6 and 7 of Ortmann (2022), section 2.2.
EQUATIONS: Mapping[str, Weights] = {
    "eq5": _FIVE,
    "eq6": {**_FIVE, **dict.fromkeys(("BEs", "BEl", "BEo"), (0.5, 0.25, 0.25))},
    "eq7": {**_FIVE, "BEs": (0.5, 0.0, 0.5), "BEl": (0.5, 0.5, 0.0), "BEo": (0.5, 0.25, 0.25)},
}
HELP = "eq5, eq6, eq7, or equations such as 'BEs=.5TP+.5FN; LE=.5FP+.5FN'"

_TERM = re.compile(r"(\d+(?:\.\d*)?|\.\d+)?\s*\*?\s*(TP|FP|FN)", re.IGNORECASE)
Codes = npt.NDArray[np.uint8]
TYPES = ("TP", "LE", "BEs", "BEl", "BEo", "LBE", "FN", "FP")
TP, LE, BES, BEL, BEO, LBE, FN, FP = range(len(TYPES))
NO_ROW = 255


@cache
def parse_weights(text: str) -> Weights:
    """Weights by name, or as equations in the way of the paper; what is not named keeps eq5.

    `BE` stands for all three kinds of boundary errors.

    >>> parse_weights("BE=.5TP+.25FP+.25FN") == EQUATIONS["eq6"]
    True
    """
    if text in EQUATIONS:
        return EQUATIONS[text]
    weights = dict(EQUATIONS["eq5"])
    for equation in filter(None, (part.strip() for part in text.split(";"))):
        name, sign, right = equation.partition("=")
        kinds = [t for t in _FIVE if t.lower() == name.strip().lower()]
        if name.strip().lower() == "be":
            kinds = ["BEs", "BEl", "BEo"]
        if not sign or not kinds:
            raise UsageError(
                f"weights: '{equation}' is not an equation such as BEs=.5TP+.5FN",
                help=f"they are {HELP}; types are {', '.join(_FIVE)}, and BE for all its kinds",
            )
        for kind in kinds:
            weights[kind] = _shares(right, equation)
    return weights


def _shares(right: str, equation: str) -> tuple[float, float, float]:
    shares = {"TP": 0.0, "FP": 0.0, "FN": 0.0}
    if right.strip() == "0":
        return 0.0, 0.0, 0.0
    for term in right.split("+"):
        match = _TERM.fullmatch(term.strip())
        if not match:
            raise UsageError(
                f"weights: '{term.strip()}' in '{equation}' is not a share of TP, FP or FN",
                help=f"they are {HELP}",
            )
        shares[match[2].upper()] += float(match[1] or 1)
    return shares["TP"], shares["FP"], shares["FN"]


def weights_text(weights: Weights) -> str:
    """One way to write weights: the name of an equation, or what differs from equation 5.

    >>> weights_text(parse_weights("LE = 0; BE=.5TP+.25FP+.25FN"))
    'LE=0; BEs=0.5TP+0.25FP+0.25FN; BEl=0.5TP+0.25FP+0.25FN; BEo=0.5TP+0.25FP+0.25FN'
    >>> weights_text(parse_weights("BE=.5TP+.25FP+.25FN"))
    'eq6'
    """
    for name, known in EQUATIONS.items():
        if weights == known:
            return name
    return "; ".join(
        f"{kind}={_side(weights[kind])}"
        for kind in _FIVE
        if weights[kind] != EQUATIONS["eq5"][kind]
    )


def _side(shares: tuple[float, float, float]) -> str:
    named = zip(shares, ("TP", "FP", "FN"), strict=True)
    return "+".join(f"{share:.15g}{name}" for share, name in named if share) or "0"


def are_weights(text: object) -> bool:
    """Can the text be read? Raises with what is wrong in it otherwise."""
    return isinstance(text, str) and bool(text.strip()) and bool(parse_weights(text))


@dataclass(frozen=True, eq=False)
class SpanMatches:
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
    gold: Extents, system: Extents, keys: SpanKeys, gold_label: Int32, system_label: Int32
) -> SpanMatches:
    """Match the spans of all sentences.

    Spans that do not overlap, directly or through others, cannot influence one another: the work
    is done group by group of overlapping spans, so that it grows with the number of spans even
    where a sentence is a whole document.
    """
    from tertium.families.spans._kernels import match_labels

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
    found, used = np.full(len(ours), -1, np.int64), np.zeros(len(theirs), np.bool_)
    places = keys.range_[0][ours], keys.range_[1][theirs]
    match_labels(gold_label[ours], places[0], system_label[theirs], places[1], used, found)
    pair(ours[found >= 0], theirs[found[found >= 0]], LE)

    ours, theirs = np.flatnonzero(gold_type == FN), np.flatnonzero(system_type == FP)
    ours, theirs, gold_cut, system_cut = _groups(gold, system, ours, theirs)
    partner, second, third = match_overlaps(
        gold.take(ours),
        gold_label[ours],
        gold_cut,
        system.take(theirs),
        system_label[theirs],
        system_cut,
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
    return SpanMatches(gold_type, gold_partner, is_second, system_type, system_partner)


def _groups(
    gold: Extents, system: Extents, ours: Int64, theirs: Int64
) -> tuple[Int64, Int64, Int64, Int64]:
    """The rows sorted by group of overlapping spans, then from shortest to longest, then as they
    came; and the bounds of the groups on both sides."""
    start = np.concatenate([gold.start[ours], system.start[theirs]])
    end = np.concatenate([gold.end[ours], system.end[theirs]])
    group = overlap_groups(start, end)
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
    gold: Extents,
    system: Extents,
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
