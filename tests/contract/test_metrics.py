"""The contract of metrics (docs/design.md), run for every registered one."""

import itertools
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import MISSING, fields, replace
from functools import cache

import numpy as np
import pytest

from metric_samples import aligned, sample_of, units_of
from tertium import registry
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels
from tertium.corpus.layers import Arcs, Chains, Tags
from tertium.exceptions import FormatError, LayerError, UsageError
from tertium.families.base import Metric, has_items, make, part_of
from tertium.families.sets import MetricSet, expand
from tertium.results.decisions import OUTCOMES, Decisions
from tertium.results.stats import Stats

REGISTERED = registry.names("metrics")
METRICS = [repr(metric) for metric in expand(REGISTERED)[0]]
MODES = [
    *(f"spans.f1(compat='{tool}')" for tool in ("conlleval", "seqeval", "seqeval-strict")),
    *("deps.ud.elas(compat='udtools')", "deps.ud.las(compat='compareval')"),
    *(f"deps.ud.{name}(compat='conll07', punct='form')" for name in ("uas", "las", "ls")),
]
DEPS = (
    *("uas", "las", "ls", "undirected", "ned", "clas", "mlas", "blex", "elas", "eulas"),
    *("tokens", "sentences", "words", "upos", "xpos", "ufeats", "alltags", "lemmas"),
)
COREF = ("mentions", "muc", "b3", "ceafm", "ceafe", "blanc", "lea")
FRACTIONS = {
    f"{part}_{end}" for part in ("recall", "precision") for end in ("numerator", "denominator")
}
PARTS = {  # keys that may never be renamed
    "tags.accuracy": {"accuracy", "sentence_mean", "complete"},
    "spans.f1": {
        f"{average}{part}"
        for average in ("", "macro_", "weighted_", "unlabeled_")
        for part in ("precision", "recall", "f1")
    },
    "spans.fair": {
        *("precision", "recall", "f1", "traditional.precision", "traditional.recall"),
        *("traditional.f1", "weighted.precision", "weighted.recall", "weighted.f1"),
    },
    "spans.partial": {"precision", "recall", "f1"},
    "trees.parseval": {
        *("precision", "recall", "f1", "macro_f1", "complete", "crossing", "no_crossing"),
        *("two_or_less_crossing", "tagging"),
    },
    **{
        f"deps.{prefix}{name}": {"precision", "recall", "f1", "aligned_accuracy", "complete"}
        for name in DEPS
        for prefix in ("", "ud.")
    },
    "trees.leaf_ancestor": {"words", "sentences"},
    "trees.triples": {"precision", "recall", "f1"},
    **{f"coref.{name}": {"precision", "recall", "f1"} for name in COREF},
    "coref.conll": {"f1", "muc", "b3", "ceafe"},
    "theories.tedeval": {"ratio", "sentences"},
    "coref.arcs_any": {"precision", "recall", "f1", "accuracy"},
    "coref.arcs_nom": {"precision", "recall", "f1", "accuracy"},
    "trees.fair": {
        f"{kind}{part}"
        for kind in ("", "traditional.", "weighted.")
        for part in ("precision", "recall", "f1")
    },
}
COUNTS = {
    "tags.accuracy": {"correct", "items"},
    "spans.f1": {"correct", "gold", "system"},
    "spans.fair": {"tp", "fp", "fn", "le", "be", "bes", "bel", "beo", "lbe"},
    "spans.partial": {
        *("correct", "incorrect", "partial", "missed", "spurious", "possible", "actual")
    },
    "trees.parseval": {
        *("correct", "gold", "system", "crossing", "words", "tags_correct", "complete"),
        *("sentences", "skipped"),
    },
    **{
        f"deps.{prefix}{name}": {"correct", "gold", "system", "aligned"}
        for name in DEPS
        for prefix in ("", "ud.")
    },
    "trees.leaf_ancestor": {"leaves"},
    "trees.triples": {"correct", "gold", "system"},
    **{f"coref.{name}": FRACTIONS for name in COREF},
    "coref.blanc": {f"{kind}.{name}" for kind in ("coref", "noncoref") for name in FRACTIONS},
    "coref.conll": set(),
    "theories.tedeval": {"delta", "parse", "gen", "excused"},
    "coref.arcs_any": {"tp", "fp", "fn", "wl"},
    "coref.arcs_nom": {"tp", "fp", "fn", "wl"},
    "trees.fair": {"tp", "fp", "fn", "le", "be", "bes", "bel", "beo", "lbe"},
}


