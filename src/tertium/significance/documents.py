"""Documents as what is resampled: sentences of one document may be alike, so that many of them say
less than as many sentences of different documents (docs/significance.md)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from tertium.exceptions import InputError
from tertium.results.assessment import TIE, DesignEffect, Testing
from tertium.results.blocks import Range, kind_of
from tertium.results.parts import Part
from tertium.results.scores import Result
from tertium.results.texts import level_text, listed, shown
from tertium.significance.intervals import interval, variance
from tertium.significance.resample import unit_counts
from tertium.significance.score.result import Scores

LEAST_DOCUMENTS = 10  # of fewer, nothing can be told about how they vary
NOTABLE = 1.2  # a design effect above it is told
MOST_PAIRS = 45  # of ten systems: of more, systems are looked at one by one


def by_documents(scores: Scores) -> Scores:
    """The same scores with the counts of sentences summed to those of documents, in groups as well;
    refused where nothing marks documents."""
    return replace(scores, results=tuple(over_documents(r, scores.gold) for r in scores))


def over_documents(result: Result, gold: str = "gold") -> Result:
    """One of them."""
    if result.stats is None or result.unit == "document":
        return result
    if result.documents is None:
        raise InputError(
            f"{gold} does not mark documents, so they cannot be resampled",
            help="a comment '# newdoc' marks where one begins; without '--unit document' sentences "
            "are resampled",
        )
    stats = result.stats
    of_sentence: npt.NDArray[np.integer[Any]] = result.documents
    if stats.place is None:
        of_sentence = np.unique(of_sentence, return_inverse=True)[1]
    summed = stats.by_document(of_sentence, int(of_sentence.max(initial=-1)) + 1)
    sized = {"units": summed.units} if "units" in result.coverage else {}
    return replace(
        result,
        stats=summed,
        unit="document",
        documents=None,
        coverage={**result.coverage, **sized},
        groups={name: over_documents(each, gold) for name, each in result.groups.items()},
    )


def design_effects(
    tables: Mapping[str, Mapping[str, Sequence[Result]]], testing: Testing
) -> Iterator[DesignEffect]:
    """How much more differences between systems vary by documents than by sentences, or values of
    systems where there are no pairs or very many. `tables` are results by metric and system, of
    which those with several runs are left out; so are metrics with fewer than ten documents."""
    for metric, systems in tables.items():
        single = [runs[0] for runs in systems.values() if len(runs) == 1]
        there = [r for r in single if r.stats is not None and _count(r) >= LEAST_DOCUMENTS]
        pairs: list[tuple[Result, ...]] = [*combinations(there, 2)]
        if not 0 < len(pairs) <= MOST_PAIRS:
            pairs = [(result,) for result in there]
        summed = {id(result): over_documents(result) for result in there}
        for pair in pairs:
            ours = unit_counts(pair)
            theirs = unit_counts([summed[id(result)] for result in pair])
            least = variance(ours)
            if least <= TIE**2 or np.isnan(least):
                continue
            effect = variance(theirs) / least
            ends = (interval(ours, testing), interval(theirs, testing)) if effect > NOTABLE else ()
            names = tuple(result.system for result in pair)
            yield DesignEffect(metric, names, float(effect), theirs.units, ends)


def _count(result: Result) -> int:
    return 0 if result.documents is None else len(np.unique(result.documents))


def design_notes(
    effects: Sequence[DesignEffect], parts: Mapping[str, Part], names: Mapping[str, str]
) -> Iterator[str]:
    """Where sentences of a document are alike: of each metric the largest effect. `names` are what
    tables call the metrics."""
    notable = [each for each in effects if each.intervals]
    for metric in dict.fromkeys(each.metric for each in notable):
        found = [each for each in notable if each.metric == metric]
        worst = max(found, key=lambda each: each.effect)
        kind = kind_of(
            parts[metric].kind, "interval_delta" if len(worst.systems) == 2 else "interval"
        )
        by_sentences, by_documents = (
            "undefined"
            if each.low is None or each.high is None
            else shown(Range(each.low, each.high), kind)
            for each in worst.intervals
        )
        less = [f"{' → '.join(each.systems)} {each.effect:.2f}" for each in found if each != worst]
        also = f"; {listed(less)}" if less else ""
        yield (
            f"{names[metric]}, {' → '.join(worst.systems)}: sentences of one document are alike "
            f"(design effect {worst.effect:.2f}, {worst.documents:,} documents{also}): "
            f"{level_text(worst.intervals[0].level)} interval {by_documents} by document, "
            f"{by_sentences} by sentence; '--unit document' resamples documents"
        )
