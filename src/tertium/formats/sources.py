"""Where data comes from: paths, stdin, compressed files, globs and folders."""

from __future__ import annotations

import glob
import gzip
import hashlib
import io
import json
import os
import re
import stat
import sys
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from fnmatch import fnmatch
from itertools import takewhile
from pathlib import Path
from typing import Any, BinaryIO, cast

from tertium.exceptions import InputError, UsageError, cannot, suggestion
from tertium.formats.compression import decompressed

HEAD = 1 << 16
SIZE = "{size}"  # in the names of a series of files
COMPRESSED = (".gz", ".zst")
NOT_DATA = ("README", "LICENSE", "LICENCE")  # names of files, whatever their ending
MOST_NAMED = 3  # files that a note or a signature names one by one


@dataclass(frozen=True, slots=True)
class Source:
    """One input as named by the user: its files, and a name for tables and messages."""

    name: str
    files: tuple[str, ...]
    root: str = ""
    note: str = ""  # what else lies there and was left out

    @property
    def is_sharded(self) -> bool:
        """More than one file?"""
        return len(self.files) > 1

    def keys(self) -> dict[str, str]:
        """Shard name -> file. Names are paths below the folder, without compression suffixes."""
        found: dict[str, str] = {}
        for file in self.files:
            path = Path(file)
            key = path.relative_to(self.root).as_posix() if self.root else path.name
            key = strip_compression(key)
            if key in found:
                raise InputError(
                    f"{self.name}: '{found[key]}' and '{file}' have the same name '{key}'",
                    help="files of folders or patterns are paired by name; name each only once",
                )
            found[key] = file
        return found


def strip_compression(name: str) -> str:
    """`a.conllu.gz` -> `a.conllu`."""
    for suffix in COMPRESSED:
        if name.endswith(suffix):
            return name[: -len(suffix)]
    return name


def resolve(text: str, *, name: str | None = None) -> Source:
    """What the user wrote: `-`, a file, a folder, a glob; `NAME=...` in front names it.

    Folders are searched to the bottom; hidden files, README and LICENSE are left out. Files are
    sorted, so that nothing depends on the order of a folder.
    """
    try:
        return _resolved(text, name)
    except (OSError, ValueError) as error:  # too long a name, a folder one may not enter
        raise cannot("read", getattr(error, "filename", None) or text, error) from None


def expanded(text: str) -> str:
    """A path with `~` replaced by the home folder, unless that is how a file is called."""
    return text if os.path.lexists(text) else os.path.expanduser(text)


def is_there(text: str) -> bool:
    """Is there a file, a folder or something that a glob matches? A name may hold a comma."""
    return os.path.exists(path := expanded(text)) or (
        _is_pattern(text) and next(glob.iglob(path), None) is not None
    )


def series_of(pattern: str) -> dict[float, str]:
    """The files of a series by their sizes, in order: `{size}` in the pattern is a number."""
    before, *after = expanded(pattern).split(SIZE)
    if len(after) != 1:
        raise UsageError(f"{SIZE} must occur once in a series of outputs. Got '{pattern}' instead.")
    name = re.compile(re.escape(before) + r"(\d+(?:\.\d+)?)" + re.escape(after[0]))
    found: dict[float, str] = {}
    for file in sorted(glob.glob(f"{glob.escape(before)}*{glob.escape(after[0])}")):
        if match := name.fullmatch(file):
            if float(match[1]) in found:
                raise InputError(f"'{found[float(match[1])]}' and '{file}' have the same size")
            found[float(match[1])] = file
    if not found:
        raise InputError(f"no file matches '{pattern}'", help=f"{SIZE} is replaced by a number")
    return dict(sorted(found.items()))


def _resolved(text: str, name: str | None) -> Source:
    if name is None and "=" in text and not os.path.lexists(text):
        name, _, text = text.partition("=")
    if not text:
        raise UsageError("a file name is empty")
    if text == "-":
        return Source(name or "stdin", ("-",))
    path = Path(expanded(text))
    if os.path.isdir(path):
        found = _files_below(path)
        if not found.files:
            raise InputError(f"folder '{text}' holds no files", help=found.note(text) or None)
        return found.source(name or path.name or text, str(path))
    if not os.path.lexists(path) and _is_pattern(text):
        found = _files_matching(expanded(text))
        if not found.files:
            raise InputError(f"no file matches '{text}'", help=found.note(text) or None)
        return found.source(name or text, _common_root(expanded(text)))
    try:
        os.stat(path)
    except FileNotFoundError:
        if os.path.islink(path):
            raise InputError(f"'{text}' is a link to a file that does not exist") from None
        raise InputError(f"there is no file '{text}'", help=_neighbours(path)) from None
    return Source(name or text, (str(path),))


