"""Conventions: the ways in which the field counts the same annotation, and where they part."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tertium.corpus.corpus import Corpus
from tertium.families.base import Metric

MOST_PLACES = 20_000  # in one file: a file that is read in quite another way parts everywhere


@dataclass(frozen=True)
class Convention:
    """A way of counting: which metric it is, and which of its parts and counts.

    `reading` is the name of its own way to read what is written: that is where conventions may
    part. Empty where it reads as another one does.
    """

    name: str
    metric: str
    counts: tuple[str, str, str] = ("correct", "gold", "system")
    prefix: str = ""
    reading: str = ""


@dataclass(frozen=True)
class Parting:
    """A sequence of tags that is not the same to everybody.

    - `tags`: the sequence, with a neighbour at each side where there is one
    - `readings`: what each convention makes of it, such as `PER 2-3`; "nothing" for no item.
      Numbers count the tags that are shown
    - `count`: how often it occurs; `where`: its first place, as file, line and sentence
    """

    file: str
    tags: tuple[str, ...]
    readings: Mapping[str, str]
    count: int
    where: str

    def to_dict(self) -> dict[str, Any]:
        """The entry in `partings` of the JSON output."""
        return {
            "tags": list(self.tags),
            "count": self.count,
            "readings": dict(self.readings),
            "file": self.file,
            "where": self.where,
        }


@dataclass(frozen=True)
class ConventionSet:
    """The conventions of a family.

    - `written`: what sequences consist of that are read differently, in the plural
    - `partings`: where readings of a file part, given the metrics that read, by the names of their
      readings; None for a file that leaves nothing to be read
    """

    every: tuple[Convention, ...]
    written: str
    partings: Callable[[Corpus, Mapping[str, Metric]], list[Parting] | None]
