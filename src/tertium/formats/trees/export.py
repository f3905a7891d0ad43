"""NEGRA export, versions 3 and 4: a line per word, then a line per constituent, with parents."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Bytes, Int32, Int64, Labels
from tertium.corpus.layers import Bools, Comments
from tertium.corpus.trees import POS, TREES
from tertium.exceptions import counted, shorten
from tertium.formats.base import Problems
from tertium.formats.lines import (
    LINE_BREAKS,
    SPACE,
    FieldTable,
    Index,
    first_lines,
    grouped,
    scan,
    word_ids,
)
from tertium.formats.trees.base import TreeFormat
from tertium.formats.trees.nodes import FIRST_NODE, NO_FUNCTION, NONE, NodeReader, Nodes, sheets

WIDTHS = {3: 5, 4: 6}  # columns up to the parent
# What follows the id of a sentence.
HEADER = ("editor", "date", "origin")
_NODE = re.compile(rf"#\d{{{len(str(FIRST_NODE))},}}")
_DIRECTIVES = ("#BOS", "#EOS", "#BOT", "#EOT", "#FORMAT")


@dataclass(frozen=True, repr=False)
class Export(TreeFormat):
    """Trees with crossing branches. Parent 0 is no parent. The lemma and the morphology of words
    are the layers `lemma` and `morph`; secondary edges are counted and left out."""

    id = "export"
    title = "NEGRA export, versions 3 and 4: trees with crossing branches"
    suffixes = (".export", ".negra")
    layers = (TREES, POS, "lemma", "morph")
    functions_in_tags = False
    lossy = "everything but trees, parts of speech, lemmas, morphology and sentence ids"

    def sniff(self, head: bytes) -> float:
        """The file begins with a sentence, a table or a comment."""
        begins = re.search(rb"(?m)^#BOS[ \t]", head)
        lines = [line for line in first_lines(head, 50) if line.strip()]
        first = lines[0].split()[0] if lines else b""
        if first in (b"#BOS", b"#FORMAT", b"#BOT") or (first.startswith(b"%%") and begins):
            return 0.95
        return 0.5 if begins else 0.0

    def parse(self, buf: Bytes, problems: Problems) -> Corpus:
        """See the class."""
        return _Reader(scan(buf, problems, separator=SPACE), problems).corpus_of_file()

    def blocks(self, corpus: Corpus) -> Iterator[str]:
        """Version 4 if there are lemmas, else version 3."""
        has_lemmas = "lemma" in corpus.layers
        bodies = sheets(corpus, self.id, _is_refused)
        yield f"#FORMAT {3 + has_lemmas}\n"
        about: dict[int, list[str]] = grouped(corpus.rows_of("comments", Comments))
        for sentence, (words, nodes) in enumerate(bodies):
            name = re.sub(r"\s+", "_", corpus.sentence_id(sentence))
            lines = [" ".join(["#BOS", name, *_header(about.get(sentence, []))])]
            for word in words:
                middle = (word.lemma, word.tag)[not has_lemmas :]
                lines.append(_line(word.form, *middle, word.morph, word.function, word.parent))
            for node in nodes:
                middle = (NONE, node.label or NONE)[not has_lemmas :]
                lines.append(_line(f"#{node.number}", *middle, NONE, node.function, node.parent))
            yield "\n".join([*lines, f"#EOS {name}", ""])


def _line(*fields: object) -> str:
    return "\t".join(map(str, fields))


def _header(comments: list[str]) -> list[str]:
    """What follows the id of a sentence: editor, date and origin up to the last that is known, and
    a comment."""
    given = dict(text.strip().split(" = ", 1) for text in comments if " = " in text)
    known = [re.sub(r"\s+", "_", given.get(key, "0")) for key in HEADER]
    while known and HEADER[len(known) - 1] not in given:
        known.pop()
    return [*known, *(["%%", given["comment"]] if "comment" in given else [])]


def _is_refused(text: str) -> bool:
    """Would a string be read as something else, or as several?"""
    return (
        not text
        or any(sign in " \t" + LINE_BREAKS for sign in text)
        or text.startswith("%%")
        or text in _DIRECTIVES
        or bool(_NODE.fullmatch(text))
    )


class _Reader(NodeReader):
    """Reads one file: where sentences begin and end, then their lines, then parents."""

    def __init__(self, table: FieldTable, problems: Problems) -> None:
        self.table = table
        lines = table.lines_where(table.field_count > 0)
        starts, ends = table.bounds(lines, 0)
        content = ~_begins(table, starts, ends, "%%")
        lines, starts, ends = lines[content], starts[content], ends[content]
        is_hash = _begins(table, starts, ends, "#")
        kind, number, _ = word_ids(table.buf, starts + is_hash, ends)
        is_node = is_hash & (kind == 0) & (number >= FIRST_NODE)
        others = np.flatnonzero(is_hash & ~is_node)
        names = table.intern(starts[others], ends[others])
        outline = _Outline(table, problems)
        for line, name in zip(lines[others].tolist(), names.to_list(), strict=True):
            outline.add(line, name)
        outline.close()
        inside = ~outline.is_passed[lines]
        self.lines, self.is_node, self.number = lines[inside], is_node[inside], number[inside]
        lost = outline.take_in(self.lines)
        super().__init__(problems, len(outline.begins), "export")
        self.outline = outline
        found = np.searchsorted(outline.begins, self.lines, side="right") - 1
        self.sentence = found.astype(np.int32)
        for line in problems.listed(lost):
            text = shorten(table.text(line))
            problems.error(f"'{text}' is outside a sentence", line=line + 1)
        for sentence, line, message in outline.errors:
            problems.error(message, line=line + 1, sentence=self.name(sentence))
            self.bad[sentence] = True
        self.bad[np.searchsorted(outline.begins, lost, side="right") - 1] = True
        self._keep(~np.isin(self.lines, lost))

    def find_name(self, sentence: int) -> str:
        """The id after #BOS."""
        return self.outline.ids[sentence] or super().find_name(sentence)

    def _keep(self, chosen: Bools) -> None:
        for name in ("lines", "is_node", "number", "sentence"):
            setattr(self, name, getattr(self, name)[chosen])

    def _refuse(self, rows: Index, message: str | Callable[[int], str], mended: int = 0) -> None:
        self.refuse(rows, message, self.lines, self.sentence, kind=TREES, mended=mended)

    def corpus_of_file(self) -> Corpus:
        """The corpus."""
        width = self._check_widths()
        self.problems.stop()
        self._keep(~self.bad[self.sentence])
        parent = self._parents(width)
        words, nodes = np.flatnonzero(~self.is_node), np.flatnonzero(self.is_node)
        late = np.searchsorted(self.sentence[nodes], self.sentence[words])
        first = np.append(self.lines[nodes], np.iinfo(np.int32).max)[late]
        is_late = (first < self.lines[words]) & (
            np.append(self.sentence[nodes], -1)[late] == self.sentence[words]
        )
        self._refuse(words[is_late], "a word after the first constituent")
        for column in range(1, width - 2):
            if column != width - 4:
                of_nodes = self.table.labels(self.lines[nodes], column)
                count = len(nodes) - len(of_nodes.where(NONE))
                what = "morphological tag" if column == width - 3 else "lemma"
                self.unread(count, f"{what} of a constituent", f"{what}s of constituents")
        form, tag, lemma, morph = (
            self.table.labels(self.lines[words], at) for at in (0, width - 4, 1, width - 3)
        )
        found = Nodes(
            self.sentence[nodes],
            parent[nodes],
            self.table.labels(self.lines[nodes], width - 4).rename({NONE: ""}),
            self._functions(nodes, width),
            self.lines[nodes].astype(np.int32),
            self.sentence[words],
            parent[words],
            form,
            tag,
            self._functions(words, width),
            self.lines[words].astype(np.int32),
            {"morph": morph} if width == WIDTHS[3] else {"lemma": lemma, "morph": morph},
        )
        found = found.checked(self)
        self.problems.stop()
        return found.corpus(self, self.outline.comments())

    def _functions(self, rows: Int64, width: int) -> Labels:
        """The functions of some lines, empty where there is none."""
        return self.table.labels(self.lines[rows], width - 2).rename(NO_FUNCTION)

    def _check_widths(self) -> int:
        """The number of columns up to the parent. Lines with fewer are refused; what follows is
        counted."""
        table, lines = self.table, self.lines
        count = table.field_count[lines].astype(np.int64)
        width = WIDTHS[self.outline.version or self._version()]
        short = np.flatnonzero(count < width)
        self._refuse(short, lambda at: f"{counted(int(count[at]), 'column')}, expected {width}")
        assert table.ends is not None
        notes = np.flatnonzero(_begins(table, table.starts, table.ends, "%%"))
        line = np.searchsorted(table.lines[2], notes, side="right") - 1
        place = np.searchsorted(lines, line)
        place[place == len(lines)] = 0
        column = notes - table.lines[2][line]
        is_note = (lines[place] == line) & (column >= width) if len(lines) else line < 0
        np.minimum.at(count, place[is_note], column[is_note])
        self.unread(int((np.maximum(count - width, 0) // 2).sum()), "secondary edge")
        self.unread(len(np.unique(place[is_note])), "comment on a line", "comments on lines")
        return width

    def _version(self) -> int:
        """The version of a file that does not name it: in version 4 the sixth column of the first
        word is a number, and the fifth is not."""
        for at in np.flatnonzero(self.table.field_count[self.lines] >= WIDTHS[4])[:1]:
            line = self.lines[at : at + 1]
            fifth, sixth = (int(self.table.numbers(line, column)[0]) for column in (4, 5))
            return 4 if fifth < 0 <= sixth else 3
        return 3

    def _parents(self, width: int) -> Int32:
        """The number of every line's parent among all nodes, -1 for none."""
        parent = self.table.numbers(self.lines, width - 1)
        self._refuse(
            np.flatnonzero(parent < 0),
            lambda at: (
                f"the parent '{self.table.field(int(self.lines[at]), width - 1)}' is not a number"
            ),
        )
        keys, wanted = (
            self.sentence.astype(np.int64) << 32 | np.maximum(each, 0)
            for each in (self.number, parent)
        )
        nodes = np.flatnonzero(self.is_node)
        order = np.argsort(keys[nodes], kind="stable")
        known = keys[nodes][order]
        again = np.sort(nodes[order][1:][known[1:] == known[:-1]])
        self._refuse(again, lambda at: f"#{self.number[at]} occurs twice")
        place = np.minimum(np.searchsorted(known, wanted), max(len(known) - 1, 0))
        there = known[place] == wanted if len(known) else np.zeros(len(wanted), np.bool_)
        lost = np.flatnonzero(~there & (parent > 0))
        self._refuse(lost, lambda at: f"there is no parent #{parent[at]}", mended=len(lost))
        return np.where(there, order[place] if len(known) else -1, -1).astype(np.int32)


def _begins(table: FieldTable, starts: Index, ends: Index, prefix: str) -> Bools:
    """Do fields begin with a prefix?"""
    found: Bools = ends - starts >= len(prefix)
    for place, sign in enumerate(prefix):
        found[found] = table.buf[starts[found] + place] == ord(sign)
    return found


class _Outline:
    """Where tables and sentences begin and end. Lines are counted from 0."""

    def __init__(self, table: FieldTable, problems: Problems) -> None:
        self.table, self.problems = table, problems
        self.is_passed = np.zeros(len(table.field_count), np.bool_)  # lines that are no content
        self.version = 0
        self.begins: list[int] = []
        self.stops: list[int] = []
        self.ids: list[str] = []
        self.errors: list[tuple[int, int, str]] = []  # sentence, line, message
        self._rows: list[tuple[int, str]] = []  # sentences and their comments
        self._orphans: list[int] = []  # ends of sentences that have not begun
        self._is_open = False
        self._table = -1

    def add(self, line: int, name: str) -> None:
        """A line that begins with #, in the order of the file; words may do so, too."""
        if self._table >= 0:
            if name == "#EOT":
                self.is_passed[self._table : line + 1] = True
                self._table = -1
        elif name == "#BOS":
            self._begin(line)
        elif name == "#EOS":
            self._end(line)
        elif name == "#BOT" and not self._is_open:
            self._table = line
        elif name == "#FORMAT" and not self._is_open:
            self.is_passed[line] = True
            self.version = self._format(line)

    def _fields(self, line: int) -> list[str]:
        return self.table.text(line).split()[1:]

    def _format(self, line: int) -> int:
        given = (self._fields(line) or [""])[0]
        if given not in map(str, WIDTHS):
            raise self.problems.fatal(
                f"version '{given}' is not 3 or 4", line=line + 1,
                help="only versions 3 and 4 of the export format are known",
            )  # fmt: skip
        return int(given)

    def _begin(self, line: int) -> None:
        self._break_off(line)
        self._is_open = self.is_passed[line] = True
        fields, _, comment = self.table.text(line).partition("%%")
        given = fields.split()[1:]
        self.ids.append(given[0] if given else "")
        sentence = len(self.begins)
        about = zip(("sent_id", *HEADER), given, strict=False)
        self._rows += [(sentence, f" {key} = {value}") for key, value in about]
        if comment.strip():
            self._rows.append((sentence, f" comment = {comment.strip()}"))
        self.begins.append(line)
        self.stops.append(len(self.is_passed))

    def _end(self, line: int) -> None:
        self.is_passed[line] = True
        if not self._is_open:
            self._orphans.append(line)
            return
        given = self._fields(line)
        if given and given[0] != self.ids[-1]:
            message = f"#EOS {given[0]} ends a sentence that begins with #BOS {self.ids[-1]}"
            self.errors.append((len(self.ids) - 1, line, message))
        self.stops[-1] = line
        self._is_open = False

    def _break_off(self, line: int) -> None:
        if self._is_open:
            self.stops[-1] = line
            sentence = len(self.begins) - 1
            self.errors.append((sentence, self.begins[-1], "the sentence has no #EOS"))

    def close(self) -> None:
        """At the end of the file."""
        self._break_off(len(self.is_passed))
        if self._table >= 0:
            raise self.problems.fatal(
                "the table that begins here has no end", line=self._table + 1,
                help="#EOT ends a table",
            )  # fmt: skip

    def take_in(self, lines: Index) -> Int64:
        """Make a sentence of what is outside of all others between two of them, so bad sentences
        keep their place; which lines are outside."""
        lines = np.sort(np.append(lines, self._orphans).astype(np.int64))
        before = np.searchsorted(self.begins, lines, side="right")  # sentences that have begun
        lost = lines > np.append(-1, self.stops)[before]
        slots, first = np.unique(before[lost], return_index=True)
        if len(slots):
            after = np.arange(len(self.begins)) + np.searchsorted(
                slots, np.arange(len(self.begins)), side="right"
            )
            self._rows = [(int(after[sentence]), text) for sentence, text in self._rows]
            self.errors = [(int(after[at]), line, text) for at, line, text in self.errors]
            self.begins = np.insert(self.begins, slots, lines[lost][first]).tolist()
            self.ids = [str(id) for id in np.insert(np.array(self.ids, object), slots, "")]
        return lines[lost]

    def comments(self) -> Comments:
        """Ids of sentences and what else follows #BOS."""
        sentence = np.array([sentence for sentence, _ in self._rows], np.int32)
        return Comments(sentence, Labels.of(text for _, text in self._rows))
