"""Loops over votes of annotators, compiled. Votes are sorted by item and, within items, by label.

`start` has the first vote of every item, and one more. `control` has the known label of an item,
-1 if it is not known.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tertium._jit import kernel


@kernel
def expect(
    start: Any,
    annotator: Any,
    label: Any,
    control: Any,
    labels: int,
    base: Any,
    gain: Any,
    share: Any,
    posterior: Any,
    knows: Any,
    guesses: Any,
) -> Any:
    """The E step of MACE: the log likelihood.

    For every annotator and label: `base`, the log of the probability of guessing it; `gain`, what
    the log rises by if it is the true one; `share`, how probable it then is that the annotator
    knew. `posterior` receives, for each vote, the probability that it is right; `knows` and
    `guesses` the expected counts. Labels without votes all have the same probability, so none of
    them is looked at.
    """
    total, product = 0.0, 1.0
    knows[:] = 0.0
    guesses[:] = 0.0
    for item in range(len(start) - 1):
        first, last = start[item], start[item + 1]
        if first == last:
            continue
        product *= labels
        norm = 1.0
        if control[item] >= 0:
            for row in range(first, last):
                known = label[row] == control[item]
                posterior[row] = 1.0 if known else 0.0
                total += gain[annotator[row], label[row]] if known else 0.0
        else:
            top, rise, runs = 0.0, 0.0, 1
            for row in range(first, last):
                if row > first and label[row] != label[row - 1]:
                    top = max(top, rise)
                    rise = 0.0
                    runs += 1
                rise += gain[annotator[row], label[row]]
                posterior[row] = rise  # the last vote of a label has the sum of all
            top = max(top, rise)
            total += top
            norm = (labels - runs) * np.exp(-top)
            for row in range(last - 1, first - 1, -1):
                if row < last - 1 and label[row] == label[row + 1]:
                    posterior[row] = posterior[row + 1]
                else:
                    posterior[row] = np.exp(posterior[row] - top)
                    norm += posterior[row]
        product /= norm
        if product > 1e200 or product < 1e-200:  # one logarithm for many items
            total -= np.log(product)
            product = 1.0
        for row in range(first, last):
            one, what = annotator[row], label[row]
            posterior[row] /= norm
            known_share = posterior[row] * share[one, what]
            total += base[one, what]
            knows[one] += known_share
            guesses[one, what] += 1.0 - known_share
    return total - np.log(product)
