"""What `crowd` gives back: labels of items, how sure they are, whom to trust; how it is shown."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from tertium._version import __version__
from tertium.agreement.crowd_data import CrowdData
from tertium.agreement.methods import Estimate
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels
from tertium.exceptions import UsageError, counted
from tertium.families.ballots import Proposals, or_nothing
from tertium.families.base import make as make_metric
from tertium.families.family import compared_metrics, main_metric, whole_items
from tertium.families.sets import headers_of
from tertium.families.token_labels import tagged, united
from tertium.formats.convert import write_corpus
from tertium.formats.files import make
from tertium.formats.judgement_cells import TABLES, write_table
from tertium.formats.sources import strip_compression
from tertium.results.blocks import Block, Column, Shares, Table, Text, table_of_records
from tertium.results.names import short_names, teller
from tertium.results.output import LongLook, Output, Rows
from tertium.results.scores import Result, plain
from tertium.results.texts import listed, number
from tertium.results.votes import Votes
from tertium.significance.correlation import correlate

SHOWN = 10
FEW = 5  # annotators, of whom fewer have no rank correlation worth telling
MOST_BARS = 200  # in a picture
SKEWED = 0.75  # a share of votes
REST = ("label", "confidence", "entropy", "gold")  # of a disputed item
COLUMNS = {
    **{n: Column(n) for n in ("method", "annotator", "item", "word", "context", "label", "gold")},
    **{n: Column(n, kind="percent") for n in ("accuracy", "coverage", "competence", "confidence")},
    **{name: Column(name, kind="count") for name in ("votes", "ties")},
    "log_likelihood": Column("log likelihood", kind="value", digits=2),
    "ballot": Column("votes"),
    "voters": Column("votes"),
    "entropy": Column("entropy", kind="value"),
    "count": Column("items", kind="count"),
}
MISSING = {
    "accuracy": "judged no scored item with a gold label",
    "competence": "gave no vote",
}


@dataclass(frozen=True, eq=False, repr=False)
class Aggregation(Output):
    """One annotation from those of many: the labels are those of the last method.

    - `votes`: those that the dictionary allows, where there is one; `estimate`: what they say
    - `methods`: what there is to say about each; `signature`: what decided the labels
    - `lost`: what of the text is not in the file that was written
    """

    data: CrowdData
    votes: Votes
    estimate: Estimate
    methods: Rows
    signature: str
    lost: tuple[str, ...] = ()

    look = LongLook
    is_page = True

    @property
    def accuracy(self) -> float | None:
        """The share of items that the last method has right; None without gold labels."""
        return self.methods[-1]["accuracy"]  # type: ignore[no-any-return]

    @cached_property
    def _made(self) -> tuple[Labels, Corpus, Sequence[str]]:
        """The labels of items, made legal; the text with them; and notes."""
        data, votes, found = self.data, self.votes, self.estimate
        if (ballot := data.ballot) is None:
            labels = or_nothing(votes.labels, found.label)
            return tagged(data.text, labels, "crowd", joins=data.joins)
        given = found.label, found.chance, found.confidence
        made, notes = ballot.merge(data.text, Proposals.of(votes, *given, data.nothing), "crowd")
        labels = votes.labels_of(whole_items(ballot.metric, made)).rename({"": data.nothing})
        labels = or_nothing(labels.names, np.where(found.label < 0, -1, labels.codes))
        return labels, made, notes

    @property
    def labels(self) -> Labels:
        """The label of every item, `_` for none; those of spans and trees are legal."""
        return self._made[0]

    def corpus(self) -> Corpus:
        """The text with the aggregated labels; UsageError where there is no text."""
        text = self.data.text
        if text.forms is None and self.data.ballot is None:
            raise UsageError(
                f"{text.origin} has no words, so the labels can be written only as a table",
                help=f"choose a name that ends in {', '.join(TABLES)}",
            )
        made, text_of = self._made[1], self.data.text_of
        return made if text_of is None else united(made, text_of, self.estimate.confidence)

    def write(self, path: str | os.PathLike[str], to: str | None = None) -> list[str]:
        """Write the labels: as a table if the name ends in .csv, .tsv, .jsonl or .parquet, unless
        the text is of a format with that ending; otherwise the text with them, in the format `to`
        or that of the name. Returns what of the text is lost in that format."""
        path, format = os.fspath(path), self.data.text.format
        ending = Path(strip_compression(path)).suffix.lower()
        if to is None and ending in TABLES and not (format and ending in make(format).suffixes):
            write_table(self.item_rows(), path)
            return []
        made = self.corpus()
        column = self.data.ballot.column if self.data.ballot else next(iter(made.layers))
        return write_corpus(made, path, to, needed=column)

    def notices(self, look: LongLook) -> list[str]:
        """What the file that was written has lost."""
        return [f"the written format cannot hold {listed([*self.lost])}"] if self.lost else []

    @cached_property
    def score(self) -> Result | None:
        """The score of the text as it is written, where gold is annotated text."""
        from tertium.significance.score.verb import score

        data = self.data
        if data.gold_text is None or data.ballot is None:
            return None
        gold, column, own = data.gold_text, data.ballot.find(data.gold_text), data.ballot.metric
        judged = replace(gold, layers={column: gold.layers[column]})
        metric = main_metric([*map(repr, compared_metrics(judged))])
        metric = repr(own) if make_metric(metric).family == own.family else metric
        return score(gold, self.corpus().take(data.judged), metric=metric).results[0]

    @property
    def system_names(self) -> Sequence[str]:
        """The annotators of a text, who have the names of files."""
        return () if self.data.ballot is None else self.data.votes.sides

    @cached_property
    def annotators(self) -> Rows:
        """One row per annotator, the most competent first: votes, competence and, with gold, true
        accuracy."""
        right = {} if self.data.gold is None else {"accuracy": self.data.accuracy.tolist()}
        columns = {
            "annotator": self.data.votes.sides,
            "votes": self.data.by_annotator().tolist(),
            "competence": map(plain, self.estimate.competence.tolist()),
            **{name: map(plain, values) for name, values in right.items()},
        }
        rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        return sorted(rows, key=lambda row: (-(row["competence"] or 0), row["annotator"]))

    @property
    def competence(self) -> dict[str, float | None]:
        """By annotator; None by majority for one without votes."""
        return {row["annotator"]: row["competence"] for row in self.annotators}

    @property
    def correlation(self) -> float | None:
        """Spearman's between competence and true accuracy; None where it is undefined."""
        if self.data.gold is None:
            return None
        both = self.estimate.competence, self.data.accuracy
        found: float | None = correlate("competence", "accuracy", "annotator", *both)["spearman"]
        return found

    @cached_property
    def disputed(self) -> list[int]:
        """Items that annotators differ on, those with the highest entropy first."""
        entropy, votes = self.estimate.entropy, self.data.votes
        rows = np.flatnonzero(np.bincount(votes.cells[0], minlength=len(votes)) > 1)
        order: list[int] = rows[np.argsort(-entropy[rows], kind="stable")].tolist()
        return order

    def item(self, row: int) -> dict[str, Any]:
        """What there is to say about an item; without a label or votes that is None."""
        data, found, label = self.data, self.estimate, self.labels[row]
        return {
            "item": data.items[row],
            **({} if data.words is None else {"word": data.words[row]}),
            "label": None if found.label[row] < 0 else label,
            "confidence": float(found.confidence[row]) or None,
            "entropy": float(found.entropy[row]) if np.isfinite(found.entropy[row]) else None,
            **({} if data.gold is None else {"gold": data.gold[row] or None}),
        }

    def item_rows(self) -> Rows:
        """One row per item."""
        return [*map(self.item, range(len(self.data.votes)))]

    def spots(self, most: int | None = None) -> Rows:
        """The same of disputed items, with all votes and, in a text, the words around them."""
        data, votes = self.data, self.data.votes
        found = []
        for row in self.disputed[:most]:
            context = {} if data.words is None else {"context": data.context(row)}
            said = {"ballot": votes.ballot(row), "voters": votes.voters(row)}
            found.append({**self.item(row), **said, **context})
        return found

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What a reader must know."""
        data, votes, found, last = self.data, self.data.votes, [], self.methods[-1]
        if (rho := self.correlation) is not None and len(votes.sides) >= FEW:
            found.append(f"Spearman correlation of competence and true accuracy: {rho:.2f}")
        if (output := last["output_accuracy"]) not in (None, self.accuracy):
            found.append(f"accuracy of the labels as written, with ties broken: {number(output)}%")
        if (scored := self.score) is not None and scored.value not in (None, output):
            name = headers_of([scored.metric])[scored.metric]
            found.append(f"{name} of the text as written: {number(scored.value or 0.0)}")
        if self.votes is not votes:
            left, given = len(votes.item) - len(self.votes.item), counted(len(votes.item), "vote")
            found.append(f"the dictionary rules out {left:,} of {given}")
        if data.control is not None and not data.joins:
            known = zip(self.labels.to_list(), data.control.tolist(), strict=True)
            other = sum(code >= 0 and label != votes.labels[code] for label, code in known)
            items = counted(other, "control item")
            found += [f"the text cannot have the known label of {items}"] if other else []
        counts = np.bincount(votes.label)
        if 1 > (share := counts.max() / counts.sum()) > SKEWED and "mace" in last["method"]:
            found.append(
                f"{number(share)}% of all votes are '{votes.labels[int(counts.argmax())]}', but "
                "MACE assumes that all labels are equally likely and may misjudge annotators: "
                "compare '--method dawid-skene'"
            )
        return (*data.remarks, *found, *self._made[2])

    @property
    def title(self) -> str:
        """What was aggregated."""
        return f"Aggregated votes of {counted(len(self.data.votes.sides), 'annotator')}"

    def to_dict(self) -> dict[str, Any]:
        """The JSON output of `tertium crowd` (docs/verbs/crowd.md)."""
        data, votes, scored, against_gold = self.data, self.data.votes, self.score, {}
        if self.data.oracle is not None:
            accuracy = {row["annotator"]: row["accuracy"] for row in self.annotators}
            against_gold = {"true_accuracy": accuracy, "correlation": self.correlation}
            against_gold |= {"oracle": self.data.oracle}
        return {
            "tertium": __version__,
            "votes": data.text.origin if data.ballot is None else ", ".join(votes.sides),
            **({} if data.ballot is None else {"metric": repr(data.ballot.metric)}),
            **self.methods[-1],
            "items": len(votes),
            "judgements": len(votes.item),
            "labels": votes.labels.strings,
            "competence": self.competence,
            **({"score": {"metric": scored.metric, "value": scored.value}} if scored else {}),
            **against_gold,
            "methods": self.methods,
            "disputed": self.spots(),
            **({"notes": list(self.notes)} if self.notes else {}),
            "signature": self.signature,
        }

    def frames(self) -> Mapping[str, Callable[[], Rows]]:
        """Items, annotators, methods, disputed items, and all numbers."""
        own = {"items": self.item_rows, "annotators": lambda: self.annotators}
        own |= {"methods": lambda: self.methods, "disputed": self.spots}
        return {**own, **super().frames()}

    def in_short(self) -> str:
        """Sizes and, with gold, how good the labels are."""
        votes, last, oracle = self.data.votes, self.methods[-1], self.data.oracle
        given = f"{counted(len(votes.item), 'vote')} by {counted(len(votes.sides), 'annotator')}"
        labelled = np.count_nonzero(self.estimate.label >= 0)
        some = "all" if labelled == len(votes) else f"{labelled:,}"
        done = f"{_name(last)} labels {some} of them"
        if self.accuracy is not None and oracle is not None:
            right, most = number(self.accuracy), number(oracle["accuracy"])
            done = f"accuracy of {_name(last)} {right}%, of the oracle {most}%"
        return f"{given} on {counted(len(votes), 'item')}; {done}"

    def blocks(self, look: LongLook) -> list[Block]:
        """Methods, annotators, disputed items, and items that no vote has right."""
        people = self.annotators
        table = look.shortened(_table("Annotators", people, *people[0]), SHOWN)
        blocks: list[Block] = [_methods(self), table]
        if last := people[max(SHOWN, len(people) - SHOWN) :] if table.omitted else []:
            blocks.append(_table("Least competent annotators", last, *people[0]))
        blocks += [_trust(people)] * look.draws
        if spots := self.spots(look.room(SHOWN)):
            said = ["word", "ballot"] if look.is_text else ["context", "voters"]
            has_words = self.data.words is not None
            names = (*said, *REST, "item") if has_words else ("item", *said, *REST)
            tell = teller(short_names(self.system_names))
            spots = [{**each, "voters": tell(each["voters"])} for each in spots]
            keys = len(names) if look.is_text else 1  # which are folded
            table = _table("Most disputed items", spots, *names, keys=keys)
            blocks.append(replace(table, omitted=look.rest(len(self.disputed) - len(spots))))
        if self.data.oracle and (lost := self.data.oracle["lost"]):
            table = _table("Items that every vote gets wrong", lost, *lost[0], keys=2)
            blocks.append(look.shortened(table, SHOWN))
        return [*blocks, *map(Text, self.notes), Text(self.signature, role="signature")]


# -- tables and pictures -----------------------------------------------------------------------


def _table(title: str, rows: Rows, *names: str, keys: int = 1) -> Table:
    columns = {name: COLUMNS[name] for name in names}
    return table_of_records(rows, title=title, columns=columns, reasons=MISSING, keys=keys)


def _name(method: Mapping[str, Any]) -> str:
    return f"{method['method']}+dictionary" if method["dictionary"] else str(method["method"])


def _methods(found: Aggregation) -> Table:
    """Table 1 of Hovy, Plank and Søgaard (2014)."""
    rows = [{**each, "method": _name(each)} for each in found.methods]
    rest = ("coverage", "ties", "log_likelihood")
    if found.data.oracle is None:
        return _table("Methods", rows, "method", *rest)
    why = "no scored item has both a gold label and a vote"
    rows.append({"method": "oracle", "accuracy": found.data.oracle["accuracy"], "reason": why})
    return _table("Methods", rows, "method", "accuracy", *rest)


def _trust(people: Rows) -> Shares:
    """How far annotators can be trusted, the most competent first; with gold also how far they are
    right."""
    series = tuple(name for name in ("competence", "accuracy") if name in people[0])
    values = tuple(tuple(row[each] for each in series) for row in people)
    names, title = tuple(row["annotator"] for row in people), "Competence of annotators"
    why = "gave no vote, or none on an item with a gold label"
    about = {"reason": why, "name": "competence"}
    return Shares(names, series, values, title, "annotator", MOST_BARS, **about)
