"""Chunks off raw tags as conlleval and seqeval find them, quirks included."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus, once
from tertium.corpus.labels import Int32, Int64, Labels, Names, unite
from tertium.corpus.layers import Spans, Tags
from tertium.exceptions import AlignmentError
from tertium.families.spans.base import refused
from tertium.families.spans.compat.grammars import (
    CONLLEVAL,
    OUTSIDE,
    REST,
    STRICT,
    TagGrammar,
    grammar_of,
)

Bools = npt.NDArray[np.bool_]

BOUNDARY = "-X-"  # conlleval takes a line whose first field is this for the end of a sentence


@dataclass(frozen=True, slots=True)
class RawTags:
    """A column of tags as a tool sees it: each token's code, and by code the place of its prefix in
    the grammar's tables and its type. The type of a bare O is the first of `types`."""

    codes: Int32
    prefix: npt.NDArray[np.int8]
    kind: Int32
    types: Names


@once
def raw_tags(corpus: Corpus, column: str, grammar: TagGrammar) -> RawTags:
    """The column's tags, each distinct one split once."""
    labels = corpus.layer(column, Tags).labels
    names = [*labels.names, OUTSIDE]  # the last for conlleval's boundaries
    if "" in names and len(bad := np.flatnonzero(labels.codes == names.index(""))):
        raise refused(
            corpus,
            column,
            bad,
            f"is empty, which {grammar.tool} cannot read",
            help="'--columns' names the span column",
        )
    parts = [grammar.split(name or OUTSIDE) for name in names]
    types = Labels.of([grammar.untyped, *(kind for _, kind in parts)])
    codes = labels.codes
    if grammar is CONLLEVAL and (at := _boundaries(corpus)) is not None:
        codes = np.where(at, len(names) - 1, codes).astype(np.int32)
    prefix = np.array([grammar.code(p) for p, _ in parts], np.int8)
    return RawTags(codes, prefix, types.codes[1:], types.names)


def _boundaries(corpus: Corpus) -> Bools | None:
    """The tokens that conlleval takes for ends of sentences; None for none."""
    if corpus.forms is None or BOUNDARY.encode() not in corpus.forms.names.blob.tobytes():
        return None
    at: Bools = corpus.forms.codes == corpus.forms.names.find(BOUNDARY)
    return at


@once
def tool_chunks(
    corpus: Corpus, column: str, compat: str, scheme: str = "auto", suffix: bool = False
) -> Spans:
    """The chunks that a tool finds in a column of tags.

    - conlleval counts chunks where they start. A chunk is said here to reach up to its end, the
      next chunk, O or the end of the sentence, whichever comes first: conlleval itself misses some
      ends.
    - seqeval's default mode notes entities where they end. An end without a start takes the start
      before it, so that entities may overlap and, behind untyped tags, begin in an earlier
      sentence.
    - In seqeval's strict mode what the scheme forbids is no entity; a tag whose prefix the scheme
      does not have is refused, with its place.
    """
    from tertium.families.spans.compat._kernels import find_chunks

    grammar = grammar_of(compat, scheme, suffix=suffix)
    read = raw_tags(corpus, column, grammar)
    starts, ends, inside = grammar.tables()
    if compat == "conlleval":
        # What neither starts nor ends a chunk and is not O continues one.
        ends = starts | ends
        ends[:, grammar.code(OUTSIDE)] = True
        inside = ~ends
    elif compat == "seqeval-strict":
        _refuse_prefixes(
            corpus,
            column,
            read,
            [prefix not in grammar.allowed for prefix in grammar.prefixes],
            f"has a prefix that seqeval refuses under {scheme} ({', '.join(grammar.allowed)})",
            help="'scheme=' chooses a different scheme; compat='seqeval' reads any prefix",
        )
    start, end, kind = find_chunks(
        read.codes,
        read.prefix,
        read.kind,
        corpus.offsets,
        starts,
        ends,
        inside,
        compat == "seqeval",
    )
    return Spans(start, end, Labels(read.types, kind))


def _refuse_prefixes(
    corpus: Corpus, column: str, read: RawTags, bad: Sequence[bool], why: str, help: str
) -> None:
    """Refuse tags whose prefix is bad, given for every prefix whether it is."""
    is_bad = np.array(bad)[read.prefix]
    if is_bad.any() and len(tokens := np.flatnonzero(is_bad[read.codes])):
        raise refused(corpus, column, tokens, why, help=help)


def conlleval_matches(
    gold: Corpus, system: Corpus, columns: tuple[str, str], chunks: int
) -> tuple[Int64, Int32]:
    """The system's chunk that conlleval counts as right for each of the gold chunks, -1 for none,
    and the type under which it counts it, in the vocabulary that unites both sides' chunks.

    conlleval counts while it reads both columns: a pair is right if both start together with the
    same type and nothing tells them apart until both end together. Where an end is missed, a pair
    may live on, even into the next sentence and under another type. Every sentence is taken to be
    followed by an empty line, the last one too.
    """
    from tertium.families.spans.compat._kernels import agreed_chunks

    ours, theirs = raw_tags(gold, columns[0], CONLLEVAL), raw_tags(system, columns[1], CONLLEVAL)
    _, kinds = unite(Labels(ours.types, ours.kind), Labels(theirs.types, theirs.kind))
    found: tuple[Int64, Int32] = agreed_chunks(
        ours.codes,
        ours.prefix,
        kinds[0],
        theirs.codes,
        theirs.prefix,
        kinds[1],
        gold.offsets,
        chunks,
        *CONLLEVAL.tables()[:2],
    )
    return found


def prefixes_of(corpus: Corpus, column: str, *, suffix: bool = False) -> frozenset[str]:
    """The prefixes that occur, from which seqeval detects a scheme; it refuses unknown ones."""
    read = raw_tags(corpus, column, grammar_of("seqeval-strict", suffix=suffix))
    _refuse_prefixes(
        corpus,
        column,
        read,
        [prefix == REST for prefix in STRICT.prefixes],
        "has a prefix of no scheme, which seqeval's strict mode refuses",
        help="compat='seqeval' reads any prefix; '--columns' names the span column",
    )
    used = np.unique(read.prefix[np.unique(read.codes)])
    return frozenset(STRICT.prefixes[p] for p in used.tolist())


def check_same_tokens(gold: Corpus, system: Corpus, alignment: Alignment, tool: str) -> None:
    """Refuse what the tool could not be given: other tokens, or other sentences."""
    if alignment.method not in ("tokens", "position"):
        raise AlignmentError(
            f"{tool} needs the same tokens on both sides, but {gold.origin} and {system.origin} "
            "were aligned by characters",
            help="'--align auto' pairs equal tokens; without 'compat' spans are compared by the "
            "characters they cover",
        )
    if np.array_equal(gold.offsets, system.offsets):
        return
    sizes = [np.diff(corpus.offsets) for corpus in (gold, system)]
    shared = min(len(size) for size in sizes)
    unequal = np.flatnonzero(sizes[0][:shared] != sizes[1][:shared])
    first = int(unequal[0]) if len(unequal) else shared
    lengths = [str(size[first]) if first < len(size) else "no" for size in sizes]
    raise AlignmentError(
        f"{tool} needs the same sentences on both sides, but sentence {first + 1} has "
        f"{lengths[0]} tokens in {gold.origin}, {lengths[1]} in {system.origin}",
        help="without 'compat' spans are compared across sentence boundaries",
    )
