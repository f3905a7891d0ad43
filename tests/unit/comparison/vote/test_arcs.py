"""Votes on dependency trees."""

from itertools import permutations

import numpy as np
import pytest

from tertium.comparison.vote.vote import JointOutput, combine
from tertium.comparison.vote.weights import Weights
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels
from tertium.corpus.layers import Arcs, Tags
from tertium.exceptions import FormatError
from tertium.families.base import make

LAS, UAS, LS = (make(f"deps.{name}") for name in ("las", "uas", "ls"))


def parsed(heads: str, labels: str = "", words: str = "", name: str = "file") -> Corpus:
    """Sentences divided by slashes; without labels every arc is `dep`, the root `root`."""
    sentences = [[int(h) for h in s.split()] for s in heads.split("/")]
    flat = [h for s in sentences for h in s]
    relations = labels.split() or ["root" if h == 0 else "dep" for h in flat]
    return Corpus(
        np.cumsum([0, *(len(s) for s in sentences)]),
        Labels.of(words.split() or [f"w{n}" for n in range(len(flat))]),
        {"deps": Arcs(np.array(flat, np.int32), Labels.of(relations))},
        origin=name,
    )


def arcs(found: JointOutput) -> tuple[list[int], list[str]]:
    layer = found.corpus.layer("deps", Arcs)
    return layer.head.tolist(), layer.label.to_list()


def heads(*systems: Corpus, weights: Weights | None = None) -> list[int]:
    return arcs(combine(systems, [LAS], weights))[0]


def test_most_votes_where_they_make_a_tree() -> None:
    assert heads(parsed("0 1 1"), parsed("0 1 2"), parsed("0 1 2")) == [0, 1, 2]


def test_favourite_heads_that_make_a_cycle_are_parsed_again() -> None:
    a, b, c = parsed("0 3 1"), parsed("0 1 2"), parsed("2 0 2")
    weights = Weights({"deps.las": np.array([[1.2, 1.2, 1, 1, 1, 1]])})
    # Word 2 would like head 3 and word 3 head 2; head 1 for word 2 costs least.
    assert heads(a, a, b, b, c, c, weights=weights) == [0, 1, 2]


def test_one_root_where_favourites_have_two() -> None:
    systems = [parsed(t) for t in ("0 1 1", "0 3 1", "0 1 1", "2 0 2", "3 0 2", "2 0 2")]
    # Words 1 and 2 are roots for three systems each, more than have any other head for them.
    assert heads(*systems) == [0, 1, 1]
    weights = Weights({"deps.las": np.array([[1, 1, 1, 1.5, 1, 1]])})
    assert heads(*systems, weights=weights) == [2, 0, 2]


def test_several_roots_where_every_system_has_several() -> None:
    assert heads(parsed("0 0"), parsed("0 0")) == [0, 0]
    assert heads(parsed("0 0"), parsed("0 0"), parsed("0 1")) == [0, 1]


def test_ties_go_to_systems_that_agree_with_others_then_to_smaller_heads() -> None:
    a, b = parsed("0 1 1"), parsed("2 0 2")
    assert heads(a, b) == heads(b, a) == [0, 1, 1]
    # On the second sentence all three differ; in the first, two agree on each of two trees.
    three = [parsed("0 1 / 0 1 1"), parsed("2 0 / 2 0 2"), parsed("2 0 / 3 3 0")]
    for systems in permutations(three):
        found = combine(systems, [LAS])
        assert arcs(found)[0][:2] == [2, 0]
        assert arcs(found)[0][2:] == [2, 0, 2]  # by smaller heads of the two that agree
        assert found.ties == {"deps": 3}


def test_a_relation_is_voted_on_by_those_who_have_the_arc() -> None:
    systems = [
        parsed("0 1", "root nsubj"),
        parsed("0 1", "root obj"),
        parsed("0 1", "root obj"),
        parsed("2 0", "nsubj root"),
        parsed("2 0", "nsubj root"),
    ]
    assert arcs(combine(systems, [LAS])) == ([0, 1], ["root", "obj"])
    # The label of others is not looked at: nsubj has three votes, two of them on another arc.
    assert arcs(combine([*systems[1:], systems[0]], [LAS]))[1] == ["root", "obj"]


