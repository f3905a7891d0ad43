"""Keep commands, outputs and lists in the documentation true.

A fenced block ```` ```console ```` holds commands after `$ ` and what they print. This program runs
them on copies of the sample corpora and compares, or with `--write` puts in what they print now.
A block ```` ```console shared ```` is about real corpora that do not come with the project: its
commands run where `TERTIUM_SHARED` names a folder that has them (`data/`), and stay as they are
elsewhere. Pictures that these commands write and the page shows (`images/NAME.svg`) are kept true
as well. Between `<!-- list of metrics -->` (or formats) and `<!-- end of list -->` stands what is
registered, with the first sentence of its page.

    python tools/console_blocks.py [--write] [docs/index.md docs/verbs/score.md ...]

Without names it is about the README and all pages.
"""

from __future__ import annotations

import argparse
import contextlib
import difflib
import io
import os
import re
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.DOTALL | re.MULTILINE)
SHARED = re.compile(r"^```console shared\n(.*?)^```$", re.DOTALL | re.MULTILINE)
LIST = re.compile(
    r"^(<!-- list of (metrics|formats) -->\n).*?^(<!-- end of list -->)$", re.DOTALL | re.MULTILINE
)
PICTURE = re.compile(r"\]\(((?:\.\./)*images/[\w.-]+\.svg)\)")
# What may differ between runs and releases without making a page untrue.
SCRUBBED = (
    (re.compile(r"\b(t|tertium):\d+\.\d+\.\d+\S*"), r"\1:VERSION"),
    (re.compile(r'("tertium": )"[^"]*"'), r'\1"VERSION"'),
    (re.compile(r"^(tertium )\d+\.\d+\.\d+\S*$", re.MULTILINE), r"\1VERSION"),
    (re.compile(r"^Samples: .*$", re.MULTILINE), "Samples: FOLDER"),
)


def _between(numbers: str) -> slice:
    first, last = numbers.removesuffix("p").split(",")
    return slice(int(first) - 1, int(last))


# Programs that print a part of a file's lines, and which part.
PARTS = {
    "head": lambda number: slice(0, int(number)),
    "tail": lambda number: slice(-int(number), None),
    "sed": _between,
}


def scrub(text: str) -> str:
    """The text without versions and places."""
    for pattern, replacement in SCRUBBED:
        text = pattern.sub(replacement, text)
    return text


def commands(block: str) -> Iterator[str]:
    """The commands of a block, each with its continued lines."""
    lines = iter(block.split("\n"))
    for line in lines:
        if line.startswith("$ "):
            command = [line]
            while command[-1].endswith("\\"):
                command.append(next(lines))
            yield "\n".join(command)
            if command == ["$ tertium demo"]:
                return  # what it prints looks like commands itself


def execute(command: str, last: int) -> tuple[str, int]:
    """What a command prints, stdout and stderr together, and its exit code.

    Only `tertium ...`, `cat FILE`, `head -n N FILE`, `tail -n N FILE`, `sed -n M,Np FILE`,
    `echo $?` and `tertium ... | head -n N` (or `tail`, `sed`) are understood: no shell is run.
    """
    words = shlex.split(command.removeprefix("$ ").replace("\\\n", " "), comments=True)
    if words[:2] == ["echo", "$?"]:
        return f"{last}\n", last
    if words[0] == "cat":
        return Path(words[1]).read_text("utf-8"), 0
    if words[0] in PARTS and words[1] == "-n":
        lines = Path(words[3]).read_text("utf-8").removesuffix("\n").split("\n")
        return "\n".join(lines[PARTS[words[0]](words[2])]) + "\n", 0
    if words[0] != "tertium":
        raise SystemExit(f"cannot run {command!r} in the documentation")
    from tertium.cli.main import main

    words, part = (words[: words.index("|")], words[-3:]) if "|" in words else (words, [])
    raw = io.BytesIO(), io.BytesIO()
    out, beside = (io.TextIOWrapper(each, "utf-8", write_through=True) for each in raw)
    with (
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(beside if part else out),
    ):
        code = main(words[1:])
    printed, noted = (each.getvalue().decode("utf-8") for each in raw)
    if part:
        lines = printed.splitlines(keepends=True)
        printed = "".join(lines[PARTS[part[0]](part[2])])
    return noted + printed, code


@contextlib.contextmanager
def _narrow() -> Iterator[None]:
    """A terminal of 80 columns."""
    before = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = "80"
    yield
    if before is None:
        del os.environ["COLUMNS"]
    else:
        os.environ["COLUMNS"] = before


