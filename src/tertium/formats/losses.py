"""What a file loses when it is written in a different format: compared with what reads back."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels
from tertium.corpus.layers import Arcs, Chains, Layer, Spaces, Spans, Tags, Trees
from tertium.corpus.schemes import is_span_column, spans_of
from tertium.corpus.trees import FUNCTIONS, WRITTEN
from tertium.exceptions import InputError, counted
from tertium.formats.base import Format, Reading
from tertium.formats.coref.losses import lost_mentions
from tertium.formats.lines import without_skipped

# What extras hold, each with its plural where that is irregular.
_EXTRAS = {
    "comments": ("comment", ""),
    "multiwords": ("multiword token", ""),
    "empty": ("empty node", ""),
    "gaps": ("place with irregular white space", "places with irregular white space"),
}


def losses(corpus: Corpus, writer: Format, written: io.BytesIO) -> tuple[list[str], list[str]]:
    """What is not in the file that was written, each with its number; and the names of the layers
    among it."""
    whole, back = without_skipped(corpus), _read_back(writer, written)
    layers = _lost_layers(whole, back, writer)
    found = [_amount(whole.layers[name], name, whole) for name in layers]
    found += lost_mentions(whole, back)
    if whole.forms is not None and (back is None or back.forms is None):
        found.insert(0, counted(whole.token_count, "word"))
    for name, layer in whole.layers.items():
        if back is not None and layer in back.layers.values():
            continue
        if isinstance(layer, Spans) and type(layer) not in (Spans, Chains) and name not in layers:
            kind = type(layer).__name__.lower()
            found.append(f"the structure of '{name}' ({kind} are written as plain spans)")
    found += _lost_extras(whole, back)
    marks = int(whole.document_marks.sum()) - (0 if back is None else back.document_marks.sum())
    if marks > 0:
        found.append(counted(int(marks), "document boundary", "document boundaries"))
    return found, layers


def _read_back(writer: Format, written: io.BytesIO) -> Corpus | None:
    """What was written as the format reads it; None if it cannot."""
    written.seek(0)
    try:
        return writer.read(written, Reading(check=True, checks=frozenset()))
    except InputError:
        return None


def _lost_layers(whole: Corpus, back: Corpus | None, writer: Format) -> list[str]:
    """Layers that did not come back, under their own name or a different one."""
    if back is None:
        kinds = {name: type(layer).__name__.lower() for name, layer in whole.layers.items()}
        return [
            name
            for name, kind in kinds.items()
            if kind != "chains" and not {name, kind} & {*writer.layers}
        ]
    there = [*back.layers.values()]
    contents = [_content(back, name) for name in back.layers]
    return [
        name
        for name, layer in whole.layers.items()
        if not isinstance(layer, Chains)  # see `lost_mentions`
        and layer not in there
        and ((content := _content(whole, name)) is None or content not in contents)
        and _size(layer, whole)
    ]


def _content(corpus: Corpus, name: str) -> list[tuple[object, ...]] | None:
    """The spans of a layer of spans or span tags, numbered within their sentences; None of others.

    So they are the same over a different number of tokens, where a format has no words.
    """
    layer = spans_of(corpus.layers[name], corpus.offsets)
    if layer is None:
        return None
    sentence = layer.sentence_of_row(corpus.offsets)
    tokens = layer.token_sets()
    first = (layer.start - corpus.offsets[sentence]).tolist()
    labels = layer.label.to_list()
    return sorted(
        (s, first[row], tuple(tokens[row].tolist()), labels[row])
        for row, s in enumerate(sentence.tolist())
    )


def _size(layer: Layer, corpus: Corpus) -> int:
    """How much a layer says: its arcs, its spans, or tags that are not empty."""
    if isinstance(layer, Arcs):
        return int((layer.head >= 0).sum())
    if (spans := spans_of(layer, corpus.offsets)) is not None:
        return len(spans.start)
    return _filled(layer.labels) if isinstance(layer, Tags) else 1


def _filled(labels: Labels) -> int:
    return len(labels) - len(labels.where("_")) - len(labels.where(""))


def _rest(name: str, layer: Tags) -> Labels:
    """The values of a column, of MISC without mentions: see `lost_mentions`."""
    if name != "misc":
        return layer.labels
    cells = {cell: cell.split("|") for cell in layer.labels.used_names()}
    rest = {c: "|".join(i for i in items if i[:7] != "Entity=") for c, items in cells.items()}
    return layer.labels.rename(rest)


def _amount(layer: Layer, name: str, corpus: Corpus) -> str:
    """What a layer holds, in words."""
    size = _size(layer, corpus)
    if isinstance(layer, Arcs):
        return counted(size, "dependency arc")
    if isinstance(layer, Trees):
        return counted(size, "constituent")
    is_tags = isinstance(layer, Tags) and not is_span_column(layer.labels)
    what = "tag" if is_tags else "span" if isinstance(layer, Spans | Tags) else "layer"
    return f"{counted(size, what)} of '{name}'"


def _lost_extras(whole: Corpus, back: Corpus | None) -> Iterator[str]:
    """What the format has no place for besides layers."""
    others = {} if back is None else back.extras
    for name, layer in whole.extras.items():
        other = others.get(name)
        if layer == other or name == WRITTEN:  # the forms say the same
            continue
        if name in _EXTRAS:
            rows = Counter(layer.rows())
            if type(other) is type(layer) and other is not None:
                rows -= Counter(other.rows())
            if rows:
                yield counted(rows.total(), *_EXTRAS[name])
        elif isinstance(layer, Tags) and other is None and (size := _filled(_rest(name, layer))):
            if name == FUNCTIONS:
                yield f"{counted(size, 'function')} of words"
            else:
                yield f"{counted(size, 'value')} of {name.upper()}"
        elif isinstance(layer, Spaces) and "misc" not in whole.extras:  # which says the same
            joined = int((~layer.after).sum())
            if back is None or not np.array_equal(back.space_after, layer.after):
                yield f"the spacing of {counted(joined, 'token')}"


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
