"""Every result opens with one sentence that says it, and that is true."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import tertium
from tertium.comparison.conventions import conventions
from tertium.results.scores import Result
from tertium.significance.score.result import Scores
from tertium.significance.score.summary import summary

pytestmark = pytest.mark.usefixtures("few_samples")

GOLD = [["N", "V"]] * 4
WORSE = [["N", "N"]] * 4
GOOD = [["N", "V"]] * 3 + [["N", "N"]]
SPANS = [["B-PER", "O", "B-LOC"]]
TAGS, NAME = "tags.accuracy", "accuracy"  # and what tables call it


def scores(*systems: Any, **options: Any) -> Scores:
    names = options.pop("names", ["a", "b", "c"][: len(systems)])
    found: Scores = tertium.score(GOLD, *systems, names=names, **options)
    return found


def with_part(found: Scores, **changed: Any) -> Scores:
    """With another declaration of the value."""

    def change(result: Result) -> Result:
        return replace(result, declared=tuple(replace(p, **changed) for p in result.declared))

    return replace(found, results=tuple(map(change, found)))


def test_one_system() -> None:
    assert scores(GOOD).summary() == f"a: {NAME} 87.50"
    tested = scores(GOOD, significance=True, trials=50).summary()
    assert tested.startswith(f"a: {NAME} 87.50, 95")
    assert " CI " in tested


def test_the_best_system_whatever_its_place() -> None:
    expected = f"{NAME} 87.50, +37.50 over "
    assert scores(WORSE, GOOD).summary() == f"b is best: {expected}a"
    assert scores(GOOD, WORSE).summary() == f"a is best: {expected}b"
    three = scores(WORSE, GOOD, GOLD).summary()
    assert three == f"c is best of 3: {NAME} 100.00, +12.50 over b"


def test_ties() -> None:
    assert scores(GOOD, GOOD).summary() == f"a and b have the same {NAME}: 87.50"
    assert scores(GOOD, GOOD, WORSE).summary() == f"a and b are best: {NAME} 87.50"


def test_whether_it_may_be_chance() -> None:
    told = scores(WORSE, GOOD, significance=True).summary()
    assert told.endswith("over a, not significant: p = .250")
    three = scores(WORSE, GOOD, GOLD, significance=True).summary()
    assert three.endswith("over b, not significant: p = 1.00 (Holm)")


def test_lower_may_be_better_and_neither() -> None:
    lower = with_part(scores(WORSE, GOOD), better="lower")
    assert lower.summary() == f"a is best: {NAME} 50.00, -37.50 compared with b"
    neither = with_part(scores(WORSE, GOOD), better="none")
    assert neither.summary() == f"{NAME}: a 50.00 and b 87.50"


def test_undefined_values() -> None:
    empty = tertium.score([["O"]], [["O"]], names=["a"], metric="spans.f1")
    assert empty.summary().startswith("F1 is undefined: ")
    found = scores(WORSE, GOOD)
    first, second = found.results
    lacking = replace(found, results=(replace(first, value=None), second))
    assert lacking.summary() == f"b: {NAME} 87.50; undefined for a"


def test_the_main_metric_is_what_the_file_is_about(tmp_path: Path) -> None:
    gold = tmp_path / "gold.conllu"
    gold.write_text("1\tw\t_\tN\t_\t_\t0\troot\t_\t_\n\n", "utf-8")
    assert tertium.score(gold, gold, names=["a"]).summary() == "a: LAS 100.00"
    listed = tertium.score(gold, gold, names=["a"], metric=["deps.las", TAGS])
    assert listed.summary() == "a: LAS 100.00"
    official = tertium.score(gold, gold, names=["a"], metric="deps.ud")
    assert official.summary() == "a: LAS 100.00"


def test_runs_are_one_system() -> None:
    found = tertium.score(GOLD, WORSE, GOOD, names=["a", "b"])
    runs = replace(found, runs={"s": ("a", "b")})
    assert summary(runs, None) == f"s: {NAME} 68.75 (mean of 2 runs)"


def test_what_the_best_corrects() -> None:
    told = tertium.compare(GOLD, GOOD, WORSE, names=["a", "b"], significance=False).summary()
    assert told == (
        f"a is best: {NAME} 87.50, +37.50 over b; from a to b 0 corrections and 3 new errors"
    )
    same = tertium.compare(GOLD, GOOD, GOOD, names=["a", "b"], significance=False).summary()
    assert same.endswith("the same accuracy: 87.50; a and b have the same answers")


def test_spans_are_scored_by_one_metric_and_compared_by_another() -> None:
    wrong = [["B-ORG", "O", "B-LOC"]]
    told = tertium.compare(SPANS, wrong, SPANS, names=["a", "b"], significance=False).summary()
    assert told == (
        "b is best: F1 100.00, +50.00 over a; from a to b 1 correction and 0 new errors "
        "(by Fair F1)"
    )


def test_errors() -> None:
    wrong = [["B-ORG", "O", "O"]]
    assert tertium.errors(SPANS, wrong).summary().startswith("system: 2 errors by Fair F1, most")
    assert tertium.errors(SPANS, SPANS).summary() == "No errors by Fair F1"
    some = tertium.errors(SPANS, wrong, types="LE").summary()
    assert some == "1 of 2 errors by Fair F1 match the filters"
    several = tertium.errors(SPANS, wrong, SPANS, names=["a", "b"]).summary()
    assert several == "a 2 errors and b 0 errors by Fair F1"


def test_differences() -> None:
    found = tertium.diff(GOLD, GOOD).summary()
    assert found == f"A and B agree on 87.50% of 8 tokens by {NAME}: 1 difference"
    same = tertium.diff(GOLD, GOLD).summary()
    assert same == f"A and B are the same by {NAME}"


def test_conventions() -> None:
    wrong = [["B-ORG", "O", "B-LOC"]]
    one = conventions(SPANS, wrong).summary()
    assert one.startswith("F1 is between 50.00 (")
    assert conventions(SPANS, SPANS).summary() == "F1 is 100.00 under every convention"
    two = conventions(SPANS, wrong, SPANS, names=["a", "b"]).summary()
    assert two.startswith("The best system depends on the convention: b (")
    assert "; a and b (" in two
    missing = [["O", "O", "O"]]
    two = conventions(SPANS, missing, SPANS, names=["a", "b"]).summary()
    assert two == "Best F1 under every convention: b"


def test_audits() -> None:
    gold, a, b = GOLD * 10, WORSE * 10, GOOD * 10
    options = {"names": ["a", "b"], "samples": 2, "trials": 100, "sample_trials": 10}
    told = tertium.audit(gold, a, b, **options).summary()
    assert told.startswith(f"b is significantly better than a: {NAME} 87.50 against 50.00, p ")
    assert tertium.audit(gold, a, a, **options).summary() == "a and b never differ"
    few = tertium.audit(GOLD, WORSE, GOOD, **options).summary()
    assert few.startswith(f"No significant difference: {NAME} 50.00 (a) and 87.50 (b), p = .250")


def test_power_and_levels() -> None:
    found = tertium.power(GOLD * 5, WORSE * 5, GOOD * 5, trials=1000).summary()
    assert found.startswith(
        f"{NAME}: the observed difference of 37.50 points would be significant in "
    )
    assert "; 80% power takes " in found
    same = tertium.power(GOLD, GOOD, GOOD, trials=1000).summary()
    assert same.startswith(f"{NAME}: ")
    table = tertium.ppv_table()
    assert table.summary().endswith("is true in 50% of cases; 95% takes p < .0026")


@pytest.mark.parametrize("sets", [2, 6])
def test_data_sets(sets: int) -> None:
    two = {f"x{n}": scores(WORSE, GOOD) for n in range(sets)}
    told = tertium.across_datasets(two).summary()
    assert told.startswith(
        f"{NAME}: b is better than a on {sets} of {sets} data sets, +37.50 points on average"
    )
    assert ("Wilcoxon" in told) == (sets == 6)
    three = {f"x{n}": scores(WORSE, GOOD, GOLD) for n in range(sets)}
    told = tertium.across_datasets(three).summary()
    assert f"c ranks first over {sets} data sets (mean rank 1.00), before b (2.00)" in told
    equal = {f"x{n}": scores(GOOD, GOOD) for n in range(sets)}
    told = tertium.across_datasets(equal).summary()
    assert told == f"{NAME}: a and b have the same mean rank over {sets} data sets"


@pytest.mark.parametrize("format", ["text", "markdown", "html", "latex"])
def test_it_comes_first(format: str) -> None:
    found = scores(WORSE, GOOD)
    shown = tertium.render(found, format)
    sentence = f"b is best: {NAME} 87.50, +37.50 over a."
    assert shown.count(sentence) == 1
    assert shown.index(sentence) < shown.index("50.00")
    if format == "latex":
        assert f"\n% {sentence}\n" in shown


def test_data_has_numbers_alone() -> None:
    assert "is best" not in tertium.render(scores(WORSE, GOOD), "json")
    assert "is best" not in tertium.render(scores(WORSE, GOOD), "csv")


def test_numbers_have_as_many_digits_as_in_tables() -> None:
    shown = tertium.render(scores(WORSE, GOOD), digits=1)
    assert shown.startswith(f"b is best: {NAME} 87.5, +37.5 over a.")
    assert tertium.render(tertium.diff(GOLD, GOOD), digits=0).startswith(
        "A and B agree on 88% of 8"
    )
    assert scores(WORSE, GOOD).summary().endswith("+37.50 over a")
