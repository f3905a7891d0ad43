"""Run a command as a child process and measure it whole: start-up, reading, scoring, printing."""

import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

# Linux counts the peak in kilobytes, macOS in bytes.
PER_MEGABYTE = 1024 * 1024 if sys.platform == "darwin" else 1024


@dataclass(frozen=True)
class Measured:
    """CPU seconds are user and system time of the process and its children."""

    cpu: float
    wall: float
    peak: float
    status: int
    output: str
    complaint: str


def measure(command: list[str], folder: Path, *, repeat: int = 1) -> Measured:
    """The least CPU and wall time of some runs (others were disturbed), and the highest peak."""
    runs = [_run(command, folder)]
    while len(runs) < repeat and runs[-1].status == 0:
        runs.append(_run(command, folder))
    last = runs[-1]
    return Measured(
        cpu=min(run.cpu for run in runs),
        wall=min(run.wall for run in runs),
        peak=max(run.peak for run in runs),
        status=last.status,
        output=last.output,
        complaint=last.complaint,
    )


def _run(command: list[str], folder: Path) -> Measured:
    # The peak that wait4 reports is at least that of this process when it starts the child: nothing
    # large may be imported here.
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        start = time.perf_counter()
        child = subprocess.Popen(command, cwd=folder, stdout=out, stderr=err)
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.perf_counter() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        complaint = err.read().decode(errors="replace").strip().splitlines()
        return Measured(
            cpu=usage.ru_utime + usage.ru_stime,
            wall=wall,
            peak=usage.ru_maxrss / PER_MEGABYTE,
            status=child.returncode,
            output=out.read().decode(errors="replace"),
            complaint=complaint[-1] if complaint else "",
        )
