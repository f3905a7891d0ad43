"""theories.tedeval against the definitions of Tsarfaty, Nivre and Andersson (2012), written down:
edit scripts between sorted function trees, not the difference of sets that follows from them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from metric_samples import aligned
from tertium.corpus.corpus import Corpus
from tertium.families.base import Metric, make
from theory_samples import Node, theory_corpus

LENGTH = 5
LABELS = ("root", "sbj", "obj:x", "obj:y", "hd")
Label = str
Span = frozenset[int]
Operation = tuple[str, Label, Span]
MultiFunctionTree = dict[Span, set[Label]]


@st.composite
def node(draw: Any) -> Node:
    words = draw(st.sets(st.integers(0, LENGTH - 1), min_size=1))
    if draw(st.integers(0, 4)):  # most nodes have no gaps
        words = {*range(min(words), max(words) + 1)}
    return draw(st.sampled_from(LABELS)), frozenset(words)


TREE = st.lists(node(), max_size=7)
SENTENCES = st.lists(st.tuples(TREE, TREE, TREE, TREE), min_size=1, max_size=4)
THEORIES = ("dep", "ps", "lfg")
PARAMETERS = st.sampled_from(
    [f"golds='{golds}', labeled={flag}" for golds in ("all", "own", "ps,lfg") for flag in (1, 0)]
)


def collapsed(tree: Sequence[Node], labeled: bool) -> MultiFunctionTree:
    """One node per span, with all labels that nodes of that span have; every word is a node."""
    found: MultiFunctionTree = {frozenset([word]): set() for word in range(LENGTH)}
    for label, *words in tree:
        (span,) = words
        assert isinstance(span, frozenset)
        found.setdefault(span, set()).add(label.partition(":")[0])
    return found if labeled else {span: {"any"} for span in found}


def generalized(trees: Sequence[MultiFunctionTree]) -> MultiFunctionTree:
    """The spans of all, with the labels of all."""
    spans = set.intersection(*(set(tree) for tree in trees))
    return {span: set.intersection(*(tree[span] for tree in trees)) for span in spans}


def sorted_tree(tree: MultiFunctionTree) -> list[tuple[Span, Label]]:
    """Each set of labels as a chain in the order of names; an empty set is no node."""
    order = sorted(tree, key=lambda span: (min(span), -max(span), sorted(span)))
    return [(span, label) for span in order for label in sorted(tree[span])]


def edit_script(first: MultiFunctionTree, second: MultiFunctionTree) -> list[Operation]:
    """What has to be deleted, then what has to be added; checked by doing it."""
    before, after = sorted_tree(first), sorted_tree(second)
    script = [("delete", label, span) for span, label in before if (span, label) not in after]
    script += [("add", label, span) for span, label in after if (span, label) not in before]
    nodes = {*before}
    for operation, label, span in script:
        assert ((span, label) in nodes) == (operation == "delete")
        (nodes.remove if operation == "delete" else nodes.add)((span, label))
    assert nodes == {*after}
    return script


def distance(
    parse: MultiFunctionTree, gold: MultiFunctionTree, gen: MultiFunctionTree
) -> tuple[int, int, int]:
    """Errors, and the sizes of parse and generalised gold."""
    script = edit_script(parse, gen)
    errors = len(script) - len({*script} & {*edit_script(gold, gen)})
    return errors, len(sorted_tree(parse)), len(sorted_tree(gen))


def corpora(sentences: list[tuple[list[Node], ...]], theory: str) -> tuple[Corpus, Corpus]:
    """A gold standard of three theories and a parse of one of them."""
    sizes = [LENGTH] * len(sentences)
    golds = {name: [s[i] for s in sentences] for i, name in enumerate(THEORIES)}
    return theory_corpus(sizes, **golds), theory_corpus(
        sizes, **{theory: [s[3] for s in sentences]}
    )


def counts(metric: Metric, gold: Corpus, system: Corpus) -> list[tuple[int, ...]]:
    """Errors and sizes of every sentence."""
    stats = metric.measure(gold, system, aligned(metric, gold, system))
    columns = [stats.columns.index(name) for name in ("delta", "parse", "gen")]
    return [tuple(row) for row in stats.dense[:, columns].astype(int).tolist()]


@given(SENTENCES, st.sampled_from(THEORIES), PARAMETERS)
def test_counts_are_those_of_the_definition(
    sentences: list[tuple[list[Node], ...]], theory: str, parameters: str
) -> None:
    metric = make(f"theories.tedeval({parameters})".replace("=1", "=True").replace("=0", "=False"))
    labeled, golds = metric.parameters()["labeled"], str(metric.parameters()["golds"])
    named = {"all": THEORIES, "own": (theory,)}.get(golds) or golds.split(",")
    expected = []
    for *native, parse in sentences:
        trees = {
            name: collapsed(tree, bool(labeled))
            for name, tree in zip(THEORIES, native, strict=True)
        }
        gen = generalized([trees[name] for name in named])
        expected.append(distance(collapsed(parse, bool(labeled)), trees[theory], gen))
    assert counts(metric, *corpora(sentences, theory)) == expected


@given(SENTENCES, st.sampled_from(THEORIES))
def test_overlap_is_that_of_the_definition(
    sentences: list[tuple[list[Node], ...]], theory: str
) -> None:
    gold, _ = corpora(sentences, theory)
    for labeled in (True, False):
        metric: Any = make(f"theories.tedeval(labeled={labeled})")
        trees = [[collapsed(tree, labeled) for tree in s[:2]] for s in sentences]
        errors = sum(len(edit_script(*pair)) for pair in trees)
        size = sum(len(sorted_tree(tree)) for pair in trees for tree in pair)
        found = metric.overlaps(gold)[0].value
        assert np.isclose(found, 1 - errors / size if size else np.nan, equal_nan=True)


@given(SENTENCES)
def test_files_add_up(sentences: list[tuple[list[Node], ...]]) -> None:
    metric = make("theories.tedeval")
    gold, system = corpora(sentences, "ps")
    rows = counts(metric, gold, system)
    assert rows == [
        row
        for sentence in range(len(sentences))
        for row in counts(metric, gold.take([sentence]), system.take([sentence]))
    ]
    renamed = replace(system, layers={"lfg": system.layers["ps"]})
    assert [row[1:] for row in counts(metric, gold, renamed)] == [row[1:] for row in rows]
