"""Standard output and standard error, in whatever state the process was given them."""

from __future__ import annotations

import io
import os
import sys
from typing import TextIO


def open_closed() -> None:
    """Replace standard streams that are closed, before a file that is opened gets their numbers.

    What goes to a closed stderr is lost, so that a run works without one. A closed stdout refuses
    what is written, as the system does it.
    """
    for number, name, mode in ((0, "", 0), (1, "stdout", os.O_RDONLY), (2, "stderr", os.O_WRONLY)):
        if not _is_open(number):
            opened = os.open(os.devnull, mode)
            if opened != number:
                os.dup2(opened, number)
                os.close(opened)
        if name and getattr(sys, name) is None:
            stream = io.TextIOWrapper(io.FileIO(number, "w", closefd=False), "utf-8")
            setattr(sys, name, stream)


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


def discard(stream: TextIO) -> None:
    """Let a standard stream lead nowhere: Python would print what is left in it at the end."""
    try:
        number = stream.fileno()
    except (OSError, ValueError):  # one that a program has put in its place
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, number)
    os.close(nowhere)
