"""Significance of a comparison."""

from pathlib import Path
from typing import Any

import pytest

import tertium
from tertium.results.assessment import Test, Testing

# Of eight gold items A alone has two right, B alone four.
GOLD = [list("NVNV"), list("NNVV")]
A = [list("NVNN"), list("VVNV")]
B = [list("NVVV"), list("NNVN")]
MCNEMAR = Testing(test="mcnemar", trials=200)


def compared(*systems: Any, **options: Any) -> tertium.Comparison:
    return tertium.compare(GOLD, *systems, metric="tags.accuracy", **options)


def only(found: tertium.Comparison) -> Test:
    assert found.assessment is not None
    [each] = found.assessment.comparisons
    return each.test


def test_it_is_made_when_somebody_looks_and_then_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    real = tertium.assess

    def counted(*args: Any, **options: Any) -> Any:
        calls.append(args)
        return real(*args, **options)

    monkeypatch.setattr("tertium.comparison.compare.result.assess", counted)
    found = compared(A, B, significance=Testing(trials=100))
    assert not calls
    assert found.assessment is found.assessment
    tertium.render(found, "text")
    tertium.render(found, "json")
    assert len(calls) == 1


def test_it_is_that_of_the_scores() -> None:
    testing = Testing(trials=100)
    found = compared(A, B, significance=testing)
    assert found.assessment is not None
    assert found.assessment.to_dict() == tertium.assess(found.scores, testing).to_dict()


def test_it_can_be_left_out() -> None:
    found = compared(A, B, significance=False)
    assert found.assessment is None
    assert "significance" not in found.to_dict()
    assert "significance" not in found.to_dict()["pairs"][0]


def test_mcnemar_counts_items_that_one_of_the_two_has_right() -> None:
    test = only(compared(A, B, significance=MCNEMAR))
    pair = compared(A, B).view.pairs[0]
    assert (pair.right_a - pair.shared_right, pair.right_b - pair.shared_right) == (2, 4)
    # Of six such items at most two are A's: (1 + 6 + 15) / 64, twice.
    assert test.p == pytest.approx(44 / 64)
    assert (test.differing, test.units, test.exact) == (6, 8, True)
    assert test.delta == pytest.approx(2 / 8)
    assert test.towards == "greater"
    assert only(compared(B, A, significance=MCNEMAR)).towards == "less"


def test_mcnemar_in_one_direction() -> None:
    greater = only(compared(A, B, significance=Testing(test="mcnemar", direction="greater")))
    less = only(compared(A, B, significance=Testing(test="mcnemar", direction="less")))
    assert greater.p == pytest.approx(22 / 64)  # B has four of six or more
    assert less.p == pytest.approx(57 / 64)  # four of six or fewer


def test_mcnemar_of_identical_systems() -> None:
    assert only(compared(A, A, names=["A", "B"], significance=MCNEMAR)).p == 1.0


def test_mcnemar_inside_groups(samples: Path) -> None:
    files = [samples / f"{name}.conllu" for name in ("gold", "arbor", "breeze")]
    found = tertium.compare(*files, metric="deps.las", by="genre", significance=MCNEMAR)
    assert found.assessment is not None
    tests = {each.group: each.test for each in found.assessment.comparisons}
    whole = tests.pop(None)
    assert whole.units == sum(test.units for test in tests.values())
    assert whole.differing == sum(test.differing or 0 for test in tests.values())


def test_mcnemar_without_items_says_so(samples: Path) -> None:
    files = [samples / f"{name}.conllu" for name in ("gold", "arbor", "breeze")]
    found = tertium.compare(*files, metric=["deps.las", "deps.ud"], significance=MCNEMAR)
    assert found.assessment is not None
    tests = {each.metric: each.test for each in found.assessment.comparisons}
    assert tests["deps.las"].p is not None
    assert tests["deps.ud.las"].p is None
    assert "single items" in tests["deps.ud.las"].reason


def test_an_unknown_test_is_refused_before_anything_is_read() -> None:
    with pytest.raises(tertium.UsageError, match="test must be one of"):
        tertium.compare("nowhere", "a", "b", significance=Testing(test="mcnemer"))


