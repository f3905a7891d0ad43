"""Penn brackets: what is read, what is refused, what is mended, what is written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from strategies import read_bytes, write_bytes
from tertium.corpus.corpus import Corpus
from tertium.corpus.layers import EmptyNodes, Tags, Trees
from tertium.corpus.trees import word_parents
from tertium.exceptions import FormatError, InputError
from tertium.formats.files import read_file, sniff
from trees import corpus_of


def read(text: str, **options: Any) -> Corpus:
    return read_bytes(options.pop("format", "brackets"), text.encode(), **options)


def words(corpus: Corpus) -> list[str]:
    assert corpus.forms is not None
    return corpus.forms.to_list()


def sizes(corpus: Corpus) -> list[int]:
    return np.diff(corpus.offsets).tolist()


def written(corpus: Corpus) -> str:
    return write_bytes("brackets", corpus).decode()


# -- against the plain reader -------------------------------------------------------------------

LABELS = st.sampled_from(["S", "NP", "NP-SBJ", "NP-SBJ-1", "PP=2", "X-", "-X", "ÄP"])
TAGS = st.sampled_from(["NN", "-LRB-", "NN-HD", ",", "PRP$", "-NONE-", "-NONE"])
WORD = st.sampled_from(["a", "dog", "*T*-1", "0", ",", "Ä", "3=4"])


@st.composite
def random_trees(draw: st.DrawFn, depth: int = 4) -> str:
    if depth and draw(st.booleans()):
        children = draw(st.lists(random_trees(depth - 1), min_size=1, max_size=3))
        label = "" if draw(st.integers(0, 9)) == 0 else draw(LABELS)
        return f"({label} {' '.join(children)})"
    return f"({draw(TAGS)} {draw(WORD)})"


@given(st.lists(random_trees(), min_size=1, max_size=4), st.sampled_from(["lines", "spread"]))
def test_equals_the_plain_reader(texts: list[str], layout: str) -> None:
    expected = corpus_of(*(text.replace("3=4", "x") for text in texts))
    joined = "\n".join(texts).replace("3=4", "x") + "\n"
    if layout == "spread":
        joined = joined.replace(" (", "\n  (").replace(") ", ")\n\n ")
    corpus = read(joined, format=f"brackets(layout={layout})")
    assert corpus == expected
    assert read(written(corpus)) == expected


@pytest.mark.parametrize("name", ["gold", "gold-functions", "pcfg-plain"])
def test_real_trees(shared: Path, name: str) -> None:
    path = shared / "data" / "gum-pcfg" / f"{name}.ptb"
    corpus, text = read_file(path), path.read_text(encoding="utf-8")
    expected = corpus_of(*text.splitlines())
    assert corpus.layers == expected.layers
    assert corpus.sentence_count == 300
    assert sum(a != b for a, b in zip(words(corpus), words(expected), strict=True)) == 24
    assert written(corpus) == text


def test_trees_over_lines_are_the_same_in_real_files(shared: Path) -> None:
    """Pretty-printed, with some leaves on lines of their own."""
    for path in sorted((shared / "data" / "gum" / "const").glob("*.ptb"))[:3]:
        corpus = read_file(path)
        assert read(written(corpus)) == corpus
        dependencies = read_file(shared / "data" / "gum" / "dep" / f"{path.stem}.conllu")
        assert "".join(words(corpus)) == "".join(words(dependencies))
        assert sizes(corpus) == sizes(dependencies)


# -- lines --------------------------------------------------------------------------------------


def test_an_empty_line_is_a_sentence_without_a_parse() -> None:
    corpus = read("\n(S (A a) (B b))\n\n \n(S (C c))\n\n")
    assert sizes(corpus) == [0, 2, 0, 0, 1, 0]
    assert corpus.layer("trees", Trees).sentence.tolist() == [1, 4]
    assert corpus.lines is not None
    assert corpus.lines.tolist() == [2, 2, 5]
    assert [p.message for p in corpus.problems] == ["4 sentences without a parse"]


def test_a_note_on_empty_lines_that_may_separate_trees() -> None:
    (note,) = read("(S (A a))\n\n(S (B b))\n\n").problems
    assert (note.sentence, note.severity) == ("2", "note")
    assert "'layout=spread' reads files in which empty lines separate trees" in note.message
    assert not read("(S\n (A a))\n\n(S (B b))\n\n").problems


@pytest.mark.parametrize("text", ["(())", "()", "( )", "(TOP)", "(TOP ())", "( ( ) )", "(S (NP))"])
def test_a_tree_without_words_is_a_sentence_without_a_parse(text: str) -> None:
    corpus = read(f"(S (A a))\n{text}\n(S (B b))\n")
    assert sizes(corpus) == [1, 0, 1]
    assert corpus.layer("trees", Trees).sentence.tolist() == [0, 2]
    assert written(corpus) == "(S (A a))\n(())\n(S (B b))\n"


def test_blank_lines_only_separate_trees_that_spread() -> None:
    text = "( (S\n    (A a)\n    (B b) ))\n\n\n( (S (C c)\n  )) (S (D d))\n\n"
    corpus = read(text)
    assert sizes(corpus) == [2, 1, 1]
    assert corpus.lines is not None
    assert corpus.lines.tolist() == [2, 3, 6, 7]


def test_brackets_may_be_closed_on_the_next_line() -> None:
    assert sizes(read("(S (A a)\n) (S (B b)\n) (S (C c)\n) (S (D d)\n)\n")) == [1, 1, 1, 1]


def test_the_layout_can_be_named() -> None:
    text = "(S (A a))\n\n(S (B b))\n"
    assert sizes(read(text)) == [1, 0, 1]
    assert sizes(read(text, format="brackets(layout=spread)")) == [1, 1]
    with pytest.raises(FormatError, match="a bracket is not closed"):
        read("(S\n(A a))\n", format="brackets(layout=lines)")


def test_several_trees_on_a_line_are_one_sentence() -> None:
    corpus = read("(S (A a)) (S (B b)) (. .)\n")
    assert sizes(corpus) == [3]
    assert corpus.layer("trees", Trees).parent.tolist() == [-1, -1]
    assert word_parents(corpus).tolist() == [0, 1, -1]
    assert written(corpus) == "(S (A a)) (S (B b)) (. .)\n"


# -- words and labels ---------------------------------------------------------------------------


def test_words_are_unescaped_and_written_as_they_were() -> None:
    text = r"(S (`` ``) (-LRB- -LRB-) (X -lsb-) (CD 1\/2) (SYM \*) (X :-RRB-) ('' ''))" + "\n"
    corpus = read(text)
    assert words(corpus) == ['"', "(", "[", "1/2", "*", ":)", '"']
    assert corpus.layer("pos", Tags).labels.to_list()[:2] == ["``", "-LRB-"]
    assert written(corpus) == text
    assert "written" not in read("(S (-LRB- -LRB-) (X [) (Y :-RRB-))\n").extras


def test_labels_with_brackets() -> None:
    text = "(S-*LRB* ($*LRB* -LRB-) ($*RRB*-X -RRB-))\n"
    corpus = read(text)
    assert corpus.layer("pos", Tags).labels.to_list() == ["$(", "$)"]
    assert corpus.layer("trees", Trees).function.to_list() == ["("]
    assert written(corpus) == text


def test_traces_are_empty_nodes() -> None:
    corpus = read("(S (-NONE- 0) (-NONE- *) (NP (A a)) (NP-1 (-NONE- *T*)))\n(S (-NONE- *))\n")
    empty = corpus.extra("empty", EmptyNodes)
    assert empty is not None
    assert [row[:3] for row in empty.rows()] == [(0, 0, 1), (0, 0, 2), (0, 1, 1), (1, 0, 1)]
    assert sizes(corpus) == [1, 0]
    assert corpus.layer("trees", Trees).label.where("-NONE-").tolist() == [1, 2, 5, 7]


# -- bad input ----------------------------------------------------------------------------------

BAD = {
    "stray": ("(S (A a)))", "')' without a matching '('", "(S (A a))"),
    "unclosed": ("(S (NP (A a)", "a bracket is not closed", "(S (NP (A a)))"),
    "outside": ("x (S (A a)) y", "text outside brackets", "(S (A a))"),
    "no tag": ("(S (A a) b)", "a word without a tag", "(S (A a) (_ b))"),
    "no label": ("( a)", "a word without a tag", "(_ a)"),
    "no label inside": ("(S (NP ( a)) (A b))", "a word without a tag", "(S (NP (_ a)) (A b))"),
    "many": ("(S (A a b c))", "more than one word after a tag", "(S (A a) (A b) (A c))"),
    "mixed": ("(S (A a (B b)))", "a word without a tag beside constituents", None),
    "hollow": ("(S (NP (X)) (A a))", "a constituent without words", "(S (A a))"),
    "only text": ("no parse", "text outside brackets", None),
    "only a bracket": (")", "')' without a matching '('", None),
    "begun": ("(S (NP", "a bracket is not closed", None),
}


@pytest.mark.parametrize("kind", BAD)
def test_bad_lines(kind: str) -> None:
    bad, message, mended = BAD[kind]
    good = "(S (X x))\n"
    text = f"{good}{bad}\n{good}"
    with pytest.raises(FormatError) as caught:
        read(text)
    assert caught.value.problems[0].message == message
    assert caught.value.problems[0].line == 2
    assert caught.value.problems[0].sentence == "2"
    skipped = read(text, on_error="skip")
    assert skipped.skipped is not None
    assert skipped.skipped.tolist() == [False, True, False]
    assert sizes(skipped) == [1, 0, 1]
    assert skipped.layers == read(good + "\n" + good).layers
    repaired = read(text, on_error="repair")
    if mended is None:
        assert repaired.skipped is not None
        assert sizes(repaired) == [1, 0, 1]
    else:
        assert repaired.repaired == 1
        assert written(repaired) == f"{good}{mended}\n{good}"


def test_errors_of_trees_over_lines_stay_with_their_trees() -> None:
    text = "(S\n  (A a)\n\n(S\n  (B b c))\n(S\n  (C c))\n"
    with pytest.raises(FormatError) as caught:
        read(text)
    found = [(p.line, p.sentence, p.message) for p in caught.value.problems]
    assert found == [
        (1, "1", "a bracket is not closed"),
        (5, "2", "more than one word after a tag"),
    ]
    assert "layout=spread" in str(caught.value.help)
    assert sizes(read(text, on_error="skip")) == [0, 0, 1]
    assert sizes(read(text, on_error="repair")) == [1, 2, 1]


def test_a_broken_line_does_not_make_lines_spread() -> None:
    """The errors of two lines make up for each other."""
    text = "(S (A a))\n(S (A a)\n(S (B b))\n\n(S (C c)))\n(S (D d))\n"
    assert sizes(read(text, on_error="skip")) == [1, 0, 1, 0, 0, 1]


def test_long_and_deep_trees() -> None:
    long = "(S " + " ".join(f"(N w{i})" for i in range(10_000)) + ")\n"
    deep = "(X " * 5_000 + "(N w)" + ")" * 5_000 + "\n"
    corpus = read(long + deep)
    assert sizes(corpus) == [10_000, 1]
    assert len(corpus.layer("trees", Trees).start) == 5_001
    assert written(corpus) == long + deep


def test_what_cannot_be_written() -> None:
    gaps = corpus_of("(S (VP (V 0=is) (A 2=rich)) (NP (P 1=he)))")
    with pytest.raises(InputError, match="cannot hold constituents with gaps") as caught:
        written(gaps)
    assert "crossing='raise'" in str(caught.value.help)
    tagged = read_bytes("tagged", b"a_B\n")
    with pytest.raises(InputError, match="has no constituent trees"):
        written(tagged)


@pytest.mark.parametrize(
    "head", [b"(S (A a))", b"\n\n( (S\n", b"(())\n", b"(TOP\n(S (A a)", b"(X x)"]
)
def test_is_sure_of_brackets(head: bytes) -> None:
    assert sniff(head).id == "brackets"


@pytest.mark.parametrize(
    "head", [b"(a) x\tO\n", b"( O\n) O\n", b"(_X a_Y\n", b"( ( O\nReuters NNP O\n) ) O\n"]
)
def test_words_that_are_brackets_are_no_trees(head: bytes) -> None:
    assert sniff(head).id != "brackets"
