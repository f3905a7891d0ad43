"""Study files: data, systems, metrics, options and gates in one TOML file, so that a paper's table
is one command."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tertium.cli.gates import gate_value
from tertium.exceptions import FormatError, InputError, Problem, suggestion
from tertium.formats.sources import Source, resolve

NAME = "tertium.toml"

# option -> the type its value must have
OPTIONS: dict[str, type] = {
    "align": str,
    "by": str,
    "columns": str,
    "confusion": bool,
    "format": str,
    "input_format": str,
    "jobs": int,
    "labels": bool,
    "lexicon": str,
    "map_labels": list,
    "on_error": str,
    "output": str,
    "parts": bool,
    "against": str,
    "system_columns": str,
    "system_format": str,
    "with": list,
}
_PATHS = ("against", "lexicon", "map_labels", "output", "with")
_TABLES = ("data", "systems", "options", "gates")
_TYPES = {str: "text", bool: "true or false", int: "a whole number", list: "a list of texts"}


@dataclass(frozen=True)
class Named:
    """A path, glob or folder with the name it has in tables; looked up when it is needed."""

    name: str
    path: str

    def source(self) -> Source:
        """Its files."""
        return resolve(self.path, name=self.name)


@dataclass(frozen=True)
class Study:
    """What a study file says, paths taken relative to the file."""

    gold: Named | None = None
    systems: tuple[Named, ...] = ()
    metrics: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    gates: Mapping[str, float] = field(default_factory=dict)


def load_study(path: str) -> Study:
    """Read and check a study file; a key it does not know is an error, never ignored."""
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise InputError(f"cannot read '{path}': {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise _wrong(path, f"not UTF-8: {error.reason} at byte {error.start}") from None
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _wrong(path, str(error)) from None
    return _Reader(path, Path(path).parent).study(data)


@dataclass(frozen=True)
class _Reader:
    path: str
    folder: Path

    def study(self, data: dict[str, Any]) -> Study:
        self.check_keys(data, ("metrics", *_TABLES), "")
        tables = {name: data.get(name, {}) for name in _TABLES}
        for name, table in tables.items():
            if not isinstance(table, dict):
                raise _wrong(self.path, f"'{name}' must be a table: [{name}]")
        self.check_keys(tables["data"], ("gold",), "data")
        self.check_keys(tables["options"], [*OPTIONS], "options")
        gold = tables["data"].get("gold")
        return Study(
            gold=self.named(gold, "data.gold", None) if gold is not None else None,
            systems=tuple(
                self.named(value, f"systems.{name}", name)
                for name, value in tables["systems"].items()
            ),
            metrics=self.texts(data.get("metrics", []), "metrics"),
            options={k: self.option(k, v) for k, v in tables["options"].items()},
            gates={metric: self.gate(metric, v) for metric, v in tables["gates"].items()},
        )

    def check_keys(self, table: dict[str, Any], known: Any, where: str) -> None:
        for key in table:
            if key not in known:
                place = f" in [{where}]" if where else ""
                raise _wrong(
                    self.path,
                    f"unknown key '{key}'{place}.{suggestion(key, known)}",
                    f"known{place}: {', '.join(known)}",
                )

    def named(self, value: Any, where: str, name: str | None) -> Named:
        if not isinstance(value, str):
            hint = "'metrics' stands at the top of the file, before the first [table]"
            raise _wrong(
                self.path,
                f"{where} must be a path. Got {value!r} instead.",
                hint if where == "systems.metrics" else None,
            )
        return Named(name or value, self.below(value))

    def option(self, name: str, value: Any) -> Any:
        wanted = OPTIONS[name]
        if not isinstance(value, wanted) or (wanted is int and isinstance(value, bool)):
            raise _wrong(
                self.path, f"options.{name} must be {_TYPES[wanted]}. Got {value!r} instead."
            )
        if wanted is list:
            texts = self.texts(value, f"options.{name}")
            return tuple(map(self.labeled, texts)) if name in _PATHS else texts
        return self.below(str(value)) if name in _PATHS else value

    def texts(self, value: Any, where: str) -> tuple[str, ...]:
        if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
            raise _wrong(self.path, f"{where} must be a list of texts. Got {value!r} instead.")
        return tuple(value)

    def gate(self, metric: str, value: Any) -> float:
        if isinstance(value, dict):
            raise _wrong(
                self.path,
                f"the gate '{metric}' must be a number",
                f'quote the name of the metric: "{metric}.{next(iter(value), "NAME")}" = 0.85',
            )
        return gate_value(value, metric)

    def below(self, path: str) -> str:
        return path if path == "-" else str(self.folder / Path(path).expanduser())

    def labeled(self, text: str) -> str:
        """`LAYER=FILE` of a label map: the path is what follows the sign."""
        layer, equals, path = text.rpartition("=")
        return f"{layer}{equals}{self.below(path)}"


def _wrong(path: str, message: str, help: str | None = None) -> FormatError:
    return FormatError(
        path, [Problem(message)], help=help or "docs/verbs/score.md describes the file"
    )
