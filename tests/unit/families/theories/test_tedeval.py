"""TedEval on hand-made trees: the worked example of its page, and what parameters change."""

import pickle
from dataclasses import replace

import numpy as np
import pytest

from metric_samples import aligned
from tertium.align.tokens import one_to_one
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels
from tertium.corpus.layers import FunctionTrees
from tertium.exceptions import UsageError
from tertium.families.base import lacks, make
from tertium.families.theories.tedeval import TedEval
from tertium.results.stats import Stats
from theory_samples import Tree, theory_corpus

DEP: Tree = [("root", 0, 3), ("sbj", 0, 1), ("hd", 1, 2), ("obj", 2, 3)]
PS: Tree = [("root", 0, 3), ("sbj", 0, 1), ("prd", 1, 3), ("obj", 2, 3)]
SWAPPED: Tree = [("root", 0, 3), ("obj", 0, 1), ("hd", 1, 2), ("sbj", 2, 3)]
GOLD = theory_corpus([3], dep=[DEP], ps=[PS])


def judged(metric: str, gold: Corpus, system: Corpus) -> tuple[TedEval, Stats]:
    made = make(metric)
    assert isinstance(made, TedEval)
    made.facts(system)
    return made, made.measure(gold, system, aligned(made, gold, system))


def scored(metric: str, gold: Corpus, system: Corpus) -> dict[str, float]:
    made, stats = judged(metric, gold, system)
    return {name: float(value) for name, value in made.score(stats.totals()).items()}


def counts(metric: str, gold: Corpus, system: Corpus) -> dict[str, int]:
    made, stats = judged(metric, gold, system)
    totals = stats.totals()
    return {each.name: int(totals[each.name]) for each in made.counts}


@pytest.mark.parametrize(
    ("parameters", "system", "value"),
    [
        ("", {"dep": [SWAPPED]}, 0.428571),
        ("(labeled=False)", {"dep": [SWAPPED]}, 1.0),
        ("(golds='own')", {"dep": [SWAPPED]}, 0.5),
        ("(golds=dep)", {"dep": [SWAPPED]}, 0.5),
        ("", {"ps": [PS[:3]]}, 0.833333),
        ("", {"dep": [[*DEP, ("prd", 1, 3)]]}, 0.875),
    ],
)
def test_worked_example(parameters: str, system: dict[str, list[Tree]], value: float) -> None:
    found = scored(f"theories.tedeval{parameters}", GOLD, theory_corpus([3], **system))
    assert found["ratio"] == pytest.approx(value, abs=5e-7)
    assert found["sentences"] == pytest.approx(value, abs=5e-7), "of one sentence the same"


def test_over_sentences_and_as_their_mean() -> None:
    second = [("root", 0, 2), ("sbj", 0, 1), ("hd", 1, 2)]
    gold = theory_corpus([3, 2], dep=[DEP, second], ps=[PS, second[:2]])
    found = scored("theories.tedeval", gold, theory_corpus([3, 2], dep=[SWAPPED, second]))
    assert found == pytest.approx({"ratio": 0.666667, "sentences": 0.714286}, abs=5e-7)


def test_overlap() -> None:
    for parameters, shared, value in (("", 3, 0.75), ("(labeled=False)", 4, 8 / 9)):
        metric, _ = judged(f"theories.tedeval{parameters}", GOLD, theory_corpus([3], dep=[DEP]))
        [found] = metric.overlaps(GOLD)
        assert (found.first, found.second, found.shared) == ("dep", "ps", shared)
        assert found.value == pytest.approx(value)
        assert (
            f"overlap of the gold standards dep and ps, {'un' * (shared == 4)}labelled"
            in "".join(metric.remarks(GOLD, theory_corpus([3], dep=[DEP])))
        )


def test_excused_is_counted_and_no_error() -> None:
    perfect = {"delta": 0, "parse": 4, "gen": 3, "excused": 1}
    for name, tree in (("dep", DEP), ("ps", PS)):
        system = theory_corpus([3], **{name: [tree]})
        assert counts("theories.tedeval", GOLD, system) == perfect
        assert scored("theories.tedeval", GOLD, system) == {"ratio": 1, "sentences": 1}
    # The other theory's function is an error, although some gold standard has it.
    other = theory_corpus([3], ps=[DEP])
    assert counts("theories.tedeval", GOLD, other)["delta"] == 1


