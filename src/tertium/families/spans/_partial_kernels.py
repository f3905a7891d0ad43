"""Hot loops of the counts of MUC and SemEval-2013."""

from __future__ import annotations

from typing import Any

import numpy as np

from tertium._jit import kernel


@kernel
def pair_overlapping(
    gold_group: Any,
    gold_start: Any,
    gold_end: Any,
    gold_label: Any,
    gold_place: Any,
    system_group: Any,
    system_start: Any,
    system_end: Any,
    system_label: Any,
    nearest: bool,
    overlap: float,
) -> Any:
    """The gold span each system span is compared with (-1 for none), and whether it is right.

    Gold spans come by group, start, end, label, place in the list; system spans by group, place.
    System spans choose in turn, among the gold spans of their group that no earlier one has: the
    one of the same start, end and label; else, of those with `overlap` percent of their length
    covered, with `nearest` the one of the same label and the closest boundaries, which is right as
    well; else the first of the list. See pairing.py.
    """
    partner = np.full(len(system_group), -1, np.int64)
    right = np.zeros(len(system_group), np.bool_)
    used = np.zeros(len(gold_group), np.bool_)
    free = np.arange(len(gold_group) + 1)  # free[k] leads to the first unused span from k on
    wider = np.empty(len(gold_group), np.int64)
    first = last = 0
    group = -1
    for n in range(len(system_group)):
        if system_group[n] != group:
            group = system_group[n]
            first = last
            while first < len(gold_group) and gold_group[first] < group:
                first += 1
            last = first
            while last < len(gold_group) and gold_group[last] == group:
                # The nearest span before it that ends later: all between end with it or before.
                w = last - 1
                while w >= first and gold_end[w] <= gold_end[last]:
                    w = wider[w]
                wider[last] = w
                last += 1
        a = system_start[n]
        z = system_end[n]
        label = system_label[n]

        low = first
        high = last
        while low < high:
            k = (low + high) // 2
            if gold_start[k] < a or (
                gold_start[k] == a
                and (gold_end[k] < z or (gold_end[k] == z and gold_label[k] < label))
            ):
                low = k + 1
            else:
                high = k
        k = low
        while free[k] != k:
            free[k] = free[free[k]]
            k = free[k]
        best = -1
        if k < last and gold_start[k] == a and gold_end[k] == z and gold_label[k] == label:
            best = k
            right[n] = True
        else:
            low = first
            high = last
            while low < high:
                k = (low + high) // 2
                if gold_start[k] < z:
                    low = k + 1
                else:
                    high = k
            closest = np.int64(-1)
            k = low - 1
            while k >= first:
                if gold_end[k] <= a:
                    k = wider[k]
                    continue
                shared = min(z, gold_end[k]) - max(a, gold_start[k])
                # In nervaluate's order of operations: the last bit can decide.
                if (
                    not used[k]
                    and shared > 0
                    and shared / (gold_end[k] - gold_start[k]) * 100.0 >= overlap
                ):
                    if nearest and gold_label[k] == label:
                        distance = abs(a - gold_start[k]) + abs(z - gold_end[k])
                        if (
                            not right[n]
                            or distance < closest
                            or (distance == closest and gold_place[k] < gold_place[best])
                        ):
                            best = k
                            closest = distance
                            right[n] = True
                    elif not right[n] and (best < 0 or gold_place[k] < gold_place[best]):
                        best = k
                k -= 1
        if best >= 0:
            partner[n] = best
            used[best] = True
            free[best] = best + 1
    return partner, right
