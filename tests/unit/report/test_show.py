"""Results for notebooks."""

from pathlib import Path

import pytest

import tertium


def test_a_page_in_a_frame_and_text_when_printed() -> None:
    shown = tertium.show(tertium.compare([["<b>"]], [["<b>"]], [["V"]]), height=300)
    page = shown._repr_html_()
    assert page.startswith("<iframe srcdoc=")
    assert 'height="300"' in page
    assert "<b>" not in page
    assert "new errors" in repr(shown)


def test_a_comparison_with_its_sentences_is_the_report() -> None:
    comparison = tertium.compare([["N"]], [["N"]], [["V"]], examples=True)
    assert "#filters" in tertium.show(comparison).html
    assert "#filters" not in tertium.show(tertium.score([["N"]], [["V"]])).html


def test_a_report_is_written_or_says_why_not(tmp_path: Path) -> None:
    comparison = tertium.compare([["N"]], [["N"]], [["V"]], examples=True)
    tertium.write_report(comparison, tmp_path / "r.html")
    assert (tmp_path / "r.html").read_text("utf-8").startswith("<!doctype html>")
    with pytest.raises(tertium.InputError, match="cannot write"):
        tertium.write_report(comparison, tmp_path / "nowhere" / "r.html")
    with pytest.raises(tertium.UsageError, match="no sentences"):
        tertium.write_report(tertium.compare([["N"]], [["N"]], [["V"]]), tmp_path / "r.html")
