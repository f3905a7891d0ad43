"""Letters: shared exactly by systems that do not differ."""

from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.exceptions import UsageError
from tertium.significance.letters import letters, marks


@given(st.integers(1, 8), st.randoms(use_true_random=False), st.floats(0, 1))
def test_two_share_a_letter_if_and_only_if_they_do_not_differ(
    size: int, random: Random, density: float
) -> None:
    names = [f"s{i}" for i in range(size)]
    differing = [pair for pair in combinations(names, 2) if random.random() < density]
    found = letters(names, differing)
    assert list(found) == names
    assert all(found.values())
    for a, b in combinations(names, 2):
        shared = set(marks(found[a])) & set(marks(found[b]))
        assert bool(shared) == ((a, b) not in differing)
    turned = [(b, a) for a, b in reversed(differing)]
    assert letters(names, turned) == found


def test_the_best_have_the_first_letters() -> None:
    names = ["A", "B", "C", "D"]
    differing = [("A", "C"), ("A", "D"), ("B", "D")]
    assert letters(names, differing) == {"A": "a", "B": "ab", "C": "bc", "D": "c"}
    assert letters(names, []) == dict.fromkeys(names, "a")
    assert letters(names, combinations(names, 2)) == {"A": "a", "B": "b", "C": "c", "D": "d"}


def test_a_letter_within_another_is_absorbed() -> None:
    # B differs from both others, which do not differ: two letters are enough.
    assert letters(["A", "B", "C"], [("A", "B"), ("B", "C")]) == {"A": "a", "B": "b", "C": "a"}


def test_after_z_letters_have_a_digit_and_stay_readable() -> None:
    names = [f"s{i:02}" for i in range(54)]
    found = letters(names, combinations(names, 2))
    assert [found[n] for n in ("s00", "s25", "s26", "s51", "s52")] == ["a", "z", "a1", "z1", "a2"]
    assert marks("az1b2") == ["a", "z1", "b2"]


def test_wrong_requests() -> None:
    assert letters([], []) == {}
    with pytest.raises(UsageError, match="'C' is not among the systems: A, B"):
        letters(["A", "B"], [("A", "C")])
    with pytest.raises(UsageError, match="'A' cannot differ from itself"):
        letters(["A", "B"], [("A", "A")])
    with pytest.raises(UsageError, match="different names"):
        letters(["A", "A"], [])
