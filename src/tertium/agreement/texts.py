"""Annotated texts: the labels that sides give to words, and scores of one side against another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from tertium.agreement.overlap import Sides, divided, in_memory
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int32, Labels, Names, unite
from tertium.exceptions import AlignmentError, LayerError, UsageError
from tertium.families.base import Metric, has_items
from tertium.families.family import compared_metrics, families, family_of, main_metric
from tertium.families.keys import Key, group_order, word_groups
from tertium.formats.resources import LabelMap
from tertium.results.confusions import summed
from tertium.results.scores import Result, nested, plain
from tertium.results.votes import SILENT, Votes
from tertium.signature import Signature
from tertium.significance.score.counts import signature_of
from tertium.study.files import File
from tertium.study.judgement import Finding, Judgement
from tertium.study.sides import Shard
from tertium.study.study import Study
from tertium.study.walk import walk

ANY_SPAN = "SPAN"
OUTSIDE = "O"  # the label of words outside all spans
UNLABELLED = ("", "_")  # what is written where a word has no label


@dataclass(frozen=True, eq=False)
class TextVotes:
    """The votes of all sides on the words of a text.

    - `votes`: None where items are not labels of words, for which `reason` says why
    - `metric`: whose labels they are; `groups`: of every word, by the name of the key
    - `sentences`: how many each side has; `parts`: stretches of text by who has them
    """

    votes: Votes | None
    reason: str
    metric: str
    signature: Signature
    sides: tuple[str, ...]
    sentences: Mapping[str, int]
    groups: Mapping[str, tuple[Labels, list[str]]]
    parts: Mapping[Sides, Study]
    notes: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class _FileVotes:
    metric: str
    fitted: Metric
    facts: frozenset[str]
    reason: str
    labels: list[Labels]
    unit: Int32
    units: int
    groups: Labels | None
    order: list[str]
    notes: tuple[str, ...]


def read_text(study: Study, way: Mapping[str, Any]) -> TextVotes:
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


def _collected(study: Study, parts: Mapping[Sides, Study], way: Mapping[str, Any]) -> TextVotes:
    names = study.gold, *study.systems
    found = [(sides, each) for sides, part in parts.items() for each in _walked(part, way)]
    first = found[0][1]
    for _, each in found:
        if each.metric != first.metric:
            raise LayerError(
                f"annotators have different layers: {first.metric} fits one part of the text, "
                f"{each.metric} another",
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
    for number, name in enumerate(_keys(study)):
        keyed = (
            found
            if not number
            else [
                (sides, each)
                for sides, part in parts.items()
                for each in _walked(part.regrouped[number - 1], way)
            ]
        )
        groups[name] = _joined_groups([each for _, each in keyed])
    facts = frozenset().union(*(each.facts for _, each in found))
    votes = None if first.reason else _joined(found, names)
    return TextVotes(
        votes=votes,
        reason=first.reason,
        metric=first.metric,
        signature=signature_of(first.fitted, facts, study),
        sides=names,
        sentences=sentences,
        groups=groups,
        parts=parts,
        notes=tuple(notes),
    )


def _walked(study: Study, way: Mapping[str, Any]) -> list[_FileVotes]:
    return [*walk(study, _votes_of, **way)]


def _keys(study: Study) -> list[str]:
    first = [study.by_name or study.by] if study.by else []
    return [*(name for name in first if name), *(name for name, _ in study.more_keys)]


def _votes_of(file: File) -> _FileVotes:
    """What every side says about the words of the base in one file."""
    texts = [repr(metric) for metric in file.metrics]
    judging = [text for text, m in zip(texts, file.metrics, strict=True) if has_items(m)] or texts
    main = judging[0] if file.study.metrics is not None else main_metric(judging)
    place = texts.index(main)
    fitted = file.fitted[place]
    reason, facts = _unfit(fitted), fitted.facts(file.gold)
    labels = [] if reason else [_word_labels(fitted, file.gold)]
    unit = np.repeat(np.arange(file.gold.sentence_count), np.diff(file.gold.offsets))
    notes = [*file.notes]
    for system in file.systems():
        judged = Judgement(system, fitted)
        if judged.missing:
            raise LayerError(judged.missing)
        facts |= judged.facts
        notes += [*system.notes, *fitted.remarks(file.gold, judged.corpus)]
        if not reason:
            own = _word_labels(fitted, judged.corpus)
            partner = np.asarray(judged.alignment.system_of_gold)
            codes = np.append(own.codes, np.int32(SILENT))[partner]
            labels.append(Labels(own.names, codes))
    groups, order = _groups(file, unit)
    return _FileVotes(
        main, fitted, facts, reason, labels, unit.astype(np.int32), file.gold.sentence_count,
        groups, order, tuple(notes),
    )  # fmt: skip


def _unfit(fitted: Metric) -> str:
    """Why the items of a metric are not labels of words; empty if they are."""
    family = family_of(fitted)
    if not has_items(fitted):
        return f"{fitted.id} does not judge single items"
    return f"{family.title} are not labels of single words" if family.layout == "nested" else ""


def _word_labels(fitted: Metric, corpus: Corpus) -> Labels:
    """The label of every word: its own, or that of the smallest span around it."""
    items = fitted.items(corpus)
    if items.is_token:
        found = items.label
        silent = [code for code, name in enumerate(found.names) if name in UNLABELLED]
        codes = found.codes.copy()
        codes[np.isin(codes, silent)] = SILENT
        return Labels(found.names, codes)
    names = [*dict.fromkeys([*items.label.names, OUTSIDE])]
    words = np.full(corpus.token_count, names.index(OUTSIDE), np.int32)
    sizes = items.end - items.start
    for row in np.lexsort((items.label.codes, -sizes)).tolist():  # inner spans last
        if items.tokens is None:
            words[items.start[row] : items.end[row]] = items.label.codes[row]
        else:
            words[items.start[row] + items.tokens[row]] = items.label.codes[row]
    return Labels(Names.of(names), words)


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
    columns = [labels for _, each in found for labels in each.labels]
    joint, codes = unite(*(Labels(each.names, np.maximum(each.codes, 0)) for each in columns))
    said = iter(
        np.where(each.codes < 0, np.int32(SILENT), code)
        for each, code in zip(columns, codes, strict=True)
    )
    sizes = [len(each.unit) for _, each in found]
    table = np.full((len(names), sum(sizes)), SILENT, np.int32)
    begins = np.cumsum([0, *sizes])
    units = np.cumsum([0, *(each.units for _, each in found)])
    for (sides, _), begin, size in zip(found, begins, sizes, strict=False):
        for side in sides:
            table[side, begin : begin + size] = next(said)
    unit = [each.unit + first for (_, each), first in zip(found, units, strict=False)]
    return Votes(table.T, joint, tuple(names), np.concatenate(unit), int(units[-1]))


# -- two sides, the first in gold's place ------------------------------------------------------


@dataclass(frozen=True, eq=False)
class PairScore:
    """The score of B where A plays gold, by one metric; `types` are the ways in which they differ,
    by neutral names."""

    a: str
    b: str
    result: Result
    types: Mapping[str, int]

    def to_dict(self) -> dict[str, Any]:
        """An entry of `scores` of a pair in the JSON output."""
        held = self.result
        reason = {"reason": held.reasons["value"]} if held.value is None else {}
        found = {"metric": held.metric, "value": held.value, "parts": dict(held.parts)}
        return {**found, **reason, "types": dict(self.types), "signature": str(held.signature)}


def pair_scores(text: TextVotes, way: Mapping[str, Any]) -> list[PairScore]:
    """How every two sides score against each other, the first in gold's place."""
    quiet = {**way, "progress": None}
    found = []
    for a, b in combinations(range(len(text.sides)), 2):
        parts: dict[int, tuple[Metric, Metric, list[Finding]]] = {}
        study = None
        for sides, part in text.parts.items():
            if a in sides and b in sides:
                study = part.between(sides.index(a), sides.index(b))
                study = replace(study, confusion=True, by=None, more_keys=())
                for each in walk(study, _findings, **quiet):
                    for n, (asked, fitted, finding) in enumerate(each):
                        parts.setdefault(n, (asked, fitted, []))[2].append(finding)
        if study is not None:
            for asked, fitted, findings in parts.values():
                score = _scored(text.sides[a], text.sides[b], asked, fitted, findings, study)
                found += [score] if score is not None else []
    return found


