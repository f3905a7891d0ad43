"""Install the peers one by one: one that cannot be had is named, and the others still run.

The pinned versions are those of the extra `bench` in pyproject.toml. The UD evaluation script comes
with a package whose dependencies it does not need: that one goes without them to a folder of its
own, from where the script is run by its path, so that nothing can import the package by accident.
"""

import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "bench" / ".peers"
UD_SCRIPT_PACKAGE = "stanza==1.11.0"


def pip_install(*arguments: str) -> bool:
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    return subprocess.run([*pip, *arguments]).returncode == 0


def main() -> None:
    with (ROOT / "pyproject.toml").open("rb") as stream:
        peers = tomllib.load(stream)["project"]["optional-dependencies"]["bench"]
    FOLDER.mkdir(exist_ok=True)
    print("benchmark: installing the peers (once)", file=sys.stderr)
    failed = [peer for peer in peers if not pip_install(peer)]
    if not (FOLDER / "stanza").is_dir() and not pip_install(
        "--no-deps", "--target", str(FOLDER), UD_SCRIPT_PACKAGE
    ):
        failed.append(UD_SCRIPT_PACKAGE)
    if failed:
        print(f"benchmark: could not install {', '.join(failed)}", file=sys.stderr)
    else:
        (FOLDER / ".installed").touch()


if __name__ == "__main__":
    main()
