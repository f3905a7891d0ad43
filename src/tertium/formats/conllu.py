"""CoNLL-U: ten tab-separated columns, comments, multiword tokens, empty nodes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO

import numpy as np
import numpy.typing as npt

from tertium.corpus.corpus import Corpus
from tertium.corpus.enhanced import cell_message
from tertium.corpus.labels import Int64, Labels, Names
from tertium.corpus.layers import (
    Arcs,
    Comments,
    EmptyNodes,
    Layer,
    Multiwords,
    Spaces,
    Tags,
    ranges,
)
from tertium.exceptions import InputError
from tertium.formats.base import Format, Problems, Reading
from tertium.formats.conll import (
    EMPTY,
    FORM,
    RANGE,
    WORD,
    WordReader,
    has_projective_columns,
    sniffed_rows,
)
from tertium.formats.layout import note_blank_lines, note_empty, note_few
from tertium.formats.lines import (
    LINE_BREAKS,
    Table,
    check_strings,
    check_words,
    scan,
    without_skipped,
    write_text,
)

if TYPE_CHECKING:
    from tertium.formats.conll import WordReader

COLUMNS = ("id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")
ENHANCED, MISC = 8, 9


@dataclass(frozen=True, repr=False)
class Conllu(Format):
    """Universal Dependencies' format; everything in it is kept.

    A column that holds only `_` gives no layer. Heads are 1-based in the sentence, 0 the root.
    """

    id = "conllu"
    title = "CoNLL-U: ten columns with comments, multiword tokens and empty nodes"
    suffixes = (".conllu",)
    layers = ("lemma", "upos", "xpos", "feats", "deps")
    has_span_tags = False

    def sniff(self, head: bytes) -> float:
        """Ten tab-separated columns, the first of which is a number."""
        rows = sniffed_rows(head)
        commented = head.lstrip().startswith(b"#")
        if not rows:
            return 0.3 if commented else 0.0
        fit = sum(len(row) == 10 and row[0][:1].isdigit() for row in rows) / len(rows)
        if fit < 0.5:
            return 0.0
        if any(b"-" in row[0] or b"." in row[0] for row in rows):
            return 0.95 * fit
        if has_projective_columns(rows):
            return 0.5 * fit
        return (0.92 if commented else 0.88) * fit

    def read(self, stream: BinaryIO, reading: Reading) -> Corpus:
        """See the class."""
        problems = Problems(reading)
        table = scan(stream, problems, comment=b"#")
        _refuse_other_columns(table, problems)
        return _Reader(table, problems).corpus()

    def write(self, corpus: Corpus, stream: BinaryIO) -> None:
        """All ten columns, comments, ranges and empty nodes; columns without a layer are `_`."""
        from tertium.formats.conllu import write

        write(corpus, stream)


def _refuse_other_columns(table: Table, problems: Problems) -> None:
    """CoNLL-U Plus names its columns in the first line; other columns would be taken for ours."""
    if not len(table.field_count) or table.field_count[0] != -1:
        return
    key, _, value = table.text(0)[1:].partition("=")
    if key.strip() == "global.columns" and value.lower().split() != list(COLUMNS):
        raise problems.fatal(
            f"CoNLL-U Plus with the columns {value.strip()}, expected the ten of CoNLL-U",
            line=1,
            help="'--input-format columns --columns form=1,upos=3' reads tags from any columns",
        )


class _Reader(WordReader):
    """What CoNLL-U has beyond words: ranges, empty nodes, enhanced graph, MISC."""

    format = "conllu"
    title = "CoNLL-U"
    columns = COLUMNS
    widths = (10,)
    id_kinds = (WORD, RANGE, EMPTY)
    id_words = "a number, a range or an empty node"
    one_root = True

    def wanted(self) -> Iterable[int]:
        yield from super().wanted()
        if self.reading.wants("enhanced"):
            yield ENHANCED
        if self.reading.wants("misc"):
            yield MISC

    def check_rest(self) -> None:
        super().check_rest()
        note_blank_lines(self)
        note_empty(self, self.values[FORM])
        if ENHANCED in self.values:
            self.values[ENHANCED] = checked_enhanced(self, self.values[ENHANCED])

    def extras(self) -> dict[str, Layer]:
        extras: dict[str, Layer] = {}
        lines, sentence, first, last = self.ranges
        multiwords = None
        if len(lines):
            start = (self.offsets[sentence] + first - 1).astype(np.int32)
            end = (self.offsets[sentence] + last).astype(np.int32)
            multiwords = Multiwords(start, end, self.table.labels(lines, 1), self.rest(lines, 2))
            extras["multiwords"] = multiwords
        lines, sentence, first, second = self.empty
        if len(lines) and self.reading.wants("empty"):
            nodes = EmptyNodes(sentence.astype(np.int32), first, second, self.rest(lines, 1))
            extras["empty"] = nodes
        for name, place in (("enhanced", ENHANCED), ("misc", MISC)):
            if place in self.values and not self.values[place].is_constant("_"):
                extras[name] = Tags(self.values[place])
        if MISC in self.values:
            spaces = _spaces(self.values[MISC], multiwords)
            if not spaces.all():
                extras["spaces"] = Spaces(spaces)
        return extras


def _spaces(misc: Labels, multiwords: Multiwords | None) -> npt.NDArray[np.bool_]:
    """Is a word followed by a space? Of a multiword token only the last word may be, as the token's
    own line says."""
    after = np.array([not _no_space(m) for m in misc.names] or [True], np.bool_)[misc.codes]
    if multiwords is not None:
        spaced = np.array([not _no_space(f.rpartition("\t")[2]) for f in multiwords.fields.names])
        start, end = multiwords.start.astype(np.int64), multiwords.end.astype(np.int64)
        after[ranges(start, end - 1)] = False
        after[end - 1] = spaced[multiwords.fields.codes]
    return after


def _no_space(misc: str) -> bool:
    return "SpaceAfter=No" in misc.split("|")


def write(corpus: Corpus, stream: BinaryIO) -> None:
    """One sentence at a time, so that memory stays that of the columns."""
    corpus = without_skipped(corpus)
    write_text(corpus, _sentences(corpus), stream)


def word_rows(corpus: Corpus, last: Sequence[str], what: str) -> list[str]:
    """Every word as its columns from FORM on; `last` names the tag columns after DEPREL.

    A column without a layer, and an empty string in one, is `_`.
    """
    blank = ["_"] * corpus.token_count

    def written(labels: Labels, name: str) -> list[str]:
        check_strings(corpus, labels, f"{name} of {what}", "\t" + LINE_BREAKS)
        return [x or "_" for x in labels.to_list()]

    def tags(name: str) -> list[str]:
        if name == "misc" and "misc" not in corpus.extras and "spaces" in corpus.extras:
            return ["_" if s else "SpaceAfter=No" for s in _spaced(corpus).tolist()]
        layer = corpus.layers.get(name) or corpus.extras.get(name)
        return written(layer.labels, name) if isinstance(layer, Tags) else blank

    heads = deprels = blank
    deps = corpus.layers.get("deps")
    if isinstance(deps, Arcs):
        heads = [str(h) if h >= 0 else "_" for h in deps.head.tolist()]
        deprels = written(deps.label, "deprel")
    columns = (
        written(check_words(corpus, what), "form"),
        *(tags(n) for n in ("lemma", "upos", "xpos", "feats")),
        heads,
        deprels,
        *(tags(n) for n in last),
    )
    return ["\t".join(row) for row in zip(*columns, strict=True)]


def _spaced(corpus: Corpus) -> npt.NDArray[np.bool_]:
    """Words that need no SpaceAfter=No; of multiword tokens the token's own line says it."""
    spaced = corpus.space_after.copy()
    layer = corpus.extras.get("multiwords")
    if isinstance(layer, Multiwords):
        spaced[ranges(layer.start.astype(np.int64), layer.end.astype(np.int64))] = True
    return spaced


