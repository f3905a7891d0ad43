"""Tokens, sentences and words as stretches of characters."""

from pathlib import Path
from typing import Any

import pytest

import tertium
from tertium.exceptions import LayerError

GOLD = """
1-2 du
1 de   de   ADP  _ _ 3 case
2 le   le   DET  _ _ 3 det
3 pain pain NOUN _ _ 0 root
"""
METRICS = ("deps.tokens", "deps.sentences", "deps.words")


def counts(trees: Any, gold: str, system: str) -> list[tuple[float, ...]]:
    return [trees.counts(gold, system, metric) for metric in METRICS]


@pytest.mark.parametrize(
    ("system", "tokens", "words"),
    [
        pytest.param("1-2 du\n1 de\n2 le\n3 pain", (2, 2, 2), (3, 3, 3), id="the same"),
        pytest.param("1 du\n2 pain", (2, 2, 2), (1, 3, 2), id="only gold splits"),
        pytest.param("1-2 du\n1 de\n2 un\n3 pain", (2, 2, 2), (2, 3, 3), id="other words"),
        pytest.param("1-2 du\n1 DE\n2 Le\n3 pain", (2, 2, 2), (3, 3, 3), id="another case"),
        pytest.param("1-3 du\n1 de\n2 x\n3 le\n4 pain", (2, 2, 2), (3, 3, 4), id="more words"),
        pytest.param("1-2 du\n1 le\n2 de\n3 pain", (2, 2, 2), (2, 3, 3), id="turned round"),
        pytest.param("1-3 dupain\n1 de\n2 le\n3 pain", (0, 2, 1), (3, 3, 3), id="a longer range"),
        pytest.param("1 d\n2 u\n3 pain", (1, 2, 3), (1, 3, 3), id="split without a range"),
        pytest.param("1 du\n2 pa\n3 in", (1, 2, 3), (0, 3, 3), id="a word split"),
        pytest.param(
            "1-2 du\n1 de\n2 le\n3-4 pain\n3 pai\n4 n", (2, 2, 2), (2, 3, 4), id="a range"
        ),
        pytest.param("1 dupain", (0, 2, 1), (0, 3, 1), id="one word"),
    ],
)
def test_tokens_and_words(
    trees: Any, system: str, tokens: tuple[int, ...], words: tuple[int, ...]
) -> None:
    """Turned round, the same holds with the two sides exchanged."""
    assert counts(trees, GOLD, system) == [tokens, (1, 1, 1), words]
    for metric, (both, ours, theirs) in (("deps.tokens", tokens), ("deps.words", words)):
        assert trees.counts(system, GOLD, metric) == (both, theirs, ours)


def test_ranges_that_only_one_side_writes(trees: Any) -> None:
    """The same words are the same text in our own mode, but not the same tokens."""
    system = GOLD.replace("1-2 du\n", "")
    assert counts(trees, GOLD, system) == [(1, 2, 3), (1, 1, 1), (3, 3, 3)]


FOUR = "1 a\n2 .\n\n1 b\n2 .\n\n1 c\n2 .\n\n1 d\n2 ."


@pytest.mark.parametrize(
    ("gold", "system", "found"),
    [
        pytest.param(FOUR, FOUR, (4, 4, 4), id="the same"),
        pytest.param(FOUR, "1 a\n2 .\n\n1 b\n2 .\n3 c\n4 .\n\n1 d\n2 .", (2, 4, 3), id="joined"),
        pytest.param(FOUR, "1 a\n\n1 .\n\n1 b\n2 .\n\n1 c\n2 .\n\n1 d\n2 .", (3, 4, 5), id="split"),
        pytest.param(FOUR, "1 a\n2 .\n3 b\n\n1 .\n2 c\n3 .\n4 d\n5 .", (0, 4, 2), id="elsewhere"),
        pytest.param(FOUR, "1 a.\n\n1 b\n2 .c.\n\n1 d.", (2, 4, 3), id="with other tokens"),
    ],
)
def test_sentences(trees: Any, gold: str, system: str, found: tuple[int, ...]) -> None:
    assert trees.counts(gold, system, "deps.sentences") == found
    both, ours, theirs = found
    assert trees.counts(system, gold, "deps.sentences") == (both, theirs, ours)


