"""Files over the same tokens whose layers join the gold standard (`--with`)."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from tertium.corpus.corpus import Corpus
from tertium.exceptions import InputError
from tertium.formats.files import read_file
from tertium.formats.resources import joint_digest
from tertium.formats.sources import digest_of, is_there, open_input, resolve, strip_compression
from tertium.study.sides import Shard


@dataclass(frozen=True)
class FilesBeside:
    """The files of a folder or pattern that stand beside the gold files, in the order of these.

    - `origin`: what somebody wrote; `digest`: of the content of all of them
    """

    origin: str
    files: tuple[str, ...]
    digest: str

    @classmethod
    def of(cls, text: str, shards: Sequence[Shard]) -> FilesBeside:
        """Find the file that has the name of each gold file, whatever their endings."""
        source = resolve(text)
        keys = source.keys()
        by_stem: dict[str, list[str]] = {}
        for key in keys:
            by_stem.setdefault(_stem(key), []).append(key)
        found = []
        for shard in shards:
            gold = shard.gold.origin if isinstance(shard.gold, Corpus) else shard.gold
            name = shard.name or strip_compression(Path(gold).name)
            same = [name] if name in keys else by_stem.get(_stem(name), [])
            if len(same) != 1:
                several = f"several files named '{_stem(name)}'"
                raise InputError(
                    f"'{source.name}' has {several if same else f'no file for {name!r}'}",
                    help="files of a folder or pattern are joined to gold files of the same name",
                )
            found.append(keys[same[0]])
        return cls(source.name, tuple(found), joint_digest([*map(_digest, found)]))


Further = Corpus | FilesBeside


def further_files(given: Sequence[Any], shards: Sequence[Shard], **options: Any) -> list[Further]:
    """What was given, found or read; single files are read once, since they are small in number."""
    return [
        each
        if isinstance(each, Corpus)
        else FilesBeside.of(each, shards)
        if _is_several(each)
        else read_file(each, digest=True, **options)
        for each in given
    ]


def corpora_beside(further: Sequence[Further], shard: Shard, **options: Any) -> list[Corpus]:
    """The corpora that belong to a gold file."""
    return [
        each if isinstance(each, Corpus) else read_file(each.files[shard.number], **options)
        for each in further
    ]


def _is_several(text: str) -> bool:
    return os.path.isdir(text) or (not os.path.lexists(text) and is_there(text))


def _stem(key: str) -> str:
    return str(PurePosixPath(key).with_suffix(""))


def _digest(file: str) -> str:
    with open_input(file, digest=True) as stream:
        return digest_of(stream)
