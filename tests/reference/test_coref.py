"""coref.* against the reference scorer of CoNLL, version 8.01: its own test cases, and random
documents, whose counts are on record (tests/recorded).

To ask the scorer itself (`make oracles`), put its program and the folder `lib` into a folder, and
set TERTIUM_SCRIPTS to that folder.
"""

import json
import os
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tertium
from coref_scorer import COUNTS, METRICS, Answer, ask_scorer, our_answer
from random_chains import random_pair
from recordings import record, recorded

VERSION = "reference-coreference-scorers 8.01"
FILES = 120
WITH_DUPLICATES = {"A7", "A8", "A9"}  # for which LEA has no reference
Pair = tuple[str, str]


def pairs() -> list[Pair]:
    return [random_pair(np.random.default_rng([20, seed])) for seed in range(FILES)]


def written(pair: Pair, folder: Path) -> tuple[Path, Path]:
    paths = folder / "gold.conll", folder / "system.conll"
    for path, text in zip(paths, pair, strict=True):
        path.write_text(text, encoding="utf-8")
    return paths


@pytest.fixture
def scorer() -> Path:
    path = Path(os.environ.get("TERTIUM_SCRIPTS", ".")) / "scorer.pl"
    if not path.is_file() or shutil.which("perl") is None:
        pytest.skip("TERTIUM_SCRIPTS names no folder with scorer.pl, or there is no perl")
    return path


@pytest.fixture
def cases(shared: Path) -> tuple[Path, list[dict[str, Any]]]:
    folder = shared / "data/coref/conll_v8.01"
    return folder, json.loads((folder / "expected.json").read_text(encoding="utf-8"))


def assert_same(ours: Answer, theirs: Answer, what: str) -> None:
    assert ours.keys() == theirs.keys()
    for name, counts in theirs.items():
        assert ours[name] == pytest.approx(counts, abs=1e-9), f"{what}: {name}"


def test_all_cases_of_the_scorer_to_the_count(cases: tuple[Path, list[dict[str, Any]]]) -> None:
    folder, every = cases
    assert len(every) == 24
    for case in every:
        ours = our_answer(folder / case["key"], folder / case["response"])
        ours.pop("mentions")
        theirs = {name: each["counts_rn_rd_pn_pd"] for name, each in case["perl_v8.01"].items()}
        assert_same(ours, theirs, case["id"])


def test_all_numbers_that_the_cases_expect(cases: tuple[Path, list[dict[str, Any]]]) -> None:
    folder, every = cases
    checks = 0
    for case in every:
        names = {METRICS[name]: numbers for name, numbers in case["expected"].items()}
        gold, system = folder / case["key"], folder / case["response"]
        for score in tertium.score(gold, system, metric=[*names]).results:
            shown = [score.parts[part] for part in ("recall", "precision", "f1")]
            distance = np.abs(np.subtract(shown, names[score.metric])).sum()
            assert distance < 1e-4, f"{case['id']}: {score.metric}"
            checks += 1
    assert checks == 70


def test_lea_is_that_of_its_authors(cases: tuple[Path, list[dict[str, Any]]]) -> None:
    folder, every = cases
    chosen = [case for case in every if case["id"] not in WITH_DUPLICATES]
    assert len(chosen) == 21
    for case in chosen:
        gold, system = folder / case["key"], folder / case["response"]
        (score,) = tertium.score(gold, system, metric=["coref.lea"]).results
        counts = [score.counts[name] for name in COUNTS]
        expected = case["coval"]["lea"]["counts_rn_rd_pn_pd"]
        assert counts == pytest.approx(expected, abs=1e-8), case["id"]


def test_counts_are_those_on_record(tmp_path: Path) -> None:
    every = pairs()
    answers = recorded("coref-random", VERSION, every)
    for number, (pair, answer) in enumerate(zip(every, answers, strict=True)):
        assert_same(our_answer(*written(pair, tmp_path)), answer, f"pair {number}")


@pytest.mark.oracles
def test_the_scorer_says_what_is_on_record(scorer: Path, tmp_path: Path) -> None:
    every = pairs()
    answers = [ask_scorer(scorer, *written(pair, tmp_path)) for pair in every]
    record("coref-random", VERSION, every, answers)
