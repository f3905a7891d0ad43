"""The verbs `power`, `ppv` and `datasets`."""

import csv
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import tertium
from schemas import validator_of
from tertium.significance.power import VERB

Run = Callable[..., Any]
FORMATS = ("text", "json", "csv", "markdown", "latex", "html", "svg")
FAST = ("--trials", "300")


@pytest.fixture(autouse=True, scope="module")
def few_test_sets() -> Iterator[None]:
    """A tenth of the simulated test sets on which the test itself is run: numbers are not looked
    at here."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tertium.significance.simulation.TEST_SETS", 20)
        yield


@pytest.fixture
def three(samples: Path) -> list[Path]:
    return [samples / f"{name}.conllu" for name in ("gold", "arbor", "breeze")]


@pytest.fixture
def outputs(samples: Path, tmp_path: Path, run: Run) -> list[str]:
    files = [f"{n}={samples / n}.conllu" for n in ("arbor", "breeze", "cedar")]
    found = []
    for name, seed in (("news", 1), ("web", 2)):
        path = tmp_path / f"{name}.json"
        options = ["--metric", "deps.las", "--seed", seed, "--trials", 200, "--output", path]
        assert run("score", samples / "gold.conllu", *files, *options).code == 0
        found.append(f"{name}={path}")
    return found


def test_power_says_what_it_takes(three: list[Path], run: Run) -> None:
    done = run("power", *three, "--metric", "deps.las", *FAST)
    assert done.code == 0
    for words in (
        "arbor (A) and breeze (B)",
        "By size of the test set",
        "Power by size of the test set",
        "LAS: power by difference, 64 sentences",
        "LAS, 2.72 2.",
        "LAS: the observed difference of 2.72 points would be significant in",
        "LAS -2.72 .",
        "Hoenig and Heisey 2001",
        "300 simulated test sets of each size, seed 0",
    ):
        assert words in " ".join(done.out.split())
    asked = run("power", *three, "--metric", "deps.las", *FAST, "--difference", "0.1").out
    asked = " ".join(asked.split())
    assert "LAS: a difference of 10.00 points would be significant in" in asked
    assert "Hoenig" not in asked


@pytest.mark.parametrize("format", FORMATS)
def test_no_difference_can_be_found_by_a_score_that_never_moves(
    tmp_path: Path, run: Run, format: str
) -> None:
    # Gold has no spans, so that F1 is 0 whatever systems add, and adding differs all the same.
    tags = {"gold": "OOOO", "a": "BOOB", "b": "OBOO"}
    for name, row in tags.items():
        lines = [f"w\t{'O' if tag == 'O' else 'B-X'}\n" for tag in row]
        (tmp_path / f"{name}.bio").write_text(("".join(lines) + "\n") * 12)
    done = run("power", *(tmp_path / f"{n}.bio" for n in tags), *FAST, "--format", format)
    assert done.code == 0, done.err
    if format == "json":
        (found,) = json.loads(done.out)["metrics"]
        assert found["observed"] == 0
        assert found["detectable"] is None
        assert found["by_difference"] == []
        assert not list(validator_of("power").iter_errors(json.loads(done.out)))
    if format == "svg":
        assert "the observed difference is 0" in done.out


@pytest.fixture(scope="module")
def powers(few_test_sets: None, samples: Path) -> tertium.Power:
    """Of two metrics, simulated once."""
    files = [samples / f"{name}.conllu" for name in ("gold", "arbor", "breeze")]
    return tertium.power(*files, trials=300)


@pytest.mark.parametrize("format", FORMATS)
def test_every_format(
    three: list[Path],
    outputs: list[str],
    powers: tertium.Power,
    tmp_path: Path,
    run: Run,
    format: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    quick = replace(VERB, call=lambda *_, **__: powers)
    monkeypatch.setattr("tertium.significance.power.VERB", quick)
    for verb in (("power", *three), ("ppv",), ("datasets", *outputs)):
        out = tmp_path / verb[0]
        assert run(*verb, "--format", format, "--output", out).code == 0
        written = [*tmp_path.glob(f"{verb[0]}*")]
        assert written
        assert all(len(file.read_text("utf-8")) > 200 for file in written)


def test_json_follows_its_schema(three: list[Path], outputs: list[str], run: Run) -> None:
    asked = {
        "power": [("power", *three, *FAST), ("power", *three, *FAST, "--difference", "0.001")],
        "ppv": [("ppv",), ("ppv", "--bias", "0.2", "--prior-odds", "2", "--prior-odds", "1")],
        "datasets": [("datasets", *outputs)],
    }
    for verb, commands in asked.items():
        for command in commands:
            validator_of(verb).validate(json.loads(run(*command, "--format", "json").out))


def test_json_of_what_is_undefined_follows_its_schema() -> None:
    equal = tertium.power([["N"]] * 4, [["V"]] * 4, [["V"]] * 4, trials=300)
    nothing = tertium.power([["O"]], [["O"]], [["O"]], metric="spans.f1", trials=300)
    even = tertium.power(
        [["N", "V"]] * 20,
        [["N", "V"], ["N", "N"]] * 10,
        [["N", "N"], ["N", "V"]] * 10,
        trials=300,
    )
    for found in (equal, nothing, even):
        validator_of("power").validate(json.loads(tertium.render(found, "json")))
        for format in FORMATS:
            assert "nan" not in tertium.render(found, format)
    empty = {"scores": [{"system": s, "metric": "m", "value": None} for s in "ab"]}
    found = tertium.across_datasets({"x": empty, "y": empty})
    validator_of("datasets").validate(json.loads(tertium.render(found, "json")))
    assert "no data set on which all systems have a value" in tertium.render(found)


SPOILT: dict[str, list[Callable[[Any], object]]] = {
    "power": [
        lambda d: d.pop("alpha"),
        lambda d: d["metrics"].clear(),
        lambda d: d["metrics"][0].pop("detectable"),
        lambda d: d["metrics"][0].update(power=2),
        lambda d: d["metrics"][0].update(power=None),
        lambda d: d["metrics"][0]["needed"].update(bound="about"),
        lambda d: d["metrics"][0]["by_units"][0].pop("units"),
    ],
    "ppv": [lambda d: d["rows"][0].update(ppv=[2]), lambda d: d.pop("notes")],
    "datasets": [
        lambda d: d["datasets"].pop(),
        lambda d: d["metrics"][0].pop("across"),
        lambda d: d["metrics"][0].update(across=None),
        lambda d: d["metrics"][0]["effects"][0].pop("count"),
    ],
}


@pytest.mark.parametrize("verb", SPOILT)
def test_schemas_refuse_what_they_should(
    powers: tertium.Power, outputs: list[str], run: Run, verb: str
) -> None:
    command = {"ppv": ("ppv",), "datasets": (verb, *outputs)}
    power = verb == "power"
    text = tertium.render(powers, "json") if power else run(*command[verb], "--format", "json").out
    validator = validator_of(verb)
    validator.validate(json.loads(text))
    for number, spoil in enumerate(SPOILT[verb]):
        data = json.loads(text)
        spoil(data)
        assert not validator.is_valid(data), number


def test_csv_has_a_number_a_row(three: list[Path], outputs: list[str], run: Run) -> None:
    def rows(*command: Any) -> list[dict[str, str]]:
        text = run(*command, "--format", "csv").out
        return list(csv.DictReader(text.splitlines()))

    power = rows("power", *three, "--metric", "deps.las", *FAST)
    assert {row["section"] for row in power} == {
        "", "metrics", "metrics.by_units", "metrics.by_difference",
    }  # fmt: skip
    assert [float(r["value"]) for r in power if r["part"] == "observed"] == [
        pytest.approx(-23 / 847)
    ]
    values = {(r["part"], r["alpha"]): r["value"] for r in rows("ppv")}
    assert float(values["ppv", "0.05"]) == pytest.approx(0.5)
    assert float(values["cut_off", ""]) == pytest.approx(0.05 * 0.05 / 0.95)
    across = rows("datasets", *outputs)
    assert {row["section"] for row in across} == {
        "", "datasets", "metrics", "metrics.systems", "metrics.across.pairs", "metrics.effects",
    }  # fmt: skip
    (value,) = [r for r in across if (r["system"], r["part"]) == ("arbor", "news")]
    assert float(value["value"]) > 0.8


def test_ppv_shows_the_paper(run: Run) -> None:
    out = run("ppv").out
    for words in ("50.00", "83.33", "95.24", "0.002632", "R = 0.1", "beta = 0.5", "no bias"):
        assert words in out
    assert "somewhat arbitrary" in out
    other = run("ppv", "--prior-odds", "1", "--prior-odds", "4", "--beta", "0.2").out
    assert "somewhat arbitrary" not in other
    assert "as many true as null effects" in other
    assert "4 true effects for 1 null effect" in other
    assert "no level is low enough" in run("ppv", "--bias", "0.5").out


@pytest.mark.parametrize(
    "options",
    [
        ["--alpha", "0"], ["--alpha", "1.1"], ["--alpha", "nan"], ["--beta", "-0.1"],
        ["--beta", "2"], ["--bias", "-1"], ["--target", "1"], ["--target", "0"],
        ["--prior-odds", "0"], ["--prior-odds", "inf"], ["--alpha", "x"],
    ],
)  # fmt: skip
def test_impossible_probabilities_are_refused(run: Run, options: list[str]) -> None:
    done = run("ppv", *options)
    assert done.code == 2
    assert done.out == ""
    assert done.err.startswith("error: ")


@pytest.mark.parametrize("number", [1, 2, 4])
def test_power_takes_two_systems(three: list[Path], run: Run, number: int) -> None:
    done = run("power", *[*three, three[1]][:number])
    assert done.code == 2
    assert f"a gold standard and two systems, A and B. Got {number} file" in done.err


def test_bad_requests_of_power(three: list[Path], run: Run) -> None:
    for options, words in (
        (["--difference", "50"], "0.005 is half a point"),
        (["--power", "1.2"], "the power must be"),
        (["--alpha", "2"], "alpha must be"),
        (["--trials", "20"], "too few"),
        (["--metric", "deps.lass"], "deps.las"),
    ):
        done = run("power", *three, *options)
        assert done.code == 2
        assert words in done.err


def test_datasets_are_named_after_their_files(outputs: list[str], run: Run) -> None:
    paths = [text.partition("=")[2] for text in outputs]
    out = run("datasets", *paths).out
    assert "2 data sets · news, web" in out
    assert "have the same gold standard" in out
    done = run("datasets", f"x={paths[0]}", f"x={paths[1]}")
    assert done.code == 2
    assert "two data sets are called 'x'" in done.err


def test_bad_requests_of_datasets(outputs: list[str], samples: Path, run: Run) -> None:
    assert run("datasets").code == 2
    assert run("datasets", outputs[0]).code == 2
    assert run("datasets", *outputs, "--metric", "deps.uas").code == 2
    assert run("datasets", *outputs, "--alpha", "0").code == 2
    bad = run("datasets", outputs[0], samples / "gold.conllu")
    assert bad.code == 3
    assert "is not JSON" in bad.err


def test_power_takes_the_tests_of_a_study(
    three: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    monkeypatch.chdir(tmp_path)
    systems = "".join(f'{path.stem} = "{path}"\n' for path in three[1:])
    Path("tertium.toml").write_text(
        f'metrics = ["deps.las"]\n[data]\ngold = "{three[0]}"\n[systems]\n{systems}'
        '[significance]\ntrials = 250\nseed = 3\nunit = "document"\ntest = "bootstrap"\n',
        encoding="utf-8",
    )
    found = json.loads(run("power", "--format", "json").out)
    assert (found["trials"], found["seed"]) == (250, 3)
    assert (found["metrics"][0]["unit"], found["metrics"][0]["test"]["units"]) == ("document", 8)
    assert found["metrics"][0]["test"]["test"] == "randomisation"
