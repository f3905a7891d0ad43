"""Measures of coreference without arrays or tricks: chains are lists of mentions in Python.

As version 8.01 of the reference scorer counts; LEA by its definition, with the same repetitions.
"""

from collections.abc import Sequence
from itertools import combinations, product

import numpy as np
from scipy.optimize import linear_sum_assignment

Chains = Sequence[Sequence[object]]
Fractions = list[float]  # numerator and denominator of recall, then of precision


def without_repetitions(gold: Chains, system: Chains) -> list[list[object]]:
    """Of the system's mentions that gold has too, the first of each."""
    known, seen = {mention for chain in gold for mention in chain}, set()
    kept = []
    for chain in system:
        kept.append([])
        for mention in chain:
            if mention not in known or mention not in seen:
                kept[-1].append(mention)
            seen.add(mention)
    return [chain for chain in kept if chain]


def plain_counts(gold: Chains, system: Chains) -> dict[str, Fractions]:
    """Of every measure the numerators and denominators of one document."""
    system = without_repetitions(gold, system)
    last = {mention: number for number, chain in enumerate(gold) for mention in chain}
    return {
        "mentions": _mentions(gold, system),
        "muc": _muc(gold, system, last),
        "b3": _b3(gold, system, last),
        "ceafm": _ceaf(gold, system, lambda both, a, b: both, len),
        "ceafe": _ceaf(gold, system, lambda both, a, b: 2 * both / (a + b), lambda chain: 1),
        "blanc": _blanc(gold, system),
        "lea": _lea(gold, system, last),
    }


def _mentions(gold: Chains, system: Chains) -> Fractions:
    ours, theirs = ({m for chain in side for m in chain} for side in (gold, system))
    return [len(ours & theirs), len(ours), len(ours & theirs), len(theirs)]


def _muc(gold: Chains, system: Chains, last: dict[object, int]) -> Fractions:
    common = 0
    for chain in system:
        groups = [last[mention] for mention in chain if mention in last]
        common += len(groups) - len({*groups})
    ours, theirs = (sum(len(chain) - 1 for chain in side) for side in (gold, system))
    return [common, ours, common, theirs]


def _b3(gold: Chains, system: Chains, last: dict[object, int]) -> Fractions:
    recall = precision = 0.0
    for chain in system:
        for mention in chain:
            if mention in last:
                other = gold[last[mention]]
                both = len({*chain} & {*other})
                recall += both / len(other)
                precision += both / len(chain)
    return [recall, sum(map(len, gold)), precision, sum(map(len, system))]


def _ceaf(gold, system, similarity, size):  # type: ignore[no-untyped-def]
    table = np.zeros((len(gold), len(system)))
    for (i, a), (j, b) in product(enumerate(gold), enumerate(system)):
        both = sum(mention in b for mention in a)
        table[i, j] = similarity(both, len(a), len(b))
    common = float(table[linear_sum_assignment(-table)].sum())
    return [common, sum(map(size, gold)), common, sum(map(size, system))]


def _blanc(gold: Chains, system: Chains) -> Fractions:
    found = []
    for kind in (_inside, _between):
        ours, theirs = kind(gold), kind(system)
        found += [len(ours & theirs), len(ours), len(ours & theirs), len(theirs)]
    return [float(n) for n in found]


def _inside(chains: Chains) -> set[tuple[object, ...]]:
    return {tuple(sorted(pair)) for chain in chains for pair in combinations(chain, 2)}  # type: ignore[type-var]


def _between(chains: Chains) -> set[tuple[object, ...]]:
    pairs = (pair for one, two in combinations(chains, 2) for pair in product(one, two))
    return {tuple(sorted(pair)) for pair in pairs}  # type: ignore[type-var]


def _lea(gold: Chains, system: Chains, last: dict[object, int]) -> Fractions:
    where = {mention: number for number, chain in enumerate(system) for mention in chain}
    where = {mention: number for mention, number in where.items() if mention in last}
    found = []
    for chains, others, index in ((gold, system, where), (system, gold, last)):
        total = 0.0
        for chain in chains:
            if len(chain) == 1:
                there = index.get(chain[0])
                total += there is not None and len(others[there]) == 1
                continue
            pairs = [*combinations(chain, 2)]
            right = [a in index and index[a] == index.get(b) for a, b in pairs]
            total += len(chain) * sum(right) / len(pairs)
        found += [total, sum(map(len, chains))]
    return found
