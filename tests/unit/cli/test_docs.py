"""The pages about verbs, and the recipes: every command on them prints what they say."""

import sys
from pathlib import Path

import pytest

from tertium.cli.main import VERBS

ROOT = Path(__file__).resolve().parents[3]
DOCS = ROOT / "docs"
PAGES = DOCS / "verbs"

sys.path.insert(0, str(ROOT / "tools"))


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_a_true_page(verb: str) -> None:
    from console_blocks import difference

    page = PAGES / f"{verb}.md"
    assert page.is_file(), f"write {page}"
    text = page.read_text("utf-8")
    assert text.startswith(f"# {verb}\n")
    assert f"$ tertium {verb} --help" in text
    found = difference(page)
    assert not found, f"run: python tools/console_blocks.py --write docs/verbs/*.md\n{found}"


def test_the_recipes_are_true() -> None:
    from console_blocks import difference

    found = difference(DOCS / "recipes.md")
    assert not found, f"run: python tools/console_blocks.py --write docs/recipes.md\n{found}"
