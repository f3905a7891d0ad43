"""The one decorator for hot loops: numba, cached on disk where a folder is writable.

Kernels live in modules named `_kernels.py` and call only kernels of their own file: a cached
kernel is not compiled again when another module changes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar, cast

F = TypeVar("F", bound=Callable[..., Any])


@cache
def _cache_class() -> type[Any]:
    """numba's cache of a function, from which a kernel comes without loading the compiler first.

    numba makes itself ready to compile before it looks into its cache: it loads all of its
    functions for numpy and, to look for BLAS, scipy.linalg, which costs a third of a second in
    every process. To run cached code only its memory manager is needed; a kernel that is not in the
    cache is compiled as ever, since compiling makes the same preparations itself. Whatever is
    different in another version of numba, its own way is taken.
    """
    from numba.core.caching import FunctionCache
    from numba.core.runtime.nrt import rtsys

    class KernelCache(FunctionCache):
        def load_overload(self, sig: Any, target_context: Any) -> Any:
            try:
                rtsys.initialize(target_context)
                with self._guard_against_spurious_io_errors():
                    return self._load_overload(sig, target_context)  # type: ignore[no-untyped-call]
            except Exception:
                return super().load_overload(sig, target_context)  # type: ignore[no-untyped-call]

    return KernelCache


@cache
def _note_no_cache() -> None:
    print(
        "note: no writable folder for compiled code; set NUMBA_CACHE_DIR to start faster",
        file=sys.stderr,
    )


def kernel(function: F) -> F:
    """Compile `function` with numba (nogil, cached). Without a writable cache folder it is compiled
    in every process, and one note on stderr says so."""
    import numba

    compiled: Any = numba.njit(nogil=True)(function)
    if compiled is not function:  # which NUMBA_DISABLE_JIT gives back
        try:
            compiled._cache = _cache_class()(function)
        except RuntimeError:  # numba: "cannot cache function: no locator available"
            _note_no_cache()
    return cast(F, compiled)
