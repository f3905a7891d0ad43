"""Function trees of dependencies and constituents, against a plain second opinion."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from random_trees import random_trees
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels
from tertium.corpus.layers import Arcs, FunctionTrees
from tertium.exceptions import LayerError
from tertium.families.theories.conversion import (
    are_constituents,
    function_trees,
    lifted,
    reserved,
    without_reserved,
)
from theory_samples import theory_corpus
from trees import corpus_of

TOPS = ("", "ROOT", "TOP", "VROOT", "S1")


class Row(NamedTuple):
    """A row of a layer as Python values."""

    function: str
    category: str
    is_word: bool
    places: tuple[int, ...]


def rows(trees: FunctionTrees) -> list[Row]:
    """All rows; parents are checked on the way."""
    found = []
    for row in range(len(trees.start)):
        first, last = int(trees.start[row]), int(trees.end[row])
        places = range(first, last)
        if trees.tokens is not None:
            places = (trees.tokens[row] + first).tolist()
        assert (places[0], places[-1] + 1) == (first, last)
        found.append(
            Row(trees.function[row], trees.category[row], bool(trees.is_word[row]), (*places,))
        )
        parent = int(trees.parent[row])
        assert parent < row
        if parent >= 0:
            assert {*places} <= {*found[parent].places}
            assert trees.sentence[parent] == trees.sentence[row]
    return found


def dependencies(*sentences: list[tuple[int, str]]) -> Corpus:
    """Words with heads and relations."""
    words = [word for sentence in sentences for word in sentence]
    offsets = np.cumsum([0, *map(len, sentences)])
    arcs = Arcs(np.array([head for head, _ in words], np.int32), Labels.of(r for _, r in words))
    forms = Labels.of(f"w{number}" for number in range(len(words)))
    return Corpus(offsets, forms, {"deps": arcs})


def plain_dependencies(words: list[tuple[int, str]], base: int) -> set[Row]:
    """The rows of one sentence; there are no cycles."""
    below: dict[int, list[int]] = {}
    for number, (head, _) in enumerate(words, 1):
        below.setdefault(max(head, 0), []).append(number)

    def whole(number: int) -> list[int]:
        return sorted([number, *(each for child in below.get(number, []) for each in whole(child))])

    found = set()
    for number, (_, relation) in enumerate(words, 1):
        function = "root" if below[0] == [number] else relation.replace("_", "")
        has_dependents = number in below
        places = tuple(base + each - 1 for each in whole(number))
        found.add(Row(function, "", not has_dependents, places))
        if has_dependents:
            found.add(Row("hd", "", True, (base + number - 1,)))
    if len(below.get(0, [])) > 1:
        found.add(Row("root", "", False, tuple(range(base, base + len(words)))))
    return found


@st.composite
def dependency_sentences(draw: st.DrawFn) -> list[tuple[int, str]]:
    """Words with heads, crossing or not; several roots and words without a head at times."""
    size = draw(st.integers(0, 7))
    order = draw(st.permutations(range(1, size + 1)))
    heads = dict.fromkeys(order, 0)
    for place, number in enumerate(order[1:], 1):
        heads[number] = order[draw(st.integers(0, place - 1))]
        if draw(st.integers(0, 9)) == 0:
            heads[number] = draw(st.sampled_from([0, -1]))
    return [(heads[n], draw(st.sampled_from(["a", "b:c", "hd", "_"]))) for n in sorted(order)]


@given(st.lists(dependency_sentences(), min_size=1, max_size=3))
def test_dependencies_are_converted_as_by_hand(sentences: list[list[tuple[int, str]]]) -> None:
    found = rows(function_trees(dependencies(*sentences)))
    expected, base = set[Row](), 0
    for words in sentences:
        expected |= plain_dependencies(words, base)
        base += len(words)
    assert len(found) == len(expected)
    assert {*found} == expected


def test_a_dependency_tree() -> None:
    trees = function_trees(dependencies([(2, "nsubj"), (0, "root"), (2, "obj")]))
    assert rows(trees) == [
        ("root", "", False, (0, 1, 2)),
        ("nsubj", "", True, (0,)),
        ("hd", "", True, (1,)),
        ("obj", "", True, (2,)),
    ]
    assert trees.parent.tolist() == [-1, 0, 0, 0]
    assert trees.tokens is None


def test_words_on_a_cycle_are_below_the_root() -> None:
    found = rows(function_trees(dependencies([(2, "a"), (1, "b"), (0, "root")])))
    assert found[0] == ("root", "", False, (0, 1, 2))
    assert sum(row.is_word for row in found) == 3


def plain_constituents(text: str, base: int) -> tuple[list[Row], int]:
    """The rows of one sentence in brackets, and how many words it has."""
    tree, words = [], 0
    stack: list[list] = [tree]
    for sign in re.findall(r"\([^()\s]*|\)|[^()\s]+", text):
        if sign == ")":
            node = stack.pop()
            stack[-1].append(node)
        elif sign.startswith("("):
            stack.append([sign[1:]])
        else:
            stack[-1].append(sign)
    (top,) = tree
    found: list[Row] = []

    def places(node: list) -> list[int]:
        nonlocal words
        if isinstance(node[1], str):
            if node[0] == "-NONE-":
                return []
            words += 1
            return [base + words - 1]
        return [place for child in node[1:] for place in places(child)]

    def walk(node: list, first: int, is_top: bool) -> int:
        nonlocal words
        words = first
        covered = tuple(places(node))
        if not covered:
            return first
        is_word = isinstance(node[1], str)
        cut = re.match(r"[^-=]+(?=[-=].)", node[0])
        category = cut[0] if cut else node[0]
        if not (is_top and not is_word and node[0] in TOPS):
            parts = re.split(r"(?=[-=])", node[0][len(category) :])
            functions = [p[1:] for p in parts if p.startswith("-") and not p[1:].isdigit()]
            functions = [*dict.fromkeys(filter(None, functions))]
            for number, function in enumerate(functions or [""]):
                found.append(Row(function, category * (not number), is_word, covered))
        else:
            category = ""
        if not is_word:
            for child in node[1:]:
                first = walk(child, first, is_top and not category and len(node) == 2)
            return first
        return first + 1

    size = len(places(top))
    if size:
        found.append(Row("root", "", False, tuple(range(base, base + size))))
        walk(top, 0, True)
    return found, size


def test_constituents_are_converted_as_by_hand() -> None:
    rng = np.random.default_rng(0)
    texts = [text for _ in range(300) for text in random_trees(rng) if text not in ("", "(())")]
    texts += ["(S (NP-SBJ-TMP-1 (NN-T-X a)) (VP=2 (V b)))", "(TOP-X ( (S-SBJ-SBJ (A a))))"]
    expected, base = list[Row](), 0
    for text in texts:
        found, size = plain_constituents(text, base)
        expected += found
        base += size
    assert rows(function_trees(corpus_of(*texts))) == expected


def test_several_roots_and_words_outside_are_below_a_root() -> None:
    found = rows(function_trees(corpus_of("(S (A 0=a) (B 2=b)) ($ 1=,) (VROOT (C 3=c))", "")))
    assert found == [
        ("root", "", False, (0, 1, 2, 3)),
        ("", "S", False, (0, 2)),
        ("", "A", True, (0,)),
        ("", "B", True, (2,)),
        ("", "$", True, (1,)),
        ("", "VROOT", False, (3,)),
        ("", "C", True, (3,)),
    ]


def test_a_corpus_without_trees_is_refused() -> None:
    with pytest.raises(LayerError, match="no trees"):
        function_trees(Corpus(np.array([0, 1]), Labels.of(["a"])))


def spans(trees: FunctionTrees) -> list[tuple[str, tuple[int, ...]]]:
    return [(row.function or row.category, row.places) for row in rows(trees)]


def test_lifting_keeps_the_stretch_around_the_head() -> None:
    corpus = dependencies([(3, "a"), (4, "b"), (0, "root"), (1, "c"), (4, "d")])
    trees = function_trees(corpus)
    assert ("a", (0, 1, 3, 4)) in spans(trees)
    assert spans(lifted(trees, corpus.offsets)) == [
        ("root", (0, 1, 2, 3, 4)),
        ("a", (0, 1)),  # the second word is raised to it from "c"
        ("hd", (0,)),
        ("b", (1,)),
        ("hd", (2,)),
        ("c", (3, 4)),
        ("hd", (3,)),
        ("d", (4,)),
    ]


@pytest.mark.parametrize(
    ("text", "stays"),
    [
        ("(S (V 1=b) (NP (A-HD 0=a) (PP (C 2=c) (C 3=d))))", (0,)),
        ("(S (V 1=b) (NP (A 0=a) (PP (C 2=c) (C 3=d))))", (2, 3)),
        ("(S (V 1=b) (NP (A 0=a) (C 2=c)) (D 3=d))", (0,)),
    ],
)
def test_the_head_has_its_function_or_is_the_largest_child(
    text: str, stays: tuple[int, ...]
) -> None:
    corpus = corpus_of(text)
    assert ("NP", stays) in spans(lifted(function_trees(corpus), corpus.offsets))


@given(st.lists(dependency_sentences(), min_size=1, max_size=3))
def test_lifted_trees_have_no_gaps_and_the_same_nodes(
    sentences: list[list[tuple[int, str]]],
) -> None:
    corpus = dependencies(*sentences)
    trees = function_trees(corpus)
    higher = lifted(trees, corpus.offsets)
    assert higher.tokens is None
    before, after = rows(trees), rows(higher)
    assert sorted(row[:3] for row in before) == sorted(row[:3] for row in after)
    # Nodes that had no gap, and below which nothing had one, are as they were.
    gaps = [{*row.places} for row in before if row.places[-1] - row.places[0] >= len(row.places)]
    sound = [row for row in before if not any({*row.places} & each for each in gaps)]
    assert not {*sound} - {*after}


def test_reserved_characters_are_found_and_replaced() -> None:
    layer = theory_corpus((2, 1), x=[[("a", 0, 1)], [("{b,c}@d", 0, 1)]]).layers["x"]
    assert {name: found.tolist() for name, found in reserved(layer).items()} == {"{b,c}@d": [1]}
    assert not reserved(without_reserved(layer))


def test_flat_trees_without_tags_are_constituents() -> None:
    flat = theory_corpus([2, 1], ps=[[("root", 0, 2)], []]).layers["ps"]
    arcs = theory_corpus([2], dep=[[("root", 0, 2), ("hd", 0, 1), ("obj", 1, 2)]]).layers["dep"]
    assert [are_constituents(each) for each in (flat, arcs)] == [True, False]
