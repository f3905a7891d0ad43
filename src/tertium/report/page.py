"""The interactive page: views chosen by tabs, parts below each other, and examples.

A view is one metric. Its parts are blocks, as every section builds them; what is compared has the
items that the example browser filters. Whatever is chosen stands in the address fragment, so that
links between tables, figures and examples are ordinary links and a view can be cited.

Data is JSON that no markup can break, with columns of numbers as base64 (`binary.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from os import PathLike
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import numpy as np
from numpy.typing import NDArray

from tertium.exceptions import InputError, UsageError
from tertium.report.binary import packed
from tertium.report.chains import Sample, chain_data
from tertium.report.render import blocks_of, latex, spelled_blocks
from tertium.report.render.data import csv_of_tables
from tertium.report.render.html import Item, asset, block_item, environment, policy_hash
from tertium.report.sentences import Columns, all_visible, embedded, sampled, texts_of
from tertium.results.answers import Answers
from tertium.results.blocks import Block, Text
from tertium.results.blocks.pages import Choice, Page, PagePart, PageView
from tertium.results.names import short_names, teller
from tertium.results.output import Look, Output
from tertium.results.parts import type_meanings
from tertium.results.scenes import Scene
from tertium.results.texts import visible

LIMIT = 20_000_000  # bytes of examples; above that, sentences are sampled


@dataclass(frozen=True)
class _Section:
    """A part with its blocks as the template takes them."""

    part: PagePart
    items: list[Item]


def write_report(
    result: Output,
    path: str | PathLike[str],
    *,
    title: str | None = None,
    limit: int = LIMIT,
    seed: int = 0,
) -> None:
    """Write the page of a comparison that was made with `examples=True`, or of what annotators say:
    one file that needs nothing from outside. Above `limit` bytes examples are sampled with `seed`,
    and the page says so."""
    page = replace(page_of(result, result.look(format="html", title=title)), seed=seed)
    try:
        Path(path).write_text(render_page(page, limit=limit), encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot write '{path}': {error.strerror or error}") from None


def page_of(result: Output, look: Look | None = None) -> Page:
    """The page of a result, which must have one."""
    look = look or result.look(format="html")
    if result.is_page:
        return _sections(result, look)
    page = result.page()
    if page is None:
        raise UsageError("there are no sentences to show", help="compare with examples=True")
    return page if look.title is None else replace(page, title=look.title)


def _sections(result: Output, look: Look) -> Page:
    """The blocks of a result as a page: a section for each that has a title, which the others
    follow; below them how the result was made, and notes."""
    parts: list[tuple[str, list[Block]]] = []
    lines = []
    for block in spelled_blocks(blocks_of(result, look)):
        if isinstance(block, Text):
            lines.append(block)
        elif block.title or not parts:
            parts.append((block.title, [block]))
        else:
            parts[-1][1].append(block)
    sections = [PagePart(f"part-{n}", *each) for n, each in enumerate(parts)]
    title = look.title or teller(short_names(result.system_names))(result.title)
    said = [line.text.removesuffix(".") for line in lines if line.role == "summary"]
    rest = [line for line in lines if line.role != "summary"]
    view = PageView("sections", title, sections)
    return Page(title, [view], summary=" ".join(said), closing=rest)


def render_page(page: Page, *, limit: int = LIMIT) -> str:
    """The page as one string without any address from outside.

    Examples of more than `limit` bytes are sampled by sentence, and the page says so; tables and
    figures are always those of all data.
    """
    maker = _Maker(page.title)
    head = [maker.item(block) for block in page.intro]
    shown = [(view, list(maker.parts(view))) for view in page.views]
    closing = [maker.item(block) for block in page.closing]
    items = [v.compared and (v, columns_of(v, page.sentences)) for v in page.views]
    texts = texts_of(page.sentences)
    whole = any(v.compared and v.compared.unit == "document" for v in page.views)
    kept = sampled(texts, [each[1] for each in items if each], limit, page.seed, whole=whole)
    style = asset("page.css") + asset("report.css")
    script = asset("documents.js") + asset("report.js")
    return (
        environment()
        .get_template("report.html.jinja")
        .render(
            title=page.title,
            summary=page.summary,
            intro=head,
            closing=closing,
            views=shown,
            sampling=_sampling(len(kept), len(texts.pieces), page.seed),
            style=_markup(style),
            script=_markup(script),
            style_hash=policy_hash(style),
            script_hash=policy_hash(script),
            copies=_markup(embedded(maker.copies)),
            texts=_markup(texts.data(kept)),
            sheets=[
                _markup(embedded(each and view_data(*each, kept, page.sentences))) for each in items
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
        self.copies.append({"latex": latex_text, "csv": csv_of_tables([block])})
        self.figures += 1
        return block_item(block, f"figure-{self.figures}", links, len(self.copies) - 1)

    def parts(self, view: PageView) -> Iterator[_Section]:
        """The parts of a view."""
        for part in view.parts:
            items = [
                self.item(
                    block,
                    [fragment(view.id, c) for c in part.links.get(number, ())],
                    _about(view, part, block),
                )
                for number, block in enumerate(part.blocks)
            ]
            yield _Section(part, items)


def _about(view: PageView, part: PagePart, block: Block) -> str:
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


def _markup(text: str) -> object:
    """Our own text, or data without any sign of markup."""
    from markupsafe import Markup

    return Markup(text)


def columns_of(page_view: PageView, sentences: Sequence[Scene]) -> Columns:
    """What is embedded of a view, whose items are in `sentences`: answers, places and groups;
    second anchors where items have any, gold's first, and places of systems where one is not
    gold's. Places are counted from 0 in the sentence."""
    view = page_view.compared
    assert view is not None
    of = view.answers
    starts = np.cumsum([0, *(scene.size for scene in sentences)])[:-1]
    sentence = of.sentences(starts, view.unit)
    base = starts[sentence]

    cut = {n: scene for n, scene in enumerate(sentences) if scene.shown is not None}

    def placed(side: int) -> tuple[NDArray[Any], ...]:
        """Places are those of tokens, unless some stand for several."""
        found = of.place_in(side, base)
        for at, row in product(found, np.flatnonzero(np.isin(sentence, [*cut])).tolist()):
            at[row] = cut[int(sentence[row])].place_of(int(at[row])) if at[row] >= 0 else at[row]
        return found

    first, last, second = placed(0)
    columns: Columns = {
        "sentence": sentence,
        "gold": of.gold,
        "extra": np.arange(len(of)) >= of.gold_items,
        "first": first,
        "last": last,
        "flags": of.answered + 2 * of.right.astype(np.uint8) + 4 * of.lost_items,
        "label": of.label,
        "type": of.type,
        "answer": of.answer,
        **{f"group{n}": codes for n, (_, codes) in enumerate(page_view.groups.values())},
    }
    said = [placed(system + 1) for system in range(of.systems)]
    if not said:
        return columns
    firsts, lasts, seconds = (np.array(side) for side in zip(*said, strict=True))
    if (of.answered & ((firsts != first) | (lasts != last))).any():
        columns |= {"said_first": firsts, "said_last": lasts}
    if any(side.second is not None for side in of.sides):
        columns |= {"second": np.concatenate([second[None], seconds])}
    elif view.nests and (lasts > firsts).any():
        columns |= {"order": _order(of, sentence)}
    return columns


