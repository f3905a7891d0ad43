"""What the formats of constituent trees share: parameters that change trees where they are read or
written (a virtual root, crossing branches raised, functions and traces left out, nodes of
relational-realizational trees)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import BinaryIO, ClassVar

from tertium import registry
from tertium.corpus.corpus import Corpus
from tertium.corpus.layers import Trees
from tertium.corpus.trees import POS, TREES
from tertium.exceptions import Problem
from tertium.formats.base import CHANGED, Reading
from tertium.formats.lines import TextFormat
from tertium.registry import parameter

# A label that is matched with the first group is that of a function node, and the group is its
# function; a label that is matched without it is that of a projection node.
RELATIONAL = r"\{.*\}@.+|([^{}@<>|]+)@[^{}@<>|]+"


def _is_pattern(text: str) -> bool:
    """Is it a regular expression with a group?"""
    try:
        return re.compile(text).groups > 0
    except re.error:
        return False


@dataclass(frozen=True, repr=False)
class TreeFormat(TextFormat):
    """A format of constituent trees, laid out as `corpus/trees.py` says.

    A format gives `sniff`, `parse` and `blocks`, and says in `functions_in_tags` whether functions
    of words are part of their tags as the file writes them. Trees are changed as the parameters ask
    for it, after they were read and before they are written.
    """

    layers: ClassVar[tuple[str, ...]] = (TREES, POS)
    has_span_tags = False
    functions_in_tags: ClassVar[bool] = True  # NN-HD, or a tag and a function

    root: str = parameter(
        "", help="the label of a root that is added to sentences without a single root"
    )
    crossing: str = parameter(
        "keep", help="'raise' resolves crossing branches by attaching non-heads higher up",
        choices=("keep", "raise"),
    )  # fmt: skip
    functions: str = parameter("keep", help="'strip' removes functions", choices=("keep", "strip"))
    traces: str = parameter(
        "keep", help="'strip' removes traces and constituents that cover only traces",
        choices=("keep", "strip"),
    )  # fmt: skip
    relational: str = parameter(
        "keep", help="'strip' removes function and projection nodes of relational-realizational "
        "trees, 'functions' turns function nodes into functions",
        choices=("keep", "strip", "functions"),
    )  # fmt: skip
    relational_labels: str = parameter(
        RELATIONAL, check=_is_pattern,
        help="a regular expression for labels of function nodes, with their function as its first "
        "group, and of projection nodes, without the group",
    )  # fmt: skip

    @property
    def changes(self) -> str:
        """Those of these parameters that are set."""
        usual = {field.name: field.default for field in fields(TreeFormat)}
        set_ = {name: getattr(self, name) for name in usual}
        return ",".join(f"{name}={value}" for name, value in set_.items() if value != usual[name])

    def read(self, stream: BinaryIO, reading: Reading) -> Corpus:
        """The trees of a file, changed as the parameters say."""
        return self.changed(super().read(stream, reading))

    def write(self, corpus: Corpus, stream: BinaryIO) -> None:
        """Write trees, changed as the parameters say."""
        super().write(self.changed(corpus), stream)

    def changed(self, corpus: Corpus) -> Corpus:
        """The corpus with its trees changed as the parameters say; notes count the changes."""
        if not self.changes or not isinstance(corpus.layers.get(TREES), Trees):
            return corpus
        from tertium.formats.trees import changes

        asked: list[Callable[[Corpus], tuple[Corpus, str]]] = []
        if self.traces == "strip":
            asked.append(changes.without_traces)
        if self.relational != "keep":
            from tertium.formats.trees import relational

            removed = self.relational == "strip"
            ways = relational.with_functions, relational.without_relations
            asked.append(partial(ways[removed], pattern=self.relational_labels))
        if self.root:
            asked.append(partial(changes.with_root, label=self.root))
        if self.crossing == "raise":
            asked.append(changes.without_crossing)
        if self.functions == "strip":  # last: they tell heads
            asked.append(changes.without_functions)
        for change in asked:
            corpus, what = change(corpus)
            if what:
                note = Problem(what, kind=CHANGED, severity="note")
                corpus = replace(corpus, problems=(*corpus.problems, note))
        return corpus


def has_functions_in_tags(corpus: Corpus) -> bool:
    """Are functions of words part of their tags, as in brackets, or a column of their own?"""
    if not registry.knows("formats", corpus.format):
        return True
    made = registry.get("formats", corpus.format)
    return issubclass(made, TreeFormat) and made.functions_in_tags
