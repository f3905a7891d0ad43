"""Labels of tokens: spans of neighbours, legal tags."""

import numpy as np
import pytest

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels
from tertium.corpus.layers import Tags
from tertium.families.token_labels import as_spans, regular, tagged


def tags(text: str) -> Labels:
    return Labels.of(text.split())


@pytest.mark.parametrize(
    ("plain", "spans"),
    [
        ("X X O Y", "B-X I-X O B-Y"),
        ("X Y Y _", "B-X B-Y I-Y O"),
        ("O O X X | X", "O O B-X I-X | B-X"),
    ],
)
def test_neighbours_with_one_label_are_a_span(plain: str, spans: str) -> None:
    sizes = [len(part.split()) for part in plain.split("|")]
    found = as_spans(tags(plain.replace("|", "")), np.cumsum([0, *sizes]))
    assert found.to_list() == spans.replace("|", "").split()


@pytest.mark.parametrize(
    ("given", "legal", "changed"),
    [
        ("B-X I-X O", "B-X I-X O", 0),
        ("B-X O I-X", "B-X O B-X", 1),
        ("B-X I-Y I-Y", "B-X B-Y I-Y", 1),
        ("B-X _ O", "B-X O O", 0),
        ("B-X E-X S-Y", "B-X E-X S-Y", 0),
        ("B-X I-X S-Y", "B-X E-X S-Y", 1),
        ("NOUN VERB _", "NOUN VERB _", 0),
    ],
)
def test_tags_become_legal(given: str, legal: str, changed: int) -> None:
    found, count = regular(tags(given), np.array([0, 3]))
    assert found.to_list() == legal.split()
    assert count == changed


CHANGED = "1 tag was changed to make spans legal"
UNLABELLED = "1 word without a label: O in the text"


@pytest.mark.parametrize(
    ("given", "joins", "name", "wanted", "notes"),
    [
        ("X X _", False, "tag", "X X _", []),
        ("X X _", True, "ner", "B-X I-X O", [UNLABELLED]),
        ("O I-X O", False, "ner", "O B-X O", [CHANGED]),
        (
            "B-X _ I-X",
            False,
            "ner",
            "B-X O B-X",
            [CHANGED, UNLABELLED],
        ),
    ],
)
def test_a_column_of_labels(
    given: str, joins: bool, name: str, wanted: str, notes: list[str]
) -> None:
    words = Corpus(np.array([0, 3]), tags("a b c"), format="columns")
    labels, corpus, found = tagged(words, tags(given), "made", joins=joins)
    assert labels.to_list() == wanted.split()
    assert corpus.layer(name, Tags).labels == labels
    assert (corpus.origin, corpus.format, found) == ("made", "columns", notes)
