"""The algebra of multi-function trees: its laws, and the worked examples."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tertium
from random_trees import random_trees
from tertium import samples
from tertium.exceptions import InputError, LayerError
from tertium.families.theories.algebra import (
    Edit,
    delta,
    edit_script,
    generalize,
    subsumes,
    tl_unify,
    unify,
)
from tertium.families.theories.multifunction import MultiFunctionTree, Span, places_of
from tertium.formats.files import make
from trees import corpus_of

SIZE = 5
WORDS = tuple("abcde")
LABELS = st.frozensets(st.sampled_from(["root", "sbj", "hd"]), max_size=2)
parse = MultiFunctionTree.parse


def over(*places: int) -> frozenset[int]:
    return frozenset(places)


@st.composite
def families(draw: st.DrawFn) -> list[frozenset[int]]:
    """Sets of words, no two of which cross; some have gaps."""
    parts = [over(place) for place in draw(st.permutations(range(SIZE)))]
    if draw(st.booleans()):
        parts.sort(key=min)
    found = [*parts]
    while len(parts) > 1:
        first = draw(st.integers(0, len(parts) - 2))
        last = draw(st.integers(first + 2, len(parts)))
        parts[first:last] = [frozenset[int]().union(*parts[first:last])]
        found.append(parts[first])
    return found


@st.composite
def trees(draw: st.DrawFn, family: list[frozenset[int]] | None = None) -> MultiFunctionTree:
    """A tree with some of the nodes of a family."""
    spans = draw(families()) if family is None else family
    chosen = [span for span in spans if draw(st.booleans())]
    return MultiFunctionTree(WORDS, {span: draw(LABELS) for span in chosen})


@st.composite
def compatible(draw: st.DrawFn) -> tuple[MultiFunctionTree, ...]:
    """Three trees that can be unified."""
    family = draw(families())
    return tuple(draw(trees(family)) for _ in range(3))


@given(trees(), trees(), trees())
def test_subsumption_is_a_partial_order(
    a: MultiFunctionTree, b: MultiFunctionTree, c: MultiFunctionTree
) -> None:
    assert subsumes(a, a)
    if subsumes(a, b) and subsumes(b, a):
        assert a == b
    for one, two, three in ((a, b, c), (generalize(a, b, c), generalize(a, b), a)):
        if subsumes(one, two) and subsumes(two, three):
            assert subsumes(one, three)
    assert subsumes(generalize(a, b, c), generalize(a, b))


@given(trees(), trees(), trees())
def test_generalization_is_the_greatest_lower_bound(
    a: MultiFunctionTree, b: MultiFunctionTree, c: MultiFunctionTree
) -> None:
    general = generalize(a, b)
    assert subsumes(general, a)
    assert subsumes(general, b)
    assert subsumes(generalize(c, general), general)
    if subsumes(c, a) and subsumes(c, b):
        assert subsumes(c, general)
    assert generalize(a, a) == generalize(a) == a
    assert general == generalize(b, a)
    assert generalize(general, c) == generalize(a, generalize(b, c)) == generalize(a, b, c)
    assert hash(general) == hash(generalize(b, a))


@given(compatible())
def test_unification_is_the_least_upper_bound(found: tuple[MultiFunctionTree, ...]) -> None:
    a, b, c = found
    both = unify(a, b)
    assert subsumes(a, both)
    assert subsumes(b, both)
    if subsumes(a, c) and subsumes(b, c):
        assert subsumes(both, c)
    assert subsumes(both, unify(both, c))
    assert unify(a, a) == a
    assert both == unify(b, a)
    assert unify(both, c) == unify(a, unify(b, c))
    assert generalize(a, both) == a == unify(a, generalize(a, b))


@given(trees(), trees())
def test_unification_fails_where_spans_cross(a: MultiFunctionTree, b: MultiFunctionTree) -> None:
    sets = [[{*places_of(span)} for span in each.nodes] for each in (a, b)]
    cross = any(x & y and not x <= y and not y <= x for x in sets[0] for y in sets[1])
    if cross:
        with pytest.raises(InputError, match="cross"):
            unify(a, b)
    else:
        assert {*unify(a, b).nodes} == {*a.nodes, *b.nodes}


def test_crossing_spans_are_named() -> None:
    a, b = parse("(root (x a b) c)"), parse("(root a (y b c))")
    with pytest.raises(InputError) as raised:
        unify(a, b)
    assert str(raised.value) == "cannot unify trees: 'a b' (1-2) and 'b c' (2-3) cross"


@given(trees(), trees())
def test_tl_unification_keeps_the_spans_of_the_first_tree(
    a: MultiFunctionTree, b: MultiFunctionTree
) -> None:
    found = tl_unify(a, b)
    assert found.nodes.keys() == a.nodes.keys()
    assert subsumes(a, found)
    assert tl_unify(a, a) == a
    assert tl_unify(found, b) == found
    for span, labels in found.nodes.items():
        assert labels == a.nodes[span] | b.nodes.get(span, frozenset())


@given(trees(), trees())
def test_an_edit_script_leads_from_one_tree_to_the_other(
    a: MultiFunctionTree, b: MultiFunctionTree
) -> None:
    script = edit_script(a, b)
    found = {*a.constraints}
    for operation, label, span in script:
        if operation == "add":
            assert (label, span) not in found
            found.add((label, span))
        else:
            found.remove((label, span))
    assert found == b.constraints
    assert len(script) == len(edit_script(b, a))
    assert len(script) <= len(a) + len(b)


@given(trees(), trees(), trees())
def test_delta_is_what_the_sets_say(
    system: MultiFunctionTree, gold: MultiFunctionTree, other: MultiFunctionTree
) -> None:
    general = generalize(gold, other)
    missing = general.constraints - system.constraints
    added = system.constraints - gold.constraints
    assert delta(system, gold, general) == len(missing) + len(added)
    assert delta(gold, gold, general) == 0


@given(trees())
def test_brackets_are_read_again(tree: MultiFunctionTree) -> None:
    assert parse(eval(repr(tree), {"MultiFunctionTree": MultiFunctionTree}).sorted_tree()) == (
        MultiFunctionTree(tree.words, {s: labels for s, labels in tree.nodes.items() if labels})
    )
    assert eval(repr(tree), {"MultiFunctionTree": MultiFunctionTree}) == tree


def test_unary_chains_collapse() -> None:
    """Figure 2 of the paper: t1 and t2 are both t3."""
    t1, t2, t3 = map(parse, ("(root (f1 (f2 w)))", "(root (f2 (f1 w)))", "(root ({f1,f2} w))"))
    assert t1 == t2 == t3
    assert t1.nodes == {(0, 1): {"root", "f1", "f2"}}
    assert t1.sorted_tree() == t2.sorted_tree() == "(f1 (f2 (root w)))"
    wide = parse("(root (f1 (f2 w)) v)")
    assert wide == parse("(root (f2 (f1 w)) v)") == parse("(root ({f2,f1} w) v)")
    assert wide.sorted_tree() == "(root (f1 (f2 w)) v)"


def scored(system: MultiFunctionTree, gold: MultiFunctionTree, general: MultiFunctionTree) -> float:
    return 1 - delta(system, gold, general) / (len(system) + len(general))


def test_the_worked_example() -> None:
    dep = parse("(root (sbj John) (hd loves) (obj Mary))")
    ps = parse("(root (sbj John) (prd loves (obj Mary)))")
    general = generalize(dep, ps)
    assert general == parse("(root (sbj John) loves (obj Mary))")
    swapped = parse("(root (obj John) (hd loves) (sbj Mary))")
    assert delta(swapped, dep, general) == 4
    assert scored(swapped, dep, general) == pytest.approx(0.428571, abs=1e-6)
    assert scored(swapped.unlabeled(), dep.unlabeled(), general.unlabeled()) == 1
    assert scored(swapped, dep, dep) == 0.5  # SINGLE
    assert scored(parse("(root (sbj John) (prd loves Mary))"), ps, general) == pytest.approx(5 / 6)
    added = parse("(root (sbj John) (prd (hd loves) (obj Mary)))")
    assert scored(added, dep, general) == 0.875
    second = parse("(root (sbj It) (hd works))")
    pair = generalize(second, parse("(root (sbj It) works)"))
    pairs = ((swapped, dep, general), (second, second, pair))
    sizes = [len(system) + len(shared) for system, _, shared in pairs]
    assert sizes == [7, 5]
    ratio = 1 - sum(delta(*each) for each in pairs) / sum(sizes)
    assert ratio == pytest.approx(0.666667, abs=1e-6)
    assert sum(scored(*each) for each in pairs) / 2 == pytest.approx(0.714286, abs=1e-6)
    assert scored(dep, ps, ps) == 0.75  # overlap of the gold standards
    assert edit_script(dep, ps) == (
        Edit("add", "prd", (1, 3)),
        Edit("delete", "hd", (1, 2)),
    )


def test_relational_trees_generalized_with_plain_trees_are_the_plain_trees() -> None:
    """Section 4.2 of the paper, with categories for labels; and without labels."""
    rng = np.random.default_rng(1)
    texts = [text for _ in range(60) for text in random_trees(rng) if text not in ("", "(())")]
    texts = [text.replace("(NP ", "(SBJ@S (NP ").replace("(PRT ", "({A,B}@S ") for text in texts]
    texts = [text + ")" * (text.count("(") - text.count(")")) for text in texts]
    relational = corpus_of(*texts)
    plain = make("brackets(relational=strip)").changed(relational)
    compared = 0
    for sentence in range(len(texts)):
        if not np.diff(plain.offsets)[sentence]:
            continue
        for labels in ("categories", "functions"):
            a, b = (MultiFunctionTree.of(c, sentence, labels=labels) for c in (plain, relational))
            if labels == "functions":
                a, b = a.unlabeled(), b.unlabeled()
            assert generalize(a, b) == a
            compared += a != b
    assert compared


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(root (sbj a)", "not closed"),
        ("(root a))", "without a matching"),
        ("(root (sbj) a)", "without words"),
        ("(a (x 0=a 2=c) (y 1=b 3=d) (z 4=e)) (a", "not closed"),
    ],
)
def test_what_is_not_a_tree_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse(text)


@pytest.mark.parametrize("span", [(0, 4), (2, 2), (-1, 1), over(), over(1, 7)])
def test_spans_are_in_the_sentence(span: Span) -> None:
    with pytest.raises(InputError, match="no span"):
        MultiFunctionTree(("a", "b", "c"), {span: frozenset("x")})


def test_crossing_nodes_are_not_a_tree() -> None:
    with pytest.raises(InputError, match=r"'a b' \(1-2\) and 'b c' \(2-3\) cross"):
        MultiFunctionTree(("a", "b", "c"), {(0, 2): frozenset("x"), (1, 3): frozenset("y")})


@pytest.mark.parametrize("operation", [subsumes, generalize, unify, tl_unify, edit_script])
def test_trees_have_the_same_number_of_words(operation: object) -> None:
    with pytest.raises(InputError, match="trees of 1 and 2 words"):
        operation(parse("(root a)"), parse("(root a b)"))  # type: ignore[operator]


def test_a_tree_is_drawn() -> None:
    tree = parse("(root (sbj John) (prd ({hd,x} loves) ({} Mary)))")
    assert str(tree).split() == (
        "John loves Mary root ├ sbj John └ prd ├ hd,x loves └ () Mary".split()
    )
    assert all(name in tree.render("svg") for name in ("John", "sbj", "hd,x"))
    assert tree.to_rows()[2] == {"labels": "prd", "tokens": "2-3", "text": "loves Mary"}
    assert [node["tokens"] for node in tree.to_dict()["nodes"]] == [
        [1, 2, 3], [1], [2, 3], [2], [3]
    ]  # fmt: skip


def test_a_theory_is_named_where_there_are_several() -> None:
    from dataclasses import replace

    from tertium.families.theories.conversion import function_trees

    corpus = corpus_of("(S (NP-SBJ (N a)) (V b))")
    trees = function_trees(corpus)
    single = MultiFunctionTree.of(replace(corpus, layers={"ps": trees}))
    assert single == MultiFunctionTree.of(corpus) == parse("(root (SBJ a) ({} b))")
    several = replace(corpus, layers={"ps": trees, "dep": trees})
    assert MultiFunctionTree.of(several, theory="dep") == single
    with pytest.raises(LayerError, match="ps, dep"):
        MultiFunctionTree.of(several)
    with pytest.raises(InputError, match="no sentence 1: corpus has 1 sentence"):
        MultiFunctionTree.of(corpus, 1)


@cache
def sample_trees(file: str) -> list[MultiFunctionTree]:
    corpus = tertium.read(samples.path(file))
    return [MultiFunctionTree.of(corpus, sentence) for sentence in range(28)]


@pytest.mark.parametrize("labeled", [True, False])
@pytest.mark.parametrize("golds", ["all", "own", "dep"])
def test_the_metric_counts_what_the_algebra_says(golds: str, labeled: bool) -> None:
    """On the samples: the sums of errors and sizes, and the mean of sentence scores."""
    sides = {"dep": "theories-dep.conllu", "ps": "trees-gold.mrg"}
    systems = {"elm": ("dep", "theories-elm.conllu"), "hazel": ("ps", "theories-hazel.mrg")}
    scores = tertium.score(
        {name: str(samples.path(file)) for name, file in sides.items()},
        *(f"{name}={theory}:{samples.path(file)}" for name, (theory, file) in systems.items()),
        metric=f"theories.tedeval(golds='{golds}', labeled={labeled})",
    )

    def found(file: str) -> list[MultiFunctionTree]:
        return [tree if labeled else tree.unlabeled() for tree in sample_trees(file)]

    gold = {name: found(file) for name, file in sides.items()}
    for result in scores:
        theory, file = systems[result.system]
        named = {"all": [*sides], "own": [theory], "dep": ["dep"]}[golds]
        totals, means = [0, 0, 0], []
        for n, system in enumerate(found(file)):
            general = generalize(*(gold[name][n] for name in named))
            counts = delta(system, gold[theory][n], general), len(system), len(general)
            totals = [a + b for a, b in zip(totals, counts, strict=True)]
            means.append(1 - counts[0] / (counts[1] + counts[2]))
        assert [result.counts[name] for name in ("delta", "parse", "gen")] == totals
        assert result.value == pytest.approx(1 - totals[0] / (totals[1] + totals[2]))
        assert result.parts["sentences"] == pytest.approx(sum(means) / 28)
