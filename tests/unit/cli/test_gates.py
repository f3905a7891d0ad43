"""Gates on the command line: exit codes, verdicts, annotations and JUnit files."""

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

LAS = ("-m", "deps.las")


@pytest.fixture
def here(samples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("gold", "arbor", "cedar"):
        (tmp_path / f"{name}.conllu").write_bytes((samples / f"{name}.conllu").read_bytes())
    return tmp_path


def cases(path: str) -> list[tuple[str, int]]:
    tree = ElementTree.parse(path)
    return [(case.attrib["name"], len(case)) for case in tree.iter("testcase")]


def test_a_stored_result_is_a_gate(run: Any, here: Path) -> None:
    assert run("score", "gold.conllu", "A=arbor.conllu", *LAS, "-o", "base.json").code == 0
    gate = ("--against", "base.json", "--fail-if-worse")
    done = run("score", *gate, "gold.conllu", "A=cedar.conllu", *LAS, "--annotate", "github")
    message = "LAS of A fell from 86.78 in base.json to 82.17 (-4.60)"
    assert (done.code, done.err) == (
        1,
        f"::error title=tertium score::{message}\nerror: gate not met: {message}\n",
    )
    met = run("score", "gold.conllu", "A=cedar.conllu", *LAS, *gate, "--max-drop", "5")
    assert (met.code, met.err) == (0, "note:  the gate is met\n")
    quiet = run("score", "gold.conllu", "A=arbor.conllu", *LAS, *gate, "deps.las", "-q", "-b")
    assert (quiet.code, quiet.out, quiet.err) == (0, "86.78\n", "")


def test_scores_of_a_different_gold_standard_are_no_gate(run: Any, here: Path) -> None:
    run("score", "gold.conllu", "A=cedar.conllu", *LAS, "-o", "base.json")
    command = ("score", "arbor.conllu", "A=arbor.conllu", *LAS, "--against", "base.json")
    assert run(*command).code == 0
    done = run(*command, "--fail-if-worse")
    assert done.code == 1
    assert "gate not met: base.json was scored against a different gold standard (" in done.err
    assert "): the gate cannot be judged" in done.err


def test_gates_are_written_as_junit(run: Any, here: Path) -> None:
    files = ("gold.conllu", "arbor.conllu", "cedar.conllu")
    gate = ("--fail-under", "deps.las=0.85", "--junit", "out.xml", "-q")
    assert run("score", *files, *LAS, *gate).code == 1
    assert cases("out.xml") == [
        ("deps.las of arbor.conllu is at least 0.85", 0),
        ("deps.las of cedar.conllu is at least 0.85", 1),
    ]
    gate = ("--fail-if-worse", "--max-drop", "9", "--max-new-errors", "80", "--junit", "out.xml")
    assert run("compare", *files, *LAS, *gate, "--no-significance").code == 1
    assert cases("out.xml") == [
        ("deps.las of cedar.conllu is not worse than that of arbor.conllu", 0),
        ("cedar.conllu makes at most 80 new errors by deps.las", 1),
    ]


def test_problems_of_files_are_annotated(run: Any, here: Path) -> None:
    (here / "bad.conllu").write_text("1\ta\tb\n")
    done = run("validate", "bad.conllu", "gold.conllu", "--annotate", "github", "--junit", "v.xml")
    assert done.code == 3
    assert done.err.startswith("::error file=bad.conllu,line=1,title=tertium validate::3 columns")
    assert cases("v.xml") == [("bad.conllu has no errors", 1), ("gold.conllu has no errors", 0)]


def test_no_file_is_written_over_an_input(run: Any, here: Path) -> None:
    before = (here / "gold.conllu").read_bytes()
    for args in (("validate", "gold.conllu"), ("score", "gold.conllu", "arbor.conllu")):
        done = run(*args, "--junit", "gold.conllu")
        assert done.code == 2
        assert "'gold.conllu' is one of the files compared: '--junit' would replace" in done.err
    done = run("score", "gold.conllu", "arbor.conllu", "--junit", "x", "-o", "./x", "-f", "json")
    assert (done.code, done.err.splitlines()[0]) == (
        2,
        "error: '--junit' and the result would be written to the same file",
    )
    assert (here / "gold.conllu").read_bytes() == before
