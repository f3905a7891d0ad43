"""Loops over answers."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tertium._jit import kernel


@kernel
def number_answers(answer: npt.NDArray[np.int64], numbers: npt.NDArray[np.integer[Any]]) -> None:
    """Fill in `numbers` (systems x items): of systems that give the same answer to an item, the
    number of the first."""
    for system in range(answer.shape[0]):
        for i in range(answer.shape[1]):
            numbers[system, i] = system
        for earlier in range(system - 1, -1, -1):
            for i in range(answer.shape[1]):
                if answer[system, i] == answer[earlier, i]:
                    numbers[system, i] = numbers[earlier, i]
