"""`tertium score`: options, output, gates, earlier runs, study files."""

import csv
import io
import json
import os
import sys
from importlib import resources
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest

from result_samples import entity_scores, fair_scores, grouped_scores, result, scores


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_what_is_not_given_is_left_to_the_library(run: Any, fake_score: Any) -> None:
    calls = fake_score(entity_scores())
    assert run("score", "g", "A=s", "t").code == 0
    data = ("g", "A=s", "t")
    assert calls == [{"data": data, "labels": False, "confusion": False, "progress": None}]


def test_options_reach_the_library(run: Any, fake_score: Any) -> None:
    calls = fake_score(entity_scores())
    args = (
        "score g s --metric deps.las --metric spans.f1 --input-format conllu "
        "--system-format conllx --columns form=0 --system-columns form=1 --align position "
        "--on-error skip --by genre "
        "--lexicon train --map-labels upos=m --map-labels n --with x --labels --confusion --jobs 3"
    )
    run(*args.split())
    assert calls[0] == {
        "data": ("g", "s"),
        "metric": ("deps.las", "spans.f1"),
        "input_format": "conllu",
        "system_format": "conllx",
        "columns": "form=0",
        "system_columns": "form=1",
        "align": "position",
        "on_error": "skip",
        "by": ("genre",),
        "lexicon": ("train",),
        "map_labels": ("upos=m", "n"),
        "with_files": ("x",),
        "labels": True,
        "confusion": True,
        "jobs": 3,
        "progress": None,
    }


@pytest.mark.parametrize("format", ["json", "csv"])
def test_data_formats_always_have_labels(format: str, run: Any, fake_score: Any) -> None:
    calls = fake_score(entity_scores())
    run("score", "g", "s", "--format", format)
    run("score", "g", "s", "--format", format, "--labels")
    assert [call["labels"] for call in calls] == ["single", True]


def test_text_shows_what_was_asked_for(run: Any, fake_score: Any) -> None:
    fake_score(entity_scores())
    assert "by label" not in run("score", "g", "s").out
    assert "spans.f1 F1 by label" in run("score", "g", "s", "--labels").out
    assert "confusions" in run("score", "g", "s", "--confusion").out
    assert "macro f1" in run("score", "g", "s", "--parts").out
    assert "error types" not in run("score", "g", "s", "--confusion").out
    assert "spans.f1: error types" in run("score", "g", "s", "--error-types").out


def test_error_types_are_collected_with_the_confusions(run: Any, fake_score: Any) -> None:
    calls = fake_score(entity_scores())
    run("score", "g", "s", "--error-types")
    assert calls[0]["confusion"] is True


# output


def test_output_is_whole_and_its_name_says_the_format(
    run: Any, fake_score: Any, here: Path
) -> None:
    fake_score(entity_scores())
    for name, start in (
        ("a.json", "{"),
        ("a.tex", "%"),
        ("a.html", "<!doctype"),
        ("a.txt", "arbor"),
    ):
        done = run("score", "g", "s", "--output", name)
        assert (done.code, done.out, done.err) == (0, "", "")
        assert (here / name).read_text().startswith(start)
    assert run("score", "g", "s", "--output", "b.json", "--format", "csv").code == 0
    assert (here / "b.json").read_text().startswith("section,system,")
    assert sorted(p.name for p in here.iterdir()) == [
        "a.html",
        "a.json",
        "a.tex",
        "a.txt",
        "b.json",
    ]


FIGURES = ["spans.fair: confusions", "spans.fair: error types"]


