"""Sentences of tokens that nobody wrote: a few bytes can speak of token 1,000,000."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import tertium
from schemas import validator_of
from tertium.comparison.compare.page import page_of
from tertium.report.page import columns_of
from tertium.results.scenes import MOST_NUMBERS, gaps_in, numbers_at, shown_tokens

GOLD = "PER\t1\t1000000\nLOC\t5\t900000\nORG\t700\t700\n\n"
SYSTEM = "PER\t1\t999000\nLOC\t5\t900000\nORG\t701\t703\n\n"


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    """A span table of gold and one of a system."""
    paths = tmp_path / "gold.spans", tmp_path / "system.spans"
    for path, text in zip(paths, (GOLD, SYSTEM), strict=True):
        path.write_text(text)
    return str(paths[0]), str(paths[1])


def test_short_sentences_are_whole() -> None:
    assert shown_tokens(MOST_NUMBERS, [3]) is None
    assert shown_tokens(MOST_NUMBERS + 1, [3]) == (0, 1, 3, 4, MOST_NUMBERS)


def test_a_single_token_between_two_is_no_gap() -> None:
    shown = shown_tokens(5000, [2, 6, 7, -1, 5000]) or ()
    assert " ".join(numbers_at(shown)) == "1 2 3 … 7 8 … 5000"
    assert gaps_in(shown) == [3, 6]


def test_drawings_have_places_for_what_spans_touch(files: tuple[str, str]) -> None:
    drawing = tertium.draw(*files)
    (scene,) = drawing.pairs
    assert " ".join(scene.words) == "1 … 5 … 700 701 702 703 … 900000 … 999000 … 1000000"
    items = scene.to_dict()["items"]
    assert [each["gold"] and each["gold"]["runs"] for each in items] == [
        [(1, 1_000_000)], [(5, 900_000)], [(700, 700)], None,
    ]  # fmt: skip
    assert items[-1]["system"]["runs"] == [(701, 703)]
    validator_of("draw").validate(json.loads(drawing.render("json")))
    rows = drawing.to_rows()
    assert [row["gold tokens"] for row in rows] == ["1-1000000", "5-900000", "700", None]


def test_a_system_may_speak_of_more_tokens(files: tuple[str, str]) -> None:
    (scene,) = tertium.draw(*reversed(files)).pairs
    assert scene.words[-3:] == ("999000", "…", "1000000")
    assert [side[-1] and side[-1].number for side in scene.tokens] == [None, 1_000_000]


def test_gaps_of_spans_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "gold.spans"
    path.write_text("PER\t1\t3000\t1, 2, 3, 2999, 3000\n\n")
    (scene,) = tertium.draw(str(path), sentence=1).pairs
    assert " ".join(scene.words) == "1 2 3 … 2999 3000"
    assert scene.to_dict()["items"][0]["gold"]["runs"] == [(1, 3), (2999, 3000)]


def test_errors_mark_the_ends_of_spans(files: tuple[str, str]) -> None:
    first, *_ = tertium.errors(*files)
    context = first.context
    assert context.text == "1 … 999000 … 1000000"
    assert [context.text[a:z] for a, z in (*context.gold, *context.system)] == [
        "1 … 999000 … 1000000",
        "1 … 999000",
    ]


def test_examples_and_pages_have_the_same_numbers(files: tuple[str, str]) -> None:
    gold, system = files
    comparison = tertium.compare(gold, gold, system, examples=True)
    first, second, *_ = json.loads(tertium.render(comparison, "json", examples=0))["examples"]
    assert first["text"] == "1 … 999000 … 1000000"
    assert [first["last"], first["said"]["b"]["last"]] == [1_000_000, 999_000]
    assert [second["text"], second["first"], second["words"][0]] == ["700", 700, "1"]
    page = page_of(comparison)
    assert page is not None
    (scene,) = page.sentences
    for view in page.views:
        columns = columns_of(view, page.sentences)
        ends = zip(columns["first"].tolist(), columns["last"].tolist(), strict=True)
        assert [(scene.words[a], scene.words[z]) for a, z in ends][:3] == [
            ("1", "1000000"), ("5", "900000"), ("700", "700"),
        ]  # fmt: skip
    assert len(scene.words) < 20
