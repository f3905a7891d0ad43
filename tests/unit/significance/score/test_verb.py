"""Scores with their significance."""

import pytest

import tertium

GOLD = [["N", "V", "N"], ["V", "N", "N"]] * 4
A = [["N", "V", "N"], ["V", "V", "V"]] * 4
B = [["N", "V", "N"], ["V", "N", "N"]] * 4
QUICK = tertium.Testing(trials=200)


def test_scores_are_assessed_if_it_is_asked_for() -> None:
    scores = tertium.score(GOLD, A, B, significance=QUICK)
    assert scores.assessment is not None
    assert scores.assessment.testing == QUICK
    assert scores.assessment.comparisons == tertium.assess(scores, QUICK).comparisons
    usual = tertium.score(GOLD, A, significance=True).assessment
    assert usual is not None
    assert usual.testing == tertium.Testing()
    assert tertium.score(GOLD, A, B).assessment is None


def test_what_there_is_not_is_refused_before_anything_is_read() -> None:
    with pytest.raises(tertium.UsageError, match="test must be one of"):
        tertium.score("nowhere", "nowhere", significance=tertium.Testing(test="t"))


def test_json_has_an_interval_for_every_score_and_group() -> None:
    told = tertium.score(GOLD, A, B, by="length", significance=QUICK).to_dict()
    entry = told["scores"][0]
    assert entry["interval"]["level"] == 0.95
    assert entry["interval"]["low"] <= entry["value"] <= entry["interval"]["high"]
    assert entry["groups"]["1-10"]["interval"]["method"] == "bca"
    assert [t["group"] for t in told["significance"]["tests"] if "group" in t] == ["1-10"]


def test_identical_systems_have_a_p_of_1() -> None:
    found = tertium.score(GOLD, A, A, names=["A", "B"], significance=QUICK).assessment
    assert found is not None
    assert [c.test.p for c in found.comparisons] == [1.0]
    assert found.letters["A", "tags.accuracy"] == found.letters["B", "tags.accuracy"] == "a"
