"""MACE: who knows and who guesses (Hovy, Berg-Kirkpatrick, Vaswani and Hovy 2013).

An annotator either knows the true label of an item and gives it, or guesses and gives a label
of their own distribution. Which of the two, and the true label, are estimated together, by EM or,
with priors, by variational inference (VB).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tertium.agreement.crowd_labels import FOREIGN, FREE, Estimate, best, entropy_of
from tertium.corpus.labels import Int32
from tertium.families.ballots import in_text_order
from tertium.results.votes import Floats, Votes

ALPHA = BETA = 0.5
STRATEGY = 10.0  # a constant of the reference implementation, whose documents do not mention it
SMOOTHING = 0.01  # of EM, divided by the number of labels
RESTARTS, ITERATIONS, NOISE = 10, 50, 0.5
TINY = 1e-300  # in the place of 0 under a logarithm


@dataclass(frozen=True)
class Mace:
    """How MACE is run. The defaults are those of the reference implementation.

    - `variational`: with priors (VB), else by EM with `smoothing` over the number of labels
    - `alpha`, `beta`: priors of guessing and of knowing; `strategy`: prior of each label that
      is guessed
    - `noise`: by how much initial values differ; 0 starts from equal ones
    """

    variational: bool = True
    restarts: int = RESTARTS
    iterations: int = ITERATIONS
    noise: float = NOISE
    seed: int = 0
    alpha: float = ALPHA
    beta: float = BETA
    strategy: float = STRATEGY
    smoothing: float = SMOOTHING

    def run(self, votes: Votes, control: Int32 | None = None) -> Estimate:
        """The best of all restarts by its likelihood, the earlier one of equal ones."""
        model = Model(votes, control)
        best: tuple[float, Floats, Floats] | None = None
        for know, guess in self.starts(votes):
            total = model.expect(know, guess)
            for _ in range(self.iterations):
                know, guess = self.maximise(model.knows, model.guesses)
                total = model.expect(know, guess)
            if best is None or total > best[0]:
                best = total, know, guess
        assert best is not None
        total, know, guess = best
        model.expect(know, guess)
        return model.estimate(know[:, 1], total)

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
        guessing = guesses.sum(1)
        counts = np.stack([guessing, knows], axis=1)
        if not self.variational:
            added = self.smoothing / guesses.shape[1]
            counts, guesses = counts + added, guesses + added
            return counts / counts.sum(1, keepdims=True), guesses / guesses.sum(1, keepdims=True)
        return (
            _expected(counts + np.array([self.alpha, self.beta])),
            _expected(guesses + self.strategy),
        )


def _expected(counts: Floats) -> Floats:
    """Of probabilities with a Dirichlet posterior: the exponent of the expected log."""
    from scipy.special import digamma

    found: Floats = np.exp(digamma(counts) - digamma(counts.sum(1, keepdims=True)))
    return found


class Model:
    """Votes, and the expected counts of the last E step."""

    def __init__(self, votes: Votes, control: Int32 | None = None) -> None:
        self.votes = votes
        self.control = np.full(len(votes), FREE, np.int32) if control is None else control
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
        label, tied = best(votes, self.posterior)
        known = (control != FREE) & (votes.size > 0)
        # What labels without votes have, all together and each.
        rest = np.where(known, 0.0, 1 - np.bincount(item, shares, items)).clip(0)
        unseen = labels - np.bincount(item, minlength=items)
        each = np.divide(rest, unseen, out=np.zeros(items), where=unseen > 0)
        entropy = entropy_of(shares, item, items) - unseen * each * np.log(np.maximum(each, TINY))
        confidence = np.zeros(items)
        np.maximum.at(confidence, item, shares.clip(max=1.0))
        confidence[known] = 1.0
        label[control == FOREIGN] = -1
        return Estimate(label, shares, confidence, entropy, competence, tied & ~known, total)
