"""Significance and runs on the command line: options, studies, gates, every format."""

import json
from pathlib import Path
from typing import Any

import pytest

FORMATS = ("text", "json", "csv", "markdown", "latex", "html")


@pytest.fixture
def files(samples: Path) -> list[Path]:
    return [samples / f"{name}.conllu" for name in ("gold", "arbor", "breeze", "cedar")]


def score(run: Any, files: list[Path], *options: str) -> Any:
    return run("score", *files, "--metric", "deps.las", *options)


def test_score_tests_only_if_it_is_asked_to(run: Any, files: list[Path]) -> None:
    assert "tests " not in score(run, files).out
    told = score(run, files, "--significance").out
    assert "paired approximate randomisation, two-sided, 10,000 trials" in told
    assert "ests of differences" not in told, "letters sum them up"
    assert "LAS: tests of differences" in score(run, files, "--significance", "--tests").out
    assert "LAS: tests of differences" in score(run, files[:3], "--significance").out
    assert "Holm over 3 tests" in told.replace("\n           ", " ")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--test", "bootstrap", "--trials", "200"), "paired bootstrap, centred, two-sided, 200"),
        (("--test", "sign"), "sign test"),
        (("--trials", "300", "--seed", "7"), "seed 7"),
        (("--level", "0.9", "--trials", "100"), "90% CI"),
        (("--correction", "bh", "--trials", "100"), "Benjamini-Hochberg over 3 tests"),
        (("--correction", "none", "--trials", "100"), "no correction"),
        (("--alpha", "0.001", "--trials", "100"), "at .001"),
        (("--interval", "basic", "--trials", "100"), "intervals basic 95%"),
        (
            ("--direction", "less", "--trials", "100"),
            "one-sided (the later system below the earlier",
        ),
    ],
)
def test_options_stand_below_the_table(
    run: Any, files: list[Path], options: tuple[str, ...], words: str
) -> None:
    told = " ".join(score(run, files, *options).out.split())
    assert words in told


def test_compare_tests_unless_it_is_left_out(run: Any, files: list[Path]) -> None:
    quick = ("--metric", "deps.las", "--trials", "100")
    told = run("compare", *files, *quick).out
    assert "LAS: tests of differences" in told
    assert "tests      paired approximate randomisation" in told
    told = run("compare", *files, "--metric", "deps.las", "--no-significance").out
    assert "ests of differences" not in told
    alone = run("compare", *files, *quick, "--table", "significance").out
    assert alone.partition("\n\n")[2].startswith("LAS: tests of differences")


def test_the_test_of_a_pair_stands_at_its_transitions(run: Any, files: list[Path]) -> None:
    options = ("--metric", "deps.las", "--trials", "100", "--pair", "arbor:cedar")
    told = " ".join(run("compare", *files, *options, "--table", "transitions").out.split())
    assert "LAS -4.60 [" in told
    assert ", Holm p = ." in told


@pytest.mark.parametrize("verb", ["score", "compare"])
@pytest.mark.parametrize("format", FORMATS)
def test_every_format_has_it(run: Any, files: list[Path], verb: str, format: str) -> None:
    options = ("--metric", "deps.las", "--by", "genre", "--trials", "100", "--format", format)
    done = run(verb, *files, *options)
    assert done.code == 0, done.err
    if format == "json":
        told = json.loads(done.out)["significance"]
        assert len(told["tests"]) == 3 * 3
        assert told["across"]["deps.las"]["datasets"] == ["mail", "news"]
    elif format == "csv":
        assert "interval" in done.out
        assert "adjusted" in done.out
    else:
        assert "across 2 groups of genre" in done.out
        assert "randomisation" in done.out


def test_words_have_no_ranks(run: Any, files: list[Path]) -> None:
    told = score(run, files, "--by", "upos", "--trials", "100").out
    assert "LAS: tests of differences by upos" in told
    assert "mean ranks" not in told


@pytest.mark.parametrize(
    ("options", "told", "help"),
    [
        (("--test", "t-test"), "test must be one of", ""),
        (("--test", "mcnemar"), "single items", "tertium compare --test mcnemar"),
        (("--test", "koehn"), "is one-sided", "greater"),
        (("--level", "95"), "between 0 and 1", ""),
        (("--alpha", "5"), "alpha must be between 0 and 1", ""),
        (("--no-significance", "--alpha", "0.1"), "contradict each other", ""),
        (("--conventions", "--significance"), "'--conventions' cannot be combined with tests", ""),
    ],
)
def test_wrong_options_are_refused_before_anything_is_read(
    run: Any, options: tuple[str, ...], told: str, help: str
) -> None:
    done = run("score", "nowhere.conllu", "neither.conllu", *options)
    assert done.code == 2
    assert told in done.err
    assert help in done.err


