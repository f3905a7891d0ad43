import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.corpus.labels import Labels
from tertium.corpus.layers import Spans, Tags
from tertium.corpus.schemes import decode, encode, is_span_column, means_spans, scheme_of, split
from tertium.exceptions import UsageError

CASES = {
    # scheme: tags -> spans as label[start:end]
    "iob2": ("B-X I-X B-X O B-Y I-Y", "X[0:2] X[2:3] Y[4:6]"),
    "iob1": ("I-X I-X B-X O I-Y I-Y", "X[0:2] X[2:3] Y[4:6]"),
    "ioe2": ("I-X E-X E-X O I-Y E-Y", "X[0:2] X[2:3] Y[4:6]"),
    "ioe1": ("I-X E-X I-X O I-Y I-Y", "X[0:2] X[2:3] Y[4:6]"),
    "iobes": ("B-X E-X S-X O B-Y E-Y", "X[0:2] X[2:3] Y[4:6]"),
    "bilou": ("B-X L-X U-X O B-Y L-Y", "X[0:2] X[2:3] Y[4:6]"),
    "io": ("I-X I-X O I-Y I-Y I-X", "X[0:2] Y[3:5] X[5:6]"),
}


def spans(tags: str, offsets: list[int] | None = None, **options: str) -> tuple[str, int]:
    words = tags.split()
    layer = Tags(Labels.of(words))
    found = decode(layer, np.array(offsets or [0, len(words)]), **options)  # type: ignore[arg-type]
    rows = zip(found.spans.label.to_list(), found.spans.start, found.spans.end, strict=True)
    return " ".join(f"{label}[{a}:{z}]" for label, a, z in rows), found.irregular


@pytest.mark.parametrize("scheme", CASES)
def test_every_scheme_is_decoded_and_recognised(scheme: str) -> None:
    tags, expected = CASES[scheme]
    assert spans(tags) == (expected, 0)
    assert spans(tags, scheme=scheme) == (expected, 0)
    words = tags.split()
    facts = decode(Tags(Labels.of(words)), np.array([0, len(words)])).facts
    assert scheme_of(facts) == scheme


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        ("O I-X I-X", "X[1:3]"),  # I after O opens
        ("B-X I-Y I-Y", "X[0:1] Y[1:3]"),  # I of another type opens
        ("B-creative-work I-creative-work", "creative-work[0:2]"),  # only the first hyphen splits
        ("b-np i-np o B-np", "np[0:2] np[3:4]"),  # any case
        ("B-X E-X B-X E-X", "X[0:2] X[2:4]"),  # conlleval's bug is not ours
        ("S-X S-X", "X[0:1] X[1:2]"),
        ("O O", ""),
    ],
)
def test_the_rule(tags: str, expected: str) -> None:
    assert spans(tags)[0] == expected


def test_a_span_ends_with_its_sentence() -> None:
    assert spans("B-X I-X I-X", [0, 2, 3])[0] == "X[0:2] X[2:3]"


def test_irregular_spans_are_counted_and_can_be_dropped() -> None:
    tags = "B-X I-X O I-X B-X"
    assert spans(tags, expected="iob2") == ("X[0:2] X[3:4] X[4:5]", 1)
    assert spans(tags, expected="iob2", repair="drop") == ("X[0:2] X[4:5]", 1)
    assert spans("B-X I-X O", scheme="iobes", repair="drop") == ("", 1)


def test_spans_of_neighbouring_sentences_do_not_touch() -> None:
    tags = "I-P I-P B-P"
    assert spans(tags, [0, 1, 3], scheme="iob1", repair="drop") == ("P[0:1] P[1:2] P[2:3]", 0)
    tags = "E-P I-P I-P"
    assert spans(tags, [0, 2, 3], scheme="ioe1") == ("P[0:1] P[1:2] P[2:3]", 0)


def test_io_ignores_prefixes() -> None:
    assert spans("B-X I-X B-X", scheme="io")[0] == "X[0:3]"


@pytest.mark.parametrize("tag", ["NOUN", "B", "I", "B-", "X-PER", "", "B_PER"])
def test_what_is_no_span_tag(tag: str) -> None:
    assert split(tag) is None
    assert not is_span_column(Labels.of(["O", tag]))


def test_names_that_no_row_has_do_not_count() -> None:
    labels = Labels.of(["B-X", "NOUN", "O"]).take(np.array([0, 2]))
    assert is_span_column(labels)
    assert means_spans(labels)
    assert not means_spans(Labels.of(["O", "O"]))
    assert means_spans(Labels.of(["B-X", "I"]))
    assert not means_spans(Labels.of(["S-bar", "NOUN"]))


