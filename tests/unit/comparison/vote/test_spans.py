"""Votes on spans."""

import numpy as np
import pytest

from tertium.comparison.vote.vote import JointOutput, combine
from tertium.comparison.vote.weights import Weights
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels
from tertium.corpus.layers import Ragged, Spans, Tags
from tertium.corpus.schemes import decode
from tertium.families.base import make

IN_TAGS = make("spans.f1(column=tag)")
AS_SPANS = make("spans.f1(column=spans)")
Row = tuple[int, int, str]


def column(tags: str, words: str | None = None, name: str = "file") -> Corpus:
    """Sentences divided by slashes."""
    sentences = [s.split() for s in tags.split("/")]
    forms = (
        words.split() if words else [f"w{n}" for n in range(len([t for s in sentences for t in s]))]
    )
    return Corpus(
        np.cumsum([0, *(len(s) for s in sentences)]),
        Labels.of(forms),
        {"tag": Tags(Labels.of(t for s in sentences for t in s))},
        origin=name,
        format="columns",
    )


def spans(*rows: Row, size: int = 8, sets: list[list[int]] | None = None) -> Corpus:
    start, end, label = zip(*rows, strict=True) if rows else ((), (), ())
    tokens = None
    if sets is not None:
        bounds = np.cumsum([0, *map(len, sets)]).astype(np.int64)
        tokens = Ragged(bounds, np.array([t for s in sets for t in s], np.int32))
    layer = Spans(np.array(start, np.int32), np.array(end, np.int32), Labels.of(label), tokens)
    forms = Labels.of(f"w{n}" for n in range(size))
    return Corpus(np.array([0, size]), forms, {"spans": layer}, origin="file")


def rows_of(found: JointOutput) -> list[Row]:
    layer = found.corpus.layers.get("spans") or found.corpus.layers["tag"]
    if isinstance(layer, Tags):
        layer = decode(layer, found.corpus.offsets).spans
    assert isinstance(layer, Spans)
    return list(zip(layer.start.tolist(), layer.end.tolist(), layer.label.to_list(), strict=True))


def kept(*systems: Corpus, weights: Weights | None = None) -> list[Row]:
    return rows_of(combine(systems, [AS_SPANS], weights))


def tags_of(*systems: Corpus, weights: Weights | None = None) -> list[str]:
    return combine(systems, [IN_TAGS], weights).corpus.layer("tag", Tags).labels.to_list()


def test_more_than_half_keeps_a_span_exactly_half_does_not() -> None:
    a, none = spans((0, 2, "X")), spans()
    assert kept(a, a, none) == [(0, 2, "X")]
    assert kept(a, none, a, none) == []
    assert kept(none, a, a) == [(0, 2, "X")]
    assert kept(a) == [(0, 2, "X")]


def test_another_label_or_end_is_another_span() -> None:
    assert kept(spans((0, 2, "X")), spans((0, 2, "Y")), spans((0, 3, "X"))) == []


def test_a_span_counts_once_for_a_system() -> None:
    assert kept(spans((0, 2, "X"), (0, 2, "X")), spans(), spans()) == []


def test_more_than_half_of_the_weight() -> None:
    a, none = spans((0, 2, "X")), spans()
    text = repr(AS_SPANS)
    assert kept(a, none, none, weights=Weights({text: np.array([[2.1, 1, 1]])})) == [(0, 2, "X")]
    assert kept(a, none, none, weights=Weights({text: np.array([[2.0, 1, 1]])})) == []
    # The sum is 0.1 + 0.2 = 0.30000000000000004 of 0.6, which is half.
    assert kept(a, a, none, weights=Weights({text: np.array([[0.1, 0.2, 0.3]])})) == []


def test_nested_spans_stay_where_a_system_nests_them() -> None:
    nested = spans((0, 4, "X"), (1, 2, "Y"))
    assert kept(nested, nested, spans()) == [(0, 4, "X"), (1, 2, "Y")]
    # Each has two of three votes, and one system has both.
    assert kept(spans((0, 4, "X")), nested, spans((1, 2, "Y"))) == [(0, 4, "X"), (1, 2, "Y")]


