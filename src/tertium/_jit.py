"""The one decorator for hot loops: numba, cached on disk where a folder is writable.

Kernels live in modules named `_kernels.py` and call only kernels of their own file: a cached
kernel is not compiled again when another module changes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeVar, cast

F = TypeVar("F", bound=Callable[..., Any])

_noted = False


def _load_numba() -> None:
    """Load numba with scipy out of its sight.

    It would load scipy.linalg to look for BLAS, which costs a fifth of a second in every process;
    no kernel of ours multiplies matrices.
    """
    hidden = "scipy" not in sys.modules
    if hidden:
        sys.modules["scipy"] = None  # type: ignore[assignment]
    try:
        import_module("numba")
        import_module("numba.np.arraymath")
    except ModuleNotFoundError:
        pass  # another version of numba keeps it elsewhere; only start-up is slower then
    finally:
        if hidden:
            del sys.modules["scipy"]


def kernel(function: F) -> F:
    """Compile `function` with numba (nogil, cached). Without a writable cache folder it is compiled
    in every process, and one note on stderr says so."""
    if "numba" not in sys.modules:
        _load_numba()
    import numba

    global _noted
    try:
        return cast(F, numba.njit(cache=True, nogil=True)(function))
    except RuntimeError:  # numba: "cannot cache function: no locator available"
        if not _noted:
            _noted = True
            print(
                "note: no writable folder for compiled code; set NUMBA_CACHE_DIR to start faster",
                file=sys.stderr,
            )
        return cast(F, numba.njit(nogil=True)(function))
