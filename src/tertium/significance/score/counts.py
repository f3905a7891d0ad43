"""From what a walk found to results: values, reasons, labels, groups, signatures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from tertium._version import __version__
from tertium.align.units import joined_documents
from tertium.corpus.labels import Int32
from tertium.exceptions import LayerError
from tertium.families.base import Metric, Scored, has_items, part_of
from tertium.families.family import family_of, for_results
from tertium.families.groups import (
    gold_items,
    sided_counts,
    sided_reason,
    sided_scores,
)
from tertium.families.keys import NONE, group_order
from tertium.formats.resources import joint_digest
from tertium.results.lost import lost_notes
from tertium.results.scores import Result, nested, plain
from tertium.results.stats import Stats, Totals
from tertium.signature import Signature
from tertium.significance.score.result import Scores
from tertium.study.files import File
from tertium.study.judgement import Finding
from tertium.study.study import Study


@dataclass(frozen=True)
class FileScores:
    """What one file adds to the scores: findings by system and metric, and its size.

    `fitted` are the metrics with everything settled that depends on the data; `documents` are those
    of gold sentences, if the study keeps them, `marked` if the file marks them.
    """

    metrics: tuple[Metric, ...]
    fitted: tuple[Metric, ...]
    findings: tuple[tuple[Finding, ...], ...]
    groups: Mapping[str, tuple[str, ...]]
    units: int
    tokens: int | None
    notes: tuple[str, ...]
    documents: Int32 | None = None
    marked: bool = False
    digest: str = ""

    @classmethod
    def of(cls, file: File, findings: Iterable[Iterable[Finding]]) -> FileScores:
        """Those of a file, given the findings of every system."""
        return cls(
            metrics=file.metrics,
            fitted=file.fitted,
            findings=tuple(map(tuple, findings)),
            groups=file.groups,
            units=file.gold.sentence_count,
            tokens=file.tokens,
            notes=file.notes,
            documents=file.gold.document_of_sentence if file.study.documents else None,
            marked=bool(file.gold.document_marks.any()),
            digest=file.gold.digest,
        )


def digest_of_gold(parts: Sequence[FileScores]) -> str | None:
    """What tells one gold standard from another: a digest of its files' content."""
    digests = [part.digest for part in parts]
    return joint_digest(digests)[:16] if all(digests) else None


def count(file: File) -> FileScores:
    """Every system by every metric: what scoring makes of a file."""
    findings = []
    for system in file.systems():
        findings.append([each.finding for each in system.judge()])
        del system  # before the next is read: both may be large
    return FileScores.of(file, findings)


def scores_of(
    study: Study, parts: Sequence[FileScores], systems: Sequence[str] | None = None
) -> Scores:
    """Add up files and put numbers on the sums. `systems` are those that were judged, by default
    those of the study."""
    is_whole = systems is None
    systems = study.systems if systems is None else systems
    metrics, fitted = parts[0].metrics, parts[0].fitted
    notes = list(dict.fromkeys(note for part in parts for note in part.notes))
    results: list[Result] = []
    found = {
        (s, m): Finding.added([part.findings[s][m] for part in parts])
        for s in range(len(systems))
        for m in range(len(metrics))
    }
    scored = [m for m in range(len(metrics)) if any(found[s, m].stats for s in range(len(systems)))]
    lost = [m for m in range(len(metrics)) if m not in scored]
    if lost and study.metrics is not None:
        raise LayerError(found[0, lost[0]].missing or "there is nothing to score")
    if not scored:
        raise no_shared_layer(found[0, 0].missing)
    words, more = _word_groups(found.values(), study)
    notes += more
    notes += [note for s in range(len(systems)) for m in lost for note in found[s, m].remarks]
    for m in lost:
        if what := family_of(metrics[m]).lacking:
            notes.append(f"{fitted[m].header} is not shown because no system has {what}")
    texts, documents = texts_of(metrics), joined_documents([(p.documents, p.marked) for p in parts])
    for s, name in enumerate(systems):
        for _, together in groupby(scored, key=lambda m: study.sets.get(metrics[m], m)):
            remarks: list[str] = []  # those of a set follow all of its numbers
            for m in together:
                finding = found[s, m]
                signature = signature_of(fitted[m], finding.facts, study)
                entry = _Entry(name, texts[m], metrics[m], fitted[m], signature, documents)
                result = entry.result(finding, finding.stats)
                if words is not None:
                    result = replace(result, groups=_grouped_by_words(entry, finding, words))
                elif study.by and finding.stats is not None:
                    groups = [key for part in parts for key in part.groups[metrics[m].unit]]
                    result = replace(result, groups=_grouped(entry, finding, groups, study.by))
                results.append(result)
                notes += zero_notes(result, fitted[m])
                remarks += finding.remarks
                if finding.stats is None:
                    remarks.append(f"{name}: {finding.missing}")
            notes += remarks
        by_metric = [(fitted[m].header, found[s, m].lost) for m in scored if found[s, m].stats]
        notes += lost_notes(name, study.gold, by_metric)
    return Scores(
        gold=study.gold,
        units=sum(part.units for part in parts),
        tokens=None
        if any(part.tokens is None for part in parts)
        else sum(part.tokens or 0 for part in parts),
        results=tuple(results),
        by=study.by_name,
        notes=tuple(dict.fromkeys(notes)),
        version=__version__,
        gold_digest=digest_of_gold(parts) if is_whole else None,
        runs=study.runs if is_whole else {},
    )


