"""The rows behind a score, with the words they are about."""

from pathlib import Path

import polars as pl
import pytest

import tertium

TEXT = "Ann saw New York."
GOLD = [{"text": TEXT, "spans": [[0, 3, "PER"], [8, 16, "LOC"]], "id": "s1"}]
SYSTEM = [{"text": TEXT, "spans": [[0, 3, "PER"], [4, 7, "X"]], "id": "s1"}]


def test_spans_of_texts_have_characters() -> None:
    frame = tertium.decide(GOLD, SYSTEM, "spans.f1").to_frame()
    assert frame["sentence"].to_list() == ["s1"] * 3
    assert frame["gold_text"].to_list() == ["Ann", "New York", None]
    assert frame.select("gold_start", "gold_end").rows() == [(0, 3), (8, 16), (None, None)]
    assert frame.select("system_text", "system_start", "system_end").row(2) == ("saw", 4, 7)
    assert frame["gold_first"].null_count() == 3


def test_words_of_trees_have_numbers_and_heads(samples: Path) -> None:
    rows = tertium.decide(samples / "gold.conllu", samples / "arbor.conllu", "deps.las")
    frame = rows.to_frame()
    errors = tertium.errors(
        samples / "gold.conllu", samples / "arbor.conllu", metric="deps.las"
    ).to_frame()
    wrong = frame.filter(pl.col("outcome") != "correct")
    names = ["sentence", *(f"{s}_{n}" for s in ("gold", "system") for n in (
        "first", "last", "start", "end", "text", "head", "head_form",
    ))]  # fmt: skip
    assert wrong.select(names).equals(errors.select(names))
    assert frame.height == 847


def test_tokens_without_words_are_numbered() -> None:
    frame = tertium.decide([["O", "B-X"], ["B-X"]], [["O", "B-X"], ["O"]], "spans.f1").to_pandas()
    assert frame["sentence"].to_list() == ["1", "2"]
    assert frame["gold_first"].to_list() == [2, 1]
    assert frame["gold_text"].isna().all()


def test_chosen_rows_and_none_at_all() -> None:
    rows = tertium.decide(GOLD, SYSTEM, "spans.f1")
    assert rows.take((~rows.right).nonzero()[0]).to_frame()["gold_text"].to_list() == [
        "New York",
        None,
    ]
    empty = tertium.decide([["O"]], [["O"]], "spans.f1").to_frame()
    assert empty.height == 0
    assert empty.schema == tertium.decide([["B-X"]], [["B-X"]], "spans.f1").to_frame().schema


def test_what_decide_does_not_take() -> None:
    with pytest.raises(tertium.UsageError, match="no option 'by'"):
        tertium.decide(GOLD, SYSTEM, "spans.f1", by="length")
    with pytest.raises(tertium.UsageError, match="Did you mean 'align'"):
        tertium.decide(GOLD, SYSTEM, "spans.f1", aling="auto")
    with pytest.raises(tertium.UsageError, match="does not judge single items"):
        tertium.decide(GOLD, SYSTEM, "deps.ud")
