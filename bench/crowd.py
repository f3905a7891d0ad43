"""MACE on made-up votes, by Tertium or by crowd-kit.

`python crowd.py WHO ITEMS` prints seconds and the share of right labels as JSON. Imports, compiling
and reading are not timed: a small run comes first, and what is timed begins with votes in memory.
177 annotators, 12 labels, 5 votes per item; 10 restarts of 50 iterations.
"""

import json
import sys
import time

import numpy as np

SIDES, LABELS, VOTES = 177, 12, 5


def votes(items: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Item, annotator and label of every vote, and the true labels: who does not know, guesses."""
    random = np.random.default_rng(29)
    knows, strategy = random.beta(2, 1, SIDES), random.dirichlet(np.ones(LABELS), SIDES)
    gold = random.integers(0, LABELS, items)
    item = np.repeat(np.arange(items), VOTES)
    side = np.argsort(random.random((items, SIDES)), axis=1)[:, :VOTES].ravel()
    known = random.random(len(item)) < knows[side]
    ends = strategy.cumsum(axis=1)[side]
    guess = (ends < random.random(len(item))[:, None]).sum(axis=1).clip(0, LABELS - 1)
    return item, side, np.where(known, gold[item], guess), gold


def by_tertium(item: np.ndarray, side: np.ndarray, label: np.ndarray, items: int) -> np.ndarray:
    from tertium.agreement.methods import Mace
    from tertium.corpus.labels import Names
    from tertium.results.votes import Votes

    names = [Names.of(map(str, range(count))) for count in (items, SIDES, LABELS)]
    columns = (column.astype(np.int32) for column in (item, side, label))
    given = Votes.of_rows(*columns, names[2], names[1].strings, ids=names[0])
    return Mace().run(given).label


def by_crowd_kit(item: np.ndarray, side: np.ndarray, label: np.ndarray, items: int) -> np.ndarray:
    import pandas as pd
    from crowdkit.aggregation import MACE

    frame = pd.DataFrame({"task": item, "worker": side, "label": label})
    found = MACE(n_restarts=10, n_iter=50).fit_predict(frame)
    return found.reindex(range(items)).to_numpy()


def main() -> None:
    who, items = sys.argv[1], int(sys.argv[2])
    run = {"tertium": by_tertium, "crowd-kit": by_crowd_kit}[who]
    if who == "tertium":
        run(*votes(50)[:3], 50)
    item, side, label, gold = votes(items)
    start, cpu = time.perf_counter(), time.process_time()
    found = run(item, side, label, items)
    seconds = {"wall": time.perf_counter() - start, "cpu": time.process_time() - cpu}
    print(json.dumps({**seconds, "accuracy": float((found == gold).mean())}))


if __name__ == "__main__":
    main()
