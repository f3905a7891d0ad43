"""Pages made from comparisons, for tests of the interactive report."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from tertium.comparison.compare.page import (
    combination_links,
    difference_link,
    matrix_links,
    transition_link,
)
from tertium.comparison.compare.result import Comparison
from tertium.comparison.compare.views import View as Compared
from tertium.comparison.pairs import CLASSES
from tertium.corpus.labels import Labels
from tertium.report.page import render_page
from tertium.results.answers import Answers
from tertium.results.blocks import NOTHING, Bars, Column, Intersections, Matrix, Table, Text
from tertium.results.blocks.pages import Page, PagePart, PageView
from tertium.results.items import Items
from tertium.results.scenes import Scene
from tertium.results.signatures import signature_texts
from tertium.signature import Signature

Record = dict[str, Any]


def view_of(comparison: Comparison, view: Compared) -> PageView:
    """One metric with every kind of part that a report has."""
    systems = view.systems
    overview = Table(
        (
            Column("system"),
            Column("right", view.metric, "count"),
            Column("accuracy", view.metric, "percent", "higher"),
        ),
        tuple(
            (name, int(right), float(right) / view.oracle.items)
            for name, right in zip(systems, view.oracle.right, strict=True)
        ),
        note=f"of {view.oracle.items:,} gold items",
    )
    matrix = Matrix(
        systems,
        systems,
        tuple(
            tuple(None if i == j else cell for j, cell in enumerate(row))
            for i, row in enumerate(view.differences)
        ),
        title="How much systems differ",
        kind="percent",
    )
    bars = Bars(
        tuple(f"{pair.a} → {pair.b}" for pair in view.pairs),
        ("corrections", "new errors", "changed errors"),
        tuple((p.corrections, p.new_errors, p.changed_errors) for p in view.pairs),
        title="What became of differing items",
        unit="items",
    )
    patterns = Counter(map(tuple, view.answers.right[:, : view.answers.gold_items].T.tolist()))
    sets = Intersections(
        systems, tuple(patterns), tuple(patterns.values()), title="Which systems are right"
    )
    signed = signature_texts((name, view.metric, s) for name, s in view.signatures.items())
    parts = [
        PagePart("overview", "Overview", [overview, *signed]),
        PagePart("heat", "Differences", [matrix], links={0: matrix_links(systems, systems)}),
        PagePart(
            "classes",
            "Corrections and errors",
            [bars],
            links={0: [difference_link(p.a, p.b, kind) for p in view.pairs for kind in CLASSES]},
        ),
        *(_pair_part(pair) for pair in view.pairs),
        PagePart("labels", "Labels", [_labels(view)]),
        PagePart("sets", "Correct systems", [sets], links={0: combination_links(sets)}),
    ]
    return PageView(view.metric, view.metric, parts, view)


def _pair_part(pair: Any) -> PagePart:
    blocks, links = [], {}
    for number, kind in enumerate(CLASSES):
        found = pair.transitions(kind)
        rows = [
            (*([t.gold or NOTHING] if kind == "changed_errors" else []), t.a or NOTHING,
             t.b or NOTHING, t.count)
            for t in found[:15]
        ]  # fmt: skip
        names = [*(["gold"] if kind == "changed_errors" else []), pair.a, pair.b]
        columns = (*map(Column, names), Column("count", "", "count"))
        title = f"{kind.replace('_', ' ')}: {getattr(pair, kind):,}"
        blocks.append(Table(columns, tuple(rows), title=title, keys=len(names)))
        links[number] = [transition_link(pair, kind, t) for t in found[:15]]
    return PagePart("pair", f"From {pair.a} to {pair.b}", blocks, (pair.a, pair.b), links)


def _labels(view: Compared) -> Table:
    of = view.answers
    bound = of.count_gold(of.right[:, : of.gold_items].any(axis=0)[None])[0]
    rows = [
        (
            name,
            int(of.gold_per_label[i]),
            *(of.right_per_label[:, i] / of.gold_per_label[i]).tolist(),
            float(bound[i] / of.gold_per_label[i]),
        )
        for i, name in enumerate(of.names)
        if of.gold_per_label[i]
    ]
    columns = (
        Column("label"),
        Column("items", "", "count"),
        *(Column(s, "accuracy", "percent", "higher", "accuracy") for s in view.systems),
        Column("upper bound", "accuracy", "percent", bound=True),
    )
    return Table(columns, tuple(sorted(rows, key=lambda r: -r[1])), title="Accuracy by gold label")


def report_of(comparison: Comparison, title: str = "Comparison", **options: Any) -> str:
    """A page with every view of a comparison."""
    material = comparison.material
    assert material is not None
    views = [view_of(comparison, view) for view in comparison.views]
    sentences = [material.scene(i) for i in range(material.count)]
    intro = [Text(comparison.scores.gold, "gold")]
    return render_page(Page(title, views, sentences, intro), **options)


def view_of_words(
    gold_head: Any, head: Any, gold: Any, label: Any, sentences: int, **more: Any
) -> Compared:
    """Items that are words, one after the other; heads are tokens, those of systems and labels are
    systems x items. What has the gold label and head is right."""
    right = (label == gold) & (head == gold_head)
    systems, items = right.shape
    names = tuple(f"label{i}" for i in range(int(label.max()) + 1))
    answers = Answers(
        names=more.pop("labels", names),
        types=more.pop("types", ("correct", "label", "head")),
        gold_items=items,
        units=sentences,
        unit=(np.arange(items) * sentences // items).astype(np.int32),
        gold=gold.astype(np.int32),
        answer=np.where(right, 0, 1 + label * items + head).astype(np.uint64),
        right=right,
        answered=np.ones(right.shape, np.bool_),
        label=label.astype(np.int32),
        type=np.where(right, 0, 1).astype(np.uint8),
        counted=np.ones(sentences, np.bool_),
        tokens=items,
        sides=tuple(
            Items.of_tokens(Labels.constant("x", items), each.astype(np.int64))
            for each in (gold_head, *head)
        ),
        row=np.tile(np.arange(items, dtype=np.int32), (systems + 1, 1)),
    )
    view: dict[str, Any] = {
        "metric": "deps.las",
        "layer": "deps",
        "systems": tuple(f"system-{i}" for i in range(systems)),
        "mode": "labels",
        "signatures": {f"system-{i}": Signature("deps.las") for i in range(systems)},
    }
    return Compared(**{**view, "answers": answers, **more})


def large_view(items: int, systems: int, labels: int = 40, length: int = 20) -> Compared:
    """Random dependency items in sentences of equal length."""
    random = np.random.default_rng(0)
    shape = (systems, items)
    word = np.arange(items)
    place = word % length
    gold = random.integers(0, labels, items)
    gold_head = np.where(place == 0, -1, word - place + place // 2)
    right = random.random(shape) < 0.85
    label = np.where(right, gold, random.integers(0, labels, shape))
    head = np.where(right, gold_head, word - place + random.integers(0, length, shape))
    return view_of_words(gold_head, head, gold, label, items // length)


def plain_sentences(count: int, length: int = 20) -> list[Scene]:
    """Sentences of invented words."""
    random = np.random.default_rng(1)
    forms = [f"word{i}" for i in range(5000)]
    codes = random.integers(0, len(forms), (count, length)).tolist()
    return [
        Scene(
            f"s{i}",
            tuple(forms[c] for c in row),
            document=f"d{i // 50}",
            file="gold.conllu",
        )
        for i, row in enumerate(codes)
    ]
