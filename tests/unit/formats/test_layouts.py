"""What the columns of a file are: names, indices, comments."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import tertium
from strategies import read_bytes, write_bytes
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels
from tertium.corpus.layers import Tags
from tertium.exceptions import AlignmentError, FormatError, LayerError
from tertium.formats.files import read_file, sniff
from tertium.formats.layouts import LEXICAL_SEMANTICS, header

TEXTS = (("Ann", "sees", "Bob"), ("Cats", "eat", "mice"))


def words(*rows: str) -> str:
    """Two sentences of a file: `{}` in a row stands for a word."""
    return "".join(f"{row}\n" for row in rows) + "\n"


PLUS = words("1\t{}\tNOUN\tB-NP", "2\t{}\tVERB\tB-VP", "3\t{}\tNOUN\tB-NP") * 2
GERMEVAL = words(
    "#\thttp://x.org/a=b [2009-10-17]", "1\t{}\tB-PER\tO", "2\t{}\tO\tO", "3\t{}\tB-PER\tB-LOC"
)
LEXICAL = words("# sent_id = a", *(f"{i}\t{{}}" + f"\tx{i}" * 17 for i in (1, 2, 3)))
FILES = {
    "plus": ("# global.columns = ID FORM UPOS CHUNK\n" + PLUS, ["upos", "chunk"]),
    "spelling": ("#Global.Columns=id,Form,Upos,Chunk\n" + PLUS, ["upos", "chunk"]),
    "tabs": ("# global.columns = ID\tFORM\tUPOS\tCHUNK\n" + PLUS, ["upos", "chunk"]),
    "not first": ("# a = b\n# global.columns = ID FORM XPOS NER\n" + PLUS, ["xpos", "ner"]),
    "spaces": ("# global.columns = ID FORM A B\n" + PLUS.replace("\t", " "), ["a", "b"]),
    "as many": ("# global.columns = ID FORM\n" + words("1 {} X", "2 {} Y", "3 {} X"), None),
    "no index": ("# global.columns = NER FORM\n" + words("O {}", "O {}", "B-X {}"), ["ner"]),
    "germeval": (GERMEVAL * 2, ["outer", "inner"]),
    "conllulex": (LEXICAL, list(LEXICAL_SEMANTICS[2:])),
    "index, tag": (words("1 {} O", "2 {} O", "3 {} O"), ["tag"]),
    "index, two": (words("1 {} NN O", "2 {} VB O", "3 {} NN O"), ["pos", "tag"]),
    "from 0": (words("0\t{}\ta\tX", "1\t{}\tb\tY", "2\t{}\ta\tX") * 2, ["column2", "column3"]),
    "whole text": (words("1\t{}\tX", "2\t{}\tY") + words("3\t{}\tY"), ["tag"]),
    "sentence-token": (words("1-1\t{}\tX", "1-2\t{}\tY") + words("2-1\t{}\tX"), ["tag"]),
    "s1_1": (words("s1_1 {} X", "s1_2 {} Y", "s1_3 {} X") * 2, ["tag"]),
    "1.1": (words("1.1 {} X", "1.2 {} Y", "1.3 {} X") + words("2.1 {} Y") * 3, ["tag"]),
    "named s-t": (
        "# global.columns = ID FORM X\n" + words("1-1 {} X", "1-2 {} Y", "1-3 {} X"),
        ["x"],
    ),
    "named offsets": (
        "# global.columns = ID FORM X\n" + words("0-3 {} X", "4-8 {} Y", "8-9 {} X"),
        ["x"],
    ),
    "offsets": (words("0-3\t{}\tX", "4-8\t{}\tY") + words("9-12\t{}\tX"), ["tag"]),
    "letters": (words("0-1 {} X", "1-2 {} X", "2-4 {} Y"), ["tag"]),
    "webanno": (
        words("#Text=x", "1-1\t0-3\t{}\tX", "1-2\t4-8\t{}\tY", "1-2.1\t4-6\tx\tY")
        + words("2-1\t9-12\t{}\tX"),
        ["tag"],
    ),
    "prefixed ranges": (words("1-1-2 x _", "1-1 {} X", "1-2 {} Y", "1-3 {} X"), ["tag"]),
    "ranges": (
        words("1-2\tx\t_", "1\t{}\tX", "1.1\ty\t_", "2\t{}\tY", "3\t{}\tX", "3.1\t_\t_"),
        ["tag"],
    ),
}


def text_of(name: str, which: int) -> str:
    text = FILES[name][0]
    return text.format(*TEXTS[which] * (text.count("{}") // 3))


@pytest.mark.parametrize("name", [name for name in FILES if FILES[name][1]])
def test_an_index_is_no_form(name: str, tmp_path: Path) -> None:
    """Two texts are never taken for the same one."""
    paths = [str(tmp_path / f"{i}.txt") for i in (0, 1)]
    for i, path in enumerate(paths):
        Path(path).write_text(text_of(name, i))
        corpus = read_file(path)
        assert corpus.format == "columns"
        assert corpus.forms is not None
        assert set(corpus.forms.names) == set(TEXTS[i])
        assert list(corpus.layers) == FILES[name][1]
    with pytest.raises(AlignmentError):
        tertium.score(*paths)
    assert tertium.score(paths[0], paths[0])


@pytest.mark.parametrize("metric", ["spans.f1", "spans.f1(compat='conlleval')", "spans.partial"])
def test_outer_entities_are_the_main_ones(metric: str, tmp_path: Path) -> None:
    """GermEval has them first, and other files what matters most last."""
    path = tmp_path / "germeval.tsv"
    path.write_text(text_of("germeval", 0), encoding="utf-8")
    scores = tertium.score(path, path, metric=metric)
    assert "|column:outer|" in str(scores.results[0].signature)


def test_columns_that_are_not_named() -> None:
    with pytest.raises(FormatError, match=r":2, sentence '1': 3 columns, expected 2"):
        read_bytes("columns", text_of("as many", 0).encode())


@pytest.mark.parametrize("suffix", ["", ".conllu", ".conllx", ".conll", ".conllup", ".conllulex"])
def test_files_that_name_their_columns_are_columns(suffix: str) -> None:
    ten = "# global.columns = ID FORM A B C D E F G H\n1\ta" + "\t0" * 8 + "\n"
    for text in (text_of("plus", 0), ten, ten.replace(" H\n", "\n").replace("\t0", "", 1)):
        assert sniff(text.encode(), f"x{suffix}").id == "columns"


def test_own_names_are_read_as_before() -> None:
    names = "ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC".split()
    row = "1\ta\ta\tX\tX\t_\t0\troot\t_\t_".split("\t")
    for count, format in ((10, "conllu"), (9, "conllx"), (8, "conllx")):
        text = f"# global.columns = {' '.join(names[:count])}\n" + "\t".join(row[:count]) + "\n\n"
        assert sniff(text.encode()).id == format
        assert "deps" in read_bytes(format, text.encode()).layers
    assert "deps" in read_bytes("conllx", text.encode()).layers


@pytest.mark.parametrize(
    ("names", "message"),
    [("ID LEMMA", "names no column FORM"), ("FORM X x", "names 'X' twice")],
)
def test_wrong_names(names: str, message: str) -> None:
    text = f"# global.columns = {names}\n" + "\t".join("a" * len(names.split())) + "\n"
    with pytest.raises(FormatError, match=message):
        read_bytes("columns", text.encode())


def test_files_joined() -> None:
    text = text_of("plus", 0)
    assert read_bytes("columns", (text + text).encode()).token_count == 12
    with pytest.raises(FormatError, match="given more than once, with different columns"):
        read_bytes("columns", (text + text.replace("CHUNK", "NER")).encode())


def test_header_is_no_comment() -> None:
    corpus = read_bytes("columns", b"# global.columns = FORM X\n# a = b\nw\tx\n")
    assert corpus.metadata("global.columns") == [None]
    assert corpus.metadata("a") == ["b"]
    assert header(" text = global.columns = A") is None


@pytest.mark.parametrize(
    ("row", "names"),
    [
        ("{} NNP B-NP B-ORG", ["pos", "chunk", "ner"]),
        ("{} NNP I-NP O", ["pos", "chunk", "ner"]),
        ("{} NNP B-NP B-NP", ["column1", "column2", "column3"]),
        ("{} NNP O", ["pos", "tag"]),
        ("{} PRP$ B-PER", ["pos", "tag"]),
        ("{} lemma B-PER", ["column1", "column2"]),
        ("{} O O", ["column1", "column2"]),
        ("{} B-PER O", ["column1", "column2"]),
        ("{} B-PER", ["tag"]),
        ("1 {} NNP B-NP B-ORG", ["pos", "chunk", "ner"]),
    ],
)
def test_usual_layouts(row: str, names: list[str]) -> None:
    corpus = read_bytes("columns", row.format("w").encode() + b"\n")
    assert list(corpus.layers) == names
    assert corpus.forms == Labels.of(["w"])


def test_the_user_has_the_last_word() -> None:
    text = text_of("ranges", 0).encode()
    index = read_bytes("columns(columns='form=0,tag=2')", text)
    assert index.forms is not None
    assert index.forms.to_list() == ["1-2", "1", "1.1", "2", "3", "3.1"]
    given = read_bytes("columns(columns='form=1,x=-1')", text)
    assert given == read_bytes("columns(columns='x=2')", text)
    assert list(given.layers) == ["x"]
    assert given.token_count == 3
    plus = read_bytes("columns(columns='ner=3')", text_of("plus", 0).encode())
    assert list(plus.layers) == ["ner"]
    assert plus.forms == read_bytes("columns", text_of("plus", 0).encode()).forms


def test_ranges_are_noted() -> None:
    notes = [p.message for p in read_bytes("columns", text_of("ranges", 0).encode()).problems]
    assert notes == ["3 lines of ranges and empty nodes hold no word of their own"]


def test_wrong_index() -> None:
    text = b"1\ta\tX\n2\tb\tX\n4\tc\tX\n5\td\tY\n\n1\te\tX\n_\tf\tX\n\n1\tg\tX\n"
    with pytest.raises(FormatError, match=r":3, sentence '1': the index is '4', expected 3"):
        read_bytes("columns", text)
    corpus = read_bytes("columns", text, on_error="skip")
    assert corpus.offsets.tolist() == [0, 0, 0, 1]
    assert read_bytes("columns(columns='form=1,tag=2')", text).token_count == 7


def test_wrong_index_after_the_number_of_a_sentence() -> None:
    with pytest.raises(FormatError, match=r":3, sentence '1': the index is '1-4', expected 3"):
        read_bytes("columns", b"1-1\ta\tX\n1-2\tb\tX\n1-4\tc\tX\n1-5\td\tY\n")


@pytest.mark.parametrize(
    "forms", ["w1 w2 w3", "2-1", "3-2 2-2 0-7", "s1 s2 s3", "1990-1995", "- -"]
)
def test_forms_are_no_index(forms: str) -> None:
    text = "".join(f"{form}\tX\n" for form in forms.split())
    corpus = read_bytes("columns", text.encode())
    assert corpus.forms == Labels.of(forms.split())


def test_messages_name_the_sentence() -> None:
    text = b"# sent_id = a\n1\tw\tX\n\n# x\n# sent_id = b\n1\tw\tX\n2\tw\t\n\n"
    with pytest.raises(FormatError, match=r":7, sentence 'b': column 'tag' is empty"):
        read_bytes("columns", text)


def test_coreference_files_need_names() -> None:
    """The document would be the form, and all texts the same."""
    text = b"#begin document (a); part 000\na 0 0 It PRP (8)\na 0 1 is VBZ -\n\n#end document\n"
    with pytest.raises(FormatError, match="the file is CoNLL-2012"):
        read_bytes("columns", text)
    assert read_bytes("columns(columns='form=3')", text).forms == Labels.of(["It", "is"])


def test_words_that_count_survive() -> None:
    for layers in (1, 2):
        tags = {f"t{i}": Tags(Labels.of(["X", "Y", "X"])) for i in range(layers)}
        corpus = Corpus(np.array([0, 2, 3]), Labels.of(["1", "2", "1"]), tags)
        again = read_bytes("columns", write_bytes("columns", corpus))
        assert again.forms == corpus.forms
        assert list(again.layers.values()) == list(tags.values())


@pytest.mark.parametrize("comment", ["# id = 0 a comment", "#\ta\tb", "#source one two"])
@pytest.mark.parametrize("separator", [" ", "\t"])
def test_comments_do_not_decide_the_width(comment: str, separator: str) -> None:
    text = "".join(f"{comment}\nw{i}{separator}B-X\n\n" for i in range(5)).encode()
    assert sniff(text).id == "columns"
    corpus = read_bytes("columns", text)
    assert corpus.token_count == 5
    assert list(corpus.layers) == ["tag"]
    assert list(corpus.extras) == ["comments"]


def test_marks_of_documents_do_not_decide_the_width() -> None:
    corpus = read_bytes("columns", b"-DOCSTART- -X- -X- O\n\nw B-X\n\n" * 3)
    assert corpus.documents.tolist() == [0, 1, 2]
    assert read_bytes("columns", b"-DOCSTART-x\ta b\n").forms == Labels.of(["-DOCSTART-x"])


def test_comments_before_anything_else() -> None:
    text = b"# no tab here\n" * 6000 + b"New York\tB-X\n"
    assert read_bytes("columns", text).forms == Labels.of(["New York"])


def test_newdoc_in_columns() -> None:
    corpus = read_bytes("columns", b"# newdoc id = x\na\tX\n\nb\tX\n\n# newdoc\nc\tX\n")
    assert corpus.documents.tolist() == [0, 2]


@pytest.mark.parametrize("text", ["w B-X", "w\tB-X", "# a b\nw B-X\n", "1 w NN\n", "EU NNP O\n"])
def test_one_token_is_recognised(text: str) -> None:
    assert sniff(text.encode()).id == "columns"


@pytest.mark.parametrize("text", ["One line.", "a b c d e"])
def test_one_line_of_text_is_not(text: str) -> None:
    with pytest.raises(FormatError, match="unrecognised format"):
        sniff(text.encode())


def test_many_columns() -> None:
    text = " ".join(f"x{i}" for i in range(100_000)).encode() + b"\n"
    with pytest.raises(FormatError, match=r"100,000 columns; more than 1,000 are read only"):
        read_bytes("columns", text)
    assert list(read_bytes("columns(columns='ner=-1')", text).layers) == ["ner"]


def test_parts_of_speech_answer_to_each_other(tmp_path: Path) -> None:
    """What a layout calls `pos` may be `upos` in a file of another format, and nothing else."""
    (tmp_path / "x.txt").write_text("a NN O\nb VB O\n")
    plain = {"tokens": ["a", "b"], "upos": ["NN", "VB"]}
    scores = tertium.score([plain], tmp_path / "x.txt", metric="tags.accuracy")
    assert scores.value == 1
    assert any("column 'pos' is compared with 'upos'" in note for note in scores.notes)
    with pytest.raises(LayerError):
        tertium.score(
            [{**plain, "case": ["x", "y"]}], tmp_path / "x.txt", metric="tags.accuracy(column=case)"
        )
