"""PYEVALB as its command runs it, on the first sentences: `run_pyevalb.py GOLD SYSTEM SHARE`."""

import sys
import tempfile
from pathlib import Path

from PYEVALB.scorer import Scorer


def beginning(path: str, to: Path) -> str:
    lines = Path(path).read_text(encoding="utf-8").splitlines(keepends=True)
    to.write_text("".join(lines[: round(len(lines) * float(sys.argv[3]))]), encoding="utf-8")
    return str(to)


with tempfile.TemporaryDirectory() as name:
    folder = Path(name)
    gold, system = (beginning(sys.argv[n], folder / f"{n}.mrg") for n in (1, 2))
    Scorer().evalb(gold, system, str(folder / "table.md"))
    print((folder / "table.md").read_text(encoding="utf-8").rpartition("=\n")[2])
