"""Tag schemes: from raw tags such as B-PER to spans.

One rule decodes all schemes: a token opens a span if its prefix is B, S or U, or if it follows O,
another type, or a token whose prefix is E, L, S or U. For IOB1 and IOB2 this is conlleval's rule.
The scheme's name matters for the signature, for what counts as irregular, and for `repair`.

Tags may be stacked, outer level first: `I-NP|B-PP`. Every level is then a sequence of its own.
The prefix may also be at the end, in a whole column: `PER-B`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from tertium.corpus.corpus import Corpus, once
from tertium.corpus.labels import Int32, Int64, Labels
from tertium.corpus.layers import Layer, Spans, Tags
from tertium.corpus.prefixes import B, E, I, S, TagColumn, decode_spans, irregular_spans
from tertium.exceptions import UsageError

SCHEMES = ("auto", "io", "iob1", "iob2", "ioe1", "ioe2", "iobes", "bilou")
DETECTED = (*SCHEMES[1:], "iob", "ioe", "mixed", "none")  # what `scheme_of` may answer
REPAIRS = ("open", "drop")
MOST_LEVELS = 100  # of a stack
SUFFIX = "suffix"  # the fact that prefixes are at the end

_TAG = re.compile(r"([BIESLUM])-(.+)", re.IGNORECASE | re.DOTALL)
_SUFFIXED = re.compile(r"(.+)-([BIESLUM])", re.DOTALL)
_CODE = {"B": B, "I": I, "M": I, "E": E, "L": E, "S": S, "U": S}


@dataclass(frozen=True, slots=True)
class Decoding:
    """Spans read off tags, the facts about how they were written, how many looked irregular, and
    the first token of the first that did (-1 for none)."""

    spans: Spans
    facts: frozenset[str]
    irregular: int
    first_irregular: int = -1


def split(tag: str) -> tuple[str, str] | None:
    """Prefix and type of a tag: ("O", "") outside; None if it is neither O nor PREFIX-TYPE.

    The type is what follows the first hyphen, so it may contain hyphens itself.

    >>> split("B-creative-work"), split("o"), split("NOUN"), split("I")
    (('B', 'creative-work'), ('O', ''), None, None)
    """
    if tag in ("O", "o"):
        return "O", ""
    match = _TAG.fullmatch(tag)
    return (match[1].upper(), match[2]) if match else None


def stack(tag: str) -> list[str]:
    """The levels of a stacked tag, outermost first; a tag that is not stacked has one.

    A bar inside a type stays there: every level must be O or PREFIX-TYPE.

    >>> stack("I-NP|B-PP"), stack("B-NP"), stack("B-a|b")
    (['I-NP', 'B-PP'], ['B-NP'], ['B-a|b'])
    """
    levels = tag.split("|")
    is_stack = all(level == "O" or _TAG.fullmatch(level) for level in levels)
    return levels if is_stack else [tag]


def is_span_tag(tag: str) -> bool:
    """Is a tag O or PREFIX-TYPE, or a stack of at most `MOST_LEVELS` such?"""
    levels = stack(tag)
    return len(levels) <= MOST_LEVELS and all(split(level) is not None for level in levels)


def is_span_column(labels: Labels) -> bool:
    """Is every tag O or PREFIX-TYPE, or every one O or TYPE-PREFIX? Then the column holds spans."""
    return _all_names(labels, is_span_tag) or has_suffixes(labels)


def _all_names(labels: Labels, test: Callable[[str], object]) -> bool:
    """Do all names pass that a row has? One by one: a column of words is found out by the first."""
    codes = np.flatnonzero(labels.counts()).tolist()
    return all(test(labels.names.some([code])[0]) for code in codes)


def has_suffixes(labels: Labels) -> bool:
    """Is every tag O or TYPE-PREFIX such as PER-B? Where all could also be PREFIX-TYPE they are."""
    is_suffixed = _all_names(labels, lambda tag: tag in ("O", "o") or _SUFFIXED.fullmatch(tag))
    return is_suffixed and not _all_names(labels, is_span_tag)


def with_prefixes(tags: Tags, suffix: bool | None = None) -> Tags:
    """The tags with their prefixes in front, where these are at the end: as `suffix` says or, if
    that is None, as the tags show."""
    if suffix is False or (suffix is None and not has_suffixes(tags.labels)):
        return tags
    found = {name: _SUFFIXED.fullmatch(name) for name in tags.labels.names}
    # What is not TYPE-PREFIX must not pass for a tag.
    turned = {name: f"{m[2]}-{m[1]}" if m else f"?{name}" for name, m in found.items()}
    return Tags(tags.labels.rename({**turned, "O": "O", "o": "o"}))


@once
def span_columns(corpus: Corpus) -> frozenset[str]:
    """Names of the columns of tags that hold spans."""
    there = corpus.of_kind(Tags).items()
    return frozenset(name for name, tags in there if is_span_column(tags.labels))


def means_spans(labels: Labels) -> bool:
    """Are there PREFIX-TYPE tags beside O or a bare prefix, whatever else? Then the column is meant
    to hold spans, and a tag of another form in it is a mistake."""
    names = labels.used_names()
    outside = any(name in ("O", "o") or name.upper() in _CODE for name in names)
    return outside and (any(_TAG.fullmatch(name) for name in names) or has_suffixes(labels))


def decode(
    tags: Tags,
    offsets: Int64,
    *,
    scheme: str = "auto",
    repair: str = "open",
    expected: str | None = None,
    suffix: bool | None = None,
) -> Decoding:
    """Spans of a tag column; where tags are stacked, of all levels.

    `expected` is the scheme by which spans are judged irregular: that of the gold standard when a
    system is decoded; by default `scheme`, or under "auto" what the tags themselves speak for.

    `repair`: "open" reads irregular sequences by the module's rule (I-X after O opens a span),
    "drop" leaves irregular spans out; both count them. Tags that are neither O nor PREFIX-TYPE must
    have been refused before (`untyped`). Under scheme "io" prefixes are ignored. `suffix`: are
    prefixes at the end? None for as the tags show; it is then among the facts.
    """
    if scheme not in SCHEMES:
        raise UsageError(f"scheme must be one of {', '.join(SCHEMES)}. Got '{scheme}' instead.")
    if repair not in REPAIRS:
        raise UsageError(f"repair must be one of {', '.join(REPAIRS)}. Got '{repair}' instead.")
    turned = with_prefixes(tags, suffix)
    if turned is not tags:
        read = decode(
            turned, offsets, scheme=scheme, repair=repair, expected=expected, suffix=False
        )
        return replace(read, facts=read.facts | {SUFFIX})
    stacks = [stack(name) for name in tags.labels.names]
    height = max(map(len, stacks), default=1)
    if height == 1:
        return _decode_flat(tags, offsets, scheme, repair, expected)
    levels = []
    heights = np.array([len(s) for s in stacks])
    for n in range(height):
        there = np.flatnonzero(heights > n)
        names = Labels.of(["O", *(stacks[i][n] for i in there.tolist())])
        codes = np.zeros(len(stacks), np.int32)
        codes[there] = names.codes[1:]
        levels.append(Tags(Labels(names.names, codes[tags.labels.codes])))
    found = [_decode_flat(level, offsets, scheme, repair, expected) for level in levels]
    facts = frozenset().union(*(f.facts for f in found))
    if scheme == "auto" and expected is None:  # one scheme for all levels
        found = [_decode_flat(t, offsets, scheme, repair, scheme_of(facts)) for t in levels]
    joined = Spans.join([f.spans for f in found])
    level = np.repeat(np.arange(height), [len(f.spans.start) for f in found])
    order = _as_closed(joined.end, level, tags, offsets, stacks)
    firsts = [f.first_irregular for f in found if f.first_irregular >= 0]
    return Decoding(
        Spans(joined.start[order], joined.end[order], joined.label.take(order)),
        facts,
        sum(f.irregular for f in found),
        min(firsts, default=-1),
    )


def spans_of(layer: Layer, offsets: Int64) -> Spans | None:
    """The spans of a layer of spans or of span tags; None of another layer."""
    if isinstance(layer, Tags) and is_span_column(layer.labels):
        return decode(layer, offsets).spans
    return layer if isinstance(layer, Spans) else None


def _as_closed(
    end: Int32, level: Int64, tags: Tags, offsets: Int64, stacks: list[list[str]]
) -> Int64:
    """Spans of all levels in the order in which FairEval's reader closes them, which its matching
    goes by where spans are alike.

    At O, at a new outermost span and at the end of a sentence outer spans come first; spans of
    levels that the next tag does not have, or that a new span on an inner level ends, go before
    them, inner ones first.
    """
    heights = np.array([0 if s == ["O"] else len(s) for s in stacks])
    opens = np.array([s[0][:1].upper() == "B" for s in stacks])
    last = np.isin(end, offsets) | (end >= len(tags.labels.codes))
    following = tags.labels.codes[np.where(last, 0, end)]
    is_over = last | (heights[following] == 0)
    deeper = ~is_over & (level >= heights[following])
    outer_first = is_over | (~deeper & opens[following])
    order: Int64 = np.lexsort((np.where(outer_first, level, -level), ~deeper, end))
    return order


def _split_names(tags: Tags, scheme: str) -> tuple[list[str], npt.NDArray[np.int8], Labels]:
    """Of every distinct tag its prefix, as a letter and as a number, and its type."""
    parts = [split(name) or ("O", "") for name in tags.labels.names]
    prefix = np.array([_CODE.get(p, 0) for p, _ in parts] or [0], np.int8)
    if scheme == "io":
        prefix = np.minimum(prefix * 2, 2).astype(np.int8)
    return [p for p, _ in parts], prefix, Labels.of([t for _, t in parts] or [""])


def irregular_by(decoded: Decoding, tags: Tags, offsets: Int64, scheme: str, expected: str) -> int:
    """How many spans, decoded under `scheme` without any being dropped, are irregular by another
    scheme."""
    if expected == scheme_of(decoded.facts):
        return decoded.irregular
    tags = with_prefixes(tags, SUFFIX in decoded.facts)
    if any(len(stack(name)) > 1 for name in tags.labels.names):
        return decode(tags, offsets, scheme=scheme, expected=expected).irregular
    if expected not in SCHEMES[1:]:
        return 0
    _, prefix, types = _split_names(tags, scheme)
    written = TagColumn(tags.labels.codes, prefix, types.codes, offsets)
    return int(irregular_spans(written, decoded.spans.start, decoded.spans.end, expected).sum())


def _decode_flat(
    tags: Tags, offsets: Int64, scheme: str, repair: str, expected: str | None
) -> Decoding:
    codes = tags.labels.codes
    letters, prefix, types = _split_names(tags, scheme)
    written = TagColumn(codes, prefix, types.codes, offsets)
    start, end, label, evidence = decode_spans(written)

    used = np.bincount(codes, minlength=len(letters)) > 0
    facts = {f"prefix {p}" for p, u in zip(letters, used.tolist(), strict=True) if u and p != "O"}
    facts |= evidence
    named = expected or (scheme_of(facts) if scheme == "auto" else scheme)
    irregular = np.zeros(len(start), np.bool_)
    if named in SCHEMES[1:]:
        irregular = irregular_spans(written, start, end, named)
    spans = Spans(start, end, Labels(types.names, label))
    if repair == "drop":
        keep = ~irregular
        spans = Spans(start[keep], end[keep], Labels(types.names, label[keep]))
    first = int(start[irregular.argmax()]) if irregular.any() else -1
    return Decoding(spans, frozenset(facts), int(irregular.sum()), first)


def scheme_of(facts: set[str] | frozenset[str]) -> str:
    """The scheme that the facts of one or more files speak for.

    "iob" and "ioe" mean that neither numbered variant fits (typically a system's slips), "none"
    that there is no span at all, "mixed" that prefixes of several schemes occur.

    >>> scheme_of({"prefix B", "prefix I", "B opens"})
    'iob2'
    >>> scheme_of({"prefix B", "prefix I", "I opens", "B opens"})
    'iob'
    """
    prefixes = {f.removeprefix("prefix ") for f in facts if f.startswith("prefix ")}
    if not prefixes:
        return "none"
    if prefixes & {"L", "U"}:
        return "mixed" if prefixes & {"E", "S", "M"} else "bilou"
    if prefixes & {"S", "M"} or {"B", "E"} <= prefixes:
        return "iobes"
    if "E" in prefixes:
        if "E closes" not in facts:
            return "ioe1"
        return "ioe" if "I closes" in facts else "ioe2"
    if "B" in prefixes:
        if "B opens" not in facts:
            return "iob1"
        return "iob" if "I opens" in facts else "iob2"
    return "io"


def untyped(tags: Tags, suffix: bool | None = None) -> npt.NDArray[np.int64]:
    """Tokens whose tag is neither O nor PREFIX-TYPE or, in a column with `suffix`, TYPE-PREFIX."""
    tags = with_prefixes(tags, suffix)
    bad = np.array([not is_span_tag(n) for n in tags.labels.names] or [False], np.bool_)
    return np.flatnonzero(bad[tags.labels.codes]) if bad.any() else np.zeros(0, np.int64)


def encode(spans: Spans, offsets: Int64, scheme: str = "iob2") -> tuple[Tags, int]:
    """Tags of a scheme for spans, and how many spans could not be written because they overlap a
    different one, have gaps or cross a sentence boundary. Longer spans go first, then earlier ones.
    """
    rows = ["O"] * int(offsets[-1])
    taken = np.zeros(len(rows), np.bool_)
    starts, ends, names = spans.start.tolist(), spans.end.tolist(), spans.label.to_list()
    last = offsets[np.searchsorted(offsets, spans.start, side="right").clip(max=len(offsets) - 1)]
    written = []
    for row in np.lexsort((spans.start, spans.start - spans.end)).tolist():
        a, z = starts[row], ends[row]
        gaps = spans.tokens is not None and len(spans.tokens[row]) != z - a
        if not gaps and a < z <= last[row] and not taken[a:z].any():
            taken[a:z] = True
            written.append(row)
    limits = {*offsets.tolist()}
    begins, closes = ({(at[r], names[r]) for r in written} for at in (starts, ends))
    for row in written:
        a, z, name = starts[row], ends[row], names[row]
        follows = (a, name) in closes and a not in limits
        leads = (z, name) in begins and z not in limits
        prefixes = _prefixes(scheme, z - a, follows, leads)
        rows[a:z] = [f"{prefix}-{name}" for prefix in prefixes]
    return Tags(Labels.of(rows)), len(names) - len(written)


def _prefixes(scheme: str, size: int, follows: bool, leads: bool) -> str:
    """The prefixes of a span; `follows` and `leads`: does it touch one of its label before, after?

    >>> [_prefixes(s, 3, follows=True, leads=False) for s in ("iob1", "ioe1", "iobes")]
    ['BII', 'III', 'BIE']
    """
    inside = "I" * size
    if scheme in ("iob1", "iob2"):
        return "B" + inside[1:] if follows or scheme == "iob2" else inside
    if scheme in ("ioe1", "ioe2"):
        return inside[1:] + "E" if leads or scheme == "ioe2" else inside
    last, only = ("E", "S") if scheme == "iobes" else ("L", "U")
    return only if size == 1 else "B" + inside[2:] + last
