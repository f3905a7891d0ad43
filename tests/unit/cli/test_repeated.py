"""Options given twice: never does the last one win without a word."""

from __future__ import annotations

from typing import Any

import pytest

from tertium.cli.main import VERBS, load
from tertium.options import Verb

DECLARED = [
    (verb, option)
    for verb in VERBS
    if isinstance(found := load(verb), Verb)
    for option in found.declared().values()
]
FURTHER = [
    (verb, flag)
    for verb in VERBS
    if isinstance(found := load(verb), Verb)
    for flag in (
        *(["--study"] if found.study else []),
        *(["--format", "--output"] if found.prints else []),
    )
]


def value_of(option: Any) -> str:
    if option.choices:
        return str(option.choices[0])
    return "0.5" if option.kind is float else "1"


def test_an_option_with_one_value_is_refused_twice(run: Any) -> None:
    tried = 0
    for verb, option in DECLARED:
        if option.kind is not bool and not option.many:
            done = run(verb, "g", "a", "b", *(f"{option.flag}={value_of(option)}",) * 2)
            assert done.code == 2, (verb, option.flag)
            assert f"{option.flag} is given 2 times" in done.err
            tried += 1
    for verb, flag in FURTHER:
        value = "json" if flag == "--format" else "x"
        done = run(verb, "g", "a", "b", flag, value, flag, value)
        assert (done.code, f"{flag} is given 2 times" in done.err) == (2, True), (verb, flag)
        tried += 1
    assert tried > 100


def test_switches_that_contradict_each_other_are_refused(run: Any) -> None:
    pairs = [(v, *o.flag.split("/")) for v, o in DECLARED if o.kind is bool and "/" in o.flag]
    assert pairs
    for verb, yes, no in pairs:
        for both in ((yes, no), (no, yes), (yes, yes, no)):
            done = run(verb, "g", "a", "b", *both)
            assert (done.code, "contradict each other" in done.err) == (2, True), (verb, both)


@pytest.mark.parametrize("number", ["nan", "inf", "1e-320", "99999999999999", "-1", "9" * 5000])
def test_numbers_out_of_range_are_mistakes(number: str, run: Any) -> None:
    for verb, option in DECLARED:
        if option.name in ("trials", "samples", "sample_trials", "jobs", "level"):
            done = run(verb, "g", "a", "b", f"{option.flag}={number}")
            assert done.code in (2, 3), (verb, option.flag)
            assert option.flag in done.err or option.name in done.err
            assert len(done.err) < 1000
