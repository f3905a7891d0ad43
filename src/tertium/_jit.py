"""The one decorator for hot loops: numba, cached on disk where a folder is writable.

Kernels live in modules named `_kernels.py` and call only kernels of their own file: a cached
kernel is not compiled again when another module changes.
"""

from __future__ import annotations

import pickle
import sys
import zlib
from collections.abc import Callable
from functools import cache
from glob import escape
from pathlib import Path
from typing import Any, TypeVar, cast

from tertium._progress import announce
from tertium._signals import uninterrupted
from tertium.exceptions import InputError, shorten

F = TypeVar("F", bound=Callable[..., Any])
COMPILING = "compiling (on first use only, a few seconds)"
ADVICE = "set NUMBA_CACHE_DIR to a folder only you can write"


@cache
def _cache_class() -> type[Any]:
    """numba's cache of a function, from which a kernel comes without loading the compiler first,
    and which may fail: the kernel is then compiled as if there were no cache.

    numba makes itself ready to compile before it looks into its cache: it loads all of its
    functions for numpy and, to look for BLAS, scipy.linalg, which costs a third of a second in
    every process. To run cached code only its memory manager is needed; a kernel that is not in the
    cache is compiled as ever, since compiling makes the same preparations itself. Whatever is
    different in another version of numba, its own way is taken.
    """
    from numba.core.caching import FunctionCache, IndexDataCacheFile
    from numba.core.runtime.nrt import rtsys

    class KernelFile(IndexDataCacheFile):
        """With a checksum after the code, since running damaged code would crash the process."""

        def _dump(self, obj: Any) -> bytes:
            data = super()._dump(obj)  # type: ignore[no-untyped-call]
            return cast(bytes, data + _checksum(data))

        def _load_data(self, name: str) -> Any:
            path = Path(self._data_path(name))  # type: ignore[no-untyped-call]
            if path.is_dir():  # numba would take it for a file that is not there yet
                raise ValueError("a folder")
            data = path.read_bytes()
            if data[-4:] != _checksum(data[:-4]):
                raise ValueError("wrong checksum")
            return pickle.loads(data)

    class KernelCache(FunctionCache):
        def __init__(self, function: Any) -> None:
            super().__init__(function)  # type: ignore[no-untyped-call]
            name, stamp = self._impl.filename_base, self._impl.locator.get_source_stamp()
            self._cache_file = KernelFile(self._cache_path, f"{name}.checked", stamp)  # type: ignore[no-untyped-call]

        def load_overload(self, sig: Any, target_context: Any) -> Any:
            found = self._load(sig, target_context)
            if found is None:  # numba compiles it next
                announce(COMPILING)
            return found

        def _load(self, sig: Any, target_context: Any) -> Any:
            try:
                try:
                    rtsys.initialize(target_context)
                    with self._guard_against_spurious_io_errors():
                        return self._load_overload(sig, target_context)  # type: ignore[no-untyped-call]
                except Exception:
                    return super().load_overload(sig, target_context)  # type: ignore[no-untyped-call]
            except Exception:
                _renew(self)
                return None

        def save_overload(self, sig: Any, data: Any) -> None:
            try:
                with uninterrupted():
                    super().save_overload(sig, data)  # type: ignore[no-untyped-call]
            except Exception as error:
                reason = getattr(error, "strerror", None) or error
                _lose(f"compiled code cannot be kept in '{self._cache_path}' ({reason})", ADVICE)
                self.disable()  # type: ignore[no-untyped-call]

    return KernelCache


def _renew(cache: Any) -> None:
    """Forget what a damaged cache has."""
    _note(f"compiled code in '{cache._cache_path}' is damaged; it is compiled again")
    index = Path(cache._cache_file._index_path)
    try:
        for path in index.parent.glob(f"{escape(index.stem)}.*"):
            if path.is_dir():
                path.rmdir()  # an empty folder only: nobody's files are lost
        index.unlink(missing_ok=True)
    except OSError:
        cache.disable()


def _checksum(data: bytes) -> bytes:
    return zlib.crc32(data).to_bytes(4, "big")


_notes: list[str] = []
_losses: list[str] = []


def loss() -> str:
    """Why code that this process compiled is not kept; empty if it is."""
    return _losses[0] if _losses else ""


def _lose(reason: str, advice: str) -> None:
    _losses.append(reason)
    _note(f"{reason}; {advice}")


def _note(text: str) -> None:
    """Say it on stderr, but only the first such thing, and not in a process of `--jobs`."""
    from multiprocessing import parent_process

    if not _notes and sys.stderr is not None and parent_process() is None:
        _notes.append(text)
        print(f"note: {text}", file=sys.stderr)


def kernel(function: F) -> F:
    """Compile `function` with numba (nogil, cached). Without a cache folder that works it is
    compiled in every process, and one note on stderr says so."""
    try:
        import numba
    except (OSError, ImportError) as error:
        reason = shorten(" ".join(str(error).split()), 80)
        raise InputError(
            f"compiled code (numba) could not be loaded: {reason}",
            help="this process may not have enough memory (ulimit -v)",
        ) from None
    compiled: Any = numba.njit(nogil=True)(function)
    if compiled is not function:  # which NUMBA_DISABLE_JIT gives back
        try:
            compiled._cache = _cache_class()(function)
        except RuntimeError:  # numba: "cannot cache function: no locator available"
            _lose(
                "compiled code cannot be kept: no folder is writable", f"to start faster, {ADVICE}"
            )
    return cast(F, compiled)
