"""The worked example of the page from files to numbers; and other verbs over two theories."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

import tertium
from tertium.samples import path
from tertium.significance.score.summary import summary

DEP = [
    "John 2 sbj; loves 0 root; Mary 2 obj",
    "Mary 2 sbj; sleeps 0 root",
]
SWAPPED = ["John 2 obj; loves 0 root; Mary 2 sbj", DEP[1]]
PS = [
    "(S (NP-sbj (N John)) (VP-prd (V loves) (NP-obj (N Mary))))",
    "(S (NP-sbj (N Mary)) (VP (V sleeps)))",
]
NO_OBJECT = [PS[0].replace("-obj", ""), PS[1]]
ADDED = ["(S (NP-sbj (N John)) (VP-prd (VX-hd (V loves)) (NP-obj (N Mary))))"]
BARE = [re.sub("-(sbj|prd|obj)", "", tree) for tree in PS]


def conllu(sentences: Sequence[str]) -> str:
    """`word head relation; ...`"""
    rows = [[word.split() for word in sentence.split("; ")] for sentence in sentences]
    lines = [
        "".join(f"{n}\t{w}\t_\t_\t_\t_\t{h}\t{r}\t_\t_\n" for n, (w, h, r) in enumerate(words, 1))
        for words in rows
    ]
    return "\n".join(lines) + "\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for count, suffix in ((1, ""), (2, "s")):
        for name, sentences in (("gold", DEP), ("swapped", SWAPPED)):
            Path(f"{name}{suffix}.conllu").write_text(conllu(sentences[:count]), "utf-8")
        for name, sentences in {
            "gold": PS,
            "no-object": NO_OBJECT,
            "added": ADDED,
            "bare": BARE,
        }.items():
            Path(f"{name}{suffix}.mrg").write_text("\n".join(sentences[:count]), "utf-8")
    return tmp_path


def score(*systems: str, several: bool = False, **options: object) -> tertium.Scores:
    suffix = "s" if several else ""
    gold = {"dep": f"gold{suffix}.conllu", "ps": f"gold{suffix}.mrg"}
    return tertium.score(gold, *systems, **options)


@pytest.mark.parametrize(
    ("system", "parameters", "value"),
    [
        ("dep:swapped.conllu", "", 0.428571),
        ("dep:swapped.conllu", "labeled=False", 1.0),
        ("dep:swapped.conllu", "golds=own", 0.5),
        ("ps:no-object.mrg", "", 0.833333),
        ("dep:added.mrg", "", 0.875),
    ],
)
def test_one_sentence(folder: Path, system: str, parameters: str, value: float) -> None:
    found = score(f"x={system}", metric=f"theories.tedeval({parameters})")
    assert found.value == pytest.approx(value, abs=5e-7)


def test_two_sentences_and_overlap(folder: Path) -> None:
    [result] = score("x=dep:swappeds.conllu", several=True, metric="theories.tedeval").results
    assert result.parts == pytest.approx({"ratio": 0.666667, "sentences": 0.714286}, abs=5e-7)
    notes = score("x=dep:gold.conllu").notes
    assert "overlap of the gold standards dep and ps, labelled: 0.7500" in notes


def test_a_parser_without_functions_is_ranked_without_labels(folder: Path) -> None:
    found = score("swap=dep:swapped.conllu", "bare=ps:bare.mrg")
    values = {(r.system, r.metric): r.value for r in found.results}
    assert values["bare", "theories.tedeval"] is None
    assert values["bare", "theories.tedeval(labeled=False)"] == 1
    [reason] = [r.reasons["value"] for r in found.results if r.value is None]
    assert reason == "theories.tedeval: bare.mrg has no function labels"
    assert summary(found, None) == "swap and bare have the same TedEval unlabelled: 100.00"
    text = found.render("text")
    assert "¹ no function labels in this system's file" in text
    assert text.count("function labels") == 1
    assert text.count("theories.tedeval|") == 2  # one signature for both theories


def test_labelled_scores_that_no_system_has_are_named(folder: Path) -> None:
    found = score("bare=ps:bare.mrg")
    assert "TedEval is not shown because no system has function labels" in found.notes


def test_groups_have_errors_of_both_sides(folder: Path) -> None:
    [result] = score("x=dep:swapped.conllu", metric="theories.tedeval", by="size").results
    assert {name: group.value for name, group in result.groups.items()} == {
        "1": 1 - 4 / 5,
        "3": 1.0,
    }
    [by_label] = score("x=dep:swapped.conllu", metric="theories.tedeval", by="label").results
    assert {name: by_label.groups[name].value for name in ("root", "sbj", "obj", "hd")} == {
        "root": 1.0,
        "sbj": 0.0,
        "obj": 0.0,
        "hd": 1.0,
    }
    assert {name: label["ratio"] for name, label in by_label.labels.items()} == {
        "root": 1.0,
        "sbj": 0.0,
        "obj": 0.0,
        "hd": 1.0,
    }


def test_what_is_excused_of_one_system_only_is_a_difference() -> None:
    """Nodes that only one theory has are errors of systems of the other."""
    golds = {"dep": path("theories-dep.conllu"), "ps": path("trees-gold.mrg")}
    systems = [f"{name}=dep:{path(f'theories-{name}.conllu')}" for name in ("elm", "fir")]
    systems += [f"arbor=ps:{path('trees-arbor.mrg')}"]
    found = tertium.compare(golds, *systems, metric="theories.tedeval(labeled=False)", trials=1)
    errors = {result.system: result.counts["delta"] for result in found.scores}
    for pair in found.view.pairs:
        assert pair.corrections - pair.new_errors == errors[pair.a] - errors[pair.b]


def test_other_verbs(folder: Path) -> None:
    gold = {"dep": "golds.conllu", "ps": "golds.mrg"}
    systems = "right=dep:golds.conllu", "swap=dep:swappeds.conllu"
    for types, counts in (
        ((), {"missing": 2, "extra": 2}),
        (("excused",), {"excused": 2}),
        (("excused", "missing"), {"missing": 2, "excused": 2}),
    ):
        errors = tertium.errors(gold, systems[1], types=types)
        [listed] = errors.to_dict()["systems"]
        assert listed["types"] == counts
        assert ("error" in errors.render("text")) == ("excused" not in types)
    compared = tertium.compare(gold, *systems, trials=20).to_dict()
    found = [(pair["corrections"], pair["new_errors"]) for pair in compared["pairs"]]
    assert found == [(0, 4), (0, 0)], "with and without labels"
    [bare] = tertium.errors(gold, "ps:bares.mrg").to_dict()["systems"]
    assert bare["types"] == {}, "judged without labels, since there are none"
    tertium.audit(gold, *systems, trials=20, samples=2, sample_trials=20)
    [test] = tertium.score(
        gold, *systems, metric="theories.tedeval", significance=True, trials=20
    ).to_dict()["significance"]["tests"]
    assert test["delta"] == pytest.approx(0.666667 - 1, abs=5e-7)


def test_items_of_another_gold_standard_are_no_errors(folder: Path) -> None:
    gold = {"dep": "golds.conllu", "ps": "golds.mrg"}
    systems = "dep=dep:golds.conllu", "ps=ps:golds.mrg", "bare=ps:no-objects.mrg"
    compared = tertium.compare(gold, *systems, metric="theories.tedeval(golds=own)", trials=20)
    found = {
        (pair["a"], pair["b"]): (pair["corrections"], pair["new_errors"])
        for pair in compared.to_dict()["pairs"]
    }
    assert found == {("dep", "ps"): (0, 0), ("dep", "bare"): (0, 1), ("ps", "bare"): (0, 1)}
