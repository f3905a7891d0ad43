"""Hinton diagrams: areas are numbers."""

from __future__ import annotations

import re

import pytest

from tertium.report.render import render_blocks
from tertium.results.blocks import Hinton

BLOCK = Hinton(("A", "B"), ("A", "B"), ((None, 0.25), (1.0, 0.0)), title="h", kind="value")


def test_areas_are_shares_of_the_largest() -> None:
    assert BLOCK.sides == ((0.0, 0.5), (1.0, 0.0))
    assert Hinton(("A",), ("A",), ((1.0,),), largest=4.0).sides == ((0.5,),)
    assert Hinton(("A",), ("A",), ((0.0,),)).sides == ((0.0,),)


def test_text_has_signs_by_size() -> None:
    assert [row[1:] for row in BLOCK.squares(" .oO#").rows] == [("", "o"), ("#", "")]
    assert "█" in render_blocks([BLOCK], "text")


def test_squares_of_svg() -> None:
    page = render_blocks([BLOCK], "svg")
    widths = [float(w) for w in re.findall(r'width="([\d.]+)" height="\1"', page)]
    squares = sorted(w for w in widths if w < 28)
    assert squares[-1] / squares[0] == pytest.approx(2, abs=0.02)
    assert "Hinton diagram of 2 rows and 2 columns" in page
    assert "0.2500" in page  # told where a reader points
