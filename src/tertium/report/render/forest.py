r"""LaTeX: constituents for the package forest, a tree for each side.

Leaves stand in the order of the text. Where branches cross, what is cut off from its node stands
under a node further up without a line to it, and `\draw` joins it to its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from tertium.report.layout import MOST
from tertium.report.render.latex import escape
from tertium.report.tree import Tree
from tertium.results.figures import GOLD, SYSTEM, Figure, Node
from tertium.results.texts import counted

_SIGNS = {"missing": "$-$", "extra": "$+$", "wrong": "$\\neq$"}
_STYLES = {
    "gold": ", text=blue, draw=blue",
    "system": ", text=orange!80!black, draw=orange!80!black, dashed",
}
# Lines lead across and down, because straight ones to words at the bottom would cross labels.
_LINE = "-- +(0,-4pt) -|"
_LOOK = (
    "for tree={s sep=2mm, l sep=3mm, inner sep=2pt, font=\\small, parent anchor=south, "
    f"child anchor=north, edge path'={{(!u.parent anchor) {_LINE} (.child anchor)}}}}"
)


def trees(whole: Figure, names: tuple[str, str]) -> Iterator[str]:
    """One environment a side; they stand side by side where a line has room for both."""
    figure = whole.cut(MOST)
    if more := len(whole.words) - len(figure.words):
        yield f"% {counted(more, 'more word')}, not drawn"
    for side, name in zip((GOLD, SYSTEM)[: 1 + figure.has_system], names, strict=False):
        if side == SYSTEM:
            yield "\\qquad"
        if figure.has_system:
            yield f"% {escape(name)}"
        yield from _Forest(figure, Tree(figure, side)).lines()


class _Forest:
    """One tree. Nodes are called n0, n1, ..., words w0, w1, ..., by number and place."""

    def __init__(self, figure: Figure, tree: Tree) -> None:
        self.figure, self.tree = figure, tree
        self.parts: dict[str, list[str]] = {}
        self.cut: dict[str, str] = {}  # the own node of what stands under another one
        self._resolve()

    def _resolve(self) -> None:
        """Find the parts of every node, from the leaves up: what is beside the largest stretch of
        its words is handed on to the node above."""
        branches, rank = self.tree.branches, self.tree.rank
        spans = {f"w{place}": (at, at) for place, at in rank.items()}
        handed: list[list[str]] = [[] for _ in branches]
        above = {child: n for n, branch in enumerate(branches) for child in branch.children}
        tops = [f"w{place}" for place in self.tree.loose]
        for number in reversed(range(len(branches))):
            name, branch = f"n{number}", branches[number]
            own = [f"n{n}" for n in branch.children] + [f"w{place}" for place in branch.words]
            blocks = _blocks(sorted([*own, *handed[number]], key=spans.__getitem__), spans)
            kept = max(blocks, key=lambda block: spans[block[-1]][1] - spans[block[0]][0])
            self.parts[name] = kept
            spans[name] = spans[kept[0]][0], spans[kept[-1]][1]
            rest = [part for block in blocks if block is not kept for part in block]
            self.cut |= {part: name for part in rest if part in own}
            (handed[above[number]] if number in above else tops).extend(rest)
            if number not in above:
                tops.append(name)
        self.parts[""] = sorted(tops, key=spans.__getitem__)

    def lines(self) -> Iterator[str]:
        """The environment; several trees and words outside of all of them hang from a node that is
        not drawn."""
        yield f"\\begin{{forest}} {_LOOK}"
        tops = self.parts[""]
        stack = [(name, 1) for name in reversed(tops)]
        if len(tops) != 1:
            yield "[, phantom"
            stack.insert(0, ("", 0))
        while stack:
            name, depth = stack.pop()
            if name.startswith("/"):
                yield f"{' ' * min(depth, 20)}]"
                continue
            if not name:
                yield "]"
                continue
            opened, is_open = self._opened(name)
            yield " " * min(depth, 20) + opened
            if is_open:
                stack.append(("/", depth))
                stack += [(part, depth + 1) for part in reversed(self.parts[name])]
        for part, name in self.cut.items():
            yield f"\\draw ({name}.south) {_LINE} ({part}.north);"
        yield "\\end{forest}"

    def _opened(self, name: str) -> tuple[str, bool]:
        """What begins a node, or all of a word."""
        more = f", name={name}" if name in self.cut or name in self.cut.values() else ""
        more += ", no edge" if name in self.cut else ""
        number = int(name[1:])
        if name.startswith("n"):
            return (
                f"[{{{_labelled(node := self.tree.branches[number].node)}}}{_style(node)}{more}",
                True,
            )
        word = self.figure.tokens[self.tree.side == SYSTEM][number] if self.figure.tokens else None
        word = word or self.figure.word(number)
        form = escape(word.form) or "{}"
        if word.upos:
            return f"[{{{escape(word.upos)}}}, tier=tag{more} [{{{form}}}, tier=word]]", False
        return f"[{{{form}}}, tier=word{more}]", False


def _labelled(node: Node) -> str:
    sign = f" {_SIGNS[node.outcome]}" if node.is_error and node.outcome else ""
    return escape(node.label) + sign


def _style(node: Node) -> str:
    return _STYLES.get(node.kind, "")


def _blocks(parts: list[str], spans: dict[str, tuple[int, int]]) -> list[list[str]]:
    """Parts in the order of the text as stretches without gaps."""
    breaks = [n for n, (a, b) in enumerate(pairwise(parts), 1) if spans[b][0] != spans[a][1] + 1]
    return [parts[a:z] for a, z in pairwise([0, *breaks, len(parts)])]