def test_units_add_up(trees: Any) -> None:
    """What is found counts in the gold sentence that holds its first character."""
    system = "1 a\n2 .\n3 b\n4 .\n\n1 c.\n\n1 d\n2 ."
    expected = {
        "deps.tokens": [[2, 2, 2], [2, 2, 2], [0, 2, 1], [2, 2, 2]],
        "deps.sentences": [[0, 1, 1], [0, 1, 0], [1, 1, 1], [1, 1, 1]],
        "deps.words": [[2, 2, 2], [2, 2, 2], [0, 2, 1], [2, 2, 2]],
    }
    for metric, rows in expected.items():
        found = trees.score(FOUR, system, metric)
        assert found.stats.dense[:, :3].tolist() == rows
        assert [*found.counts.values()][:3] == [sum(column) for column in zip(*rows, strict=True)]


@pytest.mark.parametrize("metric", METRICS)
def test_skipped_sentences_are_no_sentences(trees: Any, metric: str) -> None:
    gold = "1 a _ X _ _ 0 root\n\n1 b _ X _ _ 9 dep\n\n1 c _ X _ _ 0 root"
    system = "1 a _ X _ _ 0 root\n\n1 b _ X _ _ 0 root\n\n1 c _ X _ _ 0 root"
    result = tertium.score(
        trees.write(gold), trees.write(system), metric=["deps.las", metric], on_error="skip"
    )[metric]
    assert [*result.counts.values()][:3] == [2, 2, 2]
    assert result.coverage["skipped"] == 1


@pytest.mark.parametrize("metric", METRICS)
def test_what_is_aligned_is_right(trees: Any, metric: str) -> None:
    found = trees.score(GOLD, "1 du\n2 pain", metric)
    assert found.parts["aligned_accuracy"] is None
    assert "not defined for this metric" in found.reasons["aligned_accuracy"]
    assert found.counts["aligned"] == found.counts["correct"]
    assert found.labels == {}


def test_complete(trees: Any) -> None:
    """All tokens of a sentence right, and none too many: one of two."""
    found = trees.score("1 ab\n\n1 c\n2 d", "1 ab\n\n1 cd", "deps.tokens")
    assert found.parts["complete"] == pytest.approx(1 / 2)


def test_errors(trees: Any) -> None:
    """Sentences are shown word by word, and so is a multiword token."""
    system = "1 d\n2 u\n\n1 pain"
    assert trees.errors(GOLD, system, "deps.tokens") == [
        ("missing", "de le", None),
        ("extra", None, "d"),
        ("extra", None, "u"),
    ]
    assert trees.errors(GOLD, system, "deps.words") == [
        ("missing", "de", None),
        ("missing", "le", None),
        ("extra", None, "d"),
        ("extra", None, "u"),
    ]
    assert trees.errors(GOLD, system, "deps.sentences") == [
        ("missing", "de le pain", None),
        ("extra", None, "d u"),
        ("extra", None, "pain"),
    ]


@pytest.mark.parametrize("metric", METRICS)
def test_confusions(trees: Any, metric: str) -> None:
    label = metric.removeprefix("deps.").removesuffix("s")
    found = trees.score(GOLD, "1 d\n2 u\n\n1 pain", metric, confusion=True)
    rights = {(label, label): found.counts["correct"]} if found.counts["correct"] else {}
    missing = found.counts["gold"] - found.counts["correct"]
    extra = found.counts["system"] - found.counts["correct"]
    assert found.confusion == {**rights, (label, None): missing, (None, label): extra}
    assert {k[0] for k in found.error_types} == {"missing", "extra"}


def test_extra_items_are_the_same_for_two_systems(trees: Any) -> None:
    gold = trees.write(GOLD)
    files = [trees.write(text) for text in ("1 d\n2 u\n3 pain", "1 d\n2 u\n3 pa\n4 in")]
    one, two = (set(tertium.decide(gold, f, "deps.tokens").item.tolist()) for f in files)
    assert len(one) == 4
    assert one < two


def test_sentences_without_words_are_none() -> None:
    """Such as a list of tags may have; the one at the end has no place in the text at all."""
    data = [["X", "Y"], [], ["X"], []]
    (found,) = tertium.score(data, data, metric="deps.sentences")
    assert [*found.counts.values()] == [2, 2, 2, 2]
    assert found.stats is not None
    assert found.stats.dense[:, 1].tolist() == [1, 0, 1, 0]


@pytest.mark.parametrize("name", METRICS)
def test_token_numbers_are_no_words(name: str, tmp_path: Path) -> None:
    path = tmp_path / "a.spans"
    path.write_text("X\t3\t5\t\n\n")
    with pytest.raises(LayerError, match=f"has no words for {name}"):
        tertium.score(path, path, metric=name)
