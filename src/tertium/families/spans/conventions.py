"""The conventions by which spans are counted, and where they read the same tags differently."""

from __future__ import annotations

from collections.abc import Mapping

from tertium.corpus.corpus import Corpus
from tertium.corpus.layers import Tags
from tertium.families.base import Metric
from tertium.families.conventions import Convention, ConventionSet, Parting
from tertium.families.spans.base import SpanMetric
from tertium.families.spans.partings import partings

_MUC = ("correct", "possible", "actual")
_FAIR = ("tp", "gold", "system")


def _read(corpus: Corpus, metrics: Mapping[str, Metric]) -> list[Parting] | None:
    """Where readings of a column of tags part; None where spans are given as such."""
    first = next(iter(metrics.values()), None)
    if not isinstance(first, SpanMetric):
        return None
    column = first.name_in(corpus)
    if not isinstance(corpus.layers[column], Tags):
        return None
    return partings(corpus, column, {n: metric.items(corpus) for n, metric in metrics.items()})


CONVENTIONS = ConventionSet(
    (
        Convention("Tertium", "spans.f1", reading="Tertium"),
        Convention("without irregular", "spans.f1(repair='drop')", reading="without irregular"),
        Convention("conlleval", "spans.f1(compat='conlleval')", reading="conlleval"),
        Convention("seqeval", "spans.f1(compat='seqeval')", reading="seqeval"),
        Convention("seqeval strict", "spans.f1(compat='seqeval-strict')", reading="seqeval strict"),
        # All modes of nervaluate read tags alike.
        Convention("nervaluate strict", "spans.partial(mode='strict')", _MUC, reading="nervaluate"),
        Convention("nervaluate exact", "spans.partial(mode='exact')", _MUC),
        Convention("nervaluate partial", "spans.partial", _MUC),
        Convention("nervaluate type", "spans.partial(mode='type')", _MUC),
        Convention("unlabelled", "spans.f1", ("placed", "gold", "system"), "unlabeled_"),
        Convention("fair, equation 5", "spans.fair", _FAIR),
        Convention("fair, equation 7", "spans.fair(weights='eq7')", _FAIR),
    ),
    written="tags",
    partings=_read,
)
