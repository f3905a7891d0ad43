"""Agreement on corpora that are not part of Tertium."""

from __future__ import annotations

from pathlib import Path

import pytest

import tertium


def test_corrections_of_tagged_tweets(shared: Path) -> None:
    folder = shared / "data" / "ritter-tweets"
    if not folder.is_dir():
        pytest.skip("the tweets of Ritter et al. are not there")
    found = tertium.agree(str(folder / "pos.txt"), str(folder / "ark_pos_fixed.tsv"))
    assert (found.items["unanimous"], found.items["shared"]) == (15_102, 15_185)
    assert found["agreement"].value == pytest.approx(15_102 / 15_185)


def test_words_that_a_crowd_rated(shared: Path) -> None:
    """Recognising textual entailment: 800 items, 10 judgements each (Snow et al. 2008)."""
    path = shared / "data" / "snow2008" / "rte.standardized.tsv"
    if not path.is_file():
        pytest.skip("the judgements of Snow et al. are not there")
    columns = "item=orig_id,annotator=!amt_worker_ids,label=response"
    found = tertium.agree(str(path), columns=columns)
    assert found.items == {
        "all": 800,
        "rated": 800,
        "shared": 800,
        "unanimous": found.items["unanimous"],
    }
    assert len(found.annotators) == 164
    assert found["fleiss"].value == pytest.approx(found["alpha"].value, abs=1e-3)