def no_shared_layer(missing: str | None) -> LayerError:
    """Nothing can be scored; `missing` says what the first system lacks."""
    return LayerError(
        f"gold and systems share no layer that can be scored ({missing})",
        help="'--columns' names the columns of a file, '--system-columns' those of the systems",
    )


def texts_of(metrics: Sequence[Metric]) -> list[str]:
    """What metrics are called in results: by their text. One of a set goes by its id, unless
    another set has one of that id."""
    ids = [metric.id for metric in metrics]
    return [m.id if m.member and ids.count(m.id) == 1 else repr(m) for m in metrics]


@dataclass(frozen=True)
class _Entry:
    """One line of results, as far as it does not depend on counts."""

    system: str
    text: str
    metric: Metric
    fitted: Metric
    signature: Signature
    documents: Int32 | None = None

    def result(self, finding: Finding, stats: Stats | None, *, sided: bool = False) -> Result:
        """The result of all units or some; `sided` if the stats are those of a group of words."""
        metric, zero = self.metric, bool(self.fitted.zero_because)
        common: dict[str, Any] = {
            "system": self.system,
            "metric": self.text,
            "signature": self.signature,
            "declared": metric.parts,
            "declared_counts": metric.counts,
            "shown_counts": metric.shown_counts,
            **for_results(metric),
            "has_items": has_items(metric),
            "member": metric.member,
            "headline": metric.headline,
            "header": self.fitted.header,
            "unit": metric.unit,
            "documents": self.documents if metric.unit == "sentence" else None,
        }
        if stats is None:
            return Result(
                value=None,
                parts={},
                counts={},
                labels={},
                coverage={},
                reasons={"value": finding.missing or ""},
                **common,
            )
        totals = stats.totals()
        formula = Finish(metric, sided=sided, zero=zero)
        scores = formula.scores(totals)
        shown = formula.shown(scores)
        if sided:
            counts = sided_counts(metric, totals)
            reason: Callable[[str], str] = partial(sided_reason, metric, totals=totals)
        else:
            counts = {each.name: float(totals[each.name]) for each in metric.counts}
            reason = metric.reason
        parts = {name: plain(float(value)) for name, value in shown.items()}
        reasons = {name: reason(name) for name, value in scores.items() if np.isnan(value)}
        if metric.headline in reasons:
            reasons = {"value": reasons[metric.headline], **reasons}
        return Result(
            value=parts[metric.headline],
            parts=nested(parts),
            counts={name: whole_number(count) for name, count in counts.items()},
            labels={} if sided else _labels(metric, totals, zero),
            coverage=finding.coverage,
            reasons=reasons,
            confusion=finding.confusion,
            error_types=finding.error_types,
            shown=tuple(name for name in metric.shown if name in parts or name in counts),
            absent=tuple(sorted(finding.absent)),
            stats=stats,
            formula=formula,
            **common,
        )


@dataclass(frozen=True)
class Finish:
    """The formula of a result: a metric's, inside a group of words if `sided`, with 0 for what is
    undefined if `zero`."""

    metric: Metric
    sided: bool = False
    zero: bool = False

    def scores(self, totals: Totals) -> Scored:
        """The parts, nan where undefined."""
        return sided_scores(self.metric, totals) if self.sided else self.metric.score(totals)

    def score(self, totals: Totals) -> Scored:
        """The parts as they are shown."""
        return self.shown(self.scores(totals))

    def label_scores(self, totals: Totals) -> Scored:
        """The parts of every label as they are shown."""
        return {} if self.sided else self.shown(self.metric.label_scores(totals))

    def shown(self, scores: Scored) -> Scored:
        """With 0 for what is undefined, if that is the convention."""
        if not self.zero:
            return scores
        return {
            name: np.nan_to_num(each, nan=0.0) if part_of(self.metric, name).over else each
            for name, each in scores.items()
        }


