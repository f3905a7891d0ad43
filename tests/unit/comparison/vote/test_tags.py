"""Votes on one label per token."""

from itertools import permutations

import numpy as np
import pytest

from tertium.comparison.vote.vote import combine
from tertium.comparison.vote.weights import Weights
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels
from tertium.corpus.layers import Tags
from tertium.exceptions import AlignmentError, LayerError, UsageError
from tertium.families.base import make

ACCURACY = make("tags.accuracy(column=tag)")


def tagged(text: str, tags: str, name: str = "file", column: str = "tag") -> Corpus:
    """Sentences divided by slashes; tags of all words in one go."""
    sentences = [s.split() for s in text.split("/")]
    return Corpus(
        np.cumsum([0, *(len(s) for s in sentences)]),
        Labels.of(w for s in sentences for w in s),
        {column: Tags(Labels.of(tags.split()))},
        origin=name,
    )


def voted(systems: list[Corpus], weights: Weights | None = None) -> list[str]:
    found = combine(systems, [ACCURACY], weights).corpus.layers["tag"]
    assert isinstance(found, Tags)
    return found.labels.to_list()


def test_most_votes_win() -> None:
    systems = [tagged("a b", "X X"), tagged("a b", "Y X"), tagged("a b", "Y Z")]
    assert voted(systems) == ["Y", "X"]


def test_ties_go_to_systems_that_agree_with_others_then_by_label() -> None:
    for tags in ("XYYX", "YYXX", "ZYX", "ZZYYX"):
        tied = sorted({t for t in tags if tags.count(t) == max(map(tags.count, tags))})
        for systems in permutations([tagged("a", t) for t in tags]):
            assert voted([*systems]) == [tied[0]]
    # Two systems agree on the first word; on the second the three have a vote each.
    three = [tagged("a b", "X X"), tagged("a b", "Y Z"), tagged("a b", "Y Y")]
    for systems in permutations(three):
        found = combine(systems, [ACCURACY])
        assert found.corpus.layer("tag", Tags).labels.to_list() == ["Y", "Y"]
        assert found.ties == {"tag": 1}


def test_a_heavy_system_decides() -> None:
    systems = [tagged("a", t) for t in ("X", "Y", "Y")]
    weights = Weights({repr(ACCURACY): np.array([[2.5, 1, 1]])})
    assert voted(systems, weights) == ["X"]


def test_weights_of_labels() -> None:
    systems = [tagged("a b", "X Z"), tagged("a b", "Y Y"), tagged("a b", "Y Y")]
    text = repr(ACCURACY)
    weights = Weights(
        {text: np.array([[1.0, 1, 1]])}, {text: {"X": np.array([[3.0, np.nan, 1.0]])}}
    )
    assert voted(systems, weights) == ["X", "Y"]


def test_folds_have_their_own_weights() -> None:
    systems = [tagged("a / b / c", "X X X"), tagged("a / b / c", "Y Y Y")]
    weights = Weights(
        {repr(ACCURACY): np.array([[1.0, 2], [2, 1.0]])},
        fold_of_sentence=np.array([0, 1, -1], np.int32),
    )
    # A sentence of no fold has equal weights, and the tie goes by the label.
    assert voted(systems, weights) == ["Y", "X", "X"]


def test_tokens_without_partner_cast_no_vote() -> None:
    base = tagged("can not go", "A B C", "base")
    other = tagged("cannot go", "X Y", "other")
    found = combine([base, other, other], [ACCURACY])
    assert found.corpus.layer("tag", Tags).labels.to_list() == ["A", "B", "Y"]
    assert "other has no partner for 2 tokens of base: it casts no vote there" in found.notes


def test_the_rest_is_the_base_and_a_note_names_it() -> None:
    base = tagged("a", "X", "base")
    base = Corpus(
        base.offsets, base.forms, {**base.layers, "xpos": Tags(Labels.of(["P"]))}, origin="base"
    )
    found = combine([base, tagged("a", "Y"), tagged("a", "Y")], [ACCURACY])
    assert found.layers == ("tag",)
    assert found.corpus.layers["xpos"] == base.layers["xpos"]
    assert found.notes == ("columns copied unchanged from base: xpos",)
    assert found.corpus.origin == "vote"


def test_a_system_without_the_layer_does_not_vote() -> None:
    silent = Corpus(np.array([0, 1]), Labels.of(["a"]), origin="silent")
    found = combine([silent, tagged("a", "Y"), tagged("a", "X")], [ACCURACY])
    assert found.corpus.layer("tag", Tags).labels.to_list() == ["X"]  # a tie, by the label
    assert "silent has no 'tag' and does not vote on it" in found.notes


def test_where_nobody_votes_there_is_no_label() -> None:
    silent = Corpus(np.array([0, 2]), Labels.of(["a", "b"]), origin="silent")
    found = combine([silent, tagged("ab", "Y")], [ACCURACY])
    assert found.corpus.layer("tag", Tags).labels.to_list() == ["_", "_"]


def test_a_column_of_another_name_votes_too() -> None:
    base = tagged("a", "X", column="upos")
    found = combine([base, tagged("a", "Y"), tagged("a", "Y")], [make("tags.accuracy")])
    assert found.corpus.layer("upos", Tags).labels.to_list() == ["Y"]


def test_skipped_sentences_are_left_out() -> None:
    whole = tagged("a / b", "X X", "whole")
    broken = Corpus(
        np.array([0, 0, 1]),
        Labels.of(["b"]),
        {"tag": Tags(Labels.of(["Y"]))},
        skipped=np.array([True, False]),
    )
    weights = Weights(
        {repr(ACCURACY): np.array([[2.0, 1], [1, 2.0]])},
        fold_of_sentence=np.array([0, 1], np.int32),
    )
    found = combine([whole, broken], [ACCURACY], weights)
    assert found.corpus.layer("tag", Tags).labels.to_list() == ["Y"]
    assert "1 sentences are missing from a file and left out of the vote" in found.notes


def test_what_cannot_be_voted_on() -> None:
    corpus = tagged("a", "X")
    with pytest.raises(UsageError, match="no system"):
        combine([], [ACCURACY])
    with pytest.raises(UsageError, match=r"deps\.words judges no layer"):
        combine([corpus], [make("deps.words")])
    with pytest.raises(LayerError, match="xpos"):
        combine([corpus], [make("tags.accuracy(column=xpos)")])
    with pytest.raises(AlignmentError):
        combine([corpus, tagged("b", "X")], [ACCURACY])
    with pytest.raises(UsageError, match=r"no weights for tags\.accuracy"):
        combine([corpus], [ACCURACY], Weights({"deps.las": np.ones((1, 1))}))
    with pytest.raises(UsageError, match="1 systems only"):
        combine([corpus, corpus], [ACCURACY], Weights({repr(ACCURACY): np.ones((1, 1))}))
    with pytest.raises(UsageError, match="at least 0"):
        Weights({repr(ACCURACY): np.array([[-1.0]])})


def test_other_forms_are_paired_by_position_if_asked() -> None:
    found = combine(
        [tagged("a", "X"), tagged("b", "Y"), tagged("c", "Y")], [ACCURACY], method="position"
    )
    assert found.corpus.layer("tag", Tags).labels.to_list() == ["Y"]
