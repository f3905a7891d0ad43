"""What every convention says about the same files."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import tertium
from tertium.cli.main import main
from tertium.exceptions import AlignmentError, UsageError
from tertium.families.spans.conventions import CONVENTIONS, partings


def tags(*sentences: str) -> list[list[str]]:
    return [s.split() for s in sentences]


def rows(found: tertium.Conventions, system: str = "system") -> dict[str, Any]:
    return {row.convention: row for row in found.rows if row.system == system}


def test_every_row_is_the_metric_it_names() -> None:
    gold, system = tags("B-A I-A O B-B", "B-A O"), tags("I-A I-A O B-C", "B-A B-B")
    found = rows(tertium.conventions(gold, system))
    assert [*found] == [c.name for c in CONVENTIONS.every]
    for convention in CONVENTIONS.every:
        result = tertium.score(gold, system, metric=convention.metric).results[0]
        row = found[convention.name]
        assert row.f1 == result.parts[f"{convention.prefix}f1"], convention.name
        assert row.precision == result.parts[f"{convention.prefix}precision"]
        assert row.signature == str(result.signature)
    assert (found["Tertium"].correct, found["seqeval strict"].correct) == (2, 1)
    assert found["unlabelled"].correct == 3
    assert found["fair, equation 5"].gold == 3


def test_sequences_that_are_read_differently_are_found() -> None:
    gold = tags("B-P E-P B-P E-P", "S-P S-P O", "B-P E-P O")
    found = tertium.conventions(gold, gold)
    by_tags = {" ".join(p.tags): (side, p) for side, p in found.partings}
    assert {side for side, _ in found.partings} == {"gold", "system"}
    _, singles = by_tags["S-P S-P O"]
    assert singles.readings["Tertium"] == singles.readings["seqeval"] == "P 1, P 2"
    assert singles.readings["conlleval"] == "P 1-2"
    _, pairs = by_tags["B-P E-P B-P E-P"]
    assert pairs.readings["conlleval"] == "P 1-4"
    assert pairs.readings["seqeval strict"] == "P 1-2, P 3-4"
    assert "B-P E-P O" not in by_tags
    assert pairs.count == 1
    assert pairs.where == "sentence '1'"


def test_equal_sequences_are_counted_together(tmp_path: Path) -> None:
    file = tmp_path / "gold.bio"
    file.write_text("a\tO\nb\tI-X\nc\tO\n\nd\tO\ne\tI-X\nf\tO\n\ng\tB-X\n\n")
    found = tertium.conventions(str(file), str(file))
    assert [(side, p.count, p.tags) for side, p in found.partings if side == "gold"] == [
        ("gold", 2, ("O", "I-X", "O"))
    ]
    assert found.partings[0][1].where == "line 2, sentence '1'"


def test_neighbours_are_not_taken_from_other_sentences() -> None:
    corpus = tertium.conventions(tags("B-X", "I-X", "B-X"), tags("B-X", "I-X", "B-X"))
    assert {p.tags for _, p in corpus.partings} == {("I-X",)}


def test_agreement_is_said() -> None:
    gold = tags("B-A I-A O")
    found = tertium.conventions(gold, gold)
    assert found.partings == ()
    assert "all conventions read the same spans" in tertium.render(found)


def test_a_convention_that_refuses_says_why() -> None:
    gold, system = tags("B-A O"), tags("Q-A O")
    found = rows(tertium.conventions(gold, system))
    assert found["Tertium"].f1 is None
    assert "'Q-A' in column 'tag' is neither O nor PREFIX-TYPE" in found["Tertium"].reasons["f1"]
    assert found["conlleval"].f1 == 1  # type change opens a chunk, whatever the prefix
    assert found["seqeval strict"].f1 is None
    text = tertium.render(tertium.conventions(gold, system))
    assert "the conventions that accept the tags read the same spans" in text


def test_one_system_may_be_refused_and_another_not() -> None:
    gold = tags("B-A O")
    found = tertium.conventions(gold, tags("B-A O"), tags("Q-A O"), names=["good", "bad"])
    assert rows(found, "good")["Tertium"].f1 == 1
    assert rows(found, "bad")["Tertium"].f1 is None
    assert rows(found, "bad")["seqeval"].f1 == 1


def test_what_all_refuse_is_an_error(tmp_path: Path) -> None:
    gold, system = tmp_path / "gold.bio", tmp_path / "system.bio"
    gold.write_text("a\tB-X\n\n")
    system.write_text("b\tB-X\n\n")
    with pytest.raises(AlignmentError):
        tertium.conventions(str(gold), str(system))


def test_spans_as_such_are_read_in_one_way() -> None:
    record = {"text": "Ann saw New York.", "spans": [[0, 3, "PER"], [8, 16, "LOC"]]}
    found = tertium.conventions([record], [record])
    assert rows(found)["Tertium"].f1 == 1
    assert "reads tags" in rows(found)["conlleval"].reasons["f1"]
    assert found.partings == found.readings == ()
    assert "read the same spans" not in tertium.render(found)


def test_folders_are_read_file_by_file(tmp_path: Path) -> None:
    for side in ("gold", "system"):
        (tmp_path / side).mkdir()
        (tmp_path / side / "a.bio").write_text("a\tI-X\nb\tO\n\n")
        (tmp_path / side / "b.bio").write_text("a\tB-X\nb\tO\nc\tI-X\n\n")
    found = tertium.conventions(str(tmp_path / "gold"), str(tmp_path / "system"))
    assert rows(found)["Tertium"].gold == 3
    assert rows(found)["seqeval strict"].gold == 1
    assert sum(p.count for side, p in found.partings if side == "gold") == 2


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    gold, system = tmp_path / "gold.bio", tmp_path / "<b>.bio"
    gold.write_text("a\tB-X\nb\tI-X\n\nc\tO\n\n")
    system.write_text("a\tI-X\nb\tI-X\n\nc\tB-<i>\n\n")
    return [str(gold), str(system)]


@pytest.mark.parametrize("format", ["text", "json", "csv", "markdown", "latex", "html"])
def test_every_format(files: list[str], format: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", *files, "--conventions", "--format", format]) == 0
    out = capsys.readouterr().out
    assert "seqeval strict" in out
    if format == "json":
        data = json.loads(out)
        assert [row["convention"] for row in data["conventions"]] == [
            c.name for c in CONVENTIONS.every
        ]
        assert data["partings"][0]["tags"] == ["I-X", "I-X"]
        assert data["partings"][0]["readings"]["seqeval strict"] == "nothing"
    if format == "text":
        assert "I-X I-X\n    1 time in <b>.bio, first at line 1, sentence '1'\n" in out
    if format == "html":
        assert "<b>.bio" not in out


def test_what_does_not_go_together_is_refused(
    files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    for option in (["--labels"], ["--by", "length"], ["--format", "svg"], ["--error-types"]):
        assert main(["score", *files, "--conventions", *option]) == 2
    assert main(["score", *files, "--conventions", "--fail-under", "spans.f1=0.5"]) == 2
    assert main(["score", *files, "--conventions", "--metric", "tags.accuracy"]) == 2
    capsys.readouterr()
    assert main(["score", *files, "--conventions", "--metric", "spans.f1(column=tag)"]) == 0
    with pytest.raises(UsageError):
        tertium.render(tertium.conventions(*files), "svg")


def test_files_that_part_everywhere_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tertium.families.spans.conventions.MOST_PLACES", 3)
    monkeypatch.setattr("tertium.comparison.partings.MOST_PLACES", 3)
    gold = tags(*["I-X O B-X"] * 5)
    found = tertium.conventions(gold, gold)
    assert sum(p.count for side, p in found.partings if side == "gold") == 3
    assert found.cut


def test_partings_of_readings_that_overlap() -> None:
    import numpy as np

    from tertium.corpus.labels import Labels
    from tertium.corpus.layers import Spans
    from tertium.formats.objects import from_python

    corpus = from_python(tags("B-A I-A B-A O"), name="x")

    def spans(*places: tuple[int, int]) -> Spans:
        start, end = (np.array(c, np.int32) for c in zip(*places, strict=True))
        return Spans(start, end, Labels.of("A" for _ in places))

    found = partings(corpus, "tag", {"one": spans((0, 2), (2, 3)), "other": spans((0, 3))})
    assert [(p.tags, dict(p.readings)) for p in found] == [
        (("B-A", "I-A", "B-A", "O"), {"one": "A 1-2, A 3", "other": "A 1-3"})
    ]


def test_rows_name_the_part_and_the_metric_that_gives_it() -> None:
    gold = tags("B-A I-A O")
    found = rows(tertium.conventions(gold, tags("B-A O O")))
    assert found["unlabelled"].part == "unlabeled_f1"
    assert found["fair, equation 7"].metric == "spans.fair(weights='eq7')"
    assert "weights:eq7" in found["fair, equation 7"].signature


def test_what_was_scored_is_said(tmp_path: Path) -> None:
    gold, system = tmp_path / "gold.bio", tmp_path / "system.bio"
    gold.write_text("a\tB-X\n\nb\tB-X\n\n")
    system.write_text("a\tI-X\n\nB\tB-X\n\n")
    found = tertium.conventions(str(gold), str(system), align="position")
    assert found.coverage["system.bio"]["differing_forms"] == 1
    assert "differing forms 1" in tertium.render(found)
    assert repr(found) == f"<Conventions: 12 rows, 1 partings, {gold}>"


def test_parameters_that_have_no_meaning_are_refused(
    files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", *files, "--conventions", "--metric", "spans.fair(labels=X)"]) == 2
    assert "leave out 'labels'" in capsys.readouterr().err


def test_csv_has_every_number(files: list[str]) -> None:
    import csv
    import io

    table = list(csv.DictReader(io.StringIO(tertium.render(tertium.conventions(*files), "csv"))))
    f1 = [row for row in table if (row["section"], row["part"]) == ("conventions", "parts.f1")]
    assert [row["convention"] for row in f1] == [c.name for c in CONVENTIONS.every]
    assert float(f1[0]["value"]) == pytest.approx(2 / 3)
    assert f1[0]["signature"].startswith("spans.f1|")


def test_the_verb_is_what_score_shows(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", *files, "--conventions", "--metric", "spans.f1(column=tag)"]) == 0
    there = capsys.readouterr().out
    assert main(["conventions", *files, "--column", "tag"]) == 0
    assert capsys.readouterr().out == there
    assert main(["conventions", *files, "--column", "none"]) != 0
    assert main(["conventions", files[0]]) == 2
    assert "there is no system to score" in capsys.readouterr().err


def test_what_a_study_asks_of_score_is_refused_as_well(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    study = tmp_path / "tertium.toml"
    data = f'[data]\ngold = "{files[0]}"\n[systems]\na = "{files[1]}"\n'
    study.write_text(data + '[gates]\n"spans.f1" = 0.1\n')
    assert main(["score", "--study", str(study), "--conventions"]) == 2
    assert "'--conventions' cannot be combined with gates" in capsys.readouterr().err
    assert main(["conventions", "--study", str(study)]) == 0
    study.write_text(data + "[options]\nconventions = true\n")
    assert main(["score", "--study", str(study)]) == 0
    assert "seqeval strict" in capsys.readouterr().out


def test_spans_without_a_type_and_over_sentences_are_shown() -> None:
    """conlleval knows bare prefixes; seqeval lets odd untyped tags reach back."""
    gold = tags("B I O", "M", "E O")
    found = tertium.conventions(gold, gold)
    readings = [dict(p.readings) for side, p in found.partings if side == "gold"]
    assert any("(no type) 1-2" in each["conlleval"] for each in readings)
    for side, parting in found.partings:
        numbers = [int(n) for r in parting.readings.values() for n in re.findall(r"\d+", r)]
        assert max(numbers, default=0) <= len(parting.tags), (side, parting)


def test_notes_of_all_systems_are_kept_where_one_is_refused() -> None:
    gold = tags("B-A|B-B O")
    systems = [tags("B-A|B-B O"), tags("Q-A O")]
    found = tertium.conventions(gold, *systems, names=["stacked", "refused"])
    assert any("stacked tags such as B-A|B-B" in note for note in found.notes)
    assert rows(found, "stacked")["fair, equation 5"].gold == 2
    assert rows(found, "refused")["fair, equation 5"].f1 is None
    assert not any("is 0 by" in note for note in found.notes)


def test_a_system_without_the_column_beside_one_that_has_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def file(name: str, feats: str) -> str:
        (tmp_path / name).write_text(f"1\tde\t_\tN\t_\t{feats}\t0\troot\t_\t_\n\n")
        return str(tmp_path / name)

    gold, other, without = file("g", "Nu"), file("b", "Number=Sing"), file("a", "_")
    assert main(["conventions", gold, without, other]) in (0, 3)
    assert "bug" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--junit", "x.xml"], "'--conventions' cannot be combined with gates"),
        (["--fail-if-worse"], "'--conventions' cannot be combined with gates"),
        (["--score-only"], "cannot be combined with '--score-only'"),
        (["--by", "length"], "cannot be combined with '--by'"),
        (["--labels"], "cannot be combined with '--labels'"),
    ],
)
def test_whatever_else_score_takes_is_refused(
    options: list[str], told: str, files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", *files, "--conventions", *options]) == 2
    assert told in capsys.readouterr().err
