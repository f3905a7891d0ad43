"""Groups of words on the output of real parsers, counted once more in plain Python."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import tertium

SYSTEMS = ("spacy", "udpipe-swap", "udpipe-raw")
Word = tuple[int, str, str, str]  # head, relation, tag, features


def sentences(path: Path) -> Iterator[list[Word]]:
    words: list[Word] = []
    for line in path.read_text(encoding="utf-8").split("\n"):
        fields = line.split("\t")
        if not line and words:
            yield words
            words = []
        elif fields[0].isdigit():
            words.append((int(fields[6]), fields[7].split(":")[0], fields[3], fields[5]))


def distance(words: list[Word], place: int) -> str:
    head = words[place - 1][0]
    far = abs(place - head)
    return "root" if head == 0 else "7-" if far > 6 else "3-6" if far > 2 else str(far)


def depth(words: list[Word], place: int) -> str:
    steps = 0
    while place:
        place = words[place - 1][0]
        steps += 1
    return "7-" if steps > 6 else "4-6" if steps > 3 else str(steps)


def direction(words: list[Word], place: int) -> str:
    head = words[place - 1][0]
    return "root" if head == 0 else "left" if place < head else "right"


def projectivity(words: list[Word], place: int) -> str:
    head = words[place - 1][0]
    if head == 0:
        return "projective"
    for word in range(min(place, head) + 1, max(place, head)):
        above = word
        while above and above != head:
            above = words[above - 1][0]
        if above != head:
            return "non-projective"
    return "projective"


def case(words: list[Word], place: int) -> str:
    found = [f[5:] for f in words[place - 1][3].split("|") if f.startswith("Case=")]
    return found[0] if found else "(none)"


PROPERTIES = {
    "distance": distance,
    "depth": depth,
    "direction": direction,
    "projectivity": projectivity,
    "deprel": lambda words, place: words[place - 1][1],
    "upos": lambda words, place: words[place - 1][2],
    "feature:Case": case,
}


@pytest.mark.parametrize("by", PROPERTIES)
def test_counts_with_the_same_words(shared: Path, by: str) -> None:
    folder = shared / "data" / "ewt-systems"
    gold, system = folder / "gold-test.conllu", folder / "udpipe-swap-test.conllu"
    found: dict[str, Counter[str]] = {}
    of = PROPERTIES[by]
    for ours, theirs in zip(sentences(gold), sentences(system), strict=True):
        for place, (mine, yours) in enumerate(zip(ours, theirs, strict=True), 1):
            right = mine[:2] == yours[:2]
            here = found.setdefault(of(ours, place), Counter())
            here["gold"] += 1
            here["correct"] += right
            there = found.setdefault(of(theirs, place), Counter())
            there["system"] += 1
            there["correct_system"] += right
    groups = tertium.score(gold, system, metric="deps.las", by=by).results[0].groups
    assert set(groups) == set(found)
    for name, group in groups.items():
        for count in ("gold", "correct", "system", "correct_system"):
            assert group.counts[count] == found[name][count], (name, count)


@pytest.mark.parametrize("by", PROPERTIES)
@pytest.mark.parametrize("metric", ["deps.uas", "deps.las", "tags.accuracy"])
def test_groups_add_up_with_other_words(shared: Path, by: str, metric: str) -> None:
    folder = shared / "data" / "ewt-systems"
    systems = [folder / f"{name}-dev.conllu" for name in SYSTEMS]
    scores = tertium.score(folder / "gold-dev.conllu", *systems, metric=metric, by=by)
    assert len({tuple(r.groups) for r in scores}) == 1
    for result in scores:
        for name, whole in result.counts.items():
            assert sum(g.counts[name] for g in result.groups.values()) == whole
