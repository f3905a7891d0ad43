"""Options of the command line: short ones, groups of the help, quiet, completion."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest
from click.shell_completion import ShellComplete

from tertium.cli.main import VERBS, tertium
from tertium.options import GROUPS

SHORT = {"-m": "--metric", "-o": "--output", "-f": "--format", "-q": "--quiet", "-j": "--jobs"}


def commands() -> dict[str, click.Command]:
    context = click.Context(tertium)
    found = {name: tertium.get_command(context, name) for name in VERBS}
    return {name: command for name, command in found.items() if command is not None}


def test_a_letter_means_the_same_in_every_verb() -> None:
    for verb, command in commands().items():
        for option in (o for o in command.params if isinstance(o, click.Option)):
            for letter in (name for name in option.opts if not name.startswith("--")):
                wanted = {**SHORT, "-b": "--score-only"}[letter]
                assert option.opts[0] == wanted, f"tertium {verb} {letter}"
            for letter, name in SHORT.items():
                assert name not in option.opts or letter in option.opts, f"tertium {verb} {name}"


@pytest.mark.parametrize("verb", [verb for verb in VERBS if verb not in ("demo", "warm-up")])
def test_help_has_groups_in_order(run: Callable[..., Any], verb: str) -> None:
    lines = run(verb, "--help").out.splitlines()
    found = [line.removesuffix(":") for line in lines if line.removesuffix(":") in GROUPS]
    assert found == [name for name in GROUPS if name in found]
    assert len(found) > 1
    assert "Options:" not in lines
    places = [n for n, line in enumerate(lines) if line.startswith("  -h, --help")]
    assert places[0] > lines.index("General:")


def test_short_options_do_what_long_ones_do(
    run: Callable[..., Any], samples: Path, tmp_path: Path
) -> None:
    files = samples / "gold.conllu", samples / "arbor.conllu"
    long = run("score", *files, "--metric", "deps.las", "--format", "csv", "--jobs", "1")
    assert run("score", *files, "-m", "deps.las", "-f", "csv", "-j1").out == long.out
    target = tmp_path / "x.csv"
    assert run("score", *files, "-mdeps.las", "-o", target).code == 0
    assert target.read_bytes() == long.out.encode()


@pytest.mark.parametrize(("name", "meant"), [("tex", "latex"), ("md", "markdown")])
def test_formats_may_be_called_by_their_endings(
    run: Callable[..., Any], name: str, meant: str
) -> None:
    assert run("list", "formats", "-f", name).out == run("list", "formats", "-f", meant).out
    from tertium import render
    from tertium.cli.catalogue import catalogue

    assert render(catalogue("formats"), name) == render(catalogue("formats"), meant)


def test_quiet_leaves_out_notes_but_no_errors(run: Callable[..., Any], tmp_path: Path) -> None:
    gold, system = tmp_path / "gold.bio", tmp_path / "a.bio"
    for each in (gold, system):
        each.write_text("Ada\tB-PER\nran\tO\n\n")
    report = tmp_path / "page.html"
    args = ("compare", gold, system, f"B={system}", "--no-significance", "--report", report)
    assert "note:  report" in run(*args).err
    assert run(*args, "-q").err == ""
    report.unlink()
    gate = run(*args, "--quiet", "--max-new-errors", "x")
    assert gate.code == 2
    assert "error:" in gate.err
    assert "note:  report" in run(*args).err, "one command is not the next"


def completed(args: list[str], text: str) -> list[str]:
    shell = ShellComplete(tertium, {}, "tertium", "_TERTIUM_COMPLETE")
    return [item.value for item in shell.get_completions(args, text)]


def test_shells_complete_verbs_metrics_and_formats() -> None:
    assert completed([], "co") == ["compare", "conventions", "convert"]
    assert completed(["score", "gold", "-m"], "deps.l") == ["deps.las", "deps.ls", "deps.lemmas"]
    assert completed(["score", "gold", "--metric"], "spans.f")[0] == "spans.f1"
    assert completed(["score", "-f"], "m") == ["markdown", "md"]
    assert completed(["score", "gold", "--input-format"], "conllu") == ["conllu"]
    assert completed(["score", "gold"], "--fail-u") == ["--fail-under"]


def test_shells_complete_files() -> None:
    shell = ShellComplete(tertium, {}, "tertium", "_TERTIUM_COMPLETE")
    for args in (["score"], ["score", "gold", "--output"], ["compare", "g", "--report"]):
        assert [item.type for item in shell.get_completions(args, "x")] == ["file"]


def test_score_only_prints_bare_numbers(run: Callable[..., Any], samples: Path) -> None:
    files = [samples / f"{name}.conllu" for name in ("gold", "arbor", "breeze")]
    chosen = ("-m", "deps.uas", "-m", "deps.las")
    found = run("score", *files, *chosen, "-b")
    lines = found.out.splitlines()
    shown = run("score", *files, *chosen).out.replace("•", " ")
    table = [line.split() for line in shown.splitlines()]
    rows = {row[0].removesuffix(".conllu"): row[1:] for row in table if row}
    assert (found.code, len(lines)) == (0, 4)
    assert {*lines[:2]} <= {*rows["arbor"]}
    assert {*lines[2:]} <= {*rows["breeze"]}
    mean = run("score", files[0], f"A={files[1]},{files[2]}", "-m", "deps.las", "--score-only")
    assert float(mean.out) == pytest.approx((float(lines[1]) + float(lines[3])) / 2, abs=0.011)
    exact = run("score", *files, *chosen, "-b", "--digits", "4").out.splitlines()
    assert [f"{float(each):.2f}" for each in exact] == lines
    assert all(len(each.partition(".")[2]) == 4 for each in exact)
    for other in (["--labels"], ["--sort", "LAS"], ["--by", "genre"]):
        refused = run("score", *files, *chosen, "-b", *other)
        assert (refused.code, refused.out) == (2, "")
        assert f"'--score-only' cannot be combined with '{other[0]}'" in refused.err
    refused = run("score", *files, "-b", "-f", "json")
    assert (refused.code, refused.err.splitlines()[0]) == (
        2,
        "error: '--score-only' prints text, not json",
    )


def test_an_undefined_score_is_not_a_number(run: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "gold.bio").write_text("a\tO\n")
    path = tmp_path / "gold.bio"
    assert run("score", path, f"A={path}", "-m", "spans.f1", "-b").out == "nan\n"
