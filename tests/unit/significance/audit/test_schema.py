"""The JSON output of `audit` follows its schema, also where nothing can be tested."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tertium
from schemas import validator_of
from tertium.results.assessment import Testing

pytestmark = pytest.mark.usefixtures("few_samples")

Record = dict[str, Any]
QUICK: dict[str, Any] = {"samples": 2, "sample_trials": 20, "testing": Testing(trials=100)}


@pytest.fixture(scope="module")
def validator() -> Any:
    return validator_of("audit")


def data(*sides: Any, **options: Any) -> Record:
    found: Record = json.loads(tertium.render(tertium.audit(*sides, **QUICK, **options), "json"))
    return found


@pytest.mark.parametrize("name", ["{}.conllu", "entities-{}.bio"])
@pytest.mark.parametrize("by", [(), ("genre", "upos")])
def test_everything_at_once(validator: Any, samples: Path, name: str, by: tuple[str, ...]) -> None:
    files = [samples / name.format(n) for n in ("gold", "arbor", "breeze")]
    further = [str(samples / "gold.conllu")] if name.endswith("bio") and by else []
    told = data(*files, by=by if not further else "upos", with_files=further)
    validator.validate(told)
    assert told["main"]["p"] == told["looks"][0]["p"]
    assert told["summary"]["looks"] + told["summary"]["undefined"] == len(told["looks"])


def test_undefined_and_equal(validator: Any) -> None:
    validator.validate(data([["O"]], [["O"]], [["O"]], metric="spans.f1"))
    validator.validate(data([["N"]], [["N"]], [["N"]]))


@pytest.mark.parametrize(
    "spoil",
    [
        lambda d: d.pop("main"),
        lambda d: d["looks"].clear(),
        lambda d: d["looks"][0].update(p=-0.1),
        lambda d: d["looks"][0].update(p=None),
        lambda d: d["looks"][0].update(better="c"),
        lambda d: d["main"].pop("interval"),
        lambda d: d["rates"][0].pop("samples"),
        lambda d: d["testing"].pop("seed"),
        lambda d: d.update(verdict=[]),
    ],
)
def test_the_schema_refuses_what_it_should(
    validator: Any, spoil: Callable[[Record], object]
) -> None:
    told = data([["N", "V"]], [["N", "N"]], [["N", "V"]])
    validator.validate(told)
    spoil(told)
    assert not validator.is_valid(told)