def test_figures_are_written_as_svg(run: Any, fake_score: Any, here: Path) -> None:
    fake_score(fair_scores())
    both = ["--confusion", "--error-types"]
    for name, flags, files, titles in (
        ("c.svg", ["--confusion"], ["c.svg"], []),
        ("e.svg", ["--error-types", "--title", "E & F"], ["e.svg"], ["E & F"]),
        ("b.out", [*both, "-f", "svg"], ["b-stanza.out", "b-error-types.out"], []),
    ):
        done = run("score", "g", "s", *flags, "--output", name)
        told = f"note:  figures: {', '.join(files)}\n" if len(files) > 1 else ""
        assert (done.code, done.out, done.err) == (0, "", told)
        for file in files:
            root = ElementTree.parse(here / file).getroot()
            assert [e.text for e in root.iter() if e.get("font-weight") == "bold"] == titles
            assert root.findtext("{*}title") in (*titles, *FIGURES)
    printed = run("score", "g", "s", *both, "--format", "svg").out
    bold = [e for e in ElementTree.fromstring(printed).iter() if e.get("font-weight") == "bold"]
    assert [e.text for e in bold] == FIGURES, "in one file they have titles"
    assert len([*here.iterdir()]) == 4


@pytest.mark.parametrize("format", ["pdf", "png"])
def test_figures_are_converted(
    run: Any, fake_score: Any, here: Path, monkeypatch: pytest.MonkeyPatch, format: str
) -> None:
    calls = fake_score(fair_scores())
    monkeypatch.setitem(sys.modules, "cairosvg", None)
    done = run("score", "g", "s", "--confusion", "--output", f"c.{format}")
    assert (done.code, calls) == (2, []), "nothing is read"
    assert f"writing {format.upper()} needs the package cairosvg" in done.err
    assert "pip install 'tertium[figures]'" in done.err
    fake = SimpleNamespace(
        svg2pdf=lambda bytestring: b"%PDF" + bytestring,
        svg2png=lambda bytestring, scale: b"%PNG" + bytestring,
    )
    monkeypatch.setitem(sys.modules, "cairosvg", fake)
    done = run("score", "g", "s", "--confusion", "--error-types", "--output", f"c.{format}")
    assert done.code == 0, done.err
    files = sorted(here.iterdir())
    assert [file.name for file in files] == [
        f"c-error-types.{format}",
        f"c-stanza.{format}",
    ]
    assert all(f.read_bytes().startswith(f"%{format.upper()}<svg".encode()) for f in files)


def test_a_real_converter_takes_our_figures(run: Any, fake_score: Any, here: Path) -> None:
    pytest.importorskip("cairosvg", reason="no cairosvg here", exc_type=(ImportError, OSError))
    fake_score(fair_scores())
    for name, start in (("c.pdf", b"%PDF"), ("c.png", b"\x89PNG")):
        assert run("score", "g", "s", "--confusion", "--output", name).code == 0
        assert (here / name).read_bytes().startswith(start)


@pytest.mark.parametrize("args", [["--format", "svg"], ["--output", "x.svg", "--labels"]])
def test_a_picture_without_figures_is_refused_before_scoring(
    args: list[str], run: Any, fake_score: Any, here: Path
) -> None:
    calls = fake_score(entity_scores())
    done = run("score", "g", "s", *args)
    assert done.code == 2
    assert "there is no figure to draw as SVG, PDF or PNG" in done.err
    assert "'--confusion'" in done.err
    assert "'--error-types'" in done.err
    assert calls == []
    assert not (here / "x.svg").exists()


@pytest.mark.parametrize("name", ["out.doc", "out.json.gz", "out.xlsx", "out.v2"])
def test_a_name_that_says_no_format_is_refused(
    name: str, run: Any, fake_score: Any, here: Path
) -> None:
    calls = fake_score(entity_scores())
    done = run("score", "g", "s", "--output", name)
    assert done.code == 2
    assert f"cannot infer a format from '{name}'" in done.err
    assert "'--format'" in done.err
    assert calls == []
    assert run("score", "g", "s", "--output", name, "--format", "text").code == 0


@pytest.mark.parametrize("name", ["out", "out.TXT", "out.log", "out.out", ".hidden"])
def test_names_of_text(name: str, run: Any, fake_score: Any, here: Path) -> None:
    fake_score(entity_scores())
    assert run("score", "g", "s", "--output", name).code == 0
    assert "91.23•" in (here / name).read_text()


