"""Studies across theories: several gold standards, one per theory, over the same text, and systems
that each have a theory. All sides are read as function trees, in the order of the first gold."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike, fspath
from typing import Any

from tertium.exceptions import UsageError, suggestion
from tertium.formats.base import Format
from tertium.formats.files import named
from tertium.formats.resources import LabelMap
from tertium.formats.sources import Source, is_there, resolve
from tertium.study.common_text import SideReader
from tertium.study.sides import (
    Input,
    Runs,
    Shard,
    check_distinct,
    expand_runs,
    file_names,
    input_of,
)

RESERVED = ":,=+"  # signs that a theory's name cannot have
TAKEN = ("gold", "all", "own")  # names that mean something else
FORM = "NAME=THEORY:FILE"


@dataclass(frozen=True, eq=False)
class Theory:
    """Data of one system under the name of its theory; `further` is what the same system says in
    other theories, which may enrich it."""

    name: str
    data: Any
    further: Mapping[str, Any] = field(default_factory=dict)


def theory(name: str, data: Any, **further: Any) -> Theory:
    """A system of a theory, for studies whose gold is a dictionary of theories. Further data of the
    same system, by theory, is what `enrich` takes labels from.

    >>> theory("ps", "hazel.mrg", dep="hazel.conllu").further
    {'dep': 'hazel.conllu'}
    """
    return Theory(name, data, further)


def is_across(gold: Any) -> bool:
    """Is it gold by theory? A dictionary with tokens or a text is a sentence."""
    return isinstance(gold, Mapping) and not {"tokens", "text"} & {*gold}


def split_format(text: str | None, theories: Collection[str]) -> tuple[str, str | None]:
    """The theory that a format is for, empty for all of them, and the format.

    >>> split_format("ps:brackets(layout='lines')", ["dep", "ps"]), split_format("conllu", ["ps"])
    (('ps', "brackets(layout='lines')"), ('', 'conllu'))
    """
    theory, colon, format = (text or "").partition(":")
    return (theory, format) if colon and theory in theories else ("", text)


def formats_of(
    theories: Sequence[str], *sides: tuple[str | None, str | None]
) -> list[dict[str, Format | None]]:
    """The formats of gold and of the systems by theory, from the options that name formats and
    columns; systems have those of gold if theirs are not named."""
    found: list[dict[str, Format | None]] = []
    for text, columns in sides:
        theory, format = split_format(text, theories)
        reader = named(format, columns)
        own = {name: reader for name in theories if theory in ("", name)}
        found.append(found[0] if found and reader is None else own)
    return found


def theory_sides(
    gold: Mapping[str, Any],
    systems: Sequence[Any],
    names: Sequence[str] | None,
    formats: Sequence[Mapping[str, Format | None]],
    enrich: Sequence[str],
    on_error: str,
    maps: Sequence[LabelMap] = (),
) -> dict[str, Any]:
    """Find, read and pair the sides: those fields of a study that say what they are. `formats` are
    those of gold and systems by theory, as far as they are named; of the label maps those of
    theories are used."""
    known = _checked(gold)
    plan = _plan(enrich, known)
    listed = expand_runs([_parsed(each, known) for each in systems], names)
    theories: list[Theory] = [*listed.data]
    for each in theories:
        _check_further(each, plan)
    sources = {name: _input(data, name) for name, data in gold.items()}
    usual = [f"system{n}" for n in range(1, len(theories) + 1)] if len(theories) > 1 else ["system"]
    given = [_input(each.data, name) for each, name in zip(theories, usual, strict=False)]
    further = [{k: _input(v, k)[0] for k, v in each.further.items()} for each in theories]
    inputs = [i for i, _ in (*sources.values(), *given)] + [i for f in further for i in f.values()]
    if sum(isinstance(i, Source) and i.files == ("-",) for i in inputs) > 1:
        raise UsageError("standard input ('-') can be read only once")
    short = file_names(given, [""] * len(given))
    called = [name or found for name, found in zip(listed.names, short, strict=True)]
    check_distinct(called, listed.runs)
    side = SideReader(formats, on_error, plan, maps)
    golds = {name: side.in_memory(of, name, of_gold=True) for name, (of, _) in sources.items()}
    own = [side.in_memory(of, e.name) for e, (of, _) in zip(theories, given, strict=True)]
    whole = side.gold(golds)
    found = []
    for name, each, source, more in zip(called, theories, own, further, strict=True):
        found.append(side.system(whole, name, each.name, source, more))
    return {
        "gold": "+".join(known),
        "systems": tuple(called),
        "gold_input": whole,
        "shards": (Shard(whole, tuple(found)),),
        "runs": listed.runs,
        "left_out": tuple(dict.fromkeys(side.notes)),
        "theory_names": tuple(known),
        "origins": (
            *golds.items(),
            *((each.name, source) for each, source in zip(theories, own, strict=True)),
        ),
    }


# -- what was written ------------------------------------------------------------------------


def gold_sides(texts: Sequence[str], help: str | None = None) -> dict[str, str]:
    """Gold by theory, of `THEORY=FILE` as the command line has it."""
    found: dict[str, str] = {}
    for text in texts:
        name, equals, path = text.partition("=")
        if not (name and equals and path):
            raise UsageError(f"'--gold' must be THEORY=FILE. Got '{text}' instead.", help=help)
        if name in found:
            raise UsageError(
                f"two gold standards are named '{name}'", help="each theory has one gold standard"
            )
        found[name] = path
    return found


def _checked(gold: Mapping[str, Any]) -> list[str]:
    """The names of theories."""
    if not gold:
        raise UsageError("the dictionary of gold standards is empty")
    for name in gold:
        if not isinstance(name, str) or not name.strip() or any(s in RESERVED for s in name):
            raise UsageError(
                f"the name of a theory must be text without {' '.join(RESERVED)}. Got {name!r} "
                "instead."
            )
        if name in TAKEN:
            raise UsageError(f"a theory cannot be called '{name}'", help="choose a different name")
    return [*gold]


def _plan(enrich: Sequence[str], known: Sequence[str]) -> dict[str, list[str]]:
    """The theories that enrich each theory."""
    plan: dict[str, list[str]] = {}
    for text in enrich:
        name, _, source = text.partition("=")
        if not (name and source) or name == source:
            raise UsageError(
                f"'--enrich' must be THEORY=THEORY, such as ps=dep. Got '{text}' instead."
            )
        for each in (name, source):
            _check_theory(each, known)
        plan.setdefault(name, []).append(source)
    return plan


def _check_theory(name: str, known: Sequence[str]) -> None:
    if name not in known:
        raise UsageError(
            f"there is no theory '{name}'.{suggestion(name, known)}",
            help=f"theories that have a gold standard: {', '.join(known)}",
        )


def _check_further(system: Theory, plan: Mapping[str, Sequence[str]]) -> None:
    for name in system.further:
        if name not in plan.get(system.name, ()):
            raise UsageError(
                f"a system of '{system.name}' is given together with data of '{name}', which is "
                "not used",
                help=f"'--enrich {system.name}={name}' adds the labels of one to the other",
            )


def _parsed(system: Any, known: Sequence[str]) -> Runs | Theory:
    """A system with its theory, under its name where it has one."""
    if isinstance(system, Runs):
        return Runs(system.name, tuple(_of_theory(each, known) for each in system.data))
    if not isinstance(system, str):
        return _of_theory(system, known)
    name, equals, text = system.partition("=")
    if not equals or os.path.lexists(system) or _prefix(name, known):
        name, text = "", system
    first = f"{prefix}:" if (prefix := _prefix(text, known)) else ""
    paths = [text] if is_there(text.removeprefix(first)) else text.split(",")
    if len(paths) > 1 and not name:
        raise UsageError(f"runs of one system need its name. Got '{system}' instead.")
    # The theory of the first run holds for all that name none.
    each = (path if _prefix(path, known) else f"{first}{path}" for path in paths)
    data = tuple(_of_theory(path, known) for path in each)
    return Runs(name, data) if name else data[0]


def _prefix(text: str, known: Sequence[str]) -> str:
    """The theory before the colon, "" if there is none of that name."""
    name, colon, _ = text.partition(":")
    return name if colon and name in known else ""


def _of_theory(data: Any, known: Sequence[str]) -> Theory:
    if isinstance(data, Theory):
        for name in (data.name, *data.further):
            _check_theory(name, known)
        return data
    if not isinstance(data, str | PathLike):
        if len(known) > 1:
            raise UsageError(
                f"a system of the type {type(data).__name__} has no theory",
                help=f"tertium.theory('{known[0]}', data) says which it has",
            )
        return Theory(known[0], data)
    text = fspath(data)
    name = _prefix(text, known)
    if len(known) == 1 and (not name or is_there(text)):
        if not is_there(text) and re.match(r"[\w.-]{2,}:", text):
            _check_theory(text.partition(":")[0], known)
        return Theory(known[0], text)
    if not name:
        written, colon, _ = text.partition(":")
        near = suggestion(written, known) if colon else ""
        raise UsageError(
            f"'{text}' does not say which theory it has.{near}",
            help=f"write {FORM}; theories that have a gold standard: {', '.join(known)}",
        )
    path = text.removeprefix(f"{name}:")
    if is_there(path):
        return Theory(name, path)
    signs = "|".join(map(re.escape, known))
    path, *others = re.split(rf"\+(?=(?:{signs}):)", path)
    return Theory(name, path, dict(each.split(":", 1) for each in others))


def _input(data: Any, name: str) -> tuple[Input, str]:
    if isinstance(data, str | PathLike):
        source = resolve(fspath(data), name=fspath(data))
        return source, source.name
    return input_of(data, name, of_gold=True)


def theory_files(gold: Mapping[str, Any], systems: Sequence[Any]) -> tuple[list[Any], list[Any]]:
    """Paths and data of gold and of systems without the signs of theories."""
    each = expand_runs([_parsed(system, [*gold]) for system in systems]).data
    return [*gold.values()], [path for one in each for path in (one.data, *one.further.values())]
