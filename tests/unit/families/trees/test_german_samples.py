"""The German trees of the samples: heads in both styles, and what their mistakes cost."""

from collections import Counter
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import tertium
from tertium import samples
from tertium.align.tokens import align
from tertium.corpus.corpus import Corpus
from tertium.corpus.layers import Trees
from tertium.families.base import make
from tertium.formats.files import read_file
from tertium.formats.heads import dependencies, has_head_functions, load_heads

STYLES = ("tiger", "tueba")
# What depends on what where the styles agree, in sentences 1, 2 and 5; then what depends on what in
# a phrase with a preposition, whose head is the preposition in TIGER, the noun in TüBa-D/Z.
SAME = "Wir<luden gestern<luden großen<Fest ein<luden Der<Zug Zug<fuhr pünktlich<fuhr die<Nachbarn"
OWN = {
    "tiger": "zum<luden Fest<zum am<zum Hafen<am nach<Zug Bremen<nach Darüber<gestritten",
    "tueba": "zum<Fest Fest<luden am<Hafen Hafen<Fest nach<Bremen Bremen<Zug Darüber<haben",
}


@cache
def sample(name: str) -> Corpus:
    return read_file(samples.path(f"{name}.export"))


def brackets(corpus: Corpus, sentence: int | None = None) -> Counter[tuple[object, ...]]:
    """Labels over sets of words."""
    trees = corpus.layer("trees", Trees)
    sets, found = trees.token_sets(), Counter[tuple[object, ...]]()
    for row, label in enumerate(trees.label.to_list()):
        if sentence in (None, trees.sentence[row]):
            found[(label, *(sets[row] + trees.start[row]).tolist())] += 1
    return found


@pytest.mark.parametrize("style", STYLES)
def test_heads_in_both_styles(style: str) -> None:
    corpus = sample(f"{style}-gold")
    head = dependencies(corpus, load_heads(style)).head.tolist()
    forms = corpus.forms.to_list()
    found = {f"{form}<{forms[h]}" for form, h in zip(forms, head, strict=True) if h >= 0}
    assert {*SAME.split(), *OWN[style].split()} <= found
    assert sum(h < 0 for h in head) == 10  # one root per sentence


@pytest.mark.parametrize("style", STYLES)
def test_both_styles_have_the_same_words(style: str) -> None:
    for name in (f"{style}-gold", f"{style}-arbor"):
        assert sample(name).forms == sample("tiger-gold").forms
    assert has_head_functions(sample(f"{style}-gold"))
    assert not has_head_functions(sample(f"{style}-arbor"))


def test_three_constituents_are_discontinuous() -> None:
    trees = sample("tiger-gold").layer("trees", Trees)
    assert trees.tokens is not None
    gaps = np.diff(trees.tokens.bounds) < trees.end - trees.start
    found = list(zip(trees.sentence[gaps] + 1, trees.label.take(gaps).to_list(), strict=True))
    # The comma of sentences 6 and 9 belongs to no constituent, so their S has a gap as well.
    assert found == [(4, "VP"), (5, "VP"), (6, "S"), (6, "NP"), (9, "S")]
    assert sample("tueba-gold").layer("trees", Trees).tokens is not None


def test_an_attachment_error_costs_12_of_13_and_14_brackets() -> None:
    counts = {}
    for style in STYLES:
        gold, system = (brackets(sample(f"{style}-{side}"), 0) for side in ("gold", "arbor"))
        counts[style] = (gold & system).total(), system.total(), gold.total()
    assert counts == {"tiger": (2, 3, 3), "tueba": (12, 13, 14)}
    for style in STYLES:
        gold, system = (sample(f"{style}-{side}").take([0]) for side in ("gold", "arbor"))
        stats = make("trees.triples").measure(gold, system, align(gold, system))
        assert [stats.totals()[name] for name in ("correct", "gold")] == [8, 9]


@pytest.mark.parametrize(
    ("style", "share", "right"), [("tiger", (34, 41, 39), 70), ("tueba", (109, 117, 125), 69)]
)
def test_the_figures_of_the_readme(style: str, share: tuple[int, ...], right: int) -> None:
    gold, system = (brackets(sample(f"{style}-{side}")) for side in ("gold", "arbor"))
    assert ((gold & system).total(), system.total(), gold.total()) == share
    files = [samples.path(f"{style}-{side}.export") for side in ("gold", "arbor")]
    scores = tertium.score(*files, metric="trees.triples").to_dict()
    (found,) = scores["scores"]
    assert found["counts"] == {"correct": right, "gold": 78, "system": 78}
    readme = Path(files[0]).with_name("README.md").read_text(encoding="utf-8")
    matched, ours, theirs = share
    row = [100 * matched / ours, 100 * matched / theirs, 100 * right / 78]
    assert " | ".join(f"{value:.2f}" for value in row) in readme


@pytest.mark.parametrize("style", STYLES)
def test_agreement_of_rules_and_functions(style: str) -> None:
    metric = make("trees.triples")
    gold = sample(f"{style}-gold")
    assert (
        metric.fit(metric.facts(gold))
        .remarks(gold, gold)[0]
        .endswith(
            f"head rules ({style}) against function labels: P, R and F1 97.44 (76 of 78 words)"
        )
    )
    path, way = samples.path(f"{style}-gold.export"), "export(functions=strip)"
    found = tertium.score(path, path, metric="trees.triples", system_format=way).to_dict()
    assert found["scores"][0]["counts"]["correct"] == 76
