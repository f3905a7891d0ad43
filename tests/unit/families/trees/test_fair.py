"""trees.fair: the error types of Ortmann (2022) on the brackets that PARSEVAL counts."""

from random import Random

import numpy as np
import pytest

from metric_samples import aligned
from tertium.align.tokens import align
from tertium.corpus.corpus import Corpus
from tertium.corpus.layers import Spans, Trees
from tertium.families.base import Metric, make
from tertium.families.trees.fair import one_name_each
from tertium.formats.evalb_prm import preset
from trees import corpus_of

KINDS = ("tp", "le", "bes", "bel", "beo", "lbe", "fn", "fp")
GOLD = """(TOP (S (NP (ART Die) (NN Regierung)) (VVFIN rief) (PP (APPRART zum) (ADJA weltweiten)
    (NN Kampf) (PP (APPR gegen) (NN Terror))) (PTKVZ auf)) ($. .))"""
PARSE = """(TOP (S (NP (ART Die) (NN Regierung)) (VVFIN rief) (PP (APPRART zum) (ADJA weltweiten)
    (NN Kampf)) (PP (APPR gegen) (NN Terror)) (PTKVZ auf)) ($. .))"""


def judged(gold: Corpus, system: Corpus, metric: str) -> tuple[Metric, dict[str, float]]:
    made = make(metric)
    totals = made.measure(gold, system, aligned(made, gold, system)).totals()
    values = {name: float(value) for name, value in made.score(totals).items()}
    return made, values | {each.name: float(totals[each.name]) for each in made.counts}


def kinds(gold: str, system: str, metric: str = "trees.fair(prm='paper')") -> dict[str, int]:
    _, found = judged(corpus_of(*gold.split(";")), corpus_of(*system.split(";")), metric)
    return {kind: int(found[kind]) for kind in KINDS if found[kind]}


@pytest.mark.parametrize(
    ("gold", "system", "wanted"),
    [
        ("(S (NP (X a) (X b)) (X c))", "(S (VP (X a) (X b)) (X c))", {"tp": 1, "le": 1}),
        ("(S (NP (X a) (X b)) (X c))", "(S (NP (X a)) (X b) (X c))", {"tp": 1, "bes": 1}),
        ("(S (NP (X a)) (X b) (X c))", "(S (NP (X a) (X b)) (X c))", {"tp": 1, "bel": 1}),
        (
            "(S (NP (X a) (X b)) (X c))",
            "(S (X a) (NP (X b) (X c)))",
            {"tp": 1, "beo": 1},
        ),
        ("(S (NP (X a) (X b)) (X c))", "(S (X a) (VP (X b) (X c)))", {"tp": 1, "lbe": 1}),
        ("(S (NP (X a) (X b)) (X c))", "(S (X a) (X b) (X c))", {"tp": 1, "fn": 1}),
        ("(S (X a) (X b) (X c))", "(S (NP (X a) (X b)) (X c))", {"tp": 1, "fp": 1}),
        ("(S (NP (NP (X a))) (X b))", "(S (NP (X a)) (X b))", {"tp": 2, "fn": 1}),
        (GOLD, PARSE, {"tp": 4, "bes": 1}),
    ],
)
def test_kinds(gold: str, system: str, wanted: dict[str, int]) -> None:
    assert kinds(gold, system) == wanted


def test_the_worked_example() -> None:
    _, found = judged(corpus_of(GOLD), corpus_of(PARSE), "trees.fair(prm='paper')")
    assert found["precision"] == found["recall"] == found["f1"] == pytest.approx(4 / 4.5)
    assert found["traditional.f1"] == found["traditional.recall"] == 0.8
    assert (found["gold"], found["system"], found["be_left"], found["be_right"]) == (5, 5, 1, 0)
    _, equation_7 = judged(corpus_of(GOLD), corpus_of(PARSE), "trees.fair(prm=paper,weights=eq7)")
    assert equation_7["f1"] == found["weighted.f1"] == pytest.approx(9 / 9.5)


