"""The author's result files, cell by cell, and the WNUT 2017 systems under fair evaluation."""

from pathlib import Path
from typing import Any

import pytest

import tertium
from tertium.results.blocks import Matrix
from tertium.results.scores import Result
from tertium.significance.score.result import ScoreLook, Scores

TASKS = {"ner": "ner", "chunk": "chunks", "topofield": "topofields"}


def sections(path: Path) -> dict[str, list[list[str]]]:
    """The tables of a result file by their headings."""
    found: dict[str, list[list[str]]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("### "):
            found[line[4:].rstrip(":")] = rows = []
        elif line.strip():
            rows.append(line.split("\t"))
    return found


def percent(value: float | None) -> str:
    """As the author's program prints it, which has 0 for what is undefined."""
    return f"{100 * (value or 0):04.2f}"


@pytest.fixture(scope="module", params=TASKS)
def task(request: pytest.FixtureRequest, shared: Path) -> tuple[dict[str, list[list[str]]], Scores]:
    folder, name = shared / "data" / "faireval", f"{request.param}_spans.csv"
    expected = sections(folder / "author_results" / f"eval_{TASKS[request.param]}.csv")
    scores = tertium.score(
        folder / "target" / name, folder / "system" / name, metric="spans.fair", confusion=True
    )
    return expected, scores


@pytest.mark.parametrize(
    ("heading", "part", "prefix"),
    [
        ("Traditional evaluation", "traditional", "traditional_"),
        ("Fair evaluation", "", ""),
        ("Weighted evaluation", "weighted", ""),
    ],
)
def test_every_cell_of_the_tables(
    task: tuple[dict[str, list[list[str]]], Scores], heading: str, part: str, prefix: str
) -> None:
    expected, (result,) = task
    (_, *header), *rows = expected[heading]
    kinds = header[:-3]
    seen = set()
    for label, *cells in rows:
        if label == "overall":
            counts, figures = result.counts, result.parts
        else:
            counts, figures = result.labels[label]["counts"], result.labels[label]
        figures = figures[part] if part else figures
        ours = [str(counts[prefix + kind.lower()]) for kind in kinds]
        ours += [percent(figures[name]) for name in ("precision", "recall", "f1")]
        assert ours == cells, label
        seen.add(label)
    assert seen == {*result.labels, "overall"}


def test_every_cell_of_the_confusion_matrix(
    task: tuple[dict[str, list[list[str]]], Scores],
) -> None:
    """Figure 2 of the paper, and all other labels."""
    expected, scores = task
    ours = _cells(scores, confusion_cells="errors")
    (_, *labels), *rows = expected["Confusion matrix"]
    theirs = {
        (row[0], label): int(cell)
        for row in rows
        for label, cell in zip(labels, row[1:], strict=True)
        if cell != "0"
    }
    assert {cell: n for cell, n in ours.items() if n} == theirs
    # What is correct stands on the diagonal unless errors alone are wanted.
    (_, *kinds), *rows = expected["Fair evaluation"]
    correct = {(row[0], row[0]): int(row[1 + kinds.index("TP")]) for row in rows}
    for cell, count in _cells(scores, confusion=True).items():
        assert count == ours.get(cell, 0) + correct.get(cell, 0)
    if ("MF", "MF") in ours:
        folded = _cells(scores, confusion_cells="errors", main_labels=7)
        assert ours["MF", "MF"] == folded["MF", "MF"] == 885, "nothing is matched anew"
        assert sum(folded.values()) == sum(ours.values())


def _cells(scores: Scores, **shown: Any) -> dict[tuple[str, str], float]:
    """The matrix that every format shows."""
    blocks = scores.blocks(ScoreLook(format="latex", **shown))
    (matrix,) = (block for block in blocks if isinstance(block, Matrix))
    return {
        (gold or "_", system or "_"): count
        for gold, row in zip(matrix.rows, matrix.values, strict=True)
        for system, count in zip(matrix.columns, row, strict=True)
        if count is not None
    }


def test_frequencies_of_gold_labels(task: tuple[dict[str, list[list[str]]], Scores]) -> None:
    expected, (result,) = task
    for label, count, _ in expected["Target data stats"][1:]:
        assert result.labels[label]["counts"]["gold"] == int(count)


# A run of the author's program on the decoded submissions (notes of the data): fair FP LE BE LBE
# FN, fair precision, recall, F1 and weighted F1.
WNUT = {
    "uh_ritual": ("88 93 58 33 543", "66.36 35.86 46.56 49.42"),
    "spinningbytes.txt": ("166 127 89 56 434", "56.23 40.50 47.09 51.11"),
    "sjtu_adapt.txt": ("131 140 56 46 479", "59.16 37.82 46.14 48.82"),
    "arcada": ("156 162 60 40 451", "56.52 39.06 46.19 49.00"),
    "flytxt": ("148 147 43 42 508", "56.65 35.60 43.73 45.83"),
    "mic-cis.txt": ("261 134 57 79 459", "47.96 38.06 42.44 45.01"),
    "drexel_cci": ("69 39 53 28 777", "59.81 18.66 28.44 31.75"),
}


@pytest.fixture(scope="module")
def wnut(shared: Path) -> dict[str, Result]:
    folder = shared / "data" / "wnut17-ner"
    systems = [folder / "submissions" / name for name in WNUT]
    scores = tertium.score(
        folder / "emerging.test.annotated", *systems, metric="spans.fair", align="position"
    )
    return {result.system: result for result in scores}


@pytest.mark.parametrize("system", WNUT)
def test_wnut17(wnut: dict[str, Result], system: str) -> None:
    result = wnut[system]
    counts, figures = WNUT[system]
    assert " ".join(str(result.counts[k]) for k in ("fp", "le", "be", "lbe", "fn")) == counts
    values = [result.parts[name] for name in ("precision", "recall", "f1")]
    values.append(result.parts["weighted"]["f1"])
    assert " ".join(map(percent, values)) == figures
    # What is counted traditionally is what spans.f1 counts: no span is there twice.
    traditional = result.parts["traditional"]["f1"]
    assert result.counts["traditional_tp"] == result.counts["tp"]
    assert traditional == pytest.approx(
        2 * result.counts["tp"] / (result.counts["gold"] + result.counts["system"])
    )


def test_two_pairs_of_systems_change_places(wnut: dict[str, Result]) -> None:
    for first, second in (("uh_ritual", "spinningbytes.txt"), ("sjtu_adapt.txt", "arcada")):
        one, other = wnut[first], wnut[second]
        assert one.parts["traditional"]["f1"] > other.parts["traditional"]["f1"]
        assert one.parts["f1"] < other.parts["f1"]
        assert one.parts["weighted"]["f1"] < other.parts["weighted"]["f1"]
