"""Tags, features and lemmas of words as the UD evaluation scores them: with precision and recall,
since a system may have other words than gold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int64, Names
from tertium.corpus.layers import Ragged
from tertium.families import debatable as debate
from tertium.families.base import Scored, citation, columns_of, divide
from tertium.families.deps.base import WordMetric
from tertium.families.deps.words import Bools, WordPairs, column
from tertium.formats.confusions import Confusions
from tertium.results.decisions import Decisions
from tertium.results.items import Detail, TextColumn
from tertium.results.stats import Stats, Totals, label_block


@dataclass(frozen=True, repr=False)
class ColumnMetric(WordMetric):
    """Words that have the same entry in one column."""

    error_types = ("none", "label", "unaligned")

    def errors(self, pair: WordPairs) -> npt.NDArray[np.uint8]:
        """None where the entries are the same."""
        wrong = np.where(pair.aligned, np.uint8(1), np.uint8(2))
        return np.where(self.right(pair), np.uint8(0), wrong)

    def right(self, pair: WordPairs) -> Bools:
        """Which words are right."""
        return pair.same(self.name, self.way)

    def answers(self, pair: WordPairs) -> tuple[Int64, ...]:
        """The system's entry."""
        return (pair.hashes(self.name, self.way),)


@dataclass(frozen=True, repr=False)
class TagMetric(ColumnMetric):
    """Words with the right tag. With `debatable`, errors that annotators also make are excused or
    count less."""

    parts = (*ColumnMetric.parts, *debate.PARTS)
    shown = (*ColumnMetric.shown, *(part.name for part in debate.PARTS))
    cite = f"{ColumnMetric.cite}\n\n{citation('plank-etal-2014-linguistically')}"

    debatable: Confusions | None = debate.debatable_parameter()
    scoring: str = debate.scoring_parameter()
    confused: float = debate.confused_parameter()
    share: float = debate.share_parameter()

    def remarks(self, gold: Corpus, system: Corpus) -> list[str]:
        """Also what is debatable."""
        return [*super().remarks(gold, system), *debate.remarks(self, self.items(gold).label)]

    def decide(self, gold: Corpus, system: Corpus, alignment: Alignment) -> Decisions:
        """As for any column, with what is debatable."""
        return debate.debated(self, super().decide(gold, system, alignment))

    def stats(self, decisions: Decisions, *, labels: bool = True) -> Stats:
        """Also disagreements and plain errors; a graded row counts its credit."""
        found = super().stats(decisions, labels=labels)
        columns = dict(zip(found.columns, found.dense.T, strict=True))
        if decisions.is_graded:
            columns["correct"] = decisions.credit_per_unit()
        more = debate.columns(decisions)
        if not more:
            return found
        names, counts = columns_of({**columns, **more})
        return Stats(names, counts, found.keys, found.cells, found.label_columns)

    def with_labels(self, stats: Stats, decisions: Decisions) -> Stats:
        """What is excused counts as gold's label."""
        return super().with_labels(stats, debate.for_labels(decisions))

    def score(self, totals: Totals) -> Scored:
        """Also the shares of plain errors."""
        return {**super().score(totals), **debate.scores(totals, totals["gold"])}

    def reason(self, part: str, label: str | None = None) -> str:
        """Why a part is undefined."""
        return (not label and debate.reason(part)) or super().reason(part, label)


@dataclass(frozen=True, repr=False)
class UPOS(TagMetric):
    """Words with the right universal part of speech."""

    id = "deps.upos"
    title = "UPOS of the UD evaluation"
    display = "UPOS"
    name = "upos"
    columns = frozenset({"upos"})


@dataclass(frozen=True, repr=False)
class XPOS(TagMetric):
    """Words with the right language-specific tag, compared as written, `_` included."""

    id = "deps.xpos"
    title = "XPOS of the UD evaluation"
    display = "XPOS"
    name = "xpos"
    columns = frozenset({"xpos"})


