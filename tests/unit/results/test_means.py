"""Several runs as one result."""

import tertium
from tertium.significance.runs import with_means

GOLD = [["N", "V"], ["N", "N"]]
RUNS = [[["N", "V"], ["N", "V"]], [["N", "N"], ["V", "V"]]]


def test_every_number_is_the_mean_of_the_runs() -> None:
    scores = tertium.score(GOLD, tertium.runs("A", *RUNS), RUNS[0], by="length")
    one, other = (scores[name, "tags.accuracy"] for name in ("A#1", "A#2"))
    found = with_means(scores)
    assert found.systems == ["A", "system3"]
    mean = found["A", "tags.accuracy"]
    assert mean.value == (0.75 + 0.25) / 2
    assert mean.parts["complete"] == (one.parts["complete"] + other.parts["complete"]) / 2
    assert mean.counts["correct"] == 2
    assert mean.groups.keys() == one.groups.keys()
    assert mean.groups["1-10"].value == 0.5
    assert not mean.labels
    assert found["system3", "tags.accuracy"] is scores["system3", "tags.accuracy"]


def test_without_runs_nothing_changes() -> None:
    scores = tertium.score(GOLD, *RUNS)
    assert with_means(scores) is scores


def test_an_undefined_run_is_left_out_and_counted() -> None:
    gold = [["O", "O"]]
    scores = tertium.score(gold, tertium.runs("A", gold, [["B-X", "O"]]), metric="spans.f1")
    mean = with_means(scores)["A", "spans.f1"]
    assert [r.value for r in scores] == [None, 0.0]
    assert mean.value == 0.0
    assert "value" not in mean.reasons
    assert mean.reasons["recall"]
    assert scores.run_summaries[0].undefined == 1
    assert scores.run_summaries[0].sd is None


def test_where_no_run_has_a_value_there_is_a_reason() -> None:
    gold = [["O", "O"]]
    scores = tertium.score(gold, tertium.runs("A", gold, gold), metric="spans.f1")
    mean = with_means(scores)["A", "spans.f1"]
    assert mean.value is None
    assert mean.reasons["value"] == scores["A#1", "spans.f1"].reasons["value"]
    assert scores.run_summaries[0].mean is None
