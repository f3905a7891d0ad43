"""Random pairs of CoNLL-U files over the same text, for tests against evaluation scripts.

A pair of a seed is always the same. The two sides may differ in everything that an evaluation looks
at: where tokens and sentences end, what is a multiword token and what its words are, every column,
and the enhanced graph. A third of the seeds differ in tokens and a third in sentences.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from random import Random

# Letters whose lower case is of another length or depends on the place, characters that are white
# space to Python but no spaces (category Zs) to the evaluation, and signs beyond the first plane.
COMMON = "abcdeABCDE"
RARE = "éÉßİıΣσς漢字😀-.#_\u0301\u200b\u2028\u0085\x0c"
SPACES = (" ", "\u00a0", "\u2009", "\u3000", "  ")
UPOS = ("NOUN", "VERB", "DET", "ADP", "PUNCT", "_")
XPOS = ("NN", "VB", "-", "_")
LEMMAS = ("a", "b", "A", "a b", "_")
FEATS = (
    "Case=Nom",
    "Case=Acc",
    "Number=Sing",
    "Number=Plur",
    "Number[psor]=Sing",
    "Gender=Masc,Neut",
    "Typo=Yes",
    "Foo=Bar",
    "VerbForm=Fin",
    "Case",
    "case=Nom",
)
CONTENT = ("nsubj", "obj", "obl", "conj", "nmod:poss", "nsubj:pass", "dep", "flat:name", "root:x")
FUNCTION = ("aux", "aux:pass", "cop", "mark", "det", "clf", "case", "cc", "cc:preconj")
OTHER = ("punct", "foo", "foo:bar", "Nsubj", "_", ":x")
STEPS = (
    "nsubj",
    "nsubj:xsubj",
    "conj",
    "conj:and",
    "conj:or",
    "obl:on",
    "obl:on:gen",
    "ref",
    "obl",
)


@dataclass
class Word:
    """One word with its columns. `head` is the word itself, None for the root."""

    form: str
    lemma: str = "_"
    upos: str = "_"
    xpos: str = "_"
    feats: str = "_"
    deprel: str = "dep"
    head: Word | None = field(default=None, repr=False)
    edges: list[tuple[Word | str | None, str]] = field(default_factory=list, repr=False)
    origin: Word | None = field(default=None, repr=False)  # the gold word that it was made of

    def __hash__(self) -> int:
        return id(self)

    def __eq__(self, other: object) -> bool:
        return self is other


@dataclass
class Token:
    """A piece of the text: one word, or a multiword token of several."""

    start: int
    end: int
    form: str
    words: list[Word]


Sentence = list[Token]


def random_pair(
    seed: int, *, forests: bool = False, enhanced: bool = True
) -> tuple[str, str, list[Sentence], list[Sentence]]:
    """Gold and system as text, and what they were written from."""
    made = _Pair(Random(seed), forests, enhanced)
    gold, system = made.pair(tokens=seed % 3 == 0, sentences=seed // 3 % 3 == 0)
    return made.written(gold), made.written(system), gold, system


@dataclass
class _Pair:
    random: Random
    forests: bool
    enhanced: bool

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def pair(self, *, tokens: bool, sentences: bool) -> tuple[list[Sentence], list[Sentence]]:
        size = self.random.randint(1, 60)
        odd = self.random.choice([0.0, 0.05, 0.3])
        self.text = "".join(
            self.random.choice(RARE if self.chance(odd) else COMMON) for _ in range(size)
        )
        ends = {i for i in range(1, size) if self.chance(0.4)} | {size}
        stops = {i for i in ends if self.chance(0.2)} | {size}
        gold = self.sentences(ends, stops, {})
        if tokens:
            ends = {i for i in ends if self.chance(0.85)} | {size}
            ends |= {i for i in range(1, size) if self.chance(0.1)}
        stops &= ends  # a token may now go beyond the end of a gold sentence
        if sentences:
            stops = {i for i in stops if self.chance(0.6)} | {size}
            stops |= {i for i in ends if self.chance(0.15)}
        known = {(token.start, token.end): token for sentence in gold for token in sentence}
        system = self.sentences(ends, stops, known)
        for side in (gold, system):
            self.forget_columns(side)
        return gold, system

    # -- tokens and words ----------------------------------------------------------------------

    def sentences(
        self, ends: set[int], stops: set[int], known: dict[tuple[int, int], Token]
    ) -> list[Sentence]:
        """A side: of gold if nothing is known, else of a system that saw the known tokens."""
        found: list[Sentence] = [[]]
        start = 0
        for end in sorted(ends):
            found[-1].append(self.token(start, end, known.get((start, end))))
            start = end
            if end in stops:
                found.append([])
        found.pop()
        copies = {w.origin: w for s in found for t in s for w in t.words if w.origin is not None}
        for sentence in found:
            words = [word for token in sentence for word in token.words]
            self.attach(words, copies)
            if self.enhanced:
                self.connect(words, copies)
        return found

    def token(self, start: int, end: int, known: Token | None) -> Token:
        piece = self.text[start:end]
        form = self.spaced(piece)
        if known is not None and self.chance(0.85):
            words = [self.copied(word) for word in known.words]
            if len(words) > 1:
                form = form if self.chance(0.3) else known.form
                words = self.reworked(words)
            else:
                words[0].form = form
            return Token(start, end, form, words)
        if not self.chance(0.25):
            return Token(start, end, form, [self.word(form)])
        cut = self.random.randint(0, len(piece))
        parts = [piece[:cut], piece[cut:]] if 0 < cut < len(piece) else [piece, piece.swapcase()]
        words = self.reworked([self.word(part) for part in parts])
        return Token(start, end, form, words)

    def reworked(self, words: list[Word]) -> list[Word]:
        """Words of a multiword token with other case, letters or number; always at least two."""
        for word in words:
            if self.chance(0.2):
                word.form = self.random.choice(
                    [word.form.swapcase(), word.form.upper(), self.spaced(word.form), "le", "x y"]
                )
        if self.chance(0.15):
            place = self.random.randint(0, len(words))
            words.insert(place, self.word(self.random.choice([words[0].form, "de", "\u00a0"])))
        if len(words) > 2 and self.chance(0.2):
            del words[self.random.randrange(len(words))]
        return words

    def spaced(self, form: str) -> str:
        """The form with spaces before, in or after it."""
        while self.chance(0.08):
            place = self.random.randint(0, len(form))
            form = form[:place] + self.random.choice(SPACES) + form[place:]
        return form

    def word(self, form: str) -> Word:
        choose = self.random.choice
        return Word(form, choose(LEMMAS), choose(UPOS), choose(XPOS), self.feats(), self.relation())

    def copied(self, word: Word) -> Word:
        """What a system says about a gold word: each column is right most of the time."""
        new = self.word(word.form)
        right = self.random.choice([0.6, 0.95])
        for column in ("lemma", "upos", "xpos", "feats", "deprel"):
            if self.chance(right):
                setattr(new, column, getattr(word, column))
        if self.chance(0.1) and ":" in new.deprel[1:]:
            new.deprel = new.deprel.split(":")[0]
        return replace(new, origin=word)

    def feats(self) -> str:
        some = self.random.sample(FEATS, self.random.choice([0, 0, 1, 2, 3]))
        return "|".join(some) or "_"

    def relation(self) -> str:
        return self.random.choice(self.random.choice([CONTENT, CONTENT, FUNCTION, OTHER]))

    # -- trees and graphs ----------------------------------------------------------------------

    def attach(self, words: list[Word], copies: dict[Word, Word]) -> None:
        """A tree, or a forest, over a sentence; that of the gold words as far as it goes."""
        here = set(words)
        roots = []
        for word in words:
            head = copies.get(word.origin.head) if word.origin and word.origin.head else None
            if word.origin and word.origin.head is None and self.chance(0.9):
                roots.append(word)
            elif head in here and self.chance(0.85):
                word.head = head
            else:
                word.head = self.random.choice(words)
        if self.forests and self.chance(0.4):
            roots += self.random.sample(words, min(len(words), self.random.randint(1, 3)))
        roots = roots or [self.random.choice(words)]
        if not self.forests:
            roots = [self.random.choice(roots)]
        for word in roots:
            word.head = None
            if self.chance(0.8):
                word.deprel = "root"
        for word in words:
            if word.head is None and word not in roots:
                word.head = roots[0]
            self.cut_cycle(word, roots[0])

    @staticmethod
    def cut_cycle(word: Word, root: Word) -> None:
        seen = set()
        at: Word | None = word
        while at is not None and at not in seen:
            seen.add(at)
            at = at.head
        if at is not None:
            at.head = root

    def connect(self, words: list[Word], copies: dict[Word, Word]) -> None:
        """An enhanced graph: edges of the tree, more of them, some twice, some to empty nodes."""
        here = set(words)
        for word in words:
            if word.origin is not None and self.chance(0.8):
                for head, label in word.origin.edges:
                    mine = copies.get(head) if isinstance(head, Word) else head
                    if not isinstance(head, Word) or mine in here:
                        if self.chance(0.2):
                            label = self.path()
                        word.edges.append((mine, label))
            else:
                word.edges.append((word.head, word.deprel))
            while self.chance(0.3):
                head = self.random.choice([*words, None, f"{self.random.randint(0, len(words))}.1"])
                word.edges.append((head, self.path()))
            if word.edges and self.chance(0.1):
                word.edges.append(self.random.choice(word.edges))
            if word.edges and self.chance(0.1):
                word.edges.pop()
            # The number of an empty node must lie in the sentence, wherever it was copied to.
            word.edges = [
                (h, r)
                for h, r in word.edges
                if not isinstance(h, str) or int(h.split(".")[0]) <= len(words)
            ]

    def path(self) -> str:
        steps = [self.random.choice(STEPS) for _ in range(self.random.choice([1, 1, 1, 1, 2, 3]))]
        return ">".join(steps)

    def forget_columns(self, side: list[Sentence]) -> None:
        """Now and then a side has nothing but `_` in a column."""
        words = [word for sentence in side for token in sentence for word in token.words]
        for column in ("lemma", "upos", "xpos", "feats"):
            if self.chance(0.05):
                for word in words:
                    setattr(word, column, "_")
        if self.chance(0.05):
            for word in words:
                word.edges = []

    # -- writing -------------------------------------------------------------------------------

    def written(self, side: list[Sentence]) -> str:
        lines: list[str] = []
        for number, sentence in enumerate(side, 1):
            if self.chance(0.5):
                lines.append(f"# sent_id = {number}")
            lines += self.rows(sentence)
            lines.append("")
        if self.chance(0.05):
            lines.append("# the end")
        return "\n".join(lines) + "\n"

    def rows(self, sentence: Sentence) -> list[str]:
        words = [word for token in sentence for word in token.words]
        number = {word: i for i, word in enumerate(words, 1)}
        rows, last = self.empty_nodes(0), 0
        for token in sentence:
            if len(token.words) > 1:
                rows.append(f"{last + 1}-{last + len(token.words)}\t{token.form}" + "\t_" * 8)
            for word in token.words:
                last += 1
                head = 0 if word.head is None else number[word.head]
                edges = [
                    f"{h if isinstance(h, str) else 0 if h is None else number[h]}:{r}"
                    for h, r in word.edges
                ]
                columns = (word.form, word.lemma, word.upos, word.xpos, word.feats, head)
                rest = (word.deprel, "|".join(edges) or "_", "_")
                rows.append("\t".join(map(str, (last, *columns, *rest))))
                rows += self.empty_nodes(last)
        return rows

    def empty_nodes(self, after: int) -> list[str]:
        """Empty nodes, also inside a multiword token."""
        count = self.random.choice([1, 2]) if self.enhanced and self.chance(0.05) else 0
        return [f"{after}.{i}\te\t_\tVERB\t_\t_\t_\t_\t0:root\t_" for i in range(1, count + 1)]
