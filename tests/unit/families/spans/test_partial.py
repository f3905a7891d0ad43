"""spans.partial on examples small enough to check by eye; numbers are nervaluate's."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tertium
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels
from tertium.corpus.layers import Ragged, Spans
from tertium.exceptions import FormatError, LayerError, UsageError
from tertium.families.base import make
from tertium.results.scores import Result

COUNTS = ("correct", "incorrect", "partial", "missed", "spurious")


PARAMETERS = {"overlap", "undefined", "column"}


def result(gold: Any, system: Any, mode: str = "partial", **options: Any) -> Result:
    parameters = "".join(f", {name}={options.pop(name)}" for name in PARAMETERS & options.keys())
    metric = f"spans.partial(mode={mode}{parameters})"
    return tertium.score(gold, system, metric=metric, **options).results[0]


def counts(gold: Any, system: Any, mode: str = "partial", **options: Any) -> tuple[float, ...]:
    found = result(gold, system, mode, **options).counts
    assert found["possible"] == sum(found[n] for n in COUNTS) - found["spurious"]
    assert found["actual"] == sum(found[n] for n in COUNTS) - found["missed"]
    return tuple(found[n] for n in COUNTS)


def tags(*sentences: str) -> list[list[str]]:
    return [s.split() for s in sentences]


def spans(*rows: tuple[int, int, str], sentences: tuple[int, ...] = (0, 30), **more: Any) -> Corpus:
    start, end, label = zip(*rows, strict=True) if rows else ((), (), ())
    layer = Spans(
        np.array(start, np.int32), np.array(end, np.int32), Labels.of(label), more.get("tokens")
    )
    return Corpus(np.array(sentences), None, {"spans": layer}, atoms="indices")


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("strict", (0, 1, 0, 0, 1)),
        ("exact", (0, 1, 0, 0, 1)),
        ("partial", (0, 0, 1, 0, 1)),
        ("type", (1, 0, 0, 0, 1)),
    ],
)
def test_case_b23_of_the_notes(mode: str, expected: tuple[int, ...]) -> None:
    assert counts(tags("B-A I-A I-A I-A"), tags("B-A I-A B-A I-A"), mode) == expected


GOLD = tags("B-A I-A O B-B O B-C I-C", "B-A O O O O B-B I-B")
SYSTEM = tags("B-A I-A O B-C O O B-C", "O O B-A O O B-A O")


@pytest.mark.parametrize(
    ("mode", "expected", "precision", "recall"),
    [
        # right, label wrong, right half; nothing, something, half of another label
        ("strict", (1, 3, 0, 1, 1), 1 / 5, 1 / 5),
        ("exact", (2, 2, 0, 1, 1), 2 / 5, 2 / 5),
        ("partial", (2, 0, 2, 1, 1), 3 / 5, 3 / 5),
        ("type", (2, 2, 0, 1, 1), 2 / 5, 2 / 5),
    ],
)
def test_modes(mode: str, expected: tuple[int, ...], precision: float, recall: float) -> None:
    found = result(GOLD, SYSTEM, mode)
    assert counts(GOLD, SYSTEM, mode) == expected
    assert found.parts["precision"] == precision
    assert found.parts["recall"] == recall
    assert found.value == found.parts["f1"] == pytest.approx(precision)


def test_a_label_is_matched_again_by_itself() -> None:
    """Another label in the same place: incorrect overall, missed and spurious for the labels."""
    gold, system = tags("B-PER I-PER O B-LOC"), tags("B-ORG I-ORG O B-LOC")
    found = result(gold, system, "strict")
    assert tuple(found.counts[n] for n in COUNTS) == (1, 1, 0, 0, 0)
    rows = {k: tuple(v["counts"][n] for n in COUNTS) for k, v in found.labels.items()}
    assert rows == {"PER": (0, 0, 0, 1, 0), "ORG": (0, 0, 0, 0, 1), "LOC": (1, 0, 0, 0, 0)}
    person = found.labels["PER"]
    assert (person["counts"]["possible"], person["counts"]["actual"]) == (1, 0)
    assert (person["precision"], person["recall"], person["f1"]) == (0, 0, 0)
    assert person["reasons"] == {"precision": "the system never has this label"}


def test_in_a_label_a_span_may_find_a_better_partner() -> None:
    """Overall the first gold span of another label takes the system's, in the label its own."""
    gold, system = spans((0, 4, "A"), (2, 8, "B")), spans((1, 7, "B"))
    found = result(gold, system, "partial")
    assert tuple(found.counts[n] for n in COUNTS) == (0, 0, 1, 1, 0)
    decisions = tertium.decide(gold, system, "spans.partial")
    assert decisions.system_row is not None
    assert decisions.system_row.tolist() == [0, -1]
    assert found.labels["A"]["counts"]["missed"] == 1
    assert found.labels["B"]["counts"]["partial"] == 1


