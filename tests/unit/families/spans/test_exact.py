"""spans.f1 on examples small enough to check by eye."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tertium
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels
from tertium.corpus.layers import Ragged, Spans
from tertium.exceptions import FormatError, LayerError, UsageError
from tertium.results.scores import Result


def result(gold: Any, system: Any, metric: str = "spans.f1", **options: Any) -> Result:
    return tertium.score(gold, system, metric=metric, **options).results[0]


def tags(*sentences: str) -> list[list[str]]:
    return [s.split() for s in sentences]


def test_position_and_label_must_be_right() -> None:
    found = result(tags("B-A I-A O B-B", "B-A"), tags("B-A I-A O B-A", "O"))
    assert found.counts == {"correct": 1, "gold": 3, "system": 2}
    assert found.parts["precision"] == 0.5
    assert found.parts["recall"] == pytest.approx(1 / 3)
    assert found.value == pytest.approx(0.4)


def test_macro_and_weighted_follow_the_note() -> None:
    """Case b10 of the notes: seqeval gives micro .667, macro .5, weighted 1.0."""
    found = result(tags("B-PER O O"), tags("B-PER O B-LOC"))
    assert found.value == pytest.approx(2 / 3)
    assert found.parts["macro_f1"] == 0.5
    assert found.parts["weighted_f1"] == 1.0


def test_averages_by_hand() -> None:
    """PER: 2 gold, 1 system, 1 correct; LOC: 1 system; ORG: 1 gold, 1 system, 1 correct."""
    gold, system = tags("B-PER O B-PER O B-ORG"), tags("B-PER O O B-LOC B-ORG")
    for metric in ("spans.f1", "spans.f1(compat=seqeval)"):
        parts = result(gold, system, metric).parts
        assert parts["macro_precision"] == pytest.approx((1 + 0 + 1) / 3)
        assert parts["macro_recall"] == pytest.approx((1 / 2 + 0 + 1) / 3)
        assert parts["macro_f1"] == pytest.approx((2 / 3 + 0 + 1) / 3)
        assert parts["weighted_precision"] == pytest.approx((2 * 1 + 1 * 1) / 3)
        assert parts["weighted_recall"] == pytest.approx((2 * 1 / 2 + 1 * 1) / 3)
        assert parts["weighted_f1"] == pytest.approx((2 * 2 / 3 + 1 * 1) / 3)


def test_chosen_labels_count_alone() -> None:
    """As if the spans of other labels were not there, on both sides: not even as label errors."""
    gold, system = tags("B-A O B-B O B-C"), tags("B-A O B-A O B-C")
    assert result(gold, system).counts == {"correct": 2, "gold": 3, "system": 3}
    only = result(gold, system, "spans.f1(labels='A, B')")
    assert only.counts == {"correct": 1, "gold": 2, "system": 2}
    assert set(only.labels) == {"A", "B"}
    assert only.parts["macro_f1"] == pytest.approx((2 / 3 + 0) / 2)
    assert only.parts["weighted_f1"] == pytest.approx((2 / 3 + 0) / 2)
    assert only.coverage["excluded_gold"] == only.coverage["excluded_system"] == 1
    rest = result(gold, system, "spans.f1(exclude=C)")
    assert (rest.counts, rest.parts) == (only.counts, only.parts)
    assert "|labels:A,B|" in str(only.signature)
    for tool in ("conlleval", "seqeval", "seqeval-strict"):
        assert result(gold, system, f"spans.f1(labels='B,A', compat={tool})").counts == only.counts
    missed = result(gold, system, "spans.f1(labels=B)")
    assert missed.counts == {"correct": 0, "gold": 1, "system": 0}


@pytest.mark.parametrize("metric", ["spans.f1", "spans.fair", "spans.partial"])
def test_labels_that_nobody_has_are_named(metric: str) -> None:
    found = tertium.score(tags("B-ORG"), tags("B-ORG"), metric=f"{metric}(labels='ORGG')")
    assert any("has the label 'ORGG'. Did you mean 'ORG'?" in note for note in found.notes)


def test_chosen_labels_and_seen_spans(tmp_path: Path) -> None:
    train = tmp_path / "train.bio"
    train.write_text("x B-B\n\n")
    gold, system = tmp_path / "gold.bio", tmp_path / "system.bio"
    gold.write_text("a B-A\nx B-B\ny B-B\n\n")
    system.write_text("a B-A\nx B-B\ny O\n\n")
    parts = result(str(gold), str(system), "spans.f1(labels=B)", lexicon=str(train)).parts
    assert (parts["seen_recall"], parts["unseen_recall"]) == (1, 0)


def test_beta_weighs_recall() -> None:
    gold, system = tags("B-A O B-A O B-B B-A"), tags("B-A O O O B-B O")
    plain = result(gold, system).parts
    precision, recall = plain["precision"], plain["recall"]
    assert precision is not None
    assert recall is not None
    for beta in (0.5, 2, 3):
        found = result(gold, system, f"spans.f1(beta={beta})")
        factor = beta**2
        assert found.value == pytest.approx(
            (1 + factor) * precision * recall / (factor * precision + recall)
        )
        assert found.parts["macro_f1"] != plain["macro_f1"]
        assert found.labels["A"]["f1"] == pytest.approx((1 + factor) / (3 * factor + 1))
        assert f"|beta:{float(beta)}|" in str(found.signature)
    one = result(gold, system, "spans.f1(beta=1)")
    assert one.parts == plain
    assert "beta" not in str(one.signature)
    assert result(gold, system, "spans.f1(beta=0)").value == precision
    for wrong in ("-1", "'x'", "True"):
        with pytest.raises(UsageError, match="beta"):
            result(gold, system, f"spans.f1(beta={wrong})")


def test_prefixes_at_the_end_are_detected() -> None:
    gold, system = tags("A-B A-I O", "C-D-B O B-B"), tags("A-B A-I O", "O O B-B")
    found = result(gold, system)
    assert found.counts == {"correct": 2, "gold": 3, "system": 2}
    assert set(found.labels) == {"A", "C-D", "B"}
    assert "|suffix:yes|" in str(found.signature)
    assert "|scheme:iob2|" in str(found.signature)
    prefixed = tags("B-A I-A O", "O O B-B")
    assert result(gold, prefixed).counts == found.counts  # each side as it is written
    assert "suffix" not in str(result(prefixed, prefixed).signature)
    assert result(gold, gold, "spans.f1(suffix=True)").value == 1
    with pytest.raises(FormatError, match=r"'A-B' .* is neither O nor PREFIX-TYPE"):
        result(gold, system, "spans.f1(suffix=False)")
    with pytest.raises(FormatError, match=r"'I-A' .* is neither O nor TYPE-PREFIX"):
        result(prefixed, prefixed, "spans.f1(suffix=True)")
    with pytest.raises(UsageError, match="'suffix' has no meaning"):
        result(gold, system, "spans.f1(suffix=True, compat=conlleval)")


def test_what_can_be_read_both_ways_has_its_prefix_in_front() -> None:
    both = tags("B-I O I-B")
    assert set(result(both, both).labels) == {"I", "B"}
    assert "suffix" not in str(result(both, both).signature)


def test_tags_with_the_prefix_at_the_end_are_mapped_and_irregular(tmp_path: Path) -> None:
    (tmp_path / "map").write_text("A Z\n")
    gold, system = tags("A-B A-I O A-B"), tags("A-B A-I O A-I")
    found = result(gold, system, map_labels=str(tmp_path / "map"))
    assert set(found.labels) == {"Z"}
    assert found.coverage["irregular_system"] == 1


def test_audit_leaves_out_what_cannot_read_the_tags(tmp_path: Path) -> None:
    from tertium.families.family import audited_metrics
    from tertium.formats.objects import from_python

    ids = [metric.id for metric in audited_metrics(from_python(tags("A-B O"), name="gold"))]
    assert ids == ["spans.f1", "spans.fair"]


def test_unlabelled_spans_are_right_if_their_place_is() -> None:
    gold, system = tags("B-A I-A O B-B", "B-A O"), tags("B-C I-C O B-B", "O B-A")
    parts = result(gold, system).parts
    assert parts["f1"] == pytest.approx(1 / 3)
    for part in ("precision", "recall", "f1"):
        assert parts[f"unlabeled_{part}"] == pytest.approx(2 / 3)


def test_unlabelled_spans_are_used_once() -> None:
    gold = spans((0, 2, "A"), (0, 2, "B"), (0, 2, "C"), (4, 5, "A"))
    found = result(gold, spans((0, 2, "C"), (0, 2, "X")))
    assert found.parts["unlabeled_precision"] == 1
    assert found.parts["unlabeled_recall"] == 2 / 4
    assert found.parts["unlabeled_f1"] == pytest.approx(4 / 6)


def test_why_averages_are_undefined() -> None:
    nothing_found = result(tags("B-X O"), tags("O O"))
    assert nothing_found.parts["macro_precision"] == 0
    assert nothing_found.parts["weighted_precision"] == 0
    assert nothing_found.reasons == {
        "precision": "the system has no spans",
        "unlabeled_precision": "the system has no spans",
    }
    nothing_there = result(tags("O O"), tags("B-X O")).reasons
    for part in ("recall", "weighted_precision", "weighted_recall", "weighted_f1"):
        assert nothing_there[part] == "the gold standard has no spans"
    nothing = result(tags("O O"), tags("O O")).reasons
    assert nothing["macro_precision"] == "neither gold nor system has spans"


@pytest.mark.parametrize(
    ("gold", "system", "counts"),
    [
        ("B-X I-X", "I-X I-X", (1, 1, 1)),  # b02: conlleval F 100
        ("B-PER I-PER I-PER", "B-PER I-LOC I-LOC", (0, 1, 2)),  # b03: conlleval 0/1/2
        ("S-P S-P O", "S-P S-P O", (2, 2, 2)),  # b15: not conlleval's bug
    ],
)
def test_cases_of_the_notes(gold: str, system: str, counts: tuple[int, int, int]) -> None:
    found = result(tags(gold), tags(system))
    assert tuple(found.counts[n] for n in ("correct", "gold", "system")) == counts


def test_another_label_in_the_same_place_is_a_confusion() -> None:
    gold, system = tags("B-ORG I-ORG O B-PER", "B-LOC"), tags("B-LOC I-LOC O O", "O")
    found = result(gold, system, confusion=True)
    assert found.counts == {"correct": 0, "gold": 3, "system": 1}
    assert found.confusion == {("ORG", "LOC"): 1, ("PER", None): 1, ("LOC", None): 1}
    decisions = tertium.decide(gold, system, "spans.f1")
    assert [decisions.error_types[c] for c in decisions.error_type] == [
        "label",
        "missing",
        "missing",
    ]


def test_spans_in_the_same_place_pair_once() -> None:
    found = result(
        spans((0, 2, "A"), (0, 2, "B"), (0, 2, "C")),
        spans((0, 2, "C"), (0, 2, "X"), (5, 6, "Y")),
        confusion=True,
    )
    assert found.counts == {"correct": 1, "gold": 3, "system": 3}
    assert found.confusion == {("A", "X"): 1, ("B", None): 1, ("C", "C"): 1, (None, "Y"): 1}


def test_nothing_on_either_side_is_undefined() -> None:
    found = result(tags("O O"), tags("O O"))
    assert found.value is None
    assert found.reasons["value"] == "neither gold nor system has spans"
    assert found.to_dict()["reason"] == "neither gold nor system has spans"


def test_nothing_claimed_has_no_precision_but_an_f1() -> None:
    found = result(tags("B-X O"), tags("O O"))
    assert found.parts["precision"] is None
    assert found.reasons["precision"] == "the system has no spans"
    assert (found.parts["recall"], found.value) == (0, 0)


def spans(*rows: tuple[int, int, str], sentences: tuple[int, ...] = (0, 9), **more: Any) -> Corpus:
    start, end, label = zip(*rows, strict=True) if rows else ((), (), ())
    layer = Spans(
        np.array(start, np.int32), np.array(end, np.int32), Labels.of(label), more.get("tokens")
    )
    return Corpus(np.array(sentences), None, {"spans": layer}, atoms="indices")


def test_duplicates_count_once_and_are_reported() -> None:
    found = result(spans((0, 2, "A"), (0, 2, "A"), (3, 4, "B")), spans((0, 2, "A"), (0, 2, "A")))
    assert found.counts == {"correct": 1, "gold": 2, "system": 1}
    assert found.coverage["duplicates_gold"] == 1
    assert found.coverage["duplicates_system"] == 1


def test_nested_and_crossing_spans() -> None:
    found = result(
        spans((0, 4, "A"), (0, 2, "A"), (1, 5, "A")), spans((0, 4, "A"), (1, 5, "A"), (0, 2, "B"))
    )
    assert found.counts == {"correct": 2, "gold": 3, "system": 3}


def test_gaps_make_a_difference() -> None:
    gap = Ragged(np.array([0, 2]), np.array([0, 2], np.int32))
    full = Ragged(np.array([0, 3]), np.array([0, 1, 2], np.int32))
    assert result(spans((0, 3, "A"), tokens=gap), spans((0, 3, "A"))).value == 0
    assert result(spans((0, 3, "A"), tokens=gap), spans((0, 3, "A"), tokens=gap)).value == 1
    assert result(spans((0, 3, "A"), tokens=full), spans((0, 3, "A"))).value == 1


def test_spans_over_differing_tokens_meet_in_characters() -> None:
    gold = [{"text": "Zoë Lee lives in Łódź.", "spans": [[0, 7, "PER"], [17, 21, "LOC"]]}]
    system = [
        {
            "tokens": ["Zoë", "Lee", "lives", "in", "Łódź."],
            "tags": ["B-P", "I-P", "O", "O", "B-LOC"],
        }
    ]
    found = result(gold, [{**system[0], "tags": ["B-PER", "I-PER", "O", "O", "O"]}], "spans.f1")
    assert found.counts == {"correct": 1, "gold": 2, "system": 1}


def test_untyped_tags_are_refused_with_their_place(tmp_path: Path) -> None:
    gold = tmp_path / "gold.tsv"
    gold.write_text("a\tB-X\nb\tO\n\n")
    system = tmp_path / "system.tsv"
    system.write_text("a\tB\nb\tO\n\n")
    with pytest.raises(FormatError, match=r"system.tsv:1, sentence '1': tag 'B' in column 'tag'"):
        result(str(gold), str(system))


def test_an_untyped_tag_among_span_tags_is_refused_without_being_asked(tmp_path: Path) -> None:
    gold = tmp_path / "gold.tsv"
    gold.write_text("a\tB-X\nb\tB\nc\tO\n\n")
    system = tmp_path / "system.tsv"
    system.write_text("a\tB-X\nb\tB-X\nc\tO\n\n")
    with pytest.raises(FormatError, match=r"gold\.tsv:2, sentence '1': tag 'B'"):
        tertium.score(gold, system)


def test_plain_tags_are_no_spans() -> None:
    with pytest.raises((FormatError, LayerError), match=r"PREFIX-TYPE"):
        result(tags("NOUN VERB"), tags("NOUN VERB"))


def test_irregular_tags_are_counted_and_repair_is_in_the_signature() -> None:
    gold, system = tags("B-X I-X O B-X I-X"), tags("B-X I-X O I-X I-X")
    opened = result(gold, system)
    assert opened.value == 1
    assert opened.coverage["irregular_system"] == 1
    assert "scheme:iob|repair:open" in str(opened.signature)
    dropped = result(gold, system, "spans.f1(repair=drop)")
    assert dropped.counts == {"correct": 1, "gold": 2, "system": 1}


def test_the_scheme_stands_in_the_signature() -> None:
    assert "scheme:iob2" in str(result(tags("B-X I-X"), tags("B-X I-X")).signature)
    assert "scheme:bilou" in str(result(tags("B-X L-X"), tags("U-X O")).signature)


def test_seen_and_unseen(tmp_path: Path) -> None:
    train = tmp_path / "train.tsv"
    train.write_text("New\tB-LOC\nYork\tI-LOC\n\n")
    gold = [{"tokens": ["New", "York", "Oslo"], "tags": ["B-LOC", "I-LOC", "B-LOC"]}]
    system = [{"tokens": ["New", "York", "Oslo"], "tags": ["B-LOC", "I-LOC", "O"]}]
    found = result(gold, system, lexicon=str(train))
    assert found.parts["seen_f1"] == 1
    assert found.parts["unseen_recall"] == 0
    assert found.parts["unseen_precision"] is None
    assert found.reasons["unseen_precision"] == "the system has no unseen spans"
