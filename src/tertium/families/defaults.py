"""Which metrics fit the layers that are there."""

from __future__ import annotations

from tertium.corpus.corpus import Corpus
from tertium.corpus.layers import Arcs, Tags
from tertium.exceptions import LayerError
from tertium.families.base import Metric, column_fact, make
from tertium.families.spans.layers import span_layers
from tertium.formats.base import is_for_spans

SPAN_ERRORS = "spans.fair"
SPAN_METRICS = ("spans.f1", SPAN_ERRORS, "spans.partial")
SCORED_ONLY = ("deps.uas", "deps.ls", "spans.f1")


def default_metrics(gold: Corpus) -> tuple[Metric, ...]:
    """What could be scored when no metric is named: every layer of the gold standard.

    Columns of plain tags are scored by accuracy (`upos` first), trees by UAS, LAS and LS, spans by
    F1. Lemmas are left out unless named: their conventions differ too much to be a default. What no
    system has is dropped from the results later.
    """
    spans, tags = _columns(gold)
    texts = [_text("tags.accuracy", name, gold) for name in tags]
    if gold.of_kind(Arcs):
        texts += ["deps.uas", "deps.las", "deps.ls"]
    texts += [_text("spans.f1", name, gold) for name in spans]
    return _made(texts, gold)


def error_metrics(gold: Corpus) -> tuple[Metric, ...]:
    """Whose errors are listed when no metric is named: the first of these that a system has a layer
    for. Spans come before trees, trees before tags."""
    spans, tags = _columns(gold)
    texts = [_text(SPAN_ERRORS, name, gold) for name in spans]
    if gold.of_kind(Arcs):
        texts.append("deps.las")
    texts += [_text("tags.accuracy", name, gold) for name in tags]
    return _made(texts, gold)


def compared_metrics(gold: Corpus) -> tuple[Metric, ...]:
    """What systems are compared by when no metric is named: the first column of plain tags, trees,
    and every layer of spans. UAS and LS stand beside LAS and traditional F1 beside fair F1 among
    the scores; `is_compared` tells them."""
    spans, tags = _columns(gold)
    texts = [_text("tags.accuracy", name, gold) for name in tags[:1]]
    if gold.of_kind(Arcs):
        texts += ["deps.uas", "deps.las", "deps.ls"]
    for name in spans:
        texts += [_text("spans.f1", name, gold), _text(SPAN_ERRORS, name, gold)]
    return _made(texts, gold)


def audited_metrics(gold: Corpus) -> tuple[Metric, ...]:
    """All that somebody might report of two systems: of each layer the usual metric first, then
    others that fit it. An audit stays with one kind of layer, since another is another task."""
    spans, tags = _columns(gold)
    texts = [_text("tags.accuracy", name, gold) for name in tags]
    if gold.of_kind(Arcs):
        texts += ["deps.las", "deps.uas", "deps.ls", "deps.clas"]
        texts += ["deps.mlas"] if {"upos", "feats"} <= gold.layers.keys() else []
        texts += ["deps.undirected", "deps.ned"]
    for name in spans:
        texts += [_text(metric, name, gold) for metric in SPAN_METRICS]
    return _made(texts, gold)


def is_compared(metric: Metric, *, named: bool) -> bool:
    """Are systems compared item by item under this metric, or only scored?"""
    return metric.has_items and (named or metric.id not in SCORED_ONLY)


def _columns(gold: Corpus) -> tuple[list[str], list[str]]:
    """Layers of spans, and columns of plain tags with `upos` first and without lemmas."""
    spans = [name for name in gold.layers if _holds_spans(gold, name)]
    tags = [name for name in gold.of_kind(Tags) if name not in spans and name != "lemma"]
    tags.sort(key=lambda name: name != "upos")
    return spans, tags


def _made(texts: list[str], gold: Corpus) -> tuple[Metric, ...]:
    if not texts:
        there = ", ".join(gold.layers) or "none"
        raise LayerError(
            f"{gold.origin} has no layer that can be scored (layers: {there})",
            help="'--columns' names the columns of a file",
        )
    return tuple(make(text) for text in texts)


def _holds_spans(gold: Corpus, name: str) -> bool:
    """Spans, or a column meant to hold some; decoding names the tags in it that are none."""
    layer = gold.layers[name]
    if isinstance(layer, Tags) and is_for_spans(gold, layer):
        return True
    return name in span_layers(gold)


def _text(metric: str, column: str, gold: Corpus) -> str:
    """The metric's text, with the column only where it is not the default one."""
    try:
        is_default = column_fact(column) <= make(metric).facts(gold)
    except LayerError:
        is_default = False
    return metric if is_default else f"{metric}(column='{column}')"
