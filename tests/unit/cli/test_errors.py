"""`tertium errors`: filters, formats, output, exit codes."""

import csv
import io
import json
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

import tertium

FORMATS = ("text", "json", "csv", "markdown", "latex", "html")


@pytest.fixture
def entities(samples: Path) -> tuple[Path, Path]:
    return samples / "entities-gold.bio", samples / "entities-breeze.bio"


F1 = ("--metric", "spans.f1")


def test_every_error_and_a_summary(run: Any, entities: tuple[Path, Path]) -> None:
    done = run("errors", *entities, *F1, "--all")
    assert (done.code, done.err) == (0, "")
    assert done.out.count("\nlabel  gold ") + done.out.startswith("label  gold ") == 19
    assert "\nentities-breeze: 29 errors by F1, most often label (19).\n" in done.out
    assert "        Halden Rail will reopen its oldest line on Monday" in done.out
    assert "        └─────────┘ gold ORG, system LOC\n" in done.out
    assert "system           label  missing  extra  errors\n" in done.out
    assert "entities-breeze     19        2      8      29\n" in done.out
    assert "signature  spans.f1|" in done.out


def test_filters(run: Any, entities: tuple[Path, Path]) -> None:
    args = ("--type", "Label", "--gold-label", "ORG", "--system-label", "LOC", "--format", "json")
    done = run("errors", *entities, *F1, *args)
    found = [json.loads(line) for line in done.out.splitlines()]
    assert len(found) == 11
    assert {(e["type"], e["gold_label"], e["system_label"]) for e in found} == {
        ("label", "ORG", "LOC")
    }
    done = run("errors", *entities, *F1, "--system-label", "none", "--format", "json")
    assert [json.loads(line)["system_item"] for line in done.out.splitlines()] == [None, None]
    several = ("--gold-label", "ORG", "--gold-label", "none", "--sentence", "1")
    done = run("errors", *entities, *F1, *several, "--format", "csv")
    assert [row["system_label"] for row in csv.DictReader(io.StringIO(done.out))] == ["LOC", "MISC"]


def test_limit_and_sample_say_what_they_leave_out(run: Any, entities: tuple[Path, Path]) -> None:
    done = run("errors", *entities, *F1, "--limit", "2")
    assert "errors  shown" in done.out
    assert done.out.count("sentence '") == 2
    done = run("errors", *entities, *F1, "--limit", "2", "--format", "json")
    assert len(done.out.splitlines()) == 2
    assert done.err.endswith("note:  2 of 29 errors written\n")
    assert "note:  entities-breeze.bio: scored 85 · unaligned 0; spans.f1|column:tag" in done.err
    done = run("errors", *entities, *F1, "--sample", "3", "--seed", "5")
    assert "drawn at random with seed 5" in done.out
    assert done.out == run("errors", *entities, *F1, "--sample", "3", "--seed", "5").out
    assert done.out != run("errors", *entities, *F1, "--sample", "3").out
    assert run("errors", *entities, "--sample", "3", "--limit", "3").code == 2


def test_text_has_twenty_of_each_system(run: Any, entities: tuple[Path, Path]) -> None:
    done = run("errors", *entities, *F1)
    assert done.out.startswith("entities-breeze: 29 errors by F1, most often label (19).")
    assert done.out.count("sentence '") == 20
    assert "note       9 more errors; '--all' shows all\n" in done.out
    found = tertium.errors(*entities, metric="spans.f1")
    assert len(found) == 29
    assert tertium.render(found) == done.out.replace("'--all'", "all=True")
    for option in ("--limit", "--sample"):
        done = run("errors", *entities, "--all", option, 3)
        assert (done.code, f"'--all' and '{option}' contradict each other" in done.err) == (2, True)


def test_types_are_explained_and_the_metric_too(run: Any, entities: tuple[Path, Path]) -> None:
    done = run("errors", *entities, "--limit", 0)
    assert "LE labelling error; " in done.out
    assert "errors are classified by Fair F1; 'tertium score' reports" in done.out
    assert "classified" not in run("errors", *entities, "--metric", "spans.fair").out
    assert "classified" not in run("errors", entities[0], entities[0]).out


