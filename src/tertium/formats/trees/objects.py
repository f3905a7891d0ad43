"""Trees that Python programs have at hand: strings of brackets, and trees of nltk."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from typing import Any

from tertium.corpus.corpus import Corpus
from tertium.exceptions import InputError
from tertium.formats.base import Format, Reading
from tertium.formats.trees.discbracket import DiscBracket
from tertium.formats.trees.penn import Brackets, has_numbers
from tertium.formats.trees.text import escape


def is_tree(value: object) -> bool:
    """Is it a string in brackets or a tree of nltk?"""
    if isinstance(value, str):
        return value.lstrip().startswith("(")
    return callable(getattr(value, "label", None)) and callable(getattr(value, "leaves", None))


def are_trees(data: Sequence[Any]) -> bool:
    """Are these trees? None and empty strings are sentences without a parse."""
    given = [value for value in data if value is not None and value != ""]
    return bool(given) and all(map(is_tree, given))


def of_trees(data: Sequence[Any], name: str) -> Corpus:
    """A corpus with one sentence per tree."""
    lines = "".join(f"{_text(tree)}\n" for tree in data)
    try:
        content = lines.encode()
    except UnicodeEncodeError:
        raise InputError(f"{name} holds half a surrogate pair") from None
    format: Format = DiscBracket() if has_numbers(content) else Brackets(layout="lines")
    return format.read(BytesIO(content), Reading(origin=name))


def _text(tree: Any) -> str:
    """A tree on one line."""
    if tree is None or isinstance(tree, str):
        return " ".join((tree or "").split())
    pieces: list[str] = []
    stack: list[Any] = [tree]
    while stack:
        node = stack.pop()
        if is_tree(node) and not isinstance(node, str):
            pieces.append(f" ({node.label()}")
            stack += [None, *reversed([*node])]
        else:
            pieces.append(")" if node is None else f" {escape(str(node))}")
    return "".join(pieces)
