"""The outputs of `score` that the page of `datasets` reads are those of the samples' documents."""

import json
from pathlib import Path

import pytest

from tertium.significance.score.verb import score

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "verbs" / "datasets.files"
SYSTEMS = ("arbor", "breeze", "cedar")


@pytest.mark.skipif(not FOLDER.is_dir(), reason="the docs are not here")
def test_they_are_what_score_says_today(samples: Path) -> None:
    files = [str(samples / f"{name}.conllu") for name in ("gold", *SYSTEMS)]
    today = score(*files, metric="deps.las", by="document", names=SYSTEMS)
    found = {path.stem: json.loads(path.read_text("utf-8")) for path in FOLDER.glob("*.json")}
    assert found.keys() == today[SYSTEMS[0], "deps.las"].groups.keys()
    for document, output in found.items():
        for entry in output["scores"]:
            group = today[entry["system"], entry["metric"]].groups[document]
            assert entry["value"] == group.value
            assert entry["counts"] == group.counts
