"""Buckets of numbers, such as lengths and distances, and what is in none."""

from __future__ import annotations

from itertools import pairwise

from tertium.exceptions import UsageError

NONE = "(none)"


def edges_of(by: str, usual: tuple[int, ...], least: int = 1) -> tuple[int, ...]:
    """The upper edges that a key gives after its colon; the usual ones without a colon.

    >>> edges_of("length", (10, 20)), edges_of("length:5,15", (10, 20))
    ((10, 20), (5, 15))
    """
    name, colon, text = by.partition(":")
    if not colon:
        return usual
    try:
        edges = tuple(int(edge) for edge in text.split(","))
    except ValueError:
        edges = ()
    if not edges or edges[0] < least or any(a >= b for a, b in pairwise(edges)):
        raise UsageError(f"'{by}': edges of {name} must be rising numbers such as {name}:5,15,30")
    return edges


def bucket_names(edges: tuple[int, ...], least: int = 1) -> list[str]:
    """What the buckets with these upper edges are called; those of one number by the number.

    >>> bucket_names((1, 2, 6))
    ['1', '2', '3-6', '7-']
    """
    lows = [least, *(edge + 1 for edge in edges)]
    closed = [str(a) if a == b else f"{a}-{b}" for a, b in zip(lows, edges, strict=False)]
    return [*closed, f"{lows[-1]}-"]