@dataclass(frozen=True, repr=False)
class UFeats(ColumnMetric):
    """Words whose universal features are all right; language-specific and layered features
    (`Number[psor]`) are left out.

    Figures per label are those of single features: a feature of a word is right if the partner has
    it with the same value.
    """

    id = "deps.ufeats"
    title = "universal features of the UD evaluation"
    display = "UFeats"
    name = "feats"
    columns = frozenset({"feats"})

    @property
    def way(self) -> str:
        """By universal features."""
        return "universal"

    def with_labels(self, stats: Stats, decisions: Decisions) -> Stats:
        """Counts per feature."""
        names, features, values = _features(decisions.names)
        none = len(decisions.names)
        ours = np.where(decisions.in_gold, decisions.gold, none)
        theirs = np.where(decisions.in_system, decisions.system, none)
        # A row per feature of each gold word, then one per feature of each system word.
        found = [features.take(bundle) for bundle in (ours, theirs)]
        mine, yours = (np.repeat(np.arange(len(f)), np.diff(f.bounds)) for f in found)
        feature = np.concatenate([f.values for f in found])
        rows = np.concatenate([mine, yours])
        in_gold = np.arange(len(rows)) < len(mine)
        same = values[ours[rows], feature] == values[theirs[rows], feature]
        counted = {
            "correct": in_gold & same,
            "gold": in_gold,
            "system": ~in_gold,
            "aligned": in_gold & decisions.column("marks.aligned")[rows],
        }
        columns = {name: (feature, mask) for name, mask in counted.items()}
        return Stats(
            stats.columns, stats.counts, *label_block(names, decisions.unit[rows], columns)
        )

    def label_scores(self, totals: Totals) -> Scored:
        """Precision, recall, F1, and accuracy on aligned words that have the feature in gold."""
        found = super().label_scores(totals)
        if found:
            aligned = totals.label("aligned")
            found["aligned_accuracy"] = divide(totals.label("correct"), aligned)
        return found


def _features(bundles: Names) -> tuple[Names, Ragged, Int64]:
    """All features by name; those of every bundle, the last one being empty; and the value of each
    feature in each bundle, -1 for none."""
    each = [*(values_of(bundle) for bundle in bundles), {}]
    names = sorted({feature for bundle in each for feature in bundle})
    place = {feature: i for i, feature in enumerate(names)}
    codes: dict[str, int] = {}
    value = np.full((len(each), len(names)), -1, np.int64)
    for row, bundle in enumerate(each):
        for feature, text in bundle.items():
            value[row, place[feature]] = codes.setdefault(text, len(codes))
    of, there = np.nonzero(value >= 0)
    bounds = np.searchsorted(of, np.arange(len(each) + 1))
    return Names.of(names), Ragged(bounds, there.astype(np.int32)), value


def values_of(bundle: str) -> dict[str, str]:
    """The features of a bundle by name; a name that is written twice has both values.

    >>> values_of("Case=Nom|Number=Sing")
    {'Case': 'Nom', 'Number': 'Sing'}
    """
    found: dict[str, str] = {}
    for feature in bundle.split("|"):
        name, equals, value = feature.partition("=")
        if equals or feature != "_":
            found[name] = f"{found[name]},{value}" if name in found else value
    return found


@dataclass(frozen=True, repr=False)
class AllTags(ColumnMetric):
    """Words whose UPOS, XPOS and universal features are all right; tables show their UPOS."""

    id = "deps.alltags"
    title = "all tags of the UD evaluation"
    display = "AllTags"
    name = "upos"
    columns = frozenset({"upos", "xpos", "feats"})
    details = (
        Detail("xpos", "the language-specific tag"),
        Detail("feats", "universal features", " {}"),
    )

    def right(self, pair: WordPairs) -> Bools:
        """All three."""
        return pair.same("upos") & pair.same("xpos") & pair.same("feats", "universal")

    def detail_texts(self, corpus: Corpus) -> Sequence[TextColumn]:
        """UPOS is the label."""
        return column(corpus, "xpos", "whole"), column(corpus, "feats", "universal")

    def answers(self, pair: WordPairs) -> tuple[Int64, ...]:
        """All three."""
        return pair.hashes("upos"), pair.hashes("xpos"), pair.hashes("feats", "universal")


@dataclass(frozen=True, repr=False)
class Lemmas(ColumnMetric):
    """Words with the right lemma; a gold lemma `_` is not given, and any will do."""

    id = "deps.lemmas"
    title = "lemmas of the UD evaluation"
    display = "Lemmas"
    name = "lemma"
    columns = frozenset({"lemma"})
    has_labels = False  # one row a lemma would bury the rest

    def right(self, pair: WordPairs) -> Bools:
        """Also where gold gives none."""
        return pair.same_lemma
