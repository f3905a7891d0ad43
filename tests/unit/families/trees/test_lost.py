"""Trees of sentences that a system lacks or has with other words, from score to comparison."""

import pytest

import tertium
from tertium.significance.score.table import main_table
from trees import corpus_of

DOG = "(S (NP (DT the) (NN dog)) (VP (VBZ barks)) (. .))"
CAT = "(S (NP (DT a) (NN cat)) (VP (VBZ sleeps)) (. .))"
GOLD = corpus_of(DOG, CAT, DOG, origin="gold")
# The second sentence: a has another word; b tags the full stop as a word, so PARSEVAL compares four
# words with three, while Leaf-Ancestor loses nothing.
A = corpus_of(DOG, CAT.replace("cat", "hat"), DOG.replace("VP", "X"), origin="a")
B = corpus_of(DOG, CAT.replace("(. .)", "(NN .)"), DOG, origin="b")
PARSEVAL, PATHS = "trees.parseval", "trees.leaf_ancestor"


def test_each_metric_loses_its_own() -> None:
    found = tertium.score(GOLD, A, B, metric=[PARSEVAL, PATHS], names=["a", "b"])
    lost = {(r.system, r.metric): r.coverage.get("left_out", 0) for r in found}
    assert lost == {("a", PARSEVAL): 1, ("a", PATHS): 1, ("b", PARSEVAL): 1, ("b", PATHS): 0}
    assert [found[name, PARSEVAL].counts["skipped"] for name in "ab"] == [1, 1]
    assert [note for note in found.notes if "left out" in note] == [
        "a: 1 sentence left out because its words differ from those in gold: 2",
        "b: 1 sentence left out by PARSEVAL because the compared words differ from those in "
        "gold: 2",
    ]


def test_a_group_of_items_has_the_size_that_each_system_was_judged_on() -> None:
    whole = corpus_of(DOG, CAT, DOG, origin="whole")
    found = tertium.score(GOLD, A, whole, metric=PARSEVAL, names=["a", "whole"], by="category")
    table = main_table(found)
    at = [column.header for column in table.columns].index("gold")
    sizes = {row[:2]: row[at] for row in table.rows}
    assert (sizes["all", "a"], sizes["all", "whole"]) == (6, 9)
    assert (sizes["NP", "a"], sizes["NP", "whole"]) == (2, 3)


def test_a_comparison_leaves_out_what_either_lost() -> None:
    found = tertium.compare(GOLD, A, B, metric=[PARSEVAL, PATHS], names=["a", "b"])
    brackets, words = (found[metric].pair("a", "b") for metric in (PARSEVAL, PATHS))
    assert (brackets.gold_items, brackets.lost) == (6, 1)
    assert (words.gold_items, words.lost) == (8, 1)
    assert brackets.corrections == 1
    assert found[PARSEVAL].oracle.items == 6


def test_penalised_sentences_are_compared() -> None:
    metric = "trees.parseval(missing='penalise')"
    found = tertium.compare(GOLD, A, B, metric=metric, names=["a", "b"])
    assert found.view.pairs[0].gold_items == 9
    assert found.scores["a", metric].coverage["penalised"] == 1


def test_verbs_that_compare_items_take_it() -> None:
    errors = tertium.errors(GOLD, A, B, metric=PARSEVAL, names=["a", "b"])
    assert {(each.system, each.sentence) for each in errors} == {("a", "3")}
    assert any("left out" in note for note in errors.notes)
    between = tertium.diff(GOLD, A, metric=PARSEVAL)
    assert any("1 sentence left out" in note for note in between.notes)
    (layer,) = between.layers
    assert (layer.sentences, layer.same_sentences) == (2, 1)
    tertium.audit(GOLD, A, B, metric=PARSEVAL, names=["a", "b"], trials=10, samples=2)


@pytest.mark.parametrize("metric", ["trees.parseval", "trees.triples"])
def test_a_system_that_lost_everything_has_empty_groups(metric: str) -> None:
    gold = corpus_of("(S (NP (NN a)) (VP (VB b)))", origin="gold")
    nobody = corpus_of("(S (NN c))", origin="nobody")
    lost, full = tertium.score(gold, nobody, gold, metric=metric, by="category").results
    assert lost.groups.keys() == full.groups.keys()
    for group in lost.groups.values():
        assert (group.value, group.coverage["items"]) == (None, 0)
        assert "nothing in this group" in group.reasons["value"]


def test_only_sentences_of_which_something_is_left_are_penalised() -> None:
    gold = corpus_of("(S (NN a))", "(S (NN b))", "(S (. .))", origin="gold")
    system = corpus_of("(S (NN a))", "(S (NN c))", "(S (. .))", origin="system")
    found = tertium.score(gold, system, metric="trees.parseval(missing=penalise)")
    (result,) = found.results
    assert (result.counts["skipped"], result.coverage["penalised"]) == (1, 1)
    assert [note for note in found.notes if "counted as wrong" in note] == [
        "system: 1 sentence counted as wrong because its words differ from those in gold: 2"
    ]
