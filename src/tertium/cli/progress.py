"""One line on stderr that says what is going on, only on a terminal, and gone at the end."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from threading import Lock
from time import monotonic

from tertium._progress import heard_by
from tertium._signals import at_end

SOON = 0.3  # seconds before a bar is worth showing
OFTEN = 0.1  # seconds between two pictures
WIDTH = 30  # of a bar
ERASE = "\r\x1b[K"


class StatusLine:
    """The last line of the terminal: a bar, or words where no total is known."""

    def __init__(self) -> None:
        self.next = monotonic() + SOON
        self.is_shown, self.what = False, ""
        self.lock = Lock()

    def show(self, what: str, done: int = 0, total: int = 0) -> None:
        """A bar comes when there is more than one thing to do and time has passed, words come at
        once."""
        if total == 1 or (
            monotonic() < self.next if total else self.is_shown and what == self.what
        ):
            return
        bar = "=" * (WIDTH * done // total) if total else ""
        text = f"{what} {bar:{WIDTH}} {done:,} of {total:,}" if total else f"{what} ..."
        with self.lock:
            self.next = monotonic() + OFTEN
            self.is_shown, self.what = True, what
            sys.stderr.write(ERASE + text)
            sys.stderr.flush()

    def erase(self) -> None:
        """Leave the line as it was, if anything was written there."""
        with self.lock:
            if self.is_shown:
                self.is_shown = False
                sys.stderr.write(ERASE)
                sys.stderr.flush()


_lines: list[StatusLine] = []


def erase_line() -> None:
    """Make room for a message."""
    for line in _lines:
        line.erase()


@contextmanager
def progress_bar(what: str) -> Iterator[Callable[[int, int], None] | None]:
    """A function to be told (done, total), or None where nobody would see a bar. Inside the block
    what `_progress.announce` says is shown as well."""
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield None
        return
    line = StatusLine()
    _lines.append(line)

    def clear() -> None:  # also when a signal ends the process, perhaps in the midst of `show`
        if line.is_shown:
            os.write(2, ERASE.encode())

    try:
        with at_end(clear), heard_by(line.show):
            try:
                yield partial(line.show, what)
            finally:
                line.erase()
    finally:
        _lines.remove(line)
