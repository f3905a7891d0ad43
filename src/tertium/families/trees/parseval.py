"""PARSEVAL: precision and recall of brackets, counted as EVALB counts them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int32, Int64, Labels, Names, unite
from tertium.corpus.layers import Bools, Trees
from tertium.corpus.trees import TREES
from tertium.families.base import (
    Floats,
    Scored,
    citation,
    columns_of,
    divide,
    f1,
    precision_recall_f1,
    with_labels,
)
from tertium.families.spans.extents import packed, paired
from tertium.families.trees.brackets import BracketMetric, CountedBrackets
from tertium.families.trees.words import pair_words
from tertium.registry import parameter
from tertium.results.decisions import Decisions, name_hashes
from tertium.results.items import V, of_partner
from tertium.results.parts import ANY, Count, Part
from tertium.results.stats import Stats, Totals

ERROR_TYPES = ("none", "label", "boundary", "missing", "additional")
LABEL, BOUNDARY, MISSING, ADDITIONAL = range(1, 5)


def _parts(letter: str) -> tuple[Part, ...]:
    """What is counted; a letter says whether brackets are labelled: LP, UP."""
    return (
        Part("precision", over="system", title=f"{letter}P"),
        Part("recall", title=f"{letter}R"),
        Part("f1", over="both", mean_of=("precision", "recall"), title=f"{letter}F"),
        Part("macro_f1", over="units", title="macro F1"),
        Part("complete", over="units", title="complete match"),
        Part("crossing", "mean", (0.0, ANY[1]), "lower", "units", title="crossing brackets"),
        Part("no_crossing", over="units"),
        Part("two_or_less_crossing", over="units", title="two or less crossing"),
        Part("tagging", over="units"),
    )


@dataclass(frozen=True, repr=False)
class Parseval(BracketMetric):
    """Precision, recall and F1 of labelled brackets over all sentences, as EVALB prints them.

    A bracket is right if words and label are; the same bracket twice counts twice. Also F1 averaged
    over sentences, complete sentences, crossing brackets and the accuracy of tags. Words and
    constituents do not count as `prm` says.
    """

    id = "trees.parseval"
    title = "PARSEVAL"
    display = "PARSEVAL"
    cite = citation("black-etal-1991-procedure", "sekine-collins-1997-evalb")
    headline = "f1"
    shown = ("recall", "precision", "f1", "complete", "tagging", "skipped")
    parts = _parts("L")
    counts = (
        Count("correct", "both"),
        Count("gold", is_total=True),
        Count("system", "system", is_total=True),
        *map(Count, ("crossing", "words", "tags_correct", "complete", "sentences")),
        Count("skipped", title="left out"),
    )
    shown_counts = ("correct", "gold", "system")

    labeled: bool = parameter(
        True, help="compare labels; otherwise only the words covered", choices=(False, True)
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.is_labeled:
            object.__setattr__(self, "parts", _parts("U"))

    @property
    def is_labeled(self) -> bool:
        """Are labels compared? A parameter file may say that they are not."""
        return self.labeled and self.prm.has_labels

    def decide(self, gold: Corpus, system: Corpus, alignment: Alignment) -> Decisions:
        """One row per gold bracket that covers a word, and one per system bracket without a
        partner: a bracket of the same words, else one with the same label that begins, or else
        ends, at the same word."""
        ours, theirs = self.brackets(gold, system, alignment)
        names, (label, other_label) = unite(ours.label, theirs.label)
        compared = (label, other_label) if self.is_labeled else (0 * label, 0 * other_label)
        partner, right = _match(ours, theirs, *compared, self._alike(names))
        error = np.where(right, 0, np.where(partner >= 0, LABEL, MISSING)).astype(np.uint8)
        free = _free(partner, len(theirs))
        at, found = _boundaries(ours, theirs, label, other_label, partner < 0, free)
        partner[at], error[at], free[found] = found, BOUNDARY, False
        # What counts as the same has one name: in tables per label it is that of gold.
        other_label = other_label.copy()
        other_label[partner[right]] = label[right]

        items, others = self.items(gold), self.items(system)
        labels = _spread(ours, label, len(items)), _spread(theirs, other_label, len(others))

        def said() -> tuple[Int64, ...]:
            columns = *theirs.places.identity, name_hashes(names)[other_label]
            return tuple(_spread(theirs, column, len(others)) for column in columns)

        in_gold = slice(None) if (ours.item >= 0).all() else ours.item >= 0
        extra = np.flatnonzero(free & (theirs.item >= 0))
        unit_counts = self._unit_counts(gold, system, alignment, (ours, theirs), (partner, right))
        return Decisions.of(
            items,
            others,
            alignment,
            rows=ours.item[in_gold],
            partner=of_partner(theirs.item, partner[in_gold], -1),
            right=right[in_gold],
            extra=theirs.item[extra],
            error=(error[in_gold], ADDITIONAL),
            error_types=ERROR_TYPES,
            labels=(names, *labels),
            answer=said,
            identity=said,
            unit_counts=unit_counts,
            judges_lost=self.missing == "penalise",
        )

    def _alike(self, names: Names) -> tuple[Int32, Bools]:
        """Which labels count as the same: the row of each in a table, -1 for none; the table."""
        rows = np.full(len(names), -1, np.int32)
        known = sorted({name for pair in self.prm.same_labels for name in pair})
        table = np.zeros((len(known), len(known)), np.bool_)
        for row, name in enumerate(known):
            table[row] = [(name, other) in self.prm.same_labels for other in known]
            if (code := names.find(name)) >= 0:
                rows[code] = row
        return rows, table

    def _unit_counts(
        self,
        gold: Corpus,
        system: Corpus,
        alignment: Alignment,
        sides: tuple[CountedBrackets, CountedBrackets],
        matched: tuple[Int64, Bools],
    ) -> dict[str, Floats]:
        """What is counted per sentence and has no items; `traces_*` are brackets over traces alone
        and those of the system that match them."""
        (ours, theirs), (partner, right), units = sides, matched, alignment.units
        pair = pair_words(gold, system, alignment, self.prm)
        counted, scored = self.counted(gold, pair)

        def per_unit(unit: Int32, mask: Bools | None = None) -> Floats:
            chosen = unit if mask is None else unit[mask]
            return np.bincount(chosen, minlength=units).astype(np.float64)

        correct, of_gold = per_unit(ours.unit, right), per_unit(ours.unit)
        of_system = per_unit(theirs.unit)
        crossing = per_unit(theirs.unit, _crosses(ours, theirs))
        tags = self._tags(gold, system, alignment, scored)
        hidden = theirs.item < 0
        hidden[partner[(ours.item < 0) & (partner >= 0)]] = True
        return {
            "crossing": crossing,
            "no_crossing": (scored & (crossing == 0)).astype(np.float64),
            "two_or_less_crossing": (scored & (crossing <= 2)).astype(np.float64),
            "words": np.where(counted, np.diff(pair.gold.bases), 0.0),
            "tags_correct": tags,
            "complete": (scored & (correct == of_gold) & (correct == of_system)) * 1.0,
            "sentences": counted * 1.0,
            "skipped": (self.in_length(gold) & ~counted) * 1.0,
            "f1_sum": np.nan_to_num(f1(correct, of_gold, of_system)),
            "f1_sentences": (of_gold + of_system > 0) * 1.0,
            "traces_correct": per_unit(ours.unit, right & (ours.item < 0)),
            "traces_gold": per_unit(ours.unit, ours.item < 0),
            "traces_system": per_unit(theirs.unit, hidden),
        }

    def _tags(self, gold: Corpus, system: Corpus, alignment: Alignment, scored: Bools) -> Floats:
        """How many words of each sentence have the right tag."""
        from tertium.families.trees._kernels import count_tags

        pair = pair_words(gold, system, alignment, self.prm)
        names, (tag, other) = unite(*map(self._compared_tags, (pair.gold.tag, pair.system.tag)))
        ours, theirs = (
            (side.offsets, side.weight, codes)
            for side, codes in ((pair.gold, tag), (pair.system, other))
        )
        if alignment.method == "characters":  # the tags of the words over the same characters
            theirs = (*ours[:2], of_partner(other, alignment.system_of_gold, -1))
        found: Floats = count_tags(*ours, *theirs, scored, *self._alike(names)) * 1.0
        return found

    def _compared_tags(self, tags: Labels) -> Labels:
        """Tags as they are compared: only the SPMRL program cuts them."""
        if not self.prm.keeps_words:
            return tags
        return tags.rename({name: self.prm.cut(name) for name in tags.names})

    def stats(self, decisions: Decisions, *, labels: bool = True) -> Stats:
        """Brackets, and what decisions count per sentence."""
        own = decisions.unit_counts
        columns = {
            "correct": decisions.per_unit(decisions.right) + own["traces_correct"],
            "gold": decisions.per_unit(decisions.in_gold) + own["traces_gold"],
            "system": decisions.per_unit(decisions.in_system) + own["traces_system"],
            **{name: own[name] for name in own if not name.startswith("traces_")},
        }
        stats = Stats(*columns_of(columns))
        return with_labels(stats, decisions) if labels else stats

    def score(self, totals: Totals) -> Scored:
        """Over all sentences together; macro F1 is the mean over sentences with brackets."""
        sentences = totals["sentences"]
        return {
            **precision_recall_f1(totals["correct"], totals["gold"], totals["system"]),
            "macro_f1": divide(totals["f1_sum"], totals["f1_sentences"]),
            "tagging": divide(totals["tags_correct"], totals["words"]),
            **{
                name: divide(totals[name], sentences)
                for name in ("complete", "crossing", "no_crossing", "two_or_less_crossing")
            },
        }

    def reason(self, part: str, label: str | None = None) -> str:
        """Why a part is undefined."""
        if label is not None:
            return super().reason(part, label)
        return {
            "precision": "the system has no brackets that count",
            "recall": "the gold standard has no brackets that count",
            "f1": "neither gold nor system has brackets that count",
            "macro_f1": "no sentence has brackets that count",
            "tagging": "there are no words to score",
        }.get(part, "no sentence was scored")

    def remarks(self, gold: Corpus, system: Corpus) -> list[str]:
        """A note where a root label counts that the parameters do not delete, above all if only
        one side has it."""
        (name, used), (other, also_used) = map(self._root, (gold, system))
        for root, others, side in ((name, also_used, system), (other, used, gold)):
            if root is not None and others and root not in others:
                shown = root or "the root without a label"
                note = f"{side.origin} lacks {shown}, which is counted as a bracket"
                advice = f"; a parameter file with 'DELETE_LABEL {root}' leaves it out"
                return [note + advice if root else note]
        if name is None or not self.prm.deleted:
            return []
        shown = name or "the root without a label"
        return [f"{shown} is counted as a bracket: prm='{self.prm.path}' does not delete it"]

    def _root(self, corpus: Corpus) -> tuple[str | None, set[str]]:
        """The label of all roots and of nothing else if it counts, and all labels."""
        trees = corpus.layer(TREES, Trees)
        is_root = trees.parent < 0
        roots, inside = (
            {*map(self.prm.cut, trees.label.take(rows).used_names())}
            for rows in (is_root, ~is_root)
        )
        if len(roots) != 1 or roots & inside or self.prm.deletes(*roots):
            return None, roots | inside
        return next(iter(roots)), roots | inside


def _match(
    ours: CountedBrackets,
    theirs: CountedBrackets,
    label: Int32,
    other_label: Int32,
    alike: tuple[Int32, Bools],
) -> tuple[Int64, Bools]:
    """The partner of each gold bracket among those of the same words, -1 for none, and whether it
    is right."""
    from tertium.families.trees._kernels import match_brackets

    sides = (ours.places.identity, label), (theirs.places.identity, other_label)
    if ours.in_order and theirs.in_order:
        found: tuple[Int64, Bools] = match_brackets(*sides[0], *sides[1], *alike)
        return found
    orders = [np.lexsort((content, -end, start)) for (start, end, content), _ in sides]
    sorted_sides = [
        (tuple(column[order] for column in places), labels[order])
        for (places, labels), order in zip(sides, orders, strict=True)
    ]
    partner, right = match_brackets(*sorted_sides[0], *sorted_sides[1], *alike)
    back = np.argsort(orders[0])
    return of_partner(orders[1], partner, -1)[back], right[back]


def _free(partner: Int64, count: int) -> Bools:
    """Which of so many system brackets are nobody's partner?"""
    free = np.ones(count, np.bool_)
    free[partner[partner >= 0]] = False
    return free


