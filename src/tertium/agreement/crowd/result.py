"""What `crowd` gives back: labels of items, how sure they are, and whom to trust."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tertium._version import __version__
from tertium.agreement.crowd_data import CrowdData
from tertium.agreement.methods import Estimate, accuracy_over_ties
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels, Names, unite
from tertium.exceptions import UsageError, counted
from tertium.families.ballots import NOTHING
from tertium.families.base import divide
from tertium.families.family import compared_metrics, main_metric, whole_items
from tertium.families.sets import headers_of
from tertium.families.token_labels import as_spans, changed_note, corpus_of, regular
from tertium.formats.convert import by_suffix
from tertium.formats.files import make, write_file
from tertium.formats.judgement_cells import TABLES, write_table
from tertium.formats.sources import strip_compression
from tertium.results.output import LongLook, Output
from tertium.results.scores import Result
from tertium.results.texts import listed
from tertium.results.votes import Floats, Votes
from tertium.signature import Signature
from tertium.significance.correlation import correlate

if TYPE_CHECKING:
    from tertium.results.blocks import Block

Row = dict[str, Any]
Rows = list[Row]


def method_row(
    method: str, found: Estimate, votes: Votes, data: CrowdData, seed: int | None
) -> Row:
    """What there is to say about a method: the entry in `methods` of the JSON output.

    Accuracy and coverage are over items with a gold label; without gold, coverage is over items
    with a vote. The accuracy of a majority vote is as expected over ties or, with a seed, that of
    ties broken at random; `output_accuracy` is that of the labels themselves.
    """
    given, asked, told = found.label >= 0, votes.size > 0, {}
    accuracy = output = None
    if data.gold is None:
        told["reason"] = "no gold labels were given"
    else:
        gold = data.gold_codes
        asked, right = gold != -1, found.label == gold
        if not (judged := asked & given).any():
            told["reason"] = "no item has both a gold label and an aggregated one"
        else:
            accuracy = output = float(right[judged].mean())
            if method == "majority":
                accuracy = accuracy_over_ties(votes, gold, judged, seed)
    return {
        "method": method,
        "dictionary": votes is not data.votes,
        "accuracy": accuracy,
        **told,
        "output_accuracy": output,
        "coverage": float(given[asked].mean()) if asked.any() else None,
        "log_likelihood": found.log_likelihood,
        "ties": int(found.tied.sum()),
    }


@dataclass(frozen=True, eq=False)
class Aggregation(Output):
    """One annotation from those of many: the labels are those of the last method.

    - `votes`: those that the dictionary allows, where there is one; `estimate`: what they say
    - `methods`: what there is to say about each; `settings`: what decided the labels
    """

    data: CrowdData
    votes: Votes
    estimate: Estimate
    methods: Rows
    settings: Mapping[str, object] = field(default_factory=dict)
    version: str = field(default=__version__)

    look = LongLook

    @property
    def accuracy(self) -> float | None:
        """The share of items that the last method has right; None without gold labels."""
        found: float | None = self.methods[-1]["accuracy"]
        return found

    @cached_property
    def _made(self) -> tuple[Labels, Corpus | None, Sequence[str]]:
        """The labels of items, made legal; the text with them; and notes."""
        data, votes, found = self.data, self.votes, self.estimate
        text = data.text
        if data.ballot is not None and data.metric is not None and text is not None:
            nothing = votes.labels.find(data.nothing) if data.nothing != NOTHING else -1
            vote = data.ballot.elect(text, found.proposals(votes, nothing))
            layers = {**text.layers, data.ballot.column: vote.layer}
            made = replace(text, layers=layers, origin="crowd", lines=None, problems=(), repaired=0)
            labels = votes.labels_of(whole_items(data.metric, made)).rename({"": data.nothing})
            names, (code, none) = unite(labels, Labels.of([NOTHING]))
            labels = Labels(names, np.where(found.label < 0, none[0], code))
            kept = [name for name in text.layers if name != data.ballot.column]
            copied = [f"copied unchanged from {text.origin}: {', '.join(kept)}"] if kept else []
            return labels, made, [*vote.notes, *copied]
        names = Names.of(dict.fromkeys([*votes.labels, NOTHING]))
        code = np.where(found.label < 0, names.find(NOTHING), found.label)
        ends = np.array([0, len(code)]) if text is None else text.offsets
        labels, changed = regular(Labels(names, code.astype(np.int32)), ends)
        labels = as_spans(labels, ends) if data.joins else labels
        notes = changed_note(changed)
        if text is None or text.forms is None:
            return labels, None, notes
        return labels, corpus_of(text.forms, ends, labels, "crowd"), notes

    @property
    def labels(self) -> Labels:
        """The label of every item, `_` for none; those of spans and trees are legal."""
        return self._made[0]

    def corpus(self) -> Corpus:
        """The text with the aggregated labels; UsageError where there is no text."""
        if self._made[1] is None:
            raise UsageError(
                f"{self.data.origin} has no words, so the labels can be written only as a table",
                help=f"choose a name that ends in {', '.join(TABLES)}",
            )
        return self._made[1]

    def write(self, path: str | os.PathLike[str], to: str | None = None) -> None:
        """Write the labels: as a table if the name ends in .csv, .tsv, .jsonl or .parquet, unless
        the text is of a format with that ending; otherwise the text with them, in the format `to`
        or that of the name."""
        path, text = os.fspath(path), self._made[1]
        ending = Path(strip_compression(path)).suffix.lower()
        own = make(text.format).suffixes if text is not None and text.format else ()
        if to is None and ending in TABLES and ending not in own:
            write_table(self.item_rows(), path)
            return
        corpus = self.corpus()
        found = [to] if to else by_suffix(path, is_asked=not corpus.format)
        write_file(corpus, path, format=make(found[0] if len(found) == 1 else corpus.format))

    @cached_property
    def score(self) -> Result | None:
        """The score of the text as it is written, where gold is annotated text."""
        from tertium.significance.score.verb import score

        data = self.data
        if data.gold_text is None or data.ballot is None:
            return None
        gold, column = data.gold_text, data.ballot.find(data.gold_text)
        judged = replace(gold, layers={column: gold.layers[column]})
        metric = main_metric([*map(repr, compared_metrics(judged))])
        return score(gold, self.corpus().take(data.judged), metric=metric).results[0]

    @property
    def metric_names(self) -> dict[str, str]:
        """What tables call the metric of the score, by its text."""
        return {} if self.score is None else headers_of([self.score.metric])

    @property
    def system_names(self) -> Sequence[str]:
        """The annotators of a text, who have the names of files."""
        return () if self.data.metric is None else self.data.votes.sides

    @cached_property
    def annotators(self) -> Rows:
        """One row per annotator: votes, competence and, with gold, true accuracy."""
        votes = self.data.votes
        size = len(votes.sides)
        given = np.bincount(votes.side, minlength=size).tolist()
        columns: dict[str, Sequence[Any]] = {"annotator": votes.sides, "votes": given}
        columns["competence"] = or_none(self.estimate.competence)
        if self.data.gold is not None:
            gold = self.data.gold_codes[votes.item]
            right, total = (
                np.bincount(votes.side, each, size) for each in (votes.label == gold, gold != -1)
            )
            columns["accuracy"] = or_none(divide(right, total))
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]

    @property
    def competence(self) -> dict[str, float | None]:
        """By annotator; None by majority for one without votes."""
        return {row["annotator"]: row["competence"] for row in self.annotators}

    @property
    def correlation(self) -> float | None:
        """Spearman's between competence and true accuracy; None where it is undefined."""
        if self.data.gold is None:
            return None
        rows = [(row["competence"], row["accuracy"]) for row in self.annotators]
        own, true = np.array(rows, np.float64).reshape(-1, 2).T
        found: float | None = correlate("competence", "accuracy", "annotator", own, true)[
            "spearman"
        ]
        return found

    @cached_property
    def oracle(self) -> dict[str, Any] | None:
        """The share of items with gold and votes that at least one vote has right; the others by
        gold label and votes, the most frequent first. None without gold."""
        votes, gold = self.data.votes, self.data.gold
        if gold is None:
            return None
        codes = self.data.gold_codes
        judged = (codes != -1) & (votes.size > 0)
        right = np.bincount(votes.item, votes.label == codes[votes.item], len(codes)) > 0
        rows = np.flatnonzero(judged & ~right).tolist()
        found = Counter((gold[row], votes.ballot(row)) for row in rows)
        lost = [
            {"gold": label, "ballot": ballot, "count": count}
            for (label, ballot), count in sorted(found.items(), key=lambda e: (-e[1], e[0]))
        ]
        items = int(judged.sum())
        accuracy = 1 - len(rows) / items if items else None
        return {"accuracy": accuracy, "items": items, "lost": lost}

    @cached_property
    def disputed(self) -> list[int]:
        """Items that annotators differ on, those with the highest entropy first."""
        entropy, votes = self.estimate.entropy, self.data.votes
        rows = np.flatnonzero(np.bincount(votes.cells[0], minlength=len(votes)) > 1)
        order: list[int] = rows[np.argsort(-entropy[rows], kind="stable")].tolist()
        return order

    def item(self, row: int) -> Row:
        """What there is to say about an item; without a label it is None."""
        data, found, label = self.data, self.estimate, self.labels[row]
        return {
            "item": data.items[row],
            **({} if data.words is None else {"word": data.words[row]}),
            "label": None if label == NOTHING else label,
            "confidence": float(found.confidence[row]),
            "entropy": or_none(found.entropy[row : row + 1])[0],
            **({} if data.gold is None else {"gold": data.gold[row] or None}),
        }

    def spot(self, row: int) -> Row:
        """The same with all votes on the item and, in a text, the words around it."""
        context = {} if self.data.words is None else {"context": self.data.context(row)}
        return {**self.item(row), "ballot": self.data.votes.ballot(row), **context}

    def item_rows(self) -> Rows:
        """One row per item."""
        return [*map(self.item, range(len(self.data.votes)))]

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader must know."""
        votes, found = self.data.votes, []
        size = len(votes.sides)
        given = np.bincount(votes.side, minlength=size) > 0
        shared = np.bincount(votes.side, votes.size[votes.item] > 1, size) > 0
        lone = {"no items in common with any other annotator": given & ~shared, "no votes": ~given}
        for what, which in lone.items():
            if who := [votes.sides[n] for n in np.flatnonzero(which).tolist()]:
                found.append(f"{what}, so competence comes from priors: {listed(who)}")
        if votes.size.max(initial=0) == 1:
            found.append("every item has a single vote, so there is nothing to agree on")
        if self.data.gold is not None and (rows := np.flatnonzero(self.data.gold_codes == -2)).size:
            label = self.data.gold[int(rows[0])]
            found.append(
                f"{counted(len(rows), 'item')} with a gold label that no annotator gives to any "
                f"item, such as '{label}'"
            )
        if len(votes.labels) == 1:
            found.append(f"every vote is '{votes.labels[0]}'")
        return (*self.data.notes, *found, *self._made[2])

    @property
    def title(self) -> str:
        """What was aggregated."""
        return f"Aggregation of {self.data.origin}"

    @property
    def signature(self) -> str:
        """What decided the labels."""
        settings = {"method": self.methods[-1]["method"], **self.settings, "tertium": self.version}
        return str(Signature.make("crowd", settings))

    def to_dict(self) -> dict[str, Any]:
        """The JSON output of `tertium crowd` (docs/verbs/crowd.md)."""
        votes, scored = self.data.votes, self.score
        true = {row["annotator"]: row.get("accuracy") for row in self.annotators}
        against_gold = {
            "true_accuracy": true,
            "correlation": self.correlation,
            "oracle": self.oracle,
        }
        return {
            "tertium": self.version,
            "votes": self.data.origin,
            **({} if self.data.metric is None else {"metric": repr(self.data.metric)}),
            **self.methods[-1],
            "items": len(votes),
            "judgements": len(votes.item),
            "labels": votes.labels.strings,
            "competence": self.competence,
            **({"score": {"metric": scored.metric, "value": scored.value}} if scored else {}),
            **({} if self.oracle is None else against_gold),
            "methods": self.methods,
            "disputed": [*map(self.spot, self.disputed)],
            **({"notes": list(self.notes)} if self.notes else {}),
            "signature": self.signature,
        }

    def frames(self) -> Mapping[str, Callable[[], Rows]]:
        """Items, annotators, methods, disputed items, and all numbers."""
        return {
            "items": self.item_rows,
            "annotators": lambda: self.annotators,
            "methods": lambda: self.methods,
            "disputed": lambda: [*map(self.spot, self.disputed)],
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
        return f"<{self.methods[-1]['method']}: {len(self.data.votes):,} items>"


def or_none(values: Floats) -> list[float | None]:
    """Numbers, None for those that are none."""
    return [value if np.isfinite(value) else None for value in values.tolist()]
