"""Figures of trees for tests of drawings: two texts of brackets compared by label and words."""

from collections import Counter

from tertium.families.trees.family import TreeFamily
from tertium.families.trees.figure import tree_figure
from tertium.results.figures import Figure
from tertium.results.scenes import Mark, Scene
from tertium.results.sentences import Scenes
from trees import corpus_of

GOLD = (
    "(TOP (S (NP (NP (DT The) (NN man)) (PP (IN with) (NP (DT the) (NN hat)))) "
    "(VP (VBD saw) (NP (DT a) (NN dog)) (PP (IN in) (NP (DT the) (NN park)))) (. .)))"
)
SYSTEM = (
    "(TOP (S (NP (DT The) (NN man)) (VP (PP (IN with) (NP (DT the) (NN hat))) (VBD saw) "
    "(NP (NP (DT a) (NN dog)) (PP (IN in) (NP (DT the) (NN park))))) (. .)))"
)
CROSSED = (
    "(S (VP (VP (NP (ART 0=Den) (NN 1=Mann)) (VVPP 4=gesehen)) (ADV 3=gestern)) "
    "(VAFIN 2=hat) (NP (PPER 5=er)))"
)


def tree_scene(gold: str, system: str | None = None) -> Scene:
    """The constituents of both texts; what only one of them has is wrong."""
    sides = [_scene(text) for text in (gold, system) if text is not None]
    if len(sides) == 1:
        return sides[0]
    marks = [[row[0] for row in side.rows] for side in sides]
    there = [Counter((mark.label, mark.places) for mark in side) for side in marks]
    common = there[0] & there[1]
    rows: list[tuple[Mark | None, Mark | None]] = []
    left = Counter(common)
    theirs = {}
    for mark in marks[1]:
        theirs.setdefault((mark.label, mark.places), []).append(mark)
    for mark in marks[0]:
        key = mark.label, mark.places
        if left[key]:
            left[key] -= 1
            rows.append((_judged(mark, "correct"), _judged(theirs[key].pop(0), "correct")))
        else:
            rows.append((_judged(mark, "missing"), None))
    rows += [(None, _judged(mark, "extra")) for rest in theirs.values() for mark in rest]
    return Scene(
        "1",
        sides[0].words,
        tuple(zip(*rows, strict=True)),
        tokens=(sides[0].tokens[0], sides[1].tokens[0]),
    )


def tree_figures(gold: str, system: str | None = None) -> Figure:
    """What is drawn of it."""
    return tree_figure(tree_scene(gold, system))


def _scene(text: str) -> Scene:
    corpus = corpus_of(text)
    return Scenes(corpus, TreeFamily().items(corpus, "trees")).scene(0)


def _judged(mark: Mark, outcome: str) -> Mark:
    return mark._replace(outcome=outcome, compared=mark.label)