def test_output_keeps_the_mode_and_follows_links(run: Any, fake_score: Any, here: Path) -> None:
    fake_score(entity_scores())
    target = here / "kept.json"
    target.write_text("old")
    target.chmod(0o600)
    (here / "link.json").symlink_to(target)
    run("score", "g", "s", "--output", "link.json")
    assert target.stat().st_mode & 0o777 == 0o600
    assert (here / "link.json").is_symlink()
    assert json.loads(target.read_text())


@pytest.mark.parametrize("name", ["missing/a.json", "."])
def test_output_that_cannot_be_written(name: str, run: Any, fake_score: Any, here: Path) -> None:
    fake_score(entity_scores())
    done = run("score", "g", "s", "--output", name)
    assert done.code == 3
    assert f"cannot write '{name}'" in done.err


def test_output_to_a_device(run: Any, fake_score: Any) -> None:
    fake_score(entity_scores())
    assert run("score", "g", "s", "--output", os.devnull).code == 0
    assert not Path(os.devnull).is_file()


def test_names_that_are_not_utf8_survive_json(run: Any, fake_score: Any) -> None:
    fake_score(scores(result("bad\udc80name")))
    done = run("score", "g", "s", "--format", "json")
    assert json.loads(done.out)["scores"][0]["system"] == "bad\udc80name"
    assert "bad\\udc80name" in run("score", "g", "s").out


# gates


@pytest.mark.parametrize(
    ("gate", "code"),
    [("spans.f1=0.87", 0), ("spans.f1=0.9", 1), ("spans.f1=0", 0), ("spans.f1=1", 1)],
)
def test_a_gate_decides_the_exit_code_after_the_table(
    gate: str, code: int, run: Any, fake_score: Any
) -> None:
    fake_score(entity_scores())
    done = run("score", "g", "s", "--fail-under", gate)
    assert done.code == code
    assert "91.23" in done.out
    assert done.err.startswith("error: gate not met" if code else "note:  all 3 gates are met")


def test_offenders_are_named(run: Any, fake_score: Any) -> None:
    fake_score(entity_scores())
    done = run("score", "g", "s", "--fail-under", "spans.f1=0.95")
    assert done.err.split("\n")[0] == (
        "error: gate not met: spans.f1 of arbor is 91.23 (0.9123), below 95.00 (0.95)"
    )
    assert done.err.count("gate not met") == 3


def test_a_near_miss_is_shown_with_enough_digits(run: Any, fake_score: Any) -> None:
    fake_score(scores(result(value=0.8499999)))
    done = run("score", "g", "s", "--fail-under", "deps.las=0.85")
    assert "is 84.999990 (0.84999990), below 85.000000 (0.85)" in done.err


def test_undefined_does_not_meet_a_gate(run: Any, fake_score: Any) -> None:
    fake_score(scores(result(value=None)))
    done = run("score", "g", "s", "--fail-under", "deps.las=0")
    assert done.code == 1
    assert "undefined (there are no words)" in done.err


def test_where_lower_is_better_the_gate_is_a_ceiling(run: Any, fake_score: Any) -> None:
    fake_score(scores(result(value=0.2, better="lower")))
    assert run("score", "g", "s", "--fail-under", "deps.las=0.3").code == 0
    assert "above 10.00 (0.1)" in run("score", "g", "s", "--fail-under", "deps.las=0.1").err


@pytest.mark.parametrize(
    ("gate", "message"),
    [
        ("deps.las=85", "write deps.las=0.85"),
        ("deps.las=-0.1", "must be a fraction"),
        ("deps.las=nan", "must be a fraction"),
        ("deps.las=high", "must be a number"),
        ("deps.las", "a gate is METRIC=VALUE"),
        ("=0.5", "a gate is METRIC=VALUE"),
        ("deps.lass=0.5", "Did you mean 'deps.las'"),
    ],
)
def test_bad_gates_are_refused_before_scoring(
    gate: str, message: str, run: Any, fake_score: Any
) -> None:
    calls = fake_score(entity_scores())
    done = run("score", "g", "s", "--fail-under", gate)
    assert done.code == 2
    assert message in done.err
    assert calls == []


