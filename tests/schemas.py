"""The schemas of JSON output."""

import json
from importlib import resources
from typing import Any

import jsonschema


def validator_of(verb: str) -> Any:
    """What checks the JSON output of a verb."""
    path = resources.files("tertium") / "report" / "schema" / f"{verb}.schema.json"
    schema = json.loads(path.read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)
