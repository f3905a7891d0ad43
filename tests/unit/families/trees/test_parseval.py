"""Decisions of trees.parseval, and what EVALB does not have."""

import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import tertium
from evalb import judged
from tertium.align.sentences import pair_sentences
from tertium.align.tokens import align
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels
from tertium.corpus.layers import Tags, Trees
from tertium.exceptions import AlignmentError, UsageError
from tertium.families.base import make
from tertium.families.trees._kernels import match_brackets
from tertium.results.decisions import Decisions
from tertium.results.stats import Totals
from trees import corpus_of

TREE = "(TOP (S (NP (ART Die) (NN Regierung)) (VVFIN rief) {} (PTKVZ auf)) ($. .))"
INNER = "(PP (APPR gegen) (NN Terror))"
GOLD = TREE.format(f"(PP (APPRART zum) (ADJA weltweiten) (NN Kampf) {INNER})")
PARSE = TREE.format(f"(PP (APPRART zum) (ADJA weltweiten) (NN Kampf)) {INNER}")


def judge(
    gold: Corpus, system: Corpus, text: str = "", method: str = "auto"
) -> tuple[Decisions, Totals]:
    metric = make(f"trees.parseval({text})")
    system, alignment = pair_sentences(gold, system, method=method)
    decisions = metric.decide(gold, system, metric.aligned(gold, system, alignment))
    return decisions, metric.stats(decisions).totals()


def counts(totals: Totals) -> tuple[int, ...]:
    return tuple(int(totals[name]) for name in ("correct", "gold", "system", "crossing"))


def errors(decisions: Decisions) -> list[tuple[str | None, str | None, str]]:
    names = [*decisions.names, None]
    return [
        (names[g], names[s], decisions.error_types[e])
        for g, s, e in zip(decisions.gold, decisions.system, decisions.error_type, strict=True)
        if e
    ]


def test_the_example_of_the_paper() -> None:
    """Table 5 of Rehbein and van Genabith (2007): 4/5 with an empty parameter file."""
    gold, parse = corpus_of(GOLD), corpus_of(PARSE)
    _, totals = judge(gold, parse, "prm='paper'")
    assert counts(totals)[:3] == (4, 5, 5)
    assert make("trees.parseval").score(totals)["f1"] == 0.8
    decisions, totals = judge(gold, parse)
    assert counts(totals)[:3] == (3, 4, 4)
    assert errors(decisions) == [("PP", "PP", "boundary")]


def test_the_other_treebank_of_the_paper(tmp_path: Path) -> None:
    """12 brackets of 13 of the system and 14 of gold are right: 92.31 and 85.71, not the other way
    round as in the text of the paper."""
    inner = " ".join(f"(X{n} (NN w{n}))" for n in range(11))
    gold, parse = f"(S {inner} (A (B (NN z))))", f"(S {inner} (C (NN z)))"
    metric, stats = judged([(gold, parse)], "paper", tmp_path)
    scores = metric.score(stats.totals())
    shown = [round(100 * float(scores[part]), 2) for part in ("precision", "recall")]
    assert shown == [92.31, 85.71]