def test_label_counts_are_made_only_if_asked_for() -> None:
    assert result(GOLD, SYSTEM, labels=False).labels == {}
    assert result(GOLD, SYSTEM, labels=False).counts == result(GOLD, SYSTEM).counts


def test_the_same_boundaries_come_before_the_first_overlap() -> None:
    gold = spans((0, 4, "A"), (0, 2, "A"))
    assert counts(gold, spans((0, 2, "A")), "strict") == (1, 0, 0, 1, 0)
    # Another label: strict takes the first that overlaps, the others the same boundaries.
    assert counts(gold, spans((0, 2, "B")), "exact") == (1, 0, 0, 1, 0)
    decisions = tertium.decide(gold, spans((0, 2, "B")), "spans.partial(mode=strict)")
    assert decisions.system_row is not None
    assert decisions.system_row.tolist() == [0, -1]


def test_a_long_span_is_found_behind_short_ones() -> None:
    gold = spans((0, 20, "A"), (1, 9, "B"), (2, 4, "A"), (5, 7, "A"), (14, 16, "A"))
    assert counts(gold, spans((10, 13, "A"))) == (0, 0, 1, 4, 0)
    assert counts(gold, spans((7, 8, "A")), overlap=10) == (0, 0, 1, 4, 0)
    assert counts(gold, spans((21, 23, "A"))) == (0, 0, 0, 5, 1)


def test_the_type_prefers_the_closest_boundaries() -> None:
    gold = spans((0, 9, "A"), (1, 5, "A"), (2, 5, "B"))
    decisions = tertium.decide(gold, spans((2, 5, "A")), "spans.partial(mode=type)")
    assert decisions.system_row is not None
    assert decisions.system_row.tolist() == [-1, 0, -1]
    tie = tertium.decide(
        spans((1, 5, "A"), (3, 5, "A")), spans((2, 5, "A")), "spans.partial(mode=type)"
    )
    assert tie.system_row is not None
    assert tie.system_row.tolist() == [0, -1], "the earlier one of the list"
    assert counts(spans((0, 9, "B"), (0, 3, "A")), spans((2, 9, "A")), "type") == (1, 0, 0, 1, 0)


def test_the_order_of_overlapping_predictions_decides() -> None:
    """Documented by nervaluate as not supported; a compatible count has it all the same."""
    gold = spans((0, 4, "A"))
    assert counts(gold, spans((0, 4, "A"), (2, 6, "A"))) == (1, 0, 0, 0, 1)
    assert counts(gold, spans((2, 6, "A"), (0, 4, "A"))) == (0, 0, 1, 0, 1)


@pytest.mark.parametrize(("overlap", "expected"), [(1, 1), (50, 1), (50.1, 0), (100, 0)])
def test_the_threshold_is_a_share_of_the_gold_span(overlap: float, expected: int) -> None:
    found = counts(spans((0, 4, "A")), spans((2, 30, "A")), overlap=overlap)
    assert found == (0, 0, expected, 1 - expected, 1 - expected)
    assert counts(spans((2, 4, "A")), spans((0, 30, "A")), overlap=overlap) == (0, 0, 1, 0, 0)


