"""A process that runs cases and may crash or hang: whoever sends a case gets an answer."""

from __future__ import annotations

import multiprocessing
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from typing import Any

from fuzz.cases import Case
from fuzz.checks import findings

PATIENCE = 60  # seconds; a case takes some hundredths
MOST_MEMORY = 8 << 30


class Worker:
    """One process at a time; a new one after a crash, a hang or a failure."""

    def __init__(self) -> None:
        self.process: Any = None

    def findings(self, case: Case) -> list[str]:
        """What is wrong with a case. Kernels compile when they are first used and cost more time
        and memory then: only what is slow or large twice is wrong."""
        found = self._ask(case)
        if any(each.startswith(("time:", "memory:")) for each in found):
            found = self._ask(case)
        if found:
            self.stop()  # whatever is wrong with it goes with it
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
