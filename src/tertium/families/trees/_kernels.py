"""Hot loops over constituent trees."""

from __future__ import annotations

from typing import Any

import numpy as np

from tertium._jit import kernel


@kernel
def heights(parent: Any, is_seen: Any) -> Any:
    """The number of rows on the longest way down from each row, itself included, over rows that
    are seen; 0 for others. Rows stand in preorder."""
    height = np.zeros(len(parent), np.int32)
    for row in range(len(parent) - 1, -1, -1):
        if is_seen[row]:
            height[row] += 1
            above = parent[row]
            if above >= 0 and height[above] < height[row]:
                height[above] = height[row]
    return height