def test_no_gate_replaces_another(run: Any, fake_score: Any) -> None:
    calls = fake_score(entity_scores())
    gates = ("--fail-under", "spans.f1=0.95", "--fail-under", "spans.f1=0.1")
    done = run("score", "g", "s", *gates)
    assert done.code == 2
    assert "two gates for spans.f1: 0.95 and 0.1" in done.err
    assert calls == []


def test_a_gate_of_a_metric_that_was_not_scored(run: Any, fake_score: Any) -> None:
    fake_score(entity_scores())
    done = run("score", "g", "s", "--fail-under", "deps.las=0.5")
    assert (done.code, done.out) == (2, "")
    assert "there is no score of 'deps.las'" in done.err


def test_a_gate_with_parameters_means_that_metric_alone(run: Any, fake_score: Any) -> None:
    fake_score(scores(result(value=0.9), result(metric="deps.las(punct='form')", value=0.5)))
    assert run("score", "g", "s", "--fail-under", "deps.las(punct=form)=0.5").code == 0
    assert run("score", "g", "s", "--fail-under", "deps.las=0.6").code == 1


# earlier runs


def test_against_an_earlier_run(run: Any, fake_score: Any, here: Path) -> None:
    fake_score(scores(result(value=0.80)))
    run("score", "g", "s", "--output", "e.json")
    fake_score(scores(result(value=0.85)))
    done = run("score", "g", "s", "--against", "e.json")
    assert done.code == 0
    assert "+5.00" in done.out
    data = json.loads(run("score", "g", "s", "--against", "e.json", "--format", "json").out)
    assert data["scores"][0]["against"]["value"] == 0.80
    assert data["against"]["file"] == "e.json"


def test_against_another_gold_standard(run: Any, fake_score: Any, here: Path) -> None:
    fake_score(scores(result(value=0.80), gold_digest="a" * 16))
    run("score", "g", "s", "--output", "e.json")
    assert "different gold standard" not in run("score", "g", "s", "--against", "e.json").out
    fake_score(scores(result(value=0.85), gold_digest="b" * 16))
    done = run("score", "g", "s", "--against", "e.json")
    assert done.out.count("different gold standard") == 1
    data = json.loads(run("score", "g", "s", "--against", "e.json", "--format", "json").out)
    assert data["against"]["notes"][0].startswith("e.json was scored against a different")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        (None, "cannot read"),
        *(
            (content, "is not the JSON output")
            for content in (
                "[]",
                '{"scores": [{"system": "s", "metric": "m"}], "units": "many"}',
                '{"scores": [3]}',
                '{"scores": [{"system": "s", "metric": 3}]}',
                '{"scores": [{"system": "s", "metric": "m", "value": NaN}]}',
                '{"scores": [{"system": "s", "metric": "m", "groups": []}]}',
                '{"scores": [{"system": "s", "metric": "m", "groups": {"g": 3}}]}',
            )
        ),
    ],
)
def test_against_something_else(
    content: str | None, message: str, run: Any, fake_score: Any, here: Path
) -> None:
    fake_score(entity_scores())
    if content:
        (here / "e.json").write_text(content)
    done = run("score", "g", "s", "--against", "e.json")
    assert done.code == 3
    assert message in done.err


# study files


STUDY = """
metrics = ["deps.las"]
[data]
gold = "gold.conllu"
[systems]
"A = B" = "a.conllu"
b = "sub/*.conllu"
[options]
by = "genre"
labels = true
map_labels = ["upos=map.tsv"]
lexicon = "train.conllu"
[gates]
"deps.las" = 0.8
"""


@pytest.fixture
def study(tmp_path: Path) -> Path:
    folder = tmp_path / "paper"
    (folder / "sub").mkdir(parents=True)
    for name in ("gold.conllu", "a.conllu", "sub/x.conllu"):
        (folder / name).write_text("x")
    (folder / "tertium.toml").write_text(STUDY)
    return folder


