"""What a crowd said, and what else is known: gold labels, control items, the text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from os import PathLike
from typing import Any

import numpy as np

from tertium.agreement.annotators import coverage_notes, labelled, read_table, sides_of, study_of
from tertium.agreement.crowd_labels import FOREIGN, codes_of
from tertium.agreement.panel import Panel
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int32, Labels, Names, bounds_of
from tertium.exceptions import LayerError, UsageError, counted
from tertium.families.ballots import NOTHING as ABSENT
from tertium.families.ballots import Ballot
from tertium.families.base import Metric, lacks
from tertium.families.family import family_of, voted_metrics, whole_items
from tertium.formats.known_labels import TagDictionary, read_known_labels
from tertium.results.items import NOWHERE, Items
from tertium.results.votes import NOTHING, Votes
from tertium.study.files import File
from tertium.study.walk import walk

AROUND = {"words": 2, "characters": 12}  # of context, on each side


@dataclass(frozen=True, eq=False)
class CrowdData:
    """Votes and what belongs to them.

    - `gold`: the gold label of every item, '' for none; `known`: those of control items
    - `text`: the text that was annotated, or the words of a table
    - `metric`, `ballot`: whose items of a text are voted on, and what makes a layer of them
    - `gold_text`: what gold has of the text, and `judged`, the sentences that it has
    - `joins`: neighbours with the same label are one span; `nothing`: the label of an item that has
      none
    """

    origin: str
    votes: Votes
    gold: Labels | None = None
    known: Labels | None = None
    text: Corpus | None = None
    metric: Metric | None = None
    ballot: Ballot | None = None
    gold_text: Corpus | None = None
    judged: Any = None
    joins: bool = False
    nothing: str = ABSENT
    digest: str = ""
    notes: tuple[str, ...] = ()

    @property
    def items(self) -> Names:
        """The names of items."""
        assert self.votes.ids is not None
        return self.votes.ids

    @property
    def gold_codes(self) -> Int32:
        """Codes of gold labels: -1 for none, -2 for one that nobody gave."""
        assert self.gold is not None
        return codes_of(self.gold, self.votes)

    @property
    def control(self) -> Int32 | None:
        """The same of control items, as models take them."""
        return None if self.known is None else codes_of(self.known, self.votes)

    @property
    def offsets(self) -> Any:
        """Where the items of each sequence begin."""
        return np.array([0, len(self.votes)]) if self.text is None else self.text.offsets

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
        sentence = int(self.text.sentence_of(first))
        begin, end = self.text.offsets[sentence : sentence + 2].tolist()
        size = AROUND.get(self.text.atoms, 0)
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
        spaces = self.text.space_after[first:last].tolist()
        pairs = zip(forms, spaces, strict=True)
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
        tags = [dictionary.of(word) for word in words.names]
        allowed = np.array([[label in found for label in votes.labels] for found in tags], np.bool_)
        table = allowed.reshape(len(tags), len(votes.labels))
        fine = table[words.codes[votes.item], votes.label]
        some = np.bincount(votes.item, fine, len(votes)) > 0
        return votes.take(fine | ~some[votes.item])

    def with_known(self, gold: Any, controls: Any, columns: Any) -> CrowdData:
        """The same with gold labels and control items of files."""
        found = self
        for name, given in (("gold", gold), ("known", controls)):
            if given is None:
                continue
            read = read_known_labels(given, self.items, columns)
            notes = [f"nobody judged {counted(read.foreign, 'item')} of {read.name}"]
            found = replace(found, notes=(*found.notes, *notes[: read.foreign]))
            is_gold = name == "gold"
            found = (
                replace(found, gold=read.labels) if is_gold else replace(found, known=read.labels)
            )
        if controls is not None and (odd := np.flatnonzero(found.control == FOREIGN)).size:
            assert found.known is not None
            label, item = found.known[int(odd[0])], self.items[int(odd[0])]
            note = (
                f"{counted(len(odd), 'control item')} with a label that no annotator gave: every "
            )
            note += f"vote there counts as a guess (the first is '{label}' of item '{item}')"
            found = replace(found, notes=(*found.notes, note))
        return found


def of_table(data: Any, reading: Mapping[str, Any]) -> CrowdData:
    """Judgements one by one."""
    found = read_table(data, reading)
    text = None
    if found.words is not None:
        sizes = [len(found.words)] if found.sentence is None else np.bincount(found.sentence.codes)
        text = Corpus(bounds_of(sizes), found.words, format="columns")
    votes = Votes.from_judgements(found)
    return CrowdData(
        found.origin, votes, found.gold, text=text, joins=found.joins, digest=found.digest
    )


def of_files(sides: Sequence[Any], gold: Any, reading: Mapping[str, Any]) -> CrowdData:
    """Annotated files, one per annotator; a gold file comes last."""
    if isinstance(gold, str | PathLike) and "=" not in str(gold):
        gold = f"(gold)={gold}"  # which may also be one of the annotators
    every = [*sides, *([] if gold is None else [gold])]
    study = study_of(every, {**reading, "lenient": True}, defaults=voted_metrics)
    if len(study.shards) > 1:
        raise UsageError("crowd takes one file per annotator", help="join the files of a folder")
    return next(iter(walk(study, partial(_of_file, has_gold=gold is not None))))


def _of_file(file: File, has_gold: bool) -> CrowdData:
    """What annotators say about the items of the first metric that fits."""
    study, fitted, sides = file.study, file.fitted[0], sides_of(file)
    names = study.gold, *study.systems
    count = len(names) - has_gold
    ballots = family_of(fitted).vote(fitted)
    if len(ballots) != 1:
        what = "several layers at once" if ballots else "what annotators cannot vote on"
        raise UsageError(
            f"{fitted!r} judges {what}", help="'--metric' names tags, spans or dependencies"
        )
    for side in sides:
        if (why := lacks(fitted, side)) is not None:
            raise LayerError(f"{fitted!r}: {why}")
    panel = Panel.of(sides, names, study.align)
    text, items = panel.text, [_items(fitted, panel, n) for n in range(len(sides))]
    covered = None
    if family_of(fitted).share == "recall":
        covered = np.zeros((len(sides), text.sentence_count), np.bool_)
        for has, own in zip(covered, panel.sentences, strict=True):
            has[own] = True
    of_annotators = None if covered is None else covered[:count]
    votes = Votes.from_items(names[:count], items[:count], text.sentence_of_token, of_annotators)
    votes = replace(votes, ids=Names.of(_item_names(text, votes.base)))
    sizes = {name: len(panel.sentences[n]) for n, name in enumerate(names[:count])}
    notes = [*file.notes, *coverage_notes(sizes, text.sentence_count)]
    ballot = replace(ballots[0], column=ballots[0].find(text))
    found = CrowdData(
        text.origin,
        votes,
        text=text,
        metric=fitted,
        ballot=ballot,
        nothing=ABSENT if covered is None else NOTHING,
        notes=tuple(notes),
    )
    if not has_gold:
        return found
    labels = votes.labels_of(items[-1])
    missed = len(items[-1]) - int((labels.codes != labels.names.find("")).sum())
    if covered is not None:
        none = covered[-1][votes.unit]
        labels = Labels.of(
            label or NOTHING * is_judged
            for label, is_judged in zip(labels.to_list(), none.tolist(), strict=True)
        )
        if missed:
            what = counted(missed, fitted.item)
            found = replace(found, notes=(*found.notes, f"{what} of gold that no annotator has"))
    return replace(found, gold=labels, gold_text=sides[-1], judged=panel.sentences[-1])


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