def test_old_spellings_are_refused(run: Any, entities: tuple[Path, Path]) -> None:
    done = run("errors", *entities, "--system", "ORG")
    assert (done.code, done.out) == (2, "")
    assert "error: '--system' is now '--system-label'\n" in done.err
    done = run("errors", *entities, "--gold", "ORG")
    assert (done.code, done.out) == (2, "")
    assert "help:  '--gold' of earlier versions is now '--gold-label'\n" in done.err
    done = run("compare", *entities, entities[0], "--gold", entities[0])
    assert "help:  '--gold' of earlier versions is now '--other-gold'\n" in done.err


def test_nothing_to_show_is_no_failure(run: Any, entities: tuple[Path, Path]) -> None:
    done = run("errors", entities[0], entities[0], *F1)
    assert done.code == 0
    assert done.out.startswith("No errors by F1.\n")
    done = run("errors", *entities, *F1, "--gold-label", "ORGG")
    assert done.code == 0
    assert "no errors match the filters; there are 29 errors:" in done.out
    assert "there is no label 'ORGG' in these files. Did you mean 'ORG'?" in done.out
    done = run("errors", *entities, *F1, "--gold-label", "ORGG", "--format", "json")
    assert (done.code, done.out) == (0, "")
    assert "note:  there is no label 'ORGG' in these files. Did you mean 'ORG'?\n" in done.err


def test_one_metric_at_a_time(run: Any, entities: tuple[Path, Path]) -> None:
    done = run("errors", *entities, *F1, "--metric", "spans.fair")
    assert done.code == 2
    assert "'--metric' was given 2 times" in done.err


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("layer", ["spans", "trees", "tags", "numbers"])
def test_every_format(
    run: Any, format: str, layer: str, samples: Path, entities: Any, tmp_path: Path
) -> None:
    files: Any = (samples / "gold.conllu", samples / "cedar.conllu")
    metric = ("--metric", "tags.accuracy" if layer == "tags" else "deps.las")
    if layer in ("spans", "numbers"):
        files, metric = entities, F1
    if layer == "numbers":
        for file in entities:
            assert run("convert", file, tmp_path / f"{file.name}.spans", "--to", "spans").code == 0
        files = [tmp_path / f"{file.name}.spans" for file in entities]
    done = run("errors", *files, *metric, "--limit", "3", "--format", format)
    assert done.code == 0
    if format == "json":
        assert [json.loads(line)["metric"] for line in done.out.splitlines()] == [metric[1]] * 3
    elif format == "csv":
        assert len(list(csv.DictReader(io.StringIO(done.out)))) == 3
    else:
        assert "label" in done.out
        assert metric[1] in done.out


def test_several_systems(run: Any, samples: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(samples)
    files = [f"entities-{name}.bio" for name in ("gold", "arbor", "breeze")]
    done = run("errors", files[0], f"A={files[1]}", f"B={files[2]}", *F1, "--limit", "1")
    first, second = (line for line in done.out.split("\n") if "sentence '" in line)
    assert (first.split("  ")[1], second.split("  ")[1]) == ("A", "B")
    assert "\nA " in done.out
    assert "\nB " in done.out


def test_output_goes_to_a_file_as_its_name_says(
    run: Any, entities: tuple[Path, Path], tmp_path: Path
) -> None:
    for name in ("e.jsonl", "e.json"):
        done = run("errors", *entities, *F1, "--output", tmp_path / name)
        assert (done.code, done.out) == (0, "")
        assert len((tmp_path / name).read_text("utf-8").splitlines()) == 29
    run("errors", *entities, *F1, "--output", tmp_path / "e.txt")
    assert "└" in (tmp_path / "e.txt").read_text("utf-8")
    done = run("errors", *entities, "--type", "nonsense", "--output", tmp_path / "none.json")
    assert done.code == 2
    assert not (tmp_path / "none.json").exists()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["e.json", "e.jsonl", "e.txt"]


def test_folders(run: Any, entities: tuple[Path, Path], tmp_path: Path) -> None:
    for side, file in zip(("gold", "system"), entities, strict=True):
        (tmp_path / side).mkdir()
        for name in ("a.bio", "b.bio"):
            (tmp_path / side / name).write_bytes(file.read_bytes())
    done = run("errors", tmp_path / "gold", tmp_path / "system", *F1, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(done.out)))
    assert len(rows) == 58
    assert [Path(r["file"]).name for r in (rows[0], rows[-1])] == ["a.bio", "b.bio"]


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        ((), 2, "no files were given. Give GOLD SYSTEM..."),
        (("gold.conllu",), 2, "no system to compare with 'gold.conllu'"),
        (("gold.conllu", "nowhere.conllu"), 3, "there is no file 'nowhere.conllu'"),
        (("gold.conllu", "arbor.conllu", "--type", "lable"), 2, "Did you mean 'label'?"),
        (("gold.conllu", "arbor.conllu", "--metric", "spans.f1"), 3, "no spans to score"),
        (("gold.conllu", "upos-ann1.tsv", "--metric", "deps.las"), 3, "has no trees (column HEAD)"),
        (("gold.conllu", "entities-gold.bio", "--limit", "-1"), 2, "-1"),
        (
            ("gold.conllu", "arbor.conllu", "--output", "x.pdf"),
            2,
            "there is no figure to write as PDF",
        ),
    ],
)
def test_bad_requests(
    run: Any, samples: Path, monkeypatch: Any, args: Any, code: int, said: str
) -> None:
    monkeypatch.chdir(samples)
    done = run("errors", *args)
    assert (done.code, done.out) == (code, "")
    assert said in done.err


