"""How often each row is drawn or swapped: the random numbers behind every resample.

Each trial has a seed of its own (SplitMix64; Steele, Lea and Flood 2014), so that trials do not
depend on how many of them are made at a time.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tertium._jit import kernel

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
FIRST, SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
ONE, HALF = np.uint64(1), np.uint64(32)
LOW = np.uint64(0xFFFFFFFF)


@kernel
def _mixed(state: Any) -> Any:
    state = (state ^ (state >> np.uint64(30))) * FIRST
    state = (state ^ (state >> np.uint64(27))) * SECOND
    return state ^ (state >> np.uint64(31))


@kernel
def _ones(word: Any) -> Any:
    """How many bits of a word are set."""
    word = word - ((word >> ONE) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + (
        (word >> np.uint64(2)) & np.uint64(0x3333333333333333)
    )
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return (word * np.uint64(0x0101010101010101)) >> np.uint64(56)


@kernel
def draw_units(seeds: Any, draws: Any, row_of_unit: Any, counts: Any) -> None:
    """Add to `counts` (trials x rows) the rows of `draws[t]` units drawn with replacement.

    A random 32-bit number times the number of units gives a unit in its upper half; the few numbers
    that would favour some units are drawn again (Lemire 2019), so that all are equally likely.
    """
    size = np.uint64(len(row_of_unit))
    unfair = ((ONE << HALF) - size) % size
    for trial in range(len(seeds)):
        state = seeds[trial]
        left = draws[trial]
        while left > 0:
            state += GOLDEN
            word = _mixed(state)
            product = (word & LOW) * size
            if product & LOW >= unfair:
                counts[trial, row_of_unit[product >> HALF]] += 1.0
                left -= 1
            if left > 0:
                product = (word >> HALF) * size
                if product & LOW >= unfair:
                    counts[trial, row_of_unit[product >> HALF]] += 1.0
                    left -= 1


@kernel
def draw_swaps(seeds: Any, units: Any, counts: Any) -> None:
    """For every trial and row, how many of its units are swapped, each by the toss of a coin:
    Binomial(units, 1/2) as the number of ones among as many random bits."""
    for trial in range(len(seeds)):
        state = seeds[trial]
        bits, there = np.uint64(0), 0
        for row in range(len(units)):
            left, swapped = units[row], np.uint64(0)
            while left > 0:
                if there == 0:
                    state += GOLDEN
                    bits, there = _mixed(state), 64
                if left >= there:
                    swapped += _ones(bits)
                    left -= there
                    there = 0
                else:
                    swapped += _ones(bits & ((ONE << np.uint64(left)) - ONE))
                    bits >>= np.uint64(left)
                    there -= left
                    left = 0
            counts[trial, row] = swapped
