"""Single sentences as running text, and where the items of both sides stand in them, whatever their
tokens."""

from __future__ import annotations

import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial

import numpy as np
import numpy.typing as npt

from tertium.align.tokens import Alignment
from tertium.comparison.errors.instances import Context, Range
from tertium.corpus.corpus import Corpus
from tertium.corpus.layers import Comments, Multiwords, Spaces
from tertium.formats.characters import Gaps
from tertium.results.scenes import numbers_at, shown_tokens

FARTHEST = 5  # times the size of a context: a head beyond is named, but not shown
KEPT = 8  # sentences: errors come in the order of the text, and several in one sentence


@dataclass(frozen=True, slots=True)
class TextLine:
    """A text, and where each token of the sentence stands in it."""

    text: str
    start: tuple[int, ...]
    end: tuple[int, ...]
    shown: tuple[int, ...] | None = None  # the tokens that do, where not all of them

    def at(self, token: int) -> Range:
        """The characters of a token, counted from 0 in the sentence."""
        place = token if self.shown is None else bisect_right(self.shown, token) - 1
        return self.start[place], self.end[place]


class SentenceTexts:
    """The sentences of a corpus that has words."""

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus
        self.offsets = corpus.offsets
        self.after = corpus.space_after
        self.line = lru_cache(KEPT)(self._line)
        self.written = lru_cache(KEPT)(self._written)
        self.comments = _rows_by(corpus.extras.get("comments"), Comments, "sentence")
        self.gaps = _rows_by(corpus.extras.get("gaps"), Gaps, "sentence")
        self.multiwords = _rows_by(corpus.extras.get("multiwords"), Multiwords, "start")

    def _line(self, sentence: int) -> TextLine:
        """The words, with spaces where the file has them; it has them all if it does not say.

        Words of a multiword token stand apart, so that each of them can be pointed at.
        """
        first, last = self._bounds(sentence)
        forms = self._forms(first, last)
        if self.corpus.atoms == "characters":
            return self._spaced(forms, sentence, first)
        apart = self.after[first:last].copy()
        for start, end, _ in self._ranges(first, last):
            apart[start - first : end - first - 1] = True
        return _joined(forms, [" " if a else "" for a in apart.tolist()])

    def _written(self, sentence: int) -> TextLine | None:
        """The text as the file has it; None where it cannot be told.

        It is known of texts with character offsets, from `# text = ...`, or where the file says
        which tokens no space follows. Words of a multiword token stand where the whole token does.
        """
        if self.corpus.atoms == "characters":
            return self.line(sentence)
        first, last = self._bounds(sentence)
        surface, words = self._surface(first, last)
        found = self._told(sentence)
        line = _laid_over(found, surface) if found is not None else None
        if line is None and isinstance(self.corpus.extras.get("spaces"), Spaces):
            ends = np.cumsum(words) - 1 + first
            line = _joined(surface, [" " if a else "" for a in self.after[ends].tolist()])
        if line is None:
            return None
        start, end = (
            tuple(np.repeat(np.array(at, np.int64), words).tolist())
            for at in (line.start, line.end)
        )
        return TextLine(line.text, start, end)

    def _bounds(self, sentence: int) -> tuple[int, int]:
        return int(self.offsets[sentence]), int(self.offsets[sentence + 1])

    def _forms(self, first: int, last: int) -> list[str]:
        assert self.corpus.forms is not None
        names = self.corpus.forms.names.strings
        return [names[code] for code in self.corpus.forms.codes[first:last].tolist()]

    def _ranges(self, first: int, last: int) -> list[tuple[int, int, str]]:
        """Multiword tokens that begin in a stretch: start, end and form."""
        layer = self.corpus.extras.get("multiwords")
        if not isinstance(layer, Multiwords):
            return []
        rows = self.multiwords(first, last)
        return [(int(layer.start[r]), int(layer.end[r]), layer.form[r]) for r in rows.tolist()]

    def _surface(self, first: int, last: int) -> tuple[list[str], npt.NDArray[np.int64]]:
        """The forms as they stand in the text, and how many words each of them is."""
        forms = self._forms(first, last)
        sizes = [1] * len(forms)
        for start, end, form in reversed(self._ranges(first, last)):
            forms[start - first : end - first] = [form]
            sizes[start - first : end - first] = [end - start]
        return forms, np.array(sizes, np.int64)

    def _told(self, sentence: int) -> str | None:
        """What `# text = ...` says."""
        layer = self.corpus.extras.get("comments")
        if not isinstance(layer, Comments):
            return None
        for comment in layer.text.take(self.comments(sentence, sentence + 1)).to_list():
            key, equals, value = comment.partition("=")
            if equals and key.strip() == "text":
                return value.strip()
        return None

    def _spaced(self, characters: Sequence[str], sentence: int, first: int) -> TextLine:
        """Characters with the white space before and after each that the file has."""
        last = first + len(characters)
        between = ["", *(" " if a else "" for a in self.after[first:last].tolist())]
        layer = self.corpus.extras.get("gaps")
        if isinstance(layer, Gaps):
            for row in self.gaps(sentence, sentence + 1).tolist():
                between[int(layer.after[row])] = layer.text[row]
        return _joined(characters, between[1:], leading=between[0])


