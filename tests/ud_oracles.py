"""The evaluation scripts of Universal Dependencies as oracles, where they are installed.

`make test` puts them into the environment (tools/environment). The file from Stanza is loaded by
its path: the package around it needs much more than its evaluation does.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest

from tertium.significance.score.result import Scores

STANZA = "1.11.0"
UDTOOLS = "0.2.9"
NAMES = {
    "tokens": "Tokens",
    "sentences": "Sentences",
    "words": "Words",
    "upos": "UPOS",
    "xpos": "XPOS",
    "ufeats": "UFeats",
    "alltags": "AllTags",
    "lemmas": "Lemmas",
    "uas": "UAS",
    "las": "LAS",
    "clas": "CLAS",
    "mlas": "MLAS",
    "blex": "BLEX",
}
ENHANCED_NAMES = {**NAMES, "elas": "ELAS", "eulas": "EULAS"}
PARTS = ("precision", "recall", "f1", "aligned_accuracy")
COUNTS = {"correct": "correct", "gold": "gold_total", "system": "system_total"}


def ud_script() -> ModuleType:
    """`conll18_ud_eval.py` as in Stanza 1.11.0; skips where it is not installed."""
    root = Path(__file__).resolve().parent.parent
    for folder in (Path(sys.prefix) / "oracles", root / "bench" / ".peers"):
        path = folder / "stanza" / "utils" / "conll18_ud_eval.py"
        if path.is_file() and (folder / f"stanza-{STANZA}.dist-info").is_dir():
            return _loaded("conll18_ud_eval", path)
    pytest.skip(
        f"the UD evaluation script of stanza {STANZA} is not installed: nothing to compare with",
        allow_module_level=True,
    )


def udtools() -> ModuleType:
    """`udtools/udeval.py`; skips where the right version is not installed."""
    try:
        version = importlib.metadata.version("udtools")
    except importlib.metadata.PackageNotFoundError:
        version = ""
    package = importlib.util.find_spec("udtools") if version == UDTOOLS else None
    if package is None or package.origin is None:
        pytest.skip(
            f"udtools {UDTOOLS} is not installed: there is nothing to compare with",
            allow_module_level=True,
        )
    # By its path as well: the package loads a validator and a parser with it.
    return _loaded("udeval", Path(package.origin).parent / "udeval.py")


def judged(oracle: ModuleType, gold: Path, system: Path, *, forests: bool = False) -> Any:
    """What a script says about two files: its scores by their names."""
    treebank = {"multiple_roots_okay": forests}
    loaded = [oracle.load_conllu_file(str(path), treebank) for path in (gold, system)]
    return oracle.evaluate(*loaded)


class Score(NamedTuple):
    """The counts of one number, and the parts that both scripts make of them."""

    correct: int
    gold_total: int
    system_total: int
    aligned_total: int | None

    @property
    def precision(self) -> float:
        return self.correct / self.system_total if self.system_total else 0.0

    @property
    def recall(self) -> float:
        return self.correct / self.gold_total if self.gold_total else 0.0

    @property
    def f1(self) -> float:
        both = self.system_total + self.gold_total
        return 2 * self.correct / both if both else 0.0

    @property
    def aligned_accuracy(self) -> float | None:
        return self.correct / self.aligned_total if self.aligned_total else self.aligned_total


Answer = list[list[int | None]]


def answer(scores: Any, names: dict[str, str]) -> Answer:
    """The counts of a script's scores, as they are put on record."""
    found = []
    for name in names.values():
        counts = Score(*(getattr(scores[name], count) for count in Score._fields))
        for part in PARTS:
            assert getattr(counts, part) == getattr(scores[name], part)
        found.append(list(counts))
    return found


def replayed(answer: Answer, names: dict[str, str]) -> dict[str, Score]:
    """A script's scores from the counts on record."""
    return {name: Score(*counts) for name, counts in zip(names.values(), answer, strict=True)}


def assert_equal(scores: Scores, expected: Any, names: dict[str, str], what: str) -> None:
    """All counts and all parts of all numbers; what a script does not give is null here."""
    assert [r.metric for r in scores] == [f"deps.ud.{name}" for name in names]
    found, wanted = {}, {}
    for result, theirs in zip(scores, names.values(), strict=True):
        score = expected[theirs]
        for part in PARTS:
            found[theirs, part] = result.parts[part]
            wanted[theirs, part] = getattr(score, part)
        for ours, name in COUNTS.items():
            found[theirs, ours] = result.counts[ours]
            wanted[theirs, ours] = getattr(score, name)
        if score.aligned_total is not None:
            found[theirs, "aligned"] = result.counts["aligned"]
            wanted[theirs, "aligned"] = score.aligned_total
    differing = {key: (found[key], wanted[key]) for key in wanted if found[key] != wanted[key]}
    assert differing == {}, f"{what}: (ours, theirs)"


def _loaded(name: str, path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
