"""What the elements of a TigerXML file say: words, constituents, edges."""

from __future__ import annotations

import re
from array import array
from typing import Any
from xml.parsers import expat

import numpy as np

from tertium.corpus.labels import Int32, Labels, Names
from tertium.corpus.layers import Comments
from tertium.formats.base import Problems
from tertium.formats.trees.nodes import NO_FUNCTION, NONE, Nodes

VROOT = "VROOT"
ROOTS = frozenset({"corpus", "subcorpus", "s"})
_ENTITY = re.compile(rb"&(?!#|amp;|lt;|gt;|quot;|apos;)[^;\s]*;?")


class _Column:
    """A column of strings that grows, each distinct string kept once."""

    def __init__(self) -> None:
        self.index: dict[str, int] = {}
        self.codes = array("i")

    def add(self, text: str) -> None:
        self.codes.append(self.index.setdefault(text, len(self.index)))

    def put(self, row: int, text: str) -> None:
        self.codes[row] = self.index.setdefault(text, len(self.index))

    def labels(self) -> Labels:
        return Labels(Names.of(self.index), _ints(self.codes))


def _ints(numbers: array[int]) -> Int32:
    return np.array(numbers, np.int32)


class _Table:
    """Words or constituents: sentence, line, parent and function of each, and other columns."""

    def __init__(self, *names: str) -> None:
        self.sentence, self.lines, self.parent = (array("i") for _ in range(3))
        self.function = _Column()
        self.columns = {name: _Column() for name in names}

    def __len__(self) -> int:
        return len(self.sentence)

    def add(self, sentence: int, line: int, given: dict[str, str]) -> None:
        self.sentence.append(sentence)
        self.lines.append(line)
        self.parent.append(-1)
        self.function.add("")
        for name, column in self.columns.items():
            column.add(given.pop(name, NONE))


