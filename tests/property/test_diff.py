"""Differences between two annotations are the same from A to B and from B to A."""

from dataclasses import fields

import numpy as np
import pytest

import tertium
from tertium import registry
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels
from tertium.corpus.layers import Arcs, Tags
from tertium.exceptions import UsageError
from tertium.families.base import Metric, has_items, make

WORDS = ("a", "b", ",", ".", "'s")
SETS = "deps.ud"


def metrics() -> list[str]:
    """Every metric that judges items, with every choice of each of its parameters."""
    found = []
    for name in registry.names("metrics"):
        metric = make(name) if name != SETS else None
        if not isinstance(metric, Metric) or not has_items(metric):
            continue
        found.append(name)
        for each in fields(metric):
            for choice in each.metadata.get("choices") or ():
                text = f"{name}({each.name}={choice})"
                try:
                    make(text)
                except UsageError:
                    continue
                found.append(text)
    return found


def sides(seed: int) -> tuple[Corpus, Corpus]:
    """Two annotations of the same words that differ in everything, also in what is punctuation."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 8, 4).tolist()
    offsets = np.cumsum([0, *sizes])
    total = int(offsets[-1])

    def pick(*names: str) -> Tags:
        return Tags(Labels.of(rng.choice(names, total).tolist()))

    forms = Labels.of(rng.choice(WORDS, total).tolist())
    found = []
    for _ in range(2):
        head = np.zeros(total, np.int32)
        for first, size in zip(offsets, sizes, strict=False):
            order = rng.permutation(size)
            for place in range(1, size):
                head[first + order[place]] = order[rng.integers(0, place)] + 1
        relations = pick("nsubj", "punct", "obj:x", "det").labels
        layers = {
            "upos": pick("NOUN", "PUNCT", "DET"),
            "xpos": pick("X", "Y"),
            "feats": pick("_", "Case=Nom"),
            "lemma": pick("a", "b"),
            "ner": pick("O", "O", "B-X", "I-X", "B-Y"),
            "deps": Arcs(head, relations),
        }
        found.append(Corpus(offsets, forms, layers, origin="file"))
    return found[0], found[1]


@pytest.mark.parametrize("seed", range(2))
def test_neither_side_is_gold(seed: int) -> None:
    """Of kinds, only those that the result itself says may be others; spans.partial pairs spans as
    nervaluate does, in the order of one side."""
    a, b = sides(seed)
    for text in metrics():
        here, there = [], []
        for one, other, into in ((a, b, here), (b, a, there)):
            try:
                layer = tertium.diff(one, other, metric=text).layer
            except tertium.TertiumError as error:
                into.append(type(error))
                continue
            into += [layer.items, layer.sentences]
            if not text.startswith("spans.partial"):
                into += [layer.different, layer.same_sentences]
        assert here == there, text


def test_a_word_is_left_out_if_both_take_it_for_punctuation() -> None:
    def parsed(*labels: str) -> Corpus:
        head = np.array([0, *([1] * (len(labels) - 1))], np.int32)
        forms = Labels.of(f"w{n}" for n in range(len(labels)))
        return Corpus(np.array([0, len(labels)]), forms, {"deps": Arcs(head, Labels.of(labels))})

    a, b = parsed("root", "punct", "punct", "obj"), parsed("root", "punct", "obj", "punct")
    for one, other in ((a, b), (b, a)):
        found = tertium.diff(one, other, metric="deps.las(compat=compareval)").layer
        assert (found.items, found.different) == (3, 2)
        # Heads alone do not differ.
        found = tertium.diff(one, other, metric="deps.uas(punct=deprel)").layer
        assert (found.items, found.different) == (3, 0)
    # With a gold standard, gold decides.
    assert tertium.score(a, b, metric="deps.las(compat=compareval)").results[0].counts["gold"] == 2
