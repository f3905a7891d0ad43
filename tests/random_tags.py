"""Random tags, of any scheme and of none, for tests that compare with other tools."""

from collections import Counter
from itertools import islice
from typing import NamedTuple

import numpy as np

from tertium.align.tokens import align
from tertium.families.base import make
from tertium.formats.objects import from_python

Sentences = list[list[str]]
KINDS = ("-X", "-Y", "-X-", "--X", "-X-Y", "-", "", "X", "-_", "-0")


def random_pair(
    rng: np.random.Generator, prefixes: str, kinds: tuple[str, ...] = KINDS
) -> tuple[Sentences, Sentences]:
    """Gold and system: a few tags in a few short sentences, the system mostly like gold.

    There are few tags in a file so that equal ones meet; empty sentences are there as well.
    """
    tags = ["O"]
    for prefix, kind in rng.integers(0, 1 << 30, (int(rng.integers(1, 6)), 2)).tolist():
        tags.append(prefixes[prefix % len(prefixes)] + kinds[kind % len(kinds)])
    lengths = [int(rng.integers(1, 9)), *rng.integers(0, 9, int(rng.integers(0, 4))).tolist()]
    codes = rng.integers(0, len(tags), sum(lengths))
    change = rng.random(len(codes)) < rng.choice([0.0, 0.1, 0.3, 1.0])
    changed = np.where(change, rng.integers(0, len(tags), len(codes)), codes)
    sides = []
    for side in (codes.tolist(), changed.tolist()):
        written = iter(tags[code] for code in side)
        sides.append([list(islice(written, length)) for length in lengths])
    return sides[0], sides[1]


class Judged(NamedTuple):
    """Totals, numbers with 0 for what is undefined, and (correct, gold, system) per label."""

    totals: tuple[int, int, int]
    scores: dict[str, float]
    labels: dict[str, tuple[int, int, int]]


def judge(text: str, gold: Sentences, system: Sentences) -> Judged:
    """What a metric makes of lists of tags."""
    ours, theirs = from_python(gold, name="gold"), from_python(system, name="system")
    metric = make(text)
    fitted = metric.fit(metric.facts(ours))
    stats = fitted.measure(ours, theirs, align(ours, theirs))
    totals = stats.totals()
    sides = ("correct", "gold", "system")
    counts = np.array([totals.label(side) for side in sides]).astype(int).T.tolist()
    scores = {name: float(np.nan_to_num(value)) for name, value in fitted.score(totals).items()}
    return Judged(
        (int(totals["correct"]), int(totals["gold"]), int(totals["system"])),
        scores,
        {label: (c, g, s) for label, (c, g, s) in zip(totals.labels, counts, strict=True)},
    )


def counts_of(correct: Counter[str], gold: Counter[str], system: Counter[str]) -> dict[str, object]:
    """(correct, gold, system) per label, as `judge` gives them."""
    return {k: (correct[k], gold[k], system[k]) for k in {*correct, *gold, *system}}