def _sentences(corpus: Corpus) -> Iterator[str]:
    words = word_rows(corpus, ("enhanced", "misc"), "CoNLL-U")
    comments, ranges, empty = _comments(corpus), _ranges(corpus), _empty(corpus)
    offsets = corpus.offsets.tolist()
    for sentence in range(corpus.sentence_count):
        lines = [f"#{text}" for text in comments.get(sentence, ())]
        base = offsets[sentence]
        lines.extend(empty.get((sentence, 0), ()))
        for token in range(base, offsets[sentence + 1]):
            for end, rest in ranges.get(token, ()):
                lines.append(f"{token - base + 1}-{end - base}\t{rest}")
            lines.append(f"{token - base + 1}\t{words[token]}")
            lines.extend(empty.get((sentence, token - base + 1), ()))
        if not lines or lines[-1].startswith("#"):
            raise InputError(
                f"{corpus.origin}: sentence '{corpus.sentence_id(sentence)}' has no words, "
                "which CoNLL-U cannot hold"
            )
        yield "\n".join(lines) + "\n\n"


def _comments(corpus: Corpus) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    layer = corpus.extras.get("comments")
    if isinstance(layer, Comments):
        for text in layer.text.names:
            if any(c in text for c in LINE_BREAKS):
                raise InputError(f"{corpus.origin}: {text!r} cannot be written as a comment")
        for sentence, text in zip(layer.sentence.tolist(), layer.text.to_list(), strict=True):
            found.setdefault(sentence, []).append(text)
    return found


