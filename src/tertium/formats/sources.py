"""Where data comes from: paths, stdin, compressed files, globs and folders."""

from __future__ import annotations

import glob
import gzip
import io
import json
import os
import shutil
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import takewhile
from pathlib import Path
from types import ModuleType
from typing import Any, BinaryIO

from tertium._signals import at_end
from tertium.exceptions import InputError, UsageError, shorten, suggestion

HEAD = 1 << 16
COMPRESSED = (".gz", ".zst")


@dataclass(frozen=True, slots=True)
class Source:
    """One input as named by the user: its files, and a name for tables and messages."""

    name: str
    files: tuple[str, ...]
    root: str = ""

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

    Folders are searched to the bottom, hidden files left out; files are sorted, so that nothing
    depends on the order of a folder.
    """
    try:
        return _resolved(text, name)
    except OSError as error:  # too long a name, a folder one may not enter
        raise InputError(f"cannot read '{shorten(text)}': {error.strerror or error}") from None


def _resolved(text: str, name: str | None) -> Source:
    if name is None and "=" in text and not Path(text).exists():
        name, _, text = text.partition("=")
    if not text:
        raise UsageError("a file name is empty")
    if text == "-":
        return Source(name or "stdin", ("-",))
    path = Path(text).expanduser()
    if path.is_dir():
        files = sorted(_files_below(path))
        if not files:
            raise InputError(f"folder '{text}' holds no files")
        return Source(name or path.name or text, tuple(files), str(path))
    if not path.exists() and _is_pattern(text):
        files = sorted(f for f in glob.iglob(text, recursive=True) if Path(f).is_file())
        if not files:
            raise InputError(f"no file matches '{text}'")
        return Source(name or text, tuple(files), _common_root(text))
    if not path.exists():
        raise InputError(f"there is no file '{text}'", help=_neighbours(path))
    return Source(name or text, (str(path),))


def _files_below(folder: Path) -> Iterator[str]:
    """All files of a folder and its folders, without hidden ones."""
    for path in sorted(folder.iterdir()):  # raises where the folder may not be read
        if path.name.startswith("."):
            continue
        if path.is_dir():
            yield from _files_below(path)
        elif path.is_file():
            yield str(path)


def _common_root(pattern: str) -> str:
    """The folder before the first wildcard."""
    return str(Path(*takewhile(lambda part: not _is_pattern(part), Path(pattern).parts)))


def _is_pattern(text: str) -> bool:
    return any(c in text for c in "*?[")


def _neighbours(path: Path) -> str | None:
    folder = path.parent
    if not folder.is_dir():
        return f"there is no folder '{folder}' either"
    return suggestion(path.name, [p.name for p in folder.iterdir()]).strip() or None


@contextmanager
def open_input(path: str) -> Iterator[BinaryIO]:
    """A stream of decompressed bytes, from a path or `-`. Broken archives are InputErrors.

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
            stream = _decompressed(raw, name)
        yield _Input(stream, name)  # type: ignore[misc]


def _opened(path: str) -> BinaryIO:
    if path == "-":
        return io.BytesIO(sys.stdin.buffer.read())
    if Path(path).is_dir():
        raise InputError(f"'{path}' is a folder, expected a file")
    return Path(path).open("rb")


@contextmanager
def _faults_of(name: str) -> Iterator[None]:
    """Say which input could not be read."""
    try:
        yield
    except gzip.BadGzipFile as error:
        raise InputError(f"{name}: not a whole gzip file: {error}") from None
    except OSError as error:
        raise InputError(f"cannot read '{name}': {error.strerror or error}") from None
    except (EOFError, zlib.error) as error:
        raise InputError(
            f"{name}: the compressed file is cut off or damaged ({error})",
            help="fetch or write it again",
        ) from None


class _Input(io.BufferedIOBase):
    """An open input: what goes wrong in its methods is the input's fault."""

    def __init__(self, stream: BinaryIO, name: str) -> None:
        self._stream = stream
        self._name = name

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
            return self._stream.read(-1 if size is None else size)

    read1 = read

    def readline(self, size: int | None = -1, /) -> bytes:
        with _faults_of(self._name):
            return self._stream.readline(-1 if size is None else size)


def _decompressed(stream: BinaryIO, origin: str) -> BinaryIO:
    """Looks at the first bytes, not at the name."""
    if not stream.seekable():  # a pipe, such as a process substitution of the shell
        stream = io.BytesIO(stream.read())
    magic = stream.read(4)
    stream.seek(0)
    if magic[:2] == b"\x1f\x8b":
        return gzip.GzipFile(fileobj=stream)  # type: ignore[return-value]
    if magic == b"\x28\xb5\x2f\xfd":
        return _zstd(stream, origin)
    return stream


def _zstd(stream: BinaryIO, origin: str) -> BinaryIO:
    zstandard = _zstandard(origin)
    data, whole = stream.read(), []
    try:
        while data:  # a file may hold several frames
            frame = zstandard.ZstdDecompressor().decompressobj()
            whole.append(frame.decompress(data))
            if not frame.eof:
                raise zstandard.ZstdError("unexpected end")
            data = frame.unused_data
    except zstandard.ZstdError as error:
        raise InputError(f"{origin}: the compressed file is cut off or damaged ({error})") from None
    return io.BytesIO(b"".join(whole))


def _zstandard(origin: str) -> ModuleType:
    try:
        import zstandard
    except ImportError:
        raise InputError(
            f"{origin} is compressed with zstd",
            help="install the extra: pip install 'tertium[zstd]'",
        ) from None
    return zstandard


@contextmanager
def open_output(path: str) -> Iterator[BinaryIO]:
    """A binary stream to a path (compressed by its suffix) or `-` for stdout."""
    if path == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    try:
        if path.endswith(".gz"):
            # No time stamp and no name: the same data gives the same bytes.
            with Path(path).open("wb") as raw, gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as out:
                yield out  # type: ignore[misc]
        elif path.endswith(".zst"):
            zstandard = _zstandard(path)
            buffer = io.BytesIO()
            yield buffer
            Path(path).write_bytes(zstandard.ZstdCompressor().compress(buffer.getvalue()))
        else:
            with Path(path).open("wb") as out:
                yield out
    except OSError as error:
        raise InputError(f"cannot write '{path}': {error.strerror or error}") from None


def load_json(path: str) -> Any:
    """What a JSON file holds."""
    try:
        return json.loads(Path(path).read_bytes())
    except OSError as error:
        raise InputError(f"cannot read '{path}': {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is not JSON: {error}") from None


@contextmanager
def replacing(path: str) -> Iterator[str]:
    """A temporary name beside `path`, moved there at the end; after an exception nothing is left.

    A device or pipe is written to directly. The mode of a file that is replaced is kept.
    """
    target = Path(path)
    if target.is_dir():
        raise InputError(f"cannot write '{path}': it is a folder")
    if target.exists() and not target.is_file():
        yield path
        return
    target = target.resolve()  # through symbolic links, which stay
    temporary = target.with_name(f".{os.getpid()}.{target.name}")
    with at_end(partial(temporary.unlink, missing_ok=True)):
        try:
            yield str(temporary)
            if target.exists():
                shutil.copymode(target, temporary)
            temporary.replace(target)
        except OSError as error:
            raise InputError(f"cannot write '{path}': {error.strerror or error}") from None
