"""Enhanced graphs: the column DEPS as edges."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from strategies import CONLLU, read_bytes
from tertium.corpus.corpus import Corpus, concatenate_corpora
from tertium.corpus.enhanced import Edges, enhanced_edges
from tertium.exceptions import FormatError, InputError, LayerError

ROW = "{}\tw\tw\tX\t_\t_\t{}\tdep\t{}\t_\n"
ENHANCED = frozenset(["deps", "enhanced"])


def text(*cells: str) -> str:
    return "".join(ROW.format(i, i - 1, cell) for i, cell in enumerate(cells, 1)) + "\n"


def read(content: str, **options: object) -> Corpus:
    return read_bytes("conllu", content.encode(), **options)


def rows(edges: Edges) -> list[tuple[int, int, str]]:
    return list(zip(edges.word.tolist(), edges.head.tolist(), edges.label.to_list(), strict=True))


def test_edges_in_the_order_of_the_file() -> None:
    corpus = read(
        text("0:root", "1:conj:and|0:root", "_")
        + text("2:nsubj", "0:root|0:root", "1.1:conj|1:conj:en>obl:voor")
    )
    edges = enhanced_edges(corpus)
    assert rows(edges) == [
        (0, -1, "root"),
        (1, 0, "conj:and"),
        (1, -1, "root"),
        (3, 4, "nsubj"),
        (4, -1, "root"),
        (4, -1, "root"),
        (5, 3, "conj:en>obl:voor"),
    ]
    assert edges.to_empty == 1
    assert len(edges) == 7
    assert enhanced_edges(corpus) is edges


def test_edges_of_empty_nodes_are_left_out() -> None:
    assert rows(enhanced_edges(read(CONLLU)))[:2] == [(0, 1, "nsubj"), (1, -1, "root")]
    assert len(enhanced_edges(read(CONLLU))) == 8


def test_chosen_and_joined_sentences() -> None:
    corpus = read(text("0:root", "1:a") + text("_", "9.1:b") + text("2:c", "0:root"), check=True)
    last = corpus.take([2])
    assert rows(enhanced_edges(last)) == [(0, 1, "c"), (1, -1, "root")]
    twice = concatenate_corpora([last, last])
    assert rows(enhanced_edges(twice))[2:] == [(2, 3, "c"), (3, -1, "root")]


def test_as_python_reads_them() -> None:
    """Against the plainest reading of random cells."""
    draw = random.Random(3)
    labels = ["root", "conj:and", "a:b:c", "x>y:z", "obl:на", "7"]
    sizes = [draw.randint(1, 30) for _ in range(400)]
    content, expected, to_empty, base = [], [], 0, 0
    for size in sizes:
        cells = []
        for word in range(size):
            edges = []
            for _ in range(draw.choice([0, 1, 1, 1, 2, 3])):
                head, label = draw.randint(0, size), draw.choice(labels)
                if draw.random() < 0.1:
                    edges.append(f"{head}.{draw.randint(1, 12)}:{label}")
                    to_empty += 1
                else:
                    edges.append(f"{head}:{label}")
                    expected.append((base + word, base + head - 1 if head else -1, label))
            cells.append("|".join(edges) or "_")
        content.append(text(*cells))
        base += size
    found = enhanced_edges(read("".join(content)))
    assert rows(found) == expected
    assert found.to_empty == to_empty


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
        enhanced_edges(corpus)
    assert "expected head:relation" in caught.value.message
    with pytest.raises(FormatError, match="expected head:relation"):
        read(content, needs=ENHANCED)


@pytest.mark.parametrize("cell", ["3:dep", "1:dep|3:dep", "3.1:dep", "999999999:dep"])
def test_heads_outside_the_sentence(cell: str) -> None:
    content = text("0:root") + text("0:root", cell)
    with pytest.raises(InputError, match="but the sentence has 2 words"):
        enhanced_edges(read(content))
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
    assert rows(enhanced_edges(skipped)) == [(0, -1, "root"), (1, 0, "a")]
    mended = read(content, needs=ENHANCED, on_error="repair")
    assert rows(enhanced_edges(mended)) == [(0, -1, "root"), (2, -1, "root"), (3, 2, "a")]
    assert mended.repaired == 1
    assert read(content.replace("1:a", "_"), needs=ENHANCED, on_error="repair").repaired == 1


def test_more_than_one_bad_cell_is_counted() -> None:
    with pytest.raises(InputError, match="and 1 more"):
        enhanced_edges(read(text("0:root", "x", "y")))


def test_no_graphs() -> None:
    with pytest.raises(LayerError, match="has no enhanced graphs"):
        enhanced_edges(read(text("_", "_")))


def test_real_treebank(shared: Path) -> None:
    corpus = read((shared / "data" / "ewt" / "answers-dev.conllu").read_text(encoding="utf-8"))
    edges = enhanced_edges(corpus)
    cells = corpus.extras["enhanced"].labels.to_list()  # type: ignore[attr-defined]
    written = [edge for cell in cells if cell != "_" for edge in cell.split("|")]
    assert len(edges) + edges.to_empty == len(written)
    assert edges.to_empty == sum("." in edge.split(":")[0] for edge in written)
    assert np.all(np.diff(edges.word) >= 0)
