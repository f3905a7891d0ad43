"""What goes to stderr: errors, help and notes."""

from __future__ import annotations

import sys

import click

from tertium.cli.streams import discard


def complain(message: str, help: str | None = None) -> None:
    """`error: ...` and `help:  ...` on stderr; further lines are indented below the first."""
    _say("error: ", message)
    if help:
        _say("help:  ", help)


def note(message: str) -> None:
    """`note:  ...` on stderr: worth knowing, not wrong."""
    _say("note:  ", message)


def _say(label: str, message: str) -> None:
    from tertium.results.texts import visible

    lines = [visible(line) for line in message.split("\n")]
    try:
        click.echo(label + f"\n{' ' * len(label)}".join(lines), err=True)
    except OSError:  # nobody can be told; that is no reason to stop
        discard(sys.stderr)