def test_a_study_says_everything(
    run: Any, fake_score: Any, study: Path, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = fake_score(grouped_scores())
    assert run("score", "--study", study / "tertium.toml").code == 0
    call = calls[0]
    assert [source.name for source in call["data"]] == ["gold.conllu", "A = B", "b"]
    assert call["data"][2].files == (str(study / "sub/x.conllu"),)
    assert call["metric"] == ("deps.las",)
    assert (call["by"], call["labels"]) == (("genre",), True)
    assert call["map_labels"] == (f"upos={study / 'map.tsv'}",)
    assert call["lexicon"] == (str(study / "train.conllu"),)
    monkeypatch.chdir(study)
    assert run("score").code == 0
    assert calls[1]["data"][0].files == ("gold.conllu",)


def test_a_study_asks_for_figures(run: Any, fake_score: Any, study: Path) -> None:
    calls = fake_score(fair_scores())
    path = study / "tertium.toml"
    text = STUDY.partition("[gates]")[0] + 'error_types = true\noutput = "figures/../e.svg"\n'
    (study / "figures").mkdir()
    path.write_text(text)
    assert run("score", "--study", path).code == 0
    assert calls[0]["confusion"] is True
    assert "spans.fair: error types" in (study / "e.svg").read_text("utf-8")
    path.write_text(text.replace("error_types = true", "error_types = 1"))
    assert "options.error_types must be true or false" in run("score", "--study", path).err


def test_the_command_line_wins_over_the_study(run: Any, fake_score: Any, study: Path) -> None:
    calls = fake_score(scores(result(metric="deps.uas", value=0.9), result(value=0.85)))
    path = study / "tertium.toml"
    done = run("score", "g", "s", "--study", path, "--metric", "deps.uas", "--by", "length")
    assert done.code == 0
    assert calls[0]["data"] == ("g", "s")
    assert calls[0]["metric"] == ("deps.uas",)
    assert calls[0]["by"] == ("length",)
    assert run("score", "g", "s", "--study", path, "--fail-under", "deps.las=0.9").code == 1


def test_one_file_beside_a_study_is_refused(run: Any, fake_score: Any, study: Path) -> None:
    calls = fake_score(entity_scores())
    done = run("score", "--study", study / "tertium.toml", "a.conllu")
    assert done.code == 2
    assert "GOLD SYSTEM... are in the study file; give all of them or none" in done.err
    assert calls == []


def test_all_paths_of_a_study_are_relative_to_it(
    run: Any, fake_score: Any, study: Path, here: Path
) -> None:
    calls = fake_score(scores(result(metric="deps.las"), gold="g"))
    (study / "a=b.tsv").write_text("x\ty\n")
    (study / "tertium.toml").write_text(
        """
metrics = [
    "tags.accuracy(lexicon=train.conllu, column=upos)", "deps.las(punct=form)", "x(", "y(a=1)"
]
[data]
gold = "gold.conllu"
[systems]
a = "a.conllu"
[options]
map_labels = ["map.tsv", "upos=sub/map=2.tsv", "a=b.tsv"]
with = ["ner=2.bio"]
lexicon = "train.conllu"
against = "e.json"
output = "out.txt"
"""
    )
    (study / "e.json").write_text(json.dumps(scores(result()).to_dict()))
    assert run("score", "--study", study / "tertium.toml").code == 0
    call = calls[0]
    assert call["metric"] == (
        f"tags.accuracy(lexicon='{study / 'train.conllu'}', column='upos')",
        "deps.las(punct=form)",
        "x(",
        "y(a=1)",
    )
    assert call["map_labels"] == (
        str(study / "map.tsv"),
        f"upos={study / 'sub/map=2.tsv'}",
        str(study / "a=b.tsv"),
    )
    assert call["with_files"] == (str(study / "ner=2.bio"),)
    assert call["lexicon"] == (str(study / "train.conllu"),)
    assert (study / "out.txt").is_file()


def test_gates_of_a_study_follow_its_paths(
    run: Any, samples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "paper"
    folder.mkdir()
    for name in ("gold.conllu", "arbor.conllu"):
        (folder / name).write_bytes((samples / name).read_bytes())
    metric = "tags.accuracy(column=upos, lexicon=gold.conllu)"
    (folder / "s.toml").write_text(
        f"metrics = ['{metric}']\n[data]\ngold = 'gold.conllu'\n"
        f"[systems]\na = 'arbor.conllu'\n[gates]\n'{metric}' = 1"
    )
    monkeypatch.chdir(tmp_path)
    done = run("score", "--study", "paper/s.toml")
    assert (done.code, done.err[:19]) == (1, "error: gate not met")


def test_a_study_is_not_used_where_files_are_given(
    run: Any, fake_score: Any, study: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = fake_score(entity_scores())
    monkeypatch.chdir(study)
    run("score", "g", "s")
    assert calls[0].keys() == {"data", "labels", "confusion", "progress"}


def test_gates_of_a_study_hold(run: Any, fake_score: Any, study: Path) -> None:
    fake_score(scores(result(value=0.5)))
    done = run("score", "--study", study / "tertium.toml")
    assert done.code == 1
    assert "below 80.00 (0.8)" in done.err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("metrcs = []", "unknown key 'metrcs'. Did you mean 'metrics'?"),
        ("[option]\nby = 1", "unknown key 'option'. Did you mean 'options'?"),
        ("[data]\ngld = 'x'", "unknown key 'gld' in [data]. Did you mean 'gold'?"),
        ("[options]\nalin = 'x'", "unknown key 'alin' in [options]. Did you mean 'align'?"),
        ("[options]\nby = 3.5", "options.by must be a list of strings. Got [3.5] instead."),
        ("[options]\njobs = true", "options.jobs must be a whole number"),
        ("[options]\nwith = ['a', 1]", "options.with must be a list of strings"),
        ("metrics = 3.5", "metrics must be a list of strings"),
        ("data = 'x'", "'data' must be a table"),
        ("[systems]\na = 'a.conllu'\nmetrics = ['deps.las']", "before the first [table]"),
        ("[gates]\ndeps.las = 0.8", 'quote the name of the metric: "deps.las"'),
        ("= 3", "Invalid"),
        ("[data]\ngold = 'nothing.conllu'\n[systems]\na = 'a'", "there is no file"),
        ("[options]\nby = 'genre'", "names no gold in [data]"),
        ("[data]\ngold = 'tertium.toml'", "names no systems in [systems]"),
    ],
)
def test_a_bad_study_is_refused(
    text: str, message: str, run: Any, fake_score: Any, here: Path
) -> None:
    fake_score(entity_scores())
    (here / "tertium.toml").write_text(text)
    done = run("score")
    assert done.code == 3
    assert message in done.err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[gates]\n'deps.las' = 85", "write deps.las=0.85"),
        ("[options]\nformat='x'", "output format"),
    ],
)
def test_bad_requests_in_a_study(
    text: str, message: str, run: Any, fake_score: Any, here: Path
) -> None:
    calls = fake_score(entity_scores())
    (here / "tertium.toml").write_text(text)
    done = run("score", "g", "s", "--study", "tertium.toml")
    assert done.code == 2
    assert message in done.err
    assert calls == []


