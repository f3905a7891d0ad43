"""Compressed files, gzip and zstd, and how far they may grow."""

from __future__ import annotations

import gzip
import io
import os
from collections.abc import Iterator
from types import ModuleType
from typing import BinaryIO

from tertium.exceptions import InputError, UsageError

# Annotated text shrinks to a fifth or a thirtieth, columns that hardly vary to a hundredth. A few
# kilobytes that become gigabytes were made to fill the memory.
USUAL_RATIO = 200
FREE = 1 << 26  # a file may become as large whatever its ratio
RATIO = "TERTIUM_MAX_RATIO"


def decompressed(stream: BinaryIO, origin: str) -> BinaryIO:
    """The content of a stream, which is decompressed if its first bytes say so, whatever its name.

    Raises InputError where it grows beyond the limit, before much memory is taken.
    """
    if not stream.seekable():  # a pipe, such as a process substitution of the shell
        stream = io.BytesIO(stream.read())
    magic = stream.read(4)
    size = stream.seek(0, io.SEEK_END)
    stream.seek(0)
    if magic[:2] == b"\x1f\x8b":
        pieces = _gzip(stream)
    elif magic == b"\x28\xb5\x2f\xfd":
        pieces = _zstd(stream, origin)
    else:
        return stream
    whole, grown, limit = list[bytes](), 0, max(FREE, size * _ratio())
    for piece in pieces:
        whole.append(piece)
        grown += len(piece)
        if grown > limit:
            raise InputError(
                f"{origin}: {size:,} bytes became more than {int(limit):,} when decompressed",
                help=f"if you trust the file, decompress it first, or set {RATIO} to a limit above "
                f"{USUAL_RATIO}, or to 'none'",
            )
    return io.BytesIO(b"".join(whole))


def _ratio() -> float:
    """How many times its size a compressed file may have, as the environment says."""
    text = os.environ.get(RATIO, "") or str(USUAL_RATIO)
    try:
        ratio = float("inf") if text == "none" else float(text)
    except ValueError:
        ratio = 0.0
    if not ratio >= 1:
        raise UsageError(f"{RATIO} must be at least 1, or 'none'. Got '{text}' instead.")
    return ratio


def _gzip(stream: BinaryIO) -> Iterator[bytes]:
    with gzip.GzipFile(fileobj=stream) as unpacked:
        while piece := unpacked.read(1 << 20):
            yield piece


def _zstd(stream: BinaryIO, origin: str) -> Iterator[bytes]:
    package = zstandard(f"{origin} is compressed with zstd")
    try:
        frame, begun = package.ZstdDecompressor().decompressobj(), False
        while data := stream.read(1 << 10):  # a kilobyte becomes 32 MB at most
            while data:
                yield frame.decompress(data)
                data, begun = b"", True
                if frame.eof:  # a file may hold several frames
                    data, begun = frame.unused_data, False
                    frame = package.ZstdDecompressor().decompressobj()
        if begun:
            raise package.ZstdError("unexpected end")
    except package.ZstdError as error:
        raise InputError(f"{origin}: the compressed file is cut off or damaged ({error})") from None


def zstandard(purpose: str) -> ModuleType:
    """The package for zstd; `purpose` begins the message where it is not installed."""
    try:
        import zstandard
    except ImportError:
        raise InputError(purpose, help="install the extra: pip install 'tertium[zstd]'") from None
    return zstandard
