"""What is shown of a comparison."""

import csv
import io
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

import tertium
from comparison_samples import entity_comparison, hostile, toy
from result_samples import HOSTILE
from tertium.comparison.compare.balance import balance_table
from tertium.comparison.compare.changes import (
    colour_range,
    detailed_pairs,
    difference_matrix,
    label_tables,
    pair_blocks,
    transition_table,
)
from tertium.comparison.compare.look import CompareLook, named_pair
from tertium.comparison.compare.result import Comparison
from tertium.comparison.compare.solvers import bound_blocks
from tertium.comparison.examples import claimed, claims, in_context
from tertium.exceptions import UsageError
from tertium.report.render import FORMATS, render
from tertium.results.assessment import Testing
from tertium.results.blocks import Bars, Block, Intersections, Matrix, Missing, Table, Text
from tertium.results.items import ROOT
from tertium.results.names import common_ending, renamed, short_names
from tertium.results.scenes import Mark, Scene

TEXT, PICTURES = CompareLook(), CompareLook(format="html")
PRINT, WHOLE = CompareLook(format="latex"), CompareLook(all=True)


def spans(*tags: str) -> list[dict[str, list[str]]]:
    return [
        {"tokens": [f"w{n}" for n in range(len(row.split()))], "tags": row.split()} for row in tags
    ]


def tables(blocks: list[Block]) -> dict[str, Table]:
    return {block.title: block for block in blocks if isinstance(block, Table)}


def test_the_toy_tables_of_the_paper() -> None:
    table = pair_blocks(toy().scores, toy().view, TEXT)[0]
    assert isinstance(table, Table)
    headers = [column.header for column in table.columns]
    right, all_ = headers.index("correct"), headers.index("all")
    shown = [
        (row[0], row[1], round(100 * row[right]), round(100 * row[all_])) for row in table.rows
    ]
    assert shown == [("S1", "S2", 67, 40), ("S1", "S3", 33, 20), ("S2", "S3", 67, 60)]
    assert "average diff 60.00" in table.note


def test_transitions_by_class_with_shares() -> None:
    pair = toy().view.pair("S1", "S2")
    table = transition_table(pair, PRINT)
    assert table.title == "tags.accuracy: S1 → S2, difference 60.00% (3/5)"
    assert table.rows == (
        ("corrections", "(all)", 1, 1 / 3, None),
        ("corrections", "X → D", 1, 1 / 3, 1.0),
        ("new errors", "(all)", 1, 1 / 3, None),
        ("new errors", "A → Z", 1, 1 / 3, 1.0),
        ("changed errors", "(all)", 1, 1 / 3, None),
        ("changed errors", "E → Y → V", 1, 1 / 3, 1.0),
    )
    assert "gold → S1 → S2" in table.note
    assert transition_table(pair, CompareLook(format="latex", limit=0)).omitted == ""


def test_what_is_cut_off_is_counted() -> None:
    gold, a, b = [list("ABCDEFG")], [list("BBBBBBB")], [list("ABCDEFG")]
    comparison = tertium.compare(gold, a, b, metric="tags.accuracy")
    pair = comparison.view.pairs[0]
    table = transition_table(pair, CompareLook(limit=2))
    assert len(table.rows) == 3 + 2
    assert table.omitted == "and 4 rarer transitions; '--all' shows all"
    (labels,) = label_tables([pair], CompareLook(format="latex", limit=6))
    assert labels.omitted == "and 1 more label"  # in a paper nobody can ask for more


def test_nothing_is_written_none() -> None:
    gold, a, b = spans("B-X O"), spans("B-X B-Y"), spans("O O")
    pair = tertium.compare(gold, a, b, metric="spans.f1").view.pairs[0]
    rows = transition_table(pair, PRINT).rows
    assert ("corrections", "extra → none", 1, 0.5, 1.0) in rows
    by_label = tertium.compare(gold, a, b, metric="spans.f1", transitions="labels").view.pairs[0]
    rows = transition_table(by_label, PRINT).rows
    assert ("corrections", "Y → none", 1, 0.5, 1.0) in rows
    assert ("new errors", "X → none", 1, 0.5, 1.0) in rows