# runs


def test_runs_are_one_row(run: Any, files: list[Path]) -> None:
    gold, arbor, breeze, cedar = files
    done = run("score", gold, f"A={arbor},{breeze}", f"C={cedar}", "--metric", "deps.las")
    rows = [line.split() for line in done.out.splitlines()]
    assert ["system", "runs", "LAS", "sd"] in rows
    [mean] = [row for row in rows if row[:2] == ["A", "2"]]
    assert mean[1:4] == ["2", "85.42•", "1.92"]
    assert "A#1" not in done.out
    told = run("score", gold, f"A={arbor},{breeze}", f"C={cedar}", "--format", "json").out
    assert next(r["runs"] for r in json.loads(told)["runs"]) == ["A#1", "A#2"]


def test_runs_are_tested_over_runs_and_units(run: Any, files: list[Path]) -> None:
    gold, arbor, breeze, cedar = files
    options = ("--metric", "deps.las", "--trials", "200")
    done = run("score", gold, f"A={arbor},{breeze}", f"C={cedar}", *options)
    told = " ".join(done.out.split())
    assert "hierarchical bootstrap over runs, two-sided, 200 trials" in told
    assert "fewer than 10 runs of a system" in told
    assert "values of systems with several runs are means" in told
    done = run("compare", gold, f"A={arbor},{breeze}", f"C={cedar}", *options, "--all")
    told = " ".join(done.out.split())
    assert "A ran 2 times: changes are shown run by run, as A#1 to A#2" in told
    assert "A#1 → A#2" in told
    assert "LAS: A#1 → C, difference" in told  # not two runs of the same system


def copied(file: Path, folder: Path) -> Path:
    """The same output once more, as another run."""
    target = folder / f"again-{file.name}"
    target.write_bytes(file.read_bytes())
    return target


def test_changes_of_runs_are_means(run: Any, files: list[Path], tmp_path: Path) -> None:
    gold, arbor, breeze, _cedar = files
    earlier = tmp_path / "a.json"
    common = ("--metric", "deps.las")
    again = copied(arbor, tmp_path)
    run("score", gold, f"A={arbor},{again}", *common, "--output", earlier)
    done = run("score", gold, f"A={arbor},{breeze}", *common, "--against", earlier)
    assert "-1.36" in done.out  # half of -2.72


def test_sets_show_intervals_and_means(run: Any, files: list[Path]) -> None:
    gold, arbor, breeze, cedar = files
    runs = f"A={arbor},{breeze}"
    done = run("score", gold, runs, cedar, "--metric", "deps.ud", "--trials", "100", "--parts")
    assert done.code == 0, done.err
    [head] = [line for line in done.out.splitlines() if line.startswith("score")][:1]
    assert "F1" in head
    assert "sd" in head
    assert "95% CI" in head


# studies


def test_a_study_holds_runs_and_tests(run: Any, files: list[Path], tmp_path: Path) -> None:
    gold, arbor, breeze, cedar = files
    study = tmp_path / "tertium.toml"
    study.write_text(
        f'metrics = ["deps.las"]\n[data]\ngold = "{gold}"\n[systems]\nA = ["{arbor}", "{breeze}"]\n'
        f'C = "{cedar}"\n[significance]\ntrials = 150\nalpha = 0.01\n'
    )
    told = " ".join(run("score", "--study", study).out.split())
    assert "150 trials" in told
    assert "at .01" in told
    told = " ".join(run("compare", "--study", study, "--trials", "120").out.split())
    assert "120 trials" in told
    assert "\ntests " in run("score", "--study", study).out
    assert "\ntests " not in run("score", "--study", study, "--no-significance").out


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ('[significance]\ntests = "x"', "unknown key 'tests' in [significance]"),
        ('[significance]\ntrials = "x"', "significance.trials must be a whole number"),
        ("[significance]\ntrials = true", "significance.trials must be a whole number"),
        ('[significance]\nlevel = "x"', "significance.level must be a number"),
        ('[significance]\ntest = "x"', "test must be one of"),
        ("[systems]\nA = []", "systems.A must be a list of paths, one per run"),
        ("[systems]\nA = [1]", "systems.A must be a list of paths, one per run"),
    ],
)
def test_a_wrong_study_is_refused(run: Any, tmp_path: Path, lines: str, told: str) -> None:
    study = tmp_path / "s.toml"
    study.write_text(f'[data]\ngold = "g"\n{lines}\n')
    done = run("score", "--study", study)
    assert done.code in (2, 3)
    assert told in done.err


