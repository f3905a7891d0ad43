"""Which labels annotators give to the same items: agreement per label, confusion probabilities, and
comparisons of two such matrices (Plank, Hovy and Søgaard 2014, section 3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tertium.formats.confusions import Confusions
from tertium.results.scores import plain
from tertium.results.votes import Floats, Votes

MOST_LABELS = 1000  # of which there is a matrix
LEAST = 3  # pairs of labels that a correlation needs
SAME = 1e-12


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
            x, y = ratings.label[a], ratings.label[b]
            if len(ratings.sides) == 2:
                counts += np.bincount(x * size + y, minlength=size * size)
                continue
            several = ratings.size[ratings.item[a]]
            weight = 1 / (several * (several - 1))
            for key in (x * size + y, y * size + x):
                counts += np.bincount(key, weight, minlength=size * size)
        return cls(tuple(ratings.labels), counts.reshape(size, size), int((ratings.size > 1).sum()))

    @property
    def both(self) -> Floats:
        """The mean of both directions: symmetric, and one per item in sum."""
        return (self.counts + self.counts.T) / 2

    @property
    def probabilities(self) -> Floats:
        """P({A1, A2} = {t1, t2}): the mean of the two joint probabilities; nan without items."""
        return self.both / self.items if self.items else np.full(self.counts.shape, np.nan)

    def label_scores(self) -> dict[str, dict[str, float | None]]:
        """By label: F1 of one annotator against another, and how often each of two has it, on
        average. F1 is the same in both directions."""
        both = self.both
        given = both.sum(axis=1)
        share = np.divide(np.diag(both), given, out=np.full(len(given), np.nan), where=given > 0)
        rows = zip(self.labels, share.tolist(), given.tolist(), strict=True)
        return {label: {"f1": plain(f1), "count": count} for label, f1, count in rows}

    def pairs(self) -> list[tuple[str, str, float, float]]:
        """Two labels that were confused, how often, and how probable that is on an item; the most
        frequent first, then by label."""
        total, chance = self.counts + self.counts.T, self.probabilities
        rows = []
        for i, j in zip(*np.nonzero(np.triu(total, 1)), strict=True):
            a, b = sorted((self.labels[i], self.labels[j]))
            rows.append((a, b, float(total[i, j]), float(chance[i, j])))
        return sorted(rows, key=lambda row: (-row[2], row[0], row[1]))

    def to_dict(self) -> dict[str, Any]:
        """The key `confusion` of the JSON output."""
        return {
            "labels": list(self.labels),
            "items": self.items,
            "counts": self.counts.tolist(),
            "pairs": [
                {"a": a, "b": b, "count": count, "probability": chance}
                for a, b, count, chance in self.pairs()
            ],
        }

    @classmethod
    def from_confusions(cls, known: Confusions) -> LabelMatrix:
        """From the JSON of `agree`; both directions are the same."""
        labels = sorted(known.totals)
        counts = [[known.times(a, b) / (1 + (a != b)) for b in labels] for a in labels]
        size = len(labels)
        square = np.array(counts).reshape(size, size)
        return cls(tuple(labels), square, round(sum(known.totals.values()) / 2))

    def compare(self, other: LabelMatrix) -> dict[str, Any]:
        """Rank correlations with another matrix, over all unordered pairs of different labels that
        either has; a pair that one of them lacks is 0 there."""
        from scipy import stats

        names = sorted({*self.labels, *other.labels})
        x, y = (each._chances(names) for each in (self, other))
        found: dict[str, Any] = {"labels": len(names), "pairs": len(x)}
        reason = ""
        if not self.items or not other.items:
            reason = "one of the two has no items with two ratings"
        elif len(x) < LEAST:
            reason = "there are fewer than three pairs of labels"
        elif np.ptp(x) <= SAME or np.ptp(y) <= SAME:
            reason = "in one of the two all pairs of labels are equally frequent"
        for name, test in (("spearman", stats.spearmanr), ("kendall", stats.kendalltau)):
            tested = None if reason else test(x, y)
            found[name] = {
                "value": None if tested is None else float(tested.statistic),
                "p": None if tested is None else float(tested.pvalue),
            }
        return {**found, **({"reason": reason} if reason else {})}

    def _chances(self, names: Sequence[str]) -> Floats:
        """Probabilities of unordered pairs of different labels, over more labels than its own."""
        place = {name: number for number, name in enumerate(names)}
        wide = np.zeros((len(names), len(names)))
        at = [place[label] for label in self.labels]
        wide[np.ix_(at, at)] = self.both / max(self.items, 1)
        return wide[np.triu_indices(len(names), 1)]

    def lost_by(self, coarse: Mapping[str, str]) -> dict[str, Any]:
        """What a mapping to coarser labels hides: pairs of confused labels that become one label,
        and the share of disagreement in them. Labels without an entry stay."""
        pairs = self.pairs()
        lost = [row for row in pairs if coarse.get(row[0], row[0]) == coarse.get(row[1], row[1])]
        total, hidden = (sum(row[2] for row in rows) for rows in (pairs, lost))
        found: dict[str, Any] = {
            "types": len(pairs),
            "lost": len(lost),
            "share": len(lost) / len(pairs) if pairs else None,
            "disagreements": total,
            "lost_disagreements": hidden,
            "share_of_disagreements": hidden / total if total else None,
        }
        return {**found, **({} if pairs else {"reason": "annotators never disagree"})}
