"""The page of `tertium variation` in a real browser: sections, and tables that can be sorted."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tertium.cli.main import main

Open = Callable[..., Any]
FILES = Path(__file__).parents[2] / "docs" / "verbs" / "variation.files"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("variation") / "page.html"
    answers = [f"--answers={FILES / name}.tsv" for name in ("anna", "ben", "cleo")]
    assert main(["variation", str(FILES / "phrases.tsv"), *answers, "--output", str(path)]) == 0
    return path


def test_n_grams_are_sorted_by_what_is_clicked(opened: Open, page: Path) -> None:
    shown = opened(page).page
    assert shown.locator("#parts a").all_inner_texts()[:2] == [
        "Hard cases by pair of labels",
        "Cases",
    ]
    table = shown.locator("section[data-title='Variation n-grams'] table")
    rows = table.locator("tbody tr")
    assert rows.first.inner_text().split("\t") == [
        "had to get [out] of the", "6", "2", "ADP 1 (5), PRT 1 (14)",
    ]  # fmt: skip
    head = table.locator("thead th", has_text="words")
    for way, first in (("descending", "had to get"), ("ascending", "[today]")):
        head.locator("button").click()
        assert head.get_attribute("aria-sort") == way
        assert rows.first.inner_text().startswith(first)


def test_the_figure_has_bars_and_a_table(opened: Open, page: Path) -> None:
    shown = opened(page).page
    figure = shown.locator("section[data-title^='Hard cases'] figure").first
    assert figure.locator("svg rect.share").count() == 2 + 6, "the legend, and no bars for 0"
    figure.locator("summary").click()
    assert figure.locator("tbody tr").count() == 4
    assert shown.locator("#examples").is_hidden()


def test_without_scripts_all_is_there(opened: Open, page: Path) -> None:
    shown = opened(page, scripts=False).page
    assert "sort and copy tables" in shown.locator("noscript").inner_text()
    assert shown.locator("section[data-title='Variation n-grams'] tbody tr").count() == 4
