"""CLAS, MLAS and BLEX: every condition on its own, on a sentence with four content words."""

from typing import Any

import pytest

import tertium

GOLD = """
1 She   she   PRON  PRP Case=Nom|Number=Sing          3 nsubj
2 has   have  AUX   VBZ Mood=Ind|Tense=Pres           3 aux
3 seen  see   VERB  VBN Tense=Past|VerbForm=Part      0 root
4 the   the   DET   DT  Definite=Def|PronType=Art     5 det
5 house house NOUN  NN  Number=Sing|Number[psor]=Plur 3 obj
6 of    of    ADP   IN  _                             7 case
7 Ann   Ann   PROPN NNP NameType=Giv|Number=Sing      5 nmod:poss
8 .     .     PUNCT .   _                             3 punct
"""
METRICS = ("deps.clas", "deps.mlas", "deps.blex")
PERFECT = ((4, 4, 4),) * 3
TURNED = [("5", "head", "7"), ("7", "head", "3")]  # the arc between `house` and `Ann`


def counts(trees: Any, gold: str, system: str) -> tuple[tuple[float, ...], ...]:
    return tuple(trees.counts(gold, system, metric) for metric in METRICS)


@pytest.mark.parametrize(
    ("edits", "clas", "mlas", "blex"),
    [
        pytest.param([("1", "head", "5")], 3, 3, 3, id="a content word's head"),
        pytest.param([("1", "deprel", "iobj")], 3, 3, 3, id="a content word's relation"),
        pytest.param([("7", "deprel", "nmod")], 4, 4, 4, id="a subtype"),
        pytest.param([("7", "upos", "NOUN")], 4, 3, 4, id="a content word's tag"),
        pytest.param([("7", "xpos", "NN")], 4, 4, 4, id="a language's own tag"),
        pytest.param([("5", "feats", "Number=Plur|Number[psor]=Plur")], 4, 3, 4, id="a feature"),
        pytest.param([("5", "feats", "_")], 4, 3, 4, id="a feature that is not given"),
        pytest.param([("5", "feats", "Number[psor]=Sing|Number=Sing")], 4, 4, 4, id="a layer"),
        pytest.param([("7", "feats", "NameType=Sur|Number=Sing")], 4, 4, 4, id="own feature"),
        pytest.param([("7", "feats", "Number=Sing")], 4, 4, 4, id="own feature that is not given"),
        pytest.param([("7", "feats", "Number=Sing|NameType=Giv")], 4, 4, 4, id="another order"),
        pytest.param([("2", "deprel", "cop")], 4, 3, 4, id="a function word's relation"),
        pytest.param([("2", "deprel", "aux:pass")], 4, 4, 4, id="a function word's subtype"),
        pytest.param([("2", "upos", "VERB")], 4, 3, 4, id="a function word's tag"),
        pytest.param([("4", "feats", "Definite=Ind|PronType=Art")], 4, 3, 4, id="its feature"),
        pytest.param([("4", "lemma", "a")], 4, 4, 4, id="its lemma"),
        pytest.param([("6", "head", "5")], 4, 2, 4, id="a function word below another word"),
        pytest.param([("2", "deprel", "punct")], 4, 3, 4, id="a function word called punct"),
        pytest.param([("2", "deprel", "odd")], 4, 3, 4, id="a function word of no list"),
        pytest.param([("8", "head", "5")], 4, 4, 4, id="punctuation"),
        pytest.param([("8", "upos", "SYM")], 4, 4, 4, id="the tag of punctuation"),
        pytest.param([("8", "deprel", "cc")], 4, 3, 4, id="punctuation called a function word"),
        pytest.param([("7", "lemma", "Anna")], 4, 4, 3, id="a content word's lemma"),
        pytest.param([("7", "lemma", "ann")], 4, 4, 3, id="a lemma in another case"),
        pytest.param([("7", "lemma", "_")], 4, 4, 3, id="a lemma that the system does not give"),
    ],
)
def test_one_difference(trees: Any, edits: list[Any], clas: int, mlas: int, blex: int) -> None:
    found = counts(trees, GOLD, trees.edit(GOLD, *edits))
    assert found == ((clas, 4, 4), (mlas, 4, 4), (blex, 4, 4))


def test_gold_against_itself(trees: Any) -> None:
    assert counts(trees, GOLD, GOLD) == PERFECT


@pytest.mark.parametrize("lemma", ["_", "Ann", "Anna"])
def test_a_gold_lemma_that_is_not_given(trees: Any, lemma: str) -> None:
    gold = trees.edit(GOLD, ("7", "lemma", "_"))
    system = trees.edit(GOLD, ("7", "lemma", lemma))
    assert trees.counts(gold, system, "deps.blex") == (4, 4, 4)


def test_a_function_word_called_content(trees: Any) -> None:
    """Case u05 of the notes: the system has one content word more, `seen` a function word less."""
    system = trees.edit(GOLD, ("2", "deprel", "discourse"))
    assert counts(trees, GOLD, system) == ((4, 4, 5), (3, 4, 5), (4, 4, 5))
    assert ("aux", "discourse", "extra", "label") in trees.rows(GOLD, system, "deps.clas")


