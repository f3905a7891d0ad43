"""`tertium compare`: options, formats, gates, exit codes."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from tertium.cli.command import with_values
from tertium.report.render import FORMATS
from tertium.significance.score.gates import is_metric

LAS = ("--metric", "deps.las")


@pytest.fixture
def parsers(samples: Path) -> tuple[Path, ...]:
    return tuple(samples / f"{name}.conllu" for name in ("gold", "arbor", "breeze", "cedar"))


@pytest.fixture
def two(parsers: tuple[Path, ...]) -> tuple[Path, ...]:
    return parsers[0], parsers[1], parsers[3]


def words(text: str) -> str:
    return " ".join(text.split())


def test_two_systems(run: Any, two: tuple[Path, ...]) -> None:
    done = run("compare", *two, *LAS, "--all")
    assert (done.code, done.err) == (0, "")
    assert "LAS: arbor → cedar, difference 18.54% (157/847)" in done.out
    assert "arbor cedar 157 18.54 -4.60 90.43 81.46 2" in words(done.out)
    assert "corrections (all) 49 31.21 punct → punct 14 8.92 28.57" in words(done.out)
    assert "signature  deps.las|" in done.out


def test_every_layer_of_several_systems(run: Any, parsers: tuple[Path, ...]) -> None:
    done = run("compare", *parsers, "--all")
    assert done.code == 0
    assert "UPOS: differences between systems" in done.out
    assert "LAS: best subset of systems of each size" in done.out
    assert "deps.uas: " not in done.out  # scored beside, not compared
    assert max(map(len, done.out.split("\n"))) <= 80


@pytest.mark.parametrize("format", FORMATS)
def test_formats(run: Any, two: tuple[Path, ...], format: str, tmp_path: Path) -> None:
    done = run("compare", *two, *LAS, "--format", format, "--examples", 1)
    assert done.code == 0
    assert done.out
    if format == "json":
        data = json.loads(done.out)
        assert [pair["corrections"] for pair in data["pairs"]] == [49]
        assert [e["class"] for e in data["examples"]] == [
            "corrections", "new_errors", "changed_errors"
        ]  # fmt: skip
    out = tmp_path / f"out.{'json' if format == 'json' else 'csv'}"
    assert run("compare", *two, *LAS, "--output", out).code == 0
    assert out.read_text("utf-8")[0] == ("{" if format == "json" else "s")


def test_all_examples_and_none(run: Any, two: tuple[Path, ...]) -> None:
    data = json.loads(run("compare", *two, *LAS, "--examples", 0, "--format", "json").out)
    assert len(data["examples"]) == 157
    data = json.loads(run("compare", *two, *LAS, "--format", "json").out)
    assert "examples" not in data
    done = run("compare", *two, *LAS, "--examples", 2, "--format", "csv")
    rows = [r for r in csv.DictReader(io.StringIO(done.out)) if r["section"] == "examples"]
    assert len(rows) == 6
    assert "[" in rows[0]["text"]


def test_pairs(run: Any, parsers: tuple[Path, ...]) -> None:
    done = run("compare", *parsers, *LAS, "--pair", "cedar:arbor", "--pair", "cedar.conllu:breeze")
    assert "LAS: cedar → arbor, difference 18.54% (157/847)" in done.out
    assert "LAS: cedar → breeze, difference" in done.out
    assert "arbor → breeze, difference" not in done.out
    assert "the two best systems" not in done.out
    done = run("compare", *parsers, *LAS)
    assert "such as" in done.out
    done = run("compare", *parsers, "--pair", "cedar:ceder")
    assert done.code == 2
    assert "no system 'ceder'" in done.err
    assert "Did you mean 'cedar'" in done.err


def test_transitions_sort_and_limit(run: Any, two: tuple[Path, ...]) -> None:
    done = run("compare", *two, *LAS, "--transitions", "types", "--limit", "1", "--all")
    assert "and 28 more labels; '--all' shows all" in done.out
    assert "attachment:grandparent → correct" in done.out
    done = run("compare", *two, *LAS, "--sort", "frequency", "--limit", "1")
    assert "labels by frequency" in done.out
    assert "punct 99 79.80 85.86 +6.06" in words(done.out)
    done = run("compare", *two, *LAS, "--limit", "0")
    assert "--limit" not in done.out


def test_groups(run: Any, two: tuple[Path, ...]) -> None:
    done = run("compare", *two, *LAS, "--by", "genre")
    assert "LAS: arbor → cedar by genre" in done.out
    assert "mail 386 111 28.76 7 85 19" in words(done.out)
    done = run("compare", *two, *LAS, "--by", "deprel", "--format", "json")
    groups = json.loads(done.out)["views"][0]["groups"]
    assert groups["punct"]["oracle"]["items"] == 99


def test_systems_that_lack_a_layer(run: Any, parsers: tuple[Path, ...], tmp_path: Path) -> None:
    bare = tmp_path / "bare.conllu"
    lines = parsers[1].read_text("utf-8").split("\n")
    fields = [line.split("\t") for line in lines]
    bare.write_text(
        "\n".join("\t".join([*f[:6], "_", "_", *f[8:]]) if len(f) > 8 else f[0] for f in fields),
        encoding="utf-8",
    )
    done = run("compare", parsers[0], bare, *parsers[2:])
    assert done.code == 0
    assert "LAS compares 2 systems, not bare" in words(done.out)
    assert "has no trees" not in done.out  # a dash with its footnote says it
    data = json.loads(run("compare", parsers[0], bare, *parsers[2:], "--format", "json").out)
    assert len(data["notes"]) == 1
    assert "deps.uas, deps.las" in data["notes"][0]
    done = run("compare", parsers[0], bare, parsers[1], *LAS)
    assert done.code == 2
    assert "no metric here judges single items of two systems (deps.las: fewer than two" in done.err


def test_wrong_use(run: Any, two: tuple[Path, ...]) -> None:
    done = run("compare", two[0], two[1])
    assert (done.code, "two or more systems" in done.err) == (2, True)
    assert run("compare").code == 2
    done = run("compare", *two, "--metric", "deps.lass")
    assert (done.code, "deps.las" in done.err) == (2, True)
    done = run("compare", *two, "--metric", "deps.las", "--by", "nonsense")
    assert done.code in (2, 3)
    done = run("compare", *two, "--limit", "-1")
    assert done.code == 2
    done = run("compare", *two, "--pair", "arbor")
    assert (done.code, "A:B" in done.err) == (2, True)


@pytest.mark.parametrize(
    ("args", "wanted"),
    [
        (["--fail-if-worse", "gold", "a"], ["--fail-if-worse=", "gold", "a"]),
        (["gold", "a", "--fail-if-worse"], ["gold", "a", "--fail-if-worse="]),
        (["--fail-if-worse", "deps.las", "g"], ["--fail-if-worse=deps.las", "g"]),
        (["--fail-if-worse", "deps.ud.las"], ["--fail-if-worse=deps.ud.las"]),
        (["--fail-if-worse", "spans.f1(scheme=iob2)"], ["--fail-if-worse=spans.f1(scheme=iob2)"]),
        (["--fail-if-worse", "--limit", "3"], ["--fail-if-worse=", "--limit", "3"]),
        (["--fail-if-worse=deps.las", "x"], ["--fail-if-worse=deps.las", "x"]),
        (["--", "--fail-if-worse", "deps.las"], ["--", "--fail-if-worse", "deps.las"]),
        (["--fail-if-worse", "gold (1).conllu"], ["--fail-if-worse=", "gold (1).conllu"]),
    ],
)
def test_a_file_is_not_taken_for_a_metric(args: list[str], wanted: list[str]) -> None:
    assert with_values(args, {"--fail-if-worse": is_metric}) == wanted


def test_fail_if_worse(run: Any, two: tuple[Path, ...]) -> None:
    gold, arbor, cedar = two
    done = run("compare", "--fail-if-worse", *two, *LAS)
    assert done.code == 1
    assert done.err == (
        "error: gate not met: LAS fell from 86.78 for arbor to 82.17 for cedar (-4.60)\n"
    )
    assert "signature" in done.out  # the result is shown all the same
    assert run("compare", "--fail-if-worse", gold, cedar, arbor, *LAS).code == 0
    assert run("compare", *two, "--fail-if-worse", "deps.uas").code == 1
    done = run("compare", *two, *LAS, "--fail-if-worse", "tags.accuracy")
    assert (done.code, "no score of 'tags.accuracy'" in done.err) == (2, True)
    done = run("compare", *two, "--fail-if-worse=deps.lass")
    assert (done.code, "Did you mean" in done.err) == (2, True)


def test_new_errors_are_listed(run: Any, two: tuple[Path, ...]) -> None:
    done = run("compare", *two, *LAS, "--max-new-errors", "87", "--format", "json")
    assert done.code == 1
    lines = done.err.split("\n")
    assert lines[0] == (
        "error: gate not met: LAS has 88 new errors from arbor to cedar, more than 87"
    )
    assert sum("sentence '" in line for line in lines) == 20
    assert lines[1].startswith("         sentence '")
    assert "] " in lines[2]
    assert "... and 68 more" in done.err
    assert "--examples 0" in done.err
    assert run("compare", *two, *LAS, "--max-new-errors", "88").code == 0


def test_studies(run: Any, two: tuple[Path, ...], tmp_path: Path) -> None:
    study = tmp_path / "tertium.toml"
    study.write_text(
        f'metrics = ["deps.las"]\n[data]\ngold = "{two[0]}"\n'
        f'[systems]\nA = "{two[1]}"\nB = "{two[2]}"\n[options]\nby = "genre"\nlabels = true\n'
        'output = "table.txt"\n',
        encoding="utf-8",
    )
    done = run("compare", "--study", study)
    assert done.code == 0
    assert "LAS: A → B by genre" in done.out
    assert not (tmp_path / "table.txt").exists()  # that is where the table of `score` goes
    study.write_text(f'[data]\ngold = "{two[0]}"\n[systems]\nA = "{two[1]}"\n', encoding="utf-8")
    done = run("compare", "--study", study)
    assert (done.code, "two or more systems" in done.err) == (2, True)


def test_names_with_colons(run: Any, two: tuple[Path, ...]) -> None:
    done = run("compare", two[0], f"v:1={two[1]}", f"v:2={two[2]}", *LAS, "--pair", "v:2:v:1")
    assert done.code == 0
    assert "LAS: v:2 → v:1, difference" in done.out


def test_the_entities_of_wnut(run: Any, shared: Path) -> None:
    """Tags of seven systems: the numbers that the plan gives."""
    folder = shared / "data" / "wnut17-ner"
    gold = folder / "emerging.test.annotated"
    systems = [folder / "submissions" / n for n in ("spinningbytes.txt", "uh_ritual")]
    tags = ("--metric", "tags.accuracy")
    done = run("compare", gold, *systems, *tags, "--all")
    assert "spinningbytes → uh_ritual, difference 3.74% (874/23,394)" in done.out
    found = words(done.out)
    assert "corrections (all) 345 39.47" in found
    assert "new errors (all) 325 37.19" in found
    assert "changed errors (all) 204 23.34" in found
    data = json.loads(run("compare", gold, *systems, *tags, "--format", "json").out)
    assert data["pairs"][0]["right"]["a"] == 22013
    assert data["pairs"][0]["right"]["b"] == 22033
    assert data["pairs"][0]["items"] == 23394
    every = sorted((folder / "submissions").iterdir())
    args = ("--align", "position", "--format", "json")
    data = json.loads(run("compare", gold, *every, *tags, *args).out)
    assert (data["oracle"]["correct"], len(data["views"][0]["systems"])) == (22596, 7)
    args = ("--align", "position", "--limit", "1", "--all")
    done = run("compare", gold, *every, *tags, *args)
    assert "7 arcada, drexel_cci" in words(done.out)
    assert "22,596" in done.out


def test_votes_are_written(run: Any, samples: Path, tmp_path: Path) -> None:
    files = [samples / f"{name}.conllu" for name in ("gold", "arbor", "breeze", "cedar")]
    done = run("compare", *files, "--metric", "deps.las", "--write-ensembles", tmp_path / "out")
    assert done.code == 0, done.err
    assert "ensemble gain" in done.out
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == [
        "majority.conllu",
        "weighted.conllu",
    ]
    (tmp_path / "file").write_text("")
    done = run("compare", *files, "--write-ensembles", tmp_path / "file")
    assert done.code == 3
    assert "cannot write" in done.err


def test_what_cannot_be_tested_writes_no_votes(run: Any, samples: Path, tmp_path: Path) -> None:
    files = [samples / f"entities-{name}.bio" for name in ("gold", "arbor", "breeze")]
    unit = ("--unit", "document")
    done = run("compare", *files, *unit, "--write-ensembles", tmp_path / "out")
    assert done.code == 3
    assert "does not mark documents" in done.err
    assert not (tmp_path / "out").exists()


def test_a_report_beside_the_tables(run: Any, samples: Path, tmp_path: Path) -> None:
    files = [samples / f"{name}.conllu" for name in ("gold", "arbor", "breeze")]
    done = run("compare", *files, "--report", tmp_path / "r.html", "--format", "json")
    assert done.code == 0, done.err
    assert json.loads(done.out)["pairs"]
    assert "report: " in done.err
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "://" not in page.replace("http://www.w3.org/2000/svg", "")
    done = run("compare", *files, "--report", tmp_path)
    assert done.code == 3
    assert "it is a folder" in done.err


def test_tables_by_name(run: Any, parsers: tuple[Path, ...]) -> None:
    done = run("compare", *parsers, *LAS, "--table", "oracle", "--format", "latex")
    assert done.code == 0, done.err
    assert done.out.count(r"\begin{table}") == 2  # bounds, and hard and easy labels
    assert "oracle of all systems" in done.out
    done = run("compare", *parsers, "--table", "orakle")
    assert done.code == 2
    assert "Did you mean 'oracle'?" in done.err


def test_report_has_a_place_of_its_own(run: Any, two: tuple[Path, ...], tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    for options in (
        ("--report", "-"),
        ("--report", page, "--output", page),
        ("--report", page, "--output", tmp_path / "." / "page.html"),
    ):
        done = run("compare", *two, *LAS, *options)
        assert (done.code, done.out) == (2, "")
        assert "same file" in done.err
    assert not page.exists()
    done = run("compare", *two, *LAS, "--report", "-", "--output", tmp_path / "result.txt")
    assert done.code == 0
    assert done.out.startswith("<!doctype html>")


def test_files_compared_are_not_replaced(run: Any, two: tuple[Path, ...], tmp_path: Path) -> None:
    mine = tmp_path / "majority.conllu"
    mine.write_bytes(two[1].read_bytes())
    for named in (str(mine), f"A={mine}"):
        done = run("compare", two[0], named, two[2], *LAS, "--report", mine)
        assert done.code == 2
        assert "is one of the files compared" in done.err
    done = run("compare", two[0], mine, two[2], *LAS, "--write-ensembles", tmp_path)
    assert done.code == 2
    assert "is one of the files compared" in done.err
    assert mine.read_bytes() == two[1].read_bytes()


def test_votes_on_folders_inside_folders(run: Any, two: tuple[Path, ...], tmp_path: Path) -> None:
    for path, folder in zip(two, "gab", strict=True):
        sentences = path.read_text().strip("\n").split("\n\n")
        for part, below in ((sentences[:30], "one"), (sentences[30:], "two")):
            (tmp_path / folder / below).mkdir(parents=True)
            (tmp_path / folder / below / "x.conllu").write_text("\n\n".join(part) + "\n\n")
    folders = [tmp_path / folder for folder in "gab"]
    done = run("compare", *folders, *LAS, "--write-ensembles", tmp_path / "votes")
    assert done.code == 0
    voted = run("score", folders[0], tmp_path / "votes" / "majority", *LAS, "--format", "json")
    assert voted.code == 0
    assert json.loads(voted.out)["units"] == 64


def test_weights_from_the_same_gold_are_refused(
    run: Any, two: tuple[Path, ...], tmp_path: Path
) -> None:
    scores = tmp_path / "scores.json"
    run("score", *two, *LAS, "--output", scores)
    done = run("compare", *two, *LAS, "--weights-from", scores)
    assert (done.code, done.out) == (2, "")
    assert "the weights come from the gold standard" in done.err
    other = json.loads(scores.read_text()) | {"gold_digest": "0" * 16}
    scores.write_text(json.dumps(other))
    assert run("compare", *two, *LAS, "--weights-from", scores).code == 0


def test_given_names_stay_whole(run: Any, two: tuple[Path, ...]) -> None:
    done = run("compare", two[0], f"new/a={two[1]}", f"new/b={two[2]}", *LAS, "--format", "json")
    assert [score["system"] for score in json.loads(done.out)["scores"]] == ["new/a", "new/b"]


def test_a_metric_is_worse_once(run: Any, two: tuple[Path, ...]) -> None:
    done = run("compare", *two, *LAS, "--fail-if-worse", "--fail-if-worse=deps.las")
    assert done.code == 1
    assert done.err.count("gate not met") == 1
