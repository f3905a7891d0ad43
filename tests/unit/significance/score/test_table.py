"""The tables of `score`: which rows, columns and lines there are."""

from dataclasses import replace
from typing import Any

import pytest

from result_samples import entity_scores, fair_scores, grouped_scores, label, result, scores
from tertium.exceptions import UsageError
from tertium.report.render import render
from tertium.results.blocks import Bars, Block, Matrix, Missing, Table, Text, reasons
from tertium.results.scores import flatten
from tertium.significance.score.against import changes
from tertium.significance.score.result import ScoreLook, Scores
from tertium.significance.score.table import main_table


def build(some: Scores, **asked: Any) -> list[Block]:
    """What is shown where nothing is left out for lack of room."""
    return some.blocks(ScoreLook(format="markdown", **asked))


def tables(blocks: list[Block]) -> list[Table]:
    return [b for b in blocks if isinstance(b, Table)]


def lines(blocks: list[Block], role: str) -> list[str]:
    return [b.text for b in blocks if isinstance(b, Text) and b.role == role]


def test_one_row_a_system_and_the_shown_parts_of_each_metric() -> None:
    table = main_table(entity_scores())
    assert [c.header for c in table.columns] == ["system", "P", "R", "F1"]
    assert {c.group for c in table.columns[1:]} == {"spans.f1"}
    assert [row[0] for row in table.rows] == ["arbor", "breeze", "cedar"]
    assert sorted(i for i, place in table.best if place == 3) == [0, 2]


def test_parts_shows_all_and_gives_the_reason_of_undefined_ones() -> None:
    table = main_table(entity_scores(), parts=True)
    assert [c.header for c in table.columns][-1] == "macro f1"
    assert table.rows[0][-1] == Missing("MISC does not occur in gold")


def test_nested_parts_are_flattened() -> None:
    nested = result(parts={"f1": 0.5, "traditional": {"f1": 0.4}}, shown=("f1", "traditional.f1"))
    table = main_table(scores(nested))
    assert table.rows[0][1:] == (0.5, 0.4)
    assert table.columns[2].header == "traditional f1"
    assert flatten({"a": {"b": {"c": 1}}}) == {"a.b.c": 1}


def test_a_metric_that_names_no_parts_shows_its_value() -> None:
    table = main_table(scores(result(shown=())))
    assert [c.header for c in table.columns] == ["system", "las"]


def test_lower_is_better_where_the_metric_says_so() -> None:
    table = main_table(
        scores(result("a", value=0.1, better="lower"), result("b", value=0.2, better="lower"))
    )
    assert {i for i, _ in table.best} == {0}


def test_groups_come_after_the_whole_and_compete_among_themselves() -> None:
    table = main_table(grouped_scores())
    assert [row[:2] for row in table.rows] == [
        ("all", "arbor"),
        ("all", "breeze"),
        ("news", "arbor"),
        ("news", "breeze"),
        ("mail", "arbor"),
        ("mail", "breeze"),
    ]
    assert table.rows[5][2] == Missing("there are no words")
    assert {i for i, _ in table.best} == {1, 3}


def test_a_group_named_all_is_not_the_whole() -> None:
    one = result(value=0.5, groups={"all": result(value=0.25)})
    table = main_table(scores(one, result("b", value=0.6, groups={}), by="genre"))
    assert [row[0] for row in table.rows] == ["all", "all", "all", "all"]
    assert [row[4] for row in table.rows[:3]] == [0.5, 0.6, 0.25]
    assert table.rows[3][4] == Missing("this system has nothing in the group")


def test_sizes_of_groups_are_shown_where_known() -> None:
    groups = {"news": result(coverage={"units": 32})}
    table = main_table(scores(result(groups=groups), by="genre", units=64))
    assert [c.header for c in table.columns][:3] == ["genre", "system", "sentences"]
    assert [row[2] for row in table.rows] == [64, 32]


def test_a_system_without_the_layer_has_dashes_with_the_reason() -> None:
    lacking = result("b", value=None, parts={}, coverage={}, reasons={"value": "b has no deps"})
    blocks = build(scores(result("a"), lacking, notes=("b: b has no deps", "other")))
    assert tables(blocks)[0].rows[1][1:] == (Missing("not in this system's file"),) * 3
    assert lines(blocks, "coverage") == ["scored 25,096 · unaligned 0"]
    assert lines(blocks, "note") == ["other"]


