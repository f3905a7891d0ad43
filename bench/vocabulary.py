"""Invented words with a Zipfian distribution, and sentence lengths, for both kinds of data."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

TYPES = 120_000
FUNCTION_WORDS = 90
ONSETS = "b d f g h j k l m n p r s t v w z č".split()
VOWELS = "a e i o u á ö ы".split()
ENDINGS = ["", "", "", "n", "s", "r", "t", "ß", "ne"]
FINAL = [".", ".", ".", ".", ".", "?", "!", "…", "🙂"]
INNER = [",", ",", ",", ",", "–", ";", ":", "„", "“"]


@dataclass(frozen=True)
class Vocabulary:
    """Word types from frequent to rare, and the cumulative probability of each."""

    forms: list[str]
    cumulative: NDArray[np.float64]

    def draw(self, rng: np.random.Generator, size: int) -> NDArray[np.int64]:
        """Type numbers of a text of that size."""
        return np.searchsorted(self.cumulative, rng.random(size)).clip(max=len(self.forms) - 1)


def make_vocabulary(rng: np.random.Generator) -> Vocabulary:
    """Frequent words are short; three in ten have letters outside ASCII; every form occurs once."""
    vowel = np.array([8, 8, 7, 7, 5, 0.5, 0.5, 0.2])
    vowel /= vowel.sum()

    def syllables(size: int) -> NDArray[np.str_]:
        onset = rng.choice(ONSETS, size, p=_decreasing(len(ONSETS)))
        return np.char.add(onset, rng.choice(VOWELS, size, p=vowel))

    short = dict.fromkeys(syllables(4_000).tolist())
    forms = dict.fromkeys(list(short)[:FUNCTION_WORDS])
    for count, parts in ((8_000, 2), (20_000, 3), (4 * TYPES, 4)):
        words = syllables(count)
        for _ in range(parts - 1):
            words = np.char.add(words, syllables(count))
        words = np.char.add(words, rng.choice(ENDINGS, count))
        forms.update(dict.fromkeys(words.tolist()))
    names = rng.random(TYPES) < 0.15
    listed = list(forms)[:TYPES]
    for i in range(FUNCTION_WORDS, TYPES):
        if names[i]:
            listed[i] = listed[i].capitalize()
    probability = 1 / (np.arange(len(listed)) + 3.7)
    return Vocabulary(listed, np.cumsum(probability / probability.sum()))


def sentence_lengths(rng: np.random.Generator, words: int, sentences: int) -> NDArray[np.int64]:
    """Lengths of at least 1 with a long tail, whose sum is `words`."""
    drawn = rng.gamma(2.5, size=sentences)
    ends = np.rint(np.cumsum(drawn) / drawn.sum() * (words - sentences)).astype(np.int64)
    lengths: NDArray[np.int64] = np.diff(ends, prepend=0) + 1
    return lengths


def _decreasing(size: int) -> NDArray[np.float64]:
    weight: NDArray[np.float64] = 1 / np.sqrt(np.arange(size) + 1.0)
    weight /= weight.sum()
    return weight
