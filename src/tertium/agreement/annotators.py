"""Annotators: what each says about the words of a text or the items of a table, and how every two
score against each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

import numpy as np

from tertium.agreement.panel import Panel
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int64, Labels, Names
from tertium.exceptions import LayerError, UsageError
from tertium.families.base import Metric, has_items, lacks
from tertium.families.family import compared_metrics, families, family_of, main_metric
from tertium.families.keys import Key, check_key, group_order, unit_keys, word_groups
from tertium.formats.judgements import Judgements, read_judgements
from tertium.formats.resources import LabelMap, load_maps
from tertium.results.assessment import Interval, Testing
from tertium.results.confusions import summed
from tertium.results.items import of_partner
from tertium.results.names import teller
from tertium.results.scores import Result
from tertium.results.votes import Votes
from tertium.significance.intervals import interval
from tertium.significance.resample import unit_counts
from tertium.significance.score.counts import FileScores, scores_of, signature_of
from tertium.study.files import File, read_side
from tertium.study.sides import Shard, several
from tertium.study.study import Study
from tertium.study.walk import walk

ANY_SPAN = "SPAN"
OUTSIDE = "O"  # the label of words outside all spans
NOTHING = "there is nothing to compare"
UNLABELLED = ("", "_")  # what is written where a word has no label
Parts = Sequence[tuple[Int64, ...]]  # by file: of every side, which sentences of the text it has


@dataclass(frozen=True, eq=False)
class Annotators:
    """Annotators, and their votes on the words of a text or the items of a table.

    - `votes`: None where items are not labels of words, for which `reason` says why
    - `metric`: whose labels they are; `groups`: of every word, by the name of the key
    - `sentences`: how many each side has; `study`, `parts`: of annotated texts, what was read and
      which sentences of the text each side has
    """

    sides: tuple[str, ...]
    votes: Votes | None
    reason: str = ""
    metric: str = ""
    signature: str = ""
    sentences: Mapping[str, int] = field(default_factory=dict)
    groups: Mapping[str, tuple[Labels, list[str]]] = field(default_factory=dict)
    study: Study | None = None
    parts: Parts = ()
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


def read_table(table: Any, reading: Mapping[str, Any]) -> Judgements:
    """A table of judgements, with labels renamed where that is wanted."""
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
    gold = found.gold and found.gold.rename(names)
    return replace(found, label=found.label.rename(names), gold=gold) if names else found


def study_of(
    sides: Sequence[Any],
    reading: Mapping[str, Any],
    defaults: Callable[[Corpus], tuple[Metric, ...]] = compared_metrics,
) -> Study:
    """A study of sides without gold, with all files in memory: they are compared several times."""
    study = Study.of(None, sides, defaults=defaults, **{**reading, "labels": False})
    names = study.gold, *study.systems
    if twice := [name for name in names if names.count(name) > 1]:
        raise UsageError(
            f"two annotators are named '{twice[0]}'", help="give each its own name: NAME=FILE"
        )

    def corpora(shard: Shard) -> Shard:
        readers = study.gold_reader, *[study.system_reader] * len(shard.systems)
        each = zip((shard.gold, *shard.systems), readers, strict=True)
        gold, *systems = (read_side(*side, study, study.needs(), digest=True) for side in each)
        return replace(shard, gold=gold, systems=tuple(systems))

    return replace(study, shards=tuple(map(corpora, study.shards)))


def sides_of(file: File) -> list[Corpus]:
    """All sides of a file, whether or not their texts are the same throughout."""
    return [file.gold, *(each.corpus for each in replace(file, fitted=()).systems())]


def coverage_notes(sentences: Mapping[str, int], total: int) -> list[str]:
    """Which sides have only some of the sentences."""
    return [
        f"'{name}' has {count:,} of {total:,} sentences"
        for name, count in sentences.items()
        if count < total
    ]


# -- the labels of words -----------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _FileVotes:
    metric: str
    fitted: Metric
    facts: frozenset[str]
    reason: str
    sentences: tuple[Int64, ...]
    units: int
    votes: Votes | None = None
    groups: Sequence[tuple[Labels, list[str]]] = ()
    notes: Sequence[str] = ()


def read_text(study: Study, way: Mapping[str, Any]) -> Annotators:
    """The votes of all sides on words. A side may have some sentences only; where it lacks one it
    is silent."""
    names = study.gold, *study.systems
    found = [*walk(study, _votes_of, **way)]
    first = found[0]
    sentences = {n: sum(len(f.sentences[side]) for f in found) for side, n in enumerate(names)}
    total = sum(each.units for each in found)
    notes = [note for each in found for note in each.notes] + coverage_notes(sentences, total)
    keyed = zip(*(each.groups for each in found), strict=True)
    facts = frozenset().union(*(each.facts for each in found))
    votes = [each.votes for each in found if each.votes is not None]
    return Annotators(
        names,
        Votes.join(votes) if votes else None,
        reason=first.reason,
        metric=first.metric,
        signature=str(signature_of(first.fitted, facts, study)),
        sentences=sentences,
        groups=dict(zip(_keys(study), map(_joined_groups, keyed), strict=True)),
        study=study,
        parts=[each.sentences for each in found],
        notes=tuple(dict.fromkeys(notes)),
    )


def _votes_of(file: File) -> _FileVotes:
    """What every side says about the words of one file."""
    study, sides = file.study, sides_of(file)
    texts = [repr(metric) for metric in file.metrics]
    judging = [text for text, m in zip(texts, file.metrics, strict=True) if has_items(m)] or texts
    main = judging[0] if study.metrics is not None else main_metric(judging)
    fitted = file.fitted[texts.index(main)]
    for side in sides[1:]:
        if (why := lacks(fitted, side)) is not None:
            raise LayerError(f"{main}: {why}")
    facts = frozenset().union(*map(fitted.facts, sides))
    notes = [*file.notes, *(n for side in sides[1:] for n in fitted.remarks(sides[0], side))]
    if reason := _unfit(fitted):
        every = tuple(np.arange(side.sentence_count) for side in sides)
        return _FileVotes(main, fitted, facts, reason, every, len(every[0]), notes=notes)
    names = study.gold, *study.systems
    panel = Panel.of(sides, names, study.align)
    labels, partners = zip(
        *(_word_labels(fitted, side, panel.partner(n)) for n, side in enumerate(sides)), strict=True
    )
    unit, units = panel.text.sentence_of_token, panel.text.sentence_count
    votes = Votes.of(names, labels, partners, unit, units)
    groups = [_groups(panel.text, each, file.shard.name) for each in _keys(study).values()]
    return _FileVotes(main, fitted, facts, "", panel.sentences, units, votes, groups, notes)


def _unfit(fitted: Metric) -> str:
    """Why the items of a metric are not labels of words; empty if they are."""
    family = family_of(fitted)
    if not has_items(fitted):
        return f"{fitted.id} does not judge single items"
    is_flat = family.layout == "flat" and family.pairs == "text"
    return "" if is_flat else f"{family.title} are not labels of single words"


def _word_labels(fitted: Metric, corpus: Corpus, partner: Int64) -> tuple[Labels, Int64]:
    """The label of every word: its own, or that of the smallest span around it; and the partners of
    the text's words, given those whatever their labels: a word without a label is none."""
    items = fitted.items(corpus)
    if items.is_token:
        return items.label, np.where(of_partner(labelled(items.label), partner, 0), partner, -1)
    names = [*dict.fromkeys([*items.label.names, OUTSIDE])]
    words = np.full(corpus.token_count, names.index(OUTSIDE), np.int32)
    sizes = items.end - items.start
    for row in np.lexsort((items.label.codes, -sizes)).tolist():  # inner spans last
        if items.tokens is None:
            words[items.start[row] : items.end[row]] = items.label.codes[row]
        else:
            words[items.start[row] + items.tokens[row]] = items.label.codes[row]
    return Labels(Names.of(names), words), partner


