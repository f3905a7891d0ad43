"""The schemas of JSON output."""

import json
from functools import cache
from importlib import resources
from typing import Any

import jsonschema
from referencing import Registry
from referencing.jsonschema import DRAFT202012


@cache
def _schemas() -> dict[str, Any]:
    folder = resources.files("tertium") / "report" / "schema"
    return {file.name: json.loads(file.read_text("utf-8")) for file in folder.iterdir()}


def validator_of(verb: str) -> Any:
    """What checks the JSON output of a verb; KeyError if it has no schema."""
    schema = _schemas()[f"{verb}.schema.json"]
    jsonschema.Draft202012Validator.check_schema(schema)
    known = ((name, DRAFT202012.create_resource(each)) for name, each in _schemas().items())
    return jsonschema.Draft202012Validator(schema, registry=Registry().with_resources(known))
