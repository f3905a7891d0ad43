"""The sides of a study: gold and systems as files or data, runs of one system, and which files
belong together."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from typing import Any, cast

from tertium.corpus.corpus import Corpus
from tertium.exceptions import InputError, TertiumError, UsageError, shorten, suggestion
from tertium.formats.objects import IGNORED, from_python
from tertium.formats.sources import Source, is_there, resolve
from tertium.formats.spacy_docs import PARTIAL

Input = Source | Corpus


def input_of(data: Any, name: str, *, of_gold: bool = False) -> tuple[Input, str]:
    """A source or a corpus, and its name."""
    if isinstance(data, Runs) and len(data.data) == 1:  # of a dictionary of annotators
        (data,), name = data.data, data.name
        data = f"{name}={data}" if isinstance(data, str | PathLike) else data
    if isinstance(data, str):
        source = resolve(data)
        return source, source.name
    if hasattr(data, "__fspath__"):
        source = resolve(str(data))
        return source, source.name
    if isinstance(data, Source):
        return data, data.name
    corpus = from_python(data, name=name, of_gold=of_gold)
    return corpus, corpus.origin


def notes_of(given: Input) -> list[str]:
    """What was left out of a folder, or of data from Python."""
    if isinstance(given, Source):
        return [given.note] if given.note else []
    return [f"{given.origin}: {p.message}" for p in given.problems if p.kind in (IGNORED, PARTIAL)]


def file_names(given: Sequence[tuple[Input, str]], written: Sequence[Any]) -> list[str]:
    """File names without their folders, where that leaves them distinct; names that were given
    (`NAME=path`) stay whole."""
    names = [name for _, name in given]
    short = [
        name if isinstance(text, str) and text.startswith(f"{name}=") else Path(name).name or name
        for name, text in zip(names, written, strict=True)
    ]
    return short if len(set(short)) == len(set(names)) else names


def distinct_names(names: Sequence[str]) -> list[str]:
    """File names without their folders or, if these alone differ, without the folders that all of
    them are in.

    >>> distinct_names(["d/ann/1.tsv", "d/ben/1.tsv"]), distinct_names(["d/a.tsv", "e/b.tsv"])
    (['ann/1.tsv', 'ben/1.tsv'], ['a.tsv', 'b.tsv'])
    """
    short = [Path(name).name or name for name in names]
    if len({*short}) == len(short):
        return short
    parts = [Path(name).parts for name in names]
    shared = next((n for n, each in enumerate(zip(*parts, strict=False)) if len({*each}) > 1), 0)
    return [str(Path(*each[shared:])) for each in parts]


def check_distinct(names: list[str], runs: Mapping[str, object]) -> list[str]:
    """Names of systems; the same name twice cannot be told apart in a table."""
    for name in names:
        if names.count(name) > 1 or name in runs:
            raise UsageError(f"the name '{name}' is used twice", help="name them: A=path B=path")
    return names


@dataclass(frozen=True, eq=False)
class Runs:
    """Data of several runs under the name of their system."""

    name: str
    data: tuple[Any, ...]


def runs(name: str, *data: Any) -> Runs:
    """Several runs of one system, such as training with other random seeds, to be given to `score`
    and `compare` in place of a system. One run is an ordinary system.

    >>> from tertium import score
    >>> scores = score([["N", "V"]], runs("A", [["N", "N"]], [["N", "V"]]))
    >>> scores.systems, dict(scores.runs)
    (['A#1', 'A#2'], {'A': ('A#1', 'A#2')})
    """
    if not name:
        raise UsageError("runs of one system need its name")
    if not data:
        raise UsageError(f"there are no runs of '{name}'")
    return Runs(name, data)


@dataclass(frozen=True, eq=False)
class SystemList:
    """Systems with every run as one of its own.

    - `data`: what is to be read; `names`: how it is called, None where data has its own name
    - `runs`: of each system that ran several times, the names of its runs
    """

    data: tuple[Any, ...]
    names: tuple[str | None, ...]
    runs: Mapping[str, tuple[str, ...]]


def expand_runs(systems: Sequence[Any], names: Sequence[str] | None = None) -> SystemList:
    """Each run as a system: those of A are `A#1`, `A#2`, ... `names` are names of the systems."""
    if names and len(names) != len(systems):
        raise UsageError(f"there are {len(systems)} systems, but {len(names)} names")
    data: list[Any] = []
    found: list[str | None] = []
    several: dict[str, tuple[str, ...]] = {}
    for place, system in enumerate(systems):
        own = names[place] if names else None
        held = _runs_of(system)
        if held is None:
            data.append(system)
            found.append(own)
            continue
        name = own or held.name
        if len(held.data) == 1:
            numbered = [name]
        else:
            if name in several:
                raise UsageError(f"the name '{name}' is used twice", help="give each its own name")
            twice = [d for d in held.data if isinstance(d, str) and held.data.count(d) > 1]
            if twice:
                raise UsageError(f"'{twice[0]}' is given twice as a run of '{name}'")
            numbered = [f"{name}#{number}" for number in range(1, len(held.data) + 1)]
            several[name] = tuple(numbered)
        data += held.data
        found += numbered
    return SystemList(tuple(data), tuple(found), several)


def spread(gold: Any, systems: Sequence[Any]) -> tuple[Sequence[Any], list[str]]:
    """Systems, where gold is a single file or data every file of a folder or pattern as one; and
    notes about that.

    Where gold is itself a folder or a pattern, a folder is one system in several files, and so is
    one that has a name (`A=folder`) in any case. The gold standard is left out, if it is among the
    files.
    """
    gold_files = _source_of(gold)
    if gold_files is not None and gold_files.root:
        return systems, []
    own = {os.path.realpath(file) for file in (gold_files.files if gold_files else ())}
    found: list[Any] = []
    notes: list[str] = []
    for system in systems:
        source = _several_files(system)
        files = source.files if source else ()
        others = [file for file in files if os.path.realpath(file) not in own]
        if files and not others:
            raise InputError(f"'{system}' is the gold standard alone; there is no system in it")
        found += [Source(file, (file,)) for file in others] or [system]
        notes += [source.note] if source and source.note else []
        if len(others) < len(files):
            notes.append(f"left out of '{system}': the gold standard")
        if len(others) > 1 and os.path.isdir(system):
            notes.append(f"each of the {len(others):,} files in '{system}' is one system")
    return found, notes


def _source_of(given: Any) -> Source | None:
    """The files that somebody means; None for data, and for what cannot be found, which is said
    where it is read."""
    with suppress(TertiumError):
        if isinstance(given, str | PathLike | Source):
            return cast(Source, input_of(given, "")[0])
    return None


def _several_files(system: Any) -> Source | None:
    """The files of a folder or pattern without a name; None for anything else."""
    source = _source_of(system) if isinstance(system, str | PathLike) else None
    if source is None or not source.root:
        return None
    text = fspath(system)
    is_named = text.startswith(f"{source.name}=") and not os.path.lexists(text)
    return None if is_named else source


def files_of(gold: Sequence[Any], systems: Sequence[Any]) -> list[str]:
    """All files that are read, as far as they are files and are there."""
    sources = map(_source_of, (*gold, *expand_runs(systems).data))
    return [file for source in sources if source is not None for file in source.files]


def count_of(gold: Any, systems: Sequence[Any]) -> int:
    """How many there are, every run counted."""
    return len(expand_runs(spread(gold, systems)[0]).data)


def _runs_of(system: Any) -> Runs | None:
    """The runs that somebody means; None for a single system."""
    if isinstance(system, Runs):
        return system
    if not isinstance(system, str) or "," not in system or is_there(system):
        return None
    name, equals, text = system.partition("=")
    if not equals:
        if all(map(is_there, system.split(","))):
            raise UsageError(
                f"runs of one system need its name. Got '{system}' instead.",
                help=f"name it: A={system}",
            )
        return None
    if is_there(text):
        return None
    if not name:
        raise UsageError(f"runs of one system need its name. Got '{system}' instead.")
    return Runs(name, tuple(text.split(",")))


@dataclass(frozen=True)
class Shard:
    """One unit of work: a gold file or corpus and its systems' counterparts; `number` is its place
    among all."""

    gold: str | Corpus
    systems: tuple[str | Corpus, ...]
    name: str = ""
    number: int = 0


def pair(gold: Input, systems: Sequence[Input]) -> list[Shard]:
    """Shards by name where gold or a system is several files, else the one pair there is."""
    if isinstance(gold, Corpus) or not any(
        isinstance(s, Source) and s.is_sharded for s in (gold, *systems)
    ):
        if isinstance(gold, Source) and gold.is_sharded:
            raise InputError(
                f"'{gold.name}' is {len(gold.files)} files, but it is compared with data in memory"
            )
        return [Shard(_single(gold), tuple(_single(s) for s in systems))]
    sides: list[tuple[Source, dict[str, str]]] = []
    for source in (gold, *systems):
        if isinstance(source, Corpus):
            raise InputError("several files cannot be paired with data in memory")
        sides.append((source, source.keys()))
    wanted = sides[0][1]
    for source, keys in sides[1:]:
        if not sides[0][0].root and len(keys) > 1:
            raise InputError(
                f"'{source.name}' is {len(keys):,} files, but the gold standard is one",
                help="without a name in front, every file of a folder or pattern is one system; "
                "A=path,path,... gives several runs of system A",
            )
        lacking, surplus = sorted(wanted.keys() - keys), sorted(keys.keys() - wanted)
        if lacking or surplus:
            what = [f"'{source.name}' lacks {_some(lacking)}"] if lacking else []
            what += (
                [f"'{source.name}' has {_some(surplus)}, which '{sides[0][0].name}' lacks"]
                if surplus
                else []
            )
            raise InputError(
                "; ".join(what),
                help="files of folders and patterns are paired by name, so every folder needs "
                "the same names",
            )
    return [
        Shard(wanted[key], tuple(keys[key] for _, keys in sides[1:]), key, number)
        for number, key in enumerate(sorted(wanted))
    ]


def _single(source: Input) -> str | Corpus:
    return source if isinstance(source, Corpus) else source.files[0]


def _some(names: list[str]) -> str:
    shown = ", ".join(f"'{n}'" for n in names[:3])
    return shown if len(names) <= 3 else f"{shown} and {len(names) - 3} more files"


def side_of(name: str, sides: Mapping[str, set[str]]) -> str:
    """The side that a label map names: as it is called, in tables or in full, or by the name of its
    file without folder and ending."""
    if not name:
        return name
    for cut in (str, lambda text: Path(text).name, lambda text: Path(text).name.split(".")[0]):
        found = [side for side, called in sides.items() if name in map(cut, called)]
        if len(found) == 1:
            return found[0]
    known = sorted(sides)
    raise UsageError(
        f"there is no side '{name}' to map labels of.{suggestion(name, known)}",
        help=f"sides: {', '.join(known)}",
    )


def several(name: str, given: Any, kinds: type | tuple[()], what: str) -> tuple[Any, ...]:
    """What was given as one or several files, or as objects of a kind."""
    if given is None:
        return ()
    each = given if isinstance(given, tuple | list) else (given,)
    if not all(isinstance(one, (str, PathLike, kinds)) for one in each):
        got = repr(given) if isinstance(given, int | float | list) else type(given).__name__
        raise UsageError(f"{name} must be {what}. Got {shorten(got, 80)} instead.")
    return tuple(str(one) if isinstance(one, PathLike) else one for one in each)
