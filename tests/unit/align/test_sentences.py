"""Sentences paired by id or by number: what does not fit is lost."""

from dataclasses import replace

import numpy as np
import pytest

from tertium.align.sentences import pair_sentences
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels
from tertium.corpus.layers import Comments, Trees
from tertium.exceptions import AlignmentError, InputError
from trees import corpus_of

DOG = "(S (NP (D the) (N dog)) (VP (V barks)))"
CAT = "(S (NP (D a) (N cat)) (VP (V sleeps)))"
RAIN = "(S (V rains))"


def with_ids(corpus: Corpus, *ids: str) -> Corpus:
    sentence = np.arange(len(ids), dtype=np.int32)
    comments = Comments(sentence, Labels.of(f" sent_id = {id}" for id in ids))
    return replace(corpus, extras={**corpus.extras, "comments": comments})


def test_the_same_words_are_paired_one_to_one() -> None:
    gold, system = corpus_of(DOG, CAT), corpus_of(DOG.replace("VP", "X"), CAT)
    moved, found = pair_sentences(gold, system)
    assert moved is system
    assert (found.method, found.lost, found.units) == ("sentences", None, 2)
    assert found.system_of_gold.tolist() == [0, 1, 2, 3, 4, 5]


def test_a_sentence_with_other_words_is_lost_and_all_others_are_paired() -> None:
    gold = corpus_of(DOG, CAT, RAIN)
    system = corpus_of(DOG, CAT.replace("cat", "hat"), RAIN)
    _, found = pair_sentences(gold, system)
    assert found.lost is not None
    assert found.lost.tolist() == [False, True, False]
    assert found.system_of_gold.tolist() == [0, 1, 2, -1, -1, -1, 6]
    assert found.gold_of_system.tolist() == [0, 1, 2, -1, -1, -1, 6]
    assert found.coverage == {"unaligned": 6, "unaligned_gold": 3, "unaligned_system": 3}


@pytest.mark.parametrize("longer", ["gold", "system"])
def test_a_sentence_of_another_length_is_lost_and_does_not_move_the_next(longer: str) -> None:
    other = "(S (NP (D a) (A red) (N cat)) (VP (V sleeps)))"
    first, second = (other, CAT) if longer == "gold" else (CAT, other)
    gold, system = corpus_of(DOG, first, RAIN), corpus_of(DOG, second, RAIN)
    _, found = pair_sentences(gold, system)
    assert found.lost is not None
    assert found.lost.tolist() == [False, True, False]
    assert found.system_of_gold[-1] == system.token_count - 1
    assert found.unit_of_system.tolist() == system.sentence_of_token.tolist()
    # What is lost lies in gold's sentence, and what follows where gold has it.
    assert found.system_start[-1] == found.gold_start[-1]
    assert (np.diff(found.system_start) >= 0).all()
    assert found.system_end[:-1].max() <= found.gold_start[-1]


def test_a_sentence_without_a_parse_is_lost_unless_gold_has_none_either() -> None:
    _, found = pair_sentences(corpus_of(DOG, CAT, ""), corpus_of(DOG, "", ""))
    assert found.lost is not None
    assert found.lost.tolist() == [False, True, False]
    _, found = pair_sentences(corpus_of("", DOG), corpus_of(RAIN, DOG))
    assert found.lost is not None
    assert found.lost.tolist() == [True, False]


def test_empty_sentences_at_the_end_may_be_missing() -> None:
    """As empty lines at the end of a file are."""
    for gold, system in (((DOG, CAT, "", ""), (DOG, CAT)), ((DOG, CAT), (DOG, CAT, ""))):
        moved, found = pair_sentences(corpus_of(*gold), corpus_of(*system))
        assert (moved.sentence_count, found.units) == (len(gold), len(gold))
        assert found.lost is None
        assert moved.layers["trees"] == corpus_of(*gold).layers["trees"]
    for gold, system in (((DOG, CAT), (DOG,)), ((DOG, "", CAT), (DOG, CAT))):
        with pytest.raises(AlignmentError, match="not all of them have ids"):
            pair_sentences(corpus_of(*gold), corpus_of(*system))