def variants(metric: Metric) -> list[Metric]:
    """The metric with the parameters that have a list of choices: every two choices of two of them
    meet, but for those that it refuses together. A mode is what it is, and parameters of a set's
    members are the set's."""
    return [metric] if repr(metric) != metric.id or metric.member else covering(type(metric))


@cache
def covering(plugin: type[Metric]) -> list[Metric]:
    """Few variants in which all pairs of choices occur that occur in any."""
    axes = {f.name: f.metadata["choices"] for f in fields(plugin) if f.metadata.get("choices")}
    accepted, pairs = [], []
    numbers: dict[object, int] = {}
    for values in itertools.product(*axes.values()):
        chosen = [*zip(axes, values, strict=True)]
        with suppress(UsageError):
            accepted.append(plugin(**dict(chosen)))
            met = itertools.combinations(chosen, min(2, len(chosen)))
            pairs.append([numbers.setdefault(pair, len(numbers)) for pair in met])
    of_each, left = np.array(pairs), np.ones(len(numbers), np.bool_)
    found = []
    while left.any():
        best = int(left[of_each].sum(axis=1).argmax())
        left[of_each[best]] = False
        found.append(accepted[best])
    return found


def judged_variants(
    metric: Metric, gold: Corpus, system: Corpus
) -> Iterator[tuple[Metric, Decisions | None, Stats]]:
    """Each with its decisions and stats; a strict mode may refuse tags of another scheme, and a
    parameter may ask for a layer that is not there."""
    for variant in variants(metric):
        try:
            yield variant, *judge(variant, gold, system)
        except FormatError:
            assert "strict" in repr(variant)
            assert "scheme" in repr(variant)
        except LayerError:
            assert "punct='tag'" in repr(variant)


def judge(metric: Metric, gold: Corpus, system: Corpus) -> tuple[Decisions | None, Stats]:
    fitted = metric.fit(metric.facts(gold))
    alignment = aligned(fitted, gold, system)
    decisions = fitted.decide(gold, system, alignment) if has_items(fitted) else None
    stats = fitted.measure(gold, system, alignment)
    if decisions is not None:
        assert np.array_equal(fitted.stats(decisions, labels=False).dense, stats.dense)
    return decisions, stats


@pytest.fixture(params=[*METRICS, *MODES])
def metric(request: pytest.FixtureRequest) -> Metric:
    return make(request.param)


@pytest.fixture
def pair(metric: Metric) -> tuple[Corpus, Corpus]:
    gold, _, system, _ = sample_of(metric)
    if "enhanced" in (metric.needs() or ()):
        return enhanced(gold), enhanced(system)
    return with_heads(gold), with_heads(system)


def with_heads(corpus: Corpus) -> Corpus:
    """The corpus with the last word of every mention as its head."""
    chains = corpus.of_kind(Chains)
    return replace(
        corpus,
        layers={**corpus.layers, **{n: replace(c, head=c.end - 1) for n, c in chains.items()}},
    )


def enhanced(corpus: Corpus) -> Corpus:
    """The corpus with graphs: every tree, and a second edge from each word's grandparent."""
    arcs = corpus.layer("deps", Arcs)
    heads = arcs.head.tolist()
    cells = []
    for token, (head, label) in enumerate(zip(heads, arcs.label.to_list(), strict=True)):
        cell = f"{head}:{label}:x"
        if head:
            base = int(corpus.offsets[corpus.sentence_of_token[token]])
            cell += f"|{heads[base + head - 1]}:ref>{label}"
        cells.append(cell)
    return replace(corpus, extras={**corpus.extras, "enhanced": Tags(Labels.of(cells))})


