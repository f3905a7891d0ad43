"""Clusters of mentions in JSON and in Python."""

import json
from typing import Any

import pytest

from strategies import read_bytes, write_bytes
from tertium.corpus.corpus import Corpus
from tertium.corpus.layers import Chains, Tags
from tertium.exceptions import FormatError, InputError
from tertium.formats.files import sniff
from tertium.formats.objects import from_python

DOCUMENT = {
    "doc_key": "walk",
    "sentences": [["Ann", "saw", "her", "dog"], ["It", "slept"]],
    "clusters": [[[2, 3], [4, 4]], [], [[0, 0], [2, 2]]],
}


def read(*records: dict[str, Any], **options: Any) -> Corpus:
    return read_bytes("jsonl", "\n".join(map(json.dumps, records)).encode() + b"\n", **options)


def mentions(corpus: Corpus) -> list[tuple[int, int, int, str]]:
    chains = corpus.layer("coref", Chains)
    columns = chains.start, chains.end, chains.entity
    return [*zip(*(c.tolist() for c in columns), chains.name.to_list(), strict=True)]


FOUND = [(0, 1, 0, "1"), (2, 4, 1, "0"), (2, 3, 0, "1"), (4, 5, 1, "0")]


def test_mentions_stand_in_the_order_of_the_text() -> None:
    corpus = read(DOCUMENT)
    assert mentions(corpus) == FOUND
    assert corpus.offsets.tolist() == [0, 4, 6]
    assert corpus.document_names.to_list() == ["walk"]
    assert corpus.document_marks.tolist() == [True]
    assert read_bytes("jsonl", write_bytes("jsonl", corpus)) == corpus


def test_python_objects_are_read_alike() -> None:
    assert mentions(from_python([DOCUMENT])) == FOUND


def test_a_flat_list_of_tokens() -> None:
    tokens = [word for sentence in DOCUMENT["sentences"] for word in sentence]
    flat = {"id": "walk", "tokens": tokens, "clusters": DOCUMENT["clusters"]}
    assert mentions(read(flat)) == FOUND
    assert read(flat).offsets.tolist() == [0, 6]
    assert read(flat).document_names.to_list() == ["walk"]
    assert read({**flat, "sentence_map": [0, 0, 0, 0, 1, 1]}) == read(DOCUMENT)


def test_tags_metadata_and_what_is_not_read() -> None:
    pos = [["NNP", "VBD", "PRP$", "NN"], ["PRP", "VBD"]]
    more = {"pos": pos, "genre": "tale", "year": 3, "speakers": [["-"] * 4, ["-"] * 2]}
    corpus = read({**DOCUMENT, **more})
    assert corpus.layer("pos", Tags).labels.to_list() == [*pos[0], *pos[1]]
    assert corpus.metadata("genre") == ["tale", "tale"]
    assert [p.message for p in corpus.problems] == ["key 'speakers' was not read (1 time)"]
    written = json.loads(write_bytes("jsonl", corpus))
    assert (written["genre"], written["year"], written["pos"]) == ("tale", 3, pos)
    assert written["clusters"] == [[[2, 3], [4, 4]], [[0, 0], [2, 2]]]


BAD = {
    "no list": ({"clusters": {"a": 1}}, "'clusters' is an object, expected a list of lists"),
    "null": ({"clusters": None}, "'clusters' is null, expected a list of lists"),
    "number": ({"clusters": [3]}, "cluster 1 is a number, expected a list of mentions"),
    "no pair": ({"clusters": [[[1]]]}, "the mention [1] is not [first token, last token]"),
    "text": ({"clusters": [[["a", "b"]]]}, 'the mention ["a", "b"] is not a pair of whole'),
    "truth": ({"clusters": [[[True, 1]]]}, "the mention [true, 1] is not a pair of whole"),
    "beyond": ({"clusters": [[[0, 6]]]}, "the mention [0, 6] is beyond the text of 6 tokens"),
    "backwards": ({"clusters": [[[2, 1]]]}, "the mention [2, 1] ends before it begins"),
    "negative": ({"clusters": [[[-1, 1]]]}, "the mention [-1, 1] ends before it begins, or begins"),
    "words": ({"sentences": [[1, 2]]}, "'sentences' is a list that holds something else"),
    "twice": ({}, "it is in the file twice (first in line 1)"),
}
MENDED = {"no pair", "text", "truth", "beyond", "backwards", "negative"}


@pytest.mark.parametrize("kind", BAD)
def test_bad_input(kind: str) -> None:
    change, message = BAD[kind]
    bad = {**DOCUMENT, "doc_key": "walk" if kind == "twice" else "b", **change}
    files = [DOCUMENT, bad, {**DOCUMENT, "doc_key": "c"}]
    with pytest.raises(FormatError) as caught:
        read(*files)
    (problem,) = caught.value.problems
    assert message in problem.message
    assert problem.message.startswith(f"document '{bad['doc_key']}': ")
    assert problem.line == 2
    skipped = read(*files, on_error="skip")
    assert skipped.skipped is not None
    document = skipped.document_of_sentence[skipped.skipped].tolist()
    assert set(document) == {1}
    assert len(mentions(skipped)) == 8
    repaired = read(*files, on_error="repair")
    assert (repaired.skipped is None, repaired.repaired) == (kind in MENDED, int(kind in MENDED))


def test_a_document_without_clusters_is_an_error() -> None:
    with pytest.raises(FormatError, match="document 'b': there is no 'clusters'"):
        read(DOCUMENT, {"doc_key": "b", "sentences": [["a"]]})


def test_sniffed_even_if_the_first_line_is_long() -> None:
    long = {"doc_key": "a", "sentences": [["word"] * 40_000], "clusters": []}
    assert sniff(json.dumps(long).encode()[: 1 << 16]).id == "jsonl"
    assert sniff(json.dumps(DOCUMENT).encode(), "x.txt").id == "jsonl"


def test_mentions_with_gaps_are_refused() -> None:
    data = b"1\ta\t_\t_\t_\t_\t_\t_\t_\tEntity=(e1[1/2])\n2\tb\t_\t_\t_\t_\t_\t_\t_\t_\n"
    data += b"3\tc\t_\t_\t_\t_\t_\t_\t_\tEntity=(e1[2/2])\n\n"
    corpus = read_bytes("conllu", data)
    chains = read_bytes("conll2012", write_bytes("conll2012", corpus)).layer("coref", Chains)
    assert chains.end.tolist() == [3]
    from tertium.formats.coref.corefud import entity_chains

    found = entity_chains(corpus)
    assert found is not None
    with pytest.raises(InputError, match="mentions with gaps"):
        write_bytes("jsonl", Corpus(corpus.offsets, corpus.forms, {"coref": found}))
