"""What a user asks for, made ready: gold and systems found and paired, options checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypedDict

from tertium.align.tokens import METHODS
from tertium.corpus.corpus import Corpus
from tertium.exceptions import UsageError
from tertium.formats.base import ON_ERROR
from tertium.formats.objects import from_python
from tertium.formats.read import read_file
from tertium.formats.resources import (
    Lexicon,
    file_digest,
    load_labels,
    load_lexicon,
    text_digest,
)
from tertium.formats.sniff import named
from tertium.formats.sources import Source, resolve
from tertium.formats.trees import check_trees
from tertium.metrics.base import Metric
from tertium.metrics.defaults import default_metrics
from tertium.metrics.groups.words import word_key
from tertium.metrics.runs import expanded
from tertium.metrics.sets import expand
from tertium.metrics.shards.options import Options
from tertium.metrics.shards.pairing import Input, Shard, pair


class FileOptions(TypedDict, total=False):
    """How files are read and paired, as `tertium.score` takes it: what functions that pass it on to
    `request` have in common."""

    input_format: str | None
    system_format: str | None
    columns: str | None
    system_columns: str | None
    align: str
    on_error: str
    lexicon: str | Lexicon | None
    map_labels: Sequence[str]
    with_files: Sequence[str]


class ReadingOptions(FileOptions, total=False):
    """The same, and how units or items are grouped."""

    by: str | None


@dataclass(frozen=True, eq=False)
class Request:
    """Gold and systems under their names, the pairs of files they are, and how to treat them.

    `runs` names the systems that are runs of one, by its name.
    """

    gold: str
    systems: tuple[str, ...]
    gold_input: Input
    shards: tuple[Shard, ...]
    options: Options
    runs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def digest(self) -> str | None:
        """What tells one gold standard from another: a digest of its files' content."""
        if not isinstance(self.gold_input, Source):
            return None
        digests = [file_digest(file) for file in self.gold_input.files]
        return (digests[0] if len(digests) == 1 else text_digest("".join(digests)))[:16]


def request(
    gold: Any,
    systems: Sequence[Any],
    *,
    metric: str | Metric | Sequence[str | Metric] | None = None,
    input_format: str | None = None,
    system_format: str | None = None,
    columns: str | None = None,
    system_columns: str | None = None,
    align: str = "auto",
    on_error: str = "fail",
    by: str | None = None,
    lexicon: str | Lexicon | None = None,
    map_labels: Sequence[str] = (),
    with_files: Sequence[str] = (),
    labels: bool | Literal["single"] = True,
    confusion: bool = False,
    names: Sequence[str] | None = None,
    defaults: Callable[[Corpus], tuple[Metric, ...]] = default_metrics,
    also: frozenset[str] | None = frozenset(),
    any_roots: bool = False,
    alone: bool = False,
) -> Request:
    """Check what was asked for (`tertium.score` says what each argument is) and find the files.

    `alone`: there may be gold without any system.
    """
    if not systems and not alone:
        raise UsageError("there is no system to score; give one or more after the gold standard")
    if align not in METHODS:
        raise UsageError(f"align must be one of {', '.join(METHODS)}. Got '{align}' instead.")
    if on_error not in ON_ERROR:
        raise UsageError(
            f"on_error must be one of {', '.join(ON_ERROR)}. Got '{on_error}' instead."
        )
    if by == "":
        raise UsageError("by must be a key such as genre or length. Got '' instead.")
    words = load_lexicon(lexicon) if isinstance(lexicon, str) else lexicon
    word_key(by, words)  # raises where it is misspelt, before data is read
    gold_input, gold_name = input_of(gold, "gold")
    each = expanded(systems, names)
    given = [
        input_of(s, name or (f"system{i}" if len(each.data) > 1 else "system"))
        for i, (s, name) in enumerate(zip(each.data, each.names, strict=True), 1)
    ]
    found = zip(each.names, _short(given, each.data), strict=True)
    system_names = _distinct([name or short for name, short in found], each.runs)
    inputs = [gold_input, *(g for g, _ in given)]
    if sum(isinstance(i, Source) and i.files == ("-",) for i in inputs) > 1:
        raise UsageError("standard input ('-') can be read only once")
    metrics, sets = (None, {}) if metric is None else expand(metric)
    options = Options(
        metrics=metrics,
        sets=sets,
        gold_format=named(input_format, columns),
        system_format=named(system_format, system_columns) or named(input_format, columns),
        align=align,
        on_error=on_error,
        by=by,
        lexicon=words,
        maps=tuple(load_labels(text) for text in map_labels),
        with_files=tuple(with_files),
        labels=labels,
        confusion=confusion,
        defaults=defaults,
        also=also,
        any_roots=any_roots,
    )
    sides = [_in_memory(i, options, of_gold=n == 0) for n, i in enumerate(inputs)]
    shards = pair(sides[0], sides[1:])
    return Request(gold_name, tuple(system_names), sides[0], tuple(shards), options, each.runs)


def input_of(data: Any, name: str) -> tuple[Input, str]:
    """A source or a corpus, and its name."""
    if isinstance(data, str):
        source = resolve(data)
        return source, source.name
    if hasattr(data, "__fspath__"):
        source = resolve(str(data))
        return source, source.name
    if isinstance(data, Source):
        return data, data.name
    corpus = from_python(data, name=name)
    return corpus, corpus.origin


def _in_memory(source: Input, options: Options, *, of_gold: bool) -> Input:
    """Standard input and pipes as a corpus, since they cannot be read twice; files as they are.

    What comes from Python as a corpus is checked here, since no reader has seen it.
    """
    if isinstance(source, Corpus):
        check_trees(source, forests=options.forests)
        return source
    if source.is_sharded or Path(source.files[0]).is_file():
        return source
    return read_file(
        source.files[0],
        format=options.gold_format if of_gold else options.system_format,
        on_error=options.on_error,
        name=source.name,
        forests=options.forests,
    )


def _short(given: Sequence[tuple[Input, str]], written: Sequence[Any]) -> list[str]:
    """File names without their folders, where that leaves them distinct; names that were given
    (`NAME=path`) stay whole."""
    names = [name for _, name in given]
    short = [
        name if isinstance(text, str) and text.startswith(f"{name}=") else Path(name).name or name
        for name, text in zip(names, written, strict=True)
    ]
    return short if len(set(short)) == len(set(names)) else names


def _distinct(names: list[str], runs: Mapping[str, object]) -> list[str]:
    """Names of systems; the same name twice cannot be told apart in a table."""
    for name in names:
        if names.count(name) > 1 or name in runs:
            raise UsageError(f"two systems are named '{name}'", help="name them: A=path B=path")
    return names
