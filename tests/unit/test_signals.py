"""Signals end a command with 128 + n, after what must not stay is undone."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tertium import __main__ as entry
from tertium import _signals
from tertium.cli.main import main
from tertium.formats.targets import replacing


class Gone(BaseException):
    """Stands for the end of the process."""


@pytest.fixture(autouse=True)
def ends(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """Exit codes with which the process would have ended."""
    codes: list[int] = []
    before = {number: signal.getsignal(number) for number in _signals.SIGNALS}

    def end(code: int) -> None:
        codes.append(code)
        raise Gone

    monkeypatch.setattr(os, "_exit", end)
    monkeypatch.setattr(_signals, "_noted", 0)
    yield codes
    for number, handler in before.items():
        signal.signal(number, handler)


def raised(number: int) -> int:
    signal.raise_signal(number)
    return 0


@pytest.mark.parametrize("number", _signals.SIGNALS)
def test_a_signal_ends_the_process_and_leaves_nothing(
    number: int, ends: list[int], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    def run() -> int:
        with replacing(str(tmp_path / "x")) as out:
            out.write(b"half")
            try:
                return raised(number)
            finally:
                left.extend(tmp_path.iterdir())  # before any `finally` had its turn

    left: list[Path] = []
    with pytest.raises(Gone):
        _signals.guarded(run)
    assert (ends, left) == ([128 + number], [])
    assert capfd.readouterr().err == f"error: {_signals.SIGNALS[number]}\n"


def test_what_is_ignored_on_entry_stays_so(ends: list[int]) -> None:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    assert _signals.guarded(lambda: raised(signal.SIGHUP)) == 0
    assert ends == []


def test_a_signal_waits_for_what_must_not_be_interrupted(ends: list[int]) -> None:
    done = []

    def run() -> int:
        with _signals.uninterrupted():
            raised(signal.SIGTERM)
            _signals._handle(signal.SIGTERM, None)  # as if another thread had got it
            done.append("the block")
        done.append("more")
        return 0

    with pytest.raises(Gone):
        _signals.guarded(run)
    assert (done, ends) == (["the block"], [143])


def test_after_the_work_signals_have_no_effect(ends: list[int]) -> None:
    _signals.guarded(lambda: 0)
    raised(signal.SIGINT)
    raised(signal.SIGTERM)
    assert ends == []


def test_undoing_goes_on_after_a_failure(ends: list[int]) -> None:
    undone = []

    def fail() -> None:
        raise OSError

    def run() -> int:
        with _signals.at_end(lambda: undone.append(1)), _signals.at_end(fail):
            return raised(signal.SIGINT)

    with pytest.raises((Gone, OSError)):
        _signals.guarded(run)
    assert ends == [130]
    assert undone


def test_ctrl_c_before_anything_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(run: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(_signals, "guarded", interrupted)
    assert entry.main() == 130


def test_the_library_leaves_signals_alone() -> None:
    """And so does a command line that is run in a process of others."""
    before = [signal.getsignal(number) for number in _signals.SIGNALS]
    assert _signals._handle not in before
    assert main(["--version"]) == 0
    assert [signal.getsignal(number) for number in _signals.SIGNALS] == before