def test_unknown_schemes_are_refused() -> None:
    with pytest.raises(UsageError, match="scheme must be one of"):
        spans("O", scheme="bio")
    with pytest.raises(UsageError, match="repair must be one of"):
        spans("O", repair="yes")


tags_strategy = st.lists(
    st.one_of(
        st.just("O"), st.builds("{}-{}".format, st.sampled_from("BIESLU"), st.sampled_from("XY"))
    )
)


@given(tags_strategy)
def test_any_tags_give_disjoint_spans_that_cover_what_is_not_o(tags: list[str]) -> None:
    found = decode(Tags(Labels.of(tags)), np.array([0, len(tags)])).spans
    covered = [t for a, z in zip(found.start, found.end, strict=True) for t in range(a, z)]
    assert covered == [i for i, tag in enumerate(tags) if tag != "O"]


@given(tags_strategy, st.sampled_from(("iob1", "iob2", "ioe1", "ioe2", "iobes", "bilou")))
def test_encoding_undoes_decoding(tags: list[str], scheme: str) -> None:
    offsets = np.array([0, len(tags) // 2, len(tags)])
    found = decode(Tags(Labels.of(tags)), offsets).spans
    written, lost = encode(found, offsets, scheme)
    assert lost == 0
    again = decode(written, offsets, scheme=scheme)
    assert again.spans == found
    assert again.irregular == 0


@pytest.mark.parametrize(
    ("scheme", "expected"),
    [
        ("iob1", "I-X I-X B-X O I-X I-Y"),
        ("iob2", "B-X I-X B-X O B-X B-Y"),
        ("ioe1", "I-X E-X I-X O I-X I-Y"),
        ("ioe2", "I-X E-X E-X O E-X E-Y"),
        ("iobes", "B-X E-X S-X O S-X S-Y"),
        ("bilou", "B-X L-X U-X O U-X U-Y"),
    ],
)
def test_spans_as_tags_of_every_scheme(scheme: str, expected: str) -> None:
    offsets = np.array([0, 6])
    found = decode(Tags(Labels.of("B-X I-X B-X O B-X B-Y".split())), offsets).spans
    assert encode(found, offsets, scheme)[0].labels.to_list() == expected.split()


def test_spans_across_sentences_cannot_be_tags() -> None:
    spans = Spans(np.array([1], np.int32), np.array([3], np.int32), Labels.of(["X"]))
    assert encode(spans, np.array([0, 2, 4]))[1] == 1


def test_stacked_tags_are_levels_of_spans() -> None:
    """As in files for FairEval: a clause with two phrases in it, one of them with one inside."""
    tags = "B-S|B-NP I-S|I-NP|B-PP I-S|O I-S O".split()
    found = decode(Tags(Labels.of(tags)), np.array([0, 5]))
    rows = list(
        zip(
            found.spans.start.tolist(),
            found.spans.end.tolist(),
            found.spans.label.to_list(),
            strict=True,
        )
    )
    assert rows == [(1, 2, "PP"), (0, 2, "NP"), (0, 4, "S")], "in the order of closing"
    assert scheme_of(found.facts) == "iob2"
    assert found.irregular == 0


def test_irregular_spans_are_counted_on_every_level() -> None:
    tags = "B-S|I-NP I-S|I-NP O B-S".split()
    found = decode(Tags(Labels.of(tags)), np.array([0, 4]), expected="iob2")
    assert (found.irregular, found.first_irregular) == (1, 0)
    kept = decode(Tags(Labels.of(tags)), np.array([0, 4]), repair="drop", expected="iob2")
    assert kept.spans.label.to_list() == ["S", "S"]


def test_a_bar_in_a_type_is_part_of_it() -> None:
    found = decode(Tags(Labels.of(["B-a|b", "I-a|b"])), np.array([0, 2]))
    assert found.spans.label.to_list() == ["a|b"]


def test_outside_on_one_level_only() -> None:
    assert is_span_column(Labels.of(["O|B-X", "O"]))
    assert not is_span_column(Labels.of(["O|X", "O"]))
    found = decode(Tags(Labels.of(["O|B-X", "B-Y|I-X"])), np.array([0, 2]))
    assert found.spans.label.to_list() == ["Y", "X"]
    assert found.spans.start.tolist() == [1, 0]
