"""A text that has no sentences, in those of another."""

from dataclasses import replace

import numpy as np
import pytest

from document_pairs import corpus
from tertium.corpus.corpus import Corpus
from tertium.corpus.divide import divide, is_undivided
from tertium.corpus.labels import Labels
from tertium.corpus.layers import Arcs, Chains, Comments, EmptyNodes, Layer

PLAIN = corpus("x", "a:Ada/B-PER met Bob/B-PER . He left .", "b:Go !")


def chained() -> Corpus:
    """With mentions of tokens 3 to 4, across a boundary, and 7 to 8."""
    numbers = np.array([[3, 5], [7, 8]], np.int32)
    chains = Chains(
        numbers[:, 0],
        numbers[:, 1],
        Labels.of(["", ""]),
        entity=np.zeros(2, np.int32),
        name=Labels.of("11"),
        sentence=np.array([0, 1], np.int32),
    )
    comments = Comments(np.array([0, 1, 1], np.int32), Labels.of("pqr"))
    return replace(PLAIN, layers={**PLAIN.layers, "coref": chains}, extras={"comments": comments})


def test_rows_are_in_the_sentences_of_their_first_tokens() -> None:
    found = divide(chained(), np.array([0, 4, 7, 8, 9]))
    assert found.documents.tolist() == [0, 2]
    assert found.document_names.to_list() == ["a", "b"]
    assert found.layer("coref", Chains).sentence.tolist() == [0, 2]
    assert found.layer("coref", Chains).start.tolist() == [3, 7]
    assert found.extras["comments"].sentence.tolist() == [0, 2, 2]  # type: ignore[attr-defined]
    assert found.layers["ner"] == PLAIN.layers["ner"]
    assert found.forms == PLAIN.forms
    whole = found.take([0, 1])  # the mention across the boundary is still in one piece
    assert whole.layer("coref", Chains).end.tolist() == [5]


def test_an_empty_sentence_changes_nothing() -> None:
    found = divide(chained(), np.array([0, 0, 4, 7, 7, 9]))
    assert found.documents.tolist() == [0, 3]
    assert found.layer("coref", Chains).sentence.tolist() == [1, 4]


none = np.zeros(0, np.int32)


@pytest.mark.parametrize(
    ("name", "layer"),
    [
        ("deps", Arcs(np.zeros(9, np.int32), Labels.of(["x"] * 9))),
        ("empty", EmptyNodes(none, none, none, Labels.of([]))),
    ],
)
def test_what_depends_on_sentences_is_not_divided(name: str, layer: Layer) -> None:
    assert is_undivided(chained())
    assert not is_undivided(replace(chained(), extras={name: layer}))
    assert not is_undivided(corpus("x", "a:x | y"))
    assert not is_undivided(replace(PLAIN, skipped=np.array([True, False])))
