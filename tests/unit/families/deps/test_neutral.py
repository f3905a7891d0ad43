"""Undirected attachment and neutral edge direction: what they forgive and what they do not."""

from typing import Any

import pytest

import tertium

# want -> to -> go -> home -> now, and want -> we
GOLD = """
1 we   we   PRON _ _ 2 nsubj
2 want want VERB _ _ 0 root
3 to   to   PART _ _ 2 xcomp
4 go   go   VERB _ _ 3 comp
5 home home NOUN _ _ 4 obl
6 now  now  ADV  _ _ 5 advmod
"""


@pytest.mark.parametrize(
    ("heads", "uas", "undirected", "ned"),
    [
        pytest.param({}, 6, 6, 6, id="the same"),
        # `home` with its grandparent `to`
        pytest.param({5: 3}, 5, 5, 6, id="grandparent"),
        # `now` three steps up
        pytest.param({6: 3}, 5, 5, 5, id="further up"),
        pytest.param({6: 2}, 5, 5, 5, id="still further up"),
        # `to` a sibling of `we` in gold
        pytest.param({3: 1}, 5, 5, 5, id="sibling"),
        # `go` <-> `to` turned: `go` hangs on want (its grandparent), `to` on go (its child)
        pytest.param({3: 4, 4: 2}, 4, 5, 6, id="an edge turned round"),
        # the same with the rest of the chain moved along
        pytest.param({3: 4, 4: 2, 5: 3}, 3, 4, 6, id="turned, and what is below moved"),
        # `want` <-> `we` turned at the root
        pytest.param({1: 0, 2: 1}, 4, 5, 6, id="turned at the root"),
        # `go` made the root: its grandparent is a word, not the root
        pytest.param({2: 4, 4: 0}, 4, 4, 4, id="another root"),
        # `to` made the root (grandparent of it is the root), `want` below it (its child)
        pytest.param({2: 3, 3: 0}, 4, 5, 6, id="a child made the root"),
        # `want` below its grandchild
        pytest.param({2: 4, 3: 0, 4: 3}, 4, 4, 5, id="below a grandchild"),
    ],
)
def test_what_is_forgiven(
    trees: Any, heads: dict[int, int], uas: int, undirected: int, ned: int
) -> None:
    system = trees.edit(GOLD, *((str(word), "head", str(head)) for word, head in heads.items()))
    for metric, correct in (("uas", uas), ("undirected", undirected), ("ned", ned)):
        assert trees.counts(GOLD, system, f"deps.{metric}") == (correct, 6, 6), metric


def test_relations_do_not_count(trees: Any) -> None:
    system = trees.edit(GOLD, ("5", "deprel", "nsubj"))
    for metric in ("deps.undirected", "deps.ned"):
        found = trees.score(GOLD, system, metric)
        assert found.value == 1
        assert found.labels["obl"]["counts"] == {"correct": 1, "gold": 1, "system": 1}
        assert "nsubj" in found.labels
        assert found.labels["nsubj"]["counts"]["system"] == 1, "under the gold relation"


def test_punctuation_counts(trees: Any) -> None:
    gold = GOLD + "7 . . PUNCT _ _ 2 punct"
    system = GOLD + "7 . . PUNCT _ _ 6 punct"
    for metric in ("deps.undirected", "deps.ned"):
        assert trees.counts(gold, system, metric) == (6, 7, 7)


def test_unaligned_words_and_heads(trees: Any) -> None:
    """`go home` became one word: three words have no partner, and `now` hangs on one of them."""
    system = """
1 we     we   PRON _ _ 2 nsubj
2 want   want VERB _ _ 0 root
3 to     to   PART _ _ 2 xcomp
4 gohome go   VERB _ _ 3 comp
5 now    now  ADV  _ _ 4 advmod
"""
    for metric in ("deps.undirected", "deps.ned"):
        found = trees.score(GOLD, system, metric)
        assert found.counts == {"correct": 3, "gold": 6, "system": 5, "aligned": 4}


def test_errors_are_what_was_not_forgiven(trees: Any) -> None:
    system = trees.edit(
        GOLD, ("5", "head", "3"), ("3", "head", "1"), ("6", "head", "2"), ("4", "head", "2")
    )
    errors = {
        "deps.uas": [
            ("attachment:sibling", "to", "to"),
            ("attachment:grandparent", "go", "go"),
            ("attachment:grandparent", "home", "home"),
            ("attachment:other", "now", "now"),
        ],
        "deps.ned": [("attachment:sibling", "to", "to"), ("attachment:other", "now", "now")],
    }
    errors["deps.undirected"] = errors["deps.uas"]
    for metric, expected in errors.items():
        assert trees.errors(GOLD, system, metric) == expected
    found = trees.score(GOLD, system, "deps.ned", confusion=True)
    assert found.error_types == {
        ("attachment:sibling", "xcomp", "xcomp"): 1,
        ("attachment:other", "advmod", "advmod"): 1,
    }


def test_an_answer_is_the_head(trees: Any) -> None:
    """What is forgiven is right, but not the same answer."""
    gold = trees.write(GOLD)
    other = trees.write(trees.edit(GOLD, ("5", "head", "3"), ("4", "deprel", "dep")))
    one, two = (tertium.decide(gold, file, "deps.ned") for file in (gold, other))
    assert (one.answer != two.answer).tolist() == [False] * 4 + [True, False]
    assert two.credit.tolist() == [1] * 6
