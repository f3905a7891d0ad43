"""The page itself: views chosen by tabs, parts below each other, and examples.

A view is one metric. Its parts are blocks, as every section builds them; what is compared has the
items that the example browser filters. Whatever is chosen stands in the address fragment, so that
links between tables, figures and examples are ordinary links and a view can be cited.
"""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import resources
from urllib.parse import quote, urlencode

from tertium.comparison.compare.views import View as Compared
from tertium.report.embed_tmp import (
    LIMIT,
    columns_of,
    embedded,
    sampled,
    texts_of,
    view_data,
)
from tertium.results.blocks.pages import Choice
from tertium.report.render import csv, latex
from tertium.report.render.html import Item, block_item, environment
from tertium.results.blocks import Block, Text
from tertium.results.scenes import Scene
from tertium.results.texts import visible


@dataclass(frozen=True)
class PagePart:
    """Some blocks under a heading.

    - `id`: occurs once in a view, but for parts of different pairs
    - `pair`: two systems; the part is shown when they are chosen
    - `links`: by number of block, what its rows, cells, parts or combinations choose among the
      examples (`links.py` makes them), in the order of `svg.draw`; None where one chooses nothing
    """

    id: str
    title: str
    blocks: Sequence[Block]
    pair: tuple[str, str] | None = None
    links: Mapping[int, Sequence[Choice | None]] = field(default_factory=dict)


@dataclass(frozen=True)
class View:
    """What there is to say about one metric; without `compared` it has no examples.

    - `pair`: the two systems that are compared when the page opens; by default the first two
    """

    id: str
    title: str
    parts: Sequence[PagePart]
    compared: Compared | None = None
    pair: tuple[str, str] | None = None


@dataclass(frozen=True)
class _Shown:
    """A part with its blocks as the template takes them."""

    part: PagePart
    items: list[Item]
    begins_pairs: bool


def render_report(
    title: str,
    views: Sequence[View],
    sentences: Sequence[Scene] = (),
    *,
    intro: Sequence[Block] = (),
    limit: int = LIMIT,
    seed: int = 0,
) -> str:
    """The page as one string without any address from outside.

    The items of all views stand in `sentences`. Examples of more than `limit` bytes are sampled by
    sentence with `seed`, and the page says so; tables and figures are always those of all data.
    """
    maker = _Maker(title)
    head = [maker.item(block) for block in intro]
    shown = [(view, list(maker.parts(view))) for view in views]
    items = [v.compared and (v.compared, columns_of(v.compared, sentences)) for v in views]
    texts = texts_of(sentences)
    kept = sampled(texts, [each[1] for each in items if each], limit, seed)
    style = _asset("page.css") + _asset("report.css")
    script = _asset("report.js")
    return (
        environment()
        .get_template("report.html.jinja")
        .render(
            title=title,
            intro=head,
            views=shown,
            sampling=_sampling(len(kept), len(texts.pieces), seed),
            style=_markup(style),
            script=_markup(script),
            style_hash=_digest(style),
            script_hash=_digest(script),
            copies=_markup(embedded(maker.copies)),
            texts=_markup(texts.data(kept)),
            sheets=[
                _markup(embedded(each and view_data(*each, kept, len(sentences)))) for each in items
            ],
        )
    )


class _Maker:
    """Makes items with ids that occur once on the page, and gathers the texts to copy."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.figures = 0
        self.copies: list[dict[str, str]] = []

    def item(self, block: Block, links: Sequence[str] = (), of: str = "") -> Item:
        """A block; its table can be copied as Tertium's own LaTeX and CSV.

        `of` says what it is about where its title does not: outside the page, nothing else would.
        """
        if isinstance(block, Text):
            return block
        alone = replace(block, title=f"{of}, {block.title}") if of else block
        latex_text = latex.render([alone], caption=self.title)
        self.copies.append({"latex": latex_text, "csv": csv.render_tables([block])})
        self.figures += 1
        return block_item(block, f"figure-{self.figures}", links, len(self.copies) - 1)

    def parts(self, view: View) -> Iterator[_Shown]:
        """The parts of a view; before the first one of a pair, the pair is chosen."""
        chosen = False
        for part in view.parts:
            items = [
                self.item(
                    block,
                    [fragment(view.id, c) for c in part.links.get(number, ())],
                    _about(view, part, block),
                )
                for number, block in enumerate(part.blocks)
            ]
            yield _Shown(part, items, part.pair is not None and not chosen)
            chosen = chosen or part.pair is not None


def _about(view: View, part: PagePart, block: Block) -> str:
    """The metric and the pair of a table whose title names neither."""
    if part.pair is None or isinstance(block, Text) or not block.title:
        return ""
    return "" if view.id in block.title else f"{view.title}: {part.title}"


def fragment(view: str, choice: Choice | None) -> str:
    """The address of a choice within the page; empty for none.

    >>> fragment("LAS", {"class": "new", "right": ["a b", "c&d"]})
    '#view=LAS&class=new&right=a%20b&right=c%26d'
    """
    if choice is None:
        return ""
    pairs = [("view", visible(view))]
    for key, value in choice.items():
        values = [value] if isinstance(value, str) else value
        pairs += [(key, visible(each)) for each in values]
    return f"#{urlencode(pairs, quote_via=quote)}"


def _sampling(kept: int, total: int, seed: int) -> str:
    if kept == total:
        return ""
    return f"examples: {kept:,} of {total:,} sentences, drawn with seed {seed}"


def _asset(name: str) -> str:
    return (resources.files("tertium") / "report" / "assets" / name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    """What the page's security policy allows to run: exactly this text."""
    return f"sha256-{b64encode(hashlib.sha256(text.encode('utf-8')).digest()).decode('ascii')}"


def _markup(text: str) -> object:
    """Our own text, or data without any sign of markup."""
    from markupsafe import Markup

    return Markup(text)