def labelled(labels: Labels) -> Any:
    """Which of some words have a label."""
    return ~np.isin(labels.codes, [labels.names.find(name) for name in UNLABELLED])


def _keys(study: Study) -> dict[str, Study]:
    """By the names of groups, the study with each key."""
    every = [study, *study.regrouped] if study.by else []
    return {each.by_name or each.by or "": each for each in every}


def _groups(text: Corpus, study: Study, file: str) -> tuple[Labels, list[str]]:
    """The group of every word, and all groups in order."""
    key: Key | None = study.key
    if key is None:
        of_unit = Labels.of(unit_keys(text, study.by or "", file=file))
        return of_unit.take(text.sentence_of_token), group_order(study.by or "", of_unit.to_list())
    if type(key).of_words is Key.of_words:
        raise LayerError(f"annotators cannot be grouped by {key.text}: words do not have it")
    check_key(text, key)
    groups = word_groups(text, key)
    return groups, key.in_order(dict.fromkeys(groups.used_names(), 1.0))


def _joined_groups(found: Sequence[tuple[Labels, list[str]]]) -> tuple[Labels, list[str]]:
    every = [name for labels, _ in found for name in labels.to_list()]
    return Labels.of(every), [*dict.fromkeys(name for _, order in found for name in order)]


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
    read: Annotators, way: Mapping[str, Any], testing: Testing | None
) -> list[PairScore]:
    """How every two sides score against each other on the sentences that both have, the first in
    gold's place."""
    if (study := read.study) is None:
        return []
    found = []
    plain = replace(study, confusion=True, by=None, more_keys=())
    for a, b in combinations(range(len(read.sides)), 2):
        two = plain.between(a, b)
        cut = (_shared(*each, a, b) for each in zip(two.shards, read.parts, strict=True))
        two = replace(two, shards=tuple(shard for shard in cut if shard is not None))
        if not two.shards:
            continue
        results = scores_of(two, [*walk(two, _counts_of_two, **{**way, "progress": None})]).results
        pair = read.sides[a], read.sides[b]
        found += [PairScore.of(*pair, each, testing) for each in results if each.stats is not None]
    return found