def test_of_runs_items_are_compared_and_systems_tested() -> None:
    found = compared(tertium.runs("A", A, B), B, significance=Testing(trials=100))
    assert found.systems == ["A#1", "A#2", "system3"]
    assert len(found.view.pairs) == 3
    assert found.assessment is not None
    [each] = found.assessment.comparisons
    assert (each.a, each.b, each.test.method) == ("A", "system3", "hierarchical")
    assert any("A ran 2 times" in note for note in found.notes)
    assert "significance" not in found.to_dict()["pairs"][0]


def test_runs_of_one_system_can_be_compared() -> None:
    found = compared(tertium.runs("A", A, B), significance=Testing(trials=100))
    assert len(found.view.pairs) == 1
    assert found.assessment is not None
    assert not found.assessment.comparisons
    tertium.render(found, "text")
    with pytest.raises(tertium.UsageError, match="two or more systems"):
        compared(tertium.runs("A", A))


def test_several_golds_take_runs() -> None:
    found = compared(tertium.runs("A", A, B), B, other_golds=[A])
    assert found.golds is not None
    assert [each.system for each in found.golds.scores] == ["A#1", "A#2", "system3"]


def test_mcnemar_says_that_it_does_not_see_what_systems_add() -> None:
    gold, a, b = [["B-X", "O"]], [["B-X", "O"]], [["B-X", "B-X"]]
    found = tertium.compare(gold, a, b, metric="spans.f1", significance=MCNEMAR)
    assert only(found).p == 1.0
    assert only(found).delta == pytest.approx(2 / 3 - 1)
    assert found.assessment is not None
    assert any("gold items only" in note for note in found.assessment.notes)
    assert not only(compared(A, B, significance=MCNEMAR)).warning


def files(samples: Path, form: str, suffix: str) -> list[str]:
    names = ("gold", "arbor", "breeze", "cedar")
    return [str(samples / f"{form.format(name)}.{suffix}") for name in names]


@pytest.mark.parametrize(("form", "suffix"), [("entities-{}", "bio"), ("{}", "conllu")])
def test_score_and_compare_correct_for_the_same_tests(
    samples: Path, form: str, suffix: str
) -> None:
    names = files(samples, form, suffix)
    compared = tertium.compare(*names, trials=200).assessment
    scored = tertium.score(*names, trials=200).assessment
    assert compared is not None
    assert scored is not None
    asked = compared.families[0]
    assert asked == scored.families[0]
    assert asked.tests == 3 * len(asked.metrics)
    ours, theirs = (
        {(c.a, c.b, c.metric): c.adjusted for c in each.comparisons if c.metric in asked.metrics}
        for each in (compared, scored)
    )
    assert ours == theirs


def test_what_compare_adds_is_corrected_by_itself(samples: Path) -> None:
    names = files(samples, "entities-{}", "bio")
    found = tertium.compare(*names, trials=200)
    data = found.to_dict()["significance"]
    assert data["families"] == [
        {"metrics": ["spans.f1"], "pairs": 3, "tests": 3},
        {"metrics": ["spans.fair"], "pairs": 3, "tests": 3, "added": True},
    ]
    text = tertium.render(found, "text", width=400)
    assert "Holm over 3 tests: 3 pairs of systems × F1; separately over 3 tests: " in text
    both = tertium.compare(*names, metric=["spans.f1", "spans.fair"], trials=200).assessment
    assert both is not None
    assert [family.tests for family in both.families] == [6]


def test_the_first_table_of_a_report_has_all_tests(samples: Path) -> None:
    names = files(samples, "{}", "conllu")[:3]
    page = tertium.compare(*names, examples=True, trials=50).page()
    assert page is not None
    (table,) = [b for b in page.intro if getattr(b, "title", "") == "Tests of differences"]
    assert {"UPOS", "UAS", "LAS"} <= {row[0] for row in table.rows}  # type: ignore[union-attr]


def test_many_tests_are_announced(samples: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names, told = files(samples, "{}", "conllu"), []
    monkeypatch.setattr("tertium.significance.assess.LONG", 0)
    found = tertium.compare(*names, metric="deps.las", trials=50, notice=told.append)
    assert not told
    assert found.assessment is not None
    tertium.score(*names, metric="deps.las", trials=50, notice=told.append)
    assert len(told) == 2
    assert told[0].startswith("3 tests of differences may take ")
    assert "'--trials'" in told[0]
