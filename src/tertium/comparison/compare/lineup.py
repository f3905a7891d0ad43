"""From the answers of files to views: all systems side by side, metric by metric."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tertium._progress import announce_each
from tertium.comparison.compare.files import FileAnswers
from tertium.comparison.compare.views import View
from tertium.comparison.pairs import SHARED
from tertium.exceptions import UsageError, counted
from tertium.families.base import Metric, has_items
from tertium.families.family import family_of, why_not_scored
from tertium.families.keys import group_order
from tertium.families.sets import expand
from tertium.results.answers import Answers
from tertium.results.scores import Result
from tertium.signature import Signature
from tertium.significance.score.counts import texts_of
from tertium.significance.score.result import Scores
from tertium.study.study import Study


def views_of(
    study: Study, found: Sequence[FileAnswers], scores: Scores, *, mode: str, shared: str
) -> tuple[list[View], list[str]]:
    """A view of every metric that two systems can be compared by, and what is to be noted. `mode`
    is what transitions show, or "auto"; `shared` says of which items pairs consist."""
    views: list[View] = []
    notes: list[str] = []
    first = found[0].scores
    named = study.metrics is not None
    metrics = [*enumerate(zip(first.metrics, texts_of(first.metrics), strict=True))]
    for m, (metric, name) in announce_each("comparing", metrics):
        if not study.compares(metric):
            notes += _scored_only(metric, study)
            continue
        parts = [f.answers[m] for f in found]
        there = [p for p in parts if p is not None]
        if not there or len(there) < len(parts):
            if named:
                notes.append(f"{name}: fewer than two systems have its layer")
            continue
        rows = [r for r in there[0][0] if all(r in p[0] for p in there)]
        if len(rows) < 2:
            notes.append(f"{name}: fewer than two systems have its layer in all files")
            continue
        answers = Answers.in_sequence(
            [
                a if len(rows) == len(r) else a.of_systems([r.index(n) for n in rows])
                for r, a in there
            ]
        )
        systems = tuple(study.systems[r] for r in rows)
        notes += filter(None, ["" if named else why_not_scored(metric, "changes")])
        view = View(
            metric=name,
            layer=metric.family,
            systems=systems,
            answers=answers,
            mode=metric.transitions if mode == "auto" else mode,
            signatures={each: _signature(scores[each, name], shared) for each in systems},
            unit=metric.unit,
            item=metric.item,
            error_types=family_of(metric).types,
            nests=family_of(metric).layout == "nested",
            shared=shared,
        )
        views.append(_grouped(view, found, study))
        notes += _left_out(view)
    if not views and any(map(has_items, first.metrics)):
        why = f" ({'; '.join(notes)})" if notes else ""
        raise UsageError(
            f"no metric here judges single items of two systems{why}",
            help="two systems must have the layer of a metric that judges single items",
        )
    return views, notes


def _signature(result: Result, shared: str) -> Signature:
    """What decided the answers of a system, and which of them are compared, if not all."""
    found = result.signature
    more = [] if shared == SHARED[0] else [("items", shared)]
    return replace(found, entries=(*found.entries, *more))


def _left_out(view: View) -> list[str]:
    """What a comparison leaves out that scores do not."""
    if not (count := view.answers.lost_by()):
        return []
    several = len(view.systems) > 2
    where = "pairs with such a system and of the oracle" if several else "the comparison"
    return [
        f"{view.metric}: {counted(count, view.unit)} that a system lacks or has with different "
        f"words {'is' if count == 1 else 'are'} left out of {where}; scores and their tests keep "
        "each system's own counts"
    ]


def _scored_only(metric: Metric, study: Study) -> list[str]:
    """Why systems are not compared by a metric; a set is mentioned once."""
    text = study.sets.get(metric)
    if text is not None:
        if metric != next(m for m, of in study.sets.items() if of == text):
            return []
        members = ", ".join(m.id for m in expand(text)[0] if has_items(m))
        return [f"{text} is scored, not compared; these can be compared: {members}"]
    if has_items(metric):
        return []
    return [f"{metric!r} is scored, not compared: it does not judge single items"]


def _grouped(view: View, found: Sequence[FileAnswers], study: Study) -> View:
    if study.by is None:
        return view
    key = study.key
    if key is None:
        units = [group for f in found for group in f.scores.groups[view.unit]]
        return view.grouped(group_order(study.by, units), units)
    of = view.answers
    assert of.group is not None
    sizes = {
        name: int((of.group[: of.gold_items] == code).sum())
        for code, name in enumerate(of.group_names)
        if (of.group == code).any()  # a vocabulary may have names that nothing here bears
    }
    return view.grouped(key.in_order(sizes), None)
