"""Every command in the documentation prints, and draws, what its page shows."""

import re
import sys
from pathlib import Path

import pytest

from tertium.cli.main import VERBS

ROOT = Path(__file__).resolve().parents[3]
DOCS = ROOT / "docs"
BLOCK = "```console\n"

sys.path.insert(0, str(ROOT / "tools"))

pytestmark = pytest.mark.skipif(not DOCS.is_dir(), reason="the documentation is not installed")
PAGES = [
    page
    for page in sorted([*DOCS.rglob("*.md"), *ROOT.glob("README.md")])
    if BLOCK in page.read_text("utf-8")
]


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_what_a_page_shows_is_what_is_printed(page: Path) -> None:
    from console_blocks import difference

    found = difference(page)
    assert not found, (
        f"run: python tools/console_blocks.py --write {page.relative_to(ROOT)}\n{found}"
    )


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_a_page_with_all_its_options(verb: str) -> None:
    page = DOCS / "verbs" / f"{verb}.md"
    assert page in PAGES, f"write {page}"
    text = page.read_text("utf-8")
    assert text.startswith(f"# {verb}\n")
    assert f"$ tertium {verb} --help" in text


def test_verbs_are_listed_in_the_order_of_a_session() -> None:
    """Not by name: what comes first is what a new user needs first."""
    listed = re.findall(r"(?m)^verbs/(\S+)$", (DOCS / "index.md").read_text("utf-8"))
    assert sorted(listed) == sorted(VERBS)
    assert listed.index("validate") < listed.index("score") < listed.index("compare")
    assert listed.index("compare") < listed.index("audit") < listed.index("cite")


def test_every_page_is_listed() -> None:
    listed = re.findall(r"(?m)^([\w/.*-]+)$", (DOCS / "index.md").read_text("utf-8"))
    pages = [*DOCS.rglob("*.md"), *DOCS.rglob("*.ipynb")]
    for page in {p.relative_to(DOCS).with_suffix("") for p in pages if "_build" not in p.parts}:
        assert str(page) in listed or f"{page.parent}/*" in listed or str(page) == "index", page


@pytest.mark.parametrize("fault", ["missing", "other"])
def test_a_picture_that_is_not_what_a_command_draws_is_found(tmp_path: Path, fault: str) -> None:
    from console_blocks import difference, refreshed

    page = tmp_path / "page.md"
    command = "$ tertium draw gold.conllu --sentence 1 --output tree.svg"
    page.write_text(f"{BLOCK}{command}\n```\n\n![A tree](images/tree.svg)\n", "utf-8")
    picture = tmp_path / "images" / "tree.svg"
    picture.parent.mkdir()
    written = refreshed(page)
    assert [*written] == [page, picture]
    picture.write_text(written[picture], "utf-8")
    assert not difference(page)
    if fault == "missing":
        picture.unlink()
    else:
        picture.write_text(written[picture].replace("</svg>", "<g/></svg>"), "utf-8")
    assert "</svg>" in difference(page)


def test_the_notebook_shows_what_its_cells_give() -> None:
    from notebook import difference

    page = DOCS / "notebook.ipynb"
    found = difference(page)
    assert not found, f"run: python tools/notebook.py --write docs/notebook.ipynb\n{found}"
    assert page.stat().st_size < 100_000


def test_an_untrue_notebook_is_found(tmp_path: Path) -> None:
    import json

    from notebook import as_markdown, difference, refreshed

    page = tmp_path / "page.ipynb"
    cells = [
        {"cell_type": "markdown", "metadata": {}, "source": ["# Title"]},
        {"cell_type": "code", "metadata": {}, "source": ["x = 40\n", "print('seen')\n", "x + 2"]},
        {
            "cell_type": "code",
            "metadata": {},
            "source": ["import tertium\n", "tertium.draw('gold.conllu', sentence=1)"],
        },
    ]
    page.write_text(json.dumps({"cells": cells}), "utf-8")
    assert difference(page)
    page.write_text(refreshed(page), "utf-8")
    assert not difference(page)
    text = as_markdown(page.read_text("utf-8"))
    assert text.startswith("# Title\n\n```python\nx = 40\nprint('seen')\nx + 2\n```\n")
    assert "````text\nseen\n\n````" in text
    assert "````text\n42\n````" in text
    assert "````{raw} html\n" in text
    page.write_text(page.read_text("utf-8").replace('"42"', '"41"'), "utf-8")
    assert "42" in difference(page)


def test_the_reference_has_every_public_name() -> None:
    import tertium
    from reference import reference

    text = reference()
    assert re.findall(r"(?m)^## (.+)$", text) == [
        "Functions",
        "Results",
        "Other classes",
        "Exceptions",
    ]
    names = re.findall(r"(?m)^### (\w+)$", text)
    assert sorted(names) == sorted(set(tertium.__all__) - {"__version__"})
    assert "### Every result" in text
    assert "tertium.adjust(p_values, method='holm')" in text
    assert ">>>" not in text
    assert " at 0x" not in text
    assert "<!-- reference -->" in (DOCS / "api.md").read_text("utf-8")
