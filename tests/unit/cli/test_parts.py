"""Numbers are shown as their metrics declare them, whatever they are, in every verb and format."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tertium
from metric_samples import SCALES
from schemas import validator_of
from tertium import registry
from tertium.report.render import render

pytestmark = pytest.mark.usefixtures("few_samples")

SYSTEMS = ("arbor.conllu", "breeze.conllu", "cedar.conllu")
IDS = tuple(plugin.id for plugin in SCALES)
METRICS = [word for name in IDS for word in ("--metric", name)]
QUICK = ("--trials", 200)


@pytest.fixture(autouse=True)
def in_samples(samples: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(samples)
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr("tertium.significance.simulation.TEST_SETS", 20)  # for speed
    for plugin in SCALES:
        registry.register("metrics", plugin)
    yield
    for plugin in SCALES:
        registry.unregister("metrics", plugin.id)


def row(text: str, *words: str) -> list[str]:
    """The cells of the first line that begins with some words."""
    lines = [line for line in text.splitlines() if " is best" not in line]
    line = next(line for line in lines if line.split()[: len(words)] == [*words])
    return line.split()[len(words) :]


def test_scores(run: Any) -> None:
    text = run("score", "gold.conllu", *SYSTEMS, *METRICS).out
    # mcc, kappa and accuracy, crossings, likelihood, wrong, load
    assert row(text, "breeze") == [
        *("0.9362•", "0.9646•", "96.81•", "0.4219•", "-855.9•", "27•", "12.81"),
    ]
    assert row(text, "cedar") == [
        *("0.8867", "0.9370", "94.33", "0.7500", "-1,521.6", "48", "12.48"),
    ]


def test_all_parts(run: Any) -> None:
    text = run("score", "gold.conllu", *SYSTEMS, "--metric", "toy.crossings", "--parts").out
    assert row(text, "breeze")[:3] == ["0.4219•", "96.81•", "96.85•"]


def test_intervals_and_tests(run: Any) -> None:
    text = run("score", "gold.conllu", *SYSTEMS, *METRICS, "--significance", "--tests", *QUICK).out
    assert "[-1," in text, "an interval of log-likelihood"
    tests = text[text.index("Tests of differences") :]
    for metric, change in {
        "toy.mcc": "+0.0260",
        "toy.kappa": "+0.0144",
        "toy.crossings": "-0.1719",
        "toy.likelihood": "+348.7",
        "toy.wrong": "-11",
        "toy.load": "+0.1719",
    }.items():
        assert row(tests, metric, "arbor", "breeze")[0] == change


def test_only_what_can_be_better_has_letters_and_ranks(run: Any, tmp_path: Path) -> None:
    for metric, has_any in (("toy.crossings", True), ("toy.load", False)):
        out = tmp_path / "out.json"
        options = ("--by", "genre", "--significance", *QUICK, "--format", "json", "--output", out)
        run("score", "gold.conllu", *SYSTEMS, "--metric", metric, *options)
        found = json.loads(out.read_text())["significance"]
        assert bool(found["letters"]) is has_any
        assert ("across" in found) is has_any
        assert len(found["tests"]) == 9
    text = run("score", "gold.conllu", *SYSTEMS, "--metric", "toy.load", "--by", "genre").out
    assert "•" not in text


def test_letters_begin_with_the_least_where_less_is_better(run: Any) -> None:
    options = ("--metric", "toy.crossings", "--significance", *QUICK)
    text = run("score", "gold.conllu", *SYSTEMS, *options).out
    assert row(text, "breeze")[:2] == ["0.4219•", "a"]


def test_groups_of_units_and_of_words(run: Any) -> None:
    by_genre = run("score", "gold.conllu", *SYSTEMS, *METRICS, "--by", "genre").out
    assert row(by_genre, "news", "arbor")[:4] == ["32", "0.9740", "0.9855", "98.70"]
    by_tag = run("score", "gold.conllu", *SYSTEMS, "--metric", "toy.mcc", "--by", "upos").out
    assert row(by_tag, "PROPN", "arbor") == [
        "0.6640",
        "93.69",
        "83.20",
        "88.14",
        "125",
        "111",
    ]
    whole = run("score", "gold.conllu", *SYSTEMS, "--metric", "toy.crossings", "--by", "upos")
    assert "toy.crossings is not grouped by upos" in " ".join(whole.out.split())


def test_changes_since_an_earlier_run(run: Any, tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    run("score", "gold.conllu", "arbor.conllu", *METRICS, "--format", "json", "--output", kept)
    text = run("score", "gold.conllu", "breeze.conllu", *METRICS, "--against", kept).out
    cells = row(text, "breeze")
    for change in ("+0.0260", "+0.0144", "-0.1719", "+348.7", "-11", "+0.1719"):
        assert change in cells


def test_runs(run: Any) -> None:
    text = run("score", "gold.conllu", "a=arbor.conllu,breeze.conllu", "--metric", "toy.wrong").out
    assert row(text, "a") == ["2", "32.50", "7.78"]


@pytest.mark.parametrize("format", ["text", "markdown", "latex", "html", "csv", "json"])
@pytest.mark.parametrize("verb", ["score", "compare", "audit", "datasets"])
def test_every_verb_in_every_format(verb: str, format: str, run: Any, tmp_path: Path) -> None:
    files = ("gold.conllu", "arbor.conllu", "breeze.conllu")
    metrics = ("--metric", "toy.likelihood", "--metric", "toy.wrong", "--metric", "toy.load")
    options: tuple[Any, ...] = (*files, *metrics, *QUICK)
    if verb == "score":
        options = (*options, "--significance")
    if verb == "audit":
        options = (*options, "--samples", 2)
    if verb == "datasets":
        for name in "xy":
            out = ("--format", "json", "--output", tmp_path / f"{name}.json")
            assert run("score", *files, *metrics, *out).code == 0
        options = tuple(f"{name}={tmp_path / name}.json" for name in "xy")
    done = run(verb, *options, "--format", format, "--output", tmp_path / "out")
    assert done.code == 0, done.err
    page = (tmp_path / "out").read_text()
    if format == "json":
        assert "toy.likelihood" in page
        validator_of(verb).validate(json.loads(page))
    elif format == "csv":
        assert re.search(r"348\.\d{3,}|-1204\.6", page), "numbers are not rounded"
    else:
        text = page.replace("$", "").replace("&#43;", "+")
        likelihood = "348.7" if verb != "datasets" else "-1,204.6"
        assert likelihood in text
        assert "34870" not in text
        assert "34,870" not in text
        assert "-120460" not in text


@pytest.mark.parametrize("verb", ["audit", "datasets"])
def test_pictures(verb: str, run: Any, tmp_path: Path) -> None:
    files = ("gold.conllu", *SYSTEMS) if verb == "datasets" else ("gold.conllu", *SYSTEMS[:2])
    options: tuple[Any, ...] = (*files, "--metric", "toy.likelihood", *QUICK)
    if verb == "datasets":
        out = ("--format", "json", "--output", tmp_path / "x.json")
        run("score", *files, "--metric", "toy.likelihood", *out)
        options = (f"x={tmp_path}/x.json", f"y={tmp_path}/x.json")
    if verb == "audit":
        options = (*options, "--samples", 2)
    done = run(verb, *options, "--format", "svg", "--output", tmp_path / "out.svg")
    assert done.code == 0, done.err
    figures = [*tmp_path.glob("out*.svg")]
    assert figures
    assert all(file.read_text().startswith("<svg") for file in figures)


def test_power(samples: Path) -> None:
    files = [str(samples / name) for name in ("gold.conllu", *SYSTEMS[:2])]
    metrics = ["toy.crossings", "toy.likelihood", "toy.wrong"]
    found = tertium.power(*files, metric=metrics, trials=50)
    text = render(found, "text", width=1000)
    assert row(text.partition("\n\n")[2], "toy.likelihood")[0] == "+348.7"
    for difference in ("crossings: the observed difference of 0.1719 would be significant",
                       "likelihood: the observed difference of 348.7 would be significant",
                       "wrong: the observed difference of 11 would be significant"):  # fmt: skip
        assert f"toy.{difference}" in text
    assert "points" not in text
    for format in ("markdown", "latex", "html"):
        assert "348.7" in render(found, format)
    validator_of("power").validate(found.to_dict())
    svg = render(found, "svg")
    assert "toy.likelihood, 348.7" in svg
    assert ">400<" in svg, "the axis of differences has their own scale"
    assert "400%" not in svg
    # Crossings per sentence are the number of wrong tags divided by that of sentences.
    mean, total = found["toy.crossings"], found["toy.wrong"]
    assert mean.needed == total.needed
    for one, other in zip(mean.by_units, total.by_units, strict=True):
        assert one.power == other.power
        if one.detectable is not None and other.detectable is not None:
            assert math.isclose(64 * one.detectable, other.detectable, rel_tol=1e-6)


@pytest.mark.parametrize(("difference", "metric", "code"), [(1.5, "toy.mcc", 0), (3, "toy.mcc", 2),
                                                             (3, "toy.crossings", 0)])  # fmt: skip
def test_differences_within_the_range(difference: float, metric: str, code: int, run: Any) -> None:
    done = run(
        *("power", "gold.conllu", *SYSTEMS[:2], "--metric", metric, *QUICK),
        *("--difference", difference),
    )
    assert done.code == code
    assert ("at most 2" in done.err) is (code == 2)


def test_audits(run: Any) -> None:
    options = ("--metric", "toy.crossings", "--metric", "toy.load", *QUICK, "--samples", 2)
    text = run("audit", "gold.conllu", *SYSTEMS[:2], *options, "--all").out
    assert "breeze has 0.4219 and arbor 0.5938" in text
    assert "a difference of -0.1719 (95% BCa interval [-0.4" in text.replace("\n", " ")
    assert row(text, "toy.crossings", "(main)")[:3] == ["0.5938", "0.4219", "-0.1719"]
    assert row(text, "toy.crossings", "complete")[:3] == ["57.81", "62.50", "+4.69"]
    assert row(text, "toy.load")[:3] == ["12.64", "12.81", "+0.1719"]


def test_an_audit_has_no_winner_where_nothing_is_better(run: Any) -> None:
    bad = ("breeze.conllu", "cedar.conllu")
    options = ("--metric", "toy.load", *QUICK, "--samples", 2, "--all")
    text = run("audit", "gold.conllu", *bad, *options).out
    cells = row(text, "toy.load", "(main)")
    assert cells[5:] in ([], ["differ"], ["differ", "differ"])
    assert float("0" + cells[3]) < 0.05
    assert "with equal values or no better direction" in text


def test_data_sets_of_what_has_no_better(run: Any, tmp_path: Path) -> None:
    out = tmp_path / "x.json"
    run("score", "gold.conllu", *SYSTEMS, *METRICS, "--format", "json", "--output", out)
    text = run("datasets", f"x={out}", f"y={out}").out
    assert row(text, "x")[1:] == ["0.9103", "0.9362▲", "0.8867▼"]
    assert "toy.load: neither higher nor lower values are better" in text
    assert "toy.load: mean ranks" not in text
    assert "mean ranks" not in text, "two data sets are too few"
    assert row(text[text.index("toy.crossings: over 2 data sets") :], "arbor")


def test_several_gold_standards(run: Any, tmp_path: Path) -> None:
    (tmp_path / "other.conllu").write_text(Path("cedar.conllu").read_text())
    other = ("--other-gold", tmp_path / "other.conllu")
    metrics = ("--metric", "toy.mcc", "--metric", "toy.crossings", "--metric", "toy.load")
    text = run("compare", "gold.conllu", *SYSTEMS[:2], *other, *metrics, *QUICK).out
    table = text[text.lower().index("against several gold standards") :]
    assert row(table, "toy.crossings", "arbor")[:2] == ["0.5938", "0.9062"]
    assert row(table, "breeze")[:2] == ["0.9362•", "0.8725•"]
    crossings = table[table.index("toy.crossings") :]
    assert row(crossings, "breeze")[:2] == ["0.4219•", "0.8438•"]
    loads = table[table.index("toy.load") :].splitlines()[:2]
    assert "•" not in "".join(loads)


@pytest.mark.parametrize(
    ("gate", "code", "words"),
    [
        ("toy.mcc=0.92", 1, "of arbor is 0.9103, below 0.9200"),
        ("toy.mcc=-0.5", 0, ""),
        ("toy.mcc=-2", 2, "must be from -1 to 1. Got -2 instead."),
        ("toy.mcc=91", 2, "must be from -1 to 1. Got 91 instead."),
        ("toy.crossings=2.5", 0, ""),
        ("toy.crossings=0.5", 1, "of arbor is 0.5938, above 0.5000"),
        ("toy.likelihood=-1000", 1, "is -1,204.6, below -1,000.0"),
        ("toy.likelihood=1", 2, "must be from -inf to 0"),
        ("toy.load=3", 2, "toy.load cannot have a gate"),
    ],
)
def test_gates(gate: str, code: int, words: str, run: Any) -> None:
    metric = gate.partition("=")[0]
    done = run("score", "gold.conllu", "arbor.conllu", "--metric", metric, "--fail-under", gate)
    assert done.code == code
    assert words in done.err
    assert "%" not in done.err


def test_gates_of_comparisons(run: Any) -> None:
    command = ("compare", "gold.conllu", "breeze.conllu", "arbor.conllu", *QUICK)
    worse = run(*command, "--metric", "toy.crossings", "--fail-if-worse", "toy.crossings")
    assert worse.code == 1
    assert "rose from 0.4219 for breeze to 0.5938 for arbor" in worse.err
    for option in ("--fail-if-worse=toy.load", "--fail-if-worse"):
        refused = run(*command, "--metric", "toy.load", option)
        assert refused.code == 2
        assert "neither higher nor lower values are better" in refused.err
    others = run(*command, "--metric", "toy.load", "--metric", "toy.mcc", "--fail-if-worse")
    assert others.code == 1
    assert "toy.mcc" in others.err
    assert "toy.load" not in others.err


def test_in_python(samples: Path) -> None:
    files = [str(samples / name) for name in ("gold.conllu", "arbor.conllu")]
    assert repr(tertium.score(*files, metric="toy.likelihood").results[0]).endswith(": -1,204.6>")
    deltas = tertium.compare(*files, files[1], metric="toy.crossings", names=["a", "b"]).deltas
    assert {d.part: d.better for d in deltas("a", "b")}["crossings"] == "lower"
    assert {d.part: d.better for d in deltas("a", "b")}["accuracy"] == "higher"


def test_listed_ranges_are_json(run: Any) -> None:
    found = json.loads(run("list", "metrics", "--format", "json").out)
    ranges = {entry["id"]: entry["range"] for entry in found["metrics"]}
    assert ranges["toy.likelihood"] == [None, 0.0]
    assert ranges["tags.accuracy"] == [0.0, 1.0]
