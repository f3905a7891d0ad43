"""Crossing branches raised as treetools does it after splitting constituents, on random trees; what
it makes of them is on record (tests/recorded).

To ask treetools itself (`make oracles`), put its package into a folder, and set TERTIUM_SCRIPTS to
that folder.
"""

import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from recordings import record, recorded
from strategies import read_bytes, write_bytes

SENTENCES = 300
VERSION = "treetools 2025-08-10"


def random_sentence(seed: int) -> str:
    """An export sentence: constituents over words in any order, each with a daughter HD."""
    rng = np.random.default_rng([18, seed])
    size = int(rng.integers(2, 10))
    parts: list[tuple[int, str]] = [(int(word), "") for word in rng.permutation(size)]
    parent, nodes = dict[int, str](), []  # places: words, then constituents
    while len(parts) > 1 or not nodes:
        first = int(rng.integers(len(parts)))
        last = len(parts) if rng.random() < 0.1 else first + int(rng.integers(1, 4))
        first = 0 if last == len(parts) and rng.random() < 0.5 else first
        inside, place = parts[first:last], size + len(nodes)
        head = int(rng.integers(len(inside)))
        for number, (daughter, _) in enumerate(inside):
            parent[daughter] = f"{'HD' if number == head else 'XX'}\t{500 + len(nodes)}"
        nodes.append(str(rng.choice([*"ABCD"])))
        parts[first:last] = [(place, "")]
    words = [f"w{word}\tT\t--\t{parent[word]}" for word in range(size)]
    rows = [
        f"#{500 + number}\t{label}\t--\t{parent.get(size + number, '--' + chr(9) + '0')}"
        for number, label in enumerate(nodes)
    ]
    return "\n".join([f"#BOS {seed}", *words, *rows, f"#EOS {seed}", ""])


def files() -> list[str]:
    return [random_sentence(seed) for seed in range(1, SENTENCES + 1)]


def test_raised_as_on_record() -> None:
    every = files()
    reader = "export(crossing=raise, functions=strip)"
    ours = write_bytes("brackets", read_bytes(reader, "".join(every).encode())).decode()
    assert ours.splitlines() == recorded("treetools-raising", VERSION, every)
    corpus = read_bytes("export", "".join(every).encode())
    with_gaps = write_bytes("tigerxml", corpus).count(b"discontinuous")
    assert SENTENCES / 3 < with_gaps < SENTENCES


@pytest.mark.oracles
def test_treetools_says_what_is_on_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [os.environ.get("TERTIUM_SCRIPTS", ""), *sys.path])
    transform = pytest.importorskip("treetools.transform")
    source, trees = (pytest.importorskip(f"treetools.{name}") for name in ("treeinput", "trees"))

    def brackets(tree: Any) -> str:
        below = trees.children(tree) if trees.has_children(tree) else []
        inside = " ".join(map(brackets, below)) if below else tree.data["word"]
        return f"({tree.data['label']} {inside})"

    path = tmp_path / "x.export"
    path.write_text("".join(every := files()))
    answers = []
    for tree in source.export(str(path), "utf-8"):
        for change in (transform.negra_mark_heads, transform.boyd_split, transform.raising):
            tree = change(tree)
        answers.append(" ".join(map(brackets, trees.children(tree))))
    record("treetools-raising", VERSION, every, answers)
