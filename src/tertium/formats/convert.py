"""`convert`: a file in another format, and what that format cannot hold."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Any, cast

import numpy as np

from tertium import registry
from tertium.corpus.corpus import Corpus
from tertium.corpus.layers import Arcs, Comments, Tags
from tertium.corpus.schemes import is_span_column, spans_of
from tertium.exceptions import FormatError, InputError, UsageError, counted
from tertium.formats.base import Format, InputOptions, Reading
from tertium.formats.conll import several_roots
from tertium.formats.files import make, named, read_file, read_stream
from tertium.formats.layouts import header
from tertium.formats.lines import without_skipped
from tertium.formats.sources import resolve, strip_compression
from tertium.formats.targets import open_output
from tertium.options import Verb, fill, option, take


@dataclass(frozen=True)
class ConvertOptions:
    """What is written."""

    to: str | None = option(
        None, "Format to write; by default what OUTPUT's name says.", metavar="FORMAT"
    )


@dataclass(frozen=True)
class Conversion:
    """A file that was written: its format, and what the format could not hold."""

    format: str
    notes: tuple[str, ...] = ()

    def notices(self, look: Any) -> list[str]:
        """What was left out, skipped or repaired."""
        return [*self.notes]

    def check(self) -> None:
        """There is nothing to check."""


def convert(source: str, target: str, **options: Any) -> Conversion:
    """Write a file in another format, whole or not at all; `-` is standard input or output.

    `options`: `to` is the format to write, else `target` says it by its ending; `input_format`,
    `columns` and `on_error` are how `source` is read.
    """
    rest = dict(options)
    reading = InputOptions(**take(InputOptions, rest))
    to = fill(ConvertOptions, rest, verb="convert", others=(InputOptions,)).to
    writer = make(to or by_suffix(target))
    found = resolve(source, name=source)
    files = found.files
    if len(files) > 1:
        raise UsageError(f"'{source}' is {len(files):,} files; convert takes one at a time")
    format = named(reading.input_format, reading.columns)
    repairs = reading.on_error == "repair"
    checks = None if repairs else frozenset[str]()
    corpus = read_file(files[0], format=format, on_error=reading.on_error, checks=checks)
    if writer.id != corpus.format:
        corpus = without_headers(corpus)
    written = io.BytesIO()
    one_root = writer.id == "conllu"
    writer.write(with_whole_trees(corpus, one_root=one_root) if repairs else corpus, written)
    if repairs:
        check_readable(written, writer, target)
    with open_output(target) as out:
        out.write(written.getvalue())
    notes = [found.note] if found.note else []
    left = left_out(corpus, writer, written)
    if left:
        way = column_hint(corpus, writer, left) if reading.columns is None else ""
        notes.append(f"{writer.id} does not hold {', '.join(left)}: not written{way}")
    if writer.lossy:
        notes.append(f"{writer.id} leaves out: {writer.lossy}")
    skipped = 0 if corpus.skipped is None else int(corpus.skipped.sum())
    for count, noun, what in (
        (skipped, "bad sentence", "skipped"),
        (corpus.repaired, "place", "repaired"),
    ):
        if count:
            notes.append(f"{counted(count, noun)} {'was' if count == 1 else 'were'} {what}")
    return Conversion(writer.id, tuple(notes))


def without_headers(corpus: Corpus) -> Corpus:
    """Without comments that name the columns of the file: in another format there are others."""
    comments = corpus.extra("comments", Comments)
    if comments is None:
        return corpus
    names = comments.text.names
    codes = [code for code, text in enumerate(names) if header(text) is not None]
    if not codes:
        return corpus
    stays = ~np.isin(comments.text.codes, codes)
    kept = Comments(comments.sentence[stays], comments.text.take(stays))
    return replace(corpus, extras={**corpus.extras, "comments": kept})


def with_whole_trees(corpus: Corpus, *, one_root: bool) -> Corpus:
    """Words whose heads could not be repaired, and further roots where a format has `one_root`,
    depend on the root of their sentence, or the first of them is the root: a file with heads must
    have them all."""
    layers = dict(corpus.layers)
    for name, arcs in corpus.of_kind(Arcs).items():
        head = arcs.head.copy()
        if one_root:
            head[several_roots(head, corpus.sentence_of_token, corpus.offsets)[0]] = -1
        lost = np.flatnonzero(head < 0)
        if len(lost) in (0, len(head)):
            continue
        # Backwards, so the first of each sentence stays; roots go before lost words.
        root = np.full(corpus.sentence_count, -1, np.int64)
        for words in (lost, np.flatnonzero(head == 0)):
            root[corpus.sentence_of(words[::-1])] = words[::-1]
        sentence = corpus.sentence_of(lost)
        number = root[sentence] - corpus.offsets[sentence] + 1
        head[lost] = np.where(root[sentence] == lost, 0, number)
        layers[name] = replace(arcs, head=head)
    return replace(corpus, layers=layers)


def check_readable(written: io.BytesIO, writer: Format, target: str) -> None:
    """Refuse to write what would be refused when it is read."""
    written.seek(0)
    try:
        read_stream(written, Reading(origin=target), format=writer)
    except FormatError as error:
        raise InputError(
            *f"'{target}' is not written: repaired, it would still be refused: {error}".split("\n"),
            help="'--on-error skip' leaves out sentences that cannot be repaired",
        ) from None


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


def _check_files(files: Sequence[str]) -> None:
    if len(files) != 2:
        raise UsageError(
            f"give INPUT and OUTPUT. Got {counted(len(files), 'file')} instead.",
            help="'tertium convert --help' shows the usage",
        )


VERB = Verb(
    "convert",
    convert,
    """Convert a file to a different format.

    INPUT and OUTPUT may be - for standard input and output; .gz and .zst work on both sides. What
    the new format cannot hold is said on stderr. OUTPUT is written whole or not at all.

    \b
    tertium convert a.conllu a.tsv --to columns
    """,
    arguments="INPUT OUTPUT",
    options=(ConvertOptions, InputOptions),
    words={
        "input_format": "Format of INPUT.",
        "columns": "INPUT's columns: form=0,upos=1,ner=-1.",
        "on_error": "What happens to bad sentences.",
    },
    check=_check_files,
    study=False,
    prints=False,
)
