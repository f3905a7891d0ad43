"""Trees with most votes, against all trees there are."""

from itertools import product

import numpy as np
import pytest

from tertium.families._kernels import best_heads, most_votes


def is_tree(heads: tuple[int, ...]) -> bool:
    for word in range(len(heads)):
        at, steps = word + 1, 0
        while at and steps <= len(heads):
            at, steps = heads[at - 1], steps + 1
        if at:
            return False
    return True


def roots(heads: tuple[int, ...]) -> int:
    return sum(h == 0 for h in heads)


def by_enumeration(
    votes: np.ndarray, weight: np.ndarray, agreement: np.ndarray
) -> set[tuple[int, ...]]:
    """All trees of voted arcs that have most votes and, among these, most agreement.

    One root wherever a system has a whole tree with one root.
    """
    systems, size = votes.shape
    one_root = any(roots(tuple(row)) == 1 and (row >= 0).all() for row in votes)
    best: set[tuple[int, ...]] = set()
    most = (-1, -1)
    for heads in product(range(size + 1), repeat=size):
        voters = [[s for s in range(systems) if votes[s, w] == h] for w, h in enumerate(heads)]
        if not all(voters) or not is_tree(heads) or (one_root and roots(heads) != 1):
            continue
        found = tuple(
            sum(int(by[s]) for some in voters for s in some) for by in (weight, agreement)
        )
        if found > most:
            best, most = set(), found
        if found == most:
            best.add(heads)
    return best


def random_tree(rng: np.random.Generator, size: int, several: bool) -> list[int]:
    while True:
        heads = [int(h) for h in rng.integers(0, size + 1, size)]
        if is_tree(tuple(heads)) and (several or roots(tuple(heads)) == 1):
            return heads


def voted(
    votes: np.ndarray, weight: np.ndarray, agreement: np.ndarray | None = None
) -> tuple[int, ...]:
    offsets, fold = np.array([0, votes.shape[1]]), np.zeros(votes.shape[1], np.int32)
    if agreement is None:
        agreement = np.zeros(len(votes), np.int64)
    heads, _ = best_heads(votes.astype(np.int32), offsets, fold, weight[None], agreement)
    return tuple(heads.tolist())


@pytest.mark.parametrize("seed", range(150))
def test_no_tree_has_more_votes(seed: int) -> None:
    rng = np.random.default_rng(seed)
    size, systems = int(rng.integers(1, 6)), int(rng.integers(1, 6))
    several = bool(rng.integers(0, 2))
    votes = np.array([random_tree(rng, size, several) for _ in range(systems)])
    # Some votes are lost, as where words have no partner; the base keeps its tree.
    votes[1:][rng.random(votes[1:].shape) < rng.choice([0, 0.3])] = -1
    weight = rng.integers(1, 4, systems) if rng.integers(0, 2) else np.ones(systems, np.int64)
    agreement = rng.integers(0, 4, systems)
    found = voted(votes, weight, agreement)
    assert found in by_enumeration(votes, weight, agreement)
    order = rng.permutation(systems)
    assert voted(votes[order], weight[order], agreement[order]) == found


def test_sentences_do_not_disturb_one_another() -> None:
    rng = np.random.default_rng(5)
    sizes = rng.integers(1, 6, 40)
    parts = [np.array([random_tree(rng, n, False) for _ in range(4)]) for n in sizes]
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    weight = np.array([1, 1, 1, 1])
    whole, _ = best_heads(
        np.concatenate(parts, axis=1).astype(np.int32),
        offsets,
        np.zeros(offsets[-1], np.int32),
        weight[None],
        np.zeros(4, np.int64),
    )
    for n, part in enumerate(parts):
        assert tuple(whole[offsets[n] : offsets[n + 1]].tolist()) == voted(part, weight)


def test_a_cycle_of_favourites_is_broken_where_it_costs_least() -> None:
    votes = np.array([[0, 3, 1], [0, 3, 1], [0, 1, 2], [0, 1, 2], [2, 0, 2], [2, 0, 2]])
    weight = np.array([6, 6, 5, 5, 5, 5])
    # Word 2 would like head 3 (12 of 32), word 3 head 2 (20): a cycle. Head 1 for word 2 costs 2,
    # head 1 for word 3 costs 8.
    assert voted(votes, weight) == (0, 1, 2)


def test_two_favourite_roots_become_one() -> None:
    votes = np.array([[0, 1, 1], [0, 3, 1], [0, 1, 1], [2, 0, 2], [3, 0, 2], [2, 0, 2]])
    # Words 1 and 2 are roots for three systems each, more than have any other head for them.
    assert voted(votes, np.ones(6, np.int64)) == (0, 1, 1)
    assert voted(votes, np.array([2, 2, 2, 3, 2, 2])) == (2, 0, 2)


def test_several_roots_stay_where_every_system_has_several() -> None:
    votes = np.array([[0, 0, 2], [0, 0, 2], [0, 0, 1]])
    assert voted(votes, np.ones(3, np.int64)) == (0, 0, 2)


def test_equal_trees_go_to_systems_that_agree_with_others() -> None:
    votes, ones = np.array([[2, 0, 2], [0, 1, 1]]), np.ones(2, np.int64)
    assert voted(votes, ones, np.array([5, 4])) == (2, 0, 2)
    assert voted(votes, ones, np.array([4, 5])) == (0, 1, 1)
    assert voted(votes, ones) == voted(votes[::-1], ones) == (0, 1, 1)  # the smaller heads


def test_votes_that_make_no_tree_leave_words_without_head() -> None:
    assert voted(np.array([[2, -1, 0], [-1, 1, -1]]), np.ones(2, np.int64)) in {
        (2, -1, 0),
        (-1, 1, 0),
    }
    assert voted(np.array([[-1, 1]]), np.ones(1, np.int64)) == (-1, 1)


def test_a_heavy_system_outvotes_others() -> None:
    votes = np.array([[2, 0], [0, 1], [0, 1]])
    assert voted(votes, np.array([1, 1, 1])) == (0, 1)
    assert voted(votes, np.array([3, 1, 1])) == (2, 0)


def test_labels_with_most_votes() -> None:
    votes = np.array([[0, 0, -1, -1, 2], [1, 1, 1, -1, 1], [1, 2, 2, -1, 0]], np.int32)
    table = np.ones((1, 3, 1), np.int64)
    fold, column = np.zeros(5, np.int32), np.zeros(3, np.int64)
    for agreement, expected in (
        ([3, 2, 1], [1, 0, 1, -1, 2]),
        ([1, 2, 3], [1, 2, 2, -1, 0]),
        ([1, 1, 1], [1, 2, 2, -1, 2]),  # the order of labels decides
    ):
        found, tied = most_votes(
            votes, fold, table, column, np.array(agreement), np.array([2, 1, 0])
        )
        assert found.tolist() == expected
        assert tied.tolist() == [False, True, True, False, True]


def test_votes_count_by_label_and_fold() -> None:
    votes = np.array([[0, 0], [1, 1]], np.int32)
    table = np.array([[[9, 5], [9, 8]], [[3, 5], [9, 8]]])
    fold, column = np.array([0, 1], np.int32), np.array([0, 1])
    found, tied = most_votes(votes, fold, table, column, np.ones(2, np.int64), np.arange(2))
    assert found.tolist() == [0, 1]
    assert not tied.any()
