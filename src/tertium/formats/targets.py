"""Where files go: written whole or not at all, compressed by their names."""

from __future__ import annotations

import gzip
import io
import os
import shutil
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial
from typing import Any, BinaryIO

from tertium._signals import at_end
from tertium.exceptions import InputError, UsageError, cannot
from tertium.formats.compression import zstandard
from tertium.formats.sources import was_read

_LOOKED_AT = 4096  # bytes by which an earlier result is recognised


@contextmanager
def open_output(path: str) -> Iterator[BinaryIO]:
    """A binary stream to a path, compressed as its suffix says, or `-` for stdout."""
    if path == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
    elif path.endswith(".gz"):
        # No time stamp and no name: the same data gives the same bytes.
        with replacing(path) as raw, gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as out:
            yield out  # type: ignore[misc]
    elif path.endswith(".zst"):
        compressor = zstandard(f"cannot write '{path}': compressing with zstd needs a package")
        buffer = io.BytesIO()
        yield buffer
        with replacing(path) as raw:
            raw.write(compressor.ZstdCompressor().compress(buffer.getvalue()))
    else:
        with replacing(path) as raw:
            yield raw


def check_target(path: str) -> int:
    """Refuse a folder, or a file that must stay; the mode of what is there, 0 for nothing."""
    mode = _mode(path)
    if stat.S_ISDIR(mode):
        raise InputError(f"cannot write '{path}': it is a folder")
    _check(path)
    return mode


@contextmanager
def replacing(path: str) -> Iterator[BinaryIO]:
    """A stream to a temporary file beside `path`, moved there at the end; after an exception
    nothing is left.

    A link at `path` stays, and what it leads to is replaced. A device or pipe is written to
    directly. The mode of a file that is replaced is kept.
    """
    mode = check_target(path)
    if mode and not stat.S_ISREG(mode):
        with _opened(path, path, os.O_WRONLY) as out:
            yield out
        return
    target = os.path.realpath(path)
    # Nobody can foresee the name and lay a link there; any name of a target leaves room for it.
    temporary = os.path.join(os.path.dirname(target), f".{os.urandom(8).hex()}")
    with at_end(partial(_remove, temporary)):
        with _opened(temporary, path, os.O_WRONLY | os.O_CREAT | os.O_EXCL) as out:
            yield out
        _check(path, temporary)
        try:
            if mode:
                shutil.copymode(target, temporary)
            os.replace(temporary, target)
        except OSError as error:
            raise cannot("write", path, error) from None


def _mode(path: str) -> int:
    """What is there, 0 if nothing is."""
    try:
        return os.stat(path).st_mode
    except FileNotFoundError:
        return 0
    except (OSError, ValueError) as error:
        raise cannot("write", path, error) from None


def _remove(path: str) -> None:
    with suppress(OSError):
        os.unlink(path)


def _opened(file: str, path: str, flags: int) -> io.BufferedWriter:
    try:
        number = os.open(file, flags | getattr(os, "O_BINARY", 0), 0o666)
    except (OSError, ValueError) as error:
        raise cannot("write", path, error) from None
    return io.BufferedWriter(_Output(number, path))


class _Output(io.FileIO):
    """An open file whose failures name the path that was asked for."""

    def __init__(self, number: int, path: str) -> None:
        super().__init__(number, "w")
        self._path = path

    def write(self, data: Any, /) -> int:
        try:
            return super().write(data)
        except BrokenPipeError:  # the reader has had enough
            raise
        except OSError as error:
            raise cannot("write", self._path, error) from None


@dataclass(frozen=True)
class Guard:
    """Targets that nobody has named: a study file that was merely found names them.

    They lie below its folder, no link leads elsewhere, and only an earlier result is replaced: a
    file that begins with the same line as the new one and, if that names Tertium in its first
    bytes, names it too.
    """

    study: str
    targets: tuple[str, ...]

    def check(self, path: str, written: str | None = None) -> None:
        """Refuse a target. `written` is the temporary file that would replace it."""
        if not any(_is_below(path, target) for target in self.targets):
            return
        folder = os.path.dirname(os.path.abspath(self.study))
        if os.path.islink(path) or not _is_below(path, folder):
            raise self._refused(f"would write to '{path}', which is outside its folder or a link")
        if not os.path.lexists(path) or os.path.isdir(path):
            return
        if not os.path.isfile(path) or (written is not None and not _is_alike(path, written)):
            raise self._refused(f"would replace '{path}', which does not look like its own result")

    def _refused(self, what: str) -> UsageError:
        return UsageError(
            f"{self.study} was found in this folder and not named, and {what}",
            help=f"if that is what you want: '--study {self.study}'; or name the file with the "
            "option that writes it",
        )


_GUARD: ContextVar[Guard | None] = ContextVar("guard", default=None)


@contextmanager
def protect(guard: Guard | None) -> Iterator[None]:
    """Everything that is written inside the block is checked, if anything is to be."""
    if guard is None:
        yield
        return
    token = _GUARD.set(guard)
    try:
        for target in guard.targets:
            _mode(target)  # refuses what cannot be a path
            guard.check(target)
        yield
    finally:
        _GUARD.reset(token)


def _check(path: str, written: str | None = None) -> None:
    if "\0" not in path and was_read(path):
        raise UsageError(
            f"'{path}' is one of the files that are read; choose a different file for the result"
        )
    guard = _GUARD.get()
    if guard is not None:
        guard.check(path, written)


def _is_below(path: str, folder: str) -> bool:
    """Is it the folder itself, or in it, links followed?"""
    here, there = os.path.realpath(path), os.path.realpath(folder)
    return here == there or here.startswith(os.path.join(there, ""))


def _is_alike(earlier: str, now: str) -> bool:
    try:
        heads = [_head(path) for path in (earlier, now)]
    except OSError:
        return False
    old, new = (head.lower() for head in heads)
    is_named = b"tertium" in old or b"tertium" not in new
    return old.partition(b"\n")[0] == new.partition(b"\n")[0] and is_named


def _head(path: str) -> bytes:
    with open(path, "rb") as stream:
        return stream.read(_LOOKED_AT)
