"""`tertium.draw`: the right sentences, in every format, and what is said about the others."""

import csv
import io
import json
from pathlib import Path

import pytest

import tertium
from arc_samples import two
from tertium.comparison.pictures import Drawing
from tertium.exceptions import LayerError, UsageError
from tertium.report.render import FORMATS


@pytest.fixture(autouse=True)
def here(samples: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(samples)


def ids(drawing: Drawing) -> list[str]:
    return [pair.id for pair in drawing.pairs]


def test_a_sentence_by_id_or_number() -> None:
    by_id = tertium.draw("gold.conllu", "arbor.conllu", sentence="mail-1-s6")
    assert ids(by_id) == ["mail-1-s6"]
    for number in (38, "38"):
        assert tertium.draw("gold.conllu", "arbor.conllu", sentence=number).text() == by_id.text()
    several = tertium.draw("gold.conllu", sentence=["mail-1-s6", 1])
    assert ids(several) == ["mail-1-s6", "news-1-s1"]
    assert several.notes == ()


def test_an_id_comes_before_a_number(tmp_path: Path) -> None:
    lines = [f"# sent_id = {n}\n1\tw{n}\t_\t_\t_\t_\t0\troot\t_\t_\n\n" for n in (2, 1, 7)]
    (tmp_path / "g.conllu").write_text("".join(lines))
    found = tertium.draw(str(tmp_path / "g.conllu"), sentence=["1", 1, "3"])
    assert [pair.words[0] for pair in found.pairs] == ["w1", "w2", "w7"]


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        (
            "news-1-s99",
            "there is no sentence 'news-1-s99' in gold.conllu. Did you mean 'news-1-s8'",
        ),
        (65, "there is no sentence '65' in gold.conllu"),
        (0, "there is no sentence '0'"),
        (-1, "there is no sentence '-1'"),
        ("²", "there is no sentence '²'"),
    ],
)
def test_unknown_sentences_are_refused(wanted: str | int, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        tertium.draw("gold.conllu", "arbor.conllu", sentence=wanted)
    assert message in caught.value.message
    assert caught.value.help == "there are 64 sentences; the first is 'news-1-s1' or 1"


def test_without_a_sentence_those_that_differ() -> None:
    drawing = tertium.draw("gold.conllu", "arbor.conllu")
    assert len(drawing.pairs) == 10
    assert all(pair.differing for pair in drawing.pairs)
    assert drawing.notes == ("there are errors in 61 of 64 sentences; the first 10 are drawn",)
    assert len(tertium.draw("gold.conllu", "arbor.conllu", limit=99).pairs) == 61
    alone = tertium.draw("gold.conllu", limit=3)
    assert ids(alone) == ["news-1-s1", "news-1-s2", "news-1-s3"]
    assert alone.notes == ("there are 64 sentences; the first 3 are drawn",)
    same = tertium.draw("gold.conllu", "gold.conllu")
    assert same.pairs == ()
    assert same.text() == "note       there are no errors in 64 sentences\n"


def test_subtypes() -> None:
    with_them = tertium.draw("gold.conllu", "arbor.conllu", sentence=1, subtypes=True)
    gold = tertium.read("gold.conllu")
    cut = {name: name.split(":")[0] for name in gold.layers["deps"].label.names}  # type: ignore[attr-defined]
    assert "nmod:poss" in cut
    assert with_them.pairs[0].differing == (8, 14)


def test_folders_are_counted_through(tmp_path: Path) -> None:
    for side in ("gold", "system"):
        (tmp_path / side).mkdir()
        for n, name in enumerate(("a", "b")):
            one, two = (2, 0) if side == "system" and name == "b" else (0, 1)
            text = f"1\tw{n}\t_\t_\t_\t_\t{one}\tr\t_\t_\n2\tx\t_\t_\t_\t_\t{two}\tr\t_\t_\n\n"
            (tmp_path / side / f"{name}.conllu").write_text(text)
    files = str(tmp_path / "gold"), str(tmp_path / "system")
    found = tertium.draw(*files, sentence=2)
    assert found.pairs[0].words[0] == "w1"
    assert [p.words[0] for p in tertium.draw(*files).pairs] == ["w1"]


def test_skipped_sentences_keep_their_numbers(tmp_path: Path) -> None:
    good = "1\tgood\t_\t_\t_\t_\t0\troot\t_\t_\n\n"
    (tmp_path / "g.conllu").write_text(good.replace("\t0\t", "\t9\t") + good)
    found = tertium.draw(str(tmp_path / "g.conllu"), sentence=2, on_error="skip")
    assert (found.pairs[0].id, found.pairs[0].number) == ("2", 2)
    with pytest.raises(UsageError) as caught:
        tertium.draw(str(tmp_path / "g.conllu"), sentence=1, on_error="skip")
    assert caught.value.help is not None
    assert "1 other skipped" in caught.value.help


def test_data_without_trees_are_refused() -> None:
    for files in (("upos-ann1.tsv",), ("gold.conllu", "upos-ann1.tsv")):
        with pytest.raises(LayerError, match="has no trees"):
            tertium.draw(*files, metric="deps.las", align="position")


def test_bad_arguments() -> None:
    with pytest.raises(UsageError, match="limit must not be negative"):
        tertium.draw("gold.conllu", limit=-1)
    with pytest.raises(UsageError, match="names must be those of gold and system"):
        tertium.draw("gold.conllu", names="gold")  # type: ignore[arg-type]


def test_corpora_and_names() -> None:
    gold, system = tertium.read("gold.conllu"), tertium.read("arbor.conllu")
    drawing = tertium.draw(gold, system, sentence=1, names=("Us", "Them"))
    head = drawing.text().split("\n")[1]
    assert head.split() == ["Us", "Them"]
    assert "only Them" in drawing.svg()
    assert repr(drawing) == "<Drawing of 1 sentence, gold.conllu>"
    assert f"{drawing}\n" == drawing.text(width=80)


@pytest.mark.parametrize("format", FORMATS)
def test_every_format(format: str) -> None:
    for files in (("gold.conllu", "arbor.conllu"), ("gold.conllu",)):
        page = tertium.draw(*files, sentence=[1, 2]).render(format)
        assert "reopen" in page
        assert "Lisbon" in page
    nothing = tertium.draw("gold.conllu", "gold.conllu").render(format)
    if format not in ("csv",):
        assert "no errors" in nothing


def test_data_formats_hold_both_sides() -> None:
    drawing = tertium.draw("gold.conllu", "arbor.conllu", sentence=1)
    found = json.loads(drawing.render("json"))
    assert (found["gold"], found["system"]) == ("gold.conllu", "arbor.conllu")
    monday = found["sentences"][0]["words"][8]
    assert (monday["gold"]["head"], monday["system"]["head"]) == (4, 7)
    assert (monday["same_head"], monday["same_relation"]) == (False, False)
    rows = list(csv.DictReader(io.StringIO(drawing.render("csv"))))
    assert len(rows) == 16
    assert (rows[8]["gold relation"], rows[8]["system relation"]) == ("obl", "nmod")


def test_latex_is_escaped() -> None:
    pair = two([1, -1], [-1, -3], ["50%", "a_b"], w1="x&y")
    page = Drawing("g", (pair,), notes=("50 %\nof",)).render("latex")
    assert r"50\% \& a\_b \\" in page
    assert r"\depedge[edge style={blue, thick}, label style={text=blue}]{2}{1}{x}" in page
    assert r"]{1}{x\&y}" in page
    assert r"{2}{x \ldots}" in page
    assert all(line.startswith(("%", "\\", "50")) for line in page.split("\n") if line)


def test_text_fits() -> None:
    drawing = tertium.draw("gold.conllu", "cedar.conllu", limit=64)
    for width in (40, 60, 80):
        assert max(map(len, drawing.text(width=width, whole=True).split("\n"))) <= width
