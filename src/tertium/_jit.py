"""The one decorator for hot loops: numba, cached on disk where a folder is writable.

Kernels live in modules named `_kernels.py` and call only kernels of their own file: a cached
kernel is not compiled again when another module changes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any, TypeVar, cast

F = TypeVar("F", bound=Callable[..., Any])

_noted = False


@contextmanager
def _without_scipy() -> Iterator[None]:
    """Load parts of numba with scipy out of their sight.

    They would load scipy.linalg to look for BLAS, which costs a fifth of a second in every process;
    no kernel of ours multiplies matrices.
    """
    hidden = "scipy" not in sys.modules
    if hidden:
        sys.modules["scipy"] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        if hidden:
            del sys.modules["scipy"]


def _load_lightly(compiled: Any) -> None:
    """Let a kernel come from the cache without loading all of the compiler first.

    numba makes itself ready to compile before it looks into its cache, which costs a sixth of a
    second in every process. To run cached code only its memory manager is needed; a kernel that
    is not in the cache is compiled as ever, since compiling makes the same preparations itself.
    Whatever is different in another version of numba, its own way is taken.
    """
    try:
        cache = compiled._cache
        usual = cache.load_overload
        start_memory_manager = import_module("numba.core.runtime").rtsys.initialize
        load, guard = cache._load_overload, cache._guard_against_spurious_io_errors
    except (AttributeError, ImportError):
        return

    def load_overload(signature: Any, target: Any) -> Any:
        try:
            start_memory_manager(target)
            with guard():
                found = load(signature, target)
        except Exception:
            return usual(signature, target)
        if found is None:  # to be compiled: load what looks for BLAS
            with _without_scipy(), suppress(ImportError):
                import_module("numba.np.arraymath")
        return found

    cache.load_overload = load_overload


def kernel(function: F) -> F:
    """Compile `function` with numba (nogil, cached). Without a writable cache folder it is compiled
    in every process, and one note on stderr says so."""
    with _without_scipy():
        import numba

    global _noted
    try:
        compiled = numba.njit(cache=True, nogil=True)(function)
    except RuntimeError:  # numba: "cannot cache function: no locator available"
        if not _noted:
            _noted = True
            print(
                "note: no writable folder for compiled code; set NUMBA_CACHE_DIR to start faster",
                file=sys.stderr,
            )
        return cast(F, numba.njit(nogil=True)(function))
    _load_lightly(compiled)
    return cast(F, compiled)
