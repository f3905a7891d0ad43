"""Span layers of a corpus: spans as such, or read off a column of tags."""

from __future__ import annotations

from tertium.corpus.corpus import Corpus, once
from tertium.corpus.labels import Int64
from tertium.corpus.layers import Spans, Tags
from tertium.corpus.schemes import Decoded, decode, is_span_column, stack, untyped
from tertium.exceptions import FormatError, Problem
from tertium.results.items import Items

MOST_PROBLEMS = 1000  # a wrong column has as many as tokens


def span_layers(corpus: Corpus) -> list[str]:
    """Names of layers that hold spans, as such or as tags."""
    return [
        name
        for name, layer in corpus.layers.items()
        if type(layer) is Spans or (isinstance(layer, Tags) and is_span_column(layer.labels))
    ]


def span_items(spans: Spans) -> Items:
    """Every span is an item."""
    return Items(spans.start, spans.end, spans.label, spans.tokens)


@once
def spans_of(
    corpus: Corpus,
    column: str,
    *,
    scheme: str = "auto",
    repair: str = "open",
    expected: str | None = None,
) -> Decoded:
    """The spans of a layer or tag column; tags that are neither O nor PREFIX-TYPE are refused."""
    layer = corpus.layers.get(column)
    if isinstance(layer, Spans):
        return Decoded(layer, frozenset(), 0)
    tags = corpus.layer(column, Tags)
    bad = untyped(tags)
    if len(bad):
        raise refused(
            corpus,
            column,
            bad,
            "is neither O nor PREFIX-TYPE such as B-PER",
            help="'--metric tags.accuracy' scores plain tags; '--columns' names the span column",
        )
    return decode(tags, corpus.offsets, scheme=scheme, repair=repair, expected=expected)


def stacked_remark(corpus: Corpus, column: str, tool: str) -> list[str]:
    """A note where tags are stacked, which a tool takes for odd types."""
    layer = corpus.layers.get(column)
    if not isinstance(layer, Tags):
        return []
    found = next((tag for tag in layer.labels.used_names() if len(stack(tag)) > 1), None)
    if found is None:
        return []
    _, _, kind = found.partition("-")
    return [f"{corpus.origin} has stacked tags such as {found}; {tool} takes '{kind}' for a type"]


def refused(corpus: Corpus, column: str, tokens: Int64, why: str, help: str) -> FormatError:
    """What is wrong with the tags of some tokens, with their lines and sentences."""
    tags = corpus.layer(column, Tags).labels
    problems = [
        Problem(
            f"tag '{tags[token]}' in column '{column}' {why}",
            int(corpus.lines[token]) if corpus.lines is not None else 0,
            corpus.sentence_id(int(corpus.sentence_of_token[token])),
            "tag",
        )
        for token in tokens[:MOST_PROBLEMS].tolist()
    ]
    return FormatError(corpus.origin, problems, help=help, unlisted=len(tokens) - len(problems))
