"""Chains in columns: what is read, what is refused, what is written."""

import io
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import tertium
from strategies import read_bytes, write_bytes
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels
from tertium.corpus.layers import Chains, Spans, Tags, Trees
from tertium.exceptions import FormatError, InputError
from tertium.formats.base import Reading
from tertium.formats.coref.conll2012 import Conll2012
from tertium.formats.files import read_file, sniff

ONTONOTES = """\
#begin document (tale/walk); part 000
tale/walk   0   0    Ann   NNP   (TOP(S(NP-SBJ*   -    -   -   Ann   (PERSON)   (ARG0*)   (1)|(2
tale/walk   0   1     's   POS               *)   -    -   -   Ann          *         *        -
tale/walk   0   2  -LRB-    NN        (VP*)))   see   01   1   Ann      (GPE)       (V*)      2)

tale/walk   0   0     It   PRP           (TOP*)   -    -   -     -          *       (2)

#end document
"""


def text(*cells: str, width: int = 5, name: str = "a") -> str:
    """A document with a token for every cell; an empty cell ends a sentence."""
    rows = [f"{name}\t0\t{i}\tw{i}"[: None if width > 4 else 1] for i in range(len(cells))]
    lines = [f"{row}\t{cell}" if cell else "" for row, cell in zip(rows, cells, strict=True)]
    return "\n".join([f"#begin document ({name});", *lines, "#end document", ""])


def read(data: str, **options: object) -> Corpus:
    return read_bytes("conll2012", data.encode(), **options)


def mentions(corpus: Corpus) -> list[tuple[int, int, str]]:
    chains = corpus.layer("coref", Chains)
    return [*zip(chains.start.tolist(), chains.end.tolist(), chains.name.to_list(), strict=True)]


def test_all_columns() -> None:
    corpus = read(ONTONOTES)
    assert corpus.forms is not None
    assert corpus.forms.to_list() == ["Ann", "'s", "(", "It"]
    assert corpus.offsets.tolist() == [0, 3, 4]
    assert corpus.layer("pos", Tags).labels.to_list() == ["NNP", "POS", "NN", "PRP"]
    assert corpus.layer("lemma", Tags).labels.to_list() == ["-", "-", "see", "-"]
    trees, ner = corpus.layer("trees", Trees), corpus.layer("ner", Spans)
    assert trees.label.to_list() == ["TOP", "S", "NP", "VP", "TOP"]
    assert trees.function.to_list() == ["", "", "SBJ", "", ""]
    assert trees.parent.tolist() == [-1, 0, 1, 1, -1]
    assert [*zip(trees.start.tolist(), trees.end.tolist(), strict=True)] == [
        (0, 3), (0, 3), (0, 2), (2, 3), (3, 4),
    ]  # fmt: skip
    assert ner.start.tolist() == [0, 2]
    assert ner.label.to_list() == ["PERSON", "GPE"]
    assert set(corpus.extras) == {"frameset", "sense", "speaker"}
    assert mentions(corpus) == [(0, 1, "1"), (0, 3, "2"), (3, 4, "2")]
    assert corpus.document_names.to_list() == ["tale/walk; part 000"]
    (note,) = corpus.problems
    assert "arguments of predicates in 1 sentence" in note.message
    assert note.kind == "unread"


def test_names_that_go_on_over_a_sentence_are_refused() -> None:
    bad = ONTONOTES.replace("(GPE)", "(GPE*")
    with pytest.raises(FormatError, match=r"test\.file:4, .*brackets of the names do not match"):
        read(bad)


@pytest.mark.parametrize("width", [2, 3, 4, 5])
def test_few_columns(width: int) -> None:
    front = ["a", "0", "0", "Ann"][: width - 1]
    rows = [[*front, cell] for cell in ("(1", "-", "1)")]
    lines = ["#begin document (a);", *("\t".join(row) for row in rows), "#end document"]
    corpus = read("\n".join(lines))
    assert corpus.forms is not None
    assert corpus.forms.to_list() == ["Ann" if width == 5 else "_"] * 3
    assert mentions(corpus) == [(0, 3, "1")]
    assert set(corpus.layers) == {"coref"}


