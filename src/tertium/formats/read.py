"""Reading corpora from files and writing them."""

from __future__ import annotations

import io
import os
from typing import BinaryIO, cast

from tertium.corpus.corpus import Corpus
from tertium.exceptions import FormatError, Problem
from tertium.formats.base import Format, Reading
from tertium.formats.files import make, sniff
from tertium.formats.sources import HEAD, open_input, open_output


def read_file(
    path: str | os.PathLike[str],
    *,
    format: str | Format | None = None,
    on_error: str = "fail",
    needs: frozenset[str] | None = None,
    check: bool = False,
    name: str | None = None,
    checks: frozenset[str] | None = None,
    forests: bool = False,
) -> Corpus:
    """One file (or `-`) as a corpus. An empty file is an error: there is nothing to judge.

    `needs` and `checks` name the columns and the optional checks that are wanted, None for all.
    With `forests` a sentence of CoNLL-U may have several roots: no optional check is made.
    """
    path = os.fspath(path)
    origin = name or ("stdin" if path == "-" else path)
    if forests:
        checks = frozenset()
    reading = Reading(origin=origin, on_error=on_error, needs=needs, check=check, checks=checks)
    with open_input(path) as stream:
        return read_stream(stream, reading, format=format, path=path)


def read_stream(
    stream: BinaryIO, reading: Reading, *, format: str | Format | None = None, path: str = ""
) -> Corpus:
    """A corpus from a stream of bytes, its format sniffed unless named."""
    head = stream.read(HEAD)
    if not head.strip(b"\xef\xbb\xbf \t\r\n"):
        rest = stream.read()
        if not rest.strip():
            raise FormatError(
                reading.origin,
                [Problem("the file is empty")],
                help="did the program that should have written it fail?",
            )
        head += rest
    chosen = make(format) if isinstance(format, str) else format or sniff(head, path)
    if stream.seekable():
        stream.seek(0)
    else:
        stream = io.BytesIO(head + stream.read())
    corpus = chosen.read(stream, reading)
    if not corpus.sentence_count and not reading.check:
        raise FormatError(
            reading.origin,
            [Problem(f"no sentence in the file, read as {chosen.id}")],
            help="is it another format? '--input-format' names one; "
            "'tertium list formats' shows all",
        )
    return corpus


def write_file(corpus: Corpus, path: str | os.PathLike[str], *, format: str | Format) -> None:
    """Write a corpus to a path (compressed by its suffix) or `-`."""
    path = os.fspath(path)
    chosen = make(format) if isinstance(format, str) else format
    buffer = io.BytesIO()
    chosen.write(corpus, buffer)  # whole first: a corpus that cannot be written leaves no half file
    with open_output(path) as stream:
        stream.write(cast(bytes, buffer.getbuffer()))
