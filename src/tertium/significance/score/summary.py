"""Scores in one sentence: which system is best by the main metric, by how much, and whether that
may be chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from tertium.results.assessment import TIE, Assessment, Interval
from tertium.results.parts import PartKind
from tertium.results.scores import Result
from tertium.results.texts import change, level_text, listed, number, p_text
from tertium.significance.runs import with_means
from tertium.significance.score.result import Scores
from tertium.significance.tables import SHORT, is_corrected

MOST = 3  # systems that are named where there is no best one


def main_metric(scores: Scores) -> str:
    """The metric that is meant if only one can be named: of those that have a value, the one that
    the annotation is usually judged by, of several the one that most systems have a value for;
    empty if nothing was scored."""
    every = [*scores]
    defined = Counter(r.metric for r in every if r.value is not None)
    rank = {r.metric: (r.prominence, defined[r.metric]) for r in every}
    best = max(every, key=lambda r: (r.value is not None, rank[r.metric]), default=None)
    return "" if best is None else best.metric


def ranked(scores: Scores, metric: str) -> list[Result]:
    """The systems that have a value, the best first; of equals the first given. Runs of a system
    are one result."""
    there = [r for r in with_means(scores) if r.metric == metric and r.value is not None]
    sign = scores.part(metric).sign
    return sorted(there, key=lambda result: -sign * (result.value or 0.0))


def summary(
    scores: Scores,
    assessment: Assessment | None,
    names: Mapping[str, str] | None = None,
    metric: str = "",
) -> str:
    """The sentence, for the main metric or another one; `names` are shorter ones of systems."""
    metric = metric or main_metric(scores)
    if not metric:
        return f"Nothing was scored against {scores.gold}"
    order = ranked(scores, metric)
    undefined = [r for r in with_means(scores) if r.metric == metric and r.value is None]
    short = {r.system: (names or {}).get(r.system, r.system) for r in (*order, *undefined)}
    if not order:
        return f"{scores.names[metric]} is undefined: {_reason(undefined)}"
    if len(order) == 1:
        text = "".join(_single(scores, order[0], assessment, short[order[0].system]))
    else:
        text = _several(order, assessment, short, scores.names[metric])
    if undefined:
        text += f"; undefined for {listed([short[r.system] for r in undefined])}"
    return text


def _reason(results: Sequence[Result]) -> str:
    return next((why for r in results if (why := r.reasons.get("value"))), "there is no value")


def _value(result: Result) -> str:
    return number(result.value or 0.0, result.part().kind)


def _single(
    scores: Scores, result: Result, assessment: Assessment | None, name: str
) -> Iterator[str]:
    """One system: its value, the interval, the change since an earlier run."""
    metric, kind = result.metric, result.part().kind
    yield f"{name}: {scores.names[metric]} {_value(result)}"
    runs = scores.runs.get(result.system, (result.system,))
    if len(runs) > 1:
        yield f" (mean of {len(runs)} runs)"
    if assessment is not None:
        yield _interval(assessment.intervals.get((result.system, metric, None)), result)
    if scores.against is not None:
        found = scores.against.change(runs, metric, "")
        if found.delta is not None:
            yield f", {change(found.delta, kind)} since {scores.against.origin}"
    told = [
        part.told.format(number(value, part.kind))
        for part in result.declared
        if part.told and (value := result.numbers.get(part.name)) is not None
    ]
    yield "".join(f"; {' and '.join(told)}" if told else "")


def _interval(interval: Interval | None, result: Result) -> str:
    if interval is None or interval.low is None or interval.high is None:
        return ""
    low, high = (number(end, result.part().kind) for end in (interval.low, interval.high))
    return f", {level_text(interval.level)} CI {low} to {high}"


def _several(
    order: Sequence[Result],
    assessment: Assessment | None,
    short: Mapping[str, str],
    name: str,
) -> str:
    """Who is best by the metric of that name, and how far ahead of the next; who ties, where
    several are best."""
    first, part = order[0], order[0].part()
    if part.better == "none":
        values = [f"{short[r.system]} {_value(r)}" for r in order]
        return f"{name}: {listed(values, MOST)}"
    best = [r for r in order if abs((r.value or 0.0) - (first.value or 0.0)) <= TIE]
    if len(best) == len(order):
        who = listed([short[r.system] for r in best], MOST)
        return f"{who} have the same {name}: {_value(first)}"
    if len(best) > 1:
        return f"{listed([short[r.system] for r in best], MOST)} are best: {name} {_value(first)}"
    second = order[1]
    among = "" if len(order) == 2 else f" of {len(order)}"
    text = f"{short[first.system]} is best{among}: {name} {_value(first)}, "
    gap = _gap((first.value or 0.0) - (second.value or 0.0), part.kind)
    other = short[second.system]
    text += f"{gap} over {other}" if part.better == "higher" else f"{gap} compared with {other}"
    return f"{text}{_tested(assessment, first.system, second.system, first.metric)}"


def _gap(difference: float, kind: PartKind) -> str:
    """A difference that is there, if only too small to be shown.

    >>> _gap(0.02, "share"), _gap(0.00002, "share")
    ('+2.00', 'less than 0.01')
    """
    shown = change(difference, kind)
    if any(digit in "123456789" for digit in shown):
        return shown
    return f"less than {shown.lstrip('+-')[:-1]}1"


def _tested(assessment: Assessment | None, a: str, b: str, metric: str) -> str:
    """Whether the difference may be chance."""
    found = None if assessment is None else assessment.of(a, b, metric)
    if assessment is None or found is None:
        return ""
    if found.test.p is None or found.adjusted is None:
        return ", not tested"
    told = p_text(found.adjusted, found.test.least * assessment.family(found).tests)
    if is_corrected(assessment):
        told += f" ({SHORT[assessment.testing.correction]})"
    if found.is_significant(assessment.testing.alpha):
        return f", {told}"
    return f", not significant: {told}"
