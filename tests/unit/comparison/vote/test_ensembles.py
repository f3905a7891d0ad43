"""Votes of compared systems: scored as systems are, written as files, beside the oracle."""

import csv
import io
import json
from collections.abc import Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

import tertium
from tertium.exceptions import UsageError

NAMES = ("arbor", "breeze", "cedar")
METRICS = ["tags.accuracy(column='upos')", "deps.las"]


@pytest.fixture(scope="module")
def files(samples: Path) -> list[Path]:
    return [samples / f"{name}.conllu" for name in ("gold", *NAMES)]


@pytest.fixture(scope="module")
def compared(files: list[Path]) -> tertium.Comparison:
    return tertium.compare(*files, names=NAMES, metric=METRICS, ensembles=True)


def test_a_vote_is_scored_as_its_file_is(
    compared: tertium.Comparison, files: list[Path], tmp_path: Path
) -> None:
    for vote in compared.ensembles:
        (path,) = vote.write(tmp_path)
        assert Path(path) == tmp_path / f"{vote.name}.conllu"
        again = tertium.score(files[0], path, metric=METRICS)
        for metric in METRICS:
            result = vote.scores[metric]
            assert (result.value, result.counts) == (again[metric].value, again[metric].counts)
        # Everything that was not voted on is the first system's.
        first, voted = tertium.read(str(files[1])), tertium.read(path)
        assert first.layers.keys() == voted.layers.keys()
        assert voted.metadata("sent_id") == first.metadata("sent_id")


def test_what_a_vote_wins(compared: tertium.Comparison) -> None:
    assert [vote.name for vote in compared.ensembles] == ["majority", "weighted"]
    for vote in compared.ensembles:
        for gain, view in zip(vote.gains, compared.views, strict=True):
            oracle = view.oracle
            assert (gain.bound, gain.items) == (oracle.correct, oracle.items)
            assert gain.best == max(oracle.right)
            assert gain.right == vote.scores[gain.metric].counts["correct"]
            assert gain.closed == (gain.right - gain.best) / (gain.bound - gain.best)


def test_metrics_without_a_vote_are_only_scored(files: list[Path]) -> None:
    found = tertium.compare(*files, names=NAMES, metric=["deps.words", "deps.las"], ensembles=True)
    for vote in found.ensembles:
        assert [gain.metric for gain in vote.gains] == ["deps.las"]
        assert vote.scores["deps.words"].value == 1
    note = "no vote: deps.words judges no layer that systems could vote on"
    assert [note in vote.notes for vote in found.ensembles] == [True, False]
    assert "deps.words: what a vote" not in tertium.render(found)
    with pytest.raises(UsageError, match="judges no layer"):
        tertium.compare(*files, metric="deps.words", ensembles=True)


ENTITIES = [f"entities-{name}.bio" for name in ("gold", *NAMES)]


@pytest.mark.parametrize("kind", ["words", "entities", "two"])
def test_votes_are_the_same_in_every_order_of_systems(
    samples: Path, files: list[Path], kind: str, tmp_path: Path
) -> None:
    """Scores, ties and tests; and the files that are written, byte by byte."""
    gold, *systems = [samples / name for name in ENTITIES] if kind == "entities" else files
    metrics = METRICS if kind != "entities" else ["spans.f1", "spans.fair"]
    systems = systems[:2] if kind == "two" else systems
    found = []
    for number, order in enumerate(permutations(systems)):
        folder = tmp_path / str(number)
        compared = tertium.compare(
            gold, *order, metric=metrics, write_ensembles=str(folder), trials=50
        )
        votes = [vote.to_dict(compared.vote_assessment) for vote in compared.ensembles]
        texts = [path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()]
        found.append((votes, texts))
    assert all(each == found[0] for each in found)
    assert len(found[0][1]) == 2


def test_votes_have_ties_intervals_and_tests(compared: tertium.Comparison) -> None:
    data = compared.to_dict()["ensembles"]
    for vote, entry in zip(compared.ensembles, data, strict=True):
        for score, gain in zip(entry["scores"], entry["gains"], strict=True):
            assert score["interval"]["low"] <= score["value"] <= score["interval"]["high"]
            view = compared[gain["metric"]]
            best = view.systems[view.oracle.best]
            assert (gain["test"]["a"], gain["test"]["b"]) == (best, f"{vote.name} vote")
            delta = score["value"] - compared.scores[best, gain["metric"]].value  # type: ignore[operator]
            assert gain["test"]["delta"] == pytest.approx(delta)
            assert gain["test"]["adjusted"] >= gain["test"]["p"]
            assert gain["ties"] >= 0
    assert data[0]["gains"][0]["ties"] > 0
    # They are a family of tests of their own: those of the systems do not change.
    tests = compared.to_dict()["significance"]["tests"]
    assert len(tests) == 6
    assert not any("vote" in test["b"] for test in tests)
    text = tertium.render(compared)
    assert "ties" in text
    assert "Holm: each vote against the best system, over 4 tests of votes" in " ".join(
        text.split()
    )


