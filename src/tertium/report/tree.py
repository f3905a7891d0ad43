"""Constituents as a tree: what is under each node, at which level it stands and over which words.

Leaves are words in their order. A node stands at a level above all that lies between its first and
its last word, over a stretch of its own words. So the lines to what is under it, first across and
then straight down, meet no label, also where branches cross.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tertium.report.layout import levels
from tertium.results.figures import Figure, Node
from tertium.results.items import runs
from tertium.results.texts import counted

SIGNS = {"missing": "−", "extra": "+", "wrong": "≠", "excused": "≈"}  # by outcome
LONGEST_CHAIN = 12  # nodes over the same words, one above the other
_ENDS = 4  # nodes that are left at either end of a longer one


@dataclass(frozen=True, slots=True)
class Branch:
    """A node with what is under it.

    - `children`: numbers of branches; `words`: places that no child has
    - `level`: 1 next to the words; `depth`: 0 at the top
    - `run`: the first and last place of the words that its label stands over
    - `has_gaps`: are there words of others between its own?
    """

    node: Node
    children: tuple[int, ...]
    words: tuple[int, ...]
    run: tuple[int, int]
    depth: int
    level: int = 1
    has_gaps: bool = False


class Tree:
    """The nodes of one side. `branches` are in preorder, `tops` those without a parent, `loose` the
    places that no node has. `rank` has the number of each word that the side has by its place."""

    def __init__(self, figure: Figure, side: str) -> None:
        self.side, size = side, len(figure.words)
        number = (side != "gold") if figure.has_system else 0
        words = figure.tokens[number] if figure.tokens else figure.words
        nodes = [node for node in figure.nodes if node.side == side]
        tops, under = _linked(nodes)
        there = (place for place, word in enumerate(words) if word is not None)
        self.rank = {place: number for number, place in enumerate(there)}
        grown, self.tops = _grown(nodes, tops, under)
        # What is lower comes first among nodes over the same words.
        ends = [(b.node.places[0], b.node.places[-1] + 1) for b in reversed(grown)]
        self.branches = [
            replace(branch, level=level, has_gaps=self._has_gaps(branch.node.places))
            for branch, level in zip(grown, reversed(levels(ends, size)), strict=True)
        ]
        covered = {place for top in self.tops for place in self.branches[top].node.places}
        self.loose = tuple(place for place in self.rank if place not in covered)
        self.height = max((branch.level for branch in self.branches), default=0)

    def _has_gaps(self, places: Sequence[int]) -> bool:
        return len(places) <= self.rank[places[-1]] - self.rank[places[0]]

    def parts(self, branch: Branch | None = None) -> list[Branch | int]:
        """What is under a branch, or at the top, in the order of the text: branches and places of
        words."""
        children = self.tops if branch is None else branch.children
        words = self.loose if branch is None else branch.words
        found: list[Branch | int] = [*(self.branches[child] for child in children), *words]
        return sorted(found, key=_first)

    def below(self, branch: Branch) -> Iterator[tuple[tuple[int, int], int]]:
        """For each thing under a branch the run that it stands over and its level, 0 for words."""
        for part in self.parts(branch):
            yield ((part, part), 0) if isinstance(part, int) else (part.run, part.level)


def _first(part: Branch | int) -> int:
    return part if isinstance(part, int) else part.node.places[0]


def _linked(nodes: Sequence[Node]) -> tuple[list[int], list[list[int]]]:
    """The numbers of nodes without a parent, and those under each, in the order of the text."""
    number = {node.name: n for n, node in enumerate(nodes)}
    tops: list[int] = []
    under: list[list[int]] = [[] for _ in nodes]
    for n in sorted(range(len(nodes)), key=lambda n: nodes[n].places):
        parent = number.get(nodes[n].parent or "")
        (tops if parent is None else under[parent]).append(n)
    return tops, under


def _grown(
    nodes: Sequence[Node], tops: Sequence[int], under: Sequence[Sequence[int]]
) -> tuple[list[Branch], list[int]]:
    """Branches in preorder, long chains shortened, and the numbers of those at the top."""
    found: list[Branch] = []
    children: list[list[int]] = []
    above: list[int] = []
    stack = [(top, -1, 0) for top in reversed(tops)]
    while stack:
        at, parent, depth = stack.pop()
        chain = [at]
        while len(below := under[chain[-1]]) == 1 and _alike(nodes[at], nodes[below[0]]):
            chain.append(below[0])
        first = len(found)
        for step, node in enumerate(_shortened([nodes[n] for n in chain])):
            (above if parent < 0 else children[parent]).append(first + step)
            parent = first + step
            widest = max(runs(node.places), key=lambda run: run[1] - run[0])
            found.append(Branch(node, (), (), widest, depth + step))
            children.append([])
        held = {place for child in below for place in nodes[child].places}
        rest = tuple(place for place in found[-1].node.places if place not in held)
        found[-1] = replace(found[-1], words=rest)
        stack += [(child, parent, found[-1].depth + 1) for child in reversed(below)]
    return [replace(b, children=tuple(c)) for b, c in zip(found, children, strict=True)], above


def _alike(node: Node, other: Node) -> bool:
    """Are they over the same words?"""
    return len(node.places) == len(other.places)


def _shortened(chain: list[Node]) -> list[Node]:
    """The chain, or its ends around a node that counts the others."""
    if len(chain) <= LONGEST_CHAIN:
        return chain
    left_out = len(chain) - 2 * _ENDS
    wrong = sum(node.is_error for node in chain[_ENDS:-_ENDS])
    told = f", {counted(wrong, 'error')}" if wrong else ""
    count = replace(chain[_ENDS], label=f"… {counted(left_out, 'more node')}{told}", outcome=None)
    return [*chain[:_ENDS], count, *chain[-_ENDS:]]
