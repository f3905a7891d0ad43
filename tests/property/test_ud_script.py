"""deps.ud gives every count and number of the UD evaluation script, on random files."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

import tertium
from random_conllu import Sentence, random_pair
from ud_oracles import NAMES, assert_equal, judged, ud_script

PAIRS, STEP = 500, 50  # a pair is a seed
# A first part is quick enough for every run.
parts = pytest.mark.parametrize(
    "first",
    [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(STEP, PAIRS, STEP))],
)


@pytest.fixture(scope="module")
def script() -> ModuleType:
    return ud_script()


@parts
def test_random_pairs(first: int, script: ModuleType, tmp_path: Path) -> None:
    gold, system = tmp_path / "gold.conllu", tmp_path / "system.conllu"
    for seed in range(first, first + STEP):
        ours, theirs, _, _ = random_pair(seed)
        gold.write_bytes(ours.encode())
        system.write_bytes(theirs.encode())
        assert_equal(
            tertium.score(gold, system, metric="deps.ud"),
            judged(script, gold, system),
            NAMES,
            f"seed {seed}",
        )


@pytest.mark.slow
def test_all_pairs_as_one(script: ModuleType, tmp_path: Path) -> None:
    gold, system = tmp_path / "gold.conllu", tmp_path / "system.conllu"
    pairs = [random_pair(seed) for seed in range(PAIRS)]
    gold.write_bytes("".join(pair[0] for pair in pairs).encode())
    system.write_bytes("".join(pair[1] for pair in pairs).encode())
    expected = judged(script, gold, system)
    assert 0 < expected["MLAS"].correct < expected["LAS"].correct < expected["Words"].correct
    assert_equal(tertium.score(gold, system, metric="deps.ud"), expected, NAMES, "all")


def test_the_pairs_are_as_varied_as_they_should_be() -> None:
    pairs = [random_pair(seed)[2:] for seed in range(PAIRS)]
    tokens = sum(_tokens(a) != _tokens(b) for a, b in pairs)
    sentences = sum(_stops(a) != _stops(b) for a, b in pairs)
    words = sum(_words(a) != _words(b) for a, b in pairs)
    multiwords = sum(any(len(t.words) > 1 for s in (*a, *b) for t in s) for a, b in pairs)
    assert 0.25 * PAIRS < tokens < 0.4 * PAIRS
    assert 0.25 * PAIRS < sentences < 0.45 * PAIRS
    assert words > 0.4 * PAIRS
    assert multiwords > 0.8 * PAIRS


def _tokens(side: list[Sentence]) -> list[tuple[int, int]]:
    return [(token.start, token.end) for sentence in side for token in sentence]


def _stops(side: list[Sentence]) -> list[int]:
    return [sentence[-1].end for sentence in side]


def _words(side: list[Sentence]) -> list[list[str]]:
    return [[word.form for word in token.words] for sentence in side for token in sentence]
