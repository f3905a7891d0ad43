"""Mentions as boxes, and the links to them."""

from importlib import resources
from typing import Any

import pytest

from tertium.comparison.draw import draw
from tertium.results.figures import GOLD, SYSTEM, Figure
from tertium.results.scenes import OUTSIDE

SAMPLES = resources.files("tertium") / "samples"


def drawn(system: str, sentence: int, metric: str = "coref.arcs_nom") -> Figure:
    files = [str(SAMPLES / f"coref-{name}.conll") for name in ("gold", system)]
    (figure,) = draw(*files, sentence=sentence, metric=metric).figures
    return figure


def boxes(figure: Figure, side: str) -> dict[str, Any]:
    return {
        " ".join(figure.words[place] for place in box.places): box
        for box in figure.boxes
        if box.side == side
    }


def test_a_mention_has_a_box_with_the_name_of_its_chain() -> None:
    figure = drawn("arbor", 1)
    assert {text: box.label for text, box in boxes(figure, GOLD).items()} == {
        "my sister Mara": "1", "my": "8", "a small bakery": "2", "the harbour": "3",
    }  # fmt: skip
    assert all(box.is_shared for box in figure.boxes), "both sides have them"
    assert not figure.errors


def test_a_box_is_wrong_only_if_the_other_side_lacks_the_mention() -> None:
    figure = drawn("breeze", 1)
    wrong = [(shape.side, shape.outcome) for shape in figure.errors]
    assert wrong == [(SYSTEM, "extra")], "the link alone: both sides have 'my sister Mara'"
    (link,) = (link for link in figure.links if link.is_error)
    assert (figure.words[link.source], figure.words[link.target]) == ("Ines", "my")
    missed = boxes(drawn("arbor", 2), GOLD)
    assert (missed["it"].outcome, missed["its"].outcome) == ("missing", "missing")
    assert missed["She"].outcome is None


def test_an_antecedent_in_another_sentence_is_outside() -> None:
    figure = drawn("breeze", 2)
    links = {(link.side, figure.words[link.target]): link for link in figure.links}
    gold, system = links[GOLD, "its"], links[SYSTEM, "its"]
    assert (gold.source, gold.label, gold.outcome) == (OUTSIDE, "a", "wrong")
    assert (figure.words[system.source], system.outcome) == ("rye", "wrong")
    assert links[GOLD, "it"].is_shared


@pytest.mark.parametrize("format", ["text", "svg", "html", "latex", "markdown", "json", "csv"])
@pytest.mark.parametrize("metric", ["coref.arcs_nom", "coref.mentions", "coref.entities"])
def test_it_renders_everywhere(format: str, metric: str) -> None:
    files = [str(SAMPLES / f"coref-{name}.conll") for name in ("gold", "cedar")]
    assert draw(*files, metric=metric).render(format)