def test_a_content_word_called_function(trees: Any) -> None:
    """Case u06: it is missing among the system's content words, and `seen` has a function word too
    many."""
    system = trees.edit(GOLD, ("5", "deprel", "det"))
    assert counts(trees, GOLD, system) == ((3, 4, 3), (2, 4, 3), (3, 4, 3))
    assert ("obj", "det", "missing", "label") in trees.rows(GOLD, system, "deps.clas")
    found = trees.score(GOLD, system, "deps.clas", confusion=True)
    assert found.confusion["obj", "det"] == 1, "what it was taken for is shown"
    assert found.counts["aligned"] == 4, "it has a partner all the same"
    assert found.parts["aligned_accuracy"] == pytest.approx(3 / 4)


@pytest.mark.parametrize("relation", ["odd", "punct", "NSUBJ"])
def test_relations_of_neither_list_fall_out(trees: Any, relation: str) -> None:
    changed = trees.edit(GOLD, ("1", "deprel", relation))
    assert counts(trees, GOLD, changed) == ((3, 4, 3),) * 3
    assert counts(trees, changed, GOLD) == ((3, 3, 4),) * 3
    assert counts(trees, changed, changed) == ((3, 3, 3),) * 3


def test_a_function_word_that_has_no_partner(trees: Any) -> None:
    """Case u24: `du` was left unsplit. `pain` has the right arc, but two function words in gold."""
    gold = """
1-2 du
1 de   de   ADP  _ _           3 case
2 le   le   DET  _ _           3 det
3 pain pain NOUN _ Number=Sing 0 root
"""
    system = """
1 du   du   ADP  _ _           2 case
2 pain pain NOUN _ Number=Sing 0 root
"""
    assert counts(trees, gold, system) == ((1, 1, 1), (0, 1, 1), (1, 1, 1))


def test_a_content_word_that_has_no_partner(trees: Any) -> None:
    gold = """
1 ice   ice   NOUN _ Number=Sing 2 compound
2 cream cream NOUN _ Number=Sing 0 root
"""
    system = "1 icecream icecream NOUN _ Number=Sing 0 root"
    for metric in METRICS:
        assert trees.counts(gold, system, metric) == (0, 2, 1)
        assert trees.rows(gold, system, metric) == [
            ("compound", None, "missing", "unaligned"),
            ("root", None, "missing", "unaligned"),
            (None, "root", "extra", "unaligned"),
        ]


@pytest.mark.parametrize(
    ("metric", "edits", "kind"),
    [
        ("deps.mlas", [("5", "upos", "VERB")], "tag"),
        ("deps.mlas", [("5", "feats", "_")], "features"),
        ("deps.mlas", [("4", "head", "7")], "function words"),
        ("deps.mlas", [("5", "upos", "VERB"), ("5", "feats", "_")], "tag"),
        ("deps.mlas", [("5", "upos", "VERB"), ("5", "head", "1")], "attachment:sibling"),
        ("deps.mlas", [("5", "deprel", "obl")], "label"),
        ("deps.blex", [("5", "lemma", "home")], "lemma"),
        ("deps.blex", [("5", "lemma", "home"), *TURNED], "attachment:child"),
        ("deps.clas", [("5", "deprel", "obl"), *TURNED], "both:child"),
    ],
)
def test_error_types(trees: Any, metric: str, edits: list[Any], kind: str) -> None:
    """An arc that is wrong comes first, then tag, features, function words."""
    system = trees.edit(GOLD, *edits)
    assert (kind, "house", "house") in trees.errors(GOLD, system, metric)
    found = trees.score(GOLD, system, metric, confusion=True)
    assert any(name == kind for name, *_ in found.error_types)


def test_answers_say_all_that_is_looked_at(trees: Any) -> None:
    gold = trees.write(GOLD)
    tag = trees.write(trees.edit(GOLD, ("5", "upos", "VERB")))
    lemma = trees.write(trees.edit(GOLD, ("5", "lemma", "home")))
    for metric, file, differ in (
        ("deps.clas", tag, 0),
        ("deps.mlas", tag, 1),
        ("deps.mlas", lemma, 0),
        ("deps.blex", lemma, 1),
    ):
        one, two = (tertium.decide(gold, each, metric) for each in (gold, file))
        assert (one.answer != two.answer).sum() == differ


def test_no_content_words(trees: Any) -> None:
    gold = "1 ! ! PUNCT _ Foreign=Yes 0 punct"
    for metric in METRICS:
        found = trees.score(gold, gold, metric)
        assert found.value is None
        assert found.reasons["value"] == "there are no words to score"


@pytest.mark.parametrize(
    ("metric", "columns"), [("deps.mlas", ("upos", "feats")), ("deps.blex", ("lemma",))]
)
def test_a_column_that_is_not_there(trees: Any, metric: str, columns: tuple[str, ...]) -> None:
    rows = range(1, 9)
    for column in columns:
        lacking = trees.edit(GOLD, *((str(i), column, "_") for i in rows))
        with pytest.raises(tertium.LayerError, match=column.upper()):
            trees.score(lacking, GOLD, metric)
        with pytest.raises(tertium.LayerError, match=column.upper()):
            trees.score(GOLD, lacking, metric)
