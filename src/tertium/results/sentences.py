"""Sentences of a corpus as scenes: the words of both sides, and what was decided about items."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import pairwise, product
from typing import TYPE_CHECKING, Any

import numpy as np

from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int64, Labels
from tertium.results.decisions import OUTCOMES, Decisions
from tertium.results.items import NOWHERE, Items, runs
from tertium.results.scenes import GAP, OUTSIDE, Mark, Scene, Word, gaps_in, shown_tokens

if TYPE_CHECKING:
    from tertium.results.figures import Figure


def sentence_ids(corpus: Corpus, kept: Int64 | None) -> list[str]:
    """The id of every sentence, or its number in the file, counted from 1; `kept` are the numbers
    that the sentences have there, None if none was left out."""
    numbers: Sequence[int] = range(corpus.sentence_count) if kept is None else kept.tolist()
    given = corpus.metadata("sent_id")
    return [id or str(number + 1) for id, number in zip(given, numbers, strict=True)]


def item_names(corpus: Corpus, items: Items) -> Iterator[str]:
    """Sentence and numbers of words: `s1:3`, `s1:4-5`; of several in one place the second is
    `s1:3#2`. Sentences have their ids, or their numbers where ids repeat."""
    ids: Sequence[object] = sentence_ids(corpus, None)
    ids = ids if len({*ids}) == len(ids) else range(1, len(ids) + 1)
    sentence = corpus.sentence_of(items.start)
    first = items.start - corpus.offsets[sentence] + 1
    last = first + items.end - items.start - 1
    seen: Counter[str] = Counter()
    for place, a, b in zip(sentence.tolist(), first.tolist(), last.tolist(), strict=True):
        name = f"{ids[place]}:{a}-{b}" if b > a else f"{ids[place]}:{a}"
        seen[name] += 1
        yield name if seen[name] == 1 else f"{name}#{seen[name]}"


AROUND = {"words": 2, "characters": 12}  # of context, on each side


class Passages:
    """Stretches of a text with the spaces that it has, alone or with what is around them."""

    def __init__(self, corpus: Corpus) -> None:
        assert corpus.forms is not None
        self.corpus = corpus
        pairs = zip(corpus.forms.to_list(), corpus.space_after.tolist(), strict=True)
        self.pieces = [form + " " * is_apart for form, is_apart in pairs]

    def text(self, first: int, last: int) -> str:
        """That of some tokens."""
        return "".join(self.pieces[first:last]).removesuffix(" ")

    def context(self, first: int, last: int, *, whole: bool = False) -> str:
        """The same in brackets, with the tokens around it in its sentence, or the whole of it."""
        sentence, size = int(self.corpus.sentence_of(first)), AROUND.get(self.corpus.atoms, 0)
        begin, end = self.corpus.offsets[sentence : sentence + 2].tolist()
        low, high = (begin, end) if whole else (max(begin, first - size), min(end, last + size))
        parts = (self.text(low, first), f"[{self.text(first, last)}]", self.text(last, high))
        inner = " ".join(filter(None, parts))
        return f"{'… ' * (low > begin)}{inner}{' …' * (high < end)}"


class Scenes:
    """Makes scenes of sentences.

    `ours` and `theirs` are the items to show of gold and system: those that the metric judges, in
    the same order, or all tokens. What is right is what the `decisions` say. The `alignment` has
    sentences for units; `figure` says what is drawn of a scene, and `kept` is as in `sentence_ids`.
    With `nests`, items that are not words or linked to any are constituents of trees.
    """

    def __init__(
        self,
        gold: Corpus,
        ours: Items,
        system: Corpus | None = None,
        theirs: Items | None = None,
        decisions: Decisions | None = None,
        alignment: Alignment | None = None,
        *,
        kept: Int64 | None = None,
        figure: Callable[[Scene], Figure] | None = None,
        nests: bool = False,
    ) -> None:
        self.corpus, self.alignment, self.kept, self.figure = gold, alignment, kept, figure
        self.sides = [_Side(gold, ours)]
        if system is not None and theirs is not None:
            if system.atoms != gold.atoms and alignment is not None:
                # Words and characters side by side would be no text: gold's words are shown.
                system, theirs, self.alignment = gold, theirs.over(alignment), None
            self.sides.append(_Side(system, theirs))
        if decisions is not None and len(decisions):
            of = decisions
            self.sides[0].judge(of, of.gold_row, of.in_gold, of.gold)
            self.sides[1].judge(of, of.system_row, of.in_system, of.system)
        self.by_token = all(side.items.is_token for side in self.sides)
        seconds = [side.items.second is not None for side in self.sides]
        self.has_heads = self.by_token and all(seconds)
        self.has_trees = nests and not self.by_token and not any(seconds)

    @cached_property
    def ids(self) -> list[str]:
        """The id or number of every sentence."""
        return sentence_ids(self.corpus, self.kept)

    def number(self, sentence: int) -> int:
        """The place of a sentence in its file, counted from 1."""
        return (sentence if self.kept is None else int(self.kept[sentence])) + 1

    def scene(self, sentence: int) -> Scene:
        """A gold sentence, counted from 0.

        A system's word stands in the sentence of its partner; without one in the sentence that
        holds its first character.
        """
        corpus = self.corpus
        first, last = corpus.offsets[sentence : sentence + 2].tolist()
        shown = self._shown_tokens(sentence)
        if shown is not None:
            places = [side.numbered(sentence, np.array(shown)) for side in self.sides]
        elif self.alignment is None:
            places = [np.arange(first, last)] * len(self.sides)
        else:
            merged = _merged(self.alignment, sentence, first, last)
            places = [*np.array(merged, np.int64).reshape(-1, 2).T]
        tokens = [side.words(at) for side, at in zip(self.sides, places, strict=True)]
        for side, gap in product(tokens, gaps_in(shown or ())):
            side[gap] = (word := side[gap]) and word._replace(form=GAP)
        marks = [side.marks(at) for side, at in zip(self.sides, places, strict=True)]
        if self.by_token:
            found = [[m.get(t) for t in at.tolist()] for m, at in zip(marks, places, strict=True)]
        else:
            found = self._rows(marks)
        scene = Scene(
            id=self.ids[sentence],
            words=tuple(self._shown(row) for row in zip(*tokens, strict=True)),
            marks=tuple(map(tuple, found)),
            number=self.number(sentence),
            file=corpus.origin,
            line=int(corpus.lines[first]) if corpus.lines is not None and last > first else None,
            tokens=tuple(map(tuple, tokens)),
            by_token=self.by_token,
            has_heads=self.has_heads,
            shown=shown,
        )
        if all(side.corpus.atoms == "characters" for side in self.sides):
            scene = _in_words(scene, corpus.space_after[places[0]].tolist())
        return scene if self.figure is None else replace(scene, figure=self.figure(scene))

    def _shown_tokens(self, sentence: int) -> tuple[int, ...] | None:
        """The tokens that have places of their own where gold only numbers them."""
        if self.corpus.forms is not None or self.by_token:
            return None
        size = max(side.size(sentence) for side in self.sides)
        return shown_tokens(size, (t for side in self.sides for t in side.ends(sentence)))

    @cached_property
    def _has_words(self) -> bool:
        return self.corpus.has_words

    def _shown(self, row: Sequence[Word | None]) -> str:
        """What stands at a place; its number in files without words."""
        word = next(word for word in row if word)
        return word.form if self._has_words or word.form != "_" else str(word.number)

    def _rows(self, marks: Sequence[dict[int, Mark]]) -> list[list[Mark | None]]:
        """Items that were compared stand beside each other, others alone, in text order."""
        found: dict[tuple[int, int], list[Mark | None]] = {}
        for number, (side, there) in enumerate(zip(self.sides, marks, strict=True)):
            for item, mark in there.items():
                row = side.row(item)
                key = (-1, row) if row >= 0 else (number, item)
                found.setdefault(key, [None] * len(marks))[number] = mark
        rows = sorted(found.values(), key=_in_text)
        return [list(side) for side in zip(*rows, strict=True)] if rows else [[] for _ in marks]


def _in_text(row: Sequence[Mark | None]) -> tuple[int, int]:
    """Where a row stands: what begins first, then what is longest."""
    places = next(mark.places for mark in row if mark)
    return places[0], -places[-1]


class _Side:
    """The items of one side, with what the metric decided about each."""

    def __init__(self, corpus: Corpus, items: Items) -> None:
        self.corpus, self.items = corpus, items
        self.decisions: Decisions | None = None

    def judge(self, decisions: Decisions, number: Int64, there: Any, codes: Any) -> None:
        """Take over what was decided: rows have the `number` of an item, which is one of this side
        if it is `there`, and the codes of labels."""
        here = np.flatnonzero(there & (number >= 0))
        self.decisions, self.codes = decisions, codes
        self.rows = np.full(len(self.items), -1, np.int64)
        self.rows[number[here]] = here

    def row(self, item: int) -> int:
        """The decision about an item, -1 if there is none."""
        return -1 if self.decisions is None else int(self.rows[item])

    @cached_property
    def _order(self) -> tuple[Int64, Int64]:
        """Items by their first tokens, and these."""
        order = np.argsort(self.items.start, kind="stable")
        return order, self.items.start[order].astype(np.int64)

    @cached_property
    def _across(self) -> Int64:
        """Items that are not of one sentence alone."""
        items, of = self.items, self.corpus.sentence_of
        if items.is_token or not len(items):
            return np.zeros(0, np.int64)
        return np.flatnonzero(of(items.start) != of(np.maximum(items.end - 1, items.start)))

    def size(self, sentence: int) -> int:
        """How many tokens a sentence has."""
        return int(self.corpus.offsets[sentence + 1] - self.corpus.offsets[sentence])

    def numbered(self, sentence: int, places: Int64) -> Int64:
        """The tokens that are counted from the first of a sentence; -1 behind its last."""
        there = places < self.size(sentence)
        return np.where(there, self.corpus.offsets[sentence] + places, -1)

    def ends(self, sentence: int) -> Iterator[int]:
        """Where the runs of a sentence's items begin and end, counted from its first token."""
        order, starts = self._order
        base, end = self.corpus.offsets[sentence : sentence + 2].tolist()
        a, z = np.searchsorted(starts, [base, end]).tolist()
        for item in order[a:z].tolist():
            covered = self._tokens(item)
            if isinstance(covered, range):
                yield from (covered[i] - base for i in (0, -1) if covered)
            else:
                yield from (token - base for run in runs(covered) for token in run)

    def words(self, tokens: Int64) -> list[Word | None]:
        """What stands at these tokens; None for token -1."""
        corpus = self.corpus
        found: list[Word | None] = [None] * len(tokens)
        place = np.flatnonzero(tokens >= 0)
        there = tokens[place]
        numbers = (there - corpus.offsets[corpus.sentence_of(there)] + 1).tolist()
        tags = corpus.layers.get("upos", corpus.layers.get("pos"))
        upos = getattr(tags, "labels", None)
        unknown: list[Any] = [None] * len(there)
        columns = zip(
            place.tolist(),
            _strings(corpus.forms, there) if corpus.forms is not None else ["_"] * len(there),
            numbers,
            _strings(upos, there) if isinstance(upos, Labels) else unknown,
            corpus.lines[there].tolist() if corpus.lines is not None else unknown,
            strict=True,
        )
        for at, *word in columns:
            found[at] = Word(*word)
        return found

    def marks(self, tokens: Int64) -> dict[int, Mark]:
        """The items that stand at some tokens, by their numbers."""
        items, corpus = self.items, self.corpus
        place_of = {token: place for place, token in enumerate(tokens.tolist()) if token >= 0}
        there = tokens[tokens >= 0]
        if not items.is_token and len(there):
            ends = np.array([there.min(), there.max() + 1])
            order, starts = self._order
            a, z = np.searchsorted(starts, ends).tolist()
            there = np.union1d(order[a:z], self._across)
        if not len(there):
            return {}
        second = np.full(len(there), NOWHERE) if items.second is None else items.second[there]
        base = corpus.offsets[corpus.sentence_of(np.maximum(second, 0))]
        numbers = np.where(second >= 0, second - base + 1, second + 1).tolist()
        verdicts = zip(*self._verdicts(there), strict=True)
        chains: Sequence[str | None] = [None] * len(there)
        if items.chain is not None:
            chains = _strings(items.chain, there)
        found: dict[int, Mark] = {}
        for item, label, at, number, (outcome, type, compared), chain in zip(
            there.tolist(), _strings(items.label, there), second.tolist(), numbers, verdicts,
            chains, strict=True,
        ):  # fmt: skip
            if items.is_token:
                places: tuple[int, ...] = (place_of[item],)
            else:
                covered = self._tokens(item)
                if isinstance(covered, range) and len(covered) > len(place_of):
                    places = tuple(sorted(place_of[t] for t in place_of if t in covered))
                else:
                    places = tuple(sorted(place_of[t] for t in covered if t in place_of))
                if not places:
                    continue
            form = ""
            if at >= 0 and at not in place_of:
                form = corpus.forms[at] if corpus.forms is not None else ""
            if at >= 0:
                at = place_of.get(at, OUTSIDE)
            compared = label if compared is None else compared
            found[item] = Mark(
                label, places, at, type, outcome, compared, number, form, item, chain
            )
        return found

    def _tokens(self, item: int) -> Sequence[int]:
        start, end = int(self.items.start[item]), int(self.items.end[item])
        if self.items.tokens is None:
            return range(start, end)
        covered: list[int] = (start + self.items.tokens[item]).tolist()
        return covered

    def _verdicts(self, items: Int64) -> Iterator[list[str | None]]:
        """Outcome, error type and the label that was compared; None where nothing was judged."""
        decisions = self.decisions
        if decisions is None:
            nothing: list[str | None] = [None] * len(items)
            yield from (nothing, nothing, nothing)
            return
        rows = self.rows[items]
        outcome = np.where(rows < 0, -1, decisions.outcome[rows].astype(np.int64))
        wrong = (rows >= 0) & ~decisions.right[rows]
        type = np.where(wrong, decisions.error_type[rows].astype(np.int64), -1)
        label = np.where(rows < 0, -1, self.codes[rows])
        for names, codes in (
            (OUTCOMES, outcome),
            (decisions.error_types, type),
            (decisions.names.strings, label),
        ):
            yield [names[code] if code >= 0 else None for code in codes.tolist()]


