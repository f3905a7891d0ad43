"""Rows of decisions on spans that are either the same or not."""

from __future__ import annotations

import numpy as np

from tertium.align.tokens import Alignment
from tertium.corpus.labels import Int64, unite
from tertium.corpus.layers import Spans
from tertium.metrics.spans.places import distinct, keys_of, paired, places_of, repeated, row_of
from tertium.results.decisions import (
    CORRECT,
    EXTRA,
    MISSING,
    NO_LABEL,
    WRONG,
    Decisions,
    extra_items,
    name_hashes,
)


def exact_rows(
    ours: Spans, theirs: Spans, alignment: Alignment, partner: Int64 | None = None
) -> Decisions:
    """One row per distinct gold span, and one per distinct system span without a partner.

    Spans are partners if place and label are the same; or `partner` says for each gold span which
    of the system's is, -1 for none, and every span counts. A gold span and a system span in the
    same place with different labels are one row, wrong in its label: an item of both sides.
    """
    names, (gold_label, system_label) = unite(ours.label, theirs.label)
    places = (
        places_of(ours, alignment.gold_start, alignment.gold_end),
        places_of(theirs, alignment.system_start, alignment.system_end),
    )
    keys = keys_of(*places, gold_label, system_label)
    if partner is None:
        gold_rows, system_rows = distinct(keys.full[0]), distinct(keys.full[1])
        partners = row_of(keys.full[0][gold_rows], keys.full[1], system_rows)
    else:
        gold_rows, system_rows = np.arange(len(ours.start)), np.arange(len(theirs.start))
        partners = partner.copy()
    found = partners >= 0
    free = np.ones(len(theirs.start), np.bool_)
    free[partners[found]] = False
    added = system_rows[free[system_rows]]
    missed = gold_rows[~found]
    at, other = paired(keys.place[0][missed], keys.place[1][added])
    # A tool that pairs spans by its own rule may find two of the same place and label unlike.
    unlike = gold_label[missed[at]] != system_label[added[other]]
    at, other = at[unlike], other[unlike]

    outcome = np.where(found, CORRECT, MISSING)
    label = np.where(found, gold_label[gold_rows], NO_LABEL)
    misnamed = np.flatnonzero(~found)[at]
    outcome[misnamed] = WRONG
    label[misnamed] = system_label[added[other]]
    partners[misnamed] = added[other]
    added = np.delete(added, other)
    outcome = np.concatenate([outcome, np.full(len(added), EXTRA)]).astype(np.uint8)
    label = np.concatenate([label, system_label[added]]).astype(np.int32)

    hashes = name_hashes(names)
    extra = [column[added] for column in (*places[1].identity, hashes[system_label])]
    unit = alignment.unit_of_gold[ours.start], alignment.unit_of_system[theirs.start]
    return Decisions(
        unit=np.concatenate([unit[0][gold_rows], unit[1][added]]),
        item=np.concatenate([gold_rows, extra_items(*extra)]),
        gold=np.concatenate([gold_label[gold_rows], np.full(len(added), NO_LABEL, np.int32)]),
        system=label,
        said=((outcome != MISSING).astype(np.int64), hashes[label]),
        outcome=outcome,
        error_type=outcome,
        credit=(outcome == CORRECT).astype(np.float64),
        names=names,
        units=alignment.units,
        error_types=("none", "label", "missing", "extra"),
        gold_row=np.concatenate([gold_rows, np.full(len(added), -1)]),
        system_row=np.concatenate([partners, added]),
        unit_counts={
            "duplicates_gold": repeated(unit[0], gold_rows, alignment.units),
            "duplicates_system": repeated(unit[1], system_rows, alignment.units),
        },
    )
