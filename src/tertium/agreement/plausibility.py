"""Plausibility questions about variation: is a label possible in a context? Where two labels are,
the case is hard; where the one that is annotated is not, it is an error (Plank et al. 2014b)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from typing import Any

from tertium.exceptions import counted
from tertium.formats.questions import Questions, read_answers
from tertium.results.blocks import Block, Shares, Text, table_of_records
from tertium.results.output import LongLook, Rows, picked, record
from tertium.results.texts import number

SHOWN = 20  # pairs of labels in text
KINDS = ("hard", "settled", "wrong")


@dataclass(frozen=True)
class PairCases:
    """The cases in which one of two labels is annotated and the other occurs with the same words.

    - `cases`: all of them; `share`: that of hard ones
    - `of_hard`: the share of the hard cases of all pairs, None where there are none
    - `hard`: both are plausible; `settled`: only the annotated one is; `wrong`: it is not
    """

    labels: tuple[str, ...]
    cases: int
    share: float
    of_hard: float | None
    hard: int
    settled: int
    wrong: int


@dataclass(frozen=True)
class Plausibility:
    """What annotators say about questions.

    - `questions`: how many there are, and `answered`; `tied`: those with as many yes as no
    - `agreement`: the share of equal answers among all pairs of answers to one question
    - `cases`: all pairs of labels in all contexts; `hard`: those with two plausible labels
    - `pairs`: by two labels, the most hard cases first
    - `judged`: the occurrences with an answer for their own label; `wrong`: those of them whose
      label is not plausible, with the labels that are
    - `items`: all annotated items of the corpus
    """

    questions: int
    answered: int
    tied: int
    annotators: int
    agreement: float | None
    cases: int
    hard: int
    pairs: tuple[PairCases, ...]
    judged: int
    wrong: tuple[dict[str, Any], ...]
    items: int

    def to_dict(self) -> dict[str, Any]:
        """`answers` of the JSON output."""
        reason = "no question has answers from two annotators"
        return {**record(self), **({"reason": reason} if self.agreement is None else {})}

    def in_short(self) -> str:
        """How many disagreements are hard cases and errors, and how many annotations are wrong."""
        if not self.cases:
            return "No case has answers for both of its labels"
        errors, wrong = sum(each.wrong for each in self.pairs), len(self.wrong)
        settled, verb = self.cases - self.hard - errors, "is" if wrong == 1 else "are"
        return (
            f"{counted(self.cases, 'disagreement')}: {counted(self.hard, 'hard case')} "
            f"({number(self.hard / self.cases)}%), {settled:,} settled, {counted(errors, 'error')} "
            f"({number(errors / self.cases)}%). {wrong:,} of the {self.judged:,} annotations asked "
            f"about {verb} wrong, at least {number(wrong / self.items)}% of all {self.items:,}"
        )

    def blocks(self, look: LongLook) -> list[Block]:
        """Figure 4 of the paper, the cases behind it, what is wrong, and how many questions were
        answered."""
        names = tuple("-".join(each.labels) for each in self.pairs)
        figure = Shares(
            names,
            ("share of all hard cases", "share of the pair's cases that are hard"),
            tuple((each.of_hard, each.share) for each in self.pairs),
            title="Hard cases by pair of labels",
            axis="pair",
            most=None if look.all else SHOWN,
            reason="no case is hard",
        )
        cases = picked(map(vars, self.pairs), "cases", *KINDS)
        rows: Rows = [{"pair": n, **each} for n, each in zip(names, cases, strict=True)]
        note = (
            "hard: both labels are plausible; settled: only the annotated one; wrong: the "
            "annotated one is not"
        )
        table = table_of_records(rows, title="Cases", note=note)
        told = [
            f"{self.answered:,} of {counted(self.questions, 'question')} answered by "
            f"{counted(self.annotators, 'annotator')}"
        ]
        told += [] if self.agreement is None else [f"agreement {number(self.agreement)}%"]
        told += [f"{self.tied:,} tied and left out"] if self.tied else []
        drawn: list[Block] = [figure, look.shortened(table, SHOWN)] if self.pairs else []
        rows = [{**row, "plausible": ", ".join(row["plausible"]) or "none"} for row in self.wrong]
        wrong = table_of_records(rows, title="Wrong annotations")
        drawn += [look.shortened(wrong, SHOWN)] if rows else []
        return [*drawn, Text(" · ".join(told))]


def judge(asked: Sequence[Questions], paths: Sequence[str], items: int) -> Plausibility:
    """What files of answers say about questions; the majority decides."""
    known = {item for each in asked for item in each.items.values()}
    said, people = read_answers(paths, known)
    equal = sum(comb(sum(s), 2) + comb(len(s) - sum(s), 2) for s in said.values())
    total = sum(comb(len(s), 2) for s in said.values())
    plausible = {item: 2 * sum(s) > len(s) for item, s in said.items() if 2 * sum(s) != len(s)}
    kinds: dict[tuple[str, ...], Counter[str]] = {}
    judged, wrong = 0, []
    for each in asked:
        fine = {label: plausible[i] for label, i in each.items.items() if i in plausible}
        if each.given not in fine:
            continue
        own = fine.pop(each.given)
        judged += 1
        if not own:
            others = [label for label, is_fine in fine.items() if is_fine]
            what = {"item": each.items[each.given], "context": each.context}
            wrong.append({**what, "label": each.given, "plausible": others})
        for label, other in fine.items():
            kind = "wrong" if not own else "hard" if other else "settled"
            kinds.setdefault(tuple(sorted((label, each.given))), Counter())[kind] += 1
    hard = sum(n["hard"] for n in kinds.values())
    pairs = []
    for labels, n in kinds.items():
        share, of_hard = n["hard"] / n.total(), n["hard"] / hard if hard else None
        pairs.append(PairCases(labels, n.total(), share, of_hard, *(n[kind] for kind in KINDS)))
    pairs.sort(key=lambda each: (-each.hard, -each.cases, each.labels))
    sizes = (len(known), len(said), len(said) - len(plausible), len(people))
    cases, agreement = sum(n.total() for n in kinds.values()), equal / total if total else None
    found = tuple(pairs), judged, tuple(wrong), items
    return Plausibility(*sizes, agreement, cases, hard, *found)
