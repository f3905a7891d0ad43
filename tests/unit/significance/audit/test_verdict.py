"""The verdict says what the numbers say, and no more."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import tertium
from tertium.results.assessment import Interval, Testing
from tertium.significance.audit.looks import AuditLook
from tertium.significance.audit.result import Audit

pytestmark = pytest.mark.usefixtures("few_samples")

QUICK: dict[str, Any] = {"samples": 3, "sample_trials": 50, "testing": Testing(trials=500)}


@pytest.fixture(scope="module")
def found(samples: Path) -> Audit:
    files = [samples / f"{name}.conllu" for name in ("gold", "arbor", "breeze")]
    return tertium.audit(*files, metric="deps.las", by="genre", **QUICK)


def with_p(audit: Audit, p: float, **families: float) -> Audit:
    """The same audit with p-values as wanted: of the main look, and of whole families."""

    def changed(looks: tuple[AuditLook, ...], family: str) -> tuple[AuditLook, ...]:
        value = families.get(family, 0.9)
        return tuple(replace(look, test=replace(look.test, p=value)) for look in looks)

    main = replace(audit.main, test=replace(audit.main.test, p=p))
    assert audit.length is not None
    return replace(
        audit,
        main=main,
        metrics=changed(audit.metrics, "metric"),
        labels=changed(audit.labels, "label"),
        tests=changed(audit.tests, "test"),
        groups=changed(audit.groups, "group"),
        size=replace(audit.size, looks=(*changed(audit.size.looks[:-1], "size"), main)),
        length=replace(audit.length, looks=(*changed(audit.length.looks[:-1], "length"), main)),
    )


def test_not_significant_is_not_equal(found: Audit) -> None:
    text = with_p(found, 0.3).verdict[0]
    assert "not significant at .05" in text
    assert "does not show that the systems are equal" in text
    assert "p = .300" in text
    assert "-2.72 points" in text


def test_both_levels_are_told(found: Audit) -> None:
    assert "significant at .05, but not at .0025" in with_p(found, 0.01).verdict[0]
    assert "significant at .05 and at .0025" in with_p(found, 0.001).verdict[0]
    assert "equal" not in with_p(found, 0.001).verdict[0]


def test_looks_are_counted_for_either_side(found: Audit) -> None:
    whole = found.whole
    text = found.verdict[1]
    assert f"Of {whole.looks} analyses" in text
    assert f"{whole.at(0.05)} were significant at .05" in text
    assert f"{whole.for_side('a')} for arbor.conllu" in text
    assert f"about {whole.looks * 0.05:.1f} would be" in text
    assert "by chance" in text
    assert "independent" not in text
    none = with_p(found, 0.9).verdict[1]
    assert "none was significant at .05 and none was significant at .0025" in none


def test_a_reader_sees_whether_the_main_result_stays(found: Audit) -> None:
    assert "but not the main result" in with_p(found, 0.04, label=0.0001).verdict[1]
    assert "including the main result" in with_p(found, 0.0001, label=0.0001).verdict[1]
    assert "1 is significant at .05, the main result." in with_p(found, 0.0001).verdict[1]
    assert "none is significant at .05." in with_p(found, 0.04).verdict[1]


def test_choosing_a_number_is_cherry_picking(found: Audit) -> None:
    text = with_p(found, 0.15, label=0.02).verdict[2]
    assert f"{len(found.labels)} of the" in text
    assert "would be cherry-picking" in text
    assert "the smallest p is .020" in text
    assert "beside .150 of the main metric" in text
    clean = with_p(found, 0.15).verdict[2]
    assert "cherry" not in clean
    assert "None of the" in clean
    assert "makes it significant" in clean


def test_no_other_number_may_have_a_smaller_p(found: Audit) -> None:
    text = with_p(found, 0.01, metric=0.01, label=0.02).verdict[2]
    assert "No metric or label has a smaller p" in text
    assert "free choice" not in text


def test_what_else_could_have_been_had(found: Audit) -> None:
    text = with_p(found, 0.15, group=0.01).verdict[2]
    assert "give a significant result: a part of the data (2 of 2" in text
    assert "a smaller sample" not in text


def test_a_significant_result_may_go_away(found: Audit) -> None:
    text = with_p(found, 0.01, metric=0.01, test=0.01, size=0.01, length=0.01, label=0.01).verdict[
        2
    ]
    assert "is not significant with a part of the data (2 of 2" in text
    assert "another metric" not in text
    assert "favour the other system" in text, "some metrics favour breeze"
    firm = with_p(
        found, 0.01, metric=0.01, test=0.01, size=0.01, length=0.01, label=0.01, group=0.01
    )
    assert "It is significant with every metric, test, sample" in firm.verdict[2]


def test_adding_data(found: Audit) -> None:
    text = with_p(found, 0.2, size=0.01, length=0.01).verdict[3]
    assert "crosses .05 once; 1 significant result became insignificant" in text
    assert re.search(r"at cut-offs of \d+ to \d+ words", text)
    text = with_p(found, 0.01, size=0.2).verdict[3]
    assert "crosses .05 once, and no significant result became insignificant" in text
    assert "at or above .05 at all 20 sizes" in with_p(found, 0.2).verdict[3]
    assert "No cut-off" in with_p(found, 0.2).verdict[3]


def test_ppv_is_under_stated_assumptions(found: Audit) -> None:
    text = found.verdict[4]
    assert "R = .1" in text
    assert "beta = .5" in text
    assert "Assume that" in text
    assert "below .05 is then true in 50%" in text
    assert "below .0025 in 95%" in text


def test_an_undefined_main_number_ends_it(found: Audit) -> None:
    test = replace(found.main.test, p=None, delta=None, reason="nothing there")
    nothing = Interval(None, None, 0.95, "bca", 500, reason="nothing there")
    audit = replace(found, main=replace(found.main, test=test), interval=nothing)
    assert len(audit.verdict) == 1
    assert "nothing there" in audit.verdict[0]


def test_a_stated_direction_and_exact_tests_are_told() -> None:
    gold, a, b = [["N", "V"]] * 6, [["N", "N"]] * 6, [["N", "V"]] * 6
    how = Testing(direction="greater")
    found = tertium.audit(gold, a, b, samples=1, sample_trials=10, testing=how)
    assert "one-sided (B above A, as stated beforehand), exact" in found.verdict[0]
    assert found.main.p == pytest.approx(1 / 64)