def test_nothing_to_score(run: Any, here: Path) -> None:
    done = run("score")
    assert done.code == 2
    assert "put a tertium.toml here" in done.err


# the real thing


def test_samples(run: Any, samples: Path, here: Path) -> None:
    done = run("score", samples / "gold.conllu", f"A={samples / 'arbor.conllu'}", "--by", "genre")
    assert done.code == 0, done.err
    assert max(map(len, done.out.split("\n"))) <= 80
    assert "news" in done.out
    assert run("score", samples / "gold.conllu", "nowhere.conllu").code == 3


def test_json_of_samples_follows_the_schema(run: Any, samples: Path) -> None:
    schema = json.loads(
        (resources.files("tertium") / "report" / "schema" / "score.schema.json").read_text("utf-8")
    )
    for gold, system in (
        ("gold.conllu", "cedar.conllu"),
        ("entities-gold.bio", "entities-cedar.bio"),
    ):
        args = [samples / gold, samples / system, "--confusion", "--format", "json"]
        args += ["--by", "genre" if gold.endswith("conllu") else "length"]
        done = run("score", *args)
        assert done.code == 0, done.err
        data = json.loads(done.out)
        jsonschema.validate(data, schema, jsonschema.Draft202012Validator)
        assert data["scores"][0]["labels"]
        assert data["scores"][0]["groups"]


