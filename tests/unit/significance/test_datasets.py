"""Systems over several data sets, from outputs of `tertium score`."""

import json
from pathlib import Path
from typing import Any

import pytest

import tertium
from tertium.exceptions import InputError, UsageError
from tertium.results.parts import Part
from tertium.significance.datasets import across_datasets

Record = dict[str, Any]


def output(metric: str = "tags.accuracy", signature: str = "", **values: float | None) -> Record:
    """As little of an output as is needed."""
    return {
        "units": 10,
        "scores": [
            {"system": s, "metric": metric, "value": v, "signature": signature or f"{metric}|v:1"}
            for s, v in values.items()
        ],
    }


def with_tests(data: Record, *tests: tuple[str, str, float | None], **more: Any) -> Record:
    metric = data["scores"][0]["metric"]
    entries = [{"a": a, "b": b, "metric": metric, "p": p, **more} for a, b, p in tests]
    return {**data, "significance": {"tests": entries}}


def test_ranks_and_tests_are_those_of_the_values() -> None:
    sets = {
        "x": output(a=0.8, b=0.7, c=0.6),
        "y": output(b=0.9, a=0.8, c=0.7),
        "z": output(a=0.8, b=0.7, c=0.5),
    }
    found = across_datasets(sets)["tags.accuracy"]
    assert found.values == {"a": (0.8, 0.8, 0.8), "b": (0.7, 0.9, 0.7), "c": (0.6, 0.7, 0.5)}
    assert found.found is not None
    assert dict(found.found.mean_ranks) == pytest.approx({"a": 4 / 3, "b": 5 / 3, "c": 3})
    assert found.found.friedman is not None
    assert found.effects == ()


def test_data_sets_with_an_effect_are_counted_from_single_tests() -> None:
    sets = {
        "x": with_tests(output(a=0.8, b=0.7), ("a", "b", 0.001)),
        "y": with_tests(output(a=0.8, b=0.7), ("b", "a", 0.01)),  # the other way round
        "z": with_tests(output(a=0.8, b=0.7), ("a", "b", 0.6)),
    }
    ((a, b, effect),) = across_datasets(sets)["tags.accuracy"].effects
    assert (a, b, effect.count, effect.used) == ("a", "b", 2, 3)
    assert effect.datasets == ("x", "y")
    strict = across_datasets(sets, alpha=0.005)["tags.accuracy"].effects[0][2]
    assert strict.count == 1


def test_tests_of_groups_and_parts_are_other_tests() -> None:
    plain = output(a=0.8, b=0.7)
    for more in ({"group": "news"}, {"part": "complete"}):
        sets = {n: with_tests(plain, ("a", "b", 0.001), **more) for n in "xy"}
        found = across_datasets(sets)
        assert found["tags.accuracy"].effects == ()
        assert "no output has tests" in found.notes[0]


def test_data_sets_without_tests_are_named() -> None:
    sets = {"x": with_tests(output(a=1, b=0.7), ("a", "b", 0.001)), "y": output(a=1, b=0.7)}
    found = across_datasets(sets)
    assert found.notes == ("tags.accuracy: no tests in y",)
    effect = found["tags.accuracy"].effects[0][2]
    assert (effect.used, effect.undefined) == (1, 1)


def test_an_undefined_value_leaves_its_data_set_out() -> None:
    sets = {"x": output(a=0.8, b=None), "y": output(a=0.8, b=0.7), "z": output(a=0.7, b=0.6)}
    found = across_datasets(sets)["tags.accuracy"].found
    assert found is not None
    assert (found.names, found.left_out) == (("y", "z"), ("x",))
    nothing = across_datasets({n: output(a=0.8, b=None) for n in "xy"})["tags.accuracy"]
    assert nothing.found is None
    assert "no data set" in nothing.reason
    assert nothing.to_dict()["across"] is None


def test_averages_are_over_all_data_sets() -> None:
    sets = {"x": output(a=0.8, b=0.7), "y": output(a=0.5, b=None), "z": output(a=0.2, b=0.3)}
    found = across_datasets(sets)
    entry = found.to_dict()["metrics"][0]
    assert entry["average"] == {"a": pytest.approx(0.5), "b": None}
    assert entry["average_reasons"] == {"b": "b has no value on y"}
    text = tertium.render(found, "markdown")
    assert "| average of 3 |" in text
    assert "b has no value on y" in text
    rows = [row for row in found.to_rows() if "average of 3" in row.values()]
    assert [row["value"] for row in rows] == [pytest.approx(0.5), None]


