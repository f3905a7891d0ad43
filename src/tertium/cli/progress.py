"""A progress bar on stderr, only on a terminal and only where there is something to wait for."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tertium._signals import at_end

if TYPE_CHECKING:
    from rich.progress import Progress


@contextmanager
def progress_bar(what: str) -> Iterator[Callable[[int, int], None] | None]:
    """A function to be told (done, total), or None where nobody would see a bar.

    The bar appears with the first call that has more than one thing to do, and is gone at the end.
    """
    if not sys.stderr.isatty():
        yield None
        return
    bars: list[Progress] = []

    def tell(done: int, total: int) -> None:
        if total <= 1:
            return
        if not bars:
            from rich.console import Console
            from rich.progress import Progress

            bars.append(Progress(console=Console(stderr=True), transient=True))
            bars[0].add_task(what, total=total)
            bars[0].start()
        bars[0].update(bars[0].task_ids[0], completed=done)

    def show_cursor() -> None:  # which rich hides
        if bars:
            os.write(2, b"\r\x1b[K\x1b[?25h")

    with at_end(show_cursor):
        try:
            yield tell
        finally:
            for bar in bars:
                bar.stop()