def _boundaries(
    ours: CountedBrackets,
    theirs: CountedBrackets,
    label: Int32,
    other_label: Int32,
    missed: Bools,
    free: Bools,
) -> tuple[Int64, Int64]:
    """Pairs of a missed and an added bracket with the same label that begin at the same word, or
    else end there. Each is in one pair; those that come first in the tree go first."""
    gold, system = np.flatnonzero(missed), np.flatnonzero(free)
    pairs = []
    for name in ("start", "end"):
        ends = getattr(ours.places, name)[gold], getattr(theirs.places, name)[system]
        keys = packed(np.concatenate(ends), np.concatenate([label[gold], other_label[system]]))
        at, found = paired(keys[: len(gold)], keys[len(gold) :])
        pairs.append((gold[at], system[found]))
        gold, system = np.delete(gold, at), np.delete(system, found)
    return np.concatenate([p[0] for p in pairs]), np.concatenate([p[1] for p in pairs])


def _crosses(ours: CountedBrackets, theirs: CountedBrackets) -> Bools:
    """Which system brackets cross a gold bracket, whatever their labels?"""
    from tertium.families.trees._kernels import crossing_sets, innermost

    gold, system = ours.places, theirs.places
    if not len(gold) or not len(system):
        return np.zeros(len(system), np.bool_)
    if not ours.has_gaps and not theirs.has_gaps:
        if not ours.in_order:
            gold = gold.take(np.lexsort((-gold.end, gold.start)))
        size = int(max(gold.end.max(), system.end.max()))
        low, high = innermost(gold.start, gold.end, size)
        cut_start, cut_end = high[system.start], low[system.end]
        found: Bools = ((cut_start >= 0) & (cut_start < system.end)) | (cut_end > system.start)
        return found
    # Only gold brackets between these can share words with a bracket.
    reach = np.maximum.accumulate(gold.end)
    first = np.searchsorted(reach, system.start, side="right")
    begin = np.minimum.accumulate(gold.start[::-1])[::-1]
    last = np.searchsorted(begin, system.end)
    sides = [(s.start, s.end, s.gap_bounds, s.gap_atoms) for s in (gold, system)]
    found = crossing_sets(*sides[0], *sides[1], first, last)
    return found


def _spread(brackets: CountedBrackets, column: npt.NDArray[V], count: int) -> npt.NDArray[V]:
    """A column of brackets as one of all items, -1 for those that do not count."""
    found = np.full(count, -1, column.dtype)
    there = brackets.item >= 0
    found[brackets.item[there]] = column[there]
    return found