@pytest.mark.parametrize(
    ("gold", "system", "expected"),
    [
        ("(S (A (NN a)) (NN b))", "(S (B (NN a)) (NN b))", [("A", "B", "label")]),
        ("(S (A (NN a)) (NN b))", "(S (NN a) (NN b))", [("A", None, "missing")]),
        ("(S (NN a) (NN b))", "(S (NN a) (A (NN b)))", [(None, "A", "additional")]),
        ("(S (A (NN a)) (NN b) (NN c))", "(S (A (NN a) (NN b)) (NN c))", [("A", "A", "boundary")]),
        ("(S (NN a) (NN b) (A (NN c)))", "(S (NN a) (A (NN b) (NN c)))", [("A", "A", "boundary")]),
        # Crossing brackets share no boundary: one is missing, one is additional.
        (
            "(S (A (NN a) (NN b)) (NN c))",
            "(S (NN a) (A (NN b) (NN c)))",
            [("A", None, "missing"), (None, "A", "additional")],
        ),
        # A different label over the same words goes first.
        (
            "(S (A (NN a)) (NN b) (NN c))",
            "(S (A (B (NN a)) (NN b)) (NN c))",
            [("A", "B", "label"), (None, "A", "additional")],
        ),
        # The same beginning goes before the same end, and each bracket is in one pair.
        (
            "(S (A (NN a) (NN b) (NN c)) (NN d))",
            "(S (A (NN a) (NN b)) (A (NN c)) (NN d))",
            [("A", "A", "boundary"), (None, "A", "additional")],
        ),
    ],
)
def test_error_types(gold: str, system: str, expected: list[tuple[str, str, str]]) -> None:
    decisions, totals = judge(corpus_of(gold), corpus_of(system))
    assert errors(decisions) == expected
    assert totals["gold"] == decisions.in_gold.sum()
    assert totals["system"] == decisions.in_system.sum()


def test_items_are_all_constituents_and_rows_those_that_count() -> None:
    decisions, _ = judge(corpus_of(GOLD), corpus_of(PARSE))
    ours, theirs = decisions.sides()
    assert (len(ours), len(theirs)) == (5, 5)
    assert sorted(decisions.gold_row.tolist()) == [1, 2, 3, 4]


def test_rows_match_what_evalb_counts_sentence_by_sentence() -> None:
    gold, system = corpus_of(GOLD, "(S (NN a))", GOLD), corpus_of(PARSE, "(S (NN x))", GOLD)
    decisions, _ = judge(gold, system)
    assert decisions.unit.tolist() == [0] * 4 + [2] * 4
    assert decisions.lost is not None
    assert decisions.lost.tolist() == [False, True, False]
    penal, _ = judge(gold, system, "missing='penalise'")
    assert penal.lost is None
    assert np.bincount(penal.unit).tolist() == [4, 1, 4]


def test_a_sentence_that_is_too_long_is_not_lost() -> None:
    gold, system = corpus_of("(S (NN a) (NN b))", GOLD), corpus_of("(S (NN a) (NN x))", GOLD)
    decisions, totals = judge(gold, system, "max_length=1")
    assert decisions.lost is None
    assert (len(decisions), totals["skipped"], totals["sentences"]) == (0, 0, 0)


def test_labels_that_count_as_the_same_have_one_name() -> None:
    gold, system = corpus_of("(S (ADVP (NN a)) (NN b))"), corpus_of("(S (PRT (NN a)) (NN b))")
    decisions, totals = judge(gold, system)
    metric = make("trees.parseval")
    scores = metric.label_scores(totals)
    of = dict(zip(totals.labels, scores["f1"].tolist(), strict=True))
    assert of == {"S": 1.0, "ADVP": 1.0}
    assert decisions.right.all()


def test_two_systems_differ_where_their_brackets_do() -> None:
    gold = corpus_of("(S (A (NN a)) (NN b) (NN c))")
    one = judge(gold, corpus_of("(S (A (NN a) (NN b)) (NN c))"))[0]
    other = judge(gold, corpus_of("(S (A (NN a) (NN b) (NN c)))"))[0]
    same = judge(gold, corpus_of("(S (A-X (NN a) (NN b)) (VB c))"))[0]
    assert one.answer[1] != other.answer[1]
    assert one.answer.tolist() == same.answer.tolist()


def test_traces_alone_are_counted_and_have_no_row() -> None:
    tree = "(S (NP (-NONE- *T*)) (VP (VB b) (NP (-NONE- *))))"
    other = "(S (NP (-NONE- *T*)) (VP (VB b) (X (-NONE- *))))"
    decisions, totals = judge(corpus_of(tree), corpus_of(other), "prm='paper'")
    assert counts(totals)[:3] == (3, 4, 4)
    assert (totals["words"], totals["tags_correct"]) == (3, 3)
    assert len(decisions) == 2
    decisions, totals = judge(corpus_of(tree), corpus_of(other))
    assert counts(totals)[:3] == (2, 2, 2)


