"""What is compared: the data, the peers' commands, where their number stands, the targets."""

import importlib.util
import json
import os
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from constituents import GUM

HERE = Path(__file__).resolve().parent
BIN = Path(sys.executable).parent
EVALB = os.environ.get("EVALB", "/EVALB names no program")  # a path: it is never installed
UD_SCRIPT = HERE / ".peers" / "stanza" / "utils" / "conll18_ud_eval.py"


@dataclass(frozen=True)
class Peer:
    """A command (GOLD and SYSTEM stand for the files), what it needs, how to read its number."""

    name: str
    command: tuple[str, ...]
    needs: str
    read: Callable[[str], float] | None = None
    decimals: int = 9
    target: float | None = None
    share: float = 1.0  # of the sentences that it scores; its seconds are scaled

    def installed(self) -> bool:
        if "/" in self.needs:
            return Path(self.needs).exists()
        return importlib.util.find_spec(self.needs) is not None


@dataclass(frozen=True)
class Case:
    """A pair of files, the metric whose value is compared with the peers', and Tertium's limits.

    `further` are metrics that may take so many times as long as the first; `source` is a folder
    without which the data cannot be made; `seconds` of the processor are Tertium's limit.
    """

    data: str
    title: str
    kind: str
    metrics: tuple[str, ...]
    compared: str
    megabytes: float
    peers: tuple[Peer, ...]
    further: tuple[tuple[str, float], ...] = ()
    source: Path | None = None
    seconds: float | None = None


def pair(name: str, folder: Path) -> tuple[Path, Path]:
    """The paths of a data set's gold and system file."""
    kind = name.partition("-")[0].rstrip("0123456789")
    suffix = {"bio": "bio", "chains": "conll", "trees": "mrg"}.get(kind, "conllu")
    return folder / f"{name}.gold.{suffix}", folder / f"{name}.system.{suffix}"


def from_json(key: str) -> Callable[[str], float]:
    return lambda output: float(json.loads(output)[key])


def from_table(pattern: str) -> Callable[[str], float]:
    """A percentage, found by a pattern with one group."""

    def read(output: str) -> float:
        found = re.search(pattern, output, re.MULTILINE)
        if found is None:
            raise ValueError(f"no match for {pattern}")
        return float(found[1]) / 100

    return read


def script(name: str) -> tuple[str, ...]:
    return (sys.executable, str(HERE / "peers" / f"{name}.py"), "GOLD", "SYSTEM")


def udapi(name: str, *blocks: str, read: Callable[[str], float]) -> Peer:
    # File names are relative: udapi splits a list of files at spaces.
    readers = (
        "read.Conllu",
        "zone=gold",
        "files=GOLD",
        "read.Conllu",
        "zone=system",
        "files=SYSTEM",
    )
    command = (str(BIN / "udapy"), "--quiet", *readers, *blocks)
    return Peer(name, command, "udapi", read, decimals=4, target=4)


F1_COLUMN = r"^LAS +\|[^|]*\|[^|]*\| *([\d.]+)"
SPAN_PEERS = (
    Peer("seqeval 1.2.2, report", script("run_seqeval"), "seqeval", from_json("f1"), target=8),
    Peer("nervaluate 1.2.1", script("run_nervaluate"), "nervaluate", from_json("f1")),
    Peer("sklearn-crfsuite 0.5.0, report", script("run_crfsuite"), "sklearn_crfsuite"),
)
UD_PEER = Peer(
    "UD evaluation script",
    (sys.executable, str(UD_SCRIPT), "-v", "GOLD", "SYSTEM"),
    str(UD_SCRIPT),
    from_table(F1_COLUMN),
    decimals=4,
    target=20,
)
PARSING = udapi(
    "udapi 0.5.2, eval.Parsing",
    "eval.Parsing",
    "gold_zone=gold",
    read=from_table(r"^LAS \(udeprel\) *= *([\d.]+)"),
)
CONLL18 = udapi(
    "udapi 0.5.2, eval.Conll18",
    "ignore_sent_id=1",
    "util.ResegmentGold",
    "eval.Conll18",
    read=from_table(F1_COLUMN),
)
PYEVALB = Peer("PYEVALB 0.1.3", (*script("run_pyevalb"), "0.1"), "PYEVALB", target=50, share=0.1)
EVALB_PEER = Peer(
    "EVALB, COLLINS.prm",
    (EVALB, "-p", str(Path(EVALB).parent / "COLLINS.prm"), "GOLD", "SYSTEM"),
    EVALB,
    from_table(r"^Bracketing FMeasure *= *([\d.]+)"),
    decimals=4,
)
# coreference-eval drops singletons, of gold in some measures only; scorch averages over documents.
COREFEVAL = Peer(
    "coreference-eval 0.0.2", script("run_corefeval"), "corefeval", from_json("f1"), decimals=9
)
SCORCH = Peer("scorch 0.2.0", script("run_scorch"), "scorch")
COREF = tuple(
    f"coref.{name}" for name in ("muc", "b3", "ceafm", "ceafe", "blanc", "lea", "mentions")
)
FURTHER_SPANS = (("spans.fair", 1.5),)
SPANS, DEPS = ("spans.f1",), ("deps.uas", "deps.las")
CASES = (
    Case(
        "bio4",
        "BIO, 1M tokens, 80k entities of 4 types",
        "bio",
        SPANS,
        "spans.f1",
        300,
        SPAN_PEERS,
        FURTHER_SPANS,
    ),
    Case(
        "bio16",
        "BIO, 1M tokens, 80k entities of 16 types",
        "bio",
        SPANS,
        "spans.f1",
        300,
        SPAN_PEERS,
        FURTHER_SPANS,
    ),
    Case(
        "ud", "CoNLL-U, 1M words, same tokens", "conllu", DEPS, "deps.las", 700, (UD_PEER, PARSING)
    ),
    Case(
        "ud-mwt",
        "CoNLL-U, 1M words, multiword tokens, tokenisation differs",
        "conllu",
        ("deps.ud",),
        "deps.ud.las",
        800,
        (UD_PEER, CONLL18),
    ),
    Case(
        "trees",
        "brackets, 40,000 trees of GUM, 0.9M words",
        "trees",
        ("trees.parseval",),
        "trees.parseval",
        400,
        (PYEVALB, EVALB_PEER),
        (("trees.leaf_ancestor", 2.0),),
        GUM,
        1.5,
    ),
    Case(
        "chains",
        "coreference, 348 documents, 170k tokens, 20k mentions",
        "chains",
        ("coref.conll(singletons=drop)", *COREF),
        "coref.conll",
        250,
        (COREFEVAL, SCORCH),
        seconds=1.2,
    ),
    Case(
        "chains-books",
        "coreference, 10 documents of 17k tokens, 9k entities with singletons",
        "chains",
        ("coref.conll", *COREF),
        "coref.conll",
        250,
        (replace(COREFEVAL, read=None), SCORCH),
        seconds=1.5,
    ),
)