def test_gold_against_itself_is_perfect(metric: Metric, pair: tuple[Corpus, Corpus]) -> None:
    gold, _ = pair
    for variant, decisions, stats in judged_variants(metric, gold, gold):
        if variant.parameters().get("singletons") in ("drop_gold", "drop_system"):
            continue  # both sides have something to drop
        if decisions is not None and not len(decisions):
            strict = "drop" in repr(variant) or "strict" in repr(variant)
            assert strict, "only spans of another scheme may vanish"
            continue
        value = part_of(variant)
        best = value.range[1] if value.better == "higher" else value.range[0]
        assert float(variant.score(stats.totals())[variant.headline]) == best
        if decisions is not None:
            assert (decisions.outcome == OUTCOMES.index("correct")).all()


def test_order_of_units_is_irrelevant(metric: Metric, pair: tuple[Corpus, Corpus]) -> None:
    gold, system = pair
    units = units_of(metric, gold)
    order = np.random.default_rng(0).permutation(len(units))
    sentences = np.concatenate([units[unit] for unit in order])
    _, stats = judge(metric, gold, system)
    _, shuffled = judge(metric, gold.take(sentences), system.take(sentences))
    assert np.array_equal(stats.dense[order], shuffled.dense)
    for name, value in metric.score(stats.totals()).items():
        other = metric.score(shuffled.totals())[name]
        assert np.isclose(value, other, rtol=0, atol=1e-12, equal_nan=True)


