"""TedEval (Tsarfaty, Nivre and Andersson 2012): parses of different theories on one scale."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import combinations
from typing import NamedTuple

import numpy as np

from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int64, unite
from tertium.corpus.layers import Bools, FunctionTrees
from tertium.exceptions import LayerError, UsageError
from tertium.families.base import Metric, Scored, citation, columns_of, divide, with_row_labels
from tertium.families.theories.constraints import (
    Constraints,
    Rules,
    constraints_of,
    matches,
    theories_of,
)
from tertium.families.theories.conversion import HEAD, ROOT
from tertium.registry import parameter
from tertium.results.decisions import EXCUSED, EXTRA, MISSING, Decisions, name_hashes
from tertium.results.items import Items
from tertium.results.parts import Count, Part
from tertium.results.stats import Stats, Totals
from tertium.results.texts import listed

ALL, OWN = "all", "own"
LITTLE = 0.2  # overlap of two gold standards below which labels hardly ever meet
FEW = 5  # labels that a note names
THEORY = "theory="  # before the name of a theory in a fact


class Overlap(NamedTuple):
    """How much two gold standards have in common: constraints of both, and of each."""

    first: str
    second: str
    shared: int
    sizes: tuple[int, int]

    @property
    def value(self) -> float:
        """1 - |A ^ B| / (|A| + |B|); nan if both are empty."""
        return float(divide(2 * self.shared, sum(self.sizes)))


@dataclass(frozen=True, repr=False)
class TedEval(Metric):
    """Distance of a parse from what gold standards of different theories agree on.

    A tree is a set of constraints: a function over the words that a node covers. What the parse has
    and the generalised gold lacks is no error if the gold standard of the parser's own theory has
    it (`excused`). The value is 1 minus errors divided by the size of both sets, over all sentences
    together; `sentences` is the mean of sentence scores.
    """

    id = "theories.tedeval"
    title = "TedEval"
    display = "TedEval"
    family = "theories"
    parts = (
        Part("ratio", over="both", title="score"),
        Part("sentences", over="units", title="sentence mean"),
    )
    headline = "ratio"
    shown = ("ratio", "sentences")
    counts = (
        Count("delta", "both", title="errors"),
        Count("parse", "system", is_total=True),
        Count("gen", is_total=True),
        Count("excused", "both"),
    )
    shown_counts = ("delta", "parse", "gen", "excused")
    cite = citation("tsarfaty-etal-2012-cross")
    named_by = ("golds", "labeled")
    item = "node"

    golds: str = parameter(
        ALL, help="gold standards that must agree: all, own (the system's theory), or names"
    )
    labeled: bool = parameter(
        True, help="compare labels; otherwise only the words covered", choices=(True, False)
    )
    labels: str = parameter(
        "functions",
        help="labels to compare: functions, or categories where trees have them",
        choices=("functions", "categories"),
    )
    preterminals: bool = parameter(
        True, help="count the nodes of single words in constituent trees", choices=(True, False)
    )
    subtypes: bool = parameter(
        False, help="compare relations with subtypes: acl:relcl is not acl", choices=(False, True)
    )
    root: bool = parameter(True, help="count the root", choices=(True, False))
    nonprojective: str = parameter(
        "sets",
        help="nodes with gaps: sets of words, or lifted until they have none",
        choices=("sets", "lift"),
    )

    @property
    def header(self) -> str:
        """Which of the four of the paper it is, as far as that is not the usual one."""
        named = "" if self.golds in (ALL, OWN) else f" {self.golds}"
        single = " single" if self.golds == OWN else named
        return f"{self.display}{single}" if self.labeled else f"{self.display}{single} unlabelled"

    @property
    def rules(self) -> Rules:
        """Which nodes count."""
        return Rules(*(getattr(self, name) for name in Rules._fields))

    def facts(self, corpus: Corpus) -> frozenset[str]:
        """The theory of a side that has one; labels must be there to be compared."""
        if not theories_of(corpus):
            raise LayerError(
                f"{corpus.origin} has no theory, so {self.id} cannot score it",
                help="give each theory its gold standard: --gold dep=FILE, in Python {'dep': FILE}",
            )
        if self.labeled and self.labels == "functions" and not has_functions(corpus):
            other = replace(self, labeled=False)
            raise LayerError(
                f"{corpus.origin} has no function labels",
                help=f"'{other!r}' needs none; '--enrich' adds some",
            )
        names = theories_of(corpus)
        return frozenset({f"{THEORY}{names[0]}"} if len(names) == 1 else ())

    def settings(self, facts: frozenset[str]) -> dict[str, object]:
        """Its parameters, and the system's theory."""
        own = sorted(fact.removeprefix(THEORY) for fact in facts if fact.startswith(THEORY))
        return super().settings(facts) | ({"theory": own[0]} if len(own) == 1 else {})

    def items(self, corpus: Corpus) -> Items:
        """What any of its theories says, each once; the same numbers whatever `golds` is."""
        return constraints_of(corpus, self.rules).items

    def _named(self, gold: Corpus, theory: str) -> tuple[str, ...]:
        """The gold standards that must agree."""
        there = theories_of(gold)
        if self.golds == ALL:
            return there
        names = [theory] if self.golds == OWN else [name.strip() for name in self.golds.split(",")]
        if lacking := [name for name in names if name not in there]:
            raise UsageError(
                f"there is no gold standard '{lacking[0]}', which {self!r} names",
                help=f"there are: {', '.join(there)}; golds='all' means all of them",
            )
        return tuple(names)

    def decide(self, gold: Corpus, system: Corpus, alignment: Alignment) -> Decisions:
        """One row per constraint of the generalised gold, correct or missing, and one per further
        constraint of the parse, extra or excused.

        Operations that turn the own gold standard into the generalised one are excused, so what the
        own gold standard lacks need not be found either, where others are named.
        """
        theory = theories_of(system)[0]
        mine, yours = (constraints_of(side, self.rules) for side in (gold, system))
        ours, theirs = mine.items, yours.items
        general, own = mine.of(*self._named(gold, theory)), _own(mine, theory)
        names, (label, other_label) = unite(ours.label, theirs.label)
        partner = matches(mine, yours, (label, other_label), alignment)
        met = np.full(len(theirs), len(ours), np.int64)
        met[partner[partner >= 0]] = np.flatnonzero(partner >= 0)
        rows = np.flatnonzero(general)
        extra = np.flatnonzero(~np.append(general, False)[met])
        right = partner[rows] >= 0
        known = np.append(own, False)[met[extra]]

        def identity() -> tuple[Int64, ...]:
            places = yours.over(alignment.system_start, alignment.system_end)
            return *places, name_hashes(names)[other_label]

        return Decisions.of(
            ours,
            theirs,
            alignment,
            rows=rows,
            partner=partner[rows],
            right=right,
            excused=(~right & ~own[rows], known),
            extra=extra,
            error=(~right & own[rows], np.where(known, 0, 2)),
            error_types=("none", "missing", "extra"),
            labels=(names, label, other_label),
            identity=identity,
        )

    def stats(self, decisions: Decisions, *, labels: bool = True) -> Stats:
        """Errors, sizes of both sets, what was excused, and the scores of sentences."""
        outcome = decisions.outcome
        rows = {
            "delta": (outcome == MISSING) | (outcome == EXTRA),
            "parse": decisions.in_system,
            "gen": decisions.in_gold,
            "excused": outcome == EXCUSED,
        }
        columns = {name: decisions.per_unit(chosen) for name, chosen in rows.items()}
        size = columns["parse"] + columns["gen"]
        scores = 1 - divide(columns["delta"], size)
        columns |= {"score_sum": np.nan_to_num(scores), "sentences": (size > 0).astype(np.float64)}
        stats = Stats(*columns_of(columns))
        if not labels or not self.labeled:
            return stats
        return with_row_labels(stats, decisions, rows)

    def label_scores(self, totals: Totals) -> Scored:
        """The ratio of every label."""
        if "delta" not in totals.sparse:
            return {}
        delta, parse, general = map(totals.label, ("delta", "parse", "gen"))
        return {"ratio": 1 - divide(delta, parse + general)}

    def score(self, totals: Totals) -> Scored:
        """Over all sentences together, and the mean over sentences with a constraint."""
        return {
            "ratio": 1 - divide(totals["delta"], totals["parse"] + totals["gen"]),
            "sentences": divide(totals["score_sum"], totals["sentences"]),
        }

    def reason(self, part: str, label: str | None = None) -> str:
        """Why a part is undefined."""
        if label is not None:
            return super().reason(part, label)
        return "neither the system nor the generalised gold standard has a node that counts"

    def overlaps(self, gold: Corpus) -> list[Overlap]:
        """What every two theories have in common."""
        every = constraints_of(gold, self.rules)
        size = {name: int(every.of(name).sum()) for name in every.theories}
        return [
            Overlap(a, b, int(every.of(a, b).sum()), (size[a], size[b]))
            for a, b in combinations(every.theories, 2)
        ]

    def remarks(self, gold: Corpus, system: Corpus) -> list[str]:
        """How much the gold standards that must agree have in common, and why that may be next to
        nothing."""
        named = self._named(gold, theories_of(system)[0])
        kind = "labelled" if self.labeled else "unlabelled"
        pairs = [each for each in self.overlaps(gold) if {*each[:2]} <= {*named}]
        found = [
            f"overlap of the gold standards {each.first} and {each.second}, {kind}: "
            + (f"{each.value:.4f}" if any(each.sizes) else "undefined, since no node counts")
            for each in pairs
        ]
        found += self.warnings(gold, pairs)
        return found

    def warnings(self, gold: Corpus, pairs: Iterable[Overlap]) -> list[str]:
        """Which gold standards hardly overlap in their labels, with the most frequent labels of
        each."""
        every, found = constraints_of(gold, self.rules), []
        for pair in pairs:
            if not (self.labeled and pair.value < LITTLE):
                continue
            texts = []
            for name in pair[:2]:
                labels = every.items.label.take(every.of(name))
                used = np.count_nonzero(counts := labels.counts())
                order = np.argsort(-counts, kind="stable")[:used]
                most = [text for text in labels.names.some(order) if text != ROOT]
                texts.append(f"{name} has {listed(most, FEW) or 'none'}")
            found.append(
                f"labels of the gold standards hardly overlap: {', '.join(texts)}; '--enrich' or "
                "'--map-labels' makes them comparable"
            )
        return found


def has_functions(corpus: Corpus) -> bool:
    """Does any theory of the corpus have functions, besides those that all trees get?"""
    trees = corpus.of_kind(FunctionTrees).values()
    return bool({name for each in trees for name in each.function.used_names()} - {ROOT, HEAD, ""})


def _own(every: Constraints, theory: str) -> Bools:
    """The items of a system's own theory; none where gold lacks it."""
    if theory in every.theories:
        return every.of(theory)
    return np.zeros(len(every.start), np.bool_)
