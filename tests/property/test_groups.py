"""Groups of words on random trees: what is in them adds up to the whole, whatever the key."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tertium
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels
from tertium.corpus.layers import Arcs, Tags

KEYS = ("deprel", "deprel:full", "upos", "distance", "distance:2,3", "direction", "depth",
        "projectivity", "feature:A")  # fmt: skip
METRICS = ("deps.uas", "deps.las", "deps.ls", "deps.las(punct=deprel)", "tags.accuracy")
LABELS = st.sampled_from(("nsubj", "nsubj:pass", "obj", "punct", "_"))
TAGS = st.sampled_from(("N", "V", "_"))
FEATS = st.sampled_from(("_", "A=1", "A=2|B=1", "B=1"))


@st.composite
def trees(draw: st.DrawFn, sizes: list[int]) -> dict[str, Any]:
    """Any tree over each sentence, crossing arcs among them; some heads lack."""
    heads: list[int] = []
    for size in sizes:
        order = draw(st.permutations(range(size)))
        head = [0] * size
        for place, word in enumerate(order):
            above = draw(st.integers(-2, place - 1))
            head[word] = order[above] + 1 if above >= 0 else -1 if place else min(above + 1, 0)
        heads += head
    count = len(heads)

    def column(values: st.SearchStrategy[str]) -> Labels:
        return Labels.of(draw(st.lists(values, min_size=count, max_size=count)))

    return {
        "deps": Arcs(np.array(heads, np.int32), column(LABELS)),
        "upos": Tags(column(TAGS)),
        "feats": Tags(column(FEATS)),
    }


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Corpus, Corpus]:
    """Two annotations of a text of letters, the tokens of which may differ."""
    corpora = []
    letters = draw(st.lists(st.integers(1, 8), min_size=1, max_size=4))
    for side in ("gold", "system"):
        forms: list[str] = []
        sizes = []
        for number, size in enumerate(letters):
            text = "abcdefgh"[:size] if number % 2 else "hgfedcba"[:size]
            cuts = sorted(draw(st.sets(st.integers(1, 8), max_size=3)) & set(range(1, size)))
            whole = draw(st.booleans())
            bounds = [0, *(range(1, size) if whole else cuts), size]
            words = [text[a:b] for a, b in pairwise(bounds)]
            forms += words
            sizes.append(len(words))
        offsets = np.cumsum([0, *sizes]).astype(np.int64)
        corpora.append(Corpus(offsets, Labels.of(forms), draw(trees(sizes)), origin=side))
    return corpora[0], corpora[1]


@given(pairs(), st.sampled_from(KEYS), st.sampled_from(METRICS))
def test_groups_add_up(pair: tuple[Corpus, Corpus], by: str, metric: str) -> None:
    result = tertium.score(*pair, metric=metric, by=by).results[0]
    groups = result.groups.values()
    for name, whole in result.counts.items():
        assert sum(g.counts[name] for g in groups) == whole, name
    assert sum(g.counts["correct_system"] for g in groups) == result.counts["correct"]
    assert sum(g.coverage["items"] for g in groups) == result.coverage["scored"]
    for group in groups:
        gold = group.counts.get("gold", group.counts.get("items"))
        assert group.coverage["items"] == gold
        for part, right, among in (
            ("recall", group.counts["correct"], gold),
            ("precision", group.counts["correct_system"], group.counts["system"]),
        ):
            assert group.parts[part] == (pytest.approx(right / among) if among else None)


@given(pairs(), st.sampled_from(KEYS))
def test_gold_against_itself_is_perfect_in_every_group(
    pair: tuple[Corpus, Corpus], by: str
) -> None:
    """Words without a head are never right, so the label is judged."""
    gold, _ = pair
    result = tertium.score(gold, gold, metric="deps.ls(subtypes=True)", by=by).results[0]
    assert {g.value for g in result.groups.values()} == {1.0}
    assert len({*result.groups}) == len(result.groups) > 0


@given(pairs())
def test_groups_by_relation_are_the_figures_per_label(pair: tuple[Corpus, Corpus]) -> None:
    """For a measure of labels, on words that have a head and a label."""
    result = tertium.score(*pair, metric="deps.ls(subtypes=True)", by="deprel:full").results[0]
    for name, row in result.labels.items():
        if name in ("_", "(none)") or "(none)" in result.groups:
            continue
        group = result.groups[name]
        assert {n: group.counts[n] for n in row["counts"]} == row["counts"]
        for part in ("precision", "recall", "f1"):
            expected = row[part]
            found = group.parts[part]
            assert found == (None if expected is None else pytest.approx(expected)), part


def test_units_and_words_group_the_same_items(samples: Path) -> None:
    """What the groups of a key of units hold is what those of a key of words hold."""
    files = samples / "gold.conllu", samples / "cedar.conllu"
    by_unit, by_word = (
        tertium.score(*files, metric="deps.las", by=by).results[0] for by in ("genre", "depth")
    )
    for name in ("correct", "gold", "system", "aligned"):
        sums = [sum(g.counts[name] for g in r.groups.values()) for r in (by_unit, by_word)]
        assert sums[0] == sums[1]
