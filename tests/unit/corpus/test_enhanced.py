"""Enhanced graphs: the column DEPS as a graph."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from strategies import CONLLU, read_bytes
from tertium.corpus.corpus import Corpus
from tertium.corpus.enhanced import enhanced_graph
from tertium.corpus.layers import EmptyNodes
from tertium.exceptions import FormatError, InputError, LayerError

ROW = "{}\tw\tw\tX\t_\t_\t{}\tdep\t{}\t_\n"
ENHANCED = frozenset(["deps", "enhanced"])


def text(*cells: str) -> str:
    return "".join(ROW.format(i, i - 1, cell) for i, cell in enumerate(cells, 1)) + "\n"


def read(content: str, **options: object) -> Corpus:
    return read_bytes("conllu", content.encode(), **options)


def rows(corpus: Corpus) -> list[tuple[int, int, str]]:
    """Every edge as the places of word and head (-1 the root, -2 what is not there) and label."""
    graph = enhanced_graph(corpus)
    place = [*graph.place.tolist(), -2, -1]
    ends = zip(graph.target.tolist(), graph.source.tolist(), strict=True)
    return [
        (place[target], place[source], label)
        for (target, source), label in zip(ends, graph.label.to_list(), strict=True)
    ]


def test_edges_in_the_order_of_the_file() -> None:
    corpus = read(
        text("0:root", "1:conj:and|0:root", "_")
        + text("2:nsubj", "0:root|0:root", "1.1:conj|1:conj:en>obl:voor")
    )
    assert rows(corpus) == [
        (0, -1, "root"),
        (1, 0, "conj:and"),
        (1, -1, "root"),
        (3, 4, "nsubj"),
        (4, -1, "root"),
        (4, -1, "root"),
        (5, -2, "conj"),
        (5, 3, "conj:en>obl:voor"),
    ]
    graph = enhanced_graph(corpus)
    assert graph.top.tolist() == [True, True, False, False, True, False]
    assert graph.sentence.tolist() == [0, 0, 0, 1, 1, 1, 1, 1]
    assert enhanced_graph(corpus) is graph


HIDDEN = text("0:root", "2.1:nsubj", "2:b").replace(
    "3\tw", "2.1\te\te\tX\t_\t_\t_\t_\t1:conj:and|2.2:x\t_\n3\tw"
)


def test_empty_nodes_and_their_edges() -> None:
    corpus = read(text("0:root") + HIDDEN + HIDDEN)
    assert corpus.token_count == 7
    graph = enhanced_graph(corpus)
    assert graph.place.tolist() == [0, 1, 2, 3, 7, 4, 5, 6, 8]
    assert graph.node_sentence.tolist() == [0, 1, 1, 1, 1, 2, 2, 2, 2]
    first = [(1, -1, "root"), (2, 7, "nsubj"), (3, 2, "b"), (7, 1, "conj:and"), (7, -2, "x")]
    assert rows(corpus)[1:6] == first
    assert rows(corpus)[6:] == [
        (4, -1, "root"),
        (5, 8, "nsubj"),
        (6, 5, "b"),
        (8, 4, "conj:and"),
        (8, -2, "x"),
    ]
    bare = read(HIDDEN, needs=ENHANCED)
    assert rows(bare) == [(0, -1, "root"), (1, -2, "nsubj"), (2, 1, "b")]


@pytest.mark.parametrize("cell", ["x", "9:dep", "_"])
def test_cells_of_empty_nodes_that_cannot_be_read_give_no_edges(cell: str) -> None:
    corpus = read(HIDDEN.replace("1:conj:and|2.2:x", cell))
    assert rows(corpus) == [(0, -1, "root"), (1, 3, "nsubj"), (2, 1, "b")]


def test_an_empty_node_before_the_first_word() -> None:
    corpus = read(CONLLU)
    empty = corpus.extras["empty"]
    assert isinstance(empty, EmptyNodes)
    assert (8, 1, "advmod") in rows(corpus)
    assert (9, 1, "conj") in rows(corpus)


def test_chosen_graphs_are_those_of_chosen_sentences() -> None:
    corpus = read(text("0:root", "1:a") + HIDDEN + text("2:c", "0:root") + HIDDEN)
    whole = replace(corpus, layers={**corpus.layers, "graph": enhanced_graph(corpus)})
    for chosen in ([3, 0, 1], [1, 1], [2], [], [1, 2, 0, 0, 1, 2, 3]):
        taken = whole.take(chosen)
        assert taken.layers["graph"] == enhanced_graph(taken)


def test_chosen_and_repeated_sentences() -> None:
    corpus = read(text("0:root", "1:a") + text("_", "9.1:b") + text("2:c", "0:root"), check=True)
    last = corpus.take([2])
    assert rows(last) == [(0, 1, "c"), (1, -1, "root")]
    twice = corpus.take([2, 2])
    assert rows(twice)[2:] == [(2, 3, "c"), (3, -1, "root")]


def test_as_python_reads_them() -> None:
    """Against the plainest reading of random cells."""
    draw = random.Random(3)
    labels = ["root", "conj:and", "a:b:c", "x>y:z", "obl:на", "7"]
    sizes = [draw.randint(1, 30) for _ in range(400)]
    content, expected, base = [], [], 0
    for size in sizes:
        cells = []
        for word in range(size):
            edges = []
            for _ in range(draw.choice([0, 1, 1, 1, 2, 3])):
                head, label = draw.randint(0, size), draw.choice(labels)
                if draw.random() < 0.1:
                    edges.append(f"{head}.{draw.randint(1, 12)}:{label}")
                    expected.append((base + word, -2, label))
                else:
                    edges.append(f"{head}:{label}")
                    expected.append((base + word, base + head - 1 if head else -1, label))
            cells.append("|".join(edges) or "_")
        content.append(text(*cells))
        base += size
    assert rows(read("".join(content))) == expected


BAD = [
    "root",
    ":root",
    "0",
    "0:",
    "0:root|",
    "|0:root",
    "0:root||0:root",
    "_|0:root",
    "-1:dep",
    "+1:dep",
    " 1:dep",
    "x:dep",
    "1.:dep",
    ".1:dep",
    "1.1.1:dep",
    "1.x:dep",
    "1234567890:dep",
    "4294967297:dep",
]


@pytest.mark.parametrize("cell", BAD)
def test_malformed_cells(cell: str) -> None:
    content = "# sent_id = s1\n" + text("0:root", cell)
    corpus = read(content)
    assert [(p.kind, p.severity, p.line) for p in corpus.problems] == [("enhanced", "note", 3)]
    with pytest.raises(InputError, match=r"^test\.file:3, sentence 's1': DEPS is ") as caught:
        enhanced_graph(corpus)
    assert "expected head:relation" in caught.value.message
    with pytest.raises(FormatError, match="expected head:relation"):
        read(content, needs=ENHANCED)


@pytest.mark.parametrize("cell", ["3:dep", "1:dep|3:dep", "3.1:dep", "999999999:dep"])
def test_heads_outside_the_sentence(cell: str) -> None:
    content = text("0:root") + text("0:root", cell)
    with pytest.raises(InputError, match="but the sentence has 2 words"):
        enhanced_graph(read(content))
    with pytest.raises(FormatError, match=f":4, sentence '2': DEPS is '{cell}'"):
        read(content, needs=ENHANCED)


def test_bad_cells_are_errors_only_where_the_graph_is_asked_for() -> None:
    content = text("0:root", "x") + text("0:root", "1:a")
    assert [(p.severity, p.line) for p in read(content).problems] == [("note", 2)]
    assert read(content, needs=frozenset(["deps"])).problems == ()
    assert [p.severity for p in read(content, check=True).problems] == ["error"]


def test_skip_and_repair() -> None:
    content = text("0:root", "x") + text("0:root", "1:a")
    skipped = read(content, needs=ENHANCED, on_error="skip")
    assert skipped.offsets.tolist() == [0, 0, 2]
    assert rows(skipped) == [(0, -1, "root"), (1, 0, "a")]
    mended = read(content, needs=ENHANCED, on_error="repair")
    assert rows(mended) == [(0, -1, "root"), (2, -1, "root"), (3, 2, "a")]
    assert mended.repaired == 1
    assert read(content.replace("1:a", "_"), needs=ENHANCED, on_error="repair").repaired == 1


def test_more_than_one_bad_cell_is_counted() -> None:
    with pytest.raises(InputError, match="and 1 more"):
        enhanced_graph(read(text("0:root", "x", "y")))


def test_no_graphs() -> None:
    with pytest.raises(LayerError, match="has no enhanced graphs"):
        enhanced_graph(read(text("_", "_")))


def test_real_treebank(shared: Path) -> None:
    corpus = read((shared / "data" / "ewt" / "answers-dev.conllu").read_text(encoding="utf-8"))
    cells = corpus.extras["enhanced"].labels.to_list()  # type: ignore[attr-defined]
    written = [edge for cell in cells if cell != "_" for edge in cell.split("|")]
    of_words = [row for row in rows(corpus) if row[0] < corpus.token_count]
    to_empty = [head for _, head, _ in of_words if head >= corpus.token_count]
    assert len(of_words) == len(written)
    assert len(to_empty) == sum("." in edge.split(":")[0] for edge in written) > 0
    assert len(rows(corpus)) > len(of_words)
    assert -2 not in [head for _, head, _ in rows(corpus)]
    assert np.all(np.diff(enhanced_graph(corpus).sentence) >= 0)
