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
    assert count_of("gold", ["A=x,*.tsv"]) == 1
    assert count_of("gold", ["A=r1.tsv,r2.tsv", "b"]) == 3


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
        (
            lambda: expand_runs([tertium.runs("A", 1, 2), tertium.runs("A", 3, 4)]),
            "is used twice",
        ),
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


@pytest.fixture
def submissions(files: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """gold.tsv beside a folder of two submissions, one of them in a folder of its own."""
    folder = tmp_path / "systems"
    (folder / "team").mkdir(parents=True)
    (tmp_path / "r1.tsv").rename(folder / "r1.tsv")
    (tmp_path / "r2.tsv").rename(folder / "team" / "r2.tsv")
    monkeypatch.chdir(tmp_path)
    return folder


@pytest.mark.parametrize("gold", ["gold.tsv", GOLD])
def test_every_file_of_a_folder_is_a_system_if_gold_is_one_file(
    submissions: Path, gold: Any
) -> None:
    for given in ("systems", Path("systems"), "systems/**/*.tsv"):
        scores = tertium.score(gold, given)
        assert {r.system: r.value for r in scores} == {"r1.tsv": 0.75, "r2.tsv": 1.0}
        said = "each of the 2 files in 'systems' is one system"
        assert (said in scores.notes) == (str(given) == "systems")
    assert tertium.score(gold, "systems/*").systems == ["r1.tsv"], "a pattern of one file"
    assert tertium.compare(gold, "systems", significance=False).systems == ["r1.tsv", "r2.tsv"]


def test_equal_names_in_several_folders_are_shown_in_full(submissions: Path) -> None:
    (submissions / "team" / "r2.tsv").rename(submissions / "team" / "r1.tsv")
    assert tertium.score("gold.tsv", "systems").systems == ["systems/r1.tsv", "systems/team/r1.tsv"]


def test_gold_among_the_submissions_is_left_out(submissions: Path) -> None:
    scores = tertium.score("gold.tsv", "*.tsv", "systems/r1.tsv")
    assert scores.systems == ["x,1.tsv", "r1.tsv"]
    assert "left out of '*.tsv': the gold standard" in scores.notes
    with pytest.raises(InputError, match="is the gold standard alone; there is no system in it"):
        tertium.score("gold.tsv", "g*.tsv")


def test_a_folder_is_one_system_if_gold_is_a_folder(submissions: Path, tmp_path: Path) -> None:
    (tmp_path / "golds" / "team").mkdir(parents=True)
    for name in ("r1.tsv", "team/r2.tsv"):
        (tmp_path / "golds" / name).write_text((tmp_path / "gold.tsv").read_text())
    scores = tertium.score("golds", "systems")
    assert (scores.systems, scores.value, scores.units) == (["systems"], 0.875, 6)


def test_a_folder_with_a_name_is_not_several_systems(submissions: Path) -> None:
    with pytest.raises(InputError, match="'A' is 2 files, but the gold standard is one") as told:
        tertium.score("gold.tsv", "A=systems")
    assert "several runs of system A" in str(told.value.help)


def test_two_folders_are_not_two_systems_to_audit(submissions: Path) -> None:
    with pytest.raises(UsageError, match=r"audit takes two systems\. Got 3"):
        tertium.audit("gold.tsv", "systems", "x,1.tsv")


def test_a_folder_with_one_file_is_named_after_it(submissions: Path) -> None:
    (submissions / "README.md").write_text("Our systems\n")
    (submissions / "team" / "r2.tsv").unlink()
    scores = tertium.score("gold.tsv", "systems")
    assert scores.systems == ["r1.tsv"]
    assert scores.notes == ("left out of 'systems': 'systems/README.md' (not data)",)