@pytest.mark.parametrize("by", ["distance", "deprel", "upos", "feature:Case", "projectivity"])
def test_groups_of_words_in_every_format(run: Any, samples: Path, here: Path, by: str) -> None:
    schema = json.loads(
        (resources.files("tertium") / "report" / "schema" / "score.schema.json").read_text("utf-8")
    )
    files = [samples / f"{name}.conllu" for name in ("gold", "arbor", "breeze")]
    args = ["score", *files, "--metric", "deps.las", "--by", by]
    done = run(*args, "--format", "json", "--output", "e.json")
    assert done.code == 0, done.err
    data = json.loads((here / "e.json").read_text("utf-8"))
    jsonschema.validate(data, schema, jsonschema.Draft202012Validator)
    groups = data["scores"][0]["groups"]
    assert data["by"] == by
    assert sum(g["counts"]["gold"] for g in groups.values()) == 847
    assert sum(g["counts"]["system"] for g in groups.values()) == 847
    right = [g["counts"] for g in groups.values()]
    assert sum(c["correct"] for c in right) == sum(c["correct_system"] for c in right) == 735

    text = run(*args, "--against", "e.json", "--fail-under", "deps.las=0.85")
    assert text.code == 1
    assert "LAS of breeze is 84.06 (0.8406), below 85.00 (0.85)" in text.err
    assert max(map(len, text.out.split("\n"))) <= 80
    for name in groups:
        assert any(line.startswith(name) for line in text.out.split("\n")), name
    for format, sign in (("markdown", f"| {by} |"), ("latex", "toprule"), ("html", "<table")):
        done = run(*args, "--format", format)
        assert done.code == 0, done.err
        assert sign in done.out
    rows = csv.DictReader(io.StringIO(run(*args, "--format", "csv").out))
    found = {
        row["group"]: int(row["value"])
        for row in rows
        if row["section"] == "scores.groups"
        and (row["system"], row["part"]) == ("arbor.conllu", "counts.correct_system")
    }
    assert found == {name: group["counts"]["correct_system"] for name, group in groups.items()}


def test_groups_of_words_from_a_study(run: Any, samples: Path, here: Path) -> None:
    (here / "tertium.toml").write_text(
        f'metrics = ["deps.las"]\n[data]\ngold = "{samples}/gold.conllu"\n'
        f'[systems]\nA = "{samples}/arbor.conllu"\n[options]\nby = "direction"\n'
    )
    done = run("score")
    assert done.code == 0, done.err
    assert [line.split()[0] for line in done.out.split("\n")[6:10]] == [
        *("all", "left", "right", "root")
    ]


def test_a_key_that_does_not_fit_is_a_usage_error(run: Any, samples: Path) -> None:
    files = samples / "gold.conllu", samples / "arbor.conllu"
    for by in ("distance:x", "feature", "deprel:x", "dpth"):
        done = run("score", *files, "--by", by)
        assert (done.code, done.out) == (2, ""), by
        assert done.err.startswith("error: ")
    spans = samples / "entities-gold.bio", samples / "entities-arbor.bio"
    done = run("score", *spans, "--by", "distance")
    assert (done.code, done.out) == (2, "")
    assert "needs dependency trees, and" in done.err


