"""Files of documents: `#begin document (name); part 000`, then sentences, one token a line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import PurePath

import numpy as np

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Bytes, Int64, Labels, bounds_of
from tertium.corpus.layers import Bools, Comments, Layer
from tertium.exceptions import InputError, counted
from tertium.formats.base import Problems
from tertium.formats.conll import BlockReader
from tertium.formats.lines import (
    HASH,
    SPACE,
    TAB,
    FieldTable,
    Index,
    by_sentence,
    first_lines,
    grouped,
    runs,
    scan,
)
from tertium.formats.sources import HEAD as SNIFFED
from tertium.formats.sources import strip_compression

_BEGIN = re.compile(r"#\s*begin document\b(.*)")
_END = re.compile(r"#\s*end document\b")
_NAME = re.compile(r"\((.*)\)[\s;]*(?:part\s+(\S+?))?[\s;]*")
_PART = re.compile(r"(.*); part (\S+)")
COREF = "coref"
NO_WORD = "_"  # the form of a token whose word the file does not have
NOT_READ, ENTITIES = "unread-mentions", "entities"  # kinds of notes on what is scored
MOST_SNIFFED = 200  # lines


def document_name(text: str) -> str:
    """The name in what follows `#begin document`.

    >>> document_name("(a/b); part 001"), document_name("(a);"), document_name("a b")
    ('a/b; part 001', 'a', 'a b')
    """
    found = _NAME.fullmatch(text.strip())
    if found is None:
        return text.strip()
    return f"{found[1].strip()}; part {found[2]}" if found[2] else found[1].strip()


def split_part(name: str) -> tuple[str, str]:
    """A document's name without its part, and the part.

    >>> split_part("a/b; part 001"), split_part("a")
    (('a/b', '001'), ('a', ''))
    """
    found = _PART.fullmatch(name)
    return (found[1], found[2]) if found else (name, "")


def twin_name(name: str, line: int) -> str:
    """What a document is called that has the name of an earlier one, and is left out.

    >>> twin_name("a/b", 12), twin_name("a/b", 0)
    ('a/b (line 12)', 'a/b (again)')
    """
    return f"{name} (line {line})" if line else f"{name} (again)"


def sniffed_document(head: bytes) -> tuple[str | None, list[list[bytes]]]:
    """What follows `begin document` at the beginning of a file, None where that is not there; and
    the fields of the first lines of tokens."""
    lines = [line for line in first_lines(head, MOST_SNIFFED) if line.strip()]
    comments = [line.decode("utf-8", "replace") for line in lines if line.startswith(b"#")]
    begins = next((found for line in comments if (found := _BEGIN.match(line))), None)
    return begins and begins[1].strip(), [
        line.split() for line in lines if not line.startswith(b"#")
    ]


def counts_tokens(rows: list[list[bytes]]) -> bool:
    """Are there three columns, of which the first counts tokens from 0 or 1, as in GUM? A token may
    lack its form."""
    numbers = [row[0] if len(row) in (2, 3) else b"" for row in rows]
    first = int(numbers[0]) if numbers and numbers[0] in (b"0", b"1") else -1
    fits = [number == str(first + place).encode() for place, number in enumerate(numbers)]
    is_whole = any(len(row) == 3 for row in rows)
    return is_whole and first >= 0 and 2 * sum(fits) > len(rows)


def _table(buf: Bytes, problems: Problems) -> FieldTable:
    """Lines and fields; comments have -1 fields. Tabs at the end of a line separate nothing."""
    separator = _separator(buf)
    table = scan(buf, problems, separator=separator)
    start, end, _, fields = table.lines
    comments = np.flatnonzero(end > start)
    fields[comments[buf[start[comments]] == HASH]] = -1
    if separator == TAB:
        while len(rows := np.flatnonzero((fields > 1) & (buf[end - 1] == TAB))):
            end[rows] -= 1
            fields[rows] -= 1
    return table


def _separator(buf: Bytes) -> int:
    """A tab if most of the first lines of tokens have one, else tabs and spaces."""
    lines = (line.strip() for line in buf[:SNIFFED].tobytes().split(b"\n"))
    has_tab = [b"\t" in line for line in lines if line and not line.startswith(b"#")]
    return TAB if 2 * sum(has_tab) > len(has_tab) else SPACE


class DocumentReader(BlockReader):
    """Turns the table of one file into documents, sentences and lines of tokens.

    A document is read as a whole or not at all, since what is wrong with one of its mentions may
    concern any sentence.
    """

    def __init__(self, buf: Bytes, problems: Problems, format: str) -> None:
        self.table = table = _table(buf, problems)
        fields = table.field_count
        hashes = table.lines_where(fields == -1)
        begins, ends, others = self._marks(hashes, problems)
        separates = fields == 0
        separates[[*begins, *ends]] = True
        block = np.cumsum(separates, dtype=table.lines.dtype)
        self.token_lines = table.lines_where(fields > 0)
        self.block_of_sentence, self.of_line = runs(block[self.token_lines])
        self.comment_lines, self.block_of_comment = others, block[others]
        super().__init__(problems, len(self.block_of_sentence), format)
        self.first_line = self.token_lines[np.searchsorted(self.of_line, np.arange(len(self.bad)))]
        self._place_documents(begins, ends)

    def _marks(self, hashes: Index, problems: Problems) -> tuple[dict[int, str], list[int], Index]:
        """The lines that begin documents with the names they give, those that end one, and
        comments."""
        begins, ends, others = dict[int, str](), list[int](), list[int]()
        texts = self.table.intern(self.table.lines[0][hashes], self.table.lines[1][hashes])
        names = texts.names.strings
        for line, code in zip(hashes.tolist(), texts.codes.tolist(), strict=True):
            if found := _BEGIN.match(names[code]):
                begins[line] = document_name(found[1])
            elif _END.match(names[code]):
                ends.append(line)
            else:
                others.append(line)
        stem = PurePath(strip_compression(problems.reading.origin)).stem
        for line, name in begins.items():
            if not split_part(name)[0]:
                begins[line] = stem + name
        return begins, ends, np.array(others, self.table.lines.dtype)

    def _place_documents(self, begins: dict[int, str], ends: list[int]) -> None:
        """Which sentences belong to which document. Documents without tokens are noted; those with
        the name of another one and tokens outside documents are refused."""
        lines, names = np.array([*begins], np.int64), [*begins.values()]
        mark = np.searchsorted(lines, self.first_line) - 1  # of each sentence
        used, self.document = runs(mark + 1)  # 0 is before the first mark
        used -= 1
        self.documents = np.searchsorted(mark, used[used >= 0]).astype(np.int64)
        self.names = [names[each] if each >= 0 else "" for each in used.tolist()]
        for each in np.setdiff1d(np.arange(len(lines)), used).tolist():
            message = f"document '{names[each]}' has no tokens"
            self.problems.note(message, line=int(lines[each]) + 1, kind="empty-document")
        seen = dict[str, int]()
        for document, each in enumerate(used.tolist()):
            if each >= 0 and seen.setdefault(names[each], each) != each:
                first = int(lines[seen[names[each]]]) + 1
                message = f"document '{names[each]}' is in the file twice (first in line {first})"
                line = int(lines[each]) + 1
                self.problems.error(message, line=line, kind="document")
                self.bad[self.document == document] = True
                self.names[document] = twin_name(names[each], line)
        closed = np.searchsorted(np.array(ends, np.int64), self.first_line) - 1
        last = np.append(np.array(ends, np.int64), -1)[closed]
        opened = np.append(lines, -1)[mark]
        outside = np.flatnonzero((last > opened) & (mark >= 0))
        message = "a token after '#end document' belongs to no document"
        self.refuse(outside, message, self.first_line, np.arange(len(self.bad)))

    def document_of(self, sentence: int) -> str:
        """The name of a sentence's document for messages."""
        name = self.names[self.document[sentence]]
        return f"document '{name}'" if name else "the document"

    def check_columns(self, least: int) -> None:
        """All lines of a sentence have as many columns; `width` is how many all lines have."""
        fields = np.asarray(self.table.field_count[self.token_lines], np.int64)
        expected = _usual_in(fields, self.of_line, len(self.bad))[self.of_line]

        def message(at: int) -> str:
            found = counted(int(fields[at]), "column")
            if fields[at] < least:
                return f"{found}, expected {least} or more"
            return f"{found}, expected {expected[at]} as in the rest of the sentence"

        narrow = fields < least
        if len(fields) and narrow.all():
            raise self.problems.fatal(
                f"{message(0)}; no line of the file has as many",
                line=int(self.token_lines[0]) + 1,
                help="if the format is different, name it with '--input-format'; "
                "'tertium list formats' shows all",
            )
        wrong = np.flatnonzero(narrow | (fields != expected))
        self.refuse(wrong, message, self.token_lines, self.of_line)
        if len(wrong):
            self._leave_out(~(narrow | (fields != expected)))
            fields = np.asarray(self.table.field_count[self.token_lines], np.int64)
        self.width = int(fields.min()) if len(fields) else least

    def _leave_out(self, keep: Bools) -> None:
        self.token_lines, self.of_line = self.token_lines[keep], self.of_line[keep]

    def column(self, place: int) -> tuple[Index, Index]:
        """Where the fields of a column begin and end, for all lines of tokens."""
        return self.table.bounds(self.token_lines, place)

    def words(self, place: int) -> Labels:
        """A column of words; NO_WORD, with a note, for a token whose word is empty."""
        found = self.table.labels(self.token_lines, place)
        empty = found.where("")
        if not len(empty):
            return found
        message = f"a token without a form is read as '{NO_WORD}'"
        self.note_few("empty-form", message, self.token_lines[empty], self.of_line[empty])
        return found.rename({"": NO_WORD})

    def tags(self, place: int) -> Labels:
        """A column of tags without spaces around them; '-' where there is none."""
        found = self.table.labels(self.token_lines, place)
        plain = {name: name.strip(" ") or "-" for name in found.names}
        return found if all(name == own for name, own in plain.items()) else found.rename(plain)

    def settle(self) -> None:
        """Raise where reading on is of no use, else leave out all sentences of documents that hold
        a bad one. `is_kept` and `place` say which of the lines so far stay, and where."""
        stop_at_documents(self.problems)
        bad = np.zeros(len(self.names), np.bool_)
        bad[self.document[self.bad]] = True
        self.bad = bad[self.document]
        self.is_kept: Bools = ~self.bad[self.of_line]
        self.place = (np.cumsum(self.is_kept) - 1).astype(np.int32)
        if self.bad.any():
            self._leave_out(self.is_kept)

    def documented(
        self, forms: Labels, layers: dict[str, Layer], extras: dict[str, Layer]
    ) -> Corpus:
        """The corpus, with comments among its extras."""
        if len(comments := self.comment_lines):
            sentence = np.searchsorted(self.block_of_sentence, self.block_of_comment)
            here = (sentence < len(self.bad)) & np.isin(
                self.block_of_comment, self.block_of_sentence
            )
            alone = comments[~here]
            self.note_few("note", "comment without a sentence", alone)
            start, end = (self.table.lines[i][comments[here]] + 1 - i for i in (0, 1))
            if here.any():
                text = self.table.intern(start, end)
                extras["comments"] = Comments(sentence[here].astype(np.int32), text)
        names = self.names[len(self.names) - len(self.documents) :]
        return self.corpus(
            bounds_of(np.bincount(self.of_line, minlength=len(self.bad))),
            forms=forms,
            layers=layers,
            extras=extras,
            documents=self.documents,
            document_names=Labels.of(names),
            lines=(self.token_lines + 1).astype(np.int32),
        )