def test_a_system_without_the_layer_has_one_reason_in_all_groups() -> None:
    lacking = result("b", value=None, parts={}, coverage={}, reasons={"value": "b has no deps"})
    full = result("a", groups={"news": result("a")})
    some = scores(full, lacking, by="genre")
    reason = "not in this system's file"
    assert reasons(main_table(some)) == [reason]
    against = changes(some, some.to_dict(), "e.json")
    assert reasons(main_table(replace(some, against=against))) == [reason]


def test_another_gold_standard_is_said_right_below_the_table() -> None:
    now = scores(result(labels={"A": label(1, 1, 2, 2, 2)}), gold_digest="1" * 16)
    earlier = {**now.to_dict(), "gold_digest": "2" * 16}
    blocks = build(replace(now, against=changes(now, earlier, "e.json")), labels=True)
    assert isinstance(blocks[1], Text)
    assert blocks[1].text.startswith("e.json was scored against a different gold standard (")
    assert isinstance(blocks[2], Table)


def test_sizes_of_gold_are_true_to_number() -> None:
    one = scores(result(coverage={"scored": 1}), units=1, tokens=1)
    assert lines(build(one), "gold") == ["gold.conllu · 1 sentence · 1 token"]
    without = scores(result(), gold="gold.spans", units=2, tokens=None)
    assert lines(build(without), "gold") == ["gold.spans · 2 sentences"]


def test_unaligned_tokens_of_each_side_stand_behind_their_sum() -> None:
    coverage = {"scored": 9, "unaligned": 1644, "unaligned_gold": 1377, "unaligned_system": 267}
    assert lines(build(scores(result(coverage=coverage))), "coverage") == [
        "scored 9 · unaligned 1,644 (gold 1,377, system 267)"
    ]
    alone = {"left_gold": 2}
    assert lines(build(scores(result(coverage=alone))), "coverage") == ["left gold 2"]


def test_labels_give_the_reason_of_each_part() -> None:
    row = {**label(0.0, None, 0, 5, 0), "reasons": {"recall": "gold never has it"}}
    table = tables(build(scores(result(labels={"X": row})), labels=True))[1]
    assert [c.header for c in table.columns][:4] == ["label", "P", "R", "F1"]
    assert table.rows[0][1:3] == (0.0, Missing("gold never has it"))


def test_coverage_passes_over_what_a_system_lacks() -> None:
    lacking = result("b", "spans.f1", None, parts={}, coverage={})
    first = [result("a", m) for m in ("deps.las", "spans.f1")]
    some = scores(*first, result("b"), lacking, result("c", coverage={"scored": 1}))
    assert lines(build(some), "coverage") == ["a, b: scored 25,096 · unaligned 0", "c: scored 1"]


def test_a_part_that_was_not_asked_for_is_empty() -> None:
    table = main_table(scores(result(shown=("f1", "known"))))
    assert table.rows[0][2] is None


def test_coverage_is_said_once_where_all_agree_and_named_where_not() -> None:
    assert lines(build(grouped_scores()), "coverage") == ["scored 25,096 · unaligned 0"]
    assert lines(build(entity_scores()), "coverage")[1] == "breeze: scored 60 · unaligned 3"
    by_metric = scores(
        *(
            result(s, m, coverage={"scored": n})
            for s in "ab"
            for m, n in (("deps.las", 9), ("spans.f1", 4))
        )
    )
    assert lines(build(by_metric), "coverage") == ["deps.las: scored 9", "spans.f1: scored 4"]
    odd = scores(
        *(
            result(s, m, coverage={"scored": n})
            for s, m, n in (("a", "x", 1), ("a", "y", 2), ("b", "x", 2), ("b", "y", 1))
        )
    )
    assert lines(build(odd), "coverage")[0] == "x of a, y of b: scored 1"


def test_each_signature_and_note_is_said_once() -> None:
    blocks = build(scores(result("a"), result("b"), notes=("watch out", "watch out")))
    assert len(lines(blocks, "signature")) == 1
    assert lines(blocks, "note") == ["watch out"]


def test_labels_by_frequency_then_name() -> None:
    table = tables(build(entity_scores(), labels=True, parts=True))[1]
    assert list(dict.fromkeys(row[0] for row in table.rows)) == ["PER", "LOC", "MISC", "(all)"]
    assert [c.header for c in table.columns][-3:] == ["correct", "gold", "system"]
    assert 0 in {i for i, place in table.best if place == 4}


