"""What a shell offers for a word that is not finished: files, or names that are registered."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import click
from click.shell_completion import CompletionItem

from tertium import registry
from tertium.cli.output import ALL_FORMATS
from tertium.options import Option, Verb
from tertium.report.render import SYNONYMS

Completions = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def completions(what: Option | Verb) -> Completions | None:
    """For the values of an option, or for the arguments of a verb; None where nothing is known."""
    if isinstance(what, Verb):
        return _names(what.offers) if what.offers else _files
    if what.path:
        return _files
    return _names(_KNOWN[what.name]) if what.name in _KNOWN else None


def _files(context: click.Context, parameter: click.Parameter, text: str) -> list[CompletionItem]:
    return [CompletionItem(text, type="file")]


def _names(known: Callable[[Sequence[str]], Sequence[str]]) -> Completions:
    def complete(context: click.Context, parameter: Any, text: str) -> list[CompletionItem]:
        before = context.params.get("files") or ()
        return [CompletionItem(name) for name in known(before) if name.startswith(text)]

    return complete


_KNOWN: dict[str, Callable[[Sequence[str]], Sequence[str]]] = {
    **dict.fromkeys(("metric", "fail_if_worse"), lambda before: registry.names("metrics")),
    **dict.fromkeys(
        ("input_format", "system_format", "to"), lambda before: registry.names("formats")
    ),
    "format": lambda before: [*ALL_FORMATS, *SYNONYMS],
}
