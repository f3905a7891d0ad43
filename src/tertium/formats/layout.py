"""How sentences stand in a file: blocks of lines with comments, blank lines between them.

What is unusual is read all the same and noted; the UD evaluation refuses most of it
(`validate.refusals`).
"""

from __future__ import annotations

import numpy as np

from tertium.corpus.layers import Comments
from tertium.formats.base import Problems, Reader
from tertium.formats.lines import NO_FINAL_NEWLINE, FieldTable, runs

BLANK_LINES = "blank-lines"
COMMENT_INSIDE = "comment-inside"
NO_FINAL_BLANK = "no-final-blank-line"
SPACES_ONLY = "spaces-only-line"


class BlockReader(Reader):
    """Finds the sentences of a file, and the comments of each."""

    format: str

    def __init__(self, table: FieldTable, problems: Problems) -> None:
        block, self.block_count = table.blocks()
        token_lines = np.flatnonzero(table.field_count > 0)
        self.block_of_sentence, of_line = runs(block[token_lines])
        super().__init__(problems, len(self.block_of_sentence), self.format)
        self.table, self.block = table, block
        self.token_lines, self.of_line = token_lines, of_line.astype(np.int64)
        self.comment_lines = np.flatnonzero(table.field_count == -1)
        self.block_of_comment = block[self.comment_lines]

    def name(self, sentence: int) -> str:
        """A sentence's id from its comments, or its number."""
        block = self.block_of_sentence[sentence]
        first, last = np.searchsorted(self.block_of_comment, [block, block + 1])
        for line in self.comment_lines[first:last].tolist():
            key, equals, value = self.table.text(line)[1:].partition("=")
            if equals and key.strip() == "sent_id":
                return value.strip()
        return super().name(sentence)

    def comments(self) -> Comments | None:
        """Comment lines of every sentence."""
        if not self.reading.wants("comments"):
            return None
        here = np.isin(self.block_of_comment, self.block_of_sentence)
        lines = self.comment_lines[here]
        if not len(lines):
            return None
        sentence = np.searchsorted(self.block_of_sentence, self.block_of_comment[here])
        text = self.table.intern(self.table.lines[0][lines] + 1, self.table.lines[1][lines])
        return Comments(sentence.astype(np.int32), text)

    def note_comments(self) -> None:
        """Comments without a sentence, and inside one; one note for those that stand together."""
        fields, block = self.table.field_count, self.block
        inside = np.flatnonzero((fields[1:] == -1) & (fields[:-1] > 0)) + 1
        sentence = np.searchsorted(self.block_of_sentence, block[inside])
        self.note_few(COMMENT_INSIDE, "comment inside a sentence", inside, sentence)
        if self.block_count == len(self.block_of_sentence):
            return
        alone = np.setdiff1d(np.arange(self.block_count), self.block_of_sentence)
        first = np.searchsorted(block, alone)
        at_end = (alone == block[-1]) & (fields[-1] != 0)  # nothing follows, not even a blank line
        message = "comment without a sentence"
        self.note_few(BLANK_LINES, message, first[~at_end])
        self.note_few("note", message, first[at_end])

    def note_blank_lines(self) -> None:
        """Blank lines that end no sentence, hold spaces, or are missing at the end of the file."""
        fields, lines = self.table.field_count, self.table.lines
        blank = fields == 0
        spaced = np.flatnonzero(blank & (lines[1] > lines[0]))
        self.note_few(SPACES_ONLY, "line of white space only, read as a blank line", spaced)
        surplus = blank & np.concatenate([[True], blank[:-1]])
        surplus[spaced] = False
        first = np.flatnonzero(surplus & ~np.concatenate([[False], surplus[:-1]]))
        self.note_few(BLANK_LINES, "blank line that ends no sentence", first)
        last, sentence = len(fields) - 1, len(self.block_of_sentence) - 1
        if sentence < 0 or fields[last] == 0 or self.block[last] != self.block_of_sentence[-1]:
            return
        cut = self.problems.withdraw(NO_FINAL_NEWLINE)  # one note on the end of the file
        message = f"{'no newline and ' if cut else ''}no blank line after the last sentence"
        self.note_few(NO_FINAL_BLANK, message, np.array([last]), np.array([sentence]))
