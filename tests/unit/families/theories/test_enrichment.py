"""Labels of one theory over the nodes of another, for whole corpora."""

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tertium import samples
from tertium.corpus.layers import FunctionTrees
from tertium.families.theories.algebra import tl_unify
from tertium.families.theories.enrichment import enriched
from tertium.families.theories.multifunction import MultiFunctionTree
from tertium.study.study import Study
from theory_samples import theory_corpus

SIZES = (4, 3)
places = st.sampled_from([*map(frozenset, ([0], [1], [2], [0, 2], [0, 1, 2]))])  # none cross
nodes = st.lists(st.tuples(st.sampled_from(["a", "b", "@NP"]), places), max_size=5)
corpora = st.lists(nodes, min_size=2, max_size=2)


def unified(corpus: Any) -> FunctionTrees:
    still = np.zeros(corpus.sentence_count, np.int64)
    found = enriched(corpus.layers["x"], corpus.layers["y"], still, still == 0)
    assert isinstance(found, FunctionTrees)
    return found


def check(corpus: Any, found: FunctionTrees) -> None:
    """As the algebra has it, sentence by sentence."""
    corpus.layers["z"] = found
    for sentence in range(corpus.sentence_count):
        x, y, z = (
            MultiFunctionTree.of(corpus, sentence, theory=name, subtypes=True) for name in "xyz"
        )
        assert z == tl_unify(x, y)


@given(corpora, corpora)
def test_it_is_tl_unification(x: Any, y: Any) -> None:
    corpus = theory_corpus(SIZES, x=x, y=y)
    found = unified(corpus)
    check(corpus, found)
    assert found.category.counts().sum() == len(found.start)


def test_rows_stay_in_preorder_below_their_parents() -> None:
    paths = [str(samples.path(name)) for name in ("trees-gold.mrg", "theories-dep.conllu")]
    study = Study.of(dict(zip("xy", paths, strict=True)), [f"a=x:{paths[0]}"])
    corpus: Any = study.shards[0].gold
    found = unified(corpus)
    check(corpus, found)
    own = corpus.layers["x"]
    assert len(found.start) > len(own.start)
    assert found.is_word.sum() >= own.is_word.sum()
    rows, parent = np.arange(len(found.start)), found.parent
    inside = parent >= 0
    assert (parent[inside] < rows[inside]).all()
    assert (found.start[parent[inside]] <= found.start[inside]).all()
    assert (found.end[parent[inside]] >= found.end[inside]).all()
    # In preorder the row before a row is its parent, or below its parent.
    assert (parent[1:][inside[1:]] <= rows[:-1][inside[1:]]).all()
    below = np.bincount(parent[inside], minlength=len(rows))
    same = inside & (found.start == found.start[parent]) & (found.end == found.end[parent])
    assert (below[parent[same]] == 1).all()


def test_labels_lie_where_the_sentence_lies() -> None:
    x = theory_corpus((2, 2), x=[[("a", 0, 2)], [("a", 0, 2)]]).layers["x"]
    y = theory_corpus((2,), y=[[("b", 0, 2)]]).layers["y"]
    two = np.array([2])
    found = enriched(x, y, two, np.array([True]))
    assert isinstance(found, FunctionTrees)
    where = found.function.where("b")
    assert found.sentence[where].tolist() == [1]
    assert enriched(x, y, two, np.array([False])) == x
