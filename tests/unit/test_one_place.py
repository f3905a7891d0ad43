"""What is true of one kind of annotation stands in its family; hooks are those of the docs."""

import ast
import inspect
import re
from pathlib import Path

import pytest

from tertium import registry
from tertium.corpus import layers
from tertium.families.base import Measure, Metric
from tertium.families.family import Family, families

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "tertium"
AT_HOME = ("corpus", "formats", "families", "registry.py")  # where such knowledge may stand
SUFFIXES = (".py", ".js", ".css", ".html", ".jinja", ".toml", ".json")
EXTRAS = {"Comments", "Multiwords", "EmptyNodes", "Spaces"}  # what a file holds besides annotation
LAYERS = {
    name
    for name, each in vars(layers).items()
    if isinstance(each, type) and issubclass(each, layers.Layer) and each is not layers.Layer
} - EXTRAS
FAMILIES = {family.id for family in families()}
_ID = f"({'|'.join(FAMILIES)})"
PREFIX = re.compile(rf"^\^?{_ID}\\?[.:]$|(?<![\w.]){_ID}\\?[.:]\w")
METRICS = re.compile(rf"(?<![\w.])({'|'.join(map(re.escape, registry.names('metrics')))})(?![\w])")


def files() -> list[Path]:
    found = (path for path in sorted(SOURCE.rglob("*")) if path.suffix in SUFFIXES)
    return [path for path in found if path.relative_to(SOURCE).parts[0] not in AT_HOME]


def names(path: Path) -> set[str]:
    """Names and whole strings of a module; words and whole strings of a script or template."""
    text = path.read_text("utf-8")
    if path.suffix != ".py":
        quoted = re.findall(r"""["'`]([\w.-]+)["'`]|\.(\w+)""", text)
        return {part for pair in quoted for part in pair} | {*re.findall(r"\b[A-Z]\w+", text)}
    found: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.add(node.value)
        for name in ("id", "attr", "name", "module"):
            found |= {*str(getattr(node, name, "")).split(".")} if hasattr(node, name) else set()
    return found


def known(path: Path) -> set[str]:
    """What a file knows of layers, families and metrics."""
    text = path.read_text("utf-8")
    found = {*METRICS.findall(text)}
    if path.suffix == ".json":
        return found  # descriptions are prose, and keys of JSON are names of their own
    strings = {*(_strings(text) if path.suffix == ".py" else _words(text))}
    return (
        found
        | (names(path) & LAYERS)
        | (strings & FAMILIES)
        | {each for each in strings if PREFIX.search(each)}
    )


def test_no_layer_family_or_metric_is_known() -> None:
    assert {str(path.relative_to(SOURCE)): known(path) for path in files() if known(path)} == {}


def _words(text: str) -> list[str]:
    """What is quoted, named or matched in a script or template, without comments."""
    code = re.sub(r"/\*.*?\*/|//[^\n]*|<!--.*?-->", "", text, flags=re.DOTALL)
    found = re.findall(r"""["'`/]([^"'`/\n]*)["'`/]|[.{,]\s*(\w+)\b""", code)
    return [part for pair in found for part in pair if part]


def _strings(text: str) -> list[str]:
    return [
        node.value
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]


def test_the_test_finds_what_it_looks_for() -> None:
    assert {"Tags", "Spans"} == LAYERS & names(SOURCE / "families" / "spans" / "base.py")
    assert {"Tags", "Spans", "Arcs", "Trees", "FunctionTrees", "Chains", "Graph"} == LAYERS
    assert "spans" in _strings((SOURCE / "families" / "spans" / "base.py").read_text("utf-8"))
    assert METRICS.findall((SOURCE / "registry.py").read_text("utf-8"))


def hooks(kind: type, base: type) -> list[str]:
    """The methods that a plug-in may override."""
    return [
        name
        for name, _ in inspect.getmembers(kind, inspect.isroutine)
        if not name.startswith("_") and not hasattr(base, name)
    ]


@pytest.mark.parametrize("kind", [Family, Metric])
def test_what_a_plugin_declares_is_documented_and_no_flag(kind: type) -> None:
    page = (ROOT / "docs" / "design.md").read_text("utf-8").partition("## Plug points")[2]
    declared = {
        name: note
        for each in kind.__mro__
        for name, note in getattr(each, "__annotations__", {}).items()
    }
    properties = [name for name, _ in inspect.getmembers(kind, lambda m: isinstance(m, property))]
    for name in (*declared, *properties):
        assert f"`{name}`" in page, f"{kind.__name__}.{name} is not in docs/design.md"
    assert not [name for name, note in declared.items() if "bool" in str(note)]


def documented(what: str) -> list[str]:
    page = (ROOT / "docs" / "design.md").read_text("utf-8")
    table = page.partition(f"| hook of a {what} |")[2].partition("\n\n")[0]
    return re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)


@pytest.mark.parametrize(("kind", "what", "most"), [(Family, "family", 10), (Metric, "metric", 13)])
def test_the_hooks_are_those_of_the_docs(kind: type, what: str, most: int) -> None:
    found = hooks(kind, registry.Plugin)
    assert sorted(found) == sorted(documented(what))
    assert len(found) <= most
    assert {"score", "label_scores", "reason"} == {*hooks(Measure, registry.Plugin)}


def test_details_are_declared_and_read_by_nobody() -> None:
    """A column that a metric adds to its items is shown as it is declared; no other module asks for
    one of them by its name."""
    declared = {
        detail.name
        for name in registry.names("metrics")
        for detail in getattr(registry.get("metrics", name), "details", ())
    }
    assert declared
    for path in files():
        if path.suffix == ".py" and path.name != "items.py":
            assert not re.search(r"\.details\b", path.read_text("utf-8")), path
