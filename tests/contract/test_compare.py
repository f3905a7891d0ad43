"""Every registered metric that judges items goes through comparison: it gets that for free."""

from dataclasses import replace

import numpy as np
import pytest

import plain_compare as plain
import tertium
from metric_samples import sample_of, units_of
from tertium import registry
from tertium.comparison.compare.result import Comparison
from tertium.comparison.compare.views import View
from tertium.comparison.pairs import CLASSES
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels
from tertium.corpus.layers import Arcs, Tags
from tertium.families.base import Metric, has_items, make
from tertium.families.sets import MetricSet

MODES = [
    *(f"spans.f1(compat='{tool}')" for tool in ("conlleval", "seqeval", "seqeval-strict")),
    *(f"deps.las(compat='{tool}')" for tool in ("conll07", "compareval")),
    *("deps.las(subtypes=True)", "deps.las(punct='upos')", "spans.fair(punct='form')"),
    *("deps.ud.las", "deps.ud.upos"),
]
SEGMENTS = ("deps.tokens", "deps.words", "deps.sentences")  # in which the samples do not differ


def enhanced(corpus: Corpus) -> Corpus:
    """The corpus with its trees for graphs."""
    arcs = corpus.layer("deps", Arcs)
    cells = [
        f"{head}:{label}"
        for head, label in zip(arcs.head.tolist(), arcs.label.to_list(), strict=True)
    ]
    return replace(corpus, extras={**corpus.extras, "enhanced": Tags(Labels.of(cells))})


def lemmatised(gold: Corpus, corpus: Corpus, seed: int) -> Corpus:
    """The corpus with the lemmas of gold, some of them spoilt."""
    lemmas = gold.layer("lemma", Tags).labels.to_list()
    spoilt = np.random.default_rng(seed).random(len(lemmas)) < 0.1
    cells = [lemma + "x" * int(bad) for lemma, bad in zip(lemmas, spoilt, strict=True)]
    return replace(corpus, layers={**corpus.layers, "lemma": Tags(Labels.of(cells))})


def items_of(text: str) -> bool:
    made = make(text)
    return not isinstance(made, MetricSet) and has_items(made)


@pytest.fixture(
    scope="module", params=[m for m in (*registry.names("metrics"), *MODES) if items_of(m)]
)
def metric(request: pytest.FixtureRequest) -> Metric:
    return make(request.param)


@pytest.fixture(scope="module")
def data(metric: Metric) -> list[Corpus]:
    corpora = [*sample_of(metric)]
    # What a system lacks is left out of comparisons: unit/comparison/test_lost.py
    whole = np.all([np.diff(corpus.offsets) > 0 for corpus in corpora], axis=0)
    if len(whole) > 40:
        whole[1::2] = False  # for speed
    corpora = [corpus.take(whole) for corpus in corpora]
    if "enhanced" in (metric.needs() or ()):
        corpora = [enhanced(corpus) for corpus in corpora]
    if "lemma" in (metric.needs() or ()):
        corpora[1:] = [lemmatised(corpora[0], c, seed) for seed, c in enumerate(corpora[1:])]
    return corpora


@pytest.fixture(scope="module")
def found(metric: Metric, data: list[Corpus]) -> Comparison:
    """What several tests look at."""
    return tertium.compare(*data, metric=metric, names="abc")


def view_of(metric: Metric, gold: Corpus, *systems: Corpus) -> View:
    names = "abc"[: len(systems)]
    return tertium.compare(gold, *systems, metric=metric, names=names).view


def test_as_the_plain_way_finds_it(metric: Metric, data: list[Corpus], found: Comparison) -> None:
    view = found.view
    plain.check(view, plain.decided(*data, metric=metric))
    assert any(pair.different for pair in view.pairs) or metric.id in SEGMENTS


def test_pairs_add_up(found: Comparison) -> None:
    for pair in found.view.pairs:
        parts = pair.corrections + pair.new_errors + pair.changed_errors + pair.both_right
        assert parts == pair.different <= pair.items
        assert pair.right_a - pair.shared_right <= pair.new_errors + pair.both_right
        for kind in CLASSES:
            for mode in ("labels", "types", "both"):
                told = pair.transitions(kind, mode)
                assert sum(t.count for t in told) == getattr(pair, kind)
        extra = pair.items - pair.gold_items
        assert extra >= 0
        if not extra:
            change = pair.corrections - pair.new_errors
            assert pair.right_b - pair.right_a == change


def test_who_says_the_same_is_equally_right(found: Comparison) -> None:
    """Otherwise the score could change without a difference."""
    of = found.view.answers
    for a in range(of.systems):
        for b in range(a):
            same = of.answer[a] == of.answer[b]
            assert (of.right[a] == of.right[b])[same].all()


def test_right_items_are_those_of_the_score(metric: Metric, found: Comparison) -> None:
    for name, right in zip("abc", found.view.oracle.right.tolist(), strict=True):
        result = next(r for r in found.scores if r.system == name)
        counts = result.counts
        if "surplus" in repr(counts) or "compat" in repr(metric):
            continue  # a tool counts in its own way
        if {"correct", "tp"} & counts.keys():  # not all count what is quite right
            assert right == counts.get("correct", counts.get("tp")), metric


def test_gold_twice_shows_no_difference(metric: Metric, data: list[Corpus]) -> None:
    view = view_of(metric, data[0], data[0], data[0])
    pair = view.pairs[0]
    assert (pair.different, pair.diff) == (0, 0)
    assert pair.overlap_all == pair.overlap_right == 1
    assert view.oracle.bound == 1
    assert view.oracle.gain == 0
    assert pair.complete is not None
    assert pair.complete.both == pair.complete.sentences


def test_the_order_of_systems_does_not_matter(
    metric: Metric, data: list[Corpus], found: Comparison
) -> None:
    gold, *systems = data
    forth = found.view
    back = tertium.compare(gold, *systems[::-1], metric=metric, names="cba").view
    for pair in forth.pairs:
        other = back.pair(pair.a, pair.b)
        assert pair.to_dict() == other.to_dict()
    assert forth.oracle.correct == back.oracle.correct
    assert len(forth.answers) == len(back.answers)


def test_a_pair_does_not_depend_on_who_else_is_there(
    metric: Metric, data: list[Corpus], found: Comparison
) -> None:
    gold, a, _, c = data
    two = tertium.compare(gold, a, c, metric=metric, names="ac").view.pairs[0]
    assert two.to_dict() == found.view.pair("a", "c").to_dict()


def test_sentences_may_be_shuffled_and_cut(
    metric: Metric, data: list[Corpus], found: Comparison
) -> None:
    whole = found.view
    units = units_of(metric, data[0])
    mixed = np.random.default_rng(0).permutation(len(units)).tolist()
    order = np.concatenate([units[n] for n in mixed])
    shuffled = view_of(metric, *(corpus.take(order) for corpus in data))
    cut = np.arange(data[0].sentence_count) < units[len(units) * 23 // 64][0]
    parts = [view_of(metric, *(corpus.take(m) for corpus in data)) for m in (cut, ~cut)]
    for n, pair in enumerate(whole.pairs):
        assert pair.to_dict() == shuffled.pairs[n].to_dict()
        for name in ("items", "different", *CLASSES, "both_right", "shared_right", "right_a"):
            assert getattr(pair, name) == sum(getattr(p.pairs[n], name) for p in parts)
    assert whole.oracle.correct == sum(p.oracle.correct for p in parts)
    assert whole.oracle.to_dict() == shuffled.oracle.to_dict()