def test_columns_of_asterisks_and_hyphens_are_no_layers() -> None:
    data = "#begin document (a);\na 0 0 Ann - * * - - - * (1)\na 0 1 saw - - - - - - * -\n"
    assert set(read(data).layers) == {"coref"}
    assert not read(data).extras


@pytest.mark.parametrize(
    ("cells", "found"),
    [
        (("(1", "(1", "1)", "1)"), [(0, 4, "1"), (1, 3, "1")]),  # the innermost is closed first
        (("(1|(2", "1)", "2)"), [(0, 2, "1"), (0, 3, "2")]),  # crossing
        (("(1", "1)|(1", "1)"), [(0, 2, "1"), (1, 3, "1")]),
        (("(1|1)", "-"), [(0, 1, "1")]),
        (("(1)(2)", "_"), [(0, 1, "1"), (0, 1, "2")]),
        (("(1", "", "1)"), [(0, 2, "1")]),  # over a sentence
        (("(x-1)", "*"), [(0, 1, "x-1")]),
        (("(1)|(1)|(2", "2)"), [(0, 1, "1"), (0, 1, "1"), (0, 2, "2")]),
    ],
)
def test_brackets(cells: tuple[str, ...], found: list[tuple[int, int, str]]) -> None:
    corpus = read(text(*cells))
    assert mentions(corpus) == found
    assert mentions(read_bytes("conll2012", write_bytes("conll2012", corpus))) == found


def test_entities_are_numbered_in_their_documents() -> None:
    corpus = read(text("(7)", "(3)", "(7)") + text("(3)", "(7)", name="b"))
    assert corpus.layer("coref", Chains).entity.tolist() == [0, 1, 0, 0, 1]
    assert corpus.documents.tolist() == [0, 1]


def test_split_antecedents_are_left_out_and_counted() -> None:
    corpus = read(text("(0+1)|(0", "(0+1", "0)", "0+1)|(1)"))
    assert mentions(corpus) == [(0, 3, "0"), (3, 4, "1")]
    (note,) = corpus.problems
    assert note.message == "2 mentions with split antecedents were not read, the first of chain 0+1"
    assert (note.line, note.kind, note.severity) == (2, "unread-mentions", "note")


