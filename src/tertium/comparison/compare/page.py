"""The interactive report of a comparison: its sections as parts of a page, linked to examples."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tertium.comparison.compare.changes import (
    class_bars,
    class_table,
    class_transitions,
    detailed_pairs,
    difference_matrix,
    difference_table,
    drawn_pairs,
    group_changes,
    group_table,
    label_tables,
)
from tertium.comparison.compare.look import CompareLook
from tertium.comparison.compare.solvers import (
    bound_table,
    contribution_table,
    count_table,
    extreme_tables,
    pattern_block,
    shown_labels,
    subset_tables,
)
from tertium.comparison.compare.tables import lines_below, overview, shortly_named
from tertium.comparison.compare.views import View
from tertium.comparison.golds import gold_blocks
from tertium.comparison.pairs import CLASSES, Pair, Transition
from tertium.comparison.vote.tables import ensemble_blocks
from tertium.results.blocks import NOTHING, Block, Intersections, Text
from tertium.results.blocks.pages import Choice as Link
from tertium.results.blocks.pages import Page, PagePart, PageView
from tertium.results.parts import type_meanings
from tertium.results.texts import counted, listed
from tertium.significance.score.confusions import legend_of
from tertium.significance.tables import group_significance, pair_text, significance_blocks

if TYPE_CHECKING:
    from tertium.comparison.compare.result import Comparison

ROWS = 20  # of transitions in each class
MOST_PAIRS = 45  # that have parts of their own: all of ten systems
MOST_LABELS = 200
LOOK = CompareLook(format="html", limit=MOST_LABELS)
# The classes of differences, as the page's address names them.
NAMES = {"corrections": "corrections", "new_errors": "new", "changed_errors": "changed"}
Links = dict[int, list[Link | None]]


def page_of(comparison: Comparison) -> Page | None:
    """The page; there is none without sentences."""
    material = comparison.material
    if material is None:
        return None
    comparison, notes = shortly_named(comparison)
    return Page(
        f"Systems compared against {Path(comparison.scores.gold).name}",
        [_view(comparison, view) for view in comparison.views],
        material.scenes(comparison.views),
        intro=[
            *overview(comparison),
            *significance_blocks(comparison.assessment, None),
            *gold_blocks(comparison.golds),
            *lines_below(comparison, notes),
        ],
        seed=comparison.seed,
    )


def _view(comparison: Comparison, view: View) -> PageView:
    """A metric; it opens with the pair that other formats show in full."""
    first = detailed_pairs(comparison.scores, view, LOOK)[0]
    parts = [*_parts(comparison, view, first)]
    return PageView(view.metric, view.metric, parts, view, (first.a, first.b))


def _parts(comparison: Comparison, view: View, first: Pair) -> Iterator[PagePart]:
    yield _differences(comparison, view)
    by = comparison.scores.by or ""
    tests = significance_blocks(comparison.assessment, by, metrics=[view.metric])
    for other in comparison.regrouped:
        tests += group_significance(other.assessment, other.scores.by, metrics=[view.metric])
    if tests:
        yield PagePart("significance", "Significance", tests)
    pairs, note = _shown_pairs(view, first)
    for pair in pairs:
        yield _pair(comparison, pair, note)
    if view.oracle.items:
        yield _labels(view)
        yield _solvers(view)
    voted = comparison.vote_assessment
    votes = ensemble_blocks(comparison.ensembles, comparison.scores, view, voted)
    if votes:
        yield PagePart("ensembles", "Ensembles", votes)
    each = ((c.scores.by or "", c[view.metric]) for c in (comparison, *comparison.regrouped))
    grouped = {key: found for key, found in each if found.groups}
    if grouped:
        keys = listed([*grouped], most=len(grouped))
        yield PagePart("groups", f"By {keys}", [group_table(v, k) for k, v in grouped.items()])
        for pair in pairs:
            tables = [group_changes(v, k, pair) for k, v in grouped.items()]
            yield PagePart("group-pair", f"{pair.a} → {pair.b} by {keys}", tables, (pair.a, pair.b))


def _differences(comparison: Comparison, view: View) -> PagePart:
    every: list[Link | None] = [difference_link(p.a, p.b) for p in view.pairs]
    blocks: list[Block] = [difference_table(comparison.scores, view)]
    links: Links = {0: every}
    if len(view.systems) > 2:
        links[len(blocks)] = matrix_links(view.order, view.order)
        blocks.append(difference_matrix(view))
    bars = class_bars(view)
    if bars:
        other = any(pair.both_right for pair in drawn_pairs(view))
        links[len(blocks)] = [
            link
            for p in drawn_pairs(view)
            for link in (*(difference_link(p.a, p.b, k) for k in CLASSES), *([None] * other))
        ]
        blocks += bars
    links[len(blocks)] = every
    blocks.append(class_table(view))
    return PagePart("differences", "Differences", blocks, links=links)


def _shown_pairs(view: View, first: Pair) -> tuple[list[Pair], list[Block]]:
    """The pairs that have parts of their own, and what to say of the others: of very many pairs,
    those with one of the two best systems are shown, `first` in any case."""
    if len(view.pairs) <= MOST_PAIRS:
        return view.pairs, []
    best = view.oracle.best if view.oracle.best in first.rows else first.rows[0]
    found = [pair for pair in view.pairs if best in pair.rows and pair.rows != first.rows]
    shown = sorted([first, *found[: MOST_PAIRS - 1]], key=lambda pair: pair.rows)
    left = counted(len(view.pairs) - len(shown), "other")
    name = view.systems[best]
    text = f"pairs with {name}, one of the two best systems, are shown; {left} are not"
    return shown, [Text(text)]


def _pair(comparison: Comparison, pair: Pair, note: Sequence[Block]) -> PagePart:
    blocks: list[Block] = []
    tested = pair_text(comparison.assessment, pair.a, pair.b, pair.metric)
    if tested:
        blocks.append(Text(tested, role="tests"))
    links: Links = {}
    for kind in CLASSES:
        links[len(blocks)] = [transition_link(pair, kind, t) for t in pair.transitions(kind)[:ROWS]]
        blocks.append(class_transitions(pair, kind, ROWS))
    if pair.mode != "labels":
        view = next(view for view in comparison.views if view.metric == pair.metric)
        meanings = type_meanings(pair.answers.types, view.error_types)
        none = "no such item, which is right where gold has none"
        blocks.append(Text(legend_of({**meanings, "none": none})))
    for table in label_tables([pair], LOOK):
        links[len(blocks)] = [
            difference_link(pair.a, pair.b, gold=row.label) for row in pair.labels[:MOST_LABELS]
        ]
        blocks.append(table)
    return PagePart("pair", f"{pair.a} → {pair.b}", [*blocks, *note], (pair.a, pair.b), links)


def _labels(view: View) -> PagePart:
    rows: list[Link | None] = [None]
    rows += [{"of": "gold", "gold": row.label} for row in shown_labels(view, LOOK)]
    blocks: list[Block] = [bound_table(view, LOOK), *extreme_tables(view)]
    return PagePart("labels", "Labels and upper bounds", blocks, links={0: rows})


def _solvers(view: View) -> PagePart:
    figure = pattern_block(view, replace(LOOK, limit=None))
    blocks: list[Block] = [figure]
    links: Links = {}
    if isinstance(figure, Intersections):
        links[0] = combination_links(figure)
    if len(view.systems) > 2:
        links[len(blocks)] = [
            {"of": "gold", "many": str(n)} for n in range(len(view.systems), -1, -1)
        ]
        blocks.append(count_table(view))
        links[len(blocks)] = [
            {"of": "gold", "right": [name], "wrong": [n for n in view.systems if n != name]}
            for name in view.systems
        ]
        blocks.append(contribution_table(view))
        blocks += subset_tables(view)
    return PagePart("solvers", "Who is right", blocks, links=links)


def transition_link(pair: Pair, kind: str, found: Transition) -> Link:
    """The items behind a row of transitions of a class."""
    choice: Link = {"a": pair.a, "b": pair.b, "class": NAMES[kind]}
    choice["from"], choice["to"] = _named(found.a), _named(found.b)
    # Only changed errors are told apart by gold labels, and only where labels are shown.
    with_gold = kind == "changed_errors" and pair.mode != "types"
    return {**choice, "gold": _named(found.gold)} if with_gold else choice


def _named(name: str | None) -> str:
    return NOTHING if name is None else name


def difference_link(a: str, b: str, kind: str = "different", gold: str = "") -> Link | None:
    """All differences of two systems or a class of them (`corrections`, `new_errors`,
    `changed_errors`), perhaps of the gold items of one label; none between a system and itself."""
    if a == b:
        return None
    label: Link = {"of": "gold", "gold": gold} if gold else {}
    return {"a": a, "b": b, "class": NAMES.get(kind, kind), **label}


def matrix_links(rows: Sequence[str], columns: Sequence[str]) -> list[Link | None]:
    """For a matrix of systems, the differences of each two, row by row."""
    return [difference_link(a, b) for a in rows for b in columns]


def combination_links(figure: Intersections) -> list[Link | None]:
    """For sets of the gold items that systems have right, the items of each combination."""
    return [
        {
            "of": "gold",
            "right": [name for name, has in zip(figure.sets, row, strict=True) if has],
            "wrong": [name for name, has in zip(figure.sets, row, strict=True) if not has],
        }
        for row in figure.members
    ]