def test_traces_between_sentences_stay_in_theirs() -> None:
    trees = "(S (NP (NN a)) (NP (-NONE- *)))", "(S (NP (-NONE- *)) (NP (NN a)))"
    _, totals = judge(corpus_of(*trees), corpus_of(*trees), "prm='paper'")
    assert counts(totals) == (6, 6, 6, 0)
    assert totals["words"] == 4


DISC = "(S (VP (NP (NN 0=a)) (VB 3=d)) (VB 1=b) (PP (IN 2=c)))"


@pytest.mark.parametrize(
    ("system", "expected"),
    [
        (DISC, (4, 4, 4, 0)),
        # The same first and last word without a gap is a different bracket, and it crosses nothing.
        ("(S (VP (NP (NN 0=a)) (VB 1=b) (PP (IN 2=c)) (VB 3=d)))", (3, 4, 4, 0)),
        # It shares b with no bracket of gold, but a and c: a set that crosses VP.
        ("(S (VP (NN 0=a) (PP (IN 2=c))) (VB 1=b) (VB 3=d))", (2, 4, 3, 1)),
        # Continuous, and it has one word of VP and one beside it.
        ("(S (NP (NN 0=a)) (X (VB 1=b) (PP (IN 2=c))) (VB 3=d))", (3, 4, 4, 0)),
        ("(S (NP (NN 0=a)) (X (IN 2=c) (VB 3=d)) (VB 1=b))", (2, 4, 3, 1)),
    ],
)
def test_gaps(system: str, expected: tuple[int, ...]) -> None:
    _, totals = judge(corpus_of(DISC), corpus_of(system))
    assert counts(totals) == expected


def random_gaps(rng: np.random.Generator) -> str:
    """A tree over six words in any order: many constituents have gaps."""
    nodes = [f"({rng.choice(['NN', 'VB', ','])} {n}=w{n})" for n in rng.permutation(6)]
    while len(nodes) > 1:
        first = int(rng.integers(len(nodes)))
        last = first + int(rng.integers(1, 4))
        nodes[first:last] = [f"({rng.choice(['A', 'B', 'C'])} {' '.join(nodes[first:last])})"]
    return nodes[0]


def sets(corpus: Corpus) -> list[tuple[str, frozenset[int]]]:
    """Labels and words of all constituents of the last sentence, without punctuation; in the order
    of items."""
    trees, tags = corpus.layer("trees", Trees), corpus.layer("pos", Tags).labels.to_list()
    tokens, base = trees.token_sets(), int(corpus.offsets[-2])
    kept = {token - base for token, tag in enumerate(tags) if tag != ","}
    words = [
        frozenset((tokens[row] + trees.start[row] - base).tolist()) & kept
        for row in range(len(trees.start))
    ]
    return [*zip(trees.label.to_list(), words, strict=True)]


@pytest.mark.parametrize("method", ["auto", "characters"])
def test_gaps_by_a_plain_second_implementation(method: str) -> None:
    rng, found = np.random.default_rng(3), 0
    for _ in range(150):
        trees = random_gaps(rng), random_gaps(rng)
        # A first sentence that is lost moves all words of the second.
        lost = [("(S (NN a))",), ("(S (NN a) (NN b))",)] if method == "auto" else [(), ()]
        gold, system = (corpus_of(*one, tree) for one, tree in zip(lost, trees, strict=True))
        tags = gold.layer("pos", Tags).labels.to_list()[-6:]
        own = Tags(Labels.of([*system.layer("pos", Tags).labels.to_list()[:-6], *tags]))
        system = replace(system, layers={**system.layers, "pos": own})
        all_ours, all_theirs = sets(gold), sets(system)
        ours, theirs = (
            [each for each in side[len(one) :] if each[1]]
            for side, one in ((all_ours, lost[0]), (all_theirs, lost[1]))
        )
        if not ours:
            continue
        correct = (Counter(ours) & Counter(theirs)).total()
        crossing = sum(any(a & b and a - b and b - a for _, a in ours) for _, b in theirs)
        decisions, totals = judge(gold, system, method=method)
        assert counts(totals) == (correct, len(ours), len(theirs), crossing)
        for row in np.flatnonzero(decisions.right):
            assert all_ours[decisions.gold_row[row]] == all_theirs[decisions.system_row[row]]
        found += correct > 1 and crossing > 0
    assert found > 10


