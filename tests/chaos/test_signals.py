"""Signals at random times: 128 + n, nothing left, whatever was running."""

from __future__ import annotations

import os
import signal
from random import Random
from typing import Any

import pytest

from chaos_runs import LONG, Disturbance

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
REPEATS = 60 if LONG else 1
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


@pytest.mark.parametrize("verb", COMMANDS)
def test_a_signal_ends_everything(verb: str, chaos: Any) -> None:
    seed = os.environ.get("TERTIUM_CHAOS_SEED", "0")
    random = Random(f"{seed}-{verb}")
    for number in range(REPEATS):
        files, options = COMMANDS[verb][number % len(COMMANDS[verb])]
        places = [file if "out" in file else chaos.data / file for file in files]
        disturb = Disturbance(
            random.choice(SIGNALS), random.uniform(0, 1.5), to_group=random.random() < 0.5
        )

        ended = chaos.run(verb, *places, *options, disturb=disturb, outputs=WRITTEN)
        ended.assert_orderly(0, 128 + disturb.signal)
        chaos.tried.append(f"{verb}, {disturb.signal.name}: exit {ended.code}")
        for name in WRITTEN:
            (chaos.folder / name).unlink(missing_ok=True)


@pytest.mark.skipif(not LONG, reason="only in `make chaos`")
@pytest.mark.parametrize("verb", COMMANDS)
def test_undisturbed_commands_succeed(verb: str, chaos: Any) -> None:
    """Otherwise signals would be sent to what has long given up."""
    for files, options in COMMANDS[verb]:
        places = [file if "out" in file else chaos.data / file for file in files]
        chaos.run(verb, *places, *options, outputs=WRITTEN).assert_orderly(0)
        chaos.tried.append(f"{verb}, no signal: exit 0")
