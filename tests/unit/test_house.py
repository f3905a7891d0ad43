"""Sizes and names of modules, functions and classes (docs/design.md)."""

import ast
import re
from collections import defaultdict
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src" / "tertium"
MODULES = sorted(SOURCE.rglob("*.py"))
LONGEST_MODULE, LONGEST_FUNCTION = 400, 60


def name(path: Path) -> str:
    return str(path.relative_to(SOURCE))


def without_docstring(function: ast.FunctionDef) -> int:
    """The lines of a function besides its docstring."""
    first, lines = function.body[0], function.end_lineno or 0
    docstring = 0
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
        docstring = (first.end_lineno or 0) - first.lineno + 1
    return lines - function.lineno + 1 - docstring


def test_modules_are_one_idea_long() -> None:
    long = [name(path) for path in MODULES if len(path.read_text().splitlines()) > LONGEST_MODULE]
    assert long == []


def test_functions_fit_on_a_screen_and_a_public_class_name_occurs_once() -> None:
    long, places = [], defaultdict(list)
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(name(path))
            elif (
                isinstance(node, ast.FunctionDef)
                and path.name != "_kernels.py"
                and without_docstring(node) > LONGEST_FUNCTION
            ):
                long.append(f"{name(path)}: {node.name}")
    assert long == []
    assert {each: where for each, where in places.items() if len(where) > 1} == {}


def test_no_module_is_named_by_a_gerund() -> None:
    assert [name(path) for path in MODULES if re.search(r"[a-z]{3}ing$", path.stem)] == []
