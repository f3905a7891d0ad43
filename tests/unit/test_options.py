"""Options: declared once, found by name, taken apart and filled in."""

import inspect
import pickle
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import tertium
from tertium.exceptions import UsageError, on_command_line, spelled
from tertium.options import SHOWN, Verb, fill, option, options_of, take
from tertium.report.render import render_blocks
from tertium.results.blocks import Column, Table, Text

pytestmark = pytest.mark.usefixtures("spellings")


@dataclass(frozen=True)
class Reading:
    folder: str = "here"  # no option
    metrics: tuple[str, ...] | None = option(
        None, "A metric.", keyword="metric", many=True, objects=True
    )
    align: str = option("auto", "How tokens are paired.", choices=("auto", "position"))
    with_files: tuple[str, ...] = option((), "Further layers.", flag="--with", path=True)
    executor: object = option(None, "", flag="")


@dataclass(frozen=True)
class Counting:
    least: int = option(1, "The least.", metavar="N", least=0)
    share: float = option(0.5, "A share.")
    quiet: bool = option(False, "Say less.")
    test: bool | None = option(None, "Test.", flag="--test/--no-test", kind=bool)
    levels: tuple[float, ...] = option((0.05,), "Levels.", kind=float)
    sides: tuple[str, ...] = option((), "Sides.", choices=("gold", "system"))
    kept: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Shown:
    width: int = 80
    quiet: bool = option(False, "Another option of that name.")
    labels: bool = option(False, "Show labels.")


def count(*files: Any, **options: Any) -> None:
    pass


def test_the_options_of_a_dataclass_are_those_declared_in_order() -> None:
    assert [*options_of(Reading)] == ["metric", "align", "with_files", "executor"]
    assert [*options_of(Counting)] == ["least", "share", "quiet", "test", "levels", "sides"]


def test_names_on_the_command_line_and_in_study_files() -> None:
    flags = {name: (o.flag, o.key) for name, o in options_of(Reading).items()}
    assert flags == {
        "metric": ("--metric", "metric"),
        "align": ("--align", "align"),
        "with_files": ("--with", "with"),
        "executor": ("", ""),
    }
    assert options_of(Counting)["test"].key == "test"

    @dataclass(frozen=True)
    class Long:
        error_types: bool = option(False, "Types.")

    found = options_of(Long)["error_types"]
    assert (found.flag, found.key) == ("--error-types", "error_types")


def test_the_default_says_the_type_unless_told() -> None:
    kinds = {name: (o.kind, o.many) for name, o in options_of(Counting).items()}
    assert kinds == {
        "least": (int, False),
        "share": (float, False),
        "quiet": (bool, False),
        "test": (bool, False),
        "levels": (float, True),
        "sides": (str, True),
    }
    reading = options_of(Reading)
    assert (reading["metric"].kind, reading["metric"].many) == (str, True)
    assert (reading["align"].kind, reading["align"].many) == (str, False)
    assert Counting().least == 1, "a dataclass has its defaults as ever"
    assert Counting().levels == (0.05,)


def test_what_is_taken_is_taken_out() -> None:
    given = {"align": "position", "least": 3, "metric": "m", "other": 1}
    assert take(Reading, given) == {"align": "position", "metric": ("m",)}
    assert given == {"least": 3, "other": 1}
    assert take(Reading, given) == {}


def test_only_choices_are_taken() -> None:
    message = "align must be one of auto, position. Got 'psition' instead."
    with pytest.raises(UsageError) as caught:
        take(Reading, {"align": "psition"})
    assert caught.value.message == message
    assert take(Reading, {"align": None}) == {}  # the default
    assert take(Reading, {"metric": None}) == {"metric": None}, "a value of its own"
    assert take(Counting, {"sides": ("gold", "system")}) == {"sides": ("gold", "system")}
    assert take(Counting, {"sides": "gold"}) == {"sides": ("gold",)}, "one text is a list of one"
    assert take(Reading, {"metric": 3}) == {"metric": 3}, "what has no choices may be an object"
    with pytest.raises(UsageError, match="with_files must be text"):
        take(Reading, {"with_files": 3})
    with pytest.raises(UsageError, match="Got 'both' instead"):
        take(Counting, {"sides": ["gold", "both"]})


def test_filling_gives_the_dataclass() -> None:
    given = {"least": 2, "levels": (0.1,)}
    assert fill(Counting, given, verb="count") == Counting(least=2, levels=(0.1,))
    assert given == {"least": 2, "levels": (0.1,)}, "what was given is left alone"


def test_a_number_below_the_least_is_refused() -> None:
    with pytest.raises(UsageError, match="least must not be negative"):
        fill(Counting, {"least": -1}, verb="count")
    assert take(Counting, {"least": 0}) == {"least": 0}
    assert take(Counting, {"least": None}) == {}


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"least": "2"}, "least must be a whole number. Got '2' instead."),
        ({"least": 1.5}, "least must be a whole number. Got 1.5 instead."),
        ({"levels": [0.1, "x"]}, "levels must be a number. Got 'x' instead."),
    ],
)
def test_what_is_not_a_number_is_refused(given: Any, told: str) -> None:
    with pytest.raises(UsageError) as caught:
        take(Counting, given)
    assert caught.value.message == told


def test_what_is_shown_is_an_option_of_render() -> None:
    with pytest.raises(UsageError) as caught:
        fill(Counting, {"format": "csv"}, verb="count", others=(Reading,))
    assert caught.value.help == SHOWN
    with pytest.raises(UsageError, match="Did you mean 'with_files'"):
        fill(Counting, {"with": "x"}, verb="count", others=(Reading,))


