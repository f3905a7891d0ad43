"""The rules by which EVALB counts, one by one. The numbers are what EVALB itself prints about these
trees (tests/reference/test_evalb.py asks it); where it breaks down they are what it would print."""

from pathlib import Path

import pytest

from evalb import CASES, COLLINS, PLAIN, judged, our_rows, our_summary


@pytest.mark.parametrize("name", CASES)
def test_rule(name: str, tmp_path: Path) -> None:
    prm, gold, system, expected = CASES[name]
    row, good = our_rows([(gold, system), (PLAIN, PLAIN)], prm, tmp_path)
    assert row[2:] == (expected or (0,) * 6)
    assert row.is_lost == (expected is None)
    assert not good.is_lost


@pytest.mark.parametrize(("name", "is_complete"), [("8 a s", True), ("8 t", True), ("6 o", False)])
def test_complete_sentences(name: str, is_complete: bool, tmp_path: Path) -> None:
    """Rule 8: tags do not matter, and a sentence without brackets is complete."""
    (case,) = (CASES[each] for each in CASES if each.startswith(name))
    _, stats = judged([case[1:3]], case[0], tmp_path)
    assert stats.totals()["complete"] == is_complete


def test_lost_sentences_are_in_no_sum(tmp_path: Path) -> None:
    """Rule 9: neither in the counts nor in what averages over sentences divide by."""
    pairs = [(PLAIN, PLAIN), (PLAIN, ""), (PLAIN, PLAIN.replace("a", "x")), ("(S (. .))", "(S)")]
    assert (
        our_summary(pairs[:1], COLLINS, tmp_path)[1:]
        == (our_summary(pairs[:3], COLLINS, tmp_path)[1:])
    )
    metric, stats = judged(pairs[:3], COLLINS, tmp_path)
    totals = stats.totals()
    assert (totals["skipped"], totals["sentences"], totals["gold"]) == (2, 1, 4)
    assert metric.score(totals)["complete"] == 1


def test_lost_sentences_can_be_penalised(tmp_path: Path) -> None:
    pairs = [(PLAIN, PLAIN), (PLAIN, ""), (PLAIN, PLAIN.replace("a", "x"))]
    metric, stats = judged(pairs, COLLINS, tmp_path, missing="penalise")
    totals = stats.totals()
    counts = {count.name: int(totals[count.name]) for count in metric.counts}
    assert counts == {
        "correct": 4,
        "gold": 12,
        "system": 4,
        "crossing": 0,
        "words": 12,
        "tags_correct": 4,
        "complete": 1,
        "sentences": 3,
        "skipped": 0,
    }
    scores = {name: round(float(value), 4) for name, value in metric.score(totals).items()}
    assert scores["no_crossing"] == scores["two_or_less_crossing"] == scores["complete"] == 0.3333
    assert scores["macro_f1"] == 0.3333
    assert (scores["precision"], scores["recall"], scores["tagging"]) == (1, 0.3333, 0.3333)


def test_a_sentence_of_which_nothing_is_left_is_not_penalised(tmp_path: Path) -> None:
    dot = "(S (. .))"
    _, stats = judged([(dot, dot), (PLAIN, PLAIN)], COLLINS, tmp_path, missing="penalise")
    totals = stats.totals()
    assert (totals["complete"], totals["sentences"], totals["skipped"]) == (1, 1, 1)


def test_errors_do_not_stop_it(tmp_path: Path) -> None:
    """Rule 10: EVALB ends at the twelfth error without a summary."""
    pairs = [("(S (NN a))", "(S (NN b))")] * 20 + [(PLAIN, PLAIN)]
    rows = our_rows(pairs, COLLINS + "MAX_ERROR 10\n", tmp_path)
    assert [row.is_lost for row in rows] == [True] * 20 + [False]


@pytest.mark.parametrize(("limit", "expected"), [(4, 1), (5, 2), (6, 3)])
def test_length_is_of_gold_with_punctuation(limit: int, expected: int, tmp_path: Path) -> None:
    """Rule 11: traces do not count, punctuation does; longer sentences are in no count."""
    short = "(S (NN a) (NN b) (NN c) (-NONE- *) (. .))"
    longer = "(S (NN a) (NN b) (NN c) (, ,) (. .))"
    longest = "(S (NN a) (NN b) (NN c) (, ,) (, ,) (. .))"
    lost = longest.replace("a", "x")
    pairs = [(short, short), (longer, longer), (longest, lost)]
    _, stats = judged(pairs, COLLINS, tmp_path, max_length=limit)
    totals = stats.totals()
    assert totals["sentences"] + totals["skipped"] == expected
    assert totals["gold"] == totals["sentences"] == min(expected, 2)
    assert totals["words"] == 3 * min(expected, 2)


