"""spans.partial gives every count and number of nervaluate 1.2.1, on random files."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import metadata
from typing import Any, NamedTuple

import numpy as np
import pytest

import tertium
from recordings import BLOCK, confirm, record, recorded
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels
from tertium.corpus.layers import Spans
from tertium.exceptions import FormatError
from tertium.families.spans.partial import MODES
from tertium.results.decisions import Decisions
from tertium.results.scores import Result

VERSION = "1.2.1"
FILES, RECORDED, QUICK = 500, 100, 50
COUNTS = ("correct", "incorrect", "partial", "missed", "spurious", "possible", "actual")
FIGURES = ("precision", "recall", "f1")
TYPES = ("A", "B", "A-B", "-", "Ü")
Rows = list[list[tuple[int, int, str]]]


class File(NamedTuple):
    """Tags or, with `size` tokens in every sentence, spans; and how much must overlap."""

    gold: Any
    system: Any
    overlap: float = 1.0
    size: int = 0

    def ours(self) -> tuple[Any, Any]:
        if self.size:
            return layer(self.gold, self.size), layer(self.system, self.size)
        return self.gold, self.system

    def evaluator(self) -> Any:
        from nervaluate.evaluator import Evaluator

        sides = self.gold, self.system
        if self.size:
            sides = dictionaries(self.gold), dictionaries(self.system)
        loader = "dict" if self.size else "list"
        return Evaluator(*sides, [], loader=loader, min_overlap_percentage=self.overlap)


# -- files ------------------------------------------------------------------------------------


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


def tag_files(seed: int, count: int) -> list[File]:
    random = np.random.default_rng(seed)
    found = []
    for _ in range(count):
        sizes = random.integers(1, 14, random.integers(1, 6)).tolist()
        gold = [random_tags(random, size) for size in sizes]
        system = [altered(random, tags) for tags in gold]
        found.append(File(gold, system, float(random.choice([1, 1, 33.4, 50, 66.6, 100]))))
    return found


def files_of_any_form(count: int) -> list[File]:
    """Some of them nervaluate refuses."""
    random = np.random.default_rng(4)
    prefixes = ["B-", "B-", "I-", "I-", "E-", "S-", "b-", "B_", "é-", "B", "-"]
    found = []
    for _ in range(count):
        vocabulary = [*["O"] * 9, "o", "B", "I", "B-", "I-", "-A"]
        vocabulary += [f"{random.choice(prefixes)}{random.choice(['', 'A', '-B'])}"] * 2
        vocabulary += [f"{prefix}A" for prefix in random.choice(prefixes[:4], 3)] * 3
        gold = [random.choice(vocabulary, random.integers(1, 5)).tolist() for _ in range(2)]
        system = [random.choice(vocabulary, len(sentence)).tolist() for sentence in gold]
        found.append(File(gold, system))
    return found


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


def layer(rows: Rows, size: int) -> Corpus:
    placed = [(n * size + a, n * size + z, t) for n, each in enumerate(rows) for a, z, t in each]
    start, end, label = zip(*placed, strict=True) if placed else ((), (), ())
    spans = Spans(np.array(start, np.int32), np.array(end, np.int32), Labels.of(label))
    offsets = np.arange(len(rows) + 1, dtype=np.int64) * size
    return Corpus(offsets, None, {"spans": spans}, atoms="indices")


def dictionaries(rows: Rows) -> list[list[dict[str, Any]]]:
    """As nervaluate takes them: the end is the last token."""
    return [[{"start": a, "end": z - 1, "label": t} for a, z, t in each] for each in rows]


def span_files(seed: int, count: int) -> list[File]:
    random = np.random.default_rng(seed)
    found = []
    for _ in range(count):
        size, sentences, few = (int(random.integers(*ends)) for ends in ((4, 15), (1, 5), (1, 12)))
        gold = [random_spans(random, size, few) for _ in range(sentences)]
        system = []
        for sentence in gold:
            kept = [span for span in sentence if random.random() < 0.4]
            mixed = [*kept, *random_spans(random, size, few)]
            system.append([mixed[i] for i in random.permutation(len(mixed))])
        overlap = float(random.choice([1, 1, 20, 33.4, 50, 66.6, 70, 100]))
        found.append(File(gold, system, overlap, size))
    return found


def files_of_many_spans(_: int) -> list[File]:
    """Hundreds in a sentence."""
    random = np.random.default_rng(5)
    found = []
    for size, few in ((60, 150), (400, 400), (4000, 300), (12, 300)):
        gold, system = ([random_spans(random, size, few)] for _ in range(2))
        gold[0] = [(0, size, "A"), *gold[0], (size // 3, size, "B")]
        found.append(File(gold, system, 1.0, size))
    return found


SETS: dict[str, Callable[[int], list[File]]] = {
    "tags": partial(tag_files, 0),
    "more-tags": partial(tag_files, 1),
    "any-form": files_of_any_form,
    "spans": partial(span_files, 2),
    "more-spans": partial(span_files, 3),
    "many-spans": files_of_many_spans,
}
sets = pytest.mark.parametrize("name", SETS)


# -- answers ----------------------------------------------------------------------------------


def nervaluate() -> Callable[[File], Any]:
    """What nervaluate itself says: for each mode the row of all labels and of every one, or the tag
    that it refuses. Skips where it is not installed."""
    pytest.importorskip("nervaluate", reason=f"nervaluate {VERSION} is not installed")
    if metadata.version("nervaluate") != VERSION:
        pytest.skip(f"the numbers are those of nervaluate {VERSION}")

    def ask(file: File) -> Any:
        try:
            evaluator = file.evaluator()
        except ValueError as error:
            return str(error).removeprefix("Invalid tag format: ")
        sentences = [*evaluator.true, *evaluator.pred]
        evaluator.tags = sorted({entity.label for sentence in sentences for entity in sentence})
        found = evaluator.evaluate()
        answer = {}
        for mode in MODES:
            name = "ent_type" if mode == "type" else mode
            labels = {label: oracle(found["entities"][label][name]) for label in evaluator.tags}
            answer[mode] = [oracle(found["overall"][name]), labels]
        return answer

    return ask


def compare(files: list[File], answers: list[Any]) -> None:
    """All modes, overall and for every label; what nervaluate refuses is refused."""
    for file, answer in zip(files, answers, strict=True):
        if isinstance(answer, str):
            with pytest.raises(FormatError) as caught:
                tertium.score(*file.ours(), metric="spans.partial")
            assert f"tag '{answer}'" in caught.value.problems[0].message
            continue
        gold, system = file.ours()
        metrics = [f"spans.partial(mode={mode}, overlap={file.overlap})" for mode in MODES]
        scores = tertium.score(gold, system, metric=metrics)
        for mode, metric, result in zip(MODES, metrics, scores, strict=True):
            labels = {label: row(each["counts"], each) for label, each in result.labels.items()}
            assert [row(result.counts, result.parts), labels] == answer[mode]
            check_rows(result, tertium.decide(gold, system, metric))


def row(counts: Any, figures: Any) -> list[float]:
    return [*(counts[n] for n in COUNTS), *(figures[n] for n in FIGURES)]


def oracle(result: Any) -> list[float]:
    return [getattr(result, name) for name in (*COUNTS, *FIGURES)]


def check_rows(result: Result, decisions: Decisions) -> None:
    """Counts over decisions are the counts of the result."""
    found = np.bincount(decisions.error_type, minlength=5).tolist()
    assert found == [result.counts[n] for n in COUNTS[:5]]
    assert len(np.unique(decisions.item)) == len(decisions)


@sets
@pytest.mark.parametrize("count", [QUICK, pytest.param(RECORDED, marks=pytest.mark.oracles)])
def test_random_files(name: str, count: int) -> None:
    files = SETS[name](count)
    answers = recorded(f"nervaluate-{name}", f"nervaluate {VERSION}", files)
    refused = sum(isinstance(answer, str) for answer in answers)
    assert count / 10 < refused < count * 9 / 10 if name == "any-form" else refused == 0
    compare(files, answers)


@sets
def test_nervaluate_says_what_is_on_record(name: str) -> None:
    ask, files = nervaluate(), SETS[name](BLOCK)
    confirm(f"nervaluate-{name}", f"nervaluate {VERSION}", files, [ask(file) for file in files])


@pytest.mark.oracles
@sets
def test_many_random_files(name: str) -> None:
    ask, files = nervaluate(), SETS[name](FILES)
    answers = [ask(file) for file in files]
    record(f"nervaluate-{name}", f"nervaluate {VERSION}", files[:RECORDED], answers[:RECORDED])
    compare(files, answers)