def _order(of: Answers, sentence: NDArray[Any]) -> NDArray[Any]:
    """Sides x items: the place of each item in its sentence as the side's file has it, which tells
    constituents over the same words apart."""
    assert of.row is not None
    found = np.zeros_like(of.row)
    for row, order in zip(of.row, found, strict=True):
        there = row >= 0
        first = np.full(int(sentence.max(initial=0)) + 1, np.iinfo(row.dtype).max)
        np.minimum.at(first, sentence[there], row[there])
        order[there] = row[there] - first[sentence[there]]
    return found


def _gaps(of: Answers, order: NDArray[Any]) -> list[dict[int, list[int]]]:
    """For each side the items with gaps: which words they have, counted from their first. Items are
    numbered by their place in `order`."""
    assert of.row is not None
    found: list[dict[int, list[int]]] = []
    for row, items in zip(of.row, of.sides, strict=True):
        found.append({})
        if items.tokens is None:
            continue
        has_gaps = np.append(np.diff(items.tokens.bounds) < items.end - items.start, False)
        for item in np.flatnonzero(has_gaps[row[order]]).tolist():
            found[-1][item] = items.tokens[row[order[item]]].tolist()
    return found if any(found) else []


def view_data(
    page_view: PageView, columns: Columns, kept: Sample, sentences: Sequence[Scene]
) -> dict[str, Any]:
    """A view in the order of the text, with the items of those of `sentences` that are kept.

    Sentences are numbered as in `kept`.
    """
    view = page_view.compared
    assert view is not None
    number = np.full(len(sentences), -1, dtype=np.int64)
    number[kept] = np.arange(len(kept))
    order = np.lexsort(tuple(columns[name] for name in ("extra", "last", "first", "sentence")))
    order = order[number[columns["sentence"][order]] >= 0]
    columns = {name: values[..., order] for name, values in columns.items()}
    columns["sentence"] = number[columns["sentence"]]
    types = view.answers.types
    shown = types if view.mode == "types" else types[1:]  # the first is that of right answers
    meanings = type_meanings(shown, view.error_types)
    return {
        "metric": visible(view.metric),
        "systems": all_visible(view.systems),
        "mode": view.mode,
        "labels": all_visible(view.answers.names),
        "types": all_visible(types),
        "silence": view.answers.silence,
        "shared": view.shared,
        "meanings": {visible(name): text for name, text in meanings.items()},
        "groups": [
            {"key": visible(key), "names": all_visible(names)}
            for key, (names, _) in page_view.groups.items()
        ],
        "tests": [[*all_visible(pair), visible(text)] for pair, text in page_view.tests.items()],
        "items": len(order),
        "item": view.item,
        **({"gaps": _gaps(view.answers, order)} if "order" in columns else {}),
        "columns": {name: packed(values) for name, values in columns.items()},
        "chains": chain_data(view.answers, sentences, kept, order),
    }
