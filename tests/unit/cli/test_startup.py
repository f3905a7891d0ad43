"""Start-up: what loads, and how fast the first answer is."""

import os
import statistics
import subprocess
import sys

import pytest

HEAVY = ("polars", "numba", "scipy", "rich", "numpy", "jinja2")


def loaded_after(code: str) -> list[str]:
    report = f"import sys; print([m for m in {HEAVY!r} if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\n{report}"], capture_output=True, text=True, check=True
    )
    return list(eval(done.stdout.strip().split("\n")[-1]))


@pytest.mark.parametrize(
    "code",
    [
        "import tertium",
        "from tertium.cli.main import main; main(['--help'])",
        "from tertium.cli.main import main; main(['list', 'verbs', '--format', 'json'])",
        "from tertium.cli.main import main; main(['score', '--help'])",
        "from tertium.cli.main import main; main(['errors', '--help'])",
        "from tertium.cli.main import main; main(['draw', '--help'])",
    ],
)
def test_nothing_heavy_is_loaded(code: str) -> None:
    assert loaded_after(code) == []


def test_scoring_to_json_loads_neither_tables_nor_statistics(samples: str) -> None:
    code = (
        "import sys; from tertium.cli.main import main;"
        f"main(['score', r'{samples}/gold.conllu', r'{samples}/arbor.conllu', '--format', 'json']);"
        "print([m for m in ('polars', 'rich', 'scipy.stats', 'scipy.optimize', 'scipy.sparse')"
        " if m in sys.modules])"
    )
    # numba itself loads the bare package scipy, which is cheap; its parts are not.
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip().endswith("[]")


def test_help_answers_at_once() -> None:
    command = [sys.executable, "-c", "from tertium.cli.main import main; main(['--help'])"]
    times = []
    for _ in range(5):
        # What the process itself needs: on a busy machine it waits longer, by no fault of its own.
        begin = os.times()
        subprocess.run(command, capture_output=True, check=True)
        end = os.times()
        times.append(end.children_user + end.children_system)
        times[-1] -= begin.children_user + begin.children_system
    assert statistics.median(times) < 0.3