def test_a_system_that_some_data_sets_lack_has_no_average_and_no_rank() -> None:
    whole = {"x": output(a=0.8, b=0.7), "y": output(a=0.6, b=0.7)}
    found = across_datasets({**whole, "y": output(c=0.9, a=0.6, b=0.7)})
    assert found.systems == ("a", "b", "c")
    metric = found["tags.accuracy"]
    assert metric.values["c"] == (None, 0.9)
    assert metric.found is not None
    assert metric.found.to_dict() == across_datasets(whole)["tags.accuracy"].found.to_dict()  # type: ignore[union-attr]
    assert metric.averages["c"] is None
    assert found.notes[0] == "c: not scored on every data set, so has no average and no rank"
    assert "not scored on this data set" in tertium.render(found, "markdown")


def test_tests_by_different_units_are_noted() -> None:
    sets = {
        "x": with_tests(output(a=0.8, b=0.7), ("a", "b", 0.1), unit="document"),
        "y": with_tests(output(a=0.8, b=0.7), ("a", "b", 0.1)),
    }
    ways = "documents in x; sentences in y"
    assert across_datasets(sets).notes == (
        f"tags.accuracy: the tests resample different units: {ways}",
    )


def test_documents_are_counted_where_they_are_the_unit() -> None:
    sets = {name: output(a=0.8, b=0.7) for name in "xy"}
    for each in sets.values():
        for entry in each["scores"]:
            entry.update(unit="document", units=3)
    text = tertium.render(across_datasets(sets), "markdown")
    assert "documents" in text
    assert "| x | 3 |" in text


def test_a_system_with_several_runs_counts_once() -> None:
    data = output(**{"a#1": 0.8, "a#2": 0.6, "b": 0.75})
    runs = [{"system": "a", "metric": "tags.accuracy", "runs": ["a#1", "a#2"], "mean": 0.7}]
    found = across_datasets({n: {**data, "runs": runs} for n in "xy"})
    assert set(found.systems) == {"a", "b"}
    assert found["tags.accuracy"].values["a"] == (0.7, 0.7)


def test_real_runs(samples: Path) -> None:
    gold = [["N", "V"]] * 4
    runs = tertium.runs("a", [["N", "N"]] * 4, [["N", "V"]] * 4)
    scores = tertium.score(gold, runs, gold, names=["a", "b"], significance=True)
    found = across_datasets({"x": scores, "y": scores})["tags.accuracy"]
    assert found.values["a"] == (0.75, 0.75)
    assert found.tested == 2


def test_scores_objects_and_files_say_the_same(samples: Path, tmp_path: Path) -> None:
    gold, names = samples / "gold.conllu", ("arbor", "breeze", "cedar")
    scores = tertium.score(gold, *(samples / f"{n}.conllu" for n in names), significance=True)
    path = tmp_path / "x.json"
    path.write_text(tertium.render(scores, "json"), "utf-8")
    from_objects = across_datasets({"x": scores, "y": scores}).to_dict()
    from_files = across_datasets({"x": path, "y": str(path)}).to_dict()
    from_dicts = across_datasets({n: json.loads(path.read_text("utf-8")) for n in "xy"}).to_dict()
    assert from_objects == from_files == from_dicts
    assert from_files["metrics"][0]["effects"]
    assert "x and y have the same gold standard" in from_files["notes"][0]
    chosen = across_datasets({"x": path, "y": path}, metric="deps.las")
    assert [each.metric for each in chosen.metrics] == ["deps.las"]


def test_lower_can_be_better(monkeypatch: pytest.MonkeyPatch) -> None:
    from tertium import registry

    accuracy = registry.get("metrics", "tags.accuracy")
    monkeypatch.setattr(accuracy, "parts", (Part("accuracy", better="lower"),))
    found = across_datasets({n: output(a=0.8, b=0.7) for n in "xy"})["tags.accuracy"]
    assert found.better == "lower"
    assert found.found is not None
    assert next(iter(found.found.mean_ranks)) == "b"


def test_members_of_sets_and_metrics_of_others_are_taken_as_they_are() -> None:
    for metric in ("deps.ud.las", "their.own(file='not there')"):
        found = across_datasets({n: output(metric, a=0.8, b=0.7) for n in "xy"})
        assert found[metric].better == "higher"