def test_figures_of_samples(run: Any, samples: Path, here: Path) -> None:
    files = [f"{name}={samples / f'entities-{name}.bio'}" for name in ("gold", "arbor", "breeze")]
    done = run("score", *files, "--metric", "spans.f1", "--confusion", "--error-types")
    assert done.code == 0, done.err
    assert "ORG          11     0    8    0     0" in done.out
    assert "label            0    0.00      19   65.52" in done.out
    trees = [f"{name}={samples / name}.conllu" for name in ("gold", "arbor", "breeze")]
    for some, metric in ((files, "tags.accuracy"), (trees, "deps.las")):
        done = run(
            *("score", *some, "--metric", metric, "--confusion", "--error-types"),
            *("--output", "all.svg"),
        )
        assert done.code == 0, done.err
        files = ["all-arbor.svg", "all-breeze.svg", "all-error-types.svg"]
        assert done.err.endswith(f"note:  figures: {', '.join(files)}\n")
        assert {len(list(ElementTree.parse(file).getroot())) for file in files} == {4}


def test_figures_replace_no_input_and_are_written_together(
    run: Any, samples: Path, here: Path
) -> None:
    files = [f"{name}={samples / f'entities-{name}.bio'}" for name in ("arbor", "breeze")]
    gold = here / "x-breeze.svg"
    gold.write_bytes((samples / "entities-gold.bio").read_bytes())
    asked = ("--input-format", "columns", "--confusion", "--output", "x.svg")
    done = run("score", gold, *files, *asked)
    assert done.code == 2
    assert "'x-breeze.svg' is one of the files compared" in done.err
    assert gold.read_bytes() == (samples / "entities-gold.bio").read_bytes()
    (here / "y-breeze.svg").mkdir()
    done = run("score", gold, *files, *asked[:-1], "y.svg")
    assert done.code == 3
    assert not (here / "y-arbor.svg").exists()


def test_a_token_without_a_partner_is_unaligned(run: Any, here: Path) -> None:
    (here / "g.bio").write_text("a\tX\nbc\tY\n")
    (here / "s.bio").write_text("a\tZ\nb\tY\nc\tY\n")
    args = ["score", "g.bio", "s.bio", "--metric", "tags.accuracy", "--error-types"]
    data = json.loads(run(*args, "--format", "json").out)
    kinds = {(e["type"], e["gold"], e["system"]): e["count"] for e in data["scores"][0]["errors"]}
    assert kinds == {
        ("label", "X", "Z"): 1,
        ("unaligned", "Y", None): 1,
        ("unaligned", None, "Y"): 2,
    }


def test_a_gate_on_a_part_is_refused_before_scoring(run: Any, samples: Path) -> None:
    files = (samples / "entities-gold.bio", samples / "entities-arbor.bio")
    done = run(
        "score", *files, "--metric", "spans.fair", "--fail-under", "spans.fair.weighted.f1=.1"
    )
    assert (done.code, done.out) == (2, "")
    assert "names a part" in done.err


def test_null_is_no_earlier_result(run: Any, samples: Path, tmp_path: Path) -> None:
    files = (samples / "entities-gold.bio", samples / "entities-arbor.bio")
    (tmp_path / "null.json").write_text("null")
    assert run("score", *files, "--against", tmp_path / "null.json").code == 3


def test_a_first_slip_is_no_other_setting(run: Any, tmp_path: Path) -> None:
    gold, old, new = (tmp_path / f"{name}.bio" for name in ("gold", "old", "new"))
    gold.write_text("a\tB-X\nb\tO\n\n")
    old.write_text("a\tB-X\nb\tO\n\n")
    new.write_text("a\tB-X\nb\tI-Y\n\n")
    earlier = tmp_path / "old.json"
    assert run("score", gold, f"s={old}", "--format", "json", "--output", earlier).code == 0
    done = run("score", gold, f"s={new}", "--against", earlier)
    assert done.code == 0
    assert "-33.33" in done.out or "−33.33" in done.out
