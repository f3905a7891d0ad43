"""What gold and system say about the same words, computed once for all metrics that ask; and what
Universal Dependencies says about relations and features (CoNLL 2018, section 5)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
import numpy.typing as npt

from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus, once
from tertium.corpus.labels import Int32, Int64, Labels, Names, unite
from tertium.corpus.layers import Arcs, Tags
from tertium.results.decisions import fingerprint, name_hashes
from tertium.results.items import NOWHERE, ROOT, of_partner

CONTENT = frozenset(
    """nsubj obj iobj csubj ccomp xcomp obl vocative expl dislocated advcl advmod discourse nmod
    appos nummod acl amod conj fixed flat compound list parataxis orphan goeswith reparandum root
    dep""".split()
)
FUNCTION = frozenset(("aux", "cop", "mark", "det", "clf", "case", "cc"))
UNIVERSAL_FEATURES = frozenset(
    """PronType NumType Poss Reflex Foreign Abbr Gender Animacy Number Case Definite Degree VerbForm
    Mood Tense Aspect Voice Evident Polarity Person Polite""".split()
)

UNALIGNED = -3  # a head without a partner; -1 is the root, -2 no head
# Bits of `WordPairs.attachments`: the partner's head is the gold head; only one of the two is the
# root; the partner's head is a sibling of the word, the head of its head, a child of the word.
SAME_HEAD, ONE_IS_ROOT, SIBLING, GRANDPARENT, CHILD = 1, 2, 4, 8, 16
Bools = npt.NDArray[np.bool_]
Columns = tuple[Names, Int32, Int32]  # a joint vocabulary, codes of gold and of system words


def relations(labels: Labels, way: str) -> Labels:
    """Relations as they are compared: "universal" without subtypes, "whole", or in "lower" case."""
    if way == "whole":
        return labels
    if way == "lower":
        return labels.rename({n: n.lower() for n in labels.names})
    return labels.rename({n: n.split(":", 1)[0] for n in labels.names})


def has_universal_features(corpus: Corpus) -> bool:
    """Does any word have features of Universal Dependencies?"""
    layer = corpus.layers.get("feats")
    names = layer.labels.names if isinstance(layer, Tags) else ()
    return any(universal_features(name) != "_" for name in names)


@cache
def universal_features(bundle: str) -> str:
    """FEATS with the universal features only, sorted; `_` where none is left."""
    kept = sorted(f for f in bundle.split("|") if f.split("=", 1)[0] in UNIVERSAL_FEATURES)
    return "|".join(kept) or "_"


def among(names: Names, wanted: frozenset[str]) -> npt.NDArray[np.bool_]:
    """Which names are wanted; one more, False, for no label (-1)."""
    return np.array([*(n in wanted for n in names), False], np.bool_)


class WordPairs:
    """Two sides of one text. Everything is per gold word unless it says otherwise.

    A column that a file does not give counts as `_` throughout, as the UD evaluation reads it;
    metrics that need the column say so before they come here.

    - `partner`: the system word of each gold word, `met`: the gold word of each system word
    """

    def __init__(self, gold: Corpus, system: Corpus, alignment: Alignment) -> None:
        # The arrays and not the alignment, which keeps this pair: a circle would outlive its use.
        self.gold, self.system = gold, system
        self.partner, self.met = alignment.system_of_gold, alignment.gold_of_system
        self.peer = alignment.peer
        self.system_start, self.system_end = alignment.system_start, alignment.system_end
        self._columns: dict[tuple[str, str], Columns] = {}
        self._same: dict[tuple[str, str], Bools] = {}

    @classmethod
    def of(cls, gold: Corpus, system: Corpus, alignment: Alignment) -> WordPairs:
        """The pair of this alignment."""
        found = alignment.derived.get(cls)
        if not isinstance(found, WordPairs) or found.gold is not gold or found.system is not system:
            found = alignment.derived[cls] = cls(gold, system, alignment)
        return found

    @cached_property
    def aligned(self) -> Bools:
        """Has the word a partner?"""
        return self.partner >= 0

    @cached_property
    def gold_heads(self) -> Int64:
        """Heads as gold tokens."""
        return token_heads(self.gold)

    @cached_property
    def system_heads(self) -> Int64:
        """Of every system word: its head as a system token."""
        return token_heads(self.system)

    @cached_property
    def heads_in_gold(self) -> Int64:
        """Of every system word: its head as a gold token.

        A head without a partner is known by its characters, so that two systems that chose the same
        piece of text gave the same answer.
        """
        return self.in_gold(self.system_heads)

    def in_gold(self, heads: Int64) -> Int64:
        """System tokens as gold tokens; the root and no head stay what they are."""
        if self.met is self.partner:  # one to one
            return heads
        found: Int64 = np.where(heads >= 0, self.met[np.maximum(heads, 0)], heads)
        lost = np.flatnonzero((heads >= 0) & (found < 0))
        if len(lost):
            at = heads[lost]
            where = fingerprint(self.system_start[at], self.system_end[at])
            found[lost] = UNALIGNED - where % np.int64(2**62)
        return found

    @cached_property
    def attachments(self) -> npt.NDArray[np.uint8]:
        """Where the partner's head lies in the gold tree, as bits. None are set where a word has no
        partner or no head."""
        theirs = of_partner(self.heads_in_gold, self.partner, UNALIGNED)
        judged = self.aligned & (self.gold_heads != NOWHERE)
        same = theirs == self.gold_heads
        bits = np.where(judged & same, SAME_HEAD, 0).astype(np.uint8)
        word = np.flatnonzero(judged & ~same)
        ours, theirs = self.gold_heads[word], theirs[word]
        above, above_theirs = (
            np.where(head >= 0, self.gold_heads[np.maximum(head, 0)], NOWHERE)
            for head in (ours, theirs)
        )
        bits[word] = (
            ((ours == ROOT) | (theirs == ROOT)) * ONE_IS_ROOT
            | ((above_theirs == ours) & (theirs != word)) * SIBLING
            | ((above == theirs) & (theirs != NOWHERE)) * GRANDPARENT
            | (above_theirs == word) * CHILD
        )
        return bits

    def columns(self, name: str, way: str = "whole") -> Columns:
        """A column of both sides; `way` says how relations are compared, `universal` restricts
        features."""
        if (name, way) not in self._columns:
            sides = [column(c, name, way) for c in (self.gold, self.system)]
            names, (ours, theirs) = unite(*sides)
            self._columns[name, way] = names, ours, theirs
        return self._columns[name, way]

    def hashes(self, name: str, way: str = "whole") -> Int64:
        """Of every system word: a number for its entry in a column, the same for every system."""
        names, _, theirs = self.columns(name, way)
        return name_hashes(names)[theirs]

    def same(self, name: str, way: str = "whole") -> Bools:
        """Has the partner the same entry in a column?"""
        if (name, way) not in self._same:
            _, ours, theirs = self.columns(name, way)
            self._same[name, way] = ours == of_partner(theirs, self.partner, -1)
        return self._same[name, way]

    @cached_property
    def same_lemma(self) -> Bools:
        """Is the lemma right? A gold lemma `_` is not given, and any will do."""
        names, ours, _ = self.columns("lemma")
        given = np.not_equal(ours, names.find("_"))
        return np.where(given, self.same("lemma"), self.aligned)

    @cached_property
    def same_function_words(self) -> Bools:
        """Has the partner the same function words with the same relations and tags?"""
        names, ours, theirs = self.columns("deprel", "universal")
        function = among(names, FUNCTION)
        mine = np.flatnonzero(function[ours] & (self.gold_heads >= 0))
        yours = function[theirs] & (self.system_heads >= 0)
        count = np.bincount(self.gold_heads[mine], minlength=len(self.partner))
        # One more, for words without a partner.
        count_system = np.bincount(self.system_heads[yours], minlength=len(self.met) + 1)
        for column_way in (("deprel", "universal"), ("upos", "whole"), ("feats", "universal")):
            mine = mine[self.same(*column_way)[mine]]
        head = self.gold_heads[mine]
        is_below = self.system_heads[self.partner[mine]] == self.partner[head]
        shared = np.bincount(head[is_below], minlength=len(self.partner))
        # Words and their partners stand in the same order, so it is enough to count.
        same: Bools = self.aligned & (count == shared) & (count == count_system[self.partner])
        return same


@once
def token_heads(corpus: Corpus) -> Int64:
    """Every word's head as a token of the corpus, ROOT or NOWHERE."""
    head = corpus.layer("deps", Arcs).head  # from 1 on in the sentence, 0 for the root, -1 for none
    before = np.repeat(corpus.offsets[:-1] - 1, np.diff(corpus.offsets))
    return np.where(head > 0, before + head, np.where(head == 0, ROOT, NOWHERE))


@once
def column(corpus: Corpus, name: str, way: str) -> Labels:
    """A column as it is compared; `_` throughout where a file does not give it."""
    if name == "deprel":
        return relations(corpus.layer("deps", Arcs).label, way)
    layer = corpus.layers.get(name)
    labels = layer.labels if isinstance(layer, Tags) else Labels.constant("_", corpus.token_count)
    if way == "universal":
        return labels.rename({n: universal_features(n) for n in labels.names})
    return labels


@dataclass(frozen=True)
class FunctionWords:
    """The function words below each word, as relation, form and tag, in the order of the text."""

    corpus: Corpus

    def __getitem__(self, token: int) -> str:
        corpus = self.corpus
        sentence = int(corpus.sentence_of_token[token])
        first, last = int(corpus.offsets[sentence]), int(corpus.offsets[sentence + 1])
        relation, tag = column(corpus, "deprel", "universal"), column(corpus, "upos", "whole")
        heads = corpus.layer("deps", Arcs).head[first:last]
        return ", ".join(
            f"{relation[child]} {corpus.forms[child] if corpus.forms else child} {tag[child]}"
            for child in (first + np.flatnonzero(heads == token - first + 1)).tolist()
            if relation[child] in FUNCTION
        )
