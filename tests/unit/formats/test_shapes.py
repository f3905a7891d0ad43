"""Time grows with the size of a file, whatever is in it: quadratic code fails here."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

import tertium
from tertium.exceptions import FormatError
from tertium.formats.files import make, sniff
from tertium.formats.validate import Validation, check_file

SIZE = 200_000  # bytes, about
MOST = 2.0  # seconds; all take a tenth of it or less


def word(number: int, head: int, id: str = "", form: str = "w") -> str:
    return f"{id or number}\t{form}\t_\tX\t_\t_\t{head}\tdep\t_\t_\n"


def filled(piece: str) -> str:
    return piece * (SIZE // len(piece.encode()))


def counted(make: Callable[[int], str]) -> str:
    return "".join(make(i) for i in range(1, SIZE // len(make(9999)) + 1))


WORDS = SIZE // len(word(9999, 9999))
SHAPES = {
    "columns": {
        "a line": "x" * SIZE,
        "a field": f"w\t{'x' * SIZE}\nv\tX\n",
        "tabs": "\t" * SIZE,
        "blank lines": "\n" * SIZE,
        "comments": filled("#\n"),
        "distinct comments": counted(lambda i: f"# a{i}\n"),
        "comments, then words": filled("#\n") + filled("w\tX\n"),
        "headers": filled("# global.columns = FORM X\nw\tX\n\n"),
        "a sentence": filled("w\tB-X\n"),
        "sentences": filled("w\tB-X\n\n"),
        "labels": counted(lambda i: f"w{i}\tB-{i}\n"),
        "columns": filled("w ") + "\n" + filled("w ") + "\n",
        "widths": "".join("w" + " w" * (i % 500) + "\n" for i in range(SIZE // 500)),
        "a stack": "w\t" + "|".join(["B-X"] * (SIZE // 4)) + "\nv\tO\n",
        "stacks": "w\t" + "|".join(["B-X"] * 90) + "\n" + counted(lambda i: f"w{i}\tB-{i}\n"),
        "wrong tags": filled("w\tB-X\nw\tO\nw\tF\n"),
        "a wrong tag": f"w\tB-X\nw\tO\nw\tF{'x' * SIZE}\n" + filled(f"w\tF{'x' * 9}\n"),
        "documents": filled("-DOCSTART-\n\nw\tX\n\n"),
        "an index": counted(lambda i: f"{i}\tw\tX\n"),
        "comments, then errors": filled("#\n") + "w\tX\n" + filled("w\tX\nw\t\n"),
        "an id each": filled("# sent_id = x\nw\t\n\n"),
        "a wrong index": filled("1\tw\tX\n2\tw\tX\n1\tw\tX\n"),
        "ranges": filled("1-2\tw\tX\n1\tw\tX\n2\tv\tY\n\n"),
    },
    "conllu": {
        "a chain": counted(lambda i: word(i, i - 1)),
        "roots": counted(lambda i: word(i, 0)),
        "a cycle": "".join(word(i, i % WORDS + 1) for i in range(1, WORDS + 1)),
        "ids": filled(word(1, 0)),
        "sentences": filled(word(1, 0) + "\n"),
        "comments, then errors": filled("#\n") + filled(word(1, 0)),
        "a long id, then errors": f"# sent_id = {'x' * SIZE}\n" + filled(word(1, 0)),
        "an id each": filled(f"# sent_id = x\n{word(1, 9)}\n"),
        "comments inside": filled("#\n" + word(1, 0)),
        "ranges": counted(lambda i: f"1-{i}\tw" + "\t_" * 8 + "\n") + word(1, 0),
        "empty nodes": counted(lambda i: f"0.{i}\tw" + "\t_" * 8 + "\n") + word(1, 0),
        "a graph": "1\tw\t_\tX\t_\t_\t0\troot\t" + "|".join(["0:a"] * (SIZE // 4)) + "\t_\n",
        "wrong graphs": counted(lambda i: f"{i}\tw\t_\tX\t_\t_\t0\tr\t999999:{i}\t_\n"),
        "empty fields": counted(lambda i: f"{i}" + "\t" * 9 + "\n"),
        "spaces": counted(lambda i: word(i, i - 1, form="\u00a0")),
        "documents": counted(lambda i: f"# newdoc id = {i}\n{word(1, 0)}\n"),
    },
    "conllx": {
        "a chain": counted(lambda i: word(i, i - 1)),
        "roots": counted(lambda i: word(i, 0)),
        "errors": "#\n" * 9999 + filled(word(1, 0)),
    },
    "tagged": {
        "a sentence": filled("w_X "),
        "separators": "_" * SIZE,
        "sentences": filled("a_B\n"),
        "tags": counted(lambda i: f"w{i}_T{i} "),
        "errors": filled("a_B cD\n"),
    },
    "spans": {
        "a sentence": filled("X\t1\t2\t1, 2\n"),
        "sentences": filled("X\t1\t2\t1, 2\n\n"),
        "a list": f"X\t1\t{SIZE // 7}\t{', '.join(map(str, range(1, SIZE // 7 + 1)))}\n",
        "lists": counted(lambda i: f"X\t{i}\t{i + 2}\t{i}, {i + 2}\n"),
        "errors": filled("X\t2\t1\t\n"),
        "wrong lists": filled("X\t1\t3\t1, x, 3\n"),
    },
}  # fmt: skip
CASES = [pytest.param(f, s, id=f"{f}, {s}") for f, shapes in SHAPES.items() for s in shapes]


def seconds(work: Callable[[], object]) -> float:
    """How long something takes on the processor."""
    begin = time.process_time()
    work()
    return time.process_time() - begin


@pytest.fixture(scope="module", autouse=True)
def compiled(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Kernels compile at first use."""
    path = tmp_path_factory.mktemp("shapes") / "x"
    for format, text in (
        ("columns", "1\tw\tB-X\n\n"), ("conllu", word(1, 0)), ("conllx", word(1, 0)),
        ("tagged", "w_X\n"), ("spans", "X\t1\t1\t1\n"),
    ):  # fmt: skip
        path.write_text(text)
        check_file(str(path), format=format)


