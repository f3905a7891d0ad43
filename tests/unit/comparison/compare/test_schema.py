"""The JSON output follows its schema, also where nothing can be divided."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tertium
from schemas import validator_of

Record = dict[str, Any]


@pytest.fixture(scope="module")
def validator() -> Any:
    return validator_of("compare")


def data(comparison: tertium.Comparison, **options: Any) -> Record:
    found: Record = json.loads(tertium.render(comparison, "json", **options))
    return found


def test_everything_at_once(validator: Any, samples: Path) -> None:
    files = [samples / name for name in ("gold.conllu", "arbor.conllu", "breeze.conllu")]
    found = tertium.compare(
        *files, by="genre", ensembles=True, examples=True, other_golds=[samples / "cedar.conllu"]
    )
    told = data(found, examples=2)
    validator.validate(told)
    assert {"views", "pairs", "oracle", "ensembles", "golds", "examples"} <= told.keys()
    assert told["views"][0]["groups"].keys() == {"mail", "news"}


def test_significance_and_runs(validator: Any, samples: Path) -> None:
    gold, *files = (samples / f"{name}.conllu" for name in ("gold", "arbor", "breeze", "cedar"))
    testing = tertium.Testing(trials=100)
    several = tertium.runs("A", *files[:2])
    found = tertium.compare(gold, several, *files, by="genre", significance=testing)
    told = data(found)
    validator.validate(told)
    assert told["runs"][0]["system"] == "A"
    assert {"tests", "intervals", "letters", "runs", "across"} <= told["significance"].keys()
    tested = [pair for pair in told["pairs"] if "significance" in pair]
    assert {(pair["a"], pair["b"]) for pair in tested} == {
        ("arbor.conllu", "breeze.conllu"),
        ("arbor.conllu", "cedar.conllu"),
        ("breeze.conllu", "cedar.conllu"),
    }
    assert {"deps.las", "tags.accuracy"} <= tested[0]["significance"].keys()
    validator_of("score").validate({k: v for k, v in told.items() if k != "pairs"})


@pytest.mark.parametrize(
    ("gold", "a", "b", "reasons"),
    [
        ([["O"]], [["O"]], [["O"]], {"diff", "overlap.all", "overlap.right", "accuracy.a"}),
        ([["B-X"]], [["O"]], [["O"]], {"overlap.right"}),
        ([["O"]], [["B-X"]], [["O"]], {"overlap.right", "accuracy.delta"}),
    ],
)
def test_what_is_undefined_has_a_reason(
    validator: Any, gold: Any, a: Any, b: Any, reasons: set[str]
) -> None:
    told = data(tertium.compare(gold, a, b, metric="spans.fair"))
    validator.validate(told)
    pair = told["pairs"][0]
    assert reasons <= pair["reasons"].keys()
    for place in pair["reasons"]:
        value: Any = pair
        for key in place.split("."):
            value = value[key]
        assert value is None


@pytest.mark.parametrize(
    "spoil",
    [
        lambda d: d.pop("oracle"),
        lambda d: d["pairs"][0].pop("layer"),
        lambda d: d["pairs"][0].update(different=-1),
        lambda d: d["pairs"][0].update(diff=None),
        lambda d: d["oracle"].update(bound=None),
        lambda d: d["views"][0].pop("signature"),
    ],
)
def test_the_schema_refuses_what_it_should(
    validator: Any, spoil: Callable[[Record], object]
) -> None:
    told = data(tertium.compare([["N", "V"]], [["N", "N"]], [["V", "V"]]))
    validator.validate(told)
    spoil(told)
    assert not validator.is_valid(told)
