"""Sentences paired by their words."""

from difflib import SequenceMatcher
from time import perf_counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.align import words
from tertium.align.sentences import pair_sentences
from tertium.align.words import by_place, in_characters, matched, sentence_codes, with_forms_of
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels

numbers = st.lists(st.integers(0, 12), max_size=30).map(lambda found: np.array(found, np.int64))


def corpus(*sentences: str) -> Corpus:
    each = [sentence.split() for sentence in sentences]
    forms = Labels.of(word for sentence in each for word in sentence)
    return Corpus(np.cumsum([0, *map(len, each)]), forms)


def longest(ours: list[int], theirs: list[int]) -> int:
    """The length of a longest common subsequence, by the book."""
    before = [0] * (len(theirs) + 1)
    for mine in ours:
        row = [0]
        for place, other in enumerate(theirs):
            row.append(before[place] + 1 if mine == other else max(before[place + 1], row[-1]))
        before = row
    return before[-1]


@pytest.mark.parametrize("most", [words.MOST_PAIRS, 5])
@given(ours=numbers, theirs=numbers)
def test_partners_are_a_longest_common_subsequence(
    ours: np.ndarray, theirs: np.ndarray, most: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(words, "MOST_PAIRS", most)
        found = matched(ours, theirs)
    there = found >= 0
    assert (ours[there] == theirs[found[there]]).all()
    assert (np.diff(found[there]) > 0).all()
    assert most == 5 or there.sum() == longest(ours.tolist(), theirs.tolist())


@given(numbers, st.data())
def test_what_was_left_out_is_all_that_is_missing(ours: np.ndarray, data: st.DataObject) -> None:
    ours = np.unique(ours)
    kept = np.array(
        data.draw(st.lists(st.booleans(), min_size=len(ours), max_size=len(ours))), bool
    )
    assert ((matched(ours, ours[kept]) >= 0) == kept).all()


def test_repeated_sentences_are_paired_between_others() -> None:
    ours, theirs = np.array([1, 9, 2, 9, 9, 3]), np.array([1, 9, 9, 3])
    blocks = SequenceMatcher(None, ours.tolist(), theirs.tolist()).get_matching_blocks()
    assert (matched(ours, theirs) >= 0).sum() == sum(block.size for block in blocks) == 4


def test_a_gap_of_the_same_size_is_paired_by_place() -> None:
    ours, theirs = np.array([1, 2, 3, 4, 5]), np.array([1, 7, 3, 5])
    assert by_place(matched(ours, theirs), 4).tolist() == [0, 1, 2, -1, 3]


def test_signs_and_tokens_do_not_matter() -> None:
    a = corpus("`` Yes , ''", "-LRB- can not )", "")
    b = corpus("“ Yes , ”", "( cannot )", "")
    ours, theirs = sentence_codes([a, b])
    assert (ours == theirs).tolist() == [True, True, False]
    placed, same = with_forms_of(a, b)
    assert same.tolist() == [True, False, True]
    assert placed.forms is not None
    assert placed.forms.to_list()[:4] == ["``", "Yes", ",", "''"]


def test_many_sentences_take_no_time() -> None:
    ours = np.random.default_rng(0).permutation(40_000)
    theirs = np.delete(ours, np.arange(0, 40_000, 50))
    theirs[::70] = -1
    start = perf_counter()
    assert (matched(ours, theirs) >= 0).sum() == (theirs >= 0).sum()
    templates = ours % 200  # too many pairs
    assert (matched(templates, np.delete(templates, slice(0, None, 9))) >= 0).sum() == 35_555
    some = np.delete(templates, slice(0, 4_000, 9))
    some[::1_000] = -1
    assert (matched(templates, some) >= 0).mean() > 0.9
    assert perf_counter() - start < 4


def test_sentences_in_different_tokens_are_found_by_characters() -> None:
    gold = corpus("a b", "she can not", "gone", "x y", "")
    system = corpus("a b", "she cannot", "", "z zz zz", "")
    whole, alignment = pair_sentences(gold, system)
    assert alignment.lost is not None
    assert alignment.lost.tolist() == [False, True, True, True, False]
    found = in_characters(gold, whole, alignment)
    assert found.lost is not None
    assert found.lost.tolist() == [False, False, True, True, False]
    assert found.gold_start.tolist() == [0, 1, 2, 5, 8, 11, 15, 16]
    assert found.system_start.tolist() == [0, 1, 2, 5, 15, 16, 16]
    assert found.system_end.tolist()[:4] == [1, 2, 5, 11]
    assert found.system_end.max() == 17
    assert found.system_of_gold.tolist() == [0, 1, 2, -1, -1, -1, -1, -1]
    assert found.gold_of_system.tolist() == [0, 1, 2, -1, -1, -1, -1]
    assert in_characters(gold, gold, pair_sentences(gold, gold)[1]).gold_end.tolist()[-1] == 17
