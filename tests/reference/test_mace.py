"""MACE on the data of its authors, against the figures of their implementation (../shared)."""

import os
from pathlib import Path

import numpy as np
import pytest

import tertium
from tertium.agreement.crowd_data import of_table
from tertium.agreement.methods import Mace

SHARED = Path(os.environ.get("TERTIUM_SHARED", Path(__file__).parents[3] / "shared")) / "data"
DATA = SHARED / "mace" / "test"
pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason=f"needs the data in {DATA}")

ACCURACY = {
    ("rte", "mace"): [0.92625],
    ("rte", "mace-em"): [0.92875],
    ("temporal", "mace"): [0.94156, 0.94372],
    ("temporal", "mace-em"): [0.94156],
    ("wsd", "mace"): [0.99435],
    ("wsd", "mace-em"): [0.99435],
}
LIKELIHOOD = {
    ("rte", True): -3923.65,
    ("temporal", True): -1379.41,
    ("wsd", True): -308.3611,
    ("rte", False): -3681.44,
    ("temporal", False): -1259.29,
    ("wsd", False): -271.85,
}
MAJORITY = {"rte": 0.896875, "temporal": 0.93615, "wsd": 0.99435}


@pytest.mark.parametrize(("name", "method"), ACCURACY)
def test_accuracy_with_defaults(name: str, method: str) -> None:
    """One item either way."""
    found = tertium.crowd(DATA / f"{name}.csv", gold=str(DATA / f"{name}.key"), method=method)
    assert found.accuracy is not None
    one = 1 / len(found.data.votes) + 1e-5
    assert any(abs(found.accuracy - known) <= one for known in ACCURACY[name, method])
    assert found.methods[-1]["coverage"] == 1


@pytest.mark.parametrize(("name", "variational"), LIKELIHOOD)
def test_likelihood_of_many_restarts(name: str, variational: bool) -> None:
    votes = of_table(DATA / f"{name}.csv", {}, None, hides_names=False).votes
    found = Mace(variational=variational, restarts=100, iterations=100).run(votes)
    assert found.log_likelihood is not None
    assert found.log_likelihood >= LIKELIHOOD[name, variational] - 0.01


def test_competence() -> None:
    found = tertium.crowd(DATA / "wsd.csv").estimate.competence
    shown = [found.min(), found.mean(), found.max()]
    assert np.allclose(shown, [0.7188, 0.9589, 0.9969], atol=1e-3)


@pytest.mark.parametrize("name", MAJORITY)
def test_majority(name: str) -> None:
    key = str(DATA / f"{name}.key")
    found = tertium.crowd(DATA / f"{name}.csv", gold=key, method="majority")
    assert found.accuracy == pytest.approx(MAJORITY[name], abs=1e-5)


def test_long_tables_are_the_same_data() -> None:
    """The judgements of Snow et al. (2008), which the matrices were made of."""
    columns = "item=orig_id,annotator=!amt_worker_ids,label=response"
    table = SHARED / "snow2008" / "rte.standardized.tsv"
    found = tertium.crowd(table, columns=columns)
    assert found.accuracy == pytest.approx(0.92625, abs=0.002)
    assert len(found.competence) == 164


def test_selections_of_tweets() -> None:
    found = tertium.crowd(SHARED / "broad-twitter-corpus" / "e_crowd_judgments.tsv")
    corpus = found.corpus()
    assert (corpus.sentence_count, corpus.token_count) == (200, 4546)
    assert found.notes[0] == "575 tasks are about 200 texts"
    assert len(found.competence) == 68
    assert {"B-loc", "I-loc", "B-org", "B-per"} <= {*found.labels.used_names()}
