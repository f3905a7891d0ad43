"""The verb `diff`."""

import json
from pathlib import Path

import pytest

import tertium
from schemas import validator_of
from tertium.cli.main import main


def files(samples: Path) -> list[str]:
    return [str(samples / f"upos-ann{n}.tsv") for n in (1, 2)]


def test_the_exit_code_is_0_unless_asked_for(
    samples: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["diff", *files(samples)]) == 0
    out = capsys.readouterr().out
    assert "upos-ann1 (A) and upos-ann2 (B)" in out
    assert main(["diff", *files(samples), "--exit-code"]) == 1
    said = capsys.readouterr()
    assert "differ: 61 by tags.accuracy" in said.err
    assert said.out == out
    assert main(["diff", files(samples)[0], files(samples)[0], "--exit-code"]) == 0


@pytest.mark.parametrize("format", ["text", "csv", "markdown", "latex", "html"])
def test_every_format(samples: Path, tmp_path: Path, format: str) -> None:
    out = tmp_path / "out.txt"
    arguments = ["--format", format, "--output", str(out), "--examples", "3"]
    assert main(["diff", *files(samples), *arguments]) == 0
    assert "PROPN" in out.read_text("utf-8")


def test_json(samples: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", *files(samples), "--format", "json", "--examples", "1"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["layers"][0]["different"] == 61
    assert len(data["examples"]) == 1
    assert main(["diff", *files(samples), "--format", "json", "--examples", "0"]) == 0
    assert len(json.loads(capsys.readouterr().out)["examples"]) == 61


def test_the_limit_is_of_rows(samples: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", *files(samples), "--limit", "3"]) == 0
    out = capsys.readouterr().out
    assert "and 10 more; '--all' shows all" in out
    assert "and 8 more; '--all' shows all" in out
    assert "sentence '" not in out


def test_neither_side_is_called_gold(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", "--help"]) == 0
    told = capsys.readouterr().out
    for option in ("--system-format", "--system-columns"):
        assert option in told
        told = told.replace(option, "")
    assert "Format of A and B." in told
    assert "Columns of B" in told
    assert "gold" not in told
    assert "system" not in told
    for folder, names in (("one", "ab"), ("two", "a")):
        (tmp_path / folder).mkdir()
        for name in names:
            (tmp_path / folder / f"{name}.tsv").write_text("w\tN\n\n")
    (tmp_path / "other.tsv").write_text("x\tN\n\n")
    for pair in (("one", "two"), ("one/a.tsv", "other.tsv")):
        assert main(["diff", *(str(tmp_path / name) for name in pair)]) == 3
        said = capsys.readouterr().err
        assert "gold" not in said.replace(str(tmp_path), "")
        assert "system" not in said.replace(str(tmp_path), "")


def test_groups_by_several_keys(samples: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trees = [str(samples / f"{name}.conllu") for name in ("arbor", "breeze")]
    args = (*trees, "--metric", "deps.las", "--by", "length", "--by", "kind=sent_id~^([a-z]+)")
    assert main(["diff", *args, "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    validator_of("diff").validate(data)
    assert data["by"] == "length"
    (other,) = data["also_by"]
    alone = tertium.diff(*trees, metric="deps.las", by="sent_id~^([a-z]+)").to_dict()
    assert other == {
        "by": "kind",
        "layers": [{"metric": "deps.las", "groups": alone["layers"][0]["groups"]}],
    }


def test_two_annotations_are_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", "a"]) == 2
    assert "give two or more annotations. Got 1 instead." in capsys.readouterr().err


def test_a_study_lends_its_systems(
    samples: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["diff"]) == 2
    assert "no files were given. Give A B" in capsys.readouterr().err
    study = tmp_path / "tertium.toml"
    one, two = files(samples)
    study.write_text(f'[systems]\nanna = "{one}"\nben = "{two}"\n[diff]\nlimit = 3\n')
    assert main(["diff", "--study", str(study)]) == 0
    out = capsys.readouterr().out
    assert "anna (A) and ben (B)" in out
    assert "and 10 more; '--all' shows all" in out


def test_there_is_no_picture(samples: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", *files(samples), "--format", "svg"]) == 2
    assert "no figure" in capsys.readouterr().err
