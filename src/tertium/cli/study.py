"""Study files: data, systems, metrics, options and gates in one TOML file, so that a paper's table
is one command."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tertium import registry
from tertium.cli.testing import NAMES, check_testing
from tertium.exceptions import FormatError, InputError, Problem, UsageError, suggestion
from tertium.formats.sources import Source, resolve
from tertium.results.assessment import Testing
from tertium.significance.score.gates import gate_value

if TYPE_CHECKING:
    from tertium.study.sides import Runs

NAME = "tertium.toml"

# option -> the type its value must have
OPTIONS: dict[str, type] = {
    "align": str,
    "by": str,
    "columns": str,
    "confusion": bool,
    "conventions": bool,
    "error_types": bool,
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
# What [significance] may hold, named as the options.
SIGNIFICANCE: dict[str, type] = {name: type(getattr(Testing(), name)) for name in NAMES}
_TABLES = ("data", "systems", "options", "gates", "significance")
_TYPES = {
    str: "text",
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    list: "a list of texts",
}


@dataclass(frozen=True)
class Named:
    """A path, glob or folder with the name it has in tables; looked up when it is needed."""

    name: str
    path: str

    def source(self) -> Source:
        """Its files."""
        return resolve(self.path, name=self.name)


@dataclass(frozen=True)
class NamedRuns:
    """Several runs of one system."""

    name: str
    paths: tuple[str, ...]

    def source(self) -> Runs:
        """Their files."""
        from tertium.study.sides import runs

        return runs(self.name, *self.paths)


@dataclass(frozen=True)
class StudyFile:
    """What a study file says, paths taken relative to the file. `significance` is None where it
    says nothing about that."""

    gold: Named | None = None
    systems: tuple[Named | NamedRuns, ...] = ()
    metrics: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    gates: Mapping[str, float] = field(default_factory=dict)
    significance: Mapping[str, Any] | None = None

    def data(self, files: Sequence[str]) -> tuple[Any, ...]:
        """Gold and systems: the files given, else those of the study."""
        named = (self.gold, *self.systems)
        return tuple(files) or tuple(n.source() for n in named if n is not None)


def find_study(files: Sequence[str], path: str | None, verb: str, done: str) -> StudyFile:
    """The study a verb works with: that of `path`, that of this folder where no files are given, or
    an empty one. `done` is what the verb does to files, such as "scored"."""
    if path is not None:
        told = load_study(path)
    elif not files and Path(NAME).is_file():
        told, path = load_study(NAME), NAME
    elif not files:
        raise UsageError(
            f"what should be {done}? Give GOLD and SYSTEM..., or put a {NAME} here",
            help=f"'tertium {verb} --help' shows how; 'tertium demo' shows it at work",
        )
    else:
        told = StudyFile()
    if len(files) == 1 and path is not None:
        raise UsageError(
            f"GOLD and SYSTEM are in the study; give both here or none. Got only '{files[0]}'.",
            help=f"without files those of {path} are {done}; GOLD and SYSTEM... take their place",
        )
    if not files and (told.gold is None or not told.systems):
        lacking = "gold in [data]" if told.gold is None else "systems in [systems]"
        raise InputError(f"{path} names no {lacking}")
    return told


def load_study(path: str) -> StudyFile:
    """Read and check a study file; a key it does not know is an error, never ignored."""
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise InputError(f"cannot read '{path}': {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise _wrong(path, f"not UTF-8: {error.reason} at byte {error.start}") from None
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise _wrong(path, str(error)) from None
    return _Reader(path, Path(path).parent).study(data)


@dataclass(frozen=True)
class _Reader:
    path: str
    folder: Path

    def study(self, data: dict[str, Any]) -> StudyFile:
        self.check_keys(data, ("metrics", *_TABLES), "")
        tables = {name: data.get(name, {}) for name in _TABLES}
        for name, table in tables.items():
            if not isinstance(table, dict):
                raise _wrong(self.path, f"'{name}' must be a table: [{name}]")
        self.check_keys(tables["data"], ("gold",), "data")
        self.check_keys(tables["options"], [*OPTIONS], "options")
        self.check_keys(tables["significance"], [*SIGNIFICANCE], "significance")
        gold = tables["data"].get("gold")
        return StudyFile(
            gold=self.named(gold, "data.gold", None) if gold is not None else None,
            systems=tuple(
                self.system(value, f"systems.{name}", name)
                for name, value in tables["systems"].items()
            ),
            metrics=tuple(map(self.metric, self.texts(data.get("metrics", []), "metrics"))),
            options={k: self.option(k, v) for k, v in tables["options"].items()},
            gates={self.metric(m): self.gate(m, v) for m, v in tables["gates"].items()},
            significance=self.significance(tables["significance"])
            if "significance" in data
            else None,
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

    def system(self, value: Any, where: str, name: str) -> Named | NamedRuns:
        """A path, or a list of paths: several runs."""
        if not isinstance(value, list) or where == "systems.metrics":
            return self.named(value, where, name)
        if not value or not all(isinstance(path, str) for path in value):
            raise _wrong(self.path, f"{where} must be paths of runs. Got {value!r} instead.")
        return NamedRuns(name, tuple(map(self.below, value)))

    def significance(self, table: dict[str, Any]) -> dict[str, Any]:
        for name, value in table.items():
            wanted = SIGNIFICANCE[name]
            is_number = isinstance(value, int | float) and not isinstance(value, bool)
            fits = is_number if wanted is float else type(value) is wanted
            if not fits:
                raise _wrong(
                    self.path,
                    f"significance.{name} must be {_TYPES[wanted]}. Got {value!r} instead.",
                )
        check_testing(Testing(**table), tests=("mcnemar",))
        return table

    def option(self, name: str, value: Any) -> Any:
        wanted = OPTIONS[name]
        if not isinstance(value, wanted) or (wanted is int and isinstance(value, bool)):
            raise _wrong(
                self.path, f"options.{name} must be {_TYPES[wanted]}. Got {value!r} instead."
            )
        if wanted is list:
            texts = self.texts(value, f"options.{name}")
            return tuple(map(self.labeled if name == "map_labels" else self.below, texts))
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
        layer, equals, path = text.partition("=")
        if not equals or Path(self.below(text)).exists():
            return self.below(text)
        return f"{layer}={self.below(path)}"

    def metric(self, text: str) -> str:
        """A metric with the paths among its parameters taken relative to the study.

        What is wrong with the text is said when the metric is made.
        """
        try:
            name, given = registry.parse_call(text)
            known = {f.name: f for f in fields(registry.get("metrics", name))} if given else {}
        except UsageError:
            return text
        found = dict(given)
        for key, value in given.items():
            kind = known[key].metadata.get("resource") if key in known else None
            if kind and isinstance(value, str):
                found[key] = self.labeled(value) if kind == "labels" else self.below(value)
        return text if found == given else _call(name, found)


def _call(name: str, given: Mapping[str, object]) -> str:
    """The text that `registry.parse_call` reads as these parameters."""
    values = {
        key: "'" + re.sub(r"([\\'])", r"\\\1", value) + "'" if isinstance(value, str) else value
        for key, value in given.items()
    }
    return f"{name}({', '.join(f'{key}={value}' for key, value in values.items())})"


def _wrong(path: str, message: str, help: str | None = None) -> FormatError:
    return FormatError(
        path, [Problem(message)], help=help or "docs/verbs/score.md describes the file"
    )
