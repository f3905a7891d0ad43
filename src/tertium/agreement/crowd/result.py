"""What `crowd` gives back: labels of items, how sure they are, and whom to trust."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from tertium._version import __version__
from tertium.agreement.crowd.data import CrowdData
from tertium.agreement.crowd_labels import Estimate, elect
from tertium.agreement.majority import expected_accuracy, random_accuracy
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int64, Labels, unite
from tertium.exceptions import UsageError, counted
from tertium.families.ballots import NOTHING
from tertium.families.family import compared_metrics, main_metric, whole_items
from tertium.families.token_labels import as_spans, changed_note, corpus_of, regular
from tertium.formats.convert import by_suffix
from tertium.formats.files import make, write_file
from tertium.formats.judgement_cells import TABLES, write_table
from tertium.formats.sources import strip_compression
from tertium.results.output import LongLook, Output
from tertium.results.scores import Result
from tertium.results.votes import Bools, Floats, Votes
from tertium.signature import Signature
from tertium.significance.correlation import correlate

if TYPE_CHECKING:
    from tertium.results.blocks import Block

NO_GOLD = "no gold labels were given"
NOT_JUDGED = "no item has both a gold label and an aggregated one"
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
    labels: Labels
    accuracy: float | None = None
    output_accuracy: float | None = None
    coverage: float | None = None
    reason: str = NO_GOLD

    @classmethod
    def of(
        cls, method: str, filtered: bool, votes: Votes, found: Estimate, data: CrowdData, seed: Any
    ) -> CrowdRun:
        """With labels, accuracy and coverage. The accuracy of a majority vote is as expected over
        ties or, given a seed, the mean of runs that break them at random."""
        labels = found.labels(votes, None if method == "majority" else data.known)
        run = cls(method, filtered, votes, found, labels)
        given = labels.codes != labels.names.find(NOTHING)
        if data.gold is None:
            return replace(run, coverage=float(given[votes.size > 0].mean()))
        names, (mine, gold) = unite(labels, data.gold)
        has_gold = gold != names.find("")
        judged = has_gold & given
        if not judged.any():
            return replace(run, coverage=0.0, reason=NOT_JUDGED)
        accuracy = output = float((mine == gold)[judged].mean())
        if method == "majority":
            about = votes, data.gold_codes, judged
            random = seed is not None
            accuracy = random_accuracy(*about, seed) if random else expected_accuracy(*about)
        coverage = float(given[has_gold].mean())
        return replace(run, accuracy=accuracy, output_accuracy=output, coverage=coverage)

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


@dataclass(frozen=True, eq=False)
class Aggregation(Output):
    """One annotation from those of many: the labels are those of the last run.

    - `names`: of annotators, or their pseudonyms; `settings`: what decided the labels
    """

    data: CrowdData
    runs: tuple[CrowdRun, ...]
    names: Sequence[str]
    settings: Mapping[str, object] = field(default_factory=dict)
    version: str = field(default=__version__)

    look = LongLook

    @property
    def run(self) -> CrowdRun:
        """The one whose labels are given."""
        return self.runs[-1]

    @cached_property
    def _elected(self) -> tuple[Labels, Corpus | None, list[str]]:
        """The labels of items, made legal; the text with them; and notes."""
        data, run = self.data, self.run
        text = data.text
        if data.ballot is not None and data.metric is not None and text is not None:
            vote = elect(data.ballot, text, run.votes, run.estimate, run.labels)
            layers = {**text.layers, data.ballot.column: vote.layer}
            made = replace(text, layers=layers, origin="crowd", lines=None, problems=())
            labels = run.votes.labels_of(whole_items(data.metric, made))
            kept = [name for name in text.layers if name != data.ballot.column]
            copied = f"copied unchanged from {text.origin}: {', '.join(kept)}"
            notes = [*vote.notes, *([copied] if kept else [])]
            return labels.rename({"": data.nothing}), replace(made, repaired=0), notes
        if data.joins and text is not None:
            labels, changed = as_spans(run.labels, text.offsets), 0
        else:
            labels, changed = regular(run.labels, data.offsets)
        if text is None or text.forms is None:
            return labels, None, changed_note(changed)
        made = corpus_of(text.forms, text.offsets, labels, "crowd")
        return labels, made, changed_note(changed)

    @property
    def labels(self) -> Labels:
        """The label of every item, `_` for none; those of spans and trees are legal."""
        return self._elected[0]

    def corpus(self) -> Corpus:
        """The text with the aggregated labels; UsageError where there is no text."""
        if self._elected[1] is None:
            raise UsageError(
                f"{self.data.origin} has no words, so the labels can be written only as a table",
                help=f"choose a name that ends in {', '.join(TABLES)}",
            )
        return self._elected[1]

    @cached_property
    def score(self) -> Result | None:
        """The score of the text as it is written against gold, where gold is annotated text."""
        from tertium.significance.score.verb import score

        data = self.data
        if data.gold_text is None or data.ballot is None:
            return None
        gold, column = data.gold_text, data.ballot.find(data.gold_text)
        judged = replace(gold, layers={column: gold.layers[column]})
        metric = main_metric([*map(repr, compared_metrics(judged))])
        return score(gold, self.corpus().take(data.judged), metric=metric).results[0]

    @property
    def competence(self) -> dict[str, float | None]:
        """By annotator; None by majority for one without votes."""
        return dict(zip(self.names, or_none(self.run.estimate.competence), strict=True))

    @cached_property
    def true_accuracy(self) -> Floats | None:
        """Of every annotator against gold, nan for one without such votes; None without gold."""
        if self.data.gold is None:
            return None
        votes, gold = self.data.votes, self.data.gold_codes
        judged, sides = gold[votes.item] != -1, len(self.names)
        right = (votes.label == gold[votes.item])[judged]
        with np.errstate(invalid="ignore"):
            total = np.bincount(votes.side[judged], minlength=sides)
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
        if (gold := self.data.gold) is None:
            return []
        rows = np.flatnonzero(self.out_of_reach[1]).tolist()
        found = Counter((gold[row], self.data.votes.ballot(row)) for row in rows)
        ordered = sorted(found.items(), key=lambda each: (-each[1], each[0]))
        return [(label, votes, count) for (label, votes), count in ordered]

    def hot_spots(self) -> Int64:
        """Items by their entropy, the most disputed first; without those that all agree on."""
        entropy, votes = self.run.estimate.entropy, self.data.votes
        rows = np.flatnonzero(np.bincount(votes.cells[0], minlength=len(votes)) > 1)
        return rows[np.argsort(-entropy[rows], kind="stable")]

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader must know."""
        return (*self.data.notes, *self._remarks(), *self._elected[2])

    def _remarks(self) -> list[str]:
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
            columns["word"] = data.words
        columns["label"] = [None if x == NOTHING else x for x in self.labels.to_list()]
        columns["confidence"] = found.confidence.tolist()
        columns["entropy"] = or_none(found.entropy)
        if data.gold is not None:
            columns["gold"] = [label or None for label in data.gold.to_list()]
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]

    def annotator_rows(self) -> Rows:
        """One row per annotator."""
        votes, true = self.data.votes, self.true_accuracy
        columns: dict[str, Sequence[Any]] = {"annotator": self.names}
        columns["votes"] = np.bincount(votes.side, minlength=len(self.names)).tolist()
        columns["competence"] = or_none(self.run.estimate.competence)
        if true is not None:
            columns["accuracy"] = or_none(true)
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]

    def spot(self, row: int) -> dict[str, Any]:
        """What there is to say about an item."""
        data, found = self.data, self.run.estimate
        words = data.words
        text = {} if words is None else {"word": words[row], "context": data.context(row)}
        gold = {} if data.gold is None else {"gold": data.gold[row] or None}
        return {
            "item": data.items[row],
            **text,
            "ballot": data.votes.ballot(row),
            "label": self.labels[row],
            "confidence": float(found.confidence[row]),
            "entropy": float(found.entropy[row]),
            **gold,
        }

    def write(self, path: str | os.PathLike[str], to: str | None = None) -> None:
        """Write the labels: as a table if the name ends in .csv, .tsv, .jsonl or .parquet, unless
        the text is of a format with that ending; otherwise the text with them, in the format `to`
        or that of the name."""
        path, text = os.fspath(path), self._elected[1]
        ending = Path(strip_compression(path)).suffix.lower()
        own = make(text.format).suffixes if text is not None and text.format else ()
        if to is None and ending in TABLES and ending not in own:
            write_table(self.item_rows(), path)
            return
        corpus = self.corpus()
        found = [to] if to else by_suffix(path, is_asked=not corpus.format)
        write_file(corpus, path, format=make(found[0] if len(found) == 1 else corpus.format))

    @property
    def title(self) -> str:
        """What was aggregated."""
        return f"Aggregation of {self.data.origin}"

    @property
    def signature(self) -> str:
        """What decided the labels."""
        settings = {"method": self.run.method, **self.settings, "tertium": self.version}
        return str(Signature.make("crowd", settings))

    def to_dict(self) -> dict[str, Any]:
        """The JSON output of `tertium crowd` (docs/verbs/crowd.md)."""
        votes = self.data.votes
        return {
            "tertium": self.version,
            "votes": self.data.origin,
            **({} if self.data.metric is None else {"metric": repr(self.data.metric)}),
            **self.run.to_dict(),
            "items": len(votes),
            "judgements": len(votes.item),
            "labels": votes.labels.strings,
            "competence": self.competence,
            **self._against_gold(),
            "methods": [run.to_dict() for run in self.runs],
            "disputed": [self.spot(row) for row in self.hot_spots().tolist()],
            **({"notes": list(self.notes)} if self.notes else {}),
            "signature": self.signature,
        }

    def _against_gold(self) -> dict[str, Any]:
        if (true := self.true_accuracy) is None:
            return {}
        lost = [dict(zip(("gold", "ballot", "count"), e, strict=True)) for e in self.lost_items()]
        judged = int(self.out_of_reach[0].sum())
        scored = self.score
        score = {"metric": scored.metric, "value": scored.value} if scored else None
        return {
            "output_accuracy": self.run.output_accuracy,
            **({"score": score} if score else {}),
            "true_accuracy": dict(zip(self.names, or_none(true), strict=True)),
            "correlation": self.correlation,
            "oracle": {"accuracy": self.oracle, "items": judged, "lost": lost},
        }

    def frames(self) -> Mapping[str, Callable[[], Rows]]:
        """Items, annotators, methods, disputed items, and all numbers."""
        return {
            "items": self.item_rows,
            "annotators": self.annotator_rows,
            "methods": lambda: [run.to_dict() for run in self.runs],
            "disputed": lambda: [self.spot(row) for row in self.hot_spots().tolist()],
            "long": self.to_rows,
        }

    def in_short(self) -> str:
        """How many items have a label, and how good it is where that is known."""
        from tertium.agreement.crowd.tables import summary_of

        return summary_of(self)

    def blocks(self, look: LongLook) -> list[Block]:
        """Methods, annotators, disputed items, and items that no vote has right."""
        from tertium.agreement.crowd.tables import build

        return build(self, look)

    def __repr__(self) -> str:
        return f"<{self.run.method}: {len(self.data.votes):,} items>"


def or_none(values: Floats) -> list[float | None]:
    """Numbers, None for those that are none."""
    return [value if np.isfinite(value) else None for value in values.tolist()]
