"""Systems of different theories in one table."""

import io
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import tertium
from tertium.exceptions import UsageError
from tertium.results.blocks import Missing, Table
from tertium.samples import path

GOLDS = {"dep": str(path("theories-dep.conllu")), "ps": str(path("trees-gold.mrg"))}
ELM, FIR = (f"{name}=dep:{path(f'theories-{name}.conllu')}" for name in ("elm", "fir"))
HAZEL = f"hazel=ps:{path('theories-hazel.mrg')}"
BREEZE = f"breeze=ps:{path('trees-breeze.mrg')}"
QUICK: dict[str, Any] = {"trials": 200}
LABELED, PLAIN = "theories.tedeval", "theories.tedeval(labeled=False)"


@pytest.fixture(scope="module")
def found() -> tertium.CrossComparison:
    return tertium.cross(GOLDS, ELM, FIR, HAZEL, BREEZE, **QUICK)


def cells(found: tertium.CrossComparison, header: str, group: str) -> list[Any]:
    (place,) = [
        n for n, c in enumerate(found.table.columns) if (c.header, c.group) == (header, group)
    ]
    return [row[place] for row in found.table.rows]


def test_every_system_has_the_usual_metrics_of_its_theory(found: tertium.CrossComparison) -> None:
    """The numbers are those of `score` on the files themselves."""
    dep = tertium.score(GOLDS["dep"], path("theories-elm.conllu"), path("theories-fir.conllu"))
    ps = tertium.score(GOLDS["ps"], path("theories-hazel.mrg"), path("trees-breeze.mrg"))
    las, brackets = cells(found, "LAS", "gold dep"), cells(found, "PARSEVAL", "gold ps")
    assert las[:2] == [r.value for r in dep if r.metric == "deps.las"]
    assert brackets[2:] == [r.value for r in ps if r.metric == "trees.parseval"]
    other = Missing("not applicable to systems of this theory")
    assert [las[2], *brackets[:2]] == [other] * 3


def test_constituents_are_converted_and_the_ceiling_stands_beside_them(
    found: tertium.CrossComparison,
) -> None:
    (one,) = found.conversions
    assert (one["from"], one["to"], one["rules"]) == ("ps", "dep", "penn-content")
    assert one["value"] == pytest.approx(323 / 404)
    uas, ceiling = cells(found, "UAS", "gold dep"), cells(found, "ceiling", "gold dep")
    assert uas[0] == pytest.approx(372 / 404)
    assert uas[2] < ceiling[2] == one["value"]
    assert ceiling[:2] == [None, None]
    assert uas[3] == Missing("lacks 1 sentence, or has different words there")


def test_all_systems_are_on_one_scale(found: tertium.CrossComparison) -> None:
    scores = tertium.score(GOLDS, ELM, FIR, HAZEL, BREEZE, metric=[LABELED, PLAIN])
    lacking = Missing("no function labels in this system's file")
    for kind, metric in (("L", LABELED), ("U", PLAIN)):
        values = cells(found, kind, "TedEval multiple")
        for value, name in zip(values, ("elm", "fir", "hazel", "breeze"), strict=True):
            known = scores[name, metric].value
            assert value == (lacking if known is None else known)
    assert found.main == PLAIN  # breeze has no labels
    assert found.summary().startswith("breeze is best of 4: TedEval unlabelled 100.00")


def test_the_best_of_all_and_of_each_theory_are_marked(found: tertium.CrossComparison) -> None:
    places = [n for n, column in enumerate(found.table.columns) if column.header == "U"]
    assert [found.table.mark(row, places[0]) for row in range(4)] == [None, "leader", None, "best"]


def test_letters_are_of_systems_with_the_same_gold_standard(found: tertium.CrossComparison) -> None:
    tests = found.whole.assessment
    assert tests is not None
    assert tests.testing.seed == 0
    uas = {c.a + c.b for c in tests.comparisons if c.metric == "deps.uas"}
    assert uas == {"elmfir", "elmhazel", "firhazel"}
    assert {s for s, metric in tests.letters if metric == "trees.parseval"} == {"hazel", "breeze"}
    assert len({s for s, metric in tests.letters if metric == PLAIN}) == 4


def test_overlap_of_gold_standards(found: tertium.CrossComparison) -> None:
    (one,) = found.overlap
    assert one["golds"] == ["dep", "ps"]
    assert (one["labeled"], one["unlabeled"]) == pytest.approx((0.0838, 0.8713), abs=1e-4)
    page = found.render("text")
    assert "dep     ps   8.38  87.13" in page
    assert "unlabelled: 0.87" not in page  # no note repeats the table
    assert "labels of the gold standards hardly overlap: dep has" in " ".join(page.split())
    same = tertium.cross({**GOLDS, "again": GOLDS["ps"]}, ELM, HAZEL, significance=False)
    assert [each["unlabeled"] for each in same.overlap][2] == 1


