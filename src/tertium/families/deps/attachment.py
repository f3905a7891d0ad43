"""Attachment scores of dependency trees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int64
from tertium.corpus.layers import Arcs, Tags
from tertium.exceptions import AlignmentError, UsageError
from tertium.families.base import citation, which
from tertium.families.deps.base import WordMetric
from tertium.families.deps.words import (
    CHILD,
    GRANDPARENT,
    ONE_IS_ROOT,
    SAME_HEAD,
    SIBLING,
    Bools,
    WordPairs,
    token_heads,
)
from tertium.families.spans.extents import is_punctuation
from tertium.formats.base import CYCLES, ROOTED
from tertium.registry import parameter
from tertium.results.items import of_partner

PUNCT = ("keep", "deprel", "upos", "form")
COMPAT = (None, "conll07", "compareval")
PLACES = (":other", ":root", ":sibling", ":grandparent", ":child")
# A label error, errors of attachment by where the system's head is in the gold tree, the same with
# a wrong label.
ATTACHMENT_ERRORS = (
    "none",
    "label",
    *(f"attachment{place}" for place in PLACES),
    *(f"both{place}" for place in PLACES),
    "unaligned",
)
# The error of a word by the bits of `WordPairs.attachments` where its label is right; of several
# places the first of these.
_PLACES_BY_BIT = {
    SAME_HEAD: "none",
    ONE_IS_ROOT: "attachment:root",
    GRANDPARENT: "attachment:grandparent",
    CHILD: "attachment:child",
    SIBLING: "attachment:sibling",
    0: "attachment:other",
}
_ERRORS = np.array(
    [
        ATTACHMENT_ERRORS.index(next(e for b, e in _PLACES_BY_BIT.items() if bits & b == b))
        for bits in range(32)
    ],
    np.uint8,
)


@dataclass(frozen=True, repr=False)
class ArcMetric(WordMetric):
    """What all metrics of arcs share: errors by where the system's head stands in the gold tree."""

    name = "deprel"
    error_types: ClassVar[tuple[str, ...]] = ATTACHMENT_ERRORS
    uses_head: ClassVar[bool] = True
    uses_label: ClassVar[bool] = True

    def needs(self) -> frozenset[str] | None:
        """The columns that are compared, and trees with one root."""
        return self.columns | {ROOTED}

    @property
    def way(self) -> str:
        """How relations are compared."""
        return "universal"

    def heads_of(self, corpus: Corpus) -> Int64:
        """The heads of all words."""
        return token_heads(corpus)

    def answers(self, pair: WordPairs) -> tuple[Int64, ...]:
        """Head and relation of every system word, as far as they are looked at."""
        head = (pair.heads_in_gold,) if self.uses_head else ()
        return (*head, pair.hashes(self.name, self.way)) if self.uses_label else head

    def errors(self, pair: WordPairs) -> npt.NDArray[np.uint8]:
        """By what the metric looks at: heads, relations or both."""
        place = _ERRORS[pair.attachments if self.uses_head else SAME_HEAD]
        label_right = pair.same(self.name, self.way) if self.uses_label else pair.aligned
        errors = np.where(label_right, place, np.where(place == 0, 1, place + len(PLACES)))
        return np.where(pair.aligned, errors, len(ATTACHMENT_ERRORS) - 1).astype(np.uint8)


