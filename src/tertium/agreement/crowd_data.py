"""What a crowd said, and what else is known: gold labels, control items, the text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from os import PathLike
from typing import Any

import numpy as np

from tertium import registry
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int32, Int64, Labels, Names, bounds_of
from tertium.exceptions import UsageError, counted
from tertium.families.ballots import BLANK, Ballot
from tertium.families.base import divide
from tertium.families.family import family_of, voted_metrics, whole_items
from tertium.families.token_labels import complete
from tertium.formats.known_labels import FOREIGN, TagDictionary, codes_among, read_known_labels
from tertium.results.items import Items
from tertium.results.names import pseudonyms
from tertium.results.sentences import Passages, item_names
from tertium.results.texts import listed
from tertium.results.votes import NOTHING, Bools, Floats, Votes, values_of
from tertium.significance.score.counts import reading_settings
from tertium.study.judgements import read_table
from tertium.study.panel import Panel

GRADES = 10  # so many labels that are numbers are degrees of something


@dataclass(frozen=True, eq=False)
class CrowdData:
    """Votes and what belongs to them.

    - `items`: the names of items
    - `text`: what was annotated; of a table, its items as words, if it says what these are
    - `gold`: the gold label of every item, '' for none; `control`: codes of known ones, -1 for none
    - `gold_text`: the sentences of the text that gold has, whose numbers are `judged`
    - `ballot`: of annotated files, what makes a layer of votes on the items of its metric
    - `nothing`: the label of an item that has none; `joins`: neighbours with one label are one span
    - `text_of`: of sentences that are tasks about the same words, the number of their text
    - `settings`: what a signature says about how votes were read; `new_names`: of their labels
    - `order`: of every item of a table, which one of the file it is; None if they are as there
    - `people`: the annotators' own names, which chance goes by, whatever they are called
    """

    votes: Votes
    items: Names
    text: Corpus
    gold: Labels | None = None
    control: Int32 | None = None
    gold_text: Corpus | None = None
    judged: Any = None
    ballot: Ballot | None = None
    nothing: str = BLANK
    joins: bool = False
    text_of: Int64 | None = None
    settings: Mapping[str, object] = field(default_factory=dict)
    new_names: Mapping[str, str] = field(default_factory=dict)
    order: Int64 | None = None
    people: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @cached_property
    def gold_codes(self) -> Int32:
        """Codes of gold labels: -1 for none, -2 for one that nobody gave. Control items have none:
        their labels are given, so none of them can be right or wrong."""
        none = Labels.constant("", len(self.votes))
        found = codes_among(none if self.gold is None else self.gold, self.votes.labels)
        return found if self.control is None else np.where(self.control < 0, found, np.int32(-1))

    @cached_property
    def right(self) -> Bools:
        """Which votes are those of gold."""
        found: Bools = self.votes.label == self.gold_codes[self.votes.item]
        return found

    @cached_property
    def oracle(self) -> dict[str, Any] | None:
        """The share of items with gold and votes that at least one vote has right; the others by
        gold label and votes, the most frequent first. None without gold."""
        if self.gold is None:
            return None
        judged = np.flatnonzero((self.gold_codes != -1) & (self.votes.size > 0))
        rows = np.setdiff1d(judged, self.votes.item[self.right]).tolist()
        found = Counter((self.gold[row], self.votes.ballot(row)) for row in rows)
        lost = [
            {"gold": label, "ballot": ballot, "count": count}
            for (label, ballot), count in sorted(found.items(), key=lambda e: (-e[1], e[0]))
        ]
        accuracy = 1 - len(rows) / len(judged) if len(judged) else None
        return {"accuracy": accuracy, "items": len(judged), "lost": lost}

    @property
    def accuracy(self) -> Floats:
        """Which share of the votes of each annotator is right, on items with a gold label."""
        judged = self.gold_codes[self.votes.item] != -1
        return divide(self.by_annotator(self.right), self.by_annotator(judged))

    def by_annotator(self, which: Bools | None = None) -> Any:
        """How many votes each annotator gave, or how many of some."""
        return np.bincount(self.votes.side, which, len(self.votes.sides))

    @cached_property
    def words(self) -> list[str] | None:
        """The words of every item; None where there are none."""
        if not self.text.has_words:
            return None
        base: Any = self.votes.base
        return [*map(self.passages.text, base.start.tolist(), base.end.tolist())]

    @cached_property
    def passages(self) -> Passages:
        """Items in their contexts."""
        return Passages(self.text)

    def context(self, row: int) -> str:
        """An item in brackets, in its sentence."""
        base: Any = self.votes.base
        return self.passages.context(int(base.start[row]), int(base.end[row]), whole=True)

    def licensed(self, dictionary: TagDictionary) -> Votes:
        """The votes that a dictionary allows; all votes of a word that it does not have, or none of
        whose votes it allows (Hovy, Plank and Søgaard 2014, section 4)."""
        if self.words is None:
            raise UsageError(
                f"{self.text.origin} has no words to look up in a dictionary",
                help="'--columns word=NAME' names the column of words",
            )
        if self.votes.base is not None and self.votes.base.second is not None:
            raise UsageError("a dictionary lists tags of words, but these votes are on heads")
        votes, words = self.votes, Labels.of(self.words)
        fine = dictionary.allows(words.names, votes.labels)[words.codes[votes.item], votes.label]
        some = np.bincount(votes.item, fine, len(votes)) > 0
        return votes.take(fine | ~some[votes.item])

    @property
    def remarks(self) -> list[str]:
        """What a reader must know about the votes, whatever becomes of them."""
        votes, found, counts = self.votes, [*self.notes], np.bincount(self.votes.label)
        silent = [who for who, n in zip(votes.sides, self.by_annotator(), strict=True) if not n]
        lone = {"no items in common with other annotators": votes.alone, "no votes": silent}
        found += [f"the competence of {listed(w)} is unreliable: {y}" for y, w in lone.items() if w]
        if self.gold is not None and (rows := np.flatnonzero(self.gold_codes == FOREIGN)).size:
            items, label = counted(len(rows), "item"), self.gold[rows[0]]
            found.append(f"no annotator uses the gold label of {items}, such as '{label}'")
        if values_of(votes.labels) is not None and len(votes.labels) >= GRADES:
            found.append("numbers are treated as names: 8 and 0 are equally far from 7")
        if counts.max() == len(votes.item):
            found.append(f"every vote is '{votes.labels[int(counts.argmax())]}'")
        if (most := int(votes.size.max())) == 1:
            found.append("every item has a single vote, so there is nothing to agree on")
        elif most == 2 and np.bincount(votes.cells[0]).max() > 1:
            found.append("no item has more than two votes, so nothing shows which of two is right")
        return found

    def with_controls(self, given: Any, columns: Any) -> CrowdData:
        """The same with control items; labels that only they have are labels, too."""
        how, votes = (columns, self.order, self.new_names), self.votes
        known = read_known_labels(given, self.items, *how)
        notes = [*self.notes, *known.notes]
        notes += ["control items do not count in accuracy"] * (self.gold is not None)
        if (new := np.flatnonzero(codes_among(known.labels, votes.labels) == FOREIGN)).size:
            first = f"'{known.labels[new[0]]}' of item '{self.items[new[0]]}'"
            items = counted(len(new), "control item")
            notes.append(f"no annotator gave the label of {items} (the first is {first})")
        names = Names.of([*votes.labels, *dict.fromkeys(known.labels.take(new).to_list())])
        control, votes = codes_among(known.labels, names), replace(votes, labels=names)
        settings = {**self.settings, "controls": known.name}
        return replace(self, votes=votes, control=control, settings=settings, notes=tuple(notes))


def of_table(data: Any, reading: Mapping[str, Any], gold: Any, *, hides_names: bool) -> CrowdData:
    """Judgements one by one."""
    found = read_table(data, reading, hides_names=hides_names)
    items = found.item.names
    sizes = [len(items)] if found.sentence is None else np.bincount(found.sentence.codes)
    format = "" if found.words is None else "columns"
    text = Corpus(bounds_of(sizes), found.words, origin=found.origin, format=format)
    base = Items.of_tokens(Labels.constant("", len(items)))
    votes = replace(Votes.from_judgements(found), base=base)
    about = {name: getattr(found, name) for name in ("joins", "new_names", "order", "people")}
    if found.text is not None and len(found.text.names) < len(found.text):
        tasks, texts = counted(len(found.text), "task"), counted(len(found.text.names), "text")
        about |= {"text_of": found.text.codes, "notes": (f"{tasks} are about {texts}",)}
    made = CrowdData(votes, items, text, found.gold, settings=found.settings, **about)
    if gold is None:
        return made
    known = read_known_labels(gold, items, reading.get("columns"), found.order, found.new_names)
    notes = [*made.notes, *known.notes]
    notes += [f"gold labels are those of {known.file}, not of the table"] * (found.gold is not None)
    settings = {**found.settings, "gold": known.name}
    return replace(made, gold=known.labels, settings=settings, notes=tuple(notes))


def of_files(
    sides: Sequence[Any], reading: Mapping[str, Any], gold: Any, way: Any, *, hides_names: bool
) -> CrowdData:
    """What annotators say about the items of the first metric that fits, in annotated files."""
    if isinstance(gold, str | PathLike) and "=" not in str(gold):
        gold = f"(gold)={gold}"  # which may also be one of the annotators
    count, every = len(sides), [*sides, *([] if gold is None else [gold])]
    panel = Panel.read(every, voted_metrics, {**reading, "lenient": True, "also": None}, way)
    people = panel.names[:count]
    panel = panel.renamed(pseudonyms(people)) if hides_names else panel
    fitted = panel.fitted[0]
    ballots = family_of(fitted).vote(fitted)
    if len(ballots) != 1 or len(panel.study.metrics or ()) > 1:
        why = "annotators vote on one layer at a time"
        why = why if ballots else f"the items of {fitted!r} cannot be voted on"
        raise UsageError(why, help="'--metric' names one metric of tags, spans or dependencies")
    panel.check(fitted)
    whole, own = [whole_items(fitted, side) for side in panel.sides], panel.sentences
    found = [(panel.over(n, each), each.is_token) for n, each in enumerate(whole)]
    items = [complete(each) if is_token else each for each, is_token in found]
    sentences = np.arange(1 + max(int(each.max(initial=-1)) for each in own[:count]))
    format = panel.text.format if registry.knows("formats", panel.text.format) else ""
    text = replace(panel.text.take(sentences), origin=panel.names[0], format=format)
    finds = family_of(fitted).share == "recall"  # to leave out an item is a vote, too
    covered = np.array([np.isin(sentences, each) for each in own[:count]]) if finds else None
    votes = Votes.from_items(panel.names[:count], items[:count], text.sentence_of_token, covered)
    base: Any = votes.base
    made = CrowdData(
        votes,
        Names.of(item_names(text, base)),
        text,
        ballot=replace(ballots[0], column=ballots[0].find(text)),
        nothing=NOTHING if finds else BLANK,
        people=people,
        new_names=panel.new_names,
        settings=reading_settings(panel.study),
        notes=(*panel.notes, *panel.coverage),
    )
    if gold is None:
        return made
    labels, notes = votes.labels_of(items[-1]), [*made.notes]
    if finds:
        if missed := len(items[-1]) - sum(map(bool, labels.to_list())):
            notes.append(f"{counted(missed, fitted.item)} of gold that no annotator has")
        pairs = zip(labels.to_list(), np.isin(votes.unit, own[-1]).tolist(), strict=True)
        labels = Labels.of(label or NOTHING * is_judged for label, is_judged in pairs)
    there = np.flatnonzero(own[-1] < len(sentences))
    gold_text, judged = panel.sides[-1].take(there), own[-1][there]
    return replace(made, gold=labels, gold_text=gold_text, judged=judged, notes=tuple(notes))
