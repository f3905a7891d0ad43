"""NEGRA export: what its lines mean, and what is wrong with them."""

from __future__ import annotations

import numpy as np
import pytest

from strategies import read_bytes, write_bytes
from tertium.corpus.corpus import Corpus
from tertium.corpus.layers import Tags, Trees
from tertium.corpus.trees import word_parents
from tertium.exceptions import FormatError, InputError
from tertium.formats.files import make
from trees import corpus_of

GAPS = """\
#FORMAT 3
#BOS 12
Wen     PWS    Acc    OA   500  SB 501 MO 500 %% who
will    VMFIN  3.Sg   HD   501
Ann     NE     Nom    SB   501
sehen   VVINF  Inf    HD   500
?       $.     --     --   0
#500    VP     --     OC   501  XY 501
#501    S      Pl     --   0
#EOS 12
"""


def read(text: str, **options: str) -> Corpus:
    return read_bytes("export", text.encode(), **options)


def rows(corpus: Corpus) -> list[tuple[object, ...]]:
    """Label, function, tokens and parent of every constituent."""
    trees = corpus.layer("trees", Trees)
    sets = trees.token_sets()
    return [
        (trees.label[row], trees.function[row], (sets[row] + trees.start[row]).tolist(), parent)
        for row, parent in enumerate(trees.parent.tolist())
    ]


def sentence(*lines: str) -> str:
    return "\n".join(["#BOS 3", *lines, "#EOS 3", ""])


def test_constituents_have_gaps() -> None:
    corpus = read(GAPS)
    assert rows(corpus) == [("S", "", [0, 1, 2, 3], -1), ("VP", "OC", [0, 3], 0)]
    assert word_parents(corpus).tolist() == [1, 0, 0, 1, -1]
    assert corpus.sentence_id(0) == "12"
    assert corpus.layer("morph", Tags).labels.to_list() == ["Acc", "3.Sg", "Nom", "Inf", "_"]
    assert corpus.lines is not None
    assert corpus.lines.tolist() == [3, 4, 5, 6, 7]


def test_what_is_not_read_is_counted() -> None:
    notes = [p.message for p in read(GAPS).problems if p.kind == "unread"]
    assert notes == [
        "3 secondary edges were not read",
        "1 comment on a line was not read",
        "1 morphological tag of a constituent was not read",
    ]


def test_children_are_in_the_order_of_their_first_words() -> None:
    text = sentence(
        "a X -- -- 502", "b X -- -- 501", "c X -- -- 500", "d X -- -- 502",
        "#500 C -- -- 503", "#501 B -- -- 503", "#502 A -- -- 503", "#503 S -- -- 0",
    )  # fmt: skip
    assert [row[0] for row in rows(read(text))] == ["S", "A", "B", "C"]


def test_a_hyphen_is_no_function() -> None:
    text = sentence("a X -- - 500", "b X - HD 500", "#500 - -- - 0")
    corpus = read(text)
    assert rows(corpus) == [("-", "", [0, 1], -1)]
    assert corpus.extras["functions"].labels.to_list() == ["", "HD"]
    assert corpus.layer("morph", Tags).labels.to_list() == ["_", "-"]
    written = "#FORMAT 3\n#BOS 3\na\tX\t--\t--\t500\nb\tX\t-\tHD\t500\n#500\t-\t--\t--\t0\n#EOS 3\n"
    assert write_bytes("export", corpus).decode() == written