@contextlib.contextmanager
def sample_folder(page: Path) -> Iterator[None]:
    """A folder with copies of the samples and of what the page brings in `page.files/`."""
    with _narrow(), tempfile.TemporaryDirectory() as folder:
        shutil.copytree(str(resources.files("tertium") / "samples"), folder, dirs_exist_ok=True)
        extra = page.with_suffix(".files")
        if extra.is_dir():
            shutil.copytree(extra, folder, dirs_exist_ok=True)
        with contextlib.chdir(folder):
            yield


@contextlib.contextmanager
def shared_folder(shared: Path) -> Iterator[None]:
    """A folder with links to the real corpora, and `ewt-train.conllu`: the training data of EWT,
    which is one file for each genre, in one."""
    with _narrow(), tempfile.TemporaryDirectory() as folder:
        for corpus in (shared / "data").iterdir():
            Path(folder, corpus.name).symlink_to(corpus.resolve())
        parts = sorted((shared / "data" / "ewt").glob("*-train.conllu"))
        Path(folder, "ewt-train.conllu").write_bytes(b"".join(p.read_bytes() for p in parts))
        with contextlib.chdir(folder):
            yield


def listed(kind: str, page: Path) -> str:
    """A table of everything registered of a kind, linked from a page that stands beside the folder
    of that name."""
    from tertium import registry

    head = ["metric", "what it is"] if kind == "metrics" else ["format", "what it is", "endings"]
    rows = [head, ["---"] * len(head)]
    for name in registry.names(kind):
        plugin: Any = registry.get(kind, name)
        link = f"{kind}/{name}.md"
        row = [f"[{name}]({link})", first_sentence((page.parent / link).read_text("utf-8"))]
        if kind == "formats":
            row.append(", ".join(f"`{suffix}`" for suffix in plugin.suffixes))
        rows.append(row)
    return "".join(f"| {' | '.join(row)} |\n".replace("| --- ", "|---") for row in rows)


def first_sentence(text: str) -> str:
    """What follows a page's title, up to the first full stop before a capital."""
    paragraph = text.split("\n\n")[1].replace("\n", " ")
    return re.split(r"(?<=\.)\s+(?=[A-Z])", paragraph)[0].removesuffix(".")


def refreshed(page: Path, shared: Path | None = None, *, samples: bool = True) -> dict[Path, str]:
    """The page with what its commands print now, and the pictures that they write. Commands about
    real corpora run only where these are, and those about the samples unless they are left as they
    stand."""
    text = page.resolve().read_text("utf-8")
    pictures: dict[Path, str] = {}

    def run(match: re.Match[str]) -> str:
        parts, code = [], 0
        for command in commands(match[1]):
            printed, code = execute(command, code)
            printed = re.sub("(?m)^Samples: .*(/tertium/samples)$", r"Samples: ...\1", printed)
            printed = re.sub("(?m)^(note:  report: |Report: ).*/", r"\1.../", printed)
            parts.append(f"{command}\n{printed.rstrip()}".rstrip())
        first = match[0].partition("\n")[0]
        return f"{first}\n" + "\n".join(parts) + "\n```"

    text = LIST.sub(lambda m: f"{m[1]}\n{listed(m[2], page)}\n{m[3]}", text)
    if samples and BLOCK.search(text):
        with sample_folder(page.resolve()):
            text = BLOCK.sub(run, text)
            for name in PICTURE.findall(text):
                made = Path(Path(name).name)
                if made.is_file():
                    pictures[page.parent / name] = made.read_text("utf-8")
    if shared is not None and SHARED.search(text):
        with shared_folder(shared):
            text = SHARED.sub(run, text)
    return {page: text, **pictures}


def difference(page: Path, shared: Path | None = None, *, samples: bool = True) -> str:
    """What is untrue on a page and in its pictures, as a diff; empty if nothing."""
    lines: list[str] = []
    for path, now in refreshed(page, shared, samples=samples).items():
        stored = path.read_text("utf-8") if path.is_file() else ""
        old, new = (scrub(text).split("\n") for text in (stored, now))
        lines += difflib.unified_diff(old, new, str(path), "now", lineterm="")
    return "\n".join(lines)


def run(args: list[str]) -> int:
    """The program."""
    assert __doc__
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("pages", nargs="*", type=Path, metavar="PAGE", help="a page in Markdown")
    parser.add_argument("--write", action="store_true", help="put in what is true now")
    given = parser.parse_args(args)
    untrue = 0
    named = os.environ.get("TERTIUM_SHARED")
    shared = Path(named) if named and Path(named, "data").is_dir() else None
    for page in given.pages or [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        if given.write:
            for path, text in refreshed(page, shared).items():
                path.parent.mkdir(exist_ok=True)
                path.write_text(text, "utf-8")
        elif found := difference(page, shared):
            untrue += 1
            print(found)
    return 1 if untrue else 0


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