def test_named_gold_standards_without_the_own_one_excuse_what_it_lacks() -> None:
    found = counts("theories.tedeval(golds=ps)", GOLD, theory_corpus([3], dep=[DEP]))
    assert found == {"delta": 0, "parse": 4, "gen": 4, "excused": 2}


def test_a_gold_standard_that_is_not_there_is_named() -> None:
    with pytest.raises(UsageError, match="no gold standard 'lfg'"):
        scored("theories.tedeval(golds='dep,lfg')", GOLD, theory_corpus([3], dep=[DEP]))


def test_three_theories_must_all_agree() -> None:
    gold = theory_corpus([3], dep=[DEP], ps=[PS], flat=[[("root", 0, 3), ("obj", 2, 3)]])
    system = theory_corpus([3], dep=[SWAPPED])
    assert counts("theories.tedeval", gold, system) == {
        "delta": 3,
        "parse": 4,
        "gen": 2,
        "excused": 1,
    }
    assert scored("theories.tedeval(golds='dep,ps')", gold, system)["ratio"] == 1 - 4 / 7


def test_a_label_twice_over_the_same_words_counts_once() -> None:
    system = theory_corpus([3], dep=[[*DEP, ("sbj", 0, 1), ("sbj", 0, 1)]])
    assert counts("theories.tedeval", GOLD, system)["parse"] == 4


def test_parameters_decide_what_counts() -> None:
    tree: Tree = [("root", 0, 3), ("nsubj:pass", 0, 1), ("@NP", 1, 3), ("@NN", 2, 3)]
    gold = system = theory_corpus([3], ps=[tree])
    for parameters, labels in {
        "": ["root", "nsubj"],
        "subtypes=True": ["root", "nsubj:pass"],
        "root=False": ["nsubj"],
        "labels=categories": ["root", "NP", "NN"],
        "labels=categories, preterminals=False": ["root", "NP"],
        "labeled=False": ["node"] * 5,
        "labeled=False, root=False": ["node"] * 4,
        "labeled=False, preterminals=False": ["node"] * 2,
    }.items():
        metric, _ = judged(f"theories.tedeval({parameters})", gold, system)
        assert metric.items(gold).label.to_list() == labels, parameters


def test_words_of_dependency_trees_are_no_preterminals() -> None:
    system = theory_corpus([3], dep=[DEP])
    found = counts("theories.tedeval(labeled=False, preterminals=False)", system, system)
    assert found["parse"] == 4


def test_sets_of_words_are_told_apart() -> None:
    gap, whole = ("x", frozenset({0, 2})), ("x", 0, 3)
    gold = theory_corpus([3], dep=[[("root", 0, 3), gap]])
    found = counts("theories.tedeval", gold, theory_corpus([3], dep=[[("root", 0, 3), whole]]))
    assert found == {"delta": 2, "parse": 2, "gen": 2, "excused": 0}
    assert counts("theories.tedeval", gold, gold)["delta"] == 0


def test_sets_of_words_in_different_tokens() -> None:
    """The second word of gold is two tokens of the system; some places are sets of words."""
    sets = [frozenset({0, *more}) for more in ((4,), (2, 4), (3, 4), (2, 3, 4), (1, 2, 3, 4))]
    wide = [frozenset(w + (w > 1) for w in each) | ({2} & {1 + (1 in each)}) for each in sets]
    gold = theory_corpus([5], dep=[[("x", each) for each in sets]])
    system = theory_corpus([6], dep=[[("x", each) for each in wide]])
    starts = np.array([0, 2, 6, 8, 10, 12])
    both = one_to_one(gold, "characters")
    alignment = replace(
        both,
        gold_start=starts[:-1],
        gold_end=starts[1:],
        system_start=np.array([0, 2, 4, 6, 8, 10]),
        system_end=np.array([2, 4, 6, 8, 10, 12]),
        system_of_gold=np.array([0, -1, 3, 4, 5], np.int32),
        gold_of_system=np.array([0, -1, -1, 2, 3, 4], np.int32),
        unit_of_system=np.zeros(6, np.int32),
    )
    metric = make("theories.tedeval")
    found = metric.measure(gold, system, alignment).totals()
    assert [int(found[name]) for name in ("delta", "parse", "gen")] == [0, 5, 5]


