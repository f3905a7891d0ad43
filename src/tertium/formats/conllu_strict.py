"""What the UD evaluation refuses in a file that our reader takes."""

from __future__ import annotations

import numpy as np

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int64
from tertium.corpus.layers import Arcs
from tertium.exceptions import Problem
from tertium.formats.base import LISTED_PROBLEMS
from tertium.formats.conll import SEVERAL_ROOTS, roots_message
from tertium.formats.layout import (
    BLANK_LINES,
    COMMENT_INSIDE,
    EMPTY_FORM,
    NO_FINAL_BLANK,
    NO_WORDS,
    SPACES_ONLY,
)
from tertium.formats.lines import BYTE_ORDER_MARK, LONE_RETURN

REFUSED = frozenset(
    (
        BLANK_LINES,
        BYTE_ORDER_MARK,
        COMMENT_INSIDE,
        EMPTY_FORM,
        LONE_RETURN,
        NO_FINAL_BLANK,
        NO_WORDS,
        SPACES_ONLY,
    )
)


def refusals(corpus: Corpus, *, several_roots_ok: bool = False) -> list[Problem]:
    """Everything for which the UD evaluation would stop, in the order of lines.

    That are the reader's notes on how the file is laid out, and sentences whose number of roots is
    not one or some of whose words have no head. With `several_roots_ok` only a sentence without a
    root is refused, as the evaluation does on demand. Source: `conll18_ud_eval.py` as in Stanza
    1.11.0, and udtools 0.2.9. Sentences that were skipped are not looked at. The script's recursion
    limit, which breaks it at trees some thousand words deep, is no rule of the evaluation and is
    not followed.
    """
    if corpus.format not in ("conllu", ""):
        what = f"read as {corpus.format}; the UD evaluation reads CoNLL-U with its ten columns"
        return [Problem(what, 1, kind="format")]
    found = [p for p in corpus.problems if p.severity == "note" and p.kind in REFUSED]
    found += _root_problems(corpus, several_roots_ok)
    return sorted(found, key=lambda p: p.line)


def _root_problems(corpus: Corpus, several_roots_ok: bool) -> list[Problem]:
    arcs = corpus.layers.get("deps")
    if not isinstance(arcs, Arcs):
        line = int(corpus.lines[0]) if corpus.lines is not None and len(corpus.lines) else 0
        return [Problem("HEAD is '_' in every word", line, kind="head")]
    of_token = corpus.sentence_of_token
    headless = np.flatnonzero(arcs.head < 0)
    found = [
        _at(corpus, token, "the word has no head") for token in headless[:LISTED_PROBLEMS].tolist()
    ]
    roots = np.flatnonzero(arcs.head == 0)
    count = np.bincount(of_token[roots], minlength=corpus.sentence_count)
    rootless = (count == 0) & (np.diff(corpus.offsets) > 0)
    rootless[of_token[headless]] = False  # reported already
    for sentence in np.flatnonzero(rootless)[:LISTED_PROBLEMS].tolist():
        first = int(corpus.offsets[sentence])
        found.append(_at(corpus, first, "no word of the sentence is its root"))
    if not several_roots_ok:
        found += _several_roots(corpus, roots, np.flatnonzero(count > 1))
    return found


def _several_roots(corpus: Corpus, roots: Int64, sentences: Int64) -> list[Problem]:
    found = []
    for sentence in sentences[:LISTED_PROBLEMS].tolist():
        first, last = np.searchsorted(roots, corpus.offsets[sentence : sentence + 2]).tolist()
        words = roots[first:last] - corpus.offsets[sentence] + 1
        found.append(_at(corpus, int(roots[first + 1]), roots_message(words.tolist())))
    return found


def _at(corpus: Corpus, token: int, message: str) -> Problem:
    line = int(corpus.lines[token]) if corpus.lines is not None else 0
    # Where comments are not read, the reader's note at this line still has the sentence's id.
    known = (p.sentence for p in corpus.problems if p.kind == SEVERAL_ROOTS and p.line == line)
    name = next(known, None) or corpus.sentence_id(int(corpus.sentence_of_token[token]))
    return Problem(message, line, name, "head")
