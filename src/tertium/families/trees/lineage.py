"""Leaf-Ancestor (Sampson and Babarczy 2003): how similar the constituents over each word are."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import count

import numpy as np
import numpy.typing as npt

from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus, once
from tertium.corpus.labels import Int32, Int64, Labels, Names, unite
from tertium.corpus.layers import Trees
from tertium.corpus.trees import TREES, word_parents
from tertium.families.base import Floats, Metric, Scored, citation, columns_of, divide
from tertium.families.keys import NONE
from tertium.families.trees.family import whole_labels
from tertium.registry import parameter
from tertium.results.decisions import Decisions, fingerprint, name_hashes
from tertium.results.items import Detail, Items, of_partner
from tertium.results.parts import Count, Part
from tertium.results.stats import Stats, Totals

ERROR_TYPES = ("none", "label", "boundary", "missing", "additional", "several", "unaligned")
MOST_SYMBOLS = 20  # of each end of a lineage that its text shows
NAMELESS = "()"  # a bracket without a label


@dataclass(frozen=True, eq=False)
class Lineages:
    """The constituents over every word, from the lowest up, with marks of boundaries.

    - `words`, `parent`: what kernels read them off (see `_kernels.py`)
    - `labels`: the label of every row of the layer
    - `content`: a hash of every word's lineage, the same in every file
    """

    words: Int32
    parent: Int32
    labels: Labels
    content: Int64

    def rows(self, codes: Int32) -> Int32:
        """The table of constituents, given codes of their labels."""
        return np.stack([self.parent, codes])

    def __getitem__(self, word: int) -> str:
        """The lineage of a word in words; of a very long one both ends."""
        row, opening, closing, _ = self.words[:, word].tolist()
        symbols: list[str] = []
        for level in count():
            if row < 0:
                break
            symbols += ["["] if level == opening else []
            symbols.append(self.labels[row] or NAMELESS)
            symbols += ["]"] if level == closing else []
            row = int(self.parent[row])
        if len(symbols) > 2 * MOST_SYMBOLS:
            symbols[MOST_SYMBOLS:-MOST_SYMBOLS] = ["…"]
        return " ".join(symbols)

    def lowest(self) -> Labels:
        """The label of the lowest constituent over every word."""
        names = [*dict.fromkeys([*self.labels.names, NONE])]
        codes = np.append(self.labels.codes, np.int32(names.index(NONE)))
        return Labels(Names.of(names), codes[self.words[0]]).rename({"": NAMELESS})


@once
def lineages_of(corpus: Corpus, functions: str) -> Lineages:
    """The lineages of a corpus, with labels cut or as they are written."""
    from tertium.families.trees._kernels import hash_paths, mark_boundaries

    trees, lowest = corpus.layer(TREES, Trees), word_parents(corpus)
    labels = whole_labels(corpus)
    if functions == "strip":
        labels = labels.rename(
            {name: re.split("[-=]", name, maxsplit=1)[0] for name in labels.names}
        )
    path, depth = (
        np.zeros(len(trees.start) + 1, np.uint64),
        np.zeros(len(trees.start) + 1, np.int32),
    )
    hash_paths(trees.parent, name_hashes(labels.names)[labels.codes].view(np.uint64), path, depth)
    words = np.stack([lowest, lowest, lowest, depth[lowest]])  # of the last row for no constituent
    mark_boundaries(trees.parent, trees.start, trees.end, words)
    content = fingerprint(path[lowest].view(np.int64), words[1], words[2])
    return Lineages(words, trees.parent, labels, content)


@dataclass(frozen=True, repr=False)
class LeafAncestor(Metric):
    """Similarity of the lineages of words: all constituents over a word, from the lowest up, with
    marks where a constituent begins or ends.

    1 - distance / (length + length) of gold and system, where the distance is Levenshtein's, in
    which `replace` is the cost of replacing a label. `words` is the mean over words, `sentences`
    that over the means of sentences.
    """

    id = "trees.leaf_ancestor"
    title = "Leaf-Ancestor similarity"
    display = "Leaf-Ancestor"
    family = "trees"
    parts = (Part("words"), Part("sentences", over="units", title="sentence mean"))
    headline = "words"
    shown = ("words", "sentences")
    counts = (Count("leaves", is_total=True),)
    cite = citation("sampson-babarczy-2003-test", "rehbein-van-genabith-2007-evaluating")
    transitions = "types"
    item = "word"
    details = (Detail("lineage", "all constituents above the word", "lineage {}"),)

    replace: int = parameter(1, help="cost of replacing a label", choices=(1, 2))
    functions: str = parameter(
        "strip", help="compare labels without functions, or as written", choices=("strip", "keep")
    )

    def needs(self) -> frozenset[str] | None:
        """The trees."""
        return frozenset({TREES})

    def items(self, corpus: Corpus) -> Items:
        """Words with their lineages, called by their lowest constituents."""
        lineages = lineages_of(corpus, self.functions)
        return Items.of_tokens(lineages.lowest(), details={self.details[0]: lineages})

    def decide(self, gold: Corpus, system: Corpus, alignment: Alignment) -> Decisions:
        """One row per gold word, and one per system word without a partner. A gold word without a
        partner has no similarity at all."""
        partner = np.asarray(alignment.system_of_gold)
        ours, theirs = (lineages_of(corpus, self.functions) for corpus in (gold, system))
        similarity, error = self.compared(ours, theirs, partner)
        return Decisions.of(
            self.items(gold),
            self.items(system),
            alignment,
            partner=partner,
            right=error == 0,
            error=(error, len(ERROR_TYPES) - 1),
            error_types=ERROR_TYPES,
            answer=lambda: (theirs.content,),
            credit=(similarity, 0.0),
        )

    def compared(
        self, ours: Lineages, theirs: Lineages, partner: Int32
    ) -> tuple[Floats, npt.NDArray[np.uint8]]:
        """The similarity of every gold word, and its error type."""
        from tertium.families.trees._kernels import compare_lineages

        is_same = (partner >= 0) & (of_partner(theirs.content, partner, 0) == ours.content)
        similarity = is_same.astype(np.float64)
        error = np.where(is_same, 0, len(ERROR_TYPES) - 1).astype(np.uint8)
        gold = np.flatnonzero((error > 0) & (partner >= 0))
        if len(gold):
            found, kind = similarity[gold], error[gold]
            _, (mine, yours) = unite(ours.labels, theirs.labels)
            compare_lineages(
                gold,
                ours.words,
                ours.rows(mine),
                partner[gold].astype(np.int64),
                theirs.words,
                theirs.rows(yours),
                self.replace,
                found,
                kind,
            )
            similarity[gold], error[gold] = found, kind
        return similarity, error

    def stats(self, decisions: Decisions, *, labels: bool = True) -> Stats:
        """Similarities and words; of sentences with words the mean. There are no counts per label:
        `--by category` has them."""
        leaves = decisions.per_unit(decisions.in_gold)
        similarity = decisions.credit_per_unit()
        is_there = leaves > 0
        columns = {
            "leaves": leaves,
            "similarity": similarity,
            "sentences": is_there.astype(np.float64),
            "sentence_similarity": np.where(is_there, similarity / np.maximum(leaves, 1), 0.0),
        }
        return Stats(*columns_of(columns))

    def score(self, totals: Totals) -> Scored:
        """Both means."""
        return {
            "words": divide(totals["similarity"], totals["leaves"]),
            "sentences": divide(totals["sentence_similarity"], totals["sentences"]),
        }

    def reason(self, part: str, label: str | None = None) -> str:
        """Why a part is undefined."""
        return "there are no words to score"
