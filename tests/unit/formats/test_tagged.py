"""Tagged text."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from strategies import any_string, corpora, read_bytes, write_bytes
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels
from tertium.corpus.layers import Tags
from tertium.exceptions import FormatError, InputError, UsageError
from tertium.formats.files import sniff
from tertium.formats.tagged import TaggedText


def read(text: str, format: str = "tagged", **options: object) -> Corpus:
    return read_bytes(format, text.encode(), **options)


def pairs(corpus: Corpus, layer: str = "tag") -> list[tuple[str, str]]:
    assert corpus.forms is not None
    tags = corpus.layer(layer, Tags).labels.to_list()
    return list(zip(corpus.forms.to_list(), tags, strict=True))


def test_split_at_the_last_separator() -> None:
    corpus = read("a_b_X __Y a/b_Z\n")
    assert pairs(corpus) == [("a_b", "X"), ("_", "Y"), ("a/b", "Z")]
    assert pairs(read("1/2/CD //SYM\n")) == [("1/2", "CD"), ("/", "SYM")]
    assert pairs(read("a|X b|Y\n")) == [("a", "X"), ("b", "Y")]


def test_sentences_are_lines_and_blank_lines_are_none() -> None:
    corpus = read("\n  a_X\tb_Y  \n\n\nc_Z\n")
    assert corpus.offsets.tolist() == [0, 2, 3]
    assert corpus.lines is not None
    assert corpus.lines.tolist() == [2, 2, 5]


def test_only_spaces_and_tabs_divide_tokens() -> None:
    assert pairs(read("a\x0bb\x0c_X c\u00a0d_Y\n")) == [("a\x0bb\x0c", "X"), ("c\u00a0d", "Y")]


def test_separator_by_name() -> None:
    assert pairs(read("a_b+X\n", "tagged(separator='+')")) == [("a_b", "X")]
    assert pairs(read("a/X_Y b/Z_W\n", "tagged(separator='/')")) == [("a", "X_Y"), ("b", "Z_W")]


@pytest.mark.parametrize("separator", ["", "ab", " ", "\t", "é", "\n"])
def test_separator_must_be_one_character(separator: str) -> None:
    with pytest.raises(UsageError, match="separator must be"):
        TaggedText(separator=separator)


def test_layer_by_name() -> None:
    assert pairs(read("a_X\n", "tagged(layer=upos)"), "upos") == [("a", "X")]


@pytest.mark.parametrize(
    ("token", "message"),
    [("word", "'word' has no '_'"), ("_X", "'_X' has no word"), ("word_", "'word_' has no tag")],
)
def test_messages(token: str, message: str) -> None:
    with pytest.raises(FormatError, match=rf"test\.file:3, sentence '2': {message}"):
        read(f"a_X b_Y\n\nc_Z {token}\n")


def test_skip() -> None:
    corpus = read("a_X b\nc_Y d_Z\n", on_error="skip")
    assert corpus.offsets.tolist() == [0, 0, 2]
    assert corpus.skipped is not None
    assert corpus.skipped.tolist() == [True, False]
    assert pairs(corpus) == [("c", "Y"), ("d", "Z")]


def test_no_separator_fits() -> None:
    with pytest.raises(FormatError, match="fewer than half of the tokens hold one of") as caught:
        read("this is plain text\n")
    assert "separator" in (caught.value.help or "")


def test_one_token_a_line_is_noted() -> None:
    assert "every line holds one token" in read("a_X\nb_Y\n").problems[0].message


def test_written_layer() -> None:
    x, y = Tags(Labels.of(["X"])), Tags(Labels.of(["Y"]))
    forms, offsets = Labels.of(["a"]), np.array([0, 1])
    assert write_bytes("tagged", Corpus(offsets, forms, {"xpos": x, "upos": y})) == b"a_Y\n"
    assert write_bytes("tagged", Corpus(offsets, forms, {"xpos": x})) == b"a_X\n"
    assert (
        write_bytes("tagged(layer=xpos)", Corpus(offsets, forms, {"xpos": x, "upos": y}))
        == b"a_X\n"
    )
    with pytest.raises(InputError, match=r"no tag layer 'tag'. It has: xpos, ner"):
        write_bytes("tagged", Corpus(offsets, forms, {"xpos": x, "ner": y}))


def test_written_separator_is_one_that_no_tag_holds() -> None:
    corpus = Corpus(np.array([0, 2]), Labels.of(["a", "b"]), {"tag": Tags(Labels.of(["X_Y", "Z"]))})
    assert write_bytes("tagged", corpus) == b"a/X_Y b/Z\n"
    with pytest.raises(InputError, match="'X_Y' cannot be written"):
        write_bytes("tagged(separator='_')", corpus)


@given(corpora(any_string))
def test_any_strings_survive_or_are_refused(corpus: Corpus) -> None:
    try:
        written = write_bytes("tagged", corpus)
    except InputError:
        return
    assert read_bytes("tagged", written).forms == corpus.forms


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The_DET dog_NOUN\n", "tagged"),
        ("The/DET dog/NOUN barks/VERB\nYes/INTJ\n", "tagged"),
        ("\tThe/at Fulton/np-tl County/nn-tl\n\n\tThe/at jury/nn\n", "tagged"),
        ("New_York B-LOC\nis O\n", "columns"),
    ],
)
def test_sniffing(text: str, expected: str) -> None:
    assert sniff(text.encode()).id == expected


def test_the_separator_is_found_after_many_blank_lines() -> None:
    corpus = read_bytes("tagged", b"\n" * 100_000 + b"a_X b_Y\n")
    assert corpus.token_count == 2
