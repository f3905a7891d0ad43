"""Annotated texts: the labels that sides give to words, and scores of one side against another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

import numpy as np

from tertium.agreement.overlap import Sides, divided, in_memory
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int64, Labels, Names
from tertium.exceptions import AlignmentError, LayerError, UsageError
from tertium.families.base import Metric, has_items
from tertium.families.family import compared_metrics, families, family_of, main_metric
from tertium.families.keys import Key, group_order, word_groups
from tertium.formats.judgements import read_judgements
from tertium.formats.resources import LabelMap, load_maps
from tertium.results.assessment import Interval, Testing
from tertium.results.confusions import summed
from tertium.results.names import teller
from tertium.results.scores import Result
from tertium.results.votes import Votes
from tertium.significance.intervals import interval
from tertium.significance.resample import unit_counts
from tertium.significance.score.counts import FileScores, scores_of, signature_of
from tertium.study.files import File
from tertium.study.judgement import Judgement
from tertium.study.sides import Shard, several
from tertium.study.study import Study
from tertium.study.walk import walk

ANY_SPAN = "SPAN"
OUTSIDE = "O"  # the label of words outside all spans
NOTHING = "there is nothing to compare"
UNLABELLED = ("", "_")  # what is written where a word has no label


@dataclass(frozen=True, eq=False)
class Annotators:
    """Annotators, and their votes on the words of a text or the items of a table.

    - `votes`: None where items are not labels of words, for which `reason` says why
    - `metric`: whose labels they are; `groups`: of every word, by the name of the key
    - `sentences`: how many each side has; `parts`: stretches of text by who has them
    """

    sides: tuple[str, ...]
    votes: Votes | None
    reason: str = ""
    metric: str = ""
    signature: str = ""
    sentences: Mapping[str, int] = field(default_factory=dict)
    groups: Mapping[str, tuple[Labels, list[str]]] = field(default_factory=dict)
    parts: Mapping[Sides, Study] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def renamed(self, names: Mapping[str, str]) -> Annotators:
        """With other names, also in what is said of them."""
        sides = tuple(names[side] for side in self.sides)
        return replace(
            self,
            sides=sides,
            votes=None if self.votes is None else replace(self.votes, sides=sides),
            sentences={names[side]: count for side, count in self.sentences.items()},
            notes=tuple(map(teller(names), self.notes)),
        )


def read_table(table: Any, reading: Mapping[str, Any]) -> Annotators:
    """The votes of a table of judgements, with labels renamed where that is wanted."""
    if hasattr(table, "layers"):
        raise UsageError("agreement needs two or more annotators, or a table of judgements")
    for name in sorted(reading.keys() - {"columns", "map_labels", "labels"}):
        if reading[name] not in (None, (), False, "auto", "fail"):
            flag = f"--{name.replace('_', '-')}"
            raise UsageError(
                f"'{flag}' needs annotated texts, not a table of judgements",
                help="give one file per annotator",
            )
    found = read_judgements(table, columns=reading.get("columns"))
    maps = load_maps(several("map_labels", reading.get("map_labels"), LabelMap, "files of labels"))
    if any(each.side or each.layer for each in maps):
        raise UsageError("'--map-labels' of a table of judgements names no side and no layer")
    names = {old: new for each in maps for old, new in each.mapping.items()}
    votes = Votes.from_judgements(replace(found, label=found.label.rename(names)))
    return Annotators(votes.sides, votes)


@dataclass(frozen=True, eq=False)
class _FileVotes:
    metric: str
    fitted: Metric
    facts: frozenset[str]
    reason: str
    votes: Votes | None
    units: int
    groups: Labels | None
    order: list[str]
    notes: tuple[str, ...]


def read_text(study: Study, way: Mapping[str, Any]) -> Annotators:
    """The votes of all sides. A side may have some sentences only; where it lacks one it is
    silent."""
    every = tuple(range(1 + len(study.systems)))
    if len(every) > 2:
        study = in_memory(study)
    try:
        return _collected(study, {every: study}, way)
    except AlignmentError as error:
        if study.align == "position":
            raise
        try:
            parts = divided(study)
        except AlignmentError as other:
            # Of two it is enough to show the first difference.
            raise (error if len(every) == 2 else other) from None
    return _collected(study, parts, way)


def _collected(study: Study, parts: Mapping[Sides, Study], way: Mapping[str, Any]) -> Annotators:
    names = study.gold, *study.systems
    found = [(sides, each) for sides, part in parts.items() for each in _walked(part, way)]
    first = found[0][1]
    for _, each in found:
        if each.metric != first.metric:
            raise LayerError(
                f"annotators have different layers: {first.metric} fits one part of the text, "
                f"{each.metric} a different part",
                help="'--metric' chooses what is compared",
            )
    sentences = dict.fromkeys(names, 0)
    for sides, each in found:
        for side in sides:
            sentences[names[side]] += each.units
    total = sum(each.units for _, each in found)
    notes = dict.fromkeys(note for _, each in found for note in each.notes)
    for name, count in sentences.items():
        if count < total:
            notes[f"'{name}' has {count:,} of {total:,} sentences"] = None
    groups = {}
    if study.by:
        groups[study.by_name or study.by] = _joined_groups([each for _, each in found])
    for number, (name, _) in enumerate(study.more_keys):
        keyed = [part.regrouped[number] for part in parts.values()]
        groups[name] = _joined_groups([each for part in keyed for each in _walked(part, way)])
    facts = frozenset().union(*(each.facts for _, each in found))
    votes = None if first.reason else _joined(found, names)
    return Annotators(
        names,
        votes,
        reason=first.reason,
        metric=first.metric,
        signature=str(signature_of(first.fitted, facts, study)),
        sentences=sentences,
        groups=groups,
        parts=parts,
        notes=tuple(notes),
    )


def _walked(study: Study, way: Mapping[str, Any]) -> list[_FileVotes]:
    return [*walk(study, _votes_of, **way)]


def _votes_of(file: File) -> _FileVotes:
    """What every side says about the words of the base in one file."""
    texts = [repr(metric) for metric in file.metrics]
    judging = [text for text, m in zip(texts, file.metrics, strict=True) if has_items(m)] or texts
    main = judging[0] if file.study.metrics is not None else main_metric(judging)
    place = texts.index(main)
    fitted = file.fitted[place]
    reason, facts = _unfit(fitted), fitted.facts(file.gold)
    sides: list[tuple[Corpus, Int64]] = [(file.gold, np.arange(file.gold.token_count))]
    notes = [*file.notes]
    for system in file.systems():
        judged = Judgement(system, fitted)
        if judged.missing:
            raise LayerError(judged.missing)
        facts |= judged.facts
        notes += [*system.notes, *fitted.remarks(file.gold, judged.corpus)]
        sides.append((judged.corpus, np.asarray(judged.alignment.system_of_gold)))
    votes, unit, units = None, file.gold.sentence_of_token, file.gold.sentence_count
    if not reason:
        labels, partners = zip(*(_word_labels(fitted, *side) for side in sides), strict=True)
        names = file.study.gold, *file.study.systems
        votes = Votes.of(names, labels, partners, unit, units)
    groups, order = _groups(file, unit)
    return _FileVotes(main, fitted, facts, reason, votes, units, groups, order, tuple(notes))


def _unfit(fitted: Metric) -> str:
    """Why the items of a metric are not labels of words; empty if they are."""
    family = family_of(fitted)
    if not has_items(fitted):
        return f"{fitted.id} does not judge single items"
    return f"{family.title} are not labels of single words" if family.layout == "nested" else ""


def _word_labels(fitted: Metric, corpus: Corpus, partner: Int64) -> tuple[Labels, Int64]:
    """The label of every word: its own, or that of the smallest span around it; and the partners of
    words of the base, given those whatever their labels: a word without a label is none."""
    items = fitted.items(corpus)
    if items.is_token:
        silent = [items.label.names.find(name) for name in UNLABELLED]
        has_label = np.append(~np.isin(items.label.codes, silent), False)
        return items.label, np.where(has_label[partner], partner, -1)
    names = [*dict.fromkeys([*items.label.names, OUTSIDE])]
    words = np.full(corpus.token_count, names.index(OUTSIDE), np.int32)
    sizes = items.end - items.start
    for row in np.lexsort((items.label.codes, -sizes)).tolist():  # inner spans last
        if items.tokens is None:
            words[items.start[row] : items.end[row]] = items.label.codes[row]
        else:
            words[items.start[row] + items.tokens[row]] = items.label.codes[row]
    return Labels(Names.of(names), words), partner


def _groups(file: File, unit: Any) -> tuple[Labels | None, list[str]]:
    """The group of every word of the base, and all groups in order."""
    key: Key | None = file.study.key
    if key is not None:
        if type(key).of_words is Key.of_words:
            raise LayerError(f"annotators cannot be grouped by {key.text}: words do not have it")
        groups = word_groups(file.gold, key)
        return groups, key.in_order(dict.fromkeys(groups.used_names(), 1.0))
    if file.study.by is None:
        return None, []
    of_unit = Labels.of(file.groups["sentence"])
    return of_unit.take(unit), group_order(file.study.by, of_unit.to_list())


def _joined_groups(found: Sequence[_FileVotes]) -> tuple[Labels, list[str]]:
    every = [name for each in found if each.groups is not None for name in each.groups.to_list()]
    return Labels.of(every), [*dict.fromkeys(name for each in found for name in each.order)]


def _joined(found: Sequence[tuple[Sides, _FileVotes]], names: Sequence[str]) -> Votes:
    """The votes of all parts of the text, one after another; whoever lacks a part is silent."""
    parts = []
    for sides, each in found:
        assert each.votes is not None
        side = np.array(sides)[each.votes.side]
        parts.append(replace(each.votes, side=side, sides=tuple(names)))
    return Votes.join(parts)


# -- two sides, the first in gold's place ------------------------------------------------------


@dataclass(frozen=True, eq=False)
class PairScore:
    """The score of B where A plays gold, by one metric; `types` are the ways in which they differ,
    by neutral names."""

    a: str
    b: str
    result: Result
    types: Mapping[str, int]
    interval: Interval | None = None

    @classmethod
    def of(cls, a: str, b: str, result: Result, testing: Testing | None) -> PairScore:
        """With names of differences, and a reason for no value, that do not speak of gold."""
        neutral = {"missing": "only A", "extra": "only B"}
        neutral |= {each.name: each.between for each in result.types if each.between}
        counts = summed({neutral.get(t, t): n} for (t, _, _), n in result.error_types.items())
        types = dict(sorted(counts.items(), key=lambda e: (-e[1], e[0])))
        if result.value is None:
            return cls(a, b, replace(result, reasons={**result.reasons, "value": NOTHING}), types)
        made = None if testing is None else interval(unit_counts([result]), testing)
        return cls(a, b, result, types, made)

    def to_dict(self) -> dict[str, Any]:
        """An entry of `scores` of a pair in the JSON output."""
        held = self.result
        reason = {"reason": held.reasons["value"]} if held.value is None else {}
        found = {"metric": held.metric, "value": held.value, "parts": dict(held.parts)}
        made = {"interval": self.interval.to_dict()} if self.interval else {}
        types = {"types": dict(self.types), "signature": str(held.signature)}
        return {**found, **reason, **types, **made}


def pair_scores(
    text: Annotators, way: Mapping[str, Any], testing: Testing | None
) -> list[PairScore]:
    """How every two sides score against each other, the first in gold's place."""
    quiet = {**way, "progress": None}
    found = []
    for a, b in combinations(range(len(text.sides)), 2):
        files: list[FileScores] = []
        for sides, part in text.parts.items():
            if a in sides and b in sides:
                study = part.between(sides.index(a), sides.index(b))
                study = replace(study, confusion=True, by=None, more_keys=())
                files += walk(study, _counts_of_two, **quiet)
        results = scores_of(study, files).results if files else ()
        pair = text.sides[a], text.sides[b]
        found += [PairScore.of(*pair, each, testing) for each in results if each.stats is not None]
    return found