def test_versions() -> None:
    third, fourth = (
        sentence(f"a{lemma} X m f 500", f"#500{gap} S -- -- 0")
        for lemma, gap in (("", ""), (" b", " --"))
    )
    assert {"lemma", "morph"} & {*read(third).layers} == {"morph"}
    for text in (fourth, f"#FORMAT 4\n{fourth}"):
        assert read(text).layer("lemma", Tags).labels.to_list() == ["b"]
        assert read(text).layer("morph", Tags).labels.to_list() == ["m"]
        assert write_bytes("export", read(text)).startswith(
            b"#FORMAT 4\n#BOS 3\na\tb\tX\tm\tf\t500"
        )
    assert write_bytes("export", read(third)).startswith(
        b"#FORMAT 3\n#BOS 3\na\tX\tm\tf\t500\n#500"
    )
    with pytest.raises(FormatError, match=r"file:1: version '5' is not 3 or 4"):
        read(f"#FORMAT 5\n{third}")


def test_header_of_a_sentence_survives() -> None:
    for header in ("#BOS s7", "#BOS 7 1 985 2", "#BOS 7 1 %% odd: 50 %", "#BOS 7 %% x"):
        text = f"#FORMAT 3\n{header}\na\tX\t--\t--\t0\n#EOS {header.split()[1]}\n"
        assert write_bytes("export", read(text)).decode() == text
    corpus = read("#BOS 7 1 985 2\na X -- -- 0\n#EOS 7\n#BOS 8\nb X -- -- 0\n#EOS 8\n")
    assert b"#BOS 8\n" in write_bytes("export", corpus)
    assert corpus.metadata("origin")[0] == "2"


BAD = {
    "2 columns, expected 5": (3, ["a X -- -- 0", "b X"]),
    "the parent 'x' is not a number": (2, ["a X -- -- x"]),
    "there is no parent #501": (2, ["a X -- -- 501", "b X -- -- 500", "#500 S -- -- 0"]),
    "#500 occurs twice": (4, ["a X -- -- 500", "#500 S -- -- 0", "#500 T -- -- 0"]),
    "the constituent 'S' is its own ancestor": (
        3, ["a X -- -- 500", "#500 S -- -- 501", "#501 T -- -- 500"],
    ),
    "the constituent 'T' has no children": (
        4, ["a X -- -- 500", "#500 S -- -- 0", "#501 T -- -- 500"],
    ),
    "a word after the first constituent": (4, ["a X -- -- 500", "#500 S -- -- 0", "b X -- -- 500"]),
}  # fmt: skip


@pytest.mark.parametrize("message", BAD)
def test_bad_sentences(message: str) -> None:
    line, lines = BAD[message]
    good = "#BOS 4\nz X -- -- 0\n#EOS 4\n"
    text = sentence(*lines) + good
    with pytest.raises(FormatError) as caught:
        read(text)
    problem = caught.value.problems[0]
    assert (problem.message, problem.line, problem.sentence) == (message, line, "3")
    assert len(caught.value.problems) == 1
    corpus = read(text, on_error="skip")
    assert corpus.skipped is not None
    assert corpus.skipped.tolist() == [True, False]
    assert corpus.forms is not None
    assert corpus.forms.to_list() == ["z"]
    assert corpus.sentence_id(1) == "4"


def test_repair() -> None:
    text = sentence("a X -- -- 507", "b X -- -- 500", "#500 S -- -- 501", "#501 T -- -- 509",
                    "#502 U -- -- 501", "#503 V -- -- 0", "#504 W -- -- 503")  # fmt: skip
    corpus = read(text, on_error="repair")
    assert rows(corpus) == [("T", "", [1], -1), ("S", "", [1], 0)]
    assert corpus.repaired == 4  # two parents, two constituents without children
    assert corpus.skipped is None


OUTSIDE = {
    "'b X -- -- 0' is outside a sentence": (4, "#BOS 1\na X -- -- 0\n#EOS 1\nb X -- -- 0\n"),
    "the sentence has no #EOS": (1, "#BOS 1\na X -- -- 0\n"),
    "'#EOS 1' is outside a sentence": (1, "#EOS 1\n#BOS 1\na X -- -- 0\n#EOS 1\n"),
    "#EOS 2 ends a sentence that begins with #BOS 1": (3, "#BOS 1\na X -- -- 0\n#EOS 2\n"),
    "the table that begins here has no end": (1, "#BOT X\n#BOS 1\na X -- -- 0\n#EOS 1\n"),
}