def overlapping(x: list[float], y: list[float]) -> Weights:
    """Weights of two labels for systems that do not both have a majority without them."""
    text = repr(AS_SPANS)
    return Weights({text: np.ones((1, len(x)))}, {text: {"X": np.array([x]), "Y": np.array([y])}})


def test_overlaps_that_no_system_has_go_by_votes_then_length_then_place() -> None:
    a, b = spans((0, 2, "X")), spans((1, 4, "Y"))
    assert kept(a, b, weights=overlapping([4, 1], [1, 2])) == [(0, 2, "X")]
    assert kept(a, b, weights=overlapping([2, 1], [1, 4])) == [(1, 4, "Y")]
    assert kept(a, b, weights=overlapping([2, 1], [1, 2])) == [(1, 4, "Y")]  # longer
    b = spans((1, 3, "Y"))
    assert kept(a, b, weights=overlapping([2, 1], [1, 2])) == [(0, 2, "X")]  # earlier
    note = "1 span was dropped: better supported spans overlap them"
    assert note in combine([a, b], [AS_SPANS], overlapping([2, 1], [1, 2])).notes


def test_spans_that_only_touch_do_not_overlap() -> None:
    a, b = spans((0, 2, "X")), spans((2, 4, "Y"))
    assert kept(a, b, weights=overlapping([2, 1], [1, 2])) == [(0, 2, "X"), (2, 4, "Y")]


def test_spans_with_gaps_are_told_apart_by_their_tokens() -> None:
    gap = spans((0, 4, "X"), sets=[[0, 3]])
    whole = spans((0, 4, "X"))
    found = combine([whole, gap, gap], [AS_SPANS]).corpus.layer("spans", Spans)
    assert found.token_sets()[0].tolist() == [0, 3]
    found = combine([gap, whole, whole], [AS_SPANS]).corpus.layer("spans", Spans)
    assert found.tokens is None
    assert kept(gap, whole, spans((0, 4, "X"), sets=[[0, 1, 3]])) == []


def test_spans_in_a_gap_are_no_overlap() -> None:
    gap, inside = spans((0, 4, "X"), sets=[[0, 3]]), spans((1, 3, "Y"))
    found = kept(gap, inside, weights=overlapping([2, 1], [1, 2]))
    assert found == [(0, 4, "X"), (1, 3, "Y")]


def test_other_tokens_vote_where_the_ends_agree() -> None:
    base = column("O O O O", "we met Ann Lee")
    other = column("O O B-PER I-PER I-PER", "we met A nn Lee")
    assert tags_of(base, other, other) == ["O", "O", "B-PER", "I-PER"]
    # The end lies inside a token of the base.
    other = column("O O B-PER I-PER O", "we met Ann L ee", "other")
    found = combine([base, other, other], [IN_TAGS])
    assert rows_of(found) == []
    assert "1 spans of other do not fit the tokens or sentences of file" in "\n".join(found.notes)


def test_spans_that_cross_a_sentence_of_the_base_are_no_votes() -> None:
    base, other = column("O O / O"), column("O B-X I-X")
    assert tags_of(base, other, other) == ["O", "O", "O"]


