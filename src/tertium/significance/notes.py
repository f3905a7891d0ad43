"""What a reader must know about intervals and tests: where they are not to be trusted."""

from __future__ import annotations

from collections.abc import Sequence

from tertium.results.assessment import PairTest, Test, TestFamily, Testing
from tertium.results.stats import UnitKind
from tertium.results.texts import counted, level, listed
from tertium.significance.score.result import Scores
from tertium.significance.tests import FEW_UNITS, ONE_SIDED, error_text, few

NARROW = "bootstrap intervals may be too narrow"


def assessment_notes(
    comparisons: Sequence[PairTest],
    families: Sequence[TestFamily],
    testing: Testing,
    scores: Scores,
) -> list[str]:
    """Warnings of tests, that units are too few for intervals or trials for so many tests, and that
    more trials could decide otherwise."""
    notes = [c.test.warning for c in comparisons if c.test.warning and c.group is None]
    sizes = scores.sizes or {"sentence": scores.units}
    for unit, size in sizes.items():
        drawn = few(unit)
        if size < FEW_UNITS and drawn not in notes:
            notes.append(f"fewer than {FEW_UNITS} {unit}s: {NARROW}")
        elif size >= FEW_UNITS and testing.groups and (where := _small_groups(scores, unit)):
            inside = [c.test for c in comparisons if c.group is not None and c.test.unit == unit]
            is_drawn = any(test.warning for test in inside)
            notes.append(
                few(unit, where) if is_drawn else f"fewer than {FEW_UNITS} {unit}s{where}: {NARROW}"
            )
    turned = [c for c in comparisons if c.test.contradicts and c.is_significant(testing.alpha)]
    notes += map(_other_way, turned)
    for family in families:
        held = [c.test for c in comparisons if family.has(c)]
        notes += _too_few_trials(held, testing, " inside groups" if family.groups else "")
    notes += _near(comparisons, testing.alpha)
    return list(dict.fromkeys(notes))


def _small_groups(scores: Scores, unit: UnitKind) -> str:
    """In how many groups of units there are few, if in any."""
    sizes = {
        name: group.stats.units
        for result in scores
        for name, group in result.groups.items()
        if result.unit == unit and group.stats is not None and group.stats.place is None
    }
    small = [name for name, size in sizes.items() if size < FEW_UNITS]
    return f" in {len(small):,} of {len(sizes):,} groups" if small else ""


def _near(comparisons: Sequence[PairTest], alpha: float) -> list[str]:
    """Which tests more trials could put on the other side of the level."""
    told = [
        f"{c.metric}{'' if c.group is None else f', {c.group}'}, {c.a} → {c.b} "
        f"(p = {error_text(c.test)})"
        for c in comparisons
        if c.test.p and c.adjusted is not None and c.test.is_near(alpha, c.adjusted / c.test.p)
    ]
    return [near_text(told, "test", alpha)] if told else []


def near_text(told: list[str], noun: str, alpha: float) -> str:
    """That p-values are too near a level for the number of trials."""
    return (
        f"more trials, or a different seed, could put {counted(len(told), noun)} on the other side "
        f"of {level(alpha)}: {listed(told)}"
    )


def _too_few_trials(tests: Sequence[Test], testing: Testing, where: str = "") -> list[str]:
    """That trials are too few for a family of tests, if they are."""
    tested = [test for test in tests if test.p is not None]
    # Exact tests are as fine as may be, and one-sided ones are shares of resamples without the 1.
    coarse = [
        t for t in tested if t.trials is not None and not t.exact and t.method not in ONE_SIDED
    ]
    # By Holm, tests with a smaller p, which exact ones may have, take no part in the factor.
    factors = {"holm": len(coarse), "bonferroni": len(tested)}
    factor = factors.get(testing.correction, 1)
    least = factor / (testing.trials + 1)
    if not coarse or least < testing.alpha:
        return []
    few = f"{testing.trials:,} trial{'s are' if testing.trials > 1 else ' is'} too few"
    few += f" for {factor:,} tests{where}: no corrected p" if factor > 1 else ": no p"
    which = " of a test that is not exact" if len(coarse) < len(tested) else ""
    return [f"{few}{which} can be below {least:.2g}"]


def _other_way(compared: PairTest) -> str:
    """That a test which goes by single units or items points another way than the scores."""
    above, below = compared.b, compared.a
    if (compared.test.delta or 0.0) < 0:
        above, below = below, above
    where = compared.metric if compared.group is None else f"{compared.metric}, {compared.group}"
    test = compared.test
    what = "gold items" if test.method == "mcnemar" else f"{test.unit}s"
    return (
        f"{where}: the score of {above} is above that of {below}; by single {what}, which the test "
        "is about, it is below"
    )
