"""Rows of decisions on spans that are either the same or not."""

from __future__ import annotations

import numpy as np

from tertium.align.tokens import Alignment
from tertium.corpus.labels import Int64, unite
from tertium.families.spans.places import distinct, keys_of, paired, places_of, repeated, row_of
from tertium.results.decisions import Decisions, name_hashes
from tertium.results.items import Items


def exact_rows(
    ours: Items, theirs: Items, alignment: Alignment, partner: Int64 | None = None
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
        gold_rows, system_rows = np.arange(len(ours)), np.arange(len(theirs))
        partners = partner.copy()
    found = partners >= 0
    free = np.ones(len(theirs), np.bool_)
    free[partners[found]] = False
    added = system_rows[free[system_rows]]
    missed = gold_rows[~found]
    at, other = paired(keys.place[0][missed], keys.place[1][added])
    # A tool that pairs spans by its own rule may find two of the same place and label unlike.
    unlike = gold_label[missed[at]] != system_label[added[other]]
    at, other = at[unlike], other[unlike]

    partners[np.flatnonzero(~found)[at]] = added[other]
    unit = ours.of_first(alignment.unit_of_gold), theirs.of_first(alignment.unit_of_system)
    return Decisions.of(
        ours,
        theirs,
        alignment,
        rows=gold_rows,
        partner=partners,
        right=found,
        extra=np.delete(added, other),
        labels=(names, gold_label, system_label),
        identity=lambda: (*places[1].identity, name_hashes(names)[system_label]),
        unit_counts={
            "duplicates_gold": repeated(unit[0], gold_rows, alignment.units),
            "duplicates_system": repeated(unit[1], system_rows, alignment.units),
        },
    )
