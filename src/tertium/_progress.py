"""Work that takes a while says how far it is; whoever listens may show it.

Only the command line listens, on a terminal (cli/progress.py); otherwise nothing happens.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")
Listener = Callable[[str, int, int], None]
_listeners: list[Listener] = []


def announce(what: str, done: int = 0, total: int = 0) -> None:
    """Say what is being done, and how much of it is; no total where that is not known."""
    for listener in _listeners[-1:]:
        listener(what, done, total)


def announce_each(what: str, steps: Collection[T]) -> Iterator[T]:
    """The steps one by one, announced as they are done."""
    for done, step in enumerate(steps):
        announce(what, done, len(steps))
        yield step


@contextmanager
def heard_by(listener: Listener) -> Iterator[None]:
    """Let `listener` know about what is announced inside the block."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)
