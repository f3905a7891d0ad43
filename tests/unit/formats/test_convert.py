"""`convert`: what is written under repair can be read."""

from __future__ import annotations

import io
import random
from pathlib import Path

import numpy as np
import pytest

from strategies import CONLLU, CONLLX, JSONL, SPANS
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels
from tertium.corpus.layers import Trees
from tertium.exceptions import (
    FormatError,
    GateError,
    InputError,
    LayerError,
    TertiumError,
    UsageError,
)
from tertium.formats.convert import convert
from tertium.formats.files import make, read_file
from tertium.formats.losses import losses

CYCLE = """\
1\ta\t_\tX\tX\t_\t2\tdep\t_\t_
2\tb\t_\tX\tX\t_\t1\tdep\t_\t_
3\tc\t_\tX\tX\t_\t9\tdep\t_\t_
4\td\t_\tX\tX\t_\t0\troot\t_\t_

1\ta\t_\tX\tX\t_\t0\tdep\t_\t_
2\tb\t_\tX\tX\t_\t0\tdep\t_\t_

1\ta\t_\tX\tX\t_\t7\tdep\t_\t_
2\tb\t_\tX\tX\t_\t1\tdep\t_\t_
3\tc\t_\tX\tX\t_\t3\tdep\t_\t_

"""


def heads(path: Path, format: str) -> list[int]:
    return read_file(path, format=format).layers["deps"].head.tolist()  # type: ignore[attr-defined]


@pytest.mark.parametrize("source", ["conllu", "conllx"])
@pytest.mark.parametrize(("target", "second"), [("conllu", [0, 1]), ("conllx", [0, 0])])
def test_repaired_trees_are_whole(
    source: str, target: str, second: list[int], tmp_path: Path
) -> None:
    given, written = tmp_path / "given", tmp_path / "written"
    given.write_text(CYCLE)
    options = {"input_format": source, "to": target, "on_error": "repair"}
    convert(str(given), str(written), **options)
    second = [0, 1] if source == "conllu" else second  # there a sentence has one root
    assert heads(written, target) == [4, 1, 4, 0, *second, 0, 1, 1]


def test_columns_are_not_named_in_another_format(tmp_path: Path) -> None:
    given, written = tmp_path / "a.conllx", tmp_path / "a.conllu"
    names = "ID FORM LEMMA CPOSTAG POSTAG FEATS HEAD DEPREL PHEAD PDEPREL"
    given.write_text(f"# global.columns = {names}\n# sent_id = q\n1\ta\t_\tX\tX\t_\t0\tr\t_\t_\n\n")
    convert(str(given), str(written), input_format="conllx")
    assert heads(written, "conllu") == [0]
    assert "global.columns" not in written.read_text()
    assert "sent_id = q" in written.read_text()


TEXTS = {"conllu": CONLLU, "conllx": CONLLX, "spans": SPANS, "jsonl": JSONL}
PIECES = [*'\t\n0123456789_-.#"{}[],= a', "\t0\t", "\n\n", "1-2", "# global.columns = A\n", "NONE"]


@pytest.mark.parametrize("source", TEXTS)
def test_what_is_written_under_repair_is_read(source: str, tmp_path: Path) -> None:
    """Whatever is wrong with a file: it is refused, or what is written can be read."""
    draw = random.Random(source)
    given, written = tmp_path / "given", tmp_path / "written"
    done, refused = 0, list[str]()
    for _ in range(60):
        text = [*TEXTS[source]]
        for _ in range(draw.randrange(1, 5)):
            at = draw.randrange(len(text))
            text[at : at + draw.randrange(3)] = draw.choice(PIECES)
        given.write_text("".join(text))
        to = draw.choice([*TEXTS])
        try:
            convert(str(given), str(written), input_format=source, to=to, on_error="repair")
        except TertiumError as error:
            refused.append(error.message)
            continue
        read_file(written, format=to)
        done += 1
    assert done > 10
    late = [message for message in refused if "would still be refused" in message]
    assert all("empty" in message or "no sentence" in message for message in late)


def test_what_could_not_be_read_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given, written = tmp_path / "given", tmp_path / "written"
    given.write_text(CYCLE)
    monkeypatch.setattr("tertium.formats.convert.with_whole_trees", lambda corpus, one_root: corpus)
    with pytest.raises(InputError, match=r"would still be refused: .*HEAD is missing") as caught:
        convert(str(given), str(written), input_format="conllx", to="conllx", on_error="repair")
    assert not isinstance(caught.value, FormatError)
    assert not written.exists()


TAGS = "a B-X\nb I-X\nc I-X\nd B-X\n\ne I-Y\nf O\n\n"


