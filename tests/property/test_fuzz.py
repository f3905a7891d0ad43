"""The fuzzer (tools/fuzz): a short run with fixed seeds, and whether it would notice anything."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from fuzz.cases import Case, case_of
from fuzz.checks import findings
from fuzz.smaller import smaller
from tertium.cli import main as cli

FINE = Case(0, ("validate", "a.bio"), {"a.bio": b"a\tO\nb\tB-X\n\n"}, ("a.bio",))


def test_nothing_is_found() -> None:
    for seed in range(50):
        case = case_of(seed)
        # Time and memory may be those of a kernel that is compiled now.
        found = [each for each in findings(case) if not each.startswith(("time:", "memory:"))]
        assert found == [], case


def test_a_seed_is_a_case() -> None:
    assert [case_of(seed) for seed in range(50)] == [case_of(seed) for seed in range(50)]


def bug(args: list[str]) -> int:
    return 70


def silent(args: list[str]) -> int:
    return 3 if args[0] == "score" else 0


def both(args: list[str]) -> int:
    sys.stdout.write("a table\n")
    sys.stderr.write("error: no\n")
    return 3 if args[0] == "score" else 0


def escapes(args: list[str]) -> int:
    sys.stdout.write("a\x1b[31mb")
    return 0


def litters(args: list[str]) -> int:
    Path(".4457.x.jsonl").touch()
    return 0


def writes_outside(args: list[str]) -> int:
    Path("../x").touch()
    return 0


def overwrites(args: list[str]) -> int:
    Path("a.bio").write_text("x")
    return 0


def no_csv(args: list[str]) -> int:
    sys.stdout.write("system,-0.5,=1+1\n")
    return 0


def no_json(args: list[str]) -> int:
    sys.stdout.write('{"value": NaN}')
    return 0


@pytest.mark.parametrize(
    ("main", "args", "kind"),
    [
        (bug, ("validate", "a.bio"), "exit"),
        (silent, ("score", "a.bio"), "silence"),
        (both, ("score", "a.bio"), "output"),
        (escapes, ("validate", "a.bio"), "control"),
        (litters, ("validate", "a.bio"), "litter"),
        (writes_outside, ("validate", "a.bio"), "litter"),
        (overwrites, ("validate", "a.bio"), "litter"),
        (no_json, ("validate", "a.bio", "--format", "json"), "form"),
        (no_csv, ("validate", "a.bio", "--format", "csv", "--safe-csv"), "form"),
    ],
)
def test_what_is_wrong_is_found(
    main: Callable[[list[str]], int],
    args: tuple[str, ...],
    kind: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert findings(FINE) == []
    monkeypatch.setattr(cli, "main", main)
    found = findings(Case(0, args, FINE.files, FINE.data))
    assert [each.partition(":")[0] for each in found] == [kind]


def test_what_fails_is_made_smaller() -> None:
    case = Case(0, ("score", "a", "--labels", "--by", "x"), {"a": b"1\n2\n3xy\n4\n" * 9}, ("a",))
    small = smaller(case, lambda each: b"x" in each.files["a"] and "--labels" in each.args)
    assert small.args == ("score", "a", "--labels")
    assert small.files == {"a": b"x"}
