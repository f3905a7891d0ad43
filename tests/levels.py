"""Simulated systems whose scores are equal, and how often a test calls them different."""

from collections.abc import Callable

import numpy as np

from count_samples import f1_result
from tertium.results.assessment import Testing
from tertium.results.scores import Result
from tertium.significance.resample import Number
from tertium.significance.runs import run_test
from tertium.significance.tests import paired_test

Pair = Callable[[np.random.Generator, int], tuple[Result, Result, Number]]


def clustered(random: np.random.Generator, units: int) -> tuple[Result, Result, Number]:
    """Accuracy: A errs everywhere, B fails on one sentence in ten."""
    items = random.integers(5, 30, units)
    a = random.binomial(items, 0.9)
    b = np.where(random.random(units) < 0.1, 0, items)
    return *_accuracies(items, a, b), Number()


def by_length(random: np.random.Generator, units: int) -> tuple[Result, Result, Number]:
    """Accuracy: A errs in long sentences, B in short ones; the chances make both right alike."""
    items = random.integers(5, 30, units)
    long = items > 17
    # Long sentences (18 to 29 words) have 282 of every 425 words, short ones (5 to 17) 143.
    a = random.binomial(items, np.where(long, 1 - 0.1 * 425 / 282, 1.0))
    b = random.binomial(items, np.where(long, 1.0, 1 - 0.1 * 425 / 143))
    return *_accuracies(items, a, b), Number()


def unlike_precision(random: np.random.Generator, units: int) -> tuple[Result, Result, Number]:
    """Precision: B finds a fifth as many spans as A, others, as precisely."""
    gold = np.full(units, 20)  # more than either finds
    pair = []
    for name, rate in (("a", 2.0), ("b", 0.4)):
        found = random.poisson(rate, units)
        right = random.binomial(found, 0.6)
        pair.append(f1_result(name, np.column_stack([right, gold, found])))
    return pair[0], pair[1], Number("precision")


def _accuracies(items: np.ndarray, a: np.ndarray, b: np.ndarray) -> tuple[Result, Result]:
    """With as many system items as gold items, F1 is accuracy."""
    one, other = (np.column_stack([right, items, items]) for right in (a, b))
    return f1_result("a", one), f1_result("b", other)


def rejected(pair: Pair, units: int, *, test: str = "randomisation", times: int) -> int:
    """How many p-values are below .05."""
    found = 0
    for seed in range(times):
        a, b, number = pair(np.random.default_rng([seed, units]), units)
        p = paired_test(a, b, number, test=test, trials=1000, seed=seed).p
        found += p is not None and p < 0.05
    return found


def rejected_over_runs(runs: int, *, times: int, units: int = 200) -> int:
    """The same for systems whose runs have another quality each, alike in all sentences."""
    found = 0
    for seed in range(times):
        random = np.random.default_rng([seed, runs])
        items = random.integers(5, 30, units)
        systems = [
            [
                f1_result(
                    f"{name}#{run}",
                    np.column_stack([items * chance, items, items]),
                )
                for run, chance in enumerate(random.normal(0.8, 0.02, runs))
            ]
            for name in "ab"
        ]
        p = run_test(systems[0], systems[1], Number(), Testing(trials=500, seed=seed))[0].p
        found += p is not None and p < 0.05
    return found