@pytest.mark.parametrize("message", OUTSIDE)
def test_bad_outlines(message: str) -> None:
    line, text = OUTSIDE[message]
    with pytest.raises(FormatError) as caught:
        read(text)
    assert [(p.message, p.line) for p in caught.value.problems] == [(message, line)]


def test_a_sentence_without_an_end_does_not_take_the_next_one_along() -> None:
    corpus = read("#BOS 1\na X -- -- 0\n#BOS 2\nb X -- -- 0\n#EOS 2\n", on_error="skip")
    assert corpus.skipped is not None
    assert corpus.skipped.tolist() == [True, False]


def test_what_is_outside_sentences_is_skipped_in_its_place() -> None:
    good = "#BOS {0}\n{0} X -- -- 0\n#EOS {0}\n"
    lost = "#BSO 2\nb X -- -- 0\n#EOS 2\n"
    text = good.format(1) + lost + good.format(3) + "c\n"
    corpus = read(text, on_error="skip")
    assert corpus.skipped is not None
    assert corpus.skipped.tolist() == [False, True, False, True]
    assert corpus.forms is not None
    assert corpus.forms.to_list() == ["1", "3"]
    assert [corpus.sentence_id(i) for i in range(4)] == ["1", "2", "3", "4"]
    with pytest.raises(FormatError) as caught:
        read(text)
    assert [problem.line for problem in caught.value.problems] == [4, 5, 6, 10]


def test_words_may_begin_with_a_hash() -> None:
    corpus = read(sentence("# X -- -- 0", "#1 X -- -- 0", "#tag X -- -- 500", "#500 S -- -- 0"))
    assert corpus.forms is not None
    assert corpus.forms.to_list() == ["#", "#1", "#tag"]
    assert read_bytes("export", write_bytes("export", corpus)) == corpus


@pytest.mark.parametrize("word", ["#500", "#BOS", "%%", "%%a", "a_b", ""])
def test_words_that_are_refused(word: str) -> None:
    corpus = corpus_of("(S (X a))")
    assert corpus.forms is not None
    named = corpus.forms.rename({"a": word.replace("_", " ")})
    with pytest.raises(InputError, match="cannot be written as export"):
        write_bytes("export", Corpus(corpus.offsets, named, corpus.layers))


def test_trees_of_other_formats() -> None:
    corpus = corpus_of(
        "(S (NP-SBJ-1 (DT-X a) (NN b)) (VP (V x) (NP (-NONE- *T*-1)) (. .)))",
        "",
        "( (S (VP (A 0=x) (B 2=y)) (C 1=z) (-NONE- *) (-NONE- 0)))",
    )
    back = read_bytes("export", write_bytes("export", corpus))
    assert back.layers == corpus.layers
    assert {**back.extras, "comments": None} == {**corpus.extras, "comments": None}
    assert np.array_equal(back.offsets, corpus.offsets)


def test_large_trees() -> None:
    words = [f"w{i} X -- -- {500 if i % 2 else 5499}" for i in range(10_000)]
    nodes = [f"#{number} N -- -- {number + 1}" for number in range(500, 5499)]
    corpus = read(sentence(*words, *nodes, "#5499 S -- -- 0"))
    trees = corpus.layer("trees", Trees)
    assert len(trees.start) == 5000
    assert trees.tokens is not None
    assert (trees.start[-1], trees.end[-1], len(trees.tokens[4999])) == (1, 10_000, 5000)
    assert read_bytes("export", write_bytes("export", corpus)) == corpus


def test_sniffs_by_its_sentences() -> None:
    assert make("export").sniff(GAPS.encode()) > 0.9
    assert make("export").sniff(b"%% a comment\n#BOS 1\n") > 0.9
    assert make("export").sniff(b"%% a comment\n") == 0
