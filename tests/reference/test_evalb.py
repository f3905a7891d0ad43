"""trees.parseval against EVALB: on random trees and parameters, whose counts are on record
(tests/recorded), on a case for every rule, and on parses of GUM.

To ask EVALB itself (`make oracles`), put its program into a folder as `evalb`, and set
TERTIUM_SCRIPTS to that folder.
"""

import os
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tertium
from evalb import CASES, COLLINS, PLAIN, Pair, ask_evalb, our_rows, our_summary
from random_trees import random_prm, random_trees
from recordings import record, recorded
from tertium.formats.evalb_prm import load_prm, preset

FILES, SENTENCES = 60, 40
VERSION = "EVALB 2008-07"
File = tuple[str, list[Pair]]  # parameters and trees


def files() -> list[File]:
    found = []
    for seed in range(FILES):
        rng = np.random.default_rng([17, seed])
        found.append((random_prm(rng), [random_trees(rng) for _ in range(SENTENCES)]))
    return found


def ours(file: File, folder: Path) -> dict[str, Any]:
    prm, pairs = file
    cut = re.search(r"CUTOFF_LEN (\d+)", prm)
    assert cut is not None
    return {
        "rows": [[*map(int, row)] for row in our_rows(pairs, prm, folder)],
        "all": our_summary(pairs, prm, folder),
        "short": our_summary(pairs, prm, folder, max_length=int(cut[1])),
    }


@pytest.fixture
def evalb() -> Path:
    path = Path(os.environ.get("TERTIUM_SCRIPTS", "")) / "evalb"
    if not path.is_file():
        pytest.skip("no evalb in the folder TERTIUM_SCRIPTS")
    return path


def test_counts_are_those_on_record(tmp_path: Path) -> None:
    every = files()
    answers = recorded("evalb-random", VERSION, every)
    for number, (file, answer) in enumerate(zip(every, answers, strict=True)):
        assert ours(file, tmp_path) == answer, f"file {number}"
    lost = [row[1] for answer in answers for row in answer["rows"]]
    assert 0.05 < np.mean(lost) < 0.8  # both kinds of sentences are there


@pytest.mark.oracles
def test_evalb_says_what_is_on_record(evalb: Path, tmp_path: Path) -> None:
    answers = []
    for prm, pairs in (every := files()):
        told = ask_evalb(evalb, pairs, prm, tmp_path)
        rows = [[*map(int, row)] for row in told.rows]
        answers.append({"rows": rows, "all": told.every, "short": told.short})
    record("evalb-random", VERSION, every, answers)


@pytest.mark.oracles
def test_evalb_counts_by_the_rules(evalb: Path, tmp_path: Path) -> None:
    for name, (prm, gold, system, _) in CASES.items():
        pairs = [(gold, system), (PLAIN, PLAIN)]
        assert ask_evalb(evalb, pairs, prm, tmp_path).rows == our_rows(pairs, prm, tmp_path), name


@pytest.mark.parametrize("name", ["collins", "new", "spmrl"])
def test_presets_are_the_files_of_the_programs(name: str, shared: Path) -> None:
    file = {"collins": "COLLINS", "new": "new", "spmrl": "spmrl"}[name]
    ours, theirs = preset(name), load_prm(str(shared / f"data/evalb-prm/{file}.prm"))
    fields = ("deleted", "unmeasured", "quotes", "same_labels", "same_words", "has_labels")
    for field in fields:
        assert getattr(ours, field) == getattr(theirs, field)


@pytest.mark.parametrize(
    ("deletes_root", "plain", "parent"),
    [
        (False, (70.58, 74.49, 72.49), (78.22, 78.95, 78.59)),
        (True, (68.25, 72.35, 70.24), (76.50, 77.28, 76.89)),
    ],
)
def test_parses_of_gum(
    deletes_root: bool,
    plain: tuple[float, ...],
    parent: tuple[float, ...],
    shared: Path,
    tmp_path: Path,
) -> None:
    """The numbers of the README there."""
    folder, prm = shared / "data/gum-pcfg", "collins"
    if deletes_root:
        prm = str(tmp_path / "root.prm")
        Path(prm).write_text(f"{COLLINS}DELETE_LABEL ROOT\n")
    metric = f"trees.parseval(prm='{prm}')"
    paths = [str(folder / f"{name}.ptb") for name in ("gold", "pcfg-plain", "pcfg-parent")]
    found = tertium.score(*paths, metric=metric).results
    for result, expected in zip(found, (plain, parent), strict=True):
        shown = [round(100 * result.parts[part], 2) for part in ("recall", "precision", "f1")]
        assert tuple(shown) == expected
    counts = [(result.counts["sentences"], result.counts["skipped"]) for result in found]
    assert counts == [(298, 2), (300, 0)]
    shares = [(r.parts["complete"], r.parts["tagging"]) for r in found]
    assert np.round(100 * np.array(shares), 2).tolist() == [[11.07, 90.70], [18.33, 92.16]]
