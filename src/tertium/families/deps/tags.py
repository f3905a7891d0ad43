"""Tags, features and lemmas of words as the UD evaluation scores them: with precision and recall,
since a system may have other words than gold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int64, Labels, Names
from tertium.families.base import Scored, divide, label_precision_recall_f1
from tertium.families.deps.base import Verdicts, WordMetric
from tertium.families.deps.words import Bools, Columns, Pair, column, values_of
from tertium.results.compact import Cells
from tertium.results.decisions import Decisions, name_hashes
from tertium.results.items import Detail, TextColumn
from tertium.results.stats import Stats, Totals


@dataclass(frozen=True, repr=False)
class ColumnMetric(WordMetric):
    """Words that have the same entry in one column."""

    error_types: ClassVar[tuple[str, ...]] = ("none", "label", "unaligned")
    name: ClassVar[str]
    way: ClassVar[str] = "whole"

    def judge(self, pair: Pair) -> Verdicts:
        """Right where the entries are the same."""
        return Verdicts(
            labels=pair.columns(self.name, self.way),
            right=self.right(pair),
            error_types=self.error_types,
            answer=lambda: self.answers(pair),
        )

    def right(self, pair: Pair) -> Bools:
        """Which words are right."""
        return pair.same(self.name, self.way)

    def answers(self, pair: Pair) -> tuple[npt.NDArray[np.int64], ...]:
        """The system's entry."""
        return (_hashed(pair.columns(self.name, self.way)),)

    def labels(self, corpus: Corpus) -> Labels:
        """The entries as they are compared."""
        return column(corpus, self.name, self.way)


@dataclass(frozen=True, repr=False)
class UPOS(ColumnMetric):
    """Words with the right universal part of speech."""

    id = "deps.upos"
    title = "UPOS of the UD evaluation"
    name = "upos"
    columns = frozenset({"upos"})


@dataclass(frozen=True, repr=False)
class XPOS(ColumnMetric):
    """Words with the right language-specific tag, compared as written, `_` included."""

    id = "deps.xpos"
    title = "XPOS of the UD evaluation"
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
    name = "feats"
    way = "universal"
    columns = frozenset({"feats"})

    def with_labels(self, stats: Stats, decisions: Decisions) -> Stats:
        """Counts per feature."""
        from tertium.families.deps._kernels import count_features

        unit = decisions.unit
        order = np.argsort(unit, kind="stable")  # what the system added stands behind
        ours = np.where(decisions.in_gold, decisions.gold, -1)
        theirs = np.where(decisions.in_system, decisions.system, -1)
        features, *bundles = _bundles(decisions.names)
        cells = count_features(order, unit, ours, theirs, decisions.mark("aligned"), *bundles)
        keys = tuple((column, name) for column in FEATURE_COLUMNS for name in features)
        return Stats(stats.columns, stats.counts, keys, Cells.of(*cells), FEATURE_COLUMNS)

    def label_scores(self, totals: Totals) -> Scored:
        """Precision, recall, F1, and accuracy on aligned words that have the feature in gold."""
        found = label_precision_recall_f1(totals)
        if found:
            aligned = totals.label("aligned")
            found["aligned_accuracy"] = divide(totals.label("correct"), aligned)
        return found


FEATURE_COLUMNS = ("correct", "gold", "system", "aligned")


def _bundles(names: Names) -> tuple[list[str], Int64, Int64, Int64]:
    """All features by name, and of every bundle how many it has, which, and their values."""
    each = [values_of(name) for name in names]
    features = sorted({feature for bundle in each for feature in bundle})
    place = {feature: i for i, feature in enumerate(features)}
    codes: dict[str, int] = {}
    size = np.array([len(bundle) for bundle in each], np.int64)
    which = np.zeros((len(each), max([*size, 1])), np.int64)
    value = np.zeros_like(which)
    for row, bundle in enumerate(each):
        for i, feature in enumerate(sorted(bundle)):
            which[row, i] = place[feature]
            value[row, i] = codes.setdefault(bundle[feature], len(codes))
    return features, size, which, value


@dataclass(frozen=True, repr=False)
class AllTags(ColumnMetric):
    """Words whose UPOS, XPOS and universal features are all right; tables show their UPOS."""

    id = "deps.alltags"
    title = "all tags of the UD evaluation"
    name = "upos"
    columns = frozenset({"upos", "xpos", "feats"})
    details = (
        Detail("xpos", "the language-specific tag"),
        Detail("feats", "universal features", " {}"),
    )

    def right(self, pair: Pair) -> Bools:
        """All three."""
        return pair.same("upos") & pair.same("xpos") & pair.same("feats", "universal")

    def detail_texts(self, corpus: Corpus) -> Sequence[TextColumn]:
        """UPOS is the label."""
        return column(corpus, "xpos", "whole"), column(corpus, "feats", "universal")

    def answers(self, pair: Pair) -> tuple[npt.NDArray[np.int64], ...]:
        """All three."""
        columns = (("upos", "whole"), ("xpos", "whole"), ("feats", "universal"))
        return tuple(_hashed(pair.columns(*each)) for each in columns)


@dataclass(frozen=True, repr=False)
class Lemmas(ColumnMetric):
    """Words with the right lemma; a gold lemma `_` is not given, and any will do."""

    id = "deps.lemmas"
    title = "lemmas of the UD evaluation"
    name = "lemma"
    columns = frozenset({"lemma"})
    has_labels = False  # one row a lemma would bury the rest

    def right(self, pair: Pair) -> Bools:
        """Also where gold gives none."""
        return pair.same_lemma


def _hashed(columns: Columns) -> npt.NDArray[np.int64]:
    names, _, theirs = columns
    return name_hashes(names)[theirs]
