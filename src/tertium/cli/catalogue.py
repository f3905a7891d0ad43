"""`tertium list` and `tertium cite`: what is registered, with parameters and sources."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from typing import Any

from tertium import registry
from tertium.exceptions import UsageError, suggestion
from tertium.options import Verb
from tertium.results.blocks import Block, Text, table_of_records
from tertium.results.output import Look, Output
from tertium.results.parts import Part

KINDS = ("metrics", "coefficients", "families", "formats", "verbs")


def entries(kind: str) -> list[dict[str, Any]]:
    """Everything registered of a kind ("metrics", "coefficients", "families", "formats"), as `list`
    has it in JSON."""
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
        elif kind == "coefficients":
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


@dataclass(frozen=True)
class Catalogue(Output):
    """Everything of a kind, one entry each. `is_full`: text shows parameters too."""

    kind: str
    entries: list[dict[str, Any]]
    is_full: bool = False

    @property
    def title(self) -> str:
        """The kind."""
        return self.kind.title()

    def to_dict(self) -> dict[str, Any]:
        """All entries."""
        return {self.kind: self.entries}

    def to_rows(self) -> list[dict[str, Any]]:
        """One row per entry, lists and parameters as text."""
        return [{key: _cell(value) for key, value in entry.items()} for entry in self.entries]

    def blocks(self, look: Look) -> list[Block]:
        """For a screen id and title and, if it is to be full, parameters with defaults and choices;
        else one table."""
        if not look.is_text:
            return [table_of_records(self.to_rows())]
        lines = []
        widest = max(len(entry["id"]) for entry in self.entries)
        for entry in self.entries:
            lines.append(f"{entry['id']:<{widest}}  {entry['title']}")
            for p in entry.get("parameters", ()) if self.is_full else ():
                lines += _parameter_lines(p)
            if "keys" in entry:
                lines.append(f"    scored by {', '.join(entry['metrics'])}, per {entry['unit']}")
            if entry.get("keys"):
                lines.append(f"    --by {', '.join(entry['keys'])}")
        blocks: list[Block] = [Text("\n".join(lines), role="code")]
        if not self.is_full and any(entry.get("parameters") for entry in self.entries):
            name = self.entries[1]["id"] if len(self.entries) > 1 else self.entries[0]["id"]
            blocks.append(Text(f"'tertium list {self.kind} {name}' shows parameters"))
        return blocks


def catalogue(kind: str, *texts: str) -> Catalogue:
    """All metrics, coefficients, families, formats or verbs, or those that a text names, or whose
    name or title holds it."""
    if kind == "verbs":
        from tertium.cli.main import VERBS

        found = [{"id": v, "title": t.removesuffix(".")} for v, (_, t) in VERBS.items()]
    else:
        found = entries(kind)
    if not texts:
        return Catalogue(kind, found)
    names = [entry["id"] for entry in found]
    meant: set[str] = set()
    for text in texts:
        those = [text] if text in names else [e["id"] for e in found if _holds(e, text.lower())]
        if not those:
            raise UsageError(
                f"no {registry.singular(kind)} matches '{text}'.{suggestion(text, names)}",
                help=f"'tertium list {kind}' shows all",
            )
        meant.update(those)
    return Catalogue(kind, [entry for entry in found if entry["id"] in meant], is_full=True)


def _holds(entry: Mapping[str, Any], text: str) -> bool:
    return text in entry["id"].lower() or text in entry["title"].lower()


def _parameter_lines(parameter: Mapping[str, Any]) -> list[str]:
    import textwrap

    text = f"{parameter['name']}={_literal(parameter['default'])}: {parameter['help']}"
    if parameter["choices"]:
        text += f" ({', '.join(map(str, parameter['choices']))})"
    return textwrap.wrap(text, 80, initial_indent="    ", subsequent_indent="        ")


def _cell(value: Any) -> str:
    if isinstance(value, list):
        if value and isinstance(value[0], dict):
            return ", ".join(f"{p['name']}={_literal(p['default'])}" for p in value)
        return ", ".join(str(v) for v in value)
    return str(value)


def _literal(value: object) -> str:
    return f"'{value}'" if isinstance(value, str) else str(value)


def _check_kind(given: Sequence[str]) -> None:
    if not given or given[0] not in KINDS:
        got = f"'{given[0]}'" if given else "nothing"
        raise UsageError(
            f"name one of {', '.join(KINDS)}. Got {got} instead."
            f"{suggestion(given[0], KINDS) if given else ''}",
            help="'tertium list --help' shows the usage",
        )


def _offers(before: Sequence[str]) -> Sequence[str]:
    if not before:
        return KINDS
    return registry.names(before[0]) if before[0] in KINDS[:-1] else ()


VERB = Verb(
    "list",
    catalogue,
    """List all metrics, coefficients, families, formats or verbs.

    TEXT selects those whose name or title contains it and shows their parameters with defaults.
    Parameters go in brackets: '{SPANS}(scheme=iob2)', 'columns(separator=tab)'.

    \b
    tertium list metrics
    tertium list metrics spans
    tertium list formats columns
    """,
    arguments="|".join(KINDS) + " [TEXT...]",
    check=_check_kind,
    study=False,
    offers=_offers,
)
