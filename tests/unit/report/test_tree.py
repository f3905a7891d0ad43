"""Constituents drawn as trees: in text, SVG and LaTeX, with lines that meet no label."""

import random
import re
from collections.abc import Iterator
from itertools import combinations
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from tertium.report.render import forest
from tertium.report.render.figures import FigureText
from tertium.report.svg.figures import draw_figure
from tertium.report.tree import LONGEST_CHAIN, Tree
from tertium.results.figures import Figure
from tree_samples import CROSSED, GOLD, SYSTEM, tree_figures


def drawn(figure: Figure, **look: object) -> list[str]:
    return FigureText(**look).draw(figure).rstrip("\n").split("\n")


def test_both_trees_side_by_side() -> None:
    assert drawn(tree_figures(GOLD, SYSTEM)) == [
        "gold                       system",
        "TOP─S                      TOP─S",
        "├ NP −                     │",
        "│ ├ NP  The/DT man/NN      ├ NP  The/DT man/NN",
        "│ └ PP                     ├ VP +",
        "│   │                      │ ├ PP",
        "│   ├ with/IN              │ │ ├ with/IN",
        "│   └ NP  the/DT hat/NN    │ │ └ NP  the/DT hat/NN",
        "├ VP −                     │ │",
        "│ ├ saw/VBD                │ ├ saw/VBD",
        "│ │                        │ └ NP +",
        "│ ├ NP  a/DT dog/NN        │   ├ NP  a/DT dog/NN",
        "│ └ PP                     │   └ PP",
        "│   ├ in/IN                │     ├ in/IN",
        "│   └ NP  the/DT park/NN   │     └ NP  the/DT park/NN",
        "└ ./.                      └ ./.",
    ]


def test_one_below_the_other_where_there_is_no_room() -> None:
    lines = drawn(tree_figures(GOLD, SYSTEM), width=40)
    assert [line for line in lines if line in ("gold", "system", "")] == ["gold", "", "system"]
    assert lines[1] == lines[lines.index("system") + 1] == "TOP─S"
    assert "└ ./." in drawn(tree_figures(GOLD))
    right = drawn(tree_figures("(S (A אב) (B גד))", "(S (A אב) (B גד))"))
    assert right == ["gold", "S  אב/A גד/B", "", "system", "S  אב/A גד/B"]


def test_gaps_are_dotted_and_words_numbered() -> None:
    assert drawn(tree_figures(CROSSED)) == [
        "S",
        "├ VP┄",
        "│ ├ VP┄",
        "│ │ ├ NP  1=Den/ART 2=Mann/NN",
        "│ │ └ 5=gesehen/VVPP",
        "│ └ 4=gestern/ADV",
        "├ 3=hat/VAFIN",
        "└ NP  6=er/PPER",
    ]
    assert drawn(tree_figures(CROSSED), ascii=True)[4] == "| | ' 5=gesehen/VVPP"


def test_labels_stand_over_the_longest_stretch_of_their_words() -> None:
    found = {b.node.places: b.run for b in Tree(tree_figures(CROSSED), "gold").branches}
    assert found[0, 1, 3, 4] == (0, 1)
    assert found[0, 1, 4] == (0, 1)
    right = Tree(tree_figures("(S (A (N 0=a) (N 2=b) (N 3=c)) (M 1=d))"), "gold")
    assert right.branches[1].run == (2, 3)


def test_what_both_have_is_folded_in_long_sentences() -> None:
    many = " ".join(f"(NP (DT the) (NN n{n}))" for n in range(10))
    gold, system = f"(S {many} (VP (V is) (X (N x) (N y))))", f"(S {many} (VP (V is) (N x) (N y)))"
    figure = tree_figures(gold, system)
    assert "├ VP  is x y" not in "\n".join(drawn(figure))
    folded = drawn(tree_figures(gold.replace("(N x)", "(Z (Z1 (Z2 x)))"), system))
    assert folded != drawn(tree_figures(gold, system))
    deep = "(A (B (C (D d) (E e)) (F f)) (G g))"
    lines = drawn(tree_figures(f"(S {many} {deep} (X (Y y)))", f"(S {many} {deep} (Y y))"))
    assert any("├ A  d/D e/E f/F g/G" in line for line in lines)
    whole = drawn(
        tree_figures(f"(S {many} {deep} (X (Y y)))", f"(S {many} {deep} (Y y))"), whole=True
    )
    assert any(line.startswith("│ ├ B") for line in whole)


def test_words_without_a_constituent_and_several_roots() -> None:
    figure = tree_figures("(NP (DT a) (NN b)) (, c) (VP (V d))")
    assert drawn(figure) == ["NP  a/DT b/NN", "c/,", "VP  d/V"]
    tree = Tree(figure, "gold")
    assert (len(tree.tops), tree.loose) == (2, (2,))
    assert "[, phantom" in "\n".join(forest.trees(figure, ("gold", "system")))


def test_unnamed_roots_and_words_only_one_side_has() -> None:
    assert drawn(tree_figures("( (S (N a)))")) == ["()─S  a/N"]


