"""Texts as characters: the atoms are those that are not white space, and the rest is remembered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int32, Int64, Labels, Names, bounds_of
from tertium.corpus.layers import Layer, Spaces, role

# What str.isspace() says, as numbers: category Z and the separators among the controls.
WHITE = np.array([c for c in range(0x3001) if chr(c).isspace()], np.uint32)


@dataclass(frozen=True, eq=False)
class Gaps(Layer):
    """White space that is not one plain space after a character: where it stands and what it is.

    `after` counts the characters of the sentence before it; what stands before the first one is
    always here.
    """

    sentence: Int32 = role("sentence")
    after: Int32 = role("value")
    text: Labels = role("value")


@dataclass(frozen=True, eq=False)
class Characters:
    """All characters of some texts in one array, with what follows from it.

    - `bounds`: where each text begins among the characters
    - `offsets`: where each text begins among the atoms
    - `atoms_before`: number of atoms before each character
    """

    codes: npt.NDArray[np.uint32]
    white: npt.NDArray[np.bool_]
    bounds: Int64
    offsets: Int64
    atoms_before: Int64

    @classmethod
    def of(cls, texts: Sequence[str]) -> Characters:
        """From Python strings."""
        codes = np.frombuffer("".join(texts).encode("utf-32-le"), np.uint32)
        bounds = bounds_of([len(t) for t in texts])
        white = np.isin(codes, WHITE)
        before = bounds_of(~white)
        return cls(codes, white, bounds, before[bounds], before)

    @property
    def forms(self) -> Labels:
        """The atoms, each a form of one character."""
        distinct, codes = np.unique(self.codes[~self.white], return_inverse=True)
        return Labels(Names.of(chr(c) for c in distinct.tolist()), codes.astype(np.int32))

    def extras(self) -> dict[str, Layer]:
        """Where white space follows, and what it is where it is not one plain space."""
        if not self.white.any():
            return {"spaces": Spaces(np.zeros(int(self.offsets[-1]), np.bool_))}
        begins = np.zeros(len(self.codes) + 1, np.bool_)
        begins[self.bounds[:-1]] = True  # of a text
        first = self.white & (begins[:-1] | ~np.concatenate([[False], self.white[:-1]]))
        starts = np.flatnonzero(first)
        closed = ~self.white | begins[:-1]  # a run ends here at the latest
        stops = np.flatnonzero(closed | first)
        ends = np.append(stops, len(self.codes))[np.searchsorted(stops, starts, side="right")]
        text = np.searchsorted(self.bounds, starts, side="right") - 1
        after = self.atoms_before[starts] - self.offsets[text]
        spaces = np.zeros(int(self.offsets[-1]), np.bool_)
        spaces[(self.atoms_before[starts] - 1)[after > 0]] = True
        plain = (after > 0) & (ends - starts == 1) & (self.codes[starts] == ord(" "))
        extras: dict[str, Layer] = {"spaces": Spaces(spaces)}
        odd = np.flatnonzero(~plain)
        if len(odd):
            written = [self._text(starts[i], ends[i]) for i in odd.tolist()]
            extras["gaps"] = Gaps(
                text[odd].astype(np.int32), after[odd].astype(np.int32), Labels.of(written)
            )
        return extras

    def _text(self, start: int, end: int) -> str:
        return self.codes[start:end].tobytes().decode("utf-32-le")


def texts_of(corpus: Corpus) -> tuple[list[str], list[Int64]]:
    """The text of every sentence of a corpus of characters, and where each atom stands in it."""
    assert corpus.forms is not None
    forms, after = corpus.forms.to_list(), corpus.space_after.tolist()
    layer = corpus.extra("gaps", Gaps)
    rows = layer.rows() if layer is not None else ()
    gaps = {(sentence, place): text for sentence, place, text in rows}
    offsets = corpus.offsets.tolist()
    texts, places = [], []
    for sentence in range(corpus.sentence_count):
        first, last = offsets[sentence], offsets[sentence + 1]
        between = [
            gaps.get((sentence, i), " ") if after[first + i - 1] else ""
            for i in range(1, last - first + 1)
        ]
        leading = gaps.get((sentence, 0), "")
        pieces = [c + gap for c, gap in zip(forms[first:last], between, strict=True)]
        texts.append(leading + "".join(pieces))
        sizes = np.array([len(p) for p in pieces], np.int64)
        places.append(np.cumsum(sizes) - sizes + len(leading))
    return texts, places
