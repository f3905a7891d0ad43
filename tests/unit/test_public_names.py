import ast
import subprocess
import sys
from pathlib import Path

import pytest

import tertium

HEAVY = ("polars", "numba", "scipy", "scipy.linalg", "rich", "pandas", "jinja2", "numpy")


def test_public_names_are_sorted_and_there() -> None:
    assert tertium.__all__ == sorted(tertium.__all__)
    for name in tertium.__all__:
        assert getattr(tertium, name) is not None
    assert set(tertium._LAZY) <= set(tertium.__all__)
    assert dir(tertium) == tertium.__all__


def test_type_checkers_see_the_names_that_load_on_first_use() -> None:
    tree = ast.parse(Path(tertium.__file__).read_text(encoding="utf-8"))
    (block,) = (each for each in tree.body if isinstance(each, ast.If))
    assert ast.unparse(block.test) == "TYPE_CHECKING"
    imported = {
        each.asname: f"{line.module}:{each.name}"
        for line in block.body
        if isinstance(line, ast.ImportFrom)
        for each in line.names
    }
    for line in block.body:
        if isinstance(line, ast.Assign):  # a name that is another one where it comes from
            imported[ast.unparse(line.targets[0])] = imported.pop(ast.unparse(line.value))
    assert imported == tertium._LAZY


def test_public_objects_have_docstrings() -> None:
    for name in tertium.__all__:
        if not name.startswith("__"):
            assert getattr(tertium, name).__doc__, name


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'scroe'"):
        tertium.scroe  # noqa: B018


@pytest.mark.parametrize(
    "before",
    [
        "",
        "import tertium.comparison.compare.views",
        "from tertium.comparison.compare.verb import compare",
    ],
)
def test_compare_is_a_function_whatever_was_imported_before(before: str) -> None:
    """A package of the same name takes its place in `tertium` as soon as it is imported."""
    call = "tertium.compare([['N']], [['N']], [['V']]).pairs[0].new_errors"
    program = f"import tertium\n{before}\nprint({call}, {call})"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["1", "1"]


def loaded_after(code: str) -> set[str]:
    program = f"{code}\nimport sys; print(*[m for m in {HEAVY!r} if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return set(done.stdout.split()[-len(HEAVY) :]) & set(HEAVY)


def test_importing_tertium_loads_nothing_heavy() -> None:
    assert loaded_after("import tertium") == set()


def test_scoring_to_json_loads_neither_polars_rich_nor_linear_algebra() -> None:
    """numba itself loads the empty shell of scipy, to see its version."""
    code = (
        "import tertium\n"
        "from tertium.report.render import render\n"
        "scores = tertium.score([['B-X', 'O']], [['B-X', 'B-X']])\n"
        "render(scores, format='json')"
    )
    assert loaded_after(code) & {"polars", "rich", "scipy.linalg", "pandas"} == set()
