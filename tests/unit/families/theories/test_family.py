"""What is drawn of function trees: what gold standards agree on, and what a system has."""

import pytest

from metric_samples import aligned
from tertium.comparison.pictures import Drawing
from tertium.families.base import make
from tertium.families.theories.family import TheoryFamily
from tertium.results.scenes import Scene
from tertium.results.sentences import Scenes
from theory_samples import theory_corpus

DEP = [("root", 0, 3), ("sbj", 0, 1), ("hd", 1, 2), ("obj", 2, 3)]
PS = [("root", 0, 3), ("sbj", 0, 1), ("prd", 1, 3), ("obj", 2, 3)]
SWAPPED = [("root", 0, 3), ("obj", 0, 1), ("hd", 1, 2), ("obj", 2, 3), ("a", 2, 3)]


def drawing(metric: str = "theories.tedeval") -> Drawing:
    gold, system = theory_corpus([3], dep=[DEP], ps=[PS]), theory_corpus([3], dep=[SWAPPED])
    made = make(metric)
    alignment = aligned(made, gold, system)
    scene: Scene = Scenes(
        gold,
        made.items(gold),
        system,
        made.items(system),
        made.decide(gold, system, alignment),
        alignment,
        figure=TheoryFamily().figure,
        nests=True,
    ).scene(0)
    return Drawing("gold", (scene,), metric=metric)


def test_gold_is_what_all_gold_standards_have() -> None:
    assert drawing().text(width=80).splitlines() == [
        "dep/ps, sentence '1'",
        "gold          system",
        "root          root",
        "├ sbj −  w0   ├ obj +  w0",
        "├ w1          ├ hd ≈  w1",
        "│             └ a +",
        "└ obj  w2       └ obj  w2",
        "",
        "− only in gold   + only in the system   ≈ only on one side, but not an error",
    ]


@pytest.mark.parametrize(("format", "sign"), [("svg", "hd ≈"), ("latex", "{hd $\\approx$}")])
def test_what_is_excused_has_a_sign(format: str, sign: str) -> None:
    assert sign in drawing().render(format)
    assert sign not in drawing("theories.tedeval(golds='own')").render(format)


def test_without_a_system_everything_is_drawn() -> None:
    gold = theory_corpus([3], dep=[DEP], ps=[PS])
    made = make("theories.tedeval")
    scene = Scenes(gold, made.items(gold), figure=TheoryFamily().figure, nests=True).scene(0)
    assert scene.figure is not None
    assert sorted(node.label for node in scene.figure.nodes) == ["hd", "obj", "prd", "root", "sbj"]
