"""Which labels annotators give to the same items: agreement per label, confusion probabilities, and
comparisons of two such matrices (Plank, Hovy and Søgaard 2014, section 3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Any

import numpy as np

from tertium.exceptions import counted
from tertium.formats.confusions import Confusions
from tertium.results.blocks import Block, Column, Hinton, Matrix, Table, Text, table_of_records
from tertium.results.output import Rows
from tertium.results.scores import plain
from tertium.results.texts import number
from tertium.results.votes import Floats, Votes
from tertium.significance.correlation import correlate

MOST_LABELS = 1000  # of which there is a matrix
RANKED = ("spearman", "kendall")
LABELS = "count: how often an annotator gives the label, on average"
CONFUSIONS = "probability: that two annotators give these labels, as the mean of both orders"
COLUMNS = {
    **{name: Column("label") for name in ("label", "a")},
    "b": Column("confused with"),
    "count": Column("count", kind="count"),
    "f1": Column("F1", kind="percent"),
    "probability": Column("probability", kind="value"),
}
NEVER = "confusions are not drawn, because annotators never disagree"
DECIMAL = Column("count", kind="value", digits=2)
UNSHARED = "no item with two or more ratings has this label"


@dataclass(frozen=True, eq=False)
class LabelMatrix:
    """How often two labels meet on an item.

    Of two annotators, rows are labels of the first and columns those of the second. Of more, all
    ordered pairs of ratings count, weighted so that every item counts once. `items` have two
    ratings or more; `file` is that of a run which was read, `earlier` one to compare with.
    """

    labels: tuple[str, ...]
    counts: Floats
    items: int
    file: str = ""
    earlier: LabelMatrix | None = None

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
            square = ((square + square.T) / 2).round(9)  # shares of items add up to whole ones
        return cls(tuple(ratings.labels), square, int((ratings.size > 1).sum()))

    @classmethod
    def from_confusions(cls, known: Confusions) -> LabelMatrix:
        """From the JSON of `agree`; both directions are the same."""
        labels = sorted(known.totals)
        counts = [[known.times(a, b) / (1 + (a != b)) for b in labels] for a in labels]
        square = np.array(counts).reshape(len(labels), len(labels))
        return cls(tuple(labels), square, round(sum(known.totals.values()) / 2), known.path)

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
        same, given = np.diag(self.both).tolist(), self.both.sum(axis=1).tolist()
        return {
            label: {"f1": s / n, "count": n} if n else {"f1": None, "count": n, "reason": UNSHARED}
            for label, s, n in zip(self.labels, same, given, strict=True)
        }

    def pairs(self) -> Rows:
        """Two labels that were confused, how often, and the mean of the two joint probabilities;
        the most frequent first, then by label."""
        total, chance = self.counts + self.counts.T, self.probabilities(self.labels)
        rows = []
        for i, j in zip(*np.nonzero(np.triu(total, 1)), strict=True):
            a, b = sorted((self.labels[i], self.labels[j]))
            count, probability = float(total[i, j]), float(chance[i, j])
            rows.append({"a": a, "b": b, "count": count, "probability": probability})
        return sorted(rows, key=lambda row: (-row["count"], row["a"], row["b"]))

    def to_dict(self) -> dict[str, Any]:
        """The key `confusion` of the JSON output."""
        about = {"labels": [*self.labels], "items": self.items, "counts": self.counts.tolist()}
        return {**about, "pairs": self.pairs()}

    @property
    def rows(self) -> dict[str, Rows]:
        """Records of labels and of pairs of them, the most frequent first."""
        labels = [{"label": name, **each} for name, each in self.label_scores().items()]
        return {
            "labels": sorted(labels, key=lambda row: (-row["count"], row["label"])),
            "confusions": self.pairs(),
        }

    @property
    def tables(self) -> dict[str, Table]:
        """The same as tables, by what a row is."""
        found, notes = {}, (LABELS, CONFUSIONS)
        for keys, ((title, rows), note) in enumerate(zip(self.rows.items(), notes, strict=True), 1):
            is_whole = not any(row["count"] % 1 for row in rows)
            columns = COLUMNS if is_whole else {**COLUMNS, "count": DECIMAL}
            about: dict[str, Any] = {"columns": columns, "reasons": {"f1": UNSHARED}, "note": note}
            table = table_of_records(rows, title=title.title(), keys=keys, **about)
            found[title.removesuffix("s")] = table
        return found

    def figures(self, annotators: Sequence[str], *, heat_map: bool, hinton: bool) -> list[Block]:
        """Counts as a heat map, densest where most labels are confused, and probabilities without
        the diagonal as a Hinton diagram, on the scale of an earlier run if there is one. Labels
        that are never confused are left out."""
        runs = [self, *([self.earlier] if self.earlier else [])]
        every = [*dict.fromkeys(label for run in runs for label in run.labels)]
        chances = np.stack([run.probabilities(every) for run in runs])
        chances[:, np.eye(len(every), dtype=np.bool_)] = np.nan
        confused = np.nansum(chances, axis=(0, 1)) > 0
        if not confused.any():
            return [Text(NEVER)]
        chances = chances[:, confused][:, :, confused]
        labels, largest = tuple(compress(every, confused)), float(np.nanmax(chances))
        left = counted(int((~confused).sum()), "label")
        hidden = "" if confused.all() else f"never confused and not shown: {left}"
        found: list[Block] = []
        if heat_map:
            two = annotators if len(annotators) == 2 else ("one annotator", "the other annotator")
            at = [self.labels.index(label) for label in labels if label in self.labels]
            counts, shown = self.counts[np.ix_(at, at)], tuple(self.labels[n] for n in at)
            most = float(counts[~np.eye(len(at), dtype=np.bool_)].max(initial=0))
            about: dict[str, Any] = {"note": hidden, "largest": most, "name": "confusion"}
            drawn = Matrix(shown, shown, _rows(counts), "Confusion matrix", two[0], two[1], **about)
            found.append(drawn if most else Text(NEVER))
        if hinton:
            told = (f"a full square is a probability of {number(largest, 'value')}", hidden)
            about = {"kind": "value", "note": "; ".join(filter(None, told)), "largest": largest}
            names = ("hinton", "hinton-earlier")
            titles = ("Disagreement" + f" in {run.file}" * bool(run.file) for run in runs)
            for name, title, table in zip(names, titles, chances, strict=False):
                found.append(Hinton(labels, labels, _rows(table), title, name=name, **about))
        return found

    def compare(self, other: LabelMatrix) -> dict[str, Any]:
        """Rank correlations with the matrix of an earlier run, over all unordered pairs of
        different labels that either has; a pair that one of them lacks is 0 there."""
        names = [*dict.fromkeys((*self.labels, *other.labels))]
        upper = np.triu_indices(len(names), 1)
        x, y = (each.probabilities(names)[upper] for each in (self, other))
        ours, theirs = "frequency in this run", "frequency in the earlier run"
        found = correlate(ours, theirs, "label pair", x, y, p_values=True)
        return {
            "file": other.file,
            "labels": len(names),
            "pairs": found["n"],
            **{name: {"value": found[name], "p": found["p"][name]} for name in RANKED},
            **({"reason": found["reason"]} if "reason" in found else {}),
        }

    def lost_by(self, coarse: Mapping[str, str]) -> dict[str, Any]:
        """What a mapping to coarser labels hides: pairs of confused labels that become one label,
        and the share of disagreement in them. Labels without an entry stay."""
        pairs = self.pairs()
        lost = [r for r in pairs if coarse.get(r["a"], r["a"]) == coarse.get(r["b"], r["b"])]
        total, hidden = (sum(row["count"] for row in rows) for rows in (pairs, lost))
        found = {
            "types": len(pairs),
            "lost": len(lost),
            "share": len(lost) / len(pairs) if pairs else None,
            "disagreements": total,
            "lost_disagreements": hidden,
            "share_of_disagreements": hidden / total if total else None,
        }
        return found if pairs else {**found, "reason": "annotators never disagree"}


def _rows(table: Floats) -> tuple[tuple[float | None, ...], ...]:
    return tuple(tuple(map(plain, row)) for row in table.tolist())