def test_by_characters_traces_are_no_words() -> None:
    tree = corpus_of("(S (NP (-NONE- *T*)) (VP (VB b) (NP (-NONE- *))))")
    _, totals = judge(tree, tree, "prm='paper'", method="characters")
    assert counts(totals)[:3] == (2, 2, 2)
    assert totals["words"] == 1


def test_gaps_that_deletion_closes() -> None:
    gold = corpus_of("(S (VP (NN 0=a) (VB 2=c)) (, 1=,))", DISC)
    system = corpus_of("(S (VP (NN 0=a) (VB 1=c)))", DISC)
    assert counts(judge(gold, system)[1])[:3] == (6, 6, 6)
    # All but one word of a constituent is deleted: it has no gap then.
    gold = corpus_of("(S (X (, 0=,) (VB 2=c)) (NN 1=b))", DISC)
    system = corpus_of("(S (NN 0=b) (X (VB 1=c)))", DISC)
    assert counts(judge(gold, system)[1])[:3] == (6, 6, 6)
    gold = corpus_of("(S (X (, 0=,) (. 2=c)) (NN 1=b))", DISC)
    assert counts(judge(gold, corpus_of("(S (NN 0=b))", DISC))[1])[:3] == (5, 5, 5)


def test_gaps_and_traces() -> None:
    tree = "(S (VP (NN 0=a) (NP (-NONE- *)) (VB 2=c)) (VB 1=b) (NP (-NONE- *)))"
    other = "(S (NN 0=a) (NP (-NONE- *)) (VP (VB 2=c)) (VB 1=b) (NP (-NONE- *)))"
    assert counts(judge(corpus_of(tree), corpus_of(tree), "prm='paper'")[1])[:3] == (4, 4, 4)
    assert counts(judge(corpus_of(tree), corpus_of(other), "prm='paper'")[1])[:3] == (3, 4, 4)


def test_other_sentence_boundaries_and_tokens_by_characters() -> None:
    gold = corpus_of("(S (NP (NN ab)) (VP (VB c)) (. .))", "(S (NP (NN d)) (VP (VB e)))")
    system = corpus_of(
        "(S (NP (NN a) (NN b)) (VP (VB c)) (. .) (S (NP (NN d)) (VP (VB e))))",
    )
    with pytest.raises(AlignmentError):
        judge(gold, system)
    decisions, totals = judge(gold, system, method="characters")
    # The upper S of the system covers both sentences and belongs to the first.
    assert counts(totals) == (5, 6, 6, 0)
    assert decisions.per_unit(decisions.in_gold).tolist() == [3, 3]
    assert decisions.per_unit(decisions.in_system).tolist() == [3, 3]
    assert (totals["words"], totals["tags_correct"]) == (4, 3)
    assert (totals["sentences"], totals["complete"], totals["skipped"]) == (2, 1, 0)


def test_by_characters_a_wrong_tag_loses_no_sentence() -> None:
    """The full stop inside counts for the system alone, which moves nothing."""
    gold = corpus_of("(S (NP (NN a) (, ,) (NN b)) (VP (VB c)))", "(S (. .))")
    system = corpus_of("(S (NP (NN a) (NN ,) (NN b)) (VP (VB c)))", "(S (. .))")
    assert judge(gold, system)[1]["skipped"] == 2
    totals = judge(gold, system, method="characters")[1]
    assert counts(totals) == (3, 3, 3, 0)
    assert (totals["sentences"], totals["skipped"], totals["tags_correct"]) == (1, 1, 3)


