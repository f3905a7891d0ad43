"""A comparison of systems in any format."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from tertium.exceptions import UsageError

if TYPE_CHECKING:
    from tertium.comparison.compare.result import Comparison
    from tertium.comparison.pairs import Pair
    from tertium.comparison.compare.look import Choice
    from tertium.results.scenes import Scene

PICTURES = ("html", "svg")


def render(
    comparison: Comparison,
    format: str,
    choice: Choice,
    *,
    width: int = 80,
    color: bool = False,
    ascii: bool = False,
) -> str:
    """The whole as a string. JSON and CSV hold every pair in full; of the choice, only examples
    concern them."""
    if choice.examples is not None and comparison.material is None:
        raise UsageError(
            "there are no sentences to show examples from", help="compare with examples=True"
        )
    if format == "json":
        from tertium.comparison.examples import entry
        from tertium.report.render.json import dump

        data = comparison.to_dict()
        if choice.examples is not None:
            data["examples"] = [entry(*each) for each in chosen_examples(comparison, choice)]
        return dump(data)
    if format == "csv":
        from tertium.report.render import compare_csv

        return compare_csv.render(comparison, chosen_examples(comparison, choice))
    from tertium.report.render import render_blocks
    from tertium.comparison.compare.tables import build

    choice = replace(choice, pictures=format in PICTURES, is_text=format == "text")
    blocks = build(comparison, choice)
    title = f"Systems compared against {comparison.scores.gold}"
    return render_blocks(blocks, format, title=title, width=width, color=color, ascii=ascii)


def chosen_examples(comparison: Comparison, choice: Choice) -> Iterator[tuple[Pair, str, Scene]]:
    """The first examples of every class of the pairs shown in full; all of them for 0."""
    from tertium.comparison.examples import Examples
    from tertium.comparison.compare.look import detailed_pairs

    if choice.examples is None or comparison.material is None:
        return
    for view in comparison.views:
        source = Examples(comparison.material, view)
        for pair in detailed_pairs(comparison, view, choice):
            for kind, scene in source.all(pair, choice.examples or None):
                yield pair, kind, scene