# gates


def test_a_gate_may_ask_for_significance(run: Any, files: list[Path]) -> None:
    gold, arbor, breeze, cedar = files
    gate = ("--metric", "deps.las", "--fail-if-worse", "deps.las", "--significant")
    done = run("compare", gold, arbor, breeze, *gate)  # p = .13
    assert done.code == 0
    done = run("compare", gold, arbor, cedar, *gate)  # p = .03
    assert done.code == 1
    assert "to 82.17 for cedar (-4.60); p = .034, below .05" in done.err
    done = run("compare", gold, arbor, cedar, *gate, "--alpha", "0.01")
    assert done.code == 0
    # The gate is about this one test: others do not count, as they do in the letters.
    done = run("compare", gold, arbor, breeze, cedar, *gate)
    assert done.code == 1
    assert run("compare", gold, arbor, breeze, *gate[:-1]).code == 1
    assert run("compare", gold, cedar, arbor, *gate).code == 0


def test_a_gate_on_runs_is_on_their_means(run: Any, files: list[Path], tmp_path: Path) -> None:
    gold, arbor, _breeze, cedar = files
    gate = ("--metric", "deps.las", "--trials", "100", "--fail-if-worse")
    systems = [
        f"{name}={file},{copied(file, tmp_path)}"
        for name, file in zip("AC", (arbor, cedar), strict=True)
    ]
    done = run("compare", gold, *systems, *gate)
    assert done.code == 1
    assert "LAS fell from 86.78 for A to 82.17 for C (-4.60)" in done.err


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--significant",), "needs '--fail-if-worse'"),
        (("--fail-if-worse", "--significant", "--no-significance"), "contradict"),
        (("--fail-if-worse", "--significant", "--direction", "less"), "two-sided"),
    ],
)
def test_a_gate_of_significance_needs_a_test(run: Any, options: tuple[str, ...], told: str) -> None:
    done = run("compare", "nowhere", "a", "b", *options)
    assert done.code == 2
    assert told in done.err


# odd data


def test_one_sentence(run: Any, tmp_path: Path) -> None:
    for name, tags in (("g", "NVN"), ("a", "NVV"), ("b", "NVN")):
        lines = "".join(f"w\t{tag}\n" for tag in tags)
        (tmp_path / f"{name}.tsv").write_text(lines)
    paths = [tmp_path / f"{name}.tsv" for name in "gab"]
    told = " ".join(run("compare", *paths, "--metric", "tags.accuracy").out.split())
    assert "paired randomisation, two-sided, exact" in told
    assert "+33.33 –¹ 1" in told
    assert "only one sentence has counts, so there is no variation" in told


def test_a_system_without_the_layer_has_no_letters(
    run: Any, files: list[Path], tmp_path: Path
) -> None:
    gold, arbor, _, cedar = files
    lines = [line.split("\t") for line in cedar.read_text("utf-8").splitlines()]
    bare = tmp_path / "bare.conllu"
    for line in lines:
        line[6:8] = ["_", "_"] if len(line) > 1 else []
    bare.write_text("\n".join("\t".join(line) for line in lines) + "\n", "utf-8")
    options = ("--metric", "deps.las", "--trials", "100")
    done = run("score", gold, arbor, cedar, bare, *options)
    assert done.code == 0, done.err
    rows = [line.split() for line in done.out.splitlines()]
    [row] = [row for row in rows if row[:1] == ["bare"]]
    assert row[1:] == ["–¹", "–¹"]  # value and interval, but no letters
    assert "1 test" in " ".join(done.out.split())


def test_undefined_scores_have_a_dash_and_a_reason(run: Any, tmp_path: Path) -> None:
    for name in "gab":
        (tmp_path / f"{name}.tsv").write_text("w\tO\nw\tO\n\n")
    paths = [tmp_path / f"{name}.tsv" for name in "gab"]
    roles = ("--columns", "form=0,ner=1", "--metric", "spans.f1")
    done = run("score", *paths, *roles, "--significance")
    assert done.code == 0, done.err
    told = " ".join(done.out.split())
    assert "the value is undefined" in told
    assert "the value of one of the systems is undefined" in told
    assert "0.00" not in told
