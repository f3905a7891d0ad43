"""A new verb costs one module and one line in the list of verbs: the one below goes through every
output format, study files and the help."""

import csv
import importlib
import io
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tertium.cli.main import VERBS, main
from tertium.exceptions import UsageError

MODULE = '''
"""Sizes of files: how many units and tokens there are."""

from dataclasses import dataclass

from tertium.exceptions import GateError
from tertium.options import Verb, fill, option, take
from tertium.results.blocks import Bars, Column, Table, Text
from tertium.results.output import Look, Output
from tertium.study.study import Study, Way
from tertium.study.walk import walk


@dataclass(frozen=True)
class SizeOptions:
    """What `sizes` takes besides what a study takes."""

    at_least: int = option(0, "Exit with 1 if there are fewer tokens.", metavar="N", least=0)
    add: tuple[int, ...] = option((), "Add a number; repeatable.", kind=int, metavar="N")
    also: str | None = option(
        None, "Say something, or nothing.", metavar="[WORD]", is_value=str.isupper
    )
    kind: str = option("tokens", "What is counted.", choices=("tokens", "units"))


@dataclass(frozen=True)
class SizeLook(Look):
    """What is shown of sizes."""

    bars: bool = option(False, "Draw bars.")


@dataclass(frozen=True)
class Sizes(Output):
    """Sizes of the gold standard, file by file."""

    gold: str
    sizes: tuple[int, ...]
    asked: SizeOptions

    look = SizeLook

    @property
    def title(self):
        return f"Sizes of {self.gold}"

    def to_dict(self):
        files = [{"file": f"file {i}", "size": n} for i, n in enumerate(self.sizes, 1)]
        return {"gold": self.gold, "also": self.asked.also, "files": files}

    def blocks(self, look):
        names = tuple(f"file {i}" for i, _ in enumerate(self.sizes, 1))
        rows = tuple(zip(names, self.sizes, strict=True))
        bars = Bars(("size",), names, (self.sizes,), title="Sizes", axis="file")
        shown = [Table((Column("file"), Column("size", kind="count")), rows)]
        return [*shown, *([bars] if look.bars else []), Text(f"gold is {self.gold}")]

    def notices(self, look):
        return [] if look.format == "text" else ["sizes are those of gold"]

    def check(self):
        if sum(self.sizes) < self.asked.at_least:
            raise GateError(f"fewer than {self.asked.at_least}")


OPTIONS = (Study, SizeOptions, Way)


def sizes(gold, *systems, **options):
    """Sizes of files; all options are those of the command line."""
    rest = dict(options)
    way, reading = take(Way, rest), take(Study, rest)
    own = fill(SizeOptions, rest, verb="sizes", others=OPTIONS)
    study = Study.of(gold, systems, **reading)
    found = [{"tokens": t, "units": u}[own.kind] for t, u in walk(study, _size, **way)]
    return Sizes(study.gold, (*found, *own.add), own)


def _size(file):
    return file.tokens, file.gold.sentence_count


VERB = Verb(
    "sizes",
    sizes,
    """Show sizes of files.

    \\b
    tertium sizes gold.conllu a.conllu
    """,
    arguments="GOLD SYSTEM...",
    options=OPTIONS,
    look=SizeLook,
    without=frozenset({"by", "lexicon"}),
    words={"align": "How tokens are paired here."},
    figures=True,
)
'''
REGISTRATION = {"sizes": ("toy_sizes:VERB", "Show sizes of files.")}
GOLD = "a\tX\nb\tX\n\nc\tX\n\n"
STUDY = """
metrics = ["tags.accuracy"]
[data]
gold = "gold.bio"
[systems]
A = "a.bio"
"""

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module", autouse=True)
def verb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The module, in a folder of its own, and its line in the list."""
    folder = tmp_path_factory.mktemp("modules")
    (folder / "toy_sizes.py").write_text(MODULE)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        for name, place in REGISTRATION.items():
            patch.setitem(VERBS, name, place)
        yield
    sys.modules.pop("toy_sizes", None)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command line where files are."""
    for name in ("gold", "a"):
        (tmp_path / f"{name}.bio").write_text(GOLD)
    monkeypatch.chdir(tmp_path)

    def run(*args: str) -> tuple[int, str, str]:
        capsys.readouterr()
        code = main([*args])
        return (code, *capsys.readouterr())

    return run


def test_the_help_has_every_option(run: Run) -> None:
    assert "sizes Show sizes of files." in " ".join(run("--help")[1].split())
    code, page, _ = run("sizes", "--help")
    assert code == 0
    assert page.startswith(
        "Usage: tertium sizes [OPTIONS] GOLD SYSTEM...\n\n  Show sizes of files."
    )
    words = " ".join(page.split())
    for told in (
        "--metric ID A metric such as deps.las",
        "--align [auto|characters|position] How tokens are paired here.",
        "--with FILE",
        "--at-least N Exit with 1 if there are fewer tokens. [x>=0]",
        "--also [WORD] Say something",
        "--jobs N",
        "--bars Draw bars.",
        "--study TOML",
        "-f, --format FORMAT Output format: text, json, csv, markdown (md), latex (tex), html",
        "--output FILE",
    ):
        assert told in words
    assert "--by" not in page
    assert "--executor" not in page


def test_text(run: Run) -> None:
    code, page, err = run("sizes", "gold.bio", "a.bio", "--add", "1", "--add", "2000")
    assert (code, err) == (0, "")
    assert page.split("\n")[:5] == [
        "file     size",
        "─────────────",
        "file 1      3",
        "file 2      1",
        "file 3  2,000",
    ]
    assert "note       gold is gold.bio" in page


