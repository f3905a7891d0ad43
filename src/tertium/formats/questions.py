"""Plausibility questions as a table for annotators, and the tables that come back with answers.

A row asks whether a label is plausible in a context. Annotators write yes or no into the column
`answer` and their name into `annotator`. A spreadsheet may add quotes and columns, change the order
of columns, and write commas or semicolons for tabs.
"""

from __future__ import annotations

import csv
import io
import os
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from tertium.exceptions import UsageError
from tertium.formats.base import Problems, Reading
from tertium.formats.lines import check_text, load
from tertium.formats.sources import open_input
from tertium.formats.targets import open_output

COLUMNS = ("item", "context", "tag", "answer", "annotator")
YES, NO = ("yes", "y", "true", "1"), ("no", "n", "false", "0")


@dataclass(frozen=True)
class Questions:
    """Is each of these labels plausible for some words? `place` is the name of the words, `context`
    the sentence with them in brackets, `given` the label that is annotated there."""

    place: str
    context: str
    labels: tuple[str, ...]
    given: str

    @property
    def items(self) -> dict[str, str]:
        """What the question about each label is called."""
        return {label: f"{self.place}:{label}" for label in self.labels}


def write_questions(path: str, asked: Iterable[Questions]) -> None:
    """A row per question, with a column for the answer."""
    buffer = io.StringIO()
    table = csv.writer(buffer, delimiter="\t", lineterminator="\n")
    table.writerow(COLUMNS)
    for each in asked:
        context = re.sub("[\x00- ]+", " ", each.context)  # on one line, without tabs
        for label, item in each.items.items():
            table.writerow((item, context, label, "", ""))
    with open_output(path) as stream:
        stream.write(buffer.getvalue().encode("utf-8", "backslashreplace"))


def read_answers(
    paths: Sequence[str], known: Collection[str]
) -> tuple[dict[str, list[bool]], set[tuple[str, str]]]:
    """The answers to each of the `known` questions that has some, and who gave them: file and name,
    since people of different files are different even if nobody has put in a name."""
    said: dict[str, list[bool]] = {}
    first: dict[tuple[str, str, str], int] = {}
    if len({*map(os.path.realpath, paths)}) < len(paths):
        raise UsageError("'--answers' names a file twice", help="name every file once")
    for path in paths:
        problems = Problems(
            Reading("stdin" if path == "-" else path),
            help="answer yes or no, and run variation with the options (such as --limit) with "
            "which the questions were written",
        )
        for line, item, answer, annotator in _rows(path, problems):
            earlier = first.setdefault((path, annotator, item), line)
            if item not in known:
                problems.error(f"there is no question '{item}'", line=line)
            elif answer not in (*YES, *NO):
                message = f"the answer to '{item}' must be yes or no. Got '{answer}' instead."
                problems.error(message, line=line)
            elif earlier != line:
                message = f"'{annotator}' answers '{item}' again, after line {earlier}"
                problems.error(message, line=line)
            said.setdefault(item, []).append(answer in YES)
        problems.stop()
    return said, {(path, annotator) for path, annotator, _ in first}


def _rows(path: str, problems: Problems) -> Iterator[tuple[int, str, str, str]]:
    """Line, question, answer in small letters and annotator of every row that has an answer."""
    with open_input(path) as stream:
        buf = load(stream, problems)
    check_text(buf, problems)
    text = buf.tobytes().decode()
    csv.field_size_limit(max(csv.field_size_limit(), len(text)))
    delimiter = max("\t;,", key=text.partition("\n")[0].count)
    table = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    line = 1
    try:
        names = [name.strip() for name in next(table, [])]
        if not names:
            raise problems.fatal("the first line is blank; expected the names of columns", line=1)
        for name in ("item", "answer"):
            if names.count(name) != 1:
                message = f"expected one column '{name}'. Got {names.count(name)} instead."
                raise problems.fatal(message, line=1, help=f"columns: {', '.join(names)}")
        line = table.line_num + 1
        for row in table:
            cells = dict(zip(names, row, strict=False))
            answer = cells.get("answer", "").strip().lower()
            if row and len(row) != len(names):
                message = f"{len(row)} columns, expected {len(names)} as in the first line"
                problems.error(message, line=line)
            elif answer:
                yield line, cells["item"], answer, cells.get("annotator", "").strip()
            line = table.line_num + 1
    except csv.Error as error:
        help = 'a field that begins with a quote ends with one; quotes inside it are written as ""'
        raise problems.fatal(f"not a table: {error}", line=line, help=help) from None
