"""`convert`: a file in a different format or tag scheme, and what it loses there."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Any, ClassVar, cast

import numpy as np

from tertium import registry
from tertium.corpus.corpus import Corpus
from tertium.corpus.layers import Arcs, Comments, Spans, Tags
from tertium.corpus.schemes import decode, scheme_of, span_columns, stack
from tertium.corpus.trees import POS
from tertium.exceptions import (
    FormatError,
    GateError,
    InputError,
    LayerError,
    UsageError,
    counted,
)
from tertium.formats.base import CHANGED, Format, InputOptions, Reading
from tertium.formats.columns import span_tags
from tertium.formats.conll import several_roots
from tertium.formats.coref.documents import NOT_READ
from tertium.formats.files import make, named, read_file, read_stream
from tertium.formats.layouts import header
from tertium.formats.losses import column_hint, losses
from tertium.formats.sources import resolve, strip_compression
from tertium.formats.targets import open_output
from tertium.options import OUTPUT, Verb, fill, option, take

# Names of files that speak for a scheme, and further names of schemes.
_SCHEME_OF_SUFFIX = {".bioes": "iobes", ".iob2": "iob2"}
_SAME_SCHEME = {"bio": "iob2", "bioes": "iobes"}
# By which scheme tags are irregular that follow none throughout.
_NEAREST = {"iob": "iob2", "ioe": "ioe2", "mixed": "iobes"}


@dataclass(frozen=True)
class ConvertOptions:
    """What is written."""

    option_group: ClassVar[str] = OUTPUT

    to: str | None = option(
        None, "Format to write. Default: inferred from the name of OUTPUT.", metavar="FORMAT"
    )
    scheme: str | None = option(
        None, "Rewrite span tags in this scheme; bio is iob2 and bioes is iobes. Default: keep "
        "tags, and write spans as iob2 unless OUTPUT ends in .bioes or .iob2.",
        choices=("bio", "iob1", "iob2", "ioe1", "ioe2", "bioes", "iobes", "bilou"),
    )  # fmt: skip
    strict: bool = option(False, "Exit with 1 and write nothing if the conversion loses anything.")


@dataclass(frozen=True)
class Conversion:
    """A file in a different format, and what it lost there (`lost`); under `strict` nothing is
    written if that is anything at all."""

    format: str
    notes: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    strict: bool = False

    def notices(self, look: Any) -> list[str]:
        """What was lost, skipped, repaired or rewritten."""
        return [*self.notes]

    def check(self) -> None:
        """Raise GateError if something is lost and must not be."""
        if self.strict and self.lost:
            raise GateError(
                f"nothing was written: converting to {self.format} loses {', '.join(self.lost)}",
                help="without '--strict' the rest is written",
            )


def convert(source: str, target: str, **options: Any) -> Conversion:
    """Write a file in a different format, completely or not at all; `-` is standard input or
    output.

    `options`: `to` is the format to write, else the ending of `target` decides; `scheme` rewrites
    span tags (`iob2`, `bioes`, `bilou`, ...); with `strict` nothing is written if anything would be
    lost, and `check()` of the result raises. `input_format`, `columns` and `on_error` say how
    `source` is read.
    """
    rest = dict(options)
    reading = InputOptions(**take(InputOptions, rest))
    asked = fill(ConvertOptions, rest, verb="convert", others=(InputOptions,))
    formats = [asked.to] if asked.to else by_suffix(target, is_asked=asked.scheme is None)
    found = resolve(source, name=source)
    files = found.files
    if len(files) > 1:
        raise UsageError(f"'{source}' is {len(files):,} files; convert takes one at a time")
    format = named(reading.input_format, reading.columns)
    repairs = reading.on_error == "repair"
    checks = None if repairs else frozenset[str]()
    corpus = read_file(files[0], format=format, on_error=reading.on_error, checks=checks)
    writer = make(formats[0] if len(formats) == 1 else corpus.format)
    if writer.id != corpus.format:
        corpus = without_headers(corpus)
    corpus = writer.changed(corpus)
    notes = [found.note] if found.note else []
    notes += [problem.message for problem in corpus.problems if problem.kind == CHANGED]
    content, rewritten = in_scheme(corpus, writer, target, asked.scheme)
    notes += rewritten.values()
    content = with_known_tags(content, writer)
    written = io.BytesIO()
    one_root = writer.id == "conllu"
    writer.write(with_whole_trees(content, one_root=one_root) if repairs else content, written)
    if repairs:
        check_readable(written, writer, target)
    lost, layers = losses(corpus, writer, written)
    if lost:
        way = column_hint(corpus, writer, layers) if reading.columns is None else ""
        notes.append(f"converting to {writer.id} loses {', '.join(lost)}{way}")
    lost += rewritten
    unread = [
        problem.message for problem in corpus.problems if problem.kind in ("unread", NOT_READ)
    ]
    notes += unread
    lost += unread
    skipped = 0 if corpus.skipped is None else int(corpus.skipped.sum())
    if skipped:
        lost.append(counted(skipped, "bad sentence"))
    for count, noun, what in (
        (skipped, "bad sentence", "skipped"),
        (corpus.repaired, "place", "repaired"),
    ):
        if count:
            notes.append(f"{counted(count, noun)} {'was' if count == 1 else 'were'} {what}")
    if asked.strict and lost:
        return Conversion(writer.id, (), tuple(lost), strict=True)
    with open_output(target) as out:
        out.write(written.getvalue())
    return Conversion(writer.id, tuple(notes), tuple(lost), asked.strict)


def write_corpus(corpus: Corpus, target: str, to: str | None, *, needed: str) -> list[str]:
    """Write a corpus in the format `to`, else that of the file's name, else its own. What it loses
    there; the layer that is `needed` must not be lost."""
    found = [to] if to else by_suffix(target, is_asked=not corpus.format)
    writer, written = make(found[0] if len(found) == 1 else corpus.format), io.BytesIO()
    corpus, irregular = in_scheme(corpus, writer, target, None)
    writer.write(corpus, written)
    lost, layers = losses(corpus, writer, written)
    if needed in layers:
        raise InputError(
            f"'{target}' is not written, because the format '{writer.id}' cannot hold '{needed}'",
            help="name a different format with '--to'",
        )
    with open_output(target) as out:
        out.write(written.getvalue())
    return [*irregular, *lost]


def in_scheme(
    corpus: Corpus, writer: Format, target: str, asked: str | None
) -> tuple[Corpus, dict[str, str]]:
    """The corpus with its spans as tags of the scheme asked for, or of the one that OUTPUT's name
    stands for; and which irregular tags that loses, with notes on them."""
    suffix = PurePath(strip_compression(target)).suffix.lower()
    scheme = _SAME_SCHEME.get(asked or "", asked) or _SCHEME_OF_SUFFIX.get(suffix)
    if scheme is None:
        return corpus, {}
    if not {"tags", "tag"} & {*writer.layers}:
        if asked is None:
            return corpus, {}
        raise UsageError(f"{writer.id} does not hold tags, so '--scheme' has no meaning there")
    layers, notes = dict(corpus.layers), dict[str, str]()
    spans = (name for name, layer in corpus.layers.items() if type(layer) is Spans)
    found = [*span_columns(corpus), *spans]
    if asked and not found:
        raise LayerError(
            f"{corpus.origin} has no spans to write as {asked}: no column in which every tag is O "
            "or PREFIX-TYPE",
            help="'--columns' names a file's columns; 'tertium validate' shows what was read",
        )
    for name in found:
        layer = layers[name]
        if isinstance(layer, Tags):
            if (
                nested := next((t for t in layer.labels.names if len(stack(t)) > 1), None)
            ) is not None:
                raise InputError(
                    f"{corpus.origin}: '{name}' has nested spans ({nested}), which {scheme} "
                    "cannot hold",
                    help="'spans' and 'jsonl' can hold nested spans",
                )
            layer, note = _regular(corpus, name, layer)
            notes |= note
        assert isinstance(layer, Spans)
        layers[name] = span_tags(corpus, name, layer, scheme)
    return replace(corpus, layers=layers), notes


def _regular(corpus: Corpus, name: str, tags: Tags) -> tuple[Spans, dict[str, str]]:
    """The spans of a column, and how many had irregular tags, and where the first of them is."""
    found = scheme_of(decode(tags, corpus.offsets).facts)
    expected = _NEAREST.get(found, found)
    decoded = decode(tags, corpus.offsets, expected=expected)
    if not decoded.irregular:
        return decoded.spans, {}
    at = decoded.first_irregular
    line = f", line {corpus.lines[at]}" if corpus.lines is not None else ""
    was = "was" if decoded.irregular == 1 else "were"
    what, first = counted(decoded.irregular, "span"), f"{tags.labels[at]}{line}"
    lost = f"irregular tags of {what} in '{name}' (the first begins with {first})"
    return decoded.spans, {
        lost: f"'{name}': {what} with tags that are irregular in {expected} {was} rewritten; the "
        f"first begins with {first}"
    }


def with_known_tags(corpus: Corpus, writer: Format) -> Corpus:
    """With the parts of speech of trees as `xpos` for formats that have a column of that name."""
    if POS not in corpus.layers or {POS, "tags"} & {*writer.layers} or "xpos" in corpus.layers:
        return corpus
    names = {POS: "xpos"} if "xpos" in writer.layers else {}
    layers = {names.get(name, name): layer for name, layer in corpus.layers.items()}
    return replace(corpus, layers=layers)


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


def by_suffix(target: str, *, is_asked: bool) -> list[str]:
    """The formats that the ending of a file name speaks for: one, unless the format of the input
    may decide (`is_asked` is False)."""
    suffix = PurePath(strip_compression(target)).suffix.lower()
    known = {n: cast("type[Format]", registry.get("formats", n)) for n in registry.names("formats")}
    found = [name for name, format in known.items() if suffix and suffix in format.suffixes]
    if len(found) != 1 and is_asked:
        which = f"could be {' or '.join(found)}" if found else "says nothing about the format"
        raise UsageError(
            f"the name '{target}' {which}; name it with '--to'",
            help="'tertium list formats' shows all",
        )
    return found


def _check_files(files: Sequence[str]) -> None:
    if len(files) != 2:
        raise UsageError(
            f"give INPUT and OUTPUT. Got {counted(len(files), 'file')} instead.",
            help="'tertium convert --help' shows the usage",
        )


VERB = Verb(
    "convert",
    convert,
    """Convert a file to a different format or tag scheme.

    INPUT and OUTPUT may be - for standard input and output; names ending in .gz or .zst are
    compressed. A note lists what this file loses in the new format. OUTPUT is written completely
    or not at all.

    \b
    tertium convert a.conllu a.tsv --to columns
    tertium convert train.iob2 train.bioes
    tertium convert ner.conll ner-bilou.conll --scheme bilou --strict
    """,
    arguments="INPUT OUTPUT",
    options=(ConvertOptions, InputOptions),
    words={
        "input_format": "Format of INPUT.",
        "columns": "INPUT's columns: form=0,upos=1,ner=-1.",
        "on_error": "What to do with bad sentences.",
    },
    check=_check_files,
    study=False,
    prints=False,
)