def test_bad_input_exits_with_3(run: Any, samples: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.conllu"
    bad.write_text((samples / "gold.conllu").read_text("utf-8").replace("\t4\tobl", "\t99\tobl"))
    done = run("errors", samples / "gold.conllu", bad)
    assert done.code == 3
    assert "HEAD is 99" in done.err


def test_words_cannot_move_the_cursor(run: Any, tmp_path: Path) -> None:
    (tmp_path / "g.bio").write_text("a\x1b[2J\tB-X\x1b]0;\n\n")
    (tmp_path / "s.bio").write_text("a\x1b[2J\tB-Y\n\n")
    for format in FORMATS:
        done = run("errors", tmp_path / "g.bio", tmp_path / "s.bio", *F1, "--format", format)
        assert done.code == 0
        if format != "csv":  # which is data, and written as it is
            assert "\x1b" not in done.out


def test_colour_is_bold_alone(run: Any, entities: Any, monkeypatch: Any) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[1mlabel\x1b[0m  gold" in run("errors", *entities, *F1).out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in run("errors", *entities, *F1).out


def test_a_narrow_terminal(run: Any, entities: Any, monkeypatch: Any) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.chdir(entities[0].parent)
    done = run("errors", entities[0].name, entities[1].name, *F1)
    long = [line for line in done.out.split("\n") if len(line) > 40]
    assert all(line.startswith("signature") or ".bio:" in line for line in long)


@pytest.mark.parametrize(("format", "bars"), [("text", 0), ("json", 0), ("html", 1)])
def test_no_bar_is_drawn_into_what_is_printed(
    run: Any, entities: Any, monkeypatch: Any, format: str, bars: int
) -> None:
    asked: list[str] = []

    def bar(what: str) -> Any:
        asked.append(what)
        return nullcontext()

    monkeypatch.setattr("tertium.cli.command.progress_bar", bar)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert run("errors", *entities, "--format", format, "--all").code == 0
    assert len(asked) == bars


def test_json_lines_load_neither_tables_nor_statistics(entities: tuple[Path, Path]) -> None:
    code = (
        "import sys; from tertium.cli.main import main;"
        f"main(['errors', r'{entities[0]}', r'{entities[1]}', '--format', 'json']);"
        "print([m for m in ('polars', 'rich', 'scipy.stats', 'scipy.optimize', 'scipy.sparse')"
        " if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip().endswith("[]")


def test_a_failure_prints_nothing(run: Any, entities: tuple[Path, Path], tmp_path: Path) -> None:
    for format in ("csv", "json", "text"):
        done = run("errors", *entities, "--type", "ZZ", "--format", format)
        assert (done.code, done.out) == (2, "")
    done = run("errors", entities[0], entities[0], "--format", "csv")
    assert done.out.startswith("system,"), "a table without rows has its head"
