"""UPOS, XPOS, UFeats, AllTags and Lemmas: columns of words, whatever the tokens."""

from typing import Any

import pytest

import tertium

GOLD = """
1 Elle  elle  PRON P Gender=Fem|Number=Sing     2 nsubj
2 parle parler VERB V Number=Sing|Tense=Pres     0 root
3-4 du
3 de    de    ADP  E _                          5 case
4 le    le    DET  D Definite=Def|Gender=Masc   5 det
5 chat  chat  NOUN N Gender=Masc|Style=Coll     2 obl
"""
METRICS = ("deps.upos", "deps.xpos", "deps.ufeats", "deps.alltags", "deps.lemmas")


def correct(trees: Any, gold: str, system: str) -> list[float]:
    return [trees.counts(gold, system, metric)[0] for metric in METRICS]


@pytest.mark.parametrize(
    ("edit", "found"),
    [
        (("5", "upos", "PROPN"), [4, 5, 5, 4, 5]),
        (("5", "xpos", "_"), [5, 4, 5, 4, 5]),
        (("5", "feats", "Gender=Fem|Style=Coll"), [5, 5, 4, 4, 5]),
        (("5", "feats", "Gender=Masc|Number=Sing|Style=Coll"), [5, 5, 4, 4, 5]),
        (("5", "feats", "Style=Coll"), [5, 5, 4, 4, 5]),
        (("5", "feats", "Gender=Masc|Style=Form"), [5, 5, 5, 5, 5]),  # no universal feature
        (("5", "feats", "Gender=Masc|Number[psor]=Sing"), [5, 5, 5, 5, 5]),
        (("1", "feats", "Number=Sing|Gender=Fem"), [5, 5, 5, 5, 5]),
        (("3", "feats", "Style=Coll"), [5, 5, 5, 5, 5]),  # nothing universal is the same as `_`
        (("5", "lemma", "Chat"), [5, 5, 5, 5, 4]),
        (("5", "lemma", "_"), [5, 5, 5, 5, 4]),
        (("5", "head", "1"), [5, 5, 5, 5, 5]),
    ],
)
def test_one_difference(trees: Any, edit: Any, found: list[int]) -> None:
    system = trees.edit(GOLD, edit)
    assert correct(trees, GOLD, system) == found
    for metric in METRICS:
        assert trees.counts(GOLD, system, metric)[1:] == (5, 5)


def test_an_entry_that_gold_does_not_give(trees: Any) -> None:
    """Only of lemmas does `_` mean that any will do."""
    gold = trees.edit(GOLD, *(("5", column, "_") for column in ("lemma", "upos", "xpos", "feats")))
    assert correct(trees, gold, GOLD) == [4, 4, 4, 4, 5]


def test_other_tokens(trees: Any) -> None:
    """`du` left unsplit: two gold words and one system word have no partner."""
    system = """
1 Elle  elle  PRON P Gender=Fem|Number=Sing     2 nsubj
2 parle parler VERB V Number=Sing|Tense=Pres     0 root
3 du    du    ADP  E _                          4 case
4 chat  chat  NOUN N Gender=Masc|Style=Coll     2 obl
"""
    for metric in METRICS:
        found = trees.score(GOLD, system, metric)
        assert found.counts == {"correct": 3, "gold": 5, "system": 4, "aligned": 3}
        assert found.parts["precision"] == pytest.approx(3 / 4)
        assert found.parts["recall"] == pytest.approx(3 / 5)
        assert found.value == pytest.approx(6 / 9)
        assert found.parts["aligned_accuracy"] == 1
        assert found.parts["complete"] == 0
        assert trees.errors(GOLD, system, metric) == [
            ("unaligned", "de", None),
            ("unaligned", "le", None),
            ("unaligned", None, "du"),
        ]


def test_an_unaligned_word_is_not_right_because_gold_has_no_lemma(trees: Any) -> None:
    gold = "1 ice _ NOUN\n2 cream cream NOUN"
    assert trees.counts(gold, "1 icecream icecream NOUN", "deps.lemmas") == (0, 2, 1)