def stop_at_documents(problems: Problems) -> None:
    """Raise where reading on is of no use. What is left out otherwise are documents."""
    problems.help = (
        f"'tertium validate {problems.reading.origin}' lists every problem; '--on-error skip' "
        "leaves such documents out, 'repair' what is wrong in them, and both count it"
    )
    problems.stop()


def _usual_in(fields: Int64, sentence: Index, count: int) -> Int64:
    """The number of fields that most lines of each sentence have; of equally frequent ones the
    larger."""
    first = np.searchsorted(sentence, np.arange(count))
    usual: Int64 = fields[first] if len(fields) else np.zeros(count, np.int64)
    for each in np.unique(sentence[fields != usual[sentence]]).tolist():
        counts = np.bincount(fields[slice(*np.searchsorted(sentence, [each, each + 1]))])
        usual[each] = np.flatnonzero(counts == counts.max())[-1]
    return usual


def written_documents(
    corpus: Corpus, begin: Callable[[str], str], end: str, lines: list[str]
) -> Iterator[str]:
    """Documents between lines that begin and end them, with a line for each token. Comments stand
    before their sentence, unless they would be read as such lines."""
    comments: dict[int, list[str]] = grouped(corpus.rows_of("comments", Comments))
    names = dict(zip(corpus.documents.tolist(), corpus.document_names.to_list(), strict=True))
    for sentence, tokens in enumerate(by_sentence(corpus, lines)):
        if sentence in names:
            first = begin(names[sentence])
            found = _BEGIN.fullmatch(first)
            if found is None or document_name(found[1]) != names[sentence]:
                raise InputError(
                    f"{corpus.origin}: a document cannot be called {names[sentence]!r} in this "
                    "format"
                )
            yield f"{end}\n\n{first}\n" if sentence else f"{first}\n"
        else:
            yield "\n"
        texts = (f"#{text}" for text in comments.get(sentence, ()))
        yield "".join(f"{text}\n" for text in texts if not (_BEGIN.match(text) or _END.match(text)))
        yield "".join(tokens)
    if corpus.sentence_count:
        yield f"{end}\n"
