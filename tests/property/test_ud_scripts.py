"""deps.ud gives every count and number of the UD evaluation script, and with compat='udtools' of
udtools, on random files; for udtools these have enhanced graphs and several roots."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import pytest

import tertium
from random_conllu import Sentence, random_pair
from recordings import BLOCK, confirm, record, recorded
from ud_oracles import (
    ENHANCED_NAMES,
    NAMES,
    STANZA,
    UDTOOLS,
    Answer,
    answer,
    assert_equal,
    judged,
    replayed,
    ud_script,
    udtools,
)

PAIRS, QUICK = 500, 50  # a pair is a seed


class Oracle(NamedTuple):
    """A script, the metric that equals it, and whether its files may have several roots."""

    version: str
    load: Callable[[], ModuleType]
    metric: str
    names: dict[str, str]
    forests: bool

    def pairs(self, first: int, last: int) -> list[tuple[str, str]]:
        """Gold and system of each seed, as text."""
        return [random_pair(seed, forests=self.forests)[:2] for seed in range(first, last)]

    def files(self, pair: tuple[str, str], folder: Path) -> tuple[Path, Path]:
        gold, system = folder / "gold.conllu", folder / "system.conllu"
        for path, text in zip((gold, system), pair, strict=True):
            path.write_bytes(text.encode())
        return gold, system

    def answers(self, pairs: list[tuple[str, str]], folder: Path) -> list[Answer]:
        """What the script itself says."""
        judge = partial(judged, self.load(), forests=self.forests)
        return [answer(judge(*self.files(pair, folder)), self.names) for pair in pairs]

    def compare(self, pair: tuple[str, str], given: Answer, folder: Path, what: str) -> None:
        """Stanza's copy of the script skips empty nodes inside multiword tokens, which the script
        of 2018 refuses, and so do we; without them the numbers are the same."""
        scored = tuple(map(without_nodes_inside, pair))
        if self.metric == "deps.ud" and scored != pair:
            with pytest.raises(tertium.FormatError, match="Incorrect word ID"):
                tertium.score(*self.files(pair, folder), metric=self.metric)
            pair = scored[0], scored[1]
        scores = tertium.score(*self.files(pair, folder), metric=self.metric)
        assert_equal(scores, replayed(given, self.names), self.names, what)


def without_nodes_inside(text: str) -> str:
    """The text without empty nodes between the words of a multiword token."""
    kept, last = [], 0
    for line in text.split("\n"):
        number = line.partition("\t")[0]
        first, dash, end = number.partition("-")
        if dash and first.isdigit():
            last = int(end)
        elif not line:
            last = 0
        if not (number[:1].isdigit() and "." in number and int(number.split(".")[0]) < last):
            kept.append(line)
    return "\n".join(kept)


ORACLES = {
    "ud-script": Oracle(f"stanza {STANZA}", ud_script, "deps.ud", NAMES, False),
    "udtools": Oracle(
        f"udtools {UDTOOLS}", udtools, "deps.ud(compat='udtools')", ENHANCED_NAMES, True
    ),
}
oracles = pytest.mark.parametrize("name", ORACLES)


@oracles
@pytest.mark.parametrize(
    "first",
    [
        pytest.param(seed, marks=[pytest.mark.oracles] if seed >= QUICK else [])
        for seed in range(0, PAIRS, BLOCK)
    ],
)
def test_random_pairs(name: str, first: int, tmp_path: Path) -> None:
    oracle = ORACLES[name]
    pairs = oracle.pairs(first, first + BLOCK)
    answers = recorded(name, oracle.version, pairs, first)
    for seed, (pair, given) in enumerate(zip(pairs, answers, strict=True), first):
        oracle.compare(pair, given, tmp_path, f"seed {seed}")


@oracles
def test_all_pairs_as_one(name: str, tmp_path: Path) -> None:
    oracle = ORACLES[name]
    pairs = _joined(oracle.pairs(0, PAIRS))
    (given,) = recorded(f"{name}-joined", oracle.version, pairs)
    found = replayed(given, oracle.names)
    if name == "udtools":
        assert 0 < found["ELAS"].correct < found["EULAS"].correct < found["ELAS"].gold_total
    assert 0 < found["MLAS"].correct < found["LAS"].correct < found["Words"].correct
    oracle.compare(pairs[0], given, tmp_path, "all")


@oracles
def test_the_script_says_what_is_on_record(name: str, tmp_path: Path) -> None:
    oracle = ORACLES[name]
    pairs = oracle.pairs(0, BLOCK)
    confirm(name, oracle.version, pairs, oracle.answers(pairs, tmp_path))


@pytest.mark.oracles
@oracles
def test_the_script_says_all_that_is_on_record(name: str, tmp_path: Path) -> None:
    oracle = ORACLES[name]
    pairs = oracle.pairs(0, PAIRS)
    record(name, oracle.version, pairs, oracle.answers(pairs, tmp_path))
    joined = _joined(pairs)
    record(f"{name}-joined", oracle.version, joined, oracle.answers(joined, tmp_path))


def _joined(pairs: list[tuple[str, str]]) -> list[tuple[str, str]]:
    return [("".join(gold for gold, _ in pairs), "".join(system for _, system in pairs))]


def _real_graphs(shared: Path) -> list[tuple[str, str]]:
    """A treebank against itself with relations cut: as many edges, fewer of them right."""
    gold = (shared / "data" / "ewt" / "answers-dev.conllu").read_text(encoding="utf-8")
    return [(gold, gold.replace("conj:and", "conj"))]


def test_real_graphs(shared: Path, tmp_path: Path) -> None:
    oracle, pairs = ORACLES["udtools"], _real_graphs(shared)
    (given,) = recorded("udtools-ewt", oracle.version, pairs)
    found = replayed(given, oracle.names)
    assert found["ELAS"].correct < found["EULAS"].correct
    oracle.compare(pairs[0], given, tmp_path, "EWT")


@pytest.mark.oracles
def test_real_graphs_by_the_script(shared: Path, tmp_path: Path) -> None:
    oracle, pairs = ORACLES["udtools"], _real_graphs(shared)
    record("udtools-ewt", oracle.version, pairs, oracle.answers(pairs, tmp_path))


# -- the files --------------------------------------------------------------------------------


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


def test_some_sentences_have_several_roots() -> None:
    roots = [
        sum(word.head is None for token in sentence for word in token.words)
        for seed in range(PAIRS)
        for side in random_pair(seed, forests=True)[2:]
        for sentence in side
    ]
    assert min(roots) == 1
    assert sum(count > 1 for count in roots) > 0.1 * len(roots)


def _tokens(side: list[Sentence]) -> list[tuple[int, int]]:
    return [(token.start, token.end) for sentence in side for token in sentence]


def _stops(side: list[Sentence]) -> list[int]:
    return [sentence[-1].end for sentence in side]


def _words(side: list[Sentence]) -> list[list[str]]:
    return [[word.form for word in token.words] for sentence in side for token in sentence]
