"""Mentions that are the same although they cover different words."""

from dataclasses import replace

import numpy as np
import pytest

from chain_samples import chained, over
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels
from tertium.corpus.layers import Arcs
from tertium.exceptions import UsageError
from tertium.families.coref.chains import chains_of
from tertium.families.coref.match import match

OTHER = (11, 11)


def headed(mentions: list[tuple[int, ...]], heads: list[int]) -> Corpus:
    """One chain whose mentions, in order, have these heads."""
    corpus = chained([[*mentions, OTHER]])
    layer = replace(chains_of(corpus), head=np.array([*heads, 11], np.int32))
    return replace(corpus, layers={"coref": layer})


def partners(gold: Corpus, system: Corpus, matching: str) -> list[int]:
    return match(gold, system, over(gold, system), matching=matching).partner.tolist()[:-1]


@pytest.mark.parametrize(
    ("mention", "is_same"),
    [((0, 3), True), ((2, 3), True), ((3, 3), True), ((0, 2), False), ((2, 4), False)],
)
def test_a_part_of_the_gold_mention_with_its_head(mention: tuple[int, int], is_same: bool) -> None:
    gold = headed([(0, 3)], [3])
    assert partners(gold, headed([mention], [0]), "partial") == [0 if is_same else -1]


@pytest.mark.parametrize(
    ("mention", "head", "is_same"),
    [
        ((2, 5), 3, True),
        ((3, 3), 3, True),
        ((0, 3), 3, True),
        ((0, 3), 2, False),
        ((2, 5), 4, False),
    ],
)
def test_mentions_with_the_same_head(mention: tuple[int, int], head: int, is_same: bool) -> None:
    gold = headed([(0, 3)], [3])
    assert partners(gold, headed([mention], [head]), "head") == [0 if is_same else -1]


def test_the_same_words_come_first() -> None:
    gold = headed([(0, 3), (2, 3)], [3, 3])
    assert partners(gold, headed([(2, 3)], [3]), "partial") == [-1, 0]
    assert partners(gold, headed([(2, 3)], [3]), "head") == [-1, 0]


def test_more_overlap_comes_first_then_what_begins_earlier() -> None:
    gold = headed([(0, 4)], [3])
    assert partners(gold, headed([(2, 3), (1, 3)][::-1], [3, 3]), "partial") == [0]
    assert partners(gold, headed([(2, 3), (3, 4)], [3, 3]), "partial") == [0]
    assert partners(gold, headed([(3, 3), (3, 7)], [3, 3]), "head") == [1]


def test_all_pairs_together_overlap_most() -> None:
    # Alone, the first gold mention would rather take the longer part.
    gold = headed([(0, 5), (1, 4)], [3, 3])
    system = headed([(2, 4), (3, 5)], [3, 3])
    assert partners(gold, system, "partial") == [1, 0]


def test_what_is_no_partner_is_not_the_same_either() -> None:
    gold, system = headed([(0, 3)], [3]), headed([(0, 3)], [2])
    found = match(gold, system, over(gold, system), matching="head")
    assert found.of_system.tolist() == [-1, 1]


def test_gaps_count_as_words_that_are_not_there() -> None:
    gold = headed([(0, 1, 3)], [3])
    assert partners(gold, headed([(1, 2, 3)], [3]), "partial") == [-1]
    assert partners(gold, headed([(1, 2, 3)], [3]), "head") == [0]
    assert partners(headed([(0, 1, 2, 3)], [3]), headed([(0, 1, 3)], [3]), "partial") == [0]


def test_heads_come_from_the_dependencies_of_the_gold_text() -> None:
    gold, system = chained([[(0, 3), OTHER]]), chained([[(2, 4), OTHER]])
    head = np.array([4, 4, 4, 0, 4, 4, 4, 4, 4, 4, 4, 4], np.int32)
    arcs = Arcs(head, Labels.constant("dep", 12))
    gold = replace(gold, layers={**gold.layers, "deps": arcs})
    assert partners(gold, system, "head") == [0]
    assert partners(gold, system, "partial") == [-1]
    cycle = replace(arcs, head=np.array([2, 1, 1, 1, *head[4:]], np.int32))
    gold = replace(gold, layers={**gold.layers, "deps": cycle})
    assert partners(gold, chained([[(0, 1), OTHER]]), "partial") == [0]


def test_without_heads_the_option_is_named() -> None:
    gold = chained([[(0, 3), OTHER]])
    with pytest.raises(UsageError, match="neither heads of mentions nor dependencies") as caught:
        partners(gold, gold, "head")
    assert caught.value.exit_code == 2
    assert "with" in (caught.value.help or "")