def test_json(run: Run) -> None:
    code, page, err = run("sizes", "gold.bio", "a.bio", "--format", "json", "--kind", "units")
    assert (code, err) == (0, "note:  sizes are those of gold\n")
    data = json.loads(page)
    assert [*data] == ["tertium", "gold", "also", "files"]
    assert data["files"] == [{"file": "file 1", "size": 2}]


def test_csv(run: Run) -> None:
    code, page, _ = run("sizes", "gold.bio", "a.bio", "--format", "csv", "--add", "5")
    assert code == 0
    assert [*csv.reader(io.StringIO(page))] == [
        ["section", "file", "part", "value", "text"],
        ["", "", "gold", "", "gold.bio"],
        ["", "", "also", "", ""],
        ["files", "file 1", "size", "3", ""],
        ["files", "file 2", "size", "5", ""],
    ]


@pytest.mark.parametrize(
    ("name", "sign"),
    [
        ("x.md", "| file 1 | 3 |"),
        ("x.tex", "file 1 & 3 \\\\"),
        ("x.html", "<title>Sizes of gold.bio</title>"),
    ],
)
def test_pages_are_written_by_their_names(name: str, sign: str, run: Run, tmp_path: Path) -> None:
    code, page, _ = run("sizes", "gold.bio", "a.bio", "--output", name)
    assert (code, page) == (0, "")
    assert sign in (tmp_path / name).read_text("utf-8")


def test_svg(run: Run, tmp_path: Path) -> None:
    assert run("sizes", "gold.bio", "a.bio", "--bars", "--output", "x.svg")[0] == 0
    texts = [e.text for e in ElementTree.parse(tmp_path / "x.svg").iter() if e.text]
    assert "Sizes" in texts


def test_a_gate_comes_after_the_result(run: Run) -> None:
    code, page, err = run("sizes", "gold.bio", "a.bio", "--at-least", "4")
    assert (code, err) == (1, "error: fewer than 4\n")
    assert "file 1" in page


def test_an_option_with_one_value_is_refused_twice(run: Run) -> None:
    code, page, err = run("sizes", "gold.bio", "a.bio", "--at-least", "1", "--at-least", "2")
    assert (code, page) == (2, "")
    assert err == "error: --at-least is given 2 times: 1, 2\nhelp:  give it once\n"
    assert run("sizes", "gold.bio", "a.bio", "--bars", "--bars")[0] == 0


def test_a_value_may_be_left_out_before_a_file(run: Run) -> None:
    for args, told in (
        (("--also", "gold.bio", "a.bio"), ""),
        (("--also", "WORD", "gold.bio", "a.bio"), "WORD"),
        (("gold.bio", "a.bio", "--also"), ""),
        (("gold.bio", "a.bio"), None),
    ):
        assert json.loads(run("sizes", *args, "--format", "json")[1])["also"] == told


def test_what_is_wrong_is_said(run: Run) -> None:
    assert "'x' is not one of 'tokens', 'units'" in run("sizes", "g", "s", "--kind", "x")[2]
    assert "Did you mean '--at-least'" in run("sizes", "g", "s", "--at-leest", "1")[2]
    assert "there is no option '--by'" in run("sizes", "g", "s", "--by", "x")[2]
    code, _, err = run("sizes")
    assert code == 2
    assert "no files were given. Give GOLD SYSTEM..., or put a tertium.toml here" in err


def test_a_study_file_has_data_and_options(run: Run, tmp_path: Path) -> None:
    study = tmp_path / "tertium.toml"
    study.write_text(STUDY + "[sizes]\nadd = []\nat_least = 5\nalso = 'LOUD'\n")
    code, page, err = run("sizes", "--format", "json")
    assert (code, json.loads(page)["also"]) == (1, "LOUD")
    assert "fewer than 5" in err
    assert run("sizes", "--at-least", "3")[0] == 0, "the command line wins"
    assert run("sizes", "gold.bio", "a.bio")[0] == 0, "files that are given need no study"
    study.write_text(STUDY + "[sizes]\natleast = 5\n")
    assert "unknown key 'atleast' in [sizes]. Did you mean 'at_least'?" in run("sizes")[2]
    study.write_text(STUDY + "[sizes]\nat_least = '5'\n")
    assert "sizes.at_least must be a whole number. Got '5' instead." in run("sizes")[2]


def test_options_of_all_verbs_reach_those_that_have_them(run: Run, tmp_path: Path) -> None:
    study = tmp_path / "tertium.toml"
    study.write_text(STUDY + "[options]\nby = 'genre'\nalign = 'x'\nlabels = true\n")
    code, _, err = run("sizes")
    assert code == 3
    assert err.startswith("error: tertium.toml: options.align must be one of auto, characters")
    study.write_text(STUDY + "[options]\nby = 'genre'\noutput = 'x.json'\n")
    code, page, _ = run("sizes")
    assert (code, page.startswith("file")) == (0, True)
    assert not (tmp_path / "x.json").exists()
    study.write_text(STUDY + "[sizes]\noutput = 'x.json'\n")
    assert run("sizes")[:2] == (0, "")
    assert json.loads((tmp_path / "x.json").read_text())["gold"] == "gold.bio"


def test_python_takes_the_same_options(run: Run) -> None:
    module: Any = importlib.import_module("toy_sizes")
    tags = [["X", "Y"]]
    found = module.sizes(tags, tags, kind="units", add=[4])
    assert found.sizes == (1, 4)
    with pytest.raises(UsageError, match="sizes has no option 'kinds'"):
        module.sizes(tags, tags, kinds="units")
    with pytest.raises(UsageError, match="kind must be one of tokens, units"):
        module.sizes(tags, tags, kind="words")
