"""What is drawn of constituents: whose parent is whose, and what is not a constituent."""

from dataclasses import replace
from pathlib import Path

import tertium
from tertium.families.trees.figure import tree_figure
from tertium.results.figures import Figure
from tertium.results.scenes import Mark, Scene, Word
from tree_samples import CROSSED, GOLD, SYSTEM, tree_figures


def parents(figure: Figure, side: str = "gold") -> dict[str, str | None]:
    """By label and words, the same of the parent."""
    named = {
        node.name: f"{node.label} {' '.join(figure.words[p] for p in node.places)}"
        for node in figure.nodes
        if node.side == side
    }
    return {
        named[node.name]: named.get(node.parent or "") for node in figure.nodes if node.side == side
    }


def test_every_node_is_under_the_smallest_that_has_its_words() -> None:
    assert parents(tree_figures("(S (NP (D the) (N cat)) (VP (V sat) (NP (D a) (N b))))")) == {
        "S the cat sat a b": None,
        "NP the cat": "S the cat sat a b",
        "VP sat a b": "S the cat sat a b",
        "NP a b": "VP sat a b",
    }
    assert parents(tree_figures(CROSSED)) == {
        "S Den Mann hat gestern gesehen er": None,
        "VP Den Mann gestern gesehen": "S Den Mann hat gestern gesehen er",
        "VP Den Mann gesehen": "VP Den Mann gestern gesehen",
        "NP Den Mann": "VP Den Mann gesehen",
        "NP er": "S Den Mann hat gestern gesehen er",
    }


def test_chains_keep_the_order_of_each_file() -> None:
    """Both sides have the same brackets over the same word, in opposite orders."""
    figure = tree_figures("(A (B (C x)))", "(B (A (C x)))")
    assert parents(figure) == {"A x": None, "B x": "A x"}
    assert parents(figure, "system") == {"B x": None, "A x": "B x"}
    assert not figure.errors


def test_errors_are_marked_on_their_own_side() -> None:
    figure = tree_figures(GOLD, SYSTEM)
    wrong = sorted((node.side, node.label, node.outcome) for node in figure.nodes if node.is_error)
    assert wrong == [
        ("gold", "NP", "missing"),
        ("gold", "VP", "missing"),
        ("system", "NP", "extra"),
        ("system", "VP", "extra"),
    ]
    assert all(node.is_shared for node in figure.nodes if not node.is_error)


def test_traces_are_not_drawn() -> None:
    figure = tree_figures("(S (NP (-NONE- *)) (VP (V go) (NP (N home) (-NONE- *T*))))")
    assert [node.label for node in figure.nodes] == ["S", "VP", "NP"]


def test_brackets_that_cross_have_a_parent_with_all_their_words() -> None:
    """Characters of a system with other tokens may make such."""
    words = tuple("abcd")
    marks = [Mark("S", (0, 1, 2, 3), row=0), Mark("X", (0, 1, 2), row=1), Mark("Y", (2, 3), row=2)]
    tokens = tuple(Word(word, number) for number, word in enumerate(words, 1))
    figure = tree_figure(Scene("1", words, (tuple(marks),), tokens=(tokens,)))
    assert parents(figure) == {"S a b c d": None, "X a b c": "S a b c d", "Y c d": "S a b c d"}


def test_words_and_links_are_no_trees() -> None:
    words = ("a", "b")
    tokens = tuple(Word(word, number) for number, word in enumerate(words, 1))
    right, wrong = Mark("S [", (0,), outcome="correct"), Mark("S ]", (1,), outcome="wrong")
    scene = Scene(
        "1", words, ((right, wrong), (right, wrong)), tokens=(tokens, tokens), by_token=True
    )
    figure = tree_figure(scene)
    assert not figure.nodes
    assert [box.label for box in figure.boxes] == ["S ]", "S ]"]
    whole = tree_figure(replace(scene, marks=scene.marks[:1], tokens=scene.tokens[:1]))
    assert len(whole.boxes) == 1
    plain = Mark("S [", (0,)), Mark("S ]", (1,))
    assert len(tree_figure(replace(scene, marks=(plain,), tokens=(tokens,))).boxes) == 2
    linked = Mark("SBJ", (0,), second=1, second_number=2)
    assert tree_figure(replace(scene, by_token=False, marks=((linked,),))).links


def test_sides_with_other_words(tmp_path: Path) -> None:
    gold, system = tmp_path / "gold.mrg", tmp_path / "b.mrg"
    gold.write_text("(S (NP (N do) (N nt)) (VP (V go)))\n(S (N a))\n", encoding="utf-8")
    system.write_text("(S (NP (N dont)) (VP (V go)))\n\n", encoding="utf-8")
    drawing = tertium.draw(str(gold), str(system), sentence=[1, 2])
    lines = [" ".join(line.split()) for line in drawing.text().split("\n")]
    assert lines[1:5] == [
        "gold b",
        "S S",
        "├ NP do/N − nt/N − ├ NP dont/N +",
        "└ VP go/V − └ VP go/V +",
    ]
    assert lines[7:9] == ["gold b", "S a/N −"]
    assert [note.split(" because ")[0] for note in drawing.notes] == [
        "b.mrg: 1 sentence left out"
    ] * 2
    gold.write_text("(S (NP (N do) (N nt)) (VP (V go)))\n", encoding="utf-8")
    by_character = tertium.draw(str(gold), str(system), sentence=1, align="characters")
    assert "└ VP go/V └ VP go/V" in " ".join(by_character.text().split())
    assert "<svg" in by_character.svg()
    assert "[{N} [{dont}]]" in by_character.render("latex")


def test_samples_are_drawn_with_their_errors(samples: Path) -> None:
    gold, system = samples / "trees-gold.mrg", samples / "trees-arbor.mrg"
    drawing = tertium.draw(str(gold), str(system), sentence=1)
    assert {node.side for node in drawing.figures[0].nodes} == {"gold", "system"}
    assert drawing.figures[0].word(0).upos
    text = tertium.errors(str(gold), str(system), limit=1).render("text")
    assert "TOP─S" in text
    for metric in ("trees.leaf_ancestor", "trees.triples"):
        other = tertium.draw(str(gold), str(system), sentence=1, metric=metric)
        assert not other.figures[0].nodes
        assert other.text()
