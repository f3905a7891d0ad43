"""Tables of questions, and the tables with answers that come back from people and spreadsheets."""

from __future__ import annotations

import csv
import gzip
from pathlib import Path

import pytest

from tertium.exceptions import FormatError, InputError, UsageError
from tertium.formats.questions import Questions, read_answers, write_questions

OUT = Questions("1.3", "to get [off] the bus", ("I", "R"), "R")
NEW = "item\tcontext\ttag\tanswer\tannotator\n1.3:I\tto get [off] the bus\tI\t\t\n"
ODD = Questions("a b.tsv:2.1-2", 'he\tsaid "[x\ny\0]" twice', ('"', "a\tb", "a,b;c", "", " "), '"')


def read(folder: Path, *tables: str | bytes) -> tuple[dict[str, list[bool]], int]:
    """The answers in tables, and how many people gave them."""
    paths = []
    for number, table in enumerate(tables):
        paths.append(str(folder / f"{number}.tsv"))
        Path(paths[-1]).write_bytes(table if isinstance(table, bytes) else table.encode())
    said, people = read_answers(paths, {*OUT.items.values(), *ODD.items.values()})
    return said, len(people)


def test_a_row_per_question(tmp_path: Path) -> None:
    write_questions(str(tmp_path / "q.tsv"), [OUT])
    text = (tmp_path / "q.tsv").read_text("utf-8")
    assert text == NEW + "1.3:R\tto get [off] the bus\tR\t\t\n"
    assert read(tmp_path, text) == ({}, 0), "nobody has answered"


@pytest.mark.parametrize("delimiter", ["\t", ",", ";"])
def test_what_is_written_reads_back_whatever_the_words(tmp_path: Path, delimiter: str) -> None:
    path = tmp_path / "q.tsv.gz"
    write_questions(str(path), [OUT, ODD])
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t"))
    assert [row[0] for row in rows[1:]] == [*OUT.items.values(), *ODD.items.values()]
    assert {row[1] for row in rows[3:]} == {'he said "[x y ]" twice'}
    with (tmp_path / "a.csv").open("w", newline="", encoding="utf-8-sig") as file:
        table = csv.writer(file, delimiter=delimiter, quoting=csv.QUOTE_ALL)
        # As a spreadsheet may: quotes everywhere, CR LF, columns in another order, and one more.
        table.writerow([*rows[0][::-1], "remark"])
        for n, row in enumerate(rows[1:]):
            table.writerow([row[4], ("Yes", " NO ")[n % 2], *row[2::-1], "?\nwhy"])
    said, people = read_answers([str(tmp_path / "a.csv")], {row[0] for row in rows})
    assert said == {row[0]: [n % 2 == 0] for n, row in enumerate(rows[1:])}
    assert len(people) == 1


def test_several_people_in_one_file_and_in_several(tmp_path: Path) -> None:
    head = "item\tannotator\tanswer\n"
    two = head + "1.3:I\tann\ty\n1.3:I\tben\tn\n1.3:R\tben\tTRUE\n1.3:R\tann\t\n"
    one = head + "1.3:I\tann\t0\n"
    assert read(tmp_path, two) == ({"1.3:I": [True, False], "1.3:R": [True]}, 2)
    assert read(tmp_path, two, one) == ({"1.3:I": [True, False, False], "1.3:R": [True]}, 3)
    path = str(tmp_path / "0.tsv")
    for again in (path, str(tmp_path / "." / "0.tsv")):
        with pytest.raises(UsageError, match="names a file twice"):
            read_answers([path, again], OUT.items.values())


def test_nobody_needs_a_name(tmp_path: Path) -> None:
    assert read(tmp_path, "answer,item\nno,1.3:R\n\nyes,1.3:I\n") == (
        {"1.3:R": [False], "1.3:I": [True]}, 1,
    )  # fmt: skip


@pytest.mark.parametrize("end", ["\r\n", "\n"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_line_ends_and_byte_order_marks(tmp_path: Path, end: str, mark: bytes) -> None:
    table = end.join(["item\tanswer", "1.3:I\tyes", "", "1.3:R\tno"])
    assert read(tmp_path, mark + table.encode()) == ({"1.3:I": [True], "1.3:R": [False]}, 1)


HEAD = "item\tannotator\tanswer\n"


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("", "0.tsv:1: the first line is blank; expected the names of columns"),
        ("item-answer\n", "0.tsv:1: expected one column 'item'. Got 0 instead."),
        ("item\ttag\n1.3:I\tI\n", "0.tsv:1: expected one column 'answer'. Got 0 instead."),
        ("item,answer,answer\n1.3:I,yes,no\n", "expected one column 'answer'. Got 2 instead."),
        (HEAD + "9.9:I\tA\tyes\n", "0.tsv:2: there is no question '9.9:I'"),
        (HEAD + "\tA\tyes\n", "0.tsv:2: there is no question ''"),
        (HEAD + "1.3:I\tA\tPerhaps\n", "must be yes or no. Got 'perhaps' instead"),
        (HEAD + "1.3:I\tA\ty\n\n1.3:I\tA\ty\n", "0.tsv:4: 'A' answers '1.3:I' again, after line 2"),
        (HEAD + "1.3:I\tA\ty\n1.3:I\tA\tn\n", "0.tsv:3: 'A' answers '1.3:I' again, after line 2"),
        (HEAD + "1.3:I\tyes\n", "0.tsv:2: 2 columns, expected 3 as in the first line"),
        (HEAD + "1.3:I\tA\t\tyes\n", "0.tsv:2: 4 columns, expected 3"),
        (HEAD + '1.3:I\t"A\tyes\n1.3:R\tA\tno\n', "0.tsv:2: not a table: unexpected end of data"),
        (HEAD + '1.3:I\t"A"B\tyes\n', "0.tsv:2: not a table: "),
        (b"item\tanswer\n1.3:I\tj\xe4\n", "is not valid UTF-8"),
        ("item\tanswer\n1.3:I\tyes\n".encode("utf-16"), "the file is UTF-16"),
        (b"item\tanswer\n\x00\n", "NUL byte"),
    ],
)
def test_what_is_wrong_is_refused_with_its_line(
    tmp_path: Path, table: str | bytes, message: str
) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path, table)
    assert message in caught.value.message


def test_all_wrong_answers_are_counted(tmp_path: Path) -> None:
    rows = [f"9.{n}:I\tA\tyes\n" for n in range(9)]
    with pytest.raises(FormatError) as caught:
        read(tmp_path, HEAD + "".join(rows))
    assert "... and 4 more" in caught.value.message
    assert "which the questions were written" in (caught.value.help or "")


def test_long_contexts_and_lines_of_records(tmp_path: Path) -> None:
    context = "word " * 50_000
    table = f'item\tcontext\tanswer\n1.3:I\t"{context}\n{context}"\tyes\n1.3:R\t\tmaybe\n'
    with pytest.raises(InputError, match=r"0.tsv:4: the answer to '1.3:R'"):
        read(tmp_path, table)
