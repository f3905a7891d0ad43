"""Sphinx: Markdown pages (MyST), a notebook, the furo theme; nothing is fetched from outside."""

import re
import sys
from pathlib import Path

from myst_parser.parsers.sphinx_ import MystParser

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))

from notebook import as_markdown  # noqa: E402
from reference import reference  # noqa: E402

_version = ROOT / "src" / "tertium" / "_version.py"

project = "Tertium"
author = "The Tertium developers"
copyright = "The Tertium developers"
release = re.search(r'__version__ = "(.+)"', _version.read_text(encoding="utf-8"))[1]
version = release

extensions = ["myst_parser"]
source_suffix = {".md": "markdown", ".ipynb": "notebook"}
exclude_patterns = ["_build"]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3

html_theme = "furo"
html_title = f"Tertium {release}"
html_copy_source = False
html_show_sphinx = False


class NotebookParser(MystParser):
    """A notebook as a page, with the outputs that are stored in it."""

    supported = ("notebook",)

    def parse(self, inputstring: str, document: object) -> None:
        """Parse what the notebook is as Markdown."""
        super().parse(as_markdown(inputstring), document)


def _with_reference(app: object, name: str, source: list[str]) -> None:
    """The page about the package has all of its docstrings."""
    if name == "api":
        source[0] = source[0].replace("<!-- reference -->", reference())


def setup(app: object) -> None:
    """Called by Sphinx."""
    app.add_source_parser(NotebookParser)
    app.connect("source-read", _with_reference)
