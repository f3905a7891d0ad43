"""The coreference layers of GUM: index, token and typed mentions, a document per file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Bytes
from tertium.formats.base import Problems
from tertium.formats.coref.conll2012 import COREF
from tertium.formats.coref.documents import DocumentReader, sniffed_document
from tertium.formats.coref.mentions import read_chains
from tertium.formats.lines import TextFormat

_TYPED = re.compile(r"([^\W\d_]+)-\d+(-.*)?")
_INDEX, FORM, WIDTH = 0, 1, 3


def entity_type(name: str) -> str:
    """The type in an entity's name.

    >>> entity_type("person-10-Charles_Bolden"), entity_type("person-10"), entity_type("10")
    ('person', 'person', '')
    """
    found = _TYPED.fullmatch(name)
    return found[1] if found else ""


@dataclass(frozen=True, repr=False)
class GumCoref(TextFormat):
    """Three columns: the number of a token in its document, its form, and brackets of mentions with
    the type, the number and, after it, the Wikipedia title of an entity."""

    id = "gumcoref"
    title = "coreference of GUM and OntoGUM: index, token, mentions such as (person-1-Ann)"
    suffixes = (".gumcoref",)
    layers = (COREF,)
    lossy = "everything but forms, mentions and documents"
    has_span_tags = False

    def sniff(self, head: bytes) -> float:
        """A line '# begin document' and three columns, the first of which counts from 0."""
        found = sniffed_document(head)
        if found is None or not found[1] or found[0].startswith("("):
            return 0.0
        return 0.95 if _counts(found[1]) else 0.0

    def parse(self, buf: Bytes, problems: Problems) -> Corpus:
        """See the class."""
        reader = DocumentReader(buf, problems, self.id)
        reader.check_columns(WIDTH)
        chains = read_chains(reader, entity_type)
        return reader.documented({COREF: chains}, {}, reader.labels(FORM))

    def blocks(self, corpus: Corpus) -> Iterator[str]:
        """Documents."""
        raise NotImplementedError


def _counts(rows: list[list[bytes]]) -> bool:
    """Are there three columns, and does the first count tokens from 0 or 1?"""
    numbers = [row[_INDEX] for row in rows if len(row) == WIDTH]
    first = int(numbers[0]) if numbers and numbers[0] in (b"0", b"1") else -1
    fits = [number == str(first + place).encode() for place, number in enumerate(numbers)]
    return first >= 0 and 2 * sum(fits) > len(rows)
