"""What a vote is worth.

A vote for a label is worth the system's precision on that label, as the tag precision of van
Halteren, Daelemans and Zavrel (2001, section 3.1), but over the mean precision of all systems on
it: how much more than the others a system is to be trusted there. Without the mean, labels that are
easy for everybody win over hard ones whoever votes. In dependencies an arc is worth the attachment
score in the same way, and the vote on its relation the precision on that relation.

What was seen, with ties going to the best system (five taggers and three parsers of UD English EWT,
weights from dev for test and from test for dev; seven systems of WNUT-17, cross-fitted over five
blocks of sentences):

| | UPOS test, dev | LAS test, dev | WNUT tags | WNUT F1 |
|---|---|---|---|---|
| equal weights | 95.47, 95.11 | 82.51, 82.13 | 94.56 | 43.48 |
| precision, whatever the label | 95.42, 95.07 | 82.51, 82.15 | 94.54 | 43.48 |
| precision of the label | 95.38, 95.03 | 82.37, 82.05 | 94.31 | 43.60 |
| log-odds of the precision of the label | 95.27, 94.97 | 82.15, 81.92 | 93.77 | 38.87 |
| precision of the label over the mean | 95.41, 95.08 | 82.49, 82.16 | 94.54 | 43.60 |

Log-odds would be right for independent systems that choose between two answers; real ones err
together, and precisions below a half, as on new entities, weigh nothing. Log-odds for as many
answers as there are labels do as well as the last row. Some thirty variants were looked at on these
same data, with smoothing of 1, 5 and 20 (which alone moved the last F1 between 42.99 and 43.60), so
that differences of a few tenths mean nothing: what is told here is that log-odds and precisions of
labels by themselves are worse, and that no weights are clearly better than equal ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeGuard

import numpy as np
import numpy.typing as npt

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int32
from tertium.exceptions import UsageError, suggestion
from tertium.families.ballots import Worth
from tertium.families.base import Metric
from tertium.families.family import family_of
from tertium.families.sets import plain
from tertium.signature import Signature, show

Floats = npt.NDArray[np.float64]
NO_FOLD = -1
SMOOTHING = 1.0
SETTLED = ("scheme", "expected", "lexicon")


@dataclass(frozen=True, eq=False)
class Weights:
    """The weight of every system, for each metric by which layers are voted on.

    - `overall`: by the metric's text, folds x systems; one fold where nothing is cross-fitted
    - `labels`: by the metric's text and label, the same for votes on that label; nan for what is
      not known, for which `overall` stands in
    - `fold_of_sentence`: whose weights hold for each sentence of the base; `NO_FOLD` means equal
      weights. None where there is one fold.
    """

    overall: Mapping[str, Floats]
    labels: Mapping[str, Mapping[str, Floats]] = field(default_factory=dict)
    fold_of_sentence: Int32 | None = None
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name, values in self.overall.items():
            if not np.isfinite(values).all() or (values < 0).any():
                raise UsageError(f"weights of {name} must be numbers of at least 0")

    def take(self, sentences: npt.NDArray[np.bool_]) -> Weights:
        """The weights where only some sentences of the base are left."""
        if self.fold_of_sentence is None:
            return self
        return replace(self, fold_of_sentence=self.fold_of_sentence[sentences])

    def of_systems(self, order: Sequence[int]) -> Weights:
        """The weights of the systems in another order."""
        overall = {metric: each[:, [*order]] for metric, each in self.overall.items()}
        labels = {
            metric: {label: each[:, [*order]] for label, each in known.items()}
            for metric, known in self.labels.items()
        }
        return replace(self, overall=overall, labels=labels)

    def folds(self, base: Corpus) -> Int32:
        """The fold of every sentence, as a row of `Worth.values`."""
        folds = max((len(values) for values in self.overall.values()), default=1)
        if self.fold_of_sentence is None:
            return np.zeros(base.sentence_count, np.int32)
        if len(self.fold_of_sentence) != base.sentence_count:
            raise UsageError(
                f"weights are for {len(self.fold_of_sentence):,} sentences, "
                f"{base.origin} has {base.sentence_count:,}"
            )
        found = self.fold_of_sentence
        return np.where(found == NO_FOLD, folds, found).astype(np.int32)

    def worth(self, metric: str, voters: Sequence[int], names: Sequence[str]) -> Worth:
        """What these systems' votes on a metric's layer are worth; `names` are the labels' names as
        the metric compares them, by code."""
        if metric not in self.overall:
            there = ", ".join(self.overall) or "none"
            raise UsageError(f"there are no weights for {metric}; there are weights for: {there}")
        overall = self.overall[metric]
        if max(voters) >= overall.shape[1]:
            raise UsageError(f"there are weights for {overall.shape[1]} systems only")
        known = self.labels.get(metric, {})
        used = [label for label in dict.fromkeys(names) if label in known]
        place = {label: n for n, label in enumerate(used, 1)}
        values = np.ones((len(overall) + 1, len(voters), 1 + len(used)))
        values[:-1, :, 0] = overall[:, voters]
        for label, n in place.items():
            own = known[label][:, voters]
            values[:-1, :, n] = np.where(np.isnan(own), values[:-1, :, 0], own)
        return Worth(values, np.array([*(place.get(name, 0) for name in names), 0], np.int64))


def text_of(metric: Metric) -> str:
    """The name under which a metric's weights stand: as in JSON, of a member of a set its id."""
    return metric.id if metric.member else repr(metric)


