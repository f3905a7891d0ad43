"""Scores while a model is trained."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
from seqeval import metrics as seqeval

import tertium

NAMES = ["O", "B-PER", "I-PER", "B-LOC", "I-LOC"]


def drawn(seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Logits and label ids with positions that do not count."""
    random = np.random.default_rng(seed)
    gold = random.integers(0, len(NAMES), (40, 12))
    gold[:, [0, 11]] = -100
    logits = random.normal(size=(40, 12, len(NAMES)))
    right = random.random((40, 12)) < 0.7
    logits[right, np.maximum(gold, 0)[right]] += 10
    return logits, gold


def test_numbers_are_those_of_seqeval() -> None:
    logits, gold = drawn()
    found = tertium.compute_metrics(dict(enumerate(NAMES)))((logits, gold))
    truth = [[NAMES[i] for i in row if i >= 0] for row in gold]
    said = [[NAMES[i] for i in row[1:-1]] for row in logits.argmax(-1)]
    assert found == {
        "precision": pytest.approx(seqeval.precision_score(truth, said)),
        "recall": pytest.approx(seqeval.recall_score(truth, said)),
        "f1": pytest.approx(seqeval.f1_score(truth, said)),
        "accuracy": pytest.approx(seqeval.accuracy_score(truth, said)),
    }
    assert all(type(value) is float for value in found.values())


def test_what_trainers_hand_over() -> None:
    logits, gold = drawn()
    compute = tertium.compute_metrics(NAMES)
    expected = compute((logits, gold))
    ids = logits.argmax(-1)
    assert compute(SimpleNamespace(predictions=logits, label_ids=gold)) == expected
    assert compute(SimpleNamespace(predictions=(logits, "hidden"), label_ids=gold)) == expected
    assert compute((ids, gold)) == expected
    assert compute([ids.tolist(), gold.tolist()]) == expected
    with pytest.raises(tertium.UsageError, match="Got dict instead"):
        compute({})


def test_other_metrics_and_labels() -> None:
    ids, gold = [[1, 2, 0, 0]], [[1, 2, -100, 3]]
    found = tertium.compute_metrics(NAMES, metric="spans.f1", labels=True)((ids, gold))
    assert found["PER_f1"] == 1.0
    assert found["LOC_recall"] == 0.0
    two = tertium.compute_metrics(NAMES, metric=["spans.f1", "spans.fair"])((ids, gold))
    assert {"spans.f1.f1", "spans.fair.f1"} <= two.keys()
    plain = tertium.compute_metrics(["N", "V"])(([[0, 1]], [[0, 0]]))
    assert plain == {"accuracy": 0.5}


def test_undefined_is_not_a_number() -> None:
    found = tertium.compute_metrics(NAMES)(([[0, 0]], [[0, 0]]))
    assert math.isnan(found["f1"])
    assert found["accuracy"] == 1.0


def test_wrong_names_are_refused_before_training() -> None:
    with pytest.raises(tertium.UsageError, match="id2label"):
        tertium.compute_metrics({"O": 0})