def _shared(shard: Shard, sentences: tuple[Int64, ...], a: int, b: int) -> Shard | None:
    """Two corpora cut down to the sentences that both have; None if there are none."""
    if np.array_equal(sentences[a], sentences[b]):
        return shard
    _, ours, theirs = np.intersect1d(sentences[a], sentences[b], return_indices=True)
    if not len(ours):
        return None
    gold, (system,) = shard.gold, shard.systems
    assert isinstance(gold, Corpus)
    assert isinstance(system, Corpus)
    return replace(shard, gold=gold.take(ours), systems=(system.take(theirs),))


def _counts_of_two(file: File) -> FileScores:
    (other,) = file.systems()
    return FileScores.of(file, [[each.finding for each in other.facing(other).judge()]])


# -- spans without their labels ----------------------------------------------------------------


class _OneLabel(dict[str, str]):
    """A map of all labels to one."""

    def get(self, label: str, default: Any = None) -> Any:
        return ANY_SPAN


def unlabelled(study: Study) -> Study:
    """The same where all items that are to be found, not given, have one label."""

    def plain(side: str | Corpus) -> Corpus:
        assert isinstance(side, Corpus)
        layers = dict(side.layers)
        for name, layer in layers.items():
            made = ((each, each.relabel(layer, _OneLabel())) for each in reversed(families()))
            of, found = next((pair for pair in made if pair[1] is not None), (None, None))
            if of is not None and found is not None and of.share == "recall":
                layers[name] = found
        return replace(side, layers=layers)

    shards = (
        replace(each, gold=plain(each.gold), systems=tuple(map(plain, each.systems)))
        for each in study.shards
    )
    # For the signature.
    told = LabelMap("unlabelled", "", mapping={ANY_SPAN: ANY_SPAN})
    return replace(study, shards=tuple(shards), map_labels=(*study.map_labels, told))
