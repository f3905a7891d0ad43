"""Words, labels and whole trees as brackets write them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

import numpy as np

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels
from tertium.corpus.layers import EmptyNodes, Layer, Tags, Trees
from tertium.corpus.trees import (
    EMPTY,
    FUNCTIONS,
    POS,
    TREES,
    WRITTEN,
    join_label,
    split_label,
    trace_rows,
    word_parents,
    written_forms,
)
from tertium.exceptions import InputError
from tertium.formats.lines import LINE_BREAKS, check_strings, check_words, grouped

NONE = "-NONE-"  # the tag of traces
NO_TAG = "_"  # of words that have none
NO_PARSE = "(())"
_BLANKS = " \t\v\f" + LINE_BREAKS
_ESCAPE = re.compile(r"-([LR][RSC]B)-|\\([/*])", re.IGNORECASE)
_SIGNS = {"LRB": "(", "RRB": ")", "LSB": "[", "RSB": "]", "LCB": "{", "RCB": "}"}


def unescape(written: str) -> str:
    r"""A word as the text has it.

    >>> unescape("-LRB-"), unescape(":--rrb-"), unescape(r"1\/2"), unescape("``"), unescape("-")
    ('(', ':-)', '1/2', '"', '-')
    """
    if written in ("``", "''"):
        return '"'
    if "-" not in written and "\\" not in written:
        return written
    return _ESCAPE.sub(lambda found: found[2] or _SIGNS[found[1].upper()], written)


def escape(form: str) -> str:
    """A word as brackets hold it: only the brackets themselves must be replaced.

    >>> escape("("), escape(":-)"), escape("[")
    ('-LRB-', ':--RRB-', '[')
    """
    return form.replace("(", "-LRB-").replace(")", "-RRB-")


def unescape_label(written: str) -> str:
    """A label or tag; round brackets are replaced in a way of their own, since hyphens separate
    functions.

    >>> unescape_label("$*LRB*"), unescape_label("-LRB-")
    ('$(', '-LRB-')
    """
    return written.replace("*LRB*", "(").replace("*RRB*", ")")


def escape_label(label: str) -> str:
    """What `unescape_label` undoes."""
    return label.replace("(", "*LRB*").replace(")", "*RRB*")


def renamed(labels: Labels, change: Callable[[str], str]) -> Labels:
    """Labels with every distinct name changed."""
    new = Labels.of(map(change, labels.names))
    if len(new.names) == 1:
        return Labels.constant(new.names[0], len(labels))
    is_same = len(new.names) == len(labels.names)  # none were merged
    return Labels(new.names, labels.codes if is_same else new.codes[labels.codes])


def with_functions(labels: Labels) -> tuple[Labels, Labels]:
    """Categories and functions of labels as they are written."""
    parts = {name: split_label(name) for name in labels.names}
    category, function = (renamed(labels, lambda name, i=i: parts[name][i]) for i in (0, 1))  # type: ignore[misc]
    return renamed(category, unescape_label), renamed(function, unescape_label)


def words_of(written: Labels) -> tuple[Labels, dict[str, Layer]]:
    """Forms without escapes, and what was written as an extra if escaping does not restore it."""
    forms = renamed(written, unescape)
    pairs = zip(written.names, map(unescape, written.names), strict=True)
    if all(escape(form) == name for name, form in pairs):
        return forms, {}
    return forms, {WRITTEN: Tags(written)}


def trace_fields(form: str) -> str:
    """The fields of the empty node of a trace.

    >>> trace_fields("*T*-1").split()
    ['*T*-1', '_', '_', '-NONE-', '_', '_', '_', '_', '_']
    """
    return "\t".join([form, "_", "_", NONE, *"_____"])


def check_trees(corpus: Corpus, what: str) -> None:
    """Raise InputError for a corpus without words or trees."""
    check_words(corpus, what)
    if not isinstance(corpus.layers.get(TREES), Trees):
        raise InputError(f"{corpus.origin} has no constituent trees to write as {what}")


def written_words(corpus: Corpus, what: str) -> list[str]:
    """The words of a corpus of trees as brackets hold them; raises InputError if they cannot."""
    check_trees(corpus, what)
    words = renamed(written_forms(corpus), escape)
    check_strings(corpus, words, what, _BLANKS, lambda name: not name)
    return words.to_list()


@lru_cache(4096)
def written_label(label: str, function: str) -> str:
    """A label with its function, as brackets hold it."""
    return escape_label(join_label(label, function)) or NO_TAG


def written_leaves(corpus: Corpus, words: list[str]) -> list[str]:
    """Every word in a bracket with its tag."""
    tags, functions = corpus.layers.get(POS), corpus.extra(FUNCTIONS, Tags)
    names = tags.labels if isinstance(tags, Tags) else Labels.constant(NO_TAG, len(words))
    more = functions.labels if functions else Labels.constant("", len(words))
    for labels in (names, more):
        check_strings(corpus, labels, "brackets", _BLANKS)
    columns = zip(names.to_list(), more.to_list(), words, strict=True)
    return [f" ({written_label(tag, function)} {word})" for tag, function, word in columns]


def bracketed(corpus: Corpus, words: list[str]) -> Iterator[tuple[str, list[int]]]:
    """The trees of each sentence on a line of its own, and its tokens in the order written."""
    trees, leaves = corpus.layer(TREES, Trees), written_leaves(corpus, words)
    traces = (fields.partition("\t")[0] for *_, fields in corpus.rows_of(EMPTY, EmptyNodes))
    is_trace = trace_rows(trees).tolist()
    opened = [
        f" ({NONE} {next(traces)})"
        if trace
        else f" ({written_label(label, function)}"
        if label or function
        else " ("
        for trace, label, function in zip(
            is_trace, trees.label.to_list(), trees.function.to_list(), strict=True
        )
    ]
    columns = [*zip(trees.parent.tolist(), trees.start.tolist(), is_trace, opened, strict=True)]
    above = word_parents(corpus).tolist()
    bounds = np.searchsorted(trees.sentence, np.arange(corpus.sentence_count + 1)).tolist()
    sentences = zip(pairwise(bounds), pairwise(corpus.offsets.tolist()), strict=True)
    for (first, last), (token, end) in sentences:
        line = _Line(grouped((above[word], word) for word in reversed(range(token, end))), leaves)
        stack = [-1]
        for row in range(first, last):
            parent, start, is_leaf, text = columns[row]
            while stack[-1] != parent:
                line.put(stack.pop(), end)
                line.pieces.append(")")
            line.put(parent, start)
            line.pieces.append(text)
            if not is_leaf:
                stack.append(row)
        while stack:
            line.put(stack.pop(), end)
            line.pieces.append(")")
        yield "".join(line.pieces[:-1]).lstrip() or NO_PARSE, line.order


@dataclass
class _Line:
    """What is written of a sentence: pieces of text, and the tokens among them in order."""

    words: dict[int, list[int]]  # of each row the tokens directly below it, the last one first
    leaves: list[str]
    pieces: list[str] = field(default_factory=list)
    order: list[int] = field(default_factory=list)

    def put(self, row: int, before: int) -> None:
        """Write the words of a row that are before a token."""
        own = self.words.get(row, [])
        while own and own[-1] < before:
            self.order.append(own.pop())
            self.pieces.append(self.leaves[self.order[-1]])
