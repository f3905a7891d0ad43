"""Variation n-grams equal those that plain loops over a small corpus find."""

from __future__ import annotations

import random
from collections import defaultdict
from typing import Any

import numpy as np
import pytest

from tertium.agreement.ngrams import NOTHING, find_nuclei, longest
from tertium.corpus.labels import bounds_of

Sentences = list[list[int]]
Items = list[dict[tuple[int, int], int]]  # of every sentence: tokens and label
Found = set[tuple[Any, ...]]  # words, words on the left, size of the nucleus, occurrences


def plain(sentences: Sentences, items: Items, most: int, across: bool) -> Found:
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
            low, high = (0, len(text)) if across else (bounds[of[a]], bounds[of[a] + 1])
            for left in range(min(most, a - low) + 1):
                for right in range(min(most, high - b) + 1):
                    key = tuple(text[a - left : b + right]), left, b - a
                    groups[key].append((a, b, label.get((a, b), NOTHING)))
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


def fast(sentences: Sentences, items: Items, most: int, across: bool) -> Found:
    """What the arrays give."""
    words = np.array([word for sentence in sentences for word in sentence])
    bounds = bounds_of([len(sentence) for sentence in sentences])
    every = [
        (bounds[n] + a, bounds[n] + b, code)
        for n, each in enumerate(items)
        for (a, b), code in each.items()
    ]
    columns = np.array(every, np.int64).reshape(-1, 3).T
    nuclei = find_nuclei(words, bounds, columns[:2], columns[2])
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


def test_a_repeated_word_grows_only_to_the_ends_of_its_sentence() -> None:
    items: Items = [{(i, i + 1): i % 2 for i in range(6)}]
    found = fast([[0] * 6], items, 50, False)
    assert found == plain([[0] * 6], items, 50, False)
    assert max(len(words) for words, *_ in found) == 5
