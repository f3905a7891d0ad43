"""What holds across data sets: ranks of systems, and in how many sets each two differ."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tertium.report.sections.significance.rankings import (
    friedman_text,
    pairs_table,
    ranks_figure,
)
from tertium.results.assessment import Assessment
from tertium.results.blocks import Block, Ranks
from tertium.results.texts import counted

if TYPE_CHECKING:
    from tertium.significance.across import Across, Datasets


def across_blocks(assessment: Assessment, metrics: Sequence[str], by: str) -> list[Block]:
    """For some metrics mean ranks with the critical difference, and a table of pairs."""
    blocks: list[Block] = []
    for metric in metrics:
        across: Across | None = assessment.across.get(metric)
        if across is None:
            continue
        if across.datasets.friedman is not None:
            blocks.append(_ranks(metric, across.datasets, by))
        blocks.append(
            pairs_table(
                across.datasets,
                {(a, b): each for a, b, each in across.replicability},
                assessment.part(metric),
                title=f"{metric}: across {_groups(across.datasets, by)}",
                sets="groups",
                above=by,
            )
        )
    return blocks


def across_notes(assessment: Assessment) -> list[str]:
    """What is to be said about so few data sets, and those that were left out."""
    notes: list[str] = []
    for metric, across in assessment.across.items():
        found: Datasets = across.datasets
        notes += [f"groups as data sets: {each}" for each in found.warnings]
        if found.left_out:
            names = ", ".join(found.left_out)
            notes.append(f"{metric}: undefined for a system, and left out of ranks: {names}")
    return list(dict.fromkeys(notes))


def _ranks(metric: str, found: Datasets, by: str) -> Ranks:
    assert found.friedman is not None
    return ranks_figure(
        found,
        f"{metric}: mean ranks over {_groups(found, by)}",
        f"{friedman_text(found.friedman)}; critical difference: Nemenyi at {found.alpha:g}",
    )


def _groups(found: Datasets, by: str) -> str:
    return f"{counted(len(found.names), 'group')} of {by}"
