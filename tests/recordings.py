"""What other scorers say about files, written down: numbers only, in tests/recorded/.

A recording names the scorer and its version. For every block of files it keeps a digest of the
files, which are made again from their seeds, and the scorer's answers. `make test` compares Tertium
with the answers on record, and asks the scorers themselves about a first block; `make oracles` asks
them about everything, and `TERTIUM_RECORDINGS=write make oracles` writes down what they say.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parent / "recorded"
BLOCK = 50
WRITE = "TERTIUM_RECORDINGS=write make oracles"


def recorded(name: str, oracle: str, files: Sequence[Any], first: int = 0) -> list[Any]:
    """The answers on record about `files`, which begin at number `first` of the set."""
    if _writes():
        pytest.skip("recordings are being written: compare with them afterwards")
    return _kept(name, oracle, files, first)


def _kept(name: str, oracle: str, files: Sequence[Any], first: int = 0) -> list[Any]:
    path = FOLDER / f"{name}.json.gz"
    assert path.is_file(), f"no {path.name}: {WRITE}"
    kept = json.loads(gzip.decompress(path.read_bytes()))
    assert kept["oracle"] == oracle, f"{path.name} is of {kept['oracle']}: {WRITE}"
    for number, block in enumerate(_blocks(files), first // BLOCK):
        assert _digest(block) == kept["files"][number], (
            f"block {number} has other files than those that {path.name} is about: their generator,"
            f" or Python's or numpy's, has changed. If that is as it should be: {WRITE}"
        )
    return list(kept["answers"][first : first + len(files)])


def confirm(name: str, oracle: str, files: Sequence[Any], answers: Sequence[Any]) -> None:
    """What the scorer says now is what is on record."""
    assert _kept(name, oracle, files) == json.loads(json.dumps(answers))


def record(name: str, oracle: str, files: Sequence[Any], answers: Sequence[Any]) -> None:
    """The same for a whole set; where that is wanted, it is put on record first."""
    if _writes():
        digests = [_digest(block) for block in _blocks(files)]
        content = {"oracle": oracle, "files": digests, "answers": answers}
        text = json.dumps(content, separators=(",", ":"))
        (FOLDER / f"{name}.json.gz").write_bytes(gzip.compress(text.encode(), mtime=0))
    confirm(name, oracle, files, answers)


def _writes() -> bool:
    return os.environ.get("TERTIUM_RECORDINGS") == "write"


def _blocks(files: Sequence[Any]) -> list[Sequence[Any]]:
    return [files[i : i + BLOCK] for i in range(0, len(files), BLOCK)]


def _digest(files: Sequence[Any]) -> str:
    return hashlib.sha256(json.dumps(files, sort_keys=True).encode()).hexdigest()[:16]