@dataclass
class _Found:
    """Files of a folder or pattern, and what else is there: paths with what they are."""

    files: list[str] = field(default_factory=list)
    left_out: list[tuple[str, str]] = field(default_factory=list)

    def add(self, path: str) -> None:
        """A file, or something that cannot be read as one."""
        if Path(path).name.partition(".")[0].upper() in NOT_DATA:
            self.left_out.append((path, "not data"))
        elif os.path.isfile(path):
            self.files.append(path)
        elif os.path.exists(path):
            self.left_out.append((path, "neither a file nor a folder"))
        else:
            self.left_out.append((path, "a link that leads nowhere"))

    def again(self, path: str) -> None:
        """Something in a folder that was read before."""
        self.left_out.append((path, "a link into a folder that is read already"))

    def note(self, text: str) -> str:
        """What was left out, in one sentence; empty if nothing was."""
        if not self.left_out:
            return ""
        shown = [f"'{path}' ({what})" for path, what in sorted(self.left_out)[:MOST_NAMED]]
        more = len(self.left_out) - len(shown)
        return f"left out of '{text}': {', '.join(shown)}" + (f" and {more:,} more" * (more > 0))

    def source(self, name: str, root: str) -> Source:
        """The files under their name, in order."""
        return Source(name, tuple(sorted(self.files)), root, self.note(name))


def _files_below(folder: Path) -> _Found:
    """All files of a folder and its folders, without hidden ones. Every folder is read once, by its
    own name if it can be reached by that; a link to one that was read is left out."""
    found = _Found()
    seen: set[tuple[int, int]] = set()
    waiting, links = [folder], list[Path]()
    while waiting or links:
        here = waiting.pop(0) if waiting else links.pop(0)
        state = os.stat(here)
        if (state.st_dev, state.st_ino) in seen:
            found.again(str(here))
            continue
        seen.add((state.st_dev, state.st_ino))
        with os.scandir(here) as entries:  # raises where the folder may not be read
            for entry in sorted(entries, key=lambda entry: entry.name):
                path = here / entry.name
                if entry.name.startswith("."):
                    continue
                if os.path.isdir(path):
                    (links if entry.is_symlink() else waiting).append(path)
                else:
                    found.add(str(path))
    return found


def _files_matching(pattern: str) -> _Found:
    """All files that a glob matches, those of each folder once."""
    parts = Path(pattern).parts
    if "**" in parts:
        below = _files_below(Path(_common_root(pattern)))
        return _Found(
            [f for f in below.files if _matches(Path(f).parts, parts)],
            [(f, what) for f, what in below.left_out if _matches(Path(f).parts, parts)],
        )
    found = _Found()
    seen: set[tuple[str, str]] = set()
    matches = [path for path in glob.iglob(pattern) if not os.path.isdir(path)]
    real = {folder: os.path.realpath(folder) for folder in {*map(os.path.dirname, matches)}}
    linked = {folder for folder, path in real.items() if path != os.path.abspath(folder)}
    # What is reached without a link goes first.
    for path in sorted(matches, key=lambda path: (os.path.dirname(path) in linked, path)):
        place = real[os.path.dirname(path)], os.path.basename(path)
        if place in seen:
            found.again(path)
        else:
            seen.add(place)
            found.add(path)
    return found


def _matches(parts: Sequence[str], pattern: Sequence[str]) -> bool:
    """Does a path match a glob, part by part? `**` stands for any number of folders.

    >>> _matches(("a", "b", "c.x"), ("a", "**", "*.x")), _matches(("a", "c.y"), ("a", "*.x"))
    (True, False)
    """
    if not pattern:
        return not parts
    if pattern[0] == "**":
        return any(_matches(parts[n:], pattern[1:]) for n in range(len(parts) + 1))
    return bool(parts) and fnmatch(parts[0], pattern[0]) and _matches(parts[1:], pattern[1:])


def _common_root(pattern: str) -> str:
    """The folder before the first wildcard."""
    return str(Path(*takewhile(lambda part: not _is_pattern(part), Path(pattern).parts)))


def _is_pattern(text: str) -> bool:
    return any(c in text for c in "*?[")


def _neighbours(path: Path) -> str | None:
    folder = path.parent
    if not os.path.isdir(folder):
        return f"there is no folder '{folder}' either"
    return suggestion(path.name, [p.name for p in folder.iterdir()]).strip() or None


