"""spans.fair against Algorithm 2 written down step by step, and the bounds the paper promises."""

import random
import tracemalloc
from collections import Counter
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import tertium
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels
from tertium.corpus.layers import Ragged, Spans
from tertium.families.spans import overlaps

Span = tuple[str, frozenset[int]]
LENGTH = 9


@st.composite
def span(draw: Any) -> Span:
    first = draw(st.integers(0, LENGTH - 1))
    last = draw(st.integers(first, LENGTH - 1))
    inside = range(first + 1, last)
    gaps = draw(st.sets(st.sampled_from(inside))) if inside and draw(st.booleans()) else set()
    return draw(st.sampled_from("ABC")), frozenset(range(first, last + 1)) - gaps


SENTENCES = st.lists(
    st.tuples(st.lists(span(), max_size=6), st.lists(span(), max_size=6)), max_size=4
)


def corpus(sentences: list[list[Span]]) -> Corpus:
    """Sentences of the same length with their spans."""
    rows = [(n * LENGTH, s) for n, spans in enumerate(sentences) for s in spans]
    tokens = [sorted(t) for _, (_, t) in rows]
    start = np.array([base + t[0] for (base, _), t in zip(rows, tokens, strict=True)], np.int32)
    end = np.array([base + t[-1] + 1 for (base, _), t in zip(rows, tokens, strict=True)], np.int32)
    inside = [place - t[0] for t in tokens for place in t]
    bounds = np.cumsum([0, *map(len, tokens)]).astype(np.int64)
    layer = Spans(
        start, end, Labels.of(s[0] for _, s in rows), Ragged(bounds, np.array(inside, np.int32))
    )
    count = len(sentences)
    return Corpus(
        offsets=np.arange(count + 1, dtype=np.int64) * LENGTH,
        forms=Labels.of("w" for _ in range(count * LENGTH)),
        layers={"spans": layer},
        origin="memory",
        format="python",
    )


class Slow:
    """One span while the algorithm runs; compared by identity."""

    def __init__(self, label: str, tokens: frozenset[int]) -> None:
        self.label, self.whole, self.left = label, tokens, set(tokens)
        self.range = (min(tokens), max(tokens))
        self.length = self.range[1] - self.range[0]


def boundary(gold: Slow, system: Slow) -> str:
    (t0, t1), (s0, s1) = gold.range, system.range
    if t0 <= s0 and s1 <= t1:
        return "BEs"
    return "BEl" if s0 <= t0 and t1 <= s1 else "BEo"


def algorithm2(gold: list[Span], system: list[Span]) -> Counter[str]:
    """The steps of the paper, as plainly as they can be written."""
    free_t, free_s = [Slow(*t) for t in gold], [Slow(*s) for s in system]
    found: Counter[str] = Counter()

    def step_one(kind: str, alike: Any) -> None:
        for t in list(free_t):
            s = next((s for s in free_s if alike(t, s)), None)
            if s is not None:
                found[kind] += 1
                free_t.remove(t)
                free_s.remove(s)

    step_one("TP", lambda t, s: (t.label, t.whole) == (s.label, s.whole))
    step_one("LE", lambda t, s: t.label != s.label and t.range == s.range)
    free_t.sort(key=lambda t: t.length)
    free_s.sort(key=lambda s: s.length)
    matched_t: list[Slow] = []
    matched_s: list[Slow] = []

    def partner(one: Slow, others: list[Slow], same: bool, must_share: bool) -> Slow | None:
        able = [
            o
            for o in others
            if (o.label == one.label) == same
            and o.range != one.range
            and o.range[0] <= one.range[1]
            and one.range[0] <= o.range[1]
            and (not must_share or o.left & one.left)
        ]
        key = lambda o: (-len(o.left & one.left), len(o.left - one.left), o.length)  # noqa: E731
        return min(able, key=key, default=None)

    def meet(t: Slow, s: Slow, same: bool) -> None:
        found[boundary(t, s) if same else "LBE"] += 1
        shared = t.left & s.left
        t.left -= shared
        s.left -= shared

    for same in (True, False):
        for others, must_share in ((free_s, False), (matched_s, True)):
            for t in list(free_t):
                s = partner(t, others, same, must_share)
                if s is None:
                    continue
                meet(t, s, same)
                free_t.remove(t)
                matched_t.append(t)
                if not must_share:
                    free_s.remove(s)
                    matched_s.append(s)
        for s in list(free_s):
            t = partner(s, matched_t, same, True)
            if t is not None:
                meet(t, s, same)
                free_s.remove(s)
                matched_s.append(s)
    found["FN"] += len(free_t)
    found["FP"] += len(free_s)
    return +found


