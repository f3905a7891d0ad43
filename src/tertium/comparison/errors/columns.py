"""What is wrong in one system's file: rows of decisions, and each of them as an instance."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from tertium.comparison.errors.contexts import Contexts, Marks, SentenceTexts
from tertium.comparison.errors.instances import Head, Instance, Item
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int64
from tertium.exceptions import UsageError, suggestion
from tertium.families.keys import NONE, document_names
from tertium.results.decisions import CORRECT, EXCUSED, OUTCOMES
from tertium.results.items import NOWHERE, ROOT, Items, runs
from tertium.results.sentences import sentence_ids
from tertium.study.judgement import Judgement

NO_LABEL = ("none", "_")  # how a filter says that a side has no label
GAP = " … "  # between the parts of a span with gaps


class SideItems:
    """The items of one corpus. `kept` are the numbers that gold sentences have in their file where
    some were left out: those of a system too, unless it divides documents into other sentences.
    `texts` is None where there are no words."""

    def __init__(self, corpus: Corpus, items: Items, kept: Int64 | None) -> None:
        divides_alike = kept is None or len(kept) == corpus.sentence_count
        self.corpus, self.items, self.kept = corpus, items, kept if divides_alike else None
        self.texts: SentenceTexts | None = None

    @cached_property
    def ids(self) -> list[str]:
        """The id of every sentence, or its number in the file, counted from 1."""
        return sentence_ids(self.corpus, self.kept)

    def runs(self, row: int) -> list[tuple[int, int]]:
        """First and last token of every stretch of an item without gaps."""
        start, end = int(self.items.start[row]), int(self.items.end[row])
        if self.items.tokens is None or len(self.items.tokens[row]) == end - start:
            return [(start, max(end - 1, start))]
        return runs((start + self.items.tokens[row]).tolist())

    def marks(self, row: int) -> Marks:
        """What is to be marked in the sentence; nothing for row -1."""
        if row < 0:
            return Marks()
        return Marks(tuple(self.runs(row)), max(self._head(row), -1))

    def item(self, row: int) -> Item | None:
        """One item; None for row -1."""
        if row < 0:
            return None
        corpus, runs = self.corpus, self.runs(row)
        first, last = runs[0][0], runs[-1][1]
        sentence = int(corpus.sentence_of(first))
        base = int(corpus.offsets[sentence])
        numbered = corpus.atoms != "characters"
        text, start, end = self._text(sentence, [(a - base, z - base) for a, z in runs])
        if self.items.end[row] == self.items.start[row]:
            text, end = "", start  # over no word
        return Item(
            label=self.items.label[row],
            file=corpus.origin,
            sentence=self.ids[sentence],
            line=int(corpus.lines[first]) if corpus.lines is not None else None,
            first=first - base + 1 if numbered else None,
            last=last - base + 1 if numbered else None,
            tokens=tuple(t - base + 1 for a, z in runs for t in range(a, z + 1))
            if len(runs) > 1 and numbered
            else None,
            start=start,
            end=end,
            text=text,
            head=self._named(self._head(row), sentence),
            detail=self.items.detail(row),
        )

    def _text(
        self, sentence: int, runs: Sequence[tuple[int, int]]
    ) -> tuple[str | None, int | None, int | None]:
        """The words of some runs, and their characters in the text where that is known."""
        if self.texts is None:
            return None, None, None
        line, written = self.texts.line(sentence), self.texts.written(sentence)
        text = GAP.join(line.text[line.start[a] : line.end[z]] for a, z in runs)
        if written is None:
            return text, None, None
        return text, written.start[runs[0][0]], written.end[runs[-1][1]]

    def _head(self, row: int) -> int:
        """The head's token, ROOT or NOWHERE."""
        return NOWHERE if self.items.second is None else int(self.items.second[row])

    def _named(self, head: int, sentence: int) -> Head | None:
        """The head of an item in a sentence by its number in its own."""
        if head == NOWHERE:
            return None
        if head == ROOT:
            return Head(0)
        own = int(self.corpus.sentence_of(head))
        number = head - int(self.corpus.offsets[own]) + 1
        words = None if self.texts is None else self.corpus.forms
        form = None if words is None else words[head]
        return Head(number, form, None if own == sentence else self.ids[own])


@dataclass(frozen=True)
class Filters:
    """Which errors are wanted; nothing given means all.

    A type stands for all that begin with it, whatever the case: `be` for BEs, BEl and BEo. Labels
    are taken exactly; `none` or `_` also means that there is no label. Sentences are named by id.
    """

    types: tuple[str, ...] = ()
    gold_labels: tuple[str, ...] = ()
    system_labels: tuple[str, ...] = ()
    sentences: tuple[str, ...] = ()