def test_labels_by_difference_or_frequency() -> None:
    gold, a, b = [list("AABCCC")], [list("AAXCCX")], [list("AXBCCC")]
    pair = tertium.compare(gold, a, b, metric="tags.accuracy").view.pairs[0]
    (found,) = label_tables([pair], PRINT)
    assert [row[:5] for row in found.rows] == [
        ("A", 2, 1.0, 0.5, -0.5),
        ("B", 1, 0.0, 1.0, 1.0),
        ("C", 3, 2 / 3, 1.0, 1 / 3),
    ]
    assert [row[5:] for row in found.rows] == [(0, 1, 0), (1, 0, 0), (1, 0, 0)]
    (found,) = label_tables([pair], CompareLook(format="latex", sort="frequency", limit=2))
    assert [row[0] for row in found.rows] == ["C", "A"]


def test_upper_bounds() -> None:
    table = bound_blocks(toy().view, PRINT)[0]
    assert isinstance(table, Table)
    assert table.rows[0] == ("(all)", 5, 0.6, 0.6, 0.6, 1.0, 0.4)
    assert table.rows[1] == ("A", 1, 1.0, 0.0, 0.0, 1.0, 0.0)  # S1 is the first of the best
    assert [c.header for c in table.columns if c.bound] == ["accuracy"]
    assert "recall" not in table.note
    recall = tertium.compare(spans("B-X O"), spans("B-X B-Y"), spans("O O"), metric="spans.f1")
    table = bound_blocks(recall.view, PRINT)[0]
    assert isinstance(table, Table)
    assert table.columns[2].group == "recall"
    assert "false positives do not count" in table.note


def test_labels_hard_and_easy() -> None:
    gold = [["H"] * 10 + ["E"] * 10 + ["R"] * 9]
    system = [["X"] * 10 + ["E"] * 10 + ["R"] * 9]
    view = tertium.compare(gold, system, system, names=["a", "b"], metric="tags.accuracy").view
    table = bound_blocks(view, PRINT)[1]
    assert isinstance(table, Table)
    assert table.rows == (("hard", "H", 10, 0.0, 1.0), ("easy", "E", 10, 1.0, 0.0))


def test_who_is_right() -> None:
    found = tables(toy().blocks(WHOLE))
    counts = found["tags.accuracy: number of correct systems"]
    assert counts.rows == (("3 (all)", 1, 0.2), ("2", 2, 0.4), ("1", 2, 0.4), ("none", 0, 0.0))
    which = found["tags.accuracy: correct systems"]
    assert [row[0] for row in which.rows] == [
        "only S1",
        "all but S3",
        "all",
        "all but S1",
        "only S3",
    ]
    adds = found["tags.accuracy: contribution of each system to the oracle"]
    assert [row[3] for row in adds.rows] == [1, 0, 1]
    sets = found["tags.accuracy: best subset of systems of each size"]
    assert [row[:3] for row in sets.rows] == [(1, "S1", 3), (2, "S1, S3", 5), (3, "S1, S2, S3", 5)]


def test_many_systems() -> None:
    names = [f"s{n}" for n in range(17)]
    comparison = tertium.compare([["A"]], *([["A"]] for _ in names), names=names)
    blocks = comparison.blocks(WHOLE)
    assert Text("tags.accuracy: subsets of more than 16 systems are not searched") in blocks
    assert not any("best set" in title for title in tables(blocks))


def test_ids_are_shown_on_request() -> None:
    above = [
        render(entity_comparison(), ids=ids).partition("signature")[0] for ids in (True, False)
    ]
    assert ["Fair F1" in text for text in above] == [False, True]
    assert ["spans.fair:" in text for text in above] == [True, False]


