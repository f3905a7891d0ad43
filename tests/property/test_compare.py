"""Comparisons of random systems: what the plain way counts, and what must hold of any data."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plain_compare as plain
import tertium
from tertium.comparison.pairs import CLASSES
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels
from tertium.corpus.layers import Arcs, Spans, Tags

NAMES = "abcde"
TAGS = st.sampled_from(("N", "V", "ä", "_"))
RELATIONS = st.sampled_from(("nsubj", "nsubj:pass", "obj", "punct"))
COUNTS = ("items", "different", *CLASSES, "both_right", "right_a", "right_b", "shared_right")
TOKEN_METRICS = (
    *("tags.accuracy", "deps.las", "deps.uas", "deps.ls", "deps.ned", "deps.undirected"),
    *("deps.las(punct=deprel)", "deps.las(compat=compareval)"),
)
SPAN_METRICS = ("spans.f1", "spans.fair", "spans.partial", "spans.fair(boundaries=True)")
Data = list[Corpus]


@st.composite
def annotation(draw: st.DrawFn, sizes: list[int]) -> dict[str, Any]:
    """Tags, trees and flat spans over sentences of these sizes."""
    heads: list[int] = []
    for size in sizes:
        order = draw(st.permutations(range(size)))
        head = [0] * size
        for place, word in enumerate(order[1:], 1):
            head[word] = order[draw(st.integers(0, place - 1))] + 1
        heads += head
    count = len(heads)

    def column(values: st.SearchStrategy[str]) -> Labels:
        return Labels.of(draw(st.lists(values, min_size=count, max_size=count)))

    start, end, label = [], [], []
    base = 0
    for size in sizes:
        cuts = [0, *sorted(draw(st.sets(st.integers(1, 7), max_size=4)) & {*range(1, size)}), size]
        for a, b in pairwise(cuts):
            kind = draw(st.sampled_from(("", "", "X", "Y", "Z")))
            if kind and b > a:
                start.append(base + a)
                end.append(base + b)
                label.append(kind)
        base += size
    relation = column(RELATIONS)
    return {
        "deps": Arcs(np.array(heads, np.int32), relation),
        "upos": Tags(column(TAGS)),
        "spans": Spans(np.array(start, np.int32), np.array(end, np.int32), Labels.of(label)),
    }


def corpus(sizes: list[int], words: list[str], layers: dict[str, Any], name: str) -> Corpus:
    offsets = np.cumsum([0, *sizes]).astype(np.int64)
    return Corpus(offsets, Labels.of(words), layers, origin=name)


@st.composite
def token_data(draw: st.DrawFn, least: int = 2, most: int = 5) -> Data:
    """Gold and systems over the same words."""
    sizes = draw(st.lists(st.integers(1, 6), min_size=1, max_size=4))
    words = [f"w{n}" for n in range(sum(sizes))]
    count = draw(st.integers(least, most)) + 1
    return [corpus(sizes, words, draw(annotation(sizes)), f"c{n}") for n in range(count)]


@st.composite
def cut_data(draw: st.DrawFn) -> Data:
    """The same letters, cut into words in different ways by everybody."""
    letters = draw(st.lists(st.integers(1, 7), min_size=1, max_size=3))
    found = []
    for name in range(draw(st.integers(3, 4))):
        words, sizes = [], []
        for number, size in enumerate(letters):
            text = "abcdefg"[:size] if number % 2 else "gfedcba"[-size:]
            inside = draw(st.sets(st.integers(1, 6), max_size=6)) & {*range(1, size)}
            cuts = [0, *sorted(inside), size]
            words += [text[a:b] for a, b in pairwise(cuts)]
            sizes.append(len(cuts) - 1)
        found.append(corpus(sizes, words, draw(annotation(sizes)), f"c{name}"))
    return found


def view_of(data: Data, metric: str, names: str | None = None) -> Any:
    return tertium.compare(*data, metric=metric, names=names or NAMES[: len(data) - 1]).view


def test_tags_and_arcs_as_counted_by_hand() -> None:
    """Straight from the columns: no metric is asked."""

    @given(token_data())
    def run(data: Data) -> None:
        columns = []
        for each in data:
            arcs = each.layer("deps", Arcs)
            relations = [r.split(":")[0] for r in arcs.label.to_list()]
            tags = each.layer("upos", Tags).labels.to_list()
            columns.append((tags, [*zip(arcs.head.tolist(), relations, strict=True)]))
        for metric, place in (("tags.accuracy", 0), ("deps.las", 1)):
            table = plain.tags(*([c[place]] for c in columns))  # type: ignore[list-item]
            pairs = view_of(data, metric).pairs
            for pair in pairs:
                expected = plain.algorithm1(table, *pair.rows)
                for name in ("items", "different", *CLASSES):
                    assert getattr(pair, name) == getattr(expected, name)
                if place == 0:
                    told = {(k, t.gold, t.a, t.b): t.count for k in CLASSES
                            for t in pair.transitions(k)}  # fmt: skip
                    assert told == dict(expected.transitions)

    run()


@given(token_data())
def test_exact_spans_as_counted_by_hand(data: Data) -> None:
    said = []
    for each in data:
        spans = each.layer("spans", Spans)
        places = zip(spans.start.tolist(), spans.end.tolist(), strict=True)
        said.append(dict(zip(places, spans.label.to_list(), strict=True)))
    gold, *systems = said
    for pair in view_of(data, "spans.f1").pairs:
        a, b = (systems[row] for row in pair.rows)
        # A place in which gold has nothing is an extra item for every label given to it.
        added = {(p, s[p]) for s in (a, b) for p in s if p not in gold}
        fixed = sum(a.get(p) != label == b.get(p) for p, label in gold.items())
        lost = sum(a.get(p) == label != b.get(p) for p, label in gold.items())
        changed = sum(len({label, a.get(p), b.get(p)}) == 3 for p, label in gold.items())
        gone = sum(b.get(p) != label for p, label in added)
        new = sum(a.get(p) != label for p, label in added)
        assert pair.items == len(gold) + len(added)
        assert pair.corrections == fixed + gone
        assert pair.new_errors == lost + new
        assert pair.changed_errors == changed


@pytest.mark.parametrize("metric", [*TOKEN_METRICS, *SPAN_METRICS])
def test_as_decisions_say(metric: str) -> None:
    @given(token_data())
    def run(data: Data) -> None:
        plain.check(view_of(data, metric), plain.decided(*data, metric=metric))

    run()


@pytest.mark.parametrize("metric", ["tags.accuracy", "deps.las", "deps.uas", *SPAN_METRICS])
def test_as_decisions_say_whatever_the_tokens(metric: str) -> None:
    @given(cut_data())
    def run(data: Data) -> None:
        view = view_of(data, metric)
        plain.check(view, plain.decided(*data, metric=metric, align="characters"))

    run()


@given(cut_data(), st.sampled_from(["tags.accuracy", "deps.las", "spans.f1", "spans.fair"]))
def test_scores_are_those_of_score_whatever_the_tokens(data: Data, metric: str) -> None:
    gold, *systems = data
    found = tertium.compare(*data, metric=metric, names=NAMES[: len(systems)]).scores
    for name, system in zip(NAMES, systems, strict=False):
        alone = tertium.score(gold, system, metric=metric, labels=False, names=[name]).results[0]
        ours = next(r for r in found if r.system == name)
        assert ours.to_dict() == alone.to_dict()


@given(token_data(), st.sampled_from(TOKEN_METRICS))
def test_the_change_of_accuracy_is_corrections_less_new_errors(data: Data, metric: str) -> None:
    for pair in view_of(data, metric).pairs:
        assert pair.items == pair.gold_items
        assert pair.right_b - pair.right_a == pair.corrections - pair.new_errors
        if pair.items:
            change = (pair.corrections - pair.new_errors) / pair.items
            assert pair.delta == pytest.approx(change)


@given(st.one_of(token_data(), cut_data()), st.sampled_from([*TOKEN_METRICS, *SPAN_METRICS]))
def test_the_way_back_mirrors_the_way_there(data: Data, metric: str) -> None:
    view = view_of(data, metric)
    for there in view.pairs:
        back = view.pair(there.b, there.a)
        assert there.diff == back.diff
        assert there.items == back.items
        assert there.corrections == back.new_errors
        assert there.new_errors == back.corrections
        assert there.changed_errors == back.changed_errors
        for kind, other in (("corrections", "new_errors"), ("changed_errors", "changed_errors")):
            for mode in ("labels", "types", "both"):
                told = {(t.a, t.b, t.gold): t.count for t in there.transitions(kind, mode)}
                seen = {(t.b, t.a, t.gold): t.count for t in back.transitions(other, mode)}
                assert told == seen


@given(token_data(least=3), st.sampled_from([*TOKEN_METRICS, *SPAN_METRICS]))
def test_a_system_more_never_lowers_the_bound(data: Data, metric: str) -> None:
    fewer = view_of(data[:-1], metric)
    more = view_of(data, metric)
    assert fewer.oracle.correct <= more.oracle.correct
    for pair in fewer.pairs:
        assert pair.to_dict() == more.pair(pair.a, pair.b).to_dict()


@given(token_data(), st.sampled_from([*TOKEN_METRICS, *SPAN_METRICS]), st.randoms())
def test_sentences_and_systems_in_any_order(data: Data, metric: str, random: Any) -> None:
    view = view_of(data, metric)
    sentences = [*range(data[0].sentence_count)]
    random.shuffle(sentences)
    others = [*range(1, len(data))]
    random.shuffle(others)
    mixed = [data[n].take(np.array(sentences)) for n in (0, *others)]
    shuffled = view_of(mixed, metric, "".join(NAMES[n - 1] for n in others))
    for pair in view.pairs:
        assert pair.to_dict() == shuffled.pair(pair.a, pair.b).to_dict()
    assert view.oracle.correct == shuffled.oracle.correct
    assert view.oracle.by_solvers == shuffled.oracle.by_solvers


@given(token_data(most=3), st.sampled_from([*TOKEN_METRICS, *SPAN_METRICS]))
def test_parts_add_up_to_the_whole(data: Data, metric: str) -> None:
    twice = [each.take([*range(each.sentence_count)] * 2) for each in data]
    one, two = view_of(data, metric), view_of(twice, metric)
    for single, double in zip(one.pairs, two.pairs, strict=True):
        for name in COUNTS:
            assert getattr(double, name) == 2 * getattr(single, name), name
        for kind in CLASSES:
            told = {(t.a, t.b, t.gold): t.count for t in single.transitions(kind)}
            assert {(t.a, t.b, t.gold): t.count / 2 for t in double.transitions(kind)} == told
    assert two.oracle.correct == 2 * one.oracle.correct


@given(token_data(), st.sampled_from(TOKEN_METRICS))
def test_groups_of_words_add_up(data: Data, metric: str) -> None:
    names = NAMES[: len(data) - 1]
    view = tertium.compare(*data, metric=metric, names=names, by="upos").view
    groups = [*view.groups.values()]
    for n, pair in enumerate(view.pairs):
        for name in COUNTS:
            assert sum(getattr(g.pairs[n], name) for g in groups) == getattr(pair, name)
    assert sum(g.oracle.correct for g in groups) == view.oracle.correct
