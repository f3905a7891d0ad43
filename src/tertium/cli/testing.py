"""Options of all verbs that test differences: which test, how many trials, which correction."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, fields
from typing import Any, TypeVar

import click

from tertium.exceptions import UsageError
from tertium.results.assessment import Testing

F = TypeVar("F", bound=Callable[..., Any])

# The options, named as the fields of `Testing`.
NAMES = tuple(field.name for field in fields(Testing) if field.name != "groups")
USUAL = Testing()
SEED_HELP = "Seed of everything that is drawn at random."


def significance_options(
    *, switch: str = "", seed: str = SEED_HELP, leave_out: tuple[str, ...] = ()
) -> Callable[[F], F]:
    """How differences are tested and intervals made. An option that is not given is None, so that a
    verb can tell; `asked_testing` says what it means then.

    `switch` is the help of `--significance/--no-significance`, which is there if it has one; `seed`
    that of `--seed`. Options named in `leave_out` are not there.
    """
    # As they are listed in the help.
    options = {
        "significance": click.option("--significance/--no-significance", default=None, help=switch),
        "test": click.option(
            "--test", metavar="NAME",
            help="randomisation (the default), bootstrap, berg-kirkpatrick, koehn, wilcoxon or "
            "sign; in 'tertium compare' also mcnemar.",
        ),
        "direction": click.option(
            "--direction", type=click.Choice(["greater", "less"]),
            help="Test one side alone: is the later system greater, or less? To be chosen before "
            "the results are seen; by default tests are two-sided.",
        ),
        "trials": click.option(
            "--trials", type=click.IntRange(min=1), metavar="N",
            help=f"Resamples of each test and interval, {USUAL.trials:,} by default.",
        ),
        "interval": click.option(
            "--interval", type=click.Choice(["bca", "percentile", "basic"]),
            help="How confidence intervals are made, bca by default.",
        ),
        "level": click.option(
            "--level", type=float, metavar="LEVEL",
            help=f"Level of intervals, {USUAL.level:g} by default.",
        ),
        "correction": click.option(
            "--correction", type=click.Choice(["holm", "bh", "bonferroni", "none"]),
            help="Correction of p-values for the number of tests, holm by default.",
        ),
        "alpha": click.option(
            "--alpha", type=float, metavar="ALPHA",
            help=f"A corrected p below it is called significant, {USUAL.alpha:g} by default.",
        ),
        "seed": click.option("--seed", type=click.IntRange(min=0), metavar="S", help=seed),
    }  # fmt: skip
    absent = {*leave_out, *(() if switch else ("significance",))}

    def add(command: F) -> F:
        for name, option in reversed(options.items()):
            if name not in absent:
                command = option(command)
        return command

    return add


def asked_testing(
    given: Mapping[str, Any],
    told: Mapping[str, Any] | None = None,
    *,
    usual: Testing | None = USUAL,
    tests: tuple[str, ...] = (),
) -> Testing | None:
    """How to test, from options that are None where they were not given, checked before anything
    is read; None if it is not to be done.

    `told` is what a study says, None if nothing. `usual` is what is done where nobody asks, None
    for nothing. `tests` names further tests that the verb has.
    """
    asked = {name: given[name] for name in NAMES if given.get(name) is not None}
    switch = given.get("significance")
    if switch is False:
        named = [name for name in asked if name != "seed"]
        if named:
            raise UsageError(
                f"'--no-significance' and '--{named[0]}' contradict each other",
                help="leave one of them out",
            )
        return None
    if usual is None and not switch and not asked and told is None:
        return None
    base = usual or USUAL
    settings: dict[str, Any] = asdict(base)
    if switch or asked.keys() - {"seed"} or told is not None:
        settings["groups"] = True
    found = Testing(**{**settings, **(told or {}), **asked})
    check_testing(found, tests)
    return found


def check_testing(testing: Testing, tests: tuple[str, ...] = ()) -> None:
    """Refuse what there is not. `tests` names further tests that the verb has."""
    from tertium.significance.assess import check

    if testing.test == "mcnemar" and "mcnemar" not in tests:
        raise UsageError(
            "McNemar's test is one of single items, which are not looked at here",
            help="'tertium compare --test mcnemar' compares systems item by item",
        )
    check(testing, further=tests)