def _findings(file: File) -> list[tuple[Metric, Metric, Finding]]:
    (other,) = file.systems()
    judged = zip(file.metrics, other.facing(other).judge(), strict=True)
    return [(asked, each.fitted, each.finding) for asked, each in judged]


def _scored(
    a: str, b: str, asked: Metric, fitted: Metric, parts: Sequence[Finding], study: Study
) -> PairScore | None:
    whole = Finding.added(parts)
    if whole.stats is None:
        return None
    scores = {name: float(v) for name, v in fitted.score(whole.stats.totals()).items()}
    reasons = {name: fitted.reason(name) for name, v in scores.items() if np.isnan(v)}
    if fitted.headline in reasons:
        reasons["value"] = "there is nothing to compare"
    result = Result(
        system=b,
        metric=repr(asked),
        value=plain(scores[fitted.headline]),
        parts=nested({name: plain(value) for name, value in scores.items()}),
        counts={},
        labels={},
        coverage=whole.coverage,
        signature=signature_of(fitted, whole.facts, study),
        declared=fitted.parts,
        reasons=reasons,
        stats=whole.stats,
        formula=fitted,
        headline=fitted.headline,
        header=fitted.header,
        unit=fitted.unit,
    )
    neutral = {"missing": "only A", "extra": "only B"}
    neutral |= {each.name: each.between for each in family_of(fitted).types if each.between}
    counts = summed({neutral.get(t, t): n} for (t, _, _), n in whole.error_types.items())
    return PairScore(a, b, result, dict(sorted(counts.items(), key=lambda e: (-e[1], e[0]))))


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