BAD = {
    "open": (text("(1)", "(1"), 3, "chain 1 is opened here and never closed in document 'a'"),
    "closed twice": (text("(1", "1)|1)"), 3, "chain 1 is closed here but not open in document 'a'"),
    "across documents": (
        text("(1", "-") + text("1)", name="b"),
        2,
        "chain 1 is opened here and never closed in document 'a'",
    ),
    "no brackets": (text("1", "-"), 2, "the last column is '1', expected chains"),
    "no name": (text("()", "-"), 2, "the last column is '()'"),
    "columns": (text("-", "-\t-", "-"), 3, "6 columns, expected 5 as in the rest of the sentence"),
    "one column": (text("-", "", "-").replace("a\t0\t2\tw2\t-", "a"), 4, "1 column, expected 2"),
    "document twice": (text("-") + text("-"), 4, "'a' is in the file twice (first in line 1)"),
    "after the end": (text("-") + "a\t0\t0\tw\t-\n", 4, "a token after '#end document'"),
    "parse": (
        "#begin document (a);\na 0 0 w X (S* -\na 0 1 w X * -\n",
        3,
        "brackets of the parse do not match at '*'",
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", BAD)
def test_bad_input(kind: str) -> None:
    data, line, message = BAD[kind]
    with pytest.raises(FormatError) as caught:
        read(data)
    first = caught.value.problems[0]
    assert message in first.message
    assert first.line == line
    collected = read(data, check=True)
    assert any(p.message == first.message for p in collected.problems)


@pytest.mark.parametrize("kind", BAD)
def test_skipping_leaves_out_the_document(kind: str) -> None:
    good = text("(5)", "", "(5)", name="z")
    data = BAD[kind][0]
    corpus = read(good + data + good.replace("(z)", "(y)"), on_error="skip")
    assert corpus.skipped is not None
    assert not corpus.skipped[[0, 1, -2, -1]].any()
    whole = [name for name in ("a", "b") if f"document ({name})" in data]
    document = corpus.document_of_sentence[np.flatnonzero(corpus.skipped)]
    spoilt = {corpus.document_names[int(number)] for number in document}
    assert spoilt <= {*whole} or (kind == "document twice" and spoilt == {"a (line 9)"})
    for name in spoilt:
        there = [corpus.document_names[int(n)] == name for n in corpus.document_of_sentence]
        assert corpus.skipped[there].all()
    assert mentions(corpus)[-2:] == [(2, 3, "5"), (3, 4, "5")] or kind == "document twice"
    assert mentions(corpus)[:2] == [(0, 1, "5"), (1, 2, "5")]


def test_repairing_leaves_out_the_bracket() -> None:
    corpus = read(text("(1|(2", "2)", "3)|(1)", "x"), on_error="repair")
    assert mentions(corpus) == [(0, 2, "2"), (2, 3, "1")]
    assert corpus.repaired == 3
    assert corpus.skipped is None


def test_repairing_leaves_out_the_parse_of_the_sentence() -> None:
    rows = "a 0 0 w X (S* -\n\na 0 0 w X (S(NP*)) -\n\na 0 0 w X *) (1)\n"
    corpus = read(f"#begin document (a);\n{rows}", on_error="repair")
    trees = corpus.layer("trees", Trees)
    assert trees.label.to_list() == ["S", "NP"]
    assert trees.parent.tolist() == [-1, 0]
    assert corpus.repaired == 2
    assert mentions(corpus) == [(2, 3, "1")]


def test_documents_without_a_name_have_that_of_the_file() -> None:
    data = text("-").replace("(a)", "()")
    assert read(data, origin="folder/b.key.gz").document_names.to_list() == ["b"]
    data = data.replace("();", "(); part 001")
    assert read(data, origin="b.key").document_names.to_list() == ["b; part 001"]


def test_a_file_without_marks_is_one_document() -> None:
    corpus = read("a (1\na 1)\n\nb (1)\n")
    assert corpus.document_marks.tolist() == [False]
    assert mentions(corpus) == [(0, 2, "1"), (2, 3, "1")]


def test_documents_without_tokens_are_noted() -> None:
    corpus = read("#begin document (x);\n#end document\n" + text("(1)"))
    assert corpus.document_names.to_list() == ["a"]
    assert [p.message for p in corpus.problems] == ["document 'x' has no tokens"]


def test_trailing_tabs_separate_nothing() -> None:
    assert mentions(read(text("(1)\t", "-\t\t", "(1)"))) == [(0, 1, "1"), (2, 3, "1")]


def test_what_is_not_needed_is_not_read() -> None:
    corpus = read(ONTONOTES, needs=frozenset({"coref", "pos"}))
    assert set(corpus.layers) == {"coref", "pos"}
    assert set(read(ONTONOTES, needs=frozenset({"trees"})).layers) == {"trees"}


def test_sniffed_before_columns() -> None:
    assert sniff(ONTONOTES.encode(), "x.conll").id == "conll2012"
    assert sniff(text("-", "-").encode(), "x.tsv").id == "conll2012"
    assert sniff(b"#begin document (d);\n#end document\n", "x.conll").id == "conll2012"
    unmarked = text("(1)", "-", "", "(1", "1)").partition("\n")[2].partition("#end")[0]
    assert sniff(unmarked.replace("w", "word").encode(), "x.conll").id == "columns"  # 3, 4
    unmarked = unmarked.replace("\t3\t", "\t0\t").replace("\t4\t", "\t1\t")
    assert sniff(unmarked.encode(), "x.conll").id == "conll2012"
    assert sniff(b"# begin document x\n0\tAnn\t(1)\n1\tsaw\t_\n", "x.conll").id == "gumcoref"


# -- writing ----------------------------------------------------------------------------------


def corpus_of(*rows: tuple[int, int, int], size: int = 4, **more: object) -> Corpus:
    """A document with mentions: start, end, entity."""
    start, end, entity = np.array(rows, np.int32).reshape(-1, 3).T
    names = Labels.of(f"e{number}" for number in entity.tolist())
    chains = Chains(
        start, end, Labels.constant("", len(start)), entity=entity, name=names,
        sentence=np.zeros(len(start), np.int32), **more,
    )  # fmt: skip
    return Corpus(np.array([0, size]), Labels.constant("w", size), {"coref": chains})


def test_names_of_other_formats_become_numbers() -> None:
    again = read(write_bytes("conll2012", corpus_of((0, 2, 0), (3, 4, 0), (1, 2, 1))).decode())
    assert mentions(again) == [(0, 2, "0"), (1, 2, "1"), (3, 4, "0")]


def test_mentions_of_a_chain_that_cross_cannot_be_written() -> None:
    with pytest.raises(InputError, match="mentions of the entity '0' cross"):
        write_bytes("conll2012", corpus_of((0, 3, 0), (1, 4, 0)))
    write_bytes("conll2012", corpus_of((0, 3, 0), (1, 4, 1)))


def test_shorter_mentions_first() -> None:
    again = read(write_bytes("conll2012", corpus_of((0, 2, 0), (0, 3, 0), (0, 2, 0))).decode())
    assert mentions(again) == [(0, 3, "0"), (0, 2, "0"), (0, 2, "0")]


def test_words_that_would_read_differently_are_refused() -> None:
    corpus = replace(corpus_of((0, 1, 0), size=1), forms=Labels.of(["''"]))
    with pytest.raises(InputError, match="cannot be written as an unescaped word"):
        write_bytes("conll2012", corpus)


def test_names_of_documents_that_would_read_differently_are_refused() -> None:
    corpus = replace(read(text("-")), document_names=Labels.of([" a"]))
    with pytest.raises(InputError, match="a document cannot be called ' a'"):
        write_bytes("conll2012", corpus)


def test_conversion_says_what_is_lost(tmp_path: Path) -> None:
    source = tmp_path / "a.conllu"
    source.write_text(
        "# global.Entity = eid-etype-head-other\n"
        "1\tAnn\t_\t_\t_\t_\t_\t_\t_\tEntity=(e1-person-1-\n"
        "2\tBo\t_\t_\t_\t_\t_\t_\t_\tEntity=e1)\n"
        "2.1\t_\t_\t_\t_\t_\t_\t_\t_\tEntity=(e1-person)\n\n"
    )
    found = tertium.convert(str(source), str(tmp_path / "b.key"))
    assert "1 mention" in found.lost
    again = read_file(tmp_path / "b.key")
    assert mentions(again) == [(0, 2, "0")]
    found = tertium.convert(str(tmp_path / "b.key"), str(tmp_path / "c.conllu"))
    assert not [each for each in found.lost if "mention" in each]


def test_conversion_from_corefud(tmp_path: Path) -> None:
    """Comments would be tokens for the official scorer; mentions are not lost with MISC."""
    source, target = tmp_path / "a.conllu", tmp_path / "b.key"
    source.write_text(
        "# newdoc id = x\n# text = Ann (1)\n# global.Entity = eid-etype-head-other\n"
        "1\tAnn\t_\tPROPN\tNNP\t_\t_\t_\t_\tEntity=(e1)\n"
        "2\tslept\t_\tVERB\tVBD\t_\t_\t_\t_\tEntity=(e2)|Gloss=x\n\n"
    )
    found = tertium.convert(str(source), str(target))
    assert set(found.lost) == {"2 tags of 'upos'", "3 comments", "1 value of MISC"}
    assert [line for line in target.read_text().splitlines() if line[:1] == "#"] == [
        "#begin document (x);",
        "#end document",
    ]
    assert read_file(target).layers["pos"] == Tags(Labels.of(["NNP", "VBD"]))
    plain = text("(1)", "-").replace("\n", "\n# a comment\n", 1)
    assert b"# a comment" in write_bytes("conll2012", read(plain))


def test_conversion_to_columns_loses_mentions(tmp_path: Path) -> None:
    source = tmp_path / "a.key"
    source.write_text(text("(1|(2", "1)", "2)"))
    found = tertium.convert(str(source), str(tmp_path / "b.tsv"), to="columns")
    assert found.lost == ("2 mentions",)


def test_many_open_chains_are_listed_to_the_limit() -> None:
    data = text(*["(1"] * 20_000)
    problems = Conll2012().read(io.BytesIO(data.encode()), Reading(check=True)).problems
    assert "10,000 more errors are not listed" in problems[-1].message
