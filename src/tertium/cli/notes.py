"""What goes to stderr: errors, help and notes."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import click

from tertium.cli.progress import erase_line
from tertium.cli.streams import discard

_QUIET: ContextVar[bool] = ContextVar("quiet", default=False)


def complain(message: str, help: str | None = None) -> None:
    """`error: ...` and `help:  ...` on stderr; further lines are indented below the first."""
    _say("error: ", message)
    if help:
        _say("help:  ", help)


def note(message: str) -> None:
    """`note:  ...` on stderr: worth knowing, not wrong. Nothing inside `quiet`."""
    if not _QUIET.get():
        _say("note:  ", message)


@contextmanager
def quiet(wanted: bool) -> Iterator[None]:
    """Leave out notes if that is wanted; errors are always printed."""
    token = _QUIET.set(wanted or _QUIET.get())
    try:
        yield
    finally:
        _QUIET.reset(token)


def is_quiet() -> bool:
    """Are notes left out?"""
    return _QUIET.get()


def _say(label: str, message: str) -> None:
    from tertium.results.texts import visible

    lines = [visible(line) for line in message.split("\n")]
    try:
        erase_line()
        click.echo(label + f"\n{' ' * len(label)}".join(lines), err=True)
    except OSError:  # nobody can be told; that is no reason to stop
        discard(sys.stderr)
