"""spans.partial gives every count and number of nervaluate 1.2.1, on random files."""

from __future__ import annotations

import importlib.metadata
from typing import Any

import numpy as np
import pytest

import tertium
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels
from tertium.corpus.layers import Spans
from tertium.exceptions import FormatError
from tertium.families.spans.partial.pairing import MODES
from tertium.results.scores import Result

ORACLE = "1.2.1"
nervaluate = pytest.importorskip(
    "nervaluate", reason=f"nervaluate {ORACLE} is not installed: there is nothing to compare with"
)
if importlib.metadata.version("nervaluate") != ORACLE:
    pytest.skip(f"the counts are those of nervaluate {ORACLE}", allow_module_level=True)

FILES = 500  # a seed
COUNTS = ("correct", "incorrect", "partial", "missed", "spurious", "possible", "actual")
FIGURES = ("precision", "recall", "f1")
TYPES = ("A", "B", "A-B", "-", "Ü")
Entities = list[list[dict[str, Any]]]


def compare(gold: Any, system: Any, theirs: tuple[Any, Any], loader: str, overlap: float) -> None:
    """All modes, overall and for every label."""
    metrics = [f"spans.partial(mode={mode}, overlap={overlap})" for mode in MODES]
    ours = tertium.score(gold, system, metric=metrics)
    evaluator = nervaluate.evaluator.Evaluator(
        *theirs, [], loader=loader, min_overlap_percentage=overlap
    )
    sentences = [*evaluator.true, *evaluator.pred]
    evaluator.tags = sorted({entity.label for sentence in sentences for entity in sentence})
    expected = evaluator.evaluate()
    for mode, result in zip(MODES, ours, strict=True):
        name = "ent_type" if mode == "type" else mode
        assert row(result.counts, result.parts) == oracle(expected["overall"][name])
        assert sorted(result.labels) == evaluator.tags
        for label, found in result.labels.items():
            assert row(found["counts"], found) == oracle(expected["entities"][label][name])
        check_rows(result, mode, gold, system, overlap)


def row(counts: Any, figures: Any) -> dict[str, float]:
    return {**{n: counts[n] for n in COUNTS}, **{n: figures[n] for n in FIGURES}}


def oracle(result: Any) -> dict[str, float]:
    return {name: getattr(result, name) for name in (*COUNTS, *FIGURES)}


def check_rows(result: Result, mode: str, gold: Any, system: Any, overlap: float) -> None:
    """Counts over decisions are the counts of the result."""
    decisions = tertium.decide(gold, system, f"spans.partial(mode={mode}, overlap={overlap})")
    found = np.bincount(decisions.error_type, minlength=5).tolist()
    assert found == [result.counts[n] for n in COUNTS[:5]]
    assert len(np.unique(decisions.item)) == len(decisions)


def random_tags(random: np.random.Generator, size: int) -> list[str]:
    """Any tags nervaluate takes: ill-formed starts, odd prefixes inside an entity."""
    tags: list[str] = []
    kind = None
    types = TYPES[: random.integers(1, len(TYPES) + 1)]
    while len(tags) < size:
        choice = random.random()
        if choice < 0.35:
            tags.append("O")
            kind = None
        elif choice < 0.75 or kind is None:
            kind = str(random.choice(types))
            tags.append(f"{random.choice(['B-', 'I-'])}{kind}")
        else:
            tags.append(f"{random.choice(['I-', 'I-', 'E-', 'L-', 'S-', 'i-', '__', 'é-'])}{kind}")
    return tags


def altered(random: np.random.Generator, tags: list[str]) -> list[str]:
    """A system's tags: some stretches are the same, some are its own."""
    other = random_tags(random, len(tags))
    a, z = np.sort(random.integers(0, len(tags) + 1, 2)).tolist()
    # Cut where nothing is open, so that no odd prefix comes to open an entity.
    fits = all(other[i][:2] in ("B-", "I-") or other[i] == "O" for i in (a, z) if i < len(tags))
    fits &= z == len(tags) or tags[z] == "O" or tags[z][:2] in ("B-", "I-")
    fits &= a == len(tags) or other[a] == "O" or other[a][:2] in ("B-", "I-")
    return [*tags[:a], *other[a:z], *tags[z:]] if fits else other