def _joined(forms: Sequence[str], after: Sequence[str], leading: str = "") -> TextLine:
    """Forms with what follows each; nothing follows the last."""
    parts, start, end = [leading], [], []
    at = len(leading)
    for form, gap in zip(forms, after, strict=True):
        start.append(at)
        end.append(at + len(form))
        parts += [form, gap]
        at += len(form) + len(gap)
    return TextLine("".join(parts[:-1]), tuple(start), tuple(end))


def _laid_over(text: str, forms: Sequence[str]) -> TextLine | None:
    """Where the forms stand in a text, white space between them left out; None if they do not."""
    start, end = [], []
    at = 0
    for form in forms:
        while text[at : at + 1].isspace():
            at += 1
        if not text.startswith(form, at):
            return None
        start.append(at)
        at += len(form)
        end.append(at)
    return TextLine(text, tuple(start), tuple(end))


def _rows_by(layer: object, kind: type, column: str) -> Callable[[int, int], npt.NDArray[np.int64]]:
    """A function that gives the rows of a layer whose `column` is from a first to before a last
    number, in order."""
    if not isinstance(layer, kind):
        return lambda first, last: np.zeros(0, np.int64)
    values = getattr(layer, column)
    order = np.argsort(values, kind="stable")
    ranked = values[order]

    def rows(first: int, last: int) -> npt.NDArray[np.int64]:
        a, z = np.searchsorted(ranked, [first, last]).tolist()
        return order[a:z]

    return rows


@dataclass(frozen=True, slots=True)
class Marks:
    """What is to be shown of one side, as tokens of its corpus.

    `runs` are the first and last token of each stretch without gaps, `head` is the head of a word,
    -1 where there is none.
    """

    runs: tuple[tuple[int, int], ...] = ()
    head: int = -1