def test_one_system_needs_no_column_of_systems() -> None:
    one = result(labels={"B": label(1, 1, 2, 2, 2), "A": label(1, 1, 2, 2, 2)})
    table = tables(build(scores(one), labels=True))[1]
    assert [row[0] for row in table.rows] == ["A", "B", "(all)"]
    assert table.rows[-1][1] == one.parts["precision"]
    assert not table.best, "labels do not compete with one another"
    assert table.columns[1].header == "P"


def test_confusions_by_count_then_labels_without_what_was_right() -> None:
    table = tables(build(entity_scores(), confusion=True))[1]
    assert table.rows == (
        ("none", "MISC", 5, 5, 5),
        ("LOC", "PER", 2, 5, 3),
        ("PER", "LOC", 2, 2, 2),
    )


def test_text_lists_the_most_frequent_pairs_and_says_how_many_are_left() -> None:
    pairs = {(None, "X"): 3, ("X", None): 3, **{("A", f"B{n:02}"): 1 for n in range(20)}}
    blocks = scores(result(confusion=pairs)).blocks(ScoreLook(confusion=True))
    table = tables(blocks)[1]
    assert [row[:2] for row in table.rows[:2]] == [("none", "X"), ("X", "none")]
    assert len(table.rows) == 20
    assert table.omitted.startswith("and 2 rarer")
    assert len(matrices(blocks)[0].rows) == 23, "the matrix has all"


def test_labels_hold_objects_which_parts_shows() -> None:
    table = tables(build(fair_scores(), labels=True))[1]
    assert [c.header for c in table.columns] == ["label", "P", "F1", "support"]
    table = tables(build(fair_scores(), labels=True, parts=True))[1]
    assert [c.header for c in table.columns][3:7] == [
        "traditional precision",
        "traditional f1",
        "weighted precision",
        "weighted f1",
    ]
    assert table.rows[0][:7] == (
        *("LOC", 0.9, 0.8, 0.7, 0.6),
        Missing("nothing to divide by"),
        0.85,
    )


# matrices


def matrices(blocks: list[Block]) -> list[Matrix]:
    return [b for b in blocks if isinstance(b, Matrix)]


CORRECT = (2132, 1002, 473, 1552)
FIGURE_2 = (
    (57, 54, 14, 28, 98),
    (66, 43, 32, 26, 167),
    (41, 59, 44, 33, 142),
    (14, 29, 11, 36, 55),
    (81, 87, 48, 37, None),
)


def test_the_matrix_has_what_is_correct_on_its_diagonal() -> None:
    blocks = build(fair_scores(), confusion=True)
    (matrix,) = matrices(blocks)
    assert matrix.rows == matrix.columns == ("LOC", "ORG", "OTH", "PER", None)
    for i, row in enumerate(FIGURE_2):
        assert matrix.values[i] == tuple(
            n + CORRECT[i] if i == j and n is not None else n for j, n in enumerate(row)
        )
    assert (matrix.row_axis, matrix.column_axis) == ("gold label", "system label")
    assert matrix.note.startswith(
        "the diagonal holds what is correct and, with the correct label, 180 boundary errors; the "
    )
    assert len(tables(blocks)) == 1, "one system needs no list of pairs beside its matrix"


@pytest.mark.parametrize("format", ["text", "markdown", "latex", "html", "svg"])
def test_the_matrix_of_every_format_is_that_of_json(format: str) -> None:
    some = fair_scores()
    (matrix,) = matrices(some.blocks(ScoreLook(format=format, confusion=True)))
    entry = some.to_dict()["scores"][0]["confusion"]
    cells = {(row["gold"], row["system"]): row["count"] for row in entry}
    for gold, row in zip(matrix.rows, matrix.values, strict=True):
        for system, count in zip(matrix.columns, row, strict=True):
            assert (count or 0) == cells.get((gold, system), 0)


def test_the_matrix_of_the_paper_holds_errors_alone() -> None:
    """Ortmann (2022), Figure 2, named entities."""
    (matrix,) = matrices(build(fair_scores(), confusion_cells="errors"))
    assert matrix.values == FIGURE_2
    assert matrix.title == "spans.fair: confusions, errors only"
    assert "the diagonal holds 180 boundary errors; the last column" in matrix.note