def test_parameters_decide_what_counts() -> None:
    gold = "(TOP (S (PRT (X a)) (NP (X b) (, ,)) (X c)))"
    system = "(TOP (S (ADVP (X a)) (NP (X b)) (, ,) (X c)))"
    assert kinds(gold, system, "trees.fair") == {"tp": 3}
    assert kinds(gold, system) == {"tp": 2, "le": 1, "bes": 1}


def test_labels_that_count_as_the_same_have_one_name() -> None:
    from dataclasses import replace

    from tertium.corpus.labels import Labels

    pairs = {("C", "B"), ("B", "D"), ("X", "Y")}
    prm = replace(preset("paper"), same_labels=frozenset(pairs | {(b, a) for a, b in pairs}))
    names = one_name_each(prm, Labels.of(["A", "D", "C", "Y", "B", "X"])).to_list()
    assert names == ["A", "B", "B", "X", "B", "X"]
    unlabelled = one_name_each(replace(prm, has_labels=False), Labels.of(["A", "B"]))
    assert unlabelled.to_list() == ["bracket", "bracket"]


def test_lost_sentences_are_left_out_or_penalised() -> None:
    gold = f"{GOLD};(S (NP (X a)) (VP (X b)));(S (NP (X a)) (VP (X b)))"
    system = f"{PARSE};;(S (NP (X a)) (VP (X c)))"
    assert kinds(gold, system) == {"tp": 4, "bes": 1}
    penalised = kinds(gold, system, "trees.fair(prm='paper', missing='penalise')")
    assert penalised == {"tp": 4, "bes": 1, "fn": 6}


def test_traces_are_words_of_their_brackets_or_deleted() -> None:
    gold = "(S (NP (-NONE- *)) (VP (V a) (NP (-NONE- *) (N b))) (X c))"
    system = "(S (VP (V a) (NP (N b))) (X c))"
    assert kinds(gold, system, "trees.fair") == {"tp": 3}
    other = "(S (VP (-NONE- *)) (VP (V a) (NP (-NONE- *) (N b))) (X c))"
    assert kinds(gold, other, "trees.fair(prm='paper')") == {"tp": 3}, "not those over traces alone"


def test_nothing_that_counts() -> None:
    gold = corpus_of("(TOP (. .))", "")
    made, found = judged(gold, gold, "trees.fair")
    assert np.isnan(found["f1"])
    assert made.reason("f1") == "neither gold nor system has brackets that count"


def as_spans(corpus: Corpus) -> Corpus:
    """Constituents as spans, which another metric judges."""
    trees = corpus.layers["trees"]
    assert isinstance(trees, Trees)
    spans = Spans(trees.start, trees.end, trees.label, trees.tokens)
    return Corpus(corpus.offsets, corpus.forms, {"spans": spans})


def random_tree(random: Random, size: int) -> str:
    """Brackets over words, with unary chains."""
    words = [f"(X w{n})" for n in range(size)]
    while len(words) > 1 or random.random() < 0.4:
        first = random.randrange(len(words))
        last = min(len(words), first + random.randint(1, 3))
        words[first:last] = [f"({random.choice('ABC')} {' '.join(words[first:last])})"]
    return f"(S {words[0]})"


def test_counts_are_those_of_spans() -> None:
    random = Random(3)
    sizes = [random.randint(1, 9) for _ in range(80)]
    gold, system = (corpus_of(*(random_tree(random, size) for size in sizes)) for _ in range(2))
    _, found = judged(gold, system, "trees.fair(prm='paper')")
    spans = make("spans.fair(column='spans')")
    ours, theirs = as_spans(gold), as_spans(system)
    totals = spans.measure(ours, theirs, align(ours, theirs)).totals()
    counts = {each.name: float(totals[each.name]) for each in spans.counts}
    assert {name: found[name] for name in KINDS} == {name: counts[name] for name in KINDS}
    # Traditionally, brackets are paired one to one, as in PARSEVAL; repeated spans are not.
    _, parseval = judged(gold, system, "trees.parseval(prm='paper')")
    assert found["tp"] == found["traditional_tp"] == parseval["correct"] < counts["traditional_tp"]
    for name in ("precision", "recall", "f1"):
        assert found[f"traditional.{name}"] == parseval[name]
    assert all(found[kind] > 3 for kind in ("tp", "le", "bes", "bel", "beo", "lbe"))
