"""Entities in MISC of CoNLL-U."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from strategies import COREFUD, read_bytes, write_bytes
from tertium.corpus.corpus import Corpus
from tertium.corpus.layers import Chains, EmptyNodes
from tertium.exceptions import FormatError
from tertium.formats.coref.corefud import entity_chains

ASKED = frozenset({"coref"})


def read(data: str, **options: Any) -> Corpus:
    return read_bytes("conllu", data.encode(), **options)


def chains_in(data: str | Corpus) -> Chains:
    found = entity_chains(data if isinstance(data, Corpus) else read(data))
    assert found is not None
    return found


def sentence(*misc: str) -> str:
    """Words without anything but MISC; a node where that begins with a dot."""
    lines, word, node = [], 0, 0
    for value in misc:
        word, node = (word, node + 1) if value.startswith(".") else (word + 1, 0)
        number = f"{word}.{node}" if node else f"{word}"
        lines.append(f"{number}\tw\t_\t_\t_\t_\t_\t_\t_\t{value.lstrip('.')}")
    return "\n".join(lines) + "\n\n"


def test_everything_in_brackets() -> None:
    chains = chains_in(COREFUD)
    assert chains.name.to_list() == ["e1", "e2", "e3", "e1", "e1", "e3"]
    assert chains.label.to_list() == ["person", "event", "animal", "person", "person", "animal"]
    assert chains.start.tolist() == [0, 1, 2, 2, 4, 5]
    assert chains.end.tolist() == [1, 3, 4, 3, 4, 6]
    assert chains.entity.tolist() == [0, 1, 2, 0, 0, 2]
    assert chains.sentence.tolist() == [0, 0, 0, 0, 0, 1]
    assert chains.head is not None
    assert chains.head.tolist() == [0, -2, 3, 2, -2, 5]
    assert chains.zeros is not None
    assert [chains.zeros[row].tolist() for row in range(6)] == [[], [0], [], [], [0], []]
    assert chains.tokens is None  # the gap is between a word and a node


def test_no_entities_are_no_chains() -> None:
    assert entity_chains(read(sentence("_", "SpaceAfter=No"))) is None


def test_parts_of_mentions_with_gaps() -> None:
    cells = (
        "Entity=(e1[1/2]-x",
        "Entity=e1[1/2])",
        "_",
        "Entity=(e1[2/2]-x(e1-x)",
        "Entity=e1[2/2])",
    )
    chains = chains_in(sentence(*cells))
    assert chains.tokens is not None
    assert [chains.tokens[row].tolist() for row in (0, 1)] == [[0, 1, 3, 4], [0]]
    assert (chains.start.tolist(), chains.end.tolist()) == ([0, 3], [5, 4])


def test_nodes_count_among_the_words_of_a_mention() -> None:
    header = "# global.Entity = eid-etype-head-other\n"
    chains = chains_in(header + sentence("Entity=(e1--2-", ".Entity=(e2--1-)", "Entity=e1)"))
    assert chains.head is not None
    assert chains.head.tolist() == [2, 2]  # two words, so the node is place 2
    assert chains.zeros is not None
    assert chains.zeros[0].tolist() == [0]
    assert chains.start.tolist() == [0, 1]
    assert chains.end.tolist() == [2, 1]


def test_the_header_says_what_parts_are() -> None:
    header = "# global.Entity = GRP-etype-infstat-minspan-link\n"
    chains = chains_in(header + sentence("Entity=(7-person-new-2-coref", "Entity=7)(8-x-new-1,2)"))
    assert chains.label.to_list() == ["person", "x"]
    assert chains.name.to_list() == ["7", "8"]
    assert chains.head is not None
    assert chains.head.tolist() == [1, -2]


BAD = {
    "open": (("Entity=(e1", "_"), 1, "entity e1 is opened here and never closed"),
    "closed": (("_", "Entity=e1)"), 2, "entity e1 is closed here but not open"),
    "text": (("Entity=e1", "_"), 1, "Entity is 'e1', expected brackets"),
    "no name": (("Entity=(-x)", "_"), 1, "Entity is '(-x)', expected brackets"),
    "part": (("Entity=(e1[2/2])", "_"), 1, "part 2 of 2 of entity e1 is here, but none before it"),
    "no part": (("Entity=(e1[1/2])", "_"), 1, "part 2 of 2 of entity e1 is missing"),
    "node": (("_", ".Entity=(e1"), 2, "entity e1 is opened here and never closed"),
}


@pytest.mark.parametrize("kind", BAD)
def test_bad_input(kind: str) -> None:
    cells, line, message = BAD[kind]
    bad = "# newdoc id = b\n" + sentence("Entity=(e5)", "_") + sentence(*cells)
    good = ["# newdoc id = a\n" + sentence("Entity=(e9)"), "# newdoc id = c\n" + sentence("_")]
    data = good[0] + bad + good[1]
    line += 7
    for how in ({"needs": ASKED}, {}, {"checks": ASKED}):
        with pytest.raises(FormatError) as caught:
            read(data, **how)
        (problem,) = caught.value.problems
        assert message in problem.message
        assert problem.line == line
    assert [p.line for p in read(data, check=True).problems if p.severity == "error"] == [line]
    (note,) = read(data, checks=frozenset()).problems
    assert (note.kind, note.severity, note.line) == ("entity", "note", line)
    assert not read(data, needs=frozenset({"deps"})).problems
    skipped = read(data, needs=ASKED, on_error="skip")
    assert skipped.skipped is not None
    assert skipped.skipped.tolist() == [False, True, True, False]
    assert chains_in(skipped).name.to_list() == ["e9"]
    repaired = read(data, needs=ASKED, on_error="repair")
    assert (repaired.skipped, repaired.repaired) == (None, 1)
    assert chains_in(repaired).name.to_list()[:2] == ["e9", "e5"]


def test_a_bad_sentence_takes_its_document_with_it() -> None:
    data = "# newdoc id = a\n" + sentence("Entity=(e1") + sentence("Entity=e1)")
    data += "1\tx\n\n# newdoc id = b\n" + sentence("Entity=(e2)")
    corpus = read(data, needs=ASKED, on_error="skip")
    assert corpus.skipped is not None
    assert corpus.skipped.tolist() == [True, True, True, False]
    corpus = read(data, on_error="skip", checks=frozenset())
    assert corpus.skipped is not None
    assert corpus.skipped.tolist() == [False, False, True, False]


def test_several_entities_in_a_cell_are_all_read() -> None:
    assert chains_in(sentence("Entity=(e1-x)|A=b|Entity=(e2-x)")).name.to_list() == ["e1", "e2"]


def test_a_part_with_a_number_that_cannot_be_is_a_name() -> None:
    name = f"e1[{'9' * 5000}/2]"
    assert chains_in(sentence(f"Entity=({name}-x)")).name.to_list() == [name]


def test_an_entity_that_is_never_a_bracket_is_something_else() -> None:
    corpus = read(sentence("Entity=person", "Entity=place"))
    assert entity_chains(corpus) is None
    assert not corpus.problems


def test_ids_of_several_documents_are_entities_of_each() -> None:
    data = "".join(f"# newdoc id = {d}\n" + sentence("Entity=(e1)", "Entity=(e2)") for d in "ab")
    corpus = read(data, needs=ASKED)
    assert chains_in(corpus).entity.tolist() == [0, 1, 0, 1]
    (note,) = corpus.problems
    assert note.message.startswith("2 entity ids in several documents, such as 'e1'")


def test_split_antecedents_are_counted() -> None:
    notes = [p.message for p in read(COREFUD, needs=ASKED).problems]
    assert notes == ["1 split antecedent was not read"]


def test_chains_are_written_and_read_again() -> None:
    """With heads, empty nodes, gaps and types, under the names they have."""
    corpus = read(COREFUD)
    chains = chains_in(corpus)
    bare = {name: layer for name, layer in corpus.extras.items() if name in ("empty", "comments")}
    nodes = bare["empty"]
    assert isinstance(nodes, EmptyNodes)
    fields = nodes.fields.rename({f: f.rpartition("\t")[0] + "\t_" for f in nodes.fields.names})
    bare["empty"] = replace(nodes, fields=fields)
    made = Corpus(corpus.offsets, corpus.forms, {"coref": chains}, bare)
    written = write_bytes("conllu", made)
    assert b"Entity=(e2[2/2]-event)(e1-person)" in written
    assert chains_in(read_bytes("conllu", written)) == chains


def test_documents_of_other_formats_get_marks_and_unique_ids() -> None:
    data = "".join(f"#begin document ({d});\n{d} (1\n{d} 1)\n#end document\n" for d in "ab")
    written = write_bytes("conllu", read_bytes("conll2012", data.encode()))
    lines = written.decode().splitlines()
    assert lines[:2] == ["# newdoc id = a", "# global.Entity = eid-etype-head-other"]
    again = read_bytes("conllu", written, needs=ASKED)
    assert again.document_names.to_list() == ["a", "b"]
    assert chains_in(again).name.to_list() == ["e1", "e2"]
    assert not again.problems
    one = read_bytes("conll2012", b"#begin document (a);\na (7)\n#end document\n")
    assert b"Entity=(7)" in write_bytes("conllu", one)


def test_types_are_escaped() -> None:
    cells = read(sentence("Entity=(e1-a%2Db-1)", "_"))
    assert chains_in(cells).label.to_list() == ["a-b"]
    made = Corpus(cells.offsets, cells.forms, {"coref": chains_in(cells)})
    assert b"Entity=(e1-a%2Db-1)" in write_bytes("conllu", made)
    assert np.array_equal(chains_in(cells).start, [0])
