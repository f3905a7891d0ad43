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
from tertium.results.blocks.tables import Form
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
    """Where sentences of a document are alike: the largest effect with its intervals, and how large
    others are. `names` are what tables call the metrics."""
    notable = [each for each in effects if each.intervals]
    if not notable:
        return

    def named(each: DesignEffect) -> str:
        return f"{names[each.metric]}, {' → '.join(each.systems)}"

    worst = max(notable, key=lambda each: each.effect)
    form: Form = "interval_delta" if len(worst.systems) == 2 else "interval"
    kind = kind_of(parts[worst.metric].kind, form)
    by_sentences, by_documents = (
        "undefined"
        if each.low is None or each.high is None
        else shown(Range(each.low, each.high), kind)
        for each in worst.intervals
    )
    less = [f"{named(each)} {each.effect:.2f}" for each in notable if each != worst]
    also = f"; {listed(less)}" if less else ""
    yield (
        f"{named(worst)}: sentences of one document are alike (design effect {worst.effect:.2f}, "
        f"{worst.documents:,} documents{also}): {level_text(worst.intervals[0].level)} interval "
        f"{by_documents} by document, {by_sentences} by sentence; '--unit document' resamples "
        "documents"
    )
