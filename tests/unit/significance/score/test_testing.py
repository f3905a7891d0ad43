"""Options about significance."""

from typing import Any

import click
import pytest

from tertium.cli.testing import NAMES, asked_testing, significance_options
from tertium.exceptions import UsageError
from tertium.results.assessment import Testing

NOTHING: dict[str, Any] = dict.fromkeys((*NAMES, "significance"))


def test_every_field_of_testing_is_an_option() -> None:
    @click.command()
    @significance_options(switch="Test it.")
    def verb(**given: Any) -> None: ...

    assert {each.name for each in verb.params} == {*NAMES, "significance"}


def test_options_can_be_left_out() -> None:
    @click.command()
    @significance_options(leave_out=("level", "interval"))
    def verb(**given: Any) -> None: ...

    assert {each.name for each in verb.params} == {*NAMES} - {"level", "interval"}


def test_without_options_it_is_what_the_verb_usually_does() -> None:
    assert asked_testing(NOTHING) == Testing()
    assert asked_testing(NOTHING, usual=None) is None


@pytest.mark.parametrize("asked", [{"significance": True}, {"test": "bootstrap"}, {"alpha": 0.01}])
def test_any_option_asks_for_tests(asked: dict[str, Any]) -> None:
    found = asked_testing({**NOTHING, **asked}, usual=None)
    assert found is not None
    for name, value in asked.items():
        assert name == "significance" or getattr(found, name) == value


def test_options_win_over_a_study_which_wins_over_the_defaults() -> None:
    found = asked_testing({**NOTHING, "trials": 50}, {"trials": 70, "seed": 3}, usual=None)
    assert found == Testing(trials=50, seed=3)


def test_a_study_that_speaks_of_significance_asks_for_it() -> None:
    assert asked_testing(NOTHING, {}, usual=None) == Testing()
    assert asked_testing({**NOTHING, "significance": False}, {"seed": 3}) is None


def test_no_significance_takes_no_other_option_but_a_seed() -> None:
    assert asked_testing({**NOTHING, "significance": False, "seed": 4}) is None
    with pytest.raises(UsageError, match="'--no-significance' and '--test'"):
        asked_testing({**NOTHING, "significance": False, "test": "sign"})


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"test": "randomization"}, "Did you mean 'randomisation'"),
        ({"test": "koehn"}, "one-sided"),
        ({"test": "mcnemar"}, "single items"),
        ({"level": 95.0}, "between 0 and 1"),
        ({"alpha": 0.0}, "alpha"),
    ],
)
def test_what_there_is_not_is_refused(asked: dict[str, Any], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        asked_testing({**NOTHING, **asked})


def test_a_verb_may_have_further_tests() -> None:
    found = asked_testing({**NOTHING, "test": "mcnemar"}, tests=("mcnemar",))
    assert found is not None
    assert found.test == "mcnemar"