class Contexts:
    """Sentences with both sides' items marked in them.

    The words are those of the gold side. If it has none they are the system's, and if neither has
    any, the numbers of the tokens stand for them; all such corpora are paired by number.
    """

    def __init__(self, gold: Corpus, system: Corpus, alignment: Alignment, size: int) -> None:
        self.gold, self.system, self.alignment, self.size = gold, system, alignment, size
        self.gold_texts = SentenceTexts(gold) if gold.has_words else None
        self.system_texts = SentenceTexts(system) if system.has_words else None
        self.texts = self.gold_texts or self.system_texts

    def context(self, unit: int, gold: Marks, system: Marks) -> Context:
        """The sentence with the marks, cut to `size` characters around them."""
        line = self._line(unit, gold, system)
        ours = partial(self._numbered, self.gold)
        theirs = self._over_gold if self.gold_texts else partial(self._numbered, self.system)
        sides = ((gold, ours), (system, theirs))
        marked = [_ranges(marks, place, unit, line) for marks, place in sides]
        heads = [place(marks.head, unit, line) for marks, place in sides]
        items = [*marked[0], *marked[1]]
        # A head far away would bring along all that stands between.
        far = self.size * FARTHEST
        low = min((a for a, _ in items), default=0) - far
        high = max((z for _, z in items), default=0) + far
        heads = [head if head and low <= head[0] and head[1] <= high else None for head in heads]
        first, last = self._window(line, [*items, *(head for head in heads if head)])

        def moved(at: Range) -> Range:
            return at[0] - first, at[1] - first

        return Context(
            text=line.text[first:last],
            gold=tuple(map(moved, marked[0])),
            system=tuple(map(moved, marked[1])),
            gold_head=moved(heads[0]) if heads[0] else None,
            system_head=moved(heads[1]) if heads[1] else None,
            left_out=(first, len(line.text) - last),
            numbers=self.texts is None,
        )

    def _line(self, unit: int, gold: Marks, system: Marks) -> TextLine:
        if self.texts is not None:
            return self.texts.line(unit)
        sides = [(self.gold.offsets[unit : unit + 2].tolist(), gold)]
        sides += [(self.system.offsets[unit : unit + 2].tolist(), system)]
        size = max(end - base for (base, end), _ in sides)
        touched = (t - base for (base, _), marks in sides for run in marks.runs for t in run)
        return _numbers(size, shown_tokens(size, touched) if self.gold.forms is None else None)

    def _numbered(self, corpus: Corpus, token: int, unit: int, line: TextLine) -> Range | None:
        """A token by its number in the sentence; None if it stands in another one."""
        place = token - int(corpus.offsets[unit])
        if token < 0 or not 0 <= place < int(corpus.offsets[unit + 1] - corpus.offsets[unit]):
            return None
        return line.at(place)

    def _over_gold(self, token: int, unit: int, line: TextLine) -> Range | None:
        """A token of the system among the gold words: its partner, or the same characters."""
        if token < 0:
            return None
        partner = int(self.alignment.gold_of_system[token])
        if partner >= 0:
            return self._numbered(self.gold, partner, unit, line)
        a, z = int(self.gold.offsets[unit]), int(self.gold.offsets[unit + 1])
        start, end = self.alignment.gold_start[a:z], self.alignment.gold_end[a:z]
        atom = int(self.alignment.system_start[token])
        stop = int(self.alignment.system_end[token])
        if a == z or stop <= start[0] or atom >= end[-1]:
            return None
        first = int(np.searchsorted(end, atom, side="right"))
        last = int(np.searchsorted(start, stop - 1, side="right")) - 1
        places = _characters(line.text[line.start[first] : line.end[first]])
        begin = line.start[first]
        if len(places) == end[first] - start[first] and atom > start[first]:
            begin += places[atom - int(start[first])]
        places = _characters(line.text[line.start[last] : line.end[last]])
        finish = line.end[last]
        if len(places) == end[last] - start[last] and stop < end[last]:
            finish = line.start[last] + places[stop - 1 - int(start[last])] + 1
        return begin, finish

    def _window(self, line: TextLine, ranges: Sequence[Range]) -> Range:
        """The characters to show: whole tokens, at most `size` characters beyond the marks."""
        first = min((a for a, _ in ranges), default=0)
        last = max((z for _, z in ranges), default=0)
        low, high = first - self.size, last + self.size
        if low > 0:
            at = bisect_left(line.start, low)
            first = min(first, line.start[at]) if at < len(line.start) else first
        else:
            first = 0
        if high < len(line.text):
            at = bisect_right(line.end, high) - 1
            last = max(last, line.end[at]) if at >= 0 else last
        else:
            last = len(line.text)
        return first, last


def _ranges(
    marks: Marks, place: Callable[[int, int, TextLine], Range | None], unit: int, line: TextLine
) -> list[Range]:
    """The characters of every run; what lies outside the sentence is cut off."""
    found: list[Range] = []
    for first, last in marks.runs:
        begin, end = place(first, unit, line), place(last, unit, line)
        if begin or end:
            found.append((begin[0] if begin else 0, end[1] if end else len(line.text)))
    return found


@lru_cache(KEPT)
def _numbers(count: int, shown: tuple[int, ...] | None) -> TextLine:
    """The numbers of tokens with spaces between; where some are `shown`, only of these."""
    forms = numbers_at(shown or range(count))
    return replace(_joined(forms, [" "] * len(forms)), shown=shown)


def _characters(form: str) -> list[int]:
    """Where the characters of a form stand that are no spaces: what alignment counts."""
    return [i for i, c in enumerate(form) if unicodedata.category(c) != "Zs"]