def test_json_says_against_which_gold_standard_scores_are(found: tertium.CrossComparison) -> None:
    told = found.to_dict()
    entries = {(e["system"], e["metric"], e["golds"]): e for e in told["scores"]}
    assert entries["hazel", "deps.uas", "dep"]["theory"] == "ps"
    assert entries["elm", LABELED, "all"]["value"] == found.scores["elm", LABELED].value
    assert entries["breeze", LABELED, "all"]["reason"].endswith("has no function labels")
    assert {"overlap", "conversions", "significance"} <= told.keys()


def test_tests_of_pairs_are_shown_on_request(found: tertium.CrossComparison) -> None:
    page, whole = found.render("text"), found.render("text", all=True)
    assert "Tests of differences" not in page
    assert "intervals BCa" not in page
    assert "Tests of differences" in whole


def test_labels_are_compared_after_enrichment(tmp_path: Path) -> None:
    """A parser that has the constituents of gold and the labels of a dependency parser."""
    parser = f"perfect=ps:{GOLDS['ps']}+dep:{GOLDS['dep']}"
    found = tertium.cross(GOLDS, ELM, parser, enrich="ps=dep", significance=False)
    assert found.overlap[0]["labeled"] > 0.9
    assert found.main == LABELED
    assert found.scores["perfect", LABELED].value == 1


def test_parameters_of_the_measure_hold_for_all_columns() -> None:
    metric = "theories.tedeval(root=False)"
    found = tertium.cross(GOLDS, ELM, metric=metric, significance=False)
    assert [*found.variants][:2] == [metric, "theories.tedeval(labeled=False, root=False)"]
    for verb in (tertium.cross, tertium.score):
        with pytest.raises(UsageError, match=r"cannot be compared by deps\.las"):
            verb(GOLDS, ELM, metric="deps.las")
    with pytest.raises(UsageError, match="by one metric"):
        tertium.cross(GOLDS, ELM, metric=[LABELED, PLAIN])


def test_head_rules_can_be_named() -> None:
    found = tertium.cross(GOLDS, HAZEL, head_rules="penn", significance=False)
    assert found.conversions[0]["rules"] == "penn"
    assert found.conversions[0]["value"] == pytest.approx(154 / 404)


def test_signatures_of_all_metrics_have_the_policy_for_errors() -> None:
    found = tertium.cross(GOLDS, ELM, HAZEL, significance=False, on_error="skip")
    assert all("|on_error:skip" in str(each.signature) for each in found.whole)


def test_without_dependencies_nothing_is_converted() -> None:
    found = tertium.cross({"ps": GOLDS["ps"]}, HAZEL, significance=False)
    assert found.conversions == []
    assert [column.header for column in found.table.columns][2:] == ["L", "U", "L", "U", "PARSEVAL"]


def test_gold_standards_need_theories() -> None:
    with pytest.raises(UsageError, match="needs the name of its theory"):
        tertium.cross(GOLDS["dep"], ELM)


@pytest.mark.parametrize("format", ["html", "latex", "markdown", "csv"])
def test_all_formats(format: str, found: tertium.CrossComparison) -> None:
    page = found.render(format)
    assert "hazel" in page
    assert "could be resampled" not in page, "intervals of all differences or of none"
    mark = {"latex": r"\textit{", "markdown": "*98.70*", "html": "number leader"}.get(format, "")
    assert mark in page


def test_notes_about_intervals_stand_beside_intervals(found: tertium.CrossComparison) -> None:
    assert "intervals" not in " ".join(found.render("text").split())
    assert "intervals" not in found.render("markdown"), "not all differences have some"
    two = tertium.cross(GOLDS, ELM, HAZEL, **QUICK)
    assert "intervals" not in " ".join(two.render("text").split())
    assert "intervals may be too narrow" in two.render("markdown")


def test_frames_have_theories(found: tertium.CrossComparison) -> None:
    frame = found.to_frame()
    assert {*frame.select("theory", "golds", "metric").rows()} >= {
        ("dep", "all", LABELED),
        ("ps", "dep", "deps.uas"),
        ("ps", "ps", "trees.parseval"),
    }


def test_names_of_files_are_shortened() -> None:
    found = tertium.cross(GOLDS, ELM.partition("=")[2], HAZEL.partition("=")[2], significance=False)
    table = next(block for block in found.blocks(found.look()) if isinstance(block, Table))
    assert [row[0] for row in table.rows] == ["theories-elm", "theories-hazel"]
    assert replace(found, overlap=[]).render("text").startswith("theories-")


def test_function_nodes_are_no_constituents(tmp_path: Path) -> None:
    """PARSEVAL does not see them, TedEval does (section 4.2 of the paper)."""
    text = path("trees-gold.mrg").read_text()
    gold, system = tmp_path / "rr.mrg", tmp_path / "system.mrg"
    parted = re.sub(r"\(NP-SBJ((?: \([^()]+\))+)\)", r"(SBJ@S (NP\1))", text)
    assert parted != text
    gold.write_text(parted)
    system.write_text(parted.replace("SBJ@S", "OBJ@S"))
    golds = {**GOLDS, "ps": str(gold)}
    found = tertium.cross(golds, f"rr=ps:{system}", **QUICK)
    assert cells(found, "PARSEVAL", "gold ps") == [1]
    assert cells(found, "L", "TedEval single")[0] < 1