@pytest.mark.parametrize(
    ("name", "scheme", "expected"),
    [
        ("out.conll", "bioes", "B-X I-X E-X S-X S-Y O"),
        ("out.bioes", None, "B-X I-X E-X S-X S-Y O"),
        ("out.bioes.gz", None, "B-X I-X E-X S-X S-Y O"),
        ("out.conll", "bilou", "B-X I-X L-X U-X U-Y O"),
        ("out.bioes", "iob1", "I-X I-X I-X B-X I-Y O"),
        ("out.iob2", None, "B-X I-X I-X B-X B-Y O"),
        ("out.bio", None, "B-X I-X I-X B-X I-Y O"),  # as it was
    ],
)
def test_tags_of_a_scheme(name: str, scheme: str | None, expected: str, tmp_path: Path) -> None:
    given, written = tmp_path / "given.bio", tmp_path / name
    given.write_text(TAGS)
    done = convert(str(given), str(written), scheme=scheme)
    found = read_file(written).layers["tag"].labels.to_list()  # type: ignore[attr-defined]
    assert found == expected.split()
    assert len(done.lost) == len(done.notes) == (name != "out.bio")


def test_irregular_tags_are_named(tmp_path: Path) -> None:
    given = tmp_path / "given.bio"
    given.write_text("a B-X\nb B-X\nc I-Y\n\n")
    done = convert(str(given), str(tmp_path / "x.conll"), scheme="bioes")
    assert done.notes == (
        "'tag': 1 span with tags that are irregular in iob2 was rewritten; the first begins with "
        "I-Y, line 3",
    )
    assert (tmp_path / "x.conll").read_text() == "a\tS-X\nb\tS-X\nc\tS-Y\n\n"
    strict = convert(str(given), str(tmp_path / "y.conll"), scheme="bioes", strict=True)
    with pytest.raises(GateError, match=r"irregular tags of 1 span in 'tag' \(.* I-Y, line 3\)"):
        strict.check()
    assert not (tmp_path / "y.conll").exists()


@pytest.mark.parametrize(
    ("text", "to", "error", "message"),
    [
        ("a B-X|B-Y\nb I-X|O\n\n", "columns", InputError, r"nested spans \(B-X\|B-Y\)"),
        ("a NOUN\nb VERB\n\n", "columns", LayerError, "no spans to write as bioes"),
        (TAGS, "spans", UsageError, "spans does not hold tags"),
    ],
)
def test_what_has_no_scheme(
    text: str, to: str, error: type[TertiumError], message: str, tmp_path: Path
) -> None:
    given, written = tmp_path / "given.bio", tmp_path / "written"
    given.write_text(text)
    with pytest.raises(error, match=message):
        convert(str(given), str(written), to=to, scheme="bioes")
    assert not written.exists()


def test_spans_become_tags_of_the_scheme(tmp_path: Path) -> None:
    given, written = tmp_path / "a.jsonl", tmp_path / "a.bioes"
    given.write_text('{"tokens": ["a", "b"], "spans": [{"start": 0, "end": 2, "label": "X"}]}\n')
    convert(str(given), str(written))
    assert written.read_text() == "a\tB-X\nb\tE-X\n\n"


@pytest.mark.parametrize(
    ("source", "to", "lost"),
    [
        ("a B-X\nb O\n\n", "jsonl", ()),
        ("a B-X\nb O\n\n", "spans", ("2 words",)),
        ("a B-X\nb O\n\n", "conllu", ("1 span of 'tag'",)),
        ("-DOCSTART- O\n\na B-X\nb O\n\n", "jsonl", ("1 document boundary",)),
        (
            '{"tokens": ["a"], "tags": ["B-X"], "odd": [[1]]}\n',
            "columns",
            ("key 'odd' was not read (1 time)",),
        ),
    ],
)
def test_only_what_this_file_loses_is_named(
    source: str, to: str, lost: tuple[str, ...], tmp_path: Path
) -> None:
    given, written = tmp_path / "given", tmp_path / "written"
    given.write_text(source)
    done = convert(str(given), str(written), to=to)
    assert done.lost == lost
    assert written.exists()
    written.unlink()
    strict = convert(str(given), str(written), to=to, strict=True)
    assert written.exists() == (not lost)
    if lost:
        with pytest.raises(GateError, match="nothing was written: converting to"):
            strict.check()


def test_trees_are_said_to_become_plain_spans() -> None:
    words = Labels.of(["a", "b"])
    one, minus = np.array([0], np.int32), np.array([-1], np.int32)
    trees = Trees(
        start=one, end=one + 2, label=words.take(one), function=words.take(one), parent=minus,
        sentence=one,
    )  # fmt: skip
    corpus = Corpus(np.array([0, 2]), words, {"trees": trees})
    for name, expected in (
        ("jsonl", ["the structure of 'trees' (trees are written as plain spans)"]),
        ("columns", ["1 constituent"]),
        ("discbracket", []),
    ):
        written = io.BytesIO()
        make(name).write(corpus, written)
        lost, _ = losses(corpus, make(name), written)
        assert lost == expected
