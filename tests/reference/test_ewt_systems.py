"""Attachment scores of real parsers, equal to the UD evaluation's to its last printed digit."""

import csv
from pathlib import Path

import pytest

import tertium

METRICS = {
    "UAS": "deps.uas",
    "LAS": "deps.las",
    "LAS-with-subtypes": "deps.las(subtypes=True)",
    "UPOS": "tags.accuracy(column='upos')",
    "XPOS": "tags.accuracy(column='xpos')",
}
COLUMNS = ("precision", "recall", "f1")


@pytest.mark.parametrize("split", ["dev", "test"])
def test_official_scores(shared: Path, split: str) -> None:
    folder = shared / "data" / "ewt-systems"
    with (folder / "official_scores.tsv").open() as lines:
        rows = [r for r in csv.DictReader(lines, delimiter="\t") if r["split"] == split]
    checked = 0
    for system in dict.fromkeys(r["system"] for r in rows):
        official = [r for r in rows if r["system"] == system and r["metric"] in METRICS]
        metrics = [METRICS[r["metric"]] for r in official]
        scores = tertium.score(
            str(folder / f"gold-{split}.conllu"),
            str(folder / f"{system}-{split}.conllu"),
            metric=metrics,
        )
        for row, result in zip(official, scores, strict=True):
            for column in COLUMNS:
                assert f"{100 * result.parts[column]:.2f}" == row[column], (system, row)
            if row["aligned_accuracy"] and "aligned_accuracy" in result.parts:
                assert f"{100 * result.parts['aligned_accuracy']:.2f}" == row["aligned_accuracy"]
            checked += 1
    assert checked >= 16


def test_complete_trees(shared: Path) -> None:
    """The README of the data: share of sentences with every head and full label correct."""
    folder = shared / "data" / "ewt-systems"
    expected = {"udpipe-swap": "44.92", "udpipe-proj": "38.76", "spacy": "46.41"}
    for system, share in expected.items():
        result = tertium.score(
            folder / "gold-test.conllu", folder / f"{system}-test.conllu",
            metric="deps.las(subtypes=True)",
        ).results[0]  # fmt: skip
        assert f"{100 * result.parts['complete']:.2f}" == share


def test_a_tagger_without_trees_is_scored_on_its_tags(shared: Path) -> None:
    folder = shared / "data" / "ewt-systems"
    scores = tertium.score(folder / "gold-test.conllu", folder / "crf-test.conllu")
    assert scores.metrics == ["tags.accuracy"]
    assert f"{100 * (scores.value or 0):.2f}" == "94.58"