def equal_worth(voters: int, labels: int) -> Worth:
    """Every vote is worth the same."""
    return Worth(np.ones((1, voters, 1)), np.zeros(labels + 1, np.int64))


@dataclass(frozen=True)
class Reliability:
    """How often a system is right, as a share of what it says, and for each label the same and how
    often it says it. The share is None where it says nothing."""

    overall: float | None
    labels: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    def share(self, label: str | None = None) -> float:
        """The share, on the whole or for a label; nan if there is none.

        For a label it is as if the system had said it `SMOOTHING` times more and been right as
        often as on the whole.
        """
        if self.overall is None:
            return float("nan")
        share, said = self.labels.get(label, (0.0, 0.0)) if label is not None else (0.0, 0.0)
        return (share * said + SMOOTHING * self.overall) / (said + SMOOTHING)


def weights_of(reliabilities: Mapping[str, Sequence[Sequence[Reliability]]]) -> Weights:
    """Weights from how often systems are right: by metric, for each fold, of every system."""
    overall, labels = {}, {}
    for metric, folds in reliabilities.items():
        known = dict.fromkeys(label for fold in folds for r in fold for label in r.labels)
        overall[metric] = _relative([[r.share() for r in fold] for fold in folds])
        labels[metric] = {
            label: _relative([[r.share(label) for r in fold] for fold in folds]) for label in known
        }
    return Weights(overall, labels)


def _relative(shares: Sequence[Sequence[float]]) -> Floats:
    """Shares over their mean; all equal where nobody is ever right, 0 where there is no share."""
    found = np.array(shares, np.float64)
    there = ~np.isnan(found)
    # Sorted, since a sum must not depend on the order of systems, not even in its last digit.
    sums = np.sort(np.where(there, found, 0), axis=1).sum(axis=1, keepdims=True)
    count = there.sum(axis=1, keepdims=True)
    relative = np.where(sums > 0, found * count / np.where(sums > 0, sums, 1), 1.0)
    return np.where(there, relative, 0.0)


