"""Properties of votes, and real systems."""

from collections.abc import Sequence
from itertools import permutations, product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertium.comparison.vote.consensus import Consensus
from tertium.comparison.vote.vote import combine
from tertium.comparison.vote.weights import Weights, text_of
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels
from tertium.corpus.layers import Arcs, Spans, Tags
from tertium.families.base import make
from tertium.formats.files import read_file
from tertium.significance.score.verb import score

METRICS = [make(m) for m in ("tags.accuracy(column=tag)", "spans.f1(column=spans)", "deps.las")]


def random_system(rng: np.random.Generator, sizes: list[int]) -> Corpus:
    """Tags, trees and nested spans over sentences of these sizes."""
    offsets = np.cumsum([0, *sizes])
    total = int(offsets[-1])
    heads = []
    for size in sizes:
        order = rng.permutation(size) + 1
        head = np.zeros(size, np.int32)
        for n in range(1, size):
            head[order[n] - 1] = order[rng.integers(0, n)]
        heads.append(head)
    rows = {
        (int(offsets[s] + first), int(offsets[s] + rng.integers(first, size) + 1), str(label))
        for s, size in enumerate(sizes)
        for first, label in zip(
            rng.integers(0, size, 2).tolist(), rng.choice(["P", "Q"], 2), strict=True
        )
    }
    start, end, label = zip(*sorted(rows), strict=True)
    return Corpus(
        offsets,
        Labels.of(f"w{n}" for n in range(total)),
        {
            "tag": Tags(Labels.of(rng.choice(["A", "B", "C"], total).tolist())),
            "spans": Spans(np.array(start, np.int32), np.array(end, np.int32), Labels.of(label)),
            "deps": Arcs(np.concatenate(heads), Labels.of(rng.choice(["x", "y"], total).tolist())),
        },
    )


@given(st.integers(0, 10_000))
def test_copies_of_one_system_give_that_system(seed: int) -> None:
    rng = np.random.default_rng(seed)
    system = random_system(rng, [int(n) for n in rng.integers(1, 9, 4)])
    found = combine([system] * 3, METRICS)
    assert found.corpus == system
    assert found.notes == ()


@given(st.integers(0, 10_000))
def test_a_majority_of_equal_systems_gives_that_system(seed: int) -> None:
    rng = np.random.default_rng(seed)
    sizes = [int(n) for n in rng.integers(1, 9, 4)]
    system, others = random_system(rng, sizes), [random_system(rng, sizes) for _ in range(2)]
    found = combine([others[0], system, others[1], system, system], METRICS).corpus
    assert found.layers["tag"] == system.layers["tag"]
    assert found.layers["deps"] == system.layers["deps"]

    def rows(corpus: Corpus) -> list[tuple[int, int, str]]:
        spans = corpus.layer("spans", Spans)
        columns = spans.start.tolist(), spans.end.tolist(), spans.label.to_list()
        return sorted(zip(*columns, strict=True))

    assert rows(found) == rows(system)


@settings(max_examples=20)
@given(st.integers(0, 10_000), st.sampled_from([2, 3, 4]), st.booleans())
def test_the_order_of_systems_does_not_matter(seed: int, count: int, weighted: bool) -> None:
    rng = np.random.default_rng(seed)
    systems = [random_system(rng, [3, 4]) for _ in range(count)]
    worth = np.ones((1, count)) if not weighted else rng.integers(1, 3, (1, count)) / 3
    weights = Weights({text_of(metric): worth for metric in METRICS})
    results, ties = [], []
    for order in permutations(range(count)):
        own = weights.of_systems(order)
        found = combine([systems[n] for n in order], METRICS, own)
        results.append(found.corpus)
        ties.append(found.ties)
    assert all(each == ties[0] for each in ties)
    assert all(r.layers["tag"] == results[0].layers["tag"] for r in results)
    assert all(r.layers["deps"] == results[0].layers["deps"] for r in results)
    rows = {
        tuple(
            sorted(
                zip(
                    r.layer("spans", Spans).start.tolist(),
                    r.layer("spans", Spans).end.tolist(),
                    r.layer("spans", Spans).label.to_list(),
                    strict=True,
                )
            )
        )
        for r in results
    }
    assert len(rows) == 1


