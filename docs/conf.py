"""Sphinx: Markdown pages (MyST) and the furo theme; a page fetches nothing from elsewhere."""

import re
from pathlib import Path

_version = Path(__file__).resolve().parent.parent / "src" / "tertium" / "_version.py"

project = "Tertium"
author = "The Tertium developers"
copyright = "The Tertium developers"
release = re.search(r'__version__ = "(.+)"', _version.read_text(encoding="utf-8"))[1]
version = release

extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3

html_theme = "furo"
html_title = f"Tertium {release}"
html_copy_source = False
html_show_sphinx = False
