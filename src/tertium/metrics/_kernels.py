"""Hot loops of metrics."""

from __future__ import annotations

from typing import Any

import numpy as np

from tertium._jit import kernel


@kernel
def global_heads(head: Any, offsets: Any) -> Any:
    """Heads as token numbers in the corpus; -1 for the root, -2 where the file gives none."""
    found = np.empty(len(head), np.int64)
    for sentence in range(len(offsets) - 1):
        base = offsets[sentence] - 1
        for token in range(offsets[sentence], offsets[sentence + 1]):
            h = head[token]
            found[token] = base + h if h > 0 else (-1 if h == 0 else -2)
    return found


@kernel
def judge_arcs(
    gold_head: Any,
    gold_label: Any,
    system_head: Any,
    system_label: Any,
    partner: Any,
    uses_head: bool,
    uses_label: bool,
) -> Any:
    """For every gold word: outcome, error type, and the head and label its partner has.

    `system_head` is in gold tokens. Outcomes: 0 correct, 1 wrong, 2 missing; errors: 0 none, 1
    attachment, 2 label, 3 both, 4 unaligned; -2 and -1 stand for no head and no label.
    """
    size = len(partner)
    outcome = np.empty(size, np.uint8)
    error = np.empty(size, np.uint8)
    said_head = np.empty(size, np.int64)
    said_label = np.empty(size, np.int32)
    for i in range(size):
        s = partner[i]
        if s < 0:
            outcome[i] = 2
            error[i] = 4
            said_head[i] = -2
            said_label[i] = -1
            continue
        wrong = 0
        if uses_head and (system_head[s] != gold_head[i] or gold_head[i] == -2):
            wrong += 1
        if uses_label and system_label[s] != gold_label[i]:
            wrong += 2
        outcome[i] = 1 if wrong else 0
        error[i] = wrong
        said_head[i] = system_head[s]
        said_label[i] = system_label[s]
    return outcome, error, said_head, said_label