def _strings(labels: Labels, rows: Int64) -> list[str]:
    names = labels.names.strings
    return [names[code] for code in labels.codes[rows].tolist()]


def _in_words(scene: Scene, spaces: Sequence[bool]) -> Scene:
    """A scene of characters as one of words: parted at spaces and where an item begins or ends."""
    size = len(scene.words)
    borders = {place + 1 for place, space in enumerate(spaces) if space} | {0, size}
    for mark in (mark for side in scene.marks for mark in side if mark):
        there = {*mark.places}
        borders |= {place for place in there if place - 1 not in there}
        borders |= {place + 1 for place in there if place + 1 not in there}
        borders |= {mark.second} if mark.second >= 0 else set()
    runs = [*pairwise(sorted(borders))]
    word_of = {place: word for word, run in enumerate(runs) for place in range(*run)}

    def moved(mark: Mark | None) -> Mark | None:
        if mark is None:
            return None
        places = tuple(dict.fromkeys(word_of[place] for place in mark.places))
        return mark._replace(places=places, second=word_of.get(mark.second, mark.second))

    def joined(side: Sequence[Word | None], first: int, last: int) -> Word | None:
        there = [word for word in side[first:last] if word]
        return there[0]._replace(form="".join(w.form for w in there)) if there else None

    return replace(
        scene,
        words=tuple("".join(scene.words[a:z]) for a, z in runs),
        marks=tuple(tuple(map(moved, side)) for side in scene.marks),
        tokens=tuple(tuple(joined(side, *run) for run in runs) for side in scene.tokens),
    )


def _merged(alignment: Alignment, sentence: int, first: int, last: int) -> list[tuple[int, int]]:
    """The tokens of a gold sentence and of the system over it in the order of the text, -1 for the
    side that has none. What begins at the same character: gold first."""
    partner = alignment.system_of_gold[first:last].tolist()
    a, z = alignment.unit_of_system.searchsorted([sentence, sentence + 1]).tolist()
    alone = [
        token for token, other in enumerate(alignment.gold_of_system[a:z].tolist(), a) if other < 0
    ]
    starts = alignment.system_start[alone].tolist() if alone else []
    places: list[tuple[int, int]] = []
    done = 0
    begins = alignment.gold_start[first:last].tolist()
    for token, other, start in zip(range(first, last), partner, begins, strict=True):
        # Tokens of one multiword token begin alike: what the system has before the partner there
        # goes before the pair.
        while done < len(alone) and (alone[done] < other if other >= 0 else starts[done] < start):
            places.append((-1, alone[done]))
            done += 1
        places.append((token, other))
    return [*places, *((-1, token) for token in alone[done:])]
