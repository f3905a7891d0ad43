"""Gates: values that scores must reach, or the command fails (exit 1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tertium import registry
from tertium.exceptions import GateError, UsageError, suggestion
from tertium.results.scores import Result
from tertium.significance.score.result import Scores


def parse_gates(texts: Sequence[str]) -> dict[str, float]:
    """`METRIC=VALUE` texts as a dictionary. The last `=` counts: parameters hold others."""
    gates: dict[str, float] = {}
    for text in texts:
        metric, equals, value = text.rpartition("=")
        if not equals or not metric.strip():
            example = registry.with_examples("{LAS}=0.85")
            raise UsageError(f"a gate is METRIC=VALUE, such as {example}. Got '{text}' instead.")
        number = gate_value(value.strip(), metric := metric.strip())
        if gates.setdefault(metric, number) != number:
            raise UsageError(f"two gates for {metric}: {gates[metric]:g} and {number:g}")
    return gates


def gate_value(value: object, metric: str) -> float:
    """A value that the metric can have; of a share, something like 85 is taken for what it is, a
    percentage."""
    from tertium.families.base import named_part

    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise UsageError(f"the gate of {metric} must be a number. Got '{value}' instead.") from None
    part = named_part(metric)
    low, high = part.range
    if not low <= number <= high:
        is_share = part.kind == "share"
        percent = f"for {number:g} % write {metric}={number / 100:g}"
        raise UsageError(
            f"the gate of {metric} must be {'a fraction ' if is_share else ''}from {low:g} to "
            f"{high:g}. Got {value} instead.",
            help=percent if is_share and 1 < number <= 100 else None,
        )
    return number


def check_names(gates: Mapping[str, float]) -> None:
    """Refuse misspelt metrics, and parts of metrics, before anything is scored."""
    known = registry.names("metrics")
    for text in gates:
        name = registry.parse_call(text)[0]
        own = max((k for k in known if name == k or name.startswith(f"{k}.")), key=len, default="")
        if own and own != name and not is_set(own):
            raise UsageError(
                f"the gate '{text}' names a part; a gate is on the value of a metric",
                help=f"parameters change the value: '{own}(...)'",
            )
        if not own:
            raise UsageError(
                f"the gate '{text}' names no metric.{suggestion(name, known)}",
                help="'tertium list metrics' shows all",
            )


def is_set(name: str) -> bool:
    """Is a metric's name that of a set, whose members have names of their own?"""
    from tertium.families.sets import MetricSet

    return issubclass(registry.get("metrics", name), MetricSet)


def check_gates(scores: Scores, gates: Mapping[str, float]) -> None:
    """Raise GateError, naming every offender, unless all systems meet all gates.

    A gate holds for the metric of that very text or, given as a bare id, for every result of that
    id. An undefined value does not meet a gate. Where lower is better, the gate is a ceiling.
    """
    offenders = []
    for text, gate in gates.items():
        results = [r for r in scores if is_meant(text, r.metric)]
        if not results:
            raise UsageError(
                f"there is no score of '{text}' for its gate.{suggestion(text, scores.metrics)}",
                help=f"scored: {', '.join(scores.metrics)}",
            )
        if results[0].better == "none":
            raise UsageError(f"{text} cannot have a gate: no value of it is better than another")
        offenders += [line for r in results if (line := _offence(r, gate))]
    if offenders:
        raise GateError(*offenders)


def is_meant(text: str, metric: str) -> bool:
    """Is a metric the one of this very text, or of this bare id?"""
    wanted, there = registry.parse_call(text), registry.parse_call(metric)
    return wanted == there or (wanted[0] == there[0] and not wanted[1])


def _offence(result: Result, gate: float) -> str:
    what = f"gate not met: {result.metric} of {result.system} is"
    if result.value is None:
        return f"{what} undefined ({result.reasons.get('value', 'no reason given')})"
    if result.better == "lower":
        return f"{what} {_exact(result.value, gate)}, above {gate:g}" if result.value > gate else ""
    return f"{what} {_exact(result.value, gate)}, below {gate:g}" if result.value < gate else ""


def _exact(value: float, gate: float) -> str:
    """Four digits, or as many as it takes to look different from the gate."""
    for digits in (4, 6, 10):
        if float(f"{value:.{digits}f}") != gate:
            return f"{value:.{digits}f}"
    return repr(value)
