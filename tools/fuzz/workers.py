"""A process that runs cases and may crash or hang: whoever sends a case gets an answer."""

from __future__ import annotations

import multiprocessing
import resource
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from typing import Any

from fuzz.cases import Case
from fuzz.checks import findings

MOST_TIME = 30  # seconds of processor time; a case takes some hundredths
PATIENCE = 300  # seconds by the clock: something waits for ever
MOST_MEMORY = 3 << 30


class Worker:
    """One process at a time; a new one after a crash or a hang."""

    def __init__(self) -> None:
        self.process: Any = None

    def findings(self, case: Case) -> list[str]:
        """What is wrong with a case. Kernels compile when they are first used and cost more time
        and memory then: only what is slow or large twice is wrong."""
        found = self._ask(case)
        if any(each.startswith(("time:", "memory:")) for each in found):
            found = self._ask(case)
        return found

    def _ask(self, case: Case) -> list[str]:
        if self.process is None:
            context = multiprocessing.get_context("spawn")
            self.here, there = context.Pipe()
            self.process = context.Process(target=serve, args=(there,), daemon=True)
            self.process.start()
            there.close()
        try:
            self.here.send(case)
            if not self.here.poll(PATIENCE):
                self.stop()
                return [f"hang: no answer after {PATIENCE} s"]
            found: list[str] = self.here.recv()
            return found
        except (EOFError, OSError):
            self.process.join()
            code = self.process.exitcode
            self.stop()
            if code == -signal.SIGXCPU:
                return [f"time: more than {MOST_TIME} s"]
            return [f"crash: the process ended with {code}"]

    def stop(self) -> None:
        """End the process, whatever it is doing."""
        if self.process is not None:
            self.process.kill()
            self.process.join()
            self.here.close()
            self.process = None


def serve(there: Connection) -> None:
    """Answer until nobody asks any more."""
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    while True:
        try:
            case = there.recv()
        except EOFError:
            return
        end = int(time.process_time()) + MOST_TIME
        resource.setrlimit(resource.RLIMIT_CPU, (end, resource.RLIM_INFINITY))
        try:
            there.send(findings(case))
        except BaseException as error:
            there.send([f"escape: {type(error).__name__}: {error}"])


@contextmanager
def worker() -> Iterator[Worker]:
    """A worker that is gone afterwards."""
    made = Worker()
    try:
        yield made
    finally:
        made.stop()
