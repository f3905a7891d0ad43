"""Several `--by`: as if asked one after the other, and named groups."""

import json
from pathlib import Path
from typing import Any

import pytest

import tertium
from schemas import validator_of
from tertium.exceptions import UsageError
from tertium.report.render import FORMATS, render

pytestmark = pytest.mark.usefixtures("few_samples")

NAMED = "kind=sent_id~^([a-z]+)"
KEYS = ("length", NAMED, "upos")
QUICK = tertium.Testing(trials=100)


@pytest.fixture(scope="module")
def files(samples: Path) -> list[Path]:
    return [samples / f"{name}.conllu" for name in ("gold", "arbor", "breeze")]


@pytest.fixture(scope="module")
def scores(files: list[Path]) -> Any:
    return tertium.score(*files, metric="deps.las", by=KEYS, significance=QUICK)


def alone(files: list[Path], key: str) -> Any:
    found = tertium.score(*files, metric="deps.las", by=key, significance=QUICK)
    return json.loads(json.dumps(found.to_dict()))


def test_each_key_gives_what_it_gives_alone(scores: Any, files: list[Path]) -> None:
    data = json.loads(render(scores, "json"))
    validator_of("score").validate(data)
    first = alone(files, "length")
    assert {name: data[name] for name in first if name != "notes"} == {
        name: first[name] for name in first if name != "notes"
    }, "what a single key gives is unchanged"
    assert [each["by"] for each in data["also_by"]] == ["kind", "upos"]
    for each, key in zip(data["also_by"], KEYS[1:], strict=True):
        one = alone(files, key)
        assert [e["groups"] for e in each["scores"]] == [e["groups"] for e in one["scores"]]
        tests = [t for t in one["significance"]["tests"] if "group" in t]
        assert each["significance"]["tests"] == tests
        assert {*one.get("notes", ())} <= {*data.get("notes", ())}
    assert "also_by" not in first


@pytest.mark.parametrize("format", sorted({*FORMATS} - {"json", "svg"}))
def test_every_format_has_a_table_for_each_key(scores: Any, format: str) -> None:
    page = render(scores, format)
    for name in ("length", "kind", "upos"):
        assert name in page
    assert "sent_id~" not in page, "the groups have a name"
    for group in ("11-20", "news", "PROPN"):
        assert group in page


def test_a_key_without_a_name_keeps_its_brackets(files: list[Path]) -> None:
    key = "sent_id~^([a-z]+)-"
    found = tertium.score(*files, metric="deps.las", by=key, significance=QUICK)
    page = render(found, "text")
    assert "across 2 groups of sent_id~^([a-z]+)-" in page
    assert page.count("sent_id~^") == page.count(key)


def test_two_keys_of_one_name_are_refused(files: list[Path]) -> None:
    with pytest.raises(UsageError, match="two ways to group are called 'x': length and file"):
        tertium.score(*files, by=["x=length", "x=file"])
    with pytest.raises(UsageError, match="by must be a key such as genre"):
        tertium.score(*files, by=["length", ""])
    with pytest.raises(UsageError, match=r"no sentence of .* has '# nonsense"):
        tertium.score(*files, by=["length", "a=nonsense"])


def test_compare_has_groups_by_every_key(files: list[Path]) -> None:
    asked: Any = {"metric": "deps.las", "significance": QUICK}
    found = tertium.compare(*files, by=["length", NAMED], **asked)
    data = json.loads(render(found, "json"))
    validator_of("compare").validate(data)
    one = json.loads(render(tertium.compare(*files, by=NAMED, **asked), "json"))
    (other,) = data["also_by"]
    assert other["by"] == one["by"] == "kind"
    assert other["views"] == [{"metric": "deps.las", "groups": one["views"][0]["groups"]}]
    page = render(found, "text")
    assert "arbor → breeze by length" in page
    assert "arbor → breeze by kind" in page


def test_audit_names_its_groups(files: list[Path]) -> None:
    found = tertium.audit(*files, metric="deps.las", by=NAMED, samples=2, sample_trials=20)
    groups = [look.name for look in found.looks if look.family == "group"]
    assert groups == ["kind mail", "kind news"]
