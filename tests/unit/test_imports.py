"""Imports point one way only (docs/design.md): this reads the import statements."""

import ast
from pathlib import Path

import pytest

import tertium

ROOM_ORDER = [
    ["exceptions", "_version"],
    ["signature", "_jit"],
    ["corpus"],
    ["registry"],
    ["formats"],
    ["align"],
    ["results"],
    ["families"],
    ["study"],
    ["significance"],
    ["comparison", "agreement"],
    ["learn"],
    ["report"],
    ["cli", "web"],
]
RANK = {name: rank for rank, names in enumerate(ROOM_ORDER) for name in names}
SOURCE = Path(tertium.__file__).parent


def imported_rooms(path: Path) -> set[tuple[int, str]]:
    """Line and room of every import of tertium's own modules, also those inside functions."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name}:{node.lineno}: relative import"
            base = node.module or ""
            names = [base] if "." in base else [f"{base}.{alias.name}" for alias in node.names]
        for name in names:
            parts = name.split(".")
            if parts[0] == "tertium" and len(parts) > 1:
                found.add((node.lineno, parts[1]))
    return found


@pytest.mark.parametrize(
    "path", sorted(SOURCE.rglob("*.py")), ids=lambda p: p.relative_to(SOURCE).as_posix()
)
def test_a_module_imports_only_from_its_left(path: Path) -> None:
    parts = path.relative_to(SOURCE).parts
    room = parts[0] if len(parts) > 1 else path.stem
    if room in ("__init__", "__main__", "samples"):
        return
    assert room in RANK, f"{room} is not in the order of docs/design.md"
    for line, other in imported_rooms(path):
        if other in (room, "samples"):
            continue
        assert other in RANK, f"{path.name}:{line} imports unknown '{other}'"
        assert RANK[other] < RANK[room], f"{path.name}:{line}: {room} must not import {other}"


@pytest.mark.parametrize(
    "path", sorted(SOURCE.rglob("*.py")), ids=lambda p: p.relative_to(SOURCE).as_posix()
)
def test_kernels_stay_in_their_file(path: Path) -> None:
    """A cached kernel is not compiled again when another file changes: it calls only its own."""
    text = path.read_text(encoding="utf-8")
    if path.name == "_kernels.py":
        rooms = {room for _, room in imported_rooms(path)}
        assert rooms <= {"_jit"}, f"{path} imports {rooms}"
    elif path.name != "_jit.py":
        assert "@kernel" not in text, f"{path}: kernels live in _kernels.py"
        assert "import numba" not in text, f"{path}: numba is used through _jit.kernel"
