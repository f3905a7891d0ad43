"""Changes of trees: what they promise for any tree."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from strategies import read_bytes, write_bytes
from tertium.corpus.corpus import Corpus
from tertium.corpus.layers import EmptyNodes, Trees
from tertium.corpus.trees import preorder_ends, trace_rows, word_parents
from tertium.formats.trees.changes import (
    with_root,
    without_crossing,
    without_functions,
    without_traces,
)
from trees import corpus_of

LABELS = st.sampled_from(["S", "NP-SB", "VP-HD", "PP", "CS"])
TAGS = st.sampled_from(["NN", "VVFIN-HD", "ART", "$,"])
WORDS = st.sampled_from(["a", "b", ",", "."])


@st.composite
def sentences(draw: st.DrawFn, *, gaps: bool = True) -> str:
    """Several trees over up to eight words in any order, with traces between them."""
    size = draw(st.integers(0, 8))
    order = [*range(size)]
    if gaps:
        order = draw(st.permutations(order))
    parts = [
        f"({draw(TAGS)} {number}={draw(WORDS)})"
        if draw(st.integers(0, 9))
        else f"({draw(TAGS)} {number}=w) (-NONE- *)"
        for number in order
    ]
    for _ in range(draw(st.integers(0, 6)) if parts else 0):
        first = draw(st.integers(0, len(parts) - 1))
        last = draw(st.integers(first, len(parts) - 1))
        parts[first : last + 1] = [f"({draw(LABELS)} {' '.join(parts[first : last + 1])})"]
    return " ".join(parts)


def corpora(**options: bool) -> st.SearchStrategy[Corpus]:
    """As a file of nodes has them: daughters in the order of their first words."""
    texts = st.lists(sentences(**options), min_size=1, max_size=3)
    return texts.map(lambda each: read_bytes("export", write_bytes("export", corpus_of(*each))))


def check_sound(corpus: Corpus) -> None:
    """Rows are in preorder, lie inside their parents, and have the words that hang from them."""
    trees = corpus.layer("trees", Trees)
    sets, ends = trees.token_sets(), preorder_ends(trees)
    words = [set((sets[row] + trees.start[row]).tolist()) for row in range(len(trees.start))]
    for row, parent in enumerate(trees.parent.tolist()):
        assert parent < row
        if parent >= 0:
            assert row < ends[parent]
            assert words[row] <= words[parent]
            assert trees.sentence[row] == trees.sentence[parent]
    for token, row in enumerate(word_parents(corpus).tolist()):
        above = row
        while above >= 0:
            assert token in words[above]
            above = int(trees.parent[above])
    assert len(corpus.extras["empty"].fields if "empty" in corpus.extras else []) == sum(
        trace_rows(trees)
    )


@given(corpora())
def test_nothing_crosses_after_raising(corpus: Corpus) -> None:
    changed, what = without_crossing(corpus)
    trees = changed.layer("trees", Trees)
    assert trees.tokens is None
    check_sound(changed)
    assert changed.forms == corpus.forms
    assert np.array_equal(changed.offsets, corpus.offsets)
    before = corpus.layer("trees", Trees)
    assert sorted(trees.label.to_list()) == sorted(before.label.to_list())
    traces = [sorted(each.rows_of("empty", EmptyNodes)) for each in (changed, corpus)]
    assert traces[0] == traces[1]
    assert without_crossing(changed) == (changed, "")
    assert bool(what) == (before.tokens is not None)
    if not traces[0]:  # those of brackets are inside of their constituents
        assert read_bytes("brackets", write_bytes("brackets", changed)).layers["trees"] == trees


@given(corpora(gaps=False))
def test_trees_without_gaps_stay(corpus: Corpus) -> None:
    assert without_crossing(corpus) == (corpus, "")


@given(corpora())
def test_one_root_or_no_words(corpus: Corpus) -> None:
    changed, what = with_root(corpus, "TOP")
    check_sound(changed)
    trees = changed.layer("trees", Trees)
    roots = np.bincount(trees.sentence[trees.parent < 0], minlength=corpus.sentence_count)
    assert np.array_equal(roots, np.minimum(np.diff(corpus.offsets), 1))
    assert (word_parents(changed) >= 0).all()
    added = len(trees.start) - len(corpus.layer("trees", Trees).start)
    assert bool(what) == bool(added)
    assert added == len(trees.label.where("TOP"))
    assert with_root(changed, "TOP") == (changed, "")


@given(corpora())
def test_traces_and_functions_are_gone(corpus: Corpus) -> None:
    changed, _ = without_traces(corpus)
    check_sound(changed)
    trees = changed.layer("trees", Trees)
    assert (trees.end > trees.start).all()
    assert "empty" not in changed.extras
    plain, _ = without_functions(changed)
    assert plain.layer("trees", Trees).function.is_constant("")
    assert "functions" not in plain.extras
    assert plain.layer("trees", Trees).label == trees.label