def test_shares_of_rows_add_up() -> None:
    (matrix,) = matrices(build(fair_scores(), confusion_cells="shares"))
    assert matrix.kind == "percent"
    assert matrix.values[0][0] == (2132 + 57) / (2132 + 57 + 54 + 14 + 28 + 98)
    for row in matrix.values:
        assert sum(value or 0 for value in row) == pytest.approx(1)
    only = scores(result(confusion={("A", "B"): 2}))
    (matrix,) = matrices(build(only, confusion_cells="shares"))
    assert matrix.values == ((0, 1), (None, None)), "B has no gold items to share"


def errors(**pairs: int) -> dict[tuple[str, str | None, str | None], int]:
    return {("label", k[0], k[1]): n for k, n in pairs.items()}


def test_the_diagonal_is_empty_where_no_error_has_the_right_label() -> None:
    some = scores(result(error_types=errors(AB=2)))
    (matrix,) = matrices(build(some, confusion_cells="errors"))
    assert matrix.rows == ("A", "B")
    assert matrix.values == ((None, 2), (0, None))
    assert matrix.note == "only errors are counted; the diagonal is empty"


def test_the_diagonal_of_other_metrics_is_named() -> None:
    found = {("attachment", "A", "A"): 2, ("both", "A", "B"): 1}
    some = scores(result(error_types=found, confusion={("A", "A"): 7, ("A", "B"): 1}))
    (matrix,) = matrices(build(some, confusion_cells="errors"))
    assert matrix.values == ((2, 1), (0, 0))
    assert matrix.note.endswith("the diagonal holds 2 errors of type attachment")
    (matrix,) = matrices(build(some, confusion=True))
    assert matrix.values == ((7, 1), (0, 0))
    assert matrix.note.endswith("correct and, with the correct label, 2 errors of type attachment")


def test_systems_have_matrices_over_the_same_labels_on_the_same_scale() -> None:
    some = scores(
        result("a", confusion={("A", "A"): 90, ("A", "B"): 2}),
        result("b", confusion={("B", "C"): 7}),
        result("c", confusion={}),
        result("d", confusion={("C", "C"): 9}),
    )
    found = matrices(some.blocks(ScoreLook(confusion=True)))
    assert [m.title for m in found] == [f"deps.las: confusions of {name}" for name in "abcd"]
    assert {m.rows for m in found} == {("A", "B", "C")}
    assert {m.largest for m in found} == {7}, "that of an error: the diagonal would hide them"
    assert found[2].values == ((0, 0, 0), (0, 0, 0), (0, 0, 0))


def test_rarer_labels_are_folded_without_a_count_lost() -> None:
    pairs: dict[tuple[str | None, str | None], int] = {
        ("A", "A"): 9, ("B", "B"): 5, ("C", "C"): 4, ("D", "D"): 1,
        ("A", "C"): 1, ("C", "D"): 2, ("D", "B"): 3, (None, "D"): 1, ("B", None): 2,
    }  # fmt: skip
    some = scores(result(confusion=pairs))
    (matrix,) = matrices(build(some, main_labels=2))
    assert matrix.rows == ("A", "B", "(other)", None)
    assert matrix.values == ((9, 0, 1, 0), (0, 5, 0, 2), (0, 3, 7, 0), (0, 0, 1, None))
    among = "and its diagonal cell includes confusions among them"
    assert matrix.note.endswith(f"(other) includes 2 rarer labels, {among}")
    (three,) = matrices(build(some, main_labels=3))
    assert three.note.endswith("(other) includes 1 rarer label")
    (whole,) = matrices(build(some, main_labels=4))
    assert whole.rows == ("A", "B", "C", "D", None)
    with pytest.raises(UsageError, match="at most 1,000"):
        ScoreLook(main_labels=10**9)


@pytest.mark.parametrize("format", ["text", "markdown", "latex", "html", "svg"])
def test_sixteen_labels_are_a_matrix_in_every_format(format: str) -> None:
    names = [f"L{n:02}" for n in range(16)]
    pairs = {(gold, names[n - 1]): n + 1 for n, gold in enumerate(names)}
    some = scores(result(confusion=pairs))
    (matrix,) = matrices(some.blocks(ScoreLook(format=format, confusion=True)))
    assert len(matrix.rows) == len(matrix.columns) == 16
    page = render(some, format, confusion=True)
    assert all(page.count(name) >= 4 for name in names)
    if format == "text":
        assert max(map(len, page.partition("confusions")[2].split("\n")[1:-5])) <= 80


