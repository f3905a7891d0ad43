"""All texts that users read are in one list, and avoid what the style guide advises against."""

import re
from pathlib import Path

import texts

ROOT = texts.ROOT
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
CODE = re.compile(r"^(```|~~~).*?^\1|^ {4}.*?$|`[^`]*`", re.MULTILINE | re.DOTALL)


def test_the_list_of_texts_is_complete() -> None:
    there = texts.LIST.read_text(encoding="utf-8")
    assert there == texts.listing(), "run 'python tools/texts.py --write', and read what changed"


def test_texts_of_the_source_follow_the_style_guide() -> None:
    places = [(path.name, text) for path in texts.sources() for text in texts.texts(path)]
    assert not [(*place, found) for place in places if (found := texts.faults(place[1]))]


def test_pages_follow_the_style_guide() -> None:
    faults = []
    for path in PAGES:
        prose = CODE.sub("`x`", path.read_text(encoding="utf-8"))
        paragraphs = [" ".join(each.split()) for each in re.split(r"\n\s*\n", prose)]
        faults += [(path.name, p, found) for p in paragraphs if (found := texts.faults(p))]
    assert not faults


def test_what_the_style_guide_names_is_found() -> None:
    for text in (
        "an interval of 95 % of all",
        "the format could not be told",
        "Format of the systems, if another",
        "one row a system",
        "which stands in the signature",
    ):
        assert texts.faults(text), text
    assert not texts.faults("matches the official scorers, with a 95% CI per system")


def test_values_and_docstrings_are_not_texts(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text('"""A docstring here."""\nX = f"{so_that} is not a path"\nY = "a.b:C"\n')
    assert texts.texts(module) == ["{so_that} is not a path"]
