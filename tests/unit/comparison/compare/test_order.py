"""The order in which similar systems stand together."""

from itertools import permutations

import numpy as np
import pytest

import tertium
from tertium.comparison.compare.views import by_similarity


def test_two_groups_stand_apart() -> None:
    near, far = 0.1, 0.9
    same = [{0, 2, 4}, {1, 3}]
    matrix = [
        [0 if i == j else near if any({i, j} <= g for g in same) else far for j in range(5)]
        for i in range(5)
    ]
    order = by_similarity(matrix)
    assert {*order[:3]} in same or {*order[:2]} in same
    assert order[0] == 0


def test_a_chain_is_laid_out_from_end_to_end() -> None:
    places = [0.5, 0.0, 1.0, 0.25, 0.75]
    matrix = [[abs(a - b) for b in places] for a in places]
    assert by_similarity(matrix) in ([1, 3, 0, 4, 2], [2, 4, 0, 3, 1])


@pytest.mark.parametrize("size", [0, 1, 2])
def test_few_systems_stay_as_they_are(size: int) -> None:
    assert by_similarity([[0.0] * size] * size) == [*range(size)]


def test_equals_stay_as_they_are() -> None:
    assert by_similarity([[0, 0.5, 0.5], [0.5, 0, 0.5], [0.5, 0.5, 0]]) == [0, 1, 2]


def test_undefined_differences_do_no_harm() -> None:
    assert sorted(by_similarity([[0, None, None], [None, 0, None], [None, None, 0]])) == [0, 1, 2]


def test_every_system_is_there_once_and_always_in_the_same_place() -> None:
    draw = np.random.default_rng(0).random((9, 9))
    matrix = ((draw + draw.T) / 2).tolist()
    order = by_similarity(matrix)
    assert sorted(order) == [*range(9)]
    assert order == by_similarity(matrix)


def test_the_order_given_does_not_change_who_stands_beside_whom() -> None:
    gold = [list("AAAAAAAAAA")]
    systems = {
        "a": [list("AAAAAAAAAx")],
        "b": [list("AAAAAAAAyx")],
        "c": [list("zzzzzAAAAA")],
        "d": [list("zzzzAAAAAA")],
    }
    found = set()
    for names in permutations(systems):
        comparison = tertium.compare(
            gold, *(systems[n] for n in names), metric="tags.accuracy", names=names
        )
        order = comparison.view.order
        found.add(min("".join(order), "".join(reversed(order))))
    assert len(found) == 1
