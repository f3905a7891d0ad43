"""Plausibility questions about variation: is a label possible in a context? Where two labels are,
the case is hard; where the one that is annotated is not, it is an error (Plank et al. 2014b)."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tertium.exceptions import InputError, counted, suggestion
from tertium.formats.judgements import read_judgements
from tertium.formats.targets import open_output
from tertium.results.blocks import Block, Column, Table, Text, or_missing
from tertium.results.output import LongLook
from tertium.results.texts import number

COLUMNS = ("item", "context", "tag", "answer", "annotator")
ANNOTATOR = "A"  # the name that stands in a new table
YES, NO = ("yes", "y", "true", "1"), ("no", "n", "false", "0")
SHOWN = 20  # pairs of labels in text
Pair = tuple[str, str]


@dataclass(frozen=True)
class Question:
    """Is a label plausible for some words? `item` is its name, `context` the sentence with these
    words in brackets, `given` the label that is annotated there."""

    item: str
    context: str
    label: str
    given: str


def write_questions(path: str, asked: Sequence[Sequence[Question]]) -> None:
    """Questions as a table, a row each, with a column for the answer."""
    buffer = io.StringIO()
    table = csv.writer(buffer, delimiter="\t", lineterminator="\n")
    table.writerow(COLUMNS)
    for occurrence in asked:
        for each in occurrence:
            table.writerow((each.item, each.context, each.label, "", ANNOTATOR))
    with open_output(path) as stream:
        stream.write(buffer.getvalue().encode("utf-8", "surrogatepass"))


@dataclass(frozen=True)
class PairCases:
    """The cases in which one of two labels is annotated and the other occurs with the same words.

    `hard`: both are plausible; `settled`: only the annotated one is; `wrong`: it is not.
    """

    labels: Pair
    hard: int = 0
    settled: int = 0
    wrong: int = 0

    @property
    def cases(self) -> int:
        """All of them."""
        return self.hard + self.settled + self.wrong

    @property
    def share(self) -> float:
        """The share of hard ones."""
        return self.hard / self.cases


@dataclass(frozen=True)
class Plausibility:
    """What annotators say about questions.

    - `questions`: how many there are, and `answered`; `tied`: those with as many yes as no
    - `agreement`: the share of equal answers among all pairs of answers to one question
    - `pairs`: by two labels, the most hard cases first
    - `occurrences`: whose every label was judged; `wrong`: those whose annotated label is not
      plausible, as items of questions
    - `items`: all annotated items of the corpus
    """

    questions: int
    answered: int
    tied: int
    annotators: int
    agreement: float | None
    pairs: tuple[PairCases, ...]
    wrong: tuple[str, ...]
    items: int

    @property
    def cases(self) -> int:
        """All pairs of labels in all contexts."""
        return sum(each.cases for each in self.pairs)

    @property
    def hard(self) -> int:
        """Those with two plausible labels."""
        return sum(each.hard for each in self.pairs)

    def of_hard(self, pair: PairCases) -> float | None:
        """The share of all hard cases that a pair of labels has; None where there are none."""
        return pair.hard / self.hard if self.hard else None

    def to_dict(self) -> dict[str, Any]:
        """`answers` of the JSON output."""
        return {
            **vars(self),
            **({} if self.agreement is not None else {"reason": _ONE_EACH}),
            "cases": self.cases,
            "hard": self.hard,
            "pairs": [
                {
                    **vars(each),
                    "labels": list(each.labels),
                    "cases": each.cases,
                    "share": each.share,
                    "of_hard": self.of_hard(each),
                }
                for each in self.pairs
            ],
            "wrong": list(self.wrong),
        }

    def in_short(self) -> str:
        """Which share of disagreements, and of all annotations, is wrong."""
        if not self.cases:
            return "No case has answers for both of its labels"
        easy = self.cases - self.hard
        return (
            f"Of {counted(self.cases, 'disagreement')}, {self.hard:,} "
            f"({number(self.hard / self.cases)}%) are hard cases and {easy:,} are not; "
            f"{counted(len(self.wrong), 'annotation')} "
            f"({number(len(self.wrong) / max(self.items, 1))}% of {self.items:,}) "
            f"{'is' if len(self.wrong) == 1 else 'are'} wrong"
        )

    def blocks(self, look: LongLook) -> list[Block]:
        """Hard cases by pair of labels: how they are distributed, and their share of each pair."""
        counts = ("cases", "hard", "settled", "wrong")
        shares = (Column(name, "share", "percent") for name in ("hard", "of all hard"))
        columns = (Column("labels"), *(Column(name, kind="count") for name in counts), *shares)
        rows = tuple(
            (
                "-".join(each.labels),
                *(getattr(each, name) for name in counts),
                each.share,
                or_missing(self.of_hard(each), "no case is hard"),
            )
            for each in self.pairs
        )
        note = (
            "hard: both labels are plausible; settled: only the annotated one; wrong: the "
            "annotated one is not"
        )
        told = [
            f"{self.answered:,} of {counted(self.questions, 'question')} answered by "
            f"{counted(self.annotators, 'annotator')}"
        ]
        told += [] if self.agreement is None else [f"agreement {number(self.agreement)}"]
        told += [f"{self.tied:,} tied and left out"] if self.tied else []
        table = look.shortened(Table(columns, rows, title="Hard cases", note=note), SHOWN)
        return [*([table] if rows else []), Text(" · ".join(told))]


_ONE_EACH = "no question has answers from two annotators"


def judge(asked: Sequence[Sequence[Question]], paths: Sequence[str], items: int) -> Plausibility:
    """What files of answers say about questions, which belong together by occurrence."""
    known = {each.item: each for occurrence in asked for each in occurrence}
    said, annotators = _answers(paths, known)
    plausible = {item: 2 * sum(s) > len(s) for item, s in said.items() if 2 * sum(s) != len(s)}
    pairs: dict[Pair, list[int]] = {}
    wrong: list[str] = []
    for occurrence in asked:
        own = next(each for each in occurrence if each.label == each.given)
        if own.item not in plausible:
            continue
        wrong += [] if plausible[own.item] else [own.item]
        for other in occurrence:
            if other is not own and other.item in plausible:
                low, high = sorted((own.label, other.label))
                both = plausible[own.item] and plausible[other.item]
                kind = 0 if both else 2 - plausible[own.item]
                pairs.setdefault((low, high), [0, 0, 0])[kind] += 1
    found = [PairCases(labels, *counts) for labels, counts in pairs.items()]
    found.sort(key=lambda each: (-each.hard, -each.cases, each.labels))
    sizes = (len(known), len(said), len(said) - len(plausible), annotators)
    return Plausibility(*sizes, _agreement(said), tuple(found), tuple(wrong), items)


def _answers(
    paths: Sequence[str], known: Mapping[str, Question]
) -> tuple[dict[str, list[bool]], int]:
    """All answers by question, and how many people gave them."""
    said: dict[str, list[bool]] = {}
    people: set[tuple[str, str]] = set()
    for path in dict.fromkeys(paths):
        found = read_judgements(path, columns={"label": "answer"})
        columns = (found.item, found.annotator, found.label)
        for item, annotator, answer in zip(*(c.to_list() for c in columns), strict=True):
            if item not in known:
                raise InputError(
                    f"{path}: there is no question '{item}'.{suggestion(item, [*known][:10_000])}",
                    help="give the options with which the questions were written",
                )
            if answer.lower() not in (*YES, *NO):
                raise InputError(
                    f"{path}: the answer to '{item}' must be yes or no. Got '{answer}' instead."
                )
            said.setdefault(item, []).append(answer.lower() in YES)
            people.add((path, annotator))
    return said, len(people)


def _agreement(said: Mapping[str, Sequence[bool]]) -> float | None:
    """The share of equal pairs of answers."""
    equal = total = 0
    for answers in said.values():
        n, yes = len(answers), sum(answers)
        total += n * (n - 1) // 2
        equal += (yes * (yes - 1) + (n - yes) * (n - yes - 1)) // 2
    return equal / total if total else None