def zero_notes(result: Result, metric: Metric) -> list[str]:
    """What a table shows as 0, or a mean takes for 0, although it is undefined, since the metric
    has it so."""
    why = metric.zero_because
    if not why or result.value is None:
        return []
    return [
        f"{result.system}: {result.metric} {part} is 0 {why}: {result.reasons[part]}"
        for part in (result.shown if metric.counts else result.parts)  # a mean has no counts
        if part in result.reasons and part_of(metric, part).over
    ]


def _labels(metric: Metric, totals: Totals, zero: bool) -> dict[str, dict[str, Any]]:
    """Numbers and counts of every label that occurs, by name."""
    scores = metric.label_scores(totals)
    rows: dict[str, dict[str, Any]] = {}
    for i, label in enumerate(totals.labels):
        if not any(block[i] for block in totals.sparse.values()):
            continue
        values = {name: plain(float(each[i])) for name, each in scores.items()}
        reasons = {name: metric.reason(name, label) for name, v in values.items() if v is None}
        if zero:
            values = {name: 0.0 if value is None else value for name, value in values.items()}
        rows[label] = {
            **nested(values),
            "counts": {
                name: whole_number(float(block[i])) for name, block in totals.sparse.items()
            },
            **({"reasons": reasons} if reasons else {}),
        }
    return rows


def _grouped(entry: _Entry, finding: Finding, groups: Sequence[str], by: str) -> dict[str, Result]:
    assert finding.stats is not None
    names = group_order(by, groups)
    code = {name: i for i, name in enumerate(names)}
    of_unit = np.array([code[name] for name in groups], np.int64)
    results = {}
    for name, stats in zip(names, finding.stats.split(of_unit, len(names)), strict=True):
        part = replace(finding, coverage={"units": stats.units}, confusion={}, error_types={})
        result, documents = entry.result(part, stats), entry.documents
        if result.documents is not None and documents is not None:
            result = replace(result, documents=documents[of_unit == code[name]])
        results[name] = result
    return results


def _word_groups(found: Iterable[Finding], study: Study) -> tuple[list[str] | None, list[str]]:
    """The groups of words that occur anywhere, in order, so all results have the same ones;
    None where groups are of units. And a note if no gold item has the requested feature."""
    key = study.key
    if key is None:
        return None, []
    sizes: dict[str, int] = {}
    for finding in found:
        for name, count in gold_items(finding.groups).items():
            sizes[name] = max(sizes.get(name, 0), count)
    lacking = key.absent and not any(n for name, n in sizes.items() if name != NONE)
    return key.in_order(sizes), [key.absent] if lacking else []


def _grouped_by_words(entry: _Entry, finding: Finding, names: Sequence[str]) -> dict[str, Result]:
    """A result for every group; empty where the metric has no groups."""
    if not finding.groups:
        return {}
    empty = next(iter(finding.groups.values())).take(np.zeros(0, np.int64))
    results = {}
    for name in names:
        stats = finding.groups.get(name, empty)
        coverage = {"items": gold_items({name: stats})[name]}
        part = replace(finding, coverage=coverage, confusion={}, error_types={})
        results[name] = entry.result(part, stats, sided=True)
    return results


def whole_number(value: float) -> float:
    """A count as an integer where it is one."""
    return int(value) if value == int(value) else value


def _changes(study: Study) -> tuple[str, ...]:
    """What readers are asked to change, by sides if these differ."""
    gold, systems = (
        reader.changes if reader else "" for reader in (study.gold_reader, study.system_reader)
    )
    if gold == systems:
        return (gold,) if gold else ()
    sides = {"gold": gold, "systems": systems}
    return tuple(f"{side}/{changes}" for side, changes in sides.items() if changes)


def signature_of(fitted: Metric, facts: frozenset[str], study: Study) -> Signature:
    """Everything that decided a metric's verdicts, under the metric's name."""
    settings = {**fitted.settings(facts), **reading_settings(study, family_of(fitted).pairs)}
    settings["version"] = fitted.version
    settings["tertium"] = __version__
    return Signature.make(fitted.id, settings)


def reading_settings(study: Study, pairs: str = "text") -> dict[str, object]:
    """What a signature says about how files were read and paired."""
    settings: dict[str, object] = {}
    settings["align"] = pairs if pairs != "text" and study.align == "auto" else study.align
    if study.on_error != "fail":
        settings["on_error"] = study.policy
    if study.theory_names:
        settings["gold"] = study.theory_names
    if study.enrich:
        settings["enrich"] = study.enrich
    if changes := _changes(study):
        settings["changes"] = changes
    if study.map_labels:
        settings["map"] = tuple(each.text for each in study.map_labels)
    if study.with_files:
        settings["join"] = tuple(
            f"{Path(each.origin).name}@{each.digest[:8]}" for each in study.further
        )
    return settings
