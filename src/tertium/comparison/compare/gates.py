"""Gates of `compare`: exit code 1 if the last system is worse than the first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tertium import registry
from tertium.comparison.compare.views import View
from tertium.exceptions import GateError, UsageError, suggestion
from tertium.results.assessment import TWO_SIDED, Testing
from tertium.results.scores import Result
from tertium.results.texts import counted, p_text
from tertium.significance.runs import with_means
from tertium.significance.score.gates import is_meant, is_set

if TYPE_CHECKING:
    from tertium.comparison.compare.result import Comparison

OPTION = "--fail-if-worse"
ANY = ""  # no metric was named: all that are compared
SHOWN = 20


def is_metric(text: str) -> bool:
    """Does a text name a metric, or a member of a set?"""
    try:
        name = registry.parse_call(text)[0]
    except UsageError:
        return False
    known = registry.names("metrics")
    return name in known or any(name.startswith(f"{k}.") and is_set(k) for k in known)


@dataclass(frozen=True)
class Gates:
    """What the last system must not be, measured against the first; of several runs the means
    count.

    - `worse`: metrics in which it must not be below; `ANY` for all that are compared
    - `significant`: only if the test of the two says so
    - `most_new`: how many errors it may make that the first does not make
    """

    worse: tuple[str, ...] = ()
    significant: bool = False
    most_new: int | None = None

    def check_use(self, testing: Testing | None) -> None:
        """Refuse misspelt metrics, and a gate of significance without anything to be significant,
        before anything is read."""
        for text in self.worse:
            if text != ANY and not is_metric(text):
                known = registry.names("metrics")
                raise UsageError(
                    f"'{OPTION}={text}' names no metric.{suggestion(text, known)}",
                    help="'tertium list metrics' shows all",
                )
        if not self.significant:
            return
        if not self.worse:
            raise UsageError(f"'--significant' goes with '{OPTION}'", help=f"add '{OPTION}'")
        if testing is None:
            raise UsageError("'--significant' and '--no-significance' contradict each other")
        if testing.direction != TWO_SIDED:
            raise UsageError(
                "'--significant' has a two-sided test, '--direction' makes it one-sided",
                help="leave '--direction' out",
            )

    def check(self, comparison: Comparison) -> None:
        """Raise GateError, naming every offence."""
        # A metric may be named and be meant by an option without a name as well.
        lines = (line for text in self.worse for line in _worse(comparison, text, self.significant))
        offences = [*dict.fromkeys(lines)]
        help = None
        if self.most_new is not None:
            found = _new_errors(comparison, self.most_new)
            offences += found
            ends = f"{comparison.systems[0]}:{comparison.systems[-1]}"
            if found:
                help = f"all of them: '--pair {ends} --examples 0', with '--format json' as data"
        if offences:
            raise GateError(*offences, help=help)


def _worse(comparison: Comparison, text: str, significant: bool) -> Iterator[str]:
    # Those that are compared item by item, and those that have no items to compare.
    usual = {*comparison.metrics, *(r.metric for r in comparison.scores if not r.has_items)}
    metrics = [
        metric
        for metric in comparison.scores.metrics
        if (metric in usual if text == ANY else is_meant(text, metric))
    ]
    if not metrics:
        there = comparison.scores.metrics
        raise UsageError(
            f"there is no score of '{text}' for '{OPTION}'.{suggestion(text, there)}",
            help=f"scored: {', '.join(there)}",
        )
    ranked = [each for each in metrics if comparison.scores.part(each).better != "none"]
    if (text != ANY and len(ranked) < len(metrics)) or not ranked:
        raise UsageError(
            f"'{OPTION}' cannot judge {', '.join(metrics)}: no value of it is better than another"
        )
    pooled = with_means(comparison.scores)
    names = pooled.systems[0], pooled.systems[-1]
    for metric in ranked:
        first, last = (pooled[name, metric] for name in names)
        line = _offence(first, last, named=text != ANY)
        if line and significant and first.value is not None and last.value is not None:
            line = _if_significant(comparison, line, *names, metric)
        if line:
            yield f"gate not met: {line}"


def _if_significant(comparison: Comparison, line: str, a: str, b: str, metric: str) -> str:
    """The offence with its p, if that is below alpha or if there is none.

    A test that goes by single units may find the last system better there: no offence.
    """
    assessment = comparison.assessment
    assert assessment is not None
    found = assessment.of(a, b, metric)
    if found is None or found.test.p is None:
        reason = "the two are one system" if found is None else found.test.reason
        return f"{line}, and no test can say whether by chance ({reason})"
    alpha = assessment.testing.alpha
    if found.test.p >= alpha or found.test.contradicts:
        return ""
    return f"{line} ({p_text(found.test.p)}, below {alpha:g})"


def _offence(first: Result, last: Result, *, named: bool) -> str:
    """What is wrong with the last system; an undefined value is, unless the first has none either
    and nobody asked for this metric."""
    if last.value is None:
        reason = last.reasons.get("value", "no reason given")
        is_offence = named or first.value is not None
        return f"{last.metric} of {last.system} is undefined ({reason})" if is_offence else ""
    if first.value is None:
        reason = first.reasons.get("value", "no reason given")
        return f"{first.metric} of {first.system} is undefined ({reason})" if named else ""
    lower = last.better == "lower"
    if (last.value <= first.value) if lower else (last.value >= first.value):
        return ""
    digits = 4 if round(first.value, 4) != round(last.value, 4) else 10
    side = "above" if lower else "below"
    return (
        f"{last.metric} of {last.system} is {last.value:.{digits}f}, "
        f"{side} {first.value:.{digits}f} of {first.system}"
    )


def _new_errors(comparison: Comparison, most: int) -> list[str]:
    """What is wrong in every metric that the first system has."""
    first = comparison.systems[0]
    views = [view for view in comparison.views if first in view.systems]
    if not views:
        raise UsageError(
            f"new errors cannot be counted: {first} has nothing that is compared",
            help="the first system is the one that the last is measured against",
        )
    return [line for view in views for line in _new(comparison, view, most)]


def _new(comparison: Comparison, view: View, most: int) -> Iterator[str]:
    """New errors of the last system in their sentences, if there are more than `most`."""
    from tertium.comparison.examples import Examples, in_context, transition

    first, last = comparison.systems[0], comparison.systems[-1]
    if last not in view.systems:
        yield f"gate not met: {last} has nothing for {view.metric}, which {first} has"
        return
    pair = view.pair(first, last)
    if pair.new_errors <= most:
        return
    yield (
        f"gate not met: {view.metric} has {counted(pair.new_errors, 'new error')} from {first} "
        f"to {last}, more than {most:,}"
    )
    assert comparison.material is not None
    several = len(comparison.material.golds) > 1
    for scene in Examples(comparison.material, view).in_class(pair, "new_errors", SHOWN):
        file = f"{scene.file}, " if several else ""
        yield f"  {file}sentence '{scene.id}': {transition(scene)}"
        yield f"    {in_context(scene)}"
    if pair.new_errors > SHOWN:
        yield f"  ... and {pair.new_errors - SHOWN:,} more"
