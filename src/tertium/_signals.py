"""How Ctrl-C, SIGTERM and SIGHUP end a command: at once, and nothing is left behind.

The handler raises no exception. One that is raised while compiled code runs, in a callback from C
or in a `finally` gets lost or does harm there. Instead the handler undoes what must not stay
(`at_end`) and ends the process with 128 + the number of the signal. Only the command line installs
it (`guarded`); in Python signals do what they did before Tertium was imported.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, NoReturn

_WORDS = {"SIGINT": "interrupted", "SIGTERM": "terminated", "SIGHUP": "hung up"}
SIGNALS: dict[int, str] = {
    getattr(signal, name): word for name, word in _WORDS.items() if hasattr(signal, name)
}
_mask = getattr(signal, "pthread_sigmask", None)  # not on Windows
_undo: list[Callable[[], object]] = []
_depth = 0
_noted = 0


def guarded(run: Callable[[], int]) -> int:
    """Run a command line as the only thing this process does.

    What is ignored on entry stays ignored (`nohup`). Once the work is done, so are all signals:
    all that is left is the end of the interpreter, which takes a moment.
    """
    for number in SIGNALS:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, _handle)
    try:
        return run()
    finally:
        ignore()


def ignore(numbers: Iterable[int] = SIGNALS) -> None:
    """Ignore signals: by default what terminals and batch systems send."""
    for number in numbers:
        signal.signal(number, signal.SIG_IGN)


def leave_to_parent() -> None:
    """In a process that was started in `uninterrupted`: only SIGTERM ends it, by which pools end
    their processes."""
    ignore(set(SIGNALS) - {signal.SIGTERM})  # which may be waiting, and would be lost
    if _mask:
        _mask(signal.SIG_UNBLOCK, SIGNALS)


@contextmanager
def at_end(undo: Callable[[], object]) -> Iterator[None]:
    """Call `undo` at the end of the block, or when a signal ends the process within it. It may be
    called twice, and before what it undoes has been done."""
    _undo.append(undo)
    try:
        yield
    finally:
        try:
            undo()
        finally:
            _undo.remove(undo)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Let signals wait for the end of the block. Processes started in it
    get none until they say so (`leave_to_parent`)."""
    global _depth
    before = _mask(signal.SIG_BLOCK, SIGNALS) if _mask else None
    _depth += 1
    try:
        yield
    finally:
        _depth -= 1
        if _mask:
            _mask(signal.SIG_SETMASK, before)
        if _noted and not _depth:
            _end(_noted)


def _handle(number: int, _frame: Any) -> None:
    global _noted
    if _depth:  # also if the signal is blocked: another thread may have got it
        _noted = number
    else:
        _end(number)


def _end(number: int) -> NoReturn:
    ignore()
    for undo in reversed(_undo):
        with suppress(Exception):
            undo()
    if sys.stderr is not None:
        with suppress(OSError):
            os.write(2, f"error: {SIGNALS[number]}\n".encode())
    os._exit(128 + number)
