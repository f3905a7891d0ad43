"""Which format is it? Every registered format is asked; the surest one wins."""

from __future__ import annotations

import io
import json
import os
from dataclasses import replace
from pathlib import PurePath
from typing import BinaryIO, cast

from tertium import registry
from tertium.corpus.corpus import Corpus
from tertium.exceptions import FormatError, Problem, UsageError
from tertium.formats.base import Format, Reading
from tertium.formats.lines import BOM
from tertium.formats.record_keys import Record, record_of
from tertium.formats.sources import HEAD, digest_of, open_input, strip_compression
from tertium.formats.targets import open_output

SUFFIX_BONUS = 0.25
# At least this sure is a format whose suffix no other has: more than plain columns ever are, so
# that a broken file gets the messages of what it is meant to be.
OWN_SUFFIX = 0.65
ENOUGH = 0.15


def make(text: str) -> Format:
    """A format from its text, such as `conllu` or `tagged(separator='/')`."""
    return cast(Format, registry.build("formats", text))


def named(name: str | None, columns: str | None) -> Format | None:
    """The format of `--input-format` and `--columns`; None if it is to be recognised."""
    if columns is None:
        return make(name) if name else None
    if name not in (None, "columns"):
        raise UsageError(f"'--columns' goes with the format 'columns', not with '{name}'")
    return cast(Format, registry.get("formats", "columns")(columns=columns))  # type: ignore[call-arg]


def first_record(head: bytes) -> Record | None:
    """The first record of a file of JSON: its first line, or what an array begins with; None for a
    file of another kind."""
    text = head.decode(errors="replace").lstrip()
    if not text.startswith(("{", "[")):
        return None
    for begin, rest in ((text.partition("\n")[0], ""), (text, ""), (text[1:].lstrip(), ",]")):
        try:
            value, end = json.JSONDecoder().raw_decode(begin)
        except (ValueError, RecursionError):
            continue
        found = record_of(value)
        after = begin[end:].lstrip()[:1]
        if found is not None and (not after or after in rest):
            return found
    return None


def sniff(head: bytes, name: str = "") -> Format:
    """The format of a file that begins with `head`; its name's suffix counts a little.

    Of equally sure formats the one registered last wins, so those of third parties go before ours.
    Raises FormatError where no format is sure enough.
    """
    head = head.removeprefix(BOM)
    suffix = PurePath(strip_compression(name)).suffix.lower()
    known = [cast(Format, registry.get("formats", n)()) for n in registry.names("formats")]
    sharing = sum(suffix in format.suffixes for format in known) if suffix else 0
    best: tuple[float, Format | None] = (0.0, None)
    for format in known:
        sure = format.sniff(head)
        if sharing and suffix in format.suffixes:
            sure = max(sure + SUFFIX_BONUS, OWN_SUFFIX if sharing == 1 else 0.0)
        if sure >= best[0]:
            best = (sure, format)
    if best[1] is None or best[0] < ENOUGH:
        what = "the file is empty" if not head.strip() else "unrecognised format"
        help = "name it with '--input-format'; 'tertium list formats' shows all"
        raise FormatError(
            name or "<input>", [Problem(f"could not detect the format: {what}")], help=help
        )
    return best[1]


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
    digest: bool = False,
) -> Corpus:
    """One file (or `-`) as a corpus. An empty file is an error: there is nothing to judge.

    `needs` and `checks` name the columns and the optional checks that are wanted, None for all.
    With `forests` a sentence of CoNLL-U may have several roots: no optional check is made. With
    `digest` the corpus has the digest of the file.
    """
    path = os.fspath(path)
    origin = name or ("stdin" if path == "-" else path)
    if forests:
        checks = frozenset()
    reading = Reading(origin=origin, on_error=on_error, needs=needs, check=check, checks=checks)
    with open_input(path, digest=digest) as stream:
        corpus = read_stream(stream, reading, format=format, path=path)
        return replace(corpus, digest=digest_of(stream)) if digest else corpus


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
                help="check that the program that wrote it did not fail",
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
            [no_sentence(corpus)],
            help="if the format is different, name it with '--input-format'; "
            "'tertium list formats' shows all",
        )
    return corpus


def no_sentence(corpus: Corpus) -> Problem:
    """What is wrong with a corpus without sentences."""
    return Problem(f"no sentence in the file, read as {corpus.format}", kind="file")


def write_file(corpus: Corpus, path: str | os.PathLike[str], *, format: str | Format) -> None:
    """Write a corpus to a path (compressed by its suffix), whole or not at all, or to `-`."""
    path = os.fspath(path)
    chosen = make(format) if isinstance(format, str) else format
    buffer = io.BytesIO()
    chosen.write(corpus, buffer)  # whole first: a corpus that cannot be written leaves no half file
    with open_output(path) as stream:
        stream.write(cast(bytes, buffer.getbuffer()))
