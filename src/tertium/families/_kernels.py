"""Hot loops of votes: the labels, and the trees, with most of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from tertium._jit import kernel


@kernel
def shared(votes: Any) -> Any:
    """How often each system votes as another does; -1 is no vote."""
    systems, places = votes.shape
    found = np.zeros(systems, np.int64)
    for one in range(systems):
        for other in range(one):
            equal = 0
            for place in range(places):
                equal += votes[one, place] >= 0 and votes[one, place] == votes[other, place]
            found[one] += equal
            found[other] += equal
    return found


@kernel
def most_votes(
    votes: Any, fold: Any, table: Any, column: Any, agreement: Any, order: Any
) -> tuple[Any, Any]:
    """The label with most votes for every token, -1 where nobody votes; and whether another label
    has as many.

    `votes` has a row of label codes for every system, -1 for no vote; what a vote is worth is
    `table[fold of the token, system, column of the label]`, an integer, so that sums are exact. Of
    equal labels the one wins whose voters have more `agreement` together, then the one that comes
    first in `order`.
    """
    systems, tokens = votes.shape
    found = np.full(tokens, -1, np.int32)
    tied = np.zeros(tokens, np.bool_)
    for token in range(tokens):
        most, strongest = np.int64(-1), np.int64(-1)
        for first in range(systems):
            label = votes[first, token]
            if label < 0:
                continue
            total, strength = np.int64(0), np.int64(0)
            counted = False
            for system in range(systems):
                if votes[system, token] == label:
                    if system < first:
                        counted = True
                        break
                    total += table[fold[token], system, column[label]]
                    strength += agreement[system]
            if counted or total < most:
                continue
            tied[token] = total == most
            if (
                total > most
                or strength > strongest
                or (strength == strongest and order[label] < order[found[token]])
            ):
                most, strongest = total, strength
                found[token] = label
    return found, tied


@kernel
def most_ballots(start: Any, voter: Any, label: Any, agreement: Any, order: Any) -> tuple[Any, Any]:
    """`most_votes` of votes one by one, all worth the same: those of an item begin at its `start`
    and are sorted by label."""
    items = len(start) - 1
    found = np.full(items, -1, np.int32)
    tied = np.zeros(items, np.bool_)
    for item in range(items):
        most, strongest = np.int64(0), np.int64(-1)
        row = start[item]
        while row < start[item + 1]:
            what, total, strength = label[row], np.int64(0), np.int64(0)
            while row < start[item + 1] and label[row] == what:
                total += 1
                strength += agreement[voter[row]]
                row += 1
            if total < most:
                continue
            tied[item] = total == most
            if (
                total > most
                or strength > strongest
                or (strength == strongest and order[what] < order[found[item]])
            ):
                most, strongest = total, strength
                found[item] = what
    return found, tied


@kernel
def best_heads(heads: Any, offsets: Any, fold: Any, weight: Any, agreement: Any) -> tuple[Any, Any]:
    """The tree with most votes for every sentence (Sagae and Lavie 2006, section 2.1), and for
    every word whether several heads have most.

    `heads` has a row for every system: heads counted from 1 in the sentence, 0 for the root, -1 for
    no vote. `weight[fold of the word, system]` is what an arc of a system is worth, an integer, so
    that sums are exact. Of equal trees the one wins whose arcs have voters with more
    `agreement`, then one with smaller heads. Where the votes make no tree, words are left without
    head (-1).
    """
    systems, tokens = heads.shape
    found = np.full(tokens, -1, np.int32)
    tied = np.zeros(tokens, np.bool_)
    longest = 0
    for sentence in range(len(offsets) - 1):
        longest = max(longest, offsets[sentence + 1] - offsets[sentence])
    room = longest * (systems + 1)
    # Of arcs: source and target, counted from 1 with 0 for the root, votes and rank.
    arcs = (
        np.empty(room, np.int64),
        np.empty(room, np.int64),
        np.empty(room, np.int64),
        np.empty(room, np.int64),
    )
    chosen = np.empty(longest, np.int64)
    for sentence in range(len(offsets) - 1):
        base, size = offsets[sentence], offsets[sentence + 1] - offsets[sentence]
        count = _arcs(heads, base, size, fold, weight, agreement, arcs, tied)
        one_root = _someone_has_one_root(heads, base, size)
        if not _likeliest_heads(arcs, count, size, one_root, chosen):
            _spanning_tree(arcs, count, size, one_root, chosen)
        for word in range(size):
            found[base + word] = chosen[word]
    return found, tied


@kernel
def _arcs(
    heads: Any, base: int, size: int, fold: Any, weight: Any, agreement: Any, arcs: Any, tied: Any
) -> int:
    """Every arc that is voted for, those into one word side by side in the order of their heads;
    how many there are. Its rank is the agreement of its voters."""
    source, target, votes, rank = arcs
    count = 0
    for word in range(size):
        begin = count
        for system in range(len(heads)):
            head = heads[system, base + word]
            if head < 0:
                continue
            at = begin
            while at < count and source[at] < head:
                at += 1
            if at == count or source[at] != head:
                for later in range(count, at, -1):
                    source[later] = source[later - 1]
                    votes[later], rank[later] = votes[later - 1], rank[later - 1]
                source[at], target[count] = head, word + 1
                votes[at], rank[at] = 0, 0
                count += 1
            votes[at] += weight[fold[base + word], system]
            rank[at] += agreement[system]
        most = np.int64(-1)
        for arc in range(begin, count):
            if votes[arc] >= most:
                tied[base + word] = votes[arc] == most
                most = votes[arc]
    return count


@kernel
def _someone_has_one_root(heads: Any, base: int, size: int) -> bool:
    """Has a system a head for every word and exactly one root?"""
    for system in range(len(heads)):
        roots = 0
        for word in range(size):
            head = heads[system, base + word]
            if head < 0:
                roots = -1
                break
            roots += head == 0
        if roots == 1:
            return True
    return False


@kernel
def _best_arcs(arcs: Any, count: int, top: Any, best: Any) -> None:
    """Fill in the best arc into every node; `top` is the node that each word belongs to."""
    source, target, votes, rank = arcs
    for arc in range(count):
        node = top[target[arc]]
        if top[source[arc]] == node:
            continue
        b = best[node]
        if b < 0 or votes[arc] > votes[b] or (votes[arc] == votes[b] and rank[arc] > rank[b]):
            best[node] = arc


@kernel
def _likeliest_heads(arcs: Any, count: int, size: int, one_root: bool, chosen: Any) -> bool:
    """The best head of every word by itself. Is that a tree? Then there is no better one."""
    best = np.full(size + 1, -1, np.int64)
    _best_arcs(arcs, count, np.arange(size + 1), best)
    roots = 0
    for word in range(size):
        if best[word + 1] < 0:
            return False
        chosen[word] = arcs[0][best[word + 1]]
        roots += chosen[word] == 0
    if roots == 0 or (one_root and roots > 1):
        return False
    seen = np.zeros(size, np.int64)
    for word in range(size):
        at = word
        while at >= 0 and seen[at] == 0:
            seen[at] = word + 1
            at = chosen[at] - 1
        if at >= 0 and seen[at] == word + 1:
            return False
    return True


@kernel
def _spanning_tree(arcs: Any, count: int, size: int, one_root: bool, chosen: Any) -> None:
    """The spanning tree with most votes, of equal ones that with the highest ranks (Chu and Liu
    1965, Edmonds 1967).

    Node 0 is the root, nodes above `size` are contracted cycles. If `one_root`, arcs of the root
    cost more than all votes together. Every word has an arc of the root that nobody voted for and
    that costs yet more; a word that needs it is left without head. Arrays are changed.
    """
    source, target, votes, rank = arcs
    everything = 1 + votes[:count].sum()
    for arc in range(count):
        if one_root and source[arc] == 0:
            votes[arc] -= everything
    voted = count
    for word in range(size):
        source[count], target[count] = 0, word + 1
        votes[count], rank[count] = -2 * everything * (size + 1), 0
        count += 1

    parent = np.full(2 * size + 1, -1, np.int64)
    best = np.full(2 * size + 1, -1, np.int64)
    top = np.arange(size + 1)  # the outermost cycle around each node
    nodes = size + 1
    while True:
        for node in range(nodes):
            if parent[node] < 0:
                best[node] = -1
        _best_arcs(arcs, count, top, best)
        before = nodes
        nodes = _contract_cycles(source, best, parent, top, nodes)
        if nodes == before:
            break
        _subtract_best(arcs, count, best, parent, top, before)
        for node in range(1, size + 1):
            if parent[top[node]] >= 0:
                top[node] = parent[top[node]]

    for cycle in range(nodes - 1, size, -1):
        at = target[best[cycle]]
        while parent[at] != cycle:
            at = parent[at]
        best[at] = best[cycle]
    for word in range(size):
        arc = best[word + 1]
        chosen[word] = source[arc] if arc < voted else -1


@kernel
def _contract_cycles(source: Any, best: Any, parent: Any, top: Any, nodes: int) -> int:
    """Give every cycle of best arcs a node, which is the parent of those on it; how many nodes
    there are then."""
    before = nodes
    seen = np.zeros(before, np.int64)
    for node in range(1, before):
        if parent[node] >= 0:
            continue
        at = node
        while at != 0 and seen[at] == 0:
            seen[at] = node
            at = top[source[best[at]]]
        if at == 0 or seen[at] != node:
            continue
        last = at
        while True:
            parent[at] = nodes
            at = top[source[best[at]]]
            if at == last:
                break
        nodes += 1
    return nodes


@kernel
def _subtract_best(arcs: Any, count: int, best: Any, parent: Any, top: Any, nodes: int) -> None:
    """What an arc into a cycle is worth is what it gains over the arc that it puts out."""
    _, target, votes, rank = arcs
    lost_votes, lost_rank = np.zeros(nodes, np.int64), np.zeros(nodes, np.int64)
    for node in range(1, nodes):
        if best[node] >= 0:
            lost_votes[node], lost_rank[node] = votes[best[node]], rank[best[node]]
    for arc in range(count):
        node = top[target[arc]]
        if parent[node] >= 0:
            votes[arc] -= lost_votes[node]
            rank[arc] -= lost_rank[node]
