"""The interactive report of a comparison: its sections as parts of a page, linked to examples."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from tertium.comparison.compare.changes import (
    class_bars,
    class_table,
    detailed_pairs,
    difference_matrix,
    difference_table,
    drawn_pairs,
    group_changes,
    group_table,
    label_tables,
    same_label,
    type_legend,
    written,
)
from tertium.comparison.compare.criteria import criteria_blocks
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
from tertium.results.blocks import (
    Block,
    Cell,
    Column,
    Intersections,
    Table,
    Text,
)
from tertium.results.blocks.pages import Choice as Link
from tertium.results.blocks.pages import Page, PagePart, PageView
from tertium.results.names import called
from tertium.results.texts import counted, in_words, listed, rest_text
from tertium.significance.score.summary import main_metric
from tertium.significance.tables import group_significance, pair_text, significance_blocks

if TYPE_CHECKING:
    from tertium.comparison.compare.result import Comparison
    from tertium.corpus.labels import Int32

ROWS = 20  # of transitions in each class
NO_LABEL = "(none)"  # in the address of a page; no label is called so
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
    scores = comparison.scores
    # The page opens with the metric that the annotation is usually judged by.
    views = sorted(comparison.views, key=lambda v: v.metric != main_metric(scores))
    return Page(
        f"Systems compared against {Path(scores.gold).name}",
        [_view(comparison, view) for view in views],
        material.scenes(comparison.views),
        intro=called(
            [
                *overview(comparison),
                *significance_blocks(comparison.assessment, None),
                *criteria_blocks(scores, comparison.views),
                *gold_blocks(comparison.golds),
            ],
            scores.names,
        ),
        seed=comparison.seed,
        summary=comparison.summary(),
        closing=called(lines_below(comparison, notes), scores.names),
    )


def _view(comparison: Comparison, view: View) -> PageView:
    """A metric with all that there is to say about it."""
    first = detailed_pairs(comparison.scores, view, LOOK)[0]  # which the page opens with
    grouped = _grouped(comparison, view)
    names = comparison.scores.names
    title = names[view.metric]
    tests = {
        (a, b): text.removeprefix(f"{title} ")
        for a, b in permutations(view.systems, 2)
        if (text := pair_text(comparison.assessment, a, b, view.metric))
    }
    return PageView(
        view.metric,
        title,
        [
            replace(part, blocks=called(part.blocks, names))
            for part in _parts(comparison, view, first, grouped)
        ],
        view,
        (first.a, first.b),
        tests,
        {key: _group_codes(found) for key, found in grouped.items()},
    )


def _grouped(comparison: Comparison, view: View) -> dict[str, View]:
    """By key, the view with its groups."""
    each = ((c.scores.by or "", c[view.metric]) for c in (comparison, *comparison.regrouped))
    return {key: found for key, found in each if found.groups}


def _group_codes(view: View) -> tuple[list[str], Int32]:
    """The names of groups, and which of them each item is in (-1 for none)."""
    of, names = view.answers, [*view.groups]
    places = [names.index(name) if name in names else -1 for name in of.group_names]
    assert of.group is not None
    return names, np.array([*places, -1], np.int32)[of.group]


def _parts(
    comparison: Comparison, view: View, first: Pair, grouped: Mapping[str, View]
) -> Iterator[PagePart]:
    yield _differences(comparison, view)
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
    yield from _groups(comparison, view, pairs, grouped)


def _groups(
    comparison: Comparison, view: View, pairs: Sequence[Pair], grouped: Mapping[str, View]
) -> Iterator[PagePart]:
    """Systems, pairs and tests inside groups."""
    if not grouped:
        return
    keys = listed([*grouped], most=len(grouped))
    blocks: list[Block] = [group_table(v, key) for key, v in grouped.items()]
    links: Links = {
        n: [{"of": "gold", "by": [f"{key}={name}"] if name else []} for name in ("", *v.groups)]
        for n, (key, v) in enumerate(grouped.items())
    }
    yield PagePart("groups", f"By {keys}", blocks, links=links, short="Groups")
    for pair in pairs:
        tables = [group_changes(v, key, pair) for key, v in grouped.items()]
        rows: Links = {
            n: [difference_link(pair.a, pair.b, by=f"{key}={name}" if name else "")
                for name in ("", *v.groups)]
            for n, (key, v) in enumerate(grouped.items())
        }  # fmt: skip
        title = f"{pair.a} → {pair.b} by {keys}"
        yield PagePart("group-pair", title, tables, (pair.a, pair.b), rows, "Changes by group")
    tests = [
        block
        for each in (comparison, *comparison.regrouped)
        for block in group_significance(each.assessment, each.scores.by, metrics=[view.metric])
    ]
    if tests:
        yield PagePart("significance", f"Tests by {keys}", tests, short="Tests by group")


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
        return [first if {*p.rows} == {*first.rows} else p for p in view.pairs], []
    best = view.oracle.best if view.oracle.best in first.rows else first.rows[0]
    found = [pair for pair in view.pairs if best in pair.rows and {*pair.rows} != {*first.rows}]
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
        blocks.append(class_transitions(pair, kind))
    if pair.mode != "labels":
        view = next(view for view in comparison.views if view.metric == pair.metric)
        blocks.append(Text(type_legend(view)))
    for table in label_tables([pair], LOOK):
        links[len(blocks)] = [
            difference_link(pair.a, pair.b, gold=row.label) for row in pair.labels[:MOST_LABELS]
        ]
        blocks.append(table)
    names = pair.a, pair.b
    return PagePart("pair", " → ".join(names), [*blocks, *note], names, links, "Changes")


def class_transitions(pair: Pair, kind: str) -> Table:
    """The most frequent transitions of one class. Beside each is how often the opposite happened:
    a correction X → Y is undone by a new error Y → X."""
    count, found = getattr(pair, kind), pair.transitions(kind)
    left = found[ROWS:]
    is_changed = kind == "changed_errors"
    opposite = {"corrections": "new_errors", "new_errors": "corrections"}.get(kind, kind)
    reverse = {(t.gold, t.b, t.a): t.count for t in pair.transitions(opposite)}
    sign = -1 if kind == "new_errors" else 1
    rows: list[tuple[Cell, ...]] = []
    for each in found[:ROWS]:
        back = reverse.get((each.gold, each.a, each.b), 0)
        net = () if is_changed else (sign * (each.count - back),)
        shares = each.count / pair.different, each.count / count
        rows.append((written(each), each.count, back, *net, *shares))
    size = "" if not pair.different else f" ({100 * count / pair.different:.2f}%)"
    return Table(
        (
            Column("gold → A → B" if any(t.gold for t in found) else "A → B"),
            Column(f"{pair.item}s", "", "count"),
            Column("reverse", "", "count"),
            *([] if is_changed else [Column("net", "", "count_delta")]),
            Column("of all", "share", "percent"),
            Column("of class", "share", "percent"),
        ),
        tuple(rows),
        title=f"{in_words(kind)}: {count:,}{size}",
        omitted=rest_text(
            len(left),
            is_text=False,
            noun="rarer transition",
            more=f" of {counted(sum(t.count for t in left), pair.item)}",
        ),
        note=_transition_note(pair, found, "" if is_changed else in_words(opposite)),
    )


def _transition_note(pair: Pair, found: Sequence[Transition], opposite: str) -> str:
    """What the columns mean, and a transition from a label to itself."""
    notes = []
    if found and opposite:
        notes.append(f"reverse: Y → X among {opposite}; net: corrections minus new errors")
    return "; ".join([*notes, *filter(None, [same_label(pair, found)])])


def _labels(view: View) -> PagePart:
    rows: list[Link | None] = [None]
    rows += [{"of": "gold", "gold": row.label} for row in shown_labels(view, LOOK)]
    blocks: list[Block] = [bound_table(view, LOOK), *extreme_tables(view)]
    return PagePart("labels", "Labels and oracle", blocks, links={0: rows}, short="Labels")


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
    return PagePart("solvers", "Correct systems", blocks, links=links)


def transition_link(pair: Pair, kind: str, found: Transition) -> Link:
    """The items behind a row of transitions of a class."""
    choice: Link = {"a": pair.a, "b": pair.b, "class": NAMES[kind]}
    choice["from"], choice["to"] = _named(found.a), _named(found.b)
    # Only changed errors are told apart by gold labels, and only where labels are shown.
    with_gold = kind == "changed_errors" and pair.mode != "types"
    return {**choice, "gold": _named(found.gold)} if with_gold else choice


def _named(name: str | None) -> str:
    return NO_LABEL if name is None else name


def difference_link(
    a: str, b: str, kind: str = "different", gold: str = "", by: str = ""
) -> Link | None:
    """All differences of two systems or a class of them (`corrections`, `new_errors`,
    `changed_errors`), perhaps of the gold items of one label or of a group; none between a system
    and itself."""
    if a == b:
        return None
    label: Link = {"of": "gold", "gold": gold} if gold else {}
    group: Link = {"by": [by]} if by else {}
    return {"a": a, "b": b, "class": NAMES.get(kind, kind), **label, **group}


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
