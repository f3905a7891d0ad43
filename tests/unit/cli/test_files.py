"""`tertium validate`, `convert` and `demo`."""

import gzip
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tertium.cli import demo

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools"))
WORDS = "1\ta\ta\tX\t_\t_\t0\troot\t_\t_\n2\tb\tb\tX\t_\t_\t{head}\tdep\t_\t_\n\n"


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    path = tmp_path / "bad.conllu"
    sentences = [f"# sent_id = s{i}\n{WORDS.format(head=h)}" for i, h in enumerate((9, 1, "x"))]
    path.write_text("".join(sentences))
    return path


def test_validate_names_every_problem(run: Any, bad: Path, samples: Path) -> None:
    done = run("validate", bad, samples / "gold.conllu")
    assert done.code == 3
    assert f"{bad}:3, sentence 's0': " in done.out
    assert f"{bad}:11, sentence 's2': " in done.out
    assert "sentence 's1'" not in done.out
    assert "errors  2" in done.out
    assert "errors  none" in done.out
    assert done.out.startswith("1 of 2 files with errors: 2 errors.\n")


def test_validate_says_what_was_read(run: Any, samples: Path) -> None:
    done = run("validate", samples / "gold.conllu")
    assert done.code == 0
    assert "conllu · 64 sentences · 847 words · layers lemma, upos, xpos, feats, deps" in done.out


def test_validate_counts_one_as_one(run: Any, tmp_path: Path) -> None:
    (tmp_path / "a.bio").write_text("a O\n\n")
    (tmp_path / "a.spans").write_text("X\t1\t1\t1\n\n")
    assert " · 1 sentence · 1 word · " in run("validate", tmp_path / "a.bio").out
    assert " · 1 sentence · 1 index · " in run("validate", tmp_path / "a.spans").out


def test_validate_refuses_a_name_that_says_nothing(run: Any, bad: Path, tmp_path: Path) -> None:
    done = run("validate", bad, "--output", tmp_path / "x.pdf")
    assert done.code == 2
    assert "there is no figure to write as PDF" in done.err


def test_validate_as_json(run: Any, bad: Path) -> None:
    done = run("validate", bad, "--format", "json")
    assert done.code == 3
    (file,) = json.loads(done.out)["files"]
    assert file["valid"] is False
    assert [(e["line"], e["sentence"]) for e in file["errors"]] == [(3, "s0"), (11, "s2")]
    assert file["read"]["format"] == "conllu"


@pytest.mark.parametrize("format", ["csv", "markdown", "latex", "html"])
def test_validate_in_every_format(format: str, run: Any, bad: Path) -> None:
    done = run("validate", bad, "--format", format)
    assert done.code == 3
    assert "s2" in done.out


def test_validate_separates_notes(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "a.bio"
    path.write_bytes(b"a O\r\nb O\r\n\r\nc O\r\n\r\n")
    done = run("validate", path)
    assert done.code == 0
    assert "errors  none\nnotes   " in done.out
    assert ": note: " in done.out


def test_validate_goes_on_after_a_file_that_cannot_be_read(
    run: Any, tmp_path: Path, samples: Path
) -> None:
    empty, broken = tmp_path / "empty.conllu", tmp_path / "broken.gz"
    empty.touch()
    broken.write_bytes(gzip.compress(b"a O\n" * 100)[:-9])
    done = run("validate", empty, broken, tmp_path / "none", samples / "gold.conllu")
    assert done.code == 3
    assert "the file is empty" in done.out
    assert "cut off or damaged" in done.out
    assert "there is no file" in done.out
    assert "64 sentences" in done.out


def test_validate_takes_folders(run: Any, bad: Path) -> None:
    assert f"{bad}:3" in run("validate", bad.parent).out


def test_convert_there_and_back(run: Any, samples: Path, tmp_path: Path) -> None:
    import tertium

    gold, out = samples / "gold.conllu", tmp_path / "out.conllu.gz"
    done = run("convert", gold, out)
    assert (done.code, done.out, done.err) == (0, "", "")
    assert tertium.read(str(out)) == tertium.read(str(gold))
    assert [p.name for p in tmp_path.iterdir()] == ["out.conllu.gz"]


def test_convert_says_what_is_lost(run: Any, samples: Path, tmp_path: Path) -> None:
    done = run("convert", samples / "gold.conllu", tmp_path / "x", "--to", "columns")
    assert done.code == 0
    assert done.err == (
        "note:  converting to columns loses 847 dependency arcs, 102 values of MISC, "
        "21 multiword tokens, 200 comments\n"
    )
    one = run("convert", samples / "gold.conllu", "-", "--to", "tagged")
    assert one.out.startswith("Halden_PROPN Rail_PROPN")
    assert "upos" not in one.err


def test_convert_knows_a_span_column_as_spans(run: Any, samples: Path, tmp_path: Path) -> None:
    gold = samples / "entities-gold.bio"
    done = run("convert", gold, tmp_path / "x.spans")
    assert done.code == 0
    assert "spans of" not in done.err
    lost = run("convert", gold, tmp_path / "x.conllu")
    assert lost.err == "note:  converting to conllu loses 85 spans of 'tag'\n"


def test_convert_compares_what_was_not_skipped(run: Any, tmp_path: Path) -> None:
    (tmp_path / "a.bio").write_text("a B-X\nb I-X\nc O\n\nbad\n\nd O\n\ne O\nf B-Y\n\n")
    done = run("convert", tmp_path / "a.bio", tmp_path / "x.spans", "--on-error", "skip")
    assert done.code == 0
    assert "spans of" not in done.err
    assert "note:  1 bad sentence was skipped\n" in done.err


def test_convert_names_the_way_to_name_a_column(run: Any, samples: Path, tmp_path: Path) -> None:
    two, wide, text = tmp_path / "two.tsv", tmp_path / "wide.tsv", tmp_path / "a.tagged"
    two.write_text("a\tDET\nb\tNOUN\n\n")
    wide.write_text("a\tO\tDET\tx\nb\tO\tNOUN\ty\n\n")
    text.write_text("a_DET b_NOUN\n")
    for path, way, used in (
        (two, "'--columns form=0,upos=1' names the column", ["--columns", "form=0,upos=1"]),
        (wide, "'--columns form=0,upos=2,...' names the columns", ["--columns", "form=0,upos=2"]),
        (
            text,
            "'--input-format \"tagged(layer=upos)\"' names the column",
            ["--input-format", "tagged(layer=upos)"],
        ),
    ):
        done = run("convert", path, tmp_path / "x.conllu")
        assert f"; {way}\n" in done.err
        assert run("convert", path, tmp_path / "x.conllu", *used).err == ""
        assert "DET" in (tmp_path / "x.conllu").read_text()


def test_convert_leaves_nothing_behind_when_it_fails(run: Any, bad: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.conllu"
    out.write_text("old")
    done = run("convert", bad, out)
    assert done.code == 3
    assert "HEAD" in done.err
    assert out.read_text() == "old"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["bad.conllu", "out.conllu"]
    skipped = run("convert", bad, out, "--on-error", "skip")
    assert "skipped" in skipped.err


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        (["x.unknown"], 2, "says nothing about the format"),
        (["x", "--to", "conlu"], 2, "Did you mean 'conllu'"),
        (
            ["x.conllu", "--columns", "form=0", "--input-format", "conllu"],
            2,
            "goes with the format",
        ),
    ],
)
def test_convert_refuses(args: list[str], code: int, message: str, run: Any, samples: Path) -> None:
    done = run("convert", samples / "gold.conllu", *args)
    assert done.code == code
    assert message in done.err


