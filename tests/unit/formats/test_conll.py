"""How sentences stand in a CoNLL-U file: what is read but noted."""

from __future__ import annotations

import pytest

from strategies import read_bytes
from tertium.corpus.corpus import Corpus
from tertium.formats.base import SHOWN_NOTES

A = "1\ta\ta\tX\t_\t_\t0\troot\t_\t_\n"
B = "2\tb\tb\tX\t_\t_\t1\tdep\t_\t_\n"
NODE = "0.1\te\t_\t_\t_\t_\t_\t_\t_\t_\n"
RANGE = "1-2\t{}\t_\t_\t_\t_\t_\t_\t_\t_\n"
NBSP = "\u00a0"

# What needs says must not matter: the notes are about the file.
NEEDS = pytest.mark.parametrize("needs", [None, frozenset(["upos"])])


def notes(text: str, needs: frozenset[str] | None = None) -> list[tuple[str, int, str | None]]:
    corpus = read_bytes("conllu", text.encode(), needs=needs)
    assert all(p.severity == "note" for p in corpus.problems)
    return [(p.kind, p.line, p.sentence) for p in corpus.problems]


@NEEDS
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (A + B + "\n", []),
        (A + B, [("no-final-blank-line", 2, "1")]),
        ((A + B)[:-1], [("no-final-blank-line", 2, "1")]),
        (A + "\n# sent_id = s\n" + A, [("no-final-blank-line", 4, "s")]),
        ("\n" + A + "\n", [("blank-lines", 1, None)]),
        ("\n\n\n" + A + "\n", [("blank-lines", 1, None)]),
        (A + "\n\n" + A + "\n", [("blank-lines", 3, None)]),
        (A + "\n\n\n\n" + A + "\n", [("blank-lines", 3, None)]),
        (A + "\n\n", [("blank-lines", 3, None)]),
        ("# a\n# b\n\n" + A + "\n", [("blank-lines", 1, None)]),
        (A + "\n# a\n\n", [("blank-lines", 3, None)]),
        (A + "\n# a\n", [("note", 3, None)]),  # which the evaluation takes
        (A + "# x\n# y\n" + B + "\n", [("comment-inside", 2, "1")]),
        (NODE + "# x\n" + A + "\n", [("comment-inside", 2, "1")]),
        (A + "# x\n\n", [("comment-inside", 2, "1")]),
        (A + "# x\n", [("comment-inside", 2, "1"), ("no-final-blank-line", 2, "1")]),
        (A + " \n", [("spaces-only-line", 2, None)]),
        (A + "\t\n" + A + "\n", [("spaces-only-line", 2, None)]),
        (A + "\n \t \n" + A + "\n", [("spaces-only-line", 3, None)]),
        (A + "2\t" + NBSP + B[3:] + "\n", [("empty-form", 2, "1")]),
        (A + "2\t \u3000\u2003" + B[3:] + "\n", [("empty-form", 2, "1")]),
        (A + "2\t\u3001" + B[3:] + "\n", []),  # begins with the bytes of U+3000, almost
        (A + "2\t b" + B[3:] + "\n", []),
        (RANGE.format(NBSP) + A + B + "\n", [("empty-form", 1, "1")]),
        (RANGE.format("") + A + B + "\n", [("empty-form", 1, "1")]),
        (RANGE.format("ab") + A + "2\t" + NBSP + B[3:] + "\n", []),
        (NODE + "\n" + A + "\n", [("no-words", 1, "1")]),
        ("\ufeff" + A + "\n", [("byte-order-mark", 1, None)]),
        ("# a\rb\n" + A + "\n", [("carriage-return", 1, None)]),
        ((A + "\n").replace("\n", "\r\n"), [("note", 1, None)]),
    ],
)
def test_kinds(
    text: str, expected: list[tuple[str, int, str | None]], needs: frozenset[str] | None
) -> None:
    assert notes(text, needs) == expected


def test_one_note_on_the_end_of_the_file() -> None:
    corpus = read_bytes("conllu", (A + B)[:-1].encode())
    expected = ["no newline and no blank line after the last sentence"]
    assert [p.message for p in corpus.problems] == expected


def test_the_line_of_a_carriage_return() -> None:
    assert notes(A + "\n# a\rb\n" + A + "\n") == [("carriage-return", 3, None)]


def test_no_more_than_a_few_of_each_kind() -> None:
    corpus: Corpus = read_bytes("conllu", (A + "\n\n").encode() * 1000)
    assert len(corpus.problems) == SHOWN_NOTES + 1
    last = corpus.problems[-1]
    assert last.line == 3 * (SHOWN_NOTES + 1)
    assert last.message.startswith(f"{1000 - SHOWN_NOTES} more such places from here on: blank")


def test_conllx_is_not_told_about_blank_lines() -> None:
    assert read_bytes("conllx", ("\n" + A + B).encode()).problems == ()
