"""The way in: verbs, help, exit codes, messages."""

import errno
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest

from result_samples import entity_scores
from tertium import __version__
from tertium.cli.main import BROKEN_PIPE, VERBS, tertium
from tertium.exceptions import (
    AlignmentError,
    FormatError,
    GateError,
    InputError,
    Problem,
    UsageError,
)


def test_help_lists_every_verb(run: Any) -> None:
    done = run("--help")
    assert done.code == 0
    assert all(f"\n  {verb} " in done.out for verb in VERBS)
    assert run().out == done.out


def test_version(run: Any) -> None:
    assert run("--version").out == f"tertium {__version__}\n"


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_loads_and_agrees_with_the_list(verb: str, run: Any) -> None:
    command = tertium.get_command(click.Context(tertium), verb)
    assert command is not None
    assert command.name == verb
    assert command.get_short_help_str(200) == VERBS[verb][1]
    done = run(verb, "--help")
    assert done.code == 0
    assert max(map(len, done.out.split("\n"))) <= 80


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["scroe"], "there is no verb 'scroe'. Did you mean 'score'?"),
        (["score", "--metrc", "x"], "there is no option '--metrc'. Did you mean '--metric'?"),
        (["score", "a", "b", "--align", "x"], "'x' is not one of"),
        (["score", "a", "b", "--jobs", "0"], "0 is not in the range"),
        (["score", "gold"], "there is no system to score against 'gold'"),
        (["list", "metric"], "Got 'metric' instead. Did you mean 'metrics'?"),
        (["list"], "name one of metrics, coefficients, families, formats, verbs. Got nothing"),
        (["cite"], "name one or more things to cite"),
        (
            ["cite", "deps.lass"],
            "there is nothing to cite for 'deps.lass'. Did you mean 'deps.las'",
        ),
        (["--quiet"], "there is no option '--quiet'"),
    ],
)
def test_usage_errors(args: list[str], message: str, run: Any) -> None:
    done = run(*args)
    assert done.code == 2
    assert done.out == ""
    assert done.err.startswith("error: ")
    assert message in done.err
    assert "\nhelp:  " in done.err


def test_messages_of_several_lines_are_put_on_one(run: Any, fake_score: Any) -> None:
    """click sets the choices of something that is missing one below the other, with tabs."""
    choice = click.Argument(["what"], type=click.Choice(["a", "b"]))
    fake_score(click.MissingParameter(param=choice, ctx=click.Context(tertium)))
    assert run("score", "g", "s").err.startswith(
        "error: Missing argument '{a|b}'. Choose from: a, b\nhelp:  "
    )


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (UsageError("no", help="do"), 2),
        (InputError("no", help="do"), 3),
        (AlignmentError("no", help="do"), 3),
        (GateError("no", help="do"), 1),
    ],
)
def test_exceptions_become_exit_codes(
    error: Exception, code: int, run: Any, fake_score: Any
) -> None:
    fake_score(error)
    done = run("score", "g", "s")
    assert (done.code, done.out, done.err) == (code, "", "error: no\nhelp:  do\n")


def test_problems_of_a_file_stand_below_each_other(run: Any, fake_score: Any) -> None:
    problems = [Problem(f"bad {i}", line=i, sentence="s") for i in range(1, 8)]
    fake_score(FormatError("b.conllu", problems))
    lines = run("score", "g", "b.conllu").err.split("\n")
    assert lines[0] == "error: b.conllu:1, sentence 's': bad 1"
    assert lines[4] == "       b.conllu:5, sentence 's': bad 5"
    assert lines[5] == "       ... and 2 more"
    assert lines[6].startswith("help:  'tertium validate b.conllu' lists every problem; ")


def test_messages_cannot_drive_the_terminal(run: Any, fake_score: Any) -> None:
    fake_score(InputError("HEAD is '\x1b[2J\r'"))
    assert run("score", "g", "s").err == "error: HEAD is '\\x1b[2J\\r'\n"


