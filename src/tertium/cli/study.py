"""Study files: data, systems, metrics, options and gates in one TOML file, so that a paper's table
is one command."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tertium import registry
from tertium.cli.shell import STUDY_FILE, shell_options
from tertium.exceptions import FormatError, InputError, Problem, UsageError, suggestion
from tertium.formats.sources import expanded, open_input
from tertium.formats.targets import Guard
from tertium.options import Option, Verb, options_of
from tertium.results.assessment import Testing

if TYPE_CHECKING:
    from tertium.formats.sources import Source
    from tertium.study.sides import Runs

METRICS = "metrics"  # a list of them, so that the verb of this name has no table
_TABLES = ("data", "systems", "options", "gates", "significance")
_TYPES = {
    str: "text",
    bool: "true or false",
    int: "a whole number",
    float: "a number",
}
# Options of `score` that are tables of their own.
_ELSEWHERE = ("metric", "fail_under", "significance", *options_of(Testing))


@dataclass(frozen=True)
class NamedSource:
    """A path, glob or folder with the name it has in tables, or several paths: runs of one system.
    They are looked up when they are needed."""

    name: str
    path: str | tuple[str, ...]

    def source(self) -> Source | Runs:
        """Its files."""
        from tertium.formats.sources import resolve
        from tertium.study.sides import runs

        if isinstance(self.path, str):
            return resolve(self.path, name=self.name)
        return runs(self.name, *self.path)


@dataclass(frozen=True)
class StudyFile:
    """What a study file says, paths taken relative to the file. `significance` is None where it
    says nothing about that; `tables` are those of single verbs, by name. `is_found`: nobody has
    named the file. Gold is a dictionary where there are several theories."""

    path: str = ""
    gold: NamedSource | Mapping[str, str] | None = None
    systems: tuple[NamedSource, ...] = ()
    metrics: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    gates: Mapping[str, float] = field(default_factory=dict)
    significance: Mapping[str, Any] | None = None
    tables: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    is_found: bool = False

    def guard(
        self, verb: Verb, asked: Mapping[str, Any], filled: Mapping[str, Any]
    ) -> Guard | None:
        """The files that a study names as targets though nobody has named the study; `asked` stands
        on the command line, `filled` is all."""
        declared = {o.name: o for o in _known(verb).values()}
        targets = [
            value
            for name, value in filled.items()
            if name not in asked and name in declared and declared[name].path == "written"
        ]
        return Guard(self.path, tuple(targets)) if self.is_found and targets else None

    def data(self, files: Sequence[Any], verb: Verb) -> tuple[Any, ...]:
        """Gold and systems: the files given, else those of the study."""
        named = (self.gold, *self.systems) if verb.has_gold else self.systems
        found = (n.source() if isinstance(n, NamedSource) else n for n in named if n is not None)
        return tuple(files) or tuple(found)

    def fill(self, verb: Verb, given: Mapping[str, Any]) -> dict[str, Any]:
        """The options given, and those of the study for what was not.

        [options] is for all verbs: of what is shown there, and of where the result goes, only
        `score` takes notice; any other verb has a table of its own name for that.
        """
        declared = _known(verb)
        reader = _Reader(self.path, Path(self.path).parent)
        found: dict[str, Any] = {}
        if self.metrics and "metric" in declared:
            found["metric"] = self.metrics
        shown = {*shell_options(verb), *({} if verb.look is None else options_of(verb.look))}
        for key, value in self.options.items():
            if key in declared and (verb.name == "score" or declared[key].name not in shown):
                found[declared[key].name] = reader.option(declared[key], value, "options")
        own = self.tables.get(verb.name, {})
        switch = given.get("significance", own.get("significance"))
        if self.significance is not None and switch is not False and Testing in verb.options:
            found |= {"significance": True} if "significance" in declared else {}
            found |= {key: value for key, value in self.significance.items() if key in declared}
        for key, value in own.items():
            found[declared[key].name] = reader.option(declared[key], value, verb.name)
        if self.gates and "fail_under" in declared:
            asked = given.get("fail_under", ())
            others = {text.rpartition("=")[0].strip() for text in asked}
            gates = (f"{name}={value}" for name, value in self.gates.items() if name not in others)
            found["fail_under"] = (*gates, *asked)
            given = {name: value for name, value in given.items() if name != "fail_under"}
        return {**found, **given}


def _known(verb: Verb) -> dict[str, Option]:
    """All options of a verb that a study file may set, by their keys there."""
    each = {**verb.declared(), **shell_options(verb)}
    return {o.key: o for name, o in each.items() if name not in ("study", "gold")}


def find_study(files: Sequence[Any], path: str | None, verb: Verb) -> StudyFile:
    """The study a verb works with: that of `path`, that of this folder where no files are given, or
    an empty one."""
    if path is not None:
        told = load_study(path)
    elif not files and Path(STUDY_FILE).is_file():
        told, path = replace(load_study(STUDY_FILE), is_found=True), STUDY_FILE
    elif not files:
        raise UsageError(
            f"no files were given. Give {verb.arguments}, or put a {STUDY_FILE} here",
            help=f"'tertium {verb.name} --help' shows how; 'tertium demo' shows an example",
        )
    else:
        told = StudyFile()
    if len(files) == 1 and path is not None:
        raise UsageError(
            f"{verb.arguments} are in the study file; give all of them or none. "
            f"Got only '{files[0]}'.",
            help=f"without files, those of {path} are used; files given here replace them",
        )
    if not files and ((told.gold is None and verb.has_gold) or not told.systems):
        has_all = told.gold is not None or not verb.has_gold
        lacking = "systems in [systems]" if has_all else "gold in [data]"
        raise InputError(f"{path} names no {lacking}")
    return told


def load_study(path: str) -> StudyFile:
    """Read and check a study file; a key it does not know is an error, never ignored."""
    try:
        with open_input(path) as stream:
            text = stream.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _wrong(path, f"not UTF-8: {error.reason} at byte {error.start}") from None
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise _wrong(path, str(error)) from None
    except ValueError:  # of Python, about a number with thousands of digits
        raise _wrong(path, "a number has too many digits") from None
    return _Reader(path, Path(path).parent).study(data)


@dataclass(frozen=True)
class _Reader:
    path: str
    folder: Path

    def study(self, data: dict[str, Any]) -> StudyFile:
        from tertium.cli.main import VERBS

        verbs = [name for name in VERBS if name != METRICS]
        self.check_keys(data, (METRICS, *_TABLES, *verbs), "")
        tables = {name: data.get(name, {}) for name in (*_TABLES, *verbs)}
        for name, table in tables.items():
            if not isinstance(table, dict):
                raise _wrong(self.path, f"'{name}' must be a table: [{name}]")
        self.check_keys(tables["data"], ("gold",), "data")
        from tertium.cli.command import find

        known = _known(find("score"))
        self.check_keys(tables["options"], [k for k in known if k not in _ELSEWHERE], "options")
        for key, value in tables["options"].items():
            self.option(known[key], value, "options")
        for name in verbs:
            if name in data:
                self.verb_table(name, tables[name])
        gold = self.gold(tables["data"].get("gold"))
        theories = [*gold] if isinstance(gold, Mapping) else []
        return StudyFile(
            path=self.path,
            gold=gold,
            systems=tuple(
                self.system(value, f"systems.{name}", name, theories)
                for name, value in tables["systems"].items()
            ),
            metrics=tuple(map(self.metric, self.texts(data.get(METRICS, []), METRICS))),
            options=tables["options"],
            gates={self.metric(m): self.gate(m, v) for m, v in tables["gates"].items()},
            significance=self.significance(tables["significance"])
            if "significance" in data
            else None,
            tables={name: tables[name] for name in verbs if name in data},
        )

    def verb_table(self, name: str, table: Mapping[str, Any]) -> None:
        """Check the table of a verb, whatever verb is run."""
        from tertium.cli.main import load

        verb = load(name)
        if not isinstance(verb, Verb) or not verb.study:
            raise _wrong(self.path, f"[{name}]: 'tertium {name}' does not take a study file")
        known = _known(verb)
        self.check_keys(table, [*known], name)
        for key, value in table.items():
            self.option(known[key], value, name)

    def check_keys(self, table: Mapping[str, Any], known: Any, where: str) -> None:
        for key in table:
            if key not in known:
                place = f" in [{where}]" if where else ""
                raise _wrong(
                    self.path,
                    f"unknown key '{key}'{place}.{suggestion(key, known)}",
                    f"known{place}: {', '.join(known)}",
                )

    def named(self, value: Any, where: str, name: str | None) -> NamedSource:
        if not isinstance(value, str):
            hint = "'metrics' must be at the top of the file, before the first [table]"
            raise _wrong(
                self.path,
                f"{where} must be a path. Got {value!r} instead.",
                hint if where == "systems.metrics" else None,
            )
        return NamedSource(name or value, self.below(value, where))

    def gold(self, value: Any) -> NamedSource | Mapping[str, str] | None:
        """A path, or a table of paths by theory."""
        if isinstance(value, dict):
            sides = {
                name: self.named(each, f"data.gold.{name}", name) for name, each in value.items()
            }
            return {name: str(side.path) for name, side in sides.items()}
        return None if value is None else self.named(value, "data.gold", None)

    def system(self, value: Any, where: str, name: str, theories: Sequence[str]) -> NamedSource:
        """A path, or a list of paths: several runs. Theories are named before the paths."""
        below = partial(self.of_theories, theories=theories) if theories else self.below
        value = [value] if theories and isinstance(value, str) else value
        if not isinstance(value, list) or where == "systems.metrics":
            return self.named(value, where, name)
        if not value or not all(isinstance(path, str) for path in value):
            raise _wrong(
                self.path, f"{where} must be a list of paths, one per run. Got {value!r} instead."
            )
        return NamedSource(name, tuple(below(path, where) for path in value))

    def significance(self, table: dict[str, Any]) -> dict[str, Any]:
        from tertium.significance.score.verb import check_testing

        known = {name: o for name, o in options_of(Testing).items() if o.flag}
        self.check_keys(table, [*known], "significance")
        found = {k: self.option(known[k], v, "significance") for k, v in table.items()}
        check_testing(Testing(**found), further=("mcnemar",))
        return found

    def option(self, option: Option, value: Any, table: str) -> Any:
        where = f"{table}.{option.key}"
        if option.many and not option.path:
            each = value if isinstance(value, list) else [value]
            return self.texts([str(v) if type(v) is int else v for v in each], where)
        if option.many:
            texts = self.texts(value, where)
            below = self.labeled if option.path == "labels" else self.below
            return tuple(below(text, where) for text in texts)
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        fits = is_number if option.kind is float else type(value) is option.kind
        if not fits:
            raise _wrong(
                self.path, f"{where} must be {_TYPES[option.kind]}. Got {value!r} instead."
            )
        try:
            option.check(value, where)
        except UsageError as error:
            raise _wrong(self.path, error.message) from None
        return self.below(str(value), where) if option.path else value

    def texts(self, value: Any, where: str) -> tuple[str, ...]:
        """A list of texts; a single one stands for a list of one."""
        value = [value] if isinstance(value, str) else value
        if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
            raise _wrong(self.path, f"{where} must be a list of strings. Got {value!r} instead.")
        return tuple(value)

    def gate(self, metric: str, value: Any) -> float:
        if isinstance(value, dict):
            raise _wrong(
                self.path,
                f"the gate '{metric}' must be a number",
                f'quote the name of the metric: "{metric}.{next(iter(value), "NAME")}" = 0.85',
            )
        from tertium.significance.score.gates import gate_value

        return gate_value(value, metric)

    def below(self, path: str, where: str) -> str:
        """A path relative to the study; `~` is the home folder unless a file is called so."""
        if not path:
            raise _wrong(self.path, f"{where} must be a path. Got '' instead.")
        if path == "-":
            return path
        here = str(self.folder / path)
        return here if os.path.lexists(here) else str(self.folder / expanded(path))

    def of_theories(self, text: str, where: str, theories: Sequence[str]) -> str:
        """`THEORY:FILE[+THEORY:FILE]`: the paths are what follows the theories."""
        pattern = rf"(?:^|\+)(?:{'|'.join(map(re.escape, theories))}):"
        signs, paths = re.findall(pattern, text), re.split(pattern, text)
        each = zip(["", *signs], paths, strict=True)
        return "".join(f"{sign}{self.below(path, where)}" for sign, path in each if sign or path)

    def labeled(self, text: str, where: str) -> str:
        """`[SIDE:][LAYER=]FILE` of a label map: the path is what follows the signs."""
        from tertium.formats.resources import split_map

        side, layer, path = split_map(text, lambda name: os.path.exists(self.below(name, where)))
        signs = f"{side}:" * bool(side) + f"{layer}=" * bool(layer)
        return f"{signs}{self.below(path, where)}"

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
                below = self.labeled if kind == "labels" else self.below
                found[key] = below(value, f"{name}: {key}")
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
        path, [Problem(message)], help=help or "docs/study-files.md describes the file"
    )
