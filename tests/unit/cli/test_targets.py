"""What a command reads, it does not replace; standard input is read once."""

from __future__ import annotations

import io
import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from tertium.cli.main import main

VOTES = "item,annotator,label\n1,a,N\n1,b,N\n2,a,V\n2,b,N\n3,a,N\n3,b,V\n"
COMMANDS = [
    "agree votes.csv --coarse {} -f json -o {}",
    "agree votes.csv --map-labels {} -f json -o {}",
    "agree votes.csv --against {} -o {}",
    "agree votes.csv --coefficient alpha(distances={}) -f json -o {}",
    "crowd votes.csv --map-labels {} --write {}",
    "crowd votes.csv --map-labels {} -f json -o {}",
    "crowd a.tsv b.tsv --with {} --write {}",
    "variation a.tsv --map-labels {} --questions {}",
    "agree a.tsv b.tsv --by known --lexicon {} -f json -o {}",
    "score a.tsv b.tsv --metric tags.accuracy(debatable={}) -o {}",
    "score a.tsv b.tsv --metric tags.accuracy(lexicon={}) -f json -o {}",
]
CONTENT = {
    "--coarse": "N\tX\nV\tX\n",
    "--map-labels": "N\tX\nV\tY\n",
    "distances": "N\tV\t2\n",
    "--with": "the\tX\ncat\tY\n",
    "lexicon": "the\tD\n",
    "json": '{"confusion": {"labels": ["N", "V"], "counts": [[2, 3], [0, 1]]}}',
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "votes.csv").write_text(VOTES)
    (tmp_path / "a.tsv").write_text("the\tD\ncat\tN\n")
    (tmp_path / "b.tsv").write_text("the\tD\ncat\tV\n")
    return tmp_path


@pytest.mark.parametrize("linked", [False, True])
@pytest.mark.parametrize("command", COMMANDS)
def test_no_file_that_is_read_is_replaced(
    folder: Path, command: str, linked: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    kind = next((each for each in CONTENT if each in command), "json")
    kind = "json" if "debatable" in command or "--against" in command else kind
    name = "in.json" if kind == "json" else "in.tsv"
    path = folder / name
    path.write_text(CONTENT[kind])
    target = name
    if linked:
        target = f"link-{name}"
        os.symlink(path, folder / target)
    words = [word.format(name) for word in command.split()]
    words[-1] = target
    assert main(words) == 2, capsys.readouterr().err
    assert "is one of the files that are read" in capsys.readouterr().err
    assert path.read_text() == CONTENT[kind]
    assert main([*words[:-1], f"out-{name}"]) == 0, "any other file will do"


def test_standard_input_is_read_once(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for words in ("crowd - --gold -", "crowd - --controls -", "crowd - --dictionary -"):
        stdin = SimpleNamespace(buffer=io.BytesIO(VOTES.encode()), isatty=lambda: False)
        monkeypatch.setattr("sys.stdin", stdin)
        assert main(words.split()) == 2
        assert "standard input ('-') can be read only once" in capsys.readouterr().err