def test_more_labels_than_anybody_reads_are_folded() -> None:
    pairs: dict[tuple[str | None, str | None], int] = {(f"L{n}", f"L{n}"): 1 for n in range(103)}
    (matrix,) = matrices(build(scores(result(confusion=pairs)), confusion=True))
    assert len(matrix.rows) == 101
    assert matrix.values[-1][-1] == 3
    assert "(other) includes 3 rarer labels" in matrix.note
    assert matrix.note.endswith("; '--main-labels' shows more")


def test_the_list_has_boundary_errors_too() -> None:
    table = tables(build(fair_scores("a", "b"), confusion=True))[1]
    found = [(row[0], row[2]) for row in table.rows if row[0] == row[1]]
    assert found == [("LOC", 57), ("OTH", 44), ("ORG", 43), ("PER", 36)]
    assert table.note == "a label beside itself counts boundary errors"
    kept = {("attachment", "A", "A"): 9, ("label", "A", "B"): 1}
    one = result("a", error_types=kept, confusion={("A", "A"): 20, ("A", "B"): 1})
    table = tables(build(scores(one, replace(one, system="b")), confusion=True))[1]
    assert (table.rows, table.note) == ((("A", "B", 1, 1),), "")


# error types


def bars(blocks: list[Block]) -> list[Bars]:
    return [b for b in blocks if isinstance(b, Bars)]


def test_traditional_against_fair() -> None:
    """Ortmann (2022), Figure 1 and Table 2, named entities."""
    (found,) = bars(build(fair_scores(), error_types=True))
    assert found.names == ("traditional", "fair")
    assert found.categories == ("FP", "FN", "LE", "BEs", "BEl", "BEo", "LBE")
    assert found.values == (
        (794, 1019, None, None, None, None, None),
        (253, 462, 252, 71, 106, 3, 155),
    )
    shares = found.shares()
    assert [round(100 * (s or 0)) for s in shares[0][:2]] == [44, 56]
    assert round(100 * sum(s or 0 for s in shares[1][3:6])) == 14
    assert found.note.startswith("FP false positive; FN false negative; LE labelling error; BEs")


def test_several_systems_are_named_before_the_way_of_counting() -> None:
    (found,) = bars(build(fair_scores("a", "b"), error_types=True))
    assert found.names == ("a, traditional", "a, fair", "b, traditional", "b, fair")


def test_a_type_that_a_system_lacks_is_zero() -> None:
    metric = "spans.fair"
    one = result("a", metric, error_types={("zeta", "A", "B"): 1, ("label", "A", "B"): 2})
    two = result("b", metric, error_types={("extra", None, "B"): 4, ("BEs-left", "A", "A"): 1})
    (found,) = bars(build(scores(one, two, result("c", metric)), error_types=True))
    assert found.categories == ("BEs-left", "extra", "label", "zeta")
    assert found.values == ((0, 0, 2, 1), (1, 4, 0, 0), (0, 0, 0, 0))
    assert found.note == "BEs-left boundary error, system span smaller, left boundary right"
    assert reasons(found.table()) == ["no errors to share out"]


def test_metrics_without_errors_and_without_items_say_so() -> None:
    perfect = result(metric="x.perfect", confusion={("A", "A"): 3})
    lacking = result("b", "x.none", None, parts={}, reasons={"value": "no layer"})
    empty = result(metric="x.empty", value=None)
    none = result(metric="x.none", has_items=False)
    some = scores(perfect, none, lacking, empty)
    assert lines(build(some, error_types=True), "note")[:3] == [
        "x.perfect: there are no errors",
        "x.none does not judge single items, so its errors have no types",
        "x.empty: there is nothing that could be wrong",
    ]


def test_what_is_asked_for_but_not_there_is_said() -> None:
    blocks = build(scores(result()), labels=True, confusion=True)
    assert lines(blocks, "note") == [
        "none of these metrics has figures per label",
        "deps.las: no labels were confused",
    ]
    assert lines(build(scores()), "note") == ["nothing was scored against gold.conllu"]


def test_what_is_undefined_of_a_label_but_reported_as_0_is_said() -> None:
    lacking = {**label(0.0, 0.0, 3, 0, 0), "reasons": {"precision": "never"}}
    found = result("arbor", "m", labels={"A": label(1, 1, 1, 1, 1), "B": lacking})
    notes = lines(build(scores(found), labels=True), "note")
    assert notes == [
        "arbor: m is 0 where a figure of a label is undefined because gold or the system lacks it: "
        "B"
    ]
    undefined = {**lacking, "precision": None}
    assert lines(build(scores(result(labels={"B": undefined})), labels=True), "note") == []


