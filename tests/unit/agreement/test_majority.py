"""Majority votes: ties as in votes of systems, and accuracy over ties."""

import numpy as np
import pytest

from tertium.agreement.methods import accuracy_over_ties, vote
from tertium.corpus.labels import Names
from tertium.families.ballots import Worth, shared_votes, winners
from tertium.results.votes import Votes


def random_table(seed: int, least: int = -1) -> tuple[np.ndarray, Votes]:
    rng = np.random.default_rng(seed)
    table = rng.integers(least, 4, (5, 60)).astype(np.int32)
    side, item = np.nonzero(table >= 0)
    names = Names.of(["V", "N", "A", "X"])
    items = Names.of(str(n) for n in range(60))
    votes = Votes.of_rows(
        item.astype(np.int32),
        side.astype(np.int32),
        table[side, item],
        names,
        [*"abcde"],
        ids=items,
    )
    return table, votes


@pytest.mark.parametrize("seed", range(10))
def test_ties_are_broken_as_between_systems(seed: int) -> None:
    table, votes = random_table(seed, least=0)
    agreement = shared_votes(table.astype(np.int64))
    assert np.array_equal(agreement, votes.agreement)
    worth = Worth(np.ones((1, 5, 1)), np.zeros(4, np.int64))
    labels, tied = winners(votes.labels, table, np.zeros(60, np.int32), worth, agreement)
    found = vote(votes)
    assert np.array_equal(np.where(found.label < 0, -1, found.label), _codes(labels, votes.labels))
    assert np.array_equal(found.tied, tied)
    assert tied.any()


def test_who_votes_much_wins_no_ties() -> None:
    """Others agree with `busy` 3 times of 6, with `good` 2 times of 3; at the end they differ."""
    said = {"busy": "NNVVV", "good": "N___N", "ann": "N_NN_", "ben": "_N___"}
    rows = [(i, s, v) for s, labels in enumerate(said.values()) for i, v in enumerate(labels)]
    item, side, label = zip(*[row for row in rows if row[2] != "_"], strict=True)
    names = Names.of("NV")
    codes = (np.array(each, np.int32) for each in (item, side, ["NV".index(v) for v in label]))
    votes = Votes.of_rows(*codes, names, [*said], ids=Names.of("12345"))
    found = vote(votes)
    assert votes.agreement.tolist() == [3, 2, 2, 1]
    assert found.tied.tolist() == [False, False, True, True, True]
    assert names[found.label[4]] == "N"


def _codes(labels, names: Names):  # type: ignore[no-untyped-def]
    return np.array([names.find(label) for label in labels.to_list()])


def test_accuracy_over_ties() -> None:
    table, votes = random_table(1)
    gold = np.random.default_rng(2).integers(0, 4, 60).astype(np.int32)
    judged = np.ones(60, np.bool_)
    plain = []
    for item in range(60):
        given = [label for label in table[:, item].tolist() if label >= 0]
        counts = {label: given.count(label) for label in given}
        best = [label for label in counts if counts[label] == max(counts.values())]
        plain.append((gold[item] in best) / len(best) if best else 0.0)
    assert accuracy_over_ties(votes, gold, judged, None) == pytest.approx(np.mean(plain), abs=1e-12)
    drawn = accuracy_over_ties(votes, gold, judged, seed=0)
    assert drawn == accuracy_over_ties(votes, gold, judged, seed=0)
    assert drawn != accuracy_over_ties(votes, gold, judged, seed=1)
    assert drawn == pytest.approx(np.mean(plain), abs=0.02)


def test_confidence_entropy_and_competence() -> None:
    names, items = Names.of(["N", "V"]), Names.of(["i", "j", "k"])
    rows = np.array([[0, 0, 0], [0, 1, 0], [0, 2, 1], [1, 2, 1]], np.int32).T
    found = vote(Votes.of_rows(*rows, names, [*"abcd"], ids=items))
    assert found.label.tolist() == [0, 1, -1]
    assert found.confidence.tolist() == pytest.approx([2 / 3, 1.0, 0.0])
    assert found.entropy.tolist() == pytest.approx([0.6365, 0.0, -np.inf], abs=1e-4)
    assert found.competence.tolist()[:3] == [1.0, 1.0, 0.5]
    assert np.isnan(found.competence[3])