def test_trees_of_a_sentence_are_drawn() -> None:
    """The gold standards beside each other, and every system beside the generalised gold."""
    found = tertium.cross(GOLDS, ELM, HAZEL, sentence="news-2-s7", significance=False)
    assert [each.names for each in found.drawings] == [
        ("dep", "ps"),
        ("generalised gold", "elm"),
        ("generalised gold", "hazel"),
    ]
    told = found.to_dict()["sentences"]
    assert [(each["sentence"], each["system"]) for each in told] == [
        ("news-2-s7", "ps"),
        ("news-2-s7", "elm"),
        ("news-2-s7", "hazel"),
    ]
    outcomes = [
        {(side or {}).get("outcome") for item in each["items"] for side in item.values()}
        for each in told
    ]
    assert not {"missing", "extra"} & outcomes[0]  # what theories do not share is no error
    assert "extra" in outcomes[1]
    page = found.render("text")
    assert "Sentence 'news-2-s7': dep and ps" in page
    assert page.count("<svg") == 0
    assert found.render("html").count("<svg") == 3


def test_the_sentences_with_the_lowest_scores_are_drawn() -> None:
    found = tertium.cross(GOLDS, ELM, BREEZE, draw=2, significance=False)
    values = {}
    for each in tertium.score(GOLDS, ELM, BREEZE, metric=PLAIN):
        assert each.stats is not None
        columns = dict(zip(each.stats.columns, each.stats.dense.T, strict=True))
        values[each.system] = 1 - columns["delta"] / (columns["parse"] + columns["gen"]).clip(1)
    order = (values["elm"] + values["breeze"]).argsort(kind="stable")[:2]
    assert [scene.number - 1 for scene in found.drawings[0].pairs] == order.tolist()
    assert all(len(each.pairs) == 2 for each in found.drawings)


def test_an_unknown_sentence_is_refused() -> None:
    with pytest.raises(UsageError, match="there is no sentence 'nowhere'"):
        tertium.cross(GOLDS, ELM, sentence="nowhere", significance=False)


def test_without_labels_in_any_system_only_unlabelled_scores_are_there() -> None:
    """Two treebanks over the same sentences are two theories."""
    golds = {name: path(f"{name}-gold.export") for name in ("tiger", "tueba")}
    systems = [f"{name}:{path(f'{name}-arbor.export')}" for name in golds]
    found = tertium.cross(golds, *systems, significance=False)
    assert found.main == PLAIN
    reason = Missing("no function labels in the gold standards, or in the files of all systems")
    assert cells(found, "L", "TedEval multiple") == [reason] * 2
    brackets = cells(found, "PARSEVAL", "gold tiger"), cells(found, "PARSEVAL", "gold tueba")
    assert (brackets[0][0], brackets[1][1]) == pytest.approx((0.85, 0.9008), abs=5e-5)


def test_a_file_of_another_theory_has_no_native_scores() -> None:
    found = tertium.cross(GOLDS, f"odd=dep:{path('theories-hazel.mrg')}", significance=False)
    page = " ".join(found.render("text").split())
    assert "odd, gold dep: deps.uas: " in page
    assert "ceiling" not in page


def test_documents_can_be_resampled_whichever_gold_standard_marks_them() -> None:
    found = tertium.cross(GOLDS, ELM, HAZEL, unit="document", trials=20)
    assert found.whole.assessment is not None
    assert found.whole.assessment.units == 4


def test_runs_are_systems_of_their_own() -> None:
    runs = f"A=dep:{path('theories-elm.conllu')},{path('theories-fir.conllu')}"
    found = tertium.cross(GOLDS, runs, **QUICK)
    assert found.systems == ["A#1", "A#2"]
    assert {system for system, _ in found.whole.assessment.letters} == {"A#1", "A#2"}  # type: ignore[union-attr]


def test_standard_input_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    data = io.TextIOWrapper(io.BytesIO(path("theories-elm.conllu").read_bytes()))
    monkeypatch.setattr("sys.stdin", data)
    found = tertium.cross(GOLDS, "elm=dep:-", significance=False)
    assert cells(found, "LAS", "gold dep") == [pytest.approx(370 / 404)]


def test_different_tokens_over_the_same_characters_have_native_scores(tmp_path: Path) -> None:
    text = path("theories-elm.conllu").read_text("utf-8")
    moved = text.replace("1\tHalden\t", "1\tHald\t", 1).replace("2\tRail\t", "2\tenRail\t", 1)
    (tmp_path / "cut.conllu").write_text(moved, "utf-8")
    found = tertium.cross(GOLDS, f"cut=dep:{tmp_path / 'cut.conllu'}", significance=False)
    (las,) = cells(found, "LAS", "gold dep")
    assert las == pytest.approx(368 / 404)