def test_characters_and_sentences_agree_where_tokens_do() -> None:
    gold, system = corpus_of(GOLD, DISC, GOLD), corpus_of(PARSE, DISC, PARSE)
    by_sentence, by_characters = (
        judge(gold, system, method=method)[1] for method in ("auto", "characters")
    )
    names = ("correct", "gold", "system", "crossing", "words", "tags_correct", "complete")
    assert [by_sentence[n] for n in names] == [by_characters[n] for n in names]


def test_by_position_words_are_not_compared() -> None:
    gold, system = (
        corpus_of("(S (NN a))", "(S (NN a))"),
        corpus_of("(S (NN x))", "(S (NN a) (NN b))"),
    )
    totals = judge(gold, system, method="position")[1]
    assert (totals["correct"], totals["skipped"]) == (1, 1)


def test_forms_are_compared_as_they_are_written(tmp_path: Path) -> None:
    """Two kinds of quotation marks are two words, as for EVALB; brackets are not."""
    pairs = [("(S (NN ''))", '(S (NN "))'), ("(S (NN -LRB-))", "(S (NN -LRB-))")]
    _, stats = judged(pairs, "collins", tmp_path)
    assert stats.totals()["skipped"] == 1


def test_a_different_format_may_write_forms_in_its_way() -> None:
    gold, system = corpus_of("(S (NN a))"), corpus_of("(S (NN a))")
    written = replace(gold, extras={"written": Tags(Labels.of(["A"]))}, format="export")
    assert judge(written, system)[1]["skipped"] == 0
    assert judge(replace(written, format=system.format), system)[1]["skipped"] == 1


def test_unlabelled_scores_have_headers_of_their_own() -> None:
    assert [part.header for part in make("trees.parseval").parts[:3]] == ["LP", "LR", "LF"]
    metric = make("trees.parseval(labeled=no)")
    assert [part.header for part in metric.parts[:3]] == ["UP", "UR", "UF"]


@pytest.mark.parametrize("text", ["max_length=0", "max_length='x'", "missing='no'", "labeled=2"])
def test_parameters_are_checked(text: str) -> None:
    with pytest.raises(UsageError):
        make(f"trees.parseval({text})")


@pytest.mark.parametrize(
    ("tree", "prm", "expected"),
    [
        ("(ROOT (S (NN a)))", "collins", "ROOT is counted"),
        ("( (S (NN a)))", "collins", "the root without a label is counted"),
        ("(TOP (S (NN a)))", "collins", ""),
        ("(ROOT (S (NN a)))", "spmrl", ""),
        ("(ROOT (S (NN a)))", "paper", ""),
        ("(S (S (NN a)))", "collins", ""),
    ],
)
def test_a_root_that_counts_is_named(tree: str, prm: str, expected: str) -> None:
    corpus = corpus_of(tree, tree)
    found = make(f"trees.parseval(prm='{prm}')").remarks(corpus, corpus)
    assert bool(found) == bool(expected)
    assert not expected or found[0].startswith(expected)


def test_roots_of_many_kinds_are_not_named() -> None:
    corpus = corpus_of("(S (NP (NN a)))", "(FRAG (NP (NN a)))")
    assert not make("trees.parseval").remarks(corpus, corpus)


@pytest.mark.parametrize("prm", ["collins", "paper"])
def test_a_root_that_only_one_side_has_is_named(prm: str) -> None:
    rooted, plain, top = (
        corpus_of(f"{left}(S (NP (NN a))){right}", f"{left}(FRAG (NP (NN a))){right}")
        for left, right in (("(ROOT ", ")"), ("", ""), ("(TOP ", ")"))
    )
    metric = make(f"trees.parseval(prm='{prm}')")
    for sides in ((rooted, plain), (plain, rooted)):
        (note,) = metric.remarks(*sides)
        assert note.startswith(f"{plain.origin} lacks ROOT")
        assert "DELETE_LABEL ROOT" in note
    assert bool(metric.remarks(plain, top)) == (prm == "paper")
    assert not metric.remarks(plain, plain)


