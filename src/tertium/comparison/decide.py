"""`tertium.decide`: the rows behind a score, with the words they are about."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial
from typing import Any

import numpy as np

from tertium.comparison.errors.columns import SideItems
from tertium.comparison.errors.contexts import Contexts
from tertium.comparison.errors.instances import SIDES
from tertium.exceptions import UsageError, suggestion
from tertium.families.base import Metric, make
from tertium.families.sets import MetricSet
from tertium.options import options_of, take, takes
from tertium.results.decisions import Decisions
from tertium.results.sentences import sentence_ids
from tertium.study.data import DataOptions, reads_data
from tertium.study.files import File
from tertium.study.judgement import Judgement
from tertium.study.study import Study
from tertium.study.walk import walk

HEAD = 5  # where the names begin that are of heads
_NAMES = ("text", "first", "last", "start", "end", "head", "head_form")
NOT_TAKEN = frozenset(("metric", "by", "labels", "confusion", "documents"))


@takes(Study, DataOptions, without=NOT_TAKEN)
@reads_data(2)
def decide(gold: Any, system: Any, metric: str | Metric, **options: Any) -> Decisions:
    """The decisions behind a score: one row per judged item, as columns.

    Takes one gold and one system as `score` does. `to_frame()` gives a polars data frame with a row
    per item: the id of its sentence, its labels, whether it is correct, and for each side its words
    (`gold_text`), its first and last token, counted from 1 (`gold_first`, `gold_last`), where the
    text is known its characters, end exclusive (`gold_start`, `gold_end`), and of words in trees
    the head (`gold_head`, 0 for the root, and `gold_head_form`).
    """
    rest = dict(options)
    reading = take(Study, rest)
    for name in sorted({*rest, *(NOT_TAKEN & reading.keys())}):
        known = [each for each in options_of(Study) if each not in NOT_TAKEN]
        raise UsageError(f"decide has no option '{name}'.{suggestion(name, known)}")
    judge = make(metric)
    if isinstance(judge, MetricSet):
        raise UsageError(f"{judge!r} does not judge single items")
    study = Study.of(gold, [system], **{**reading, "metric": judge, "also": None})
    if len(study.shards) > 1:
        raise UsageError("decide takes one file per side")
    return next(walk(study, _decisions))


def _decisions(file: File) -> Decisions:
    system = next(file.systems())
    file.fitted[0].facts(system.corpus)  # raises, with what there is
    judged = next(system.judge())
    rows = judged.decisions
    names = ["sentence"]
    for side, items in zip(SIDES, (rows.gold_items, rows.system_items), strict=True):
        if items is not None:
            known = _NAMES if items.second is not None else _NAMES[:HEAD]
            names += [f"{side}_{name}" for name in known]
    find = cache(partial(_places, judged))
    return rows.with_places({name: partial(_column, find, name) for name in names})


def _column(find: Any, name: str) -> Any:
    return find()[name]


def _places(judged: Judgement) -> Mapping[str, Any]:
    """Where every row's items are, as columns."""
    rows, kept = judged.decisions, judged.file.kept
    ids = np.array([*sentence_ids(judged.gold, kept), None], dtype=object)
    found = {"sentence": ids[judged.sentence]}
    if rows.gold_items is None or rows.system_items is None:
        return found
    contexts = Contexts(judged.gold, judged.corpus, judged.alignment, 0)
    for side, corpus, items, texts, of_row in (
        ("gold", judged.gold, rows.gold_items, contexts.gold_texts, rows.gold_row),
        ("system", judged.corpus, rows.system_items, contexts.system_texts, rows.system_row),
    ):
        known = SideItems(corpus, items, kept)
        known.texts = texts
        cells = np.empty((len(of_row), len(_NAMES)), dtype=object)
        for number, row in enumerate(of_row.tolist()):
            cells[number] = _cells(known, row)
        found |= {f"{side}_{name}": cells[:, n] for n, name in enumerate(_NAMES)}
    return found


def _cells(side: SideItems, row: int) -> tuple[Any, ...]:
    item = side.item(row)
    if item is None:
        return (None,) * len(_NAMES)
    head = (None, None) if item.head is None else (item.head.number, item.head.form)
    return (item.text, item.first, item.last, item.start, item.end, *head)
