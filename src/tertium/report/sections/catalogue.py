"""The sections of `list` and `cite`: what is registered, with parameters and sources."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields
from typing import Any

from tertium import registry
from tertium.results.blocks import Block, Cell, Column, Text, table_of
from tertium.results.parts import Part


def entries(kind: str) -> list[dict[str, Any]]:
    """Everything registered of a kind ("metrics", "families", "formats"), as `list` has it in
    JSON."""
    found = []
    for name in registry.names(kind):
        plugin: Any = registry.get(kind, name)
        entry: dict[str, Any] = {"id": name, "title": plugin.title}
        if kind == "metrics":
            made = plugin()
            parts = getattr(made, "parts", ())  # a set has none of its own
            value = next((p for p in parts if p.name == made.headline), Part(""))
            entry["layer"] = plugin.family
            entry["better"] = value.better
            entry["range"] = [end if math.isfinite(end) else None for end in value.range]
            entry["version"] = plugin.version
        elif kind == "families":
            entry["unit"] = plugin.unit
            entry["metrics"] = list(plugin.metrics.get("score", ()))
            entry["keys"] = [key.form or key.name for key in plugin.keys]
        else:
            entry["suffixes"] = list(plugin.suffixes)
            entry["layers"] = list(plugin.layers)
            entry["lossy"] = plugin.lossy
        entry["parameters"] = [_parameter(field) for field in fields(plugin)]
        found.append(entry)
    return found


def _parameter(field: Any) -> dict[str, Any]:
    choices = field.metadata.get("choices")
    default = None if field.default is MISSING else field.default
    return {
        "name": field.name,
        "default": default
        if isinstance(default, bool | int | float | str | None)
        else str(default),
        "help": field.metadata.get("help", ""),
        "choices": list(choices) if choices else None,
    }


def build_lines(found: Sequence[Mapping[str, Any]]) -> list[Block]:
    """For a screen: id and title, below them the parameters with defaults and choices."""
    lines = []
    widest = max(len(entry["id"]) for entry in found)
    for entry in found:
        lines.append(f"{entry['id']:<{widest}}  {entry['title']}")
        for p in entry.get("parameters", ()):
            lines += _parameter_lines(p)
        if "keys" in entry:
            lines.append(f"    scored by {', '.join(entry['metrics'])}, per {entry['unit']}")
        if entry.get("keys"):
            lines.append(f"    --by {', '.join(entry['keys'])}")
    return [Text("\n".join(lines), role="code")]


def _parameter_lines(parameter: Mapping[str, Any]) -> list[str]:
    import textwrap

    text = f"{parameter['name']}={_literal(parameter['default'])}: {parameter['help']}"
    if parameter["choices"]:
        text += f" ({', '.join(map(str, parameter['choices']))})"
    return textwrap.wrap(text, 80, initial_indent="    ", subsequent_indent="        ")


def build(found: Sequence[Mapping[str, Any]]) -> list[Block]:
    """For every other format: one table, parameters as text."""
    keys = [key for key in found[0] if key != "parameters"]
    columns = [Column(key) for key in keys]
    if "parameters" in found[0]:
        columns.append(Column("parameters"))
        keys.append("parameters")
    return [table_of(columns, [[_cell(entry[key]) for key in keys] for entry in found])]


def _cell(value: Any) -> Cell:
    if isinstance(value, list):
        if value and isinstance(value[0], dict):
            return ", ".join(f"{p['name']}={_literal(p['default'])}" for p in value)
        return ", ".join(str(v) for v in value)
    return str(value)


def _literal(value: object) -> str:
    return f"'{value}'" if isinstance(value, str) else str(value)
