"""Weights from scores, and from other folds of the same gold."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tertium.align.tokens import align
from tertium.comparison.vote.crossfit import cross_fitted, folds_of, folds_over
from tertium.comparison.vote.vote import combine
from tertium.comparison.vote.weights import Reliability, Weights, weights_from_scores, weights_of
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels
from tertium.corpus.layers import Tags
from tertium.exceptions import UsageError
from tertium.families.base import make
from tertium.results.stats import Stats
from tertium.significance.score.verb import score

ACCURACY = make("tags.accuracy(column=tag)")
TEXT = repr(ACCURACY)


def tagged(tags: list[list[str]], words: list[list[str]] | None = None) -> Corpus:
    words = words or [[f"w{s}.{n}" for n in range(len(row))] for s, row in enumerate(tags)]
    return Corpus(
        np.cumsum([0, *map(len, tags)]),
        Labels.of(w for s in words for w in s),
        {"tag": Tags(Labels.of(t for row in tags for t in row))},
    )


GOLD = tagged([["X", "X", "Y", "Y"]])
GOOD = tagged([["X", "X", "Y", "X"]])  # X 2 of 3, Y 1 of 1; 3 of 4
BAD = tagged([["Y", "Y", "Y", "Y"]])  # Y 2 of 4


def dev_scores() -> dict[str, object]:
    found = score(GOLD, GOOD, BAD, metric=ACCURACY, names=["good", "bad"]).to_dict()
    return json.loads(json.dumps(found))


def test_precision_relative_to_the_mean() -> None:
    weights = weights_from_scores(dev_scores(), ["good", "bad"], [ACCURACY])
    mean = (0.75 + 0.5) / 2
    assert weights.overall[TEXT].tolist() == [pytest.approx([0.75 / mean, 0.5 / mean])]
    # Smoothed by one more case: X is (2 + .75) / 4 for good, and .5 for bad, who never says it.
    x = np.array([2.75 / 4, 0.5])
    assert weights.labels[TEXT]["X"][0] == pytest.approx(x / x.mean())
    y = np.array([1.75 / 2, 2.5 / 5])
    assert weights.labels[TEXT]["Y"][0] == pytest.approx(y / y.mean())


def test_systems_are_found_by_name_whatever_the_order() -> None:
    there = weights_from_scores(dev_scores(), ["good", "bad"], [ACCURACY])
    back = weights_from_scores(dev_scores(), ["bad", "good"], [ACCURACY])
    assert there.overall[TEXT][0].tolist() == back.overall[TEXT][0, ::-1].tolist()
    alone = weights_from_scores(dev_scores(), ["bad"], [ACCURACY])
    assert alone.overall[TEXT].tolist() == [[1.0]]


def test_what_is_missing_is_named_with_what_is_there() -> None:
    with pytest.raises(UsageError, match=r"no tags.accuracy.* of 'god'. They have: good, bad"):
        weights_from_scores(dev_scores(), ["god", "bad"], [ACCURACY])
    with pytest.raises(UsageError, match=r"have no deps.las. They have: tags.accuracy"):
        weights_from_scores(dev_scores(), ["good"], [make("deps.las")])
    for wrong in ({}, {"scores": [{"a": 1}]}, [], {"scores": 3}):
        with pytest.raises(UsageError, match="JSON of 'tertium score'"):
            weights_from_scores(wrong, ["good"], [ACCURACY])  # type: ignore[arg-type]


def test_a_metric_is_found_by_its_signature() -> None:
    data = score(GOLD, GOOD, metric="tags.accuracy", names=["good"]).to_dict()
    assert data["scores"][0]["metric"] == "tags.accuracy"
    weights = weights_from_scores(data, ["good"], [ACCURACY])
    assert weights.overall[TEXT].tolist() == [[1.0]]
    with pytest.raises(UsageError, match=r"have no tags\.accuracy"):
        weights_from_scores(data, ["good"], [make("tags.accuracy(column=xpos)")])


def test_a_system_without_a_score_weighs_nothing() -> None:
    data = dev_scores()
    entry = data["scores"][1]  # type: ignore[index]
    entry.update(value=None, parts={}, labels={})
    weights = weights_from_scores(data, ["good", "bad"], [ACCURACY])
    assert weights.overall[TEXT].tolist() == [[1.0, 0.0]]
    assert weights.labels[TEXT]["X"].tolist() == [[1.0, 0.0]]
    assert weights.notes == (
        f"bad has no {TEXT} in the scores for weights: its votes have no weight",
    )


def test_nobody_is_ever_right() -> None:
    never = Reliability(0.0)
    assert weights_of({"m": [[never, never]]}).overall["m"].tolist() == [[1.0, 1.0]]


def test_spans_weigh_by_precision_and_trees_by_the_score(samples: Path) -> None:
    f1 = make("spans.f1(column=tag)")
    gold = tagged([["B-X", "O", "B-X", "O"]])
    careful, bold = tagged([["B-X", "O", "O", "O"]]), tagged([["B-X", "B-X", "B-X", "B-X"]])
    data = score(gold, careful, bold, metric=f1, names=["a", "b"]).to_dict()
    found = weights_from_scores(data, ["a", "b"], [f1]).overall[repr(f1)][0]
    assert found == pytest.approx([1 / 0.75, 0.5 / 0.75])


def test_relations_have_weights_but_not_under_uas(shared: Path) -> None:
    folder = shared / "data" / "ewt-systems"
    names = ["spacy", "udpipe-swap"]
    metrics = [make("deps.uas"), make("deps.las")]
    data = score(
        folder / "gold-dev.conllu",
        *(folder / f"{name}-dev.conllu" for name in names),
        metric=metrics,
        names=names,
    ).to_dict()
    weights = weights_from_scores(data, names, metrics)
    assert not weights.labels["deps.uas"]
    assert weights.labels["deps.las"]["nsubj"].shape == (1, 2)
    las = [entry["value"] for entry in data["scores"] if entry["metric"] == "deps.las"]
    assert weights.overall["deps.las"][0] == pytest.approx(np.array(las) / np.mean(las))


# -- folds -----------------------------------------------------------------------------------------


def test_documents_go_to_the_smallest_fold_in_order() -> None:
    documents = [0, 0, 0, 1, 2, 2, 3]
    fold, notes = folds_of(np.array(documents), 2)
    assert fold.tolist() == [0, 0, 0, 1, 1, 1, 0]
    assert notes == []
    assert folds_of(np.array([7, 7, 3, 3]), 5)[0].tolist() == [0, 0, 1, 1]


def test_blocks_of_sentences_without_documents() -> None:
    fold, notes = folds_of(np.full(10, -1), 5)
    assert fold.tolist() == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
    assert notes == [
        "the gold standard does not have two documents: weights are cross-fitted over 5 blocks of "
        "sentences"
    ]
    assert folds_of(np.zeros(3, np.int64), 5)[0].tolist() == [0, 1, 2]


def test_what_cannot_be_divided() -> None:
    with pytest.raises(UsageError, match="one sentence"):
        folds_of(np.array([0]), 5)
    with pytest.raises(UsageError, match="at least 2"):
        folds_of(np.array([0, 1]), 1)


def counts(gold: Corpus, systems: list[Corpus]) -> dict[object, list[Stats]]:
    return {ACCURACY: [ACCURACY.measure(gold, s, align(gold, s)) for s in systems]}


def random_data(seed: int) -> tuple[Corpus, list[Corpus], np.ndarray]:
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 6, 24)

    def side() -> Corpus:
        return tagged([[str(t) for t in rng.choice(["A", "B", "C"], n)] for n in sizes])

    return side(), [side() for _ in range(3)], np.repeat(np.arange(8), 3)


@pytest.mark.parametrize("seed", range(5))
def test_gold_of_a_fold_does_not_touch_its_weights(seed: int) -> None:
    gold, systems, documents = random_data(seed)
    weights = cross_fitted(counts(gold, systems), documents, folds=4)  # type: ignore[arg-type]
    assert weights.fold_of_sentence is not None
    rng = np.random.default_rng(seed + 100)
    for fold in range(4):
        inside = np.flatnonzero(weights.fold_of_sentence[gold.sentence_of_token] == fold)
        labels = gold.layer("tag", Tags).labels
        codes = labels.codes.copy()
        codes[inside] = rng.permutation(codes[inside])
        other = Corpus(gold.offsets, gold.forms, {"tag": Tags(Labels(labels.names, codes))})
        assert not np.array_equal(codes, labels.codes)
        again = cross_fitted(counts(other, systems), documents, folds=4)  # type: ignore[arg-type]
        assert np.array_equal(again.overall[TEXT][fold], weights.overall[TEXT][fold])
        for label, values in weights.labels[TEXT].items():
            assert np.array_equal(again.labels[TEXT][label][fold], values[fold])
        rest = [f for f in range(4) if f != fold]
        assert not np.array_equal(again.overall[TEXT][rest], weights.overall[TEXT][rest])
        # So the vote on the fold cannot have changed either.
        tokens = [
            combine(systems, [ACCURACY], w).corpus.layer("tag", Tags).labels.to_list()
            for w in (weights, again)
        ]
        assert [tokens[0][t] for t in inside] == [tokens[1][t] for t in inside]


def test_weights_of_a_fold_are_those_of_the_other_folds() -> None:
    gold, systems, documents = random_data(3)
    weights = cross_fitted(counts(gold, systems), documents, folds=4)  # type: ignore[arg-type]
    assert weights.fold_of_sentence is not None
    others = np.flatnonzero(weights.fold_of_sentence != 2)
    data = score(
        gold.take(others),
        *(s.take(others) for s in systems),
        metric=ACCURACY,
        names=["a", "b", "c"],
    ).to_dict()
    direct = weights_from_scores(data, ["a", "b", "c"], [ACCURACY])
    assert weights.overall[TEXT][2] == pytest.approx(direct.overall[TEXT][0])
    for label in "ABC":
        assert weights.labels[TEXT][label][2] == pytest.approx(direct.labels[TEXT][label][0])


def test_a_system_without_the_layer_weighs_nothing() -> None:
    gold, systems, documents = random_data(0)
    stats = {ACCURACY: [*counts(gold, systems)[ACCURACY], None]}
    weights = cross_fitted(stats, documents)  # type: ignore[arg-type]
    assert (weights.overall[TEXT][:, 3] == 0).all()


def test_counts_must_be_of_these_units() -> None:
    gold, systems, documents = random_data(0)
    with pytest.raises(UsageError, match="counts of 24 sentences, not of 23"):
        cross_fitted(counts(gold, systems), documents[1:])  # type: ignore[arg-type]


def test_sentences_over_several_folds_have_equal_weights() -> None:
    words = [["a", "b"], ["c"], ["d"], ["e"]]
    gold = tagged([["X", "X"], ["X"], ["X"], ["X"]], words)
    base = tagged([["X"], ["X", "X"], ["X", "X"]], [["a"], ["b", "c"], ["d", "e"]])
    fold = np.array([0, 1, 2, 2], np.int32)
    found = folds_over(base, align(gold, base), fold)
    assert found.tolist() == [0, -1, 2]
    weights = cross_fitted(counts(gold, [base, base]), fold)  # type: ignore[arg-type]
    weights = replace(weights, fold_of_sentence=found)
    with pytest.raises(UsageError, match="weights are for 3 sentences, corpus has 4"):
        combine([gold], [ACCURACY], weights)


def test_taking_sentences() -> None:
    weights = Weights({TEXT: np.ones((2, 1))}, fold_of_sentence=np.array([0, 1, 0], np.int32))
    taken = weights.take(np.array([False, True, True])).fold_of_sentence
    assert taken is not None
    assert taken.tolist() == [1, 0]


@pytest.mark.parametrize(
    "wrong",
    [
        {"value": "x"},
        {"value": -3},
        {"value": float("inf")},
        {"value": float("nan")},
        {"parts": []},
        {"parts": {"precision": "x"}},
        {"system": ["good"]},
        {"metric": {}},
        {"labels": []},
        {"labels": {"N": []}},
        {"labels": {"N": {"precision": "x"}}},
        {"labels": {"N": {"precision": 0.5, "counts": {"system": []}}}},
    ],
)
def test_weights_from_what_score_never_writes(wrong: dict[str, object]) -> None:
    entry = {"system": "good", "metric": "tags.accuracy", "value": 0.5, "parts": {}}
    weights_from_scores({"scores": [entry]}, ["good"], [ACCURACY])
    with pytest.raises(UsageError, match="JSON of 'tertium score'"):
        weights_from_scores({"scores": [entry | wrong]}, ["good"], [ACCURACY])
