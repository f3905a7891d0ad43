"""Gates against a stored result, and what continuous integration is told."""

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import tertium
from result_samples import result, scores
from tertium.exceptions import GateError, Problem, UsageError, Verdict
from tertium.report.checks import MOST, github, junit
from tertium.results.parts import Part
from tertium.significance.score.gates import WorseOptions, loss

GOLD = [["N", "V", "N", "V"]] * 5
BETTER = [["N", "V", "N", "V"]] * 4 + [["N", "V", "N", "N"]]  # 0.95
WORSE = [["N", "V", "N", "V"]] * 3 + [["N", "V", "N", "N"]] * 2  # 0.90
SHARE = Part("accuracy")


@pytest.fixture
def base(tmp_path: Path) -> str:
    path = tmp_path / "base.json"
    path.write_text(json.dumps(tertium.score(GOLD, BETTER, names=["A"]).to_dict()))
    return str(path)


def scored(*systems: Any, **options: Any) -> Any:
    return tertium.score(GOLD, *systems, **options)


def test_a_loss_is_an_offence(base: str) -> None:
    found = scored(WORSE, names=["A"], against=base, fail_if_worse=True)
    with pytest.raises(GateError) as told:
        found.check()
    message = f"accuracy of A fell from 95.00 in {base} to 90.00 (-5.00)"
    assert told.value.message == f"gate not met: {message}"
    assert found.verdicts() == [Verdict(f"tags.accuracy of A is not worse than in {base}", message)]
    scored(BETTER, names=["A"], against=base, fail_if_worse="tags.accuracy").check()
    scored(WORSE, names=["A"], against=base).check()


@pytest.mark.parametrize(("allowed", "is_met"), [(4.99, False), (5, True), (5.0, True), (6, True)])
def test_some_loss_may_be_allowed(base: str, allowed: float, is_met: bool) -> None:
    found = scored(WORSE, names=["A"], against=base, fail_if_worse="", max_drop=allowed)
    [verdict] = found.verdicts()
    assert bool(verdict.offence) != is_met
    if not is_met:
        assert verdict.offence.endswith("(-5.00), more than the 4.99 allowed")


@pytest.mark.parametrize(
    ("part", "before", "now", "allowed", "told"),
    [
        (
            SHARE,
            0.8265,
            0.823,
            0.2,
            "x fell from 82.65 to 82.30 (-0.35), more than the 0.20 allowed",
        ),
        (
            SHARE,
            0.8265,
            0.8264,
            0.005,
            "x fell from 82.65 to 82.64 (-0.01), more than the 0.005 al",
        ),
        (SHARE, 0.3, 0.1 + 0.2, None, ""),
        (
            Part("n", "count", (0, 99), "lower"),
            3,
            5,
            1,
            "x rose from 3 to 5 (+2), more than the 1 a",
        ),
        (Part("n", "count", (0, 99), "lower"), 3, 5, 2, ""),
        (Part("m", "value", (0, 9)), 2.5, 2.25, None, "x fell from 2.500 to 2.250 (-0.2500)"),
        (Part("m", "value", (0, 9)), 2.5, 2.25, 0.25, ""),
        (Part("e", better="lower"), 0.2, 0.1, None, ""),
    ],
)
def test_a_loss_is_in_the_unit_of_the_number(
    part: Part, before: float, now: float, allowed: float | None, told: str
) -> None:
    found = loss("x", part, (before, ""), (now, ""), WorseOptions(("",), allowed))
    assert " ".join(found.split())[: len(told) or None] == told


def test_of_several_runs_the_means_count(base: str) -> None:
    runs = tertium.runs("A", BETTER, WORSE)
    path = Path(base)
    path.write_text(json.dumps(scored(runs).to_dict()))
    scored(tertium.runs("A", WORSE, BETTER), against=base, fail_if_worse="").check()
    with pytest.raises(GateError, match=r"of A fell from 92.50 in .* to 90.00"):
        scored(tertium.runs("A", WORSE, WORSE), against=base, fail_if_worse="").check()


