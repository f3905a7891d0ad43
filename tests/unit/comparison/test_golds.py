"""Several gold standards of one text."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

import tertium
from tertium.cli.main import main
from tertium.comparison.golds import Agreement, Golds, GoldScore, Reversal, gold_blocks
from tertium.exceptions import AlignmentError, LayerError, UsageError
from tertium.report.page import render_page
from tertium.results.blocks import Missing, Table
from tertium.results.parts import Way

READING = {"columns": "form=0,upos=1", "system_format": "conllu"}


def annotators(samples: Path) -> list[str]:
    return [str(samples / f"upos-ann{n}.tsv") for n in (1, 2, 3)]


def systems(samples: Path) -> list[str]:
    return [str(samples / f"{name}.conllu") for name in ("arbor", "breeze", "cedar")]


def golds_of(*args: Any, **options: Any) -> Golds:
    found = tertium.compare(*args, **options).golds
    assert found is not None
    return found


def test_every_system_against_every_annotator(samples: Path) -> None:
    first, *others = annotators(samples)
    files = systems(samples)
    found = golds_of(first, *files, other_golds=others, metric="tags.accuracy", **READING)
    assert found.names == ("upos-ann1.tsv", "upos-ann2.tsv", "upos-ann3.tsv")
    assert len(found.scores) == 3
    for file, each in zip(files, found.scores, strict=True):
        values = [
            tertium.score(gold, file, metric="tags.accuracy", **READING).value
            for gold in annotators(samples)
        ]
        known = [value for value in values if value is not None]
        assert list(each.values) == values
        assert (each.minimum, each.maximum) == (min(known), max(known))
        assert each.mean == pytest.approx(sum(known) / 3)


def test_annotators_against_each_other(samples: Path) -> None:
    first, *others = annotators(samples)
    found = golds_of(
        first, *systems(samples), other_golds=others, metric="tags.accuracy", **READING
    )
    assert [(a.a, a.b, a.different) for a in found.agreements] == [
        ("upos-ann1.tsv", "upos-ann2.tsv", 61),
        ("upos-ann1.tsv", "upos-ann3.tsv", 100),
        ("upos-ann2.tsv", "upos-ann3.tsv", 108),
    ]
    for each in found.agreements:
        assert each.items == 847
        assert each.agreement == pytest.approx(1 - each.different / 847)


def test_the_order_of_systems_may_depend_on_the_gold_standard() -> None:
    one, other = [["N", "N", "V"]], [["V", "V", "V"]]
    a, b = [["N", "N", "N"]], [["V", "V", "N"]]
    found = golds_of(one, a, b, other_golds=[other], metric="tags.accuracy", names="ab")
    assert found.names == ("gold", "gold2")
    assert found["a", "tags.accuracy"].values == (pytest.approx(2 / 3), 0)
    assert found.reversals == [Reversal("tags.accuracy", "a", "b", ("gold",), ("gold2",))]
    table = gold_blocks(found)[0]
    assert isinstance(table, Table)
    assert "a is better than b against gold, but worse against gold2" in table.note
    assert (
        golds_of(one, a, b, other_golds=[one], metric="tags.accuracy", names="ab").reversals == []
    )


def score(system: str, *values: float | None, better: str = "higher") -> GoldScore:
    return GoldScore(system, "m", values, better, {"g2": "why"} if None in values else {})


def test_ties_are_no_reversal() -> None:
    found = Golds(("g1", "g2"), (score("a", 0.5, 0.5), score("b", 0.5, 0.6)), ())
    assert found.reversals == []


def test_lower_may_be_better() -> None:
    low = (score("a", 0.1, 0.3, better="lower"), score("b", 0.2, 0.2, better="lower"))
    assert Golds(("g1", "g2"), low, ()).reversals == [Reversal("m", "a", "b", ("g1",), ("g2",))]


def test_what_is_undefined_has_no_mean() -> None:
    each = score("a", 0.5, None)
    assert (each.minimum, each.mean, each.maximum) == (None, None, None)
    assert each.to_dict()["reasons"] == {"g2": "why"}
    golds = Golds(("g1", "g2"), (each, score("b", 0.4, 0.5)), ())
    assert golds.reversals == []
    table = gold_blocks(golds)[0]
    assert isinstance(table, Table)
    assert table.rows[0][2] == Missing("why")
    assert table.rows[0][3:] == (Missing("undefined against a gold standard"),) * 3


def test_spans_that_one_annotator_has_not() -> None:
    one, other = [["B-X", "O"]], [["O", "O"]]
    a, b = [["B-X", "O"]], [["O", "O"]]
    found = golds_of(one, a, b, other_golds=[other], metric="spans.f1", names="ab")
    assert found["a", "spans.f1"].values == (1, 0)
    assert found["b", "spans.f1"].values == (0, None)
    assert found["b", "spans.f1"].mean is None
    assert "gold2" in found["b", "spans.f1"].reasons
    assert found.agreements == (Agreement("spans.f1", "gold", "gold2", 1, 1, 1.0, 0.0),)


def test_a_gold_standard_without_a_layer(samples: Path, tmp_path: Path) -> None:
    bare = tmp_path / "bare.conllu"
    rows = (samples / "gold.conllu").read_text().split("\n")
    cut = [
        "\t".join([*c[:6], "_", "_", *c[8:]]) if len(c := r.split("\t")) > 8 else r for r in rows
    ]
    bare.write_text("\n".join(cut))
    found = golds_of(samples / "gold.conllu", *systems(samples), other_golds=[bare])
    assert found["arbor.conllu", "tags.accuracy"].mean is not None
    assert found["arbor.conllu", "deps.las"].values[1] is None
    assert found["arbor.conllu", "deps.las"].mean is None
    assert "bare.conllu" in found["arbor.conllu", "deps.las"].reasons
    assert any("bare.conllu" in note for note in found.notes)
    assert [a.metric for a in found.agreements] == ["tags.accuracy"]
    with pytest.raises(LayerError, match="cannot score against"):
        golds_of(samples / "gold.conllu", *systems(samples), other_golds=[bare], metric="deps.las")


def test_one_gold_standard_needs_no_table(samples: Path) -> None:
    found = tertium.compare(samples / "gold.conllu", *systems(samples))
    assert found.golds is None
    assert gold_blocks(found.golds) == []
    assert "golds" not in found.to_dict()


@pytest.mark.parametrize(
    ("golds", "error"),
    [
        ([[["N", "V", "V"]]], AlignmentError),
        (["nowhere.tsv"], tertium.InputError),
        (["-"], UsageError),
    ],
)
def test_gold_standards_that_cannot_be_used(golds: list[Any], error: type[Exception]) -> None:
    data = [["N", "V"]]
    with pytest.raises(error):
        tertium.compare(data, data, data, other_golds=golds, metric="tags.accuracy", names="ab")


def test_two_gold_standards_of_one_name(samples: Path) -> None:
    gold = samples / "gold.conllu"
    with pytest.raises(UsageError, match="two gold standards are named"):
        tertium.compare(gold, *systems(samples), other_golds=[gold])


def test_on_the_command_line(samples: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, *others = annotators(samples)
    more = [word for gold in others for word in ("--other-gold", gold)]
    reading = ["--columns", READING["columns"], "--system-format", "conllu"]
    arguments = ["compare", first, *systems(samples), *more, *reading]
    assert main([*arguments, "--format", "json"]) == 0
    golds = json.loads(capsys.readouterr().out)["golds"]
    assert golds["names"] == [Path(gold).name for gold in (first, *others)]
    keys = ["system", "metric", "values", "minimum", "mean", "maximum", "closest"]
    assert [*golds["scores"][0]] == keys
    assert golds["agreement"][0]["different"] == 61
    assert main(arguments) == 0
    text = capsys.readouterr().out
    assert "against several gold standards" in text
    assert "Agreement of the gold standards" in text
    for format in ("markdown", "latex", "html", "csv"):
        assert main([*arguments, "--format", format]) == 0
        assert capsys.readouterr().out


def test_csv_and_the_interactive_page_have_them(samples: Path) -> None:
    first, *others = annotators(samples)
    found = tertium.compare(first, *systems(samples), other_golds=others, examples=True, **READING)
    rows = list(csv.DictReader(tertium.render(found, "csv").splitlines()))
    names = [row["text"] for row in rows if row["part"].startswith("golds.names.")]
    assert names == [Path(gold).name for gold in (first, *others)]
    values = [
        row for row in rows if row["section"] == "golds.scores" and row["system"] == "arbor.conllu"
    ]
    parts = [*(f"values.{n}" for n in range(len(names))), "minimum", "mean", "maximum", "closest.0"]
    assert [row["part"] for row in values] == parts
    assert found.golds is not None
    assert float(values[4]["value"]) == found.golds.scores[0].mean
    agreement = [row for row in rows if row["section"] == "golds.agreement"]
    assert [row["value"] for row in agreement if row["part"] == "different"] == ["61", "100", "108"]
    page = found.page()
    assert page is not None
    assert "Agreement of the gold standards" in render_page(page)


def test_two_versions_of_tweets(shared: Path) -> None:
    folder = shared / "data" / "ritter-tweets"
    old, new = folder / "pos.txt", folder / "ark_pos_fixed.tsv"
    found = golds_of(old, old, new, other_golds=[new], metric="tags.accuracy", names=["old", "new"])
    assert found["old", "tags.accuracy"].values == (1, pytest.approx(1 - 83 / 15185))
    assert found["new", "tags.accuracy"].minimum == pytest.approx(1 - 83 / 15185)
    assert [(a.items, a.different) for a in found.agreements] == [(15185, 83)]
    assert len(found.reversals) == 1


def test_what_a_further_gold_skips_is_said(samples: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.conllu"
    text = (samples / "gold.conllu").read_text(encoding="utf-8")
    bad.write_text(text.replace("\t4\tnsubj\t", "\t99\tnsubj\t", 1), encoding="utf-8")
    files = [samples / f"{name}.conllu" for name in ("gold", "arbor", "breeze")]
    found = tertium.compare(*files, metric="deps.las", other_golds=[bad], on_error="skip").golds
    assert found is not None
    assert "arbor.conllu against bad.conllu, deps.las: skipped 1" in found.notes


def test_the_annotator_that_a_system_agrees_with_most() -> None:
    def golds(*values: float | None, better: Way = "higher") -> tuple[str, ...]:
        one = GoldScore("s", "m", values, better)
        return Golds(("a", "b", "c"), (one,), ()).closest(one)

    assert golds(0.5, 0.7, 0.6) == ("b",)
    assert golds(0.5, 0.7, 0.6, better="lower") == ("a",)
    assert golds(0.7, 0.5, 0.7 + 1e-14) == ("a", "c")
    assert golds(0.5, None, 0.6) == ()
    assert golds(0.5, 0.7, 0.6, better="none") == ()


def test_a_line_says_with_whom_systems_agree_most(samples: Path) -> None:
    first, *others = annotators(samples)
    found = tertium.compare(first, *systems(samples), other_golds=others, **READING)
    text = " ".join(str(found).split())
    assert "arbor, breeze and cedar agree most with upos-ann1.tsv" in text
