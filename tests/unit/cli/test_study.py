"""Study files: what one that was merely found may write, and what is wrong with a file."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

DATA = '[data]\ngold = "gold.conllu"\n[systems]\na = "arbor.conllu"\nb = "breeze.conllu"\n'
LAS = 'metrics = ["deps.las"]\n'


@pytest.fixture
def here(tmp_path: Path, samples: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "study"
    folder.mkdir()
    for name in ("gold.conllu", "arbor.conllu", "breeze.conllu"):
        shutil.copy(samples / name, folder)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("HOME", str(tmp_path))
    return folder


def study(text: str) -> None:
    Path("tertium.toml").write_text(LAS + DATA + text)


def test_a_study_that_was_found_replaces_its_own_results(run: Any, here: Path) -> None:
    study('[options]\noutput = "table.json"\n')
    assert run("score").code == 0
    before = Path("table.json").read_text()
    assert run("score").code == 0
    assert Path("table.json").read_text() == before


@pytest.mark.parametrize("target", ["~/.bashrc", "../up.txt", "link.txt", "notes.txt"])
@pytest.mark.parametrize(
    ("verb", "table"),
    [("score", 'options]\noutput = "{}"'), ("compare", 'compare]\nreport = "{}"')],
)
def test_a_study_that_was_found_writes_nothing_else(
    target: str, verb: str, table: str, run: Any, here: Path
) -> None:
    for path in (Path("notes.txt"), here.parent / ".bashrc", here.parent / "mine.txt"):
        path.write_text("mine\n")
    Path("link.txt").symlink_to(here.parent / "mine.txt")
    table = table.format(target)
    study(f"[{table}\n" + ("" if verb == "score" else "significance = false\n"))
    done = run(verb)
    assert done.code == 2
    assert "tertium.toml was found in this folder and not named" in done.err
    assert not Path("../up.txt").exists()
    for path in (Path("notes.txt"), here.parent / ".bashrc", here.parent / "mine.txt"):
        assert path.read_text() == "mine\n"
    assert not [p for p in here.iterdir() if p.name.startswith(".")]


def test_votes_of_a_study_that_was_found_stay_below_it(run: Any, here: Path) -> None:
    study('[compare]\nsignificance = false\nwrite_ensembles = "../votes"\n')
    assert run("compare").code == 2
    assert not Path("../votes").exists()
    study('[compare]\nsignificance = false\nwrite_ensembles = "votes"\n')
    assert run("compare").code == 0
    assert [*Path("votes").iterdir()]


def test_who_names_a_file_decides(run: Any, here: Path) -> None:
    study('[options]\noutput = "../up.txt"\n')
    assert run("score", "--output", "../mine.txt").code == 0
    assert Path("../mine.txt").exists()
    assert run("score", "--study", "tertium.toml").code == 0
    assert Path("../up.txt").exists()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (LAS + DATA.replace('"arbor.conllu"', "''"), "systems.a must be a path. Got '' instead."),
        (LAS + DATA + "[options]\noutput = ''\n", "options.output must be a path"),
        (LAS + DATA + f"[significance]\ntrials = {'9' * 5000}\n", "too many digits"),
        (LAS + DATA + "[significance]\ntrials = 99999999999999\n", "at most 10,000,000"),
        (LAS + DATA + "[significance]\nlevel = nan\n", "significance.level must be a number"),
        (LAS + DATA + "[significance]\nlevel = 0.9999999999999999\n", "from 1e-06 to 0.999999"),
        (LAS + DATA.replace("arbor", "\\u0000"), "its name holds a null character"),
        (LAS + DATA + '[options]\nlexicon = "\\u0000"\n', "its name holds a null character"),
        (LAS + DATA + '[options]\nwith = ["\\u0000"]\n', "its name holds a null character"),
        (LAS + DATA + '[options]\nmap_labels = ["\\u0000"]\n', "its name holds a null character"),
        (LAS + DATA + '[options]\noutput = "\\u0000"\n', "its name holds a null character"),
        (LAS + DATA.replace("gold.conllu", "~nobody/x"), "there is no file"),
    ],
)
def test_what_is_wrong_with_a_study_is_said(text: str, told: str, run: Any, here: Path) -> None:
    Path("tertium.toml").write_text(text)
    done = run("score", "--study", "tertium.toml")
    assert done.code in (2, 3)
    assert told in done.err


def test_a_name_with_a_tilde_is_a_name_in_a_study(run: Any, here: Path) -> None:
    Path("gold.conllu").rename("~gold.conllu")
    Path("tertium.toml").write_text(LAS + DATA.replace("gold.conllu", "~gold.conllu"))
    assert run("score").code == 0


def test_one_text_stands_for_a_list_and_a_number_for_a_text(run: Any, here: Path) -> None:
    study("[draw]\nsentence = 1\n[compare]\ntable = 'scores'\n[audit]\nby = 'genre'\n")
    assert run("compare", "--no-significance").code == 0
    assert "sentence 'news-1-s1'" in run("draw", "gold.conllu", "--study", "tertium.toml").err + (
        run("draw", "gold.conllu", "arbor.conllu", "--study", "tertium.toml").out
    )


def test_draw_says_that_it_draws_one_system(run: Any, here: Path) -> None:
    study("")
    done = run("draw")
    assert done.code == 2
    assert "draw takes one system. Got 2 instead." in done.err


@pytest.mark.parametrize("way", ["study", "runs", "folder", "link"])
def test_nothing_is_written_over_a_file_that_is_read(way: str, run: Any, here: Path) -> None:
    before = Path("breeze.conllu").read_text()
    study("")
    Path("page.html").symlink_to("breeze.conllu")
    files = {
        "study": (),
        "runs": ("gold.conllu", "A=arbor.conllu,breeze.conllu"),
        "folder": (".", "A=.", "B=."),
        "link": ("gold.conllu", "arbor.conllu", "breeze.conllu"),
    }[way]
    target = "page.html" if way == "link" else "breeze.conllu"
    for option in ("--report", "--output"):
        more = () if option == "--report" else ("--format", "json")
        done = run("compare", *files, "--metric", "deps.las", option, target, *more)
        assert done.code == 2
        assert "is one of the files compared" in done.err
    assert Path("breeze.conllu").read_text() == before
