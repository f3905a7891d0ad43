"""CoNLL-U: ten tab-separated columns, comments, multiword tokens, empty nodes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from tertium.corpus.corpus import Corpus
from tertium.corpus.enhanced import cell_message
from tertium.corpus.labels import Bytes, Labels, Names, ranges, unite
from tertium.corpus.layers import (
    Arcs,
    Comments,
    EmptyNodes,
    Layer,
    Multiwords,
    Spaces,
    Tags,
)
from tertium.exceptions import InputError, counted
from tertium.formats.base import Problems
from tertium.formats.conll import (
    EMPTY,
    FORM,
    RANGE,
    WORD,
    WordReader,
    has_projective_columns,
    sniffed_rows,
)
from tertium.formats.coref.corefud import MiscEntities, scan_entities
from tertium.formats.coref.documents import COREF, ENTITIES
from tertium.formats.coref.entities import with_entities
from tertium.formats.layouts import has_other_columns, refuse_other_columns
from tertium.formats.lines import (
    HASH,
    LINE_BREAKS,
    Index,
    TextFormat,
    check_strings,
    check_words,
    grouped,
    scan,
)

COLUMNS = ("id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")
ENHANCED, MISC = 8, 9
# Unicode category Zs: the spaces that the UD evaluation takes out of forms.
SPACES = " \u00a0\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u202f\u205f\u3000"
SPACE_HEADS = [int.from_bytes(space.encode()[:2]) for space in SPACES[1:]]

# Kinds of problems
BAD_ENHANCED = "enhanced"
BAD_ENTITY = "entity"
COREF_NEEDS = frozenset((COREF, "misc", "empty", "comments"))
EMPTY_FORM = "empty-form"
NO_WORDS = "no-words"


@dataclass(frozen=True, repr=False)
class Conllu(TextFormat):
    """Universal Dependencies' format; everything in it is kept.

    A column that holds only `_` gives no layer. Heads are 1-based in the sentence, 0 the root.
    """

    id = "conllu"
    title = "CoNLL-U: ten columns, comments, multiword tokens, empty nodes"
    suffixes = (".conllu",)
    layers = ("lemma", "upos", "xpos", "feats", "deps", COREF)
    has_span_tags = False

    def sniff(self, head: bytes) -> float:
        """Ten tab-separated columns, the first of which is a number."""
        rows = sniffed_rows(head)
        commented = head.lstrip().startswith(b"#")
        if has_other_columns(head, COLUMNS):
            return 0.0
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

    def parse(self, buf: Bytes, problems: Problems) -> Corpus:
        """See the class."""
        refuse_other_columns(buf, problems, COLUMNS)
        needs = problems.reading.needs
        if needs is not None and COREF in needs:
            problems.reading = replace(problems.reading, needs=needs | COREF_NEEDS)
        return _Reader(scan(buf, problems, comment=HASH), problems).read()

    def blocks(self, corpus: Corpus) -> Iterator[str]:
        """All ten columns, comments, ranges and empty nodes; columns without a layer are `_`. One
        sentence at a time, so that memory stays that of the columns."""
        corpus = with_entities(corpus)
        words = word_rows(corpus, ("enhanced", "misc"), "CoNLL-U")
        comments: dict[int, list[str]] = grouped(corpus.rows_of("comments", Comments))
        for text in dict.fromkeys(chain.from_iterable(comments.values())):
            if any(c in text for c in LINE_BREAKS):
                raise InputError(f"{corpus.origin}: {text!r} cannot be written as a comment")
        # Of every first word the ends of its ranges, and their columns from FORM on; and the lines
        # of empty nodes, by sentence and the word before them.
        multiwords = grouped(
            (start, (end, f"{form}\t{rest}"))
            for start, end, form, rest in corpus.rows_of("multiwords", Multiwords)
        )
        empty = grouped(
            ((sentence, after), f"{after}.{minor}\t{rest}")
            for sentence, after, minor, rest in corpus.rows_of("empty", EmptyNodes)
        )
        offsets = corpus.offsets.tolist()
        for sentence in range(corpus.sentence_count):
            lines = [f"#{text}" for text in comments.get(sentence, ())]
            base = offsets[sentence]
            lines.extend(empty.get((sentence, 0), ()))
            for token in range(base, offsets[sentence + 1]):
                for end, rest in multiwords.get(token, ()):
                    lines.append(f"{token - base + 1}-{end - base}\t{rest}")
                lines.append(f"{token - base + 1}\t{words[token]}")
                lines.extend(empty.get((sentence, token - base + 1), ()))
            if not lines or lines[-1].startswith("#"):
                raise InputError(
                    f"{corpus.origin}: sentence '{corpus.sentence_id(sentence)}' has no words, "
                    "which CoNLL-U cannot hold"
                )
            yield "\n".join(lines) + "\n\n"


class _Reader(WordReader):
    """What CoNLL-U has beyond words: ranges, empty nodes, enhanced graph, MISC."""

    format = "conllu"
    title = "CoNLL-U"
    columns = COLUMNS
    widths = (10,)
    id_kinds = (WORD, RANGE, EMPTY)
    id_words = "a number, a range or an empty node"
    kept = MappingProxyType({"enhanced": ENHANCED, "misc": MISC})
    one_root = True

    def check_rest(self) -> None:
        super().check_rest()
        self.note_blank_lines()
        self.note_empty()
        if ENHANCED in self.values:
            self.check_enhanced()
        if MISC in self.values:
            self.check_entities()

    def note_empty(self) -> None:
        """Tokens whose form is made of spaces or nothing, and sentences without words.

        The words of a multiword token are no text of their own, so their forms do not matter here.
        """
        lines, sentence, first, last = self.ranges
        self.note_forms(self.table.labels(lines, FORM), lines, sentence)
        forms = self.values[FORM]
        if _spaces_only(forms.names).any():
            alone = np.ones(len(forms), np.bool_)
            base = self.offsets[sentence]
            alone[ranges(base + first - 1, base + last)] = False
            self.note_forms(forms.take(alone), self.words[alone], self.sentence_of_word[alone])
        bare = np.flatnonzero((self.sizes == 0) & ~self.bad)
        line = self.token_lines[np.searchsorted(self.of_line, bare)]
        self.note_few(NO_WORDS, "no word in the sentence", line, bare)

    def note_forms(self, forms: Labels, lines: Index, sentence: Index) -> None:
        """Those of the forms that are made of spaces or nothing."""
        empty = _spaces_only(forms.names)[forms.codes]
        message = "FORM is empty or made of spaces"
        self.note_few(EMPTY_FORM, message, lines[empty], sentence[empty])

    def check_enhanced(self) -> None:
        """Look at every cell of DEPS.

        A bad one is an error if the enhanced graph is asked for by name or every problem is wanted;
        then "repair" empties it, otherwise its sentence is bad. Else it is read and noted, since
        most measures do not look at it.
        """
        from tertium.corpus._kernels import largest_heads

        cells = self.values[ENHANCED]
        if cells.is_constant("_"):
            return
        names = cells.names
        largest = largest_heads(names.blob, names.bounds[:-1], names.bounds[1:])[cells.codes]
        size = np.diff(self.offsets)[self.sentence_of_word]
        bad = np.flatnonzero((largest < 0) | (largest > size))

        def message(word: int) -> str:
            return cell_message(cells[word], int(largest[word]), int(size[word]))

        if self.reading.needs is None and not self.reading.check:
            where = self.words[bad], self.sentence_of_word[bad]
            self.note_few(BAD_ENHANCED, lambda i: message(int(bad[i])), *where)
            return
        where = self.words, self.sentence_of_word
        self.refuse(bad, message, *where, kind=BAD_ENHANCED, mended=len(bad))
        if len(bad) and self.reading.on_error == "repair":
            joint, (codes, nothing) = unite(cells, Labels.of(["_"]))
            codes = codes.copy()
            codes[bad] = nothing[0]
            self.values[ENHANCED] = Labels(joint, codes)

    def check_entities(self) -> None:
        """Look at the brackets of coreference in MISC.

        A bracket without a partner is an error if coreference is scored or every problem is wanted;
        then "repair" leaves its mention out, otherwise its document is bad. Else it is noted, where
        all columns are read.
        """
        reading = self.reading
        check = reading.check
        wanted = not check and reading.demands(COREF) and reading.wants(COREF)
        if not (wanted or check or reading.needs is None):
            return
        nodes, comments = self.empty_nodes(), self.comments()
        extras: dict[str, Layer] = {"misc": Tags(self.values[MISC])}
        extras |= {"empty": nodes} if nodes is not None else {}
        extras |= {"comments": comments} if comments is not None else {}
        corpus = Corpus(self.offsets, self.values[FORM], extras=extras)
        found = scan_entities(corpus)
        if found is None:
            return
        document = corpus.document_of_sentence
        if wanted:
            self.bad |= np.isin(document, document[self.bad])
        places = np.array([offence.place for offence in found.offences], np.int64)
        lines = np.append(self.words, self.empty[0])[places]
        sentence = np.append(self.sentence_of_word, self.empty[1])[places]
        rows = np.flatnonzero(~np.isin(document[sentence], document[self.bad]))
        self.note_entities(found)
        if not (wanted or check):
            where = lines[rows], sentence[rows]
            self.note_few(BAD_ENTITY, lambda i: found.offences[rows[i]].message, *where)
            return
        mended = len(rows)
        self.refuse(
            rows, lambda row: found.offences[row].message, lines, sentence, kind=BAD_ENTITY,
            mended=mended,
        )  # fmt: skip
        if wanted:
            self.bad |= np.isin(document, document[self.bad])

    def note_entities(self, found: MiscEntities) -> None:
        """Ids that several documents have, and what is not read of coreference."""
        if found.repeated:
            message = f"{counted(len(found.repeated), 'entity id')} in several documents, such as "
            message += f"'{found.repeated[0]}': every document has an entity of its own"
            self.problems.note(message, kind=ENTITIES)
        if found.split:
            was = "was" if found.split == 1 else "were"
            message = f"{counted(found.split, 'split antecedent')} {was} not read"
            self.problems.note(message, kind=ENTITIES)

    def empty_nodes(self) -> EmptyNodes | None:
        """Empty nodes with their columns; None where there are none."""
        lines, sentence, first, second = self.empty
        if not len(lines):
            return None
        return EmptyNodes(sentence.astype(np.int32), first, second, self.rest(lines, FORM))

    def extras(self) -> dict[str, Layer]:
        extras = super().extras()
        lines, sentence, first, last = self.ranges
        multiwords = None
        if len(lines):
            start = (self.offsets[sentence] + first - 1).astype(np.int32)
            end = (self.offsets[sentence] + last).astype(np.int32)
            forms = self.table.labels(lines, FORM)
            multiwords = Multiwords(start, end, forms, self.rest(lines, FORM + 1))
            extras["multiwords"] = multiwords
        if self.reading.wants("empty") and (nodes := self.empty_nodes()) is not None:
            extras["empty"] = nodes
        if MISC in self.values:
            spaces = _spaces(self.values[MISC], multiwords)
            if not spaces.all():
                extras["spaces"] = Spaces(spaces)
        return extras


def _spaces_only(names: Names) -> npt.NDArray[np.bool_]:
    """Which strings are empty or made of spaces. Only those that begin with one are decoded."""
    padded = np.append(names.blob, np.zeros(2, np.uint8)).astype(np.uint16)
    head = padded[names.bounds[:-1]] << 8 | padded[names.bounds[:-1] + 1]
    found = np.asarray(np.diff(names.bounds) == 0)
    some = np.flatnonzero(~found & (np.isin(head, SPACE_HEADS) | (head >> 8 == ord(" "))))
    found[some] = [not name.strip(SPACES) for name in names.some(some)]
    return found


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
    layer = corpus.extra("multiwords", Multiwords)
    if layer is not None:
        spaced[ranges(layer.start.astype(np.int64), layer.end.astype(np.int64))] = True
    return spaced