@contextmanager
def open_input(path: str, *, digest: bool = False) -> Iterator[BinaryIO]:
    """A stream of decompressed bytes, from a path or `-`. Broken archives are InputErrors. With
    `digest` one can be asked for at the end (`digest_of`).

    Only failures of opening and reading are those of the input. What else fails while the stream
    is open, such as a full disk elsewhere, goes through as it is.
    """
    name = "stdin" if path == "-" else path
    if path == "-" and (sys.stdin is None or sys.stdin.isatty()):
        raise UsageError("'-' means standard input, but nothing is piped in")
    with _faults_of(name):
        raw = _opened(path)
    with raw:
        with _faults_of(name):
            stream = decompressed(raw, name)
        yield _Input(stream, name, hashlib.sha256() if digest else None)  # type: ignore[misc]


def digest_of(stream: BinaryIO) -> str:
    """SHA-256 of all that an input holds, decompressed. It is made of what was read, since a pipe
    can be read only once."""
    return cast(_Input, stream).digest()


_READ: ContextVar[set[str] | None] = ContextVar("read", default=None)


@contextmanager
def remember_inputs() -> Iterator[None]:
    """What is read inside the block is known there (`was_read`), and stdin is read once."""
    token = _READ.set(set())
    try:
        yield
    finally:
        _READ.reset(token)


def was_read(path: str) -> bool:
    """Has this file been read inside the block that remembers inputs?"""
    return os.path.realpath(path) in (_READ.get() or ())


def _opened(path: str) -> BinaryIO:
    if (known := _READ.get()) is not None:
        if path == "-" and path in known:
            raise UsageError("standard input ('-') can be read only once")
        known.add(path if path == "-" or "\0" in path else os.path.realpath(path))
    if path == "-":
        with suppress(io.UnsupportedOperation):  # stdin is a file of the operating system
            _refuse_device("stdin", os.fstat(sys.stdin.buffer.fileno()))
        return io.BytesIO(sys.stdin.buffer.read())
    if os.path.isdir(path):
        raise InputError(f"'{path}' is a folder, expected a file")
    try:
        _refuse_device(path, os.stat(path))
        return open(path, "rb")
    except ValueError as error:
        raise cannot("read", path, error) from None


def _refuse_device(name: str, state: os.stat_result) -> None:
    """A device such as /dev/zero may never end; pipes are fine, and so is /dev/null."""
    device = stat.S_ISCHR(state.st_mode) or stat.S_ISBLK(state.st_mode)
    if device and state.st_rdev != os.stat(os.devnull).st_rdev:
        raise InputError(f"'{name}' is a device, expected a file or a pipe")


@contextmanager
def _faults_of(name: str) -> Iterator[None]:
    """Say which input could not be read."""
    try:
        yield
    except gzip.BadGzipFile as error:
        raise InputError(f"{name}: not a whole gzip file: {error}") from None
    except OSError as error:
        raise cannot("read", name, error) from None
    except (EOFError, zlib.error) as error:
        raise InputError(
            f"{name}: the compressed file is cut off or damaged ({error})",
            help="fetch or write it again",
        ) from None


class _Input(io.BufferedIOBase):
    """An open input: what goes wrong in its methods is the input's fault."""

    def __init__(self, stream: BinaryIO, name: str, made: hashlib._Hash | None) -> None:
        self._stream = stream
        self._name = name
        self._digest = made
        self._digested = 0  # bytes that are in the digest

    def digest(self) -> str:
        assert self._digest is not None
        self.seek(self._digested)
        self.read()
        return self._digest.hexdigest()

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = 0, /) -> int:
        with _faults_of(self._name):
            return self._stream.seek(offset, whence)

    def tell(self) -> int:
        return self._stream.tell()

    def read(self, size: int | None = -1, /) -> bytes:
        with _faults_of(self._name):
            begin = 0 if self._digest is None else self._stream.tell()
            data = self._stream.read(-1 if size is None else size)
        if self._digest is not None and begin <= self._digested < begin + len(data):
            self._digest.update(memoryview(data)[self._digested - begin :])
            self._digested = begin + len(data)
        return data

    read1 = read

    def readline(self, size: int | None = -1, /) -> bytes:
        with _faults_of(self._name):
            return self._stream.readline(-1 if size is None else size)


def load_json(path: str) -> Any:
    """What a JSON file holds."""
    with open_input(path) as stream:
        data = stream.read()
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is not JSON: {error}") from None