@pytest.mark.parametrize(
    ("base", "expected"),
    [
        ("B-X I-X O B-X B-X O O", "B-X I-X O O B-X B-X I-X"),  # IOB2
        ("I-X I-X O I-X B-X O O", "I-X I-X O O I-X B-X I-X"),  # IOB1
        ("I-X I-X O I-Y O O O", "I-X I-X O O I-X B-X I-X"),  # IO, or IOB1 without B
        ("I-X E-X O E-X E-X O O", "I-X E-X O O E-X I-X E-X"),  # IOE2
        ("I-X I-X O E-X I-X O O", "I-X I-X O O E-X I-X I-X"),  # IOE1
        ("B-X E-X O S-X S-X O O", "B-X E-X O O S-X B-X E-X"),  # IOBES
        ("B-X E-X O B-X M-X E-X O", "B-X E-X O O S-X B-X E-X"),  # BMES
        ("B-X L-X O U-X U-X O O", "B-X L-X O O U-X B-X L-X"),  # BILOU
        ("O O O O O O O", "B-X I-X O O B-X B-X I-X"),  # none: that of the next system
    ],
)
def test_tags_are_written_in_the_scheme_of_the_base(base: str, expected: str) -> None:
    other = column("B-X I-X O O B-X B-X I-X")
    found = tags_of(column(base), other, other)
    assert found == expected.split()
    rows = rows_of(combine([column(base), other, other], [IN_TAGS]))
    assert rows == [(0, 2, "X"), (4, 5, "X"), (5, 7, "X")]


def test_longer_inside_of_bmes() -> None:
    other = column("B-X M-X M-X E-X")
    assert tags_of(column("B-Y M-Y E-Y O"), other, other) == ["B-X", "M-X", "M-X", "E-X"]


def test_sentences_that_stay_the_same_keep_their_tags() -> None:
    base = column("I-X I-X O / O B-X / B-X O")
    other = column("I-X I-X O / O O / B-X O")
    assert tags_of(base, other, other) == ["I-X", "I-X", "O", "O", "O", "B-X", "O"]


def test_stacked_tags_hold_nested_spans() -> None:
    base = column("B-X I-X|B-Y I-X O")
    other = column("B-X I-X I-X|B-Y O")
    assert tags_of(base, other, other) == ["B-X", "I-X", "I-X|B-Y", "O"]
    rows = rows_of(combine([base, other, other], [IN_TAGS]))
    assert sorted(rows) == [(0, 3, "X"), (2, 3, "Y")]


def test_a_level_below_nothing() -> None:
    stacked = column("B-X|B-Z I-X|O O|B-Y O")
    base = column("B-X|B-Z I-X O O")
    assert tags_of(base, stacked, stacked) == ["B-X|B-Z", "I-X", "B-Y", "O"]


def test_a_column_without_stacks_has_no_room_for_nested_spans() -> None:
    base, other = column("O O O"), column("B-X I-X|B-Y I-X")
    found = combine([base, other, other], [IN_TAGS])
    assert rows_of(found) == [(0, 3, "X")]
    assert "1 span was dropped: better supported spans overlap them" in found.notes


def indexed(*sentences: list[Row]) -> Corpus:
    """Spans over token numbers, in sentences as long as their last span."""
    sizes = [max((end for _, end, _ in rows), default=0) for rows in sentences]
    offsets = np.cumsum([0, *sizes]).astype(np.int64)
    rows = [
        (start + base, end + base, label)
        for base, some in zip(offsets.tolist(), sentences, strict=False)
        for start, end, label in some
    ]
    start, end, label = zip(*rows, strict=True) if rows else ((), (), ())
    layer = Spans(np.array(start, np.int32), np.array(end, np.int32), Labels.of(label))
    return Corpus(offsets, None, {"spans": layer}, atoms="indices", format="spans")


def test_spans_over_token_numbers_lie_beyond_the_base_s_own() -> None:
    base = indexed([(0, 1, "X")], [], [(1, 2, "Z")])
    other = indexed([(0, 1, "X"), (3, 5, "Y")], [(1, 4, "X")], [(1, 2, "Z")])
    found = combine([base, other, other], [make("spans.f1")])
    assert found.corpus.offsets.tolist() == [0, 5, 9, 11]
    assert rows_of(found) == [(0, 1, "X"), (3, 5, "Y"), (6, 9, "X"), (10, 11, "Z")]


def test_no_spans_at_all() -> None:
    assert kept(spans(), spans()) == []
    assert tags_of(column("O O"), column("O O")) == ["O", "O"]
