"""Parameter files of EVALB."""

from pathlib import Path

import pytest

from tertium.exceptions import InputError
from tertium.families.base import make
from tertium.formats.evalb_prm import PRESETS, Prm, load_prm, preset
from tertium.formats.resources import load

FILE = """\
##----------##
## comments ##
DEBUG 0
MAX_ERROR 10
CUTOFF_LEN 40
LABELED 0

DELETE_LABEL TOP \t
DELETE_LABEL\t,
DELETE_LABEL #
DELETE_LABEL_FOR_LENGTH -NONE-
QUOTE_LABEL ''
EQ_LABEL ADVP  PRT
EQ_WORD Example example
"""


def test_every_keyword_is_read(tmp_path: Path) -> None:
    path = tmp_path / "own.prm"
    path.write_bytes(FILE.replace("\n", "\r\n").encode())
    found = load_prm(str(path))
    assert found.deleted == {"TOP", ",", "#"}
    assert found.unmeasured == {"-NONE-"}
    assert found.quotes == {"''"}
    assert found.same_labels == {("ADVP", "PRT"), ("PRT", "ADVP")}
    assert found.same_words == {("Example", "example"), ("example", "Example")}
    assert not found.has_labels
    assert not found.keeps_words
    assert found.name == f"own.prm@{found.digest[:8]}"
    assert load("prm", str(path)) == found


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("DELETE_LABLE TOP", "own.prm:2: 'DELETE_LABLE' is not a keyword of EVALB. Did you mean"),
        ("XYZ 1", "own.prm:2: 'XYZ' is not a keyword of EVALB. They are: DEBUG,"),
        ("DELETE_LABEL", "own.prm:2: DELETE_LABEL has 0 values, expected 1"),
        ("DELETE_LABEL TOP S1", "own.prm:2: DELETE_LABEL has 2 values, expected 1"),
        ("EQ_LABEL ADVP", "own.prm:2: EQ_LABEL has 1 value, expected 2"),
        ("LABELED -", "own.prm:2: LABELED is '-', expected a number"),
        ("LABELED yes", "own.prm:2: LABELED is 'yes', expected a number"),
    ],
)
def test_bad_lines_are_named(line: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "own.prm"
    path.write_text(f"# bad\n{line}\n")
    with pytest.raises(InputError) as error:
        load_prm(str(path))
    assert message in str(error.value)


@pytest.mark.parametrize(("value", "has_labels"), [("-1", True), ("+2", True), ("-0", False)])
def test_any_integer_but_zero_means_labelled(value: str, has_labels: bool, tmp_path: Path) -> None:
    path = tmp_path / "own.prm"
    path.write_text(f"CUTOFF_LEN -1\nLABELED {value}\n")
    assert load_prm(str(path)).has_labels == has_labels


def test_a_file_that_is_not_text(tmp_path: Path) -> None:
    path = tmp_path / "own.prm"
    path.write_bytes(b"DELETE_LABEL \xff\n")
    with pytest.raises(InputError, match="not valid UTF-8"):
        load_prm(str(path))


def test_what_is_not_there_may_be_meant_otherwise() -> None:
    with pytest.raises(InputError, match=r"no parameter file 'colins'.*'collins'"):
        load_prm("colins")


@pytest.mark.parametrize("name", PRESETS)
def test_presets_are_known_by_name(name: str) -> None:
    found = preset(name)
    assert (found.name, str(found)) == (name, name)
    metric = make(f"trees.parseval(prm={name})")
    assert metric.parameters()["prm"] == found
    assert make(repr(metric)) == metric
    assert metric.settings(frozenset())["prm"] == name


def test_the_default_is_not_written() -> None:
    assert repr(make("trees.parseval(prm='collins')")) == "trees.parseval"


def test_the_preset_of_the_paper_is_empty() -> None:
    assert preset("paper") == Prm("paper", "")


def test_labels_are_unescaped_as_in_brackets(tmp_path: Path) -> None:
    path = tmp_path / "own.prm"
    path.write_text("DELETE_LABEL $*LRB*\n", encoding="utf-8")
    assert load_prm(str(path)).deleted == {"$("}
