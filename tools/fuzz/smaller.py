"""Make a failing case smaller: fewer options, then fewer lines, then fewer bytes of each file."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import takewhile

from fuzz.cases import Case

Fails = Callable[[Case], bool]
SMALL = 20_000  # bytes; it would take too long to try those of larger files one by one


def smaller(case: Case, fails: Fails, seconds: float = 60.0) -> Case:
    """The smallest case found in that time that still fails. The law stays as it is."""
    end = time.monotonic() + seconds
    found = [case]
    for each in takewhile(lambda _: time.monotonic() < end, _smaller(case, fails)):
        found = [each]
    return found[0]


def _smaller(case: Case, fails: Fails) -> Iterator[Case]:
    """The smallest case so far, after every try."""
    first = 1 + len(case.data) if case.law == "plain" else len(case.args)
    for at in reversed(range(first, len(case.args))):
        for size in (2, 1):  # an option with its value, or without
            fewer = replace(case, args=case.args[:at] + case.args[at + size :])
            case = fewer if len(fewer.args) < len(case.args) and fails(fewer) else case
            yield case
    for split in (b"\n", b""):
        for name in case.files:
            data = case.files[name]
            pieces = data.split(b"\n") if split else [bytes([byte]) for byte in data[:SMALL]]
            size = len(pieces) if split or len(data) <= SMALL else 0
            while size:
                at = 0
                while at < len(pieces):
                    kept = pieces[:at] + pieces[at + size :]
                    fewer = replace(case, files={**case.files, name: split.join(kept)})
                    if fails(fewer):
                        case, pieces = fewer, kept
                    else:
                        at += size
                    yield case
                size //= 2
