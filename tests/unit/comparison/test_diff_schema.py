"""The JSON output of `diff` follows its schema, also where nothing can be divided."""

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
    return validator_of("diff")


def data(a: Any, b: Any, **options: Any) -> Record:
    found: Record = json.loads(tertium.render(tertium.diff(a, b, **options), "json"))
    return found


@pytest.mark.parametrize("name", ["{}.conllu", "entities-{}.bio"])
@pytest.mark.parametrize("by", ["length", "upos"])
def test_everything_at_once(validator: Any, samples: Path, name: str, by: str) -> None:
    files = [samples / name.format(n) for n in ("arbor", "breeze")]
    further = [str(samples / "gold.conllu")] if name.endswith("bio") else []
    told = data(*files, by=by, examples=True, with_files=further)
    validator.validate(told)
    assert {"layers", "examples", "by"} <= told.keys()
    assert all(("sentences" in g) == (by == "length") for g in told["layers"][0]["groups"].values())
    assert len(told["examples"]) == sum(layer["different"] for layer in told["layers"])


def test_notes_are_there_if_there_are_any(validator: Any) -> None:
    nested = [{"tokens": list("abcd"), "spans": [[0, 4, "X"], [1, 3, "X"]]}]
    told = data(nested, [{"tokens": list("abcd"), "spans": [[1, 4, "X"]]}], examples=1)
    validator.validate(told)
    assert [note.split()[0] for note in told["notes"]] == ["spans.fair:", "differences"]
    assert "notes" not in data([["N"]], [["V"]])


def test_what_is_undefined_has_a_reason(validator: Any, tmp_path: Path) -> None:
    told = data([["O"]], [["O"]], metric="spans.fair", by="length")
    validator.validate(told)
    layer = told["layers"][0]
    for entry in (layer, layer["groups"]["1-10"]):
        assert entry["diff"] is None
        assert entry["reason"] == "neither of the two has such annotation"


@pytest.mark.parametrize(
    "spoil",
    [
        lambda d: d.pop("a"),
        lambda d: d["layers"].clear(),
        lambda d: d["layers"][0].pop("signature"),
        lambda d: d["layers"][0].update(different=-1),
        lambda d: d["layers"][0].update(diff=None),
        lambda d: d["layers"][0]["groups"]["1-10"].update(diff=None),
        lambda d: d["layers"][0]["transitions"][0].pop("count"),
        lambda d: d["examples"][0].pop("kind"),
        lambda d: d["examples"][0]["a"].pop("label"),
        lambda d: d.update(notes=[]),
    ],
)
def test_the_schema_refuses_what_it_should(
    validator: Any, spoil: Callable[[Record], object]
) -> None:
    told = data([["N", "V"]], [["N", "N"]], by="length", examples=1)
    validator.validate(told)
    spoil(told)
    assert not validator.is_valid(told)