@pytest.mark.parametrize("width", [40, 80, 100])
def test_lines_keep_to_the_width(width: int) -> None:
    page = render(entity_comparison(), limit=1, examples=1, width=width)
    long = [line for line in page.split("\n") if len(line) > width]
    assert all("spans.f1|" in line or "spans.fair|" in line for line in long)


def test_figures_only_where_a_format_draws() -> None:
    kinds = [type(b) for b in toy().blocks(PICTURES) if not isinstance(b, Text | Table)]
    assert kinds == [Matrix, Bars, Intersections]
    assert [type(b) for b in toy().blocks(WHOLE) if not isinstance(b, Text | Table)] == [Bars]
    assert all(isinstance(b, Text | Table) for b in toy().blocks(PRINT))


def test_the_matrix_puts_similar_systems_together() -> None:
    matrix = difference_matrix(toy().view, numbered=True)
    assert (matrix.rows, matrix.columns) == (("1 S1", "2 S2", "3 S3"), ("1", "2", "3"))
    assert matrix.values[0] == (None, pytest.approx(0.6), pytest.approx(0.8))


def test_colours_of_the_matrix_tell_systems_apart() -> None:
    assert colour_range([]) == (0.0, None)
    for shares in ([0.3901, 0.5735], [0.01, 0.02], [0.5], [0.0, 1.0], [0.999, 1.0], [0.29, 0.58]):
        low, high = colour_range(shares)
        assert high is not None
        assert 0 <= low <= min(shares)
        assert high >= max(shares)
        assert high - low >= 0.00999, "no colours for less than a percentage point"
        assert high - low <= max(0.0201, 2.5 * (max(shares) - min(shares)))


def test_the_two_best_are_shown_in_full() -> None:
    gold = [list("ABCD")]
    options = {"names": ["a", "b", "c"], "metric": "tags.accuracy", "significance": False}
    comparison = tertium.compare(gold, [list("ABCX")], [list("AXXX")], gold, **options)
    (pair,) = detailed_pairs(comparison.scores, comparison.view, PRINT)
    assert (pair.a, pair.b) == ("a", "c")
    (pair,) = detailed_pairs(comparison.scores, comparison.view, CompareLook(pairs=(("c", "b"),)))
    assert (pair.a, pair.b, pair.new_errors) == ("c", "b", 3)
    with pytest.raises(UsageError, match="no system 'd'"):
        detailed_pairs(comparison.scores, comparison.view, CompareLook(pairs=(("c", "d"),)))
    notes = [b.text for b in comparison.blocks(TEXT) if isinstance(b, Text) and b.role == "note"]
    assert notes == [
        "tags.accuracy: changes are shown from a to c, the two best systems; '--pair A:B' shows "
        "2 more pairs, such as a:b",
        "'--table NAME' shows differences, transitions, labels, oracle, solvers; '--all' shows "
        "everything",
    ]


def test_changes_are_balanced() -> None:
    gold, a, b = [list("AAABBC")], [list("ABBBAX")], [list("BAABBY")]
    view = tertium.compare(gold, a, b, metric="tags.accuracy", names=["a", "b"]).view
    table = balance_table(view.pairs[0], view, TEXT)
    assert table.title == "tags.accuracy: a → b (5 of 6 tokens differ, 83.33%)"
    assert table.rows == (("(all)", 3, 1, 2), ("B → A", 2, 1, 1), ("A → B", 1, 0, 1))
    assert table.note == "1 token wrong in both systems, in different ways"
    turned = view.pair("b", "a")
    assert [row[1:] for row in balance_table(turned, view, TEXT).rows] == [
        (1, 3, -2), (1, 2, -1), (0, 1, -1)
    ]  # fmt: skip
    assert balance_table(turned, view, TEXT).title.startswith(f"{view.metric}: b → a")
    cut = balance_table(view.pairs[0], view, CompareLook(limit=1))
    assert (len(cut.rows), cut.omitted) == (2, "and 1 rarer change; '--all' shows all")


