"""Choosing and joining sentences, for every layer: against a description of each sentence alone."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from strategies import annotated
from tertium.corpus.corpus import Corpus
from tertium.corpus.layers import Arcs, Chains, Comments, EmptyNodes, Graph, Layer, Spans, Trees

Plain = dict[str, list[Any]]


def described(corpus: Corpus) -> list[Plain]:
    """Each sentence with all its annotation, numbers counted from the sentence's own beginning."""
    return [
        {
            name: _rows(corpus, layer, sentence)
            for name, layer in {**corpus.layers, **corpus.extras}.items()
        }
        for sentence in range(corpus.sentence_count)
    ]


def _rows(corpus: Corpus, layer: Layer, sentence: int) -> list[Any]:
    first, last = corpus.offsets[sentence : sentence + 2].tolist()
    if isinstance(layer, Graph):
        return _graph(corpus, layer, sentence)
    if isinstance(layer, Arcs):
        return list(zip(layer.head[first:last], layer.label.to_list()[first:last], strict=True))
    if isinstance(layer, Comments):
        return [layer.text[i] for i in range(len(layer.text)) if layer.sentence[i] == sentence]
    if isinstance(layer, EmptyNodes):
        return [layer.fields[i] for i in range(len(layer.after)) if layer.sentence[i] == sentence]
    if isinstance(layer, Spans):
        return _spans(corpus, layer, sentence)
    return layer.labels.to_list()[first:last]  # type: ignore[attr-defined,no-any-return]


def _spans(corpus: Corpus, layer: Spans, sentence: int) -> list[Any]:
    begin = int(corpus.offsets[sentence])
    of_row = layer.sentence_of_row(corpus.offsets).tolist()
    mine = [row for row, s in enumerate(of_row) if s == sentence]
    sets = layer.token_sets()
    found: list[Any] = []
    for row in mine:
        one = [int(layer.start[row]) - begin, int(layer.end[row]) - begin, layer.label[row]]
        one.append(sets[row].tolist())
        if isinstance(layer, Trees):
            parent = int(layer.parent[row])
            one += [layer.function[row], mine.index(parent) if parent >= 0 else -1]
        if isinstance(layer, Chains):
            one += [int(layer.entity[row]), layer.name[row]]
        found.append(one)
    return found


def _graph(corpus: Corpus, layer: Graph, sentence: int) -> list[Any]:
    nodes = [row for row, s in enumerate(layer.node_sentence.tolist()) if s == sentence]
    edges = [row for row, s in enumerate(layer.sentence.tolist()) if s == sentence]

    def place(row: int) -> Any:
        value = int(layer.place[row])
        if value < corpus.token_count:
            return value - int(corpus.offsets[sentence]) if value >= 0 else ("nothing", value)
        empty = corpus.extras["empty"]
        assert isinstance(empty, EmptyNodes)
        number = value - corpus.token_count
        assert empty.sentence[number] == sentence
        return "empty", empty.fields[number]

    def node(row: int) -> int:
        return nodes.index(row) if row >= 0 else row

    assert layer.node_label is not None
    return [
        [(place(row), bool(layer.top[row]), layer.node_label[row]) for row in nodes],
        [
            (node(int(layer.source[row])), node(int(layer.target[row])), layer.label[row])
            for row in edges
        ],
    ]


def entities(corpus: Corpus) -> list[tuple[int, int]]:
    """Of every mention: its document and entity."""
    chains = corpus.layer("chains", Chains)
    documents = corpus.document_of_sentence[chains.sentence].tolist()
    return list(zip(documents, chains.entity.tolist(), strict=True))


@given(data=st.data(), corpus=annotated())
def test_take(data: st.DataObject, corpus: Corpus) -> None:
    """In any order, sentences left out and repeated."""
    numbers = st.integers(0, corpus.sentence_count - 1)
    chosen = data.draw(st.lists(numbers, max_size=6))
    taken, before = corpus.take(chosen), described(corpus)
    assert described(taken) == [before[sentence] for sentence in chosen]
    assert taken.take(range(len(chosen))) == taken
    assert taken.document_count >= bool(chosen)
    marks = corpus.document_marks[corpus.document_of_sentence[chosen]] if chosen else []
    assert taken.document_marks[taken.document_of_sentence].tolist() == list(marks)


@given(corpus=annotated())
def test_repeated_documents_stay_apart(corpus: Corpus) -> None:
    numbers = list(range(corpus.sentence_count))
    twice = corpus.take(numbers * 2)
    assert twice.document_count == 2 * corpus.document_count
    assert len(set(entities(twice))) == 2 * len(set(entities(corpus)))
