"""Mentions of empty nodes: paired by what the nodes depend on, or by where they stand. Each rule of
the scorer of CorefUD has a case."""

from collections.abc import Sequence

import numpy as np
import pytest

import tertium
from tertium.align.documents import align_documents
from tertium.align.units import by_document
from tertium.families.coref.chains import zero_heads
from tertium.families.coref.match import match
from zero_nodes import Mention, corpus, without_heads

Side = tuple[Sequence[str], Sequence[Mention]]


def pairs(gold: Side, system: Side, heads: bool = True, **options: str) -> set[tuple[int, int]]:
    """The rows of mentions that are the same."""
    ours, theirs = corpus("gold", *gold), corpus("system", *system)
    if not heads:
        ours, theirs = without_heads(ours), without_heads(theirs)
    moved, alignment = align_documents(ours, theirs)
    found = match(ours, moved, by_document(alignment, ours), **options)
    there = np.flatnonzero(found.partner >= 0)
    rows = found.gold.row[there], found.system.row[found.partner[there]]
    return {*zip(*(column.tolist() for column in rows), strict=True)}


def zero(name: str, *nodes: str) -> Mention:
    return (name, 0, nodes)


# Rule 1: zeros are the same where their nodes depend on the same, wherever they stand.


@pytest.mark.parametrize("matching", ["exact", "partial", "head"])
@pytest.mark.parametrize("heads", [True, False])
def test_the_same_dependencies_at_another_place(matching: str, heads: bool) -> None:
    gold = ["*2:nsubj came , saw"], [zero("a", "0.1"), zero("a", "1")]
    system = ["came *2:nsubj , saw"], [zero("b", "1"), zero("b", "1.1")]
    given = (
        {"matching": matching, "heads": heads} if matching == "exact" else {"matching": matching}
    )
    assert pairs(gold, system, **given) == {(0, 1), (1, 0)}  # type: ignore[arg-type]
    given["zeros"] = "position"
    assert pairs(gold, system, **given) == {(1, 0)}  # type: ignore[arg-type]


def test_position_is_the_token_before_and_the_number_there() -> None:
    gold = ["a *9:x b *9:x *9:x"], [zero("p", "1.1"), zero("p", "2.1"), zero("q", "2.2")]
    system = ["a b *1:y *2:z *2:u"], [zero("p", "2.1"), zero("q", "2.2"), zero("q", "2.3")]
    assert pairs(gold, system, zeros="position") == {(1, 0), (2, 1)}
    before = ["*9:x a"], [zero("p", "0.1")]
    assert pairs(before, before, zeros="position") == {(0, 0)}
    # The end of one sentence is not the beginning of the next.
    two = ["a *9:x", "b"], [zero("p", "1.1")]
    three = ["a", "*9:x b"], [("p", 1, ["0.1"])]
    assert pairs(two, three, zeros="position") == pairs(two, three) == set()


# Rule 2: relation and head weigh ten times as much as the head alone.


def test_a_labelled_dependency_outweighs_heads() -> None:
    gold = ["*1:a|2:b|3:c|4:d he came and saw"], [zero("a", "0.1")]
    system = ["*1:x|2:x|3:x|4:x he *1:a came and saw"], [zero("p", "0.1"), zero("q", "1.1")]
    # All heads without relations: 0 + 1; one of four dependencies: 10 * 2/5 + 2/5.
    assert pairs(gold, system) == {(0, 1)}
    assert pairs(gold, system, zeros="position") == {(0, 0)}


def test_a_head_alone_is_enough() -> None:
    gold = ["*1:obj came"], [zero("a", "0.1")]
    assert pairs(gold, (["came *1:nsubj"], [zero("p", "1.1")])) == {(0, 0)}
    assert pairs(gold, (["came *0:root"], [zero("p", "1.1")])) == set()
    root = ["*0:root came"], [zero("a", "0.1")]
    assert pairs(root, (["came *0:root"], [zero("p", "1.1")])) == {(0, 0)}


# Rule 3: one to one, so that the sum is greatest.


def test_the_sum_decides_and_not_the_best_pair() -> None:
    gold = ["*1:x|2:y *1:x a b"], [zero("p", "0.1"), zero("p", "0.2")]
    system = ["a *1:x b *2:y"], [zero("p", "1.1"), zero("p", "2.1")]
    # 0 with 1 and 1 with 0 is 10 * 2/3 + 2/3 + 11; 0 with 0 leaves nothing for 1.
    assert pairs(gold, system) == {(0, 1), (1, 0)}


def test_equals_are_paired_in_the_order_of_the_text() -> None:
    gold = ["*2:x a *2:x b"], [zero("p", "0.1"), zero("q", "1.1")]
    system = ["a b *2:x *2:x"], [zero("p", "2.1"), zero("q", "2.2")]
    assert pairs(gold, system) == {(0, 0), (1, 1)}


# Rule 4: only zeros of the same sentence.


