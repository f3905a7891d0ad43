"""The benchmark on a fresh clone, where no data was made yet."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[2] / "bench"


def test_commands_run_where_no_data_was_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(BENCH))
    from run import Bench, data_of, measure  # type: ignore[import-not-found]

    assert data_of({"significance"}, large=False) == []
    bench = Bench(tmp_path / "bench" / "data", 1)
    assert measure([sys.executable, "-c", ""], bench.folder).status == 0
