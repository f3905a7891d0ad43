"""What tests of the command line share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pytest

from tertium.cli.main import main


@dataclass(frozen=True)
class Run:
    """What a command line did."""

    code: int
    out: str
    err: str


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., Run]:
    """Run a command line in this process."""

    def run(*args: Any) -> Run:
        capsys.readouterr()
        code = main([str(a) for a in args])
        out, err = capsys.readouterr()
        return Run(code, out, err)

    return run


@pytest.fixture(autouse=True)
def plain_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same output whoever runs the tests."""
    for name in ("NO_COLOR", "FORCE_COLOR", "TERTIUM_DEBUG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "80")


@pytest.fixture
def fake_score(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[dict[str, Any]]]:
    """Let `score` give back a result (or raise) without reading anything; keeps what was to be
    read, and how. All that `score` does before and after is done."""

    def install(answer: Any) -> list[dict[str, Any]]:
        calls: list[dict[str, Any]] = []

        def study(gold: Any, systems: Any, names: Any = None, **options: Any) -> Any:
            calls.append({"data": (gold, *systems), **options})
            return SimpleNamespace(lexicon=None, regrouped=())

        def walk(study: Any, work: Any, **way: Any) -> list[Any]:
            calls[-1].update(way)
            return [SimpleNamespace(fitted=())]

        def scores_of(study: Any, parts: Any) -> Any:
            if isinstance(answer, BaseException):
                raise answer
            return answer

        monkeypatch.setattr("tertium.study.study.Study.of", study)
        monkeypatch.setattr("tertium.significance.score.verb.walk", walk)
        monkeypatch.setattr("tertium.significance.score.verb.scores_of", scores_of)
        return calls

    return install
