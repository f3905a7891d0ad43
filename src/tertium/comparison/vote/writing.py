"""Ensembles as files."""

from __future__ import annotations

import os

from tertium import registry
from tertium.comparison.vote.ensemble import Voted
from tertium.exceptions import UsageError
from tertium.formats.base import Format
from tertium.formats.files import make, write_file


def write_voted(
    voted: Voted, path: str | os.PathLike[str], *, format: str | Format | None = None
) -> tuple[str, ...]:
    """Write an ensemble, by default in the format that its base was read from; compressed by the
    suffix of `path`. Notes say which layers that were voted on the format cannot hold.

    Data that came from Python has no format: name one.
    """
    corpus = voted.corpus
    if format is None:
        if not registry.knows("formats", corpus.format):
            raise UsageError(
                "the first system was not read from a file; name the format to write",
                help=f"there are {', '.join(registry.names('formats'))}",
            )
        format = corpus.format
    chosen = make(format) if isinstance(format, str) else format
    write_file(corpus, path, format=chosen)
    left = [
        name
        for name in voted.layers
        if name not in chosen.layers
        and type(corpus.layers[name]).__name__.lower() not in chosen.layers
    ]
    return (f"{chosen.id} does not hold {', '.join(left)}: not written",) if left else ()
