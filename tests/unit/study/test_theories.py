"""Gold standards of several theories, and systems of each."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tertium import runs, score, theory
from tertium.exceptions import AlignmentError, InputError, TertiumError, UsageError
from tertium.study.study import Study
from tertium.study.theories import gold_sides

TEXT = ["Mary sleeps .", '" Yes "', "She ( we ) can not", "They do"]
TREES = [
    "(S (NP-SBJ (NNP Mary)) (VP (VBZ sleeps)) (. .))",
    "(S (`` ``) (UH Yes) ('' ''))",
    "(S (NP-SBJ (PRP She) (PRN (-LRB- -LRB-) (PRP we) (-RRB- -RRB-))) (VP (MD can) (RB not)))",
    "(S (NP-SBJ (PRP They)) (VP (VBP do)))",
]


def conllu(sentences: list[str]) -> str:
    def sentence(words: list[str]) -> str:
        rows = [
            f"{n}\t{w}\t_\t_\t_\t_\t{n - 1}\t{'root' if n == 1 else 'dep'}\t_\t_\n"
            for n, w in enumerate(words, 1)
        ]
        return "".join(rows)

    return "\n".join(sentence(each.split()) for each in sentences) + "\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "dep.conllu").write_text(conllu(TEXT))
    (tmp_path / "ps.mrg").write_text("\n".join(TREES))
    return tmp_path


GOLD = {"dep": "dep.conllu", "ps": "ps.mrg"}


def words(corpus: Any) -> list[str]:
    return [" ".join(corpus.forms.to_list()[a:z]) for a, z in pairwise(corpus.offsets.tolist())]


def functions(corpus: Any, name: str, sentence: int) -> list[str]:
    layer = corpus.layers[name]
    return [
        f for f, s in zip(layer.function.to_list(), layer.sentence, strict=True) if s == sentence
    ]


def test_every_side_is_laid_over_the_text_of_the_first(here: Path) -> None:
    study = Study.of(GOLD, ["a=dep:dep.conllu", "ps:ps.mrg"])
    shard = study.shards[0]
    gold, a, b = shard.gold, *shard.systems
    assert study.gold == "dep+ps"
    assert study.systems == ("a", "ps.mrg")
    assert [[*c.layers] for c in (gold, a, b)] == [["dep", "ps"], ["dep"], ["ps"]]
    assert words(gold) == words(a) == words(b) == TEXT
    assert not study.left_out


def test_what_some_lack_is_left_out_and_counted(here: Path) -> None:
    (here / "ps.mrg").write_text("\n".join(TREES[1:]))
    (here / "a.conllu").write_text(conllu(["Surplus", TEXT[1], TEXT[3], "Yes Yes"]))
    study = Study.of(GOLD, ["a=dep:a.conllu", "b=dep:a.conllu"])
    shard = study.shards[0]
    assert words(shard.gold) == TEXT[1:]
    assert words(shard.systems[0]) == [TEXT[1], "", TEXT[3]]
    assert study.left_out == (
        "dep: 1 sentence left out because not all gold standards have it: 1",
        "a, b: 2 sentences ignored because not all gold standards have them: 1, 4",
    )


def test_gold_standards_with_different_words_are_refused_or_skipped(here: Path) -> None:
    (here / "ps.mrg").write_text("\n".join([TREES[0].replace("sleeps", "sleep"), *TREES[1:]]))
    message = r"'dep' has 'sleeps' as word 2 of sentence '1', but 'ps' has 'sleep' as word 2"
    with pytest.raises(AlignmentError, match=message):
        Study.of(GOLD, ["a=ps:ps.mrg"])
    study = Study.of(GOLD, ["a=ps:ps.mrg"], on_error="skip")
    assert words(study.shards[0].gold) == TEXT[1:]


def test_errors_in_a_gold_standard_are_no_difference_in_words(here: Path) -> None:
    wrong = conllu(TEXT).replace("1\tMary\t_\t_\t_\t_\t0", "1\tMary\t_\t_\t_\t_\t2")
    (here / "dep.conllu").write_text(wrong)
    dep, ps, _ = Study.of(GOLD, ["a=ps:ps.mrg"], on_error="skip").left_out
    assert dep == "dep: 1 sentence left out because of errors in it: 1"
    assert ps == "ps: 1 sentence left out because not all gold standards have it: 1"


def test_gold_standards_with_different_tokens_are_refused_or_skipped(here: Path) -> None:
    (here / "dep.conllu").write_text(conllu([*TEXT[:2], "She ( we ) cannot", TEXT[3]]))
    with pytest.raises(AlignmentError, match="different tokens: 'dep' has 'cannot' as word 5"):
        Study.of(GOLD, ["a=ps:ps.mrg"])
    study = Study.of(GOLD, ["a=ps:ps.mrg"], on_error="skip")
    assert words(study.shards[0].gold) == [*TEXT[:2], TEXT[3]]


def test_a_system_with_different_tokens_is_counted(here: Path) -> None:
    (here / "a.conllu").write_text(conllu([*TEXT[:2], "She ( we ) cannot", TEXT[3]]))
    study = Study.of(GOLD, ["a=dep:a.conllu"])
    assert study.left_out == (
        "a: 1 sentence compared by characters because it is divided into different tokens: 3",
    )


def test_files_of_folders_are_joined_by_name_without_ending(here: Path) -> None:
    for name, form, cut in (("x", conllu, TEXT), ("y", "\n".join, TREES)):
        (here / name).mkdir()
        ending = "conllu" if name == "x" else "mrg"
        for part, first, last in (("b", 2, 4), ("a", 0, 2)):
            (here / name / f"{part}.{ending}").write_text(form(cut[first:last]))  # type: ignore[operator]
    study = Study.of({"dep": "x", "ps": "y"}, ["one=ps:ps.mrg", "many=ps:y/*.mrg"])
    gold, one, many = study.shards[0].gold, *study.shards[0].systems
    assert words(gold) == TEXT
    assert one.layers == many.layers
    assert gold.document_names.to_list() == ["a", "b"]


def test_labels_of_one_theory_enrich_the_other(here: Path) -> None:
    both = "a=ps:ps.mrg+dep:dep.conllu"
    study = Study.of(GOLD, [both, "b=ps:ps.mrg"], enrich=("ps=dep",))
    gold, a, b = study.shards[0].gold, *study.shards[0].systems
    plain = Study.of(GOLD, ["b=ps:ps.mrg"]).shards[0]
    assert gold.layers["ps"] == a.layers["ps"]
    assert b.layers["ps"] == plain.systems[0].layers["ps"]
    assert "dep" in functions(a, "ps", 0)
    trees = a.layers["ps"]  # Mary is a constituent (NP-SBJ), which gets the label, not the word
    assert not trees.is_word[trees.function.where("hd")[0]]
    assert set(functions(gold, "ps", 0)) > set(functions(plain.gold, "ps", 0))
    assert np.array_equal(*(np.unique(x.layers["ps"].start) for x in (gold, plain.gold)))
    assert study.left_out == (
        "b: not enriched, since it has no parses of 'dep' (ps:FILE+dep:FILE)",
    )


def test_runs_theories_and_odd_paths(here: Path) -> None:
    for name in ("dep:x", "a,b.mrg", "c=d.mrg"):
        (here / name).write_text((here / ("dep.conllu" if ":" in name else "ps.mrg")).read_text())
    (here / "more.conllu").write_text((here / "dep.conllu").read_text())
    given = ["dep:dep:x", "n=ps:a,b.mrg", "ps:c=d.mrg", "m=dep:dep.conllu,more.conllu"]
    study = Study.of(GOLD, [*given, runs("r", "dep:dep.conllu", theory("dep", "dep:x"))])
    assert study.systems == ("dep:x", "n", "c=d.mrg", "m#1", "m#2", "r#1", "r#2")
    assert Study.of({"dep": "dep.conllu"}, ["dep:x", "y=dep.conllu"]).systems == ("dep:x", "y")


@pytest.mark.parametrize(
    ("gold", "system", "options", "message"),
    [
        (GOLD, "a=dep.conllu", {}, "'dep.conllu' does not say which theory it has"),
        (GOLD, "a=dap:dep.conllu", {}, "Did you mean 'dep'"),
        (GOLD, r"a=C:\dep.conllu", {}, "does not say which theory"),
        ({"dep": "dep.conllu"}, "a=dap:dep.conllu", {}, "there is no theory 'dap'"),
        ({"a:b": "dep.conllu"}, "x", {}, "without : , = +"),
        ({"own": "dep.conllu"}, "x", {}, "cannot be called 'own'"),
        ({}, "x", {}, "is empty"),
        (GOLD, "ps:ps.mrg+dep:dep.conllu", {}, "which is not used"),
        (GOLD, "ps:ps.mrg", {"enrich": ("ps",)}, "must be THEORY=THEORY"),
        (GOLD, "ps:ps.mrg", {"enrich": ("ps=x",)}, "there is no theory 'x'"),
        ("dep.conllu", "dep.conllu", {"enrich": ("ps=dep",)}, "needs gold standards of several"),
        ({"dep": "-", "ps": "ps.mrg"}, "dep:-", {}, "only once"),
        (GOLD, [["N"]], {}, "has no theory"),
    ],
)
def test_what_cannot_be_meant_is_refused(
    here: Path, gold: Any, system: Any, options: Any, message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        Study.of(gold, [system], **options)


def test_other_texts_are_refused(here: Path) -> None:
    (here / "a.conllu").write_text(conllu(["Something else"]))
    with pytest.raises(AlignmentError, match="no sentence in common with dep"):
        Study.of(GOLD, ["a=dep:a.conllu"])
    with pytest.raises(AlignmentError, match="no sentence in common"):
        Study.of({"dep": "a.conllu", "ps": "ps.mrg"}, ["a=dep:a.conllu"])


def test_gold_is_named_on_the_command_line() -> None:
    assert gold_sides(["dep=a=b.conllu", "ps=x"]) == {"dep": "a=b.conllu", "ps": "x"}
    for wrong in (["dep"], ["dep="], ["=x"], ["dep=x", "dep=y"]):
        with pytest.raises(TertiumError):
            gold_sides(wrong)


def test_different_tokens_are_adds_and_deletes(here: Path) -> None:
    (here / "a.conllu").write_text(conllu([*TEXT[:2], "She ( we ) cannot", TEXT[3]]))
    a, b = (
        score({"dep": "dep.conllu"}, f"a=dep:{file}", labels=False).results[0]
        for file in ("dep.conllu", "a.conllu")
    )
    # The node over "can not" is found in "cannot"; those over "can" and over "not" are not.
    assert (a.value, b.counts["gen"] - b.counts["parse"], b.counts["delta"]) == (1.0, 2, 2)
    assert b.coverage["unaligned"] == 3


def test_reserved_characters_in_functions(here: Path) -> None:
    (here / "a.conllu").write_text(conllu(TEXT).replace("dep\t", "a@b\t", 1))
    system = ["a=dep:a.conllu"]
    message = "a.conllu: the function 'a@b' in sentence '1' has a reserved character"
    with pytest.raises(InputError, match=message):
        Study.of(GOLD, system)
    (note,) = Study.of(GOLD, system, on_error="repair").left_out
    assert note == "a.conllu: 1 sentence repaired because of reserved characters in functions: 1"
    scores = score(GOLD, *system, on_error="skip")
    assert scores.results[0].coverage["skipped"] == 1
    study = Study.of({**GOLD, "dep": "a.conllu"}, system, on_error="skip")
    assert len(study.shards[0].gold.offsets) == 4
    assert "ps: 1 sentence left out because not all gold standards have it: 1" in study.left_out


def test_a_system_of_the_other_kind_is_noted(here: Path) -> None:
    (note,) = Study.of(GOLD, ["a=ps:dep.conllu"]).left_out
    assert note == "a has dependencies, but the gold standard of its theory 'ps' has constituents"


def test_a_format_may_be_that_of_one_theory(here: Path) -> None:
    """Relational-realizational trees with labels of their own, beside dependencies."""
    (here / "dep.conllu").write_text(conllu([TEXT[0]]))
    (here / "rr.mrg").write_text("(S (F/SBJ (NP (NNP Mary))) (VP (VBZ sleeps)) (. .))")
    gold, format = {"dep": "dep.conllu", "ps": "rr.mrg"}, "brackets(relational={})"
    given = "ps:brackets(relational=functions, relational_labels='F/(.*)')"
    study = Study.of(gold, ["a=dep:dep.conllu", "b=ps:rr.mrg"], input_format=given)
    shard = study.shards[0]
    for corpus in (shard.gold, shard.systems[1]):
        assert {*functions(corpus, "ps", 0)} == {"root", "", "SBJ"}
    assert study.formats_by_theory[0].keys() == {"ps"}
    only = Study.of(gold, ["b=ps:rr.mrg"], system_format=given).shards[0]
    assert "SBJ" not in functions(only.gold, "ps", 0)
    assert "SBJ" in functions(only.systems[0], "ps", 0)
    with pytest.raises(UsageError, match="'rr:brackets"):
        Study.of(gold, ["b=ps:rr.mrg"], input_format=f"rr:{format.format('strip')}")


def test_sentences_in_a_different_order_are_said_to_be(here: Path) -> None:
    (here / "a.conllu").write_text(conllu([TEXT[3], *TEXT[:3]]))
    (note,) = Study.of(GOLD, ["a=dep:a.conllu"]).left_out
    why = "not all gold standards have it in the same order"
    assert note == f"a: 1 sentence ignored because {why}: 1"
    notes = Study.of({"dep": "a.conllu", "ps": "ps.mrg"}, ["a=dep:a.conllu"]).left_out
    assert notes[0].endswith("have it in the same order and tokens: 1")
