"""`tertium audit` on the command line."""

import json
from pathlib import Path

import pytest

from tertium.cli.main import main

pytestmark = pytest.mark.usefixtures("few_samples")

FAST = ["--trials", "200", "--samples", "2", "--sample-trials", "20"]


@pytest.fixture
def files(samples: Path) -> list[str]:
    return [str(samples / f"entities-{name}.bio") for name in ("gold", "arbor", "breeze")]


def test_text(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", *files, *FAST]) == 0
    out = capsys.readouterr().out
    assert "entities-arbor (A) and entities-breeze (B)" in out
    assert "200 trials, seed 0" in out


def test_options_reach_the_tests(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--test", "bootstrap", "--direction", "less", "--seed", "7", "--level", "0.9"]
    assert main(["audit", *files, *FAST, *options, "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["testing"] == {
        "test": "bootstrap", "direction": "less", "trials": 200, "seed": 7, "interval": "bca",
        "level": 0.9,
    }  # fmt: skip
    assert told["main"]["direction"] == "less"
    assert "artificially low" in told["main"]["warning"]
    assert any("artificially low" in note for note in told["notes"])


def test_a_page_of_its_own(files: list[str], tmp_path: Path) -> None:
    page = tmp_path / "audit.html"
    assert main(["audit", *files, *FAST, "--output", str(page)]) == 0
    text = page.read_text("utf-8")
    assert text.count("<svg") == 2
    assert "http://" not in text.replace("http://www.w3.org", "")


@pytest.mark.parametrize("count", [1, 2, 4])
def test_gold_and_two_systems(
    files: list[str], samples: Path, count: int, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [*files, str(samples / "entities-cedar.bio")][:count]
    assert main(["audit", *given]) == 2
    err = capsys.readouterr().err
    assert f"Got {count} file" in err
    assert "tertium compare" in err


def test_a_study_names_the_files_and_one_key(
    files: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["audit"]) == 2
    assert "no files were given. Give GOLD A B" in capsys.readouterr().err
    gold, a, b = files
    study = f"[data]\ngold = '{gold}'\n[systems]\nold = '{a}'\nnew = '{b}'\n"
    study += "[options]\nby = 'length'\n[audit]\nsamples = 2\nsample_trials = 20\n"
    Path("tertium.toml").write_text(study)
    assert main(["audit", "--trials", "200", "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["a"], told["b"], told["rates"][0]["samples"]) == ("old", "new", 2)
    assert "length" in {look.get("key") for look in told["looks"]}
    Path("tertium.toml").write_text(study.replace("new =", f"other = '{a}'\nnew ="))
    assert main(["audit"]) == 2
    assert "Got 4 files instead" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--test", "mcnemar"], "McNemar's test compares single items"),
        (["--test", "koehn"], "one-sided"),
        (["--metric", "deps.las"], "no "),
        (["--by", "genre"], "genre"),
        (["--alpha", "0.1"], "--alpha"),
    ],
)
def test_bad_options(
    files: list[str], options: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["audit", *files, *FAST, *options]) in (2, 3)
    err = capsys.readouterr().err
    assert message in err
    assert "Traceback" not in err
