"""Pages: views chosen by tabs, parts below each other, and the sentences of their examples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from tertium.results.blocks import Block

if TYPE_CHECKING:
    from tertium.corpus.labels import Int32
    from tertium.results.answers import Answers
    from tertium.results.parts import ErrorType
    from tertium.results.scenes import Scene
    from tertium.results.stats import UnitKind

# What a row or part of a figure chooses among the examples. Its keys are those of the page's
# address: `a` and `b` (systems), `class` (corrections, new, changed, different, same), `gold`
# (label), `from` and `to` (what the two systems have), `right` and `wrong` (lists of systems),
# `many` (how many systems are right), `of` (gold for items of gold, systems for those that only
# systems have), `by` (groups, each KEY=NAME).
Choice = dict[str, str | list[str]]


class ItemView(Protocol):
    """What systems say about the items of one metric, which the example browser filters.

    - `mode`: what is shown of an answer, `labels`, `types` or `both`
    - `unit`, `item`: what units and items are called; `error_types`: what types of error mean
    - `nests`: do items lie in each other, as constituents do?
    - `shared`: of which items pairs of systems consist, `union` or `common`
    """

    @property
    def metric(self) -> str: ...
    @property
    def systems(self) -> Sequence[str]: ...
    @property
    def answers(self) -> Answers: ...
    @property
    def mode(self) -> str: ...
    @property
    def unit(self) -> UnitKind: ...
    @property
    def item(self) -> str: ...
    @property
    def error_types(self) -> Sequence[ErrorType]: ...
    @property
    def nests(self) -> bool: ...
    @property
    def shared(self) -> str: ...


@dataclass(frozen=True)
class PagePart:
    """Some blocks under a heading.

    - `id`: occurs once in a view, but for parts of different pairs
    - `short`: its name in the navigation, if not the title
    - `pair`: two systems; the part is shown when they are chosen
    - `links`: by number of block, what its rows, cells, parts or combinations choose among the
      examples in the order of `svg.draw`; None where one chooses nothing
    """

    id: str
    title: str
    blocks: Sequence[Block]
    pair: tuple[str, str] | None = None
    links: Mapping[int, Sequence[Choice | None]] = field(default_factory=dict)
    short: str = ""


@dataclass(frozen=True)
class PageView:
    """What there is to say about one metric; without `compared` it has no examples.

    - `pair`: the two systems that are compared when the page opens; by default the first two
    - `tests`: from one system to another, the test of their difference in words
    - `groups`: by key, the names of groups and the number of each item's group (-1 for none)
    """

    id: str
    title: str
    parts: Sequence[PagePart]
    compared: ItemView | None = None
    pair: tuple[str, str] | None = None
    tests: Mapping[tuple[str, str], str] = field(default_factory=dict)
    groups: Mapping[str, tuple[Sequence[str], Int32]] = field(default_factory=dict)


@dataclass(frozen=True)
class Page:
    """A page. The items of all views are in `sentences`; where they are too many, they are sampled
    with `seed`.

    - `summary`: the result in a sentence
    - `intro`: what is common to all views; `closing`: how it was made, and notes
    """

    title: str
    views: Sequence[PageView]
    sentences: Sequence[Scene] = ()
    intro: Sequence[Block] = ()
    seed: int = 0
    summary: str = ""
    closing: Sequence[Block] = ()
