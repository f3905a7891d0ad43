"""Hot loops over nodes of trees."""

from __future__ import annotations

from typing import Any

import numpy as np

from tertium._jit import kernel


@kernel
def first_leaves(node_parent: Any, leaf_parent: Any, first: Any) -> None:
    """Of every node the first leaf below it; `first` is -1 before, and stays so without leaves."""
    for leaf in range(len(leaf_parent)):
        node = leaf_parent[leaf]
        while node >= 0 and first[node] < 0:
            first[node] = leaf
            node = node_parent[node]


@kernel
def nodes_in_preorder(
    node_parent: Any, by_first: Any, child: Any, sibling: Any, order: Any
) -> None:
    """All nodes in preorder, siblings in the order that `by_first` has them in.

    `child` and `sibling` are -1 before; the last `child` is that of what has no parent.
    """
    for i in range(len(by_first) - 1, -1, -1):
        node = by_first[i]
        above = node_parent[node]
        sibling[node] = child[above]
        child[above] = node
    node = child[-1]
    for i in range(len(order)):
        order[i] = node
        if child[node] >= 0:
            node = child[node]
            continue
        while sibling[node] < 0 and node_parent[node] >= 0:
            node = node_parent[node]
        node = sibling[node]


@kernel
def cover_tokens(
    parent: Any, leaf_parent: Any, token: Any, start: Any, end: Any, size: Any
) -> None:
    """First token, end and number of tokens of every row; `token` is -1 for leaves that are no
    tokens. `size` is 0 before. Rows without tokens are left alone."""
    for leaf in range(len(leaf_parent)):
        row = leaf_parent[leaf] if token[leaf] >= 0 else -1
        while row >= 0:
            if size[row] == 0:
                start[row] = token[leaf]
            end[row] = token[leaf] + 1
            size[row] += 1
            row = parent[row]


@kernel
def list_tokens(
    parent: Any, leaf_parent: Any, token: Any, start: Any, at: Any, values: Any
) -> None:
    """The tokens of every row, counted from its start, into `values` from `at` on."""
    for leaf in range(len(leaf_parent)):
        row = leaf_parent[leaf] if token[leaf] >= 0 else -1
        while row >= 0:
            values[at[row]] = token[leaf] - start[row]
            at[row] += 1
            row = parent[row]


@kernel
def lower_marks(is_mark: Any, offsets: Any, mother: Any, parent: Any, seen: Any) -> int:
    """Attach marks in a gap to the lowest constituent over the words next to them, if that is below
    their mother; how many there were. `seen` is -1 before."""
    count = 0
    for sentence in range(len(offsets) - 1):
        before = -1
        for token in range(offsets[sentence], offsets[sentence + 1]):
            if not is_mark[token]:
                before = token
                continue
            after = token + 1
            while after < offsets[sentence + 1] and is_mark[after]:
                after += 1
            if before < 0 or after == offsets[sentence + 1]:
                continue
            row = mother[before]
            while row >= 0:
                seen[row] = token
                row = parent[row]
            row = mother[after]
            while row >= 0 and seen[row] != token:
                row = parent[row]
            above = row
            while above >= 0 and above != mother[token]:
                above = parent[above]
            if row >= 0 and above == mother[token] and row != above:
                mother[token] = row
                count += 1
    return count


@kernel
def raise_branches(
    mother: Any, head: Any, start: Any, end: Any, child: Any, sibling: Any, moved: Any
) -> None:
    """Attach what is separated from the head of a constituent to the constituent above, from the
    last row to the first, so no constituent has a gap in the end.

    Places are tokens, then rows. `mother`, `start` and `end` are those of places, `head` and
    `child` (-1 before, as `sibling`) of rows; `moved` is set for places that are raised.
    """
    tokens = len(mother) - len(head)
    for place in range(len(mother) - 1, -1, -1):
        if mother[place] >= 0:
            sibling[place] = child[mother[place]]
            child[mother[place]] = place
    for row in range(len(head) - 1, -1, -1):
        words, count = 0, 0
        low, high = end[tokens + row], start[tokens + row]
        place = child[row]
        while place >= 0:
            if end[place] > start[place]:
                words += end[place] - start[place]
                count += 1
                low, high = min(low, start[place]), max(high, end[place])
            place = sibling[place]
        if words == 0:
            continue
        if words < high - low:
            parts = np.empty(count, np.int64)
            starts = np.empty(count, np.int64)
            count = 0
            place = child[row]
            while place >= 0:
                if end[place] > start[place]:
                    parts[count] = place
                    starts[count] = start[place]
                    count += 1
                place = sibling[place]
            parts = parts[np.argsort(starts)]
            at = 0
            for i in range(count):
                if parts[i] == head[row]:
                    at = i
            first, last = at, at
            while first > 0 and end[parts[first - 1]] == start[parts[first]]:
                first -= 1
            while last + 1 < count and end[parts[last]] == start[parts[last + 1]]:
                last += 1
            low, high = start[parts[first]], end[parts[last]]
            place = child[row]
            child[row] = -1
            while place >= 0:
                following = sibling[place]
                if start[place] < low or end[place] > high:
                    mother[place] = mother[tokens + row]
                    moved[place] = True
                if mother[place] >= 0:
                    sibling[place] = child[mother[place]]
                    child[mother[place]] = place
                place = following
        start[tokens + row], end[tokens + row] = low, high
