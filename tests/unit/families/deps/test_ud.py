"""`deps.ud`: all numbers of an evaluation under one name."""

import json
from pathlib import Path
from typing import Any

import pytest

import tertium
from tertium.cli.main import main

NUMBERS = "tokens sentences words upos xpos ufeats alltags lemmas uas las clas mlas blex".split()
MEMBERS = {
    "conll18": NUMBERS,
    "udtools": [*NUMBERS, "elas", "eulas"],
    "conll07": ["uas", "las", "ls"],
    "compareval": ["uas", "las", "ls"],
}
GOLD = """
1-2 du
1 de   de   ADP  E Case=Gen            3 case    3:case
2 le   le   DET  D Definite=Def        3 det     3:det
3 chat chat NOUN N Gender=Masc         0 root    0:root
4 noir noir ADJ  A Gender=Masc|Style=X 3 amod:qu 3:amod:qu
"""
SYSTEM = """
1 du   du   ADP  E Case=Gen            2 case 2:case
2 chat Chat NOUN M Gender=Masc         3 nmod 3:nmod
3 noir noir ADJ  A Gender=Masc         0 root 0:root
"""


def scores(trees: Any, gold: str, system: str, metric: str = "deps.ud") -> Any:
    return tertium.score(trees.write(gold), trees.write(system), metric=metric)


@pytest.mark.parametrize("compat", MEMBERS)
def test_members(trees: Any, compat: str) -> None:
    metric = tertium.metric(f"deps.ud(compat={compat})")
    assert [*metric.members()] == MEMBERS[compat]  # type: ignore[attr-defined]
    found = scores(trees, GOLD, GOLD, f"deps.ud(compat={compat})")
    assert found.metrics == [f"deps.ud.{name}" for name in MEMBERS[compat]]
    assert [result.value for result in found] == [1] * len(MEMBERS[compat])
    for result in found:
        assert f"|compat:{compat}|" in str(result.signature)


def test_every_number(trees: Any) -> None:
    """`du` is left unsplit: two gold words and one system word have no partner. Of `chat` lemma,
    XPOS and arc are wrong, of `noir` the arc."""
    expected = {
        "tokens": (3, 3, 3),
        "sentences": (1, 1, 1),
        "words": (2, 4, 3),
        "upos": (2, 4, 3),
        "xpos": (1, 4, 3),
        "ufeats": (2, 4, 3),
        "alltags": (1, 4, 3),
        "lemmas": (1, 4, 3),
        "uas": (0, 4, 3),
        "las": (0, 4, 3),
        "clas": (0, 2, 2),
        "mlas": (0, 2, 2),
        "blex": (0, 2, 2),
        "elas": (0, 4, 3),
        "eulas": (0, 4, 3),
    }
    for compat in ("conll18", "udtools"):
        found = scores(trees, GOLD, SYSTEM, f"deps.ud(compat={compat})")
        for name in MEMBERS[compat]:
            counts = found[f"deps.ud.{name}"].counts
            assert (counts["correct"], counts["gold"], counts["system"]) == expected[name], name


@pytest.mark.parametrize("compat", MEMBERS)
def test_members_equal_the_metrics_of_one_number(trees: Any, compat: str) -> None:
    # eval07.pl takes the same words only.
    system = GOLD.replace("3 det ", "1 nsubj ") if compat == "conll07" else SYSTEM
    found = scores(trees, GOLD, system, f"deps.ud(compat={compat})")
    for name in MEMBERS[compat]:
        own = ""
        if name in ("elas", "eulas") or not compat.startswith(("conll18", "ud")):
            own = f"(compat={compat})"
        (single,) = scores(trees, GOLD, system, f"deps.{name}{own}")
        joined = found[f"deps.ud.{name}"]
        assert joined.counts == single.counts
        assert joined.labels.keys() == single.labels.keys()
        assert {k: v or 0 for k, v in joined.parts.items()} == {
            k: v or 0 for k, v in single.parts.items()
        }


