"""Several runs of one system: `A=run1.conllu,run2.conllu`, or `tertium.runs` in Python."""

from __future__ import annotations

import glob
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tertium.exceptions import UsageError


@dataclass(frozen=True, eq=False)
class Runs:
    """Data of several runs under the name of their system."""

    name: str
    data: tuple[Any, ...]


def runs(name: str, *data: Any) -> Runs:
    """Several runs of one system, such as training with other random seeds, to be given to `score`
    and `compare` in place of a system. One run is an ordinary system.

    >>> from tertium import score
    >>> scores = score([["N", "V"]], runs("A", [["N", "N"]], [["N", "V"]]), metric="tags.accuracy")
    >>> scores.systems, dict(scores.runs)
    (['A#1', 'A#2'], {'A': ('A#1', 'A#2')})
    """
    if not name:
        raise UsageError("runs of one system need its name")
    if not data:
        raise UsageError(f"there are no runs of '{name}'")
    return Runs(name, data)


@dataclass(frozen=True, eq=False)
class Expanded:
    """Systems with every run as one of its own.

    - `data`: what is to be read; `names`: how it is called, None where data has its own name
    - `runs`: of each system that ran several times, the names of its runs
    """

    data: tuple[Any, ...]
    names: tuple[str | None, ...]
    runs: Mapping[str, tuple[str, ...]]


def expanded(systems: Sequence[Any], names: Sequence[str] | None = None) -> Expanded:
    """Each run as a system: those of A are `A#1`, `A#2`, ... `names` are names of the systems."""
    if names and len(names) != len(systems):
        raise UsageError(f"there are {len(systems)} systems, but {len(names)} names")
    data: list[Any] = []
    found: list[str | None] = []
    several: dict[str, tuple[str, ...]] = {}
    for place, system in enumerate(systems):
        own = names[place] if names else None
        held = _runs_of(system)
        if held is None:
            data.append(system)
            found.append(own)
            continue
        name = own or held.name
        if len(held.data) == 1:
            numbered = [name]
        else:
            if name in several:
                raise UsageError(f"two systems are named '{name}'", help="give each its own name")
            twice = [d for d in held.data if isinstance(d, str) and held.data.count(d) > 1]
            if twice:
                raise UsageError(f"'{twice[0]}' is given twice as a run of '{name}'")
            numbered = [f"{name}#{number}" for number in range(1, len(held.data) + 1)]
            several[name] = tuple(numbered)
        data += held.data
        found += numbered
    return Expanded(tuple(data), tuple(found), several)


def count_of(systems: Sequence[Any]) -> int:
    """How many there are, every run counted."""
    return len(expanded(systems).data)


def _runs_of(system: Any) -> Runs | None:
    """The runs that somebody means; None for a single system."""
    if isinstance(system, Runs):
        return system
    if not isinstance(system, str) or "," not in system or _is_there(system):
        return None
    name, equals, text = system.partition("=")
    if not equals:
        if all(map(_is_there, system.split(","))):
            raise UsageError(
                f"runs of one system need its name. Got '{system}' instead.",
                help=f"name it: A={system}",
            )
        return None
    if _is_there(text):
        return None
    if not name:
        raise UsageError(f"runs of one system need its name. Got '{system}' instead.")
    return Runs(name, tuple(text.split(",")))


def _is_there(text: str) -> bool:
    """Is there a file, a folder or something that a glob matches? A name may hold a comma."""
    try:
        if Path(text).expanduser().exists():
            return True
    except OSError:  # too long a name
        return False
    return any(sign in text for sign in "*?[") and next(glob.iglob(text), None) is not None