def test_types_of_error_and_labels_with_different_heads_are_explained(samples: Path) -> None:
    view = tertium.compare(
        spans("B-X O B-Y"), spans("B-Z O O"), spans("B-X O B-Y"), significance=False
    ).views[-1]
    note = balance_table(view.pairs[0], view, TEXT).note
    assert note.startswith("TP true positive; LE labelling error; FN false negative; none no such")
    files = [samples / f"{name}.conllu" for name in ("gold", "arbor", "cedar")]
    view = tertium.compare(*files, metric="deps.las", significance=False).view
    for table in (balance_table, lambda p, v, look: transition_table(p, look)):
        assert "X → X: same label, different heads" in table(view.pairs[0], view, TEXT).note


def test_text_has_what_fits_on_a_screen(samples: Path) -> None:
    files = [samples / f"{name}.conllu" for name in ("gold", "arbor", "cedar")]
    found = tertium.compare(*files, by="genre")
    assert [*tables(found.blocks(TEXT))][-1].startswith("deps.las: arbor → cedar by genre")
    found = tertium.compare(*files, examples=True)
    short = [*tables(found.blocks(TEXT))]
    assert not any("oracle" in title or "labels" in title for title in short)
    assert sum("words differ" in title for title in short) == 1
    named = CompareLook(pairs=("arbor:cedar",))
    assert any("labels by difference" in title for title in tables(found.blocks(named)))
    by_frequency = tables(found.blocks(CompareLook(sort="frequency")))
    assert any("labels by frequency" in title for title in by_frequency)
    assert len(tables(found.blocks(WHOLE))) == len(tables(found.blocks(PRINT))) > len(short)
    assert len(render(found).splitlines()) <= 60


def test_pairs_by_name() -> None:
    assert named_pair("x:y:z", ["x", "y:z"]) == ("x", "y:z")
    with pytest.raises(UsageError, match="2 ways"):
        named_pair("x:y:z", ["x", "y:z", "x:y", "z"])
    with pytest.raises(UsageError, match=r"no system 'arbro'.*Did you mean 'arbor'"):
        named_pair("arbro:cedar", ["arbor", "cedar"])
    with pytest.raises(UsageError, match="A:B"):
        named_pair("arbor", ["arbor", "cedar"])
    with pytest.raises(UsageError, match="one system twice"):
        named_pair("arbor:arbor", ["arbor", "cedar"])


@pytest.mark.parametrize(
    ("names", "ending"),
    [
        (["a.conllu", "b.conllu"], ".conllu"),
        (["arbor-test.conllu", "cedar-test.conllu"], "-test.conllu"),
        (["a.txt", "b"], ""),
        (["v1.0", "v2.0"], ""),
        (["model-1", "model-2"], ""),
        ([".bio", "a.bio"], ""),
        (["a.bio", "a.bio"], ""),
        ([], ""),
    ],
)
def test_short_names(names: list[str], ending: str) -> None:
    assert common_ending(names) == ending
    assert len(set(short_names(names).values())) == len(set(names))


def test_names_are_short_in_tables_and_whole_in_data() -> None:
    comparison = tertium.compare(
        [["A"]], [["A"]], [["B"]], names=["x-dev.tsv", "y-dev.tsv"], metric="tags.accuracy"
    )
    page = render(comparison, all=True)
    assert "x → y" in page
    assert "names of systems are shown without '-dev.tsv'" in page
    assert json.loads(render(comparison, "json"))["pairs"][0]["a"] == "x-dev.tsv"
    rows = csv.DictReader(io.StringIO(render(comparison, "csv")))
    assert {row["b"] for row in rows if row["section"] == "pairs"} == {"y-dev.tsv"}
    assert "y → x" in render(comparison, pairs=[("y-dev.tsv", "x-dev.tsv")])


