"""CoNLL-2011 and CoNLL-2012: documents with chains of mentions in the last column."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Bytes, Labels
from tertium.corpus.layers import Layer, Spans, Tags, Trees
from tertium.corpus.schemes import spans_of
from tertium.corpus.trees import POS, TREES, written_forms
from tertium.exceptions import counted
from tertium.formats.base import Problems
from tertium.formats.coref.bits import OpenBits, written_bits
from tertium.formats.coref.documents import (
    COREF,
    NO_WORD,
    DocumentReader,
    counts_tokens,
    sniffed_document,
    split_part,
    written_documents,
)
from tertium.formats.coref.mentions import OpenChains, chains_to_write, entity_names, written_cells
from tertium.formats.lines import (
    LINE_BREAKS,
    TextFormat,
    check_no_empty_sentences,
    check_strings,
    check_words,
)
from tertium.formats.trees.changes import without_traces
from tertium.formats.trees.text import escape, renamed, unescape, words_of, written_label

LEMMA, NER = "lemma", "ner"
WORD, PARSE, ENTITIES, ARGUMENTS = 3, 5, 10, 11
TAGS = {POS: 4, LEMMA: 6}
EXTRAS = {"frameset": 7, "sense": 8, "speaker": 9}
_CELL = re.compile(rb"[-_*]|(\|?(\([^()|]+\)?|[^()|]+\)))+")
_NAME = re.compile(r"[^()|\s]+")


@dataclass(frozen=True, repr=False)
class Conll2012(TextFormat):
    """Coreference in columns: the document first, its chains last, and between them as much of
    part, number, word, part of speech, parse, lemma and so on as the file has."""

    id = "conll2012"
    title = "CoNLL-2012: columns, of which the last holds chains of mentions"
    suffixes = (".v4_gold_conll", ".v4_auto_conll", ".conll2012", ".key", ".response")
    layers = (COREF, TREES, POS, LEMMA, NER)
    lossy = "arguments of predicates, traces, gaps in mentions"
    has_span_tags = False

    def sniff(self, head: bytes) -> float:
        """A line '#begin document', or else numbered tokens of a document; and chains in the last
        column."""
        text, rows = sniffed_document(head)
        fits = [len(row) > 1 and bool(_CELL.fullmatch(row[-1])) for row in rows]
        if text is not None and not rows:
            return 0.6
        if not rows or (text is None and not (all(fits) and _has_numbers(rows))):
            return 0.0
        if text is None:
            return 0.9
        if counts_tokens(rows):
            return 0.5
        return 0.95 if sum(fits) * 2 > len(fits) else 0.75

    def parse(self, buf: Bytes, problems: Problems) -> Corpus:
        """See the class."""
        reader = DocumentReader(buf, problems, self.id)
        reader.check_columns(2)
        last = reader.width - 1  # of all lines: there are as many columns of arguments as verbs
        wants = problems.reading.wants
        chains = OpenChains(reader)
        parse = OpenBits(reader, PARSE, "parse") if last > PARSE and wants(TREES) else None
        entities = OpenBits(reader, ENTITIES, "names") if last > ENTITIES and wants(NER) else None
        reader.settle()
        written = (
            reader.words(WORD) if last > WORD else Labels.constant(NO_WORD, len(reader.of_line))
        )
        forms, extras = words_of(written)
        layers: dict[str, Layer] = {COREF: chains.made()} if wants(COREF) else {}
        for kept, columns in ((layers, TAGS), (extras, EXTRAS)):
            for name, place in columns.items():
                if place < last and wants(name) and _says(labels := reader.tags(place)):
                    kept[name] = Tags(labels)
        if parse is not None and (trees := parse.trees()) is not None:
            layers[TREES] = trees
        if entities is not None and (spans := entities.spans()) is not None:
            layers[NER] = spans
        _note_arguments(reader)
        return reader.documented(forms, layers, extras)

    def blocks(self, corpus: Corpus) -> Iterator[str]:
        """Five columns, or as many as the layers need."""
        check_no_empty_sentences(corpus, self.id)
        chains = chains_to_write(corpus)
        fine = all(_is_name(name, corpus) for name in chains.name.used_names())
        names = entity_names(corpus, chains, lambda _, number: str(number), fine=fine)
        columns = {place: labels for place, labels in enumerate(_columns(corpus)) if labels}
        columns[WORD] = _words(corpus)
        width = max(columns) + 1
        number = np.arange(corpus.token_count) - corpus.offsets[corpus.sentence_of_token]
        rest = [number.astype(str).tolist()]
        for place in range(WORD, width):
            empty = "*" if place in (PARSE, ENTITIES) else "-"
            rest.append(columns.get(place) or [empty] * corpus.token_count)
        rest.append(written_cells(corpus, chains, names, between="|", none="-"))
        first = _first_columns(corpus)
        document = corpus.document_of_sentence[corpus.sentence_of_token].tolist()
        rows = zip(*rest, strict=True)
        lines = [
            f"{first[d]}\t" + "\t".join(row) + "\n" for d, row in zip(document, rows, strict=True)
        ]
        if corpus.format != self.id:  # the official scorer takes every comment for a token
            extras = {name: extra for name, extra in corpus.extras.items() if name != "comments"}
            corpus = replace(corpus, extras=extras)
        yield from written_documents(corpus, _begin, "#end document", lines)


def _has_numbers(rows: list[list[bytes]]) -> bool:
    """Are there five columns or more, the third of which counts tokens, and mentions?"""
    if any(len(row) <= WORD + 1 for row in rows) or len({row[0] for row in rows}) > 1:
        return False
    numbers = [int(row[2]) if row[2].isdigit() and len(row[2]) < 9 else -1 for row in rows]
    follows = [b in (0, a + 1) for a, b in pairwise(numbers)]
    return numbers[0] == 0 and all(follows) and any(b"(" in row[-1] for row in rows)


def _says(labels: Labels) -> bool:
    """Does a column hold anything?"""
    return not {*labels.used_names()} <= {"-", "*"}


def _note_arguments(reader: DocumentReader) -> None:
    """Note that columns between the names and the chains were not read."""
    wide = reader.token_lines[reader.table.field_count[reader.token_lines] > ARGUMENTS + 1]
    if len(wide):
        sentences = len(np.unique(reader.of_line[np.isin(reader.token_lines, wide)]))
        reader.problems.note(
            f"arguments of predicates in {counted(sentences, 'sentence')} were not read",
            line=int(wide[0]) + 1,
            kind="unread",
        )


def _is_name(name: str, corpus: Corpus) -> bool:
    """Chains have numbers, unless a file of this format has something else."""
    return name.isdecimal() or (corpus.format == Conll2012.id and bool(_NAME.fullmatch(name)))


def _begin(name: str) -> str:
    """The line that begins a document.

    >>> _begin("a/b; part 001"), _begin("a")
    ('#begin document (a/b); part 001', '#begin document (a);')
    """
    name, part = split_part(name)
    return f"#begin document ({name});" + (f" part {part}" if part else "")


def _first_columns(corpus: Corpus) -> list[str]:
    """Name and part of every document as the first two columns hold them."""
    found = []
    for document in corpus.document_names.to_list():
        name, part = split_part(document)
        plain = "_".join(name.split()).lstrip("#") or "-"
        found.append(f"{plain}\t{int(part) if part.isdecimal() else part or 0}")
    return found


def _words(corpus: Corpus) -> list[str]:
    """The words as the file holds them."""
    forms, words = check_words(corpus, Conll2012.id), written_forms(corpus)
    if words is forms:
        words = renamed(forms, escape)
        lost = {form for form in forms.used_names() if unescape(escape(form)) != form}
        check_strings(corpus, forms, "an unescaped word of CoNLL-2012", "", lost.__contains__)
    check_strings(corpus, words, "a column", "\t" + LINE_BREAKS, lambda word: not word.strip())
    return words.to_list()


def _tags(corpus: Corpus, name: str) -> Layer | None:
    """A layer of tags; in place of parts of speech those of CoNLL-U."""
    names = (POS, "xpos", "upos") if name == POS else (name,)
    return next((corpus.layers[each] for each in names if each in corpus.layers), None)


def _columns(corpus: Corpus) -> list[list[str] | None]:
    """The columns after the word by their places, None where there is nothing to write."""
    found: list[list[str] | None] = [None] * ARGUMENTS
    for place, layer in (
        *((place, _tags(corpus, name)) for name, place in TAGS.items()),
        *((place, corpus.extras.get(name)) for name, place in EXTRAS.items()),
    ):
        if isinstance(layer, Tags):
            check_strings(corpus, layer.labels, "a column", "\t" + LINE_BREAKS)
            found[place] = [tag.strip(" ") or "-" for tag in layer.labels.to_list()]
    if isinstance(corpus.layers.get(TREES), Trees):
        corpus = without_traces(corpus)[0]
        trees = corpus.layer(TREES, Trees)
        pairs = zip(trees.label.to_list(), trees.function.to_list(), strict=True)
        labels = [written_label(*pair) if any(pair) else "" for pair in pairs]
        found[PARSE] = written_bits(corpus, trees, labels, "constituents", short=False)
    entities = corpus.layers.get(NER)
    spans = None if entities is None else spans_of(entities, corpus.offsets)
    if spans is not None:
        order = np.lexsort((-spans.end, spans.start))
        spans = Spans(spans.start[order], spans.end[order], spans.label.take(order))
        found[ENTITIES] = written_bits(corpus, spans, spans.label.to_list(), "names", short=True)
    return found
