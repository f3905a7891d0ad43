"""`tertium convert`."""

from __future__ import annotations

import io
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import PurePath
from typing import TYPE_CHECKING

import click

from tertium.exceptions import UsageError

if TYPE_CHECKING:
    from tertium.corpus.corpus import Corpus
    from tertium.formats.base import Format


@click.command(short_help="Write a file in another format.")
@click.argument("source", metavar="INPUT")
@click.argument("target", metavar="OUTPUT")
@click.option("--to", metavar="FORMAT", help="Format to write; by default what OUTPUT's name says.")
@click.option("--input-format", metavar="FORMAT", help="Format of INPUT.")
@click.option("--columns", metavar="ROLES", help="INPUT's columns: form=0,upos=1,ner=-1.")
@click.option(
    "--on-error", type=click.Choice(["fail", "skip", "repair"]), default="fail",
    help="What happens to bad sentences.",
)  # fmt: skip
def convert(
    source: str,
    target: str,
    to: str | None,
    input_format: str | None,
    columns: str | None,
    on_error: str,
) -> None:
    """Write a file in another format.

    INPUT and OUTPUT may be - for standard input and output; .gz and .zst work on both sides. What
    the new format cannot hold is said on stderr. OUTPUT is written whole or not at all.

    \b
    tertium convert a.conllu a.tsv --to columns
    """
    from tertium.cli.main import note
    from tertium.cli.output import replacing
    from tertium.formats.read import read_file
    from tertium.formats.sniff import make, named
    from tertium.formats.sources import open_output, resolve
    from tertium.report.render.plain import counted

    writer = make(to or _by_suffix(target))
    files = resolve(source, name=source).files
    if len(files) > 1:
        raise UsageError(f"'{source}' is {len(files):,} files; convert takes one at a time")
    format = named(input_format, columns)
    corpus = read_file(files[0], format=format, on_error=on_error, checks=frozenset())
    written = io.BytesIO()
    writer.write(corpus, written)
    with nullcontext("-") if target == "-" else replacing(target) as path, open_output(path) as out:
        out.write(written.getvalue())
    left = _left_out(corpus, writer, written)
    if left:
        way = _way(corpus, writer, left) if columns is None else ""
        note(f"{writer.id} does not hold {', '.join(left)}: not written{way}")
    if writer.lossy:
        note(f"{writer.id} leaves out: {writer.lossy}")
    if corpus.skipped is not None and corpus.skipped.any():
        skipped = int(corpus.skipped.sum())
        note(f"{counted(skipped, 'bad sentence')} {_were(skipped)} skipped")
    if corpus.repaired:
        note(f"{counted(corpus.repaired, 'place')} {_were(corpus.repaired)} repaired")


def _were(count: int) -> str:
    return "was" if count == 1 else "were"


def _by_suffix(target: str) -> str:
    """The only format that speaks for the file name's ending."""
    from tertium import registry
    from tertium.formats.base import Format
    from tertium.formats.sources import strip_compression

    suffix = PurePath(strip_compression(target)).suffix.lower()
    found = []
    for name in registry.names("formats"):
        known = registry.get("formats", name)
        assert issubclass(known, Format)
        if suffix and suffix in known.suffixes:
            found.append(name)
    if len(found) != 1:
        which = f"could be {' or '.join(found)}" if found else "says nothing about the format"
        raise UsageError(
            f"the name '{target}' {which}; name it with '--to'",
            help="'tertium list formats' shows all",
        )
    return found[0]


def _left_out(corpus: Corpus, writer: Format, written: io.BytesIO) -> list[str]:
    """Layers that the format holds neither by name nor by kind, and that are not in what was
    written under another name either."""
    left = [
        name
        for name, layer in corpus.layers.items()
        if name not in writer.layers and type(layer).__name__.lower() not in writer.layers
    ]
    if not left:
        return left
    from tertium.exceptions import InputError
    from tertium.formats.base import Reading
    from tertium.formats.writing import without_skipped

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
    from tertium.corpus.layers import Spans, Tags
    from tertium.corpus.schemes import decode, is_span_column

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


def _way(corpus: Corpus, writer: Format, left: Sequence[str]) -> str:
    """How a column of tags gets a name that the new format holds, where reading can give one."""
    from tertium.corpus.layers import Tags
    from tertium.corpus.schemes import is_span_column

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
