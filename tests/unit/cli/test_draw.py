"""`tertium draw` on the command line."""

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest


@pytest.fixture(autouse=True)
def here(samples: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(samples)


def test_two_trees(run: Any) -> None:
    done = run("draw", "gold.conllu", "arbor.conllu", "--sentence", "mail-1-s6")
    assert (done.code, done.err) == (0, "")
    assert done.out.split("\n")[:4] == [
        "gold.conllu:687, sentence 'mail-1-s6'",
        "gold                        arbor",
        "┌──► aux         1 Do       aux       ◄────┐",
        "├──► advmod      2 n't      advmod    ◄────┤",
    ]
    assert done.out.endswith("≠ head or relation differs   ▷ ○ different head\n")


def test_one_tree(run: Any) -> None:
    done = run("draw", "gold.conllu", "--sentence", "1")
    assert "┌──►└─ nsubj      2 Rail    PROPN\n" in done.out
    assert "≠" not in done.out


def test_long_runs_and_whole_sentences(run: Any) -> None:
    command = ("draw", "gold.conllu", "arbor.conllu", "--sentence", "1")
    assert "… 3 other words" in run(*command).out
    assert "other words" not in run(*command, "--whole").out


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        ((), 2, "no files were given. Give GOLD [SYSTEM]"),
        (
            ("gold.conllu", "arbor.conllu", "cedar.conllu"),
            2,
            "draw takes one system. Got 2 instead.",
        ),
        (("gold.conllu", "--sentence", "news-1-s"), 2, "Did you mean 'news-1-s"),
        (("gold.conllu", "--sentence", "1", "--limit", "3"), 2, "'--limit' and '--sentence'"),
        (("nowhere.conllu",), 3, "there is no file 'nowhere.conllu'"),
        (("upos-ann1.tsv", "--metric", "deps.las"), 3, "has no trees (column HEAD)"),
        (("entities-gold.bio", "--subtypes"), 2, "has no parameter 'subtypes'"),
        (("gold.conllu", "--metric", "deps.ud"), 2, "is a set of metrics"),
        (("gold.conllu", "entities-gold.bio"), 3, "entities-gold.bio"),
        (("gold.conllu", "--output", "x.doc"), 2, "use '--format'"),
    ],
)
def test_what_is_refused(run: Any, args: tuple[str, ...], code: int, said: str) -> None:
    done = run("draw", *args)
    assert (done.code, done.out) == (code, "")
    assert said in done.err
    assert "Traceback" not in done.err


def test_files_by_their_names(run: Any, tmp_path: Path) -> None:
    for name in ("t.svg", "t.html", "t.json", "t.csv", "t.md", "t.tex", "t.txt"):
        done = run("draw", "gold.conllu", "A=arbor.conllu", "--output", tmp_path / name)
        assert (done.code, done.out) == (0, "")
        written = [*tmp_path.glob(f"t*.{name[2:]}")]
        assert len(written) == (10 if name == "t.svg" else 1), "one figure per file"
        assert "the first 10 are drawn" in written[0].read_text("utf-8") + done.err
    picture = tmp_path / "t-news-1-s1.svg"
    assert (
        f"figures: {picture}, "
        in run("draw", "gold.conllu", "A=arbor.conllu", "--output", tmp_path / "t.svg").err
    )
    root = ElementTree.parse(picture).getroot()
    assert root.findtext("{*}title") == "Sentence 'news-1-s1'"
    assert "only A<" in picture.read_text("utf-8")


def test_ascii_where_the_terminal_has_nothing_else(
    run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tertium.cli.output._can_encode", lambda text: False)
    done = run("draw", "gold.conllu", "arbor.conllu", "--sentence", "mail-1-s6")
    assert done.out.isascii()
    assert "\n'--> punct       8 !!       punct     <----'\n" in done.out
