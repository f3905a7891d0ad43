"""Composites, and measures without items: two kinds of metric that later parts are made of."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

import tertium
from metric_samples import Lengths
from tertium import registry
from tertium.metrics.base import Metric, Scored
from tertium.metrics.composite import Composite
from tertium.metrics.deps.attachment import LAS, LS, UAS
from tertium.registry import parameter


@dataclass(frozen=True, repr=False)
class Parser(Composite):
    """UAS, LAS and LS, and their mean."""

    id = "deps.all"
    title = "three scores"
    layer = "deps"
    cite = "@misc{x}"
    headline = "mean"
    shown = ("mean",)

    punct: str = parameter("keep", help="which words do not count", choices=("keep", "form"))

    def members(self) -> Mapping[str, Metric]:
        return {
            "uas": UAS(punct=self.punct),
            "las": LAS(punct=self.punct),
            "ls": LS(punct=self.punct),
        }

    def combine(self, scores: Mapping[str, Scored]) -> Scored:
        return {"mean": sum(s["f1"] for s in scores.values()) / len(scores)}  # type: ignore[dict-item]


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    for plugin in (Parser, Lengths):
        registry.register("metrics", plugin)
    yield
    for plugin in (Parser, Lengths):
        registry.unregister("metrics", plugin.id)


@pytest.fixture
def files(samples: Path) -> tuple[Path, Path]:
    return samples / "gold.conllu", samples / "breeze.conllu"


def test_one_entry_per_number(files: tuple[Path, Path]) -> None:
    scores = tertium.score(*files, metric="deps.all(punct=form)")
    assert scores.metrics == [
        "deps.all(punct='form')",
        "deps.all.uas",
        "deps.all.las",
        "deps.all.ls",
    ]
    apart = tertium.score(*files, metric=[f"deps.{n}(punct=form)" for n in ("uas", "las", "ls")])
    for joined, single in zip(scores.results[1:], apart, strict=True):
        assert joined.parts == single.parts
        assert joined.counts == single.counts
        assert joined.labels == single.labels
        assert "punct:form" in str(joined.signature)
    assert scores.results[0].value == pytest.approx(np.mean([r.value for r in apart]))
    assert str(scores.results[2].signature).startswith("deps.all.las|punct:form")


def test_groups_of_composites(files: tuple[Path, Path]) -> None:
    scores = tertium.score(*files, metric="deps.all", by="genre")
    for result in scores:
        assert set(result.groups) == {"mail", "news"}
    counts = [g.counts["correct"] for g in scores["deps.all.las"].groups.values()]
    assert sum(counts) == scores["deps.all.las"].counts["correct"]


def test_resampling_reaches_the_formula(files: tuple[Path, Path]) -> None:
    """Joined stats and one formula: a replicate of the mean is the mean of the replicates."""
    stats = tertium.score(*files, metric="deps.all").results[0].stats
    assert stats is not None
    weights = np.random.default_rng(0).integers(0, 3, (3, stats.units)).astype(float)
    found = Parser().score(stats.totals(weights))
    members = [found[f"{n}.f1"] for n in ("uas", "las", "ls")]
    assert np.allclose(found["mean"], np.mean(members, axis=0))


def test_a_member_is_a_metric_of_its_own(files: tuple[Path, Path]) -> None:
    assert tertium.metric("deps.all.las") == LAS()
    assert tertium.metric("deps.all.las(punct=form)") == LAS(punct="form")
    assert len(tertium.decide(*files, "deps.all.las")) == 847
    with pytest.raises(tertium.UsageError, match=r"no metric 'deps\.all\.x'"):
        tertium.metric("deps.all.x")


def test_what_has_no_items_says_so(files: tuple[Path, Path]) -> None:
    result = tertium.score(*files, metric="tokens.lengths").results[0]
    assert result.value == 1
    assert result.coverage["scored"] == 847
    for metric in ("tokens.lengths", "deps.all"):
        with pytest.raises(tertium.UsageError, match="no item view"):
            tertium.decide(*files, metric)
