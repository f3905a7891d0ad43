"""Single sentences of a corpus as running text, made when somebody wants to see them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from tertium.corpus.corpus import Corpus
from tertium.corpus.layers import Comments, Multiwords, Spaces
from tertium.formats.characters import Gaps

KEPT = 8  # sentences: errors come in the order of the text, and several in one sentence


@dataclass(frozen=True, slots=True)
class Line:
    """A text, and where each token of the sentence stands in it."""

    text: str
    start: tuple[int, ...]
    end: tuple[int, ...]


def has_words(corpus: Corpus) -> bool:
    """Are there words, or only numbers of tokens?"""
    return corpus.forms is not None and not corpus.forms.is_constant("_")


class Texts:
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

    def _line(self, sentence: int) -> Line:
        """The words, with spaces where the file has them; it has them all if it does not say.

        Words of a multiword token stand apart, so that each of them can be pointed at.
        """
        first, last = self._bounds(sentence)
        forms = self._forms(first, last)
        if self.corpus.atoms == "characters":
            return _joined(forms, self._gaps(sentence, first, last), self._leading(sentence))
        apart = self.after[first:last].copy()
        for start, end, _ in self._ranges(first, last):
            apart[start - first : end - first - 1] = True
        return _joined(forms, [" " if a else "" for a in apart.tolist()])

    def _written(self, sentence: int) -> Line | None:
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
        return Line(line.text, start, end)

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

    def _gaps(self, sentence: int, first: int, last: int) -> list[str]:
        """White space after each character."""
        between = [" " if a else "" for a in self.after[first:last].tolist()]
        layer = self.corpus.extras.get("gaps")
        if isinstance(layer, Gaps):
            for row in self.gaps(sentence, sentence + 1).tolist():
                if layer.after[row]:
                    between[int(layer.after[row]) - 1] = layer.text[row]
        return between

    def _leading(self, sentence: int) -> str:
        layer = self.corpus.extras.get("gaps")
        if isinstance(layer, Gaps):
            for row in self.gaps(sentence, sentence + 1).tolist():
                if not layer.after[row]:
                    return layer.text[row]
        return ""


def _joined(forms: Sequence[str], after: Sequence[str], leading: str = "") -> Line:
    """Forms with what follows each; nothing follows the last."""
    parts, start, end = [leading], [], []
    at = len(leading)
    for form, gap in zip(forms, after, strict=True):
        start.append(at)
        end.append(at + len(form))
        parts += [form, gap]
        at += len(form) + len(gap)
    return Line("".join(parts[:-1]), tuple(start), tuple(end))


def _laid_over(text: str, forms: Sequence[str]) -> Line | None:
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
    return Line(text, tuple(start), tuple(end))


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
