"""What the UD evaluation refuses; every case was tried with the script."""

from __future__ import annotations

import numpy as np
import pytest

from strategies import CONLLU, read_bytes
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels
from tertium.corpus.layers import Arcs
from tertium.formats.refusals import refusals

A = "1\ta\ta\tX\t_\t_\t0\troot\t_\t_\n"
B = "2\tb\tb\tX\t_\t_\t1\tdep\t_\t_\n"
ROOT = B.replace("\t1\tdep", "\t0\troot")


def read(text: str, **options: object) -> Corpus:
    return read_bytes("conllu", text.encode(), **options)


def kinds(corpus: Corpus, **options: bool) -> list[tuple[str, int]]:
    return [(p.kind, p.line) for p in refusals(corpus, **options)]


@pytest.mark.parametrize(
    "text",
    [
        CONLLU,
        A + "\n",
        (A + "\n").replace("\n", "\r\n"),
        A + "\r",
        A + "\n# at the end",
        A + "2\t\u200b" + B[3:] + "\n",
    ],
)
def test_what_is_taken(text: str) -> None:
    corpus = read(text)
    assert refusals(corpus) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (A, ("no-final-blank-line", 1)),
        (A + "\n\n", ("blank-lines", 3)),
        ("# a\n\n" + A + "\n", ("blank-lines", 1)),
        (A + "# a\n" + B + "\n", ("comment-inside", 2)),
        (A + "  \n", ("spaces-only-line", 2)),
        (A + "2\t\u00a0" + B[3:] + "\n", ("empty-form", 2)),
        ("\ufeff" + A + "\n", ("byte-order-mark", 1)),
        ("# a\rb\n" + A + "\n", ("carriage-return", 1)),
        ("0.1" + A[1:] + "\n" + A + "\n", ("no-words", 1)),
        (A.replace("0\troot", "_\t_") + "\n", ("head", 1)),
    ],
)
def test_what_is_refused(text: str, expected: tuple[str, int]) -> None:
    corpus = read(text)
    assert kinds(corpus) == [expected]


def test_roots() -> None:
    third = ROOT.replace("2\tb", "3\tc", 1)
    corpus = read(f"{A}\n# sent_id = s\n{A}{ROOT}{third}\n{A}{ROOT}\n", checks=frozenset())
    assert [(p.line, p.sentence, p.message) for p in refusals(corpus)] == [
        (5, "s", "words 1, 2 and 3 are all roots: a tree has one"),
        (9, "3", "words 1 and 2 are both roots: a tree has one"),
    ]
    assert refusals(corpus, several_roots_ok=True) == []


def test_sentences_keep_their_ids_where_comments_are_not_read() -> None:
    corpus = read(f"# sent_id = s\n{A}{ROOT}\n", checks=frozenset(), needs=frozenset(["deps"]))
    assert [(p.line, p.sentence) for p in refusals(corpus)] == [(3, "s")]


def test_no_root_and_no_head() -> None:
    forms, labels = Labels.of("ab"), Labels.of(["dep", "dep"])
    cycle = Corpus(np.array([0, 2]), forms, {"deps": Arcs(np.array([2, 1], np.int32), labels)})
    assert [p.message for p in refusals(cycle)] == ["no word of the sentence is its root"]
    assert refusals(cycle, several_roots_ok=True) != []
    mended = read(A + B.replace("\t1\tdep", "\t7\tdep") + "\n", on_error="repair")
    assert [(p.line, p.message) for p in refusals(mended)] == [(2, "the word has no head")]


def test_skipped_sentences_are_not_asked() -> None:
    corpus = read(A + ROOT + "\n" + A + B + "\n", on_error="skip")
    assert refusals(corpus) == []


def test_the_enhanced_graph_is_not_looked_at() -> None:
    corpus = read(A.replace("root\t_", "root\troot") + "\n")
    assert [p.kind for p in corpus.problems] == ["enhanced"]
    assert refusals(corpus) == []
