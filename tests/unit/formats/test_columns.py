"""Plain columns."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from strategies import COLUMNS, any_string, corpora, read_bytes, write_bytes
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels
from tertium.corpus.layers import Comments, Spans, Tags
from tertium.exceptions import FormatError, InputError, UsageError
from tertium.formats.columns import Columns
from tertium.formats.files import sniff


def read(text: str, format: str = "columns", **options: object) -> Corpus:
    return read_bytes(format, text.encode(), **options)


def tags(corpus: Corpus, name: str) -> list[str]:
    return corpus.layer(name, Tags).labels.to_list()


def test_names_and_documents() -> None:
    corpus = read(COLUMNS)
    assert list(corpus.layers) == ["pos", "tag"]
    assert tags(corpus, "tag") == ["B-PER", "O", "B-LOC", "I-LOC", "O", "O", "B-LOC", "I-LOC"]
    assert corpus.documents.tolist() == [0, 2]
    assert corpus.offsets.tolist() == [0, 4, 6, 8]
    assert corpus.forms is not None
    assert corpus.forms[4] == "#"  # three columns: a token, not a comment


def test_two_columns_are_form_and_tag() -> None:
    assert list(read("a\tX\nb\tY\n").layers) == ["tag"]


def test_one_column() -> None:
    corpus = read("a\nb\n\nc\n")
    assert corpus.offsets.tolist() == [0, 2, 3]
    assert not corpus.layers


def test_roles() -> None:
    text = "1 a N B-X\n2 b V O\n"
    corpus = read(text, "columns(columns='form=1,upos=2,ner=-1')")
    assert list(corpus.layers) == ["upos", "ner"]
    assert corpus.forms == Labels.of(["a", "b"])
    assert tags(corpus, "ner") == ["B-X", "O"]
    assert list(read(text, "columns(columns='ner=3')").layers) == ["ner"]


@pytest.mark.parametrize("roles", ["form", "form=x", "=1", "form=0,form=1", "", "a=1.5"])
def test_wrong_roles(roles: str) -> None:
    with pytest.raises(UsageError):
        Columns(columns=roles).roles()


@pytest.mark.parametrize("place", [4, -5])
def test_role_outside_the_file(place: int) -> None:
    with pytest.raises(FormatError, match=rf"column 'ner' is number {place}, but the file has 4"):
        read("1 a N B-X\n", f"columns(columns='form=1,ner={place}')")


def test_separators() -> None:
    assert read("New York\tX\nb\tY\n").forms == Labels.of(["New York", "b"])
    assert read("a   X\nb \t Y\n").forms == Labels.of(["a", "b"])
    assert read("a\tX Y\nb\tZ\n", "columns(separator=tab)").layers["tag"] == Tags(
        Labels.of(["X Y", "Z"])
    )
    assert list(read("a\tX Y\nb\tZ W\n", "columns(separator=space)").layers) == ["pos", "tag"]


def test_comments() -> None:
    corpus = read("# genre = x\n#more\na\tX\n# b\tY\n\n#c\tZ\n")
    assert corpus.metadata("genre") == ["x", None]
    assert corpus.forms == Labels.of(["a", "# b", "#c"])
    comments = corpus.extras["comments"]
    assert isinstance(comments, Comments)
    assert comments.sentence.tolist() == [0, 0]


def test_hash_after_a_token_is_no_comment() -> None:
    with pytest.raises(FormatError, match=r":3, sentence '1': 1 column, expected 2"):
        read("# one\na\tX\n# two\nb\tY\n")


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("a\tX\nb\n\nc\tY\n", 2, "1 column, expected 2"),
        ("a\tX\nb\tY\tZ\nc\tY\n", 2, "3 columns, expected 2"),
        ("a\tX\nb\t\n", 2, "column 'tag' is empty"),
        ("a\tX\n\tY\n", 2, "column 'form' is empty"),
    ],
)
def test_messages(text: str, line: int, message: str) -> None:
    with pytest.raises(FormatError, match=rf"test\.file:{line}, sentence '1': {message}"):
        read(text)


def test_skip() -> None:
    corpus = read("a\tX\nb\n\nc\tY\n\nd\t\ne\tZ\n", on_error="skip")
    assert corpus.offsets.tolist() == [0, 0, 1, 1]
    assert corpus.skipped is not None
    assert corpus.skipped.tolist() == [True, False, True]
    assert tags(corpus, "tag") == ["Y"]


def test_spans_are_written_as_iob2() -> None:
    spans = Spans(np.array([1], np.int32), np.array([3], np.int32), Labels.of(["X"]))
    corpus = Corpus(np.array([0, 3]), Labels.of("abc"), {"ner": spans})
    assert write_bytes("columns", corpus) == b"a\tO\nb\tB-X\nc\tI-X\n\n"
    two = Spans(np.array([0, 1]), np.array([2, 3]), Labels.of(["X", "Y"]))
    with pytest.raises(InputError, match="1 span of 'ner' cannot be written as tags"):
        write_bytes("columns", replace(corpus, layers={"ner": two}))


@pytest.mark.parametrize("form", ["", " ", "a\tb", "a\nb", "a\r", "-DOCSTART-", "\0"])
def test_what_cannot_be_written(form: str) -> None:
    corpus = Corpus(np.array([0, 1]), Labels.of([form]), {"tag": Tags(Labels.of(["X"]))})
    with pytest.raises(InputError, match="cannot be written as a column"):
        write_bytes("columns", corpus)


def test_a_single_column_cannot_hold_spaces() -> None:
    corpus = Corpus(np.array([0, 1]), Labels.of(["a b"]), {})
    with pytest.raises(InputError, match="cannot be written"):
        write_bytes("columns", corpus)
    tagged = replace(corpus, layers={"tag": Tags(Labels.of(["X"]))})
    assert write_bytes("columns", tagged) == b"a b\tX\n\n"
    with pytest.raises(InputError, match="cannot be written"):
        write_bytes("columns(separator=space)", tagged)


@given(corpora(any_string))
def test_tags_of_any_strings_survive_or_are_refused(corpus: Corpus) -> None:
    corpus = replace(corpus, layers=corpus.of_kind(Tags), extras={})
    try:
        written = write_bytes("columns(separator=tab)", corpus)
    except InputError:
        return
    again = read_bytes("columns(separator=tab)", written)
    assert again.forms == corpus.forms
    assert list(again.layers.values()) == list(corpus.layers.values())


@pytest.mark.parametrize(
    ("text", "sure"),
    [
        ("a\tX\nb\tY\n\nc\tZ\n", True),
        ("a X\nb Y\n\nc Z\n", True),
        ("a X\nb Y\nc\nd Z\n", True),  # one broken line does not hide the format
        ("This is a sentence of a text.\nAnd this is another one, longer.\n", False),
        ("word\nword\n", False),
    ],
)
def test_sniffing(text: str, sure: bool) -> None:
    assert (Columns().sniff(text.encode()) > 0.15) == sure
    if sure:
        assert sniff(text.encode()).id == "columns"


def test_wnut(shared: Path) -> None:
    folder = shared / "data" / "wnut17-ner"
    files = [p for p in folder.rglob("*") if p.is_file() and p.suffix != ".md"]
    sizes = {p.name: read_bytes("columns", p.read_bytes()).sentence_count for p in files}
    assert sizes["emerging.test.annotated"] == sizes["uh_ritual"] == 1287


def test_sentences_left_out_do_not_name_columns() -> None:
    broken = b"Ann x NNP B-PER\nsaw aBD O\n\nMay NNP B-PER\nran VBD O\n\n"
    assert set(read_bytes("columns", broken, on_error="skip").layers) == {"pos", "tag"}
