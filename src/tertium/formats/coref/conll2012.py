"""CoNLL-2011 and CoNLL-2012: documents with chains of mentions in the last column."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Bytes, Labels, interned
from tertium.corpus.layers import Layer, Spans, Tags, Trees
from tertium.corpus.trees import POS, TREES
from tertium.formats.base import Problems
from tertium.formats.coref.documents import DocumentReader, sniffed_document
from tertium.formats.coref.mentions import read_chains
from tertium.formats.lines import TextFormat
from tertium.formats.trees.text import renamed, with_functions, words_of

COREF, NER, LEMMA = "coref", "ner", "lemma"
WORD, PARSE, ENTITIES, ARGUMENTS = 3, 5, 10, 11
LAYERS = {POS: 4, LEMMA: 6}
EXTRAS = {"frameset": 7, "sense": 8, "speaker": 9}
_CELL = re.compile(rb"[-_*]|(\|?(\([^()|]+\)?|[^()|]+\)))+")


@dataclass(frozen=True, repr=False)
class Conll2012(TextFormat):
    """Coreference in columns: the document first, its chains last, and between them as much of
    part, number, word, part of speech, parse, lemma and so on as the file has."""

    id = "conll2012"
    title = "CoNLL-2011 and CoNLL-2012: columns with chains of mentions in the last one"
    suffixes = (".v4_gold_conll", ".v4_auto_conll", ".conll2012", ".key", ".response")
    layers = (COREF, TREES, POS, LEMMA, NER)
    lossy = "arguments of predicates"
    has_span_tags = False

    def sniff(self, head: bytes) -> float:
        """A line '#begin document', and chains in the last column."""
        found = sniffed_document(head)
        if found is None:
            return 0.0
        rows = found[1]
        fits = [len(row) > 1 and bool(_CELL.fullmatch(row[-1])) for row in rows]
        if not rows or sum(fits) * 2 < len(fits):
            return 0.3
        return 0.95

    def parse(self, buf: Bytes, problems: Problems) -> Corpus:
        """See the class."""
        reader = DocumentReader(buf, problems, self.id)
        reader.check_columns(2)
        chains = read_chains(reader)
        layers: dict[str, Layer] = {}
        return reader.documented(
            {COREF: chains},
            {},
            reader.labels(WORD)
            if reader.width > 4
            else Labels.constant("_", len(reader.token_lines)),
        )

    def blocks(self, corpus: Corpus) -> Iterator[str]:
        """Documents."""
        raise NotImplementedError
