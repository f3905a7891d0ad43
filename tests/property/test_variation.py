"""Variation n-grams, and what answers say about them, equal what plain loops over a small corpus
find."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tertium
from tertium.agreement.ngrams import UNANNOTATED, find_nuclei, longest
from tertium.agreement.plausibility import KINDS
from tertium.corpus.labels import bounds_of

Sentences = list[list[int]]
Items = list[dict[tuple[int, int], int]]  # of every sentence: tokens and label
Found = set[tuple[Any, ...]]  # words, words on the left, size of the nucleus, occurrences


def plain(
    sentences: Sentences, items: Items, most: int, across: bool, nested: bool = True
) -> Found:
    """Every context of every nucleus, one by one."""
    text = [word for sentence in sentences for word in sentence]
    bounds = bounds_of([len(sentence) for sentence in sentences]).tolist()
    of = [n for n, sentence in enumerate(sentences) for _ in sentence]
    label = {
        (bounds[n] + a, bounds[n] + b): code
        for n, each in enumerate(items)
        for (a, b), code in each.items()
    }
    nuclei = {tuple(text[a:b]) for a, b in label}
    groups = defaultdict(list)
    for a in range(len(text)):
        for b in range(a + 1, bounds[of[a] + 1] + 1):
            if tuple(text[a:b]) not in nuclei:
                continue
            within = any(first <= a and b <= last for first, last in label)
            if within and (a, b) not in label and not nested:
                continue
            low, high = (0, len(text)) if across else (bounds[of[a]], bounds[of[a] + 1])
            for left in range(min(most, a - low) + 1):
                for right in range(min(most, high - b) + 1):
                    key = tuple(text[a - left : b + right]), left, b - a
                    groups[key].append((a, b, label.get((a, b), UNANNOTATED)))
    vary = {key: each for key, each in groups.items() if len({code for *_, code in each}) > 1}
    found = set()
    for (words, left, size), each in vary.items():
        longer = [
            (w, x)
            for w, x, s in vary
            if s == size and ((w[1:], x - 1) == (words, left) or (w[:-1], x) == (words, left))
        ]
        if not longer:
            found.add((words, left, size, tuple(sorted(each))))
    return found


def fast(sentences: Sentences, items: Items, most: int, across: bool, nested: bool = True) -> Found:
    """What the arrays give."""
    words = np.array([word for sentence in sentences for word in sentence])
    bounds = bounds_of([len(sentence) for sentence in sentences])
    every = [
        (bounds[n] + a, bounds[n] + b, code)
        for n, each in enumerate(items)
        for (a, b), code in each.items()
    ]
    columns = np.array(every, np.int64).reshape(-1, 3).T
    nuclei = find_nuclei(words, bounds, columns[:2], columns[2], nested=nested)
    groups = longest(nuclei, words, bounds[[0, -1]] if across else bounds, most)
    found = set()
    for n in range(len(groups)):
        rows = groups.rows[groups.bounds[n] : groups.bounds[n + 1]]
        left, right = int(groups.left[n]), int(groups.right[n])
        each = zip(
            *(c[rows].tolist() for c in (nuclei.start, nuclei.end, nuclei.label)), strict=True
        )
        places = tuple(sorted(each))
        a, b, _ = places[0]
        key = (tuple(words[a - left : b + right].tolist()), left, b - a, places)
        assert key not in found, "every n-gram once"
        found.add(key)
    return found


def corpus(seed: int, *, tags: bool) -> tuple[Sentences, Items]:
    rng = random.Random(seed)
    words = rng.choice([1, 2, 3, 5])
    sentences = [
        [rng.randrange(words) for _ in range(rng.randrange(1, 8))]
        for _ in range(rng.randrange(1, 8))
    ]
    items: Items = []
    for sentence in sentences:
        size = len(sentence)
        if tags:
            items.append({(i, i + 1): rng.choice([0, 0, 0, 1, 2]) for i in range(size)})
            continue
        starts = [rng.randrange(size) for _ in range(rng.randrange(3))]
        items.append({(a, rng.randrange(a + 1, size + 1)): rng.randrange(2) for a in starts})
    return sentences, items


@pytest.mark.parametrize("across", [False, True], ids=["within", "across"])
@pytest.mark.parametrize("tags", [True, False], ids=["tags", "spans"])
def test_n_grams_are_those_of_plain_loops(tags: bool, across: bool) -> None:
    varied = 0
    for seed in range(150):
        sentences, items = corpus(seed, tags=tags)
        most = [0, 1, 2, 50][seed % 4]
        expected = plain(sentences, items, most, across)
        assert fast(sentences, items, most, across) == expected, f"seed {seed}"
        varied += len(expected)
    assert varied > 100


def test_what_is_part_of_an_item_is_no_occurrence_unless_items_are_nested() -> None:
    fewer = 0
    for seed in range(150):
        sentences, items = corpus(seed, tags=False)
        expected = plain(sentences, items, 2, False, nested=False)
        assert fast(sentences, items, 2, False, nested=False) == expected, f"seed {seed}"
        fewer += expected != plain(sentences, items, 2, False)
    assert fewer > 10


def test_a_repeated_word_grows_only_to_the_ends_of_its_sentence() -> None:
    items: Items = [{(i, i + 1): i % 2 for i in range(6)}]
    found = fast([[0] * 6], items, 50, False)
    assert found == plain([[0] * 6], items, 50, False)
    assert max(len(words) for words, *_ in found) == 5


# -- the verb ------------------------------------------------------------------------------------

Place = tuple[str, str, int, int, int]  # file, sentence, line, first and last word


def written(folder: Path, sentences: Sentences, items: Items, seed: int) -> list[Place]:
    """A corpus of tags in two files; the place of every word."""
    cut = random.Random(seed).randrange(len(sentences) + 1)
    places: list[Place] = []
    for name, chosen in (("a.tsv", range(cut)), ("b.tsv", range(cut, len(sentences)))):
        lines: list[str] = []
        for number, n in enumerate(chosen, 1):
            for i, word in enumerate(sentences[n]):
                lines.append(f"w{word}\tT{items[n][i, i + 1]}")
                places.append((name, str(number), len(lines), i + 1, i + 1))
            lines.append("")
        if len(chosen):
            (folder / name).write_text("\n".join(lines), "utf-8")
    return places


def expected_ngrams(sentences: Sentences, items: Items, most: int) -> list[tuple[Any, ...]]:
    """Words, words on the left and occurrences of n-grams in the order that is documented."""
    found = plain(sentences, items, most, False)

    def order(ngram: tuple[Any, ...]) -> tuple[Any, ...]:
        words, left, _, each = ngram
        return is_fringe(words, left), -len(words), -len(each), each[0][0], left

    return [(words, left, each) for words, left, _, each in sorted(found, key=order)]


def is_fringe(words: tuple[int, ...], left: int) -> bool:
    return left == 0 or left + 1 == len(words)


@pytest.mark.parametrize("seed", range(60))
def test_the_verb_finds_what_plain_loops_find(tmp_path: Path, seed: int) -> None:
    sentences, items = corpus(seed, tags=True)
    places = written(tmp_path, sentences, items, seed)
    contexts = [
        " ".join(f"[w{word}]" if place == at else f"w{word}" for place, word in enumerate(sentence))
        for sentence in sentences
        for at in range(len(sentence))
    ]
    most = [0, 1, 50][seed % 3]
    expected = expected_ngrams(sentences, items, most)
    found = tertium.variation(tmp_path, context=most)
    assert len(found) == len(expected)
    for ngram, (words, left, each) in zip(found, expected, strict=True):
        assert ngram.words == tuple(f"w{word}" for word in words)
        assert (ngram.first, ngram.last) == (left + 1, left + 1)
        labels = Counter(f"T{label}" for *_, label in each)
        assert [*ngram.labels.items()] == sorted(labels.items(), key=lambda e: (-e[1], e[0]))
        told = [tuple(vars(one).values()) for one in ngram.occurrences]
        assert [(Path(file).name, *rest) for file, *rest in told] == [
            (*places[a], f"T{label}", contexts[a]) for a, _, label in each
        ]
    assert found.nuclei == len({words[left] for words, left, _ in expected})
    kept = [words for words, left, _ in expected if not is_fringe(words, left)]
    assert len(tertium.variation(tmp_path, context=most, non_fringe=True)) == len(kept)


@pytest.mark.parametrize("seed", range(60))
def test_answers_are_judged_as_plain_loops_judge(tmp_path: Path, seed: int) -> None:
    sentences, items = corpus(seed, tags=True)
    places = written(tmp_path, sentences, items, seed)
    wanted: dict[int, set[str]] = defaultdict(set)
    given: dict[int, str] = {}
    for *_, each in expected_ngrams(sentences, items, 50):
        for a, _, label in each:
            wanted[a] |= {f"T{other}" for *_, other in each}
            given[a] = f"T{label}"
    answers = answered(tmp_path, wanted, places, seed)
    paths = [str(tmp_path / f"{person}.answers") for person in range(3)]
    found = tertium.variation(str(tmp_path / "*.tsv"), answers=paths).plausibility
    assert found is not None
    yes = {key: sum(each) / len(each) for key, each in answers.items() if each}
    kinds: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    for a, labels in wanted.items():
        for other in labels - {given[a]}:
            own, its = (yes.get((a, label), 0.5) for label in (given[a], other))
            if 0.5 not in (own, its):
                kind = "wrong" if own < 0.5 else "hard" if its > 0.5 else "settled"
                kinds[tuple(sorted((given[a], other)))][kind] += 1
    counts = {each.labels: Counter({k: getattr(each, k) for k in KINDS}) for each in found.pairs}
    assert counts == kinds
    hard = sum(each["hard"] for each in kinds.values())
    for each in found.pairs:
        assert each.share == kinds[each.labels]["hard"] / kinds[each.labels].total()
        assert each.of_hard == (kinds[each.labels]["hard"] / hard if hard else None)
    equal = [a == b for each in answers.values() for a, b in combinations(each, 2)]
    assert found.agreement == (pytest.approx(sum(equal) / len(equal)) if equal else None)
    assert len(found.wrong) == sum(yes.get((a, given[a]), 0.5) < 0.5 for a in wanted)
    assert (found.questions, found.answered) == (sum(map(len, wanted.values())), len(yes))
    assert found.tied == [*yes.values()].count(0.5)


def answered(
    folder: Path, wanted: dict[int, set[str]], places: list[Place], seed: int
) -> dict[tuple[int, str], list[bool]]:
    """Random answers of three people, in a file each; some questions stay open."""
    rng, several = random.Random(seed), len({place[0] for place in places}) > 1
    answers: dict[tuple[int, str], list[bool]] = defaultdict(list)
    for person in range(3):
        rows = ["item\tannotator\tanswer"]
        for a, labels in wanted.items():
            file, sentence, _, first, _ = places[a]
            name = f"{file}:" * several + f"{sentence}.{first}"
            for label in sorted(labels):
                answer = rng.choice(["yes", "yes", "no", ""])
                rows.append(f"{name}:{label}\tann\t{answer}")
                answers[a, label] += [answer == "yes"] if answer else []
        (folder / f"{person}.answers").write_text("\n".join(rows), "utf-8")
    return answers