@dataclass(frozen=True, repr=False)
class Attachment(ArcMetric):
    """What UAS, LAS and LS share: which words count, and what makes one right.

    Words are paired by the alignment; a head is right if the system's head is paired with the gold
    head (the root with the root). `punct` says which words are not scored: none ("keep"), those
    whose gold relation is punct, whose gold UPOS is PUNCT, or whose form is all punctuation
    (Unicode category P).

    With `compat='conll07'` relations are compared as they are written, as eval07.pl does; its
    option -p is `punct='form'`. With `compat='compareval'` they are compared in lower case and
    words whose gold relation is punct do not count (Tuggener 2017, section 2.2).
    """

    cite = citation(
        "buchholz-marsi-2006-conll",
        "nivre-etal-2007-conll",
        "tuggener-2017-method",
        "zeman-etal-2018-conll",
    )

    punct: str = parameter("keep", help="which words are not scored", choices=PUNCT)
    compat: str | None = parameter(
        None, help="follow the convention of eval07.pl or ComparEval", choices=COMPAT
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        allowed = {None: PUNCT, "conll07": ("keep", "form"), "compareval": ("keep",)}
        if self.punct not in allowed[self.compat]:
            raise UsageError(
                f"{self.id}: compat='{self.compat}' does not go with punct='{self.punct}'",
                help="compat='conll07' takes punct='form' for its option -p; "
                "compat='compareval' leaves out words whose gold relation is punct",
            )

    @property
    def way(self) -> str:
        """How relations are compared."""
        return {"conll07": "whole", "compareval": "lower"}.get(self.compat or "", "universal")

    def settings(self, facts: frozenset[str]) -> dict[str, object]:
        """What the tool does in place of what it does not let one choose."""
        shown = super().settings(facts)
        if self.compat == "compareval":
            shown["punct"] = "deprel"
        if self.compat is not None and "subtypes" in shown:
            shown["subtypes"] = True
        return shown

    def needs(self) -> frozenset[str] | None:
        """Trees, and tags where punctuation is told by them. The tools do not count roots, and
        eval07.pl judges word by word, whatever the heads are together."""
        found = {"deps", "upos"} if self.punct == "upos" else {"deps"}
        demanded = {None: {ROOTED}, "conll07": {CYCLES}}
        return frozenset(found | demanded.get(self.compat, set()))

    def aligned(self, gold: Corpus, system: Corpus, alignment: Alignment) -> Alignment:
        """eval07.pl reads both files line by line, and stops where they get out of step."""
        if self.compat == "conll07" and not np.array_equal(gold.offsets, system.offsets):
            raise AlignmentError(
                f"{gold.origin} and {system.origin} differ in sentences or in numbers of words: "
                "eval07.pl, which compat='conll07' follows, refuses that",
                help=f"'{self.id}' without 'compat' pairs words by their characters",
            )
        return alignment

    def counted(self, pair: WordPairs) -> tuple[Bools | None, Bools | None]:
        """Words that are no punctuation, which gold decides; where neither side is gold, a word is
        left out if both sides take it for punctuation."""
        if self.punct == "keep" and self.compat != "compareval":
            return None, None
        in_gold, own = self.counted_words(pair.gold), self.counted_words(pair.system)
        if pair.peer is not None and self._tells(pair.peer[0]):
            theirs, partner = self.counted_words(pair.peer[0]), pair.peer[1].system_of_gold
            told = self._tells(pair.gold)  # a side without tags does not decide
            in_gold = of_partner(theirs, partner, not told) | (in_gold & told)
        elif self.punct == "upos":
            pair.gold.layer("upos", Tags)  # a system may do without
        return in_gold, np.where(pair.met >= 0, of_partner(in_gold, pair.met, False), own)

    def _tells(self, corpus: Corpus) -> bool:
        """Can a side tell what is punctuation?"""
        return self.punct != "upos" or isinstance(corpus.layers.get("upos"), Tags)

    def counted_words(self, corpus: Corpus) -> Bools:
        """Words that are no punctuation; where a side has no tags, all of its own words."""
        if self.punct == "keep" and self.compat != "compareval":
            return np.ones(corpus.token_count, np.bool_)
        if self.punct == "deprel" or self.compat == "compareval":
            cut = self.compat is None
            return ~which(
                corpus.layer("deps", Arcs).label,
                lambda n: (n.split(":")[0] if cut else n).lower() == "punct",
            )
        if self.punct == "upos":
            tags = corpus.layers.get("upos")
            if not isinstance(tags, Tags):
                return np.ones(corpus.token_count, np.bool_)
            return ~which(tags.labels, "PUNCT".__eq__)
        assert corpus.forms is not None
        return ~which(corpus.forms, is_punctuation)


@dataclass(frozen=True, repr=False)
class UAS(Attachment):
    """Unlabelled attachment score: the head is right."""

    id = "deps.uas"
    title = "unlabelled attachment score"
    display = "UAS"
    uses_label = False
    label_rows = "gold"
    transitions = "types"


@dataclass(frozen=True, repr=False)
class LAS(Attachment):
    """Labelled attachment score: head and relation are right.

    Relations are cut at the colon unless `subtypes`, as in the UD evaluation.
    """

    id = "deps.las"
    title = "labelled attachment score"
    display = "LAS"

    subtypes: bool = parameter(
        False, help="score subtypes of relations (nsubj:pass)", choices=(False, True)
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.subtypes and self.compat is not None:
            raise UsageError(
                f"{self.id}: with compat='{self.compat}' subtypes always count",
                help="leave out 'subtypes'",
            )

    @property
    def way(self) -> str:
        """Also with subtypes."""
        return "whole" if self.subtypes else super().way


@dataclass(frozen=True, repr=False)
class LS(LAS):
    """Label score: the relation is right, whatever the head."""

    id = "deps.ls"
    title = "label score"
    display = "LS"
    uses_head = False


@dataclass(frozen=True, repr=False)
class Neutral(ArcMetric):
    """What the measures share that forgive some choices of head: they look at heads alone."""

    uses_label = False
    label_rows = "gold"
    transitions = "types"
    forgiven: ClassVar[int]
    cite = citation("schwartz-etal-2011-neutralizing")

    def errors(self, pair: WordPairs) -> npt.NDArray[np.uint8]:
        """None where the head is one of those forgiven."""
        is_forgiven = np.bitwise_and(pair.attachments, self.forgiven) != 0
        return np.where(is_forgiven, 0, super().errors(pair)).astype(np.uint8)


@dataclass(frozen=True, repr=False)
class Undirected(Neutral):
    """Undirected attachment: word and system head are joined by a gold arc, in either direction."""

    id = "deps.undirected"
    title = "undirected attachment score"
    display = "undirected UAS"
    forgiven = CHILD


@dataclass(frozen=True, repr=False)
class NED(Neutral):
    """Neutral edge direction: the system head is the word's gold head, one of its gold children, or
    the head of its gold head (Schwartz et al. 2011, section 5)."""

    id = "deps.ned"
    title = "neutral edge direction"
    display = "NED"
    forgiven = GRANDPARENT | CHILD