KINDS = ("TP", "LE", "BEs", "BEl", "BEo", "LBE", "FN", "FP")


@given(SENTENCES, st.sampled_from([0, overlaps.MOST_ATOMS]))
def test_equals_the_algorithm_and_keeps_its_promise(
    sentences: list[tuple[list[Span], list[Span]]], most_atoms: int
) -> None:
    """Whether tokens have bits of their own, or only the stretches between ends of spans."""
    gold, system = corpus([g for g, _ in sentences]), corpus([s for _, s in sentences])
    with patch.object(overlaps, "MOST_ATOMS", most_atoms):
        result = tertium.score(gold, system, metric="spans.fair").results[0]
    assert result.stats is not None
    columns = [result.stats.columns.index(kind.lower()) for kind in KINDS]
    for row, (ours, theirs) in zip(result.stats.dense, sentences, strict=True):
        counts = {k: int(n) for k, n in zip(KINDS, row[columns], strict=True) if n}
        assert counts == algorithm2(ours, theirs)
        assert max(len(ours), len(theirs)) <= sum(counts.values()) <= len(ours) + len(theirs)


@given(SENTENCES)
def test_mirrored_counts(sentences: list[tuple[list[Span], list[Span]]]) -> None:
    """Gold and system exchanged: what is right stays right, and both sides keep their spans."""
    gold, system = corpus([g for g, _ in sentences]), corpus([s for _, s in sentences])
    there = tertium.score(gold, system, metric="spans.fair").results[0].counts
    back = tertium.score(system, gold, metric="spans.fair").results[0].counts
    assert there["tp"] == back["tp"]
    assert (there["gold"], there["system"]) == (back["system"], back["gold"])


METRICS = ("spans.f1", "spans.fair", "spans.fair(focus=system)", "spans.partial")


def written(path: Path, sentences: list[list[tuple[str, int, int]]], scale: int) -> str:
    """A file of spans without gaps in which every token is `scale` tokens."""
    blocks = (
        "".join(f"{label}\t{scale * a + 1}\t{scale * z}\t\n" for label, a, z in spans)
        or "NONE\t1\t1\t1\n"
        for spans in sentences
    )
    path.write_text("\n".join(blocks))
    return str(path)


def test_long_spans_count_as_short_ones(tmp_path: Path) -> None:
    """Overlaps are compared, so nothing changes where all tokens become as many; and no array is
    made of tokens that nobody wrote."""
    draw = random.Random(3)

    def spans() -> list[tuple[str, int, int]]:
        starts = [draw.randrange(9) for _ in range(draw.randrange(6))]
        return [(draw.choice("AB"), a, draw.randrange(a, 9) + 1) for a in starts]

    sides = [[spans() for _ in range(40)] for _ in range(3)]
    found = []
    for scale in (1, 100_000):
        files = [
            written(tmp_path / f"{name}.spans", side, scale)
            for name, side in zip("gab", sides, strict=True)
        ]
        compared = tertium.compare(*files, metric=["spans.fair"], input_format="spans", trials=100)
        found.append(compared.to_dict()["pairs"])
        tracemalloc.start()
        scores = tertium.score(*files, metric=list(METRICS), input_format="spans", labels=True)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        found.append(scores.to_dict()["scores"])
        assert peak < 20 << 20
    assert found[:2] == found[2:]