@pytest.mark.parametrize(
    ("sets", "words"),
    [
        ({"x": output(a=1, b=1)}, "two or more data sets. Got 1"),
        ({"x": output(a=1), "y": output(a=1)}, "two systems are needed"),
        ({"x": output(a=1, b=1), "y": output(a=1, c=1)}, "'b' only in x; 'c' only in y"),
        (
            {"x": output(a=1, b=1), "y": output("deps.las", a=1, b=1)},
            "'deps.las' only in y; 'tags.accuracy' only in x",
        ),
        (
            {"x": output(a=1, b=1), "y": output(signature="tags.accuracy|c:xpos|v:1", a=1, b=1)},
            r"different settings in y than in x \(x / y\): column: - / xpos",
        ),
    ],
)
def test_what_cannot_be_compared_is_refused(sets: Record, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        across_datasets(sets)


def test_a_scheme_that_decides_nothing_may_differ() -> None:
    def made(scheme: str, repair: str) -> Record:
        signature = f"spans.f1|scheme:{scheme}|repair:{repair}|version:1"
        return output("spans.f1", signature=signature, a=1, b=1)

    assert across_datasets({"x": made("iob2", "open"), "y": made("iob1", "open")})
    for other in (made("iob1", "drop"), made("io", "open")):
        with pytest.raises(UsageError, match="scheme"):
            across_datasets({"x": made("iob2", "drop"), "y": other})


def test_an_unknown_metric_says_where_it_is_missing() -> None:
    sets = {n: output(a=1, b=1) for n in "xy"}
    with pytest.raises(UsageError, match=r"'tags.accuray' in x. Did you mean 'tags.accuracy'"):
        across_datasets(sets, metric="tags.accuray")
    with pytest.raises(UsageError, match=r"no metric 'deps.las'"):
        across_datasets(sets)["deps.las"]
    with pytest.raises(UsageError, match="alpha"):
        across_datasets(sets, alpha=0)


@pytest.mark.parametrize(
    "data",
    [
        [], {}, {"scores": []}, {"scores": {}}, {"scores": [1]}, {"scores": [{"system": "a"}]},
        {"scores": [{"system": "a", "metric": "m", "value": "0.5"}]},
        {"scores": [{"system": "a", "metric": "m", "value": True}]},
        {"scores": [{"system": "a", "metric": "m", "value": float("inf")}]},
    ],
)  # fmt: skip
def test_what_is_no_output_is_refused(data: Any, tmp_path: Path) -> None:
    path = tmp_path / "bad.json"
    path.write_text(json.dumps(data), "utf-8")
    with pytest.raises(InputError, match=r"bad.json is not the JSON output of 'tertium score'"):
        across_datasets({"x": path, "y": output(a=1, b=1)})


def test_other_files_are_refused(samples: Path, tmp_path: Path) -> None:
    for path, words in ((samples / "gold.conllu", "not JSON"), (tmp_path / "no", "cannot read")):
        with pytest.raises(InputError, match=words):
            across_datasets({"x": path, "y": path})


A_AND_B = [{"system": s, "metric": "deps.las", "value": v} for s, v in (("A", 0.1), ("B", 0.2))]


@pytest.mark.parametrize(
    ("further", "words"),
    [
        ({"scores": [*A_AND_B, A_AND_B[0]]}, "bad.json has two scores of one system"),
        (
            {"significance": {"tests": [{"a": "A", "b": "B", "metric": "deps.las", "p": 7}]}},
            "bad.json has a p-value of 7 for A and B by deps.las",
        ),
    ],
)
def test_a_file_that_contradicts_itself_is_named(
    further: dict[str, Any], words: str, tmp_path: Path
) -> None:
    bad, good = tmp_path / "bad.json", tmp_path / "good.json"
    good.write_text(json.dumps({"scores": A_AND_B}))
    bad.write_text(json.dumps({"scores": A_AND_B, **further}))
    with pytest.raises(InputError, match=words):
        tertium.across_datasets({"x": good, "y": bad})


def test_runs_that_are_no_names_are_no_runs() -> None:
    odd = [{"system": "A", "metric": "deps.las", "runs": [["A#1"]], "mean": 0.1}]
    sets = {n: {"scores": A_AND_B, "runs": odd} for n in "xyz"}
    assert tertium.across_datasets(sets).systems == ("A", "B")
