"""Signals at random times: 128 + n, nothing left, whatever was running."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from functools import partial
from pathlib import Path
from random import Random

import pytest

from chaos_runs import LONG, SIGNALS, Chaos, Disturbance, members, wait_for
from tertium.cli.main import VERBS

only_long = pytest.mark.skipif(not LONG, reason="only in `make chaos`")
SEED = os.environ.get("TERTIUM_CHAOS_SEED", "0")
SIGNALS_PER_VERB = 50
TREES = ("gold.conllu", "arbor.conllu", "breeze.conllu")
SPANS = ("entities-gold.bio", "entities-arbor.bio", "entities-breeze.bio")
THEORIES = (
    *("--gold", "dep=theories-dep.conllu", "--gold", "ps=trees-gold.mrg"),
    *("dep:theories-elm.conllu", "ps:theories-hazel.mrg"),
)
FOLDERS = ("gold", "arbor", "breeze")
JOBS = ("--jobs", "2")
PAGE, DEMO = "page.html", "tertium-demo.html"
WRITTEN = (*(f"out.{kind}" for kind in ("json", "jsonl", "html", "svg", "tsv")), PAGE, DEMO)
# verb -> command lines: the files, then options; `out.*` and `page.html` are written.
COMMANDS: dict[str, list[tuple[tuple[str, ...], tuple[str, ...]]]] = {
    "score": [
        (TREES, ("--significance", "--output", "out.json")),
        (SPANS, ("--conventions", "--output", "out.html")),
        (FOLDERS, JOBS),
        (TREES, ("--metric", "deps.ud")),
    ],
    "compare": [
        (TREES, ("--report", PAGE)),
        (FOLDERS, (*JOBS, "--output", "out.json")),
        (SPANS, ("--ensembles",)),
    ],
    "errors": [(TREES[:2], ("--output", "out.jsonl")), (FOLDERS[:2], JOBS), (SPANS[:2], ())],
    "diff": [(TREES[1:], ("--output", "out.json")), (FOLDERS[1:], JOBS)],
    "conventions": [(SPANS[:2], ("--output", "out.html")), (SPANS[:2], JOBS)],
    "audit": [(TREES, ("--samples", "50", "--output", "out.json")), (FOLDERS, JOBS)],
    "metrics": [(TREES, ("--output", "out.json"))],
    "cross": [((), (*THEORIES, "--output", "out.json"))],
    "power": [(TREES, ("--output", "out.json"))],
    "ppv": [((), ("--output", "out.svg"))],
    "draw": [(TREES[:2], ("--output", "out.html"))],
    "validate": [(TREES, ("--output", "out.json")), (FOLDERS, ())],
    "convert": [((*TREES[:1], "out.tsv"), ("--to", "columns"))],
    "datasets": [(("news-1.json", "news-2.json", "mail-1.json"), ("--output", "out.json"))],
    "agree": [(("a.conllu", "b.conllu"), ("--output", "out.json"))],
    "crowd": [(("a.conllu", "b.conllu"), ("--output", "out.json"))],
    "variation": [(("gold.conllu",), ("--output", "out.json"))],
    "list": [((), ("metrics",))],
    "cite": [((), ("deps.las",))],
    "demo": [((), ())],
    "warm-up": [((), ())],
}


def test_every_verb_is_disturbed() -> None:
    assert set(COMMANDS) == set(VERBS)


@pytest.mark.parametrize("verb", COMMANDS if LONG else ["score", "compare", "errors", "convert"])
def test_a_signal_ends_everything(verb: str, chaos: Chaos) -> None:
    random = Random(f"{SEED}-{verb}")
    commands = COMMANDS[verb] if LONG else COMMANDS[verb][:1]
    codes = set()
    for files, options in commands:
        places = [file if file.startswith("out") else chaos.data / file for file in files]
        command = partial(chaos.run, verb, *places, *options, outputs=WRITTEN)
        start = time.monotonic()
        if LONG:
            command().assert_orderly(0)
            chaos.tried.append(f"{verb}, no signal: exit 0")
        latest = 1.1 * (time.monotonic() - start) if LONG else 0.6
        for _ in range(SIGNALS_PER_VERB // len(commands) + 1 if LONG else 1):
            disturb = Disturbance(
                random.choice(SIGNALS), random.uniform(0, latest), to_group=random.random() < 0.5
            )
            ended = command(disturb=disturb)
            ended.assert_orderly(0, 128 + disturb.signal, *before_handlers(disturb.signal))
            codes.add(ended.code)
            chaos.tried.append(f"{verb}, {disturb.signal.name}: exit {ended.code}")
    assert not LONG or codes > {0}, "no signal came in time"


def before_handlers(number: signal.Signals) -> list[int]:
    """In its first milliseconds a process dies of SIGTERM and SIGHUP as any other does: a shell
    sees the same number. Ctrl-C would print a trace."""
    return [] if number == signal.SIGINT else [-number]


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


def test_processes_end_with_a_parent_that_is_killed(chaos: Chaos) -> None:
    """Nobody can clean up after SIGKILL, but whoever reads the output must see its end."""
    files = [chaos.data / name for name in FOLDERS]
    ended = chaos.run("score", *files, *JOBS, disturb=kill_the_parent)
    ended.assert_orderly(-signal.SIGKILL)
    assert ended.err == ""


def test_a_killed_process_of_jobs_is_an_error(chaos: Chaos) -> None:
    files = [chaos.data / name for name in FOLDERS]
    ended = chaos.run("score", *files, *JOBS, disturb=kill_a_worker)
    ended.assert_orderly(3)
    assert "a process of '--jobs' ended before its work was done" in ended.err


@only_long
def test_nohup_is_respected(chaos: Chaos) -> None:
    files = [chaos.data / name for name in TREES[:2]]
    ignore = partial(signal.signal, signal.SIGHUP, signal.SIG_IGN)
    ended = chaos.run("validate", *files, disturb=Disturbance(signal.SIGHUP, 0.05), prepare=ignore)
    ended.assert_orderly(0)
