"""What a crowd said, and what else is known: gold labels, control items, words, a dictionary."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from tertium.agreement.crowd_labels import FOREIGN, controls_of
from tertium.agreement.overlap import divided, in_memory, shared_sentences
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int32, Int64, Labels, Names, bounds_of, unite
from tertium.exceptions import AlignmentError, InputError, UsageError, counted
from tertium.families.base import Metric
from tertium.families.token_labels import label_column, token_votes
from tertium.formats.judgements import Judgements, read_judgements
from tertium.formats.known_labels import TagDictionary, load_dictionary, read_known_labels
from tertium.results.votes import Votes
from tertium.study.files import File
from tertium.study.study import Study
from tertium.study.walk import walk


@dataclass(frozen=True, eq=False)
class CrowdData:
    """Votes and what belongs to them.

    - `gold`: the gold label of every item, '' for none
    - `known`: the labels of control items, '' for none; `control`: their codes, as models take them
    - `words`, `offsets`: of the items, where they are tokens; where sentences begin
    - `base`, `column`: the text that was annotated, and the column that was voted on
    - `joins`: neighbours with the same label are one span
    """

    origin: str
    votes: Votes
    gold: Labels | None = None
    known: Labels | None = None
    control: Int32 | None = None
    words: Labels | None = None
    offsets: Int64 | None = None
    base: Corpus | None = None
    column: str = ""
    joins: bool = False
    digest: str = ""
    notes: tuple[str, ...] = ()

    @property
    def items(self) -> Names:
        """The names of items."""
        assert self.votes.ids is not None
        return self.votes.ids

    def licensed(self, dictionary: TagDictionary) -> Votes:
        """The votes that a dictionary allows; all votes of a word that it does not have, or none of
        whose votes it allows (Hovy, Plank and Søgaard 2014, section 4)."""
        if self.words is None:
            raise UsageError(
                f"{self.origin} has no words to look up in a dictionary",
                help="'--columns word=NAME' names the column of words",
            )
        labels, votes = self.votes.labels.strings, self.votes
        tags = [dictionary.of(word) for word in self.words.names]
        allowed = np.array([[label in found for label in labels] for found in tags], np.bool_)
        fine = allowed.reshape(len(tags), len(labels))[self.words.codes[votes.item], votes.label]
        some = np.bincount(votes.item, fine, len(votes)) > 0
        return votes.take(fine | ~some[votes.item])

    @property
    def gold_codes(self) -> Int32:
        """Codes of gold labels: -1 for none, -2 for one that nobody gave."""
        assert self.gold is not None
        return controls_of(self.gold, self.votes)

    def with_known(self, gold: Any, controls: Any, columns: str | None) -> CrowdData:
        """The same with gold labels and control items of files."""
        found, items = self, self.items
        for name, given in (("gold", gold), ("controls", controls)):
            if given is None:
                continue
            known = read_known_labels(given, items, columns)
            if known.foreign:
                note = f"nobody judged {counted(known.foreign, 'item')} of {known.name}"
                found = replace(found, notes=(*found.notes, note))
            if name == "gold":
                found = replace(found, gold=known.labels)
                continue
            codes = controls_of(known.labels, self.votes)
            if (unknown := np.flatnonzero(codes == FOREIGN)).size:
                label, item = known.labels[int(unknown[0])], items[int(unknown[0])]
                many = counted(len(unknown), "control item")
                note = f"{many} with a label that no annotator gave: every vote there counts as a "
                note += f"guess (the first is '{label}' of item '{item}')"
                found = replace(found, notes=(*found.notes, note))
            found = replace(found, known=known.labels, control=codes)
        return found


def of_table(data: Any, columns: str | None) -> CrowdData:
    """Judgements one by one."""
    found: Judgements = read_judgements(data, columns=columns)
    offsets = None
    if found.sentence is not None:
        offsets = bounds_of(np.bincount(found.sentence.codes))
    elif found.words is not None:
        offsets = np.array([0, len(found.words)])
    return CrowdData(
        found.origin,
        Votes.from_judgements(found),
        found.gold,
        words=found.words,
        offsets=offsets,
        joins=found.joins,
        digest=found.digest,
    )


def of_files(sides: Sequence[Any], gold: Any, column: str | None, **reading: Any) -> CrowdData:
    """Annotated files, one per annotator, over the text of the first."""
    every = [*sides, *([] if gold is None else [gold])]
    study = Study.of(None, every, defaults=_none, lenient=True, also=None, **reading)
    names = [study.gold, *study.systems][: len(sides)]
    if len({*names}) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise UsageError(
            f"two annotators are named '{twice}'", help="give each its own name: NAME=FILE"
        )
    visit = partial(_file_votes, column=column)
    if len(study.shards) > 1:
        raise UsageError("crowd takes one file per annotator", help="join the files of a folder")
    try:
        base, votes = next(iter(walk(study, visit)))
    except AlignmentError as error:
        if study.align == "position":
            raise
        try:
            base, votes = _of_parts(study, visit)
        except AlignmentError as other:
            # Of two it is enough to show the first difference.
            raise (error if len(every) == 2 else other) from None
    ids = [
        f"{base.sentence_id(sentence)}:{number + 1}"
        for sentence, size in enumerate(np.diff(base.offsets).tolist())
        for number in range(size)
    ]
    if len({*ids}) < len(ids):
        raise InputError(f"{base.origin}: two sentences have the same id")
    own = replace(votes.take(votes.side < len(names)), sides=tuple(names), ids=Names.of(ids))
    labels = [*votes.labels, ""]
    judged = [len(np.unique(own.unit[own.item[own.side == side]])) for side in range(len(names))]
    notes = tuple(
        f"'{name}' has {count:,} of {own.units:,} sentences"
        for name, count in zip(names, judged, strict=True)
        if count < own.units
    )
    return CrowdData(
        base.origin,
        own,
        None if gold is None else Labels.of(labels[code] for code in votes.codes[:, -1].tolist()),
        words=base.forms,
        offsets=base.offsets,
        base=base,
        column=label_column(base, column),
        notes=notes,
    )


def _of_parts(study: Study, visit: Callable[[File], tuple[Corpus, Votes]]) -> tuple[Corpus, Votes]:
    """The votes of annotators of whom the first has the whole text and others have parts of it."""
    parts = divided(study)
    if any(0 not in sides for sides in parts):
        raise AlignmentError(
            f"'{study.gold}' lacks sentences that a second annotator has",
            help="give an annotator of the whole text first",
        )
    (shard,) = in_memory(study).shards
    corpora = [each for each in (shard.gold, *shard.systems) if isinstance(each, Corpus)]
    base, sentences = corpora[0], shared_sentences(corpora)
    number = np.arange(base.token_count)
    rows: list[tuple[Int64, Int64, Labels]] = []
    for sides, part in parts.items():
        _, votes = next(iter(walk(part, visit)))
        tokens = number[np.isin(base.sentence_of_token, sentences[sides][0])]
        label = Labels(votes.labels, votes.label.astype(np.int32))
        rows.append((tokens[votes.item], np.array(sides)[votes.side], label))
    names, codes = unite(*(each for _, _, each in rows))
    item, side = (np.concatenate([row[n] for row in rows]) for n in (0, 1))
    every = study.gold, *study.systems
    unit = base.sentence_of_token, base.sentence_count
    return base, Votes.of_rows(item, side, np.concatenate(codes), names, every, *unit)


def _none(corpus: Corpus) -> tuple[Metric, ...]:
    return ()


def _file_votes(file: File, column: str | None) -> tuple[Corpus, Votes]:
    """The votes of annotators, and of gold if it is there, over the tokens of the first."""
    systems = [*file.systems()]
    sides = [file.gold, *(each.corpus for each in systems)]
    first = file.beside(file.gold, file.study.gold).alignment
    alignments = [first, *(each.alignment for each in systems)]
    columns = [label_column(each, column) for each in sides]
    names = (file.study.gold, *file.study.systems)
    return file.gold, token_votes(file.gold, names, sides, alignments, columns)


def dictionary_of(given: str | TagDictionary | None) -> TagDictionary | None:
    """A dictionary, read if it is a path."""
    return load_dictionary(given) if isinstance(given, str) else given
