"""Every renderer takes every block and every kind of cell, and keeps its promises for it."""

import csv
import io
import re
from itertools import product
from typing import get_args
from xml.etree import ElementTree

import pytest

from block_samples import BLOCKS, CELLS, KINDS
from tertium.exceptions import UsageError
from tertium.report.page import render_page
from tertium.report.render import FORMATS, render_blocks, text
from tertium.results.blocks import Block, Kind, Text, as_table, is_interval
from tertium.results.blocks.pages import Page, PagePart, PageView

SHOWN = [format for format in FORMATS if format != "json"]
DRAWN = [name for name, block in BLOCKS.items() if not isinstance(block, Text)]
FITTING = [name for name in BLOCKS if name != "hostile table"]  # its cells cannot be folded
UNSAFE = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe]")


def test_every_sort_of_block_and_of_cell_is_here() -> None:
    assert {type(block) for block in BLOCKS.values()} == set(get_args(Block))
    assert set(CELLS) == set(get_args(Kind))


@pytest.mark.parametrize(("name", "format"), list(product(BLOCKS, SHOWN)))
def test_every_renderer_takes_every_block(name: str, format: str) -> None:
    if format == "svg" and name in ("table", "hostile table", "paragraph", "excerpt"):
        with pytest.raises(UsageError, match="SVG cannot hold tables"):
            render_blocks([BLOCKS[name]], format)
        return
    page = render_blocks([BLOCKS[name]], format)
    assert format == "csv" or page.endswith("\n")
    assert format == "csv" or not UNSAFE.search(page)
    assert not re.search(r"\bnan\b", page)
    assert page == render_blocks([BLOCKS[name]], format), "the same block is the same page"


@pytest.mark.parametrize(("name", "width"), list(product(FITTING, (40, 80, 200))))
def test_text_keeps_to_the_width(name: str, width: int) -> None:
    from rich.cells import cell_len

    for ascii in (False, True):
        page = text.render([BLOCKS[name]], width=width, ascii=ascii)
        assert max(map(cell_len, page.split("\n"))) <= width


@pytest.mark.parametrize("name", [name for name in DRAWN if "hostile" not in name])
def test_ascii_stays_ascii(name: str) -> None:
    text.render([BLOCKS[name]], ascii=True).encode("ascii")


@pytest.mark.parametrize("name", DRAWN)
def test_colour_adds_nothing_but_colour(name: str) -> None:
    colored = text.render([BLOCKS[name]], color=True)
    plain = [re.sub("\x1b\\[[0-9;]*m", "", line).rstrip() for line in colored.split("\n")]
    assert plain == text.render([BLOCKS[name]]).split("\n")


@pytest.mark.parametrize("name", DRAWN)
def test_numbers_of_a_block_are_in_its_csv(name: str) -> None:
    block = BLOCKS[name]
    assert not isinstance(block, Text)
    table = as_table(block, grouped=False)
    rows = list(csv.reader(io.StringIO(render_blocks([block], "csv"), newline="")))
    width = len(table.columns) + sum(is_interval(column.kind) for column in table.columns)
    assert [len(row) for row in rows] == [width] * (1 + len(table.rows))


@pytest.mark.parametrize("name", DRAWN)
def test_latex_rows_have_equal_numbers_of_cells(name: str) -> None:
    block = BLOCKS[name]
    assert not isinstance(block, Text)
    page = render_blocks([block], "latex")
    rows = re.findall(r"^ +(.*) \\\\$", page.partition(r"\midrule")[2], re.MULTILINE)
    for row in rows:
        spanned = sum(int(n) - 1 for n in re.findall(r"\\multicolumn{(\d+)}", row))
        found = len(re.findall(r"(?<!\\)&", row)) + 1 + spanned
        assert found == len(as_table(block).columns)


def test_several_figures_share_a_file() -> None:
    page = render_blocks([block for n, block in BLOCKS.items() if "table" not in n], "svg")
    root = ElementTree.fromstring(page.encode("utf-8"))
    plates = [child for child in root if child.get("role") == "img"]
    assert len(plates) == len(BLOCKS) - 5, "all but two texts, two tables and an excerpt"


def test_an_interactive_report_takes_every_block() -> None:
    parts = [PagePart("all", "All", list(BLOCKS.values()))]
    page = render_page(Page("Report", [PageView("v", "v", parts, None)]))
    ids = re.findall(r' id="(figure-[\w-]+)"', page)
    assert len(ids) == len(set(ids)) > 40


@pytest.mark.parametrize(
    ("format", "row"),
    [
        ("text", "arbor      91.23  a   [90.00, 92.00]  -1.12  [-2.00, +0.10]  <.001  25,096"),
        ("text", "breeze     90.11  ab  [89.00, 91.00]   0.00    [0.00, 0.00]   1.00       3"),
        (
            "markdown",
            "| 91.23 | <sup>a</sup> | [90.00, 92.00] | -1.12 | [-2.00, +0.10] | <.001 |",
        ),
        ("markdown", "| –<sup>1</sup> | –<sup>1</sup> |"),
        ("latex", r"91.23 & \textsuperscript{a} & {[}90.00, 92.00] & $-$1.12 & "),
        ("latex", r"& {[}$-$2.00, $+$0.10] & $<.001$ & 25,096 & 1.25 & {[}1, 2.5] &"),
        ("latex", r"\begin{tabular}{lr@{}lrrrrrrrcrrrrrrr}"),
        ("latex", r"$-$1,234.5 & {[}$-$1,300.2, $-$1,200.0] & $+$12.35 & {[}$-$1.500, $+$3.000]"),
        ("markdown", "| -12 | [3, 4.50] | [-3, +4.50] |"),
        ("markdown", "| 0.8100 | [0.7000, 1.200] | -1e-05 | [0.0000, 0.0000] | +0.50 |"),
        ("csv", "arbor,0.9123,a,0.9,0.92,-0.0112,-0.02,0.001,1e-05,25096,1.25,1,2.5,1"),
        ("csv", "cedar,,,,,,,,,,,,,"),
        ("csv", "text,percent,percent letters,percent interval low,percent interval high,delta,"),
        ("html", '<td class="letters"><bdi>ab</bdi></td>'),
        ("html", '<td class="number"><bdi>&lt;.001</bdi></td>'),
        ("html", '<th scope="col" class="letters">'),
    ],
)
def test_kinds_of_cells(format: str, row: str) -> None:
    page = render_blocks([KINDS], format, width=200)
    assert row in page