def test_there_are_no_limits(tmp_path: Path) -> None:
    """Rule 12: 260 words, 250 brackets, a line of more than 5,000 characters, long names."""
    wide = f"(S {' '.join(f'(NN w{n})' for n in range(260))})"
    deep = "(S " * 250 + "(NN a)" + ")" * 250
    long = f"(S (NN {'x' * 6000}) ({'L' * 40} {'y' * 200}))"
    rows = our_rows([(tree, tree) for tree in (wide, deep, long)], COLLINS, tmp_path)
    assert [row[1:6] for row in rows] == [
        (False, 1, 1, 1, 0),
        (False, 250, 250, 250, 0),
        (False, 1, 1, 1, 0),
    ]


def test_large_trees_are_no_problem(tmp_path: Path) -> None:
    """10,000 words that branch to the right, and 5,000 brackets over the same word."""
    words = [f"(X (NN w{n}) " for n in range(9_999)]
    wide = "".join(words) + "(NN z)" + ")" * len(words)
    chains = [
        "".join(f"({name}{n} " for n in range(5_000)) + "(NN a)" + ")" * 5_000 for name in "AB"
    ]
    rows = our_rows([(wide, wide), (chains[0], chains[1])], COLLINS, tmp_path)
    assert rows[0][1:] == (False, 9_999, 9_999, 9_999, 0, 10_000, 10_000)
    assert rows[1][1:] == (False, 0, 5_000, 5_000, 0, 1, 1)


def test_the_summary_is_over_all_brackets(tmp_path: Path) -> None:
    """Rule 13: F1 over all brackets, and the mean over sentences beside it."""
    pairs = [("(S (NN a))", "(T (NN a))"), (PLAIN, PLAIN), ("(TOP (NN a))", "(TOP (NN a))")]
    metric, stats = judged(pairs, COLLINS, tmp_path)
    scores = metric.score(stats.totals())
    assert (scores["f1"], scores["macro_f1"]) == (4 / 5, 1 / 2)


SPMRL = {
    "words are never deleted": (PLAIN, PLAIN, (4, 4, 4, 0, 5, 5)),
    "so a bracket over punctuation stays": (
        "(S (NP (, ,)) (VP (VB b)))",
        "(S (, ,) (VP (VB b)))",
        (2, 3, 2, 0, 2, 2),
    ),
    "and a wrong tag loses nothing": (PLAIN, PLAIN.replace("(. .)", "(NN .)"), (4, 4, 4, 0, 5, 4)),
    "traces are words": ("(S (NP (-NONE- *)) (NN b))", "(S (NN b))", None),
    "labels and tags are cut": (
        "(S (NP-SBJ#n=s (NN#sg a)) (VP##x (VB-p b)))",
        "(S (NP (NN#pl a)) (VP (VB b)))",
        (3, 3, 3, 0, 2, 2),
    ),
    "roots do not count": (
        "(VROOT (S (NN a)))",
        "(ROOT (TOP (S1 (S (NN a)))))",
        (1, 1, 1, 0, 1, 1),
    ),
    "nor does a root without a label": ("( (S (NN a)))", "(S (NN a))", (1, 1, 1, 0, 1, 1)),
    "other lengths are not complete (a)": (PLAIN, "(S (NN a))", None),
    "a single word counts once (b)": ("(S (NN a))", "(S (NN a) (NN b))", None),
}


@pytest.mark.parametrize("name", SPMRL)
def test_rule_of_spmrl(name: str, tmp_path: Path) -> None:
    gold, system, expected = SPMRL[name]
    (row,) = our_rows([(gold, system)], "spmrl", tmp_path)
    assert row[2:] == (expected or (0,) * 6)
    _, stats = judged([(gold, system)], "spmrl", tmp_path)
    totals = stats.totals()
    assert totals["sentences"] == (expected is not None) == 1 - totals["skipped"]


def test_spmrl_without_its_faults(tmp_path: Path) -> None:
    """A missed sentence has as many brackets as it has (c), and precision is precision (d)."""
    gold = "(S (NP (NN a)) (VP (VB b)))"
    pairs = [(gold, ""), ("(NN a)", "(NN a)")]
    metric, stats = judged(pairs, "spmrl", tmp_path, missing="penalise")
    assert stats.totals()["gold"] == 3
    metric, stats = judged([(gold, "(S (NP (NN a)) (VB b))")], "spmrl", tmp_path)
    scores = metric.score(stats.totals())
    assert (scores["precision"], scores["recall"]) == (1, 2 / 3)


def test_a_file_has_the_rules_of_evalb(tmp_path: Path) -> None:
    """Even one with the name and the lines of the SPMRL preset."""
    (row,) = our_rows([("(S (NP#x (NN a)))", "(S (NP (NN a)))")], "DELETE_LABEL TOP\n", tmp_path)
    assert row[2:5] == (1, 2, 2)
