"""A comparison as one table of single numbers (CSV)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, starmap
from typing import TYPE_CHECKING, Any

from tertium.comparison.pairs import CLASSES
from tertium.report.render.tidy import header, table
from tertium.results.scores import flatten

if TYPE_CHECKING:
    from tertium.comparison.bounds import Oracle
    from tertium.comparison.compare.result import Comparison
    from tertium.comparison.golds import Golds
    from tertium.comparison.pairs import Pair
    from tertium.results.assessment import Assessment
    from tertium.results.scenes import Scene

_Row = dict[str, Any]
_FRIEDMAN = ("chi_square", "p", "f", "f_p")


def render(comparison: Comparison, examples: Iterable[tuple[Pair, str, Scene]] = ()) -> str:
    """Every number of a comparison in a row of its own. An undefined value is empty.

    `section` says what the row is about; what does not concern it is empty. Patterns of systems are
    written with ` + ` between names.
    """
    return table(header("class", "gold"), chain(_rows(comparison), starmap(_example, examples)))


def _rows(comparison: Comparison) -> Iterator[_Row]:
    for result in comparison.scores:
        for group, each in {"": result, **result.groups}.items():
            figures = {"value": each.value, **each.parts, "counts": each.counts}
            head = {"metric": result.metric, "group": group, "a": result.system}
            yield from _parts("scores", head, figures)
    for ran in comparison.scores.run_summaries:
        figures = {"count": len(ran.runs), "mean": ran.mean, "sd": ran.sd}
        yield from _parts("runs", {"metric": ran.metric, "a": ran.system}, figures)
    if comparison.assessment is not None:
        yield from _significance(comparison.assessment)
    if comparison.golds is not None:
        yield from _golds(comparison.golds)
    for view in comparison.views:
        for group, part in {"": view, **view.groups}.items():
            head = {"metric": view.metric, "group": group}
            yield {**head, "section": "view", "part": "average_diff", "value": part.average_diff}
            for pair in part.pairs:
                yield from _pair(pair, {**head, "a": pair.a, "b": pair.b})
            yield from _oracle(part.oracle, head)
    for vote in comparison.ensembles:
        for result in vote.scores:
            head = {"metric": result.metric, "a": vote.name}
            yield from _parts("ensemble", head, {"value": result.value, **result.parts})
        for gain in vote.gains:
            figures = gain._asdict()
            head = {"metric": figures.pop("metric"), "a": vote.name}
            figures |= {"accuracy": gain.accuracy, "closed": gain.closed}
            yield from _parts("ensemble_gain", head, figures)


def _significance(found: Assessment) -> Iterator[_Row]:
    """Intervals and letters of systems, tests of pairs, and ranks across groups of units."""
    for (system, metric, group), interval in found.intervals.items():
        head = {"metric": metric, "group": group or "", "a": system}
        yield from _parts("interval", head, {"low": interval.low, "high": interval.high})
    for (system, metric), letters in found.letters.items():
        yield from _parts("letters", {"metric": metric, "a": system}, {"letters": letters})
    for each in found.comparisons:
        head = {"metric": each.metric, "group": each.group or "", "a": each.a, "b": each.b}
        figures = {"delta": each.test.delta, "p": each.test.p, "adjusted": each.adjusted}
        if each.interval is not None:
            figures |= {"low": each.interval.low, "high": each.interval.high}
        yield from _parts("test", head, figures)
    for metric, across in found.across.items():
        told = across.to_dict()
        for system, rank in told["mean_ranks"].items():
            yield from _parts("ranks", {"metric": metric, "a": system}, {"mean_rank": rank})
        friedman = {k: v for k, v in told.get("friedman", {}).items() if k in _FRIEDMAN}
        if friedman:
            friedman["critical_difference"] = told["critical_difference"]
            yield from _parts("friedman", {"metric": metric}, friedman)
        for pair in told["pairs"]:
            head = {"metric": metric, "a": pair["a"], "b": pair["b"]}
            figures = {"p": pair["wilcoxon"]["p"], "adjusted": pair["adjusted"]}
            yield from _parts("wilcoxon", head, figures)
        for pair in told["replicability"]:
            head = {"metric": metric, "a": pair["a"], "b": pair["b"]}
            yield from _parts("effect", head, {"count": pair["count"], "used": pair["used"]})


def _golds(golds: Golds) -> Iterator[_Row]:
    """Values against each gold standard, named in `b`, their summary, and agreement of two."""
    for each in golds.scores:
        head = {"metric": each.metric, "a": each.system}
        for name, value in zip(golds.names, each.values, strict=True):
            yield {**head, "section": "golds", "b": name, "part": "value", "value": value}
        summary = {"minimum": each.minimum, "mean": each.mean, "maximum": each.maximum}
        yield from _parts("golds", head, summary)
    for pair in golds.agreements:
        figures = pair._asdict()
        head = {name: figures.pop(name) for name in ("metric", "a", "b")}
        yield from _parts("gold_agreement", head, figures)


def _parts(section: str, head: Mapping[str, Any], figures: Mapping[str, Any]) -> Iterator[_Row]:
    for part, value in flatten(figures).items():
        yield {**head, "section": section, "part": part, "value": value}


def _pair(pair: Pair, head: Mapping[str, Any]) -> Iterator[_Row]:
    entry = pair.to_dict()
    labels, transitions = entry.pop("labels"), entry.pop("transitions")
    for name in ("a", "b", "layer", "metric", "reason", "reasons"):
        entry.pop(name, None)
    yield from _parts("pair", head, entry)
    for kind in CLASSES:
        for found in transitions[kind]:
            yield {
                **head,
                "section": "transition",
                "class": kind,
                "gold": found.get("gold"),
                "from": found["a"],
                "to": found["b"],
                "part": "count",
                "value": found["count"],
            }
    for label, figures in labels.items():
        yield from _parts("label", {**head, "gold": label}, figures)


def _oracle(oracle: Oracle, head: Mapping[str, Any]) -> Iterator[_Row]:
    whole = {"correct": oracle.correct, "items": oracle.items, "bound": oracle.bound}
    yield from _parts("oracle", head, {**whole, "gain": oracle.gain})
    for row in oracle.labels:
        label = {**head, "gold": row.label}
        figures = {"items": row.items, "correct": row.bound, "all_right": row.all_right}
        figures |= {"none_right": row.none_right}
        gains = {"gain": row.gain, "gain_label": row.gain_label}
        yield from _parts("oracle_label", label, {**figures, **gains})
        for system, right in zip(oracle.systems, row.right, strict=True):
            yield from _parts("oracle_label", {**label, "a": system}, {"right": right})
    for count, items in enumerate(oracle.by_solvers):
        yield {**head, "section": "solvers", "part": count, "value": items}
    for pattern in oracle.patterns:
        names = " + ".join(pattern.systems)
        yield {**head, "section": "pattern", "a": names, "part": "count", "value": pattern.count}
    for each in oracle.contributions:
        figures = {"right": each.right, "alone": each.alone}
        yield from _parts(
            "contribution", {**head, "a": each.system}, {**figures, "mean": each.mean}
        )
    for systems, bound in oracle.best_subsets:
        names = " + ".join(systems)
        yield {**head, "section": "best_set", "a": names, "part": "correct", "value": bound}


def _example(pair: Pair, kind: str, scene: Scene) -> _Row:
    from tertium.comparison.examples import claims, in_context

    gold, a, b = claims(scene)
    return {
        "section": "example",
        "metric": pair.metric,
        "a": pair.a,
        "b": pair.b,
        "class": kind,
        "gold": gold,
        "from": a,
        "to": b,
        "sentence": scene.id,
        "text": in_context(scene, around=None),
    }
