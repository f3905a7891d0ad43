"""What changed between systems: differences item by item, upper bounds, ensembles.

Python makes a package an attribute of the one above it, so that `tertium.compare` is this package
as soon as any of its modules is loaded. It can be called like the function of that name.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


class _Package(ModuleType):
    def __call__(self, *data: Any, **options: Any) -> Any:
        """`tertium.compare(gold, a, b, ...)`: see `tertium.compare.comparing.compare`."""
        from tertium.compare.comparing import compare

        return compare(*data, **options)


sys.modules[__name__].__class__ = _Package