def test_stats_add_up_over_concatenation(metric: Metric, pair: tuple[Corpus, Corpus]) -> None:
    gold, system = pair
    units = units_of(metric, gold)
    cut = np.isin(np.arange(gold.sentence_count), np.concatenate(units[: len(units) // 2]))
    _, whole = judge(metric, gold, system)
    parts = [judge(metric, gold.take(m), system.take(m))[1] for m in (cut, ~cut)]
    summed = parts[0] + parts[1]
    assert np.array_equal(whole.dense, summed.dense)
    assert _label_totals(whole) == _label_totals(summed)
    twice = [c.take([*range(gold.sentence_count)] * 2) for c in (gold, system)]
    assert np.array_equal(judge(metric, *twice)[1].dense, np.concatenate([whole.dense] * 2))


def _label_totals(stats: Stats) -> dict[tuple[str, str], float]:
    totals = stats.totals()
    return {
        (column, label): float(block[i])
        for column, block in totals.sparse.items()
        for i, label in enumerate(totals.labels)
        if block[i]
    }


def test_counting_computes_no_answers(metric: Metric, pair: tuple[Corpus, Corpus]) -> None:
    decisions, _ = judge(metric, *pair)
    if decisions is None:
        pytest.skip(f"{metric.id} has no items")
    for name in ("answer", "item", "gold_row", "system_row"):
        assert callable(decisions.columns[name]), "made when it is asked for"


def test_only_facts_about_all_files_hinder_judging_one(metric: Metric) -> None:
    for variant in variants(metric):
        given = variant.parameters()
        asks = given.get("scheme") == "auto" and (
            (given.get("repair") == "drop" and given.get("expected") is None)
            or given.get("compat") == "seqeval-strict"
        )
        asks = asks or given.get("rules", "") is None  # head rules that fit the labels
        asks = asks or given.get("tags") == "auto"  # a layer with nouns
        assert (variant.fit(frozenset()) != variant) == asks


def test_text_parses_back(metric: Metric) -> None:
    for variant in variants(metric):
        assert make(repr(variant)) == variant
    if any(f.name == "column" for f in fields(metric)):
        odd = type(metric)(column='it\'s, (odd)=\\ "q"')  # type: ignore[call-arg]
        assert make(repr(odd)) == odd


def test_empty_input_is_undefined_with_a_reason(
    metric: Metric, pair: tuple[Corpus, Corpus]
) -> None:
    gold, system = (c.take(np.zeros(0, np.int64)) for c in pair)
    fitted = metric.fit(metric.facts(pair[0]))
    alignment = aligned(fitted, gold, system)
    stats = fitted.measure(gold, system, alignment)
    assert not has_items(fitted) or len(fitted.decide(gold, system, alignment)) == 0
    scores = metric.score(stats.totals())
    assert np.isnan(scores[metric.headline])
    for name, value in scores.items():
        if np.isnan(value):
            assert metric.reason(name)


def test_numbers_are_in_range(metric: Metric, pair: tuple[Corpus, Corpus]) -> None:
    for variant, _, stats in judged_variants(metric, *pair):
        declared = {part.name: part for part in variant.parts}
        scores = variant.score(stats.totals())
        assert declared.keys() >= scores.keys(), "every part is declared"
        for name, value in (*scores.items(), *variant.label_scores(stats.totals()).items()):
            low, high = declared[name].range
            assert ((value >= low) & (value <= high) | np.isnan(value)).all()
            assert declared[name].over is not None or np.isnan(value).all()


def test_parts_are_consistent(metric: Metric) -> None:
    names = [part.name for part in metric.parts]
    assert len({*names}) == len(names)
    counts = {count.name for count in metric.counts}
    assert {metric.headline, *metric.shown} <= {*names, *counts}
    for part in metric.parts:
        assert part.range[0] < part.range[1]
        assert part.kind != "share" or part.range == (0.0, 1.0)
        assert {*(part.mean_of or ())} <= {*names}


def test_score_is_vectorised_over_leading_axes(metric: Metric, pair: tuple[Corpus, Corpus]) -> None:
    _, stats = judge(metric, *pair)
    weights = np.random.default_rng(1).integers(0, 3, (4, stats.units)).astype(float)
    many = metric.score(stats.totals(weights))
    for i, row in enumerate(weights):
        one = metric.score(stats.totals(row[None, :]))
        for name in many:
            assert np.allclose(many[name][i], one[name][0], equal_nan=True)
    all_ones = metric.score(stats.totals(np.ones((1, stats.units))))
    for name, value in metric.score(stats.totals()).items():
        assert np.isclose(all_ones[name][0], value, equal_nan=True)


def test_rows_are_consistent(metric: Metric, pair: tuple[Corpus, Corpus]) -> None:
    decisions, stats = judge(metric, *pair)
    if decisions is None:
        pytest.skip(f"{metric.id} has no items")
    size = len(decisions)
    for column in ("item", "gold", "system", "answer", "outcome", "error_type", "credit"):
        assert len(getattr(decisions, column)) == size
    assert len(np.unique(decisions.item)) == size, "at most one row per item"
    assert decisions.unit.min() >= 0
    assert decisions.unit.max() < decisions.units == stats.units
    extra = decisions.outcome == OUTCOMES.index("extra")
    assert ((decisions.item < 0) == extra).all()
    assert extra[decisions.gold < 0].all(), "only what the system added may lack a gold label"
    fitted = metric.fit(metric.facts(pair[0]))
    ours, theirs = (fitted.items(corpus) for corpus in pair)
    assert (decisions.gold_row[~extra] == decisions.item[~extra]).all()
    assert decisions.gold_row.max() < len(ours)
    # What a system has in place of a missing item may be no item of the metric, and still shown.
    assert (decisions.outcome[decisions.system_row < 0] == OUTCOMES.index("missing")).all()
    assert decisions.system_row.max() < len(theirs)
    assert decisions.error_type.max() < len(decisions.error_types)
    assert len(decisions.to_frame()) == size


def test_names_of_parts_and_counts_are_stable(metric: Metric, pair: tuple[Corpus, Corpus]) -> None:
    _, stats = judge(metric, *pair)
    totals = stats.totals()
    scores = metric.score(totals)
    assert scores.keys() >= PARTS.get(metric.id, set())
    counts = {each.name for each in metric.counts}
    assert counts >= COUNTS.get(metric.id, set())
    assert metric.headline in scores
    assert all(name in totals for name in counts)


@pytest.fixture(params=REGISTERED)
def plugin(request: pytest.FixtureRequest) -> type[Metric] | type[MetricSet]:
    return registry.get("metrics", request.param)  # type: ignore[return-value]


def test_every_parameter_is_described(plugin: type[Metric] | type[MetricSet]) -> None:
    for f in fields(plugin):
        assert f.metadata.get("help"), f"{plugin.id}: {f.name} has no help"
        assert f.default is not MISSING, f"{plugin.id}: {f.name} has no default"


def test_is_cited_and_titled(plugin: type[Metric] | type[MetricSet]) -> None:
    assert plugin.cite.startswith("@")
    assert plugin.title
    assert plugin.family in registry.names("families")
    assert plugin.version >= 1
