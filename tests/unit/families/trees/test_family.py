"""Constituents as items, and groups of them."""

import pytest

from tertium.corpus.corpus import Corpus
from tertium.exceptions import LayerError
from tertium.families.base import lacks, make
from tertium.families.family import families, family
from tertium.families.keys import NONE, key_of
from tertium.results.items import Items
from trees import corpus_of

TRACES = """(S (NP-SBJ-1 (DT The) (NN key)) (VP (VBD was) (VP (VBN lost) (NP (-NONE- *-1))
    (PP-LOC-CLR=2 (IN at) (NP (NN sea))))) (. .))"""
GAP = "(S (VP (VP (PP (IN 0=About) (PRP 1=it)) (VBN 4=spoken)) (VBZ 2=has)) (PRP 3=she))"


def items_of(corpus: Corpus) -> Items:
    return family("trees").items(corpus, "trees")


def shown(items: Items) -> list[tuple[str, int, int]]:
    ends = zip(items.start.tolist(), items.end.tolist(), strict=True)
    return [(label, *place) for label, place in zip(items.label.to_list(), ends, strict=True)]


def test_items_are_all_constituents_over_words() -> None:
    assert shown(items_of(corpus_of(TRACES, "(NP (NN end))"))) == [
        ("S", 0, 7),
        ("NP-SBJ-1", 0, 2),
        ("VP", 2, 6),
        ("VP", 3, 6),
        ("PP-LOC-CLR=2", 4, 6),
        ("NP", 5, 6),
        ("NP", 7, 8),
    ]


def test_items_with_gaps_have_their_tokens() -> None:
    items = items_of(corpus_of("(S (NP (NN a)))", GAP))
    assert shown(items)[2:5] == [("S", 1, 6), ("VP", 1, 6), ("VP", 1, 6)]
    assert items.tokens is not None
    assert [items.tokens[row].tolist() for row in (2, 3, 4, 5)] == [
        [0, 1, 2, 3, 4],
        [0, 1, 2, 4],
        [0, 1, 4],
        [0, 1],
    ]


def test_different_pairs_of_label_and_function_stay_apart() -> None:
    corpus = corpus_of("(A-B (C (A (X x)) (C-B (X y)) (A-B (X z))))", "(A-1 (C (A-B (X x))))")
    labels = items_of(corpus).label
    assert labels.to_list() == ["A-B", "C", "A", "C-B", "A-B", "A-1", "C", "A-B"]
    assert len(labels.names) == 5


@pytest.mark.parametrize(
    ("key", "groups"),
    [
        ("category", ["S", "NP", "VP", "VP", "PP", "NP"]),
        ("function", [NONE, "SBJ", NONE, NONE, "LOC-CLR", NONE]),
        ("width", ["7-12", "2", "4-6", "3", "2", "1"]),
        ("width:1,3", ["4-", "2-3", "4-", "2-3", "2-3", "1"]),
        ("height", ["4-6", "1", "4-6", "3", "2", "1"]),
        ("gaps", ["continuous"] * 6),
    ],
)
def test_groups_of_constituents(key: str, groups: list[str]) -> None:
    corpus = corpus_of(TRACES)
    made = key_of(key)
    assert made is not None
    assert made.has(corpus)
    assert made.of_items(corpus, items_of(corpus)).to_list() == groups


def test_constituents_with_gaps_are_grouped_by_what_they_cover() -> None:
    corpus = corpus_of(GAP)
    gaps, width = key_of("gaps"), key_of("width:2,3,4")
    assert gaps is not None
    assert width is not None
    items = items_of(corpus)
    assert gaps.of_items(corpus, items).to_list() == [
        *("continuous", "discontinuous", "discontinuous", "continuous")
    ]
    assert width.of_items(corpus, items).to_list() == ["5-", "4", "3", "1-2"]


def test_words_have_the_groups_of_the_lowest_constituent() -> None:
    corpus = corpus_of(TRACES)
    key = key_of("category")
    assert key is not None
    assert corpus.forms is not None
    words = Items.of_tokens(corpus.forms)
    assert key.of_items(corpus, words).to_list() == ["NP", "NP", "VP", "VP", "PP", "NP", "S"]


def test_a_word_outside_all_constituents_has_no_group() -> None:
    corpus = corpus_of("(NP (NN a) (NN b))", "(NN c)")
    key = key_of("category")
    assert key is not None
    assert corpus.forms is not None
    groups = key.of_items(corpus, Items.of_tokens(corpus.forms))
    assert groups.to_list() == ["NP", "NP", NONE]


def test_heights_leave_out_traces() -> None:
    corpus = corpus_of("(S (VP (V a) (SBAR (S (NP (-NONE- *))))) (NP (N b)))")
    key = key_of("height")
    assert key is not None
    assert key.of_items(corpus, items_of(corpus)).to_list() == ["2", "1", "1"]


def test_heights_of_deep_trees() -> None:
    deep = corpus_of("(A " * 5000 + "(X x)" + ")" * 5000)
    key = key_of("height:2,4998")
    assert key is not None
    groups = key.of_items(deep, items_of(deep)).to_list()
    assert (groups[0], groups[-1], groups[-3]) == ("4999-", "1-2", "3-4998")


def test_categories_are_renamed() -> None:
    corpus = corpus_of(TRACES)
    renamed = family("trees").relabel(corpus.layers["trees"], {"NP": "nominal"})
    assert renamed is not None
    labels = [label for label, _, _ in shown(items_of(corpus_of(TRACES)))]
    other = Corpus(corpus.offsets, corpus.forms, {"trees": renamed})
    assert [label for label, _, _ in shown(items_of(other))] == [
        label.replace("NP", "nominal") for label in labels
    ]


def test_other_families_leave_trees_alone() -> None:
    corpus = corpus_of(TRACES)
    found = {each.id: each.find(corpus) for each in families()}
    assert found.pop("trees") == ["trees"]
    assert found.pop("tags") == ["pos"]
    assert not any(found.values())
    for metric in ("spans.f1", "spans.fair", "spans.partial"):
        assert lacks(make(metric), corpus)
        with pytest.raises(LayerError, match="'trees'"):
            make(f"{metric}(column='trees')").facts(corpus)


def test_a_corpus_without_constituents_has_no_items() -> None:
    corpus = corpus_of("", "(NN x)")
    assert not len(items_of(corpus))
    for name in ("category", "function", "width", "height", "gaps"):
        key = key_of(name)
        assert key is not None
        assert not len(key.of_items(corpus, items_of(corpus)))