@settings(max_examples=20)
@given(st.integers(0, 10_000))
def test_the_tree_that_wins_has_most_votes_then_most_agreement(seed: int) -> None:
    """Against all trees of a short sentence with one root."""
    rng = np.random.default_rng(seed)
    systems = [random_system(rng, [4]) for _ in range(3)]
    heads = np.array([s.layer("deps", Arcs).head for s in systems])
    agreement = Consensus.of(systems, METRICS, "auto").shared["deps.las", "deps"]

    def worth(tree: Sequence[int]) -> tuple[int, int]:
        same = heads == np.array(tree)
        return int(same.sum()), int((same.sum(axis=1) * agreement).sum())

    def is_tree(tree: Sequence[int]) -> bool:
        reached = {0}
        for _ in tree:
            reached |= {n for n, head in enumerate(tree, 1) if head in reached}
        return len(reached) == 5 and [*tree].count(0) == 1

    trees = product(*(sorted(set(column)) for column in heads.T.tolist()))
    found = combine(systems, METRICS).corpus.layer("deps", Arcs).head.tolist()
    assert worth(found) == max(worth(tree) for tree in trees if is_tree(tree))


def test_the_text_is_that_of_most_systems_whatever_the_order() -> None:
    def tagged(words: str, tag: str) -> Corpus:
        forms = words.split()
        tags = Tags(Labels.of([tag] * len(forms)))
        return Corpus(np.array([0, len(forms)]), Labels.of(forms), {"tag": tags})

    systems = [tagged("can not go", "A"), tagged("cannot go", "A"), tagged("cannot go", "B")]
    for order in permutations(systems):
        agreement = Consensus.of(order, METRICS[:1], "auto")
        # Of the two with most systems' tokens the one that agrees with the third.
        assert order[agreement.order(order, "auto")[0]] is systems[1]


# -- real systems ----------------------------------------------------------------------------------

PARSERS = ["spacy", "udpipe-swap", "udpipe-proj"]
TAGGERS = [*PARSERS, "crf", "lexicon"]


def values(gold: Corpus, *systems: Corpus, metric: str) -> list[float]:
    found = score(
        gold, *systems, metric=metric, labels=False, names=[str(n) for n in range(len(systems))]
    )
    return [result.value or 0.0 for result in found]


@pytest.fixture(scope="module")
def ewt(shared: Path) -> dict[str, Corpus]:
    folder = shared / "data" / "ewt-systems"
    return {name: read_file(folder / f"{name}-test.conllu") for name in ("gold", *TAGGERS)}


def test_five_taggers_are_better_than_the_best(ewt: dict[str, Corpus]) -> None:
    metric = "tags.accuracy(column=upos)"
    systems = [ewt[name] for name in TAGGERS]
    (vote,) = values(ewt["gold"], combine(systems, [make(metric)]).corpus, metric=metric)
    best = max(values(ewt["gold"], *systems, metric=metric))
    assert round(100 * best, 2) == 94.74
    assert round(100 * vote, 2) == 95.39


def test_three_parsers_are_no_better_than_the_best(ewt: dict[str, Corpus]) -> None:
    """spaCy is three points ahead of the others, which come from one tool and err together."""
    systems = [ewt[name] for name in PARSERS]
    corpus = combine(systems, [make("deps.las")]).corpus
    assert [round(100 * v, 2) for v in values(ewt["gold"], *systems, metric="deps.las")] == [
        82.65,
        79.61,
        75.21,
    ]
    assert [round(100 * v, 2) for v in values(ewt["gold"], corpus, metric="deps.las")] == [81.94]
    # Every sentence is a tree with one root, or scoring would have refused it.
    head = corpus.layer("deps", Arcs).head
    roots = np.add.reduceat((head == 0).astype(int), corpus.offsets[:-1])
    assert (roots == 1).all()


def test_another_tokenisation_votes_where_it_can(ewt: dict[str, Corpus], shared: Path) -> None:
    raw = read_file(shared / "data" / "ewt-systems" / "udpipe-raw-test.conllu")
    found = combine([ewt["udpipe-swap"], raw, ewt["spacy"]], [make("deps.las")])
    assert any("arcs of" in note for note in found.notes)
    assert any("has no partner for" in note for note in found.notes)
    (las,) = values(ewt["gold"], found.corpus, metric="deps.las")
    assert las > 0.79
    # As base it keeps its own words and sentences.
    found = combine([raw, ewt["udpipe-swap"], ewt["spacy"]], [make("deps.las")])
    assert np.array_equal(found.corpus.offsets, raw.offsets)
    alone, together = values(ewt["gold"], raw, found.corpus, metric="deps.las")
    assert together > alone


def test_seven_systems_of_wnut(shared: Path) -> None:
    folder = shared / "data" / "wnut17-ner"
    gold = read_file(folder / "emerging.test.annotated")
    names = "uh_ritual spinningbytes.txt sjtu_adapt.txt arcada flytxt mic-cis.txt drexel_cci"
    systems = [read_file(folder / "submissions" / name) for name in names.split()]
    corpus = combine(systems, [make("spans.f1(column=tag)")], method="position").corpus
    result = score(gold, corpus, metric="spans.f1")["spans.f1"]
    assert round(100 * (result.value or 0), 2) == 43.48  # the best single system has 41.86
    assert round(100 * result.parts["precision"], 2) == 76.94
