"""Gates of `compare` on results made by hand: ties, scores where lower is better, lost layers."""

from typing import Any

import pytest

import tertium
from result_samples import result, scores
from tertium.comparison.compare.gates import Gates
from tertium.comparison.compare.result import Comparison
from tertium.exceptions import GateError, UsageError
from tertium.significance.score.gates import ANY, WorseOptions


def scored(first: float | None, last: float | None, **other: Any) -> Comparison:
    return Comparison(
        scores(
            result("old", "deps.las", first, **other),
            result("between", "deps.las", 0.0, **other),
            result("new", "deps.las", last, **other),
        ),
        views=(),
    )


def test_equal_scores_are_not_worse() -> None:
    Gates(WorseOptions(("deps.las",))).check(scored(0.8, 0.8))
    Gates(WorseOptions(("deps.las",))).check(scored(0.8, 0.8, better="lower"))


def test_where_lower_is_better() -> None:
    Gates(WorseOptions(("deps.las",))).check(scored(0.8, 0.7, better="lower"))
    with pytest.raises(GateError, match=r"rose from 80.00 for old to 90.00 for new \(\+10.00\)$"):
        Gates(WorseOptions(("deps.las",))).check(scored(0.8, 0.9, better="lower"))


def test_scores_that_look_alike_are_told_apart() -> None:
    with pytest.raises(GateError, match=r"fell from 80.000001 for old to 80.000000 for new$"):
        Gates(WorseOptions(("deps.las",))).check(scored(0.80000001, 0.8))


@pytest.mark.parametrize(("first", "last"), [(0.8, None), (None, 0.8), (None, None)])
def test_a_named_metric_must_be_defined(first: float | None, last: float | None) -> None:
    with pytest.raises(GateError, match=r"is undefined \(there are no words\)"):
        Gates(WorseOptions(("deps.las",))).check(scored(first, last))


def tags(text: str) -> list[list[str]]:
    return [list(text)]


def tokens(upos: str, xpos: str) -> list[dict[str, Any]]:
    return [{"tokens": ["a", "b"], "upos": list(upos), "xpos": list(xpos)}]


def test_a_layer_that_only_one_end_has() -> None:
    both, bare = tokens("XY", "XY"), [{"tokens": ["a", "b"], "upos": ["X", "Y"]}]
    metrics = ["tags.accuracy", "tags.accuracy(column='xpos')"]
    names = ["old", "between", "new"]

    def compared(*systems: list[dict[str, Any]]) -> Comparison:
        return tertium.compare(both, *systems, names=names, metric=metrics, examples=True)

    lost = compared(both, both, bare)
    with pytest.raises(GateError, match=r"of new is undefined"):
        Gates(WorseOptions((ANY,))).check(lost)
    with pytest.raises(GateError, match=r"new has nothing for tags.accuracy\(column='xpos'\)"):
        Gates(most_new=0).check(lost)
    Gates(WorseOptions((ANY,)), most_new=0).check(
        compared(bare, both, both)
    )  # there is nothing to be worse than


def test_the_first_system_must_have_something() -> None:
    with pytest.raises(UsageError, match="old has nothing to compare"):
        Gates(most_new=0).check(scored(0.8, 0.8))


def test_any_metric_with_too_many_new_errors_is_named() -> None:
    found = tertium.compare(
        tags("XYZ"), tags("XYZ"), tags("XXX"), names=["old", "new"], examples=True
    )
    Gates(most_new=2).check(found)
    with pytest.raises(GateError, match="2 new errors from old to new, more than 1") as caught:
        Gates(most_new=1).check(found)
    assert caught.value.message.count("sentence '1'") == 2
    assert "more than 1\n  sentence '1': gold Y: Y → X\n    1 [2] 3\n" in caught.value.message
    assert caught.value.help is not None
    assert "pairs='old:new', examples=0" in caught.value.help


def test_a_test_over_units_that_favours_the_last_system_stops_nothing() -> None:
    """The last system is better in twelve short sentences, and worse in all words of a long one."""
    gold = [["N", "V"]] * 12 + [["N"] * 40]
    old = [["N", "N"]] * 12 + [["N"] * 40]
    new = [["N", "V"]] * 12 + [["V"] * 40]
    testing = tertium.Testing(test="sign")
    found = tertium.compare(gold, old, new, names=["old", "new"], significance=testing)
    assert found.assessment is not None
    assert (found.assessment.comparisons[0].test.p or 1) < 0.05
    Gates(WorseOptions((ANY,)), significant=True).check(found)
    with pytest.raises(GateError, match=r"fell from 81.25 for old to 37.50 for new"):
        Gates(WorseOptions((ANY,))).check(found)
