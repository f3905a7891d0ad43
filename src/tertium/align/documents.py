"""Pairing document by document: one that the system lacks is empty, one that gold lacks is ignored.

For annotation that is compared within documents (`Family.pairs`), as the official scorer of
coreference (8.01) does it. Token numbers count within the document, whatever its sentences are.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from tertium.align.sentences import with_empty
from tertium.align.tokens import Alignment, align, one_to_one, units_at
from tertium.align.units import names_of, sentences_of, shown_names
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int64, Labels, concatenate
from tertium.corpus.layers import Bools
from tertium.exceptions import AlignmentError, counted, shorten


def align_documents(
    gold: Corpus, system: Corpus, *, method: str = "auto"
) -> tuple[Corpus, Alignment]:
    """The system with gold's documents in gold's order, and how the two lie over each other; units
    are gold sentences (`by_document` makes them documents).

    "auto": by token number where every document that both have is equally long, and differing forms
    are counted; otherwise by characters. "position" and "characters" do as they say.
    """
    partner = partners(gold, system)
    there, known = partner >= 0, {*partner.tolist()}
    ignored = [name for n, name in enumerate(shown_names(system)) if n not in known]
    missing = [name for name, has in zip(shown_names(gold), there, strict=True) if not has]
    system = _arranged(system, partner)
    found = _aligned(gold, system, np.flatnonzero(there), method)
    return system, replace(found, ignored=tuple(ignored), missing=tuple(missing))


def partners(gold: Corpus, system: Corpus) -> Int64:
    """For each gold document the number of the system's, -1 for none: by name where both sides name
    all of theirs, else in order. A single document without a name has that of its file, if the
    other side has one of that name."""
    ours, theirs = names_of(gold), names_of(system)
    if ours is None and theirs is not None:
        ours = _named_as_file(gold, theirs)
    elif theirs is None and ours is not None:
        theirs = _named_as_file(system, ours)
    if ours is None or theirs is None:
        if gold.document_count != system.document_count:
            raise AlignmentError(
                f"{gold.origin} has {counted(gold.document_count, 'document')}, "
                f"{system.origin} has {system.document_count:,}, and not all of them have names",
                help="documents without names are paired in order; name them on both sides",
            )
        return np.arange(gold.document_count)
    place = {name: number for number, name in enumerate(theirs)}
    found = np.array([place.get(name, -1) for name in ours], np.int64)
    if len(ours) and theirs and (found < 0).all():
        raise AlignmentError(
            f"{gold.origin} and {system.origin} have no document in common: the first are "
            f"'{shorten(ours[0], 60)}' and '{shorten(theirs[0], 60)}'",
            help="documents are paired by name; use the same names on both sides, or none",
        )
    return found


def _named_as_file(corpus: Corpus, others: list[str]) -> list[str] | None:
    names = shown_names(corpus)
    return names if len(names) == 1 and names[0] in others else None


def _arranged(system: Corpus, partner: Int64) -> Corpus:
    """The system's documents in the order of their partners, an empty sentence for one that is not
    there."""
    if np.array_equal(partner, np.arange(system.document_count)):
        return system
    count = system.document_count
    whole = replace(
        with_empty(system),
        documents=np.append(system.documents, system.sentence_count),
        document_names=concatenate([system.document_names, Labels.of([""])]),
        document_marks=np.append(system.document_marks, True),
    )
    return whole.take(sentences_of(whole, np.where(partner < 0, count, partner)))


def _aligned(gold: Corpus, system: Corpus, there: Int64, method: str) -> Alignment:
    """How the documents `there`, which both sides have, lie over each other."""
    ours, theirs = (_with_documents_as_sentences(each).take(there) for each in (gold, system))
    longer = np.flatnonzero(np.diff(ours.offsets) != np.diff(theirs.offsets))
    by_number = method in ("position", "indices") or (method == "auto" and not len(longer))
    if by_number and len(longer):
        sizes = [int(np.diff(each.offsets)[longer[0]]) for each in (ours, theirs)]
        raise AlignmentError(
            f"document '{shown_names(gold)[there[longer[0]]]}' has {counted(sizes[0], 'token')} "
            f"in {gold.origin}, {sizes[1]:,} in {system.origin}; documents of different length: "
            f"{len(longer):,}"
        )
    if by_number and ours.forms == theirs.forms:
        found = one_to_one(ours, "tokens")
    elif by_number:
        found = align(ours, theirs, method="position")
    else:
        found = _by_characters(gold, system, there, ours, theirs)
    return _over_all(gold, system, there, found)


def _with_documents_as_sentences(corpus: Corpus) -> Corpus:
    """The text alone, a sentence for each document."""
    forms = corpus.forms
    if forms is None:
        forms = Labels.of(["_"]).take(np.zeros(corpus.token_count, np.int64))
    return Corpus(
        offsets=corpus.offsets[np.append(corpus.documents, corpus.sentence_count)],
        forms=forms,
        extras={name: each for name, each in corpus.extras.items() if name == "multiwords"},
        origin=corpus.origin,
        lines=corpus.lines,
    )


def _by_characters(
    gold: Corpus, system: Corpus, there: Int64, ours: Corpus, theirs: Corpus
) -> Alignment:
    try:
        found = align(ours, theirs, method="characters")
    except AlignmentError:  # once more, to name the sentence
        both = (replace(each, layers={}).take(sentences_of(each, there)) for each in (gold, system))
        align(*both, method="characters")
        raise
    firsts, others = ours.offsets[:-1], theirs.offsets[:-1]
    filled = np.flatnonzero((np.diff(ours.offsets) > 0) & (np.diff(theirs.offsets) > 0))
    apart = found.gold_start[firsts[filled]] != found.system_start[others[filled]]
    if apart.any():
        name = shown_names(gold)[there[filled[int(apart.argmax())]]]
        raise AlignmentError(
            f"document '{name}' begins at a different word in {gold.origin} and in "
            f"{system.origin}, although both have the same text",
            help="documents must begin and end at the same words on both sides",
        )
    return found


def _over_all(gold: Corpus, system: Corpus, there: Int64, found: Alignment) -> Alignment:
    """An alignment of some documents as one of all; the tokens of all others have no partners and
    one atom each, so that atoms stay in the order of the text."""
    if len(there) == gold.document_count:
        unit = units_at(gold, found.gold_start, found.system_start)
        return replace(
            found,
            units=gold.sentence_count,
            unit_of_gold=gold.sentence_of_token,
            unit_of_system=unit,
        )
    is_there = np.isin(gold.document_of_sentence, there)[gold.sentence_of_token]
    mine, before = np.flatnonzero(is_there), np.cumsum(~is_there)
    end = np.zeros(gold.token_count, np.int64)
    end[mine] = found.gold_end
    end = np.maximum.accumulate(end) + before
    start = end - 1
    start[mine] = found.gold_start + before[mine]
    first = gold.offsets[gold.documents]
    shift = np.append(before, (~is_there).sum())[first][system.document_of_sentence]
    moved = shift[system.sentence_of_token]
    of_gold = np.full(gold.token_count, -1, np.int32)
    of_gold[mine] = found.system_of_gold
    of_system = np.append(mine, -1).astype(np.int32)[found.gold_of_system]
    return replace(
        found,
        units=gold.sentence_count,
        gold_start=start,
        gold_end=end,
        system_start=found.system_start + moved,
        system_end=found.system_end + moved,
        system_of_gold=of_gold,
        gold_of_system=of_system,
        unit_of_gold=gold.sentence_of_token,
        unit_of_system=units_at(gold, start, found.system_start + moved),
    )


def shared_documents(gold: Corpus, systems: Iterable[Corpus]) -> Bools | None:
    """The gold documents that no side had to skip, wholly or in part; None if all are there."""
    keep = ~_skipped(gold)
    for system in systems:
        skipped = _skipped(system)
        if skipped.any():
            keep &= ~np.append(skipped, False)[partners(gold, system)]
    return None if keep.all() else keep


def without(gold: Corpus, system: Corpus, keep: Bools) -> Corpus:
    """A system without the documents whose partners in gold are not kept."""
    partner = partners(gold, system)
    left = np.setdiff1d(np.arange(system.document_count), partner[~keep])
    return system.take(sentences_of(system, left))


def _skipped(corpus: Corpus) -> Bools:
    """The documents that have sentences which could not be read."""
    found = np.zeros(corpus.document_count, np.bool_)
    if corpus.skipped is not None:
        found[corpus.document_of_sentence[corpus.skipped]] = True
    return found
