"""TigerXML: what its elements mean, and what is wrong with them."""

from __future__ import annotations

import pytest

from strategies import EXPORT_4, TIGERXML, read_bytes, write_bytes
from tertium.corpus.corpus import Corpus
from tertium.corpus.layers import Tags, Trees
from tertium.exceptions import FormatError, InputError
from tertium.formats.files import make
from trees import corpus_of


def read(text: str, **options: str) -> Corpus:
    return read_bytes("tigerxml", text.encode(), **options)


def sentence(words: str, nodes: str = "", *, head: str = "", more: str = "") -> str:
    """A file with one sentence `a`, and another one, `b`, which is fine."""
    good = '<s id="b"><graph><terminals><t id="b_1" word="z" pos="X"/></terminals></graph></s>'
    return (
        f'{head}<corpus>\n<body>\n<s id="a"><graph>\n<terminals>\n{words}\n</terminals>\n'
        f"<nonterminals>\n{nodes}\n</nonterminals>\n</graph>{more}</s>\n{good}\n</body>\n</corpus>\n"
    )


WORD = '<t id="a_1" word="w" pos="X"/>'


def edge(target: str, label: str = "--") -> str:
    return f'<edge label="{label}" idref="{target}"/>'


def node(id: str, *edges: str, cat: str = "S") -> str:
    return f'<nt id="{id}" cat="{cat}">{"".join(edges)}</nt>'


def test_virtual_roots_are_no_constituents() -> None:
    corpus = read(TIGERXML)
    trees = corpus.layer("trees", Trees)
    assert trees.label.to_list() == ["S", "VP"]
    assert trees.function.to_list() == ["", "OC"]
    assert trees.parent.tolist() == [-1, 0]
    assert trees.token_sets()[1].tolist() == [0, 3]
    assert corpus.sentence_id(2) == "s3"
    for id, count in (("0", 1), ("a_0", 1), ("a_VROOT", 1), ("a_500", 2), ("a_510", 2)):
        text = sentence(WORD, node("a_501", edge("a_1")) + node(id, edge("a_501"), cat="VROOT"))
        assert len(read(text).layer("trees", Trees).start) == count


@pytest.mark.parametrize("label", ["--", "-"])
def test_hyphens_are_no_function(label: str) -> None:
    corpus = read(sentence(WORD, node("a_500", edge("a_1", label))))
    assert "functions" not in corpus.extras


def test_a_virtual_root_is_written_where_a_graph_needs_one() -> None:
    corpus = corpus_of(
        "(S (X a))", "(VROOT (S (X a)) (. .))", "(S (X a)) (. .)", "(A (X 0=a) (X 2=c)) (X 1=b)"
    )
    text = write_bytes("tigerxml", corpus).decode()
    assert text.count('_VROOT" cat="VROOT"') == 2
    assert '<graph root="s2_501">' in text
    assert '<graph root="s4_VROOT" discontinuous="true">' in text
    assert read(text).layers == corpus.layers


def test_special_characters() -> None:
    corpus = corpus_of("(S-A&B (<X> a) (X b))")
    assert corpus.forms is not None
    forms = corpus.forms.rename({"a": "<&\">'\t\n ä", "b": "\U0001f600"})
    corpus = Corpus(corpus.offsets, forms, corpus.layers)
    back = read_bytes("tigerxml", write_bytes("tigerxml", corpus))
    assert back.forms == forms
    assert back.layers == corpus.layers
    for sign in ("\0", "\x0b", "\uffff", "\ud800"):
        named = Corpus(corpus.offsets, forms.rename({"\U0001f600": sign}), corpus.layers)
        with pytest.raises(InputError, match="cannot be written as TigerXML"):
            write_bytes("tigerxml", named)


@pytest.mark.parametrize("encoding", ["ISO-8859-1", "windows-1252", "utf-8"])
def test_encodings(encoding: str) -> None:
    head = f"<?xml version='1.0' encoding='{encoding}'?>\n"
    text = sentence('<t id="a_1" word="Ärger" pos="NN"/>', head=head)
    corpus = read_bytes("tigerxml", text.encode(encoding))
    assert corpus.forms is not None
    assert corpus.forms.to_list() == ["Ärger", "z"]


@pytest.mark.parametrize(
    ("encoding", "what"),
    [("klingon", "unknown encoding"), ("hex", "not a text"), ("cp1252", "decode")],
)
def test_bad_encodings(encoding: str, what: str) -> None:
    head = f'<?xml version="1.0" encoding="{encoding}"?>\n'
    text = sentence('<t id="a_1" word="\x81" pos="NN"/>', head=head)
    with pytest.raises(FormatError, match=f"file:1: the file cannot be read in its enc.*{what}"):
        read_bytes("tigerxml", text.encode("latin-1"))


def test_formats_of_nodes_agree() -> None:
    corpus = read_bytes("export", EXPORT_4.encode())
    assert read_bytes("tigerxml", write_bytes("tigerxml", corpus)).layers == corpus.layers
    corpus = read(TIGERXML)
    assert read_bytes("export", write_bytes("export", corpus)) == corpus


def test_traces_and_labels() -> None:
    corpus = corpus_of("( (S (NP-SBJ (-NONE- *)) (VP-X (V-HD go) (-NONE- 0))))", "")
    back = read_bytes("tigerxml", write_bytes("tigerxml", corpus))
    assert back.layers == corpus.layers
    assert back.extras["empty"] == corpus.extras["empty"]
    assert back.extras["functions"] == corpus.extras["functions"]


