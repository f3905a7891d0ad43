"""discbracket: numbered words, gaps, wrong numbers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from strategies import read_bytes, write_bytes
from tertium.corpus.corpus import Corpus
from tertium.corpus.layers import Trees
from tertium.exceptions import FormatError, InputError
from tertium.formats.files import sniff
from trees import corpus_of


def read(text: str, on_error: str = "fail") -> Corpus:
    return read_bytes("discbracket", text.encode(), on_error=on_error)


def written(corpus: Corpus) -> str:
    return write_bytes("discbracket", corpus).decode()


def text_of(tree: object, order: list[int]) -> str:
    """A nested list of labels and words, siblings by their first words; words become `order`."""
    if isinstance(tree, int):
        return f"(N {order[tree]}=w{order[tree]})"
    assert isinstance(tree, list)
    inside = sorted(tree[1:], key=lambda child: min(order[i] for i in leaves(child)))
    return f"({tree[0]} {' '.join(text_of(child, order) for child in inside)})"


def leaves(tree: object) -> list[int]:
    return [tree] if isinstance(tree, int) else [i for each in tree[1:] for i in leaves(each)]


@st.composite
def random_trees(draw: st.DrawFn) -> str:
    """A tree over any permutation of its words."""
    count = draw(st.integers(1, 8))
    parts: list[object] = [*range(count)]
    for label in draw(st.lists(st.sampled_from(["A", "B-X", "C"]), max_size=6)):
        first = draw(st.integers(0, len(parts) - 1))
        last = draw(st.integers(first + 1, len(parts)))
        parts[first:last] = [[label, *parts[first:last]]]
    return text_of(["S", *parts], draw(st.permutations(range(count))))


@given(st.lists(random_trees(), min_size=1, max_size=4))
def test_equals_the_plain_reader(texts: list[str]) -> None:
    corpus = read("\n".join(texts) + "\n")
    assert corpus == corpus_of(*texts)
    assert written(corpus) == "\n".join(texts) + "\n"


def test_siblings_are_in_the_order_of_the_text() -> None:
    corpus = read("(S (B (X 2=c) (Y 1=b)) (A (Z 0=a)))\n")
    assert corpus == corpus_of("(S (A (Z 0=a)) (B (Y 1=b) (X 2=c)))")
    assert corpus.layer("trees", Trees).tokens is None
    assert write_bytes("brackets", corpus) == b"(S (A (Z a)) (B (Y b) (X c)))\n"


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ("(S (A a))", "a word without a number"),
        ("(S (A 0=))", "a word without a number"),
        ("(S (A =a))", "a word without a number"),
        ("(S (A 1=a))", "the numbers of the words are not 0, 1, 2 and so on"),
        ("(S (A 0=a) (B 0=b))", "the numbers of the words are not 0, 1, 2 and so on"),
        ("(S (A 99999999999999999999=a))", "the numbers of the words are not 0, 1, 2 and so on"),
        ("(S (A 0=a)", "a bracket is not closed"),
    ],
)
def test_bad_lines(bad: str, message: str) -> None:
    good = "(S (VP (V 0=is) (A 2=rich)) (NP (P 1=he)))\n"
    with pytest.raises(FormatError) as caught:
        read(f"{good}{bad}\n{good}")
    problem = caught.value.problems[0]
    assert (problem.message, problem.line, problem.sentence) == (message, 2, "2")
    corpus = read(f"{good}{bad}\n{good}", "skip")
    assert np.diff(corpus.offsets).tolist() == [3, 0, 3]
    assert corpus.take(np.array([0, 2])).layers == read(good + good).layers


def test_a_number_is_part_of_the_word_in_brackets() -> None:
    assert sniff(b"(S (A 0=a) (B b))\n").id == "brackets"
    assert sniff(b"(S (A 0=a) (B 1=b))\n").id == "discbracket"


def test_traces_are_refused() -> None:
    with pytest.raises(InputError, match="sentence '2': discbracket cannot hold traces"):
        written(corpus_of("(S (A a))", "(S (-NONE- *) (A a))"))


def test_many_words_and_levels() -> None:
    words = 2_000
    deep = "(X " * words + f"(N {words}=w)" + "".join(f" (N {i}=w))" for i in range(words)) + "\n"
    corpus = read(deep)
    assert corpus.token_count == words + 1
    assert read(written(corpus)) == corpus


def test_its_suffix_decides_where_no_numbered_word_is_in_sight() -> None:
    deep, unnumbered = b"(NP " * 5000 + b"(NN 0=a)" + b")" * 5000, b"(S (NN -1=a))\n"
    for head in (deep, unnumbered):
        assert sniff(head, "a.discbracket").id == "discbracket"
        assert sniff(head, "a.mrg").id == sniff(head).id == "brackets"
