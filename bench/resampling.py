"""10,000 resamples of a difference in micro-F1, by Tertium or by scipy, on made-up counts per unit.

`python resampling.py WHO UNITS ROWS` prints seconds and the ends of the interval as JSON. Imports
and compiling are not timed: one small run comes first. What is timed begins with counts per unit.
"""

import json
import sys
import time

import numpy as np

RESAMPLES = 10_000


def counts(units: int, rows: str) -> list[np.ndarray]:
    """Correct, gold and system spans of every unit, for two systems over the same gold spans.

    `repeating` rows are whole numbers, as counts are; `distinct` ones have small weights added, as
    if every unit weighed something else, so that no two rows are equal.
    """
    random = np.random.default_rng(17)
    gold = random.poisson(2.0, units)
    found = []
    for chance in (0.84, 0.85):
        correct = random.binomial(gold, chance)
        system = correct + random.poisson(0.3, units)
        table = np.column_stack([correct, gold, system]).astype(np.float64)
        if rows == "distinct":
            table += random.random(table.shape) * 1e-3
        found.append(table)
    return found


def by_scipy(tables: list[np.ndarray], method: str) -> tuple[float, float]:
    from scipy.stats import bootstrap, permutation_test

    def f1(correct, gold, system, axis):  # type: ignore[no-untyped-def]
        return 2 * correct.sum(axis=axis) / (gold.sum(axis=axis) + system.sum(axis=axis))

    def difference(a, b, c, d, e, f, axis=-1):  # type: ignore[no-untyped-def]
        return f1(d, e, f, axis) - f1(a, b, c, axis)

    columns = [*tables[0].T, *tables[1].T]
    if method == "randomisation":
        # scipy permutes arrays of one axis; what is swapped is the number of the table.
        both = np.stack(tables)
        unit = np.arange(len(tables[0]))

        def swapped(first, second, axis):  # type: ignore[no-untyped-def]
            return f1(*np.moveaxis(both[second, unit], -1, 0), -1) - f1(
                *np.moveaxis(both[first, unit], -1, 0), -1
            )

        found = permutation_test(
            [np.zeros(len(unit), int), np.ones(len(unit), int)],
            swapped,
            permutation_type="samples",
            n_resamples=RESAMPLES,
            batch=100,
            vectorized=True,
            rng=np.random.default_rng(0),
        )
        return float(found.pvalue), float(found.pvalue)
    found = bootstrap(
        columns,
        difference,
        paired=True,
        method="BCa" if method == "bca" else method,
        n_resamples=RESAMPLES,
        batch=100,
        rng=np.random.default_rng(0),
    ).confidence_interval
    return float(found.low), float(found.high)


def by_tertium(tables: list[np.ndarray], method: str) -> tuple[float, float]:
    from tertium.families.base import make
    from tertium.results.assessment import Testing
    from tertium.results.scores import Result
    from tertium.results.stats import Stats
    from tertium.signature import Signature
    from tertium.significance.intervals import interval
    from tertium.significance.resample import unit_counts
    from tertium.significance.score.counts import Finish
    from tertium.significance.tests import paired_test

    columns = ("correct", "gold", "system", "placed")
    a, b = (
        Result(
            system=name,
            metric="spans.f1",
            value=None,
            parts={},
            counts={},
            labels={},
            coverage={},
            signature=Signature.make("spans.f1", {}),
            stats=Stats(columns, np.column_stack([table, table[:, 0]])),
            formula=Finish(make("spans.f1")),
            headline="f1",
        )
        for name, table in zip("ab", tables, strict=True)
    )
    if method == "randomisation":
        p = paired_test(a, b, trials=RESAMPLES).p
        assert p is not None
        return p, p
    found = interval(unit_counts([a, b]), Testing(interval=method, trials=RESAMPLES))
    assert found.low is not None
    assert found.high is not None
    return found.low, found.high


def main() -> None:
    who, units, rows, method = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]
    run = {"scipy": by_scipy, "tertium": by_tertium}[who]
    run(counts(200, rows), method)
    tables = counts(units, rows)
    start, cpu = time.perf_counter(), time.process_time()
    low, high = run(tables, method)
    seconds = {"wall": time.perf_counter() - start, "cpu": time.process_time() - cpu}
    print(json.dumps({**seconds, "low": low, "high": high}))


if __name__ == "__main__":
    main()
