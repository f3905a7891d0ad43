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

KINDS = ("metrics", "families", "formats", "verbs")


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


@dataclass(frozen=True)
class Catalogue(Output):
    """Everything of a kind, one entry each."""

    kind: str
    entries: list[dict[str, Any]]

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
        """For a screen id and title, below them the parameters with defaults and choices; else one
        table."""
        if not look.is_text:
            return [table_of_records(self.to_rows())]
        lines = []
        widest = max(len(entry["id"]) for entry in self.entries)
        for entry in self.entries:
            lines.append(f"{entry['id']:<{widest}}  {entry['title']}")
            for p in entry.get("parameters", ()):
                lines += _parameter_lines(p)
            if "keys" in entry:
                lines.append(f"    scored by {', '.join(entry['metrics'])}, per {entry['unit']}")
            if entry.get("keys"):
                lines.append(f"    --by {', '.join(entry['keys'])}")
        return [Text("\n".join(lines), role="code")]


class Citations(Catalogue):
    """What to cite for metrics."""

    @property
    def title(self) -> str:
        """What it is for."""
        return "What to cite"

    def blocks(self, look: Look) -> list[Block]:
        """BibTeX below the name of every metric; what serves for several is printed once."""
        blocks: list[Block] = []
        printed: set[str] = set()
        for entry in self.entries:
            heading = f"{entry['id']}: {entry['title']}"
            if look.is_text:
                # BibTeX takes lines outside entries for comments; % keeps other programs calm too.
                blocks.append(Text(f"% {heading}", role="code"))
            else:
                blocks.append(Text(heading, role="title"))
            if entry["bibtex"] not in printed:
                blocks.append(Text(entry["bibtex"], role="code"))
            printed.add(entry["bibtex"])
        return blocks


def catalogue(kind: str) -> Catalogue:
    """All metrics, families, formats or verbs."""
    if kind == "verbs":
        from tertium.cli.main import VERBS

        each = VERBS.items()
        return Catalogue(kind, [{"id": v, "title": t.removesuffix(".")} for v, (_, t) in each])
    return Catalogue(kind, entries(kind))


def citations(*metrics: str) -> Citations:
    """What to cite for metrics, given by their texts."""
    found: dict[str, dict[str, Any]] = {}
    for text in metrics:
        name = registry.parse_call(text)[0]
        metric: Any = registry.get("metrics", name)
        cite = getattr(metric, "cite", "").strip()
        if not cite:
            raise UsageError(f"{name} does not say what to cite")
        found[name] = {"id": name, "title": metric.title, "bibtex": cite}
    return Citations("citations", [*found.values()])


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
    if len(given) != 1 or given[0] not in KINDS:
        got = f"'{given[0]}'" if len(given) == 1 else f"{len(given)} words"
        raise UsageError(
            f"what is listed is one of {', '.join(KINDS)}. Got {got} instead."
            f"{suggestion(given[0], KINDS) if given else ''}",
            help="'tertium list --help' shows the usage",
        )


def _check_metrics(given: Sequence[str]) -> None:
    if not given:
        raise UsageError("name one metric or more", help="'tertium list metrics' shows all")


LIST = Verb(
    "list",
    catalogue,
    """Show all metrics, families, formats or verbs.

    Metrics and formats are shown with their parameters and defaults, which go in brackets:
    '{SPANS}(scheme=iob2)', 'columns(separator=tab)'.
    """,
    arguments="|".join(KINDS),
    check=_check_kind,
    study=False,
)
CITE = Verb(
    "cite",
    citations,
    """Print the papers to cite, as BibTeX.

    The output can be appended to a bibliography as it is.

    \b
    tertium cite {LAS} >> references.bib
    """,
    arguments="METRIC...",
    check=_check_metrics,
    study=False,
    suffixes={".bib": "text"},
)
