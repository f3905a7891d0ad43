"""`tertium.compute_metrics`: scores while a model is trained."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from tertium.exceptions import UsageError
from tertium.families.base import Metric
from tertium.families.family import trainer_metrics
from tertium.formats.label_ids import names_of, tags_of_ids
from tertium.formats.objects import from_python
from tertium.results.scores import Result, flatten
from tertium.significance.score.verb import score


def compute_metrics(
    id2label: Any,
    *,
    metric: str | Metric | Sequence[str | Metric] | None = None,
    ignore: int | None = -100,
    labels: bool = False,
    **options: Any,
) -> Callable[[Any], dict[str, float]]:
    """A function for `Trainer(compute_metrics=...)` that scores predicted label ids or logits.

    It takes an object with `predictions` and `label_ids`, or a pair of them, and returns a flat
    dictionary of numbers: by default precision, recall and F1 of entities and the accuracy of
    tokens where labels are such as `B-PER`, else the accuracy. Positions with the label id `ignore`
    do not count. A number is `nan` where it is undefined.

    - `id2label`: the names of the labels, a dictionary or a list
    - `metric`: one or more metrics instead
    - `labels`: add the numbers of every label, such as `PER_f1`
    - further options are those of `tertium.score`

    >>> compute = compute_metrics(["O", "B-PER", "I-PER"])
    >>> compute(([[1, 2, 0, 0]], [[1, 2, -100, 1]]))
    {'precision': 1.0, 'recall': 0.5, 'f1': 0.6666666666666666, 'accuracy': 0.6666666666666666}
    """
    names_of(id2label)  # refused before training, not after the first epoch

    def compute(prediction: Any) -> dict[str, float]:
        predictions, label_ids = _pair(prediction)
        sides = [("label_ids", label_ids), ("predictions", predictions)]
        gold, system = tags_of_ids(sides, id2label, ignore)
        corpus = from_python(gold, name="label_ids")
        chosen = trainer_metrics(corpus) if metric is None else metric
        scores = score(corpus, system, metric=chosen, labels=labels, **options)
        return _flat(scores.results, labels)

    return compute


def _pair(prediction: Any) -> tuple[Any, Any]:
    """Predictions and gold labels. A model that returns more than logits has them first."""
    if hasattr(prediction, "predictions") and hasattr(prediction, "label_ids"):
        predictions, label_ids = prediction.predictions, prediction.label_ids
    elif isinstance(prediction, tuple | list) and len(prediction) >= 2:
        predictions, label_ids = prediction[:2]
    else:
        raise UsageError(
            "compute_metrics needs predictions and label ids. Got "
            f"{type(prediction).__name__} instead.",
            help="it takes an EvalPrediction of transformers or a pair (predictions, label_ids)",
        )
    return predictions[0] if isinstance(predictions, tuple) else predictions, label_ids


def _flat(results: Sequence[Result], labels: bool) -> dict[str, float]:
    """Numbers by name; a name that two metrics have is preceded by the metric."""
    found: list[tuple[str, str, float | None]] = []
    for result in results:
        parts = flatten(result.parts)
        shown = [n for n in result.shown or (result.headline,) if result.part(n).over != "units"]
        shown = [name for name in shown if name in parts or not parts]  # without counts
        found += [(result.metric, name, parts.get(name)) for name in shown]
        if labels:
            for label, row in result.labels.items():
                found += [(result.metric, f"{label}_{n}", row[n]) for n in shown if n in row]
    twice = Counter(name for _, name, _ in found)
    return {
        name if twice[name] == 1 else f"{metric}.{name}": float("nan") if value is None else value
        for metric, name, value in found
    }
