"""Sets of metrics, means over several, and measures without items."""

import pickle
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

import tertium
from metric_samples import Lengths
from tertium import registry
from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus
from tertium.families.base import Metric, Scored
from tertium.families.deps.attachment import LAS, LS, UAS
from tertium.families.sets import MetricSet, expand
from tertium.registry import parameter
from tertium.results.parts import Part
from tertium.results.stats import Stats, Totals, join

NAMES = ("uas", "las", "ls")


@dataclass(frozen=True, repr=False)
class Parser(MetricSet):
    """UAS, LAS and LS."""

    id = "deps.all"
    title = "three scores"
    family = "deps"
    cite = "@misc{x}"

    punct: str = parameter("keep", help="which words are not scored", choices=("keep", "form"))

    def members(self) -> Mapping[str, Metric]:
        found = (UAS(self.punct), LAS(self.punct), LS(self.punct))
        return dict(zip(NAMES, found, strict=True))


@dataclass(frozen=True, repr=False)
class Mean(Metric):
    """The mean of the three: their stats side by side, and one formula."""

    id = "deps.mean"
    title = "mean of three scores"
    family = "deps"
    cite = "@misc{x}"
    parts = tuple(Part(name) for name in ("mean", *NAMES))
    headline = "mean"
    shown = ("mean",)

    punct: str = parameter("keep", help="which words are not scored", choices=("keep", "form"))

    def facts(self, corpus: Corpus) -> frozenset[str]:
        return LAS().facts(corpus)

    def measure(
        self, gold: Corpus, system: Corpus, alignment: Alignment, *, labels: bool = True
    ) -> Stats:
        parts = Parser(self.punct).members().items()
        each = {n: m.measure(gold, system, alignment, labels=labels) for n, m in parts}
        return join(each)

    def score(self, totals: Totals) -> Scored:
        parts = Parser(self.punct).members().items()
        each = {name: m.score(totals.part(name))["f1"] for name, m in parts}
        return {"mean": sum(each.values()) / np.float64(len(each)), **each}


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    plugins: tuple[type[registry.Plugin], ...] = (Parser, Mean, Lengths)
    for plugin in plugins:
        registry.register("metrics", plugin)
    yield
    for plugin in plugins:
        registry.unregister("metrics", plugin.id)


@pytest.fixture
def files(samples: Path) -> tuple[Path, Path]:
    return samples / "gold.conllu", samples / "breeze.conllu"


def test_members_stand_in_the_place_of_a_set(files: tuple[Path, Path]) -> None:
    scores = tertium.score(*files, metric=["tags.accuracy", "deps.all(punct=form)", "deps.clas"])
    members = [f"deps.{name}(punct='form')" for name in NAMES]
    assert scores.metrics == ["tags.accuracy", *members, "deps.clas"]
    apart = tertium.score(*files, metric=members)
    for joined, single in zip(scores.results[1:4], apart, strict=True):
        assert joined.to_dict() == single.to_dict()


def test_every_metric_is_there_once() -> None:
    metrics, sets = expand(["deps.las", "deps.all"])
    assert metrics == (LAS(), UAS(), LS())
    assert sets == {UAS(): "deps.all", LS(): "deps.all"}, "LAS was named"
    assert expand("deps.las") == ((LAS(),), {})
    assert expand(Parser()) == expand("deps.all")  # type: ignore[arg-type]
    with pytest.raises(tertium.UsageError, match=r"deps\.all is given twice"):
        expand(["deps.all", "deps.all"])


def test_a_member_is_a_metric_of_its_own(files: tuple[Path, Path]) -> None:
    assert tertium.metric("deps.all.las") == LAS()
    assert tertium.metric("deps.all.las(punct=form)") == LAS(punct="form")
    assert len(tertium.decide(*files, "deps.all.las")) == 847
    with pytest.raises(tertium.UsageError, match=r"no metric 'deps\.all\.x'"):
        tertium.metric("deps.all.x")


def test_members_of_a_set_are_compared_only_if_named(files: tuple[Path, Path]) -> None:
    systems = files[1], files[1].with_name("arbor.conllu")
    found = tertium.compare(files[0], *systems, metric=["deps.all", "deps.las"], significance=False)
    assert found.metrics == ["deps.las"]
    assert found.scores.metrics == ["deps.uas", "deps.las", "deps.ls"]
    assert any(
        note.startswith("deps.all is scored, not compared; these can be compared: deps.uas")
        for note in found.notes
    )
    with pytest.raises(tertium.UsageError, match=r"deps\.all is a set of metrics") as error:
        tertium.errors(*files, metric="deps.all")
    assert error.value.help == "choose one of them: deps.uas, deps.las, deps.ls"


def test_members_of_an_evaluation_travel() -> None:
    for compat in ("conll18", "udtools", "conll07"):
        for name, member in _set(f"deps.ud(compat={compat})").members().items():
            assert member == tertium.metric(repr(member)) == pickle.loads(pickle.dumps(member))
            assert member.id == f"deps.ud.{name}"
            assert member != member.plain == tertium.metric(repr(member.plain))


def _set(text: str) -> MetricSet:
    made: object = tertium.metric(text)
    assert isinstance(made, MetricSet)
    return made


def test_a_mean_is_one_number(files: tuple[Path, Path]) -> None:
    scores = tertium.score(*files, metric=["deps.mean", "deps.all"], by="genre")
    mean, *each = scores
    assert scores.metrics == ["deps.mean", "deps.uas", "deps.las", "deps.ls"]
    assert mean.value == pytest.approx(np.mean([r.value for r in each]))
    assert mean.parts == {
        "mean": mean.value,
        **{name: r.value for name, r in zip(NAMES, each, strict=True)},
    }
    assert set(mean.groups) == {"mail", "news"}


def test_resampling_reaches_the_formula(files: tuple[Path, Path]) -> None:
    """Joined stats and one formula: a replicate of the mean is the mean of the replicates."""
    stats = tertium.score(*files, metric="deps.mean").results[0].stats
    assert stats is not None
    weights = np.random.default_rng(0).integers(0, 3, (3, stats.units)).astype(float)
    found = Mean().score(stats.totals(weights))
    assert np.allclose(found["mean"], np.mean([found[n] for n in NAMES], axis=0))


def test_what_has_no_items_says_so(files: tuple[Path, Path]) -> None:
    result = tertium.score(*files, metric="tokens.lengths").results[0]
    assert result.value == 1
    assert result.coverage["scored"] == 64, "sentences: there is nothing to compare"
    for metric in ("tokens.lengths", "deps.all", "deps.mean"):
        with pytest.raises(tertium.UsageError, match="does not judge single items"):
            tertium.decide(*files, metric)
