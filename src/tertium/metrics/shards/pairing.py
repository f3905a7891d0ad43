"""Which files of gold and systems belong together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tertium.corpus.corpus import Corpus
from tertium.exceptions import InputError
from tertium.formats.sources import Source

Input = Source | Corpus


@dataclass(frozen=True)
class Shard:
    """One unit of work: a gold file or corpus and its systems' counterparts."""

    gold: str | Corpus
    systems: tuple[str | Corpus, ...]
    name: str = ""


def pair(gold: Input, systems: Sequence[Input]) -> list[Shard]:
    """Shards by name where gold or a system is several files, else the one pair there is."""
    if isinstance(gold, Corpus) or not any(
        isinstance(s, Source) and s.is_sharded for s in (gold, *systems)
    ):
        if isinstance(gold, Source) and gold.is_sharded:
            raise InputError(
                f"'{gold.name}' is {len(gold.files)} files, but what stands beside it is data in "
                "memory"
            )
        return [Shard(_single(gold), tuple(_single(s) for s in systems))]
    sides: list[tuple[Source, dict[str, str]]] = []
    for source in (gold, *systems):
        if isinstance(source, Corpus):
            raise InputError("several files cannot be paired with data in memory")
        sides.append((source, source.keys()))
    wanted = sides[0][1]
    for source, keys in sides[1:]:
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
                help="files of folders or patterns are paired by name, so the sets must be equal; "
                "what is to be compared is given one by one, not as one folder or pattern",
            )
    return [
        Shard(wanted[key], tuple(keys[key] for _, keys in sides[1:]), key) for key in sorted(wanted)
    ]


def _single(source: Input) -> str | Corpus:
    return source if isinstance(source, Corpus) else source.files[0]


def _some(names: list[str]) -> str:
    shown = ", ".join(f"'{n}'" for n in names[:3])
    return shown if len(names) <= 3 else f"{shown} and {len(names) - 3} more files"
