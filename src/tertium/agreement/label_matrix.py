"""Which labels annotators give to the same items: agreement per label, confusion probabilities, and
comparisons of two such matrices (Plank, Hovy and Søgaard 2014, section 3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tertium.formats.confusions import Confusions
from tertium.results.votes import Floats, Votes
from tertium.significance.correlation import correlate

MOST_LABELS = 1000  # of which there is a matrix
RANKED = ("spearman", "kendall")
UNSHARED = "no item with two or more ratings has this label"


@dataclass(frozen=True, eq=False)
class LabelMatrix:
    """How often two labels meet on an item.

    Of two annotators, rows are labels of the first and columns those of the second. Of more, all
    ordered pairs of ratings count, weighted so that every item counts once. `items` have two
    ratings or more.
    """

    labels: tuple[str, ...]
    counts: Floats
    items: int

    @classmethod
    def of(cls, ratings: Votes) -> LabelMatrix:
        """From ratings."""
        size = len(ratings.labels)
        counts = np.zeros(size * size)
        for a, b in ratings.pairs():
            several = ratings.size[ratings.item[a]]
            key = ratings.label[a] * size + ratings.label[b]
            counts += np.bincount(key, 2 / (several * (several - 1)), minlength=size * size)
        square = counts.reshape(size, size)
        if len(ratings.sides) > 2:
            square = (square + square.T) / 2
        return cls(tuple(ratings.labels), square, int((ratings.size > 1).sum()))

    @classmethod
    def from_confusions(cls, known: Confusions) -> LabelMatrix:
        """From the JSON of `agree`; both directions are the same."""
        labels = sorted(known.totals)
        counts = [[known.times(a, b) / (1 + (a != b)) for b in labels] for a in labels]
        square = np.array(counts).reshape(len(labels), len(labels))
        return cls(tuple(labels), square, round(sum(known.totals.values()) / 2))

    @property
    def both(self) -> Floats:
        """The mean of both directions: symmetric, and one per item in sum."""
        return (self.counts + self.counts.T) / 2

    def probabilities(self, labels: Sequence[str]) -> Floats:
        """P({A1, A2} = {t1, t2}) of any labels: the mean of the two joint probabilities, 0 where it
        has no such label or no items."""
        place = {label: number for number, label in enumerate(self.labels)}
        at = [place.get(label, -1) for label in labels]  # of an unknown one the zeros at the end
        return np.pad(self.both / max(self.items, 1), (0, 1))[np.ix_(at, at)]

    def label_scores(self) -> dict[str, dict[str, Any]]:
        """By label: F1 of one annotator against another, and how often each of two has it, on
        average. F1 is the same in both directions."""
        found: dict[str, dict[str, Any]] = {}
        both = self.both
        rows = zip(self.labels, np.diag(both).tolist(), both.sum(axis=1).tolist(), strict=True)
        for label, same, given in rows:
            found[label] = {"f1": same / given if given else None, "count": given}
            found[label] |= {} if given else {"reason": UNSHARED}
        return found

    def pairs(self) -> list[tuple[str, str, float, float]]:
        """Two labels that were confused, how often, and how probable that is on an item; the most
        frequent first, then by label."""
        total, chance = self.counts + self.counts.T, self.probabilities(self.labels)
        rows = []
        for i, j in zip(*np.nonzero(np.triu(total, 1)), strict=True):
            a, b = sorted((self.labels[i], self.labels[j]))
            rows.append((a, b, float(total[i, j]), float(chance[i, j])))
        return sorted(rows, key=lambda row: (-row[2], row[0], row[1]))

    def to_dict(self) -> dict[str, Any]:
        """The key `confusion` of the JSON output."""
        names = ("a", "b", "count", "probability")
        return {
            "labels": list(self.labels),
            "items": self.items,
            "counts": self.counts.tolist(),
            "pairs": [dict(zip(names, row, strict=True)) for row in self.pairs()],
        }

    def compare(self, other: LabelMatrix) -> dict[str, Any]:
        """Rank correlations with the matrix of an earlier run, over all unordered pairs of
        different labels that either has; a pair that one of them lacks is 0 there."""
        names = [*dict.fromkeys((*self.labels, *other.labels))]
        upper = np.triu_indices(len(names), 1)
        x, y = (each.probabilities(names)[upper] for each in (self, other))
        ours, theirs = "frequency in this run", "frequency in the earlier run"
        found = correlate(ours, theirs, "label pair", x, y, p_values=True)
        return {
            "labels": len(names),
            "pairs": found["n"],
            **{name: {"value": found[name], "p": found["p"][name]} for name in RANKED},
            **({"reason": found["reason"]} if "reason" in found else {}),
        }

    def lost_by(self, coarse: Mapping[str, str]) -> dict[str, Any]:
        """What a mapping to coarser labels hides: pairs of confused labels that become one label,
        and the share of disagreement in them. Labels without an entry stay."""
        pairs = self.pairs()
        lost = [row for row in pairs if coarse.get(row[0], row[0]) == coarse.get(row[1], row[1])]
        total, hidden = (sum(row[2] for row in rows) for rows in (pairs, lost))
        found = {
            "types": len(pairs),
            "lost": len(lost),
            "share": len(lost) / len(pairs) if pairs else None,
            "disagreements": total,
            "lost_disagreements": hidden,
            "share_of_disagreements": hidden / total if total else None,
        }
        return found if pairs else {**found, "reason": "annotators never disagree"}
