"""The family of CONTRIBUTING.md goes through every verb and every output format, as a third party's
would: nothing else knows of it."""

import importlib
import json
import re
import sys
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import nullcontext
from pathlib import Path
from random import Random
from typing import Any

import pytest

import tertium
from tertium import registry
from tertium.cli.main import main
from tertium.study import walk

pytestmark = pytest.mark.usefixtures("few_samples")

PAGE = Path(__file__).parents[2] / "CONTRIBUTING.md"
FORMATS = ("text", "json", "csv", "markdown", "latex", "html", "svg")
ACTS = ("ask", "answer", "chat")


def talks(first: int, count: int, noise: float, seed: int) -> str:
    """Conversations; the same for all seeds but for some of the links and kinds."""
    lines = []
    for number in range(first, first + count):
        text, error = Random(number), Random(f"{number} {seed}")
        lines.append(f"== talk-{number}")
        for message in range(text.randint(4, 9)):
            back, act = min(text.choice([0, 1, 1, 2]), message), text.choice(ACTS)
            words = " ".join(f"w{text.randint(0, 50)}" for _ in range(text.randint(2, 6)))
            if error.random() < noise:
                back = min(error.choice([0, 1, 2, 3]), message)
            if error.random() < noise:
                act = error.choice(ACTS)
            lines.append(f"{back} {act} {words}")
    return "\n".join(lines) + "\n"


