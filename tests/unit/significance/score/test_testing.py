"""Options about significance."""

from typing import Any

import pytest

from tertium.exceptions import UsageError
from tertium.results.assessment import Testing
from tertium.significance.score.verb import wanted_tests


def test_without_options_it_is_what_the_verb_usually_does() -> None:
    assert wanted_tests(None, {}) == Testing()
    assert wanted_tests(None, {}, usual=None) is None
    assert wanted_tests(None, {}, usual=Testing(groups=False)) == Testing(groups=False)


def test_who_asks_for_tests_has_them_inside_groups_as_well() -> None:
    usual = Testing(groups=False)
    assert wanted_tests(True, {}, usual=usual) == Testing()
    assert wanted_tests(None, {"trials": 50}, usual=usual) == Testing(trials=50)
    assert wanted_tests(None, {"seed": 5}, usual=usual) == Testing(seed=5, groups=False)


@pytest.mark.parametrize("asked", [{"test": "bootstrap"}, {"alpha": 0.01}])
def test_any_option_asks_for_tests(asked: dict[str, Any]) -> None:
    found = wanted_tests(None, asked, usual=None)
    assert found == Testing(**asked)


def test_no_significance_takes_no_other_option_but_a_seed() -> None:
    assert wanted_tests(False, {}) is None
    assert wanted_tests(False, {"seed": 4}) is None
    with pytest.raises(UsageError, match="significance=False and 'test'"):
        wanted_tests(False, {"test": "sign"})


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
        wanted_tests(None, asked)


@pytest.mark.parametrize("wrong", ["yes", {"trials": 10}])
def test_how_to_test_is_told_by_a_testing(wrong: Any) -> None:
    with pytest.raises(UsageError, match=r"True, False or a tertium\.Testing"):
        wanted_tests(wrong, {})


def test_a_verb_may_have_further_tests() -> None:
    found = wanted_tests(None, {"test": "mcnemar"}, further=("mcnemar",))
    assert found is not None
    assert found.test == "mcnemar"
