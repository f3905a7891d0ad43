"""What a crowd said, and what else is known: gold labels, control items, the text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from os import PathLike
from typing import Any

import numpy as np

from tertium.agreement.annotators import labelled, read_table
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int32, Labels, Names, bounds_of
from tertium.exceptions import UsageError, counted
from tertium.families.ballots import NOTHING as ABSENT
from tertium.families.ballots import Ballot
from tertium.families.base import Metric
from tertium.families.family import family_of, voted_metrics, whole_items
from tertium.formats.known_labels import TagDictionary, read_known_labels
from tertium.results.items import NOWHERE, Items
from tertium.results.votes import NOTHING, Votes
from tertium.study.panel import Panel

AROUND = {"words": 2, "characters": 12}  # of context, on each side


@dataclass(frozen=True, eq=False)
class CrowdData:
    """Votes and what belongs to them.

    - `gold`: the gold label of every item, '' for none; `control`: codes of known ones, -1 for none
    - `text`: the text that was annotated, or the words of a table; `gold_text`: the sentences of
      it that gold has, whose numbers are `judged`
    - `metric`, `ballot`: whose items of a text are voted on, and what makes a layer of them
    - `nothing`: the label of an item that has none; `joins`: neighbours with one label are one span
    """

    origin: str
    votes: Votes
    gold: Labels | None = None
    control: Int32 | None = None
    text: Corpus | None = None
    gold_text: Corpus | None = None
    judged: Any = None
    metric: Metric | None = None
    ballot: Ballot | None = None
    nothing: str = ABSENT
    joins: bool = False
    digest: str = ""
    notes: tuple[str, ...] = ()

    @property
    def items(self) -> Names:
        """The names of items."""
        assert self.votes.ids is not None
        return self.votes.ids

    @cached_property
    def gold_codes(self) -> Int32:
        """Codes of gold labels: -1 for none, -2 for one that nobody gave."""
        assert self.gold is not None
        names, labels = self.gold.names, self.votes.labels
        codes = [labels.find(name) if name in labels else -2 if name else -1 for name in names]
        return np.array(codes or [-1], np.int32)[self.gold.codes]

    @cached_property
    def words(self) -> list[str] | None:
        """The words of every item; None where there are none."""
        if self.text is None or self.text.forms is None:
            return None
        base = self.votes.base
        if base is None or (base.end - base.start == 1).all():
            return (self.text.forms if base is None else self.text.forms.take(base.start)).to_list()
        return [self._text(*self._tokens(row)) for row in range(len(self.votes))]

    def context(self, row: int) -> str:
        """An item in brackets, with the words around it."""
        assert self.text is not None
        first, last = self._tokens(row)
        sentence, size = int(self.text.sentence_of(first)), AROUND.get(self.text.atoms, 0)
        begin, end = self.text.offsets[sentence : sentence + 2].tolist()
        low, high = max(begin, first - size), min(end, last + size)
        parts = (self._text(low, first), f"[{self._text(first, last)}]", self._text(last, high))
        inner = " ".join(filter(None, parts))
        return f"{'… ' * (low > begin)}{inner}{' …' * (high < end)}"

    def _tokens(self, row: int) -> tuple[int, int]:
        base = self.votes.base
        return (row, row + 1) if base is None else (int(base.start[row]), int(base.end[row]))

    def _text(self, first: int, last: int) -> str:
        assert self.text is not None
        assert self.text.forms is not None
        forms = self.text.forms.names.some(self.text.forms.codes[first:last])
        pairs = zip(forms, self.text.space_after[first:last].tolist(), strict=True)
        return "".join(form + " " * is_apart for form, is_apart in pairs).rstrip()

    def licensed(self, dictionary: TagDictionary) -> Votes:
        """The votes that a dictionary allows; all votes of a word that it does not have, or none of
        whose votes it allows (Hovy, Plank and Søgaard 2014, section 4)."""
        if self.words is None:
            raise UsageError(
                f"{self.origin} has no words to look up in a dictionary",
                help="'--columns word=NAME' names the column of words",
            )
        votes, words = self.votes, Labels.of(self.words)
        fine = dictionary.allows(words.names, votes.labels)[words.codes[votes.item], votes.label]
        some = np.bincount(votes.item, fine, len(votes)) > 0
        return votes.take(fine | ~some[votes.item])

    def with_gold(self, given: Any, columns: Any) -> CrowdData:
        """The same with the gold labels of a file."""
        known = read_known_labels(given, self.items, columns)
        return replace(self, gold=known.labels, notes=(*self.notes, *known.notes))

    def with_controls(self, given: Any, columns: Any) -> CrowdData:
        """The same with control items; labels that only they have are labels, too."""
        known, votes = read_known_labels(given, self.items, columns), self.votes
        new = [name for name in known.labels.used_names() if name and votes.labels.find(name) < 0]
        notes = known.notes
        if new:
            row = int(known.labels.where(new[0])[0])
            count = sum(len(known.labels.where(name)) for name in new)
            notes.append(
                f"{counted(count, 'control item')} with a label that no annotator gave: every vote "
                f"there counts as a guess (the first is '{new[0]}' of item '{self.items[row]}')"
            )
        names = Names.of([*votes.labels, *new])
        codes = np.array([names.find(name) if name else -1 for name in known.labels.names] or [-1])
        control = codes[known.labels.codes].astype(np.int32)
        votes, notes = replace(votes, labels=names), [*self.notes, *notes]
        return replace(self, votes=votes, control=control, notes=tuple(notes))


def of_table(data: Any, reading: Mapping[str, Any]) -> CrowdData:
    """Judgements one by one."""
    found, text = read_table(data, reading), None
    if found.words is not None:
        sizes = [len(found.words)] if found.sentence is None else np.bincount(found.sentence.codes)
        text = Corpus(bounds_of(sizes), found.words, format="columns")
    about = {"text": text, "joins": found.joins, "digest": found.digest}
    return CrowdData(found.origin, Votes.from_judgements(found), found.gold, **about)  # type: ignore[arg-type]


def of_files(sides: Sequence[Any], gold: Any, reading: Mapping[str, Any], way: Any) -> CrowdData:
    """What annotators say about the items of the first metric that fits, in annotated files."""
    if isinstance(gold, str | PathLike) and "=" not in str(gold):
        gold = f"(gold)={gold}"  # which may also be one of the annotators
    every = [*sides, *([] if gold is None else [gold])]
    count, options = len(sides), {**reading, "lenient": True, "also": None}
    panel = Panel.read(every, voted_metrics, options, way)
    fitted = panel.fitted[0]
    ballots = family_of(fitted).vote(fitted)
    several = len(ballots) > 1 or len(panel.study.metrics or ()) > 1
    if several or not ballots:
        raise UsageError(
            "annotators vote on one layer at a time"
            if several
            else f"annotators cannot vote on what {fitted!r} judges",
            help="'--metric' names one metric of tags, spans or dependencies",
        )
    panel.check(fitted)
    own = panel.sentences[:count]
    text = panel.text.take(np.arange(1 + max(int(each.max(initial=-1)) for each in own)))
    items = [_items(fitted, panel, n) for n in range(len(every))]
    covered = None
    if family_of(fitted).share == "recall":
        covered = np.zeros((len(every), panel.text.sentence_count), np.bool_)
        for row, sentences in zip(covered, panel.sentences, strict=True):
            row[sentences] = True
        covered = covered[:, : text.sentence_count]
    units, has = text.sentence_of_token, None if covered is None else covered[:count]
    votes = Votes.from_items(panel.names[:count], items[:count], units, has)
    found = CrowdData(
        text.origin,
        replace(votes, ids=Names.of(_item_names(text, votes.base))),
        text=text,
        metric=fitted,
        ballot=replace(ballots[0], column=ballots[0].find(text)),
        nothing=ABSENT if covered is None else NOTHING,
        notes=(*panel.notes, *panel.coverage),
    )
    if gold is None:
        return found
    labels = votes.labels_of(items[-1])
    missed = len(items[-1]) - int((labels.codes != labels.names.find("")).sum())
    notes = []
    if covered is not None:
        judged = covered[-1][votes.unit].tolist()
        pairs = zip(labels.to_list(), judged, strict=True)
        labels = Labels.of(label or NOTHING * is_judged for label, is_judged in pairs)
        if missed:
            notes.append(f"{counted(missed, fitted.item)} of gold that no annotator has")
    there = np.flatnonzero(panel.sentences[-1] < text.sentence_count)
    return replace(
        found,
        gold=labels,
        gold_text=panel.sides[-1].take(there),
        judged=panel.sentences[-1][there],
        notes=(*found.notes, *notes),
    )


def _items(fitted: Metric, panel: Panel, side: int) -> Items:
    """The items of a side over the text; words without a label or a head are none."""
    items = whole_items(fitted, panel.sides[side])
    found = panel.over(side, items)
    if not items.is_token:
        return found
    has = labelled(found.label) if found.second is None else found.second > NOWHERE
    return found.take(np.flatnonzero(has))


def _item_names(text: Corpus, items: Items | None) -> Iterator[str]:
    """Sentence and numbers of words: `s1:3`, `s1:4-5`; of several in one place the second is
    `s1:3#2`."""
    assert items is not None
    ids = [text.sentence_id(number) for number in range(text.sentence_count)]
    if len({*ids}) < len(ids):
        ids = [str(number) for number in range(1, len(ids) + 1)]
    sentence = text.sentence_of(items.start)
    begin = text.offsets[sentence]
    columns = (sentence, items.start - begin + 1, items.end - begin)
    seen: Counter[str] = Counter()
    for place, first, last in zip(*(column.tolist() for column in columns), strict=True):
        name = f"{ids[place]}:{first}" + (f"-{last}" if last > first else "")
        seen[name] += 1
        yield name if seen[name] == 1 else f"{name}#{seen[name]}"
