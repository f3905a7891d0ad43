"""GUM's coreference layers."""

import pytest

from strategies import read_bytes, write_bytes
from tertium.corpus.layers import Chains
from tertium.exceptions import FormatError

TYPED = b"""\
# begin document GUM_walk
0\tAnn\t(person-1-Ann_Bo(person-1-Ann_Bo)
1\t's\t_
2\tdog\t(animal-2)person-1-Ann_Bo)
3\t,\t(place-3-A%2C_B+1)
# end document

"""


def test_types_are_labels_and_names_are_kept() -> None:
    chains = read_bytes("gumcoref", TYPED).layer("coref", Chains)
    assert chains.label.to_list() == ["person", "person", "animal", "place"]
    assert chains.name.to_list() == [
        "person-1-Ann_Bo", "person-1-Ann_Bo", "animal-2", "place-3-A%2C_B+1",
    ]  # fmt: skip
    assert chains.start.tolist() == [0, 0, 2, 3]
    assert chains.end.tolist() == [3, 1, 3, 4]
    assert chains.entity.tolist() == [0, 0, 1, 2]


def test_numbers_have_no_type() -> None:
    data = b"# begin document \n0\tAnn\t(1)\n1\tBo\t_\n# end document\n"
    corpus = read_bytes("gumcoref", data, origin="x/GUM_talk.conll")
    assert corpus.layer("coref", Chains).label.to_list() == [""]
    assert corpus.document_names.to_list() == ["GUM_talk"]
    assert corpus.offsets.tolist() == [0, 2]


def test_entities_of_other_formats_are_named_by_their_type() -> None:
    data = b"# global.Entity = eid-etype\n1\ta\t_\t_\t_\t_\t_\t_\t_\tEntity=(e5-person)(e6)\n\n"
    written = write_bytes("gumcoref", read_bytes("conllu", data))
    assert b"0\ta\t(person-1)(2)\n" in written


def test_blank_lines_separate_sentences_and_numbers_go_on() -> None:
    data = TYPED.replace(b"2\tdog", b"\n2\tdog")
    corpus = read_bytes("gumcoref", data)
    assert corpus.offsets.tolist() == [0, 2, 4]
    written = write_bytes("gumcoref", corpus)
    assert b"\n\n2\tdog\t" in written
    assert read_bytes("gumcoref", written) == corpus


def test_bad_input_names_document_and_line() -> None:
    with pytest.raises(FormatError, match=r"test\.file:4, .*closed here but not open in document"):
        read_bytes("gumcoref", TYPED.replace(b"(person-1-Ann_Bo(", b"("))
    with pytest.raises(FormatError, match="2 columns, expected 3 or more"):
        read_bytes("gumcoref", TYPED.replace(b"1\t's\t_", b"1\t's"))
