"""What becomes of a corpus in another format: which one is meant, and what it cannot hold."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import PurePath
from typing import cast

from tertium import registry
from tertium.corpus.corpus import Corpus
from tertium.corpus.layers import Spans, Tags
from tertium.corpus.schemes import decode, is_span_column
from tertium.exceptions import InputError, UsageError
from tertium.formats.base import Format, Reading
from tertium.formats.lines import without_skipped
from tertium.formats.sources import strip_compression


def by_suffix(target: str) -> str:
    """The only format that speaks for the file name's ending."""
    suffix = PurePath(strip_compression(target)).suffix.lower()
    known = {n: cast("type[Format]", registry.get("formats", n)) for n in registry.names("formats")}
    found = [name for name, format in known.items() if suffix and suffix in format.suffixes]
    if len(found) != 1:
        which = f"could be {' or '.join(found)}" if found else "says nothing about the format"
        raise UsageError(
            f"the name '{target}' {which}; name it with '--to'",
            help="'tertium list formats' shows all",
        )
    return found[0]


def left_out(corpus: Corpus, writer: Format, written: io.BytesIO) -> list[str]:
    """Layers that the format holds neither by name nor by kind, and that are not in what was
    written under another name either."""
    left = [
        name
        for name, layer in corpus.layers.items()
        if name not in writer.layers and type(layer).__name__.lower() not in writer.layers
    ]
    if not left:
        return left
    written.seek(0)
    try:
        back = writer.read(written, Reading(check=True, checks=frozenset()))
    except InputError:
        return left
    whole = without_skipped(corpus)
    found = [_content(back, name) for name in back.layers]
    return [
        name
        for name in left
        if not any(whole.layers[name] == layer for layer in back.layers.values())
        and ((content := _content(whole, name)) is None or content not in found)
    ]


def _content(corpus: Corpus, name: str) -> list[tuple[object, ...]] | None:
    """The spans of a layer of spans or span tags, numbered within their sentences; None of others.

    So they are the same over another number of tokens, where a format has no words.
    """
    layer = corpus.layers[name]
    if isinstance(layer, Tags) and is_span_column(layer.labels):
        layer = decode(layer, corpus.offsets).spans
    if not isinstance(layer, Spans):
        return None
    sentence = layer.sentence_of_row(corpus.offsets)
    tokens = layer.token_sets()
    first = (layer.start - corpus.offsets[sentence]).tolist()
    labels = layer.label.to_list()
    return sorted(
        (s, first[row], tuple(tokens[row].tolist()), labels[row])
        for row, s in enumerate(sentence.tolist())
    )


def column_hint(corpus: Corpus, writer: Format, left: Sequence[str]) -> str:
    """How a column of tags gets a name that the new format holds, where reading can give one."""
    for name in left:
        layer = corpus.layers[name]
        if "upos" not in writer.layers or not isinstance(layer, Tags):
            continue
        if is_span_column(layer.labels):
            continue
        place = "1" if name == "tag" else name.removeprefix("column")
        if corpus.format == "columns" and place.isdecimal():
            more, ending = (",...", "s") if len(left) > 1 else ("", "")
            return f"; '--columns form=0,upos={place}{more}' names the column{ending}"
        if corpus.format == "tagged":
            return "; '--input-format \"tagged(layer=upos)\"' names the column"
    return ""
