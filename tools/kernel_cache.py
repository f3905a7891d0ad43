"""Print the folder for compiled kernels, which `make demo`, `make test` and `make bench` share.

    python tools/kernel_cache.py [--compile]

Versions of Python and numba name the folder. In it numba makes one for each `_kernels.py` and
compiles what is in there again only if that file has changed. With `--compile`, the kernels that
most commands need are compiled first, where a `_kernels.py` is new or has changed: of several
processes that start together each would compile them for itself.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import platform
import subprocess
import sys
import tempfile
from importlib import metadata, resources
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = (
    ROOT / ".cache" / "numba" / f"py{platform.python_version()}-numba{metadata.version('numba')}"
)
TREES = ["gold.conllu", "arbor.conllu", "breeze.conllu", "cedar.conllu"]
SPANS = [f"entities-{name}.bio" for name in ("gold", "arbor", "breeze", "cedar")]
# Other tokens, multiword tokens and enhanced graphs, which the samples have not.
GRAPHS = {
    "a.conllu": """\
1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_
1\tde\tde\tADP\t_\t_\t3\tcase\t3:case\t_
2\tle\tle\tDET\t_\t_\t3\tdet\t3:det\t_
3\tlac\tlac\tNOUN\t_\tNumber=Sing\t0\troot\t0:root\t_

""",
    "b.conllu": """\
1\tdu\tdu\tADP\t_\t_\t2\tcase\t2:case\t_
2\tl\tlac\tNOUN\t_\tNumber=Sing\t0\troot\t0:root|1:conj>det\t_
3\tac\tlac\tNOUN\t_\t_\t2\tflat\t2:flat\t_

""",
}
# All processes read files: what that needs is compiled first, then the rest side by side.
STEPS = [
    [[["score", *TREES[:2], "--metric", "deps.las"]]],
    [
        [
            ["score", *SPANS, "--conventions"],
            ["score", *SPANS, "--metric", "spans.f1", "--significance", "--trials", "50"],
            ["compare", *SPANS, "--ensembles", "--trials", "50"],
        ],
        [
            ["score", *TREES, "--metric", "deps.ud"],
            ["score", *TREES, "--metric", "deps.las", "--by", "projectivity"],
            ["score", *GRAPHS, "--metric", "deps.ud(compat='udtools')"],
            ["score", *TREES, "--metric", "deps.las", "--significance", "--trials", "50"],
            ["compare", *TREES, "--ensembles", "--trials", "50"],
            ["score", "upos-ann1.tsv", "upos-ann2.tsv"],
        ],
    ],
]


def state() -> str:
    """A digest of all kernels."""
    digest = hashlib.sha256()
    package = ROOT / "src" / "tertium"
    for path in sorted([*package.rglob("_kernels.py"), package / "_jit.py"]):
        digest.update(path.relative_to(package).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def compile_kernels() -> None:
    """Run every step, unless that was done for these kernels."""
    done = FOLDER / "compiled"
    if done.is_file() and done.read_text() == state():
        return
    FOLDER.mkdir(parents=True, exist_ok=True)
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(FOLDER)}
    for number, step in enumerate(STEPS):
        places = [f"{number}.{place}" for place in range(len(step))]
        program = [sys.executable, __file__, "--run"]
        running = [subprocess.Popen([*program, place], env=environment) for place in places]
        codes = [process.wait() for process in running]
        if any(codes):
            print("note: kernels are compiled when they are needed", file=sys.stderr)
            return
    done.write_text(state())


def run(commands: list[list[str]]) -> int:
    """The commands on the samples, in this process; what they print is of no interest."""
    from tertium.cli.main import main

    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for source in Path(str(resources.files("tertium") / "samples")).iterdir():
            Path(source.name).symlink_to(source)
        for name, text in GRAPHS.items():
            Path(name).write_text(text, encoding="utf-8")
        for command in commands:
            said = io.TextIOWrapper(io.BytesIO(), "utf-8")
            with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
                code = main(command)
            if code:
                print(f"tertium {' '.join(command)}: exit {code}", file=sys.stderr)
                return code
    return 0


if __name__ == "__main__":
    if "--run" in sys.argv:
        step, place = map(int, sys.argv[-1].split("."))
        sys.exit(run(STEPS[step][place]))
    if "--compile" in sys.argv:
        compile_kernels()
    print(FOLDER)
