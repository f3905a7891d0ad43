"""Gold standards of several theories on the command line and in study files."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

GOLD = ("--gold", "dep=gold.conllu", "--gold", "ps=gold.mrg")
SYSTEMS = ("elm=dep:elm.conllu", "hazel=ps:hazel.mrg+dep:elm.conllu")
FURTHER = ("--enrich", "ps=dep", "--map-labels", "ps:labels.tsv")
STUDY = """
[data]
gold = {dep = "data/gold.conllu", ps = "data/gold.mrg"}
[systems]
elm = "dep:data/elm.conllu"
hazel = "ps:data/hazel.mrg+dep:data/elm.conllu"
[options]
enrich = ["ps=dep"]
map_labels = ["ps:data/labels.tsv"]
"""


@pytest.fixture
def here(tmp_path: Path, samples: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    names = {
        "gold.conllu": "theories-dep.conllu",
        "elm.conllu": "theories-elm.conllu",
        "hazel.mrg": "theories-hazel.mrg",
        "labels.tsv": "theories-labels.tsv",
        "gold.mrg": "trees-gold.mrg",
    }
    (tmp_path / "data").mkdir()
    for name, sample in names.items():
        shutil.copy(samples / sample, tmp_path / "data" / name)
    monkeypatch.chdir(tmp_path / "data")
    return tmp_path


def values(text: str) -> list[float]:
    return [each["value"] for each in json.loads(text)["scores"]]


def test_a_study_file_is_the_command(run: Any, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = run("score", *GOLD, *SYSTEMS, *FURTHER, "--format", "json")
    assert (done.code, len(values(done.out))) == (0, 4)
    signature = json.loads(done.out)["scores"][0]["signature"]
    assert "|theory:dep|" in signature
    assert "|gold:dep,ps|enrich:ps=dep|map:ps/labels.tsv@" in signature
    (here / "tertium.toml").write_text(STUDY)
    monkeypatch.chdir(here)
    assert values(run("score", "--format", "json").out) == values(done.out)
    (here / "tertium.toml").write_text(STUDY.replace('"dep:data/elm.conllu"', "[]"))
    assert "systems.elm must be a list of paths, one per run. Got [] instead" in run("score").err


def test_labels_are_mapped_before_others_are_added(run: Any, here: Path) -> None:
    Path("all.tsv").write_text("nsubj\tX\n")
    plain, mapped = (
        values(run("score", *GOLD, *SYSTEMS, "--enrich", "ps=dep", *more, "--format", "json").out)
        for more in ((), ("--map-labels", "ps:all.tsv"))
    )
    assert plain == mapped


@pytest.mark.parametrize("verb", ["compare", "errors", "audit", "power", "metrics", "draw"])
def test_every_verb_with_gold_takes_them(run: Any, here: Path, verb: str) -> None:
    systems = SYSTEMS[:1] if verb in ("errors", "draw") else (SYSTEMS[0], "ps:hazel.mrg")
    few = ("--trials", "100")
    more = {"draw": ("--sentence", "1"), "audit": few, "power": few}
    done = run(verb, *GOLD, *systems, "--quiet", *more.get(verb, ()))
    assert (done.code, done.err) == (0, "")


@pytest.mark.parametrize(
    ("given", "code", "message"),
    [
        ((*GOLD, "elm.conllu"), 2, "'elm.conllu' does not say which theory it has"),
        ((*GOLD, "dap:elm.conllu"), 2, "Did you mean 'dep'?"),
        ((*GOLD, "dep:none.conllu"), 3, "there is no file 'none.conllu'"),
        ((*GOLD, "dep:labels.tsv"), 3, "has no trees"),
        ((*GOLD,), 2, "there is no system to score; give NAME=THEORY:FILE"),
        (("--gold", "dep", "elm.conllu"), 2, "'--gold' must be THEORY=FILE. Got 'dep' instead"),
        ((*GOLD, *GOLD, "dep:elm.conllu"), 2, "two gold standards are named 'dep'"),
        ((*GOLD, "dep:elm.conllu", "--map-labels", "x:labels.tsv"), 2, "there is no side 'x'"),
        ((*GOLD, "dep:elm.conllu", "-f", "json", "-o", "elm.conllu"), 2, "files compared"),
        ((*GOLD, "dep:elm.conllu", "-f", "json", "-o", "gold.mrg"), 2, "files compared"),
    ],
)
def test_what_cannot_be_meant_is_refused(
    run: Any, here: Path, given: tuple[str, ...], code: int, message: str
) -> None:
    done = run("score", *given)
    assert (done.code, done.out) == (code, "")
    assert message in done.err
