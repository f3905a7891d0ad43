"""Texts as characters: the atoms are those that are not white space, and the rest is remembered."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int32, Int64, Labels, Names, bounds_of
from tertium.corpus.layers import Layer, Spaces, role

# What str.isspace() says, as numbers: category Z and the separators among the controls.
WHITE = np.array([c for c in range(0x3001) if chr(c).isspace()], np.uint32)
GAP = re.compile(r"\s+(?<!\S )")  # all but one plain space after a character


@dataclass(frozen=True, eq=False)
class Gaps(Layer):
    """White space that is not one plain space after a character: where it stands and what it is.

    `after` counts the characters of the sentence before it; what stands before the first one is
    always here.
    """

    sentence: Int32 = role("sentence")
    after: Int32 = role("value")
    text: Labels = role("value")


def characters(texts: Sequence[str]) -> tuple[Labels, Int64, dict[str, Layer]]:
    """The atoms of some texts, each a form of one character; how many of them stand before each
    character and in all; and where white space follows, and what it is where it is not one plain
    space."""
    codes = np.frombuffer("".join(texts).encode("utf-32-le"), np.uint32)
    white = np.isin(codes, WHITE)
    distinct, of_atom = np.unique(codes[~white], return_inverse=True)
    forms = Labels(Names.of(map(chr, distinct.tolist())), of_atom.astype(np.int32))
    atoms_before = bounds_of(~white)
    bounds = bounds_of([len(text) for text in texts])
    follows = np.append(white, False)
    follows[bounds] = False  # in another text
    extras: dict[str, Layer] = {"spaces": Spaces(follows[1:][~white])}
    gaps = [
        (number, atoms_before[first + gap.start()] - atoms_before[first], gap[0])
        for number, (first, text) in enumerate(zip(bounds[:-1].tolist(), texts, strict=True))
        for gap in GAP.finditer(text)
    ]
    if gaps:
        sentence, after, written = zip(*gaps, strict=True)
        places = np.array(sentence, np.int32), np.array(after, np.int32)
        extras["gaps"] = Gaps(*places, Labels.of(written))
    return forms, atoms_before, extras


def texts_of(corpus: Corpus) -> tuple[list[str], list[Int64]]:
    """The text of every sentence of a corpus of characters, and where each atom stands in it."""
    assert corpus.forms is not None
    forms, after = corpus.forms.to_list(), corpus.space_after.tolist()
    gaps = {(sentence, place): text for sentence, place, text in corpus.rows_of("gaps", Gaps)}
    texts, places = [], []
    for sentence, (first, last) in enumerate(pairwise(corpus.offsets.tolist())):
        leading = gaps.get((sentence, 0), "")
        pieces = [
            forms[at] + (gaps.get((sentence, at - first + 1), " ") if after[at] else "")
            for at in range(first, last)
        ]
        texts.append(leading + "".join(pieces))
        places.append(bounds_of([len(piece) for piece in pieces])[:-1] + len(leading))
    return texts, places
