"""Columns of numbers as text: little-endian numbers of the least size that holds them, as base64.

That takes a tenth of the time of writing and reading that digits would take, and less room.
"""

from __future__ import annotations

from base64 import b64encode
from typing import Any

import numpy as np
from numpy.typing import NDArray

_TYPES = ("u1", "i1", "u2", "i2", "i4")


def packed(values: NDArray[Any]) -> dict[str, str]:
    """A column in the smallest type of number that holds it, all rows one after the other.

    >>> packed(np.array([-1, 200])), packed(np.array([], dtype=np.int32))
    ({'type': 'i2', 'data': '///IAA=='}, {'type': 'u1', 'data': ''})
    """
    kind = smallest(values)
    data = b64encode(values.astype(f"<{kind}").tobytes()).decode("ascii")
    return {"type": kind, "data": data}


def smallest(values: NDArray[Any]) -> str:
    """The least type of number that holds a column."""
    low, high = (int(values.min()), int(values.max())) if values.size else (0, 0)
    for kind in _TYPES:
        info = np.iinfo(kind)
        if info.min <= low and high <= info.max:
            return kind
    raise ValueError(f"{low} to {high} does not fit into 32 bits")
