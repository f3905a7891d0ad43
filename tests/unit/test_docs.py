"""What is registered is documented, and what the documentation shows is true."""

import doctest
import re
from pathlib import Path

import pytest

from tertium import registry

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
METRIC_HEADINGS = ("What it measures", "Worked example", "When to use it", "Citation")

pytestmark = pytest.mark.skipif(not DOCS.is_dir(), reason="the documentation is not installed")


@pytest.mark.parametrize("name", registry.names("metrics"))
def test_every_metric_has_a_page(name: str) -> None:
    page = DOCS / "metrics" / f"{name}.md"
    assert page.is_file(), f"{name} has no page in docs/metrics"
    text = page.read_text(encoding="utf-8")
    for heading in METRIC_HEADINGS:
        assert f"## {heading}" in text, f"{page.name} lacks '{heading}'"
    for parameter in registry.get("metrics", name)().parameters():
        assert f"`{parameter}`" in text, f"{page.name} does not explain '{parameter}'"


@pytest.mark.parametrize("name", registry.names("metrics"))
def test_the_first_page_says_what_every_metric_is_for(name: str) -> None:
    assert f"](metrics/{name}.md)" in (DOCS / "index.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", registry.names("formats"))
def test_every_format_has_a_page(name: str) -> None:
    page = DOCS / "formats" / f"{name}.md"
    assert page.is_file(), f"{name} has no page in docs/formats"
    for parameter in registry.get("formats", name)().parameters():
        assert f"`{parameter}`" in page.read_text(encoding="utf-8")


def test_every_verb_has_a_page() -> None:
    from tertium.cli.main import VERBS

    for verb in VERBS:
        assert (DOCS / "verbs" / f"{verb}.md").is_file(), f"{verb} has no page in docs/verbs"


def test_the_readme_shows_what_make_demo_prints() -> None:
    """As the page about it does, which is true (cli/test_docs.py)."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = text.partition("$ make demo\n")[2].partition("\n...\n")[0]
    assert shown.count("\n") > 10
    assert shown in (DOCS / "verbs" / "demo.md").read_text(encoding="utf-8")


PAGES = sorted([*DOCS.rglob("*.md"), ROOT / "README.md"]) if DOCS.is_dir() else []


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_python_examples_run(page: Path, monkeypatch: pytest.MonkeyPatch, samples: Path) -> None:
    monkeypatch.chdir(samples)
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    failed, _ = doctest.testfile(str(page), module_relative=False, optionflags=flags)
    assert failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in re.findall(
        r"\]\(([^)#\s]+\.(?:md|py|toml|json))\)", page.read_text(encoding="utf-8")
    ):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
