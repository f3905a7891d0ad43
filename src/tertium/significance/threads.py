"""Independent pieces of work side by side: resampling is done by code that does not stop other
threads."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")

MOST = 4  # each takes some 50 MB


def side_by_side(tasks: Sequence[Callable[[], T]]) -> list[T]:
    """The results of all tasks, in order. None may depend on another."""
    if len(tasks) < 3:
        return [task() for task in tasks]
    # The first is done alone, since it may have to compile kernels.
    first = tasks[0]()
    with ThreadPoolExecutor(min(MOST, os.cpu_count() or 1)) as threads:
        return [first, *threads.map(lambda task: task(), tasks[1:])]