def test_ids_pair_sentences_in_any_order() -> None:
    gold = with_ids(corpus_of(DOG, CAT, RAIN), "a", "b", "c")
    system = with_ids(corpus_of(RAIN, DOG, CAT, RAIN), "c", "a", "x", "y")
    moved, found = pair_sentences(gold, system)
    assert found.lost is not None
    assert found.lost.tolist() == [False, True, False], "b is missing"
    assert found.ignored == ("x", "y")
    assert moved.sentence_count == 3
    assert moved.offsets.tolist() == [0, 3, 3, 4]
    assert moved.forms is not None
    assert moved.forms.to_list() == ["the", "dog", "barks", "rains"]
    trees = moved.layer("trees", Trees)
    assert trees.sentence.tolist() == [0, 0, 0, 2]
    assert trees.parent.tolist() == [-1, 0, 0, -1]
    assert found.system_of_gold.tolist() == [0, 1, 2, -1, -1, -1, 3]


def test_a_side_that_lacks_an_id_is_paired_by_number() -> None:
    gold = with_ids(corpus_of(DOG, CAT), "a", "b")
    for system in (with_ids(corpus_of(DOG, CAT), "b"), corpus_of(DOG, CAT)):
        assert pair_sentences(gold, system)[1].lost is None
    with pytest.raises(AlignmentError, match=r"has 2 sentences, .* has 1, and not all"):
        pair_sentences(gold, corpus_of(DOG))


def test_an_id_twice_is_refused() -> None:
    gold = with_ids(corpus_of(DOG, CAT), "a", "b")
    with pytest.raises(InputError, match="has 2 sentences with the id 'a'"):
        pair_sentences(gold, with_ids(corpus_of(DOG, CAT), "a", "a"))


def test_no_id_in_common_is_refused() -> None:
    gold = with_ids(corpus_of(DOG, CAT), "a", "b")
    with pytest.raises(AlignmentError, match="no sentence ids in common"):
        pair_sentences(gold, with_ids(corpus_of(DOG, CAT), "1", "2"))


def test_position_counts_differing_forms_and_loses_sentences_of_another_length() -> None:
    gold = corpus_of(DOG, CAT, RAIN)
    system = corpus_of(DOG, CAT.replace("cat", "hat"), "(S (V rains) (R now))")
    _, found = pair_sentences(gold, system, method="position")
    assert (found.method, found.differing_forms) == ("position", 1)
    assert found.lost is not None
    assert found.lost.tolist() == [False, False, True]
    assert found.system_of_gold.tolist() == [0, 1, 2, 3, 4, 5, -1]


def test_characters_pair_other_tokens_and_other_sentences() -> None:
    gold = corpus_of("(S (A can) (B not))", "(S (C go))")
    system = corpus_of("(S (X cannot) (C go))")
    moved, found = pair_sentences(gold, system, method="characters")
    assert moved is system
    assert (found.method, found.lost, found.units) == ("characters", None, 2)
    assert found.unit_of_system.tolist() == [0, 1]


def test_a_sentence_that_is_missing_takes_nothing_from_its_neighbours() -> None:
    """Constituents over traces alone have no tokens: they move with their sentence."""
    trace = "(S (NP (-NONE- *)) (VP (V go)))"
    gold = with_ids(corpus_of(DOG, trace, RAIN), "a", "b", "c")
    system = with_ids(corpus_of(RAIN, trace), "c", "b")
    moved, _ = pair_sentences(gold, system)
    trees = moved.layer("trees", Trees)
    assert trees.sentence.tolist() == [1, 1, 1, 1, 2]
    assert moved.offsets.tolist() == [0, 0, 1, 2]
