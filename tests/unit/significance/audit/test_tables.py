"""Tables and formats of an audit."""

import csv
import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import tertium
from tertium.exceptions import UsageError
from tertium.results.assessment import Testing
from tertium.results.blocks import Lines, Table, Text
from tertium.significance.audit.result import Audit, AuditTables
from tertium.significance.audit.tables import build

pytestmark = pytest.mark.usefixtures("few_samples")

QUICK: dict[str, Any] = {"samples": 4, "sample_trials": 50, "testing": Testing(trials=300)}


@pytest.fixture(scope="module")
def found(samples: Path) -> Audit:
    files = [samples / f"{name}.conllu" for name in ("gold", "arbor", "breeze")]
    return tertium.audit(*files, metric="deps.las", by="genre", **QUICK)


def tables(found: Audit, format: str = "text", limit: int = 0) -> dict[str, Table]:
    blocks = build(found, AuditTables(format=format, limit=limit, all=True))
    return {block.title: block for block in blocks if isinstance(block, Table)}


def test_the_overview_adds_up(found: Audit) -> None:
    overview = tables(found)["Significant analyses"]
    *rows, whole = overview.rows
    assert whole[0] == "all"
    for place in range(1, len(whole) - 1):
        assert sum(row[place] for row in rows) == whole[place]  # type: ignore[misc]


def test_a_limit_cuts_what_is_shown_and_not_what_is_counted(found: Audit) -> None:
    title = "deps.las: F1 by label"
    cut, full = tables(found, limit=3), tables(found)
    assert (len(cut[title].rows), len(full[title].rows)) == (3, len(found.labels))
    assert "'--all' shows all" in cut[title].omitted
    first = "Significant analyses"
    assert cut[first].rows == full[first].rows


def test_text_has_one_table_unless_all_is_wanted(found: Audit) -> None:
    blocks = build(found, AuditTables())
    assert [b.title for b in blocks if not isinstance(b, Text)] == ["Significant analyses"]
    assert any(isinstance(b, Text) and b.text.startswith("'--all' shows the whole") for b in blocks)
    assert [b.text for b in blocks if isinstance(b, Text) and b.role == "paragraph"] == [
        *found.verdict[:3]
    ]
    assert len(tables(found)) > 4


def test_labels_come_by_p(found: Audit) -> None:
    ps = [row[4] for row in tables(found)["deps.las: F1 by label"].rows]
    defined = [p for p in ps if isinstance(p, float)]
    assert defined == sorted(defined)


def test_plots_where_there_are_pictures_and_tables_elsewhere(found: Audit) -> None:
    plots = [b for b in build(found, AuditTables(format="html")) if isinstance(b, Lines)]
    assert [plot.x_axis for plot in plots] == ["words", "words of the longest sentence"]
    assert all(plot.shade_below == 0.05 for plot in plots)
    assert [value for value, _ in plots[0].thresholds] == [0.05, 0.0025]
    assert len(plots[0].series[0].xs) == len(found.size.looks)
    blocks = build(found, AuditTables(format="latex"))
    assert not any(isinstance(block, Lines) for block in blocks)
    assert "arbor (A) and breeze (B)" in tertium.render(found, "latex")
    assert "deps.las: p on sentences up to a length" in tables(found, "markdown")


def test_a_larger_sample_may_have_fewer_words(found: Audit) -> None:
    """Samples of different sizes come from different orders; documents are of any length."""
    first, *rest = found.size.looks
    size = replace(found.size, looks=(replace(first, words=10**6), *rest))
    blocks = build(replace(found, size=size), AuditTables(all=True))
    plot = next(block for block in blocks if isinstance(block, Lines))
    assert plot.x_axis == "sentences"
    assert plot.series[0].xs == tuple(look.units for look in found.size.looks)


def test_what_decided_stands_below(found: Audit) -> None:
    texts = [b for b in build(found, AuditTables(format="text")) if isinstance(b, Text)]
    (line,) = [text.text for text in texts if text.role == "tests"]
    assert "paired approximate randomisation, two-sided, 300 trials, seed 0" in line
    assert "random samples: 50 trials" in line
    assert f"Holm over {found.whole.looks} analyses" in line
    assert [t.role for t in texts[:3]] == ["title", "paragraph", "paragraph"]


def test_csv_has_a_row_a_look(found: Audit) -> None:
    rows = list(csv.DictReader(io.StringIO(tertium.render(found, "csv"))))
    looks = [row for row in rows if row["section"] == "look"]
    assert len(looks) == len(found.looks)
    assert float(looks[0]["p"]) == found.main.p
    assert len(rows) - len(looks) == len(found.rates)
    assert all(row["p"] != "0" for row in looks)


@pytest.mark.parametrize("format", ["text", "markdown", "latex", "html", "svg"])
def test_every_format_is_whole(found: Audit, format: str) -> None:
    page = tertium.render(found, format)
    assert "nan" not in page.replace("tenant", "")
    assert format != "html" or page.count("<svg") == 2
    if format != "svg":
        assert "cherry-picking" in " ".join(page.split())
        assert "genre news" in page


def test_ascii_and_narrow_terminals(found: Audit) -> None:
    page = tertium.render(found, "text", width=60, ascii=True)
    assert max(map(len, page.split("\n"))) <= 78, "only the signature is longer"
    assert "\u2500" not in page


def test_a_notebook_shows_it(found: Audit) -> None:
    assert "<iframe" in tertium.show(found)._repr_html_()


def test_json_is_the_result(found: Audit) -> None:
    assert json.loads(tertium.render(found, "json")) == json.loads(json.dumps(found.to_dict()))


def test_a_limit_must_not_be_negative(found: Audit) -> None:
    with pytest.raises(UsageError, match="limit must not be negative"):
        tertium.render(found, "text", limit=-1)
