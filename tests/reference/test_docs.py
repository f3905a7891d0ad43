"""What the documentation shows of real corpora is what they give."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
MARK = "```console shared\n"

sys.path.insert(0, str(ROOT / "tools"))
PAGES = [p for p in sorted(DOCS.rglob("*.md")) if MARK in p.read_text("utf-8")]
# Audits of real corpora take long: `make oracles` runs them.
MARKED = [pytest.param(p, marks=pytest.mark.oracles) if p.name == "audit.md" else p for p in PAGES]


@pytest.mark.slow
@pytest.mark.parametrize("page", MARKED, ids=lambda p: p.relative_to(DOCS).as_posix())
def test_pages_about_real_corpora_are_true(page: Path, shared: Path) -> None:
    from console_blocks import difference

    found = difference(page, shared, samples=False)  # tests/unit/cli/test_docs.py runs those
    assert not found, f"run: python tools/console_blocks.py --write {page}\n{found}"


def test_there_are_such_pages() -> None:
    assert DOCS / "verbs" / "audit.md" in PAGES
