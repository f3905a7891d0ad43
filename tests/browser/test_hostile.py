"""Texts that try to be markup or programs: nothing runs, and all show as they are."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from report_samples import view_of_words
from tertium.comparison.compare.page import combination_links, matrix_links
from tertium.comparison.compare.views import View as Compared
from tertium.report.page import render_page
from tertium.results.blocks import (
    Bars,
    Block,
    Column,
    Intersections,
    Lines,
    Matrix,
    Ranks,
    Series,
    Shares,
    Table,
    Text,
)
from tertium.results.blocks.pages import Page, PagePart, PageView
from tertium.results.scenes import Scene
from tertium.results.texts import visible

HOSTILE = (
    "</script><script>alert(1)</script>",
    '"><img src=x onerror=alert(2)>',
    "&lt;b&gt;",
    "<!--<script>",
    "\u2028\u2029",
    "\u202eleft\u200f",
    "\ud800",
    "nul\x00\x1b[31m",
    "javascript:alert(3)",
    "{{ 7 * 7 }}${7 * 7}",
    "__proto__",
    "a&b=c#d%41+e",
    "]]>'\"`\\",
)


def hostile_view() -> Compared:
    """One word an item, and as many systems as there are labels: everything is hostile."""
    items = np.arange(len(HOSTILE))
    own = np.broadcast_to(items, (len(HOSTILE), len(HOSTILE)))
    label = (own + items[:, None]) % len(HOSTILE)
    view = view_of_words(
        items - 1,
        np.where(label == own, own - 1, label),
        items,
        label,
        1,
        labels=HOSTILE,
        types=("correct", *HOSTILE),
        metric=HOSTILE[0],
        layer="spans",
        systems=HOSTILE,
        mode="both",
    )
    type = np.where(label == own, 0, 1 + label).astype(np.uint8)
    return replace(view, answers=replace(view.answers, type=type))


def plots() -> list[Block]:
    """Figures with axes."""
    lines = ((1.5, HOSTILE[0]), (1.6, HOSTILE[1]))
    curves = tuple(Series(text, (1, 2), (1, None), reason=text) for text in HOSTILE)
    ranks = tuple(1 + n / 2 for n in range(len(HOSTILE)))
    return [
        Lines(curves, *HOSTILE[:3], thresholds=lines, marks=lines, note=HOSTILE[4]),
        Ranks(HOSTILE, ranks, 2, (HOSTILE[:3],), *HOSTILE[:2]),
    ]


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    size = len(HOSTILE)
    table = Table(
        tuple(Column(text, text) for text in HOSTILE),
        (HOSTILE, HOSTILE),
        HOSTILE[0],
        note=HOSTILE[1],
    )
    numbers = ((1,) * size,) * size
    sets = Intersections(HOSTILE, ((True,) * size,), (3,), HOSTILE[1])
    blocks = [
        table,
        Matrix(HOSTILE, HOSTILE, numbers, HOSTILE[0], HOSTILE[1], HOSTILE[2]),
        Bars(HOSTILE, HOSTILE, numbers, HOSTILE[3]),
        sets,
        Shares(HOSTILE, HOSTILE, numbers, HOSTILE[3], HOSTILE[4], None),
        *plots(),
        *(Text(text, role) for text in HOSTILE for role in ("note", "title", "code", "signature")),
    ]
    links = {
        0: [{"gold": text} for text in HOSTILE[:2]],
        1: matrix_links(HOSTILE, HOSTILE),
        3: combination_links(sets),
    }
    parts = [
        PagePart(
            text, text, blocks[:1] if i else blocks, (text, HOSTILE[i - 1]) if i else None, links
        )
        for i, text in enumerate(HOSTILE)
    ]
    tests = {(HOSTILE[0], text): text for text in HOSTILE[1:]}
    groups = {text: (HOSTILE, np.arange(size)) for text in HOSTILE}
    views = [
        PageView(text, text, parts, hostile_view(), None, tests, groups) for text in HOSTILE[:3]
    ]
    sentence = Scene(HOSTILE[0], HOSTILE, document=HOSTILE[1], file=HOSTILE[2])
    other = Scene(HOSTILE[3], HOSTILE, file=HOSTILE[4], spaces=(False,) * size)
    lines = [Text(HOSTILE[1])]
    page = render_page(
        Page(HOSTILE[0], views, [sentence, other], lines, summary=HOSTILE[2], closing=lines)
    )
    path = tmp_path_factory.mktemp("hostile") / "report.html"
    path.write_bytes(page.encode("utf-8"))  # no lone surrogate is left
    return path


def test_nothing_runs_and_everything_shows_as_it_is(
    opened: Callable[..., Any], report: Path
) -> None:
    watched = opened(report)  # which also notes alerts, errors and requests
    page = watched.page
    assert page.title() == visible(HOSTILE[0])
    for tag in ("img", "b", "iframe", "link", "object"):
        assert page.locator(tag).count() == 0
    assert page.locator("script:not([type])").count() == 1
    headings = page.locator("section.part h2 > bdi").all_text_contents()
    assert set(headings) == {visible(text) for text in HOSTILE}
    cells = page.locator("section.part tbody >> nth=0").locator("tr >> nth=0").locator("th, td")
    assert cells.all_text_contents() == [visible(text) for text in HOSTILE]
    words = page.locator(".example .art svg >> nth=0").locator("text.word").all_text_contents()
    assert words == [visible(text) for text in HOSTILE]
    sentence = page.locator(".example .sentence >> nth=0").text_content()
    assert sentence == " ".join(visible(text) for text in HOSTILE)
    names = page.locator(".example .answers >> nth=0").locator("tbody th").all_text_contents()
    assert {visible(text) for text in HOSTILE} <= set(names)
    where = page.locator(".example .where >> nth=0").text_content()
    assert where == "1" + "".join(HOSTILE[:3]) + "new error", "sentence, document, file, class"
    assert page.locator("#pair .tested").text_content() == HOSTILE[1]


def test_filters_take_hostile_names(opened: Callable[..., Any], report: Path) -> None:
    watched = opened(report)
    page, chosen = watched.page, []
    wrong = page.locator("#filters select[data-system]")
    page.locator("[data-key=b]").select_option(visible(HOSTILE[3]))
    watched.choose("class", "all")
    for number, text in enumerate(map(visible, HOSTILE)):
        watched.choose("gold", text)
        assert watched.count() == f"1 of {len(HOSTILE)} items"
        wrong.nth(number).select_option("wrong")
        left = 0 if number == 0 else 1  # the first system is always right
        assert watched.count() == f"{left} of {len(HOSTILE)} items"
        page.locator("#filters [data-group]").nth(number).select_option(index=number + 1)
        assert watched.count() == f"{left} of {len(HOSTILE)} items"
        chosen.append((text, left, page.evaluate("location.hash")))
        page.locator("#filters [data-group]").nth(number).select_option("")
        wrong.nth(number).select_option("")
    for text, left, address in chosen[::3]:
        watched.show(report, address)
        assert watched.count() == f"{left} of {len(HOSTILE)} items"
        assert page.locator("#filters [name=gold]").input_value() == text
        assert page.locator("[data-key=b]").input_value() == visible(HOSTILE[3])
        assert page.locator(".example mark").all_text_contents() == [text] * left


def test_links_with_hostile_names_are_followed(opened: Callable[..., Any], report: Path) -> None:
    watched = opened(report)
    watched.page.locator("tr.linked a").nth(0).click(force=True)
    watched.has("1")
    assert watched.page.locator("#filters [name=gold]").input_value() == visible(HOSTILE[0])
    watched.page.locator("svg a").nth(1).click()
    watched.has(f"{len(HOSTILE)}")
    assert watched.page.locator("[data-key=b]").input_value() == visible(HOSTILE[2])


def test_only_the_page_itself_may_run(opened: Callable[..., Any], report: Path) -> None:
    watched = opened(report)
    watched.page.evaluate(
        "() => { const script = document.createElement('script'); script.textContent = 'ran = 1';"
        " const image = document.createElement('img'); image.src = 'https://example.org/x.png';"
        " document.body.append(script, image); }"
    )
    watched.page.wait_for_timeout(100)
    assert watched.page.evaluate("window.ran") is None
    told = [text for text in watched.complaints if "Content Security Policy" in text]
    assert len(told) == 2
    watched.complaints.clear()
    watched.requests = [url for url in watched.requests if url.startswith("file:")]
