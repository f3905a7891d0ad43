"""The verb `diff`."""

import json
from pathlib import Path

import pytest

from tertium.cli.main import main


def files(samples: Path) -> list[str]:
    return [str(samples / f"upos-ann{n}.tsv") for n in (1, 2)]


def test_the_exit_code_is_0_unless_asked_for(
    samples: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["diff", *files(samples)]) == 0
    out = capsys.readouterr().out
    assert "upos-ann1.tsv (A) and upos-ann2.tsv (B)" in out
    assert main(["diff", *files(samples), "--exit-code"]) == 1
    said = capsys.readouterr()
    assert "differ: 61 by tags.accuracy" in said.err
    assert said.out == out
    assert main(["diff", files(samples)[0], files(samples)[0], "--exit-code"]) == 0


@pytest.mark.parametrize("format", ["text", "csv", "markdown", "latex", "html"])
def test_every_format(samples: Path, tmp_path: Path, format: str) -> None:
    out = tmp_path / "out.txt"
    arguments = ["--format", format, "--output", str(out), "--examples"]
    assert main(["diff", *files(samples), *arguments]) == 0
    assert "PROPN" in out.read_text("utf-8")


def test_json(samples: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", *files(samples), "--format", "json", "--limit", "1"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["layers"][0]["different"] == 61
    assert len(data["instances"]) == 1


@pytest.mark.parametrize("given", [[], ["a"], ["a", "b", "c"]])
def test_two_annotations_are_asked_for(
    given: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["diff", *given]) == 2
    assert "two annotations, A and B" in capsys.readouterr().err


def test_there_is_no_picture(samples: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", *files(samples), "--format", "svg"]) == 2
    assert "no figure" in capsys.readouterr().err
