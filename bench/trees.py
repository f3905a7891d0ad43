"""Random dependency trees, and tokens and words as objects that can be joined and split.

Every word has a rank, and a head always has a lower rank than its dependents. Whatever is changed
under that rule stays a tree with one root.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

RELATIONS = {
    "NOUN": "nsubj obj obl nmod conj nsubj:pass obl:tmod compound appos nmod:poss".split(),
    "PROPN": "nsubj obj flat nmod compound appos conj vocative".split(),
    "VERB": "advcl conj acl:relcl xcomp ccomp parataxis acl csubj advcl:relcl".split(),
    "ADJ": "amod xcomp conj acl advcl".split(),
    "ADV": "advmod obl fixed advmod:emph discourse".split(),
    "NUM": "nummod nmod compound appos".split(),
    "ADP": "case mark fixed compound:prt".split(),
    "DET": "det det:predet nmod:poss".split(),
    "PRON": "nsubj obj obl nmod:poss expl iobj".split(),
    "AUX": "aux cop aux:pass".split(),
    "CCONJ": ["cc", "cc:preconj"],
    "SCONJ": ["mark", "case"],
    "PART": ["advmod", "mark", "case"],
    "PUNCT": ["punct"],
}
# Verbs come to stand near the root, function words and punctuation at the leaves.
DEPTH = {"VERB": 0.0, "NOUN": 0.5, "PROPN": 0.6, "ADJ": 0.9, "ADV": 1.1, "NUM": 1.1, "PUNCT": 2.5}


@dataclass(slots=True, eq=False)
class Word:
    form: str
    lemma: str
    upos: str
    xpos: str
    feats: str
    rank: float
    head: Word | None = None
    deprel: str = "root"

    def copy(self) -> Word:
        return Word(self.form, self.lemma, self.upos, self.xpos, self.feats, self.rank)


@dataclass(slots=True, eq=False)
class Token:
    """What stands in the text: one word, or the surface of several."""

    surface: str
    space: bool
    words: list[Word]


def attach(words: list[Word], random: Random) -> None:
    """The head is the nearest word of lower rank on one side; sometimes, a farther one."""
    size = len(words)
    left: list[int] = [-1] * size
    right: list[int] = [-1] * size
    stack: list[int] = []
    for i, word in enumerate(words):
        while stack and words[stack[-1]].rank > word.rank:
            right[stack.pop()] = i
        if stack:
            left[i] = stack[-1]
        stack.append(i)
    for i, word in enumerate(words):
        before, after = left[i], right[i]
        if before < 0 and after < 0:
            continue
        if before < 0 or (after >= 0 and (after - i < i - before or random.random() < 0.2)):
            before = after
        word.head = words[before]
        if random.random() < 0.01:
            word.head = other_head(words, i, random) or word.head
        word.deprel = random.choice(RELATIONS[word.upos])


def other_head(words: list[Word], i: int, random: Random) -> Word | None:
    """Another possible head nearby, or None where a few tries find none."""
    word = words[i]
    for _ in range(6):
        j = i + random.randint(-6, 6)
        if 0 <= j < len(words) and words[j].rank < word.rank and words[j] is not word.head:
            return words[j]
    return None


def move_root(words: list[Word], random: Random) -> None:
    """A dependent of the root becomes the root, and the old root its dependent."""
    root = next(word for word in words if word.head is None)
    below = [word for word in words if word.head is root]
    if below:
        chosen = random.choice(below)
        chosen.rank = root.rank - 1
        chosen.head, chosen.deprel = None, "root"
        root.head, root.deprel = chosen, "parataxis"


def contract(words: list[Word], first: Word, second: Word) -> Word:
    """Two words become one: that of lower rank stays and takes over the other's dependents."""
    keep, drop = (first, second) if first.rank < second.rank else (second, first)
    for word in words:
        if word.head is drop:
            word.head = keep
    return keep
