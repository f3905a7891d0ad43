"""Attachment scores on examples small enough to check by eye."""

from pathlib import Path
from typing import Any

import pytest

import tertium
from tertium.results.scores import Result

GOLD = [
    ("She", "PRON", 2, "nsubj"),
    ("sleeps", "VERB", 0, "root"),
    ("at", "ADP", 4, "case"),
    ("home", "NOUN", 2, "obl:tmod"),
    (".", "PUNCT", 2, "punct"),
]


def write(path: Path, words: list[tuple[str, str, int, str]]) -> str:
    rows = [
        f"{i}\t{form}\t_\t{upos}\t_\t_\t{head}\t{label}\t_\t_"
        for i, (form, upos, head, label) in enumerate(words, 1)
    ]
    path.write_text("\n".join(rows) + "\n\n")
    return str(path)


def score(
    tmp_path: Path, changes: dict[int, tuple[int, str]], metric: str, words: object = None
) -> Result:
    system = [
        (form, upos, *changes.get(i, (head, label)))
        for i, (form, upos, head, label) in enumerate(GOLD, 1)
    ]
    gold = write(tmp_path / "gold.conllu", GOLD)
    return tertium.score(gold, write(tmp_path / "system.conllu", system), metric=metric).results[0]


@pytest.mark.parametrize(
    ("changes", "uas", "las", "ls"),
    [
        ({}, 5, 5, 5),
        ({1: (4, "nsubj")}, 4, 4, 5),
        ({1: (2, "obj")}, 5, 4, 4),
        ({1: (4, "obj"), 3: (2, "case")}, 3, 3, 4),
        ({4: (2, "obl")}, 5, 5, 5),  # subtypes do not count
    ],
)
def test_what_each_counts(
    tmp_path: Path, changes: dict[int, tuple[int, str]], uas: int, las: int, ls: int
) -> None:
    for metric, correct in (("deps.uas", uas), ("deps.las", las), ("deps.ls", ls)):
        found = score(tmp_path, changes, metric)
        assert found.counts == {"correct": correct, "gold": 5, "system": 5, "aligned": 5}
        assert found.value == pytest.approx(correct / 5)
        assert found.parts["complete"] == (1 if correct == 5 else 0)


def test_subtypes(tmp_path: Path) -> None:
    assert score(tmp_path, {4: (2, "obl")}, "deps.las(subtypes=True)").counts["correct"] == 4


@pytest.mark.parametrize("policy", ["deprel", "upos", "form"])
def test_punctuation_can_be_left_out(tmp_path: Path, policy: str) -> None:
    found = score(tmp_path, {5: (4, "punct")}, f"deps.las(punct={policy})")
    assert found.counts == {"correct": 4, "gold": 4, "system": 4, "aligned": 4}
    assert found.coverage["scored"] == 4
    assert f"punct:{policy}" in str(found.signature)


def test_punctuation_by_form_is_unicode_category_p(tmp_path: Path) -> None:
    words = [("$", "SYM", 2, "dep"), ("5", "NUM", 0, "root"), ("%", "SYM", 2, "dep")]
    gold = write(tmp_path / "g.conllu", words)
    found = tertium.score(gold, gold, metric="deps.las(punct=form)").results[0]
    assert found.counts["gold"] == 2, "$ stays, % goes"


def test_error_types(tmp_path: Path) -> None:
    gold = write(tmp_path / "gold.conllu", GOLD)
    system = list(GOLD)
    system[0] = ("She", "PRON", 4, "nsubj")
    system[2] = ("at", "ADP", 4, "mark")
    system[3] = ("home", "NOUN", 5, "obj")
    decisions = tertium.decide(gold, write(tmp_path / "s.conllu", system), "deps.las")
    names = [decisions.error_types[c] for c in decisions.error_type]
    assert names == ["attachment:sibling", "none", "label", "both:sibling", "none"]


def test_answers_differ_iff_what_was_said_differs(tmp_path: Path) -> None:
    gold = write(tmp_path / "gold.conllu", GOLD)
    a, b = list(GOLD), list(GOLD)
    a[0] = ("She", "PRON", 4, "nsubj")
    b[0] = ("She", "PRON", 3, "nsubj")  # wrong too, but different head
    b[2] = ("at", "ADP", 4, "newlabel")
    files = [write(tmp_path / f"{n}.conllu", w) for n, w in (("a", a), ("b", b))]
    one, two = (tertium.decide(gold, f, "deps.las") for f in files)
    assert (one.answer != two.answer).tolist() == [True, False, True, False, False]
    one, two = (tertium.decide(gold, f, "deps.ls") for f in files)
    assert (one.answer != two.answer).tolist() == [False, False, True, False, False]


