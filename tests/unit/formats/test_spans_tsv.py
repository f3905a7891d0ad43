"""Spans over token numbers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from strategies import COLUMNS, JSONL, SPANS, read_bytes, write_bytes
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels
from tertium.corpus.layers import Spans, Tags
from tertium.exceptions import FormatError, InputError
from tertium.formats.files import sniff


def read(text: str, **options: object) -> Corpus:
    return read_bytes("spans", text.encode(), **options)


def rows(corpus: Corpus) -> list[tuple[str, int, int]]:
    layer = corpus.layer("spans", Spans)
    return list(zip(layer.label.to_list(), layer.start.tolist(), layer.end.tolist(), strict=True))


def test_places_are_global_and_end_is_exclusive() -> None:
    corpus = read(SPANS)
    assert corpus.atoms == "indices"
    assert corpus.forms is None
    assert corpus.offsets.tolist() == [0, 5, 5, 9]
    assert rows(corpus) == [("NX", 0, 2), ("VX", 2, 5), ("NX", 0, 2), ("PX", 8, 9)]
    tokens = corpus.layer("spans", Spans).tokens
    assert tokens is not None
    assert [tokens[i].tolist() for i in range(4)] == [[0, 1], [0, 2], [0, 1], [0]]


def test_written_to_the_byte() -> None:
    assert write_bytes("spans", read(SPANS)).decode() == SPANS


def test_token_sets_only_where_there_are_gaps() -> None:
    assert read("X\t1\t3\t1, 2, 3\n").layer("spans", Spans).tokens is None
    assert read("X\t1\t3\t1,3\n").layer("spans", Spans).tokens is not None


def test_none_and_empty_are_no_spans() -> None:
    corpus = read("NONE\t999\t999\t999\n\nEMPTY\t1\t1\t1\n\nX\t1\t1\t1\nNONE\tx\ty\tz\n")
    assert corpus.offsets.tolist() == [0, 0, 0, 1]
    assert rows(corpus) == [("X", 0, 1)]
    assert "spans" in read("NONE\t999\t999\t999\n").layers


def test_missing_token_list_is_noted() -> None:
    corpus = read("X\t1\t3\nY\t2\t2\t\nZ\t1\t3\t1, 3\n")
    assert "2 spans have no token list" in corpus.problems[0].message
    tokens = corpus.layer("spans", Spans).tokens
    assert tokens is not None
    assert [tokens[i].tolist() for i in range(3)] == [[0, 1, 2], [0], [0, 2]]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("X\t1", "2 columns, expected 4"),
        ("X", "1 columns, expected 4"),
        ("X\t1\t1\t1\tmore", "5 columns, expected 4"),
        ("\t1\t1\t1", "the label is empty"),
        ("X\ta\t1\t1", "begin and end are 'a' and '1', expected two numbers"),
        ("X\t1\t-1\t1", "begin and end are '1' and '-1'"),
        ("X\t_\t1\t1", "begin and end are '_' and '1'"),
        ("X\t0\t1\t0, 1", "begin is 0; tokens are counted from 1"),
        ("X\t3\t2\t3, 2", r"end \(2\) is before begin \(3\)"),
        ("X\t1\t2147483647\t1", "end is 2147483647; more than 1,000,000 tokens"),
        ("X\t9999999999\t1\t1", "begin is 9999999999; more than 1,000,000 tokens"),
        ("X\t1\t2000000\t1", "end is 2000000; more than 1,000,000 tokens"),
        ("X\t1\t3\t1, 2", "the token list '1, 2' does not go from 1 to 3"),
        ("X\t1\t3\t2, 3", "the token list '2, 3' does not go from 1 to 3"),
        ("X\t1\t3\t1, 3, 2", "the token list is '1, 3, 2', expected rising numbers"),
        ("X\t1\t3\t1, 1, 3", "the token list is"),
        ("X\t1\t3\t1 2 3", "the token list is"),
        ("X\t1\t3\t1, , 3", "the token list is"),
        ("X\t1\t3\t1, x, 3", "the token list is"),
        ("X\t1\t3\t1, 3,", "the token list is"),
    ],
)
def test_messages(line: str, message: str) -> None:
    with pytest.raises(FormatError, match=rf"^test\.file:3, sentence '2': {message}"):
        read(f"A\t1\t1\t1\n\n{line}\nB\t4\t4\t4\n")


def test_skip_and_repair() -> None:
    text = "A\t1\t2\t1, 2\nB\t9\t8\t9\n\nC\t1\t1\t1\n"
    skipped = read(text, on_error="skip")
    assert rows(skipped) == [("C", 0, 1)]
    assert skipped.offsets.tolist() == [0, 0, 1]
    assert skipped.skipped is not None
    assert skipped.skipped.tolist() == [True, False]
    repaired = read(text, on_error="repair")
    assert rows(repaired) == [("A", 0, 2), ("C", 2, 3)]
    assert repaired.skipped is None
    assert repaired.repaired == 1


def test_blank_lines_in_a_row_are_noted() -> None:
    corpus = read("A\t1\t1\t1\n\n\nB\t1\t1\t1\n\n\n")
    assert corpus.sentence_count == 2
    (note,) = corpus.problems
    assert note.message.startswith("1 blank lines follow no span")
    assert note.line == 3


def test_many_wide_spans_do_not_fill_the_memory() -> None:
    text = "X\t1\t3\t1, 3\n" + "Y\t1\t1000000\n" * 200
    with pytest.raises(FormatError, match="cover more than"):
        read(text)


def test_span_tags_are_decoded_when_written() -> None:
    corpus = read_bytes("columns", COLUMNS.encode())
    written = write_bytes("spans(layer=tag)", corpus).decode()
    assert written == (
        "PER\t1\t1\t1\nLOC\t3\t4\t3, 4\n\nNONE\t999\t999\t999\n\nLOC\t1\t2\t1, 2\n\n"
    )
    assert write_bytes("spans", corpus).decode() == written  # the other holds no spans


def test_characters_are_numbered_without_white_space() -> None:
    corpus = read_bytes("jsonl", JSONL.encode())
    assert write_bytes("spans", corpus).startswith(b"PER\t1\t3\t1, 2, 3\nLOC\t7\t13\t")


def test_which_layer_is_written() -> None:
    tags = Tags(Labels.of(["B-X"]))
    corpus = Corpus(np.array([0, 1]), Labels.of(["a"]), {"ner": tags, "chunk": tags})
    with pytest.raises(InputError, match=r"not one layer of spans to write. It has: ner, chunk"):
        write_bytes("spans", corpus)
    assert write_bytes("spans(layer=ner)", corpus) == b"X\t1\t1\t1\n\n"
    with pytest.raises(InputError, match="no layer of spans 'x'"):
        write_bytes("spans(layer=x)", corpus)


@pytest.mark.parametrize("label", ["", "NONE", "EMPTY", "a\tb", "a\nb"])
def test_labels_that_cannot_be_written(label: str) -> None:
    spans = Spans(np.array([0], np.int32), np.array([1], np.int32), Labels.of([label]))
    with pytest.raises(InputError, match="cannot be the label"):
        write_bytes("spans", Corpus(np.array([0, 1]), None, {"spans": spans}, atoms="indices"))


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("X\t1\t2\t1, 2\n", "", "spans"),
        ("X\t1\t2\t1,2\nY\t1\t1\t1\n\nNONE\t999\t999\t999\n\nbroken\n", "x.tsv", "spans"),
        ("X\t1\t2\nY\t3\t4\n", "", "columns"),
        ("X\t1\t2\nY\t3\t4\n", "x.spans", "spans"),
        ("X\t1\t2\t7\nY\t3\t4\t8\n", "", "columns"),
    ],
)
def test_sniffing(text: str, name: str, expected: str) -> None:
    assert sniff(text.encode(), name).id == expected


@pytest.mark.parametrize("name", ["ner", "chunk", "topofield"])
@pytest.mark.parametrize("side", ["target", "system"])
def test_published_files(shared: Path, side: str, name: str) -> None:
    raw = (shared / "data" / "faireval" / side / f"{name}_spans.csv").read_bytes()
    corpus = read_bytes("spans", raw)
    assert corpus.sentence_count == (5100 if name == "ner" else 10527)
    assert not corpus.problems
    assert write_bytes("spans", corpus) == raw
    assert sniff(raw[: 1 << 16], "x.csv").id == "spans"
    if side == "target":
        gold = {"ner": 6178, "chunk": 101304, "topofield": 63824}
        assert len(corpus.layer("spans", Spans).start) == gold[name]
