"""The running text of a corpus, white space left out, and where its words lie in it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Bytes, Int32, Int64, Labels, joined, unite
from tertium.corpus.layers import Multiwords
from tertium.exceptions import AlignmentError, shorten


@dataclass(frozen=True, eq=False)
class RunningText:
    """Surface tokens and the stretch of characters of every word.

    A word inside a multiword token has the stretch of the whole token and is marked in `multi`.
    `word` is the first word of each surface token. `loose`: is there white space that is no space
    (Unicode category Zs), such as a line separator?
    """

    blob: Bytes
    bounds: Int64
    codes: Int32
    word: Int64
    start: Int64
    end: Int64
    multi: npt.NDArray[np.bool_]
    loose: bool

    def running(self) -> tuple[Bytes, Int64]:
        """The whole text as bytes, and where each surface token begins in it."""
        return joined(self.blob, self.bounds[self.codes], self.bounds[self.codes + 1])

    def surface(self, token: int) -> str:
        """A surface token, white space left out."""
        a, z = self.bounds[self.codes[token]], self.bounds[self.codes[token] + 1]
        return self.blob[a:z].tobytes().decode("utf-8", "replace")

    @classmethod
    def of(cls, corpus: Corpus, *, strict: bool = False) -> RunningText:
        """From forms and multiword tokens; if `strict`, only spaces (Zs) are left out of them."""
        from tertium.align._kernels import lay_out, strip_spaces

        assert corpus.forms is not None
        forms, nothing = corpus.forms, np.zeros(0, np.int32)
        rows: tuple[Int32, Int32, Int32] = (nothing, nothing, nothing)
        multiwords = corpus.extra("multiwords", Multiwords)
        if multiwords is not None:
            order = np.argsort(multiwords.start, kind="stable")
            names, codes = unite(corpus.forms, multiwords.form.take(order))
            forms = Labels(names, codes[0])
            rows = (multiwords.start[order], multiwords.end[order], codes[1])
        names = forms.names
        blob, bounds, characters, loose = strip_spaces(names.blob, names.bounds, strict)
        codes, word, start, end, multi = lay_out(forms.codes, *rows, characters)
        return cls(blob, bounds, codes, word, start, end, multi, bool(loose))


def without_spaces(form: str) -> str:
    """A form without space characters (Unicode category Zs)."""
    if form.isascii():
        return form.replace(" ", "")
    import unicodedata

    return "".join(c for c in form if unicodedata.category(c) != "Zs")


def explain_difference(
    gold: Corpus, system: Corpus, ours: RunningText, theirs: RunningText
) -> None:
    """Raise an AlignmentError that shows the first difference, if there is one."""
    (mine, my_bounds), (other, other_bounds) = ours.running(), theirs.running()
    if np.array_equal(mine, other):
        return
    size = min(len(mine), len(other))
    differs = np.append(mine[:size] != other[:size], True).argmax()
    a, b = (
        int(np.searchsorted(bounds[1:], differs, side="right"))
        for bounds in (my_bounds, other_bounds)
    )
    help = "both must annotate the same text; check that neither is a different or incomplete file"
    if np.array_equal(gold.offsets, system.offsets):
        help = (
            "every sentence has as many tokens on both sides: '--align position' pairs them by "
            "sentence and token number and counts differing forms"
        )
    raise AlignmentError(
        f"these are different texts: {_place(gold, ours, a)}, but {_place(system, theirs, b)}",
        help=help,
    )


def _place(corpus: Corpus, text: RunningText, token: int) -> str:
    if token >= len(text.codes):
        return f"{corpus.origin} ends after {corpus.token_count:,} tokens"
    assert corpus.forms is not None
    word = int(text.word[token])
    sentence = int(corpus.sentence_of_token[word])
    first, last = max(word - 2, int(corpus.offsets[sentence])), min(word + 3, corpus.token_count)
    context = " ".join(
        corpus.forms[w] for w in range(first, min(last, int(corpus.offsets[sentence + 1])))
    )
    line = f":{corpus.lines[word]}" if corpus.lines is not None else ""
    shown = corpus.forms[word]
    if text.multi[word]:  # what is compared is the multiword token
        shown = text.surface(token)
    return (
        f"{corpus.origin}{line}, sentence '{corpus.sentence_id(sentence)}' has "
        f"'{shorten(shown, 60)}' in '{shorten(context, 120)}'"
    )