def test_a_member_by_its_name(trees: Any) -> None:
    """One number is the evaluation with that number alone: what it refuses is refused."""
    one = tertium.metric("deps.ud.mlas")
    assert one == tertium.metric("deps.ud(numbers='mlas')")
    files = trees.write(GOLD), trees.write(SYSTEM)
    assert tertium.score(*files, metric=one).metrics == ["deps.ud.mlas"]
    rows, same = (tertium.decide(*files, m) for m in (one, "deps.mlas"))
    assert (rows.answer == same.answer).all()
    assert len(tertium.errors(*files, metric=one)) == len(
        tertium.errors(*files, metric="deps.mlas")
    )
    assert [*tertium.metric("deps.ud(numbers='las, uas')").members()] == ["uas", "las"]
    with pytest.raises(tertium.UsageError, match=r"deps\.ud\.elas\(compat='udtools'\)"):
        tertium.metric("deps.ud.elas")
    with pytest.raises(tertium.UsageError, match=r"no number 'laas'.*Did you mean 'las'"):
        tertium.metric("deps.ud.laas")
    with pytest.raises(tertium.UsageError, match="does not judge single items"):
        tertium.decide(trees.write(GOLD), trees.write(SYSTEM), "deps.ud")


def test_json(trees: Any, capsys: pytest.CaptureFixture[str]) -> None:
    files = [trees.write(GOLD), trees.write(SYSTEM)]
    assert main(["score", *files, "--metric", "deps.ud", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)["scores"]
    assert [entry["metric"] for entry in found] == [f"deps.ud.{name}" for name in NUMBERS]
    for entry in found:
        assert {*entry["parts"]} == {"precision", "recall", "f1", "aligned_accuracy", "complete"}
        assert {*entry["counts"]} == {"correct", "gold", "system", "aligned"}
        assert entry["value"] == entry["parts"]["f1"]
    assert [e["parts"]["aligned_accuracy"] for e in found[:4]] == [None, None, None, 1]


def test_a_column_that_is_not_given_is_read_as_such(trees: Any) -> None:
    """The evaluation sees `_` on both sides, which is equal; the single metrics refuse."""
    bare = "1 a _ _ _ _ 0 root"
    found = scores(trees, bare, bare)
    assert [result.value for result in found] == [1] * len(NUMBERS)
    tagged = scores(trees, bare, "1 a b X Y Case=Nom 0 root")
    wrong = [r.metric.removeprefix("deps.ud.") for r in tagged if r.value == 0]
    assert wrong == ["upos", "xpos", "ufeats", "alltags", "mlas"], "not lemmas: gold has none"
    with pytest.raises(tertium.LayerError):
        scores(trees, bare, bare, "deps.upos")


def test_nothing_to_score_is_zero_with_a_reason(trees: Any) -> None:
    """No content word in gold, none in the system."""
    text = "1 ! ! PUNCT . _ 0 punct"
    found = scores(trees, text, text)
    clas = found["deps.ud.clas"]
    assert clas.value == 0
    assert clas.reasons["value"] == "there are no words to score"
    assert any("deps.ud.clas f1 is 0 as in the CoNLL 2018 evaluation" in n for n in found.notes)
    null = scores(trees, text, text, "deps.ud(undefined=null)")
    assert null["deps.ud.clas"].value is None
    assert null["deps.ud.clas"].reasons["value"] == "there are no words to score"
    assert not any("is 0" in note for note in null.notes)


def test_what_is_never_defined_is_never_zero(trees: Any) -> None:
    found = scores(trees, GOLD, SYSTEM, "deps.ud(compat=udtools)")
    for name in ("tokens", "sentences", "words", "elas", "eulas"):
        result = found[f"deps.ud.{name}"]
        assert result.parts["aligned_accuracy"] is None
        assert result.reasons["aligned_accuracy"]


def test_graphs_that_are_not_given_have_no_edges(trees: Any) -> None:
    text = "1 a a X _ _ 0 root"
    found = scores(trees, text, text, "deps.ud(compat=udtools)")
    assert found["deps.ud.elas"].counts == {"correct": 0, "gold": 0, "system": 0, "aligned": 0}
    assert found["deps.ud.elas"].value == 0
    half = scores(trees, "1 a a X _ _ 0 root 0:root", text, "deps.ud(compat=udtools)")
    assert half["deps.ud.elas"].counts == {"correct": 0, "gold": 1, "system": 0, "aligned": 1}


def test_trees_are_needed(trees: Any) -> None:
    with pytest.raises(tertium.LayerError, match="deps"):
        scores(trees, "1 a a X", "1 a a X")


def test_punctuation_is_a_matter_of_eval07(trees: Any) -> None:
    tree = "1 a a X _ _ 0 root\n2 . . X _ _ 1 punct"
    found = scores(trees, tree, tree, "deps.ud(compat=conll07, punct=form)")
    assert [result.counts["gold"] for result in found] == [1, 1, 1]
    assert "|punct:form|" in str(found.results[0].signature)
    kept = scores(trees, tree, tree, "deps.ud(compat=conll07)")
    assert [result.counts["gold"] for result in kept] == [2, 2, 2]
    for compat in ("conll18", "udtools", "compareval"):
        with pytest.raises(tertium.UsageError, match="no choice of punctuation"):
            tertium.metric(f"deps.ud(compat={compat}, punct=form)")


def test_words_are_paired_by_characters_whatever_align_says(trees: Any) -> None:
    """A range that only gold has is another text for the evaluation."""
    system = GOLD.replace("1-2 du\n", "")
    assert trees.counts(GOLD, system, "deps.las") == (4, 4, 4)
    with pytest.raises(tertium.AlignmentError):
        scores(trees, GOLD, system)


def test_units_are_the_same_for_all_members(trees: Any) -> None:
    found = scores(trees, GOLD + GOLD, SYSTEM + GOLD)
    for result in found:
        assert result.stats.dense.shape == (2, 6)
    assert found["deps.ud.las"].stats.dense[:, 0].tolist() == [0, 4]


def test_groups(samples: Path) -> None:
    found = tertium.score(
        samples / "gold.conllu", samples / "arbor.conllu", metric="deps.ud", by="genre"
    )
    for result in found:
        correct = [group.counts["correct"] for group in result.groups.values()]
        assert sum(correct) == result.counts["correct"]


def test_groups_of_words_leave_sentences_out(samples: Path) -> None:
    files = [samples / f"{name}.conllu" for name in ("gold", "breeze")]
    scores = tertium.score(*files, metric="deps.ud", by="distance")
    assert scores["deps.ud.sentences"].groups == {}
    assert any("deps.ud.sentences is not grouped" in note for note in scores.notes)
    las = scores["deps.ud.las"]
    assert sum(group.counts["gold"] for group in las.groups.values()) == las.counts["gold"]
    table = tertium.render(scores).split("\n")
    clas = scores["deps.ud.clas"].counts["gold"]
    assert any(line.startswith("all") and f" {clas}" in line for line in table)


def test_two_evaluations_of_one_kind_keep_their_numbers_apart(samples: Path) -> None:
    files = [samples / f"{name}.conllu" for name in ("gold", "breeze")]
    metrics = ["deps.ud", "deps.ud(compat='compareval')"]
    scores = tertium.score(*files, metric=metrics)
    ours, theirs = scores["deps.ud.las"], scores["deps.ud.las(compat='compareval')"]
    assert theirs.counts["gold"] < ours.counts["gold"]
    assert str(theirs.signature).startswith("deps.ud.las|compat:compareval|")
    assert tertium.score(*files, metric=theirs.metric).results[0].counts == theirs.counts
    tables = tertium.render(scores)
    assert "UD evaluation of breeze" in tables
    assert "UD evaluation (compat='compareval') of breeze" in tables
    assert "deps.ud.*|compat:conll18|" in tables.replace("|k:", "|compat:")


def test_several_numbers_by_their_names(samples: Path) -> None:
    """They are rows of one table, and one that is given twice is there once."""
    files = [samples / f"{name}.conllu" for name in ("gold", "breeze")]
    scores = tertium.score(*files, metric=["deps.ud.las", "deps.ud.mlas"])
    assert scores.metrics == ["deps.ud.las", "deps.ud.mlas"]
    table = tertium.render(scores)
    assert table.count("UD evaluation of breeze") == 1
    assert table.count("deps.ud.*|") == 1
    both = tertium.score(*files, metric=["deps.ud", "deps.ud.las"])
    assert both.metrics.count("deps.ud.las") == 1
    assert len(both) == 13
