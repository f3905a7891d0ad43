"""Verbs as commands: options with and without values, and what a study file fills in."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click
import pytest

from tertium.cli.command import command, find, parameter, with_values
from tertium.cli.main import VERBS
from tertium.cli.study import StudyFile, find_study, load_study
from tertium.exceptions import InputError, UsageError
from tertium.options import Verb, option, options_of
from tertium.results.assessment import Testing
from tertium.results.blocks import Block, Text
from tertium.results.output import Look, Output

pytestmark = pytest.mark.usefixtures("spellings")


@dataclass(frozen=True)
class ToyOptions:
    metric: tuple[str, ...] = option((), "Metrics.")
    by: str | None = option(None, "A key.")
    share: float = option(0.5, "A share.")
    number: int = option(1, "A number.", least=1)
    side: str = option("gold", "A side.", choices=("gold", "system"))
    test: bool | None = option(None, "Test.", flag="--test/--no-test", kind=bool)
    layers: tuple[str, ...] = option((), "Layers.", flag="--with", path=True)
    gate: str | None = option(None, "A gate.", is_value=str.isupper)
    other: bool = option(False, "Do something else.")


@dataclass(frozen=True)
class ToyLook(Look):
    labels: bool = option(False, "Show labels.")


@dataclass(frozen=True)
class Toy(Output):
    def to_dict(self) -> dict[str, Any]:
        return {}

    def blocks(self, look: ToyLook) -> list[Block]:
        return [Text("labels" if look.labels else "no labels")]


def toy(calls: list[dict[str, Any]], **more: Any) -> Verb:
    """A verb that keeps its calls."""

    def call(*data: Any, **options: Any) -> Toy:
        calls.append({"data": data, **options})
        return Toy()

    return Verb(
        "toy", call, "A toy.", arguments="GOLD A B", options=(ToyOptions,), look=ToyLook, **more
    )


@pytest.fixture
def called(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., dict[str, Any]]:
    """What a command line calls the toy with."""
    monkeypatch.setitem(VERBS, "toy", (f"{__name__}:TOY", "A toy."))
    monkeypatch.chdir(tmp_path)

    def called(*args: str, **more: Any) -> dict[str, Any]:
        calls: list[dict[str, Any]] = []
        command(toy(calls, **more), "A toy.").main([*args], standalone_mode=False)
        [call] = calls
        return call

    return called


# options


def test_what_is_not_given_does_not_reach_the_function(called: Any) -> None:
    assert called("g", "a") == {"data": ("g", "a")}


def test_values_have_their_types(called: Any, capsys: pytest.CaptureFixture[str]) -> None:
    args = "g a --metric x --metric y --share 0 --number 3 --side system --no-test --with f"
    assert called(*args.split(), "--labels") == {
        "data": ("g", "a"),
        "metric": ("x", "y"),
        "share": 0.0,
        "number": 3,
        "side": "system",
        "test": False,
        "layers": ("f",),
    }
    assert "labels" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("args", "told"),
    [
        ("--by a --by b", "--by is given 2 times: a, b"),
        ("--share 1 --share 1 --share 1", "--share is given 3 times: 1.0, 1.0, 1.0"),
        ("--side gold --side system", "--side is given 2 times: gold, system"),
        ("--gate --gate A", "--gate is given 2 times: , A"),
        ("--format csv --format json", "--format is given 2 times: csv, json"),
        ("--output a --output b", "--output is given 2 times: a, b"),
        ("--study a --study b", "--study is given 2 times: a, b"),
    ],
)
def test_one_value_given_twice_is_refused(args: str, told: str, called: Any) -> None:
    with pytest.raises(UsageError) as caught:
        called("g", "a", *args.split())
    assert (caught.value.message, caught.value.help) == (told, "give it once")


@pytest.mark.parametrize("args", ["--number 0", "--number x", "--side both", "--share x"])
def test_what_is_no_value_is_refused(args: str, called: Any) -> None:
    with pytest.raises(click.BadParameter):
        called("g", "a", *args.split())


@pytest.mark.parametrize(
    ("args", "data", "gate"),
    [
        ("--gate g a", ("g", "a"), ""),
        ("--gate A g a", ("g", "a"), "A"),
        ("--gate=A g a", ("g", "a"), "A"),
        ("--gate=x g a", ("g", "a"), "x"),
        ("g a --gate", ("g", "a"), ""),
        ("g --gate -- A", ("g", "A"), ""),
    ],
)
def test_a_value_that_may_be_left_out(
    args: str, data: tuple[str, ...], gate: str, called: Any
) -> None:
    assert called(*args.split()) == {"data": data, "gate": gate}


def test_arguments_after_two_dashes_are_left_alone() -> None:
    lenient = {"--gate": str.isupper}
    assert with_values(["--", "--gate", "A"], lenient) == ["--", "--gate", "A"]
    assert with_values([], lenient) == []


def test_an_option_says_its_choices_and_its_least_value() -> None:
    found = {name: parameter(each) for name, each in options_of(ToyOptions).items()}
    assert isinstance(found["side"].type, click.Choice)
    assert isinstance(found["number"].type, click.IntRange)
    assert found["test"].secondary_opts == ["--no-test"]
    assert found["layers"].opts == ["--with"]


def test_keywords_may_follow_from_what_is_shown(called: Any) -> None:
    def prepare(given: dict[str, Any], look: ToyLook) -> dict[str, Any]:
        return {**given, "by": f"{look.format} {look.labels}"}

    found = called("g", "a", "--labels", "--format", "markdown", prepare=prepare)
    assert found["by"] == "markdown True"


def test_an_option_may_run_another_verb(
    called: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    calls: list[dict[str, Any]] = []
    other = replace(toy(calls), name="other")
    monkeypatch.setitem(VERBS, "other", ("nowhere:VERB", "Another."))
    monkeypatch.setattr("tertium.cli.main.load", lambda name: {"other": other}.get(name) or SCORE)
    path = tmp_path / "s.toml"
    path.write_text(STUDY + "[toy]\nby = 'a'\nlabels = true\n[other]\nby = 'b'")
    instead = command(toy([], instead={"other": "other"}), "A toy.")
    args = ["--study", str(path), "--other", "--share", "0.1"]
    instead.main(args, standalone_mode=False)
    assert [source.name for source in calls[0].pop("data")] == ["gold.bio", "A"]
    assert calls == [{"metric": ("tags.accuracy",), "by": "b", "share": 0.1}]


# study files

SCORE = find("score")
TOY = toy([])
STUDY = """
metrics = ["tags.accuracy"]
[data]
gold = "gold.bio"
[systems]
A = "a.bio"
"""


@pytest.fixture(autouse=True)
def files(tmp_path: Path) -> None:
    for name in ("gold.bio", "a.bio"):
        (tmp_path / name).write_text("a\tX\n\n")


@pytest.fixture
def filled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., dict[str, Any]]:
    """The options that a study file and the command line give a verb."""
    monkeypatch.setitem(VERBS, "toy", (f"{__name__}:TOY", "A toy."))

    def filled(text: str, verb: Verb | None = None, **given: Any) -> dict[str, Any]:
        path = tmp_path / "s.toml"
        path.write_text(text)
        return load_study(str(path)).fill(verb or SCORE, given)

    return filled


def test_an_empty_study_fills_nothing(filled: Any) -> None:
    assert filled("") == {}
    assert filled("", by="x") == {"by": "x"}
    assert StudyFile().fill(SCORE, {}) == {}


def test_options_are_for_all_verbs_that_have_them(filled: Any, tmp_path: Path) -> None:
    text = "[options]\nby = 'genre'\nlexicon = 'l'\nlabels = true\nformat = 'csv'\nwith = ['w']"
    common = {"by": ("genre",), "with_files": (str(tmp_path / "w"),)}
    lexicon = (str(tmp_path / "l"),)
    assert filled(text) == {**common, "lexicon": lexicon, "labels": True, "format": "csv"}
    found = filled(text, toy([]))
    assert found == {"by": "genre", "layers": (str(tmp_path / "w"),)}, "what is shown is score's"


def test_the_table_of_a_verb_is_for_it_alone_and_wins(filled: Any, tmp_path: Path) -> None:
    text = "[options]\nby = 'a'\n[toy]\nby = 'b'\nlabels = true\nshare = 1\noutput = 'x.md'"
    assert filled(text) == {"by": ("a",)}
    output = str(tmp_path / "x.md")
    assert filled(text, toy([])) == {"by": "b", "labels": True, "share": 1, "output": output}
    assert filled(text, toy([]), by="c")["by"] == "c"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[toy]\nsizes = 1", "unknown key 'sizes' in [toy]"),
        ("[toy]\nlayers = ['a']", "unknown key 'layers' in [toy]"),
        ("[toy]\nshare = true", "toy.share must be a number. Got True instead."),
        ("[toy]\nnumber = 1.5", "toy.number must be a whole number. Got 1.5 instead."),
        ("[toy]\nmetric = 3.5", "toy.metric must be a list of strings"),
        ("[options]\nshare = 1", "unknown key 'share' in [options]"),
        ("[options]\ntrials = 1", "unknown key 'trials' in [options]"),
    ],
)
def test_tables_are_checked(text: str, told: str, filled: Any) -> None:
    with pytest.raises(InputError) as caught:
        filled(text, toy([]))
    assert told in caught.value.message


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[toy]\nsizes = 1", "unknown key 'sizes' in [toy]"),
        ("[compare]\nexampels = 3", "unknown key 'exampels' in [compare]"),
        ("[compare]\nlimit = 'all'", "compare.limit must be a whole number. Got 'all' instead."),
        ("[ppv]\nbeta = 0.1", "[ppv]: 'tertium ppv' does not take a study file"),
        ("[demo]", "[demo]: 'tertium demo' does not take a study file"),
    ],
)
def test_tables_of_other_verbs_are_checked(text: str, told: str, filled: Any) -> None:
    with pytest.raises(InputError) as caught:
        filled(text)
    assert told in caught.value.message


def test_metrics_are_for_verbs_that_have_them(filled: Any) -> None:
    text = 'metrics = ["deps.las"]'
    assert filled(text) == filled(text, toy([])) == {"metric": ("deps.las",)}
    assert filled(text, metric=("deps.uas",)) == {"metric": ("deps.uas",)}
    assert filled(text, toy([], without=frozenset({"metric"}))) == {}


def test_significance_asks_for_tests(filled: Any) -> None:
    text = "[significance]\ntrials = 100\nlevel = 0.9"
    tests = {"trials": 100, "level": 0.9}
    assert filled(text) == {"significance": True, **tests}
    assert filled("[significance]") == {"significance": True}
    assert filled(text, trials=50) == {"significance": True, **tests, "trials": 50}
    assert filled(text, significance=False) == {"significance": False}
    assert filled(text, toy([])) == {}, "a verb without tests"
    tested = replace(toy([]), options=(Testing,))
    assert filled(text, tested) == tests, "a verb that always tests"
    worded = replace(tested, words={"level": "Another help."})
    assert filled(text, worded) == tests, "a verb with a help of its own"
    assert filled("[significance]\nseed = 3", find("compare"))["seed"] == 3
    assert filled(text, find("power")) == {"trials": 100}, "the test that is simulated is fixed"
    assert filled(text, replace(tested, words={"trials": "Other words."})) == tests
    assert filled(f"[score]\nsignificance = false\n{text}") == {"significance": False}


def test_gates_of_the_command_line_win(filled: Any) -> None:
    text = "[gates]\n'deps.las' = 0.8"
    assert filled(text) == {"fail_under": ("deps.las=0.8",)}
    other, same = ("deps.uas=0.9",), ("deps.las=0.9",)
    assert filled(text, fail_under=other) == {"fail_under": ("deps.las=0.8", *other)}
    assert filled(text, fail_under=same) == {"fail_under": same}
    assert filled(text, toy([])) == {}


def test_data_is_that_of_the_study_unless_files_are_given(tmp_path: Path) -> None:
    path = tmp_path / "s.toml"
    path.write_text(STUDY)
    told = find_study((), str(path), SCORE)
    assert [source.name for source in told.data((), SCORE)] == ["gold.bio", "A"]
    assert told.data(("x", "y"), SCORE) == ("x", "y")
    without_gold = toy([], has_gold=False)
    assert [source.name for source in told.data((), without_gold)] == ["A"]


@pytest.mark.parametrize(
    ("text", "has_gold", "told"),
    [
        ("[systems]\nA = 'a.bio'", True, "names no gold in [data]"),
        ("[data]\ngold = 'gold.bio'", True, "names no systems in [systems]"),
        ("", False, "names no systems in [systems]"),
    ],
)
def test_a_study_that_lacks_data(text: str, has_gold: bool, told: str, tmp_path: Path) -> None:
    path = tmp_path / "s.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=told.replace("[", r"\[")):
        find_study((), str(path), toy([], has_gold=has_gold))
    find_study(("g", "a"), str(path), toy([], has_gold=has_gold))