class Elements:
    """What the elements of a file say. Nodes are numbered through the file; in `places` words have
    their number, constituents -1, -2, ..."""

    def __init__(self, problems: Problems) -> None:
        self.problems = problems
        self.words = _Table("word", "pos", "lemma", "morph")
        self.cats = _Table("cat")
        self.virtual: list[int] = []
        self.ids: list[str] = []
        self.errors: list[tuple[int, int, str]] = []  # sentence, line, message
        self.secondary = 0
        self.attributes: dict[str, None] = {}  # those that are not read
        self.has_header = False
        self.names: set[str] = set()
        self.is_open = False
        self.places: dict[str, int] = {}
        self.edges: list[tuple[int, str, str, int]] = []
        self.cat = -1  # the constituent that is open

    def parse(self, data: bytes, first: int) -> None:
        """Read XML that begins in line `first`, counted from 0."""
        parser = self.parser = expat.ParserCreate("utf-8")
        self.first = first - 1
        parser.StartElementHandler = self.start
        parser.EndElementHandler = self.end
        parser.EntityDeclHandler = self.refuse_entities
        parser.EndDoctypeDeclHandler = lambda: self.check_entities(data)
        try:
            parser.Parse(data, True)
        except expat.ExpatError as error:
            raise self.problems.fatal(
                f"not well-formed XML: {expat.ErrorString(error.code)}",
                line=self.first + 1 + error.lineno,
                help="check that the file is complete",
            ) from None
        if not self.ids and not self.names & ROOTS:
            raise self.problems.fatal(
                "this is not TigerXML: there is neither <corpus> nor <s>", line=first + 1,
                help="export the corpus as TigerXML, or convert it to a different format",
            )  # fmt: skip

    @property
    def line(self) -> int:
        """Counted from 0."""
        return int(self.first + self.parser.CurrentLineNumber)

    def refuse_entities(self, name: str, *_: Any) -> None:
        """Entities can be made to grow without bound, and no treebank needs them."""
        raise self.problems.fatal(
            f"the file declares an entity '{name}', which is not supported", line=self.line + 1,
            help="write the characters themselves, or their numbers (&#228;)",
        )  # fmt: skip

    def check_entities(self, data: bytes) -> None:
        """With a document type, expat passes over entities that are declared elsewhere."""
        if found := _ENTITY.search(data):
            line = self.first + 2 + data[: found.start()].count(b"\n")
            text = found[0].decode(errors="replace")
            raise self.problems.fatal(
                f"the entity {text} is not known", line=line,
                help="write the characters themselves, or their numbers (&#228;)",
            )  # fmt: skip

    def start(self, name: str, given: dict[str, str]) -> None:
        """An element begins."""
        self.names.add(name)
        if name in ("t", "nt", "edge") and not self.is_open:
            self.ids.append("")  # a sentence of its own, up to the next one
            self.is_open = True
            self.error(f"<{name}> is outside a sentence")
        if name == "t":
            self.add_word(given)
        elif name == "edge":
            self.add_edge(given)
        elif name == "nt":
            self.cat = len(self.cats)
            self.place(given, -1 - self.cat)
            is_virtual = given.get("cat") == VROOT and _is_virtual(given.pop("id", ""))
            self.virtual += [self.cat] if is_virtual else []
            given.pop("id", None)
            self.cats.add(len(self.ids) - 1, self.line, given)
            self.attributes |= dict.fromkeys(given)
        elif name == "s":
            self.close()
            self.is_open = True
            self.ids.append(given.get("id", ""))
        elif name == "secedge":
            self.secondary += 1
        elif name in ("meta", "value"):
            self.has_header = True

    def end(self, name: str) -> None:
        """An element ends."""
        if name == "s":
            self.close()
        elif name == "nt":
            self.cat = -1

    def error(self, message: str, line: int | None = None) -> None:
        """Something is wrong with the sentence."""
        self.errors.append((len(self.ids) - 1, self.line if line is None else line, message))

    def place(self, given: dict[str, str], place: int) -> None:
        """Know a node by its id."""
        id = given.get("id", "")
        if self.places.setdefault(id, place) != place and id:
            self.error(f"the id '{id}' occurs twice")

    def add_word(self, given: dict[str, str]) -> None:
        """A word, with what else is known of it."""
        self.place(given, len(self.words))
        given.pop("id", None)
        if not given.get("word"):
            self.error("a word without the attribute 'word'")
        self.words.add(len(self.ids) - 1, self.line, given)
        self.attributes |= dict.fromkeys(given)

    def add_edge(self, given: dict[str, str]) -> None:
        """An edge; its target may come later."""
        if self.cat < 0:
            self.error("<edge> is outside a constituent")
        else:
            edge = self.cat, given.get("idref", ""), given.get("label", NONE), self.line
            self.edges.append(edge)

    def close(self) -> None:
        """A sentence ends: follow its edges."""
        for cat, target, function, line in self.edges:
            place = self.places.get(target)
            if place is None or not target:
                self.error(f"an edge leads to '{target}', which does not exist", line)
                continue
            table, row = (self.words, place) if place >= 0 else (self.cats, -1 - place)
            if table.parent[row] >= 0:
                self.error(f"'{target}' has two parents", line)
            table.parent[row] = cat
            table.function.put(row, NO_FUNCTION.get(function, function))
        self.is_open, self.cat = False, -1
        self.places.clear()
        self.edges.clear()

    def nodes(self) -> Nodes:
        """Words and constituents without virtual roots."""
        words, cats = self.words, self.cats
        columns = {name: column.labels() for name, column in words.columns.items()}
        found = Nodes(
            _ints(cats.sentence),
            _ints(cats.parent),
            cats.columns["cat"].labels().rename({NONE: ""}),
            cats.function.labels(),
            _ints(cats.lines),
            _ints(words.sentence),
            _ints(words.parent),
            columns.pop("word"),
            columns.pop("pos"),
            words.function.labels(),
            _ints(words.lines),
            columns,
        )
        real = np.ones(len(cats), np.bool_)
        real[[cat for cat in self.virtual if cats.parent[cat] < 0]] = False
        return found if real.all() else found.some(real, np.ones(len(words), np.bool_))

    def comments(self) -> Comments:
        """Ids of sentences."""
        rows = [(sentence, id) for sentence, id in enumerate(self.ids) if id]
        sentence = np.array([sentence for sentence, _ in rows], np.int32)
        return Comments(sentence, Labels.of(f" sent_id = {id}" for _, id in rows))


def _is_virtual(id: str) -> bool:
    """TIGER calls virtual roots s1_VROOT, other tools 0; real constituents have numbers."""
    return id.endswith(VROOT) or re.fullmatch(r"(.*\D)?0", id) is not None
