"""PPV: the figures of Søgaard et al. (2014), section 4, and Ioannidis' formula with bias."""

import json
from typing import Any

import numpy as np
import pytest

from tertium.exceptions import UsageError
from tertium.report.render import render
from tertium.results.blocks import Lines, Table
from tertium.results.output import Look
from tertium.significance.ppv import PpvTable, cut_off, ppv, ppv_table


def test_the_papers_figures() -> None:
    assert ppv(0.05) == pytest.approx(0.5)
    assert ppv(0.01) == pytest.approx(5 / 6)
    assert round(ppv(0.0025), 3) == 0.952


def test_the_formula_as_it_stands() -> None:
    a, b, r = 0.02, 0.3, 0.4
    assert ppv(a, prior_odds=r, beta=b) == pytest.approx((1 - b) * r / (r - b * r + a))


def test_bias_as_it_stands_in_ioannidis() -> None:
    a, b, r, u = 0.05, 0.2, 0.25, 0.3
    wanted = ((1 - b) * r + u * b * r) / (r + a - b * r + u - u * a + u * b * r)
    assert ppv(a, prior_odds=r, beta=b, bias=u) == pytest.approx(wanted)
    # Table 4 of Ioannidis (2005): power .80, R 1:1, bias .10 gives .85
    assert round(ppv(0.05, prior_odds=1, beta=0.2, bias=0.1), 2) == 0.85


def test_arrays() -> None:
    found = ppv(np.array([0.05, 0.01]))
    assert found.tolist() == [ppv(0.05), ppv(0.01)]
    both = ppv([0.05, 0.01], prior_odds=np.array([[0.1], [1.0]]))
    assert both.shape == (2, 2)
    assert both[1, 0] == ppv(0.05, prior_odds=1)
    assert isinstance(ppv(0.05), float)


def test_the_cut_off() -> None:
    assert cut_off() == pytest.approx(0.05 * 0.05 / 0.95)
    assert round(cut_off() or 0, 5) == 0.00263
    for options in ({}, {"prior_odds": 0.5, "beta": 0.2}, {"prior_odds": 1.0, "bias": 0.01}):
        alpha = cut_off(0.9, **options)
        assert alpha is not None
        assert ppv(alpha, **options) == pytest.approx(0.9)


def test_a_cut_off_that_does_not_exist() -> None:
    assert cut_off(bias=0.05) is None
    assert cut_off(beta=1) is None
    assert cut_off(bias=1) is None
    assert cut_off(0.5, prior_odds=10) == 1.0


def test_the_table() -> None:
    table = ppv_table((0.05, 0.01), prior_odds=(0.1, 1), target=0.9)
    assert table.values[0] == (ppv(0.05), ppv(0.01))
    assert table.values[1] == (ppv(0.05, prior_odds=1), ppv(0.01, prior_odds=1))
    assert table.cut_offs == (cut_off(0.9), cut_off(0.9, prior_odds=1))
    told = json.loads(json.dumps(table.to_dict()))
    assert told["rows"][1]["prior_odds"] == 1
    assert told["rows"][0]["ppv"] == list(table.values[0])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ppv(0), "alpha must be above 0 and at most 1. Got 0 instead."),
        (lambda: ppv([0.1, 1.5]), "alpha must be above 0 and at most 1. Got 1.5 instead."),
        (lambda: ppv(float("nan")), "alpha must be"),
        (lambda: ppv(0.05, prior_odds=0), "prior_odds must be above 0 and finite. Got 0"),
        (lambda: ppv(0.05, beta=-0.1), "beta must be at least 0 and at most 1. Got -0.1"),
        (lambda: ppv(0.05, bias=2), "bias must be at least 0 and at most 1. Got 2"),
        (lambda: cut_off(1), "target must be above 0 and below 1. Got 1"),
    ],
)
def test_values_outside_their_range(call, message: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(UsageError, match=message):
        call()


# what is shown


def only(table: PpvTable, kind: type) -> list[Any]:
    return [block for block in table.blocks(Look()) if isinstance(block, kind)]


def test_the_curve_of_ppv_has_the_lines_of_the_paper() -> None:
    (lines,) = only(ppv_table(prior_odds=[0.1]), Lines)
    assert [value for value, _ in lines.thresholds] == pytest.approx([0.95, 0.5])
    ((cut, label),) = lines.marks
    assert cut == pytest.approx(0.0025 / 0.95)
    assert label == "alpha 0.0026"
    (several,) = only(ppv_table(prior_odds=[0.01, 0.1, 1]), Lines)
    assert len(several.series) == 3
    assert len(several.thresholds) == 1
    assert several.marks == ()


def test_one_number_a_row() -> None:
    rows = ppv_table([0.05], prior_odds=[0.1, 1]).to_rows()
    assert [(r["prior_odds"], r["part"]) for r in rows] == [
        *((0.1, "ppv"), (0.1, "cut_off")),
        *((1, "ppv"), (1, "cut_off")),
    ]
    assert rows[0]["alpha"] == 0.05
    assert rows[1]["target"] == 0.95
    frame = ppv_table([0.05]).to_frame()
    assert frame["value"].to_list()[0] == ppv(0.05)


def test_the_levels_and_odds_are_kept_as_they_are_given() -> None:
    table = ppv_table([0.01, 0.05], prior_odds=[1, 0.1])
    assert (table.alphas, table.prior_odds) == ((0.01, 0.05), (1, 0.1))
    with pytest.raises(UsageError, match="ppv_table has no option 'prior_ods'"):
        ppv_table(prior_ods=[1])


def test_the_tables_of_ppv() -> None:
    values, cuts = only(ppv_table([0.05], prior_odds=[0.1, 1]), Table)
    assert values.rows == ((0.05, pytest.approx(0.5), pytest.approx(0.5 / 0.55)),)
    assert cuts.rows[0] == ("R = 0.1", pytest.approx(0.0025 / 0.95))
    assert "| alpha | PPV R = 0.1 | PPV R = 1 |" in render(
        ppv_table([0.05], prior_odds=[0.1, 1]), "markdown"
    )
    assert "PPV PPV" not in render(ppv_table(prior_odds=[0.1]), "markdown")
