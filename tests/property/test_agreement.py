"""Kappas equal nltk, statsmodels and scikit-learn on random full tables, alpha equals krippendorff
also with missing ratings."""

from __future__ import annotations

import warnings
from importlib import metadata
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from random_ratings import Table, full_tables, sparse_tables, value_of
from recordings import BLOCK, confirm, record, recorded

PEERS = {"nltk": "3.10.4", "statsmodels": "0.15.0", "scikit-learn": "1.9.1"}
KRIPPENDORFF = {"krippendorff": "0.9.0"}
TABLES = 500
LEVELS = ("nominal", "ordinal", "interval", "ratio")
Answer = dict[str, float | None]


def name_of(peers: dict[str, str]) -> str:
    return ", ".join(f"{name} {version}" for name, version in peers.items())


def need(peers: dict[str, str]) -> None:
    """Skip where an oracle is not installed in the version on record."""
    for name, version in peers.items():
        try:
            found = metadata.version(name)
        except metadata.PackageNotFoundError:
            pytest.skip(f"{name} {version} is not installed")
        if found != version:
            pytest.skip(f"{name} {version} is not installed, but {found}")


def plain(value: Any) -> float | None:
    # Without the last digits, which depend on the version of numpy and the processor.
    return None if value is None or np.isnan(value) else round(float(value), 12)


def asked(call: Any, *arguments: Any, **options: Any) -> float | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return plain(call(*arguments, **options))
    except (ZeroDivisionError, ValueError):
        return None


def kappas(table: Table) -> Answer:
    """What nltk, statsmodels and scikit-learn say."""
    from nltk.metrics.agreement import AnnotationTask
    from sklearn.metrics import cohen_kappa_score
    from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa

    rows = [(f"a{j}", f"i{i}", str(c)) for i, row in enumerate(table) for j, c in enumerate(row)]
    task = AnnotationTask(rows)
    codes = np.array(table)
    counts = aggregate_raters(codes)[0]
    found = {
        "agreement": asked(task.avg_Ao),
        "fleiss": asked(task.pi),
        "conger": asked(task.multi_kappa),
        "s": asked(task.S),
        "statsmodels fleiss": asked(fleiss_kappa, counts),
        "statsmodels s": asked(fleiss_kappa, counts, method="rand"),
    }
    for weights, text in ((None, "cohen"), ("linear", "linear"), ("quadratic", "quadratic")):
        labels = np.unique(codes)
        each = [
            asked(cohen_kappa_score, codes[:, a], codes[:, b], weights=weights, labels=labels)
            for a, b in combinations(range(codes.shape[1]), 2)
        ]
        there = [value for value in each if value is not None]
        found[text] = sum(there) / len(there) if there else None
    if codes.shape[1] == 2:
        found["scott"] = found["fleiss"]
        found["nltk cohen"] = asked(task.kappa)
    return found


def alphas(table: Table) -> Answer:
    """What krippendorff says."""
    import krippendorff

    data = np.where(np.array(table) == 0, np.nan, np.array(table, float)).T
    alpha = krippendorff.alpha
    return {
        level: asked(alpha, reliability_data=data, level_of_measurement=level) for level in LEVELS
    }


OURS = {
    "linear": "cohen(weights='linear')",
    "quadratic": "cohen(weights='quadratic')",
    "statsmodels fleiss": "fleiss",
    "statsmodels s": "s",
    "nltk cohen": "cohen",
    **{level: f"alpha(level='{level}')" for level in LEVELS},
}


def check(tables: list[Table], answers: list[Answer]) -> int:
    """Every answer is ours; how many had a value."""
    defined = 0
    for table, answer in zip(tables, answers, strict=True):
        for name, theirs in answer.items():
            ours, _ = value_of(OURS.get(name, name), table)
            if theirs is None:
                assert ours is None or name == "agreement", (name, ours, table)
                continue
            if ours is None:  # where all ratings are the same, nltk says 1
                assert len({label for row in table for label in row}) == 1, (name, theirs, table)
                continue
            defined += 1
            assert ours == pytest.approx(theirs, abs=1e-9), (name, table)
    return defined


def test_kappas_equal_those_on_record() -> None:
    tables = full_tables(TABLES)
    answers = recorded("agreement-kappas", name_of(PEERS), tables)
    assert check(tables, answers) > 4000


def test_alpha_equals_that_on_record() -> None:
    tables = sparse_tables(TABLES)
    answers = recorded("agreement-alpha", name_of(KRIPPENDORFF), tables)
    assert check(tables, answers) > 1500


def test_kappas_of_peers_are_those_on_record() -> None:
    need(PEERS)
    tables = full_tables(BLOCK)
    confirm("agreement-kappas", name_of(PEERS), tables, [kappas(table) for table in tables])


def test_alpha_of_its_peer_is_that_on_record() -> None:
    need(KRIPPENDORFF)
    tables = sparse_tables(BLOCK)
    confirm("agreement-alpha", name_of(KRIPPENDORFF), tables, [alphas(table) for table in tables])


@pytest.mark.oracles
def test_all_kappas_of_peers_are_those_on_record() -> None:
    need(PEERS)
    tables = full_tables(TABLES)
    record("agreement-kappas", name_of(PEERS), tables, [kappas(table) for table in tables])


@pytest.mark.oracles
def test_all_alphas_of_its_peer_are_those_on_record() -> None:
    need(KRIPPENDORFF)
    tables = sparse_tables(TABLES)
    record("agreement-alpha", name_of(KRIPPENDORFF), tables, [alphas(table) for table in tables])
