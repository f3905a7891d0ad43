r"""LaTeX: constituents for the package forest, a tree for each side.

Nodes stand at their levels and leaves in the order of the text. Where branches cross, what is cut
off from its node stands under a node further up without a line to it, and `\draw` joins it to its
own.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from tertium.report.layout import MOST
from tertium.report.render.latex import escape
from tertium.report.tree import Tree
from tertium.results.figures import GOLD, SYSTEM, Figure, Node
from tertium.results.texts import counted

_SIGNS = {"missing": "$-$", "extra": "$+$", "wrong": "$\\neq$", "excused": "$\\approx$"}
_STYLES = {
    "gold": ", text=blue, draw=blue",
    "system": ", text=orange!80!black, draw=orange!80!black, dashed",
}
_LEVEL = 20  # points from one level to the next
# Lines lead across and down, because straight ones to words at the bottom would cross labels.
_LINE = "-- +(0,-4pt) -|"
STYLE = f"""\\forestset{{tertium/.style={{for tree={{
  l={_LEVEL}pt, l sep=0pt, s sep=2mm, inner sep=2pt, font=\\small, parent anchor=south,
  child anchor=north, edge path'={{(!u.parent anchor) {_LINE} (.child anchor)}}}}}}}}"""


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
        yield "\\begin{forest} tertium"
        tops, top = self.parts[""], self.tree.height + 1
        if len(tops) != 1:
            yield "[, phantom"
        stack = [(name, 1, top) for name in reversed(tops)]
        while stack:
            name, depth, above = stack.pop()
            indent = " " * min(depth, 20)
            if name == "]":
                yield f"{indent}]"
            elif name.startswith("w"):
                yield indent + self._word(name, above)
            else:
                branch = self.tree.branches[int(name[1:])]
                label = f"{_labelled(branch.node)}}}{_STYLES.get(branch.node.kind, '')}"
                yield f"{indent}[{{{label}{self._options(name, above - branch.level)}"
                stack.append(("]", depth, 0))
                stack += [(n, depth + 1, branch.level) for n in reversed(self.parts[name])]
        if len(tops) != 1:
            yield "]"
        for part, name in self.cut.items():
            yield f"\\draw ({name}.south) {_LINE} ({part}.north);"
        yield "\\end{forest}"

    def _word(self, name: str, level: int) -> str:
        """A word, under its tag if there is one, so many levels below its node."""
        place = int(name[1:])
        word = self.figure.tokens[self.tree.side == SYSTEM][place] if self.figure.tokens else None
        word = word or self.figure.word(place)
        form, options = escape(word.form) or "{}", self._options(name, level)
        if word.upos:
            return f"[{{{escape(word.upos)}}}{options} [{{{form}}}]]"
        return f"[{{{form}}}{options}]"

    def _options(self, name: str, levels: int) -> str:
        """How far below what it hangs from something stands, and what lines need."""
        found = f", l={levels * _LEVEL}pt" if levels != 1 else ""
        if name in self.cut:
            return f"{found}, name={name}, no edge"
        return f"{found}, name={name}" if name in self.cut.values() else found


def _labelled(node: Node) -> str:
    return f"{escape(node.label)} {_SIGNS.get(node.outcome or '', '')}".rstrip()


def _blocks(parts: list[str], spans: dict[str, tuple[int, int]]) -> list[list[str]]:
    """Parts in the order of the text as stretches without gaps."""
    breaks = [n for n, (a, b) in enumerate(pairwise(parts), 1) if spans[b][0] != spans[a][1] + 1]
    return [parts[a:z] for a, z in pairwise([0, *breaks, len(parts)])]