def _counts_of_two(file: File) -> FileScores:
    (other,) = file.systems()
    return FileScores.of(file, [[each.finding for each in other.facing(other).judge()]])


def study_of(sides: Sequence[Any], reading: Mapping[str, Any], *, unlabelled: bool) -> Study:
    """A study of sides without gold; if `unlabelled`, all spans have the same label."""
    study = Study.of(None, sides, defaults=compared_metrics, **{**reading, "labels": False})
    names = study.gold, *study.systems
    if twice := [name for name in names if names.count(name) > 1]:
        raise UsageError(
            f"two annotators are named '{twice[0]}'", help="give each its own name: NAME=FILE"
        )
    if not unlabelled:
        return study

    def plain(shard: Shard) -> Shard:
        every = (_without_labels(each) for each in (shard.gold, *shard.systems))
        gold, *systems = every
        return replace(shard, gold=gold, systems=tuple(systems))

    shards = tuple(map(plain, in_memory(study).shards))
    # For the signature.
    told = LabelMap("unlabelled", "", mapping={ANY_SPAN: ANY_SPAN})
    return replace(study, shards=shards, map_labels=(*study.map_labels, told))


class _OneLabel(dict[str, str]):
    """A map of all labels to one."""

    def get(self, label: str, default: Any = None) -> Any:
        return ANY_SPAN


def _without_labels(corpus: str | Corpus) -> Corpus:
    """A corpus in which all items that are to be found, not given, have the same label."""
    assert isinstance(corpus, Corpus)
    layers = dict(corpus.layers)
    for name, layer in layers.items():
        made = ((each, each.relabel(layer, _OneLabel())) for each in reversed(families()))
        of, found = next((pair for pair in made if pair[1] is not None), (None, None))
        if of is not None and found is not None and of.share == "recall":
            layers[name] = found
    return replace(corpus, layers=layers)
