"""Several runs of one system."""

from pathlib import Path
from typing import Any

import pytest

import tertium
from tertium.exceptions import InputError, UsageError
from tertium.study.sides import count_of, expand_runs

GOLD = [["N", "V", "N", "V"]] * 3
GOOD = GOLD
BAD = [["N", "V", "N", "N"]] * 3


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    found = {}
    for name, tags in (("gold", GOLD), ("r1", BAD), ("r2", GOOD), ("x,1", BAD)):
        path = tmp_path / f"{name}.tsv"
        lines = ["\n".join(f"w\t{tag}" for tag in sentence) for sentence in tags]
        path.write_text("\n\n".join(lines) + "\n")
        found[name] = str(path)
    return found


def test_runs_are_systems_of_their_own(files: dict[str, str]) -> None:
    scores = tertium.score(files["gold"], f"A={files['r1']},{files['r2']}", f"B={files['r1']}")
    assert scores.systems == ["A#1", "A#2", "B"]
    assert dict(scores.runs) == {"A": ("A#1", "A#2")}
    assert [r.value for r in scores] == [0.75, 1.0, 0.75]


def test_in_python_runs_are_any_data(files: dict[str, str]) -> None:
    scores = tertium.score(files["gold"], tertium.runs("A", Path(files["r1"]), GOOD), GOOD)
    assert scores.systems == ["A#1", "A#2", "system3"]


def test_one_run_is_an_ordinary_system() -> None:
    scores = tertium.score(GOLD, tertium.runs("A", GOOD))
    assert scores.systems == ["A"]
    assert not scores.runs


def test_names_are_those_of_systems() -> None:
    scores = tertium.score(GOLD, tertium.runs("A", GOOD, BAD), GOOD, names=["X", "Y"])
    assert scores.systems == ["X#1", "X#2", "Y"]
    assert dict(scores.runs) == {"X": ("X#1", "X#2")}
    with pytest.raises(UsageError, match="there are 2 systems, but 3 names"):
        tertium.score(GOLD, tertium.runs("A", GOOD, BAD), GOOD, names=["X", "Y", "Z"])


def test_a_file_whose_name_holds_a_comma_is_a_file(
    files: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert tertium.score("gold.tsv", "x,1.tsv").systems == ["x,1.tsv"]
    assert tertium.score("gold.tsv", "A=x,1.tsv").systems == ["A"]
    assert count_of(["A=x,*.tsv"]) == 1
    assert count_of(["A=r1.tsv,r2.tsv", "b"]) == 3


def test_runs_need_a_name(
    files: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match="need its name") as told:
        tertium.score("gold.tsv", "r1.tsv,r2.tsv")
    assert told.value.help == "name it: A=r1.tsv,r2.tsv"
    with pytest.raises(UsageError, match="need its name"):
        tertium.score("gold.tsv", "=r1.tsv,r2.tsv")
    with pytest.raises(InputError, match=r"there is no file 'r1\.tsv,r3\.tsv'"):
        tertium.score("gold.tsv", "r1.tsv,r3.tsv")


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: tertium.runs(""), "need its name"),
        (lambda: tertium.runs("A"), "no runs of 'A'"),
        (lambda: expand_runs([tertium.runs("A", 1, 2), tertium.runs("A", 3, 4)]), "named 'A'"),
        (lambda: tertium.score(GOLD, tertium.runs("A", BAD, GOOD), BAD, names=["A", "A"]), "'A'"),
    ],
)
def test_what_cannot_be_told_apart_is_refused(call: Any, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        call()


def test_a_run_that_is_not_there_is_named(files: dict[str, str]) -> None:
    with pytest.raises(InputError, match="there is no file 'nowhere'"):
        tertium.score(files["gold"], f"A={files['r1']},nowhere")
    with pytest.raises(UsageError, match="empty"):
        tertium.score(files["gold"], f"A={files['r1']},")


def test_runs_may_be_folders(tmp_path: Path) -> None:
    for folder in ("gold", "one", "two"):
        (tmp_path / folder).mkdir()
        for part in "ab":
            (tmp_path / folder / f"{part}.tsv").write_text("w\tN\nw\tV\n")
    scores = tertium.score(tmp_path / "gold", f"A={tmp_path / 'one'},{tmp_path / 'two'}")
    assert [r.value for r in scores] == [1.0, 1.0]
    assert scores.units == 2


def test_summaries_stand_in_json() -> None:
    told = tertium.score(GOLD, tertium.runs("A", BAD, GOOD)).to_dict()
    [entry] = told["runs"]
    assert (entry["system"], entry["mean"]) == ("A", 0.875)
    assert entry["sd"] == pytest.approx(0.25 / 2**0.5)
    assert entry["values"] == [0.75, 1.0]


def test_a_run_is_given_once() -> None:
    with pytest.raises(UsageError, match="given twice as a run of 'A'"):
        expand_runs(["A=x.bio,y.bio,x.bio"])
