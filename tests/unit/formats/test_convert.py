"""`convert`: what is written under repair can be read."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from strategies import CONLLU, CONLLX, JSONL, SPANS
from tertium.exceptions import FormatError, InputError, TertiumError
from tertium.formats.convert import convert
from tertium.formats.files import read_file

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
