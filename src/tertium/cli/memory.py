"""How the process uses memory and threads."""

from __future__ import annotations

import os
import sys

# Numbers of glibc's mallopt(3), and a size that no column reaches.
_TRIM_THRESHOLD, _MMAP_THRESHOLD, _MOST_ARENAS = -1, -3, -8
_LARGE = 1 << 30


def start_lightly() -> None:
    """Prepare a process that reads, compares and counts; before numpy is loaded.

    The threads of numpy's algebra wait busily for work that never comes: a tenth of a second of
    every process, unless there is but one. Whoever has set their number keeps it.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    _keep_memory()


def _keep_memory() -> None:
    """Keep freed blocks for the next array instead of giving them back to the system at once.

    glibc maps every array of some megabytes anew, and the system clears each page again: a tenth of
    the time of scoring a million words. Peak memory stays what it was, if what one thread frees can
    be used by the others. Elsewhere nothing happens.
    """
    if sys.platform != "linux":
        return
    import ctypes

    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError):  # another C library
        return
    mallopt(_MOST_ARENAS, 1)
    mallopt(_MMAP_THRESHOLD, _LARGE)
    mallopt(_TRIM_THRESHOLD, _LARGE)
