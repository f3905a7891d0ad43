"""Groups of mentions by their parts of speech: nouns, pronouns, possessive pronouns.

Parts of speech belong to the text: those of the gold standard say what mentions of both sides are.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tertium.corpus.corpus import Corpus, once
from tertium.corpus.labels import Int32, Labels, Names
from tertium.corpus.layers import Tags
from tertium.families.base import which
from tertium.families.keys import Key, named_groups
from tertium.results.items import Items

GROUPS = ("noun", "pronoun", "possessive pronoun", "zero", "other")
NOUN, PRONOUN, POSSESSIVE, ZERO, OTHER = range(len(GROUPS))
GROUP_NAMES = Names.of(GROUPS)
FEATURES = "feats"
_NO_TAGS = ("lemma", FEATURES)
_FIRST = ("pos", "xpos", "upos")  # layers of parts of speech, the most specific first
TAG_LAYERS = frozenset({*_FIRST, FEATURES})  # those that formats with coreference have
_POSSESSIVE_WORDS = ("PRON", "DET")  # in UD, if they have the feature Poss=Yes


@dataclass(frozen=True)
class TagSet:
    """Which parts of speech are nouns, pronouns and possessive pronouns. By default those of the
    Penn Treebank, the Chinese Treebank, STTS and Universal Dependencies together."""

    nouns: frozenset[str] = frozenset("NN NNS NNP NNPS NR NT NE NOUN PROPN".split())
    pronouns: frozenset[str] = frozenset("PRP PN PPER PRF PRON".split())
    possessives: frozenset[str] = frozenset("PRP$ PPOSAT PPOSS".split())


USUAL = TagSet()


def tag_layers(corpus: Corpus, tags: TagSet = USUAL) -> list[str]:
    """Names of the layers with parts of speech of a tag set: those with at least one noun."""
    found = [
        name
        for name, layer in corpus.of_kind(Tags).items()
        if name not in _NO_TAGS and any(tag in tags.nouns for tag in layer.labels.names)
    ]
    return sorted(found, key=preference)


def preference(layer: str) -> tuple[int, str]:
    """Of two layers of parts of speech the one that comes first is used."""
    return (_FIRST.index(layer) if layer in _FIRST else len(_FIRST), layer)


@once
def word_groups(corpus: Corpus, layer: str, tags: TagSet) -> Int32:
    """The group of every token, were it a mention of its own."""
    labels = corpus.layer(layer, Tags).labels
    found = np.full(corpus.token_count, OTHER, np.int32)
    for group, names in ((PRONOUN, tags.pronouns), (POSSESSIVE, tags.possessives)):
        found[which(labels, names.__contains__)] = group
    features = corpus.layers.get(FEATURES)
    if isinstance(features, Tags):
        owns = which(features.labels, lambda bundle: "Poss=Yes" in bundle.split("|"))
        found[owns & which(labels, _POSSESSIVE_WORDS.__contains__)] = POSSESSIVE
    found[which(labels, tags.nouns.__contains__)] = NOUN
    return found


def mention_groups(items: Items, words: Int32) -> Labels:
    """The group of mentions over the tokens of a text, given that of its tokens: one of two or more
    tokens is nominal, one of empty nodes alone is a zero. All groups are in the vocabulary."""
    size = items.end - items.start if items.tokens is None else np.diff(items.tokens.bounds)
    single = items.of_first(words) if len(words) else np.full(len(items), OTHER, np.int32)
    found = np.where(size > 1, NOUN, np.where(size == 1, single, ZERO))
    return Labels(GROUP_NAMES, found.astype(np.int32))


@dataclass(frozen=True)
class MentionKey(Key):
    """What a mention is: a noun, a pronoun, a possessive pronoun, a zero or another word."""

    name = "mention"
    what = "parts of speech"
    family = "coref"
    known = GROUPS

    def needs(self) -> frozenset[str]:
        """All layers that may hold them."""
        return TAG_LAYERS

    def has(self, corpus: Corpus) -> bool:
        """Are there parts of speech?"""
        return bool(tag_layers(corpus))

    def of_items(self, corpus: Corpus, items: Items) -> Labels:
        """Items that are labelled with their groups have these; others by the corpus's own parts of
        speech."""
        if items.label.names == GROUP_NAMES:
            return items.label
        layers = tag_layers(corpus)
        if not layers:
            return named_groups(self.names, np.full(len(items), -1))
        return mention_groups(items, word_groups(corpus, layers[0], USUAL))