def _ranges(corpus: Corpus) -> dict[int, list[tuple[int, str]]]:
    found: dict[int, list[tuple[int, str]]] = {}
    layer = corpus.extras.get("multiwords")
    if isinstance(layer, Multiwords):
        rows = zip(
            layer.start.tolist(),
            layer.end.tolist(),
            layer.form.to_list(),
            layer.fields.to_list(),
            strict=True,
        )
        for start, end, form, rest in rows:
            found.setdefault(start, []).append((end, f"{form}\t{rest}"))
    return found


def _empty(corpus: Corpus) -> dict[tuple[int, int], list[str]]:
    found: dict[tuple[int, int], list[str]] = {}
    layer = corpus.extras.get("empty")
    if isinstance(layer, EmptyNodes):
        rows = zip(
            layer.sentence.tolist(),
            layer.after.tolist(),
            layer.minor.tolist(),
            layer.fields.to_list(),
            strict=True,
        )
        for sentence, after, minor, rest in rows:
            found.setdefault((sentence, after), []).append(f"{after}.{minor}\t{rest}")
    return found


BAD_ENHANCED = "enhanced"


def checked_enhanced(reader: WordReader, cells: Labels) -> Labels:
    """The cells, after every one has been looked at.

    A bad one is an error if the enhanced graph is asked for by name or every problem is wanted;
    then "repair" empties it, otherwise its sentence is marked bad. Else it is read and noted, since
    most measures do not look at it.
    """
    from tertium.corpus._kernels import largest_heads

    names = cells.names
    largest = largest_heads(names.blob, names.bounds[:-1], names.bounds[1:])[cells.codes]
    size = np.diff(reader.offsets)[reader.sentence_of_word]
    bad = np.flatnonzero((largest < 0) | (largest > size))
    if not len(bad):
        return cells

    lines, sentence = reader.words[bad], reader.sentence_of_word[bad]

    def message(i: int) -> str:
        return cell_message(cells[bad[i]], int(largest[bad[i]]), int(size[bad[i]]))

    if reader.reading.needs is None and not reader.reading.check:
        note_few(reader, BAD_ENHANCED, message, lines, sentence)
        return cells
    for i in reader.problems.listed(np.arange(len(bad))):
        reader.error(int(sentence[i]), message(i), int(lines[i]), BAD_ENHANCED)
    if reader.reading.on_error != "repair":
        reader.bad[sentence] = True
        return cells
    reader.repaired += len(bad)
    return _emptied(cells, bad)


def _emptied(cells: Labels, rows: Int64) -> Labels:
    """The same cells with `_` in these rows."""
    nothing = cells.names.find("_")
    names = cells.names
    if nothing < 0:
        nothing, names = len(names), Names.of([*names, "_"])
    codes = cells.codes.copy()
    codes[rows] = nothing
    return Labels(names, codes)
