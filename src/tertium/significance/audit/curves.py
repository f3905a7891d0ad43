"""p-values as data is added, and how often parts of the data give a significant result."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from tertium.corpus.labels import Int64
from tertium.results.stats import UnitKind
from tertium.significance.audit.looks import USUAL, AuditLook
from tertium.significance.resample import generator
from tertium.significance.tests import RANKED, Contrast

ORDER, DRAWN = 11, 12  # purposes of random numbers
STEPS = 20
ORDERS = 21  # in which data is added: an odd number, so that one has the median p
SHARES = (0.1, 0.25, 0.5, 0.75)
SUBSAMPLES = 100
SUBSAMPLE_TRIALS = 1_000
LEAST_STEP = 100  # a cut-off adds at least one of so many units


@dataclass(frozen=True)
class Curve:
    """p-values of one number along a series of ever larger subsets; the last look is at all
    units. `along` is `size` (data added in random order, the median of several orders) or `length`
    (cut-offs)."""

    along: str
    metric: str
    looks: tuple[AuditLook, ...]

    @property
    def lost(self) -> int:
        """How often a significant result became insignificant from one point to the next."""
        return sum(a and not b for a, b in pairwise(self._significant))

    @property
    def gained(self) -> int:
        """How often it was the other way round."""
        return sum(b and not a for a, b in pairwise(self._significant))

    @property
    def _significant(self) -> list[bool]:
        return [look.is_significant() for look in self.looks if look.p is not None]

    @property
    def stretches(self) -> list[tuple[AuditLook, AuditLook]]:
        """First and last look of every unbroken series of significant ones."""
        found: list[tuple[AuditLook, AuditLook]] = []
        before = False
        for look in self.looks:
            now = look.is_significant()
            if now:
                found.append((found.pop()[0], look) if before else (look, look))
            before = now
        return found

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "along": self.along,
            "metric": self.metric,
            "became_insignificant": self.lost,
            "became_significant": self.gained,
            "points": [look.to_dict() for look in self.looks],
        }


@dataclass(frozen=True)
class Orders:
    """In how many of the random orders that were tried some significant result became insignificant
    as data was added."""

    tried: int
    lost: int
    trials: int

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"tried": self.tried, "became_insignificant": self.lost, "trials": self.trials}


@dataclass(frozen=True)
class Rate:
    """How many of `samples` random parts of the data, each of `units` units drawn without
    replacement, were significant at .05, and for whom; those without a p-value are counted apart.

    All units give one sample. `trials` are those that each test may have; None for tests without.
    """

    metric: str
    share: float
    units: int
    samples: int
    a: int
    b: int
    neither: int
    undefined: int
    trials: int | None
    warning: str = ""
    unit: UnitKind = "sentence"

    @property
    def significant(self) -> int:
        """How many, whoever is better."""
        return self.a + self.b + self.neither

    @property
    def value(self) -> float | None:
        """The share of significant results among those that have a p-value; None without any."""
        tested = self.samples - self.undefined
        return self.significant / tested if tested else None

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "metric": self.metric,
            "share": self.share,
            "units": self.units,
            **({"unit": self.unit} if self.unit != "sentence" else {}),
            "samples": self.samples,
            "significant": self.significant,
            "a": self.a,
            "b": self.b,
            "undefined": self.undefined,
            "rate": self.value,
            "trials": self.trials,
            **({} if self.value is not None else {"reason": "no sample has a p-value"}),
            **({"warning": self.warning} if self.warning else {}),
        }


def size_curve(
    pair: Contrast, whole: AuditLook, lengths: Int64 | None, *, trials: int = SUBSAMPLE_TRIALS
) -> tuple[Curve, Orders]:
    """p as data is added in random order, as in the paper's Figures 3 to 5, and what single orders
    would have shown; `whole` is the look at all units.

    One order may be a lucky one. Several are tested with few `trials`; of each size the sample with
    the median p is then looked at with all trials, so that a size is significant if most orders
    are.
    """
    tried = [
        [
            AuditLook.of("size", pair, chosen, trials=trials)
            for chosen in _growing(whole.units, pair.testing.seed, number)
        ]
        for number in range(ORDERS)
    ]
    lost = sum(Curve("size", whole.metric, (*looks, whole)).lost > 0 for looks in tried)
    looks = []
    for place, of_size in enumerate(zip(*tried, strict=True)):
        p = [2.0 if look.p is None else look.p for look in of_size]
        median = sorted(range(ORDERS), key=p.__getitem__)[ORDERS // 2]
        chosen = [*_growing(whole.units, pair.testing.seed, median)][place]
        words = None if lengths is None else int(lengths[chosen].sum())
        looks.append(AuditLook.of("size", pair, chosen, words=words))
    return Curve("size", whole.metric, (*looks, whole)), Orders(ORDERS, lost, trials)


def _growing(count: int, seed: int, number: int = 0) -> Iterator[Int64]:
    """Ever larger samples along a random order of units, all of them excepted."""
    order = generator(seed, ORDER, number).permutation(count)
    for size in sorted({-(-step * count // STEPS) for step in range(1, STEPS + 1)})[:-1]:
        yield np.sort(order[:size])


def length_curve(pair: Contrast, whole: AuditLook, lengths: Int64) -> Curve:
    """p on sentences up to each length, as in the paper's Figure 6. A cut-off that adds next to
    nothing to the one before is left out."""
    words, counts = np.unique(lengths, return_counts=True)
    least = max(1.0, len(lengths) / LEAST_STEP)
    looks, added = [], 0
    for most, count in zip(words[:-1].tolist(), counts[:-1].tolist(), strict=True):
        added += count
        if most and added >= least:
            chosen = np.flatnonzero(lengths <= most)
            held = int(lengths[chosen].sum())
            looks.append(AuditLook.of("length", pair, chosen, words=held, most_words=most))
            added = 0
    last = replace(whole, most_words=int(words[-1])) if len(words) else whole
    return Curve("length", whole.metric, (*looks, last))


def rates(
    pairs: Sequence[tuple[Contrast, AuditLook]],
    *,
    samples: int = SUBSAMPLES,
    trials: int = SUBSAMPLE_TRIALS,
) -> list[Rate]:
    """The share of significant results at several sizes, as in the paper's Table 4; each pair comes
    with the look at all units, which is the only result at 100 %."""
    found = []
    for pair, whole in pairs:
        count, seed = whole.units, pair.testing.seed
        for share in SHARES:
            size = max(1, round(share * count))
            random = generator(seed, DRAWN, round(100 * share))
            chosen = [np.sort(random.choice(count, size, replace=False)) for _ in range(samples)]
            looks = [AuditLook.of("size", pair, units, trials=trials) for units in chosen]
            found.append(_rate(share, looks, trials))
        found.append(_rate(1.0, [whole], pair.testing.trials))
    return found


def _rate(share: float, looks: Sequence[AuditLook], trials: int) -> Rate:
    who = [look.better for look in looks if look.is_significant(USUAL)]
    return Rate(
        looks[0].metric,
        share,
        units=looks[0].units,
        samples=len(looks),
        a=who.count("a"),
        b=who.count("b"),
        neither=who.count(None),
        undefined=sum(look.p is None for look in looks),
        trials=None if looks[0].test.method in RANKED else trials,
        warning=next((look.test.warning for look in looks if look.test.warning), ""),
        unit=looks[0].test.unit,
    )
