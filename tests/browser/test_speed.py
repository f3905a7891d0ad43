"""100,000 decisions open at once and are filtered without delay. Bounds are generous."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from report_samples import large_view, plain_sentences
from tertium.report.blocks import Text
from tertium.report.interactive.page import Part, View, render_report


def test_a_hundred_thousand_decisions(
    opened: Callable[..., Any], tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    items, systems = 20_000, 5
    parts = [Part("overview", "Overview", [Text("much")])]
    view = View("deps.las", "deps.las", parts, large_view(items, systems))
    path = tmp_path / "large.html"
    path.write_text(render_report("Large", [view], plain_sentences(items // 20)), encoding="utf-8")
    watched = opened(path)
    page = watched.page
    opening = page.evaluate(
        "(({ domContentLoadedEventEnd, startTime }) => domContentLoadedEventEnd - startTime)"
        "(performance.getEntriesByType('navigation')[0])"
    )
    assert watched.count() == "20,000 of 20,000 items"
    taken = []
    for name, value in (
        ("class", "new"), ("class", "changed"), ("gold", "label7"), ("class", "all"), ("many", "2"),
        ("text", "w"), ("text", "word"), ("text", "word12"), ("item", "4"), ("id", "s1"),
    ):  # fmt: skip
        watched.choose(name, value)
        taken.append(float(page.get_attribute("#list", "data-milliseconds")))
    record_property("opening_milliseconds", opening)
    record_property("filtering_milliseconds", taken)
    assert opening < 3000, f"opening took {opening:.0f} ms"
    assert sorted(taken)[len(taken) // 2] < 150, f"filtering took {taken} ms"
