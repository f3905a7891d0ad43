"""Signals at random times: 128 + n, nothing left, whatever was running."""

from __future__ import annotations

import os
import signal
import subprocess
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from chaos_runs import LONG, Disturbance, members, wait_for

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
only_long = pytest.mark.skipif(not LONG, reason="only in `make chaos`")
REPEATS, LATEST = (60, 2.0) if LONG else (1, 0.6)
TREES = ("gold.conllu", "arbor.conllu", "breeze.conllu")
SPANS = ("entities-gold.bio", "entities-arbor.bio", "entities-breeze.bio")
FOLDERS = ("gold", "arbor", "breeze")
JOBS = ("--jobs", "2")
WRITTEN = ("out.json", "out.jsonl", "out.html", "out.svg", "out.tsv", "page.html")
# verb -> command lines: the files, then options; `out.*` and `page.html` are written.
COMMANDS: dict[str, list[tuple[tuple[str, ...], tuple[str, ...]]]] = {
    "score": [
        (TREES, ("--significance", "--output", "out.json")),
        (SPANS, ("--conventions", "--output", "out.html")),
        (FOLDERS, JOBS),
        (TREES, ("--metric", "deps.ud")),
    ],
    "compare": [
        (TREES, ("--report", "page.html")),
        (FOLDERS, (*JOBS, "--output", "out.json")),
        (SPANS, ("--ensembles",)),
    ],
    "errors": [(TREES[:2], ("--output", "out.jsonl")), (FOLDERS[:2], JOBS), (SPANS[:2], ())],
    "diff": [(TREES[1:], ("--output", "out.json")), (FOLDERS[1:], JOBS)],
    "conventions": [(SPANS[:2], ("--output", "out.html")), (SPANS[:2], JOBS)],
    "audit": [(TREES, ("--samples", "50", "--output", "out.json")), (FOLDERS, JOBS)],
    "power": [(TREES, ("--output", "out.json"))],
    "ppv": [((), ("--output", "out.svg"))],
    "draw": [(TREES[:2], ("--output", "out.html"))],
    "validate": [(TREES, ("--output", "out.json")), (FOLDERS, ())],
    "convert": [((*TREES[:1], "out.tsv"), ("--to", "columns"))],
}


@pytest.mark.parametrize("verb", COMMANDS if LONG else ["score", "compare", "errors", "convert"])
def test_a_signal_ends_everything(verb: str, chaos: Any) -> None:
    seed = os.environ.get("TERTIUM_CHAOS_SEED", "0")
    random = Random(f"{seed}-{verb}")
    for number in range(REPEATS):
        files, options = COMMANDS[verb][number % len(COMMANDS[verb])]
        places = [file if "out" in file else chaos.data / file for file in files]
        disturb = Disturbance(
            random.choice(SIGNALS), random.uniform(0, LATEST), to_group=random.random() < 0.5
        )

        ended = chaos.run(verb, *places, *options, disturb=disturb, outputs=WRITTEN)
        ended.assert_orderly(0, 128 + disturb.signal)
        chaos.tried.append(f"{verb}, {disturb.signal.name}: exit {ended.code}")
        for name in WRITTEN:
            (chaos.folder / name).unlink(missing_ok=True)


def kill_the_parent(process: subprocess.Popen[str]) -> None:
    assert wait_for(lambda: len(workers(process)) == 2)
    process.kill()


def kill_a_worker(process: subprocess.Popen[str]) -> None:
    assert wait_for(lambda: len(workers(process)) == 2)
    os.kill(workers(process)[0], signal.SIGKILL)


def workers(process: subprocess.Popen[str]) -> list[int]:
    """Processes of `--jobs` that have begun: they watch their parent in a second thread."""
    return [
        pid
        for pid in members(process.pid)
        if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()
        and len(os.listdir(f"/proc/{pid}/task")) > 1
    ]


def test_processes_end_with_a_parent_that_is_killed(chaos: Any) -> None:
    """Nobody can clean up after SIGKILL, but whoever reads the output must see its end."""
    files = [chaos.data / name for name in FOLDERS]
    ended = chaos.run("score", *files, *JOBS, disturb=kill_the_parent)
    ended.assert_orderly(-signal.SIGKILL)
    assert ended.err == ""


def test_a_killed_process_of_jobs_is_an_error(chaos: Any) -> None:
    files = [chaos.data / name for name in FOLDERS]
    ended = chaos.run("score", *files, *JOBS, disturb=kill_a_worker)
    ended.assert_orderly(3)
    assert "a process of '--jobs' ended before its work was done" in ended.err


@only_long
def test_nohup_is_respected(chaos: Any) -> None:
    files = [chaos.data / name for name in TREES[:2]]
    ignore = partial(signal.signal, signal.SIGHUP, signal.SIG_IGN)
    ended = chaos.run(
        "validate", *files, disturb=Disturbance(signal.SIGHUP, 0.05), preexec_fn=ignore
    )
    ended.assert_orderly(0)


@only_long
@pytest.mark.parametrize("verb", COMMANDS)
def test_undisturbed_commands_succeed(verb: str, chaos: Any) -> None:
    """Otherwise signals would be sent to what has long given up."""
    for files, options in COMMANDS[verb]:
        places = [file if "out" in file else chaos.data / file for file in files]
        chaos.run(verb, *places, *options, outputs=WRITTEN).assert_orderly(0)
        chaos.tried.append(f"{verb}, no signal: exit 0")