def test_without_functions_only_unlabelled() -> None:
    bare = theory_corpus([3], ps=[[("root", 0, 3), ("@NP", 0, 1), ("@VP", 1, 3)]])
    labelled, unlabelled = (
        lacks(make(f"theories.tedeval(labeled={flag})"), bare) for flag in (True, False)
    )
    assert labelled == "ps has no function labels"
    assert unlabelled is None
    assert scored("theories.tedeval(labeled=False)", GOLD, bare)["ratio"] == 1
    assert lacks(make("theories.tedeval(labels=categories)"), bare) is None


def test_little_overlap_is_a_warning_with_labels() -> None:
    gold = theory_corpus([3], dep=[DEP], ps=[[("TOP", 0, 3), ("SBJ", 0, 1)]])
    overlap, note = make("theories.tedeval").remarks(gold, theory_corpus([3], dep=[DEP]))
    assert overlap.endswith("0.0000")
    assert "dep has sbj, hd, obj" in note.replace(" and ", ", ")
    assert "ps has TOP" in note


def test_outcomes_and_error_types() -> None:
    metric = make("theories.tedeval")
    system = theory_corpus([3], dep=[SWAPPED])
    rows = metric.decide(GOLD, system, aligned(metric, GOLD, system)).to_frame()
    found = {*rows.select("gold", "system", "outcome", "error_type").iter_rows()}
    assert found == {
        ("root", "root", "correct", "none"),
        ("sbj", None, "missing", "missing"),
        ("obj", None, "missing", "missing"),
        (None, "obj", "extra", "extra"),
        (None, "sbj", "extra", "extra"),
        (None, "hd", "excused", "none"),
    }


def test_a_lost_sentence_does_not_count() -> None:
    gold = theory_corpus([3, 3], dep=[DEP, DEP])
    system = gold.take([0, 1])
    assert system.forms is not None
    renamed = system.forms.rename({"w0": "w0"})
    codes = renamed.codes.copy()
    codes[3] = 2
    system = type(system)(
        system.offsets, type(renamed)(renamed.names, codes), system.layers, origin="dep"
    )
    assert counts("theories.tedeval", gold, system)["gen"] == 4
    assert np.array_equal(judged("theories.tedeval", gold, system)[1].dense[1], np.zeros(6)), (
        "nothing of it is counted"
    )


def test_items_with_gaps_travel() -> None:
    corpus = theory_corpus([3, 3], dep=[DEP, [("root", 0, 3), ("x", frozenset({0, 2}))]])
    items = make("theories.tedeval").items(corpus)
    for each in (items, pickle.loads(pickle.dumps(items))):
        assert each.tokens is not None
        assert [each.tokens[row].tolist() for row in range(3, 6)] == [[0], [0, 1, 2], [0, 2]]


def test_constituents_called_root_keep_their_categories() -> None:
    """Dependencies with several roots may lend their labels to constituents."""
    corpus = theory_corpus([3], ps=[[("root", 0, 3), ("@NP", 0, 2)]])
    trees = corpus.layer("ps", FunctionTrees)
    function = [
        "root" if name or size == 2 else ""
        for name, size in zip(trees.function.to_list(), trees.end - trees.start, strict=True)
    ]
    corpus.layers["ps"] = replace(trees, function=Labels.of(function))
    items = make("theories.tedeval(labels=categories)").items(corpus)
    assert items.label.to_list() == ["root", "NP"]


def test_the_overlap_of_nothing_is_undefined() -> None:
    gold = theory_corpus([1], dep=[[("root", 0, 1)]], ps=[[("root", 0, 1)]])
    (note,) = make("theories.tedeval(labeled=no, root=no)").remarks(
        gold, theory_corpus([1], ps=[[]])
    )
    assert note.endswith("dep and ps, unlabelled: undefined, since no node counts")
