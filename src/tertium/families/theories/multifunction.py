"""Multi-function trees of single sentences: sets of labels over spans, written in brackets or
drawn."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

from tertium.corpus.corpus import Corpus
from tertium.corpus.layers import FunctionTrees
from tertium.exceptions import InputError, LayerError, counted
from tertium.families.theories.constraints import NODE, Rules, row_labels
from tertium.families.theories.conversion import function_trees
from tertium.formats.trees.text import escape, unescape
from tertium.results.blocks import Block, Column, Picture, Table
from tertium.results.figures import Figure, Node
from tertium.results.items import run_text, runs
from tertium.results.output import Look, Output
from tertium.results.scenes import Word

Span = tuple[int, int] | frozenset[int]  # from one word up to another, or a set of words with gaps
_SIGN = re.compile(r"\(\s*(\{[^{}]*\}|[^\s()]+)?|\)|[^\s()]+")
_NUMBERED = re.compile(r"(\d+)=(.+)", re.DOTALL)


@dataclass(frozen=True, eq=False, repr=False)
class MultiFunctionTree(Output):
    """A tree whose nodes have sets of labels, no two of them over the same words.

    - `words`: the sentence
    - `nodes`: the labels of every node by its span: `(0, 2)` for the first two words, a set of
      numbers for a node with gaps. A node may have no label

    Two trees are equal if they have as many words and the same nodes. Printed it is a drawing, in a
    notebook a picture; `repr` shows brackets, which `parse` reads.

    >>> tree = MultiFunctionTree.parse("(root (sbj John) (prd (hd loves) (obj Mary)))")
    >>> tree.nodes[1, 3], len(tree)
    (frozenset({'prd'}), 5)
    >>> MultiFunctionTree.parse("(root (f1 (f2 w)))") == MultiFunctionTree.parse("({root,f1,f2} w)")
    True
    """

    words: tuple[str, ...]
    nodes: Mapping[Span, frozenset[str]]

    is_drawing = True

    def __post_init__(self) -> None:
        size, found = len(self.words), []
        for span, labels in self.nodes.items():
            places = places_of(span)
            if not places or places[0] < 0 or places[-1] >= size:
                raise InputError(f"there is no span {span!r} in a sentence of {size} words")
            found.append((places, labels))
        object.__setattr__(self, "words", tuple(self.words))
        object.__setattr__(self, "nodes", _united(found))
        self._nesting  # noqa: B018, raises if nodes cross

    @classmethod
    def parse(cls, text: str) -> MultiFunctionTree:
        """A tree in brackets: `(root (sbj John) (hd sleeps))`. A node with several labels is
        `{a,b}`, one without a label `{}`; unary chains are one node. Words may be numbered
        (`0=John`), if the brackets have them in a different order."""
        words: list[str] = []
        opened: list[tuple[list[str], list[int]]] = []
        found: list[tuple[list[str], list[int]]] = []
        for sign in _SIGN.finditer(text):
            if sign[0].startswith("("):
                opened.append((re.findall(r"[^{},\s]+", sign[1] or ""), []))
            elif sign[0] != ")":
                for _, places in opened:
                    places.append(len(words))
                words.append(sign[0])
            elif opened and opened[-1][1]:
                found.append(opened.pop())
            else:
                what = "a node without words" if opened else "')' without a matching '('"
                raise InputError(f"not a tree in brackets: {what}")
        if opened:
            raise InputError("not a tree in brackets: a bracket is not closed")
        place = [*range(len(words))]
        numbers = [number for word in words if (number := _NUMBERED.fullmatch(word))]
        if sorted(int(each[1]) for each in numbers) == place:
            place = [int(each[1]) for each in numbers]
            words = [each[2] for each in sorted(numbers, key=lambda each: int(each[1]))]
        pairs = [(sorted(place[each] for each in places), labels) for labels, places in found]
        return cls(tuple(map(unescape, words)), _united(pairs))

    @classmethod
    def of(
        cls, corpus: Corpus, sentence: int = 0, *, theory: str = "", labels: str = "functions",
        subtypes: bool = False,
    ) -> MultiFunctionTree:  # fmt: skip
        """A sentence of a corpus, counted from 0, with dependencies or constituents. `labels` and
        `subtypes` are those of the metric; `theory` names one of several theories."""
        if not 0 <= sentence < corpus.sentence_count:
            count = counted(corpus.sentence_count, "sentence")
            raise InputError(f"there is no sentence {sentence}: {corpus.origin} has {count}")
        one = corpus.take([sentence])
        known = one.of_kind(FunctionTrees) or {theory: function_trees(one)}
        if theory not in known and (theory or len(known) > 1):
            raise LayerError(f"{corpus.origin} has the theories {', '.join(known)}: name one")
        trees = known[theory] if theory in known else next(iter(known.values()))
        names = row_labels(trees, Rules(labels=labels, subtypes=subtypes)).to_list()
        first = trees.start.tolist()
        sets = [range(a, z) for a, z in zip(first, trees.end.tolist(), strict=True)]
        if trees.tokens is not None:
            sets = [(trees.tokens[row] + first[row]).tolist() for row in range(len(first))]
        words = one.forms.to_list() if one.forms else [*map(str, range(1, one.token_count + 1))]
        return cls(tuple(words), _united((s, {n} - {""}) for s, n in zip(sets, names, strict=True)))

    @property
    def constraints(self) -> frozenset[tuple[str, Span]]:
        """What the tree says: labels over spans."""
        return frozenset((label, span) for span, labels in self.nodes.items() for label in labels)

    def __len__(self) -> int:
        """The number of nodes of the sorted function tree."""
        return len(self.constraints)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MultiFunctionTree):
            return NotImplemented
        return len(self.words) == len(other.words) and self.nodes == other.nodes

    def __hash__(self) -> int:
        return hash((len(self.words), frozenset(self.nodes.items())))

    def unlabeled(self) -> MultiFunctionTree:
        """The same nodes, all with one and the same label."""
        return MultiFunctionTree(self.words, dict.fromkeys(self.nodes, frozenset([NODE])))

    def sorted_tree(self) -> str:
        """The sorted function tree in brackets: one node per label, those over the same words below
        each other in alphabetical order. Nodes without labels are left out.

        >>> MultiFunctionTree.parse("(root ({sbj,hd} John) ({} sleeps))").sorted_tree()
        '(root (hd (sbj John)) sleeps)'
        """
        return self._brackets({span: sorted(labels) for span, labels in self.nodes.items()})

    def __repr__(self) -> str:
        names = {span: [_set_text(labels)] for span, labels in self.nodes.items()}
        return f"MultiFunctionTree.parse({self._brackets(names)!r})"

    def _brackets(self, names: Mapping[Span, Sequence[str]]) -> str:
        """In brackets; each node is a chain of nodes with these names."""
        below: dict[Span | None, list[tuple[int, Span | None]]] = {}
        parents, lowest = self._nesting
        for span, parent in parents.items():
            below.setdefault(parent, []).append((places_of(span)[0], span))
        for place, above in enumerate(lowest):
            below.setdefault(above, []).append((place, None))
        for children in below.values():
            children.sort(key=lambda each: -each[0])
        has_gaps = any(isinstance(span, frozenset) for span in self.nodes)
        found, todo = "", [("", below.get(None, []))]
        while todo:
            closing, children = todo[-1]
            if not children:
                found += closing
                todo.pop()
                continue
            place, child = children.pop()
            if child is None:
                found += (f" {place}=" if has_gaps else " ") + escape(self.words[place])
                continue
            found += "".join(f" ({name}" for name in names[child])
            todo.append((")" * len(names[child]), below[child]))
        return found.strip()

    @cached_property
    def _nesting(self) -> tuple[dict[Span, Span | None], list[Span | None]]:
        """The lowest node over every node and over every word; raises InputError if nodes cross."""
        lowest: list[Span | None] = [None] * len(self.words)
        parents: dict[Span, Span | None] = {}
        for span in sorted(self.nodes, key=lambda each: -len(places_of(each))):
            places = places_of(span)
            parents[span], *others = {lowest[place] for place in places}
            if others:
                raise InputError(f"not a tree: {next(crossing(self, self))}")
            for place in places:
                lowest[place] = span
        return parents, lowest

    def named(self, span: Span) -> str:
        """A span in words: `'loves Mary' (2-3)`."""
        places = places_of(span)
        words = " ".join(self.words[place] for place in places)
        return f"'{words}' ({run_text(runs([place + 1 for place in places]))})"

    @property
    def title(self) -> str:
        """The sentence."""
        return " ".join(self.words)

    def to_dict(self) -> dict[str, Any]:
        """Words and nodes; the numbers of words are counted from 1."""
        return {
            "words": [*self.words],
            "nodes": [
                {"labels": sorted(labels), "tokens": [place + 1 for place in places_of(span)]}
                for span, labels in self.nodes.items()
            ],
        }

    def to_rows(self) -> list[dict[str, Any]]:
        """One node per row."""
        table = self._table()
        return [
            {c.header: v for c, v in zip(table.columns, row, strict=True)} for row in table.rows
        ]

    def _table(self) -> Table:
        rows = [
            (
                ", ".join(sorted(labels)),
                run_text(runs([place + 1 for place in places_of(span)])),
                " ".join(self.words[place] for place in places_of(span)),
            )
            for span, labels in self.nodes.items()
        ]
        return Table((Column("labels"), Column("tokens"), Column("text")), tuple(rows))

    def blocks(self, look: Look) -> list[Block]:
        """A picture, and the table behind it."""
        names = {span: f"gold-{number}" for number, span in enumerate(self.nodes)}
        nodes = tuple(
            Node(
                places=places_of(span),
                label=",".join(sorted(labels)),
                text=f"{_set_text(labels)} over {self.named(span)}",
                name=names[span],
                parent=names[above] if (above := self._nesting[0][span]) else None,
            )
            for span, labels in self.nodes.items()
        )
        words = tuple(Word(form, number) for number, form in enumerate(self.words, 1))
        figure = Figure(self.words, (words,), nodes=nodes)
        return [Picture(figure, self._table(), summary="Nodes", where=self.title, is_whole=True)]


def places_of(span: Span) -> tuple[int, ...]:
    """The words of a span, ascending."""
    return tuple(sorted(span)) if isinstance(span, frozenset) else tuple(range(*span))


def crossing(a: MultiFunctionTree, b: MultiFunctionTree) -> Iterator[str]:
    """Nodes of two trees that overlap, neither being inside of the other, in words."""
    for mine, theirs in product(a.nodes, b.nodes):
        ours, others = {*places_of(mine)}, {*places_of(theirs)}
        if ours & others and not ours <= others and not others <= ours:
            yield f"{a.named(mine)} and {b.named(theirs)} cross"


def _united(pairs: Iterable[tuple[Sequence[int], Iterable[str]]]) -> dict[Span, frozenset[str]]:
    """Labels by span, those over the same words united; in the order of the text, wider first."""
    found: dict[Span, frozenset[str]] = {}
    for places, labels in sorted(pairs, key=lambda each: (each[0][0], -len(each[0]), *each[0])):
        first, last = places[0], places[-1] + 1
        span: Span = (first, last) if last - first == len(places) else frozenset(places)
        found[span] = found.get(span, frozenset()) | frozenset(labels)
    return found


def _set_text(labels: frozenset[str]) -> str:
    return next(iter(labels)) if len(labels) == 1 else f"{{{','.join(sorted(labels))}}}"