@pytest.mark.parametrize("overlap", ["0", "0.99", "100.5", "nan", "True", "half", "none"])
def test_other_thresholds_are_refused(overlap: str) -> None:
    with pytest.raises(UsageError, match="overlap must be the percentage of a gold span"):
        make(f"spans.partial(overlap={overlap})")


def test_duplicates_are_kept_and_reported() -> None:
    gold, system = spans((0, 2, "A"), (0, 2, "A"), (5, 6, "B")), spans(*[(0, 2, "A")] * 3)
    assert counts(gold, system, "strict") == (2, 0, 0, 1, 1)
    coverage = result(gold, system).coverage
    assert (coverage["duplicates_gold"], coverage["duplicates_system"]) == (1, 2)
    assert "duplicates_gold" not in result(spans((0, 2, "A"), (0, 2, "B")), system).coverage


def test_sentences_are_apart() -> None:
    gold = spans((0, 4, "A"), (5, 9, "A"), sentences=(0, 5, 10))
    assert counts(gold, spans((6, 9, "A"), (1, 3, "A"), sentences=(0, 5, 10))) == (0, 0, 2, 0, 0)
    system = spans((3, 4, "A"), (4, 5, "A"), sentences=(0, 5, 10))
    assert counts(gold, system) == (0, 0, 1, 1, 1)


def test_gaps_are_not_seen_and_that_is_said() -> None:
    gap = Ragged(np.array([0, 2]), np.array([0, 2], np.int32))
    scores = tertium.score(
        spans((0, 3, "A"), tokens=gap), spans((0, 3, "A"), tokens=gap), metric="spans.partial"
    )
    assert scores.results[0].counts["correct"] == 1
    assert scores.results[0].coverage["gaps_gold"] == scores.results[0].coverage["gaps_system"] == 1
    assert any("spans with gaps (1)" in note for note in scores.notes)
    assert counts(spans((0, 3, "A"), tokens=gap), spans((1, 2, "A"))) == (0, 0, 1, 0, 0)


def test_spans_over_differing_tokens_meet_in_characters() -> None:
    gold = [{"text": "Zoë Lee lives in Łódź.", "spans": [[0, 7, "PER"], [17, 21, "LOC"]]}]
    system = [
        {"tokens": ["Zoë", "Lee", "lives", "in", "Łódź."], "tags": "B-PER I-PER O O I-LOC".split()}
    ]
    assert counts(gold, system, "strict") == (1, 1, 0, 0, 0)
    assert counts(gold, system, "type") == (2, 0, 0, 0, 0)
    assert counts(gold, system, "partial", overlap=100) == (1, 0, 1, 0, 0)


def test_a_system_span_belongs_to_the_sentence_it_begins_in() -> None:
    gold = [
        {"tokens": ["a", "b"], "tags": ["O", "B-X"]},
        {"tokens": ["c", "d"], "tags": ["B-X", "I-X"]},
    ]
    system = [{"tokens": ["a", "b", "c", "d"], "tags": ["O", "B-X", "I-X", "I-X"]}]
    assert counts(gold, system) == (0, 0, 1, 1, 0)


# -- tags -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("I-A I-A O I-B", "B-A I-A O B-B"),  # I- opens
        ("B-A I-B I-B", "B-A B-B I-B"),  # another type begins anew
        ("B-A B-A", "B-A B-A"),
        ("B-A-B I-A-B", "B-A-B I-A-B"),  # the type may hold hyphens
        ("B-A E-A L-A S-A x-A", "B-A I-A I-A I-A I-A"),  # any prefix inside, if the type stays
        ("B-Ü é-Ü", "B-Ü I-Ü"),  # two characters, not two bytes
    ],
)
def test_tags_are_read_as_nervaluate_does(written: str, read: str) -> None:
    found = result(tags(read), tags(written), "strict")
    assert found.value == 1
    assert found.counts["actual"] == found.counts["correct"]


