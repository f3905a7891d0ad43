"""List every text that users read: help, notes, table headers and footers, messages.

    python tools/texts.py [--write]

Prints the list, or writes it to `tests/texts.txt`, so that it can be read in one sitting. Texts are
the string literals of the source with at least two words, except docstrings, and the texts of the
report's page. Values that are filled in are shown in braces.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "tertium"
LIST = ROOT / "tests" / "texts.txt"
VALUE = re.compile(r"\{[^{}]*\}")
WORD = re.compile(r"(?<![\w.#-])[A-Za-z][a-z']+(?![\w(=-])")
SCRIPT = re.compile(r"\"([^\"\n]*)\"|`([^`]*)`")
MARKUP = re.compile(r"<[^<>]*>|\{[%{#].*?[%}#]\}", re.DOTALL)
ENOUGH = 2  # words that make a string a text

# What the style guide advises against, with what to write instead.
PATTERNS = {
    r"\d %|\} %(?! [a-z(])": "95%, without a space",
    r"\btold\b|\bis said\b|\bare said\b": "shown, detected, named",
    r"\blook(s|ed)? at\b": "compared, checked, read",
    r"\bstands?\b|\bstood\b": "is, are, appears",
    r"\bso that\b": "so",
    r"\bby (itself|themselves)\b": "automatically",
    r"\banother\b|(?<!the )(?<!all )\bothers\b": "different, a second",
    r"\bbesides\b|,? too[.;]": "also",
    r"\b(is|are|was|were|be) (had|asked for)\b": "say who does what",
    r"\bas (it is|they are)\b(?! (named|called|written|now))": "unchanged",
    r"\bone (row|line|table|token|file|number|column|sentence|record) an? ": "per",
    # "Labeled Spans" is in the title of a paper.
    r"\b[Uu]nlabeled\b|\b[Ll]abeled\b(?! Spans)": "British spelling",
    r"\b[Tt]okeniz|\b[Nn]ormaliz|\b[Bb]ehavior": "British spelling",
    r"\bto no avail\b|\bmend\b|\bgets well\b": "plain words",
    r"\b1 [a-z]+s have\b|\(1 times\)": "a plural that agrees",
}


@cache
def texts(path: Path) -> list[str]:
    """The texts of a file of the source, in order."""
    source = path.read_text(encoding="utf-8")
    found = {".py": python_texts, ".js": script_texts}.get(path.suffix, markup_texts)(source)
    cleaned = (" ".join(text.split()) for text in found)
    return [*dict.fromkeys(text for text in cleaned if is_text(text))]


def is_text(text: str) -> bool:
    """Is this something to be read, rather than a name or code?"""
    plain = VALUE.sub(" ", text)
    return " " in plain.strip() and len(WORD.findall(plain)) >= ENOUGH


def python_texts(source: str) -> Iterator[str]:
    """String literals except docstrings; names that are filled in remain."""
    tree = ast.parse(source)
    hidden = {id(node.body[0].value) for node in ast.walk(tree) if _has_docstring(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            hidden |= {id(part) for part in node.values}
    places = [node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr | ast.Constant)]
    for node in sorted(places, key=lambda n: (n.lineno, n.col_offset)):
        if isinstance(node, ast.JoinedStr):
            yield "".join(map(_piece, node.values))
        elif isinstance(node.value, str) and id(node) not in hidden:
            yield node.value


def _has_docstring(node: ast.AST) -> bool:
    body = getattr(node, "body", None)
    return isinstance(body, list) and bool(body) and isinstance(body[0], ast.Expr)


def _piece(part: ast.expr) -> str:
    if isinstance(part, ast.FormattedValue):
        return "{" + ast.unparse(part.value).replace("{", "(").replace("}", ")") + "}"
    return str(getattr(part, "value", ""))


def script_texts(source: str) -> Iterator[str]:
    """What stands in quotes in JavaScript."""
    for line in source.splitlines():
        if not line.lstrip().startswith("//"):
            for match in SCRIPT.finditer(line):
                yield (match[1] or match[2] or "").replace("${", "{")


def markup_texts(source: str) -> Iterator[str]:
    """What stands between the elements of a template, and in titles and labels."""
    yield from re.findall(r"(?:title|aria-label|placeholder)=\"([^\"]*)\"", source)
    yield from MARKUP.sub("\n", source).split("\n")


def sources() -> list[Path]:
    """The files whose texts users read."""
    assets = SOURCE / "report" / "assets"
    return [*sorted(SOURCE.rglob("*.py")), *sorted(assets.glob("*.jinja")), assets / "report.js"]


def listing() -> str:
    """All texts, under the names of their files."""
    parts = [(path.relative_to(SOURCE).as_posix(), texts(path)) for path in sources()]
    return "\n".join(
        "\n".join([name, *(f"  {t}" for t in found), ""]) for name, found in parts if found
    )


def faults(text: str) -> list[str]:
    """What the style guide advises against in a text, with what to write instead."""
    plain = VALUE.sub("{}", text)
    found = ((re.search(pattern, plain), advice) for pattern, advice in PATTERNS.items())
    return [f"'{match[0]}': {advice}" for match, advice in found if match]


if __name__ == "__main__":
    if "--write" in sys.argv[1:]:
        LIST.write_text(listing(), encoding="utf-8")
    else:
        print(listing())
