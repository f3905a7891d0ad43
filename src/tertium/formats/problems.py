"""What is wrong with a corpus beyond the rules of its format: tags, ids, heads. For `validate`, for
what is made in Python, and for the UD evaluation, which refuses files that our reader takes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int32, Int64
from tertium.corpus.layers import Arcs, Chains, Tags
from tertium.corpus.schemes import decode, scheme_of, untyped
from tertium.exceptions import FormatError, Problem, shorten
from tertium.formats.base import (
    CYCLES,
    LISTED_PROBLEMS,
    ROOTED,
    SHOWN_NOTES,
    is_for_spans,
    tokens_on_cycles,
)
from tertium.formats.conll import several_roots
from tertium.formats.coref.corefud import entity_chains
from tertium.formats.lines import grouped


def tag_problems(corpus: Corpus) -> list[Problem]:
    """Tags that are no span tags in columns meant to hold spans, and spans written irregularly.

    The scheme that a file's regular spans speak for is the yardstick: `I-X` after O is irregular in
    a file that otherwise opens every span with B.
    """
    found: list[Problem] = []
    for name, layer in corpus.of_kind(Tags).items():
        if not is_for_spans(corpus, layer):
            continue
        bad = untyped(layer)
        for token in bad[:LISTED_PROBLEMS].tolist():
            message = f"tag '{layer.labels[token]}' in column '{name}' is neither O nor PREFIX-TYPE"
            found.append(problem_at(corpus, token, message, "tag"))
        if len(bad) > LISTED_PROBLEMS:
            found.append(Problem(f"{len(bad) - LISTED_PROBLEMS:,} more such tags are not listed"))
        if len(bad):
            continue
        facts = decode(layer, corpus.offsets).facts
        scheme = {"iob": "iob2", "ioe": "ioe2"}.get(scheme_of(facts))
        decoded = decode(layer, corpus.offsets, expected=scheme)
        if decoded.irregular:
            message = f"{decoded.irregular:,} spans of column '{name}' are irregular under "
            message += f"{scheme or scheme_of(facts)}, the first of them here"
            found.append(problem_at(corpus, decoded.first_irregular, message, "tag", "note"))
    return found


def id_problems(corpus: Corpus) -> list[Problem]:
    """Sentences with the id of an earlier one; the first of them are listed."""
    ids = corpus.sentence_ids
    if ids is None:
        return []
    known = ids.codes != ids.names.find("")
    known[np.unique(ids.codes, return_index=True)[1]] = False
    again, lines = np.flatnonzero(known).tolist(), np.zeros(corpus.sentence_count, np.int64)
    if corpus.lines is not None:
        filled = np.diff(corpus.offsets) > 0
        lines[filled] = corpus.lines[corpus.offsets[:-1][filled]]
    found: list[Problem] = []
    for place, sentence in enumerate(again[: SHOWN_NOTES + 1]):
        message = "an earlier sentence has the same id"
        if place == SHOWN_NOTES:
            message = f"{len(again) - place:,} more such places from here on: {message}"
        line, name = int(lines[sentence]), shorten(ids[sentence])
        found.append(Problem(message, line, name, "id", "note"))
    return found


def mention_problems(corpus: Corpus) -> list[Problem]:
    """Mentions that stand twice: several times in one chain, or in several chains. The official
    scorer counts some of them once; a few are listed, and all are counted."""
    chains = entity_chains(corpus)
    if chains is None or not len(chains.start):
        return []
    found: list[Problem] = []
    names, documents = chains.name.to_list(), corpus.document_names.to_list()
    of_row = corpus.document_of_sentence[chains.sentence].tolist()
    kinds = {"twice in chain": list[list[int]](), "in chains": list[list[int]]()}
    for same in repeated_mentions(chains):
        counts = Counter(names[row] for row in same)
        if len(counts) > 1:
            kinds["in chains"].append(same)
        for name in (name for name, count in counts.items() if count > 1):
            kinds["twice in chain"].append([row for row in same if names[row] == name])
    for kind, groups in kinds.items():
        for place, same in enumerate(groups[: SHOWN_NOTES + 1]):
            row, shown = same[0], [*dict.fromkeys(names[row] for row in same)]
            what = f"{kind} {' and '.join(shown)}"
            if kind != "in chains" and len(same) > 2:
                what = f"{len(same)} times in chain {shown[0]}"
            start, end = int(chains.start[row]), int(chains.end[row])
            first = int(corpus.offsets[corpus.documents[of_row[row]]])
            span = f"tokens {start - first + 1} to {end - first}"
            span = f"token {end - first}" if end == start + 1 else span
            name = documents[of_row[row]]
            where = f" of document '{name}'" if name else ""
            message = f"the mention over {span}{where} is {what}"
            if place == SHOWN_NOTES:
                message = f"{len(groups) - place:,} more such mentions from here on: {message}"
            at = min(start, corpus.token_count - 1)
            found.append(problem_at(corpus, at, message, "duplicate", "note"))
    return found


def repeated_mentions(chains: Chains) -> list[list[int]]:
    """The rows of every mention that is there several times: over the same tokens and empty nodes,
    in one chain or in several."""

    def content(row: int) -> tuple[object, ...]:
        gaps = () if chains.tokens is None else chains.tokens[row].tolist()
        nodes = () if chains.zeros is None else (chains.sentence[row], *chains.zeros[row].tolist())
        return int(chains.start[row]), int(chains.end[row]), tuple(gaps), tuple(nodes)

    place = chains.start * (chains.end.max(initial=0) + np.int64(1)) + chains.end
    _, number, count = np.unique(place, return_inverse=True, return_counts=True)
    again = np.flatnonzero(count[number] > 1).tolist()
    found = grouped((content(row), row) for row in again)
    return [same for same in found.values() if len(same) > 1]


def problem_at(
    corpus: Corpus, token: int, message: str, kind: str = "head", severity: str = "error"
) -> Problem:
    """A problem with the line and the sentence of a token."""
    line = int(corpus.lines[token]) if corpus.lines is not None else 0
    sentence = corpus.sentence_id(int(corpus.sentence_of_token[token]))
    return Problem(message, line, sentence, kind, severity)


def check_heads(corpus: Corpus, *, checks: frozenset[str] | None = None) -> None:
    """Raise FormatError where what a corpus holds as dependency trees are none.

    Readers check what they read; this is for a corpus made in Python. A head may be missing (-1).
    Several roots are fine where `checks` are given without that of roots, and in CoNLL-X; cycles
    where they allow them.
    """
    rooted = corpus.format != "conllx" and (checks is None or ROOTED in checks)
    cyclic = checks is not None and CYCLES in checks
    key = ("heads are sound", rooted, cyclic)
    if key in corpus.derived:
        return
    found: list[Problem] = []
    for name, arcs in corpus.of_kind(Arcs).items():
        found += _head_problems(corpus, name, arcs, rooted, cyclic)
    if found:
        raise FormatError(
            corpus.origin,
            found,
            help="heads are counted from 1 in their sentence; 0 is the root, -1 is no head",
        )
    corpus.derived[key] = True


def _head_problems(
    corpus: Corpus, name: str, arcs: Arcs, rooted: bool, cyclic: bool
) -> list[Problem]:
    head, tokens = np.asarray(arcs.head), corpus.token_count
    if head.dtype.kind not in "iu":
        return [Problem(f"heads of '{name}' are not integers", kind="head")]
    if not len(head) == len(arcs.label) == tokens:
        sizes = f"{len(head):,} heads and {len(arcs.label):,} relations for {tokens:,} words"
        return [Problem(f"'{name}' has {sizes}", kind="head")]
    of_token = corpus.sentence_of_token
    size = np.diff(corpus.offsets)[of_token]
    outside = np.flatnonzero((head < -1) | (head > size))
    if len(outside):

        def message(i: int) -> str:
            return f"head {head[i]} is outside the sentence of {size[i]} words"

        return head_errors(corpus, outside, message)

    def ancestor(i: int) -> str:
        return f"word {i - corpus.offsets[of_token[i]] + 1} is its own ancestor"

    found: list[Problem] = []
    if not cyclic:
        cycles = tokens_on_cycles(head.astype(np.int32), corpus.offsets)
        found = head_errors(corpus, cycles, ancestor)
    return found + root_problems(corpus, head) if rooted else found


def root_problems(corpus: Corpus, head: Int32) -> list[Problem]:
    """Sentences with several roots, each at the second of them."""
    _, second, message = several_roots(head, corpus.sentence_of_token, corpus.offsets)
    return head_errors(corpus, second, message)


def head_errors(corpus: Corpus, tokens: Int64, message: Callable[[int], str]) -> list[Problem]:
    """A problem for each of these tokens, as far as they are listed."""
    return [
        problem_at(corpus, token, message(token)) for token in tokens[:LISTED_PROBLEMS].tolist()
    ]
