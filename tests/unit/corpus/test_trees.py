"""How trees lie in a corpus."""

from tests.trees import corpus_of

from tertium.corpus.layers import Trees
from tertium.corpus.trees import preorder_ends, trace_rows, word_parents

TEXTS = (
    "(TOP (S (NP-SBJ (DT The) (NN cat)) (VP (VBD sat) (NP (-NONE- *T*-1)))) (. .))",
    "",
    "(S (VP (PP (P 0=On) (N 1=it)) (V 3=wrote)) (PRO 2=he))",
)


def test_words_know_the_lowest_constituent_over_them_with_and_without_gaps():
    corpus = corpus_of(*TEXTS)
    labels = corpus.layer("trees", Trees).label
    assert [labels[row] for row in word_parents(corpus).tolist()] == [
        *("NP", "NP", "VP", "TOP"),
        *("PP", "PP", "S", "VP"),
    ]
    assert word_parents(corpus_of(TEXTS[0])).tolist() == [2, 2, 3, 0]


def test_traces_are_the_rows_without_children_and_tokens():
    trees = corpus_of(*TEXTS).layer("trees", Trees)
    assert [trees.label[row] for row in trace_rows(trees).nonzero()[0].tolist()] == ["-NONE-"]


def test_descendants_are_the_rows_up_to_an_end():
    assert preorder_ends(corpus_of(*TEXTS).layer("trees", Trees)).tolist() == [
        *(6, 6, 3, 6, 6, 6),
        *(9, 9, 9),
    ]


def test_trees_move_with_their_sentences():
    moved = corpus_of(*TEXTS).take([2, 0])
    assert moved.layer("trees", Trees).parent.tolist() == [-1, 0, 1, -1, 3, 4, 4, 6, 7]
    assert moved == corpus_of(TEXTS[2], TEXTS[0])
