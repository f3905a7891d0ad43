"""Changes of trees that are made on demand: a virtual root, crossing branches raised, functions and
traces left out (docs/change-trees.md). Each gives the changed corpus and says what it did."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int64, Labels, bounds_of, concatenate, ranges
from tertium.corpus.layers import Bools, EmptyNodes, Layer, Ragged, Tags, Trees
from tertium.corpus.trees import EMPTY, FUNCTIONS, TREES, trace_rows, word_parents
from tertium.exceptions import counted
from tertium.formats.heads import chain_ends, fitting_rules, head_children, load_heads, marks
from tertium.formats.trees.nodes import Leaves, grown


def with_root(corpus: Corpus, label: str) -> tuple[Corpus, str]:
    """With a root above everything in sentences that do not have a single root. A sentence without
    words and constituents stays as it is."""
    trees, count = corpus.layer(TREES, Trees), corpus.sentence_count
    roots, loose = (
        np.bincount(of_top, minlength=count)
        for of_top in (
            trees.sentence[trees.parent < 0],
            corpus.sentence_of_token[word_parents(corpus) < 0],
        )
    )
    chosen = np.flatnonzero((roots != 1) & (roots + loose > 0) | (loose > 0))
    if not len(chosen):
        return corpus, ""
    size, new = len(trees.start), len(chosen)
    place = np.searchsorted(trees.sentence, chosen)
    order = np.insert(np.arange(size), place, np.arange(new) + size)
    row = np.empty(size + new, np.int64)  # new numbers of old rows, then of roots
    row[order] = np.arange(size + new)
    above = np.full(count, -1)
    above[chosen] = row[size:]
    parent = np.where(trees.parent < 0, above[trees.sentence], row[trees.parent])
    start, end = corpus.offsets[chosen], corpus.offsets[chosen + 1]
    sets = trees.tokens
    if sets is not None:
        words = ranges(np.zeros_like(start), end - start).astype(np.int32)
        sets = Ragged.concatenate([sets, Ragged(bounds_of(end - start), words)]).take(order)
    rooted = Trees(
        np.append(trees.start, start)[order].astype(np.int32),
        np.append(trees.end, end)[order].astype(np.int32),
        concatenate([trees.label, Labels.constant(label, new)]).take(order),
        sets,
        function=concatenate([trees.function, Labels.constant("", new)]).take(order),
        parent=np.append(parent, np.full(new, -1))[order].astype(np.int32),
        sentence=np.append(trees.sentence, chosen)[order].astype(np.int32),
    )
    what = f"a root '{label}' was added to {counted(new, 'sentence')}"
    return _with_trees(corpus, rooted), what


def without_functions(corpus: Corpus) -> tuple[Corpus, str]:
    """Without the functions of words and constituents."""
    trees = corpus.layer(TREES, Trees)
    of_words = corpus.extra(FUNCTIONS, Tags)
    columns = [trees.function, *([of_words.labels] if of_words else [])]
    count = sum(len(each) - len(each.where("")) for each in columns)
    if not count:
        return corpus, ""
    stripped = replace(trees, function=Labels.constant("", len(trees.start)))
    extras = {name: layer for name, layer in corpus.extras.items() if name != FUNCTIONS}
    changed = replace(_with_trees(corpus, stripped), extras=extras)
    return changed, _were(count, "function", "removed")


def without_traces(corpus: Corpus) -> tuple[Corpus, str]:
    """Without traces and constituents that cover only traces."""
    trees = corpus.layer(TREES, Trees)
    kept = trees.end > trees.start
    if kept.all():
        return corpus, ""
    traces = int(trace_rows(trees).sum())
    extras = {name: layer for name, layer in corpus.extras.items() if name != EMPTY}
    over = int((~kept).sum()) - traces
    more = f" and {counted(over, 'constituent')} above them" if over else ""
    changed = replace(_with_trees(corpus, some_rows(trees, kept)), extras=extras)
    return changed, f"{counted(traces, 'trace')}{more} {'was' if traces == 1 else 'were'} removed"


def some_rows(trees: Trees, kept: Bools) -> Trees:
    """Some of the rows; children of what is left out are those of the next row above."""
    size = len(kept)
    nearest = chain_ends(
        np.append(np.where(kept, np.arange(size), trees.parent % (size + 1)), size)
    )
    number = np.append(np.cumsum(kept) - 1, -1).astype(np.int32)
    return Trees(
        trees.start[kept],
        trees.end[kept],
        trees.label.take(kept),
        None if trees.tokens is None else trees.tokens.take(np.flatnonzero(kept)),
        function=trees.function.take(kept),
        parent=number[nearest[trees.parent[kept]]],
        sentence=trees.sentence[kept],
    )


def without_crossing(corpus: Corpus) -> tuple[Corpus, str]:
    """Without gaps: what is separated from the head of its constituent is attached higher up, as
    often as needed. Before that, punctuation in a gap is attached to the lowest constituent over
    the words next to it.

    The head is the daughter with the function HD, or the one that the built-in head rules for the
    labels find.
    """
    from tertium.formats.trees._kernels import lower_marks, raise_branches

    trees = corpus.layer(TREES, Trees)
    if trees.tokens is None:
        return corpus, ""
    tokens, size = corpus.token_count, len(trees.start)
    rules = (fitting_rules(corpus) or ["penn"])[0]
    words = word_parents(corpus).copy()
    lowered = lower_marks(
        marks(corpus), corpus.offsets, words, trees.parent, np.full(size, -1, np.int64)
    )
    mother = np.concatenate([words, trees.parent])
    numbers = np.arange(tokens, dtype=np.int32)
    start, end = np.append(numbers, trees.start), np.append(numbers + 1, trees.end)
    moved = np.zeros(tokens + size, np.bool_)
    links = np.full(size, -1, np.int64), np.full(tokens + size, -1, np.int64)
    raise_branches(mother, head_children(corpus, load_heads(rules)), start, end, *links, moved)
    leaves = Leaves.of(corpus)
    below = np.where(leaves.token < 0, leaves.row, mother[leaves.token])
    grew, order = grown(
        mother[tokens:], below, leaves.token, trees.label, trees.function, trees.sentence
    )
    was_lowered = words != word_parents(corpus)
    sentences = np.concatenate(
        [corpus.sentence_of_token[moved[:tokens] | was_lowered], trees.sentence[moved[tokens:]]]
    )
    changed = replace(_with_trees(corpus, grew), extras=_with_order(corpus, order))
    return changed, _crossing_note(moved, tokens, lowered, len(np.unique(sentences)), rules)


def _with_order(corpus: Corpus, order: Int64) -> dict[str, Layer]:
    """Extras with traces in the order of the rows of changed trees."""
    empty = corpus.extra(EMPTY, EmptyNodes)
    if empty is None:
        return dict(corpus.extras)
    is_trace = trace_rows(corpus.layer(TREES, Trees))
    chosen = (np.cumsum(is_trace) - 1)[order[is_trace[order]]]
    sorted_ = EmptyNodes(
        empty.sentence[chosen], empty.after[chosen], empty.minor[chosen], empty.fields.take(chosen)
    )
    return {**corpus.extras, EMPTY: sorted_}


def _crossing_note(moved: Bools, tokens: int, lowered: int, sentences: int, rules: str) -> str:
    counts = (int(moved[tokens:].sum()), "constituent"), (int(moved[:tokens].sum()), "word")
    raised = " and ".join(counted(count, noun) for count, noun in counts if count)
    found = [f"{raised} raised"] if raised else []
    found += [f"{counted(lowered, 'punctuation mark')} lowered"] if lowered else []
    where = counted(sentences, "sentence")
    return f"crossing branches in {where}: {', '.join(found)} (head rules: {rules})"


def _with_trees(corpus: Corpus, trees: Trees) -> Corpus:
    return replace(corpus, layers={**corpus.layers, TREES: trees})


def _were(count: int, noun: str, what: str) -> str:
    return f"{counted(count, noun)} {'was' if count == 1 else 'were'} {what}"
