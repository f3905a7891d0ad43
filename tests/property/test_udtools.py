"""deps.ud(compat='udtools') gives every count and number of udtools, on random files with enhanced
graphs and several roots."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

import tertium
from random_conllu import random_pair
from ud_oracles import ENHANCED_NAMES, assert_equal, judged, udtools

PAIRS, STEP = 500, 50
METRIC = "deps.ud(compat='udtools')"
parts = pytest.mark.parametrize(
    "first",
    [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(STEP, PAIRS, STEP))],
)


@pytest.fixture(scope="module")
def script() -> ModuleType:
    return udtools()


@parts
def test_random_pairs(first: int, script: ModuleType, tmp_path: Path) -> None:
    gold, system = tmp_path / "gold.conllu", tmp_path / "system.conllu"
    for seed in range(first, first + STEP):
        ours, theirs, _, _ = random_pair(seed, forests=True)
        gold.write_bytes(ours.encode())
        system.write_bytes(theirs.encode())
        assert_equal(
            tertium.score(gold, system, metric=METRIC),
            judged(script, gold, system, forests=True),
            ENHANCED_NAMES,
            f"seed {seed}",
        )


@pytest.mark.slow
def test_all_pairs_as_one(script: ModuleType, tmp_path: Path) -> None:
    gold, system = tmp_path / "gold.conllu", tmp_path / "system.conllu"
    pairs = [random_pair(seed, forests=True) for seed in range(PAIRS)]
    gold.write_bytes("".join(pair[0] for pair in pairs).encode())
    system.write_bytes("".join(pair[1] for pair in pairs).encode())
    expected = judged(script, gold, system, forests=True)
    assert 0 < expected["ELAS"].correct < expected["EULAS"].correct < expected["ELAS"].gold_total
    assert_equal(tertium.score(gold, system, metric=METRIC), expected, ENHANCED_NAMES, "all")


def test_some_sentences_have_several_roots() -> None:
    roots = [
        sum(word.head is None for token in sentence for word in token.words)
        for seed in range(PAIRS)
        for side in random_pair(seed, forests=True)[2:]
        for sentence in side
    ]
    assert min(roots) == 1
    assert sum(count > 1 for count in roots) > 0.1 * len(roots)


def test_real_graphs(script: ModuleType, shared: Path, tmp_path: Path) -> None:
    """A treebank against itself with relations cut: as many edges, fewer of them right."""
    gold, system = shared / "data" / "ewt" / "answers-dev.conllu", tmp_path / "system.conllu"
    system.write_text(gold.read_text(encoding="utf-8").replace("conj:and", "conj"), "utf-8")
    expected = judged(script, gold, system, forests=True)
    assert expected["ELAS"].correct < expected["EULAS"].correct
    assert_equal(tertium.score(gold, system, metric=METRIC), expected, ENHANCED_NAMES, "EWT")
