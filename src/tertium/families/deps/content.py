"""Scores of content words: CLAS, MLAS, BLEX (CoNLL 2018, section 5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int64
from tertium.families.base import citation
from tertium.families.deps.attachment import ATTACHMENT_ERRORS, ArcMetric
from tertium.families.deps.words import (
    CONTENT,
    FUNCTION,
    Bools,
    FunctionWords,
    WordPairs,
    among,
    column,
)
from tertium.results.decisions import fingerprint
from tertium.results.items import Detail, TextColumn


@dataclass(frozen=True, repr=False)
class CLAS(ArcMetric):
    """Content-word labelled attachment score: LAS over words with a content relation.

    Gold words count by their gold relation, system words by their own; relations outside both of
    UD's lists (punct, and unknown ones) never count.
    """

    id = "deps.clas"
    title = "content-word labelled attachment score"
    display = "CLAS"
    cite = citation("nivre-fang-2017-universal", "zeman-etal-2018-conll")

    def counted(self, pair: WordPairs) -> tuple[Bools, Bools]:
        """Content words."""
        names, ours, theirs = pair.columns(self.name, self.way)
        content = among(names, CONTENT)
        return content[ours], content[theirs]

    def errors(self, pair: WordPairs) -> npt.NDArray[np.uint8]:
        """As LAS, then in what comes on top."""
        found, last = super().errors(pair), len(ATTACHMENT_ERRORS) - 1
        found[found == last] = len(self.error_types) - 1
        for code, same in enumerate(self.further(pair), last):
            found[(found == 0) & ~same] = code
        return found

    def further(self, pair: WordPairs) -> tuple[Bools, ...]:
        """What else must be the same, in the order of the error types where it is not."""
        return ()


@dataclass(frozen=True, repr=False)
class MLAS(CLAS):
    """Morphology-aware labelled attachment score: CLAS where UPOS, universal features and the
    function words below, with their relations and tags, are right as well."""

    id = "deps.mlas"
    title = "morphology-aware labelled attachment score"
    display = "MLAS"
    cite = ArcMetric.cite
    columns = frozenset({"deps", "upos", "feats"})
    error_types = (*ATTACHMENT_ERRORS[:-1], "tag", "features", "function words", "unaligned")
    details = (
        Detail("upos", "the tag"),
        Detail("feats", "universal features", " {}"),
        Detail("function words", "words below with a function relation", "; {}"),
    )

    def further(self, pair: WordPairs) -> tuple[Bools, ...]:
        """Tags, features and function words."""
        return pair.same("upos"), pair.same("feats", "universal"), pair.same_function_words

    def detail_texts(self, corpus: Corpus) -> Sequence[TextColumn]:
        """`NOUN Number=Sing; det the, case of`."""
        tags, feats = column(corpus, "upos", "whole"), column(corpus, "feats", "universal")
        return tags, feats, FunctionWords(corpus)

    def answers(self, pair: WordPairs) -> tuple[Int64, ...]:
        """Also tag, features, and the function words with theirs."""
        from tertium.families.deps._kernels import chain_function_words

        tag, features = pair.hashes("upos"), pair.hashes("feats", "universal")
        names, _, theirs = pair.columns(self.name, self.way)
        place = pair.in_gold(np.arange(len(theirs)))
        child = fingerprint(place, tag, features, pair.hashes(self.name, self.way))
        words = chain_function_words(pair.system_heads, among(names, FUNCTION)[theirs], child)
        return (*super().answers(pair), tag, features, words)


@dataclass(frozen=True, repr=False)
class BLEX(CLAS):
    """Bi-lexical dependency score: CLAS where the lemma is right as well (a gold lemma `_` is not
    given, and any will do)."""

    id = "deps.blex"
    title = "bi-lexical dependency score"
    display = "BLEX"
    cite = ArcMetric.cite
    columns = frozenset({"deps", "lemma"})
    error_types = (*ATTACHMENT_ERRORS[:-1], "lemma", "unaligned")
    details = (Detail("lemma", "the lemma", "lemma {}"),)

    def further(self, pair: WordPairs) -> tuple[Bools, ...]:
        """The lemma."""
        return (pair.same_lemma,)

    def detail_texts(self, corpus: Corpus) -> Sequence[TextColumn]:
        """The lemma."""
        return (column(corpus, "lemma", "whole"),)

    def answers(self, pair: WordPairs) -> tuple[Int64, ...]:
        """Also the lemma."""
        return (*super().answers(pair), pair.hashes("lemma"))