def test_a_bug_is_ours(run: Any, fake_score: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_score(ZeroDivisionError("division\nby zero"))
    done = run("score", "g", "s")
    assert done.code == 70
    assert done.err.startswith(
        "error: this is a bug in Tertium: ZeroDivisionError: division by zero"
    )
    assert "TERTIUM_DEBUG=1" in done.err
    assert "Traceback" not in done.err
    monkeypatch.setenv("TERTIUM_DEBUG", "1")
    assert "Traceback" in run("score", "g", "s").err


def test_an_interrupt_is_130(run: Any, fake_score: Any) -> None:
    fake_score(KeyboardInterrupt())
    assert run("score", "g", "s").code == 130


def test_a_closed_pipe_is_quiet(samples: Path) -> None:
    code = (
        "import sys, os; r, w = os.pipe(); os.close(r); os.dup2(w, 1);"
        "from tertium.cli.main import main; sys.exit(main(sys.argv[1:]))"
    )
    command = [sys.executable, "-c", code, "list", "metrics"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (BROKEN_PIPE, "")


def test_a_full_disk_is_not_a_closed_pipe(run: Any, fake_score: Any) -> None:
    fake_score(OSError(errno.ENOSPC, "No space left on device"))
    done = run("score", "g", "s")
    assert done.code == 3
    assert done.err == "error: cannot write to standard output: No space left on device\n"


def test_colour_only_on_terminals_and_no_color_wins(
    run: Any, fake_score: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_score(entity_scores())
    assert "\x1b" not in run("score", "g", "s").out
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b" in run("score", "g", "s").out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in run("score", "g", "s").out


def test_a_terminal_without_unicode_gets_ascii(samples: Path) -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); from result_samples import entity_scores;"
        "import dataclasses, tertium.significance.score.verb as m;"
        "m.VERB = dataclasses.replace(m.VERB, call=lambda *a, **k: entity_scores());"
        "from tertium.cli.main import main; sys.exit(main(['score', 'g', 's']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(Path(__file__).parents[2])],
        capture_output=True,
        env={"PYTHONIOENCODING": "ascii", "PATH": "", "PYTHONPATH": ":".join(sys.path)},
    )
    assert done.returncode == 0, done.stderr
    assert b"91.23*" in done.stdout
    done.stdout.decode("ascii")


def test_list_and_cite_know_what_is_registered(run: Any) -> None:
    from tertium import registry

    for kind in ("metrics", "formats"):
        data = json.loads(run("list", kind, "--format", "json").out)
        assert [e["id"] for e in data[kind]] == registry.names(kind)
        text = run("list", kind).out
        assert all(name in text for name in registry.names(kind))
        assert max(map(len, text.split("\n"))) <= 80
    las = next(e for e in json.loads(run("list", "metrics", "--format", "json").out)["metrics"]
               if e["id"] == "deps.las")  # fmt: skip
    assert {"name": "punct", "default": "keep"}.items() <= las["parameters"][0].items()
    verbs = json.loads(run("list", "verbs", "--format", "json").out)["verbs"]
    assert [v["id"] for v in verbs] == [*VERBS]


@pytest.mark.parametrize("format", ["text", "csv", "markdown", "latex", "html"])
def test_list_and_cite_in_every_format(format: str, run: Any) -> None:
    for args in (["list", "metrics"], ["list", "formats"], ["list", "verbs"], ["cite", "deps.las"]):
        done = run(*args, "--format", format)
        assert done.code == 0, done.err
        assert done.out.strip()


@pytest.mark.parametrize("how", [["--format", "svg"], ["--output", "figure.svg"]])
@pytest.mark.parametrize(
    "verb", [["list", "metrics"], ["cite", "deps.las"], ["validate", "gold.conllu"]]
)
def test_verbs_without_figures_refuse_pictures(
    verb: list[str], how: list[str], run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run(*verb, *how)
    assert done.code == 2
    assert "there is no figure to write as SVG" in done.err
    assert "svg" not in run(verb[0], "--help").out
    assert not list(tmp_path.iterdir())
    other = run(*verb, "--output", "figure.doc").err
    assert "known endings" in other
    assert "svg" not in other


def test_cite_writes_a_bibliography(run: Any, tmp_path: Path) -> None:
    assert run("cite", "deps.las", "--output", tmp_path / "references.bib").code == 0
    assert "@" in (tmp_path / "references.bib").read_text()


def test_cite_is_bibtex_and_says_each_entry_once(run: Any) -> None:
    done = run("cite", "deps.las", "deps.uas", "deps.las(subtypes=yes)")
    assert done.out.startswith("% deps.las: ")
    keys = [line for line in done.out.split("\n") if line.startswith("@")]
    assert len(keys) == len(set(keys)) >= 1
    data = json.loads(run("cite", "spans.f1", "--format", "json").out)
    assert data["citations"][0]["bibtex"].startswith("@")
