"""Letters beside systems: those that share one do not differ significantly (Piepho 2004)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from string import ascii_lowercase

from tertium.exceptions import UsageError

_MARK = re.compile(r"[a-z]\d*")


def letters(
    names_best_first: Sequence[str], differing_pairs: Iterable[tuple[str, str]]
) -> dict[str, str]:
    """The letters of each system: two systems share one if and only if their difference is not
    significant.

    The algorithm is insert and absorb (Piepho 2004, Journal of Computational and Graphical
    Statistics 13): one group of all systems is split at every differing pair, and groups within
    others are dropped. A letter so stands for a largest possible group without any significant
    difference. Groups are lettered by their members, the best system first; the best system has
    an "a". After z come a1, b1, ..., z1, a2, ...: a letter and the digits behind it are one mark
    (see `marks`).

    >>> letters(["A", "B", "C"], [("A", "C")])
    {'A': 'a', 'B': 'ab', 'C': 'b'}
    """
    names = list(names_best_first)
    place = {name: i for i, name in enumerate(names)}
    if len(place) < len(names):
        raise UsageError("letters need systems with different names")
    groups = {frozenset(range(len(names)))} if names else set()
    for pair in sorted(_places(pair, place) for pair in differing_pairs):
        both = {group for group in groups if group.issuperset(pair)}
        groups -= both
        groups |= {group - {each} for group in both for each in pair}
        groups = {group for group in groups if not any(group < other for other in groups)}
    found = dict.fromkeys(names, "")
    for number, group in enumerate(sorted(groups, key=sorted)):
        for i in group:
            found[names[i]] += _mark(number)
    return found


def marks(text: str) -> list[str]:
    """The single marks of a text of letters.

    >>> marks("abz1")
    ['a', 'b', 'z1']
    """
    return _MARK.findall(text)


def _places(pair: tuple[str, str], place: dict[str, int]) -> tuple[int, int]:
    a, b = pair
    for name in pair:
        if name not in place:
            raise UsageError(f"'{name}' is not among the systems: {', '.join(place)}")
    if a == b:
        raise UsageError(f"'{a}' cannot differ from itself")
    return min(place[a], place[b]), max(place[a], place[b])


def _mark(number: int) -> str:
    lap, place = divmod(number, len(ascii_lowercase))
    return ascii_lowercase[place] + (str(lap) if lap else "")
