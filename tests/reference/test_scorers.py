"""What official scorers say about our samples and about random files, on record.

Only their numbers are here (tests/recorded); docs/verification.md lists them. Packages are asked
again by `make oracles`, and with TERTIUM_RECORDINGS=write put on record. To ask a script
(conlleval, eval07.pl, FairEval) put it into a folder under the name below, and set TERTIUM_SCRIPTS
to that folder. More random files for packages are in tests/property.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import subprocess
from collections.abc import Callable
from functools import partial
from importlib import metadata, resources
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import tertium
from random_tags import Sentences, random_pair
from recordings import record, recorded
from ud_oracles import COUNTS, NAMES, STANZA, UDTOOLS, answer, judged, ud_script, udtools

FILES = 60
SAMPLES = Path(str(resources.files("tertium") / "samples"))
SYSTEMS = ("arbor", "breeze", "cedar")
Pair = tuple[Any, Any]
Answer = dict[str, Any]


def script(version: str) -> Path:
    """A script that someone has put there; skips where it is not that very file."""
    name, *_, digest = version.split()
    path = Path(os.environ.get("TERTIUM_SCRIPTS", "")) / name
    if not path.is_file() or hashlib.sha256(path.read_bytes()).hexdigest()[:8] != digest:
        pytest.skip(f"no {name} ({digest}) in the folder TERTIUM_SCRIPTS")
    return path


def sample_tags() -> list[Pair]:
    """Entities of the samples."""

    def read(name: str) -> Sentences:
        text = (SAMPLES / f"entities-{name}.bio").read_text(encoding="utf-8").strip()
        return [[line.split("\t")[1] for line in s.split("\n")] for s in text.split("\n\n")]

    return [(read("gold"), read(name)) for name in SYSTEMS]


def random_tags() -> list[Pair]:
    random = np.random.default_rng(7)
    pairs = [random_pair(random, "BI", ("-X", "-Y", "-Z")) for _ in range(2 * FILES)]
    # Where a side has no span there is nothing to score.
    return [pair for pair in pairs if all(any(spans_of(side)) for side in pair)][:FILES]


def sample_trees() -> list[Pair]:
    """Trees of the samples, one word per line, without comments and multiword tokens."""

    def read(name: str) -> str:
        lines = (SAMPLES / f"{name}.conllu").read_text(encoding="utf-8").split("\n")
        return "\n".join(line for line in lines if re.match(r"\d+\t|$", line))

    return [(read("gold"), read(name)) for name in SYSTEMS]


def random_trees() -> list[Pair]:
    random = np.random.default_rng(8)
    forms, labels = ("a", "bc", "...", "!", "d-e", "«"), ("x", "x:y", "y", "Z")

    def rows(forms: list[str], words: int) -> str:
        # Each head is a word further to the left, or the root: any such choice is a tree.
        heads = [int(random.integers(0, n)) if n > 1 else 0 for n in range(1, words + 1)]
        chosen = [labels[int(random.integers(4))] for _ in forms]
        columns = zip(range(1, words + 1), forms, heads, chosen, strict=True)
        return "".join(
            f"{n}\t{form}\t_\tX\t_\t_\t{head}\t{label}\t_\t_\n" for n, form, head, label in columns
        )

    found = []
    for _ in range(FILES):
        sides: tuple[list[str], list[str]] = [], []
        for words in random.integers(1, 9, int(random.integers(1, 5))).tolist():
            text = [forms[int(random.integers(6))] for _ in range(words)]
            for side in sides:
                side.append(rows(text, words))
        found.append(("\n".join([*sides[0], ""]), "\n".join([*sides[1], ""])))
    return found


class Scorer(NamedTuple):
    """A scorer: its version, its files, how to load it, what it says and what Tertium says."""

    name: str
    version: str
    files: dict[str, Callable[[], list[Pair]]]
    load: Callable[[str], Any]
    ask: Callable[[Any, Pair, Path], Answer]
    ours: Callable[[Pair, Path], Answer]


def ask_conlleval(path: Path, pair: Pair, folder: Path) -> Answer:
    lines = []
    for gold, system in zip(*pair, strict=True):
        lines += [f"w {a} {b}" for a, b in zip(gold, system, strict=True)] + [""]
    text = "\n".join([*lines, ""])
    done = subprocess.run(["perl", path], input=text, capture_output=True, text=True, check=True)
    found = re.search(r"with (\d+) phrases; found: (\d+) phrases; correct: (\d+)", done.stdout)
    assert found is not None
    gold, system, correct = map(int, found.groups())
    types = re.findall(r"^ *(\S+): .*recall: *([\d.]+)%; FB1: *([\d.]+) +(\d+)$", done.stdout, re.M)
    return {
        "counts": [correct, gold, system],
        "types": {name: [recall, f1, int(found)] for name, recall, f1, found in types},
    }


def our_conlleval(pair: Pair, folder: Path) -> Answer:
    (found,) = tertium.score(*pair, metric="spans.f1(compat='conlleval')", labels=True)
    types: dict[str, Any] = {}
    for name, label in found.labels.items():
        shown = [f"{100 * (label[part] or 0):.2f}" for part in ("recall", "f1")]
        types[name] = [*shown, label["counts"]["system"]]
    return {"counts": [int(found.counts[c]) for c in ("correct", "gold", "system")], "types": types}


EVAL07 = {"uas": "Unlabeled attachment", "las": "Labeled   attachment", "ls": "Label accuracy"}


def ask_eval07(path: Path, pair: Pair, folder: Path) -> Answer:
    files = written(pair, folder)
    answers = {}
    for option in ("-q", "-qp"):
        command = ["perl", path, option, "-g", files[0], "-s", files[1]]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert not done.returncode or "division by zero" in done.stderr
        for name, line in EVAL07.items():
            found = re.search(rf"{line} score: *(\d+) / (\d+)", done.stdout)
            answers[f"{name} {option}"] = None if found is None else [*map(int, found.groups())]
    return answers


def our_eval07(pair: Pair, folder: Path) -> Answer:
    files = written(pair, folder)
    answers = {}
    asked = {
        f"{name} {option}": f"deps.{name}(compat='conll07', punct='{punct}')"
        for option, punct in (("-q", "keep"), ("-qp", "form"))
        for name in EVAL07
    }
    scores = tertium.score(*files, metric=[*asked.values()])
    for name, found in zip(asked, scores, strict=True):
        counts = [int(found.counts["correct"]), int(found.counts["gold"])]
        # Without words to score the script divides by zero.
        answers[name] = counts if counts[1] else None
    return answers


def written(pair: Pair, folder: Path, suffix: str = "conll") -> list[Path]:
    files = [folder / f"gold.{suffix}", folder / f"system.{suffix}"]
    for path, text in zip(files, pair, strict=True):
        path.write_text(text, encoding="utf-8")
    return files


TYPES = ("TP", "FP", "FN", "LE", "BES", "BEL", "BEO", "LBE")


def spans_of(tags: Sentences) -> list[list[tuple[str, int, int]]]:
    """Label, first and last token of the spans of every sentence."""
    found = []
    for sentence in tags:
        spans: list[tuple[str, int, int]] = []
        for i, (tag, before) in enumerate(zip(sentence, ["O", *sentence], strict=False)):
            if tag == "O":
                continue
            if tag[0] == "B" or before[1:] != tag[1:]:
                spans.append((tag[2:], i, i))
            else:
                spans[-1] = (spans[-1][0], spans[-1][1], i)
        found.append(spans)
    return found


def ask_faireval(path: Path, pair: Pair, folder: Path) -> Answer:
    place = importlib.util.spec_from_file_location("FairEval", path)
    assert place is not None
    assert place.loader is not None
    module = importlib.util.module_from_spec(place)
    place.loader.exec_module(module)
    total = dict.fromkeys(TYPES, 0)
    for sides in zip(*map(spans_of, pair), strict=True):
        listed = [[[s, a, z, set(range(a, z + 1))] for s, a, z in side] for side in sides]
        counts = module.compare_spans(*listed)["overall"]["fair"]
        total = {kind: total[kind] + counts[kind] for kind in TYPES}
    return total


def our_faireval(pair: Pair, folder: Path) -> Answer:
    (found,) = tertium.score(*pair, metric="spans.fair")
    return {kind: int(found.counts[kind.lower()]) for kind in TYPES}


def package(version: str) -> None:
    """Skips where a package is not installed in that version."""
    name, number = version.split()
    pytest.importorskip(name)
    if metadata.version(name) != number:
        pytest.skip(f"the numbers are those of {version}")


def by_type(correct: set[Any], gold: set[Any], system: set[Any]) -> Answer:
    """Counts of every type, from entities that begin with theirs."""
    names = sorted({entity[0] for entity in gold | system})
    return {n: [sum(e[0] == n for e in some) for some in (correct, gold, system)] for n in names}


def ask_seqeval(_: None, pair: Pair, folder: Path) -> Answer:
    from seqeval.metrics.sequence_labeling import get_entities
    from seqeval.scheme import IOB2, Entities

    plain = [set(get_entities(side)) for side in pair]
    strict = [
        {(e.tag, e.sent_id, e.start, e.end) for s in Entities(side, IOB2).entities for e in s}
        for side in pair
    ]
    kinds = {"default": plain, "strict": strict}
    return {kind: by_type(a & b, a, b) for kind, (a, b) in kinds.items()}


def our_seqeval(pair: Pair, folder: Path) -> Answer:
    compat = {"default": "compat=seqeval", "strict": "compat=seqeval-strict, scheme=iob2"}
    found = {}
    for kind, parameters in compat.items():
        (result,) = tertium.score(*pair, metric=f"spans.f1({parameters})", labels=True)
        found[kind] = {
            name: [label["counts"][count] for count in ("correct", "gold", "system")]
            for name, label in sorted(result.labels.items())
        }
    return found


MODES = {"strict": "strict", "exact": "exact", "partial": "partial", "type": "ent_type"}
COUNTED = ("correct", "incorrect", "partial", "missed", "spurious", "possible", "actual")


def ask_nervaluate(_: None, pair: Pair, folder: Path) -> Answer:
    from nervaluate.evaluator import Evaluator

    types = sorted({tag[2:] for side in pair for s in side for tag in s if tag != "O"})
    found = Evaluator(*pair, types, loader="list").evaluate()["overall"]
    return {ours: [getattr(found[mode], c) for c in COUNTED] for ours, mode in MODES.items()}


def our_nervaluate(pair: Pair, folder: Path) -> Answer:
    scores = tertium.score(*pair, metric=[f"spans.partial(mode={mode})" for mode in MODES])
    return {
        mode: [int(result.counts[count]) for count in COUNTED]
        for mode, result in zip(MODES, scores, strict=True)
    }


def whole_trees() -> list[Pair]:
    texts = [
        (SAMPLES / f"{name}.conllu").read_text(encoding="utf-8") for name in ("gold", *SYSTEMS)
    ]
    return [(texts[0], text) for text in texts[1:]]


def ask_ud(names: dict[str, str], module: Any, pair: Pair, folder: Path) -> Answer:
    counts = answer(judged(module, *written(pair, folder, "conllu")), names)
    return {name: each[:3] for name, each in zip(names, counts, strict=True)}


def our_ud(metric: str, pair: Pair, folder: Path) -> Answer:
    return {
        result.metric.rpartition(".")[2]: [int(result.counts[count]) for count in COUNTS]
        for result in tertium.score(*written(pair, folder, "conllu"), metric=metric)
    }


TAGS = {"samples": sample_tags, "random": random_tags}
TREES = {"samples": sample_trees, "random": random_trees}
# More random files of these are in tests/property.
SAMPLE_TAGS, WHOLE_TREES = {"samples": sample_tags}, {"samples": whole_trees}
SCORERS = [
    Scorer(
        "conlleval", "conlleval.pl 2004-01-26 b63ea040", TAGS, script, ask_conlleval, our_conlleval
    ),
    Scorer("eval07", "eval07.pl 1.4 9d8afaf4", TREES, script, ask_eval07, our_eval07),
    Scorer("faireval", "FairEval.py a6172f2 3acb9da9", TAGS, script, ask_faireval, our_faireval),
    Scorer("seqeval", "seqeval 1.2.2", SAMPLE_TAGS, package, ask_seqeval, our_seqeval),
    Scorer("nervaluate", "nervaluate 1.2.1", SAMPLE_TAGS, package, ask_nervaluate, our_nervaluate),
    Scorer(
        "ud-script",
        f"conll18_ud_eval.py of stanza {STANZA}",
        WHOLE_TREES,
        lambda version: ud_script(),
        partial(ask_ud, NAMES),
        partial(our_ud, "deps.ud"),
    ),
    Scorer(
        "udtools",
        f"udtools {UDTOOLS}",
        WHOLE_TREES,
        lambda version: udtools(),
        partial(ask_ud, NAMES),
        partial(our_ud, "deps.ud(compat='udtools')"),
    ),
]
cases = pytest.mark.parametrize(
    ("scorer", "files"),
    [pytest.param(s, files, id=f"{s.version}, {files}") for s in SCORERS for files in s.files],
)


@cases
def test_counts_on_record(scorer: Scorer, files: str, tmp_path: Path) -> None:
    pairs = scorer.files[files]()
    for pair, given in zip(
        pairs, recorded(f"{scorer.name}-{files}", scorer.version, pairs), strict=True
    ):
        ours = scorer.ours(pair, tmp_path)
        assert {name: ours[name] for name in given} == given, pair


@pytest.mark.oracles
@cases
def test_the_scorers_themselves(scorer: Scorer, files: str, tmp_path: Path) -> None:
    loaded = scorer.load(scorer.version)
    pairs = scorer.files[files]()
    answers = [scorer.ask(loaded, pair, tmp_path) for pair in pairs]
    record(f"{scorer.name}-{files}", scorer.version, pairs, answers)
