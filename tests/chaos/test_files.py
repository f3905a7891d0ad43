"""Full disks, closed streams, links in circles, hostile names, little memory: exit codes as
documented, nothing left, no trace."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from chaos_runs import LONG, Chaos

FULL = "/dev/full"
GOLD, SYSTEM, OTHER = "gold.conllu", "arbor.conllu", "breeze.conllu"
LAS = ("--metric", "deps.las")
NAMES = {
    "missing": "missing",
    "a folder": "folder",
    "below a file": f"{GOLD}/x",
    "a link to itself": "loop",
    "a dangling link": "dangling/x",
    "300 characters": "x" * 300,
    "not UTF-8": os.fsdecode(b"m\xff"),
    "empty": "",
    "a device": FULL,
    "a home that is not there": "~nobody-of-that-name/x",
    "two lines": "a\nb",
}
WRITTEN = (
    "missing",
    "folder",
    "~nobody-of-that-name",
    NAMES["two lines"],
    NAMES["not UTF-8"],
    "new.conllx",
)
# Where a name can stand; the names of one verb in the short form, of all in the long one.
PLACES: dict[str, tuple[str, ...]] = {
    "score GOLD": ("score", "{}", SYSTEM, *LAS),
    "score SYSTEM": ("score", GOLD, "A={}", *LAS),
    "score --output": ("score", GOLD, SYSTEM, *LAS, "--format", "json", "--output", "{}"),
    "score --lexicon": ("score", GOLD, SYSTEM, *LAS, "--lexicon", "{}"),
    "score --with": ("score", GOLD, SYSTEM, *LAS, "--with", "{}"),
    "score --map-labels": ("score", GOLD, SYSTEM, *LAS, "--map-labels", "{}"),
    "score --against": ("score", GOLD, SYSTEM, *LAS, "--against", "{}"),
    "score --columns": ("score", GOLD, SYSTEM, *LAS, "--columns", "{}"),
    "score --study": ("score", "--study", "{}"),
    "compare --report": ("compare", GOLD, SYSTEM, OTHER, *LAS, "--report", "{}"),
    "compare --write-ensembles": ("compare", GOLD, SYSTEM, OTHER, *LAS, "--write-ensembles", "{}"),
    "compare --weights-from": ("compare", GOLD, SYSTEM, OTHER, *LAS, "--weights-from", "{}"),
    "validate": ("validate", "{}"),
    "convert INPUT": ("convert", "{}", "new.conllx"),
    "convert OUTPUT": ("convert", GOLD, "{}", "--to", "conllx"),
    "draw": ("draw", "{}"),
    "errors": ("errors", GOLD, "{}", *LAS),
    "diff": ("diff", GOLD, "{}", *LAS),
    "datasets": ("datasets", "{}", GOLD),
}


@pytest.fixture
def here(chaos: Chaos, samples: Path) -> Chaos:
    for name in (GOLD, SYSTEM, OTHER):
        (chaos.folder / name).write_bytes((samples / name).read_bytes())
    (chaos.folder / "folder").mkdir()
    (chaos.folder / "loop").symlink_to("loop")
    (chaos.folder / "dangling").symlink_to("nowhere")
    return chaos


@pytest.mark.parametrize("place", PLACES if LONG else ["score --lexicon"])
def test_hostile_names(place: str, here: Chaos) -> None:
    kinds = NAMES if LONG else ["not UTF-8"]
    for kind in kinds:
        args = [NAMES[kind] if a == "{}" else a.replace("{}", NAMES[kind]) for a in PLACES[place]]
        before = {*os.listdir(here.folder)}
        ended = here.run(*args, outputs=WRITTEN)
        ended.assert_orderly(0, 2, 3)
        hidden = {f for f in {*os.listdir(here.folder)} - before if f.startswith(".")}
        assert not hidden
        here.tried.append(f"names: {place}")


VERBS = {
    "score": ("score", GOLD, SYSTEM, *LAS),
    "help": ("--help",),
    "errors": ("errors", GOLD, SYSTEM, *LAS),
    "list": ("list", "metrics"),
    "cite": ("cite", "deps.las"),
    "convert": ("convert", GOLD, "-", "--to", "conllx"),
    "validate": ("validate", GOLD),
    "compare": ("compare", GOLD, SYSTEM, OTHER, *LAS, "--no-significance"),
}


@pytest.mark.parametrize("verb", VERBS if LONG else ["score", "help"])
def test_stdout_on_a_full_disk(verb: str, here: Chaos) -> None:
    if not Path(FULL).exists():
        pytest.skip(f"there is no {FULL} here")
    with open(FULL, "w") as full:
        ended = here.run(*VERBS[verb], stdout=full)
    ended.assert_orderly(3)
    assert ended.err == "error: cannot write to standard output: No space left on device\n"
    here.tried.append("stdout on a full disk")


@pytest.mark.parametrize("verb", VERBS if LONG else ["score"])
def test_closed_streams(verb: str, here: Chaos) -> None:
    ended = here.run(*VERBS[verb], stdout=None, prepare=partial(os.close, 1))
    ended.assert_orderly(3)
    assert "cannot write to standard output" in ended.err
    ended = here.run(*VERBS[verb], stderr=None, prepare=partial(os.close, 2))
    ended.assert_orderly(0)
    here.tried += ["stdout closed", "stderr closed"]


def test_a_closed_stdout_does_not_matter_to_a_file(here: Chaos) -> None:
    ended = here.run(
        *VERBS["score"], "--output", "x.json", outputs=("x.json",),
        stdout=None, prepare=partial(os.close, 1),
    )  # fmt: skip
    ended.assert_orderly(0)
    assert (here.folder / "x.json").stat().st_size
    here.tried.append("stdout closed")


@pytest.fixture
def small_disk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("disk")
    mount = ["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", str(folder)]
    try:
        subprocess.run(mount, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("no small disk can be mounted here")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


WRITERS: dict[str, Callable[[Path], tuple[Any, ...]]] = {
    "--output": lambda disk: (*VERBS["errors"], "--output", disk / "x.json"),
    "--report": lambda disk: (*VERBS["compare"], "--report", disk / "x.html"),
    "--write-ensembles": lambda disk: (*VERBS["compare"], "--write-ensembles", disk),
    "convert": lambda disk: ("convert", GOLD, disk / "x.conllx"),
}


@pytest.mark.parametrize("writer", WRITERS if LONG else ["convert"])
def test_a_full_disk_leaves_nothing(writer: str, here: Chaos, small_disk: Path) -> None:
    ended = here.run(*WRITERS[writer](small_disk))
    ended.assert_orderly(3)
    assert "No space left on device" in ended.err
    assert f"cannot write '{small_disk}/" in ended.err
    assert not [*small_disk.iterdir()]
    here.tried.append("full disk")


def test_links_in_circles(here: Chaos) -> None:
    for name in ("g", "a"):
        (here.folder / name / "sub").mkdir(parents=True)
        (here.folder / name / "x.conllu").write_bytes((here.folder / GOLD).read_bytes())
        (here.folder / name / "self").symlink_to(".")
        (here.folder / name / "sub" / "up").symlink_to("..")
    ended = here.run("score", "g", "a", *LAS, "--format", "csv")
    ended.assert_orderly(0)
    assert ",units,64," in ended.out
    assert "left out of" in ended.out + ended.err
    here.tried.append("links in circles")


@pytest.mark.parametrize("megabytes", [200, 300, 400, 500, 700, 1000] if LONG else [300])
def test_little_memory(megabytes: int, here: Chaos) -> None:
    big = here.folder / "big.bio"
    big.write_bytes(b"a O\nb B-X\n\n" * (1_000_000 if LONG else 100_000))
    limit = (megabytes << 20,) * 2
    ended = here.run(
        "score", big, big, prepare=partial(resource.setrlimit, resource.RLIMIT_AS, limit)
    )
    # Inside LLVM, which ends the process.
    if "bad_alloc" in ended.err or "LLVM ERROR: out of memory" in ended.err:
        ended.assert_orderly(-signal.SIGABRT)
    else:
        ended.assert_orderly(0, 3)
    here.tried.append("little memory")
