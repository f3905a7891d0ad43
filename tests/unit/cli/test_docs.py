"""The pages about verbs: there is one for each, and every command on them prints what they say."""

import sys
from pathlib import Path

import pytest

from tertium.cli.main import VERBS

ROOT = Path(__file__).resolve().parents[3]
PAGES = ROOT / "docs" / "verbs"

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
