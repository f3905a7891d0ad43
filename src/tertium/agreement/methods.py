"""How the votes of a crowd become labels: by majority, as Dawid and Skene (1979), or by MACE (Hovy,
Berg-Kirkpatrick, Vaswani and Hovy 2013).

All take votes one by one and, except for majority, control items: codes of labels that are known,
-1 for none. MACE: an annotator either knows the true label of an item and gives it, or guesses and
gives a label of their own distribution. Dawid and Skene: every annotator has a confusion matrix.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tertium.corpus.labels import Int32, Int64
from tertium.exceptions import InputError, UsageError
from tertium.families.ballots import in_text_order, majority
from tertium.families.base import divide
from tertium.options import option
from tertium.results.votes import SILENT, Bools, Floats, Votes

RUNS = 100  # of ties at random, as Hovy, Plank and Søgaard (2014)
TINY = 1e-300  # in the place of 0 under a logarithm
SAME = 1e-12  # chances or entropies that differ by less are the same
MOST = 1e9  # of a prior
MOST_CELLS = 25_000_000  # numbers in memory: annotators x labels x labels, items x labels


@dataclass(frozen=True, eq=False)
class Estimate:
    """What a method found.

    - `label`: of every item, -1 for none; `chance`: of every cell (`Votes.cells`), how probable the
      label is there or, by majority, its share of the votes; `confidence`: that of an item's label
    - `entropy`: that of all labels of an item in nats, -inf without votes
    - `competence`: of every annotator: how probable it is that they know, give the right label or,
      by majority, vote with it
    - `tied`: items whose label was as good as a second one
    """

    label: Int32
    chance: Floats
    confidence: Floats
    entropy: Floats
    competence: Floats
    tied: Bools
    log_likelihood: float | None = None

    def within(self, threshold: float) -> Estimate:
        """Without labels of items whose entropy is above that of the share of items asked for.
        Items without votes count, as in MACE."""
        place = int(len(self.entropy) * threshold)
        if place >= len(self.entropy):
            return self
        kept = self.entropy <= np.sort(self.entropy)[place] + SAME
        return replace(self, label=np.where(kept, self.label, np.int32(SILENT)))


def _entropy(shares: Floats, of_item: Int64, items: int) -> Floats:
    """The entropy of items, given the shares of labels and their items."""
    terms = -shares * np.log(np.maximum(shares, TINY))
    there = np.bincount(of_item, minlength=items) > 0
    return np.where(there, np.bincount(of_item, terms, items), -np.inf)


def _highest(votes: Votes, value: Floats | Int64) -> Floats:
    """For every item the largest value of its cells, 0 without votes."""
    found = np.zeros(len(votes))
    np.maximum.at(found, votes.cells[0], value)
    return found


def _best(votes: Votes, value: Floats) -> tuple[Int32, Bools]:
    """For every item the label whose cell has the largest value, the label that was seen first
    where several do, -1 without votes; and whether several do."""
    item, label, _ = votes.cells
    wins = np.flatnonzero(value >= _highest(votes, value)[item] - SAME)
    found = np.full(len(votes), SILENT, np.int32)
    found[item[wins[::-1]]] = label[wins[::-1]]  # the first of equal ones stays
    return found, np.bincount(item[wins], minlength=len(votes)) > 1


def _of_model(
    votes: Votes, control: Int32, chance: Floats, entropy: Floats, competence: Floats, total: float
) -> Estimate:
    """What a model finds: the most probable of the labels that somebody gives to an item, and the
    known one of a control item."""
    label, tied = _best(votes, chance)
    known = control >= 0
    confidence = np.maximum(known, _highest(votes, chance.clip(max=1.0)))
    label = np.where(known, control, label)
    return Estimate(label, chance, confidence, entropy, competence, tied & ~known, total)


# -- majority ----------------------------------------------------------------------------------


def vote(votes: Votes) -> Estimate:
    """The label with most votes. Of labels with equally many, the one whose voters agree more often
    with others, then the first in the order of characters."""
    label, tied = majority(votes)
    item, _, count = votes.cells
    share, sides = count / votes.size[item], len(votes.sides)
    with_most = np.bincount(votes.side, votes.label == label[votes.item], sides)
    competence = divide(with_most, np.bincount(votes.side, minlength=sides))
    entropy = _entropy(share, item, len(votes))
    return Estimate(label, share, _highest(votes, share), entropy, competence, tied)


def accuracy_over_ties(votes: Votes, gold: Int32, judged: Bools, seed: int | None) -> float:
    """The accuracy of a majority vote over the judged items: as expected if ties were broken at
    random or, with a seed, averaged over 100 runs that do so."""
    item, label, count = votes.cells
    most = np.flatnonzero(count == _highest(votes, count)[item])
    item, right = item[most], label[most] == gold[item[most]]
    if seed is None:
        chances = np.maximum(np.bincount(item, minlength=len(gold)), 1)
        return float((np.bincount(item, right, len(gold)) / chances)[judged].mean())
    rng, first = np.random.default_rng(seed), np.flatnonzero(np.diff(item, prepend=-1))
    first = first[judged[item[first]]]
    orders = (np.lexsort((rng.random(len(item)), item)) for _ in range(RUNS))
    return float(np.mean([right[order[first]].sum() / judged.sum() for order in orders]))


def method_row(
    method: str, found: Estimate, votes: Votes, gold: Int32 | None, seed: int | None
) -> dict[str, Any]:
    """What there is to say about a method: the entry in `methods` of the JSON output.

    Accuracy and coverage are over items with a gold label (as a code, -1 for none); without gold,
    coverage is over items with a vote. The accuracy of a majority vote is as expected over ties or,
    with a seed, that of ties broken at random; `output_accuracy` is that of the labels themselves.
    """
    given, asked = found.label >= 0, votes.size > 0 if gold is None else gold != SILENT
    reason = "no scored item has both a gold label and an aggregated one"
    if gold is None:
        gold, reason = np.full(len(votes), SILENT, np.int32), "no gold labels were given"
    judged = given & (gold != SILENT)
    accuracy = output = _share(found.label == gold, judged)
    if method == "majority" and accuracy is not None:
        accuracy = accuracy_over_ties(votes, gold, judged, seed)
    return {
        "method": method,
        "accuracy": accuracy,
        **({"reason": reason} if accuracy is None else {}),
        "output_accuracy": output,
        "coverage": _share(given, asked),
        "log_likelihood": found.log_likelihood,
        "ties": int(found.tied.sum()),
    }


def _share(items: Bools, among: Bools) -> float | None:
    return float(items[among].mean()) if among.any() else None


# -- Dawid and Skene ---------------------------------------------------------------------------


def dawid_skene(votes: Votes, control: Int32 | None, iterations: int, smoothing: float) -> Estimate:
    """The labels after so many iterations of EM from the shares of votes; no chance is involved.
    Counts are smoothed as those of MACE's EM are, so a label that an annotator never confused with
    another is improbable and not impossible."""
    from scipy.sparse import csr_array

    items, sides, labels = len(votes), len(votes.sides), len(votes.labels)
    if max(items * labels, sides * labels * labels) > MOST_CELLS:
        raise InputError(
            f"{labels:,} labels are too many for confusion matrices of {sides:,} annotators",
            help="'--method mace' does not need them",
        )
    # Items x (annotator, label): products with it are sums over votes.
    given = votes.side * labels + votes.label
    said = csr_array((np.ones(len(given)), given, votes.start), shape=(items, sides * labels))
    control = np.full(items, SILENT, np.int32) if control is None else control
    voted = votes.size > 0
    known, free = np.flatnonzero(voted & (control >= 0)), voted & (control < 0)
    item, label, count = votes.cells
    posterior = np.zeros((items, labels))
    posterior[item, label] = count / votes.size[item]
    posterior[known] = 0.0
    posterior[known, control[known]] = 1.0
    added, total = smoothing / labels, 0.0
    for _ in range(iterations):
        confusion = (said.T @ posterior).reshape(sides, labels, labels) + added
        confusion /= confusion.sum(1, keepdims=True)
        prior = posterior.sum(0) + added
        prior /= prior.sum()
        joint = said @ np.log(confusion).reshape(-1, labels) + np.log(prior)
        top = joint.max(1, initial=-np.inf, keepdims=True)
        shares = np.exp(joint - top)
        norm = shares.sum(1, keepdims=True)
        posterior[free] = (shares / norm)[free]
        total = float((top + np.log(norm))[free].sum() + joint[known, control[known]].sum())
    competence = np.einsum("sll,l->s", confusion, prior)
    row = np.repeat(np.flatnonzero(voted), labels)
    entropy = _entropy(posterior[voted].ravel(), row, items)
    return _of_model(votes, control, posterior[item, label], entropy, competence, total)


# -- MACE --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Mace:
    """How MACE is run. The defaults are those of the reference implementation; the prior of labels
    is a constant there, which its documents do not mention."""

    restarts: int = option(
        10, "Random restarts of MACE. Default: 10.", metavar="N", least=1, most=100_000
    )
    iterations: int = option(
        50, "Iterations of MACE and Dawid-Skene. Default: 50.", metavar="N", least=1,
        most=1_000_000,
    )  # fmt: skip
    noise: float = option(
        0.5, "How much the initial values of MACE vary; 0 starts from equal ones. Default: 0.5.",
        metavar="AMOUNT", least=0, most=1_000_000,
    )  # fmt: skip
    seed: int = option(0, "Random seed. Default: 0.", metavar="N", least=0)
    alpha: float = option(
        0.5, "Prior count of guessing (mace only). Default: 0.5.", metavar="PRIOR"
    )
    beta: float = option(0.5, "Prior count of knowing (mace only). Default: 0.5.", metavar="PRIOR")
    strategy_prior: float = option(
        10.0, "Prior count of each guessed label (mace only). Default: 10.", metavar="PRIOR"
    )
    smoothing: float = option(
        0.01, "Added to counts of mace-em and dawid-skene, divided by the number of labels. "
        "Default: 0.01.",
        metavar="COUNT",
    )  # fmt: skip
    variational: bool = True  # with priors, else EM with smoothing

    def __post_init__(self) -> None:
        for name in ("alpha", "beta", "strategy_prior", "smoothing"):
            if not 0 < getattr(self, name) <= MOST:
                value = f"{getattr(self, name):g}"
                raise UsageError(f"{name} must be above 0, up to {MOST:g}. Got {value} instead.")

    def run(self, votes: Votes, control: Int32 | None = None) -> Estimate:
        """The best of all restarts by its likelihood, the earlier one of equal ones."""
        model = Model(votes, control)
        runs = (self._climb(model, *start) for start in self.starts(votes))
        best = next(runs)
        for run in runs:
            if run[0] - best[0] > SAME * max(1.0, abs(best[0])):  # what rounding leaves is no more
                best = run
        total, know, guess = best
        model.expect(know, guess)
        return model.estimate(know[:, 1], total)

    def _climb(self, model: Model, know: Floats, guess: Floats) -> tuple[float, Floats, Floats]:
        """The log likelihood that one run reaches, and where."""
        total = model.expect(know, guess)
        for _ in range(self.iterations):
            know, guess = self.maximise(model.knows, model.guesses)
            total = model.expect(know, guess)
        return total, know, guess

    def starts(self, votes: Votes) -> Iterator[tuple[Floats, Floats]]:
        """Initial values: guessing and knowing, and the labels that are guessed, by annotator. What
        is drawn belongs to names, whatever the order of annotators and labels."""
        rng = np.random.default_rng(self.seed)
        sides, labels = in_text_order(votes.sides), in_text_order(votes.labels.strings)
        for _ in range(self.restarts if self.noise else 1):
            know = 1 + self.noise * rng.random((len(sides), 2))[sides]
            guess = 1 + self.noise * rng.random((len(sides), len(labels)))[np.ix_(sides, labels)]
            yield tuple(each / each.sum(1, keepdims=True) for each in (know, guess))

    def maximise(self, knows: Floats, guesses: Floats) -> tuple[Floats, Floats]:
        """The M step. With priors rows sum to less than 1."""
        counts = np.stack([guesses.sum(1), knows], axis=1)
        if not self.variational:
            added = self.smoothing / guesses.shape[1]
            counts, guesses = counts + added, guesses + added
            return counts / counts.sum(1, keepdims=True), guesses / guesses.sum(1, keepdims=True)
        counts = counts + np.array([self.alpha, self.beta])
        return _expected(counts), _expected(guesses + self.strategy_prior)


def _expected(counts: Floats) -> Floats:
    """Of probabilities with a Dirichlet posterior: the exponent of the expected log."""
    from scipy.special import digamma

    found: Floats = np.exp(digamma(counts) - digamma(counts.sum(1, keepdims=True)))
    return found


class Model:
    """Votes, and the expected counts of the last E step of MACE."""

    def __init__(self, votes: Votes, control: Int32 | None = None) -> None:
        self.votes = votes
        self.control = np.full(len(votes), SILENT, np.int32) if control is None else control
        self.posterior = np.zeros(len(votes.item))
        self.knows = np.zeros(len(votes.sides))
        self.guesses = np.zeros((len(votes.sides), len(votes.labels)))

    def expect(self, know: Floats, guess: Floats) -> float:
        """The E step: the log likelihood."""
        from tertium.agreement._kernels import expect

        votes = self.votes
        guessed = np.maximum(know[:, :1] * guess, TINY)
        either = guessed + know[:, 1:]
        base = np.log(guessed)
        total = expect(
            *(votes.start, votes.side, votes.label, self.control, len(votes.labels)),
            *(base, np.log(either) - base, know[:, 1:] / either),
            *(self.posterior, self.knows, self.guesses),
        )
        return float(total)

    def estimate(self, competence: Floats, total: float) -> Estimate:
        """What the last E step says about items."""
        votes, control = self.votes, self.control
        shares, item = self.posterior[votes.first_of_cell], votes.cells[0]
        items, labels = len(votes), len(votes.labels)
        # What labels without votes have, all together and each.
        rest = np.where(control >= 0, 0.0, 1 - np.bincount(item, shares, items)).clip(0)
        unseen = labels - np.bincount(item, minlength=items)
        each = rest / np.maximum(unseen, 1)
        entropy = _entropy(shares, item, items) - unseen * each * np.log(np.maximum(each, TINY))
        return _of_model(votes, control, shares, entropy, competence, total)


# -- the methods by their names ----------------------------------------------------------------


_RUNS = ("restarts", "iterations", "noise", "seed")
# The methods, and the names of the options that decide their labels.
METHODS: dict[str, tuple[str, ...]] = {
    "majority": (),
    "dawid-skene": ("iterations", "smoothing"),
    "mace-em": (*_RUNS, "smoothing"),
    "mace": (*_RUNS, "alpha", "beta", "strategy_prior"),
}


def estimate(method: str, how: Mace, votes: Votes, control: Int32 | None) -> Estimate:
    """What a method finds, given the values of all options, votes and control items."""
    if method == "majority":
        return vote(votes)
    if method == "dawid-skene":
        return dawid_skene(votes, control, how.iterations, how.smoothing)
    return replace(how, variational=method == "mace").run(votes, control)
