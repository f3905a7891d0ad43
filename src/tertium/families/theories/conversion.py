"""Function trees of dependencies and of constituents (docs/theories.md), and their lifting: trees
without gaps."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int32, Int64, Labels, bounds_of, concatenate, unite
from tertium.corpus.layers import Arcs, Bools, FunctionTrees, Layer, Tags, Trees, covered
from tertium.corpus.trees import FUNCTIONS, POS, TREES, word_parents
from tertium.exceptions import LayerError
from tertium.families.deps.words import token_heads
from tertium.formats.base import tokens_on_cycles
from tertium.formats.trees.base import has_functions_in_tags
from tertium.formats.trees.nodes import grown
from tertium.formats.trees.relational import with_functions

NEEDS = frozenset({"deps", "trees", "pos", "comments"})  # what function trees are made of
RESERVED = "{}@,"  # signs of relational-realizational trees
HEAD, ROOT = "hd", "root"  # functions of a head among its dependents, and of the top node
_TOPS = frozenset(("", "ROOT", "TOP", "VROOT", "S1"))  # categories of a top node that say no more
_NONE = frozenset(("", "_", "-", "--"))  # no function


def function_trees(corpus: Corpus) -> FunctionTrees:
    """The trees of a corpus as function trees: its constituents, or else its dependencies."""
    if corpus.of_kind(Trees):
        return _of_constituents(corpus)
    if corpus.of_kind(Arcs):
        return _of_dependencies(corpus)
    raise LayerError(
        f"{corpus.origin} has no trees, of dependencies or of constituents",
        help="a theory needs a file such as CoNLL-U, Penn brackets, NEGRA export or TigerXML",
    )


def _made(
    parent: npt.NDArray[np.integer], leaf_parent: Int64, function: Labels, category: Labels,
    is_word: Bools, sentence: npt.NDArray[np.integer],
) -> FunctionTrees:  # fmt: skip
    """Function trees of nodes in any order; the leaves are the tokens of the corpus."""
    leaves = np.arange(len(leaf_parent), dtype=np.int32)
    above, over, of_node = (np.asarray(each, np.int32) for each in (parent, leaf_parent, sentence))
    trees, order = grown(above, over, leaves, category, function, of_node)
    return FunctionTrees(
        start=trees.start,
        end=trees.end,
        function=trees.function,
        category=trees.label,
        is_word=is_word[order],
        parent=trees.parent,
        sentence=trees.sentence,
        tokens=trees.tokens,
    )


def _of_dependencies(corpus: Corpus) -> FunctionTrees:
    """Nodes are words, then heads among their dependents, then roots. Words that have no head, and
    one of every cycle, are below the root; a single one is the root itself."""
    arcs, count = corpus.layer("deps", Arcs), corpus.token_count
    head = np.maximum(token_heads(corpus), -1)
    head[tokens_on_cycles(arcs.head, corpus.offsets)] = -1
    sentence, top = corpus.sentence_of_token, np.flatnonzero(head < 0)
    tops = np.bincount(sentence[top], minlength=corpus.sentence_count)
    roots = np.flatnonzero(tops > 1)
    has_dependents = np.zeros(count + 1, np.bool_)
    has_dependents[head] = True
    heads = np.flatnonzero(has_dependents[:-1])
    own = np.arange(count)
    own[heads] = count + np.arange(len(heads))
    above = np.full(corpus.sentence_count, -1)
    above[roots] = count + len(heads) + np.arange(len(roots))
    parent = np.concatenate([head, heads, np.full(len(roots), -1)])
    parent[top] = above[sentence[top]]
    relation = arcs.label.rename(dict.fromkeys(_NONE, ""))
    names, (of_word, fixed) = unite(relation, Labels.of([HEAD, ROOT]))
    of_word = of_word.copy()
    of_word[top[tops[sentence[top]] == 1]] = fixed[1]
    codes = np.concatenate([of_word, np.repeat(fixed, [len(heads), len(roots)])])
    is_word = np.zeros(len(parent), np.bool_)
    is_word[own] = True
    return _made(
        parent, own, Labels(names, codes), Labels.constant("", len(parent)), is_word,
        np.concatenate([sentence, sentence[heads], roots]),
    )  # fmt: skip


def _of_constituents(corpus: Corpus) -> FunctionTrees:
    """Nodes are constituents that cover words, then words, then a root per sentence. A node with
    several functions is a chain. Function nodes (`SBJ@S`) are read as functions. A top node that
    says no more than that is the root itself."""
    corpus, _ = with_functions(corpus)
    trees, count = corpus.layer(TREES, Trees), corpus.token_count
    sizes = np.diff(corpus.offsets)
    rooted = np.flatnonzero(sizes)
    kept = np.flatnonzero((trees.end > trees.start) & ~_bare_tops(trees, sizes))
    tags, own = corpus.layers.get(POS), corpus.extra(FUNCTIONS, Tags)
    blank = Labels.constant("", count)
    category = concatenate(
        [trees.label.take(kept), tags.labels if isinstance(tags, Tags) else blank]
    )
    function = concatenate([trees.function.take(kept), own.labels if own else blank])
    chains = _Chains(function, has_functions_in_tags(corpus))
    root = np.full(corpus.sentence_count, -1)
    root[rooted] = chains.bounds[-1] + np.arange(len(rooted))
    # The lowest node of every row; of rows that are left out, the root.
    lowest = root[trees.sentence]
    lowest[kept] = chains.bounds[1 : len(kept) + 1] - 1
    mother = np.concatenate([trees.parent[kept], word_parents(corpus)])
    sentence = np.concatenate([trees.sentence[kept], corpus.sentence_of_token])
    above = np.where(mother < 0, root[sentence], np.append(lowest, -1)[mother])
    parent = np.arange(-1, chains.bounds[-1] + len(rooted) - 1)
    parent[chains.bounds[:-1]] = above
    parent[root[rooted]] = -1
    of_node = chains.of_node
    is_first = chains.rank == 0
    names, (of_row, nothing) = unite(category, Labels.of([""]))
    categories = np.where(is_first, of_row[of_node], nothing[0])
    more = np.full(len(rooted), nothing[0])
    return _made(
        parent,
        chains.bounds[len(kept) + 1 :] - 1,
        concatenate([chains.function, Labels.constant(ROOT, len(rooted))]),
        Labels(names, np.append(categories, more).astype(np.int32)),
        np.append(of_node >= len(kept), np.zeros(len(rooted), np.bool_)),
        np.append(sentence[of_node], rooted),
    )


def lifted(trees: FunctionTrees, offsets: Int64) -> FunctionTrees:
    """Trees without gaps: of a node with gaps, the stretch around its head stays, and its other
    children are attached to the node above, as often as needed.

    The head is the child with the function hd or HD, of several the first; without one, the largest
    child, of several the first.
    """
    from tertium.formats.trees._kernels import raise_branches

    if trees.tokens is None:
        return trees
    count, size = int(offsets[-1]), len(trees.start)
    words = np.flatnonzero(trees.is_word)
    own = np.empty(count, np.int32)
    own[trees.start[words]] = words  # of several rows the last one, which is the lowest, stays
    mother = np.concatenate([own, trees.parent])
    numbers = np.arange(count, dtype=np.int32)
    start, end = np.append(numbers, trees.start), np.append(numbers + 1, trees.end)
    links = np.full(size, -1, np.int64), np.full(count + size, -1, np.int64)
    moved = np.zeros(count + size, np.bool_)
    raise_branches(mother, _heads(trees, count), start, end, *links, moved)
    columns = trees.function, trees.category, trees.is_word, trees.sentence
    return _made(mother[count:], mother[:count], *columns)


def _heads(trees: FunctionTrees, count: int) -> Int32:
    """The head of every row with gaps: the number of tokens plus a row; -1 elsewhere."""
    assert trees.tokens is not None
    wide = np.diff(trees.tokens.bounds)
    is_head = np.array([name.lower() == HEAD for name in trees.function.names], np.bool_)
    child = np.flatnonzero((trees.parent >= 0) & (wide < trees.end - trees.start)[trees.parent])
    worth = np.where(is_head[trees.function.codes[child]], count + 1, wide[child])
    best_last = child[np.lexsort((-child, worth))]
    heads = np.full(len(wide), -1, np.int32)
    heads[trees.parent[best_last]] = count + best_last
    return heads


def _bare_tops(trees: Trees, sizes: Int64) -> Bools:
    """Which rows are tops of whole sentences, without a function, and of no category; several of
    them may be above each other."""
    wide = covered(trees.start, trees.end, trees.tokens)
    bare = np.array([name in _TOPS for name in trees.label.names], np.bool_)[trees.label.codes]
    plain = np.array([not features(name) for name in trees.function.names], np.bool_)
    bare &= (wide == sizes[trees.sentence]) & plain[trees.function.codes]
    found = bare & (trees.parent < 0)
    while (more := bare & found[trees.parent] & (trees.parent >= 0) & ~found).any():
        found |= more
    return found


def features(function: str, is_split: bool = True) -> list[str]:
    """The functions that a label names: dash features without indices, or all as one.

    >>> features("SBJ-TMP-1"), features("PRD=2"), features("--"), features("OA-MOD", False)
    (['SBJ', 'TMP'], ['PRD'], [], ['OA-MOD'])
    """
    parts = [part.partition("=")[0] for part in function.split("-")] if is_split else [function]
    return [*dict.fromkeys(p for p in parts if p not in _NONE and not (is_split and p.isdigit()))]


class _Chains:
    """Rows with functions as chains of nodes with one function each, or none: where those of every
    row begin (`bounds`), the row of every node and its place in the chain (`rank`)."""

    def __init__(self, function: Labels, is_split: bool) -> None:
        found = [features(name, is_split) or [""] for name in function.names]
        sizes = np.array([len(each) for each in found], np.int64)
        self.bounds = bounds_of(sizes[function.codes])
        self.of_node = np.repeat(np.arange(len(function)), np.diff(self.bounds))
        self.rank = np.arange(len(self.of_node)) - self.bounds[self.of_node]
        every = Labels.of(name for each in found for name in each)
        at = bounds_of(sizes)[:-1][function.codes[self.of_node]] + self.rank
        self.function = every.take(at)


def reserved(layer: Layer) -> dict[str, Int64]:
    """Functions that hold signs of relational-realizational trees, with the sentences that have
    them: a tree of that kind has none left when it is read."""
    assert isinstance(layer, FunctionTrees)
    odd = [name for name in layer.function.used_names() if any(sign in name for sign in RESERVED)]
    return {name: np.unique(layer.sentence[layer.function.where(name)]) for name in odd}


def without_reserved(layer: Layer) -> Layer:
    """With `_` in place of these signs."""
    assert isinstance(layer, FunctionTrees)
    plain = str.maketrans(dict.fromkeys(RESERVED, "_"))
    names = {name: name.translate(plain) for name in layer.function.names}
    return replace(layer, function=layer.function.rename(names))


def are_constituents(layer: Layer) -> bool:
    """Do the trees have categories? Dependencies have none, but their words have functions."""
    assert isinstance(layer, FunctionTrees)
    if not layer.category.is_constant(""):
        return True
    return layer.function.take(layer.is_word).is_constant("")
