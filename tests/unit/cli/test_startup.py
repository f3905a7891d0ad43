"""Start-up: what loads. How fast the first answer is, `make bench` says."""

import subprocess
import sys

import pytest

HEAVY = ("polars", "numba", "scipy", "rich", "numpy", "jinja2")
COMMANDS = (["--help"], ["list", "verbs", "--format", "json"])
# Options are declared where they are used, and that is where arrays are.
HELPS = (["score", "--help"], ["errors", "--help"], ["draw", "--help"], ["ppv", "--help"])


@pytest.mark.parametrize(
    ("commands", "allowed"), [(COMMANDS, set()), (HELPS, {"numpy"})], ids=["answers", "helps"]
)
def test_nothing_heavy_is_loaded(commands: tuple[list[str], ...], allowed: set[str]) -> None:
    """One process for all: what an earlier command loads is found after the later ones as well."""
    heavy = [module for module in HEAVY if module not in allowed]
    code = f"""
import sys
import tertium
loaded = {{"import tertium": [m for m in {heavy!r} if m in sys.modules]}}
from tertium.cli.main import main
for command in {commands!r}:
    main(command)
    loaded[" ".join(command)] = [m for m in {heavy!r} if m in sys.modules]
print({{command: modules for command, modules in loaded.items() if modules}})
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip().split("\n")[-1] == "{}"


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
