"""What the UD evaluation refuses."""

from __future__ import annotations

import unicodedata
from bisect import bisect_left, bisect_right
from dataclasses import replace

import numpy as np

from tertium.corpus.corpus import Corpus
from tertium.corpus.layers import Arcs, EmptyNodes, Multiwords
from tertium.exceptions import Problem
from tertium.formats.conll import (
    BLANK_LINES,
    COMMENT_INSIDE,
    NO_FINAL_BLANK,
    SEVERAL_ROOTS,
    SPACES_ONLY,
)
from tertium.formats.conllu import EMPTY_FORM, NO_WORDS
from tertium.formats.lines import BYTE_ORDER_MARK, LONE_RETURN
from tertium.formats.problems import head_errors, problem_at, root_problems

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
    not one or some of whose words have no head; and empty nodes inside multiword tokens, which the
    script of 2018 takes for words. With `several_roots_ok` neither these nor several roots are
    refused, as udtools does on demand. Source: `conll18_ud_eval.py` as in Stanza
    1.11.0, and udtools 0.2.9. Sentences that were skipped are not looked at. The script's recursion
    limit, which breaks it at trees some thousand words deep, is no rule of the evaluation and is
    not followed.
    """
    if corpus.format not in ("conllu", ""):
        what = f"read as {corpus.format}; the UD evaluation reads CoNLL-U with its ten columns"
        return [Problem(what, 1, kind="format")]
    found = [p for p in corpus.problems if p.severity == "note" and p.kind in REFUSED]
    arcs = corpus.layers.get("deps")
    if not isinstance(arcs, Arcs):
        line = int(corpus.lines[0]) if corpus.lines is not None and len(corpus.lines) else 0
        found.append(Problem("HEAD is '_' in every word", line, kind="head"))
    else:
        found += _rootless(corpus, arcs)
        found += [] if several_roots_ok else root_problems(corpus, arcs.head)
    found += [] if several_roots_ok else _nodes_inside_ranges(corpus)
    # Where comments are not read, the reader's notes still have the sentences' ids.
    names = {p.line: p.sentence for p in corpus.problems if p.kind == SEVERAL_ROOTS and p.line}
    named = (replace(p, sentence=names.get(p.line) or p.sentence) for p in found)
    return sorted(named, key=lambda p: p.line)


def _nodes_inside_ranges(corpus: Corpus) -> list[Problem]:
    """Multiword tokens with empty nodes between their words. The script of 2018 reads as many lines
    as there are words, and misses the words that it has not come to, in these words."""
    ranges, nodes = corpus.extra("multiwords", Multiwords), corpus.extra("empty", EmptyNodes)
    if ranges is None or nodes is None or corpus.forms is None:
        return []
    after = (corpus.offsets[nodes.sentence] + nodes.after).tolist()  # the token behind the node
    found = []
    for start, end in zip(ranges.start.tolist(), ranges.end.tolist(), strict=True):
        inside = after[bisect_right(after, start) : bisect_left(after, end)]
        if inside:
            lines = sorted([*range(start, end), *(token - 0.5 for token in inside)])
            word = next(int(at) for at in lines[end - start :] if at == int(at))
            first = int(corpus.offsets[corpus.sentence_of_token[start]])
            form = "".join(c for c in corpus.forms[word] if unicodedata.category(c) != "Zs")
            message = (
                f"Incorrect word ID '{word - first + 1}' for word '{form}', expected "
                f"'{end - first + 1}' (an empty node is inside a multiword token)"
            )
            found.append(problem_at(corpus, word, message))
    return found


def _rootless(corpus: Corpus, arcs: Arcs) -> list[Problem]:
    """Words without a head, and sentences in which all have one but none is the root."""
    of_token = corpus.sentence_of_token
    rootless = np.diff(corpus.offsets) > 0
    rootless[of_token[arcs.head <= 0]] = False  # has a root, or is reported already
    first = corpus.offsets[:-1][rootless]
    headless = np.flatnonzero(arcs.head < 0)
    return [
        *head_errors(corpus, headless, lambda _: "the word has no head"),
        *head_errors(corpus, first, lambda _: "no word of the sentence is its root"),
    ]