BAD = {
    "a word without the attribute 'word'": (5, '<t id="a_1" pos="X"/>', ""),
    "the id 'a_1' occurs twice": (6, f"{WORD}\n{WORD}", ""),
    "an edge leads to 'a_9', which does not exist": (8, WORD, node("a_500", edge("a_9"))),
    "an edge leads to '', which does not exist": (8, WORD, node("a_500", '<edge label="x"/>')),
    "'a_1' has two parents": (
        9, WORD, node("a_500", edge("a_1")) + "\n" + node("a_501", edge("a_1")),
    ),
    "the constituent 'S' has no children": (8, WORD, node("a_500")),
    "<edge> is outside a constituent": (8, WORD, edge("a_1")),
    "the constituent 'B' is its own ancestor": (
        9, WORD,
        node("a_500", edge("a_1"), cat="A") + "\n" + node("a_501", edge("a_501"), cat="B"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("message", BAD)
def test_bad_sentences(message: str) -> None:
    line, words, nodes = BAD[message]
    text = sentence(words, nodes)
    with pytest.raises(FormatError) as caught:
        read(text)
    problem = caught.value.problems[0]
    assert (problem.message, problem.line, problem.sentence) == (message, line, "a")
    corpus = read(text, on_error="skip")
    assert corpus.skipped is not None
    assert corpus.skipped.tolist() == [True, False]
    assert corpus.forms is not None
    assert corpus.forms.to_list() == ["z"]
    assert corpus.sentence_id(1) == "b"


def test_broken_xml() -> None:
    text = sentence(WORD)
    for data, line in (
        (text[:-12], 12),
        (text.replace("<graph>\n", "<graph\n", 1), 4),
        ("<a>&b;</a>", 1),
    ):
        with pytest.raises(FormatError, match=rf"file:{line}: not well-formed XML"):
            read(data, on_error="skip")
    with pytest.raises(FormatError, match=rf"file:{2 + 12}: not well-formed XML"):
        read("\n\n" + text[:-12])


def test_other_xml() -> None:
    with pytest.raises(FormatError, match="file:1: this is not TigerXML"):
        read("<html><body>hello</body></html>")
    assert read("<corpus/>").sentence_count == 0


def test_words_outside_sentences() -> None:
    text = sentence(WORD).replace("<body>\n", f"<body>{WORD}{WORD}<nt/>\n")
    with pytest.raises(FormatError, match="file:2, sentence '1': <t> is outside a sentence"):
        read(text)
    corpus = read(text, on_error="skip")
    assert corpus.skipped is not None
    assert corpus.skipped.tolist() == [True, False, False]


LAUGHS = "<!DOCTYPE x [\n<!ENTITY a 'ha'>\n" + "".join(
    f"<!ENTITY {b} '&{a};&{a};&{a};&{a};&{a};&{a};&{a};&{a};&{a};&{a};'>\n"
    for a, b in zip("abcdefghij", "bcdefghijk", strict=True)
)  # fmt: skip


@pytest.mark.parametrize(
    ("head", "line", "message"),
    [
        (f"{LAUGHS}]>\n", 2, "the file declares an entity 'a'"),
        ("<!DOCTYPE x [<!ENTITY k SYSTEM 'file:///etc/passwd'>]>\n", 1, "declares an entity 'k'"),
        ("<!DOCTYPE x SYSTEM 'http://localhost/x.dtd'>\n", 6, "the entity &k; is not known"),
    ],
)
def test_entities_are_refused(head: str, line: int, message: str) -> None:
    text = sentence('<t id="a_1" word="&k;" pos="X"/>', head=head)
    with pytest.raises(FormatError, match=rf"file:{line}: .*{message}"):
        read(text)


def test_a_document_type_is_harmless() -> None:
    head = '<!DOCTYPE corpus SYSTEM "tiger.dtd">\n'
    corpus = read(sentence('<t id="a_1" word="&lt;&#228;" pos="X"/>', head=head))
    assert corpus.forms is not None
    assert corpus.forms.to_list() == ["<ä", "z"]


def test_what_is_not_read_is_noted() -> None:
    words = (
        '<t id="a_1" word="w" pos="X" case="nom" gender="f"><secedge label="x" idref="a_1"/></t>'
    )
    text = sentence(words).replace("<body>", "<head><meta/></head><body>")
    assert [p.message for p in read(text).problems if p.kind == "unread"] == [
        "1 secondary edge was not read",
        "attributes that were not read: 'case', 'gender'",
        "the header of the corpus was not read",
    ]


def test_large_trees() -> None:
    words = "\n".join(f'<t id="{i}" word="w{i}" pos="X"/>' for i in range(1, 10_001))
    nodes = [node("n1", *(edge(str(i)) for i in range(1, 10_001)))]
    nodes += [node(f"n{i}", edge(f"n{i - 1}")) for i in range(2, 5001)]
    corpus = read(sentence(words, "\n".join(nodes)))
    assert len(corpus.layer("trees", Trees).start) == 5000
    assert read_bytes("tigerxml", write_bytes("tigerxml", corpus)).layers == corpus.layers


def test_sniffs_by_its_elements() -> None:
    format = make("tigerxml")
    assert format.sniff(TIGERXML.encode()) > 0.9
    assert format.sniff(b"<corpus>\n<head>") > 0.8
    assert format.sniff(b"<html><head>") == 0
    assert format.sniff(b'{"a": "<corpus"}') == 0


def test_layers_of_words() -> None:
    corpus = read(TIGERXML)
    lemmas = corpus.layer("lemma", Tags).labels.to_list()
    assert lemmas == ["wer", "sehen", "_", "kommen", "_", "nein"]