def test_heads_across_tokenisations(tmp_path: Path) -> None:
    """Case u24 of the notes: a multiword token left unsplit."""
    gold = tmp_path / "g.conllu"
    gold.write_text(
        "1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_\n1\tde\t_\tADP\t_\t_\t3\tcase\t_\t_\n"
        "2\tle\t_\tDET\t_\t_\t3\tdet\t_\t_\n3\tpain\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n"
    )
    system = tmp_path / "s.conllu"
    system.write_text(
        "1\tdu\t_\tADP\t_\t_\t2\tcase\t_\t_\n2\tpain\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n"
    )
    found = tertium.score(str(gold), str(system), metric="deps.las").results[0]
    assert found.counts == {"correct": 1, "gold": 3, "system": 2, "aligned": 1}
    assert found.coverage["unaligned"] == 3


def test_two_gold_sentences_joined(tmp_path: Path) -> None:
    """Case u32 of the notes."""
    gold = tmp_path / "g.conllu"
    word = "{}\t{}\t_\t_\t_\t_\t{}\t{}\t_\t_\n"
    gold.write_text(
        word.format(1, "Go", 0, "root") + word.format(2, "!", 1, "punct") + "\n"
        + word.format(1, "Run", 0, "root") + word.format(2, "!", 1, "punct") + "\n"
    )  # fmt: skip
    system = tmp_path / "s.conllu"
    system.write_text(
        word.format(1, "Go", 0, "root") + word.format(2, "!", 1, "punct")
        + word.format(3, "Run", 1, "parataxis") + word.format(4, "!", 3, "punct") + "\n"
    )  # fmt: skip
    found = tertium.score(str(gold), str(system), metric="deps.las").results[0]
    assert found.counts == {"correct": 3, "gold": 4, "system": 4, "aligned": 4}
    assert found.stats is not None
    assert found.stats.dense[:, 0].tolist() == [2, 1], "each word counts in its gold sentence"


# Two clauses: said -> left -> she, because -> ..., and the tree is deep enough for every place.
DEEP = """
1 Ann     Ann     PROPN _ _ 2 nsubj
2 said    say     VERB  _ _ 0 root
3 she     she     PRON  _ _ 4 nsubj
4 left    leave   VERB  _ _ 2 ccomp
5 the     the     DET   _ _ 6 det
6 town    town    NOUN  _ _ 4 obj
7 quickly quickly ADV   _ _ 4 advmod
"""


@pytest.mark.parametrize(
    ("heads", "word", "place"),
    [
        pytest.param({6: 7}, 6, ":sibling", id="another child of the gold head"),
        pytest.param({6: 2}, 6, ":grandparent", id="the gold head's head"),
        pytest.param({6: 5, 5: 4}, 6, ":child", id="a child of the word in gold"),
        pytest.param({5: 1}, 5, ":other", id="elsewhere"),
        pytest.param({5: 0, 2: 5}, 5, ":root", id="made the root"),
        pytest.param({2: 4, 4: 0}, 2, ":root", id="the root below its child"),
        pytest.param({2: 5, 5: 0}, 2, ":root", id="the root below another word"),
        pytest.param({2: 4, 4: 0}, 4, ":root", id="the word that became the root"),
    ],
)
def test_where_the_wrong_head_stands(
    trees: Any, heads: dict[int, int], word: int, place: str
) -> None:
    edits = [(str(number), "head", str(head)) for number, head in heads.items()]
    relation = (str(word), "deprel", "dep")
    for more, kind in (((), "attachment"), ((relation,), "both")):
        system = trees.edit(DEEP, *edits, *more)
        assert trees.rows(DEEP, system, "deps.las")[word - 1][2:] == ("wrong", kind + place)
        assert trees.rows(DEEP, system, "deps.uas")[word - 1][2:] == ("wrong", "attachment" + place)
        outcome = ("wrong", "label") if more else ("correct", "none")
        assert trees.rows(DEEP, system, "deps.ls")[word - 1][2:] == outcome


def test_root_comes_before_other_places(trees: Any) -> None:
    """In a tree no two other places can be the same word."""
    gold = trees.edit(DEEP, ("4", "head", "0"))
    system = trees.edit(DEEP, ("4", "head", "2"))
    rows = trees.rows(gold, system, "deps.las(compat='conll07')")  # takes several roots
    assert rows[3][2:] == ("wrong", "attachment:root"), "a root, although `said` is a sibling"


def test_unaligned_words_have_no_place(trees: Any) -> None:
    system = DEEP.replace("5 the     the     DET   _ _ 6 det\n", "").replace(
        "6 town ", "5 thetown "
    )
    system = system.replace("7 quickly", "6 quickly")
    assert trees.errors(DEEP, system, "deps.las") == [
        ("unaligned", "the", None),
        ("unaligned", None, "thetown"),
        ("unaligned", "town", None),
    ]


def test_a_head_without_a_partner_is_wrong(trees: Any) -> None:
    """`the` hangs on a word that gold does not have."""
    system = """
1 Ann  Ann   PROPN _ _ 2 nsubj
2 said say   VERB  _ _ 0 root
3 she  she   PRON  _ _ 4 nsubj
4 left leave VERB  _ _ 2 ccomp
5 the  the   DET   _ _ 6 det
6 townquickly town NOUN _ _ 4 obj
"""
    assert trees.score(DEEP, system, "deps.uas").counts == {
        "correct": 4,
        "gold": 7,
        "system": 6,
        "aligned": 5,
    }
    assert trees.rows(DEEP, system, "deps.uas")[4] == ("det", "det", "wrong", "attachment:other")


