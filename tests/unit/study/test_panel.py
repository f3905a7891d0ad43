"""Panels: sides that have parts of one text."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tertium
from tertium.exceptions import AlignmentError, UsageError
from tertium.families.family import compared_metrics
from tertium.study.panel import Panel


def side(*sentences: str) -> list[dict[str, Any]]:
    """Sentences as `word/tag word/tag`."""
    pairs = [[cell.split("/") for cell in sentence.split()] for sentence in sentences]
    return [{"tokens": [w for w, _ in s], "tags": [t for _, t in s]} for s in pairs]


def panel(*sides: Any, **reading: Any) -> Panel:
    return Panel.read(sides, compared_metrics, reading, {})


ONE, TWO, THREE, FOUR = "a/A b/B", "c/C", "d/D e/E f/F", "g/G"


def words(found: Panel) -> list[str]:
    assert found.text.forms is not None
    return found.text.forms.to_list()


def test_the_text_is_that_of_the_first_and_what_it_lacks() -> None:
    found = panel(side(TWO, THREE), side(ONE, TWO), side(FOUR, THREE))
    assert words(found) == ["c", "d", "e", "f", "a", "b", "g"]
    assert [each.tolist() for each in found.sentences] == [[0, 1], [2, 0], [3, 1]]
    assert found.partner(0).tolist() == [0, 1, 2, 3, -1, -1, -1]
    assert found.partner(1).tolist() == [2, -1, -1, -1, 0, 1, -1]
    assert found.partner(2).tolist() == [-1, 1, 2, 3, -1, -1, 0]
    assert found.coverage == [
        *(f"'{name}' has 2 of 4 sentences" for name in "ABC"),
        "two or more annotators have 2 of 4 sentences",
    ]


def test_all_have_all_sentences() -> None:
    assert panel(side(ONE, TWO), side(ONE, TWO)).coverage == []
    other = panel(side(ONE, TWO), side("x/A y/B", TWO), align="position")
    assert other.coverage == ["the words of 'B' and 'A' differ in 2 places"]


def test_sentences_without_words_are_not_told_apart() -> None:
    with pytest.raises(AlignmentError, match="A has 2 sentences, B has 1; they cannot be paired"):
        panel([["N", "V"], ["N"]], [["N", "V"]]).sentences  # noqa: B018


def test_items_lie_over_the_text() -> None:
    found = panel(side(TWO, THREE), side(ONE, TWO))
    for number, each in enumerate(found.sides):
        items = found.fitted[0].items(each)
        moved = found.over(number, items)
        there = [words(found)[place] for place in moved.start.tolist()]
        assert there == each.forms.to_list()  # type: ignore[union-attr]
        assert (moved.end - moved.start).tolist() == [1] * len(there)
        assert moved.label.to_list() == [word.upper() for word in there]


def test_a_sentence_that_recurs_is_paired_once() -> None:
    found = panel(side(ONE, TWO, ONE), side(ONE, THREE, ONE, ONE))
    assert [each.tolist() for each in found.sentences] == [[0, 1, 2], [0, 3, 4, 2]]


@pytest.mark.parametrize("seed", range(20))
def test_parts_in_any_order(seed: int) -> None:
    """Every word of a side has its partner, whatever sides have and in which order."""
    rng = np.random.default_rng(seed)
    every = [f"w{n}/{n} x{n % 3}/x" for n in range(8)]
    chosen = [rng.permutation(8)[: rng.integers(5, 9)].tolist() for _ in range(3)]
    found = panel(*(side(*(every[n] for n in own)) for own in chosen))
    for number, each in enumerate(found.sides):
        partner = found.partner(number)
        assert sorted(partner[partner >= 0].tolist()) == [*range(each.token_count)]
        forms = each.forms.to_list()  # type: ignore[union-attr]
        pairs = zip(words(found), partner.tolist(), strict=True)
        assert all(word == forms[at] for word, at in pairs if at >= 0)
    assert found.text.sentence_count == len({n for own in chosen for n in own})


def test_other_tokens_of_one_text() -> None:
    found = panel(side("ab/X c/Y"), side("a/X b/X c/Y"))
    assert found.partner(1).tolist() == [-1, 2]
    moved = found.over(1, found.fitted[0].items(found.sides[1]))
    assert moved.start.tolist() == [1]


def test_who_has_nothing_in_common_is_named() -> None:
    with pytest.raises(AlignmentError, match="'C' has no sentence in common"):
        words(panel(side(ONE), side(ONE), side(TWO)))
    with pytest.raises(AlignmentError, match="these are different texts"):
        words(panel(side(ONE), side(TWO)))
    same = panel(side(ONE), side("x/X y/Y"), align="position")
    assert same.partner(1).tolist() == [0, 1]


def test_two_of_one_name_are_refused(samples: Path) -> None:
    with pytest.raises(UsageError, match="two annotators are named 'x'"):
        panel(*(f"x={samples / f'upos-ann{n}.tsv'}" for n in (1, 2)))


def test_what_not_all_have_is_left_out_and_named(tmp_path: Path) -> None:
    rows = ["1\ta\t_\tX\t_\t_\t0\troot\t_\t_", "2\tb\t_\tY\t_\t_\t1\tobj\t_\t_"]
    (tmp_path / "tree.conllu").write_text("\n".join(rows) + "\n\n", "utf-8")
    tree = tertium.read(tmp_path / "tree.conllu")
    tags = replace(tree, layers={"upos": tree.layers["upos"]})
    found = panel(tree, replace(tags, origin="tags"))
    assert [repr(each) for each in found.metrics] == ["tags.accuracy"]
    assert found.notes == ("left out, because not all annotators have it: UAS and LAS",)
    both = panel(tree, replace(tree, origin="same"))
    assert (len(both.metrics), both.notes) == (3, ())


def test_an_altered_word_is_no_part_of_a_text(tmp_path: Path) -> None:
    """Of twenty sentences with equal lengths one has another word: the sides are not parts."""
    text = "".join(f"w{n}\tN\n\n" for n in range(20))
    (tmp_path / "a.tsv").write_text(text, "utf-8")
    (tmp_path / "b.tsv").write_text(text.replace("w7", "x7"), "utf-8")
    files = [str(tmp_path / "a.tsv"), str(tmp_path / "b.tsv")]
    with pytest.raises(AlignmentError, match="w7"):
        tertium.agree(*files)
    (tmp_path / "b.tsv").write_text("".join(f"w{n}\tN\n\n" for n in range(7)) + "x\tN\n\n", "utf-8")
    assert tertium.agree(*files).items["shared"] == 7
