"""TigerXML, the format of TIGERSearch: words, constituents and edges as XML elements."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from xml.parsers import expat

import numpy as np

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Bytes, Int32, Labels, Names
from tertium.corpus.layers import Bools, Comments, Trees
from tertium.corpus.trees import POS, TREES
from tertium.formats.base import Problems
from tertium.formats.constituents.nodes import (
    FIRST_NODE,
    NONE,
    NodeEntry,
    NodeReader,
    Nodes,
    WordEntry,
    sheets,
)
from tertium.formats.lines import check_text
from tertium.formats.treebank import TreeFormat

VROOT = "VROOT"
_DECLARED = re.compile(rb"""\s*<\?xml[^>]*\bencoding\s*=\s*["']([\w.:-]+)["']""")
_ENTITY = re.compile(rb"&(?!#|amp;|lt;|gt;|quot;|apos;)[^;\s]*;?")
_REFUSED = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_SIGNS = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\t": "&#9;", "\n": "&#10;",
     "\r": "&#13;"}
)  # fmt: skip
_FEATURES = (("word", "T"), ("lemma", "T"), ("pos", "T"), ("morph", "T"), ("cat", "NT"))


@dataclass(frozen=True, repr=False)
class TigerXml(TreeFormat):
    """Trees with crossing branches. The lemma and the morphology of words are the layers `lemma`
    and `morph`; secondary edges are counted and left out. A root VROOT that is there only because
    a graph must have a root is no constituent."""

    id = "tigerxml"
    title = "TigerXML: trees with crossing branches as XML"
    suffixes = (".xml", ".tiger", ".tig")
    layers = (TREES, POS, "lemma", "morph")
    functions_in_tags = False
    lossy = "everything but trees, parts of speech, lemmas, morphology and sentence ids"

    def sniff(self, head: bytes) -> float:
        """XML with a corpus, or with graphs of words."""
        if not head.lstrip().startswith(b"<"):
            return 0.0
        if re.search(rb"<graph\b", head) and re.search(rb"<t\b[^<]*\bword\s*=", head):
            return 0.95
        return 0.9 if re.search(rb"<(sub)?corpus\b", head) else 0.0

    def parse(self, buf: Bytes, problems: Problems) -> Corpus:
        """See the class. A declared encoding is respected."""
        buf = _decoded(buf, problems)
        check_text(buf, problems)
        content = _Content(problems)
        if data := buf.tobytes().lstrip():
            content.parse(data, first=buf[: len(buf) - len(data)].tobytes().count(b"\n"))
        reader = _Reader(problems, content)
        problems.stop()
        found = content.nodes().checked(reader)
        problems.stop()
        return found.corpus(reader, content.comments())

    def blocks(self, corpus: Corpus) -> Iterator[str]:
        """A sentence without a single root gets a root VROOT, as in TIGER."""
        absent = {"lemma", "morph"} - {*corpus.layers}
        names = [name for name, _ in _FEATURES if name not in absent]
        declared = {name: f'<feature name="{name}" domain="{on}"/>\n' for name, on in _FEATURES}
        features = "".join(declared[name] for name in names)
        bodies = sheets(corpus, "TigerXML", lambda text: not text or bool(_REFUSED.search(text)))
        yield '<?xml version="1.0" encoding="UTF-8"?>\n<corpus id="corpus">\n<head>\n<annotation>\n'
        yield f"{features}</annotation>\n</head>\n<body>\n"
        gaps = _with_gaps(corpus)
        ids = corpus.sentence_ids
        for sentence, (words, nodes) in enumerate(bodies):
            name = (ids[sentence] if ids is not None else "") or f"s{sentence + 1}"
            yield _sentence(_REFUSED.sub("", name), words, nodes, bool(gaps[sentence]), names)
        yield "</body>\n</corpus>\n"


def _with_gaps(corpus: Corpus) -> Bools:
    """Which sentences have a constituent with a gap?"""
    trees, found = corpus.layer(TREES, Trees), np.zeros(corpus.sentence_count, np.bool_)
    if trees.tokens is not None:
        sizes = np.diff(trees.tokens.bounds)
        found[trees.sentence[sizes < trees.end - trees.start]] = True
    return found