@pytest.mark.parametrize("depth", [LONGEST_CHAIN, LONGEST_CHAIN + 1, 5_000])
def test_long_chains_are_cut(depth: int) -> None:
    figure = tree_figures("(X " * depth + "(N a)" + ")" * depth)
    tree = Tree(figure, "gold")
    assert len(tree.branches) <= LONGEST_CHAIN
    count = sum("more nodes" in branch.node.label for branch in tree.branches)
    assert count == (depth > LONGEST_CHAIN)
    assert tree.branches[-1].words == (0,)
    assert drawn(figure, width=200)[0].endswith("X  a/N")
    draw_figure(figure)


def test_deep_trees_are_cut_on_the_left() -> None:
    depth = 300
    text = "".join(f"(X (N w{n}) " for n in range(depth)) + "(N a)" + ")" * depth
    figure = tree_figures(text)
    lines = drawn(figure, width=60)
    assert max(map(cell_len, lines)) <= 60
    assert lines[-1] == "… 400 more lines, not drawn"
    assert lines[150].startswith("…")
    assert "w74" in lines[149]
    assert draw_figure(figure).height > 300 * 20
    assert "\n".join(forest.trees(figure, ("g", "s"))).count("[{X}") == 300


def test_only_so_many_words() -> None:
    figure = tree_figures("(S " + " ".join(f"(N w{n})" for n in range(500)) + ")")
    assert drawn(figure)[-1] == "… 100 more words, not drawn"
    assert "… 100 more words" in "".join(draw_figure(figure).body)
    assert "100 more words, not drawn" in next(forest.trees(figure, ("g", "s")))


def test_latex_joins_what_is_cut_off_and_escapes() -> None:
    text = "\n".join(forest.trees(tree_figures(CROSSED, CROSSED), ("a_b", "c")))
    assert text.count("\\begin{forest}") == 2
    assert "% a\\_b" in text
    assert text.count("\\draw (n1.south) -- +(0,-4pt) -| (w3.north);") == 2
    assert text.count("\\draw (n2.south) -- +(0,-4pt) -| (w4.north);") == 2
    assert text.count("no edge") == 4
    marked = "\n".join(forest.trees(tree_figures(GOLD, SYSTEM), ("gold", "system")))
    assert "[{VP $-$}, text=blue, draw=blue" in marked
    assert "[{VP $+$}, text=orange!80!black, draw=orange!80!black, dashed" in marked
    hostile = "\n".join(forest.trees(tree_figures("(S% ($, ,) (A_B [) (C ]))"), ("g", "s")))
    assert "[{S\\%}" in hostile
    assert "[{\\$,} [{,}]]" in hostile
    assert hostile.count("[") - hostile.count("]") == 0


def random_tree(size: int, seed: int) -> str:
    """A tree with gaps: words are put under nodes by chance, in the order of their numbers."""
    chance = random.Random(seed)
    groups: list[tuple[int, str]] = [
        (n, f"(T{n} {n}={'i' * chance.randint(1, 4)})") for n in range(size)
    ]
    while len(groups) > 1:
        many = min(len(groups), chance.choice([1, 2, 2, 3]))
        near = chance.random() < 0.6
        start = chance.randrange(len(groups) - many + 1)
        taken = (
            [*range(start, start + many)]
            if near
            else sorted(chance.sample(range(len(groups)), many))
        )
        label = "L" * chance.randint(1, 24)
        parts = " ".join(groups[n][1] for n in taken)
        made = (groups[taken[0]][0], f"({label} {parts})")
        groups = sorted([*(g for n, g in enumerate(groups) if n not in taken), made])
        if many == 1 and chance.random() < 0.5:
            break
    return f"(TOP {' '.join(text for _, text in groups)})"


def boxes(figure: Figure) -> Iterator[tuple[float, float, float, float]]:
    """The grounds of labels in a drawing: left, top, right, bottom."""
    for text in draw_figure(figure).body:
        for found in ElementTree.fromstring(f"<g>{text}</g>").iter("rect"):
            x, y, w, h = (float(found.attrib[k]) for k in ("x", "y", "width", "height"))
            yield x, y, x + w, y + h


def uprights(figure: Figure) -> Iterator[tuple[float, float, float]]:
    """Upright lines: their place, from where and to where."""
    for text in draw_figure(figure).body:
        for path in ElementTree.fromstring(f"<g>{text}</g>").iter("path"):
            for x, a, z in re.findall(r"M([\d.]+) ([\d.]+)V([\d.]+)", path.attrib["d"]):
                yield float(x), float(a), float(z)


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 14), st.integers(0, 10_000))
def test_nothing_overlaps(size: int, seed: int) -> None:
    figure = tree_figures(random_tree(size, seed), random_tree(size, seed + 1))
    labels = [*boxes(figure)]
    assert len(labels) == sum(bool(node.label) for node in figure.nodes)
    for one, other in combinations(labels, 2):
        apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
        assert apart, (one, other)
    for x, top, bottom in uprights(figure):
        for left, above, right, below in labels:
            crosses = left + 0.2 < x < right - 0.2 and top < above - 0.2 and bottom > below + 0.2
            assert not crosses
    for width in (50, 80):
        assert max(map(cell_len, drawn(figure, width=width))) <= width
    for line in forest.trees(figure, ("g", "s")):
        assert "\n" not in line
