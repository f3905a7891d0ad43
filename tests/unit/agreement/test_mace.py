"""MACE: the compiled E and M steps against plain Python, and the rules of the reference."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
from scipy.special import digamma

import tertium
from tertium.agreement.methods import Estimate, Mace, Model
from tertium.corpus.labels import Names
from tertium.results.votes import Votes

Vote = tuple[int, int, int]  # item, annotator, label


def votes_of(votes: Sequence[Vote], items: int, sides: int, labels: int) -> Votes:
    item, side, label = (np.array(column, np.int32) for column in zip(*votes, strict=True))

    def names(count: int) -> Names:
        return Names.of(str(number) for number in range(count))

    return Votes.of_rows(item, side, label, names(labels), names(sides).strings, ids=names(items))


def random_votes(seed: int, items: int = 30, sides: int = 7, labels: int = 4) -> list[Vote]:
    """Some items without votes, one annotator without any."""
    rng = np.random.default_rng(seed)
    return [
        (item, side, int(rng.integers(labels)))
        for item in range(1, items)
        for side in range(sides - 1)
        if rng.random() < 0.6
    ]


def plain_e_step(votes, control, know, guess):  # type: ignore[no-untyped-def]
    """The E step as Hovy et al. (2013) write it: every label of every item."""
    sides, labels = guess.shape
    knows, guesses, total = np.zeros(sides), np.zeros((sides, labels)), 0.0
    for item in sorted({vote[0] for vote in votes}):
        mine = [vote for vote in votes if vote[0] == item]
        joint = []
        for true in range(labels):
            value = 1 / labels
            for _, side, label in mine:
                value *= know[side, 0] * guess[side, label] + know[side, 1] * (label == true)
            joint.append(value if control[item] in (-1, true) else 0.0)
        norm = sum(joint)
        total += math.log(norm)
        for _, side, label in mine:
            guessed = know[side, 0] * guess[side, label]
            known = joint[label] / norm * know[side, 1] / (guessed + know[side, 1])
            knows[side] += known
            guesses[side, label] += 1 - known
    return total, knows, guesses


def plain_m_step(knows, guesses, how):  # type: ignore[no-untyped-def]
    sides, labels = guesses.shape
    know, guess = np.zeros((sides, 2)), np.zeros((sides, labels))
    for side in range(sides):
        for counts, priors, row in (
            ([sum(guesses[side]), knows[side]], [how.alpha, how.beta], know[side]),
            ([*guesses[side]], [how.strategy_prior] * labels, guess[side]),
        ):
            if how.variational:
                added = [count + prior for count, prior in zip(counts, priors, strict=True)]
                row[:] = [math.exp(digamma(x) - digamma(sum(added))) for x in added]
            else:
                added = [count + how.smoothing / labels for count in counts]
                row[:] = [x / sum(added) for x in added]
    return know, guess


@pytest.mark.parametrize("variational", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_the_steps_equal_plain_ones(seed: int, variational: bool) -> None:
    votes = random_votes(seed)
    how = Mace(variational=variational, seed=seed)
    control = np.full(30, -1, np.int32)
    if seed % 2:
        control[[1, 2, 3]] = [2, 0, 4]  # nobody gives the last label
    model = Model(votes_of(votes, 30, 7, 5), control)
    know, guess = next(how.starts(model.votes))
    for _ in range(5):
        total, knows, guesses = plain_e_step(votes, control, know, guess)
        assert model.expect(know, guess) == pytest.approx(total, abs=1e-9)
        assert np.allclose(model.knows, knows, atol=1e-9, rtol=0)
        assert np.allclose(model.guesses, guesses, atol=1e-9, rtol=0)
        fast = how.maximise(model.knows, model.guesses)
        slow = plain_m_step(knows, guesses, how)
        for one, other in zip(fast, slow, strict=True):
            assert np.allclose(one, other, atol=1e-9, rtol=0)
        know, guess = slow


def test_confidence_and_entropy_are_those_of_all_labels() -> None:
    """Also of those without votes."""
    votes = [(0, 0, 0), (0, 1, 1), (1, 0, 2), (1, 1, 2)]
    crowd = votes_of(votes, 2, 2, 5)
    found = Mace(noise=0, iterations=1).run(crowd)
    model, how = Model(crowd), Mace(noise=0)
    model.expect(*next(how.starts(crowd)))
    know, guess = how.maximise(model.knows, model.guesses)
    for item in range(2):
        joint = np.array(
            [
                np.prod(
                    [
                        know[s, 0] * guess[s, label] + know[s, 1] * (label == true)
                        for i, s, label in votes
                        if i == item
                    ]
                )
                for true in range(5)
            ]
        )
        shares = joint / joint.sum()
        assert found.confidence[item] == pytest.approx(shares.max(), abs=1e-12)
        assert found.entropy[item] == pytest.approx(-(shares * np.log(shares)).sum(), abs=1e-12)


def test_many_votes_on_one_item_do_not_underflow() -> None:
    votes = [(0, side, side % 2) for side in range(3000)]
    found = Mace(restarts=1, iterations=3).run(votes_of(votes, 1, 3000, 2))
    assert math.isfinite(found.log_likelihood or math.nan)
    assert 0 < found.confidence[0] <= 1


def test_an_annotator_without_labels_has_the_prior() -> None:
    found = Mace().run(votes_of(random_votes(1), 30, 7, 4))
    assert found.competence[-1] == pytest.approx(0.25, abs=1e-12)
    known = Mace(beta=5.0).run(votes_of(random_votes(1), 30, 7, 4))
    assert known.competence[-1] > 0.8


def test_without_noise_there_is_no_chance() -> None:
    votes = votes_of(random_votes(2), 30, 7, 4)
    one, other = (Mace(noise=0, seed=seed).run(votes) for seed in (0, 1))
    assert one.log_likelihood == other.log_likelihood
    assert len([*Mace(noise=0).starts(votes)]) == 1
    know, guess = next(Mace(noise=0).starts(votes))
    assert np.all(know == 0.5)
    assert np.all(guess == 0.25)


def test_ties_go_to_the_label_seen_first() -> None:
    votes = [(0, 0, 1), (0, 1, 0), (1, 0, 0), (1, 1, 1)]
    found = Mace(noise=0).run(votes_of(votes, 2, 2, 2))
    assert found.label.tolist() == [0, 0]
    assert found.tied.all()


def test_the_order_of_votes_decides_nothing() -> None:
    votes = random_votes(3)
    names = Names.of(["a", "b", "c", "d", "e", "f", "g"])
    labels = Names.of(["N", "V", "A", "X"])
    turned = np.array([4, 2, 6, 0, 1, 3, 5], np.int32)
    again = np.array([3, 1, 0, 2], np.int32)
    item, side, label = (np.array(c, np.int32) for c in zip(*votes, strict=True))
    items = Names.of(str(n) for n in range(30))
    one = Votes.of_rows(item, side, label, labels, names.strings, ids=items)
    other = Votes.of_rows(
        item[::-1],
        np.argsort(turned).astype(np.int32)[side[::-1]],
        np.argsort(again).astype(np.int32)[label[::-1]],
        Names.of(labels.some(again)),
        names.some(turned),
        ids=items,
    )
    a, b = Mace().run(one), Mace().run(other)
    assert a.log_likelihood == pytest.approx(b.log_likelihood, abs=1e-8)
    assert np.allclose(a.competence, b.competence[np.argsort(turned)], atol=1e-8)


def test_control_items() -> None:
    votes = [(n, side, int(side == 2)) for n in range(8) for side in range(3)]
    crowd = votes_of(votes, 8, 3, 2)
    control = np.full(8, -1, np.int32)
    assert Mace().run(crowd).competence[2] < 0.5
    control[:6] = 1  # whoever is alone is right
    found = Mace().run(crowd, control)
    assert found.competence[2] > 0.5 > found.competence[0]
    assert found.label.tolist() == [1] * 8
    assert found.confidence[:6].tolist() == [1.0] * 6
    control[0] = 0
    assert Mace().run(crowd, control).label[0] == 0


def test_the_threshold_keeps_the_surest_items() -> None:
    """Items without votes have an entropy below all others and count, as in the reference."""
    found = Mace().run(votes_of(random_votes(5), 30, 7, 4))
    assert found.within(1.0) is found
    half = found.within(0.5)
    order = np.sort(found.entropy)
    kept = found.entropy <= order[15]
    assert np.isneginf(order[0])
    assert np.array_equal(half.label >= 0, kept & (found.label >= 0))
    assert np.array_equal(half.label[kept], found.label[kept])


@pytest.mark.parametrize("prior", ["alpha", "beta", "strategy_prior"])
def test_a_prior_of_next_to_nothing(prior: str) -> None:
    rows = [("1", "a", "N"), ("1", "b", "N"), ("2", "a", "V"), ("2", "b", "N")]
    table = [dict(zip(("item", "annotator", "label"), row, strict=True)) for row in rows]
    found = tertium.crowd(table, **{prior: 1e-300})
    assert all(label in "NV" for label in found.labels)


def test_the_threshold_takes_what_rounding_leaves_for_equal() -> None:
    entropy = np.array([0.3, 0.1 + 0.2, 0.5])
    assert entropy[0] < entropy[1]
    ones = np.ones(3)
    found = Estimate(np.zeros(3, np.int32), ones, ones, entropy, ones, ones > 1).within(0.3)
    assert found.label.tolist() == [0, 0, -1]
