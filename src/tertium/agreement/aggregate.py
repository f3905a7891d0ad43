"""An aggregated annotation: labels of items, and what they and the annotators are worth."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, cast

import numpy as np

from tertium.agreement.crowd_data import CrowdData
from tertium.agreement.crowd_labels import Estimate
from tertium.agreement.majority import expected_accuracy, random_accuracy
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int64, Labels, Names
from tertium.display import frame_of
from tertium.exceptions import UsageError, counted
from tertium.families.token_labels import NO_LABEL, as_spans, corpus_of, regular, with_labels
from tertium.formats.convert import by_suffix
from tertium.formats.files import make, write_file
from tertium.formats.sources import strip_compression
from tertium.formats.targets import open_output
from tertium.results.votes import Bools, Floats, Votes
from tertium.significance.correlation import correlate

NO_GOLD = "no gold labels were given"
NOT_JUDGED = "no item has both a gold label and an aggregated one"
TABLES = (".csv", ".tsv", ".jsonl", ".parquet")
Rows = list[dict[str, Any]]


@dataclass(frozen=True, eq=False)
class CrowdRun:
    """One method on the votes, all of them or those that the dictionary allows.

    `accuracy` and `coverage` are over items with a gold label; without gold, coverage is over items
    with a vote. `output_accuracy` is that of the labels themselves, where ties make it differ.
    """

    method: str
    filtered: bool
    votes: Votes
    estimate: Estimate
    accuracy: float | None = None
    output_accuracy: float | None = None
    coverage: float | None = None
    reason: str = NO_GOLD

    def to_dict(self) -> dict[str, Any]:
        """The entry in `methods` of the JSON output."""
        return {
            "method": self.method,
            "dictionary": self.filtered,
            "accuracy": self.accuracy,
            **({} if self.accuracy is not None else {"reason": self.reason}),
            "coverage": self.coverage,
            "log_likelihood": self.estimate.log_likelihood,
            "ties": int(self.estimate.tied.sum()),
        }


def scored(run: CrowdRun, data: CrowdData, seed: int | None = None) -> CrowdRun:
    """The run with its accuracy and coverage. That of a majority vote is as expected over ties or,
    given a seed, the mean of runs that break them at random."""
    label, votes = run.estimate.label, run.votes
    given = label >= 0
    if data.gold is None:
        return replace(run, coverage=float(given[votes.size > 0].mean()))
    gold = data.gold_codes
    judged = (gold != -1) & given
    if not judged.any():
        return replace(run, coverage=0.0, reason=NOT_JUDGED)
    accuracy = output = float((label == gold)[judged].mean())
    if run.method == "majority":
        accuracy = (
            expected_accuracy(votes, gold, judged)
            if seed is None
            else random_accuracy(votes, gold, judged, seed)
        )
    coverage = float(given[gold != -1].mean())
    return replace(run, accuracy=accuracy, output_accuracy=output, coverage=coverage)


@dataclass(frozen=True, eq=False)
class Aggregate:
    """Votes, and what methods made of them. The labels are those of the last run.

    - `names`: of annotators, or their pseudonyms
    """

    data: CrowdData
    runs: tuple[CrowdRun, ...]
    names: Sequence[str]

    @property
    def run(self) -> CrowdRun:
        """The one whose labels are given."""
        return self.runs[-1]

    @cached_property
    def labels(self) -> Labels:
        """The label of every item, `_` for none; tags of spans are legal."""
        names = Names.of([*self.data.votes.labels, *self._more_names])
        none = np.int32(names.find(NO_LABEL))
        codes = self.run.estimate.label
        found = Labels(names, np.where(codes < 0, none, codes).astype(np.int32))
        if (known := self.data.known) is not None and self.run.method != "majority":
            given = zip(known.to_list(), found.to_list(), strict=True)
            found = Labels.of(label or other for label, other in given)
        if self.data.joins and self.data.offsets is not None:
            return as_spans(found, self.data.offsets)
        offsets = self.data.offsets
        ends = np.array([0, len(found)]) if offsets is None else offsets
        made, self.__dict__["repaired"] = regular(found, ends)
        return made

    @property
    def _more_names(self) -> list[str]:
        return [] if self.data.votes.labels.find(NO_LABEL) >= 0 else [NO_LABEL]

    @property
    def competence(self) -> dict[str, float | None]:
        """By annotator; None by majority for one without votes."""
        values = self.run.estimate.competence.tolist()
        return {n: None if v != v else v for n, v in zip(self.names, values, strict=True)}

    @cached_property
    def true_accuracy(self) -> Floats | None:
        """Of every annotator against gold, nan for one without such votes; None without gold."""
        if self.data.gold is None:
            return None
        votes, gold = self.data.votes, self.data.gold_codes
        judged = gold[votes.item] != -1
        sides = len(self.names)
        total = np.bincount(votes.side[judged], minlength=sides)
        right = (votes.label == gold[votes.item])[judged]
        with np.errstate(invalid="ignore"):
            found: Floats = np.bincount(votes.side[judged], right, sides) / total
        return found

    @property
    def correlation(self) -> float | None:
        """Spearman's between competence and true accuracy; None where it is undefined."""
        true, own = self.true_accuracy, self.run.estimate.competence
        if true is None:
            return None
        found = correlate("competence", "accuracy", "annotator", own, true)
        return cast("float | None", found["spearman"])

    @cached_property
    def out_of_reach(self) -> tuple[Bools, Bools]:
        """Items with gold and votes, and those of them that no vote has right."""
        votes, gold = self.data.votes, self.data.gold_codes
        judged = (gold != -1) & (votes.size > 0)
        right = np.bincount(votes.item, votes.label == gold[votes.item], len(gold)) > 0
        return judged, judged & ~right

    @property
    def oracle(self) -> float | None:
        """The share of items that at least one vote has right."""
        if self.data.gold is None:
            return None
        judged, lost = self.out_of_reach
        return 1 - int(lost.sum()) / int(judged.sum()) if judged.any() else None

    def lost_items(self) -> list[tuple[str, str, int]]:
        """Items that no vote has right, by gold label and votes, the most frequent first."""
        if self.data.gold is None:
            return []
        rows = np.flatnonzero(self.out_of_reach[1])
        found = Counter((self.data.gold[int(row)], self.ballot(int(row))) for row in rows)
        ordered = sorted(found.items(), key=lambda each: (-each[1], each[0]))
        return [(gold, votes, count) for (gold, votes), count in ordered]

    def ballot(self, item: int) -> str:
        """The votes on an item: NOUN (3), X (1)."""
        votes, (first, last) = self.data.votes, self.data.votes.start[item : item + 2]
        found = Counter(votes.labels.some(votes.label[first:last]))
        ordered = sorted(found.items(), key=lambda each: (-each[1], each[0]))
        return ", ".join(f"{name} ({count})" for name, count in ordered)

    def hot_spots(self, most: int | None = None) -> Int64:
        """Items by their entropy, the most disputed first; without those that all agree on."""
        entropy, votes = self.run.estimate.entropy, self.data.votes
        rows = np.flatnonzero(np.bincount(votes.cells[0], minlength=len(votes)) > 1)
        return rows[np.argsort(-entropy[rows], kind="stable")][:most]

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader must know."""
        self.labels  # noqa: B018 - counts repairs
        repaired, found = self.__dict__.get("repaired", 0), [*self.data.notes, *self.remarks()]
        if repaired:
            many = "tag was" if repaired == 1 else "tags were"
            found.append(f"{repaired:,} {many} changed to make spans legal")
        return tuple(found)

    def remarks(self) -> list[str]:
        """What is odd about the votes."""
        votes, found = self.data.votes, []
        size = votes.size
        shared = np.bincount(votes.side, size[votes.item] > 1, len(self.names)) > 0
        given = np.bincount(votes.side, minlength=len(self.names)) > 0
        kinds = (
            (given & ~shared, "share", "no item with any other: the competence comes from priors"),
            (~given, "give", "no vote"),
        )
        for which, verb, what in kinds:
            if count := int(which.sum()):
                first = ", ".join(self.names[n] for n in np.flatnonzero(which)[:3].tolist())
                who = f"{counted(count, 'annotator')} ({first}{', ...' * (count > 3)})"
                found.append(f"{who} {verb}{'s' * (count == 1)} {what}")
        if (single := int((size == 1).sum())) and single == int((size > 0).sum()):
            found.append("every item has a single vote, so there is nothing to agree on")
        if len(votes.labels) == 1:
            found.append(f"every vote is '{votes.labels[0]}'")
        return found

    def item_rows(self) -> Rows:
        """One row per item: label, confidence and, where they are known, word and gold label."""
        found, data = self.run.estimate, self.data
        columns: dict[str, Sequence[Any]] = {"item": data.items}
        if data.words is not None:
            columns["word"] = data.words.to_list()
        columns["label"] = [None if x == NO_LABEL else x for x in self.labels.to_list()]
        columns["confidence"] = found.confidence.tolist()
        columns["entropy"] = or_none(found.entropy)
        if data.gold is not None:
            columns["gold"] = [label or None for label in data.gold.to_list()]
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]

    def annotator_rows(self) -> Rows:
        """One row per annotator."""
        given = np.bincount(self.data.votes.side, minlength=len(self.names)).tolist()
        true = self.true_accuracy
        rows = zip(self.competence.items(), given, strict=True)
        found: Rows = [
            {"annotator": name, "votes": count, "competence": value}
            for (name, value), count in rows
        ]
        for row, accuracy in zip(found, [] if true is None else or_none(true), strict=False):
            row["accuracy"] = accuracy
        return found

    def corpus(self) -> Corpus:
        """The text with the aggregated labels; UsageError where there is no text."""
        data = self.data
        if data.base is not None:
            return with_labels(data.base, data.column, self.labels, "crowd")
        if data.words is None or data.offsets is None:
            raise UsageError(
                f"{data.origin} has no words, so the labels can be written only as a table",
                help=f"choose a name that ends in {', '.join(TABLES)}",
            )
        return corpus_of(data.words, data.offsets, self.labels, "crowd")

    def write(self, path: str | os.PathLike[str], to: str | None = None) -> None:
        """Write the labels: as a table if the name ends in .csv, .jsonl or .parquet, or .tsv where
        there are no words; otherwise the text with them, in the format `to` or that of the name."""
        path = os.fspath(path)
        ending = Path(strip_compression(path)).suffix.lower()
        is_text = self.data.words is not None and ending == ".tsv"
        if to is not None or ending not in TABLES or is_text:
            corpus = self.corpus()
            found = [to] if to else by_suffix(path, is_asked=not corpus.format)
            write_file(corpus, path, format=make(found[0] if len(found) == 1 else corpus.format))
            return
        rows = self.item_rows()
        frame = frame_of(rows, [*rows[0]] if rows else [])
        with open_output(path) as stream:
            if ending == ".parquet":
                frame.write_parquet(stream)
            elif ending == ".jsonl":
                frame.write_ndjson(stream)
            else:
                frame.write_csv(stream, separator="\t" if ending == ".tsv" else ",")


def or_none(values: Floats) -> list[float | None]:
    """Numbers, None for those that are none."""
    return [value if np.isfinite(value) else None for value in values.tolist()]


def check_overwrite(target: str, read: Sequence[Any]) -> None:
    """Refuse to write over a file that is read."""
    paths = [os.fspath(each) for each in read if isinstance(each, str | os.PathLike)]
    names = [name for path in paths for name in (path, path.partition("=")[2])]
    if os.path.realpath(target) in {*map(os.path.realpath, names)}:
        raise UsageError(f"'{target}' is one of the files that are read; choose a different name")
