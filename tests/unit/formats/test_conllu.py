"""CoNLL-U: what is kept, what is refused and how it is said."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from strategies import CONLLU, read_bytes, write_bytes
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels
from tertium.corpus.layers import Arcs, EmptyNodes, Multiwords, Spaces, Tags
from tertium.exceptions import FormatError, InputError
from tertium.formats.base import Reading
from tertium.formats.files import read_stream

A = "1\ta\ta\tX\t_\t_\t0\troot\t_\t_\n"
B = "2\tb\tb\tX\t_\t_\t1\tdep\t_\t_\n"


def read(text: str, **options: object) -> Corpus:
    return read_bytes("conllu", text.encode(), **options)


def fails(text: str) -> list[tuple[int, str | None, str]]:
    """Line, sentence and message of every error."""
    with pytest.raises(FormatError) as caught:
        read(text)
    return [(p.line, p.sentence, p.message) for p in caught.value.problems]


def test_everything_is_kept_to_the_byte() -> None:
    assert write_bytes("conllu", read(CONLLU)).decode() == CONLLU


def test_layers_and_extras() -> None:
    corpus = read(CONLLU)
    assert list(corpus.layers) == ["lemma", "upos", "xpos", "feats", "deps"]
    assert corpus.offsets.tolist() == [0, 6, 8]
    assert corpus.layer("deps", Arcs).head.tolist() == [2, 0, 5, 5, 2, 2, 2, 0]
    multiwords = corpus.extras["multiwords"]
    assert isinstance(multiwords, Multiwords)
    assert (multiwords.start.tolist(), multiwords.end.tolist()) == ([2], [4])
    assert multiwords.form.to_list() == ["du"]
    empty = corpus.extras["empty"]
    assert isinstance(empty, EmptyNodes)
    assert (empty.after.tolist(), empty.minor.tolist()) == ([0, 4], [1, 1])
    spaces = corpus.extras["spaces"]
    assert isinstance(spaces, Spaces)
    assert spaces.after.tolist() == [True, True, False, True, False, True, True, True]
    assert corpus.metadata("genre") == ["tale", "tale"]
    assert corpus.metadata("sent_id") == ["w-1", "w-2"]
    assert corpus.documents.tolist() == [0]


def test_a_column_of_underscores_is_no_layer() -> None:
    assert list(read("1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n").layers) == []


def test_spaces_of_multiword_tokens_do_not_enter_misc() -> None:
    text = "1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_\n" + A + B + "\n"
    assert write_bytes("conllu", read(text)).decode() == text


def test_the_line_of_a_multiword_token_says_what_follows_it() -> None:
    text = "1-2\tdu\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n" + A + B
    assert read(text).space_after.tolist() == [False, False]


def test_space_after_from_elsewhere_is_written() -> None:
    corpus = read(A + B.replace("\t_\n", "\tSpaceAfter=No\n"))
    bare = replace(corpus, extras={"spaces": corpus.extras["spaces"]})
    assert b"dep\t_\tSpaceAfter=No\n" in write_bytes("conllu", bare)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (A + "2\tb\n", 2, "2 columns, expected 10"),
        (A + B.replace("\t", " "), 2, "1 column, expected 10 separated by tabs, not spaces"),
        (A + B.replace("2\t", "3\t", 1), 2, "ID is 3, expected 2"),
        (A + B.replace("2\t", "x\t", 1), 2, "ID is 'x', expected a number, a range or an"),
        (A + B.replace("2\t", "2-\t", 1), 2, "ID is '2-'"),
        ("1-3\tab\t_\t_\t_\t_\t_\t_\t_\t_\n" + A + B, 1, "multiword token 1-3 must begin"),
        ("2-3\tab\t_\t_\t_\t_\t_\t_\t_\t_\n" + A + B, 1, "multiword token 2-3 must begin"),
        ("2.1\tab\t_\t_\t_\t_\t_\t_\t_\t_\n" + A + B, 1, "empty node 2.1 is after word 0"),
        (A + B.replace("\t1\tdep", "\t3\tdep"), 2, "HEAD is 3, but the sentence has 2 words"),
        (A + B.replace("\t1\tdep", "\t-1\tdep"), 2, "HEAD is '-1', expected a number"),
        (A + B.replace("\t1\tdep", "\t_\tdep"), 2, "HEAD is missing ('_')"),
        (A + B.replace("\t1\tdep", "\t2\tdep"), 2, "word 2 is its own ancestor"),
        (A + B.replace("\tb\tb\t", "\tb\t\t"), 2, "column LEMMA is empty; CoNLL-U writes '_'"),
        (A + B.replace("\tb\tb\t", "\t\tb\t"), 2, "column FORM is empty"),
    ],
)
def test_messages(text: str, line: int, message: str) -> None:
    found = fails("# sent_id = s1\n" + text)
    assert len(found) == 1
    assert found[0][:2] == (line + 1, "s1")
    assert found[0][2].startswith(message)


def test_overlapping_ranges() -> None:
    line = "{}\tx\t_\t_\t_\t_\t_\t_\t_\t_\n"
    text = line.format("1-2") + A + line.format("2-3") + B + B.replace("2\t", "3\t", 1)
    assert "not overlap" in fails(text)[0][2]


def test_a_broken_line_is_one_problem() -> None:
    """The numbers after it are not wrong because it is missing."""
    assert [line for line, _, _ in fails(A + "2\tb\n" + B.replace("2\t", "3\t", 1))] == [2]


def test_sentence_is_named_by_number_without_id() -> None:
    assert fails(A + "\n" + B)[0][:2] == (3, "2")


def test_every_problem_is_collected() -> None:
    bad_head = B.replace("\t1\tdep", "\t7\tdep")
    found = fails("\n".join([A + bad_head, A + B, A + "2\tb\n", A + "x" + B]))
    assert [line for line, _, _ in found] == [2, 8, 11]


def test_every_problem_of_one_sentence_is_collected() -> None:
    rows = [
        "1\ta\ta\tX\t_\t_\t9\troot\t_\t_",  # head out of range
        "2\tb\tb\tX\t_\t_\t1\tdep\t_",  # nine columns
        "x\tc\tc\tX\t_\t_\t1\tdep\t_\t_",  # no id
        "4\td\td\tX\t_\t_\tup\tdep\t_\t_",  # head is no number
        "6\te\te\tX\t_\t_\t1\tdep\t_\t_",  # a number left out: one problem, not two
        "7\tf\tf\tX\t_\t_\t1\tdep\t_\t_",
    ]
    assert fails("\n".join(rows) + "\n\n") == [
        (1, "1", "HEAD is 9, but the sentence has 6 words"),
        (2, "1", "9 columns, expected 10"),
        (3, "1", "ID is 'x', expected a number, a range or an empty node"),
        (4, "1", "HEAD is 'up', expected a number"),
        (5, "1", "ID is 6, expected 5"),
    ]


def test_one_problem_per_cycle_and_many_cycles_at_once() -> None:
    row = "{}\tw\t_\t_\t_\t_\t{}\tdep\t_\t_\n"
    size = 40_000  # pairs that point at each other
    text = "".join(row.format(i, i + 1 if i % 2 else i - 1) for i in range(1, size + 1))
    corpus = read(text, on_error="repair")
    assert corpus.repaired == size // 2
    assert (corpus.layer("deps", Arcs).head == -1).sum() == size // 2


def test_skip_empties_the_sentence_and_keeps_its_place() -> None:
    text = "\n".join([A + B.replace("\t1\tdep", "\t7\tdep"), A + B, A + "2\tb\n", A])
    corpus = read(text, on_error="skip")
    assert corpus.offsets.tolist() == [0, 0, 2, 2, 3]
    assert corpus.skipped is not None
    assert corpus.skipped.tolist() == [True, False, True, False]
    assert corpus.layer("deps", Arcs).head.tolist() == [0, 1, 0]
    assert corpus.lines is not None
    assert corpus.lines.tolist() == [4, 5, 10]


def test_skip_leaves_out_ranges_and_empty_nodes_of_bad_sentences() -> None:
    bad = CONLLU.replace(
        "2\twalked\twalk\tVERB\tVBD\tTense=Past\t0", "2\twalked\twalk\tVERB\tVBD\t_\t9"
    )
    corpus = read(bad, on_error="skip")
    assert corpus.offsets.tolist() == [0, 0, 2]
    assert "multiwords" not in corpus.extras
    assert "empty" not in corpus.extras


def test_repair_mends_heads_and_empty_fields() -> None:
    text = A + B.replace("\t1\tdep", "\t7\tdep").replace("\tX\t", "\t\t") + "\n"
    corpus = read(text, on_error="repair")
    assert corpus.layer("deps", Arcs).head.tolist() == [0, -1]
    assert corpus.layer("upos", Tags).labels.to_list() == ["X", "_"]
    assert corpus.repaired == 2
    assert corpus.skipped is None
    assert len(corpus.problems) == 2


def test_skip_empties_sentences_with_empty_fields() -> None:
    corpus = read(A + B.replace("\tX\t", "\t\t") + "\n" + A, on_error="skip")
    assert corpus.offsets.tolist() == [0, 0, 1]
    assert corpus.repaired == 0


def test_comments_without_or_inside_a_sentence_are_noted() -> None:
    corpus = read("# alone\n\n" + A + "# inside\n" + B + "\n")
    assert [p.message for p in corpus.problems] == [
        "comment without a sentence",
        "comment inside a sentence",
    ]
    assert corpus.sentence_count == 1


def test_only_comments() -> None:
    with pytest.raises(FormatError, match="no sentence in the file, read as conllu"):
        read_stream(io.BytesIO(b"# sent_id = 1\n# text = a\n"), Reading(), format="conllu")


def test_conllu_plus_is_refused() -> None:
    with pytest.raises(FormatError, match=":1: the file has the columns ID FORM UPOS,"):
        read("# global.columns = ID FORM UPOS\n1\ta\tX\n")
    assert read("# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC\n" + A)


def test_another_format() -> None:
    with pytest.raises(FormatError, match="2 columns, expected 10; no line of the file") as caught:
        read("a\tX\nb\tY\n")
    assert "input_format" in (caught.value.help or "")


def test_needs() -> None:
    corpus = read(CONLLU, needs=frozenset(["upos", "misc"]))
    assert list(corpus.layers) == ["upos"]
    assert set(corpus.extras) == {"multiwords", "misc", "spaces"}


def test_what_cannot_be_written() -> None:
    corpus = read("# sent_id = s1\n" + A + B)
    for form in ("a\tb", "a\nb", "a\rb", "a\0b"):
        with pytest.raises(InputError, match=r"sentence 's1': .* cannot be written as form"):
            write_bytes("conllu", replace(corpus, forms=Labels.of(["x", form])))
    with pytest.raises(InputError, match="half a surrogate pair"):
        write_bytes("conllu", replace(corpus, forms=Labels.of(["x", "\ud800"])))
    with pytest.raises(InputError, match="sentence '2' has no words"):
        write_bytes("conllu", replace(corpus, offsets=np.array([0, 2, 2])))
    with pytest.raises(InputError, match="has no words and cannot be written as CoNLL-U"):
        write_bytes("conllu", replace(corpus, forms=None, atoms="indices", layers={}))


def test_real_treebank(shared: Path) -> None:
    for name in ("ewt/answers-train.conllu", "ewt-systems/udpipe-raw-test.conllu"):
        raw = (shared / "data" / name).read_bytes()
        assert write_bytes("conllu", read_bytes("conllu", raw)) == raw
