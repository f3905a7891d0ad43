"""What is registered is documented, and what the documentation shows is true."""

import doctest
import re
import sys
from pathlib import Path

import pytest

from tertium import registry

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
sys.path.insert(0, str(ROOT / "tools"))
HEADINGS = {
    "metrics": ("What it measures", "Worked example", "When to use it", "Citation"),
    "coefficients": ("What it measures", "Worked example", "When to use it", "Citation"),
    "formats": ("What becomes of it", "Bad input", "Traps"),
}

pytestmark = pytest.mark.skipif(not DOCS.is_dir(), reason="the documentation is not installed")


def sections(text: str) -> dict[str, str]:
    """What stands under every heading of a page, under its title as `""`."""
    first, *others = re.split(r"^## ", text.partition("\n")[2], flags=re.MULTILINE)
    return {"": first} | {part.partition("\n")[0]: part.partition("\n")[2] for part in others}


def faults(kind: str, text: str) -> list[str]:
    """What a page of a metric or format lacks that a reader needs."""
    found = sections(text)
    missing = [f"no section '{heading}'" for heading in HEADINGS[kind] if heading not in found]
    hollow = [
        f"hardly a word under '{heading or 'the title'}'"
        for heading, body in found.items()
        if len(re.findall(r"[^\W\d_]{2,}", body)) < 6 or "." not in body
    ]
    code = re.compile(r"^( {4}|```)", re.MULTILINE)
    if kind == "formats":
        return missing + hollow + ([] if code.search(found[""]) else ["no example below the title"])
    formula, example = found.get("What it measures", ""), found.get("Worked example", "")
    if not re.search(r"^ {4}.* = .*|^```", formula + found.get("Formula", ""), re.MULTILINE):
        missing.append("no formula")
    if len(re.findall(r"\d+", example)) < 4:
        missing.append("no numbers in the worked example")
    if not re.search(r"\b(19|20)\d\d\b[^`]*`tertium cite ", found.get("Citation", "")):
        missing.append("nothing to cite")
    return missing + hollow


@pytest.mark.parametrize(
    ("kind", "name"), [(kind, name) for kind in HEADINGS for name in registry.names(kind)]
)
def test_every_plugin_has_a_page(kind: str, name: str) -> None:
    page = DOCS / kind / f"{name}.md"
    assert page.is_file(), f"{name} has no page in docs/{kind}"
    text = page.read_text(encoding="utf-8")
    assert text.startswith(f"# {name}\n")
    assert not faults(kind, text)
    for parameter in registry.get(kind, name)().parameters():
        assert f"`{parameter}`" in text, f"{page.name} does not explain '{parameter}'"


@pytest.mark.parametrize("kind", HEADINGS)
def test_a_hollow_page_is_no_page(kind: str) -> None:
    for word in ("x", "x x x x x x x x.", "to be written."):
        text = "".join(f"## {heading}\n\n{word}\n\n" for heading in HEADINGS[kind])
        found = faults(kind, f"# name\n\n{word}\n\n{text}")
        assert len([f for f in found if f.startswith("hardly")]) == len(HEADINGS[kind]) + 1
    prose = "One two three four five six seven eight nine ten.\n\n"
    text = f"# name\n\n{prose}" + "".join(f"## {h}\n\n{prose}" for h in HEADINGS[kind])
    lacking = {
        "metrics": ["no formula", "no numbers in the worked example", "nothing to cite"],
        "formats": ["no example below the title"],
    }
    lacking["coefficients"] = lacking["metrics"]
    assert faults(kind, text) == lacking[kind]


def test_the_first_page_lists_what_is_registered() -> None:
    from console_blocks import difference

    page = DOCS / "index.md"
    text = page.read_text(encoding="utf-8")
    for kind in ("metrics", "formats"):
        assert all(f"]({kind}/{name}.md) |" in text for name in registry.names(kind))
    found = difference(page)
    assert not found, f"run: python tools/console_blocks.py --write docs/index.md\n{found}"


def test_every_verb_has_a_page() -> None:
    from tertium.cli.main import VERBS

    for verb in VERBS:
        assert (DOCS / "verbs" / f"{verb}.md").is_file(), f"{verb} has no page in docs/verbs"


def test_the_readme_fits_a_screen_and_a_half() -> None:
    assert (ROOT / "README.md").read_text(encoding="utf-8").count("\n") <= 120


def test_commands_in_tables_of_the_readme_have_such_options() -> None:
    """Those in blocks are run (cli/test_docs.py)."""
    import click

    from tertium.cli.main import tertium as program

    text = (ROOT / "README.md").read_text(encoding="utf-8")
    commands = re.findall(r"`tertium (\w+) ([^`]+)`", text)
    assert len(commands) > 5
    with click.Context(program) as context:
        for verb, arguments in commands:
            command = program.get_command(context, verb)
            assert command is not None, verb
            known = {each for option in command.params for each in option.opts}
            assert set(re.findall(r"(?<!\S)--?\w[\w-]*", arguments)) <= known, (verb, arguments)


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
        r"\]\(([^)#\s]+\.(?:md|py|toml|json|ipynb|svg|png))\)", page.read_text(encoding="utf-8")
    ):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