def test_other_names_change_nothing_else() -> None:
    gold = [*([["N", "V"]] * 4), *([["N"]] * 4)]
    a, b = [*([["N", "N"]] * 4), *([["V"]] * 4)], [*([["N", "V"]] * 4), *([["N"]] * 4)]
    names = ["A.x", "B.x", "C.x"]
    short = {name: name[0] for name in names}
    testing = Testing(trials=200)
    found = tertium.compare(gold, a, b, a, names=names, by="length:1,2", significance=testing)
    assert found.assessment is not None
    assert found.assessment.across
    for whole in (found.scores, found.assessment, found.view):
        text = json.dumps(whole.to_dict())
        for name in names:
            text = text.replace(f'"{name}"', f'"{name[0]}"')
        assert ".x" not in text
        assert json.dumps(renamed(whole, short).to_dict()) == text
        again = renamed(renamed(whole, short), {name[0]: name for name in names})
        assert again.to_dict() == whole.to_dict()
    assert {system for system, *_ in renamed(found.assessment, short).intervals} == {*"ABC"}


def test_systems_without_differences() -> None:
    comparison = tertium.compare(
        [["A"]], [["A"]], [["A"]], names=["x", "y"], metric="tags.accuracy"
    )
    table = transition_table(comparison.view.pairs[0], PRINT)
    none = Missing("there are no differences")
    assert table.rows[0] == ("corrections", "(all)", 0, none, None)
    for format in FORMATS:
        assert render(comparison, format)


def test_csv_has_every_number() -> None:
    comparison = toy()
    rows = list(csv.DictReader(io.StringIO(render(comparison, "csv"))))
    sections = {row["section"] for row in rows}
    assert sections == {
        "", "scores", "views", "views.oracle.labels", "views.oracle.patterns",
        "views.oracle.contributions", "pairs", "pairs.transitions.corrections",
        "pairs.transitions.new_errors", "pairs.transitions.changed_errors", "pairs.labels",
        "pairs.scores", "pairs.significance", "significance.families", "significance.tests",
        "significance.intervals", "significance.letters",
    }  # fmt: skip
    kind = "changed_errors"
    changed = [r for r in rows if r["section"] == f"pairs.transitions.{kind}"]
    assert ("S1", "S2", "E", "Y", "V", "1") in {
        (r["a"], r["b"], r["gold"], r[f"{kind}.a"], r[f"{kind}.b"], r["value"]) for r in changed
    }
    (diff,) = [r for r in rows if (r["a"], r["b"], r["part"]) == ("S2", "S3", "diff")]
    assert float(diff["value"]) == comparison.view.pair("S2", "S3").diff


@pytest.mark.parametrize("format", FORMATS)
def test_hostile_texts(format: str) -> None:
    comparison = hostile()
    page = render(comparison, format, examples=2, limit=0)
    assert "<script>alert" not in page or format in ("json", "csv", "text", "markdown", "latex")
    if format == "json":
        data = json.loads(page)
        assert data["pairs"][0]["a"] == HOSTILE[0]
        assert {e["sentence"] for e in data["examples"]} <= {*HOSTILE}
    if format in ("text", "markdown", "latex", "html", "svg"):
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", page)
    if format == "csv":
        rows = list(csv.DictReader(io.StringIO(page)))
        assert all(r["text"] for r in rows if r["section"] == "examples" and not r["part"])


EXAMPLE = Scene(
    "s1",
    tuple("The old Acme Labs office in Oslo".split()),
    marks=((Mark("ORG", (2, 3)),), (None,), (None,)),
    file="gold.bio",
    focus=(2, 3),
)


def test_claims_in_words() -> None:
    pair = toy().view.pair("S1", "S2")
    assert claims(pair, EXAMPLE) == ["ORG", "none", "none"]
    silent = replace(pair, mode="types", answers=replace(pair.answers, silence="tn"))
    assert claims(silent, replace(EXAMPLE, marks=((None,),) * 3)) == ["none", "tn", "tn"]
    assert claimed(Mark("ORG", (2,), type="BEs"), EXAMPLE) == "BEs ORG 3"
    assert claimed(Mark("LOC", (2, 3), type="LE"), EXAMPLE) == "LE LOC"
    assert claimed(Mark(None, type="FN"), EXAMPLE) == "FN"
    assert claimed(Mark("NOUN", (2,), type="label"), EXAMPLE) == "NOUN"
    assert claimed(Mark("obl", (2,), 4, "attachment:root"), EXAMPLE) == "obl(office-5)"
    assert claimed(Mark("obl", (2,), 4, "wl"), EXAMPLE, "types") == "wl obl(office-5)"
    assert claimed(Mark("root", (2,), ROOT), EXAMPLE) == "root(ROOT)"


