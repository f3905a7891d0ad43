"""Annotators: what each says about the words of a text or the items of a table, and how every two
score against each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

import numpy as np

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int64, Labels, Names
from tertium.exceptions import LayerError, UsageError
from tertium.families.base import Metric, has_items
from tertium.families.family import families, family_of, main_metric
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
from tertium.study.files import File
from tertium.study.panel import Panel
from tertium.study.prepare import map_labels
from tertium.study.sides import Shard, several
from tertium.study.study import Study
from tertium.study.walk import walk

ANY_SPAN = "SPAN"
OUTSIDE = "O"  # the label of words outside all spans
NOTHING = "there is nothing to compare"
UNLABELLED = ("", "_")  # what is written where a word has no label


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


# -- the labels of words -----------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Annotators:
    """Annotators, and their votes on the words of a text or the items of a table.

    - `votes`: None where items are not labels of words, for which `reason` says why
    - `panel`, `metric`: of annotated texts, what was read, and the metric whose labels they are
    - `groups`: of every word, by the name of the key
    """

    sides: tuple[str, ...]
    votes: Votes | None
    reason: str = ""
    panel: Panel | None = None
    metric: str = ""
    signature: str = ""
    groups: Mapping[str, tuple[Labels, list[str]]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, panel: Panel) -> Annotators:
        """The votes of all sides on words. A side may have some sentences only; where it lacks one
        it is silent."""
        study, sides, names = panel.study, panel.sides, panel.names
        texts = [repr(metric) for metric in panel.metrics]
        judging = [t for t, m in zip(texts, panel.metrics, strict=True) if has_items(m)] or texts
        main = judging[0] if study.metrics is not None else main_metric(judging)
        fitted = panel.fitted[texts.index(main)]
        panel.check(fitted)
        facts = frozenset().union(*map(fitted.facts, sides))
        remarks = [note for side in sides[1:] for note in fitted.remarks(sides[0], side)]
        notes = tuple(dict.fromkeys([*panel.notes, *remarks]))
        signature = str(signature_of(fitted, facts, study))
        if reason := _unfit(fitted):
            return cls(names, None, reason, panel, main, signature, notes=notes)
        text = panel.text
        said = (_word_labels(fitted, side, panel.partner(n)) for n, side in enumerate(sides))
        labels, partners = zip(*said, strict=True)
        votes = Votes.of(names, labels, partners, text.sentence_of_token, text.sentence_count)
        keyed = [study, *study.regrouped] if study.by else []
        groups = {each.by_name or "": _groups(panel, each) for each in keyed}
        notes = (*notes, *panel.coverage)
        return cls(names, votes, "", panel, main, signature, groups, notes)

    @property
    def sentences(self) -> dict[str, int]:
        """How many each side has of a text."""
        sides = () if self.panel is None else self.panel.sides
        return {n: s.sentence_count for n, s in zip(self.sides, sides, strict=False)}

    def renamed(self, names: Mapping[str, str]) -> Annotators:
        """With other names, also in what is said of them."""
        sides = tuple(names[side] for side in self.sides)
        return replace(
            self,
            sides=sides,
            votes=None if self.votes is None else replace(self.votes, sides=sides),
            notes=tuple(map(teller(names), self.notes)),
        )


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


def _groups(panel: Panel, study: Study) -> tuple[Labels, list[str]]:
    """The group of every word, and all groups in order."""
    key, text, by = study.key, panel.text, study.by or ""
    if key is None:
        of_unit = panel.file_of_sentence if by == "file" else Labels.of(unit_keys(text, by))
        return of_unit.take(text.sentence_of_token), group_order(by, of_unit.to_list())
    if type(key).of_words is Key.of_words:
        raise LayerError(f"annotators cannot be grouped by {key.text}: words do not have it")
    check_key(text, key)
    groups = word_groups(text, key)
    return groups, key.in_order(dict.fromkeys(groups.used_names(), 1.0))


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


def pair_scores(read: Annotators, testing: Testing | None) -> list[PairScore]:
    """How every two sides score against each other on the sentences that both have, the first in
    gold's place."""
    if (panel := read.panel) is None:
        return []
    found, study = [], panel.study
    # Labels have been mapped and layers joined.
    plain = replace(
        study, confusion=True, by=None, more_keys=(), map_labels=(), with_files=(), runs={}
    )
    for a, b in combinations(range(len(read.sides)), 2):
        sides = panel.sides[a], panel.sides[b]
        if read.votes is not None:
            own = panel.sentences[a], panel.sentences[b]
            _, *rows = np.intersect1d(*own, return_indices=True)
            if not len(rows[0]):
                continue
            if not np.array_equal(*own):
                sides = sides[0].take(rows[0]), sides[1].take(rows[1])
        names = {"gold": panel.names[a], "systems": (panel.names[b],)}
        two = replace(plain, **names, shards=(Shard(sides[0], sides[1:]),))  # type: ignore[arg-type]
        named = replace(two, map_labels=study.map_labels, with_files=study.with_files)
        results = scores_of(named, [*walk(two, _counts_of_two)]).results
        pair = read.sides[a], read.sides[b]
        found += [PairScore.of(*pair, each, testing) for each in results if each.stats is not None]
    return found


def _counts_of_two(file: File) -> FileScores:
    (other,) = file.systems()
    return FileScores.of(file, [[each.finding for each in other.facing(other).judge()]])


# -- spans without their labels ----------------------------------------------------------------


def unlabelled(panel: Panel) -> Panel:
    """The same where all items that are to be found, not given, have one label."""
    found = [each for each in families() if each.share == "recall"]
    maps = [
        LabelMap("unlabelled", "", layer=name, mapping=dict.fromkeys(labels.names, ANY_SPAN))
        for side in panel.sides
        for each in found
        for name in each.find(side)
        for labels in (each.items(side, name).label,)
    ]
    told = LabelMap("unlabelled", "", mapping={ANY_SPAN: ANY_SPAN})  # for the signature
    study = replace(panel.study, map_labels=(*panel.study.map_labels, told))
    return replace(panel, study=study, sides=tuple(map_labels(each, maps) for each in panel.sides))
