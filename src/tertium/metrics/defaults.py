"""Which metrics fit the layers that are there."""

from __future__ import annotations

from collections.abc import Sequence

from tertium.corpus.corpus import Corpus
from tertium.corpus.layers import Arcs, Tags
from tertium.corpus.schemes import means_spans
from tertium.exceptions import LayerError
from tertium.metrics.base import Metric, make
from tertium.metrics.spans import span_layers


def default_metrics(gold: Corpus, systems: Sequence[Corpus]) -> tuple[Metric, ...]:
    """What is scored when no metric is named: every layer that gold and some system have.

    Columns of plain tags are scored by accuracy (`upos` first), spans by F1, trees by UAS, LAS and
    LS. Lemmas are left out unless named: their conventions differ too much to be a default.
    """
    shared = [n for n in gold.layers if any(n in s.layers for s in systems)]
    spans = [n for n in gold.layers if n in shared and _holds_spans(gold, n)]
    tags = [n for n in gold.of_kind(Tags) if n in shared and n not in spans and n != "lemma"]
    tags.sort(key=lambda n: n != "upos")
    texts = [_text("tags.accuracy", n, gold) for n in tags]
    texts = texts or _if_only_one("tags.accuracy", gold, systems)
    if any(isinstance(gold.layers[n], Arcs) for n in shared):
        texts += ["deps.uas", "deps.las", "deps.ls"]
    in_spans = [_text("spans.f1", n, gold) for n in spans]
    texts += in_spans or _if_only_one("spans.f1", gold, systems)
    if texts:
        return tuple(make(t) for t in texts)
    ours = ", ".join(gold.layers) or "none"
    theirs = ", ".join(dict.fromkeys(n for s in systems for n in s.layers)) or "none"
    raise LayerError(
        f"gold and systems share no layer that can be scored (gold: {ours}; systems: {theirs})",
        help="'--columns' names the columns of a file, '--system-columns' those of the systems",
    )


def _holds_spans(gold: Corpus, name: str) -> bool:
    """Spans, or a column meant to hold some; decoding names the tags in it that are none."""
    layer = gold.layers[name]
    is_meant = isinstance(layer, Tags) and means_spans(layer.labels.names)
    return is_meant or name in span_layers(gold)


def _if_only_one(metric: str, gold: Corpus, systems: Sequence[Corpus]) -> list[str]:
    """The metric, if gold has a layer for it and some system's only one answers to it."""
    try:
        fitted = make(metric).fit(gold)
    except LayerError:
        return []
    column, spans = fitted.parameters()["column"], span_layers(gold)
    if (metric == "tags.accuracy") == (column in spans):
        return []  # tags that are spans are scored as spans
    return [metric] if any(fitted.applies(s) for s in systems) else []


def _text(metric: str, column: str, gold: Corpus) -> str:
    """The metric's text, with the column only where it is not the default one."""
    try:
        fitted = make(metric).fit(gold).parameters()["column"]
    except LayerError:
        fitted = None
    return metric if fitted == column else f"{metric}(column='{column}')"