def test_sentences_do_not_mix() -> None:
    gold = ["*1:x a", "b"], [zero("p", "0.1")]
    assert pairs(gold, (["a", "*1:x b"], [("p", 1, ["0.1"])])) == set()
    roots = ["*0:root a", "b"], [zero("p", "0.1")]
    assert pairs(roots, (["a", "*0:root b"], [("p", 1, ["0.1"])])) == set()


# Rule 5: what is not paired so is compared like any other mention, by position.


def test_the_rest_is_paired_by_position() -> None:
    gold = ["a *_ b *1:x"], [zero("p", "1.1"), zero("q", "2.1")]
    system = ["*1:x a *_ b"], [zero("p", "0.1"), zero("q", "1.1")]
    assert pairs(gold, system) == {(0, 1), (1, 0)}
    # A zero that has found its partner is not there for another one at its place.
    taken = ["*1:x a *2:y b"], [zero("p", "0.1"), zero("q", "1.1")]
    other = ["*2:y a b"], [zero("p", "0.1")]
    assert pairs(taken, other) == {(1, 0)}
    assert pairs(taken, other, zeros="position") == {(0, 0)}


def test_a_zero_and_a_word_are_never_the_same() -> None:
    assert pairs((["*1:x a"], [zero("p", "0.1")]), (["a"], [zero("p", "1")])) == set()


# Rule 6: a mention is a zero if its head is an empty node, whatever else it covers.


def test_the_head_makes_a_zero() -> None:
    gold = ["*2:x who came"], [zero("p", "0.1", "1", "2")]
    system = ["who came *2:x"], [zero("p", "2.1")]
    assert pairs(gold, system) == {(0, 0)}
    assert pairs(gold, system, zeros="position") == set()
    beside = ["*2:x who came"], [zero("p", "1", "0.1", "2")]
    assert pairs(beside, system) == set()
    # Without a named head the first node is the head.
    assert pairs(beside, system, heads=False) == {(0, 0)}
    last = ["who *2:x came"], [zero("p", "1.1", "1")]
    assert zero_heads(corpus("x", *last)).tolist() == [0]
    bare = without_heads(corpus("x", *last))
    assert zero_heads(bare).tolist() == [-1]


def test_empty_nodes_inside_other_mentions_are_compared_by_position() -> None:
    gold = ["a *1:x b"], [zero("p", "1", "1.1", "2")]
    assert pairs(gold, gold) == pairs(gold, gold, zeros="position") == {(0, 0)}
    assert pairs(gold, (["a *1:y b"], [zero("p", "1", "1.1", "2")])) == {(0, 0)}
    assert pairs(gold, (["a b *1:x"], [zero("p", "1", "2", "2.1")])) == set()
    assert pairs(gold, (["a b"], [zero("p", "1", "2")])) == set()


# Heads of dependencies.


def test_a_head_may_be_an_empty_node() -> None:
    gold = ["*0.2:x *1:y a"], [zero("p", "0.1")]
    assert pairs(gold, (["*1:y *0.2:x *1:z a"], [zero("p", "0.2")])) == {(0, 0)}
    assert pairs(gold, (["*1:y *0.1:x a"], [zero("p", "0.2")])) == set()
    inner = ["a *1.1:x b *0.1:x"], [zero("p", "2.1")]
    assert pairs(inner, (["a *1.1:x b *1.1:x"], [zero("p", "2.1")])) == {(0, 0)}  # by position


def test_heads_are_found_through_other_tokens() -> None:
    gold = ["*2:x ab c"], [zero("p", "0.1"), zero("p", "1")]
    system = ["a b c *3:x"], [zero("p", "1", "2"), zero("p", "3.1")]
    assert pairs(gold, system) == {(0, 1), (1, 0)}


@pytest.mark.parametrize("cell", ["_", "x", "1", "1.a:x", ":x", "99:x", "9" * 5000 + ":x", ""])
def test_cells_without_dependencies_pair_nothing(cell: str) -> None:
    gold = [f"*{cell} a"], [zero("p", "0.1")]
    assert pairs(gold, ([f"a *{cell}"], [zero("p", "1.1")])) == set()
    assert pairs(gold, gold) == {(0, 0)}


def test_singletons_are_dropped_before_anything_is_paired() -> None:
    gold = ["*1:x a *1:x b"], [zero("p", "0.1"), zero("q", "1.1"), zero("q", "1")]
    system = ["a b *1:x"], [zero("q", "1"), zero("q", "2.1")]
    assert pairs(gold, system) == {(0, 1), (2, 0)}
    assert pairs(gold, system, singletons="drop") == {(1, 1), (2, 0)}


def test_the_parameter_decides_the_number() -> None:
    gold = corpus("gold", ["*2:nsubj came , saw"], [zero("a", "0.1"), zero("a", "1")])
    system = corpus("system", ["came *2:nsubj , saw"], [zero("b", "1"), zero("b", "1.1")])
    found = tertium.score(gold, system, metric=["coref.muc", "coref.muc(zeros=position)"])
    assert [result.value for result in found] == [1, 0]
    assert "|zeros:dependencies|" in str(found.results[0].signature)