def test_convert_takes_one_file(run: Any, samples: Path, tmp_path: Path) -> None:
    done = run("convert", samples, tmp_path / "x.conllu")
    assert done.code == 2
    assert "one at a time" in done.err
    assert "there is no file" in run("convert", "nowhere.conllu", tmp_path / "x.conllu").err


def test_demo_shows_commands_that_are_true(
    run: Any, samples: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """What demo prints is on its page (test_docs.py): every command gives the table below it."""
    from console_blocks import scrub

    page = (ROOT / "docs" / "verbs" / "demo.md").read_text(encoding="utf-8")
    shown = page.partition("$ tertium demo\n")[2].partition("\n```")[0]
    shown = shown.replace(f"note:  report: .../{demo.REPORT}\n", "")  # on stderr
    lines = shown.split("\n")
    assert (
        max(len(line) for line in lines[1:] if "|tertium:" not in line) <= 80
    )  # signatures stay whole
    monkeypatch.chdir(samples)
    commands = shown.replace("\\\n", " ").split("$ tertium ")[1:]
    assert len(commands) == len(demo.COMMANDS) == 2
    assert len(shown.splitlines()) <= 60
    report = tmp_path / demo.REPORT
    for part in commands:
        command, _, table = part.partition("\n\n")
        done = run(*(report if word == report.name else word for word in command.split()))
        assert scrub(table).startswith(scrub(done.out))


def test_demo_writes_its_report_where_it_is_called(
    run: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    reporting = [each for each in demo.COMMANDS if demo.REPORT in each[1]]
    monkeypatch.setattr(demo, "COMMANDS", reporting)
    monkeypatch.chdir(tmp_path)
    done = run("demo", "-q")
    assert done.err == ""
    assert done.code == 0, done.err
    assert "arbor" in (tmp_path / "tertium-demo.html").read_text(encoding="utf-8")


def test_a_line_break_in_a_name_breaks_no_message(run: Any, samples: Path, tmp_path: Path) -> None:
    bad, other = tmp_path / "x\ny.conllu", tmp_path / "o\np.conllu"
    bad.write_text("1\ta\n")
    other.write_text(WORDS.format(head=1))
    gold = samples / "gold.conllu"
    for args in ((gold, bad), (gold, tmp_path / "no\nne"), (gold, other)):
        done = run("score", *args)
        assert done.code == 3
        assert [line[:7] for line in done.err.splitlines()] in (["error: "], ["error: ", "help:  "])
        assert "\\n" in done.err
    done = run("validate", bad)
    assert r"x\ny.conllu:1: 2 columns" in done.out
    assert r"x\ny.conllu" in done.err


@pytest.mark.parametrize("verb", ["score", "errors"])
def test_a_file_with_gold_and_guess_alone(run: Any, tmp_path: Path, verb: str) -> None:
    """As conlleval reads it: the message has the command, which works."""
    path, plain = tmp_path / "out.txt", tmp_path / "plain.txt"
    path.write_text("Ann NNP B-PER B-PER\nsaw VBD O O\nOslo NNP B-LOC B-ORG\n\n")
    plain.write_text("Ann NNP B-PER\nsaw VBD O\n\n")
    message = run(verb, path).err
    command = message.partition("as conlleval reads them: tertium ")[2].split()
    done = run(*command)
    assert done.code == 0, done.err
    if verb == "score":
        assert "50.00" in done.out
    for other in (plain, tmp_path / "nothing"):
        assert run(verb, other).err.endswith("then one or more systems\n")