def _sentence(
    name: str,
    words: Sequence[WordEntry],
    nodes: Sequence[NodeEntry],
    has_gaps: bool,
    names: Sequence[str],
) -> str:
    """A sentence as XML."""
    id = name.translate(_SIGNS)
    if (shift := len(words) + 1 - FIRST_NODE) > 0:  # no number is that of a word, too
        words = [each._replace(parent=each.parent and each.parent + shift) for each in words]
        nodes = [
            each._replace(number=each.number + shift, parent=each.parent and each.parent + shift)
            for each in nodes
        ]
    edges: dict[int, list[str]] = {}
    for number, word in enumerate(words, 1):
        edges.setdefault(word.parent, []).append(_edge(word.function, f"{id}_{number}"))
    for node in nodes:
        edges.setdefault(node.parent, []).append(_edge(node.function, f"{id}_{node.number}"))
    tops = [
        (f"{id}_{number}", function)
        for number, function, parent in (
            *((node.number, node.function, node.parent) for node in nodes),
            *((number, word.function, word.parent) for number, word in enumerate(words, 1)),
        )
        if not parent
    ]
    # A single root has no edge above it that could bear its function.
    needs_root = len(tops) > 1 or any(function != NONE for _, function in tops)
    root = f"{id}_{VROOT}" if needs_root else tops[0][0] if tops else ""
    gaps = ' discontinuous="true"' if has_gaps else ""
    lines = [f'<s id="{id}">', f'<graph root="{root}"{gaps}>', "<terminals>"]
    for number, word in enumerate(words, 1):
        values = {"word": word.form, "lemma": word.lemma, "pos": word.tag, "morph": word.morph}
        given = "".join(
            f' {key}="{value.translate(_SIGNS)}"' for key, value in values.items() if key in names
        )
        lines.append(f'<t id="{id}_{number}"{given}/>')
    lines += ["</terminals>", "<nonterminals>"]
    for node in nodes:
        lines.append(f'<nt id="{id}_{node.number}" cat="{node.label.translate(_SIGNS)}">')
        lines += [*edges[node.number], "</nt>"]
    if needs_root:
        lines += [f'<nt id="{root}" cat="{VROOT}">', *edges[0], "</nt>"]
    return "\n".join([*lines, "</nonterminals>", "</graph>", "</s>", ""])


def _edge(function: str, target: str) -> str:
    return f'<edge label="{function.translate(_SIGNS)}" idref="{target}"/>'


def _decoded(buf: Bytes, problems: Problems) -> Bytes:
    """The bytes as UTF-8."""
    declared = _DECLARED.match(buf[:1024].tobytes())
    name = declared[1].decode() if declared else "utf-8"
    if name.lower() in ("utf-8", "utf8", "us-ascii", "ascii"):
        return buf
    try:
        return np.frombuffer(buf.tobytes().decode(name).encode(), np.uint8)
    except (LookupError, UnicodeError) as error:
        raise problems.fatal(
            f"the file cannot be read in its encoding {name}: {error}", line=1,
            help="correct the encoding in the first line of the file",
        ) from None  # fmt: skip


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


class _Content:
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
        parser.StartDoctypeDeclHandler = lambda *_: self.check_entities(data)
        try:
            parser.Parse(data, True)
        except expat.ExpatError as error:
            raise self.problems.fatal(
                f"not well-formed XML: {expat.ErrorString(error.code)}",
                line=self.first + 1 + error.lineno,
                help="check that the file is complete",
            ) from None

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
                self.error(f"an edge leads to '{target}', which is not there", line)
                continue
            table, row = (self.words, place) if place >= 0 else (self.cats, -1 - place)
            if table.parent[row] >= 0:
                self.error(f"'{target}' has two parents", line)
            table.parent[row] = cat
            table.function.put(row, "" if function == NONE else function)
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


class _Reader(NodeReader):
    """Reports what is wrong."""

    def __init__(self, problems: Problems, content: _Content) -> None:
        super().__init__(problems, len(content.ids), "tigerxml")
        self.ids = content.ids
        rows = np.arange(len(content.errors))
        sentence, lines = (
            np.array([each[at] for each in content.errors], np.int64) for at in (0, 1)
        )
        self.refuse(rows, lambda row: content.errors[row][2], lines, sentence, kind=TREES)
        self.unread(content.secondary, "secondary edge")
        if content.attributes:
            which = ", ".join(f"'{name}'" for name in content.attributes)
            problems.note(f"attributes that were not read: {which}", kind="unread")
        if content.has_header:
            problems.note("the header of the corpus was not read", kind="unread")

    def find_name(self, sentence: int) -> str:
        """The id of the sentence."""
        return self.ids[sentence] or super().find_name(sentence)
