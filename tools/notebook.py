"""Keep the outputs of a notebook true, without Jupyter.

Runs the code cells in one namespace, in a folder with copies of the sample corpora, and compares
what they print with the outputs that are stored, or with `--write` stores them. Pictures and tables
in HTML are only compared in being there: their style may change with any release of a library.

    python tools/notebook.py [--write] docs/notebook.ipynb
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import difflib
import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from console_blocks import sample_folder, scrub

SHOWN = {"_repr_html_": "text/html", "_repr_svg_": "image/svg+xml"}


def refreshed(path: Path) -> str:
    """The notebook with the outputs that its cells have now."""
    notebook = json.loads(path.read_text("utf-8"))
    names: dict[str, Any] = {"__name__": "__main__"}
    count = 0
    with sample_folder(path.resolve()):
        for number, cell in enumerate(notebook["cells"], 1):
            cell["id"] = f"cell-{number}"
            if cell["cell_type"] == "code":
                count += 1
                cell["execution_count"] = count
                cell["outputs"] = [*outputs("".join(cell["source"]), names, count)]
    return json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"


def outputs(source: str, names: dict[str, Any], count: int) -> Iterator[dict[str, Any]]:
    """What a cell prints, and the value of its last line as a notebook shows it."""
    body = ast.parse(source).body
    last = body.pop() if isinstance(body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(ast.Module(body, []), "<cell>", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)
    if text := printed.getvalue():
        yield {"name": "stdout", "output_type": "stream", "text": text.splitlines(keepends=True)}
    if value is not None:
        data = {"text/plain": repr(value).splitlines(keepends=True)}
        for method, kind in SHOWN.items():
            if hasattr(value, method):
                data[kind] = getattr(value, method)().splitlines(keepends=True)
        yield {
            "data": data,
            "execution_count": count,
            "metadata": {},
            "output_type": "execute_result",
        }


def as_markdown(notebook: str) -> str:
    """The notebook as a page for Sphinx; pictures and tables are put in as they are."""
    parts = []
    for cell in json.loads(notebook)["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
            continue
        parts.append(f"```python\n{source}\n```")
        for output in cell["outputs"]:
            data = output.get("data", {"text/plain": output.get("text", [])})
            html = data.get("text/html") or data.get("image/svg+xml")
            kind = "{raw} html" if html else "text"
            parts.append(f"````{kind}\n{''.join(html or data['text/plain'])}\n````")
    return "\n\n".join(parts) + "\n"


def difference(path: Path) -> str:
    """What is untrue in a notebook, as a diff; empty if nothing."""
    old, new = (_text(each) for each in (path.read_text("utf-8"), refreshed(path)))
    return "\n".join(difflib.unified_diff(old, new, str(path), "now", lineterm=""))


def _text(notebook: str) -> list[str]:
    """The lines of a notebook, of pictures and tables only that they are there."""
    cells = json.loads(notebook)["cells"]
    for output in (output for cell in cells for output in cell.get("outputs", [])):
        for kind in SHOWN.values():
            if kind in output.get("data", {}):
                output["data"][kind] = "shown"
    return scrub(json.dumps(cells, ensure_ascii=False, indent=1)).split("\n")


def run(args: list[str]) -> int:
    """The program."""
    assert __doc__
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("notebook", type=Path, metavar="NOTEBOOK")
    parser.add_argument("--write", action="store_true", help="store the outputs")
    given = parser.parse_args(args)
    if given.write:
        given.notebook.write_text(refreshed(given.notebook), "utf-8")
        return 0
    found = difference(given.notebook)
    print(found)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
