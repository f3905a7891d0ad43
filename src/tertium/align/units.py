"""Units: the sentences and documents of gold and systems that are judged together.

A document lies in one file, and its name is there once on each side.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tertium.align.tokens import Alignment, units_by
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int32, Int64, ranges
from tertium.exceptions import AlignmentError, InputError


def shared_sentences(gold: Corpus, systems: Iterable[Corpus]) -> npt.NDArray[np.bool_] | None:
    """The sentences that no side had to skip; None if nothing was skipped anywhere.

    A sentence that is broken on one side is left out on all, so that every system is judged on the
    same sentences. That needs the same number of sentences everywhere.
    """
    keep = np.ones(gold.sentence_count, np.bool_)
    if gold.skipped is not None:
        keep &= ~gold.skipped
    counts = {gold.sentence_count: gold.origin}
    for system in systems:
        counts.setdefault(system.sentence_count, system.origin)
        if system.skipped is not None and system.sentence_count == gold.sentence_count:
            keep &= ~system.skipped
        elif system.skipped is not None:
            keep[:] = False
    if keep.all():
        return None
    if len(counts) > 1:
        described = ", ".join(f"{n:,} in {origin}" for n, origin in counts.items())
        raise AlignmentError(
            f"cannot pair sentences after skipping: the numbers of sentences differ ({described})",
            help="fix the file; 'tertium validate' lists its problems",
        )
    return keep


def pair_documents(gold: Corpus, system: Corpus) -> Corpus:
    """The system with its documents in the order of gold's, which they are paired with by name.

    Where one side does not name its documents they are taken in order, as the text has them.
    """
    ours, theirs = names_of(gold), names_of(system)
    if ours is None or theirs is None or ours == theirs:
        return system
    for origin, other, lacking in (
        (system.origin, gold.origin, [name for name in ours if name not in theirs]),
        (gold.origin, system.origin, [name for name in theirs if name not in ours]),
    ):
        if lacking:
            more = f" and {len(lacking) - 1:,} more" if len(lacking) > 1 else ""
            raise AlignmentError(
                f"{origin} has no document '{lacking[0]}'{more}, which {other} has",
                help="documents are paired by name; 'tertium validate' shows what was read",
            )
    place = {name: number for number, name in enumerate(theirs)}
    return system.take(sentences_of(system, [place[name] for name in ours]))


def sentences_of(corpus: Corpus, documents: Sequence[int] | Int64) -> Int64:
    """The sentences of some documents, in the order of these."""
    ends = np.append(corpus.documents, corpus.sentence_count)
    numbers = np.asarray(documents, np.int64)
    return ranges(ends[numbers], ends[numbers + 1])


def names_of(corpus: Corpus) -> list[str] | None:
    """The names of all documents; None where not every one has a name. A name that is there twice
    is refused: a document lies in one place."""
    names = corpus.document_names.to_list()
    for name, count in Counter(names).items():
        if name and count > 1:
            second = [number for number, each in enumerate(names) if each == name][1]
            token = corpus.offsets[corpus.documents[second]]
            has_line = corpus.lines is not None and token < corpus.token_count
            where = f", the second from line {corpus.lines[token]} on" if has_line else ""  # type: ignore[index]
            raise InputError(
                f"{corpus.origin} has {count} documents '{name}'{where}", help="rename all but one"
            )
    return names if all(names) else None


def check_distinct(side: str, file: str, names: Iterable[str], known: dict[str, str]) -> None:
    """Refuse a document whose name stands in another file of its side. `known` are the files of the
    names that were met before; those of this file are added."""
    for name in filter(None, names):
        if known.setdefault(name, file) != file:
            raise InputError(
                f"{side}: '{known[name]}' and '{file}' both have a document '{name}'",
                help="rename one of them",
            )


def shown_names(corpus: Corpus) -> list[str]:
    """What the documents are called where somebody reads it: one without a name is called as the
    file is, without its ending; several are numbered."""
    names = corpus.document_names.to_list()
    stem = Path(corpus.origin).name.partition(".")[0] or corpus.origin
    several = names.count("") > 1
    return [
        name or (f"{stem} {number}" if several else stem) for number, name in enumerate(names, 1)
    ]


def by_document(alignment: Alignment, gold: Corpus) -> Alignment:
    """The same alignment with gold documents as units."""
    of_sentence = gold.document_of_sentence
    return replace(
        alignment,
        units=gold.document_count,
        unit_of_gold=units_by(of_sentence, alignment.unit_of_gold),
        unit_of_system=units_by(of_sentence, alignment.unit_of_system),
    )


def joined_documents(files: Sequence[tuple[Int32 | None, bool]]) -> Int32 | None:
    """The document of every sentence of several files, given that of each file's own and whether it
    marks documents; None where none does. Beside others, a file that marks none is a document."""
    there = [each for each, _ in files if each is not None]
    if len(there) < len(files) or not any(marked for _, marked in files):
        return None
    first = np.cumsum([0, *(int(each.max(initial=-1)) + 1 for each in there)])
    moved = [each + n for each, n in zip(there, first, strict=False)]
    return np.concatenate(moved).astype(np.int32)
