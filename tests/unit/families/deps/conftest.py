"""Small CoNLL-U files that are written, changed and scored in one line."""

from collections.abc import Sequence
from itertools import count
from pathlib import Path

import pytest

import tertium
from tertium.results.scores import Result

COLUMNS = ("id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")
Edit = tuple[str, str, str]


class Trees:
    """Files from texts in which white space separates columns; columns at the end may be left
    out."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.numbers = count()

    def write(self, text: str) -> str:
        """The path of a file with the text's sentences, which an empty line separates."""
        lines = [line.split() for line in text.strip("\n").split("\n")]
        rows = ["\t".join((*cells, *"_" * (10 - len(cells)))) if cells else "" for cells in lines]
        path = self.folder / f"{next(self.numbers)}.conllu"
        path.write_text("\n".join(rows) + "\n\n", encoding="utf-8")
        return str(path)

    def edit(self, text: str, *edits: Edit) -> str:
        """The text with other entries: (id, column, entry). Ids are those of one sentence."""
        rows = [[*line.split(), *"_" * (10 - len(line.split()))] for line in text.split("\n")]
        for number, column, entry in edits:
            (row,) = (row for row in rows if row[0] == number)
            row[COLUMNS.index(column)] = entry
        return "\n".join(" ".join(row) if row != ["_"] * 10 else "" for row in rows)

    def score(self, gold: str, system: str, metric: str, **options: object) -> Result:
        """The result of one metric on two texts."""
        files = self.write(gold), self.write(system)
        (result,) = tertium.score(*files, metric=metric, **options)  # type: ignore[arg-type]
        return result

    def counts(self, gold: str, system: str, metric: str) -> tuple[float, ...]:
        """Correct, gold and system."""
        found = self.score(gold, system, metric).counts
        return found["correct"], found["gold"], found["system"]

    def rows(self, gold: str, system: str, metric: str) -> list[tuple[object, ...]]:
        """Gold label, system label, outcome and type of every decision."""
        frame = tertium.decide(self.write(gold), self.write(system), metric).to_frame()
        return frame.select("gold", "system", "outcome", "error_type").rows()

    def errors(self, gold: str, system: str, metric: str) -> Sequence[tuple[object, ...]]:
        """Type, text on both sides of every error that `tertium.errors` lists."""
        found = tertium.errors(self.write(gold), self.write(system), metric=metric)
        return [
            (e.type, e.gold_item and e.gold_item.text, e.system_item and e.system_item.text)
            for e in found
        ]


@pytest.fixture
def trees(tmp_path: Path) -> Trees:
    return Trees(tmp_path)