def test_odd_prefixes_inside_a_span_are_counted() -> None:
    found = result(tags("B-A I-A O B-A"), tags("B-A E-A O B-A"))
    assert found.coverage["irregular_system"] == 1
    assert "irregular_gold" not in found.coverage


@pytest.mark.parametrize("tag", ["S-X", "U-X", "b-X", "o", "B", "NOUN", "B_X", "-X"])
def test_what_opens_a_span_must_begin_with_b_or_i(tmp_path: Path, tag: str) -> None:
    gold, system = tmp_path / "gold.tsv", tmp_path / "system.tsv"
    gold.write_text("a\tB-X\nb\tO\n\nc\tO\nd\tO\n\n")
    system.write_text(f"a\tB-X\nb\tO\n\nc\tO\nd\t{tag}\n\n")
    with pytest.raises(FormatError, match=rf"system\.tsv:5, sentence '2': tag '{tag}'") as caught:
        result(gold, system)
    assert caught.value.exit_code == 3
    with pytest.raises(FormatError, match=r"system\.tsv:5, sentence '2'"):
        result(system, gold)


def test_a_tag_that_begins_with_b_never_goes_on() -> None:
    with pytest.raises(FormatError, match="sentence '1': tag 'B_X'"):
        result(tags("B-X I-X"), tags("B-X B_X"))


def test_many_bad_tags_are_counted_not_listed() -> None:
    with pytest.raises(FormatError, match=r"and 1,995 more") as caught:
        result(tags("O " * 4000), tags("S-X O " * 2000))
    assert len(caught.value.problems) == 1000


def test_a_column_with_odd_tags_is_found_beside_plain_ones(tmp_path: Path) -> None:
    file = tmp_path / "gold.tsv"
    file.write_text("a\tNN\tB-X\nb\tNN\t__X\nc\tO\tO\n\n")
    assert counts(file, file) == (1, 0, 0, 0, 0)
    with pytest.raises(LayerError, match="no layer 'ner'"):
        result(file, file, column="ner")


def test_there_must_be_spans() -> None:
    plain = [{"tokens": ["a", "b"], "upos": ["NOUN", "VERB"], "xpos": ["NN", "VB"]}]
    with pytest.raises(LayerError, match=r"has no spans to score with spans\.partial"):
        result(plain, plain)


def test_the_signature_has_what_decides_the_number() -> None:
    signature = str(result(GOLD, SYSTEM, "type", overlap=50).signature)
    assert "mode:type|overlap:50.0|compat:nervaluate|undefined:zero" in signature
    assert "scheme" not in signature
    assert "repair" not in signature


@pytest.mark.parametrize("parameter", ["scheme=iob2", "repair=drop", "expected=iob2", "mode=ent"])
def test_what_cannot_be_is_refused(parameter: str) -> None:
    with pytest.raises(UsageError, match="must be one of"):
        make(f"spans.partial({parameter})")


# -- undefined --------------------------------------------------------------------------------


def test_undefined_is_zero_with_a_reason_and_a_note() -> None:
    scores = tertium.score(tags("O O"), tags("O O"), metric="spans.partial")
    found = scores.results[0]
    assert found.parts == {"precision": 0, "recall": 0, "f1": 0}
    assert found.value == 0
    assert found.to_dict()["reason"] == "neither gold nor system has spans"
    assert any(
        "spans.partial precision is 0 by nervaluate's convention" in note for note in scores.notes
    )


def test_undefined_may_be_null() -> None:
    found = result(tags("O O"), tags("O O"), undefined="null")
    assert found.value is None
    found = result(tags("B-A O"), tags("O O"), undefined="null")
    assert found.parts == {"precision": None, "recall": 0, "f1": 0}
    assert found.reasons == {"precision": "the system has no spans"}
    assert found.labels["A"]["precision"] is None


