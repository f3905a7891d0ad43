"""`tertium warm-up`: every kernel is compiled by a command on the samples."""

import io
import sys
from contextlib import nullcontext
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import tertium
from tertium._jit import COMPILING, loss
from tertium._progress import announce, announce_each
from tertium.cli import warmup
from tertium.cli.notes import note
from tertium.cli.progress import progress_bar


def test_every_kernel_that_python_calls_is_compiled() -> None:
    for command in (warmup.FIRST, *warmup.REST):
        warmup.run(command)
    root = Path(tertium.__file__).parent
    places = [path.relative_to(root.parent) for path in root.rglob("_kernels.py")]
    modules = [import_module(".".join(path.with_suffix("").parts)) for path in places]
    kernels = {
        f"{module.__name__}.{name}": value.signatures
        for module in modules
        for name, value in vars(module).items()
        if hasattr(value, "py_func") and not name.startswith("_")
    }
    assert len(kernels) > 20
    assert [name for name, signatures in kernels.items() if not signatures] == []


def test_the_command_says_how_long_it_took(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[str] = []
    monkeypatch.setattr(warmup, "run", ran.append)
    pool = SimpleNamespace(map=map)
    monkeypatch.setattr("tertium.study.walk.processes", lambda jobs: nullcontext(pool))
    done = run("warm-up")
    assert done.code == 0, done.err
    assert done.out.startswith("everything is compiled ")
    assert ran == [warmup.FIRST, *warmup.REST]


def test_code_that_cannot_be_kept_is_an_error(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[str] = []
    monkeypatch.setattr("tertium._jit._losses", ["compiled code cannot be kept"])
    monkeypatch.setattr(warmup, "run", lambda command: ran.append(command) or loss())
    done = run("warm-up")
    assert (done.code, done.out, ran) == (3, "", [warmup.FIRST])
    assert "error: compiled code cannot be kept\nhelp:  set NUMBA_CACHE_DIR" in done.err


def test_a_command_that_fails_is_named(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warmup, "FIRST", "score nothing.conllu nothing.conllu")
    done = run("warm-up")
    assert (done.code, done.out) == (3, "")
    assert "'tertium score nothing.conllu nothing.conllu' failed with exit code 3" in done.err


def terminal(monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    """A terminal in place of stderr."""
    screen = io.StringIO()
    monkeypatch.setattr(screen, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("tertium.cli.progress.SOON", 0)
    monkeypatch.setattr("tertium.cli.progress.OFTEN", 0)
    return screen


def test_work_is_announced_on_a_terminal_and_gone_at_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    screen = terminal(monkeypatch)
    announce("nobody listens")
    with progress_bar("files") as tell:
        assert tell is not None
        tell(1, 1)
        assert screen.getvalue() == "", "nothing to wait for"
        announce(COMPILING)
        announce(COMPILING)
        assert list(announce_each("resampling", ["a", "b"])) == ["a", "b"]
    *shown, last = screen.getvalue().split("\r\x1b[K")
    assert shown[:2] == ["", f"{COMPILING} ..."]
    assert [(text.split()[0], text.split()[-3:]) for text in shown[2:]] == [
        ("resampling", ["0", "of", "2"]),
        ("resampling", ["1", "of", "2"]),
    ]
    assert last == ""


def test_a_note_takes_the_place_of_the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = terminal(monkeypatch)
    with progress_bar("files"):
        announce("resampling")
        note("a word")
    assert screen.getvalue() == "\r\x1b[Kresampling ...\r\x1b[Knote:  a word\n"


@pytest.mark.parametrize("kind", ["", "dumb"])
def test_a_log_gets_nothing(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    screen = terminal(monkeypatch)
    monkeypatch.setenv("TERM", kind)
    monkeypatch.setattr(screen, "isatty", lambda: bool(kind))
    with progress_bar("files") as tell:
        assert tell is None
        announce("resampling")
    assert screen.getvalue() == ""


def test_resampling_comparing_and_writing_a_report_are_announced(
    run: Any, samples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr("tertium._progress._listeners", [lambda what, *_: said.append(what)])
    files = [samples / f"{name}.conllu" for name in ("gold", "arbor", "breeze")]
    done = run(
        "compare", *files, "--metric", "deps.las", "--trials", "20", "--report", tmp_path / "r.html"
    )
    assert done.code == 0, done.err
    assert {"comparing", "resampling", "writing the report"} <= set(said)
    said.clear()
    spans = [samples / f"entities-{name}.bio" for name in ("gold", "arbor", "breeze")]
    assert (
        run("audit", *spans, "--trials", "20", "--samples", "2", "--sample-trials", "20").code == 0
    )
    assert "auditing: metric" in said
