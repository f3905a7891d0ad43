"""Scores of content words: CLAS, MLAS, BLEX (CoNLL 2018, section 5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tertium.corpus.corpus import Corpus
from tertium.families.deps.attachment import ATTACHMENT_ERRORS, ArcMetric
from tertium.families.deps.base import CONLL_2018, Verdicts
from tertium.families.deps.words import (
    CONTENT,
    FUNCTION,
    Bools,
    FunctionWords,
    WordPairs,
    among,
    column,
)
from tertium.results.decisions import fingerprint, name_hashes
from tertium.results.items import Detail, TextColumn

CLAS_CITE = """@inproceedings{nivre-fang-2017-universal,
  title = {Universal Dependency Evaluation},
  author = {Nivre, Joakim and Fang, Chiao-Ting},
  booktitle = {Proceedings of the {NoDaLiDa} 2017 Workshop on Universal Dependencies},
  year = {2017},
  pages = {86--95}
}

"""


@dataclass(frozen=True, repr=False)
class CLAS(ArcMetric):
    """Content-word labelled attachment score: LAS over words with a content relation.

    Gold words count by their gold relation, system words by their own; relations outside both of
    UD's lists (punct, and unknown ones) never count.
    """

    id = "deps.clas"
    title = "content-word labelled attachment score"
    cite = CLAS_CITE + CONLL_2018

    def judge(self, pair: WordPairs) -> Verdicts:
        """As LAS, and in what comes on top."""
        names, ours, theirs = pair.columns("deprel", self.way)
        content = among(names, CONTENT)
        error, types = self.arc_errors(pair).astype(np.uint8), list(ATTACHMENT_ERRORS[:-1])
        in_gold = content[ours]
        right = error == 0
        further = self.further(pair)
        error[error == len(types)] = len(types) + len(further)
        for name, same in further.items():
            error[right & ~same] = len(types)
            right &= same
            types.append(name)
        return Verdicts(
            labels=(names, ours, theirs),
            right=right & in_gold,
            error=error,
            error_types=(*types, "unaligned"),
            answer=lambda: (*self.answers(pair), *self.further_answers(pair)),
            in_gold=in_gold,
            in_system=content[theirs],
        )

    def further(self, pair: WordPairs) -> dict[str, Bools]:
        """What else must be the same, under the name of the error where it is not."""
        return {}

    def further_answers(self, pair: WordPairs) -> tuple[npt.NDArray[np.int64], ...]:
        """What the system says about it."""
        return ()


@dataclass(frozen=True, repr=False)
class MLAS(CLAS):
    """Morphology-aware labelled attachment score: CLAS where UPOS, universal features and the
    function words below, with their relations and tags, are right as well."""

    id = "deps.mlas"
    title = "morphology-aware labelled attachment score"
    cite = CONLL_2018
    columns = frozenset({"deps", "upos", "feats"})
    details = (
        Detail("upos", "the tag"),
        Detail("feats", "universal features", " {}"),
        Detail("function words", "words below with a function relation", "; {}"),
    )

    def further(self, pair: WordPairs) -> dict[str, Bools]:
        """Tags, features and function words."""
        return {
            "tag": pair.same("upos"),
            "features": pair.same("feats", "universal"),
            "function words": pair.same_function_words,
        }

    def detail_texts(self, corpus: Corpus) -> Sequence[TextColumn]:
        """`NOUN Number=Sing; det the, case of`."""
        tags, feats = column(corpus, "upos", "whole"), column(corpus, "feats", "universal")
        return tags, feats, FunctionWords(corpus)

    def further_answers(self, pair: WordPairs) -> tuple[npt.NDArray[np.int64], ...]:
        """Tag, features, and the function words with theirs."""
        from tertium.families.deps._kernels import chain_function_words

        each = []
        for name, way in (("upos", "whole"), ("feats", "universal"), ("deprel", "universal")):
            names, _, theirs = pair.columns(name, way)
            each.append(name_hashes(names)[theirs])
        names, _, theirs = pair.columns("deprel", "universal")
        child = fingerprint(pair.in_gold(np.arange(len(theirs))), *each)
        words = chain_function_words(pair.system_heads, among(names, FUNCTION)[theirs], child)
        return (*each[:2], words)


@dataclass(frozen=True, repr=False)
class BLEX(CLAS):
    """Bi-lexical dependency score: CLAS where the lemma is right as well (a gold lemma `_` is not
    given, and any will do)."""

    id = "deps.blex"
    title = "bi-lexical dependency score"
    cite = CONLL_2018
    columns = frozenset({"deps", "lemma"})
    details = (Detail("lemma", "the lemma", "lemma {}"),)

    def further(self, pair: WordPairs) -> dict[str, Bools]:
        """The lemma."""
        return {"lemma": pair.same_lemma}

    def detail_texts(self, corpus: Corpus) -> Sequence[TextColumn]:
        """The lemma."""
        return (column(corpus, "lemma", "whole"),)

    def further_answers(self, pair: WordPairs) -> tuple[npt.NDArray[np.int64], ...]:
        """The lemma."""
        names, _, theirs = pair.columns("lemma")
        return (name_hashes(names)[theirs],)
