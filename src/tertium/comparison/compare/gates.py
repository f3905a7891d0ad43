"""Gates of `compare`: exit code 1 if the last system is worse than the first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tertium.comparison.compare.views import View
from tertium.exceptions import UsageError, Verdict, refuse
from tertium.results.assessment import TWO_SIDED, Testing
from tertium.results.names import short_names
from tertium.results.scores import Result
from tertium.results.texts import counted, level, p_text
from tertium.significance.runs import with_means
from tertium.significance.score.gates import ANY, OPTION, WorseOptions, judged, loss

if TYPE_CHECKING:
    from tertium.comparison.compare.result import Comparison

SHOWN = 20


@dataclass(frozen=True)
class Gates:
    """What the last system must not be, measured against the first; of several runs the means
    count.

    - `worse`: the metrics by which it must not be worse, and how much of a loss is allowed
    - `significant`: only if the test of the two says so
    - `most_new`: how many errors it may make that the first does not make
    """

    worse: WorseOptions = WorseOptions()
    significant: bool = False
    most_new: int | None = None

    def check_use(self, testing: Testing | None) -> None:
        """Refuse misspelt metrics, and a gate of significance without anything to be significant,
        before anything is read."""
        self.worse.check_names()
        if not self.significant:
            return
        if not self.worse.fail_if_worse:
            raise UsageError(f"'--significant' needs '{OPTION}'", help=f"add '{OPTION}'")
        if testing is None:
            raise UsageError("'--significant' and '--no-significance' contradict each other")
        if testing.direction != TWO_SIDED:
            raise UsageError(
                "'--significant' needs a two-sided test, but '--direction' makes it one-sided",
                help="leave '--direction' out",
            )

    def verdicts(self, comparison: Comparison) -> list[Verdict]:
        """What was found about every gate."""
        found = [
            verdict
            for text in self.worse.fail_if_worse
            for verdict in _worse(comparison, text, self.worse, self.significant)
        ]
        if self.most_new is not None:
            found += _new_errors(comparison, self.most_new)
        return [*dict.fromkeys(found)]  # a metric may be named and be one of all that are compared

    def check(self, comparison: Comparison) -> None:
        """Raise GateError, naming every offence."""
        found = self.verdicts(comparison)
        ends = f"{comparison.systems[0]}:{comparison.systems[-1]}"
        help = f"to see all: '--pair {ends} --examples 0', with '--format json' as data"
        refuse(found, help if any(each.lines for each in found) else None)


def _worse(
    comparison: Comparison, text: str, asked: WorseOptions, significant: bool
) -> Iterator[Verdict]:
    # Those that are compared item by item, and those that have no items to compare.
    usual = {*comparison.metrics, *(r.metric for r in comparison.scores if not r.has_items)}
    pooled = with_means(comparison.scores)
    names = pooled.systems[0], pooled.systems[-1]
    for metric in judged(text, comparison.scores, usual):
        first, last = (pooled[name, metric] for name in names)
        line = _offence(comparison, first, last, asked, named=text != ANY)
        if line and significant and first.value is not None and last.value is not None:
            line = _if_significant(comparison, line, *names, metric)
        yield Verdict(f"{metric} of {last.system} is not worse than that of {first.system}", line)


def _if_significant(comparison: Comparison, line: str, a: str, b: str, metric: str) -> str:
    """The offence with its p, if that is below alpha or if there is none.

    A test that goes by single units may find the last system better there: no offence.
    """
    assessment = comparison.assessment
    assert assessment is not None
    found = assessment.of(a, b, metric)
    if found is None or found.test.p is None:
        reason = "both are the same system" if found is None else found.test.reason
        return f"{line}, and the difference cannot be tested ({reason})"
    alpha = assessment.testing.alpha
    if found.test.p >= alpha or found.test.contradicts:
        return ""
    return f"{line}; {p_text(found.test.p)}, below {level(alpha)}"


def _offence(
    comparison: Comparison, first: Result, last: Result, asked: WorseOptions, *, named: bool
) -> str:
    """What is wrong with the last system; an undefined value is, unless the first has none either
    and nobody asked for this metric."""
    name = comparison.scores.names[last.metric]
    a, b = (_short(comparison, each.system) for each in (first, last))
    if last.value is None:
        reason = last.reasons.get("value", "no reason given")
        is_offence = named or first.value is not None
        return f"{name} of {b} is undefined ({reason})" if is_offence else ""
    if first.value is None:
        reason = first.reasons.get("value", "no reason given")
        return f"{name} of {a} is undefined ({reason})" if named else ""
    before, now = (first.value, f"for {a}"), (last.value, f"for {b}")
    return loss(name, last.part(), before, now, asked)


def _short(comparison: Comparison, system: str) -> str:
    """What tables call a system."""
    return short_names(comparison.systems).get(system, system)


def _new_errors(comparison: Comparison, most: int) -> list[Verdict]:
    """What was found in every metric that the first system has."""
    first = comparison.systems[0]
    views = [view for view in comparison.views if first in view.systems]
    if not views:
        raise UsageError(
            f"new errors cannot be counted: {first} has nothing to compare",
            help="the last system is compared with the first",
        )
    return [_new(comparison, view, most) for view in views]


def _new(comparison: Comparison, view: View, most: int) -> Verdict:
    """New errors of the last system in their sentences, if there are more than `most`."""
    from tertium.comparison.examples import Examples, in_context, transition

    first, last = comparison.systems[0], comparison.systems[-1]
    check = f"{last} makes at most {counted(most, 'new error')} by {view.metric}"
    if last not in view.systems:
        return Verdict(check, f"{last} has nothing for {view.metric}, which {first} has")
    pair = view.pair(first, last)
    if pair.new_errors <= most:
        return Verdict(check)
    assert comparison.material is not None
    several = len(comparison.material.golds) > 1
    details = []
    for scene in Examples(comparison.material, view).in_class(pair, "new_errors", SHOWN):
        file = f"{scene.file}, " if several else ""
        details.append(f"  {file}sentence '{scene.id}': {transition(pair, scene)}")
        details.append(f"    {in_context(scene)}")
    if pair.new_errors > SHOWN:
        details.append(f"  ... and {pair.new_errors - SHOWN:,} more")
    new = counted(pair.new_errors, "new error")
    name = comparison.scores.names[view.metric]
    ends = f"{_short(comparison, first)} to {_short(comparison, last)}"
    offence = f"{name} has {new} from {ends}, more than {most:,}"
    return Verdict(check, offence, tuple(details))