class ErrorColumns:
    """The errors of one system in one pair of files. Columns until an instance is asked for."""

    def __init__(self, judged: Judgement, metric: str) -> None:
        fitted, file = judged.fitted, judged.file
        self.gold, self.corpus, self.alignment = judged.gold, judged.corpus, judged.alignment
        self.metric, self.name, self.judged = metric, judged.system.name, judged
        self.decisions = judged.decisions
        ours, theirs = self.decisions.gold_items, self.decisions.system_items
        if ours is None or theirs is None:
            raise UsageError(f"{fitted!r} does not record positions, so errors cannot be shown")
        self.gold_row, self.system_row = self.decisions.gold_row, self.decisions.system_row
        self.sides = (
            SideItems(self.gold, ours, file.kept),
            SideItems(self.corpus, theirs, file.kept),
        )
        self.scenes, self.sentence = judged.scenes(), judged.sentence

    @cached_property
    def wrong(self) -> Int64:
        """Rows that are errors, in the order of the text."""
        return self.in_order(np.flatnonzero(~self.decisions.right))

    def in_order(self, rows: Int64) -> Int64:
        """Some rows in the order of the text: by sentences, and by what stands there."""
        over, sentence = self.judged.over_sentences, self.sentence[rows]
        place = np.full(len(rows), np.iinfo(np.int64).max)
        columns = (over.gold_start, over.unit_of_gold), (over.system_start, over.unit_of_system)
        for side, of_row, (start, unit) in zip(
            self.sides, (self.gold_row, self.system_row), columns, strict=True
        ):
            here = np.flatnonzero(of_row[rows] >= 0)
            tokens = side.items.start[of_row[rows[here]]]
            here, tokens = (each[unit[tokens] == sentence[here]] for each in (here, tokens))
            place[here] = np.minimum(place[here], start[tokens])
        return rows[np.lexsort((rows, place, sentence))]

    @cached_property
    def types(self) -> tuple[tuple[str, ...], Int64]:
        """Names of error types and every row's code; where the metric gives none, the outcome."""
        decisions = self.decisions
        code = decisions.error_type.astype(np.int64)
        silent = np.array([name == "none" for name in decisions.error_types], np.bool_)
        code = np.where(silent[code], len(silent) + decisions.outcome.astype(np.int64), code)
        return (*decisions.error_types, *OUTCOMES), code

    def known_types(self) -> list[str]:
        """The types of error that the metric knows."""
        named = [t for t in self.decisions.error_types[1:] if t != "none"]
        excused = OUTCOMES[EXCUSED : EXCUSED + (self.decisions.outcome == EXCUSED).any()]
        return [*named, *excused] if named else [*OUTCOMES[1:]]

    def counts(self, rows: Int64) -> dict[str, int]:
        """How many of the rows are of each type, in the metric's order."""
        names, code = self.types
        found = np.bincount(code[rows], minlength=len(names)).tolist()
        return {name: count for name, count in zip(names, found, strict=True) if count}

    def listed(self, filters: Filters) -> Int64:
        """All errors in the order of the text, and what is excused if that is named as a type."""
        if any(OUTCOMES[EXCUSED].startswith(text.lower()) for text in filters.types if text):
            return self.in_order(np.flatnonzero(self.decisions.outcome != CORRECT))
        return self.wrong

    def matching(self, filters: Filters) -> Int64:
        """The errors that pass the filters, in the order of the text."""
        rows = self.listed(filters)
        decisions = self.decisions
        if filters.types:
            names, code = self.types
            wanted = _matched(filters.types, names, self.known_types())
            rows = rows[wanted[code[rows]]]
        for given, column in (
            (filters.gold_labels, decisions.gold),
            (filters.system_labels, decisions.system),
        ):
            if given:
                codes = [c for c in map(decisions.names.find, given) if c >= 0]
                codes += [-1 for label in given if label in NO_LABEL]
                rows = rows[np.isin(column[rows], codes)]
        if filters.sentences:
            ids = self.sides[0].ids
            units = [i for i in range(len(ids)) if ids[i] in filters.sentences]
            rows = rows[np.isin(self.sentence[rows], units)]
        return rows

    def unmet(self, filters: Filters) -> frozenset[tuple[str, str]]:
        """Labels and sentences of the filters that do not occur here: what it is, and its name."""
        labels = {*filters.gold_labels, *filters.system_labels} - {*NO_LABEL}
        found = {("label", name) for name in labels if self.decisions.names.find(name) < 0}
        if filters.sentences:
            there = set(self.sides[0].ids)
            found |= {("sentence", name) for name in filters.sentences if name not in there}
        return frozenset(found)

    def instances(self, rows: Iterable[int], context: int) -> Iterator[Instance]:
        """The chosen rows one by one."""
        contexts = Contexts(self.gold, self.corpus, self.alignment, context)
        self.sides[0].texts, self.sides[1].texts = contexts.gold_texts, contexts.system_texts
        decisions = self.decisions
        names, code = self.types
        labels: Sequence[str | None] = [*decisions.names, None]
        before, scene = -1, None
        for row in rows:
            unit = int(self.sentence[row])
            if unit != before:
                before = unit
                is_drawn = self.scenes.has_heads or self.scenes.has_trees
                scene = self.scenes.scene(unit) if is_drawn else None
            ours, theirs = int(self.gold_row[row]), int(self.system_row[row])
            yield Instance(
                system=self.name,
                metric=self.metric,
                type=names[code[row]],
                outcome=OUTCOMES[decisions.outcome[row]],
                gold_label=labels[decisions.gold[row]],
                system_label=labels[decisions.system[row]],
                unit=unit,
                sentence=self.sides[0].ids[unit],
                file=self.gold.origin,
                document=self._documents[unit],
                gold_item=self.sides[0].item(ours),
                system_item=self.sides[1].item(theirs),
                context=contexts.context(
                    unit, self.sides[0].marks(ours), self.sides[1].marks(theirs)
                ),
                scene=scene,
            )

    @cached_property
    def _documents(self) -> list[str | None]:
        if not self.gold.document_marks.any():
            return [None] * self.gold.sentence_count
        return [None if name == NONE else name for name in document_names(self.gold)]


def _matched(
    wanted: Sequence[str], names: Sequence[str], known: Sequence[str]
) -> npt.NDArray[np.bool_]:
    """Which of the named types are wanted; unknown ones are refused."""
    lower = [name.lower() for name in names]
    found = np.zeros(len(names), np.bool_)
    for text in wanted:
        if not text or not any(k.lower().startswith(text.lower()) for k in known):
            raise UsageError(
                f"there is no error type '{text}'.{suggestion(text, known)}",
                help=f"there are: {', '.join(known)}",
            )
        found |= np.array([name.startswith(text.lower()) for name in lower], np.bool_)
    return found
