"""What changed between systems: differences item by item, upper bounds, ensembles.

`tertium.compare(gold, a, b, ...)` compares systems and gives a `Comparison`;
`help(tertium.compare.comparing.compare)` tells its parameters. Python gives this package and that
function the same name in `tertium`, and whichever of the two it finds there must do both.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tertium.compare.comparison import Comparison


class _Callable(ModuleType):
    def __call__(self, gold: Any, *systems: Any, **options: Any) -> Comparison:
        """See `tertium.compare.comparing.compare`."""
        from tertium.compare.comparing import compare

        return compare(gold, *systems, **options)


sys.modules[__name__].__class__ = _Callable
