"""Names, order and choice of columns and rows in tables of scores."""

from typing import Any

import pytest

import tertium
from result_samples import result, scores
from tertium.exceptions import UsageError
from tertium.results.blocks import Missing, Table
from tertium.results.parts import precision_recall_f1_parts
from tertium.results.scores import metric_names
from tertium.significance.score.result import ScoreLook, Scores

GOLD = [["B-PER", "I-PER", "O", "B-LOC"], ["O", "B-PER", "O", "O"], ["B-LOC", "O", "B-ORG", "O"]]
GOOD = [["B-PER", "I-PER", "O", "B-LOC"], ["O", "B-PER", "O", "O"], ["B-LOC", "O", "O", "O"]]
FAIR = [["B-PER", "O", "O", "B-LOC"], ["O", "B-PER", "O", "O"], ["B-LOC", "O", "B-LOC", "O"]]
POOR = [["O", "O", "O", "B-LOC"], ["O", "O", "O", "O"], ["O", "O", "B-PER", "O"]]
NAMES = ["poor.bio", "good.bio", "fair.bio"]
UD = """1\tDogs\tdog\tNOUN\t_\tNumber=Plur\t2\tnsubj\t_\t_
2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_

"""


def entities(**options: Any) -> Scores:
    return tertium.score(GOLD, POOR, GOOD, FAIR, names=NAMES, **options)


def tables(some: Scores, **asked: Any) -> list[Table]:
    blocks = some.blocks(ScoreLook(**asked))
    return [block for block in blocks if isinstance(block, Table)]


def headers(table: Table) -> list[str]:
    return [f"{c.group} {c.header}".strip() for c in table.columns]


def test_metrics_and_parts_have_the_names_of_the_field() -> None:
    assert headers(tables(entities())[0]) == ["system", "P", "R", "F1"]
    both = entities(metric=["spans.f1", "spans.fair"])
    assert headers(tables(both)[0])[1:5] == ["F1 P", "F1 R", "F1 F1", "Fair F1 traditional F1"]


def test_ids_are_shown_on_request() -> None:
    found = tables(entities().with_ids())[0]
    assert headers(found) == ["system", *(f"spans.f1 {p}" for p in ("precision", "recall", "f1"))]
    assert entities().to_dict()["scores"][0]["parts"]["f1"] is not None


def test_metrics_of_the_same_name_show_their_parameters() -> None:
    some = [result(metric=m, header="LAS") for m in ("deps.las", "deps.las(subtypes=True)")]
    assert [*metric_names(some).values()] == ["LAS", "LAS (subtypes=True)"]
    assert [*metric_names([result(header="LAS"), result(metric="x")]).values()] == ["LAS", "x"]


def test_conllu_has_the_columns_of_the_field(tmp_path: Any) -> None:
    for name, text in (("gold", UD), ("a-test", UD), ("b-test", UD.replace("nsubj", "obj"))):
        (tmp_path / f"{name}.conllu").write_text(text)
    files = [tmp_path / f"{name}.conllu" for name in ("gold", "a-test", "b-test")]
    found = tertium.score(*files)
    assert headers(tables(found)[0]) == ["system", "UPOS", "UFeats", "UAS", "LAS"]
    assert [row[0] for row in tables(found)[0].rows] == ["a", "b"]
    assert found.systems == ["a-test.conllu", "b-test.conllu"]


def test_rows_by_value_or_name() -> None:
    some = entities()
    assert [row[0] for row in tables(some)[0].rows] == ["poor", "good", "fair"]
    assert [row[0] for row in tables(some, sort="F1")[0].rows] == ["good", "fair", "poor"]
    assert [row[0] for row in tables(some, sort="name")[0].rows] == ["fair", "good", "poor"]
    assert [row[0] for row in tables(some, sort="spans.f1")[0].rows] == ["good", "fair", "poor"]


def test_lower_is_first_where_it_is_better_and_undefined_is_last() -> None:
    values = {"a": 0.2, "b": None, "c": 0.1}
    some = scores(*(result(s, value=v, better="lower") for s, v in values.items()))
    assert [row[0] for row in tables(some, sort="f1")[0].rows] == ["c", "a", "b"]


