"""Results: what every verb gives back, and its numbers one a row."""

from dataclasses import dataclass, field
from typing import Any

import polars as pl
import pytest

from tertium.results.output import Look, Output, columns_of, flat_rows


@dataclass(frozen=True)
class Found(Output):
    data: dict[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        return self.data


def values(data: dict[str, Any]) -> list[tuple[Any, ...]]:
    return [tuple(row.values()) for row in flat_rows(data)]


def test_an_entry_of_texts_alone_has_a_row() -> None:
    entries = [{"system": "a", "letters": "x"}, {"system": "b", "letters": "xy"}]
    assert flat_rows({"letters": entries}) == [
        {"section": "letters", "system": "a", "letters": "x", "part": "", "value": None},
        {"section": "letters", "system": "b", "letters": "xy", "part": "", "value": None},
    ]


def test_nothing_has_no_rows() -> None:
    assert flat_rows({}) == []
    assert flat_rows({"scores": [], "labels": {}, "more": {"counts": {}}}) == []
    assert columns_of([]) == []
    assert Found().to_frame().shape == (0, 0)


def test_numbers_of_the_whole() -> None:
    assert values({"units": 2, "sum": {"gold": 3, "more": {"share": 0.5}}, "none": None}) == [
        ("", "units", 2),
        ("", "sum.gold", 3),
        ("", "sum.more.share", 0.5),
        ("", "none", None),
    ]


def test_texts_of_entries_say_what_a_number_is_about() -> None:
    scores = [{"system": name, "value": 0.5, "coverage": {"scored": 3}} for name in "ab"]
    assert flat_rows({"scores": scores}) == [
        {"section": "scores", "system": "a", "part": "value", "value": 0.5},
        {"section": "scores", "system": "a", "part": "coverage.scored", "value": 3},
        {"section": "scores", "system": "b", "part": "value", "value": 0.5},
        {"section": "scores", "system": "b", "part": "coverage.scored", "value": 3},
    ]


def test_a_text_that_some_entries_lack_is_a_column_of_all() -> None:
    pairs = [{"gold": "A", "system": None, "count": 1}, {"gold": None, "system": "A", "count": 2}]
    assert flat_rows({"pairs": pairs}) == [
        {"section": "pairs", "gold": "A", "system": None, "part": "count", "value": 1},
        {"section": "pairs", "gold": None, "system": "A", "part": "count", "value": 2},
    ]


def test_keys_of_a_dictionary_of_dictionaries_are_a_column() -> None:
    labels = {"N": {"f1": 1.0, "counts": {"gold": 2}}, "V": {"f1": None}}
    assert flat_rows({"scores": [{"system": "a", "labels": labels}]}) == [
        {"section": "scores.labels", "system": "a", "label": "N", "part": "f1", "value": 1.0},
        {
            "section": "scores.labels",
            "system": "a",
            "label": "N",
            "part": "counts.gold",
            "value": 2,
        },
        {"section": "scores.labels", "system": "a", "label": "V", "part": "f1", "value": None},
    ]
    [row] = flat_rows({"across": {"deps.las": {"groups": 3}}})
    assert row == {"section": "across", "across": "deps.las", "part": "groups", "value": 3}


def test_lists_inside_lists() -> None:
    pairs = [{"a": "x", "b": "y", "p": 0.5}]
    [row] = flat_rows({"metrics": [{"metric": "m", "pairs": pairs}]})
    about = {"metric": "m", "a": "x", "b": "y"}
    assert row == {"section": "metrics.pairs", **about, "part": "p", "value": 0.5}
    assert values({"matrix": [[1, 2], [3, 4]], "notes": ["one"], "pair": (5, 6)}) == [
        *(("", f"matrix.{i}.{j}", 2 * i + j + 1) for i in (0, 1) for j in (0, 1)),
        ("", "notes.0", None, "one"),
        ("", "pair.0", 5),
        ("", "pair.1", 6),
    ]


def test_entries_that_no_text_tells_apart_are_numbered() -> None:
    sizes = [{"units": 10, "power": 0.1}, {"units": 20, "power": 0.2}]
    rows = flat_rows({"sizes": sizes})
    assert [row["number"] for row in rows] == [0, 0, 1, 1]
    assert rows[3] == {"section": "sizes", "number": 1, "part": "power", "value": 0.2}
    same = [{"system": "a", "value": 1}, {"system": "a", "value": 2}]
    assert [row["number"] for row in flat_rows({"scores": same})] == [0, 1]
    assert "number" not in flat_rows({"scores": same[:1]})[0]


def test_a_reason_is_no_name() -> None:
    scores = [{"system": "a", "value": None, "reason": "there are no words"}]
    assert flat_rows({"scores": scores}) == [
        {"section": "scores", "system": "a", "part": "value", "value": None},
        {"section": "scores", "system": "a", "part": "reason", "value": None}
        | {"text": "there are no words"},
    ]


def test_names_that_are_taken_say_where_they_are_from() -> None:
    pairs = [{"gold": "A", "system": "B", "count": 2}]
    [row] = flat_rows({"scores": [{"system": "x", "confusion": pairs}]})
    assert row["system"] == "x"
    assert row["confusion.system"] == "B"
    [row] = flat_rows({"found": [{"part": "f1", "value": "high", "section": "1", "n": 3}]})
    about = {"found.part": "f1", "found.value": "high", "found.section": "1"}
    assert row == {"section": "found", **about, "part": "n", "value": 3}


def test_names_that_are_taken_more_than_once() -> None:
    inner = {"a": {"z": {"n": 1}}}
    [row] = flat_rows({"a": {"x": {"a": {"y": inner}}}})
    assert [*row.values()] == ["a.a.a", "x", "y", "z", "n", 1]
    assert len(row) == 6


def test_columns_in_order_of_appearance_the_number_last() -> None:
    rows = flat_rows({"units": 1, "scores": [{"system": "a", "value": 2}]})
    assert columns_of(rows) == ["section", "system", "part", "value"]
    assert columns_of([{"value": 1, "b": 2}, {"a": 3}]) == ["b", "a", "value"]


def test_a_frame_has_numbers_and_texts_apart() -> None:
    data = {"gold": "g", "units": 3, "scores": [{"system": "a", "value": 0.5, "exact": True}]}
    frame = Found(data).to_frame()
    assert frame.columns == ["section", "system", "part", "value", "text"]
    assert frame.schema["value"] == pl.Float64
    assert frame["value"].to_list() == [None, 3.0, 0.5, 1.0]
    assert frame["text"].to_list() == ["g", None, None, None]
    assert Found({"units": 3}).to_frame().columns == ["section", "part", "value"]


def test_what_a_result_says_unless_it_says_more() -> None:
    found = Found({"units": 3})
    assert found.title == "Tertium"
    assert found.notices(Look()) == []
    found.check()
    with pytest.raises(NotImplementedError):
        found.blocks(Look())
    with pytest.raises(NotImplementedError):
        Output().to_dict()
