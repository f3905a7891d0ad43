"""The toy simulations of Søgaard et al. (2014), sections 3.3 to 3.5: two systems that are alike
look different once there is a choice of what to report.

Every test is a t-test for two independent samples of 100 standard normal values. A choice is the
smallest p of several looks.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tertium.exceptions import UsageError

Floats = npt.NDArray[np.float64]
Distortion = Callable[[np.random.Generator, Floats], Floats]

LEVELS = (0.01, 0.05)
PAPER_REPETITIONS = 1000
BINS = 20
SIZES = (0.25, 0.5, 0.75, 1.0)  # the paper does not say which four sample sizes it chose from
AT_ONCE = 2000  # repetitions held in memory together

# "Inducing random noise at 10%" can be read in many ways; each makes a second metric from the
# first. A pair is an array of 2 systems x repetitions x values.
READINGS: Mapping[str, tuple[str, Distortion]] = {
    "shift": (
        "each sample is moved by up to a tenth of a standard deviation",
        lambda draw, pair: pair + draw.uniform(-0.1, 0.1, (*pair.shape[:2], 1)),
    ),
    "values": (
        "every value gets noise with a standard deviation of 0.1",
        lambda draw, pair: pair + draw.normal(0, 0.1, pair.shape),
    ),
    "variance": (
        "every value gets noise with a variance of 0.1",
        lambda draw, pair: pair + draw.normal(0, math.sqrt(0.1), pair.shape),
    ),
    "replace": (
        "a tenth of the values is drawn anew",
        lambda draw, pair: np.where(
            draw.random(pair.shape) < 0.1, draw.normal(size=pair.shape), pair
        ),
    ),
    "flip": (
        "a tenth of the values changes its sign",
        lambda draw, pair: np.where(draw.random(pair.shape) < 0.1, -pair, pair),
    ),
    "swap": (
        "a tenth of the values changes places with the other system's",
        lambda draw, pair: np.where(draw.random(pair.shape[1:]) < 0.1, pair[::-1], pair),
    ),
    "level": (
        "a share of the values is drawn anew, another one in each repetition",
        lambda draw, pair: np.where(
            draw.random(pair.shape) < draw.random((1, pair.shape[1], 1)),
            draw.normal(size=pair.shape),
            pair,
        ),
    ),
    "drown": (
        "every value gets noise with a standard deviation of 10",
        lambda draw, pair: pair + draw.normal(0, 10, pair.shape),
    ),
    "independent": (
        "a second pair of samples is drawn",
        lambda draw, pair: draw.normal(size=pair.shape),
    ),
}
SUBSETS = {
    "halves": "one half or the other",
    "whole or half": "everything or one half",
    "whole or halves": "everything, one half or the other",
}


class Rate(NamedTuple):
    """How often p was below a level.

    - `error`: Monte Carlo standard error of `rate`
    - `paper`: the paper's figure; `expected`: the rate by formula, where all looks are independent
    """

    level: float
    rate: float
    error: float
    paper: float | None
    expected: float | None

    @property
    def distance(self) -> float | None:
        """How many standard errors of a figure from 1000 repetitions the paper's lies above ours;
        None where it has none or no repetition was below the level."""
        if self.paper is None or not 0 < self.rate < 1:
            return None
        variance = self.rate * (1 - self.rate) / PAPER_REPETITIONS + self.error**2
        return (self.paper - self.rate) / math.sqrt(variance)


@dataclass(frozen=True, slots=True)
class Relation:
    """Pearson's correlation over repetitions between rho, itself Pearson's correlation of the two
    metrics over all values, and the smaller p; `p` tests whether it is zero.

    A positive one says: the less two metrics are correlated, the smaller the p one can choose.
    """

    correlation: float
    p: float
    mean_rho: float

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Toy:
    """What a simulation found: rates at .01 and .05 beside the paper's."""

    title: str
    repetitions: int
    size: int
    seed: int
    rates: tuple[Rate, ...]
    relation: Relation | None = None

    def rate(self, level: float) -> Rate:
        """The rate at a level."""
        return next(rate for rate in self.rates if rate.level == level)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "title": self.title,
            "repetitions": self.repetitions,
            "size": self.size,
            "seed": self.seed,
            "rates": [{**rate._asdict(), "distance": rate.distance} for rate in self.rates],
            **({"relation": self.relation.to_dict()} if self.relation else {}),
        }