def test_columns_are_chosen_and_ordered() -> None:
    found = tables(entities(labels=True), columns_shown="F1, macro F1,precision")[0]
    assert headers(found) == ["system", "F1", "macro F1", "P"]
    tested = tables(entities(significance=True, trials=50), columns_shown="ci,f1")[0]
    assert headers(tested) == ["system", "95% CI", "F1", ""]


def test_a_part_that_is_not_the_value_keeps_its_name() -> None:
    both = entities(metric=["spans.f1", "spans.fair"])
    found = tables(both, columns_shown="F1 R,Fair F1")[0]
    assert headers(found) == ["system", "F1 R", "Fair F1"]


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"columns_shown": "F1,macro"}, "there is no column 'macro'"),
        ({"columns_shown": " ,"}, "names no column"),
        ({"sort": "f2"}, "there is no column 'f2' to sort by"),
    ],
)
def test_unknown_columns_are_refused(asked: dict[str, str], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        tables(entities(), **asked)


def test_all_columns_to_sort_by_are_listed() -> None:
    with pytest.raises(UsageError) as told:
        tables(entities(), sort="nope")
    assert str(told.value.help).startswith("sort by name, F1, P, R, ")


def test_a_part_of_several_metrics_must_be_named_with_one() -> None:
    with pytest.raises(UsageError, match="several metrics have 'f1'"):
        tables(entities(metric=["spans.f1", "spans.fair"]), sort="f1")


def test_one_system_has_the_classification_report() -> None:
    found = tables(tertium.score(GOLD, FAIR, labels=True), labels=True)[1]
    assert headers(found) == ["label", "P", "R", "F1", "support"]
    names = [row[0] for row in found.rows]
    assert names == ["LOC", "PER", "ORG", "micro avg", "macro avg", "weighted avg"]
    assert found.rows[0][1:] == (pytest.approx(2 / 3), 1.0, pytest.approx(0.8), 2)
    assert found.rows[4][2] == pytest.approx((1 + 0.5 + 0) / 3)
    assert [row[4] for row in found.rows[3:]] == [5, 5, 5]


def test_several_systems_are_a_pivot_of_systems_and_labels() -> None:
    some = entities(labels=True)
    found = tables(some, labels=True, sort="f1")[1]
    assert headers(found)[:5] == ["system", "LOC", "PER", "ORG", "micro avg"]
    assert [row[0] for row in found.rows] == ["good", "fair", "poor"]
    assert found.title == "F1 by label"
    recall = tables(some, labels=True, columns_shown="R")[1]
    assert (recall.title, recall.rows[1][1]) == ("R by label", 1.0)


def test_many_labels_are_rows() -> None:
    gold = [[f"B-L{i:02}" for i in range(13)]]
    some = tertium.score(gold, gold, [["O"] * 13], names=["a", "b"], labels=True)
    found = tables(some, labels=True)[1]
    assert headers(found) == ["label", "support", "a", "b"]
    assert len(found.rows) == 13 + 3


def test_an_evaluation_of_several_systems_has_a_row_for_each(tmp_path: Any) -> None:
    bare = UD.replace("dog\tNOUN", "_\tNOUN").replace("bark\tVERB", "_\tVERB")
    for name, text in (("gold", UD), ("a", UD), ("b", bare)):
        (tmp_path / f"{name}.conllu").write_text(text)
    files = [tmp_path / f"{name}.conllu" for name in ("gold", "a", "b")]
    found = tertium.score(*files, metric="deps.ud")
    [wide] = tables(found)
    assert headers(wide)[:5] == ["system", "Tokens", "Sentences", "Words", "UPOS"]
    place = headers(wide).index("Lemmas")
    assert [row[place] for row in wide.rows] == [1.0, Missing("not in this system's file")]
    assert found["b.conllu", "deps.ud.lemmas"].value == 0.0, "the official number"
    assert [headers(t)[1:] for t in tables(found, columns_shown="las,upos")] == [["LAS", "UPOS"]]
    with pytest.raises(UsageError, match=r"no column 'lass'\. Did you mean 'LAS'"):
        tables(found, columns_shown="lass")
    [alone] = tables(tertium.score(files[0], files[2], metric="deps.ud"))
    assert [row[3] for row in alone.rows if row[0] == "Lemmas"] == [0.0]


def test_averages_are_declared() -> None:
    part = precision_recall_f1_parts("macro_", title="macro ", average="macro avg")[2]
    assert (part.header, part.average) == ("macro F1", ("macro avg", "f1"))
