"""The reference of the Python package, as Markdown, from its docstrings."""

from __future__ import annotations

import doctest
import inspect
import re
from collections.abc import Iterator
from typing import Any

# What users call; the rest of a result is for those who write one.
USED = ("render", "to_frame", "to_pandas", "to_latex", "to_markdown", "to_dict", "to_rows", "check")
DEFAULT = re.compile(r"<factory>|<object object at \w+>")


def reference() -> str:
    """All public names of the package, those of one kind together."""
    import tertium
    from tertium.results.output import Output

    kinds: dict[str, list[str]] = {
        "Functions": [],
        "Results": ["\n".join(_class("Every result", Output))],
        "Other classes": [],
        "Exceptions": [],
    }
    for name in tertium.__all__:
        found = getattr(tertium, name)
        if name.startswith("__"):
            continue
        if not inspect.isclass(found):
            kinds["Functions"].append("\n".join(_function(name, found)))
        elif issubclass(found, Exception):
            kinds["Exceptions"].append("\n".join(_entry(name, "", found)))
        else:
            kind = "Results" if issubclass(found, Output) else "Other classes"
            kinds[kind].append("\n".join(_class(name, found)))
    return "\n".join(f"## {kind}\n\n" + "\n".join(each) for kind, each in kinds.items())


def _function(name: str, function: Any) -> Iterator[str]:
    yield from _entry(name, f"tertium.{name}{_signature(function)}", function)


def _class(name: str, found: type) -> Iterator[str]:
    """A class with its public methods and properties that have docstrings; what every result has is
    listed once."""
    from tertium.results.output import Output

    if found is Output:
        yield f"### {name}\n\n{prose(found).partition(chr(10) * 2)[0]}\n"
    else:
        yield from _entry(name, "", found)
    rows = []
    for member in USED if found is Output else sorted({*dir(found)} - {*dir(Output)}):
        value = inspect.getattr_static(found, member)
        function = value.fget if isinstance(value, property) else getattr(value, "__func__", value)
        if member.startswith("_") or not inspect.isfunction(function) or not prose(function):
            continue
        shown = member if isinstance(value, property) else f"{member}{_signature(function)}"
        rows.append(f"- `{shown}`: {' '.join(prose(function).split())}")
    if rows:
        yield from [*rows, ""]


def _entry(name: str, call: str, found: Any) -> Iterator[str]:
    yield f"### {name}\n"
    if call:
        yield f"```text\n{call}\n```\n"
    yield f"{prose(found)}\n"


def prose(found: Any) -> str:
    """A docstring without its examples, which run where they stand; formulas as code."""
    text = inspect.getdoc(found) or ""
    pieces = doctest.DocTestParser().parse(text)
    text = "".join(piece for piece in pieces if isinstance(piece, str))
    return re.sub(r"\n{3,}", "\n\n", text).strip()


def _signature(function: Any) -> str:
    """Names and defaults of parameters, one a line if they do not fit on one."""
    given = inspect.signature(function)
    bare = [
        each.replace(annotation=inspect.Parameter.empty)
        for each in given.parameters.values()
        if each.name not in ("self", "cls")
    ]
    text = str(given.replace(parameters=bare, return_annotation=inspect.Signature.empty))
    text = DEFAULT.sub("...", text)
    if len(text) <= 90:
        return text
    inside = re.split(r", (?=[*\w]+(?:=|,|$|\)))", text[1:-1])
    return "(\n" + "".join(f"    {each},\n" for each in inside) + ")"
