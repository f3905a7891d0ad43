"""Spans written back as a column of tags, in the scheme of the base."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int64, concatenate
from tertium.corpus.labels import Labels as LabelColumn
from tertium.corpus.layers import Spans, Tags
from tertium.corpus.schemes import scheme_of, stack

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


def is_stacked(tags: Tags) -> bool:
    """Are some tags stacked, such as I-NP|B-PP?"""
    return any(len(stack(name)) > 1 for name in tags.labels.used_names())


def as_tags(base: Corpus, column: str, own: Spans, spans: Spans, facts: Iterable[str]) -> Tags:
    """The base's column with other spans; `own` are those it holds now.

    Sentences whose spans stay the same keep their tags as they are. The others are written in the
    scheme that `facts` speak for, IOB2 where they speak for none. Spans that overlap go to levels
    of stacked tags, so in a column without stacks there must be none.
    """
    tags = base.layer(column, Tags)
    before, after = _by_sentence(base, own), _by_sentence(base, spans)
    changed = [
        s for s in sorted({*before, *after}) if set(before.get(s, ())) != set(after.get(s, ()))
    ]
    if not changed:
        return tags
    write = _Writer(frozenset(facts))
    written: list[str] = []
    places: list[Int64] = []
    for sentence in changed:
        first, last = (int(o) for o in base.offsets[sentence : sentence + 2])
        written += write.sentence(after.get(sentence, []), first, last - first)
        places.append(np.arange(first, last))
    both = concatenate([tags.labels, LabelColumn.of(written)])
    codes = both.codes[: base.token_count].copy()
    codes[np.concatenate(places)] = both.codes[base.token_count :]
    return Tags(LabelColumn(both.names, codes))


def _by_sentence(base: Corpus, spans: Spans) -> dict[int, list[Row]]:
    found: dict[int, list[Row]] = {}
    rows = zip(
        spans.sentence_of_row(base.offsets).tolist(),
        spans.start.tolist(),
        spans.end.tolist(),
        spans.label.to_list(),
        strict=True,
    )
    for sentence, start, end, label in rows:
        found.setdefault(sentence, []).append((start, end, label))
    return found


class _Writer:
    """Tags of one scheme."""

    def __init__(self, facts: frozenset[str]) -> None:
        first, inner, last, single = LETTERS.get(scheme_of(facts), LETTERS["iob2"])
        if "prefix M" in facts and "prefix I" not in facts:
            inner = "M"  # BMES
        self.first, self.inner, self.last, self.single = first, inner, last, single

    def sentence(self, rows: Sequence[Row], base: int, size: int) -> list[str]:
        """The tags of a sentence that begins at token `base`."""
        levels: list[list[str]] = []
        for level in _levels(rows):
            tags = ["O"] * size
            for start, end, label in level:
                tags[start - base : end - base] = self.span((start, end, label), level)
            levels.append(tags)
        if len(levels) < 2:
            return levels[0] if levels else ["O"] * size
        found = []
        for at in zip(*levels, strict=True):
            used = max((n for n, tag in enumerate(at, 1) if tag != "O"), default=1)
            found.append("|".join(at[:used]))
        return found

    def span(self, row: Row, level: Sequence[Row]) -> list[str]:
        """The tags of one span."""
        start, end, label = row
        follows = any(other[1] == start and other[2] == label for other in level)
        followed = any(other[0] == end and other[2] == label for other in level)
        letters = [self.inner] * (end - start)
        if len(letters) == 1 and self.single is not None:
            letters[0] = self.single
        elif self.last is None or self.first is None:
            if self.first is None and follows:
                letters[0] = "B"
            if self.last is None and followed:
                letters[-1] = "E"
        else:
            letters[0], letters[-1] = self.first, self.last
        return [f"{letter}-{label}" for letter in letters]


def _levels(rows: Sequence[Row]) -> list[list[Row]]:
    """Spans that do not overlap one another on one level, outer ones first."""
    levels: list[list[Row]] = []
    for row in sorted(rows, key=lambda r: (r[0], -r[1])):
        for level in levels:
            if level[-1][1] <= row[0]:
                level.append(row)
                break
        else:
            levels.append([row])
    return levels