def test_what_the_earlier_result_lacks_is_named(base: str) -> None:
    both = scored(WORSE, BETTER, names=["A", "B"], against=base, fail_if_worse="")
    assert [v.check.split()[2] for v in both.verdicts()] == ["A"], "B is new"
    assert f"accuracy of B is not in {base}" in both.against.notes
    named = scored(WORSE, BETTER, names=["A", "B"], against=base, fail_if_worse="tags.accuracy")
    assert named.verdicts()[1].offence == f"accuracy of B: not in {base}"
    with pytest.raises(UsageError, match="has no score that 'fail_if_worse' could compare") as e:
        scored(WORSE, BETTER, names=["B", "C"], against=base, fail_if_worse="").check()
    assert f"only in {base}: accuracy of A" in str(e.value.help)


def test_a_value_that_became_undefined_is_an_offence(base: str) -> None:
    from tertium.significance.score.against import Against, Change

    then = Against("base.json", {("a", "deps.las", ""): Change(0.5, None, "undefined now")})
    found = scores(result("a", "deps.las", None))
    object.__setattr__(found, "against", then)
    object.__setattr__(found, "worse", WorseOptions(("",)))
    assert [v.offence for v in found.verdicts()] == ["deps.las of a: undefined now"]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"fail_if_worse": ""}, "needs an earlier result"),
        ({"fail_if_worse": [1]}, "fail_if_worse must be True or metrics. Got [1] instead."),
        ({"max_drop": 1}, "'max_drop' needs 'fail_if_worse'"),
        ({"fail_if_worse": "deps.lass"}, "does not name a metric. Did you mean 'deps.las'"),
        ({"fail_if_worse": "", "max_drop": -1}, "max_drop must not be negative"),
    ],
)
def test_gates_that_make_no_sense_are_refused(options: dict[str, Any], told: str) -> None:
    with pytest.raises(UsageError) as caught:
        tertium.score("no such file", "nor this", **options)
    assert told in caught.value.message


def test_other_settings_are_refused(base: str) -> None:
    with pytest.raises(UsageError, match="align: auto / position"):
        tertium.score(GOLD, WORSE, names=["A"], against=base, fail_if_worse="", align="position")


def test_annotations_hide_what_would_end_them() -> None:
    verdict = Verdict("c", "100%, gone:\nall", ("  a\r",), file="")
    assert github([verdict], "score") == [
        "::error title=tertium score::100%25, gone:%0Aall%0A  a%0D"
    ]
    problems = (Problem("bad", 3, "s1"), Problem("odd", severity="note"))
    file = Verdict("ok", "1 error", file="a,b:c.conllu", problems=problems)
    assert github([file, Verdict("fine")], "validate") == [
        "::error file=a%2Cb%3Ac.conllu,line=3,title=tertium validate::bad (sentence s1)",
        "::notice file=a%2Cb%3Ac.conllu,title=tertium validate::odd",
    ]


def test_of_many_annotations_the_first_are_shown() -> None:
    many = Verdict("ok", "x", file="f", problems=tuple(Problem(f"p{n}", n) for n in range(1, 31)))
    lines = github([many], "validate")
    assert len(lines) == MOST
    assert lines[-1].endswith("::21 more errors, not shown here")


def test_junit_is_xml_whatever_the_texts_hold() -> None:
    hostile = 'a<b>&"\n\x00\ud800]]>'
    found = junit([Verdict(hostile, hostile, (hostile,), file=hostile), Verdict("fine")], "score")
    tree = ElementTree.fromstring(found.encode())
    cases = [*tree.iter("testcase")]
    assert [len(case) for case in cases] == [1, 0]
    assert cases[0].attrib["name"] == 'a<b>&"\n��]]>'
    assert cases[0][0].text == 'a<b>&"\n��]]>'
    assert (tree.attrib["tests"], tree.attrib["failures"]) == ("2", "1")
