"""A result in the frame that a notebook gives it."""

from pathlib import Path
from typing import Any

import tertium


def test_the_report_works_inside_a_frame(browser: Any, samples: Path, tmp_path: Path) -> None:
    files = [samples / name for name in ("gold.conllu", "arbor.conllu", "cedar.conllu")]
    comparison = tertium.compare(*files, metric="deps.las", examples=True)
    shown = tertium.show(comparison, height=500)
    notebook = tmp_path / "notebook.html"
    notebook.write_text(f"<!doctype html><body>{shown._repr_html_()}</body>", encoding="utf-8")
    page = browser.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(notebook.as_uri())
    frame = page.frames[1]
    frame.locator("#filters [name=class]").select_option("new")
    frame.locator("#list .example").first.wait_for()
    pair = comparison.view.pair(
        frame.input_value("[data-key=a]"), frame.input_value("[data-key=b]")
    )
    assert frame.inner_text("#count").startswith(f"{pair.new_errors:,} of ")
    frame.locator("section.part tr.linked a").first.click()  # from a table to its examples
    frame.locator("#list .example").first.wait_for()
    assert frame.inner_text("#count").startswith(f"{pair.different:,} of ")
    assert complaints == []
    page.close()


def test_a_result_in_a_cell_has_a_style_of_its_own(browser: Any, tmp_path: Path) -> None:
    piece = tertium.score([["N", "V"]], [["N", "N"]])._repr_html_()
    cell = tmp_path / "cell.html"
    own = "<table id='own'><tr><td>1</td></tr></table>"
    cell.write_text(f"<!doctype html><meta charset='utf-8'><body>{piece}{own}", encoding="utf-8")
    page = browser.new_page()
    page.goto(cell.as_uri())
    look = "table => getComputedStyle(table).borderCollapse"
    assert page.locator(".tertium-result table").first.evaluate(look) == "collapse"
    assert page.locator("#own").evaluate(look) == "separate"
    page.close()
