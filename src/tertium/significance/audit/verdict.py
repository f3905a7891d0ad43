"""What an audit means in plain language, without claiming more than it shows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tertium.results.assessment import TWO_SIDED, Interval, Testing
from tertium.results.parts import PartKind
from tertium.results.texts import (
    change,
    level,
    listed,
    number,
    p_text,
    p_value,
    points,
)
from tertium.significance.audit.looks import (
    FAMILIES,
    LEVELS,
    STRICT,
    USUAL,
    AuditLook,
    AuditTally,
    tally,
)
from tertium.significance.intervals import METHODS as INTERVALS
from tertium.significance.ppv import BETA, PRIOR_ODDS, ppv
from tertium.significance.tests import TEST_NAMES

if TYPE_CHECKING:
    from tertium.significance.audit.curves import Curve
    from tertium.significance.audit.result import Audit

SIDES = {"greater": "above", "less": "below"}
TIMES = ("", "once", "twice", "three times", "four times", "five times", "six times")
# What a free choice in each family would be, where it can make a result come and go.
CHOICES = {
    "metric": "a different metric",
    "test": "a different test",
    "size": "a smaller sample",
    "length": "a length cut-off",
    "group": "a part of the data",
}


def verdict(audit: Audit) -> Iterator[str]:
    """Paragraphs: the main result, how often looks were significant, whether it would have gone
    away or could have been had by choosing, and what p-values are worth."""
    yield _main(audit)
    if audit.main.p is None:
        return
    if audit.is_same:
        yield (
            f"{audit.a} and {audit.b} do not differ in any analysis: every p-value that is defined "
            "is 1, and there is nothing to choose from."
        )
        return
    yield _counts(audit)
    yield " ".join(_choices(audit))
    yield " ".join(_samples(audit))
    yield _worth()


def in_short(audit: Audit) -> str:
    """The main result in a sentence."""
    look, whole = audit.main, audit.whole
    if look.p is None or None in look.values:
        return f"{look.metric} cannot be tested: {look.test.reason}"
    if audit.is_same:
        return f"{audit.a} and {audit.b} never differ"
    a, b = (number(value or 0.0, look.kind) for value in look.values)
    p = p_text(look.p, look.test.least)
    if look.better is None or look.test.contradicts or not look.is_significant():
        what = "A significant difference" if look.is_significant() else "No significant difference"
        text = f"{what}: {look.metric} {a} ({audit.a}) and {b} ({audit.b}), {p}"
        count = whole.at(USUAL)
    else:
        ours, theirs = (audit.a, a), (audit.b, b)
        first, second = (ours, theirs) if look.better == "a" else (theirs, ours)
        text = f"{first[0]} is significantly better than {second[0]}: {look.metric} {first[1]} "
        text += f"against {second[1]}, {p}"
        count = whole.for_side(look.better)
    return f"{text}; {count:,} of {whole.looks:,} analyses are significant at {level(USUAL)}"


def how(testing: Testing, look: AuditLook) -> str:
    """The test with everything that decides its p."""
    name = TEST_NAMES[look.test.method]
    side = testing.direction
    if side != TWO_SIDED:
        side = f"one-sided (B {SIDES[side]} A, as stated beforehand)"
    if look.test.exact:
        return f"{name}, {side}, exact"
    if look.test.trials is None:
        return f"{name}, {side}"
    return f"{name}, {side}, {look.test.trials:,} trials, seed {testing.seed}"


def interval_text(interval: Interval, kind: PartKind = "share") -> str:
    """An interval of a difference; why there is none, where there is none."""
    name = f"{100 * interval.level:g}% {INTERVALS[interval.method]} interval"
    if interval.low is None or interval.high is None:
        return f"no interval: {interval.reason}"
    return f"{name} [{change(interval.low, kind)}, {change(interval.high, kind)}]"


def _main(audit: Audit) -> str:
    look = audit.main
    a, b = look.values
    if look.p is None or a is None or b is None or look.test.delta is None:
        return (
            f"By {look.metric} there is no p-value for {audit.b} against {audit.a} on "
            f"{audit.gold}: {look.test.reason}."
        )
    found = [name for name in LEVELS if look.is_significant(name)]
    if len(found) == len(LEVELS):
        said = f"significant at {level(USUAL)} and at {level(STRICT)}"
    elif found:
        said = f"significant at {level(USUAL)}, but not at {level(STRICT)}"
    else:
        said = f"not significant at {level(USUAL)}"
    text = (
        f"By {look.metric} {audit.b} has {number(b, look.kind)} and {audit.a} "
        f"{number(a, look.kind)} on {audit.gold} "
        f"({look.units:,} {audit.unit}{'' if look.units == 1 else 's'}): a difference "
        f"of {change(look.test.delta, look.kind)}{points(look.kind)} "
        f"({interval_text(audit.interval, look.kind)}; {p_text(look.p, look.test.least)}, "
        f"{how(audit.testing, look)}). This is {said}."
    )
    if not found and not audit.is_same:
        text += (
            " This does not show that the systems are equal: the data do not rule out the "
            "differences in the interval."
        )
    return text


def _counts(audit: Audit) -> str:
    whole = audit.whole
    undefined = ""
    if whole.undefined:
        verb = "does" if whole.undefined == 1 else "do"
        undefined = f" ({whole.undefined:,} more had no p-value and {verb} not count)"
    kept = sum(p is not None and p < USUAL for p in audit.adjusted)
    return (
        f"Of {whole.looks:,} analyses of the same two outputs, including this one{undefined}, "
        f"{_at(audit, whole, USUAL)} and {_at(audit, whole, STRICT)}. If the systems were equally "
        f"good, about {whole.looks * USUAL:.1f} would be significant at {level(USUAL)} by chance "
        f"and {whole.looks * STRICT:.1f} at {level(STRICT)}. Analyses share {audit.unit}s and tend "
        "to be significant together: the count shows how much there was to choose from, not how "
        "many results are true. After Holm's correction for all analyses, "
        f"{kept or 'none'} {'are' if kept > 1 else 'is'} significant at {level(USUAL)}"
        f"{_among(audit, kept)}."
    )


def _among(audit: Audit, kept: int) -> str:
    """Does a significant main result stay so among all looks? It need not, if it was chosen
    beforehand; a reader who cannot know that should see it."""
    if not audit.main.is_significant():
        return ""
    stays = audit.adjusted[0] is not None and audit.adjusted[0] < USUAL
    if stays:
        return ", including the main result" if kept > 1 else ", the main result"
    return ", but not the main result" if kept else ""


def _at(audit: Audit, found: AuditTally, alpha: float) -> str:
    count = found.at(alpha)
    verb = "was" if count == 1 else "were"
    if not count:
        return f"none was significant at {level(alpha)}"
    sides = _sides(audit, found, alpha)
    return f"{count:,} {verb} significant at {level(alpha)} ({sides})"


def _sides(audit: Audit, found: AuditTally, alpha: float) -> str:
    """For whom significant looks are."""
    a, b, neither = found.significant[LEVELS.index(alpha)]
    told = [f"{b:,} for {audit.b}" if b else "", f"{a:,} for {audit.a}" if a else ""]
    neutral = any(look.wins == "none" for look in audit.looks)
    why = "with equal values" + " or no better direction" * neutral
    told.append(f"{neither:,} {why}" if neither else "")
    return ", ".join(filter(None, told))


def _choices(audit: Audit) -> Iterator[str]:
    """Cherry-picking: what else could have been reported."""
    main, numbers = audit.main, [*audit.metrics, *audit.labels]
    there = [look for look in numbers if look.is_significant()]
    counted = tally("", numbers)
    if main.is_significant():
        yield from _gone(audit)
    elif there:
        yield (
            f"{len(there):,} of the {counted.looks:,} other numbers (metrics, their parts, labels) "
            f"{'is' if len(there) == 1 else 'are'} significant at {level(USUAL)} "
            f"({_sides(audit, counted, USUAL)}): to report one of them alone, such as "
            f"{_example(audit, there)}, would be cherry-picking."
        )
    elif counted.looks:
        yield f"None of the {counted.looks:,} other numbers is significant."
    chosen, corrected = audit.chosen, audit.chosen_adjusted
    if chosen is main and counted.looks:
        yield "No metric or label has a smaller p than the main metric."
    elif chosen is not None and chosen.p is not None and corrected is not None:
        yield (
            "With a free choice of metric or label the smallest p is "
            f"{p_value(chosen.p, chosen.test.least)} ({chosen.name}) beside "
            f"{p_value(main.p or 0.0, main.test.least)} of the main metric; corrected for "
            f"the choice among {counted.looks + 1:,} numbers (Holm) it is {p_value(corrected)}."
        )
    if not main.is_significant():
        yield from _to_be_had(audit)


def _gone(audit: Audit) -> Iterator[str]:
    """Where a significant result would have gone away, and where it turns round."""
    side = audit.main.better
    told, turned = [], []
    for family, choice in CHOICES.items():
        looks = [look for look in audit.family(family) if look.p is not None]
        lost = [look for look in looks if not look.is_significant()]
        if lost:
            # Such as the one that is over most of the data, then the one with the largest p.
            nearest = _told(max(lost, key=lambda look: (look.units, look.p or 0.0)))
            told.append(f"{choice} ({len(lost):,} of {len(looks):,}, such as {nearest})")
        turned += [
            look for look in looks if look.is_significant() and look.better not in (side, None)
        ]
    turned += [look for look in audit.labels if look.is_significant() and look.better != side]
    if told:
        yield f"The result is not significant with {'; '.join(told)}."
    else:
        yield "It is significant with every metric, test, sample, length and part of the data."
    labels = [look for look in audit.labels if look.p is not None]
    agree = [look for look in labels if look.is_significant() and look.better == side]
    if labels:
        yield f"It holds for {len(agree):,} of {len(labels):,} single labels."
    if turned:
        yield (
            f"{len(turned):,} {'analysis favours' if len(turned) == 1 else 'analyses favour'} the "
            f"other system: {listed([_told(look) for look in turned])}."
        )


def _to_be_had(audit: Audit) -> Iterator[str]:
    """Where an insignificant result would have been significant, apart from other numbers."""
    told = []
    for family in ("test", "size", "length", "group"):
        looks = [look for look in audit.family(family) if look.p is not None]
        there = [look for look in looks if look.is_significant()]
        if there:
            best = _example(audit, there)
            told.append(f"{CHOICES[family]} ({len(there):,} of {len(looks):,}, such as {best})")
    if told:
        yield f"Other choices give a significant result: {'; '.join(told)}."
    else:
        kinds = [FAMILIES[f] for f in ("test", "size", "length", "group") if audit.family(f)]
        if kinds:
            yield f"No choice among {listed(kinds, most=4)} makes it significant."


def _example(audit: Audit, looks: Sequence[AuditLook]) -> str:
    best = min(looks, key=lambda look: look.p or 0.0)
    if best.wins == "none":
        return _told(best)
    name = audit.b if best.better == "b" else audit.a
    return f"{best.name} ({p_text(best.p or 0.0, best.test.least)} for {name})"


def _told(look: AuditLook) -> str:
    return f"{look.name} ({p_text(look.p or 0.0, look.test.least)})"


def _samples(audit: Audit) -> Iterator[str]:
    curve = audit.size
    if len(curve.looks) > 1:
        yield _crossings(curve, audit.unit, audit.orders.tried)
        lost = f"{audit.orders.lost:,}" if audit.orders.lost else "none"
        yield f"A significant result became insignificant on the way in {lost} of these orders."
    half = next((r for r in audit.rates if r.metric == audit.metric and r.share == 0.5), None)
    if half is not None and half.value is not None:
        tested = half.samples - half.undefined
        yield (
            f"{100 * half.value:.0f}% of {tested:,} random halves of the {audit.unit}s show a "
            "significant difference."
        )
    if audit.length is not None and len(audit.length.looks) > 1:
        yield _cut_offs(audit.length, audit.unit)


def _crossings(curve: Curve, unit: str, orders: int) -> str:
    start = f"As {unit}s are added in {orders} random orders, the median p"
    crossed = curve.lost + curve.gained
    if not crossed:
        side = "below" if curve.looks[-1].is_significant() else "at or above"
        tested = sum(look.p is not None for look in curve.looks)
        return f"{start} is {side} {level(USUAL)} at all {tested:,} sizes."
    times = TIMES[crossed] if crossed < len(TIMES) else f"in {crossed:,} places"
    lost = (
        f"; {curve.lost:,} significant {'result' if curve.lost == 1 else 'results'} became "
        "insignificant by adding data"
        if curve.lost
        else ", and no significant result became insignificant by adding data"
    )
    return f"{start} crosses {level(USUAL)} {times}{lost}."


def _cut_offs(curve: Curve, unit: str) -> str:
    stretches = curve.stretches
    if not stretches:
        return f"No cut-off of {unit} length gives a p below {level(USUAL)}."
    told = [
        f"{first.most_words}" if first is last else f"{first.most_words} to {last.most_words}"
        for first, last in stretches
    ]
    return (
        f"If only {unit}s up to a certain length are used, p is below {level(USUAL)} at cut-offs "
        f"of {listed(told)} words."
    )


def _worth() -> str:
    usual, strict = ppv(USUAL), ppv(STRICT)
    return (
        "How far such p-values can be trusted depends on the field. Assume that for each real "
        f"improvement {1 / PRIOR_ODDS:.0f} systems without one are tested (R = "
        f"{level(PRIOR_ODDS)}), and that tests miss {100 * BETA:.0f}% of real improvements "
        f"(beta = {level(BETA)}): a result below {level(USUAL)} is then true in {100 * usual:.0f}% "
        f"of cases, one below {level(STRICT)} in {100 * strict:.0f}% (Søgaard et al. 2014, section "
        "4). This "
        "holds for a single test chosen beforehand, an unbiased sample and a valid metric."
    )