@pytest.fixture(scope="module", autouse=True)
def family(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The module of the page, imported from a folder of its own."""
    folder = tmp_path_factory.mktemp("replies")
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    [code] = [block for block in blocks if "class ReplyFamily" in block]
    assert len(code.splitlines()) <= 250
    (folder / "replies.py").write_text(code, "utf-8")
    sys.path.insert(0, str(folder))
    try:
        importlib.import_module("replies")
        yield
    finally:
        sys.path.remove(str(folder))
        sys.modules.pop("replies", None)
        registry.unregister("families", "replies")
        registry.unregister("formats", "chat")
        for name in ("links", "threads"):
            registry.unregister("metrics", f"replies.{name}")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Gold and two systems, in one file and in a folder of two."""
    folder = tmp_path_factory.mktemp("talks")
    for name, noise, seed in (("gold", 0.0, 0), ("a", 0.4, 1), ("b", 0.2, 2)):
        (folder / f"{name}.chat").write_text(talks(0, 24, noise, seed), "utf-8")
        (folder / name).mkdir()
        for part, first in (("x", 0), ("y", 12)):
            path = folder / name / f"{part}.chat"
            path.write_text(talks(first, 12, noise, seed), "utf-8")
    return folder


SIDES = "gold.chat a.chat b.chat"
COMMANDS = {
    "score": "score gold.chat a.chat b.chat --labels --confusion --error-types --parts",
    "groups of items": "score gold.chat a.chat b.chat --by speed",
    "groups of units": "score gold.chat a.chat b.chat --by length:20,40",
    "by document": "score gold.chat a.chat --by document",
    "significance": "score gold.chat a.chat b.chat --significance --trials 40",
    "compare": "compare gold.chat a.chat b.chat --trials 100 --examples 2",
    "compare by groups": "compare gold.chat a.chat b.chat --by speed --trials 40",
    "errors": "errors gold.chat a.chat --limit 5",
    "draw": "draw gold.chat a.chat --limit 2",
    "draw gold": "draw gold.chat --limit 2",
    "diff": "diff a.chat b.chat --examples 2",
    "metrics": "metrics gold.chat a.chat b.chat",
    "audit": "audit gold.chat a.chat b.chat --trials 20 --samples 2 --sample-trials 20 --limit 2",
    "power": "power gold.chat a.chat b.chat --trials 40",
    "without items": "score gold.chat a.chat --metric replies.threads --by speed --confusion",
    "compare without items": f"compare {SIDES} --metric replies.threads --trials 40",
    "errors without items": "errors gold.chat a.chat --metric replies.threads",
    "draw without items": "draw gold.chat a.chat --metric replies.threads",
    "diff without items": "diff a.chat b.chat --metric replies.threads",
    "audit without items": f"audit {SIDES} --metric replies.threads --trials 20 --samples 2",
    "power without items": "power gold.chat a.chat b.chat --metric replies.threads --trials 40",
    "gates": "score gold.chat gold.chat --fail-under replies.links=0.9",
    "validate": "validate gold.chat",
}


# What takes longest is the same with and without items, so one of both is written in all formats.
CASES = [
    (command, format)
    for command in COMMANDS
    for format in FORMATS
    if format in ("text", "json") or command not in ("audit without items", "power without items")
]


@pytest.mark.parametrize(("command", "format"), CASES)
def test_every_verb_in_every_format(
    command: str, format: str, files: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.chdir(files)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setattr("tertium.significance.simulation.TEST_SETS", 20)  # for speed
    arguments = [*COMMANDS[command].split(), "--format", format]
    code = main(arguments)
    out, err = capsys.readouterr()
    if code == 2 and format == "svg":
        assert "SVG" in err, "a list without figures has no picture"
        return
    assert code == 0, err
    assert out.strip() or command.endswith("without items"), "an empty list may print nothing"
    if format == "json" and command != "errors":
        json.loads(out or "{}")


def scores(files: Path, *more: Any, **options: Any) -> dict[str, Any]:
    sides = [str(files / name) for name in ("gold.chat", "a.chat", "b.chat")]
    return tertium.score(*sides, *more, names=["a", "b"], **options).to_dict()


def test_numbers_are_those_of_a_plain_count(files: Path) -> None:
    sides = [(files / f"{name}.chat").read_text("utf-8").splitlines() for name in ("gold", "a")]
    pairs = [
        (g.split()[:2], s.split()[:2])
        for g, s in zip(*sides, strict=True)
        if not g.startswith("==")
    ]
    credit = [1.0 if g == s else 0.5 if g[0] == s[0] else 0.0 for g, s in pairs]
    off = [abs(int(g[0]) - int(s[0])) for g, s in pairs]
    links, threads, *_ = scores(files)["scores"]
    assert links["value"] == pytest.approx(sum(credit) / len(credit))
    assert links["parts"]["distance"] == pytest.approx(sum(off) / len(off))
    assert (links["unit"], links["units"], links["coverage"]["scored"]) == (
        "document",
        24,
        len(off),
    )
    assert threads["value"] < 1
    assert threads["coverage"]["scored"] == 24


def messages(path: Path) -> list[list[str]]:
    lines = path.read_text("utf-8").splitlines()
    return [line.split()[:2] for line in lines if not line.startswith("==")]


def test_groups_are_those_of_each_side(files: Path) -> None:
    both = ["replies.links", "replies.threads"]
    found = scores(files, by="speed", metric=both)
    links, threads = found["scores"][:2]
    assert [*links["groups"]] == ["new", "at once", "later"]
    back = [int(each[0]) for each in messages(files / "gold.chat")]
    sizes = [group["counts"]["messages"] for group in links["groups"].values()]
    assert sizes == [sum(min(b, 2) == n for b in back) for n in range(3)]
    theirs = [int(each[0]) for each in messages(files / "a.chat")]
    credit = [group["counts"]["credit_system"] for group in links["groups"].values()]
    same = [*zip(messages(files / "gold.chat"), messages(files / "a.chat"), strict=True)]
    for number, value in enumerate(credit):
        rows = [pair for pair, b in zip(same, theirs, strict=True) if min(b, 2) == number]
        assert value == sum(1.0 if g == s else 0.5 * (g[0] == s[0]) for g, s in rows)
    assert "groups" not in threads
    assert (
        "replies.threads is not grouped by speed: it does not judge single items" in found["notes"]
    )


def test_pictures_have_the_outcomes_of_the_metric(files: Path) -> None:
    sides = [str(files / f"{name}.chat") for name in ("gold", "a")]
    drawing = tertium.draw(*sides, limit=1000).to_dict()
    wrong = sum(
        item["gold"]["outcome"] == "wrong" for s in drawing["sentences"] for item in s["items"]
    )
    assert wrong == (~tertium.decide(*sides, "replies.links").right).sum() > 10
    assert len(drawing["sentences"]) == wrong, "one message per sentence"
    [note] = tertium.draw(*sides, metric="replies.threads").notes
    assert note == "replies.threads does not judge single items, so there is nothing to draw"


def test_errors_are_those_of_the_metric(files: Path) -> None:
    sides = [str(files / f"{name}.chat") for name in ("gold", "a")]
    found = tertium.errors(*sides)
    assert found.total == (~tertium.decide(*sides, "replies.links").right).sum()
    assert {error.type for error in found} == {"act", "message"}
    head = next(e.gold_item.head for e in found if e.gold_item and e.gold_item.head.number)
    assert head.sentence is not None, "an answer is to another message"
    [note] = tertium.errors(*sides, metric="replies.threads").notes
    assert note == "replies.threads does not judge single items, so there are no errors to list"


@pytest.fixture(scope="module")
def pool(family: None) -> Iterator[Executor]:
    """The processes of `--jobs 2`, started once."""
    with walk.processes(2) as pool:
        yield pool


@pytest.mark.parametrize("verb", ["score", "compare", "errors", "diff", "metrics", "audit"])
def test_jobs_make_no_difference(
    verb: str, files: Path, pool: Executor, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.chdir(files)
    monkeypatch.setattr(walk, "processes", lambda jobs: nullcontext(pool))
    sides = ["a", "b"] if verb == "diff" else ["gold", "a"] + ["b"] * (verb != "errors")
    more = {"audit": ["--samples", "1", "--trials", "20"], "compare": ["--trials", "20"]}
    outputs = []
    for jobs in ("1", "2"):
        command = [verb, *sides, "--format", "json", *more.get(verb, []), "--jobs", jobs]
        assert main(command) == 0
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1]


def test_a_study_file(files: Path, tmp_path: Path, capsys: Any) -> None:
    study = tmp_path / "study.toml"
    study.write_text(
        f'metrics = ["replies.links"]\n[data]\ngold = "{files}/gold.chat"\n'
        f'[systems]\nA = "{files}/a.chat"\n[options]\nby = "speed"\n',
        "utf-8",
    )
    assert main(["score", "--study", str(study), "--format", "json"]) == 0
    [entry] = json.loads(capsys.readouterr().out)["scores"]
    assert entry["groups"]["later"]["value"] < 1


def test_the_report_holds_the_items(files: Path, tmp_path: Path, capsys: Any) -> None:
    page = tmp_path / "report.html"
    sides = [str(files / f"{name}.chat") for name in ("gold", "a", "b")]
    assert main(["compare", *sides, "--trials", "20", "--report", str(page)]) == 0
    text = page.read_text("utf-8")
    assert "replies.links" in text
    assert "another kind of answer to the right message" in text
    capsys.readouterr()
    only = ["--metric", "replies.threads"]
    assert main(["compare", *sides, *only, "--trials", "20", "--report", str(page)]) == 0
    assert "does not judge single items" in page.read_text("utf-8")


def test_what_is_wrong_is_shown(files: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.chdir(files)
    assert main(["score", "gold.chat", "a.chat"]) == 0
    text = capsys.readouterr().out
    assert re.search(r"distance", text)
    assert not re.search(r"accuracy.*distance.*\n.*\n.*\d{3}\.\d\d", text), "no percentage"
    (files / "bad.chat").write_text("== x\n5 ask why\n", "utf-8")
    assert main(["score", "bad.chat", "bad.chat"]) == 3
    assert "BACK leads to no message" in capsys.readouterr().err


def test_maps_and_written_files(files: Path, tmp_path: Path, capsys: Any) -> None:
    table = tmp_path / "acts.tsv"
    table.write_text("ask\tturn\nanswer\tturn\nchat\tturn\n", "utf-8")
    plain, mapped = (
        scores(files, **more)["scores"][0]["value"] for more in ({}, {"map_labels": [str(table)]})
    )
    assert mapped > plain
    out = tmp_path / "again.chat"
    assert main(["convert", str(files / "gold.chat"), str(out)]) == 0
    assert out.read_text("utf-8") == (files / "gold.chat").read_text("utf-8")
