"""Imports point one way only (docs/design.md): this reads the import statements."""

import ast
from functools import cache
from pathlib import Path

import tertium

ROOM_ORDER = [
    ["exceptions", "_version", "_signals", "_progress"],
    ["signature", "_jit", "options", "display"],
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
# Modules that load by name: public names, plug-ins, verbs, renderers of their own room.
LOADERS = {"__init__.py", "registry.py", "cli/main.py", "report/render/__init__.py"}
# What a result may call of the package as its user does: `tertium.render`.
USERS = {"display.py"}
# A renderer knows blocks, no verb and no family.
OF_REPORT = {"results", "signature", "exceptions", "_version"}
RANK = {name: rank for rank, names in enumerate(ROOM_ORDER) for name in names}
SOURCE = Path(tertium.__file__).parent
SOURCES = sorted(SOURCE.rglob("*.py"))


@cache
def imports_of(path: Path) -> list[ast.Import | ast.ImportFrom]:
    """All imports of a module, also those inside functions."""
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return [node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)]


def imported_rooms(path: Path) -> set[tuple[int, str]]:
    """Line and room of every import of tertium's own modules, also those inside functions."""
    found = set()
    for node in imports_of(path):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            assert node.level == 0, f"{path.name}:{node.lineno}: relative import"
            base = node.module or ""
            names = [base] if "." in base else [f"{base}.{alias.name}" for alias in node.names]
        for name in names:
            parts = name.split(".")
            if parts[0] == "tertium" and len(parts) > 1:
                found.add((node.lineno, parts[1]))
    return found


def test_a_module_imports_only_from_its_left() -> None:
    wrong = []
    for path in SOURCES:
        parts = path.relative_to(SOURCE).parts
        room = parts[0] if len(parts) > 1 else path.stem
        if room in ("__init__", "__main__", "samples"):
            continue
        if room not in RANK:
            wrong.append(f"{room} is not in the order of docs/design.md")
            continue
        for line, other in sorted(imported_rooms(path)):
            if other in (room, "samples"):
                continue
            if other not in RANK:
                wrong.append(f"{'/'.join(parts)}:{line} imports unknown '{other}'")
            elif RANK[other] >= RANK[room] or (room == "report" and other not in OF_REPORT):
                wrong.append(f"{'/'.join(parts)}:{line}: {room} must not import {other}")
    assert wrong == []


def test_no_import_is_hidden() -> None:
    """Neither by `import_module` nor by way of the package, which knows all rooms by name."""
    hidden = []
    for path in SOURCES:
        place = path.relative_to(SOURCE).as_posix()
        text = path.read_text(encoding="utf-8")
        if "import_module" in text and place not in LOADERS:
            hidden.append(f"{place}: import_module")
        for node in imports_of(path):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if "tertium" in names and place not in USERS:
                hidden.append(f"{place}:{node.lineno}: import tertium")
    assert hidden == []


def test_kernels_stay_in_their_file() -> None:
    """A cached kernel is not compiled again when another file changes: it calls only its own."""
    wrong = []
    for path in SOURCES:
        place = path.relative_to(SOURCE).as_posix()
        text = path.read_text(encoding="utf-8")
        if path.name == "_kernels.py":
            if (rooms := {room for _, room in imported_rooms(path)}) - {"_jit"}:
                wrong.append(f"{place} imports {sorted(rooms)}")
        elif path.name != "_jit.py":
            if "@kernel" in text:
                wrong.append(f"{place}: kernels live in _kernels.py")
            if "import numba" in text:
                wrong.append(f"{place}: numba is used through _jit.kernel")
    assert wrong == []