def test_words_in_context() -> None:
    assert in_context(EXAMPLE) == "The old [Acme Labs] office in Oslo"
    assert in_context(EXAMPLE, 8) == "The old [Acme Labs] office …"
    assert in_context(replace(EXAMPLE, focus=(5, 5)), 8) == "… office [in] Oslo"
    assert in_context(replace(EXAMPLE, focus=None)) == "The old Acme Labs office in …"


def test_examples_in_text() -> None:
    gold = [{"id": "s1", "tokens": ["a", "b"], "tags": ["X", "Y"]}]
    other = [{"id": "s1", "tokens": ["a", "b"], "tags": ["X", "Z"]}]
    comparison = tertium.compare(
        gold, gold, other, names=["p", "q"], metric="tags.accuracy", examples=True
    )
    page = render(comparison, examples=0)
    assert "new errors (1)\n  sentence 's1'\n      a [b]\n          gold Y: Y → Z\n" in page
    assert "gold Y: Y > Z" in render(comparison, examples=0, ascii=True)
    assert "| new errors | a [b] | Y | Y | Z | s1 |" in render(comparison, "markdown", examples=1)


def test_groups() -> None:
    def data(*tags: str) -> list[dict[str, object]]:
        return [
            {"genre": genre, "tokens": list("abc"), "tags": list(row)}
            for genre, row in zip(("mail", "news"), tags, strict=True)
        ]

    comparison = tertium.compare(
        data("XYZ", "XYZ"), data("XYX", "XYZ"), data("XYZ", "XXX"), names=["p", "q"],
        metric="tags.accuracy", by="genre",
    )  # fmt: skip
    table = tables(comparison.blocks(TEXT))["tags.accuracy: p → q by genre"]
    assert table.rows == (
        ("all", 6, 3, 0.5, 1, 2, 0, 5 / 6, 4 / 6, -1 / 6, 1.0),
        ("mail", 3, 1, 1 / 3, 1, 0, 0, 2 / 3, 1.0, 1 / 3, 1.0),
        ("news", 3, 2, 2 / 3, 0, 2, 0, 1.0, 1 / 3, -2 / 3, 1.0),
    )


@pytest.mark.parametrize("wrong", [{"sort": "size"}, {"limit": -1}, {"examples": -1}])
def test_wrong_choices(wrong: dict[str, object]) -> None:
    with pytest.raises(UsageError, match=next(iter(wrong))):
        render(toy(), **wrong)  # type: ignore[arg-type]


def overview(comparison: Comparison) -> Table:
    table = comparison.blocks(WHOLE)[0]
    assert isinstance(table, Table)
    return table


def test_fully_correct_sentences_stand_beside_every_view() -> None:
    gold, a, b = spans("B-X O", "O"), spans("B-X B-Y", "O"), spans("O O", "O")
    options = {"names": ["p", "q"], "metric": "spans.f1", "significance": False}
    comparison = tertium.compare(gold, a, b, **options)
    table = overview(comparison)
    assert [c.header for c in table.columns] == ["system", "P", "R", "F1", "F1 exact match"]
    assert [row[-1] for row in table.rows] == [0.5, 0.5]


def test_fully_correct_sentences_of_runs_are_means() -> None:
    gold, a, b = spans("B-X O", "O"), spans("B-X O", "O"), spans("O O", "O")
    several = tertium.runs("A", a, b)
    comparison = tertium.compare(gold, several, b, metric="spans.f1", significance=False)
    table = overview(comparison)
    assert [(row[0], row[-1]) for row in table.rows] == [("A", 0.75), ("system3", 0.5)]
