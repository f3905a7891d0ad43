"""Trees as files of nodes describe them, each leaf and node with its parent; and the way back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int32, Int64, Labels, bounds_of, concatenate
from tertium.corpus.layers import Bools, Comments, EmptyNodes, Layer, Ragged, Tags, Trees
from tertium.corpus.trees import (
    EMPTY,
    FUNCTIONS,
    POS,
    TREES,
    WRITTEN,
    trace_rows,
    word_parents,
    written_forms,
)
from tertium.exceptions import InputError, counted
from tertium.formats.base import Reader, tokens_on_cycles
from tertium.formats.lines import check_strings
from tertium.formats.trees.text import NONE as TRACE
from tertium.formats.trees.text import check_trees, renamed, trace_fields, unescape

FIRST_NODE = 500  # the number of the first constituent
NONE = "--"  # what stands for no function, lemma or morphology
NO_FUNCTION = {NONE: "", "-": ""}  # TüBa-D/Z writes a single hyphen


class NodeReader(Reader):
    """Reads a file of nodes."""

    def unread(self, count: int, one: str, many: str = "") -> None:
        """Note how much of something was not read."""
        if count:
            was = "was" if count == 1 else "were"
            self.problems.note(f"{counted(count, one, many)} {was} not read", kind="unread")


@dataclass(frozen=True, eq=False)
class Nodes:
    """Leaves and nodes of a file, sentence by sentence; `parent` is the number of a node or -1.

    Labels and functions are empty for none. `columns` are further tags of leaves by name; `lines`
    are counted from 0.
    """

    sentence: Int32
    parent: Int32
    label: Labels
    function: Labels
    lines: Int32
    leaf_sentence: Int32
    leaf_parent: Int32
    form: Labels
    tag: Labels
    leaf_function: Labels
    leaf_lines: Int32
    columns: Mapping[str, Labels] = field(default_factory=dict)

    def some(self, nodes: Bools, leaves: Bools) -> Nodes:
        """Without some nodes and leaves; what hangs from a node that is gone has no parent."""
        number = np.append(np.where(nodes, np.cumsum(nodes) - 1, -1), -1).astype(np.int32)
        return Nodes(
            self.sentence[nodes],
            number[self.parent[nodes]],
            self.label.take(nodes),
            self.function.take(nodes),
            self.lines[nodes],
            self.leaf_sentence[leaves],
            number[self.leaf_parent[leaves]],
            self.form.take(leaves),
            self.tag.take(leaves),
            self.leaf_function.take(leaves),
            self.leaf_lines[leaves],
            {name: labels.take(leaves) for name, labels in self.columns.items()},
        )

    def without(self, bad: Bools) -> Nodes:
        """Without what belongs to bad sentences."""
        return self.some(~bad[self.sentence], ~bad[self.leaf_sentence]) if bad.any() else self

    def checked(self, reader: Reader) -> Nodes:
        """Without bad sentences, and those in which constituents form a cycle or have no children.
        Under "repair" constituents without words are left out."""
        sound = self.without(reader.bad)
        bounds = np.searchsorted(sound.sentence, np.arange(len(reader.bad) + 1))
        above = np.where(sound.parent < 0, 0, sound.parent - bounds[sound.sentence] + 1)
        sound._refuse(
            reader, tokens_on_cycles(above.astype(np.int32), bounds), "is its own ancestor"
        )
        sound = sound.without(reader.bad)
        has_children = np.zeros(len(sound.parent) + 1, np.bool_)
        has_children[sound.parent] = has_children[sound.leaf_parent] = True
        childless = np.flatnonzero(~has_children[:-1])
        sound._refuse(reader, childless, "has no children", mended=len(childless))
        sound = sound.without(reader.bad)
        if not len(childless):
            return sound
        return sound.some(_first_leaves(sound) >= 0, np.ones(len(sound.leaf_parent), np.bool_))

    def _refuse(self, reader: Reader, rows: Int64, what: str, mended: int = 0) -> None:
        reader.refuse(
            rows, lambda row: f"the constituent '{self.label[row]}' {what}", self.lines,
            self.sentence, kind=TREES, mended=mended,
        )  # fmt: skip

    def corpus(self, reader: Reader, comments: Comments) -> Corpus:
        """The corpus; leaves tagged as traces are no tokens."""
        made = self._with_traces() if (is_trace := self._is_trace).any() else self
        words = np.flatnonzero(~is_trace)
        token = np.where(is_trace, -1, np.cumsum(~is_trace) - 1).astype(np.int32)
        trees, order = grown(
            made.parent, made.leaf_parent, token, made.label, made.function, made.sentence
        )
        functions = self.leaf_function.take(words)
        layers: dict[str, Layer] = {TREES: trees}
        for column, labels in {POS: self.tag, **self.columns}.items():
            if not (tags := labels.take(words).rename({NONE: "_"})).is_constant("_"):
                layers[column] = Tags(tags)
        extras: dict[str, Layer] = {"comments": comments} if len(comments.sentence) else {}
        if not functions.is_constant(""):
            extras[FUNCTIONS] = Tags(functions)
        sizes = np.bincount(self.leaf_sentence[words], minlength=len(reader.bad))
        offsets = bounds_of(sizes)
        if is_trace.any():
            traces = np.flatnonzero(is_trace)[order[order >= len(self.parent)] - len(self.parent)]
            extras[EMPTY] = self._empty(traces, token, offsets)
        written = self.form.take(words)
        forms = renamed(written, unescape)
        if forms != written:
            extras[WRITTEN] = Tags(written)
        return reader.corpus(
            offsets,
            forms=forms,
            layers=layers,
            extras=extras,
            lines=(self.leaf_lines[words] + 1).astype(np.int32),
        )

    @property
    def _is_trace(self) -> Bools:
        found: Bools = self.tag.codes == self.tag.names.find(TRACE)
        return found

    def _with_traces(self) -> Nodes:
        """With a node for every trace, behind all others."""
        traces = np.flatnonzero(self._is_trace)
        leaf_parent = self.leaf_parent.copy()
        leaf_parent[traces] = np.arange(len(traces)) + len(self.parent)
        return replace(
            self,
            sentence=np.append(self.sentence, self.leaf_sentence[traces]),
            parent=np.append(self.parent, self.leaf_parent[traces]),
            label=concatenate([self.label, self.tag.take(traces)]),
            function=concatenate([self.function, self.leaf_function.take(traces)]),
            leaf_parent=leaf_parent,
        )

    def _empty(self, traces: Int64, token: Int32, offsets: Int64) -> EmptyNodes:
        """These leaves as empty nodes."""
        sentence = self.leaf_sentence[traces]
        before = np.cumsum(token >= 0)[traces] - offsets[sentence]
        minor, seen = [], dict[tuple[int, int], int]()
        for place in zip(sentence.tolist(), before.tolist(), strict=True):
            seen[place] = seen.get(place, 0) + 1
            minor.append(seen[place])
        fields = renamed(self.form.take(traces), trace_fields)
        after, number = before.astype(np.int32), np.array(minor, np.int32)
        return EmptyNodes(sentence, after, number, fields)


def _first_leaves(nodes: Nodes) -> Int64:
    """The first leaf below every node, -1 for none."""
    from tertium.formats.trees._kernels import first_leaves

    first = np.full(len(nodes.parent), -1, np.int64)
    first_leaves(nodes.parent, nodes.leaf_parent, first)
    return first


def grown(
    parent: Int32,
    leaf_parent: Int32,
    token: Int32,
    label: Labels,
    function: Labels,
    sentence: Int32,
) -> tuple[Trees, Int64]:
    """Trees of nodes in any order, and the node of every row.

    Leaves have the number of a token, or -1 for traces, each of which is the only leaf of a node of
    its own. Every node has leaves, and there are no cycles. Children are in the order of their
    first leaves.
    """
    from tertium.formats.trees._kernels import (
        cover_tokens,
        first_leaves,
        list_tokens,
        nodes_in_preorder,
    )

    count = len(parent)
    first, order = np.full(count, -1, np.int64), np.empty(count, np.int64)
    first_leaves(parent, leaf_parent, first)
    by_first, (child, sibling) = np.argsort(first, kind="stable"), np.full((2, count + 1), -1)
    nodes_in_preorder(parent, by_first, child, sibling, order)
    row = np.full(count + 1, -1, np.int32)
    row[order] = np.arange(count, dtype=np.int32)
    above, below = row[parent[order]], row[leaf_parent]
    start = np.append(0, np.cumsum(token >= 0))[first[order]].astype(np.int32)
    end, size = start.copy(), np.zeros(count, np.int64)
    cover_tokens(above, below, token, start, end, size)
    tokens = None
    if (size < end - start).any():
        bounds = bounds_of(size)
        tokens = Ragged(bounds, np.empty(bounds[-1], np.int32))
        list_tokens(above, below, token, start, bounds[:-1].copy(), tokens.values)
    roles, of_row = function.take(order), sentence[order]
    labels = label.take(order)
    made = Trees(start, end, labels, tokens, function=roles, parent=above, sentence=of_row)
    return made, order


@dataclass(frozen=True, eq=False)
class Leaves:
    """The words and traces of a corpus in their order: `token` is -1 for a trace, `row` the row
    of the trace or that of the lowest constituent over a word, -1 for none."""

    token: Int32
    row: Int32
    sentence: Int32

    @classmethod
    def of(cls, corpus: Corpus) -> Leaves:
        """A trace is before the token that its row names."""
        trees = corpus.layer(TREES, Trees)
        tokens = np.arange(corpus.token_count, dtype=np.int32)
        words = word_parents(corpus)
        traces = np.flatnonzero(trace_rows(trees)).astype(np.int32)
        if not len(traces):
            return cls(tokens, words, corpus.sentence_of_token)
        place = np.concatenate([trees.start[traces], tokens])
        sentence = np.concatenate([trees.sentence[traces], corpus.sentence_of_token])
        order = np.lexsort((np.arange(len(place)) >= len(traces), place, sentence))
        token = np.concatenate([np.full(len(traces), -1, np.int32), tokens])
        return cls(token[order], np.concatenate([traces, words])[order], sentence[order])


class WordEntry(NamedTuple):
    """A leaf as it is written; parent 0 is none."""

    form: str
    lemma: str
    tag: str
    morph: str
    function: str
    parent: int


class NodeEntry(NamedTuple):
    """A constituent as it is written; parent 0 is none."""

    number: int
    label: str
    function: str
    parent: int


def sheets(
    corpus: Corpus, what: str, refused: Callable[[str], bool]
) -> Iterator[tuple[list[WordEntry], list[NodeEntry]]]:
    """Words and constituents of every sentence; constituents are numbered from 500 on, those
    further down first.

    `refused` says which strings the format cannot hold; InputError is raised for them.
    """
    check_trees(corpus, what)
    trees = corpus.layer(TREES, Trees)
    columns = [written_forms(corpus), *(_column(corpus, *names) for names in COLUMNS)]
    check_strings(corpus, columns[0], what, refused=refused)
    for labels in columns[1:]:
        check_strings(corpus, labels, what, refused=lambda name: bool(name) and refused(name))
    _check_rows(corpus, trees, what, refused)
    return _entries(corpus, trees, columns)


def _entries(
    corpus: Corpus, trees: Trees, columns: Sequence[Labels]
) -> Iterator[tuple[list[WordEntry], list[NodeEntry]]]:
    leaves = Leaves.of(corpus)
    words = [*zip(columns[0].to_list(), *map(_plain, columns[1:]), strict=True)]
    traces = iter([*corpus.rows_of(EMPTY, EmptyNodes)])
    label, function = _plain(trees.label), _plain(trees.function)
    number, above = _numbers(trees), [*trees.parent.tolist(), -1]
    by_number = np.lexsort((number[:-1], trees.sentence)).tolist()
    numbers = number.tolist()
    rows = np.arange(corpus.sentence_count + 1)
    of_leaf, of_row = (
        pairwise(np.searchsorted(sentence, rows).tolist())
        for sentence in (leaves.sentence, trees.sentence)
    )
    token, row = leaves.token.tolist(), leaves.row.tolist()
    for (leaf, last_leaf), (first, last) in zip(of_leaf, of_row, strict=True):
        found = [
            WordEntry._make((*words[token[i]], numbers[row[i]]))
            if token[i] >= 0
            else WordEntry(
                next(traces)[3].partition("\t")[0], NONE, TRACE, NONE, function[row[i]],
                numbers[above[row[i]]],
            )
            for i in range(leaf, last_leaf)
        ]  # fmt: skip
        yield (
            found,
            [
                NodeEntry(numbers[i], label[i], function[i], numbers[above[i]])
                for i in by_number[first:last]
                if numbers[i]
            ],
        )


# Layers that are written, each the first that is there.
COLUMNS = (("lemma",), (POS, "xpos", "upos", "tag"), ("morph", "feats"), (FUNCTIONS,))


def _column(corpus: Corpus, *names: str) -> Labels:
    for name in names:
        found = corpus.layers.get(name) or corpus.extras.get(name)
        if isinstance(found, Tags):
            return found.labels
    return Labels.constant(NONE, corpus.token_count)


def _plain(labels: Labels) -> list[str]:
    return labels.rename({"": NONE, "_": NONE}).to_list()


def _numbers(trees: Trees) -> Int64:
    """The numbers of constituents in their sentences; 0 for traces and for what is above all."""
    height: list[int] = [0] * (len(trees.parent) + 1)
    above = trees.parent.tolist()
    for row in range(len(above) - 1, -1, -1):
        height[above[row]] = max(height[above[row]], height[row] + 1)
    is_trace = trace_rows(trees)
    order = np.lexsort((np.array(height[:-1]), is_trace, trees.sentence))
    first = np.searchsorted(trees.sentence, trees.sentence)
    number = np.zeros(len(above) + 1, np.int64)
    number[order] = np.arange(len(above)) - first[order] + FIRST_NODE
    number[:-1][is_trace] = 0
    return number


def _check_rows(corpus: Corpus, trees: Trees, what: str, refused: Callable[[str], bool]) -> None:
    """Raise InputError for labels that the format cannot hold, and for rows without words that are
    no traces."""
    bad = np.zeros(len(trees.start), np.bool_)
    for labels in (trees.label, trees.function):
        bad |= np.array([bool(name) and refused(name) for name in labels.names], bool)[labels.codes]
    bad |= trace_rows(trees) & (trees.label.codes != trees.label.names.find(TRACE))
    for row in np.flatnonzero(bad)[:1].tolist():
        sentence = corpus.sentence_id(int(trees.sentence[row]))
        raise InputError(
            f"{corpus.origin}, sentence '{sentence}': the constituent '{trees.label[row]}' cannot "
            f"be written as {what}"
        )
