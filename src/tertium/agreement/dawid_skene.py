"""Which labels annotators give to which true ones (Dawid and Skene 1979).

Every annotator has a confusion matrix. It and the true labels are estimated together by EM, from
the shares of votes; there is no chance in it. Counts are smoothed as those of MACE's EM are, so
that a label that an annotator never confused with another is improbable and not impossible.
"""

from __future__ import annotations

import numpy as np

from tertium.agreement.crowd_labels import FOREIGN, FREE, Estimate
from tertium.agreement.mace import ITERATIONS, SMOOTHING
from tertium.corpus.labels import Int32
from tertium.exceptions import InputError
from tertium.results.votes import Votes

MOST_CELLS = 200_000_000  # numbers in memory: annotators x labels x labels, items x labels


def run(
    votes: Votes,
    control: Int32 | None = None,
    *,
    iterations: int = ITERATIONS,
    smoothing: float = SMOOTHING,
) -> Estimate:
    """The labels after so many iterations. The competence of an annotator is how probable it is
    that they give the right label, over all classes."""
    from tertium.agreement._kernels import confuse, infer

    items, sides, labels = len(votes), len(votes.sides), len(votes.labels)
    if max(items * labels, sides * labels * labels) > MOST_CELLS:
        raise InputError(
            f"{labels:,} labels are too many for confusion matrices of {sides:,} annotators",
            help="'--method mace' does not need them",
        )
    control = np.full(items, FREE, np.int32) if control is None else control
    rows = votes.start, votes.side, votes.label
    posterior = np.zeros((items, labels))
    np.add.at(posterior, (votes.item, votes.label), 1.0)
    posterior /= np.maximum(votes.size, 1)[:, None]
    known = np.flatnonzero(control >= 0)
    posterior[control != FREE] = 0.0
    posterior[known, control[known]] = 1.0
    added, counts, total = smoothing / labels, np.zeros((sides, labels, labels)), 0.0
    for _ in range(iterations):
        confuse(*rows, posterior, counts)
        prior = posterior.sum(0) + added
        confusion = counts + added
        confusion /= confusion.sum(1, keepdims=True)
        prior /= prior.sum()
        total = infer(*rows, control, np.log(prior), np.log(confusion), posterior)
    competence = np.einsum("sll,l->s", confusion, prior)
    judged = votes.size > 0
    top = posterior.max(1, initial=0.0)
    label = np.where(judged & (control != FOREIGN), posterior.argmax(1), -1).astype(np.int32)
    tied = (posterior >= top[:, None] - 1e-12).sum(1) > 1
    with np.errstate(divide="ignore", invalid="ignore"):
        entropy = np.where(posterior > 0, -posterior * np.log(posterior), 0.0).sum(1)
    entropy[~judged] = -np.inf
    chance = posterior[votes.cells[:2]]
    tied &= label >= 0
    return Estimate(label, chance, top, entropy, competence, tied, float(total))
