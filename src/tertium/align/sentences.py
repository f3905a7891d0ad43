"""Pairing sentence by sentence, by id or else by number: what does not fit is lost, not refused.

For annotation that is compared within sentences (`Family.pairs`). A sentence that the system lacks,
or has with other words, is a *lost* unit: its tokens have no partners.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np

from tertium.align.tokens import Alignment, align, one_to_one
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int64, Labels, ranges, unite
from tertium.corpus.layers import Bools
from tertium.exceptions import AlignmentError, InputError, counted, shorten


def pair_sentences(
    gold: Corpus, system: Corpus, *, method: str = "auto"
) -> tuple[Corpus, Alignment]:
    """The system with its sentences in gold's order, and how the two lie over each other.

    "auto": sentences with the same words are paired token by token, all others are lost.
    "position": so are sentences of the same length, and differing forms are counted. "characters"
    pairs the whole text whatever the sentences, and loses nothing; so do files without forms.
    """
    if method not in ("auto", "position") or gold.forms is None or system.forms is None:
        return system, align(gold, system, method=method)
    system, ignored = in_order_of(gold, system)
    found = _aligned(gold, system, by_form=method == "auto")
    return system, replace(found, ignored=ignored)


def in_order_of(gold: Corpus, system: Corpus) -> tuple[Corpus, tuple[str, ...]]:
    """The system with the sentences that gold has, in its order, and the ids of all others.

    Sentences are paired by id where every sentence of both sides has one, else by number; empty
    ones at the end may be missing. One that the system lacks is a sentence without tokens.
    """
    ours, theirs = _ids(gold), _ids(system)
    if ours is None or theirs is None:
        if gold.sentence_count != system.sentence_count:
            if _ends_empty(gold, system) or _ends_empty(system, gold):
                numbers = np.minimum(np.arange(gold.sentence_count), system.sentence_count)
                return with_empty(system).take(numbers), ()
            raise AlignmentError(
                f"{gold.origin} has {counted(gold.sentence_count, 'sentence')}, "
                f"{system.origin} has {system.sentence_count:,}, and not all of them have ids",
                help="without ids sentences are paired by number: add an empty sentence for each "
                "that is missing",
            )
        return system, ()
    if ours == theirs:
        return system, ()
    place = {id: number for number, id in enumerate(theirs)}
    order = np.array([place.get(id, len(theirs)) for id in ours], np.int64)
    if len(order) and (order == len(theirs)).all():
        raise AlignmentError(
            f"{gold.origin} and {system.origin} have no sentence ids in common: the first ids are "
            f"'{shorten(ours[0], 60)}' and '{shorten(theirs[0], 60)}'"
            if theirs
            else f"{system.origin} has no sentences",
            help="sentences are paired by id; use the same ids on both sides, or none",
        )
    known = {*ours}
    return with_empty(system).take(order), tuple(id for id in theirs if id not in known)


def _ends_empty(longer: Corpus, shorter: Corpus) -> bool:
    """Are the sentences of a corpus that a shorter one lacks empty, as empty lines at the end of a
    file are?"""
    end = shorter.sentence_count
    if end >= longer.sentence_count or (longer.skipped is not None and longer.skipped[end:].any()):
        return False
    return bool(longer.offsets[end] == longer.token_count)


def _ids(corpus: Corpus) -> list[str] | None:
    """The ids of all sentences; None where not every one has an id."""
    found = corpus.sentence_ids
    if found is None or any(not name for name in found.used_names()):
        return None if corpus.sentence_count else []
    ids = found.to_list()
    id, count = Counter(ids).most_common(1)[0]
    if count > 1:
        raise InputError(
            f"{corpus.origin} has {count} sentences with the id '{shorten(id, 60)}'",
            help="sentences are paired by id: rename all but one",
        )
    return ids


def with_empty(corpus: Corpus) -> Corpus:
    """The corpus with a sentence without tokens behind its last."""
    skipped = None if corpus.skipped is None else np.append(corpus.skipped, False)
    return replace(corpus, offsets=np.append(corpus.offsets, corpus.offsets[-1]), skipped=skipped)


def _aligned(gold: Corpus, system: Corpus, *, by_form: bool) -> Alignment:
    lost = np.diff(gold.offsets) != np.diff(system.offsets)
    mine, theirs = _tokens(gold, ~lost), _tokens(system, ~lost)
    differs = _differ(gold.forms, mine, system.forms, theirs)
    if by_form and differs.any():
        lost[gold.sentence_of(mine[differs])] = True
        mine, theirs = _tokens(gold, ~lost), _tokens(system, ~lost)
    method = "sentences" if by_form else "position"
    count = 0 if by_form else int(differs.sum())
    if not lost.any():
        return one_to_one(gold, method, count)
    found = one_to_one(gold, method, count)
    of_gold, of_system = (np.full(c.token_count, -1, np.int32) for c in (gold, system))
    of_gold[mine], of_system[theirs] = theirs, mine
    # Tokens of a lost sentence lie in that of gold, as far as it goes.
    unit = system.sentence_of_token
    number = np.arange(system.token_count) - system.offsets[unit]
    first, last = gold.offsets[:-1][unit], gold.offsets[1:][unit]
    return replace(
        found,
        system_start=np.minimum(first + number, np.maximum(last - 1, first)),
        system_end=np.minimum(first + number + 1, last),
        system_of_gold=of_gold,
        gold_of_system=of_system,
        unit_of_system=unit,
        lost=lost,
    )


def _tokens(corpus: Corpus, sentences: Bools) -> Int64:
    """The tokens of some sentences."""
    if sentences.all():
        return np.arange(corpus.token_count)
    return ranges(corpus.offsets[:-1][sentences], corpus.offsets[1:][sentences])


def _differ(gold: Labels | None, mine: Int64, system: Labels | None, theirs: Int64) -> Bools:
    """Which pairs of tokens have different forms? None where a side has only placeholders."""
    assert gold is not None
    assert system is not None
    if gold.is_constant("_") or system.is_constant("_"):
        return np.zeros(len(mine), np.bool_)
    _, (ours, others) = unite(gold, system)
    found: Bools = ours[mine] != others[theirs]
    return found