def weights_from_scores(
    data: Mapping[str, Any], systems: Sequence[str], metrics: Sequence[Metric]
) -> Weights:
    """Weights from the JSON of `tertium score` on other data than that to be voted on.

    Systems are found by name, metrics by their text or, if that differs, by what the signature
    says. Labels have weights of their own where the JSON has figures per label.
    """
    entries = data.get("scores") if isinstance(data, Mapping) else None
    if not isinstance(entries, Sequence) or not all(_is_entry(e) for e in entries):
        raise _unlike_scores()
    found: dict[str, list[list[Reliability]]] = {}
    notes = []
    for metric in metrics:
        text = text_of(metric)
        own = [e for e in entries if e["metric"] == text] or [
            e for e in entries if _is_of(e, plain(metric))
        ]
        if not own:
            there = ", ".join(dict.fromkeys(e["metric"] for e in entries)) or "none"
            raise UsageError(f"the scores for weights have no {text}. They have: {there}.")
        by_name = {e["system"]: e for e in reversed(own)}
        missing = next((name for name in systems if name not in by_name), None)
        if missing is not None:
            there = ", ".join(dict.fromkeys(str(e["system"]) for e in own))
            raise UsageError(
                f"the scores for weights have no {text} of '{missing}'. "
                f"They have: {there}.{suggestion(missing, list(by_name))}",
                help="use the same system names for both data sets: A=path B=path",
            )
        row = [_reliability(by_name[name], metric) for name in systems]
        notes += [
            f"{name} has no {text} in the scores for weights: its votes have no weight"
            for name, reliability in zip(systems, row, strict=True)
            if reliability.overall is None
        ]
        found[text] = [row]
    return replace(weights_of(found), notes=tuple(notes))


def _unlike_scores() -> UsageError:
    return UsageError(
        "weights must come from the JSON of 'tertium score'",
        help="tertium score dev.conllu A=a.conllu B=b.conllu --format json",
    )


def label_share(metric: Metric) -> tuple[str, str] | None:
    """The part that says how often a system is right where it gives a label, and the count that
    says how often it gives it; None for a metric that has no such figures per label."""
    part = next((p.name for p in metric.parts if p.over == "system"), None)
    count = next((c.name for c in metric.counts if c.side == "system" and c.is_total), None)
    if metric.label_rows == "gold" or part is None or count is None:
        return None
    return part, count


def _is_entry(entry: object) -> bool:
    """Has it the form of a score as `tertium score` writes it?"""
    return (
        isinstance(entry, Mapping)
        and {"value", "parts"} <= entry.keys()
        and all(isinstance(entry.get(name), str) for name in ("system", "metric"))
        and isinstance(entry["parts"], Mapping)
        and isinstance(entry.get("labels", {}), Mapping)
    )


def _is_share(value: object) -> bool:
    return value is None or (_is_number(value) and float(value) <= 1)


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and 0 <= value < float("inf")


def _is_of(entry: Mapping[str, Any], metric: Metric) -> bool:
    """Was a score computed by this metric, with the same parameters as far as the signature shows
    them? What is settled on the data may differ from data to data."""
    signature = Signature.parse(str(entry.get("signature", entry["metric"])))
    if signature.metric != metric.id:
        return False
    shown = dict(signature.entries)
    asked = {k: v for k, v in metric.parameters().items() if k not in SETTLED}
    return all(shown.get(name, show(value)) == show(value) for name, value in asked.items())


def _reliability(entry: Mapping[str, Any], metric: Metric) -> Reliability:
    share = entry["parts"].get(family_of(metric).weight, entry["value"])
    (part, count), labels = label_share(metric) or ("", ""), {}
    if not _is_share(entry["value"]) or not _is_share(share):
        raise _unlike_scores()
    if entry["value"] is None and share is None:
        return Reliability(None)
    for label, row in entry.get("labels", {}).items() if part else ():
        counts = row.get("counts", {}) if isinstance(row, Mapping) else None
        if not isinstance(counts, Mapping):
            raise _unlike_scores()
        right, said = row.get(part), counts.get(count, 0)
        if not _is_share(right) or not _is_number(said):
            raise _unlike_scores()
        if right is not None:
            labels[label] = (float(right), float(said))
    return Reliability(None if share is None else float(share), labels)