@dataclass(frozen=True, slots=True)
class Histograms:
    """Figure 2: p-values in bins of equal width from 0 to 1, without and with a choice."""

    title: str
    repetitions: int
    seed: int
    without: tuple[int, ...]
    chosen: tuple[int, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {**asdict(self), "without": list(self.without), "chosen": list(self.chosen)}


def alike(*, repetitions: int = PAPER_REPETITIONS, size: int = 100, seed: int = 0) -> Toy:
    """One look at two systems that are alike (section 3.3): p is below a level as often as that
    says. The paper has .8 % and 4.8 %.

    >>> [round(rate.rate, 3) for rate in alike(repetitions=100_000).rates]
    [0.01, 0.05]
    """
    looks = [t_test(*pair)[None] for _, pair in _pairs(repetitions, size, seed)]
    return _toy("one metric", np.hstack(looks), size, seed, paper=(0.008, 0.048), independent=True)


def two_metrics(
    reading: str = "shift", *, repetitions: int = PAPER_REPETITIONS, size: int = 100, seed: int = 0
) -> Toy:
    """A choice of two metrics, the second being a distorted copy of the first (section 3.3).

    The paper "induces random noise at 10%", has p < .05 in 10.0 % of repetitions, and a
    significant correlation (p < .0001) of rho with p. Of the readings of that noise in `READINGS`,
    "shift" gives both: 10.4 %, and always such a correlation; but its second metric is biased and
    would by itself reject in 9 %. "level" has 8.7 %, which 1000 repetitions do not tell from 10.0,
    and such a correlation in about 6 of 10 runs. Noise on single values leaves the copy too close
    to the original ("values", "variance", "replace", "flip", "swap": 5.5 to 7.8 %); "drown" and
    "independent" have 9.8 % and no correlation. For independent metrics the paper's figures, 1.9 %
    and 9.75 %, are by formula: 1 - (1 - level)^2.
    """
    if reading not in READINGS:
        raise UsageError(f"reading must be one of {', '.join(READINGS)}. Got {reading!r} instead.")
    text, distort = READINGS[reading]
    looks, rho = [], []
    for draw, pair in _pairs(repetitions, size, seed):
        other = distort(draw, pair)
        looks.append(np.stack([t_test(*pair), t_test(*other)]))
        rho.append(_correlation(np.hstack([*pair]), np.hstack([*other])))
    independent = reading == "independent"
    return _toy(
        f"two metrics: {text}",
        np.hstack(looks),
        size,
        seed,
        paper=(0.019, 0.0975) if independent else (None, 0.1),
        independent=independent,
        rho=np.hstack(rho),
    )


def covariate(
    reading: str = "halves", *, repetitions: int = PAPER_REPETITIONS, size: int = 100, seed: int = 0
) -> Toy:
    """A choice of subsets that a random covariate gives, splitting the values into halves (section
    3.5). The paper has 2.7 % and 9.5 % for "a choice between two subsamples": `SUBSETS` has what
    that may mean.
    """
    looks = [_subsets(pair, reading) for _, pair in _pairs(repetitions, size, seed)]
    return _toy(
        f"a covariate: {_known_subset(reading)}",
        np.hstack(looks),
        size,
        seed,
        paper=(0.027, 0.095),
        independent=reading == "halves",
    )


def metrics_and_covariate(
    reading: str = "halves", *, repetitions: int = PAPER_REPETITIONS, size: int = 100, seed: int = 0
) -> Toy:
    """A choice of two independent metrics and of subsets (section 3.5). The paper has 3.7 % and
    16.2 %."""
    looks = [
        np.vstack([_subsets(pair, reading), _subsets(draw.normal(size=pair.shape), reading)])
        for draw, pair in _pairs(repetitions, size, seed)
    ]
    return _toy(
        f"two metrics and a covariate: {_known_subset(reading)}",
        np.hstack(looks),
        size,
        seed,
        paper=(0.037, 0.162),
        independent=reading == "halves",
    )


def histograms(
    choice: str = "sizes", *, repetitions: int = PAPER_REPETITIONS, size: int = 100, seed: int = 0
) -> Histograms:
    """The p-values of Figure 2, without a choice and with one of four.

    The text speaks of four sample sizes, the caption of metrics: `choice` is "sizes" (the first
    quarter, half, three quarters, all values) or "metrics" (four independent ones). The paper's are
    bootstrap tests; these are t-tests, which for normal values come to much the same.
    """
    titles = {"sizes": "four sample sizes", "metrics": "four independent metrics"}
    if choice not in titles:
        raise UsageError(f"choice must be sizes or metrics. Got {choice!r} instead.")
    looks = []
    for draw, pair in _pairs(repetitions, size, seed):
        if choice == "sizes":
            parts = [pair[:, :, : max(2, round(share * size))] for share in SIZES]
        else:
            parts = [pair, *(draw.normal(size=pair.shape) for _ in range(3))]
        looks.append(np.stack([t_test(*part) for part in parts]))
    p = np.hstack(looks)
    plain = p[-1] if choice == "sizes" else p[0]
    without, chosen = (
        tuple(np.histogram(each, bins=BINS, range=(0, 1))[0].tolist())
        for each in (plain, p.min(axis=0))
    )
    return Histograms(titles[choice], repetitions, seed, without, chosen)


def t_test(a: Floats, b: Floats) -> Floats:
    """Two-sided p of Student's t-test for two independent samples of equal variance, for each row.

    >>> [round(float(p), 4) for p in t_test(np.array([[1.0, 2, 3]]), np.array([[2.0, 3, 7]]))]
    [0.2879]
    """
    from scipy.special import stdtr

    sizes = a.shape[-1], b.shape[-1]
    degrees = sum(sizes) - 2
    squares = sum(((each - each.mean(-1, keepdims=True)) ** 2).sum(-1) for each in (a, b))
    error = np.sqrt(squares / degrees * sum(1 / n for n in sizes))
    found: Floats = 2 * stdtr(degrees, -np.abs(a.mean(-1) - b.mean(-1)) / error)
    return found


def _pairs(repetitions: int, size: int, seed: int) -> Iterator[tuple[np.random.Generator, Floats]]:
    """Samples of both systems, some repetitions at a time, and the generator they come from."""
    if repetitions < 1 or size < 4:
        raise UsageError("a simulation needs one repetition and four values a sample")
    draw = np.random.default_rng(seed)
    for start in range(0, repetitions, AT_ONCE):
        yield draw, draw.normal(size=(2, min(AT_ONCE, repetitions - start), size))


def _subsets(pair: Floats, reading: str) -> Floats:
    """The p-values of the looks that a covariate gives. Values are in random order, so that the
    first half is a random one."""
    _known_subset(reading)
    half = pair.shape[-1] // 2
    looks = {"whole": pair, "half": pair[:, :, :half], "other": pair[:, :, half:]}
    chosen = {
        "halves": ("half", "other"),
        "whole or half": ("whole", "half"),
        "whole or halves": ("whole", "half", "other"),
    }
    return np.stack([t_test(*looks[name]) for name in chosen[reading]])


def _known_subset(reading: str) -> str:
    if reading not in SUBSETS:
        raise UsageError(f"reading must be one of {', '.join(SUBSETS)}. Got {reading!r} instead.")
    return SUBSETS[reading]


def _toy(
    title: str,
    looks: Floats,
    size: int,
    seed: int,
    *,
    paper: tuple[float | None, ...],
    independent: bool,
    rho: Floats | None = None,
) -> Toy:
    """Rates of the smallest p; `looks` are looks x repetitions."""
    count, repetitions = looks.shape
    smallest = looks.min(axis=0)
    rates = []
    for level, figure in zip(LEVELS, paper, strict=True):
        rate = float((smallest < level).mean())
        error = math.sqrt(rate * (1 - rate) / repetitions)
        expected = 1 - (1 - level) ** count if independent else None
        rates.append(Rate(level, rate, error, figure, expected))
    relation = None if rho is None or repetitions < 3 else _relation(rho, smallest)
    return Toy(title, repetitions, size, seed, tuple(rates), relation)


def _relation(rho: Floats, p: Floats) -> Relation:
    from scipy.special import stdtr

    degrees = len(rho) - 2
    found = float(_correlation(rho, p))
    t = abs(found) * math.sqrt(degrees / (1 - found**2))
    return Relation(found, 2 * float(stdtr(degrees, -t)), float(rho.mean()))


def _correlation(a: Floats, b: Floats) -> Floats:
    """Pearson's correlation along the last axis."""
    a, b = (each - each.mean(-1, keepdims=True) for each in (a, b))
    found: Floats = (a * b).sum(-1) / np.sqrt((a * a).sum(-1) * (b * b).sum(-1))
    return found
