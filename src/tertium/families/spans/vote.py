"""Votes on spans: what more than half of the systems propose.

A span is its first token, its end, its label and, where it has gaps, its tokens. It is kept if the
systems that have it weigh more than half of all systems that vote; exactly half is not enough.
A span with exactly half is counted as a tie.

If all labels weigh the same, two spans that are kept have a system in common, since each is
proposed by more than half: spans of the result overlap only where systems themselves nest spans. So
two overlapping spans both stand if some system has both. Otherwise, which needs weights that differ
between labels, the one with more votes stands, then the one whose systems agree more often with
others (`Poll.agreement`), then the longer, the earlier, the one whose label comes first. In a
column of tags that are not stacked there is no room for overlaps, and all are resolved in that way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int32, Int64, Labels, concatenate, unite
from tertium.corpus.layers import Ragged, Spans, Tags
from tertium.corpus.schemes import scheme_of, stack
from tertium.families.ballots import Ballot, Poll, Proposals, Vote, Voter
from tertium.families.spans.base import SpanMetric
from tertium.families.spans.extents import overlap_groups, packed

Bools = npt.NDArray[np.bool_]
# First, inner and last tag of a span, and that of a span of one token. None: I, or B or E where the
# neighbour belongs to another span of the same type.
LETTERS: dict[str, tuple[str | None, str, str | None, str | None]] = {
    "io": (None, "I", "I", None),
    "iob1": (None, "I", "I", None),
    "iob2": ("B", "I", "I", "B"),
    "ioe1": ("I", "I", None, None),
    "ioe2": ("I", "I", "E", "E"),
    "ioe": ("I", "I", "E", "E"),
    "iobes": ("B", "I", "E", "S"),
    "bilou": ("B", "I", "L", "U"),
}
Row = tuple[int, int, str]


@dataclass(frozen=True, eq=False)
class SpanBallot(Ballot):
    """Votes on spans, as such or in a column of tags."""

    metric: SpanMetric

    def find(self, corpus: Corpus) -> str:
        """As the metric finds it."""
        return self.metric.name_in(corpus)

    def votes(self, poll: Poll) -> Int64:
        """Whether a voter has each of the spans that any of them has."""
        voters = _distinct([spans for spans, _ in self._said(poll, gaps=True)])[1]
        return np.where(voters.T, 0, -1)

    def count(self, poll: Poll) -> Vote:
        """The spans that more than half propose, in a column of tags written as tags."""
        base, layer = poll.base, poll.base.layers.get(self.column)
        in_tags = isinstance(layer, Tags)
        votes = self._said(poll, gaps=not in_tags)
        flat = isinstance(layer, Tags) and not is_stacked(layer)
        spans, given_up, ties = _kept(poll, [spans for spans, _ in votes], flat=flat)
        lost = [
            f"{count:,} spans of {voter.corpus.origin} do not fit the tokens or sentences of "
            f"{base.origin}, or the layer: they do not vote"
            if count
            else ""
            for (_, count), voter in zip(votes, poll.voters, strict=True)
        ]
        notes = _dropped(given_up)
        if not in_tags:
            return Vote(spans, lost, notes, ties)
        # The scheme of the base; that of the next system where the base has no span.
        facts = [self.metric.facts(voter.corpus) for voter in poll.voters]
        clear = [each for each in facts if scheme_of(each) != "none"]
        tags = as_tags(base, self.column, self._spans(base), spans, (clear or facts)[0])
        return Vote(tags, lost, notes, ties)

    def elect(self, base: Corpus, found: Proposals) -> Vote:
        """The best spans; in a column of tags that are not stacked those with the best chances of
        spans that overlap, then the longest, then the first."""
        best = found.items.take(np.flatnonzero(found.is_best))
        spans = Spans(best.start, best.end, best.label, best.tokens)
        layer = base.layers.get(self.column)
        if not isinstance(layer, Tags):
            return Vote(_plain(spans))
        if is_stacked(layer):
            return Vote(as_tags(base, self.column, self._spans(base), spans, self._facts(base)))
        order = np.lexsort((best.start, best.start - best.end, -found.chance[found.is_best]))
        taken, standing = np.zeros(base.token_count, np.bool_), []
        for row in order.tolist():
            if not taken[best.start[row] : best.end[row]].any():
                taken[best.start[row] : best.end[row]] = True
                standing.append(row)
        kept = _chosen(spans, np.sort(np.array(standing, np.int64)))
        tags = as_tags(base, self.column, self._spans(base), kept, self._facts(base))
        return Vote(tags, notes=_dropped(len(best) - len(standing)))

    def _facts(self, base: Corpus) -> frozenset[str]:
        """How the tags of the base are written."""
        return self.metric.facts(base)

    def _said(self, poll: Poll, *, gaps: bool) -> list[tuple[Spans, int]]:
        return [_votes(poll.base, self._spans(v.corpus), v, gaps=gaps) for v in poll.voters]

    def _spans(self, corpus: Corpus) -> Spans:
        """The spans that the metric looks at."""
        items = self.metric.items(corpus)
        return Spans(items.start, items.end, items.label, items.tokens)


def _dropped(count: int) -> list[str]:
    was = "span was" if count == 1 else "spans were"
    return [f"{count:,} {was} dropped: better supported spans overlap them"] if count else []


def _votes(base: Corpus, spans: Spans, voter: Voter, *, gaps: bool) -> tuple[Spans, int]:
    """A voter's spans over the tokens of the base, and how many are no votes.

    A span votes if its ends are ends of tokens of the base in one sentence, whatever the tokens
    between; a span with gaps if every token has a partner and the base's layer can hold `gaps`.
    """
    alignment, begins, ends = voter.alignment, spans.start, spans.end - 1
    first = _token_at(
        alignment.gold_of_system[begins],
        alignment.system_start[begins],
        alignment.gold_start,
        "left",
    )
    last = _token_at(
        alignment.gold_of_system[ends], alignment.system_end[ends], alignment.gold_end, "right"
    )
    usable = (first >= 0) & (last >= first) & (begins <= ends)
    sets: Ragged | None = None
    if spans.tokens is not None:
        sizes = np.diff(spans.tokens.bounds)
        owner = np.repeat(np.arange(len(first)), sizes)
        met = alignment.gold_of_system[spans.start[owner] + spans.tokens.values].astype(np.int64)
        has_gaps = sizes < spans.end - spans.start
        whole = np.full(len(first), gaps)
        np.logical_and.at(whole, owner, met >= 0)
        usable &= whole | ~has_gaps
        # Tokens between the ends of a span without gaps may be others: they are spelt out anew.
        own = Ragged(spans.tokens.bounds, (met - first[owner]).astype(np.int32))
        ends = (np.maximum(last, first) + 1).astype(np.int32)
        filled = Spans(first.astype(np.int32), ends, spans.label).token_sets()
        rows = np.arange(len(first))
        sets = Ragged.concatenate([own, filled]).take(np.where(has_gaps, rows, rows + len(first)))
    if base.token_count:
        of = base.sentence_of
        usable &= of(np.maximum(first, 0)) == of(np.maximum(last, 0))
    rows = np.flatnonzero(usable)
    found = Spans(first.astype(np.int32), (last + 1).astype(np.int32), spans.label, sets)
    return _chosen(found, rows), len(first) - len(rows)


def _chosen(spans: Spans, rows: Int64) -> Spans:
    """Some of the spans, by their numbers."""
    sets = spans.tokens.take(rows) if spans.tokens is not None else None
    return Spans(spans.start[rows], spans.end[rows], spans.label.take(rows), sets)


def _token_at(partner: Int32, atoms: Int64, ours: Int64, side: Literal["left", "right"]) -> Int64:
    """The partner, else the base's token that begins (or ends) where a token does; -1 for none.

    Of several, as in a multiword token, it is the first (or the last).
    """
    if not len(ours):
        return np.full(len(partner), -1, np.int64)
    place = ours.searchsorted(atoms, side=side) - (side == "right")
    place = np.clip(place, 0, len(ours) - 1)
    there = np.where(ours[place] == atoms, place, -1)
    return np.where(partner >= 0, partner, there).astype(np.int64)


@dataclass(frozen=True, eq=False)
class _Candidates:
    """Distinct spans, who proposes each (candidates x systems), their share of the weight, how far
    that is above half, and the agreement of those who propose them."""

    spans: Spans
    voters: Bools
    share: npt.NDArray[np.float64]
    surplus: Int64
    agreement: Int64

    def tokens(self, row: int) -> frozenset[int]:
        """The tokens of a candidate."""
        spans = self.spans
        if spans.tokens is None:
            return frozenset(range(int(spans.start[row]), int(spans.end[row])))
        return frozenset((spans.tokens[row] + spans.start[row]).tolist())

    def rank(self, row: int) -> tuple[Any, ...]:
        """Those that come first stand where spans overlap."""
        start, end = int(self.spans.start[row]), int(self.spans.end[row])
        votes = -float(self.share[row]), -int(self.agreement[row])
        return *votes, start - end, start, self.spans.label[row], sorted(self.tokens(row))


def _kept(poll: Poll, votes: Sequence[Spans], *, flat: bool) -> tuple[Spans, int, int]:
    """The spans that are kept, how many were given up because they overlap others, and how many
    have exactly half of the weight. Spans of the base come first in each sentence, in its order."""
    found = _candidates(poll, votes)
    kept = np.flatnonzero(found.surplus > 0)
    ties = int(((found.surplus == 0) & (found.share > 0)).sum())
    standing = _resolved(found, kept, flat)
    sentence = poll.base.sentence_of(found.spans.start[standing])
    rows = standing[np.argsort(sentence, kind="stable")]
    return _plain(_chosen(found.spans, rows)), len(kept) - len(standing), ties


def _plain(spans: Spans) -> Spans:
    """Without sets of tokens, where none of them has gaps."""
    if spans.tokens is None or len(spans.tokens.values) < (spans.end - spans.start).sum():
        return spans
    return replace(spans, tokens=None)


def _candidates(poll: Poll, votes: Sequence[Spans]) -> _Candidates:
    """Every distinct span, and what the votes for it are worth."""
    spans, voters = _distinct(votes)
    table = poll.worth(spans.label.names)
    folds = poll.fold[poll.base.sentence_of(spans.start)]
    worth = table.whole[folds, :, table.column[spans.label.codes]]
    total, votes_for = worth.sum(axis=1), (worth * voters).sum(axis=1)
    share = votes_for / np.where(total, total, 1)
    return _Candidates(spans, voters, share, 2 * votes_for - total, voters @ poll.agreement)


def _distinct(votes: Sequence[Spans]) -> tuple[Spans, Bools]:
    """Every distinct span, in order of first occurrence, and who has it (spans x voters)."""
    names, _ = unite(*(spans.label for spans in votes))
    rows = Spans.join(votes)
    voter = np.repeat(np.arange(len(votes)), [len(spans.start) for spans in votes])
    label = unite(Labels(names, np.arange(len(names), dtype=np.int32)), rows.label)[1][1]
    key = packed(rows.start.astype(np.int64), (rows.end - rows.start).astype(np.int64))
    key = packed(packed(key, _shapes(rows)), label.astype(np.int64))
    _, first, of_row = np.unique(key, return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    chosen = first[order]
    voters = np.zeros((len(chosen), len(votes)), np.bool_)
    voters[place[of_row], voter] = True
    return _chosen(replace(rows, label=Labels(names, label)), chosen), voters


def _shapes(spans: Spans) -> Int64:
    """A number for the tokens of each span that has gaps, 0 for the others."""
    found = np.zeros(len(spans.start), np.int64)
    if spans.tokens is not None:
        known: dict[bytes, int] = {}
        for row in np.flatnonzero(np.diff(spans.tokens.bounds) < spans.end - spans.start).tolist():
            found[row] = known.setdefault(spans.tokens[row].tobytes(), len(known) + 1)
    return found


def _resolved(found: _Candidates, kept: Int64, flat: bool) -> Int64:
    """The candidates that stand, in their order."""
    start, end = found.spans.start, found.spans.end
    group = overlap_groups(start[kept], end[kept])
    sizes = np.bincount(group)
    crowded = sizes[group] > 1
    if not crowded.any():
        return kept

    standing = set(kept[~crowded].tolist())
    order, bounds = np.argsort(group, kind="stable"), np.cumsum([0, *sizes])
    for n in np.flatnonzero(sizes > 1).tolist():
        members = kept[order[bounds[n] : bounds[n + 1]]].tolist()
        members.sort(key=found.rank)
        taken: list[int] = []
        for row in members:
            if all(_may_stand(found, row, other, flat) for other in taken):
                taken.append(row)
        standing.update(taken)
    return np.array(sorted(standing), np.int64)


def _may_stand(found: _Candidates, row: int, other: int, flat: bool) -> bool:
    """May two spans both stand: do they not overlap, or has some system both?"""
    if not flat and bool((found.voters[row] & found.voters[other]).any()):
        return True
    return not (found.tokens(row) & found.tokens(other))


def is_stacked(tags: Tags) -> bool:
    """Are some tags stacked, such as I-NP|B-PP?"""
    return any(len(stack(name)) > 1 for name in tags.labels.used_names())


def as_tags(base: Corpus, column: str, own: Spans, spans: Spans, facts: frozenset[str]) -> Tags:
    """The base's column with other spans; `own` are those it holds now.

    Sentences whose spans stay the same keep their tags as they are. The others are written in the
    scheme that `facts` speak for, IOB2 where they speak for none. Spans that overlap go to levels
    of stacked tags, so in a column without stacks there must be none.
    """
    tags = base.layer(column, Tags)
    before, after = _by_sentence(base, own), _by_sentence(base, spans)
    written: list[str] = []
    places: list[int] = []
    for sentence in sorted({*before, *after}):
        rows = after.get(sentence, [])
        if set(before.get(sentence, [])) != set(rows):
            first, last = base.offsets[sentence : sentence + 2].tolist()
            written += _sentence_tags(rows, first, last - first, facts)
            places += range(first, last)
    if not places:
        return tags
    both = concatenate([tags.labels, Labels.of(written)])
    codes = both.codes[: base.token_count].copy()
    codes[places] = both.codes[base.token_count :]
    return Tags(Labels(both.names, codes))


def _by_sentence(base: Corpus, spans: Spans) -> dict[int, list[Row]]:
    found: dict[int, list[Row]] = {}
    rows = zip(spans.start.tolist(), spans.end.tolist(), spans.label.to_list(), strict=True)
    for sentence, row in zip(spans.sentence_of_row(base.offsets).tolist(), rows, strict=True):
        found.setdefault(sentence, []).append(row)
    return found


def _sentence_tags(rows: Sequence[Row], base: int, size: int, facts: frozenset[str]) -> list[str]:
    """The tags of a sentence that begins at token `base`."""
    levels: list[list[str]] = []
    for level in _levels(rows):
        tags = ["O"] * size
        for start, end, label in level:
            tags[start - base : end - base] = _span_tags((start, end, label), level, facts)
        levels.append(tags)
    found = []
    for at in zip(*(levels or [["O"] * size]), strict=True):
        used = max((n for n, tag in enumerate(at, 1) if tag != "O"), default=1)
        found.append("|".join(at[:used]))
    return found


def _span_tags(row: Row, level: Sequence[Row], facts: frozenset[str]) -> list[str]:
    """The tags of one span in the scheme that facts speak for."""
    first, inner, last, single = LETTERS.get(scheme_of(facts), LETTERS["iob2"])
    if "prefix M" in facts and "prefix I" not in facts:
        inner = "M"  # BMES
    start, end, label = row
    letters = [inner] * (end - start)
    if len(letters) == 1 and single is not None:
        letters[0] = single
    elif last is None or first is None:
        if first is None and any(other[1:] == (start, label) for other in level):
            letters[0] = "B"
        if last is None and any((other[0], other[2]) == (end, label) for other in level):
            letters[-1] = "E"
    else:
        letters[0], letters[-1] = first, last
    return [f"{letter}-{label}" for letter in letters]


def _levels(rows: Sequence[Row]) -> list[list[Row]]:
    """Spans that do not overlap one another on one level, outer ones first."""
    levels: list[list[Row]] = []
    for row in sorted(rows, key=lambda r: (r[0], -r[1])):
        level = next((each for each in levels if each[-1][1] <= row[0]), None)
        if level is None:
            levels.append(level := [])
        level.append(row)
    return levels
