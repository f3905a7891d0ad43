"""Gates: values that scores must reach, or the command fails (exit 1)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tertium import registry
from tertium.exceptions import UsageError, Verdict, suggestion
from tertium.options import GATES, option
from tertium.results.assessment import TIE
from tertium.results.names import short_names
from tertium.results.parts import Part
from tertium.results.scores import Result
from tertium.results.texts import change as signed
from tertium.results.texts import number
from tertium.significance.runs import with_means
from tertium.significance.score.result import Scores

OPTION = "--fail-if-worse"
ANY = ""  # no metric was named: all that are compared


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
    from tertium.families.sets import named_part

    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise UsageError(f"the gate of {metric} must be a number. Got '{value}' instead.") from None
    part = named_part(metric)
    low, high = part.range
    if not low <= number <= high:
        is_share = part.kind == "share"
        percent = f"for {number:g}% write {metric}={number / 100:g}"
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
                f"the gate '{text}' names a part; gates apply to the main value of a metric",
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


def floor_verdicts(scores: Scores, gates: Mapping[str, float]) -> Iterator[Verdict]:
    """Does every system meet every gate?

    A gate holds for the metric of that very text or, given as a bare id, for every result of that
    id. An undefined value does not meet a gate. Where lower is better, the gate is a ceiling.
    """
    for text, gate in gates.items():
        results = [r for r in scores if is_meant(text, r.metric)]
        if not results:
            raise UsageError(
                f"there is no score of '{text}' for its gate.{suggestion(text, scores.metrics)}",
                help=f"scored: {', '.join(scores.metrics)}",
            )
        if results[0].better == "none":
            raise UsageError(
                f"{text} cannot have a gate: neither higher nor lower values are better"
            )
        for result in results:
            bound = "at most" if result.better == "lower" else "at least"
            check = f"{result.metric} of {result.system} is {bound} {gate:g}"
            yield Verdict(check, _offence(result, gate, named(scores, result)))


def named(scores: Scores, result: Result) -> str:
    """What a result is called in messages, as in tables."""
    short = short_names(scores.systems)
    return f"{scores.names[result.metric]} of {short.get(result.system, result.system)}"


def is_meant(text: str, metric: str) -> bool:
    """Is a metric the one of this very text, or of this bare id?"""
    wanted, there = registry.parse_call(text), registry.parse_call(metric)
    return wanted == there or (wanted[0] == there[0] and not wanted[1])


def is_metric(text: str) -> bool:
    """Does a text name a metric, or a member of a set?"""
    try:
        name = registry.parse_call(text)[0]
    except UsageError:
        return False
    known = registry.names("metrics")
    return name in known or any(name.startswith(f"{k}.") and is_set(k) for k in known)


@dataclass(frozen=True)
class WorseOptions:
    """Gates on a change for the worse; the verbs say what is compared with what. In Python
    `fail_if_worse` may be True, for any metric."""

    fail_if_worse: tuple[str, ...] = option(
        (), "Exit with 1 if the last system is worse than the first by this metric, or by any "
        "metric compared; repeatable.",
        metavar="[METRIC]", is_value=is_metric, group=GATES, objects=True
    )  # fmt: skip
    max_drop: float | None = option(
        None, "With --fail-if-worse: allow a loss of up to X. Percentages are in points, as in the "
        "tables: 0.2 allows 82.65 to become 82.45. Other numbers are in their own unit.",
        kind=float, metavar="X", least=0, group=GATES
    )  # fmt: skip

    def __post_init__(self) -> None:
        given: Any = self.fail_if_worse
        if isinstance(given, bool):
            object.__setattr__(self, "fail_if_worse", (ANY,) if given else ())
        elif not all(isinstance(text, str) for text in given):
            raise UsageError(f"fail_if_worse must be True or metrics. Got {given!r} instead.")

    def check_names(self) -> None:
        """Refuse misspelt metrics, and a loss that nobody measures, before anything is read."""
        for text in self.fail_if_worse:
            if text != ANY and not is_metric(text):
                known = registry.names("metrics")
                raise UsageError(
                    f"'{OPTION}={text}' does not name a metric.{suggestion(text, known)}",
                    help="'tertium list metrics' shows all",
                )
        if self.max_drop is not None and not self.fail_if_worse:
            raise UsageError(f"'--max-drop' needs '{OPTION}'", help=f"add '{OPTION}'")


def judged(text: str, scores: Scores, usual: Collection[str]) -> list[str]:
    """The metrics that `--fail-if-worse` means; ANY are the usual ones."""
    metrics = [m for m in scores.metrics if (m in usual if text == ANY else is_meant(text, m))]
    if not metrics:
        raise UsageError(
            f"there is no score of '{text}' for '{OPTION}'.{suggestion(text, scores.metrics)}",
            help=f"scored: {', '.join(scores.metrics)}",
        )
    ranked = [each for each in metrics if scores.part(each).better != "none"]
    if (text != ANY and len(ranked) < len(metrics)) or not ranked:
        raise UsageError(
            f"'{OPTION}' cannot judge {', '.join(metrics)}: "
            "neither higher nor lower values are better"
        )
    return ranked


def drop_verdicts(scores: Scores, asked: WorseOptions) -> Iterator[Verdict]:
    """Is any system worse than in the earlier result? Of several runs the means count.

    Against a different gold standard that cannot be judged, and the gate is not met. What the
    earlier result lacks is an offence if its metric was named, and is left out otherwise, unless
    nothing would be left.
    """
    against = scores.against
    if against is None or not asked.fail_if_worse:
        return
    if against.other_gold:
        yield Verdict(
            f"{against.origin} was scored against the same gold standard",
            f"{against.origin} was scored against a different gold standard "
            f"({against.other_gold}): the gate cannot be judged",
        )
        return
    pooled = with_means(scores)
    compared = False
    for text in asked.fail_if_worse:
        metrics = judged(text, scores, scores.metrics)
        for result in (r for r in pooled if r.metric in metrics):
            runs = [*scores.runs.get(result.system, (result.system,))]
            change = against.change(runs, result.metric, "")
            what = named(scores, result)
            check = f"{result.metric} of {result.system} is not worse than in {against.origin}"
            if change.delta is None:
                is_lost = result.value is None and change.earlier is not None
                if text != ANY or is_lost:
                    yield Verdict(check, f"{what}: {change.reason}")
                    compared = True
                continue
            assert change.earlier is not None
            assert result.value is not None
            compared = True
            part, before = result.part(), f"in {against.origin}"
            more = f" by more than {_size(asked.max_drop, part)}" if asked.max_drop else ""
            yield Verdict(
                f"{check}{more}",
                loss(what, part, (change.earlier, before), (result.value, ""), asked),
            )
    if not compared:
        raise UsageError(
            f"{against.origin} has no score that '{OPTION}' could compare",
            help="; ".join(against.notes) or None,
        )


def loss(
    what: str,
    part: Part,
    before: tuple[float, str],
    now: tuple[float, str],
    asked: WorseOptions,
) -> str:
    """How much worse a value has become, if that is more than allowed; each value comes with what
    it is of."""
    (old, old_name), (new, new_name) = before, now
    rises = part.better == "lower"
    scale = 100 if part.kind == "share" else 1
    if (new - old if rises else old - new) <= (asked.max_drop or 0) / scale + TIE:
        return ""
    first, last = _apart(old, new, part)
    delta = signed(new - old, part.kind)
    found = f"{what} {'rose' if rises else 'fell'} from {first} {old_name} to {last} {new_name}"
    if delta.strip("0.,"):
        found = f"{found.rstrip()} ({delta})"
    if asked.max_drop:
        found += f", more than the {_size(asked.max_drop, part)} allowed"
    return found.rstrip()


def _size(loss: float, part: Part) -> str:
    """A loss that is allowed, with the digits of the tables if it needs no more."""
    is_plain = part.kind == "share" and round(loss, 2) == loss
    return f"{loss:.2f}" if is_plain else f"{loss:g}"


def _offence(result: Result, gate: float, name: str) -> str:
    what = f"{name} is"
    if result.value is None:
        return f"{what} undefined ({result.reasons.get('value', 'no reason given')})"
    is_ceiling = result.better == "lower"
    if (result.value <= gate) if is_ceiling else (result.value >= gate):
        return ""
    part = result.part()
    shown = _apart(result.value, gate, part)
    if part.kind == "share":  # gates are fractions, tables have percentages
        shown = (f"{shown[0]} ({_fraction(shown[0])})", f"{shown[1]} ({gate:g})")
    return f"{what} {shown[0]}, {'above' if is_ceiling else 'below'} {shown[1]}"


def _apart(a: float, b: float, part: Part) -> tuple[str, str]:
    """Two values as tables have them, with more digits where they would look the same."""
    found = number(a, part.kind), number(b, part.kind)
    for digits in (4, 6, 8, 12):
        if found[0] == found[1]:
            found = number(a, part.kind, digits), number(b, part.kind, digits)
    return found if found[0] != found[1] else (repr(a), repr(b))


def _fraction(percentage: str) -> str:
    """A percentage as a fraction, with the same digits.

    >>> _fraction("82.65"), _fraction("5.00")
    ('0.8265', '0.0500')
    """
    return f"{float(percentage) / 100:.{2 + len(percentage.partition('.')[2])}f}"