TREE = """
1 Rates rate NOUN  NNS _ 2 nsubj:pass
2 fell  fall VERB  VBD _ 0 ROOT
3 5     5    NUM   CD  _ 4 NUM
4 %     %    SYM   %   _ 2 obl
5 $     $    SYM   $   _ 4 sym
6 ,     ,    PUNCT ,   _ 2 PUNCT
7 "     "    PUNCT "   _ 2 punct:q
"""


@pytest.mark.parametrize(
    ("edit", "default", "conll07", "compareval"),
    [
        pytest.param(("1", "deprel", "nsubj"), 7, 6, 5, id="a subtype counts"),
        pytest.param(("2", "deprel", "root"), 6, 6, 6, id="case counts for eval07.pl only"),
        pytest.param(("1", "head", "4"), 6, 6, 5, id="a head"),
        pytest.param(("6", "head", "4"), 6, 6, 6, id="punctuation does not count for ComparEval"),
        pytest.param(("7", "head", "4"), 6, 6, 5, id="a subtype of punct is not punct for it"),
        pytest.param(("4", "deprel", "punct"), 6, 6, 5, id="gold says what punctuation is"),
    ],
)
def test_other_tools(trees: Any, edit: Any, default: int, conll07: int, compareval: int) -> None:
    system = trees.edit(TREE, edit)
    assert trees.counts(TREE, system, "deps.las") == (default, 7, 7)
    assert trees.counts(TREE, system, "deps.las(compat=conll07)") == (conll07, 7, 7)
    assert trees.counts(TREE, system, "deps.las(compat=compareval)") == (compareval, 6, 6)


def test_three_numbers_of_other_tools(trees: Any) -> None:
    """`Rates` has different head, `%` another relation, the comma both."""
    system = trees.edit(
        TREE,
        *[("1", "head", "4"), ("4", "deprel", "nmod")],
        *[("6", "head", "4"), ("6", "deprel", "dep")],
    )
    for compat, found in (
        ("conll07", [(5, 7, 7), (4, 7, 7), (5, 7, 7)]),
        ("conll07, punct=form", [(3, 4, 4), (3, 4, 4), (4, 4, 4)]),
        ("compareval", [(5, 6, 6), (4, 6, 6), (5, 6, 6)]),
    ):
        names = (f"deps.{name}(compat={compat})" for name in ("uas", "las", "ls"))
        assert [trees.counts(TREE, system, name) for name in names] == found, compat


def test_form_is_the_option_of_eval07(trees: Any) -> None:
    """`$` stays, `%`, `,` and the quotation mark go."""
    assert trees.counts(TREE, TREE, "deps.las(compat=conll07, punct=form)") == (4, 4, 4)


def test_fully_correct_sentences_of_compareval(trees: Any) -> None:
    """Punctuation cannot make a sentence wrong."""
    gold = TREE + TREE
    system = trees.edit(TREE, ("6", "head", "4")) + trees.edit(TREE, ("1", "head", "4"))
    assert trees.score(gold, system, "deps.las(compat=compareval)").parts["complete"] == 1 / 2
    assert trees.score(gold, system, "deps.las(compat=conll07)").parts["complete"] == 0


@pytest.mark.parametrize("compat", ["conll07", "compareval"])
def test_other_tools_take_several_roots(trees: Any, compat: str) -> None:
    two = trees.edit(TREE, ("4", "head", "0"))
    assert trees.counts(two, two, f"deps.las(compat={compat})")[0] == (
        7 if compat == "conll07" else 6
    )


def test_signatures_of_other_tools(trees: Any) -> None:
    for metric, found in (
        ("deps.las", "deps.las|punct:keep|subtypes:no|"),
        ("deps.las(compat=conll07)", "deps.las|punct:keep|compat:conll07|subtypes:yes|"),
        (
            "deps.las(compat=conll07, punct=form)",
            "deps.las|punct:form|compat:conll07|subtypes:yes|",
        ),
        ("deps.las(compat=compareval)", "deps.las|punct:deprel|compat:compareval|subtypes:yes|"),
        ("deps.uas(compat=compareval)", "deps.uas|punct:deprel|compat:compareval|align:"),
    ):
        assert str(trees.score(TREE, TREE, metric).signature).startswith(found)


@pytest.mark.parametrize(
    "metric",
    [
        "deps.las(compat=conll07, punct=upos)",
        "deps.las(compat=conll07, punct=deprel)",
        "deps.uas(compat=compareval, punct=form)",
        "deps.las(compat=conll07, subtypes=True)",
        "deps.ls(compat=compareval, subtypes=True)",
        "deps.las(compat=conll18)",
    ],
)
def test_what_does_not_go_together(metric: str) -> None:
    with pytest.raises(tertium.UsageError):
        tertium.metric(metric)