def test_votes_without_tests_have_none(files: list[Path]) -> None:
    found = tertium.compare(*files, metric="deps.las", ensembles=True, significance=False)
    entry = found.to_dict()["ensembles"][0]
    assert "interval" not in entry["scores"][0]
    assert "test" not in entry["gains"][0]
    assert "Holm" not in tertium.render(found)


def other_scores(files: list[Path], names: Sequence[str]) -> dict[str, Any]:
    """Scores as if they were on another gold standard: those of the same one are refused."""
    scores = tertium.score(*files, names=names, metric=METRICS).to_dict()
    return scores | {"gold_digest": "0" * 16}


def test_weights_come_from_other_data(files: list[Path], tmp_path: Path) -> None:
    dev = other_scores(files, NAMES)
    path = tmp_path / "dev.json"
    path.write_text(json.dumps(dev), encoding="utf-8")
    found = tertium.compare(*files, names=NAMES, metric=METRICS, weights_from=str(path))
    assert [vote.weights for vote in found.ensembles] == ["all equal", "from dev.json"]
    same = tertium.compare(*files, names=NAMES, metric=METRICS, weights_from=dev)
    assert same.ensembles[1].weights == "from other data"
    assert same.ensembles[1].gains == found.ensembles[1].gains
    with pytest.raises(tertium.UsageError, match=r"no .* of 'other'"):
        tertium.compare(*files, names=("arbor", "breeze", "other"), weights_from=dev)
    path.write_text("[1]", encoding="utf-8")
    with pytest.raises(tertium.UsageError, match="JSON of 'tertium score'"):
        tertium.compare(*files, weights_from=str(path))


def test_votes_on_several_files(files: list[Path], tmp_path: Path) -> None:
    """Files are voted on one by one, weights are those of all."""
    folders = []
    for file in files:
        text = file.read_text(encoding="utf-8")
        cut = text.index("# newdoc", len(text) // 2)
        folder = tmp_path / file.stem
        folder.mkdir()
        for name, part in (("a.conllu", text[:cut]), ("b.conllu", text[cut:])):
            (folder / name).write_text(part, encoding="utf-8")
        folders.append(folder)
    whole = tertium.compare(*files, names=NAMES, metric=METRICS, ensembles=True)
    parts = tertium.compare(*folders, names=NAMES, metric=METRICS, ensembles=True)
    assert parts.ensembles[0].gains == whole.ensembles[0].gains
    written = parts.ensembles[1].write(tmp_path / "votes")
    assert [Path(p).parts[-2:] for p in written] == [
        ("weighted", "a.conllu"),
        ("weighted", "b.conllu"),
    ]
    again = tertium.score(folders[0], tmp_path / "votes" / "weighted", metric=METRICS)
    assert [r.value for r in again] == [r.value for r in parts.ensembles[1].scores]


def test_one_sentence_has_no_weighted_vote() -> None:
    found = tertium.compare([["N", "V"]], [["N", "N"]], [["V", "V"]], ensembles=True)
    assert [vote.name for vote in found.ensembles] == ["majority"]
    assert "cannot be cross-fitted" in found.ensembles[0].notes[-1]


def test_spans_are_voted_on(samples: Path) -> None:
    files = [samples / f"entities-{name}.bio" for name in ("gold", *NAMES)]
    found = tertium.compare(*files, names=NAMES, ensembles=True)
    systems = [
        {*zip(s.start.tolist(), s.end.tolist(), s.label.to_list(), strict=True)}
        for c in map(tertium.read, map(str, files[1:]))
        for s in [tertium.metric("spans.f1").items(c)]
    ]
    votes = [sum(span in system for system in systems) for span in set().union(*systems)]
    assert found.ensembles[0].scores["spans.f1"].counts["system"] == sum(v > 1.5 for v in votes)


@pytest.mark.parametrize("format", ["text", "markdown", "latex", "html", "csv", "json"])
def test_votes_in_every_format(compared: tertium.Comparison, format: str) -> None:
    page = tertium.render(compared, format)
    assert "weighted" in page
    if format == "csv":
        rows = [r for r in csv.DictReader(io.StringIO(page)) if r["section"] == "ensembles.gains"]
        right = {(r["metric"], r["name"]): r["value"] for r in rows if r["part"] == "right"}
        gain = compared.ensembles[1].gains[1]
        assert right["deps.las", "weighted"] == str(gain.right)


def test_weights_of_files_that_differ_in_their_ending(files: list[Path]) -> None:
    dev = other_scores(files, [f"{n}-dev.conllu" for n in NAMES])
    test = [f"{n}-test.conllu" for n in NAMES]
    found = tertium.compare(*files, names=test, metric=METRICS, weights_from=dev)
    assert [vote.name for vote in found.ensembles] == ["majority", "weighted"]
