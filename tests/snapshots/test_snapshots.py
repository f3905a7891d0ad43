"""Output as it looks, file by file. After a wanted change: TERTIUM_SNAPSHOTS=write make test.

A wording is kept in one place. Text on a terminal is on the pages about verbs (cli/test_docs.py):
tables, groups, labels, confusions, error types, comparisons, tests, changes, trees. Here are the
other formats, and what text the pages do not show: colours, ASCII, and plots of every kind.
"""

import os
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import tertium
from arc_samples import two
from block_samples import BANDS, CURVES, KINDS, LOGARITHMIC, RANKS, SHARES
from comparison_samples import entity_comparison, toy
from result_samples import entity_scores, fair_scores, grouped_scores
from tertium.comparison.pictures import Drawing
from tertium.families.trees.figure import tree_figure
from tertium.report.render import FORMATS, render, render_blocks
from tertium.significance.score.against import changes
from tertium.significance.score.result import Scores
from tree_samples import CROSSED, GOLD, SYSTEM, tree_scene

FOLDER = Path(__file__).parent
ENDINGS = {"markdown": "md", "latex": "tex"}
WRITTEN = [format for format in FORMATS if format != "text"]
MADE = {"entities": entity_scores, "fair": fair_scores, "groups": grouped_scores}


def scrubbed(page: str) -> str:
    """Without the version, which every release changes, the style sheet of pages, which is a file
    of its own, and the last digits of fractions, which depend on the processor."""
    page = re.sub(r"(?<![\w.])-?\d+\.\d{11,}(e-?\d+)?", lambda each: f"{float(each[0]):.10g}", page)
    page = re.sub(
        r'(Tertium |"tertium": "|\btertium,|\bt(?:ertium)?:)\d+\.\d+\.\d+[\w.]*', r"\1VERSION", page
    )
    if page.startswith("<!doctype html>"):
        page = re.sub("<style>.*?</style>", "<style>...</style>", page, flags=re.DOTALL)
    return page.replace("\r\n", "\n")


def compare(name: str, page: str) -> None:
    path = FOLDER / name
    data = scrubbed(page).encode("utf-8", "backslashreplace")
    if os.environ.get("TERTIUM_SNAPSHOTS") == "write":
        path.write_bytes(data)
    assert path.is_file(), f"no snapshot {name}; write it with TERTIUM_SNAPSHOTS=write"
    assert path.read_bytes().decode("utf-8") == data.decode("utf-8")


@pytest.mark.parametrize("format", WRITTEN)
@pytest.mark.parametrize("name", MADE)
def test_scores(name: str, format: str) -> None:
    make: Callable[[], Scores] = MADE[name]
    page = render(make(), format, labels=True, confusion=True, error_types=True)
    compare(f"{name}.{ENDINGS.get(format, format)}", page)


def test_text_with_colours_and_in_ascii() -> None:
    compare("colours.txt", render(entity_scores(), "text", color=True))
    compare("ascii.txt", render(grouped_scores(), "text", ascii=True))
    figures = {"confusion": True, "error_types": True}
    compare("figures-colours.txt", render(fair_scores(), "text", color=True, **figures))
    compare("figures-ascii.txt", render(fair_scores("a", "b"), "text", ascii=True, **figures))


def test_changes() -> None:
    now = grouped_scores()
    earlier = now.to_dict()
    for number, entry in enumerate(earlier["scores"][:3]):
        entry["value"] -= (number - 1) / 100
    against = changes(now, {**earlier, "scores": earlier["scores"][:3]}, "earlier.json")
    compare("changes.tex", render(replace(now, against=against), "latex"))


def test_constituents() -> None:
    scenes = [
        replace(s, figure=tree_figure(s)) for s in (tree_scene(GOLD, SYSTEM), tree_scene(CROSSED))
    ]
    for format in ("svg", "latex"):
        page = render(Drawing("gold.mrg", tuple(scenes)), format)
        compare(f"constituents.{ENDINGS.get(format, format)}", page)
    drawn = Drawing("gold.mrg", tuple(scenes)).text(color=True)
    compare("constituents.txt", drawn)


@pytest.mark.parametrize("format", [format for format in WRITTEN if format != "latex"])
def test_trees(format: str) -> None:
    forms = ["The", "bakery", "will", "reopen", "in", "May"]
    pair = two([1, 3, 3, -1, 5, 3], [1, 3, 3, -1, 3, 3], forms, w5="case", w6="obl:tmod")
    drawing = Drawing("gold.conllu", (pair,), ("gold", "a.conllu"), ("one is drawn",))
    compare(f"arcs.{ENDINGS.get(format, format)}", drawing.render(format))


PLOTS = (CURVES, LOGARITHMIC, BANDS, RANKS, SHARES)


@pytest.mark.parametrize("format", [format for format in FORMATS if format != "json"])
def test_plots(format: str) -> None:
    blocks = PLOTS if format == "svg" else (*PLOTS, KINDS)
    ending = "txt" if format == "text" else ENDINGS.get(format, format)
    compare(f"plots.{ending}", render_blocks(blocks, format, title="Plots"))


def test_plots_with_colours_and_in_ascii() -> None:
    compare("plots-colours.txt", render_blocks(PLOTS, "text", color=True))
    compare("plots-ascii.txt", render_blocks(PLOTS, "text", ascii=True))


@pytest.mark.parametrize("format", WRITTEN)
def test_comparisons(format: str) -> None:
    ending = ENDINGS.get(format, format)
    compare(f"compare.{ending}", render(toy(), format, limit=3))
    compare(f"compare-spans.{ending}", render(entity_comparison(), format, limit=2, examples=1))


@pytest.mark.parametrize("format", [format for format in WRITTEN if format != "svg"])
def test_significance(format: str, samples: Path) -> None:
    """Runs, intervals, letters, tests inside groups and across them."""
    files = [samples / f"{name}.conllu" for name in ("arbor", "breeze", "cedar")]
    scores = tertium.score(
        samples / "gold.conllu",
        tertium.runs("A", files[0], files[1]),
        *files[1:],
        metric=["deps.las", "tags.accuracy"],
        by="genre",
        labels=False,
        significance=tertium.Testing(trials=200),
    )
    scores = replace(scores, gold="gold.conllu", gold_digest=None)
    compare(f"significance.{ENDINGS.get(format, format)}", render(scores, format))
