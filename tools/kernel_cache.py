"""Print the folder for compiled kernels, which `make demo`, `make test` and `make bench` share.

    python tools/kernel_cache.py [--compile]

Versions of Python and numba name the folder. In it numba makes one for each `_kernels.py` and
compiles what is in there again only if that file has changed. With `--compile`, `tertium warm-up`
runs first, where a `_kernels.py` is new or has changed: of several processes that start together
each would compile them for itself.
"""

from __future__ import annotations

import hashlib
import os
import platform
import subprocess
import sys
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = (
    ROOT / ".cache" / "numba" / f"py{platform.python_version()}-numba{metadata.version('numba')}"
)


def state() -> str:
    """A digest of all kernels."""
    digest = hashlib.sha256()
    package = ROOT / "src" / "tertium"
    for path in sorted([*package.rglob("_kernels.py"), package / "_jit.py"]):
        digest.update(path.relative_to(package).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def compile_kernels() -> None:
    """Run `tertium warm-up`, unless that was done for these kernels."""
    done = FOLDER / "compiled"
    if done.is_file() and done.read_text() == state():
        return
    FOLDER.mkdir(parents=True, exist_ok=True)
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(FOLDER)}
    command = [sys.executable, "-m", "tertium", "warm-up"]
    if subprocess.run(command, env=environment, stdout=sys.stderr, check=False).returncode:
        print("note: kernels are compiled when they are needed", file=sys.stderr)
        return
    done.write_text(state())


if __name__ == "__main__":
    if "--compile" in sys.argv:
        compile_kernels()
    print(FOLDER)
