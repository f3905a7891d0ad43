"""The worked examples on the pages: the counts they show are those of the trees above them."""

import re
from pathlib import Path
from typing import Any

import pytest

import tertium

PAGES = Path(__file__).resolve().parents[4] / "docs" / "metrics"
EXAMPLE = re.compile(
    r"```text\n# gold\n(.*?)\n# system\n(.*?)```\n\n(\| metric .*?)\n\n", re.DOTALL
)
COLUMNS = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")

pytestmark = pytest.mark.skipif(not PAGES.is_dir(), reason="the documentation is not installed")


def conllu(block: str) -> str:
    """All ten columns of a tree of which a page names some."""
    header, *lines = block.strip("\n").split("\n")
    rows = []
    for line in lines:
        row = dict(zip(header.split(), line.split(), strict=False))
        rows.append(" ".join(row.get(c, "_") for c in COLUMNS) if row else "")
    return "\n".join(rows)


@pytest.mark.parametrize("page", sorted(PAGES.glob("deps.*.md")), ids=lambda page: page.stem)
def test_worked_examples(trees: Any, page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    examples = EXAMPLE.findall(text)
    assert len(examples) == text.count("```text\n# gold\n")
    for gold, system, table in examples:
        files = [trees.write(conllu(side)) for side in (gold, system)]
        for line in table.split("\n")[2:]:
            name, *cells = (cell.strip() for cell in line.strip("|").split("|"))
            metric = tertium.metric(name.strip("`"))
            (found,) = tertium.score(*files, metric=metric)
            counts = [str(found.counts[c]) for c in ("correct", "gold", "system")]
            assert [*counts, f"{100 * (found.value or 0):.2f}"] == cells[:4], f"{page.name}: {name}"
