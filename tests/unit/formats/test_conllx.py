"""CoNLL-X: widths, projective columns, and what it shares with CoNLL-U."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from strategies import CONLLU, CONLLX, read_bytes, write_bytes
from tertium.corpus.layers import Arcs, Tags
from tertium.exceptions import FormatError, InputError
from tertium.formats.files import sniff


def cut(text: str, width: int) -> bytes:
    """Only the first columns."""
    return "\n".join("\t".join(line.split("\t")[:width]) for line in text.split("\n")).encode()


def test_layers() -> None:
    corpus = read_bytes("conllx", CONLLX.encode())
    assert list(corpus.layers) == ["lemma", "upos", "xpos", "feats", "deps"]
    assert corpus.layer("upos", Tags).labels.to_list() == ["N", "V", ".", "P", "V"]
    assert corpus.layer("deps", Arcs).head.tolist() == [2, 0, 2, 2, 0]
    assert set(corpus.extras) == {"phead", "pdeprel"}


@pytest.mark.parametrize(
    ("width", "extras"), [(8, set()), (9, {"phead"}), (10, {"phead", "pdeprel"})]
)
def test_eight_to_ten_columns(width: int, extras: set[str]) -> None:
    corpus = read_bytes("conllx", cut(CONLLX, width))
    assert set(corpus.extras) == extras
    again = write_bytes("conllx", corpus)
    assert read_bytes("conllx", again) == corpus
    assert again.split(b"\n")[0].count(b"\t") == 9


def test_written_to_the_byte() -> None:
    assert write_bytes("conllx", read_bytes("conllx", CONLLX.encode())) == CONLLX.encode()


def test_widths_must_agree() -> None:
    lines = CONLLX.split("\n")
    lines[1] = "\t".join(lines[1].split("\t")[:8])
    with pytest.raises(FormatError, match=r":2, sentence '1': 8 columns, expected 10"):
        read_bytes("conllx", "\n".join(lines).encode())


def test_seven_columns_are_another_format() -> None:
    with pytest.raises(FormatError, match="7 columns, expected 8 to 10; no line"):
        read_bytes("conllx", cut(CONLLX, 7))


@pytest.mark.parametrize("bad", ["1-2", "1.1", "x", "0", "2"])
def test_ids(bad: str) -> None:
    text = CONLLX.replace("1\tAnn", f"{bad}\tAnn")
    with pytest.raises(FormatError, match=rf":1, sentence '1': ID is '?{bad}'?, expected"):
        read_bytes("conllx", text.encode())


def test_heads_are_checked() -> None:
    with pytest.raises(FormatError, match=r":1, sentence '1': HEAD is 9, but"):
        read_bytes("conllx", CONLLX.replace("num=sg\t2", "num=sg\t9").encode())


def test_blind_file_has_no_tree() -> None:
    blind = "1\ta\t_\tN\tN\t_\t_\t_\n2\tb\t_\tV\tV\t_\t_\t_\n"
    assert list(read_bytes("conllx", blind.encode()).layers) == ["upos", "xpos"]


def test_comments_are_read() -> None:
    corpus = read_bytes("conllx", b"# sent_id = q\n" + CONLLX.encode())
    assert corpus.sentence_id(0) == "q"
    assert b"#" not in write_bytes("conllx", corpus)


def test_from_conllu() -> None:
    corpus = read_bytes("conllu", CONLLU.encode())
    written = write_bytes("conllx", corpus)
    assert b"3-4" not in written
    assert read_bytes("conllx", written).layers["deps"] == corpus.layers["deps"]


def test_empty_sentences_are_refused() -> None:
    corpus = read_bytes("conllx", CONLLX.encode())
    with pytest.raises(InputError, match="has no tokens"):
        write_bytes("conllx", replace(corpus, offsets=np.array([0, 3, 3, 5])))


@pytest.mark.parametrize(
    ("data", "name", "expected"),
    [
        (CONLLX.encode(), "", "conllx"),  # PHEAD is a number
        (cut(CONLLX, 8), "", "conllx"),
        (cut(CONLLX, 8), "x.tsv", "conllx"),
        (cut(CONLLX, 8), "x.conll", "conllx"),
        (CONLLU.encode(), "", "conllu"),
        (CONLLU.encode(), "x.conll", "conllu"),  # ranges and comments
        (b"1\ta\ta\tX\tX\t_\t0\troot\t_\t_\n", "", "conllu"),
        (b"1\ta\ta\tX\tX\t_\t0\troot\t_\t_\n", "x.tsv", "conllu"),
        (b"1\ta\ta\tX\tX\t_\t0\troot\t_\t_\n", "x.conllx", "conllx"),
        (b"1\ta\ta\tX\tX\t_\t0\troot\t_\t_\n", "x.conll", "conllx"),
        (b"EU\tNNP\tB-ORG\nrejects\tVBZ\tO\n", "x.conll", "columns"),
        (b"not\tconllu\n", "x.conllu", "conllu"),  # its own suffix: it will say what is wrong
        (b'{"tokens": []}\n', "x.conllu", "jsonl"),
    ],
)
def test_sniffing(data: bytes, name: str, expected: str) -> None:
    assert sniff(data, name).id == expected
