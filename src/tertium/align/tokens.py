"""Pairing the tokens of gold and system (docs/design.md, "Alignment")."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from tertium.align.texts import RunningText, explain_difference, without_spaces
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int32, Int64, ranges, unite
from tertium.corpus.layers import Multiwords
from tertium.exceptions import AlignmentError, UsageError

METHODS = ("auto", "characters", "position")
MOST_CELLS = 50_000_000
LONGEST = np.int64(2**32)  # tokens that a sentence cannot have


@dataclass(frozen=True, eq=False)
class Alignment:
    """How a system's tokens lie over the gold tokens.

    Both sides are measured in *atoms*: tokens where they are paired one to one, else characters
    (white space left out), else token numbers. `*_start` and `*_end` are each token's stretch of
    atoms, so that spans of both sides can be compared whatever the tokenisation.

    - `system_of_gold`, `gold_of_system`: the partner of each token, -1 for none
    - `unit_of_gold`, `unit_of_system`: the gold sentence of each token; a system token belongs to
      the one that holds its first character
    - `differing_forms`: pairs of tokens whose forms differ (only under "position")
    - `loose`: was white space left out that is no space character (Unicode category Zs)?
    - `lost`: the units that the system lacks or has with other words, where sentences are paired by
      id or number (`align/sentences.py`): their tokens have no partners. None if none is
    - `ignored`: ids of the system's sentences, or names of its documents, that gold does not have
    - `missing`: names of gold documents that the system lacks, where documents are paired on their
      own (`align/documents.py`): their tokens have no partners either
    - `peer`: where neither side is gold (`diff`), the other side and how it lies over the first:
      what gold would leave out is left out if both say so
    """

    method: str
    units: int
    gold_start: Int64
    gold_end: Int64
    system_start: Int64
    system_end: Int64
    system_of_gold: Int32
    gold_of_system: Int32
    unit_of_gold: Int32
    unit_of_system: Int32
    differing_forms: int = 0
    loose: bool = False
    peer: tuple[Corpus, Alignment] | None = None
    lost: npt.NDArray[np.bool_] | None = None
    ignored: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()

    @cached_property
    def derived(self) -> dict[object, Any]:
        """A place for what is computed from this alignment once and used again."""
        return {}

    def unaligned(self) -> tuple[int, int]:
        """Tokens without a partner: of gold, of the system."""
        partners: tuple[Any, Any] = self.system_of_gold, self.gold_of_system
        gold, system = (
            each.lacking if isinstance(each, _Partners) else int((each < 0).sum())
            for each in partners
        )
        return gold, system

    @property
    def coverage(self) -> dict[str, int]:
        """The same for the coverage of a result; by side where there are any."""
        gold, system = self.unaligned()
        sides = {"unaligned_gold": gold, "unaligned_system": system} if gold or system else {}
        return {"unaligned": gold + system, **sides}


def align(gold: Corpus, system: Corpus, *, method: str = "auto", strict: bool = False) -> Alignment:
    """Pair tokens; raises AlignmentError where gold and system are not the same text.

    "auto": identical tokens, else equal characters with white space ignored. "position": by
    sentence and token number, counting differing forms. Files of spans over token numbers, and
    data without forms, are always paired by number. If `strict`, only space characters (Unicode
    category Zs) are ignored, as the UD evaluation does; line separators and the like count.
    "indices" pairs by number whatever the forms: for a system that stands beside one without any.
    """
    if method not in (*METHODS, "indices"):
        raise UsageError(f"align must be one of {', '.join(METHODS)}. Got '{method}' instead.")
    if method == "indices" or gold.forms is None or system.forms is None:
        return _by_index(gold, system)
    has_words = gold.has_words and system.has_words
    if method == "position" or not (has_words or strict):
        return _by_position(gold, system)
    if method == "auto" and _one_text(gold, system) and gold.forms == system.forms:
        return one_to_one(gold, "tokens")
    return _by_characters(gold, system, strict)


def _one_text(gold: Corpus, system: Corpus) -> bool:
    """Are the multiword tokens the same, or does one side not mark any?

    Parsers that are given words often leave the ranges out; that is no other text.
    """
    marked = (c.extra("multiwords", Multiwords) is not None for c in (gold, system))
    return not all(marked) or same_ranges(gold, system)


def same_ranges(gold: Corpus, system: Corpus) -> bool:
    """Are the multiword tokens the same?"""
    ours, theirs = (c.extra("multiwords", Multiwords) for c in (gold, system))
    if ours is None or theirs is None:
        return ours is theirs
    return (
        np.array_equal(ours.start, theirs.start)
        and np.array_equal(ours.end, theirs.end)
        and ours.form == theirs.form
    )


def one_to_one(gold: Corpus, method: str, differing_forms: int = 0) -> Alignment:
    """Every token with that of the same number."""
    count = gold.token_count
    place = np.arange(count + 1, dtype=np.int64)  # shared: nobody writes to it
    start, end = place[:-1], place[1:]
    partner = start.astype(np.int32)
    return Alignment(
        method=method,
        units=gold.sentence_count,
        gold_start=start,
        gold_end=end,
        system_start=start,
        system_end=end,
        system_of_gold=partner,
        gold_of_system=partner,
        unit_of_gold=gold.sentence_of_token,
        unit_of_system=gold.sentence_of_token,
        differing_forms=differing_forms,
    )


def _by_position(gold: Corpus, system: Corpus) -> Alignment:
    if gold.sentence_count != system.sentence_count:
        raise AlignmentError(
            f"{gold.origin} has {gold.sentence_count:,} sentences, "
            f"{system.origin} has {system.sentence_count:,}; they cannot be paired by position"
        )
    different = np.flatnonzero(np.diff(gold.offsets) != np.diff(system.offsets))
    if len(different):
        first = int(different[0])
        sizes = [int(c.offsets[first + 1] - c.offsets[first]) for c in (gold, system)]
        raise AlignmentError(
            f"sentence '{gold.sentence_id(first)}' has {sizes[0]} tokens in {gold.origin}, "
            f"{sizes[1]} in {system.origin}; sentences of different length: {len(different):,}"
        )
    assert gold.forms is not None
    assert system.forms is not None
    differing = 0
    if gold.has_words and system.has_words:
        _, (a, b) = unite(gold.forms, system.forms)
        differing = int((a != b).sum())
    return one_to_one(gold, "position", differing)


def _by_index(gold: Corpus, system: Corpus) -> Alignment:
    """Sentence n with sentence n, token i with token i; lengths are unknown and never compared."""
    if gold.sentence_count != system.sentence_count:
        raise AlignmentError(
            f"{gold.origin} has {gold.sentence_count:,} sentences, "
            f"{system.origin} has {system.sentence_count:,}",
            help="files of spans over token numbers are paired sentence by sentence; "
            "a sentence without spans needs a NONE line",
        )
    for known, named in ((gold, system), (system, gold)):
        longer = np.flatnonzero(np.diff(named.offsets) > np.diff(known.offsets))
        if known.forms is not None and len(longer):
            first = int(longer[0])
            raise AlignmentError(
                f"sentence '{known.sentence_id(first)}' has "
                f"{np.diff(known.offsets)[first]} tokens in {known.origin}, but {named.origin} "
                f"has a span over token {np.diff(named.offsets)[first]}"
            )

    return Alignment(
        method="indices",
        units=gold.sentence_count,
        gold_start=_column(_Places(gold.offsets, 0)),
        gold_end=_column(_Places(gold.offsets, 1)),
        system_start=_column(_Places(system.offsets, 0)),
        system_end=_column(_Places(system.offsets, 1)),
        system_of_gold=_column(_Partners(gold.offsets, system.offsets)),
        gold_of_system=_column(_Partners(system.offsets, gold.offsets)),
        unit_of_gold=_column(_Units(gold.offsets)),
        unit_of_system=_column(_Units(system.offsets)),
    )


@dataclass(frozen=True, eq=False)
class _Numbered:
    """A column over the tokens of a file that only numbers them, worked out where it is looked at:
    a few bytes can speak of token 1,000,000. It takes numbers, arrays of numbers and slices as an
    array does."""

    offsets: Int64

    def __len__(self) -> int:
        return int(self.offsets[-1])

    def __getitem__(self, tokens: Any) -> Any:
        if isinstance(tokens, slice):
            tokens = np.arange(*tokens.indices(len(self)))
        tokens = np.asarray(tokens)
        if tokens.dtype == np.bool_:
            tokens = np.flatnonzero(tokens)
        sentence = np.searchsorted(self.offsets, tokens, side="right") - 1
        return self.values(sentence, tokens - self.offsets[sentence])

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return np.asarray(self[:], dtype)

    @abstractmethod
    def values(self, sentence: Any, number: Any) -> Any:
        """What tokens have, given their sentences and their numbers there."""


@dataclass(frozen=True, eq=False)
class _Places(_Numbered):
    """Where tokens begin, or end if `more` is 1: the same number for the same token of every
    system, however long its sentences are."""

    more: int

    def values(self, sentence: Any, number: Any) -> Any:
        return sentence * LONGEST + number + self.more

    def searchsorted(self, places: Any, side: str = "left") -> Any:
        """As that of an array."""
        sentence, number = np.divmod(np.asarray(places) - self.more, LONGEST)
        sentence = np.clip(sentence, 0, len(self.offsets) - 2)
        first, last = self.offsets[sentence], self.offsets[sentence + 1]
        return np.clip(first + number + (side == "right"), first, last)


@dataclass(frozen=True, eq=False)
class _Partners(_Numbered):
    """The tokens with the same numbers in a file with other offsets, -1 for none."""

    others: Int64

    def values(self, sentence: Any, number: Any) -> Any:
        there = number < self.others[sentence + 1] - self.others[sentence]
        return np.where(there, self.others[sentence] + number, -1).astype(np.int32)

    @property
    def lacking(self) -> int:
        """How many have none."""
        return int(np.maximum(np.diff(self.offsets) - np.diff(self.others), 0).sum())


@dataclass(frozen=True, eq=False)
class _Units(_Numbered):
    """The sentences of tokens, or what they have in a table."""

    table: Int32 | None = None

    def values(self, sentence: Any, number: Any) -> Any:
        return (sentence if self.table is None else self.table[sentence]).astype(np.int32)

    def searchsorted(self, sentences: Any, side: str = "left") -> Any:
        """As that of an array of sentences."""
        return self.offsets[np.asarray(sentences) + (side == "right")]


def _column(column: _Numbered) -> Any:
    """What is asked like an array; for those who read an Alignment it is one."""
    return column


def units_by(table: Int32, unit: Int32) -> Int32:
    """What the units of tokens have in a table of units."""
    column: Any = unit
    if isinstance(column, _Units):
        column = replace(column, table=table if column.table is None else table[column.table])
        return cast(Int32, column)
    return table[unit]


def _by_characters(gold: Corpus, system: Corpus, strict: bool) -> Alignment:
    from tertium.align._kernels import pair_inside, pair_outside

    ours, theirs = RunningText.of(gold, strict=strict), RunningText.of(system, strict=strict)
    explain_difference(gold, system, ours, theirs)
    of_gold, stretches = pair_outside(
        ours.start, ours.end, ours.multi, theirs.start, theirs.end, theirs.multi
    )
    if len(stretches):
        forms = _compared_forms((gold, system), (ours, theirs), stretches)
        if not pair_inside(of_gold, stretches, *forms, MOST_CELLS):
            raise AlignmentError(
                f"{gold.origin} and {system.origin} differ inside a multiword token of thousands "
                "of words",
                help="check the ranges of multiword tokens",
            )
    of_system = np.full(system.token_count, -1, np.int32)
    paired = np.flatnonzero(of_gold >= 0)
    of_system[of_gold[paired]] = paired
    return Alignment(
        method="characters",
        units=gold.sentence_count,
        gold_start=ours.start,
        gold_end=ours.end,
        system_start=theirs.start,
        system_end=theirs.end,
        system_of_gold=of_gold,
        gold_of_system=of_system,
        unit_of_gold=gold.sentence_of_token,
        unit_of_system=units_at(gold, ours.start, theirs.start),
        loose=not strict and (ours.loose or theirs.loose),
    )


def _compared_forms(
    corpora: tuple[Corpus, Corpus], texts: tuple[RunningText, RunningText], stretches: Int64
) -> tuple[Int32, Int32]:
    """Codes of the forms of words in stretches, -1 elsewhere: lower case, and outside multiword
    tokens without spaces, as the CoNLL 2018 evaluation compares them."""
    known: dict[str, int] = {}
    found = []
    for side, (corpus, text) in enumerate(zip(corpora, texts, strict=True)):
        assert corpus.forms is not None
        words = ranges(stretches[:, 2 * side], stretches[:, 2 * side + 1])
        keys = corpus.forms.codes[words].astype(np.int64) * 2 + text.multi[words]
        distinct, of_word = np.unique(keys, return_inverse=True)
        forms = corpus.forms.names.some((distinct // 2).tolist())
        lower = [
            (form if inside else without_spaces(form)).lower()
            for form, inside in zip(forms, (distinct % 2).tolist(), strict=True)
        ]
        codes = np.array([known.setdefault(form, len(known)) for form in lower], np.int32)
        compared = np.full(corpus.token_count, -1, np.int32)
        compared[words] = codes[of_word]
        found.append(compared)
    return found[0], found[1]


def units_at(gold: Corpus, gold_start: Int64, position: Int64) -> npt.NDArray[np.int32]:
    """The gold sentence that holds each position; the last one for what lies behind the text."""
    occupied = np.flatnonzero(np.diff(gold.offsets) > 0)
    first = gold_start[gold.offsets[:-1][occupied]]
    place = np.maximum(np.searchsorted(first, position, side="right") - 1, 0)
    if not len(occupied):
        return np.zeros(len(position), np.int32)
    return occupied[place].astype(np.int32)
