"""Tags as nervaluate reads them."""

from __future__ import annotations

import numpy as np

from tertium.corpus.corpus import Corpus, once
from tertium.corpus.labels import Labels
from tertium.corpus.layers import Spans, Tags
from tertium.corpus.schemes import Decoded, is_span_column, means_spans
from tertium.families.spans.layers import refused

OUTSIDE, BEGINS, GOES_ON = 0, 1, 2  # as the kernel has them: O, B, I


def layers_with_spans(corpus: Corpus) -> list[str]:
    """Names of layers that hold spans, or tags meant for spans; else the only column of tags."""
    names = [
        name
        for name, layer in corpus.layers.items()
        if isinstance(layer, Spans)
        or (isinstance(layer, Tags) and (is_span_column(layer.labels) or means_spans(layer.labels)))
    ]
    tags = [*corpus.of_kind(Tags)]
    alone = len(tags) == 1 and corpus.format in ("columns", "python")
    return names or (tags if alone else [])


@once
def spans_as_nervaluate(corpus: Corpus, column: str) -> Decoded:
    """The spans of a layer as they are, those of a column of tags as nervaluate's list loader.

    Only `O` is outside. The type is what follows the first two characters. A span goes on while
    the type stays and the tag does not begin with `B`, whatever its prefix; what opens a span must
    begin with `B-` or `I-` and is refused otherwise, as it is there. Spans that hold a tag of
    another prefix are counted as irregular.
    """
    from tertium.corpus._kernels import decode_spans

    layer = corpus.layers.get(column)
    if isinstance(layer, Spans):
        return Decoded(layer, frozenset(), 0)
    names, codes = corpus.layer(column, Tags).labels.names, corpus.layer(column, Tags).labels.codes
    # A name more, so that there is one where there is no token.
    types = Labels.of([*(tag[2:] for tag in names), ""])
    kinds = [OUTSIDE if t == "O" else BEGINS if t[:1] == "B" else GOES_ON for t in names]
    start, end, label, _ = decode_spans(
        codes, np.array([*kinds, OUTSIDE], np.int8), types.codes, corpus.offsets
    )
    odd = np.array([t != "O" and t[:2] not in ("B-", "I-") for t in names] or [False], np.bool_)
    bad = start[odd[codes[start]]].astype(np.int64)
    if len(bad):
        raise refused(
            corpus,
            column,
            bad,
            "opens a span, but begins neither with B- nor with I-; nervaluate refuses it",
            help="'tertium convert FILE OUT --to spans' makes spans of any tag scheme, which can "
            "be scored; 'spans.f1' reads them all",
        )
    spans_with_odd = np.searchsorted(start, np.flatnonzero(odd[codes]), side="right") - 1
    irregular = np.unique(spans_with_odd)
    first = int(start[irregular[0]]) if len(irregular) else -1
    return Decoded(
        Spans(start, end, Labels(types.names, label)), frozenset(), len(irregular), first
    )
