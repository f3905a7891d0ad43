"""Two theories of GUM over the same words: dependencies and constituents with functions."""

from pathlib import Path

import numpy as np

from metric_samples import aligned
from tertium.corpus.corpus import Corpus
from tertium.corpus.layers import FunctionTrees
from tertium.families.theories.tedeval import TedEval
from tertium.study.study import Study


def sides_of(shared: Path, *systems: str, **options: object) -> tuple[Corpus, ...]:
    """Gold of all 24 documents, and of some theories once more as a system."""
    folder = shared / "data" / "gum"
    files = {"dep": f"{folder}/dep", "ps": f"{folder}/const"}
    given = [f"{name}:{files[name]}" for name in systems]
    [shard] = Study.of(files, given, alone=True, **options).shards
    return shard.gold, *shard.systems  # type: ignore[return-value]


def overlaps(gold: Corpus, nonprojective: str = "sets") -> list[float]:
    """Labelled and unlabelled."""
    metrics = (TedEval(labeled=flag, nonprojective=nonprojective) for flag in (True, False))
    return [round(each.value, 4) for metric in metrics for each in metric.overlaps(gold)]


def test_overlap_of_theories(shared: Path) -> None:
    gold, *systems = sides_of(shared, "dep", "ps")
    assert (gold.sentence_count, gold.token_count) == (929, 21603)
    assert overlaps(gold) == [0.0556, 0.8304]
    trees = gold.layer("dep", FunctionTrees)
    assert trees.tokens is not None
    gaps = np.diff(trees.tokens.bounds) < trees.end - trees.start
    assert len(np.unique(trees.sentence[gaps])) == 47
    assert overlaps(gold, "lift") == [0.0556, 0.8311]
    for system in systems:  # each theory is right by its own gold standard
        for metric in (TedEval(), TedEval(labeled=False), TedEval(golds="own", labeled=False)):
            totals = metric.measure(gold, system, aligned(metric, gold, system)).totals()
            assert totals["delta"] == 0
            assert totals["parse"] > 0


def test_constituents_enriched_with_dependencies(shared: Path) -> None:
    [gold] = sides_of(shared, enrich=("ps=dep",))
    assert overlaps(gold) == [0.9041, 0.8304]
