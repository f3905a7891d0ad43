"""The built wheel carries everything that the package reads at run time."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not (ROOT / "pyproject.toml").is_file():
        pytest.skip("only in a checkout of the project")
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder)]
    done = subprocess.run([*command, str(ROOT)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return next(folder.glob("*.whl"))


@pytest.mark.slow
def test_every_file_of_the_package_is_in_the_wheel(wheel: Path) -> None:
    source = ROOT / "src"
    wanted = {
        p.relative_to(source).as_posix()
        for p in source.rglob("*")
        if p.is_file() and "__pycache__" not in p.parts
    }
    assert "tertium/samples/gold.conllu" in wanted
    assert "tertium/report/schema/score.schema.json" in wanted
    assert wanted - set(zipfile.ZipFile(wheel).namelist()) == set()


@pytest.mark.slow
def test_scores_and_reports_come_from_the_wheel_alone(wheel: Path, tmp_path: Path) -> None:
    """From the archive's content unpacked elsewhere, with the installed dependencies. Kernels are
    not compiled: nobody would use them again."""
    zipfile.ZipFile(wheel).extractall(tmp_path)
    program = f"""
import sys
sys.path.insert(0, {str(tmp_path)!r})
import tertium
assert tertium.__file__.startswith({str(tmp_path)!r})
from importlib import resources
from tertium.cli.main import main
files = [str(resources.files("tertium") / "samples" / f"{{name}}.conllu") for name in
         ("gold", "arbor", "breeze")]
assert main(["score", *files]) == 0
options = ["--metric", "deps.las", "--trials", "50", "--report", "report.html"]
assert main(["compare", *files, *options]) == 0
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
    )
    assert done.returncode == 0, done.stderr
    assert "86.78" in done.stdout
    assert "<script" in (tmp_path / "report.html").read_text(encoding="utf-8")
