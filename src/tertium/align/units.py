"""Units: the sentences of gold and systems that are judged together."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from tertium.corpus.corpus import Corpus
from tertium.exceptions import AlignmentError


def shared_sentences(gold: Corpus, systems: Iterable[Corpus]) -> npt.NDArray[np.bool_] | None:
    """The sentences that no side had to skip; None if nothing was skipped anywhere.

    A sentence that is broken on one side is left out on all, so that every system is judged on the
    same sentences. That needs the same number of sentences everywhere.
    """
    keep = np.ones(gold.sentence_count, np.bool_)
    if gold.skipped is not None:
        keep &= ~gold.skipped
    counts = {gold.sentence_count: gold.origin}
    for system in systems:
        counts.setdefault(system.sentence_count, system.origin)
        if system.skipped is not None and system.sentence_count == gold.sentence_count:
            keep &= ~system.skipped
        elif system.skipped is not None:
            keep[:] = False
    if keep.all():
        return None
    if len(counts) > 1:
        described = ", ".join(f"{n:,} in {origin}" for n, origin in counts.items())
        raise AlignmentError(
            f"sentences were skipped, but their numbers differ ({described}), "
            "so that it cannot be told which ones correspond",
            help="mend the file; 'tertium validate' lists its problems",
        )
    return keep