@pytest.mark.parametrize(("format", "shape"), CASES)
def test_time_is_linear(format: str, shape: str, tmp_path: Path) -> None:
    data = SHAPES[format][shape].encode()
    (tmp_path / "x").write_bytes(data)
    for chosen in [make(format)] if format != "columns" else [make(format), None]:
        found: list[str] = []

        def work() -> None:
            checked = check_file(str(tmp_path / "x"), format=chosen)  # noqa: B023
            found.append(str(Validation((checked,))))  # noqa: B023

        assert seconds(work) < MOST
        assert len(found[0]) < 30 * SIZE


def test_recognition_takes_little_time() -> None:
    def work() -> None:
        for shape in (text for shapes in SHAPES.values() for text in shapes.values()):
            with suppress(FormatError):
                sniff(shape.encode()[: 1 << 16])

    assert seconds(work) < 2 * MOST


def test_a_metric_per_column(tmp_path: Path) -> None:
    (tmp_path / "x").write_text(f"w{' T' * 300}\n" * 2)
    tertium.score(tmp_path / "x", tmp_path / "x", metric="tags.accuracy(column='column1')")
    assert seconds(lambda: tertium.score(tmp_path / "x", tmp_path / "x")) < MOST


def test_a_long_id_is_told_once(tmp_path: Path) -> None:
    (tmp_path / "x").write_text(f"# sent_id = {'x' * 10_000}\n" + word(1, 0) * 3)
    found = check_file(str(tmp_path / "x"), format="conllu").errors
    assert len(found) == 2
    assert found[0].sentence is found[1].sentence
    assert len(found[0].sentence or "") < 500
