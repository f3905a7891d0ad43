"""Leaf-Ancestor: the worked example of Rehbein and van Genabith (2007, Figure 5), a plain second
implementation, traces, gaps, and trees of any depth."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest

import tertium
from tertium.align.tokens import align
from tertium.corpus.corpus import Corpus
from tertium.families.base import make
from tertium.results.decisions import Decisions
from tertium.results.items import Items
from trees import corpus_of

GOLD = """(TOP (S (NP (ART Die) (NN Regierung)) (VVFIN rief) (PP (APPRART zum) (ADJA weltweiten)
    (NN Kampf) (PP (APPR gegen) (NN Terror))) (PTKVZ auf)) ($. .))"""
PARSE = """(TOP (S (NP (ART Die) (NN Regierung)) (VVFIN rief) (PP (APPRART zum) (ADJA weltweiten)
    (NN Kampf)) (PP (APPR gegen) (NN Terror)) (PTKVZ auf)) ($. .))"""


def judge(gold: Corpus, system: Corpus, metric: str = "trees.leaf_ancestor") -> Decisions:
    return make(metric).decide(gold, system, align(gold, system))


def parts(gold: Corpus, system: Corpus, metric: str = "trees.leaf_ancestor") -> dict[str, float]:
    made = make(metric)
    stats = made.measure(gold, system, align(gold, system))
    return {name: float(value) for name, value in made.score(stats.totals()).items()}


def credits_of(gold: str, system: str, metric: str = "trees.leaf_ancestor") -> list[float]:
    return judge(corpus_of(gold), corpus_of(system), metric).credit.tolist()


def types_of(gold: str, system: str) -> list[str]:
    decisions = judge(corpus_of(gold), corpus_of(system))
    return [decisions.error_types[code] for code in decisions.error_type.tolist()]


def lineages(text: str, functions: str = "strip") -> list[str]:
    metric = make(f"trees.leaf_ancestor(functions='{functions}')")
    corpus = corpus_of(text)
    return texts(metric.items(corpus))


def texts(items: Items) -> list[str]:
    [lineages] = items.details.values()
    return [lineages[word] for word in range(len(items))]


FIGURE_5 = [
    ("Die", "NP S [ TOP", "NP S [ TOP", 1.0),
    ("Regierung", "NP ] S TOP", "NP ] S TOP", 1.0),
    ("rief", "S TOP", "S TOP", 1.0),
    ("zum", "[ PP S TOP", "[ PP S TOP", 1.0),
    ("weltweiten", "PP S TOP", "PP S TOP", 1.0),
    ("Kampf", "PP S TOP", "PP ] S TOP", 6 / 7),
    ("gegen", "[ PP PP S TOP", "[ PP S TOP", 8 / 9),
    ("Terror", "PP PP ] S TOP", "PP ] S TOP", 8 / 9),
    ("auf", "S ] TOP", "S ] TOP", 1.0),
    (".", "TOP ]", "TOP ]", 1.0),
]


@pytest.mark.parametrize("replace", [1, 2])
def test_every_cell_of_figure_5(replace: int) -> None:
    gold, system = corpus_of(GOLD), corpus_of(PARSE)
    metric = f"trees.leaf_ancestor(replace={replace})"
    decisions = judge(gold, system, metric)
    assert gold.forms is not None
    ours, theirs = decisions.sides()
    found = zip(
        gold.forms.to_list(),
        texts(ours),
        texts(theirs),
        decisions.credit.tolist(),
        strict=True,
    )
    assert [*found] == FIGURE_5
    assert [round(credit, 3) for credit in decisions.credit[5:8]] == [0.857, 0.889, 0.889]
    scored = parts(gold, system, metric)
    assert round(scored["words"], 6) == 0.963492
    assert scored["sentences"] == scored["words"]
    # Other readings: divided by the longer lineage, without the full stop, with parts of speech.
    for other in (0.935, 0.959, 0.971):
        assert round(scored["words"], 3) != other


def test_the_row_of_tiger_in_table_5() -> None:
    """All three measures of the paper at once."""
    texts = ("trees.parseval(prm=paper)", "trees.triples(rules=tiger)", "trees.leaf_ancestor")
    found = tertium.score([GOLD], [PARSE], metric=[*texts]).results
    brackets, triples, lineages = (result.parts for result in found)
    for parts in (brackets, triples):
        assert parts["precision"] == parts["recall"]
    assert round(100 * brackets["recall"], 2) == 80.00
    assert round(100 * triples["recall"], 2) == 88.89
    assert round(lineages["words"], 3) == 0.963


def test_kinds_of_errors_of_figure_5() -> None:
    found = types_of(GOLD, PARSE)
    assert found[5:8] == ["boundary", "missing", "missing"]
    assert {*found[:5], *found[8:]} == {"none"}


@pytest.mark.parametrize(
    ("gold", "system", "kind", "with_1", "with_2"),
    [
        ("(S (NP (X x)))", "(S (VP (X x)))", "label", 1 - 1 / 8, 1 - 2 / 8),
        ("(S (NP (X x)))", "(NP (X x))", "missing", 1 - 2 / 7, 1 - 3 / 7),
        ("(NP (X x))", "(S (NP (X x)))", "additional", 1 - 2 / 7, 1 - 3 / 7),
        ("(S (A (B (X x))))", "(S (C (X x)))", "several", 1 - 2 / 9, 1 - 3 / 9),
        ("(A (X x))", "(X x)", "missing", 0.0, 0.0),
        ("(X x)", "(A (X x))", "additional", 0.0, 0.0),
        ("(X x)", "(X x)", "none", 1.0, 1.0),
        ("( (S (X x)))", "(S (X x))", "missing", 1 - 2 / 7, 1 - 3 / 7),
    ],
)
def test_one_word(gold: str, system: str, kind: str, with_1: float, with_2: float) -> None:
    assert types_of(gold, system) == [kind]
    assert credits_of(gold, system) == [pytest.approx(with_1)]
    assert credits_of(gold, system, "trees.leaf_ancestor(replace=2)") == [pytest.approx(with_2)]


def test_a_word_that_begins_and_ends_a_constituent_has_both_marks() -> None:
    assert lineages("(S (NP (X a)) (VP (X b)))") == ["NP ] [ S", "[ VP S ]"]
    assert lineages("(S (NP (NP (X a))) (X b) (NP (NX (X c)) (X d)))") == [
        *("NP NP ] [ S", "S", "NX ] [ NP S", "NP S ]")
    ]
    assert lineages("(X a)") == [""]
    assert lineages("( (S (X a) (X b)))") == ["S [ ()", "S () ]"]


def test_words_are_called_by_their_lowest_constituents() -> None:
    corpus = corpus_of("(S (NP-SBJ (X a)) (X b))", "(X c)", "( (S (X d)) (X e))")
    for functions, wanted in (("strip", "NP"), ("keep", "NP-SBJ")):
        metric = make(f"trees.leaf_ancestor(functions='{functions}')")
        labels = metric.items(corpus).label.to_list()
        assert labels == [wanted, "S", "(none)", "S", "()"]


def test_labels_are_cut_as_in_parseval_or_kept() -> None:
    gold = "(S (NP-SBJ-1 (X a)) (VP=2 (X b)) (-X (X c)))"
    assert lineages(gold) == ["NP ] [ S", "[ VP ] S", "[ () S ]"]
    assert lineages(gold, "keep") == ["NP-SBJ-1 ] [ S", "[ VP=2 ] S", "[ -X S ]"]
    plain = "(S (NP (X a)) (VP (X b)) (-X (X c)))"
    assert credits_of(gold, plain) == [1, 1, 1]
    kept = credits_of(gold, plain, "trees.leaf_ancestor(functions='keep')")
    assert kept == [1 - 1 / 8, 1 - 1 / 8, 1]


def test_traces_and_what_is_over_traces_alone_do_not_count() -> None:
    gold = """(S (NP-SBJ-1 (-NONE- *T*)) (NP (DT a) (NP (-NONE- *))) (VP (V b)
        (SBAR (S (NP (-NONE- *-1))))) (NP (-NONE- 0)))"""
    assert lineages(gold) == ["NP ] [ S", "[ VP S ]"]
    assert credits_of(gold, "(S (NP (DT a)) (VP (V b)))") == [1, 1]


def test_gaps_follow_first_and_last_word() -> None:
    text = "(S (VP (VP (PP (X 0=a) (X 1=b)) (X 4=e)) (X 2=c)) (X 3=d))"
    assert lineages(text) == ["PP VP VP [ S", "PP ] VP VP S", "VP S", "S", "VP VP S ]"]
    flat = "(S (VP (X 0=a) (X 1=b) (X 2=c)) (X 3=d) (X 4=e))"
    assert credits_of(text, flat)[2:4] == [1 - 1 / 5, 1]


def test_words_are_weighed_alike_in_one_mean_and_sentences_in_the_other() -> None:
    gold = corpus_of(GOLD, "(A (X x))", "")
    system = corpus_of(PARSE, "(B (X x))", "")
    found = parts(gold, system)
    assert found["words"] == pytest.approx((8 - 1 / 7 + 2 - 2 / 9 + 1 - 1 / 6) / 11, abs=1e-12)
    assert found["sentences"] == pytest.approx((0.9634920634920635 + 1 - 1 / 6) / 2, abs=1e-12)


def test_words_without_a_partner_score_nothing() -> None:
    gold = corpus_of("(S (NP (X ab)) (X c))")
    system = corpus_of("(S (NP (X a) (X b)) (X c))")
    decisions = judge(gold, system)
    assert decisions.credit.tolist() == [0, 1, 0, 0]
    kinds = [decisions.error_types[code] for code in decisions.error_type.tolist()]
    assert kinds == ["unaligned", "none", "unaligned", "unaligned"]
    assert parts(gold, system)["words"] == 0.5


def test_answers_differ_iff_lineages_do() -> None:
    gold = corpus_of("(S (NP (X a)) (VP (X b)))")
    answers = [
        judge(gold, corpus_of(text)).answer.tolist()
        for text in ("(S (NP (X a)) (VP (X b)))", "(S (VP (X a)) (VP (X b)))", "(S (X a) (X b))")
    ]
    first, second, third = answers
    assert first[1] == second[1]
    assert len({first[0], second[0], third[0]}) == 3
    assert third[1] != first[1]


def plain_lineages(corpus: Corpus) -> list[list[str]]:
    """By the definition: of all constituents over a word, from the shortest up."""
    trees = corpus.layers["trees"]
    found = []
    for word in range(corpus.token_count):
        rows = [
            row
            for row in range(len(trees.start))  # type: ignore[attr-defined]
            if word in trees.start[row] + trees.token_sets()[row]  # type: ignore[attr-defined]
        ][::-1]
        firsts = [row for row in rows if trees.start[row] == word]  # type: ignore[attr-defined]
        lasts = [row for row in rows if trees.end[row] == word + 1]  # type: ignore[attr-defined]
        symbols = []
        for row in rows:
            symbols += ["["] if firsts and row == firsts[-1] else []
            symbols.append(trees.label[row])  # type: ignore[attr-defined]
            symbols += ["]"] if lasts and row == lasts[-1] else []
        found.append(symbols)
    return found


def plain_distance(a: list[str], b: list[str], cost: int) -> int:
    table = [[i + j for j in range(len(b) + 1)] for i in range(len(a) + 1)]
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            over = table[i][j] + (0 if x == y else cost)
            table[i + 1][j + 1] = min(over, table[i][j + 1] + 1, table[i + 1][j] + 1)
    return table[-1][-1]


def random_tree(random: Random, words: list[int], depth: int = 0) -> str:
    """Brackets over words; constituents may have gaps."""
    if len(words) == 1 and random.random() < 0.6:
        return f"(X {words[0]}=w{words[0]})"
    if depth > 6:
        leaves = " ".join(f"(X {word}=w{word})" for word in words)
        return f"({random.choice('ABC')} {leaves})"
    if random.random() < 0.2:
        return f"({random.choice('ABC')} {random_tree(random, words, depth + 1)})"
    of = [
        random.randint(0, 2) if random.random() < 0.2 else 3 * n // len(words)
        for n in range(len(words))
    ]
    groups = [[w for w, g in zip(words, of, strict=True) if g == k] for k in range(3)]
    inside = " ".join(random_tree(random, group, depth + 1) for group in groups if group)
    return f"({random.choice('ABC')} {inside})"


@pytest.mark.parametrize("cost", [1, 2])
def test_as_a_plain_second_implementation(cost: int) -> None:
    random = Random(cost)
    sizes = [random.randint(1, 12) for _ in range(25)]
    gold, system = (
        corpus_of(*(random_tree(random, [*range(size)]) for size in sizes)) for _ in range(2)
    )
    ours, theirs = plain_lineages(gold), plain_lineages(system)
    items = make("trees.leaf_ancestor").items(gold)
    assert texts(items) == [" ".join(each) for each in ours]
    wanted = [
        1 - plain_distance(a, b, cost) / (len(a) + len(b)) if a or b else 1.0
        for a, b in zip(ours, theirs, strict=True)
    ]
    found = judge(gold, system, f"trees.leaf_ancestor(replace={cost})").credit
    assert np.allclose(found, wanted, rtol=0, atol=1e-12)
    assert 0.3 < np.mean(wanted) < 0.9


def test_trees_of_any_depth() -> None:
    deep = "(A " * 5000 + "(X x)" + ")" * 5000
    mixed = "(A " * 2499 + "(B " + "(A " * 2500 + "(X x)" + ")" * 5000
    gold, system = corpus_of(deep), corpus_of(mixed)
    assert judge(gold, system).credit.tolist() == [1 - 1 / 10004]
    [text] = texts(make("trees.leaf_ancestor").items(gold))
    assert text == " ".join(["A"] * 20 + ["…"] + ["A"] * 17 + ["[ A ]"])
    other = corpus_of("(B " * 5000 + "(X x)" + ")" * 5000)
    assert judge(gold, other).credit.tolist() == [pytest.approx(1 - 5000 / 10004)]


def test_long_sentences() -> None:
    size = 10_000
    flat = "(S " + " ".join(f"(X w{n})" for n in range(size)) + ")"
    branching = "".join(f"(S (X w{n}) " for n in range(200))
    rest = " ".join(f"(X w{n})" for n in range(200, size)) + ")" * 200
    found = parts(corpus_of(flat), corpus_of(branching + rest))
    assert 0 < found["words"] < 0.1


def test_no_constituents_at_all() -> None:
    bare = corpus_of("(X a)", "")
    assert judge(bare, bare).credit.tolist() == [1]
    empty = corpus_of("")
    found = parts(empty, empty)
    assert all(np.isnan(value) for value in found.values())
    assert make("trees.leaf_ancestor").reason("words")


def test_lost_sentences_are_left_out() -> None:
    gold = corpus_of(GOLD, "(S (NP (X a)) (X b))")
    alignment = align(gold, gold)
    lost = replace(alignment, lost=np.array([False, True]))
    decisions = make("trees.leaf_ancestor").decide(gold, gold, lost)
    assert len(decisions) == 10
    assert decisions.unit.tolist() == [0] * 10


def test_groups_of_words_have_no_column_of_system_items() -> None:
    found = tertium.score([GOLD], [PARSE], metric="trees.leaf_ancestor", by="category")
    [table] = [block for block in found.blocks(found.look()) if hasattr(block, "columns")]
    assert [column.header for column in table.columns] == [
        *("category", "system", "Leaf-Ancestor", "gold")
    ]