def test_weights_of_relations_go_without_subtypes_unless_the_metric_has_them() -> None:
    systems = [parsed("0 1", "root nsubj:pass"), parsed("0 1", "root obj")]
    weights = Weights(
        {"deps.las": np.ones((1, 2))},
        {"deps.las": {"nsubj": np.array([[0.5, 1]]), "obj": np.array([[1, 0.9]])}},
    )
    assert arcs(combine(systems, [LAS], weights))[1] == ["root", "obj"]


def test_arcs_that_leave_a_sentence_of_the_base_are_no_votes() -> None:
    base = parsed("0 1 / 2 0", words="a b c d", name="base")
    other = parsed("0 1 1 3", words="a b c d", name="other")
    found = combine([base, other, other], [LAS])
    # c hangs on a in the other, which is another sentence here; d hangs on c.
    assert arcs(found)[0] == [0, 1, 2, 0]
    assert any(n.startswith("1 arcs of other leave a sentence of base") for n in found.notes)


def test_a_root_inside_the_base_s_sentence_is_a_vote() -> None:
    base = parsed("0 1 2 3", words="a b c d")
    other = parsed("0 1 / 2 0", words="a b c d")
    # Two roots have two votes each; but the base has one root, and so has the result.
    found = heads(base, other, other)
    assert found.count(0) == 1
    assert found == [0, 1, 2, 3]


def test_words_without_partner_cast_no_vote() -> None:
    base = parsed("0 1 1", words="we can not")
    other = parsed("2 0", words="we cannot")
    found = combine([base, other, other], [LAS])
    assert arcs(found)[0] == [0, 1, 1]


def test_all_metrics_of_trees_make_one_vote_weighed_by_las() -> None:
    a, b = parsed("0 1"), parsed("2 0")
    weights = Weights({"deps.uas": np.array([[2.0, 1]]), "deps.las": np.array([[1, 2.0]])})
    found = combine([a, b], [UAS, LAS], weights)
    assert found.layers == ("deps",)
    assert arcs(found)[0] == [2, 0]
    assert arcs(combine([a, b], [UAS], weights))[0] == [0, 1]


def test_a_metric_of_trees_and_tags_votes_on_both() -> None:
    def both(text: str, tag: str) -> Corpus:
        tree = parsed(text)
        tags = Tags(Labels.of([tag] * tree.token_count))
        feats = Tags(Labels.of(["_"] * tree.token_count))
        layers = {"upos": tags, "feats": feats, **tree.layers}
        return Corpus(tree.offsets, tree.forms, layers)

    found = combine([both("0 1", "X"), both("2 0", "Y"), both("2 0", "Y")], [make("deps.mlas")])
    assert set(found.layers) == {"deps", "upos", "feats"}
    assert found.corpus.layer("upos", Tags).labels.to_list() == ["Y", "Y"]
    found = combine([both("0 1", "X"), both("2 0", "Y"), both("2 0", "Y")], [make("deps.upos")])
    assert found.layers == ("upos",)


def test_words_that_no_votes_attach_have_no_head_and_a_note_counts_them() -> None:
    other = parsed("2 0", words="a bc")
    silent = Corpus(np.array([0, 3]), Labels.of(["a", "b", "c"]), origin="silent")
    found = combine([silent, other], [LAS])
    assert arcs(found) == ([-1, -1, -1], ["_", "_", "_"])
    assert "3 words have no head, because the votes form no tree there" in found.notes


def test_what_is_no_tree_is_refused() -> None:
    with pytest.raises(FormatError, match="head 9 is outside the sentence of 2 words"):
        combine([parsed("0 1"), parsed("0 9")], [LAS])
    with pytest.raises(FormatError, match="its own ancestor"):
        combine([parsed("2 1")], [LAS])
