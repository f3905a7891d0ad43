"""What the trees of a theory are usually judged by, and constituents as dependencies: what
comparisons across theories show beside TedEval (docs/verbs/cross.md)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels
from tertium.corpus.layers import Arcs, Trees
from tertium.corpus.trees import POS
from tertium.exceptions import UsageError
from tertium.families.base import Metric, make
from tertium.families.family import default_metrics, family_of
from tertium.families.theories.tedeval import TedEval
from tertium.formats.heads import BUILT_IN, HeadRules, dependencies, fitting_rules, load_heads
from tertium.results.scores import plain as known

ATTACHMENT = make("deps.uas")  # what converted trees are judged by: they have no relations


def native_metrics(gold: Corpus) -> tuple[Metric, ...]:
    """The usual metrics of the trees that function trees are made of."""
    kind = Trees if gold.of_kind(Trees) else Arcs
    layers = {n: each for n, each in gold.layers.items() if isinstance(each, kind) or n == POS}
    found = default_metrics(replace(gold, layers=layers))
    return tuple(metric for metric in found if kind in family_of(metric).reads)


def has_dependencies(corpus: Corpus) -> bool:
    """Can converted trees be compared with it?"""
    return bool(corpus.of_kind(Arcs)) and not corpus.of_kind(Trees)


def head_rules(trees: Corpus, gold: Corpus) -> HeadRules | None:
    """Of the built-in rules that fit the labels of gold trees those by which most words have the
    heads of the gold dependencies; None if none fit."""
    found = fitting_rules(trees)
    heads = gold.layer("deps", Arcs).head
    fitting = [load_heads(name) for name in BUILT_IN if name.partition("-")[0] in found]
    right = [(as_dependencies(trees, each).layer("deps", Arcs).head == heads) for each in fitting]
    return fitting[int(np.argmax([each.mean() for each in right]))] if fitting else None


def as_dependencies(corpus: Corpus, rules: HeadRules) -> Corpus:
    """Constituents as dependencies without relations, by head rules; functions are ignored, since
    systems rarely have them."""
    head = dependencies(corpus, rules, functions=False).head
    first = corpus.offsets[corpus.sentence_of_token]
    arcs = np.where(head < 0, 0, head - first + 1).astype(np.int32)
    layer = Arcs(arcs, Labels.constant("dep", corpus.token_count))
    return replace(corpus, layers={"deps": layer})


def check_across(metrics: Iterable[Metric]) -> None:
    """Refuse metrics of one theory alone."""
    for metric in metrics:
        if not isinstance(metric, TedEval):
            raise UsageError(
                f"systems of different theories cannot be compared by {metric!r}",
                help="'tertium cross' also shows the usual metrics of each theory",
            )


def variants(metric: Metric | None = None) -> dict[tuple[str, str], Metric]:
    """The measures across theories, by what a table calls them: against the gold standard of the
    system's own theory and against what all have in common, with labels and without. Of a metric
    that is given the other parameters hold for all."""
    base = metric or TedEval()
    assert isinstance(base, TedEval)
    return {
        (golds, "L" if labeled else "U"): replace(base, golds=golds, labeled=labeled)
        for golds in ("all", "own")
        for labeled in (True, False)
    }


def against(metric: Metric, theory: str) -> Metric:
    """The same against the gold standard of one theory."""
    assert isinstance(metric, TedEval)
    return replace(metric, golds=theory)


def warnings(labeled: Metric, gold: Corpus) -> list[str]:
    """Which gold standards hardly overlap in their labels."""
    assert isinstance(labeled, TedEval)
    return labeled.warnings(gold, labeled.overlaps(gold))


def overlaps(labeled: Metric, plain: Metric, gold: Corpus) -> list[dict[str, Any]]:
    """How much every two gold standards have in common, with labels and without; None if both are
    empty."""
    assert isinstance(labeled, TedEval)
    assert isinstance(plain, TedEval)
    return [
        {"golds": [a.first, a.second], "labeled": known(a.value), "unlabeled": known(b.value)}
        for a, b in zip(labeled.overlaps(gold), plain.overlaps(gold), strict=True)
    ]
