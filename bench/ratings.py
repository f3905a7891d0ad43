"""Coefficients of agreement over 100 annotators, 100,000 items and 5 ratings per item, by Tertium
or a peer, on made-up labels.

`python ratings.py WHO` prints seconds and values as JSON. Imports and making the data in the form
that each takes are not timed; one small run comes first.
"""

import json
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

ANNOTATORS, ITEMS, RATINGS, LABELS = 100, 100_000, 5, 5
Values = dict[str, float]


def table(items: int) -> np.ndarray:
    """Annotators x items, -1 for no rating; about half of the ratings are right beyond chance."""
    random = np.random.default_rng(7)
    who = np.argsort(random.random((items, ANNOTATORS)), axis=1)[:, :RATINGS]
    truth = random.integers(0, LABELS, (items, 1))
    guesses = random.integers(0, LABELS, (items, RATINGS))
    given = np.where(random.random((items, RATINGS)) < 0.7, truth, guesses)
    found = np.full((ANNOTATORS, items), -1, np.int32)
    found[who.ravel(), np.repeat(np.arange(items), RATINGS)] = given.ravel()
    return found


def tertium(codes: np.ndarray) -> Callable[[], Values]:
    from tertium.agreement.coefficients import usual_coefficients
    from tertium.agreement.sums import rated
    from tertium.corpus.labels import Names
    from tertium.results.votes import Votes

    names = tuple(f"a{number}" for number in range(ANNOTATORS))
    size = codes.shape[1]
    votes = Votes.of_codes(codes.T, Names.of("12345"), names, np.arange(size), size)

    def run() -> Values:
        ratings = rated(votes, "all")
        return {
            each.id: float(each.score(each.stats(ratings).totals())["value"])
            for each in usual_coefficients()
        }

    return run


def krippendorff(codes: np.ndarray) -> Callable[[], Values]:
    import krippendorff as peer

    data = np.where(codes < 0, np.nan, codes.astype(float))
    level: Any = "nominal"
    return lambda: {"alpha": peer.alpha(reliability_data=data, level_of_measurement=level)}


def nltk(codes: np.ndarray) -> Callable[[], Values]:
    from nltk.metrics.agreement import AnnotationTask

    side, item = np.nonzero(codes >= 0)
    rows = [(f"a{s}", int(i), int(codes[s, i])) for s, i in zip(side, item, strict=True)]
    task = AnnotationTask(rows)
    return lambda: {"alpha": task.alpha()}


def statsmodels(codes: np.ndarray) -> Callable[[], Values]:
    from statsmodels.stats.inter_rater import fleiss_kappa

    counts = np.stack([(codes == label).sum(axis=0) for label in range(LABELS)], axis=1)
    return lambda: {"fleiss": fleiss_kappa(counts), "s": fleiss_kappa(counts, method="rand")}


def main() -> None:
    make = {f.__name__: f for f in (tertium, krippendorff, nltk, statsmodels)}[sys.argv[1]]
    make(table(500))()
    run = make(table(ITEMS))
    start, cpu = time.perf_counter(), time.process_time()
    values = run()
    seconds = {"wall": time.perf_counter() - start, "cpu": time.process_time() - cpu}
    print(json.dumps({**seconds, **values}))


if __name__ == "__main__":
    main()