@pytest.mark.parametrize("seed", [0, 1])
def test_tags(seed: int) -> None:
    random = np.random.default_rng(seed)
    for _ in range(FILES):
        sizes = random.integers(1, 14, random.integers(1, 6)).tolist()
        gold = [random_tags(random, size) for size in sizes]
        system = [altered(random, tags) for tags in gold]
        overlap = float(random.choice([1, 1, 33.4, 50, 66.6, 100]))
        compare(gold, system, (gold, system), "list", overlap)


def test_tags_of_any_form() -> None:
    """What nervaluate refuses is refused, what it takes is scored alike."""
    random = np.random.default_rng(4)
    prefixes = ["B-", "B-", "I-", "I-", "E-", "S-", "b-", "B_", "é-", "B", "-"]
    taken = 0
    for _ in range(FILES):
        vocabulary = [*["O"] * 9, "o", "B", "I", "B-", "I-", "-A"]
        vocabulary += [f"{random.choice(prefixes)}{random.choice(['', 'A', '-B'])}"] * 2
        vocabulary += [f"{prefix}A" for prefix in random.choice(prefixes[:4], 3)] * 3
        gold = [random.choice(vocabulary, random.integers(1, 5)).tolist() for _ in range(2)]
        system = [random.choice(vocabulary, len(sentence)).tolist() for sentence in gold]
        try:
            nervaluate.evaluator.Evaluator(gold, system, [], loader="list")
        except ValueError as error:
            tag = str(error).removeprefix("Invalid tag format: ")
            with pytest.raises(FormatError) as caught:
                tertium.score(gold, system, metric="spans.partial")
            assert f"tag '{tag}'" in caught.value.problems[0].message
        else:
            taken += 1
            compare(gold, system, (gold, system), "list", 1.0)
    assert FILES / 10 < taken < FILES * 9 / 10


def random_spans(random: np.random.Generator, size: int, few: int) -> list[tuple[int, int, str]]:
    """Nested, crossing and repeated spans in any order."""
    found = []
    for _ in range(random.integers(0, few + 1)):
        if found and random.random() < 0.2:
            found.append(found[random.integers(len(found))])
            continue
        start = int(random.integers(size))
        end = int(random.integers(start, min(size, start + 8))) + 1
        found.append((start, end, str(random.choice(TYPES[:3]))))
    return found


def layer(rows: list[list[tuple[int, int, str]]], size: int) -> Corpus:
    placed = [(n * size + a, n * size + z, t) for n, each in enumerate(rows) for a, z, t in each]
    start, end, label = zip(*placed, strict=True) if placed else ((), (), ())
    spans = Spans(np.array(start, np.int32), np.array(end, np.int32), Labels.of(label))
    offsets = np.arange(len(rows) + 1, dtype=np.int64) * size
    return Corpus(offsets, None, {"spans": spans}, atoms="indices")


def dictionaries(rows: list[list[tuple[int, int, str]]]) -> Entities:
    """As nervaluate takes them: the end is the last token."""
    return [[{"start": a, "end": z - 1, "label": t} for a, z, t in each] for each in rows]


@pytest.mark.parametrize("seed", [2, 3])
def test_spans(seed: int) -> None:
    random = np.random.default_rng(seed)
    for _ in range(FILES):
        size, sentences, few = random.integers(4, 15), random.integers(1, 5), random.integers(1, 12)
        gold = [random_spans(random, size, few) for _ in range(sentences)]
        system = []
        for sentence in gold:
            kept = [span for span in sentence if random.random() < 0.4]
            mixed = [*kept, *random_spans(random, size, few)]
            system.append([mixed[i] for i in random.permutation(len(mixed))])
        overlap = float(random.choice([1, 1, 20, 33.4, 50, 66.6, 70, 100]))
        theirs = dictionaries(gold), dictionaries(system)
        compare(layer(gold, size), layer(system, size), theirs, "dict", overlap)


def test_many_spans_in_a_sentence() -> None:
    random = np.random.default_rng(5)
    for size, few in ((60, 150), (400, 400), (4000, 300), (12, 300)):
        gold, system = ([random_spans(random, size, few)] for _ in range(2))
        long = [(0, size, "A"), (size // 3, size, "B")]
        gold[0] = [*long[:1], *gold[0], *long[1:]]
        theirs = dictionaries(gold), dictionaries(system)
        compare(layer(gold, size), layer(system, size), theirs, "dict", 1.0)
