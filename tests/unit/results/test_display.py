"""Results that print, show and tabulate themselves."""

import sys
from typing import Any

import pytest

import tertium
from tertium.display import Display

GOLD = [["B-PER", "I-PER", "O", "B-LOC"], ["O", "B-ORG"]]
A = [["B-PER", "I-PER", "O", "B-ORG"], ["O", "B-ORG"]]
B = [["B-PER", "O", "O", "B-LOC"], ["O", "O"]]


@pytest.fixture(scope="module")
def scores() -> tertium.Scores:
    return tertium.score(GOLD, A, B, metric="spans.f1", confusion=True, significance=True, seed=1)


RESULTS = [
    lambda: tertium.score(GOLD, A),
    lambda: tertium.compare(GOLD, A, B, metric="spans.f1", significance=False),
    lambda: tertium.errors(GOLD, A),
    lambda: tertium.diff(A, B),
    lambda: tertium.conventions(GOLD, A),
    lambda: tertium.power(GOLD, A, B, metric="spans.f1", trials=400),
    lambda: tertium.audit(GOLD, A, B, metric="spans.f1", samples=5),
    lambda: tertium.ppv_table(),
    lambda: tertium.draw(GOLD, A, sentence=1),
    lambda: tertium.validate("nowhere.conllu"),
]


@pytest.mark.parametrize("make", RESULTS)
def test_every_result_shows_itself(make: Any) -> None:
    result = make()
    assert isinstance(result, Display)
    assert str(result).rstrip() == tertium.render(result).rstrip()
    assert "\n" in str(result)
    assert "\n" not in repr(result)
    assert len(repr(result)) < 400
    piece = result._repr_html_()
    assert piece.count("<style>") == 1
    assert "</html>" not in piece
    assert result.to_latex() == tertium.render(result, "latex")
    assert result.to_markdown() == tertium.render(result, "markdown")
    frame = result.to_frame()
    assert result.to_pandas().shape == frame.shape
    assert [*result.to_pandas().columns] == frame.columns


def test_a_piece_for_a_notebook_is_escaped_and_keeps_its_style_to_itself() -> None:
    piece = tertium.score([["<b>"]], [["<b>"]], names=["<i>"])._repr_html_()
    assert "<i>" not in piece
    assert "&lt;i&gt;" in piece
    assert "100.00" in piece
    rules = piece[piece.index("<style>") : piece.index("</style>")]
    assert ":root" not in rules
    assert rules.count("{") == rules.count("}")


def test_scores_have_a_row_per_system_and_metric(scores: tertium.Scores) -> None:
    frame = scores.to_frame()
    assert frame.columns[:8] == [
        *("system", "metric", "value", "low", "high", "precision", "recall", "f1"),
    ]
    assert frame["system"].to_list() == ["system1", "system2"]
    assert frame["f1"].to_list() == [r.value for r in scores]
    assert frame["n_correct"].to_list() == [2, 1]
    assert frame["n_system"].to_list() == [3, 2]


def test_further_tables_of_scores(scores: tertium.Scores) -> None:
    labels = scores.to_frame("labels")
    assert labels.filter(system="system1", label="ORG").select("recall", "n_gold").row(0) == (1, 1)
    cells = scores.to_frame("confusion").filter(system="system1", gold_label="LOC")
    assert cells.select("system_label", "count").rows() == [("ORG", 1)]
    tests = scores.to_frame("tests")
    assert tests.select("a", "b").row(0) == ("system1", "system2")
    assert {"p", "delta", "low", "high"} < {*tests.columns}
    by = tertium.score(GOLD, A, by="length:2", metric="spans.f1").to_frame("groups")
    assert by.select("by", "group", "value").rows() == [
        ("length:2", "1-2", 1.0),
        ("length:2", "3-", 0.5),
    ]
    assert scores.to_frame("long").columns[-3:] == ["part", "value", "text"]


def test_an_undefined_value_is_missing_in_frames() -> None:
    nothing = tertium.score([["O"]], [["O"]], metric="spans.f1")
    assert nothing.to_frame()["f1"].to_list() == [None]
    assert nothing.to_pandas()["f1"].isna().all()


def test_a_table_that_is_not_there_is_refused(scores: tertium.Scores) -> None:
    with pytest.raises(tertium.UsageError, match="no table 'label'") as error:
        scores.to_frame("label")
    assert "scores, labels, groups" in (error.value.help or "")
    with pytest.raises(tertium.UsageError, match="no groups") as error:
        scores.to_frame("groups")
    assert error.value.help == "score with by='genre' to have them"


def test_a_comparison_has_the_tables_of_its_scores() -> None:
    found = tertium.compare(GOLD, A, B, metric="spans.f1", trials=50)
    assert found.to_frame().select("a", "b", "both_right_different").row(0) == (
        *("system1", "system2"), 0,
    )  # fmt: skip
    assert found.to_frame("tests").height == 1
    assert found.to_frame("scores").height == 2


def test_pandas_is_named_where_it_is_missing(
    scores: tertium.Scores, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(tertium.UsageError, match="needs pandas") as error:
        scores.to_pandas()
    assert "pip install pandas" in (error.value.help or "")