def test_undefined_values_have_reasons(tmp_path: Path) -> None:
    for name in ("gold", "system"):
        (tmp_path / f"{name}.mrg").write_text("(TOP (NN a))\n(TOP (. .))\n")
    files = [str(tmp_path / f"{name}.mrg") for name in ("gold", "system")]
    (found,) = tertium.score(*files, metric="trees.parseval").results
    assert found.value is None
    assert found.reasons["value"] == "neither gold nor system has brackets that count"
    assert found.parts["complete"] == found.parts["tagging"] == 1
    assert found.counts["skipped"] == 1


def test_a_plain_alignment_will_do() -> None:
    """Those who call `decide` themselves need no `aligned`."""
    gold, system = corpus_of(GOLD, GOLD), corpus_of(PARSE, GOLD)
    metric = make("trees.parseval")
    decisions = metric.decide(gold, system, align(gold, system))
    assert counts(metric.stats(decisions).totals())[:3] == (7, 8, 8)


def matched_one_by_one(
    gold: list[int], system: list[int], alike: set[tuple[int, int]]
) -> tuple[list[int], list[bool]]:
    """Brackets of one place paired as EVALB does: every pair is looked at in order."""
    partner, used = [-1] * len(gold), set[int]()
    for row, label in enumerate(gold):
        for other, theirs in enumerate(system):
            if other not in used and (label == theirs or (label, theirs) in alike):
                partner[row] = other
                used.add(other)
                break
    right = [other >= 0 for other in partner]
    free = iter(other for other in range(len(system)) if other not in used)
    return [other if other >= 0 else next(free, -1) for other in partner], right


def test_brackets_are_matched_in_order() -> None:
    rng = np.random.default_rng(4)
    for _ in range(300):
        gold, system = (rng.integers(0, 6, rng.integers(1, 12)) for _ in range(2))
        table = np.triu(rng.random((4, 4)) < 0.4, 1)
        table |= table.T  # what counts as the same is not transitive
        rows = np.array([-1, 2, 0, -1, 3, -1], np.int32)  # no label has row 1
        pairs = {(a, b) for a in range(6) for b in range(6)
                 if rows[a] >= 0 and rows[b] >= 0 and table[rows[a], rows[b]]}  # fmt: skip
        # The same brackets at two places: what is free at one is not at the other.
        places = [np.repeat([0, 3], len(each)) for each in (gold, system)]
        sides = [((at, at + 2, at), np.tile(each, 2).astype(np.int32))
                 for at, each in zip(places, (gold, system), strict=True)]  # fmt: skip
        partner, right = match_brackets(*sides[0], *sides[1], rows, table)
        expected, is_right = matched_one_by_one(gold.tolist(), system.tolist(), pairs)
        later = [other + len(system) if other >= 0 else -1 for other in expected]
        assert partner.tolist() == expected + later
        assert right.tolist() == is_right * 2


def test_many_brackets_over_the_same_words_take_no_time() -> None:
    size = 100_000
    codes = np.arange(size, dtype=np.int32)
    place = (np.zeros(size, np.int64), np.ones(size, np.int64), np.zeros(size, np.int64))
    alike = np.full(2 * size, -1, np.int32), np.zeros((0, 0), np.bool_)
    match_brackets(place, codes[:1], place, codes[:1], *alike)  # compiled
    before = time.process_time()
    partner, right = match_brackets(place, codes, place, codes[::-1].copy(), *alike)
    assert time.process_time() - before < 1
    assert right.all()
    assert partner.tolist() == codes[::-1].tolist()
    partner, right = match_brackets(place, codes, place, codes + np.int32(size), *alike)
    assert time.process_time() - before < 1
    assert not right.any()
