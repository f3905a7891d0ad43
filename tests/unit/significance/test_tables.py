"""Cells, tables and lines of significance."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import tertium
from tertium.exceptions import UsageError
from tertium.results.assessment import Assessment, Interval, Test, Testing
from tertium.results.blocks import Missing, Range, Ranks, Table, Text
from tertium.results.parts import Part
from tertium.significance.across import across
from tertium.significance.rank_tables import across_blocks, across_notes, rank_blocks
from tertium.significance.score.result import ScoreLook
from tertium.significance.score.table import main_table
from tertium.significance.tables import (
    Beside,
    difference_tests,
    group_tests,
    interval_cell,
    p_cell,
    pair_text,
    run_notes,
    significance_blocks,
    significance_line,
    significance_lines,
)

QUICK = Testing(trials=200)


def scored(samples: Path, *names: str, **options: Any) -> tertium.Scores:
    files = [f"{name}={samples / name}.conllu" for name in names or ("arbor", "breeze", "cedar")]
    options = {"metric": "deps.las", "significance": QUICK, **options}
    return tertium.score(samples / "gold.conllu", *files, **options)


def assessed(samples: Path, *names: str, **options: Any) -> Assessment:
    found = scored(samples, *names, **options).assessment
    assert found is not None
    return found


def test_what_is_undefined_is_a_dash_with_its_reason() -> None:
    assert interval_cell(Interval(0.1, 0.2, 0.95, "bca", 100)) == Range(0.1, 0.2)
    undefined = Interval(None, None, 0.95, "bca", 100, reason="the value is undefined")
    assert interval_cell(undefined) == Missing("the value is undefined")
    assert isinstance(interval_cell(None), Missing)
    test = Test(None, None, "sign", 3, reason="all differences are zero")
    assert p_cell(None, test) == Missing("all differences are zero")
    assert p_cell(0.5, test) == 0.5


def test_letters_and_interval_follow_the_headline(samples: Path) -> None:
    scores = scored(samples)
    table = main_table(scores)
    assert [column.header for column in table.columns] == ["system", "LAS", "", "95% CI"]
    assert [column.kind for column in table.columns][1:4] == ["percent", "letters", "interval"]
    found = scores.assessment
    assert found is not None
    for row in table.rows:
        interval = found.intervals[str(row[0]), "deps.las", None]
        assert row[2] == found.letters[str(row[0]), "deps.las"]
        assert row[3] == Range(interval.low or 0, interval.high or 0)


def test_one_system_has_no_letters_and_no_tests(samples: Path) -> None:
    scores = scored(samples, "arbor")
    headers = [column.header for column in main_table(scores).columns]
    assert headers == ["system", "LAS", "95% CI"]
    assert significance_blocks(scores.assessment, None) == []
    blocks = scores.blocks(ScoreLook())
    [line] = [b.text for b in blocks if isinstance(b, Text) and b.role == "tests"]
    assert line == "intervals BCa 95%, 200 resamples · seed 0"


def test_groups_have_intervals_and_no_letters(samples: Path) -> None:
    table = main_table(scored(samples, by="genre"))
    place = [column.kind for column in table.columns].index("letters")
    by_group = {str(row[0]): row[place] for row in table.rows}
    assert by_group["all"] is not None
    assert by_group["mail"] is by_group["news"] is None
    assert all(isinstance(row[place + 1], Range) for row in table.rows)


def test_tests_of_one_metric_name_it_in_the_title(samples: Path) -> None:
    found = assessed(samples)
    [table] = difference_tests(found, ["deps.las"])
    assert table.title == "LAS: tests of differences"
    assert [c.header for c in table.columns] == ["from", "to", "change", "95% CI", "p", "Holm"]
    first = found.comparisons[0]
    assert table.rows[0][:3] == (first.a, first.b, first.test.delta)
    assert table.rows[0][4:] == (first.test.p, first.adjusted)


def test_a_single_test_has_nothing_to_correct(samples: Path) -> None:
    found = assessed(samples, "arbor", "cedar")
    [table] = difference_tests(found, ["deps.las"])
    assert [c.header for c in table.columns] == ["from", "to", "change", "95% CI", "p"]
    text = pair_text(found, "arbor", "cedar", "deps.las")
    assert text.startswith("LAS -4.60 [-")
    assert "Holm" not in text
    assert pair_text(found, "cedar", "arbor", "deps.las").startswith("LAS +4.60 [+")


def test_a_difference_can_be_told_from_the_other_side(samples: Path) -> None:
    testing = replace(QUICK, direction="less")
    [found] = assessed(samples, "arbor", "cedar", significance=testing).comparisons
    turned = found.turned()
    assert (turned.a, turned.b, turned.test.direction) == ("cedar", "arbor", "greater")
    assert turned.test.delta == -(found.test.delta or 0)
    assert turned.test.p == found.test.p
    assert turned.interval is not None
    assert turned.interval.low is not None
    assert turned.interval.low == -((found.interval and found.interval.high) or 0)
    assert turned.turned() == found


def test_many_pairs_are_cut_and_have_no_intervals(samples: Path) -> None:
    gold = samples / "gold.conllu"
    files = [f"{n}={samples / name}.conllu" for n, name in enumerate(["arbor", "cedar"] * 3)]
    found = tertium.score(gold, *files, metric="deps.las", significance=QUICK).assessment
    assert found is not None
    [table] = difference_tests(found, ["deps.las"], rows=4)
    assert "95% CI" not in [column.header for column in table.columns]
    assert len(table.rows) == 4
    assert table.omitted == "and 11 more tests; '--all' shows all"
    assert "[" not in pair_text(found, "0", "1", "deps.las")


def test_groups_have_a_table_a_metric(samples: Path) -> None:
    found = assessed(samples, metric=["deps.las", "deps.uas"], by="genre")
    tables = group_tests(found, ["deps.las", "deps.uas"], "genre")
    assert [table.title for table in tables] == [
        "LAS: tests of differences by genre",
        "UAS: tests of differences by genre",
    ]
    assert [row[0] for row in tables[0].rows] == ["mail"] * 3 + ["news"] * 3


def test_what_few_groups_cannot_show_is_left_out(samples: Path) -> None:
    found = assessed(samples, by="genre")
    [pairs] = across_blocks(found, ["deps.las"], "genre")
    told = found.across["deps.las"].to_dict()
    assert isinstance(pairs, Table)
    for row, pair in zip(pairs.rows, told["pairs"], strict=True):
        assert row[:2] == (pair["a"], pair["b"])
        assert row[2] == pytest.approx(pair["difference"])
        assert row[3:6] == (pair["losses"], pair["wins"], pair["ties"])
        assert isinstance(row[6], str)  # the effect
    assert "arbor → cedar: mail and news" in pairs.note
    assert "p" not in [column.header for column in pairs.columns]
    assert any("2 data sets are too few to test" in note for note in across_notes(found))


def test_ranks_and_pairs_across_many_groups() -> None:
    values = {"a": [0.1] * 8, "b": [0.2] * 8, "c": [0.3] * 7 + [0.15]}
    data = across(values, [*"stuvwxyz"])
    ranks, pairs = rank_blocks(
        "m", data, (), Part("f1"), titles=("ranks", "pairs"), sets="groups", note="Friedman"
    )
    assert isinstance(ranks, Ranks)
    assert dict(zip(ranks.names, ranks.ranks, strict=True)) == dict(data.mean_ranks)
    assert isinstance(pairs, Table)
    for row, pair in zip(pairs.rows, data.pairs, strict=True):
        assert row[6:8] == (pair.wilcoxon.p, pair.adjusted)


def test_two_systems_have_no_critical_difference(samples: Path) -> None:
    found = assessed(samples, "arbor", "cedar", by="genre")
    [pairs] = across_blocks(found, ["deps.las"], "genre")
    assert isinstance(pairs, Table)
    assert "Holm" not in [column.header for column in pairs.columns]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "paired approximate randomisation, two-sided, 200 trials · Holm over 3 tests"),
        (
            {"correction": "none"},
            "3 pairs of systems × LAS, no correction for multiple testing",
        ),
        ({"test": "wilcoxon"}, "Wilcoxon's signed-rank test, two-sided · Holm"),
        ({"test": "sign"}, "sign test, two-sided, exact"),
        ({"direction": "greater"}, "one-sided (the later system above the earlier, as stated"),
        ({"alpha": 0.01}, "do not differ significantly at .01"),
        ({"interval": "basic", "level": 0.99}, "intervals basic 99%, 200 resamples"),
        ({"seed": 12}, "seed 12"),
    ],
)
def test_the_line_says_what_was_done(samples: Path, options: dict[str, Any], words: str) -> None:
    found = assessed(samples, significance=replace(QUICK, **options))
    assert words in significance_line(found)


def test_warnings_are_notes(samples: Path) -> None:
    found = assessed(samples, significance=replace(QUICK, test="bootstrap"))
    texts = [line.text for line in significance_lines(found) if line.role == "note"]
    assert any("fewer than 200 sentences" in text for text in texts)
    assert significance_lines(None) == []


def test_runs_are_a_row_of_means(samples: Path) -> None:
    gold, files = samples / "gold.conllu", [samples / f"{n}.conllu" for n in ("arbor", "breeze")]
    scores = tertium.score(gold, tertium.runs("A", *files), files[0], metric="deps.las", by="genre")
    table = main_table(scores)
    headers = [column.header for column in table.columns]
    assert headers == ["genre", "system", "runs", "sentences", "LAS", "sd"]
    first, second = table.rows[:2]
    values = [scores[name, "deps.las"].value or 0 for name in ("A#1", "A#2")]
    assert first[1:3] == ("A", 2)
    assert first[4] == pytest.approx(sum(values) / 2)
    assert first[5] == pytest.approx(abs(values[0] - values[1]) / 2**0.5)
    assert second[1:3] == ("arbor.conllu", 1)
    assert second[5] is None
    assert "means" in run_notes(scores)[0]
    inside = Beside(scores).cell("(sd)", "A", "deps.las", "mail")
    in_mail = [scores[n, "deps.las"].groups["mail"].value or 0 for n in ("A#1", "A#2")]
    assert inside == pytest.approx(abs(in_mail[0] - in_mail[1]) / 2**0.5)


def test_a_run_without_a_value_is_told() -> None:
    gold = [["O", "O"]]
    scores = tertium.score(gold, tertium.runs("A", gold, [["B-X", "O"]]), metric="spans.f1")
    row = main_table(scores).rows[0]
    assert Missing("fewer than two runs have a value") in row
    assert any("undefined in 1 of 2 runs" in note for note in run_notes(scores))


def test_a_p_of_0_is_below_what_trials_can_tell(samples: Path) -> None:
    files = [samples / f"{name}.conllu" for name in ("gold", "arbor", "cedar")]
    testing = Testing(test="koehn", direction="less", trials=100)
    scores = tertium.score(*files, metric="deps.las", by="genre", significance=testing)
    assert scores.assessment is not None
    mail = next(c for c in scores.assessment.comparisons if c.group == "mail")
    assert mail.test.p == mail.adjusted == 0
    assert (p_cell(0.0, mail.test), p_cell(0.0, mail.test, 3)) == ("<.010", "<.030")
    text = tertium.render(scores, "text")
    assert "<.010  <.020" in text  # two groups
    assert "< .0001" not in text
    assert "<.010" in tertium.render(scores, "markdown")


def test_an_assessment_is_shown_with_its_scores(samples: Path) -> None:
    files = [samples / f"{name}.conllu" for name in ("gold", "arbor", "cedar")]
    found = tertium.assess(tertium.score(*files, metric="deps.las"), QUICK)
    with pytest.raises(UsageError, match="tests can only be shown together with scores"):
        tertium.show(found)  # type: ignore[arg-type]