def test_an_empty_label_is_not_no_label() -> None:
    found = result("arbor", "m", confusion={("", "X"): 2, (None, "X"): 1})
    (matrix,) = matrices(build(scores(found), confusion=True))
    assert (matrix.rows, matrix.values) == (("", "X", None), ((0, 2, 0), (0, 0, 0), (0, 1, None)))


# groups of words


def by_words(*metrics: str, systems: tuple[str, ...] = ("a", "b"), **sizes: int) -> Scores:
    """Results whose groups hold items; `sizes` are those of groups under other metrics' names."""
    rows = []
    for system in systems:
        for metric in metrics:
            size = sizes.get(metric.partition(".")[2], 12)
            parts = {"precision": 0.5, "recall": 0.25, "f1": 1 / 3, "extra": 0.1}
            counts = {"correct": 3, "gold": size, "system": 6, "correct_system": 3}
            one = result(
                system, metric, 1 / 3, parts=parts, counts=counts, coverage={"items": size}
            )
            rows.append(result(system, metric, groups={"1": one}, headline="f1"))
    return scores(*rows, by="distance")


def test_a_metric_alone_has_both_sides_and_their_items() -> None:
    table = main_table(by_words("m.las"))
    assert [(c.header, c.group) for c in table.columns] == [
        ("distance", ""),
        ("system", ""),
        *((name, "m.las") for name in ("P", "R", "F1", "gold", "system")),
    ]
    assert table.rows[0] == ("all", "a", 0.8423, 0.8423, 0.8423, 25096, 25096)
    assert table.rows[2] == ("1", "a", 0.5, 0.25, 1 / 3, 12, 6)
    assert table.contests == ("", "", "1", "1")


def test_of_several_metrics_only_the_value_is_shown() -> None:
    table = main_table(by_words("m.uas", "m.las"))
    assert [(c.header, c.group) for c in table.columns][2:] == [
        ("items", ""),
        ("F1", "m.uas"),
        ("F1", "m.las"),
    ]
    assert table.rows[2][2:] == (12, 1 / 3, 1 / 3)


def test_metrics_that_count_other_items_have_sizes_of_their_own() -> None:
    table = main_table(by_words("m.uas", "m.las", las=7))
    assert [(c.header, c.group) for c in table.columns][2:] == [
        ("F1", "m.uas"),
        ("items", "m.uas"),
        ("F1", "m.las"),
        ("items", "m.las"),
    ]
    assert table.rows[2][2:] == (1 / 3, 12, 1 / 3, 7)


def test_all_parts_of_groups_of_words() -> None:
    table = main_table(by_words("m.las"), parts=True)
    headers = [c.header for c in table.columns][2:]
    assert headers == ["P", "R", "F1", "complete", "gold", "system"]
    assert table.rows[2][5] is None, "a group of words has no complete sentences"


def test_changes_stand_beside_the_figures() -> None:
    some = by_words("m.las")
    table = main_table(replace(some, against=changes(some, some.to_dict(), "e.json")))
    assert [c.header for c in table.columns][4:] == ["F1", "change", "gold", "system"]
    assert [row[5] for row in table.rows] == [0.0] * 4


def test_a_value_that_is_no_usual_part_is_shown_unless_it_is_recall() -> None:
    one = {"accuracy": 0.25, "precision": 0.5, "recall": 0.25, "f1": 1 / 3}
    other = {**one, "accuracy": 0.3}
    for parts, shown in ((one, []), (other, ["accuracy"])):
        group = result(value=0.3, parts=parts, coverage={"items": 4}, counts={"items": 4})
        whole = result(value=0.3, parts=one, groups={"N": group}, headline="accuracy")
        table = main_table(scores(whole, by="upos"))
        headers = [c.header for c in table.columns][2:]
        assert headers == [*shown, "P", "R", "F1", "gold", "system"]
        assert table.rows[1][-1] is None, "the metric does not count what the system has"


def test_a_metric_without_groups_of_words_has_dashes() -> None:
    some = by_words("m.las", systems=("a",))
    table = main_table(scores(*some, result("a", "m.whole", 0.4, headline="f1"), by="distance"))
    assert table.rows[1][-2] == Missing("this metric cannot be grouped")