def test_figures_per_feature(trees: Any) -> None:
    """Gender: gold has it three times, the system four times (one on `Elle` is another value, one
    on `parle` is not in gold). Number: the system has one of two."""
    system = trees.edit(
        GOLD,
        ("1", "feats", "Gender=Masc"),
        ("2", "feats", "Gender=Fem|Number=Sing|Tense=Pres"),
    )
    found = trees.score(GOLD, system, "deps.ufeats")
    assert found.counts["correct"] == 3
    counts = {name: tuple(row["counts"].values()) for name, row in found.labels.items()}
    assert counts == {
        "Definite": (1, 1, 1, 1),
        "Gender": (2, 3, 4, 3),
        "Number": (1, 2, 1, 2),
        "Tense": (1, 1, 1, 1),
    }
    gender = found.labels["Gender"]
    assert gender["precision"] == pytest.approx(2 / 4)
    assert gender["recall"] == gender["aligned_accuracy"] == pytest.approx(2 / 3)
    assert gender["f1"] == pytest.approx(4 / 7)


def test_figures_per_feature_of_unaligned_words(trees: Any) -> None:
    """A feature of a word without a partner counts on its side, and nowhere as aligned."""
    system = GOLD.replace("3-4 du\n", "").replace("de    de    ADP  E _", "d d ADP E Gender=Fem")
    system = system.replace("le    le", "u u")
    found = trees.score(GOLD, system, "deps.ufeats").labels
    counts = {name: tuple(row["counts"].values()) for name, row in found.items()}
    assert counts["Gender"] == (2, 3, 4, 2)
    assert counts["Definite"] == (0, 1, 1, 0)
    assert found["Definite"]["aligned_accuracy"] is None
    assert "aligned_accuracy" in found["Definite"]["reasons"]


def test_a_feature_written_twice(trees: Any) -> None:
    gold = trees.edit(GOLD, ("1", "feats", "Gender=Fem|Gender=Masc"))
    found = trees.score(gold, GOLD, "deps.ufeats")
    assert found.counts["correct"] == 4
    assert found.labels["Gender"]["counts"]["correct"] == 2


def test_error_types_and_confusions(trees: Any) -> None:
    system = trees.edit(
        GOLD, ("5", "upos", "VERB"), ("5", "xpos", "V"), ("5", "feats", "_"), ("5", "lemma", "chas")
    )
    pairs = {
        "deps.upos": ("NOUN", "VERB"),
        "deps.xpos": ("N", "V"),
        "deps.ufeats": ("Gender=Masc", "_"),
        "deps.alltags": ("NOUN", "VERB"),
        "deps.lemmas": ("chat", "chas"),
    }
    for metric, pair in pairs.items():
        assert trees.errors(GOLD, system, metric) == [("label", "chat", "chat")]
        found = trees.score(GOLD, system, metric, confusion=True)
        assert found.error_types == {("label", *pair): 1}
        assert found.confusion[pair] == 1


def test_all_tags_are_known_by_their_upos(trees: Any) -> None:
    system = trees.edit(GOLD, ("5", "xpos", "V"))
    assert trees.rows(GOLD, system, "deps.alltags")[-1] == ("NOUN", "NOUN", "wrong", "label")
    assert set(trees.score(GOLD, GOLD, "deps.lemmas").labels) == set()
    assert trees.score(GOLD, GOLD, "deps.upos").labels["NOUN"]["f1"] == 1


def test_answers_are_what_was_said(trees: Any) -> None:
    """Two systems that are wrong in another way gave other answers."""
    gold = trees.write(GOLD)
    for metric, column, entries in (
        ("deps.upos", "upos", ("VERB", "PROPN")),
        ("deps.alltags", "xpos", ("V", "W")),
        ("deps.lemmas", "lemma", ("a", "b")),
        ("deps.ufeats", "feats", ("Gender=Fem", "Gender=Neut")),
    ):
        files = [trees.write(trees.edit(GOLD, ("5", column, entry))) for entry in entries]
        one, two = (tertium.decide(gold, file, metric) for file in files)
        assert (one.answer != two.answer).tolist() == [False] * 4 + [True]


@pytest.mark.parametrize("metric", METRICS)
def test_a_column_that_is_not_there(trees: Any, metric: str) -> None:
    with pytest.raises(tertium.LayerError):
        trees.score(GOLD, "1 Elle\n2 parle\n3 du\n4 chat", metric)


def test_needs_no_tree(trees: Any) -> None:
    assert trees.counts("1 a a X", "1 a a X", "deps.upos") == (1, 1, 1)
