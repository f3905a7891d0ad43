"""What tests of faults share: data, a runner of commands (`chaos_runs.py`), and a list of what was
tried at the end of `make chaos`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from chaos_runs import LONG, Chaos

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def data(samples: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The samples, each thirty times over, as files and as folders of four files, and
    results of `score` for `datasets`."""
    folder = tmp_path_factory.mktemp("data")
    for source in [*samples.glob("*.conllu"), *samples.glob("*.bio"), *samples.glob("*.tsv")]:
        content = source.read_bytes()
        (folder / source.name).write_bytes(content * 30)
        (folder / source.stem).mkdir()
        for number in range(4):
            (folder / source.stem / f"{number}{source.suffix}").write_bytes(content * 10)
    for source in (ROOT / "docs" / "verbs" / "datasets.files").glob("*.json"):
        (folder / source.name).write_bytes(source.read_bytes())
    return folder


@pytest.fixture
def chaos(
    data: Path, tmp_path: Path, record_property: Callable[[str, object], None]
) -> Iterator[Chaos]:
    """A runner of commands. What it notes in `tried` is counted and printed at the end."""
    if not Path("/proc/self/stat").exists():
        pytest.skip("processes that are left are found in /proc, which is not here")
    runner = Chaos(tmp_path, data)
    yield runner
    record_property("tried", runner.tried)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """The number of runs of each kind."""
    tried: Counter[str] = Counter()
    for reports in terminalreporter.stats.values():
        for report in reports:
            properties = dict(getattr(report, "user_properties", ()))
            if getattr(report, "when", "") == "teardown":
                tried.update(properties.get("tried", ()))
    if tried and LONG:
        terminalreporter.section("what was tried")
        for kind, count in sorted(tried.items()):
            terminalreporter.write_line(f"{count:5}  {kind}")
        terminalreporter.write_line(f"{tried.total():5}  in all")