@pytest.mark.parametrize("wrong", ["x", 1.5])
def test_what_has_a_least_number_is_a_whole_one(wrong: object) -> None:
    with pytest.raises(UsageError, match="least must be a whole number"):
        fill(Counting, {"least": wrong}, verb="count")


def test_what_is_not_declared_is_refused_with_what_was_meant() -> None:
    with pytest.raises(UsageError) as caught:
        fill(Counting, {"quiett": 2}, verb="count")
    assert caught.value.message == "count has no option 'quiett'. Did you mean 'quiet'?"
    with pytest.raises(UsageError, match="Did you mean 'align'"):
        fill(Counting, {"alin": 2}, verb="count", others=(Reading,))
    with pytest.raises(UsageError, match="count has no option 'kept'"):
        fill(Counting, {"kept": {}}, verb="count")
    with pytest.raises(UsageError, match=r"Did you mean 'quiet'\?"):
        fill(Counting, {"quiett": 2}, verb="count", others=(Counting, Reading))


def test_a_verb_declares_what_it_takes_and_what_is_shown() -> None:
    verb = Verb("count", count, "", options=(Reading, Counting), look=Shown)
    assert [*verb.declared()] == [
        *("metric", "align", "with_files"),
        *("least", "share", "quiet", "test", "levels", "sides"),
        "labels",
    ]
    assert verb.declared()["quiet"].help == "Say less.", "the first of a name counts"


def test_a_verb_leaves_out_options_and_has_words_of_its_own() -> None:
    verb = Verb(
        "count",
        count,
        "",
        options=(Reading,),
        without=frozenset({"metric"}),
        words={"align": "How they are paired here."},
    )
    assert [*verb.declared()] == ["align", "with_files"]
    assert verb.declared()["align"].help == "How they are paired here."
    assert verb.declared()["align"].choices == ("auto", "position")
    assert options_of(Reading)["align"].help == "How tokens are paired."


def test_numbers_have_ranges_and_are_finite() -> None:
    @dataclass(frozen=True)
    class Ranged:
        trials: int = option(10, "Trials.", least=1, most=1000)
        level: float = option(0.95, "Level.")

    with pytest.raises(UsageError, match="trials must be at most 1,000"):
        take(Ranged, {"trials": 1001})
    for wrong in (float("nan"), float("inf"), -float("inf")):
        with pytest.raises(UsageError, match="level must be a number"):
            take(Ranged, {"level": wrong})


VERBS = [
    *(
        "score",
        "compare",
        "errors",
        "diff",
        "draw",
        "audit",
        "power",
        "conventions",
        "metrics",
        "cross",
        "decide",
    ),
    *("validate", "convert", "ppv_table", "across_datasets"),
]


@pytest.mark.parametrize("name", VERBS)
def test_a_function_shows_its_options(name: str) -> None:
    call = getattr(tertium, name)
    parameters = inspect.signature(call).parameters
    assert not [p for p in parameters.values() if p.kind is p.VAR_KEYWORD]
    options = [p for p in parameters.values() if p.kind is p.KEYWORD_ONLY]
    assert options
    text, _, listed = call.__doc__.partition("\nOptions:\n\n")
    assert text
    for each in options:
        if each.name != "each":  # a parameter of `errors` itself
            assert re.search(rf"^- `{each.name}`: [A-Zrb]", listed, flags=re.M), each.name
            assert each.default is not each.empty
    assert not re.search(r"--[a-z]|\{[A-Z]|repeatable|Exit with", listed)


def test_a_signature_has_defaults_and_documents_what_its_parameters_hide() -> None:
    parameters = inspect.signature(tertium.score).parameters
    assert parameters["align"].default == "auto"
    assert parameters["ignore"].default == -100
    assert [*parameters][:3] == ["gold", "systems", "metric"]
    assert "conventions" not in parameters  # an option that runs another command
    assert "- `gold`: " in (tertium.score.__doc__ or "")
    assert (tertium.score.__doc__ or "").count("Options:") == 1


def test_messages_name_options_as_their_reader_writes_them() -> None:
    options_of(Reading), options_of(Counting)
    message = "'--with' or '--least 3', '--no-test', '--align \"it's\"' and '--quiet --levels 0.1'"
    assert spelled(message) == (
        "'with_files' or least=3, test=False, align=\"it's\" and quiet=True, levels='0.1'"
    )
    error = UsageError(message, help="'--quiet'")
    again = pickle.loads(pickle.dumps(error))
    for each in (error, again):
        assert str(each).startswith("'with_files' or least=3")
        assert each.help == "quiet=True"
        with on_command_line():
            assert str(each) == message
            assert each.help == "'--quiet'"
    number = options_of(Counting)["least"]
    with pytest.raises(UsageError, match="least must not be negative"):
        number.check(-1)
    with on_command_line(), pytest.raises(UsageError, match="--least must not be negative"):
        number.check(-1)


def test_what_python_raises_and_prints_names_keywords(tmp_path: Path) -> None:
    data = tmp_path / "bad.conllu"
    data.write_text("1\ta\n\n", encoding="utf-8")
    with pytest.raises(tertium.FormatError) as error:
        tertium.score(data, data)
    assert "name it with 'input_format'" in (error.value.help or "")
    with pytest.raises(UsageError, match="significance=False and 'trials' contradict"):
        tertium.score([["N"]], [["N"]], significance=False, trials=9)
    blocks = [Text("see '--by'"), Table((Column("a"),), (("'--by'",),), omitted="'--limit 0': all")]
    assert render_blocks(blocks).count("'--by'") == 1  # what a cell holds is the user's own
    assert "limit=0: all" in render_blocks(blocks)
    with on_command_line():
        assert "'--limit 0': all" in render_blocks(blocks)
