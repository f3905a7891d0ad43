"""TigerXML, the format of TIGERSearch: words, constituents and edges as XML elements."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Bytes
from tertium.corpus.layers import Bools, Trees
from tertium.corpus.trees import POS, TREES
from tertium.formats.base import Problems
from tertium.formats.lines import check_text
from tertium.formats.trees.base import TreeFormat
from tertium.formats.trees.nodes import (
    FIRST_NODE,
    NONE,
    NodeEntry,
    NodeReader,
    WordEntry,
    sheets,
)
from tertium.formats.trees.tiger_elements import VROOT, Elements

_DECLARED = re.compile(rb"""\s*<\?xml[^>]*\bencoding\s*=\s*["']([\w.:-]+)["']""")
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
        content = Elements(problems)
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


class _Reader(NodeReader):
    """Reports what is wrong."""

    def __init__(self, problems: Problems, content: Elements) -> None:
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
