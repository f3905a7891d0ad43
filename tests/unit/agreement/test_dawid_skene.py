"""Dawid and Skene's model against plain Python."""

import math

import numpy as np
import pytest

from tertium.agreement.methods import dawid_skene
from tertium.corpus.labels import Names
from tertium.exceptions import InputError
from tertium.results.votes import Votes

LABELS = 4  # nobody gives the last one


def random_crowd(seed: int) -> tuple[list[tuple[int, int, int]], Votes]:
    rng = np.random.default_rng(seed)
    votes = [
        (item, side, int(rng.integers(LABELS - 1)))
        for item in range(1, 20)
        for side in range(4)
        if rng.random() < 0.8
    ]
    columns = (np.array(column, np.int32) for column in zip(*votes, strict=True))
    items, labels = (Names.of(str(n) for n in range(count)) for count in (20, LABELS))
    return votes, Votes.of_rows(*columns, labels, [*"abcd"], ids=items)


def plain(votes, control, iterations, added):  # type: ignore[no-untyped-def]
    """Posteriors, log likelihood and competences, label by label."""
    items = sorted({vote[0] for vote in votes})
    share = {}
    for item in items:
        given = [label for i, _, label in votes if i == item]
        share[item] = [given.count(t) / len(given) for t in range(LABELS)]
        if control[item] != -1:
            share[item] = [float(control[item] == t) for t in range(LABELS)]
    for _ in range(iterations):
        prior = [sum(share[i][t] for i in items) + added for t in range(LABELS)]
        prior = [p / sum(prior) for p in prior]
        confusion = np.full((4, LABELS, LABELS), added)
        for item, side, label in votes:
            for true in range(LABELS):
                confusion[side, true, label] += share[item][true]
        confusion /= confusion.sum(2, keepdims=True)
        total = 0.0
        for item in items:
            joint = [
                prior[t] * math.prod(confusion[s, t, label] for i, s, label in votes if i == item)
                for t in range(LABELS)
            ]
            if control[item] >= 0:
                joint = [x * (t == control[item]) for t, x in enumerate(joint)]
            total += math.log(sum(joint))
            share[item] = [x / sum(joint) for x in joint]
    good = [sum(prior[t] * confusion[s, t, t] for t in range(LABELS)) for s in range(4)]
    return share, total, good


@pytest.mark.parametrize("seed", range(4))
def test_it_equals_plain_python(seed: int) -> None:
    votes, crowd = random_crowd(seed)
    control = np.full(20, -1, np.int32)
    if seed % 2:
        control[[1, 2, 3]] = [2, 0, 3]
    found = dawid_skene(crowd, control, 7, 0.01)
    share, total, good = plain(votes, control, 7, 0.01 / LABELS)
    assert found.log_likelihood == pytest.approx(total, abs=1e-9)
    assert found.competence.tolist() == pytest.approx(good, abs=1e-9)
    for item, shares in share.items():
        given = {label for i, _, label in votes if i == item} | {int(control[item])} - {-1}
        best = max(sorted(given), key=shares.__getitem__)
        assert found.confidence[item] == pytest.approx(shares[best], abs=1e-9)
        assert found.label[item] == best
    assert found.label[0] == -1


def test_too_many_labels_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tertium.agreement.methods.MOST_CELLS", 30)
    with pytest.raises(InputError, match="4 labels are too many"):
        dawid_skene(random_crowd(0)[1], None, 1, 0.01)
