"""Commands that run in a process group of their own, and the promise that is checked after each:
a documented exit code, no file left, no process left, no trace.

`TERTIUM_CHAOS=long` (`make chaos`) tries far more than `make test` does.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

LONG = os.environ.get("TERTIUM_CHAOS") == "long"
PATIENCE = 60
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
# What the installed command does, with a byte to the pipe as soon as it does it: Python's own start
# is not ours.
PROGRAM = """\
import os, sys
from tertium.__main__ import main
os.write(int(sys.argv.pop(1)), b".")
sys.exit(main())
"""


@dataclass(frozen=True)
class Ended:
    """What became of a command."""

    args: tuple[str, ...]
    code: int
    out: str
    err: str
    left: tuple[str, ...] = ()
    alive: tuple[int, ...] = ()

    def assert_orderly(self, *allowed: int) -> None:
        """As promised, and with one of the allowed exit codes."""
        assert self.code in allowed, self
        assert "Traceback" not in self.out + self.err, self
        assert "Exception ignored" not in self.err, self
        assert "this is a bug" not in self.err, self
        assert not self.left, self
        assert not self.alive, self


@dataclass(frozen=True)
class Disturbance:
    """A signal at some time after the start, to the process or to its group (as Ctrl-C is)."""

    signal: signal.Signals
    after: float
    to_group: bool = False

    def __call__(self, process: subprocess.Popen[str]) -> None:
        time.sleep(self.after)
        if process.poll() is None:
            (os.killpg if self.to_group else os.kill)(process.pid, self.signal)


@dataclass
class Chaos:
    """Runs commands in `folder`, on files of `data`; `tried` is counted and printed at the end."""

    folder: Path
    data: Path
    tried: list[str] = field(default_factory=list)

    def run(
        self,
        *args: Any,
        disturb: Callable[[subprocess.Popen[str]], None] | None = None,
        outputs: tuple[str, ...] = (),
        env: Mapping[str, str] | None = None,
        prepare: Callable[[], object] | None = None,
        **popen: Any,
    ) -> Ended:
        """Run a command to its end. Files that were not there before and are not among `outputs`,
        or in a folder of theirs, are *left*; processes that outlive it by more than a moment are
        *alive*. `prepare` is called in the new process before it begins."""

        def begin() -> None:
            for number in SIGNALS:  # which whoever runs the tests may ignore
                signal.signal(number, signal.SIG_DFL)
            if prepare is not None:
                prepare()

        words = tuple(map(str, args))
        before = self._files()
        started, tell = os.pipe()
        streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, str(tell), *words],
            **{**streams, **popen},
            preexec_fn=begin,
            pass_fds=(tell,),
            cwd=self.folder,
            env={**os.environ, **(env or {})},
            start_new_session=True,
            encoding="utf-8",
            errors="backslashreplace",
        )
        os.close(tell)
        try:
            os.read(started, 1)
            if disturb:
                disturb(process)
            out, err = process.communicate(timeout=PATIENCE)
            wait_for(lambda: not members(process.pid))
            alive = tuple(members(process.pid))
        finally:
            os.close(started)
            for pid in members(process.pid):
                os.kill(pid, signal.SIGKILL)
            process.wait()
        new = self._files() - before
        left = tuple(sorted(name for name in new if name.split("/")[0] not in outputs))
        return Ended(words, process.returncode, out or "", err or "", left, alive)

    def _files(self) -> set[str]:
        return {path.relative_to(self.folder).as_posix() for path in self.folder.rglob("*")}


def wait_for(is_so: Callable[[], bool], seconds: float = 10.0) -> bool:
    """Look until it is so; False if it never was."""
    end = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def members(group: int) -> list[int]:
    """The processes of a group that are not dead."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, number = path.read_text().rpartition(")")[2].split()[:3]
        except OSError:  # it has just ended
            continue
        if int(number) == group and state not in "ZX":
            found.append(int(path.parent.name))
    return found