# -- decisions --------------------------------------------------------------------------------


def test_rows_of_decisions() -> None:
    decisions = tertium.decide(GOLD, SYSTEM, "spans.partial(mode=partial)")
    names = [decisions.error_types[code] for code in decisions.error_type.tolist()]
    assert names == ["none", "none", "partial", "missed", "partial", "spurious"]
    assert decisions.credit.tolist() == [1, 1, 0.5, 0, 0.5, 0]
    assert decisions.unit.tolist() == [0, 0, 0, 1, 1, 1]
    assert decisions.system_row is not None
    assert decisions.system_row.tolist() == [0, 1, 2, -1, 4, 3]
    assert decisions.to_frame()["outcome"].to_list() == [
        "correct",
        "correct",
        "wrong",
        "missing",
        "wrong",
        "extra",
    ]


def test_spurious_spans_stand_in_the_order_of_the_file() -> None:
    system = spans((9, 10, "A"), (0, 2, "A"), (5, 6, "B"))
    decisions = tertium.decide(spans((0, 2, "A")), system, "spans.partial")
    assert decisions.system_row is not None
    assert decisions.system_row.tolist() == [1, 0, 2]


@pytest.mark.parametrize(
    ("mode", "place_counts", "label_counts"),
    [
        ("strict", True, True),
        ("exact", True, False),
        ("partial", True, False),
        ("type", False, True),
    ],
)
def test_an_answer_is_what_the_mode_looks_at(
    mode: str, place_counts: bool, label_counts: bool
) -> None:
    def answer(start: int, label: str) -> int:
        system = spans((start, 4, label))
        decisions = tertium.decide(spans((0, 4, "A")), system, f"spans.partial(mode={mode})")
        return int(decisions.answer[0])

    assert (answer(1, "A") != answer(2, "A")) == place_counts
    assert (answer(1, "A") != answer(1, "B")) == label_counts
    assert answer(1, "A") == answer(1, "A")


def test_confusions_pair_the_labels_of_compared_spans() -> None:
    found = result(GOLD, SYSTEM, "strict", confusion=True)
    assert found.confusion == {
        ("A", "A"): 1,
        ("B", "C"): 1,
        ("C", "C"): 1,
        ("A", None): 1,
        ("B", "A"): 1,
        (None, "A"): 1,
    }
    assert found.error_types[("incorrect", "C", "C")] == 1


# -- size -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("strict", (1, 40_000, 0, 0, 0)),
        ("exact", (1, 40_000, 0, 0, 0)),
        ("partial", (1, 0, 40_000, 0, 0)),
        ("type", (20_001, 20_000, 0, 0, 0)),
    ],
)
def test_long_sentences_do_not_explode(mode: str, expected: tuple[int, ...]) -> None:
    """Comparing all pairs would take minutes; the long span makes one cluster of all."""
    count = 40_000
    long, sentences = (0, 4 * count, "A"), (0, 4 * count)
    gold = [(4 * i, 4 * i + 3, "AB"[i % 2]) for i in range(count)]
    system = [(4 * i + 1, 4 * i + 3, "A") for i in range(count)]
    ours, theirs = (long, *gold), (*system, long)
    assert (
        counts(spans(*ours, sentences=sentences), spans(*theirs, sentences=sentences), mode)
        == expected
    )


def test_many_spans_over_one_another() -> None:
    random = np.random.default_rng(0)
    starts = random.permutation(5000).tolist()
    gold = spans(*[(a, 5001 + a, "A") for a in starts], sentences=(0, 10001))
    system = spans(*[(a, 5002 + a, "A") for a in range(4999)], sentences=(0, 10001))
    assert counts(gold, system, "strict") == (0, 4999, 0, 1, 0)
    assert counts(gold, system, "type") == (4999, 0, 0, 1, 0)
