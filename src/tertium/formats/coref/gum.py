"""The coreference layers of GUM: index, token and typed mentions, a document per file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Bytes
from tertium.formats.base import Problems
from tertium.formats.coref.documents import (
    COREF,
    DocumentReader,
    counts_tokens,
    sniffed_document,
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
from tertium.formats.trees.text import renamed

_TYPED = re.compile(r"([^\W\d_]+)-\d+(-.*)?")
_NAME = re.compile(r"[^()|\s]+")
FORM, WIDTH = 1, 3


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
    title = "coreference of GUM: index, token, mentions such as (person-1)"
    suffixes = (".gumcoref",)
    layers = (COREF,)
    lossy = "everything but forms, mentions and documents"
    has_span_tags = False

    def sniff(self, head: bytes) -> float:
        """A line '# begin document' and three columns, the first of which counts from 0."""
        text, rows = sniffed_document(head)
        return 0.95 if text is not None and counts_tokens(rows) else 0.0

    def parse(self, buf: Bytes, problems: Problems) -> Corpus:
        """See the class."""
        reader = DocumentReader(buf, problems, self.id)
        reader.check_columns(WIDTH)
        chains = OpenChains(reader)
        reader.settle()
        return reader.documented(reader.words(FORM), {COREF: chains.made(entity_type)}, {})

    def blocks(self, corpus: Corpus) -> Iterator[str]:
        """Documents; a blank line between sentences, of which GUM's own files have one each."""
        check_no_empty_sentences(corpus, self.id)
        forms = check_words(corpus, self.id)
        check_strings(corpus, forms, "a column", "\t" + LINE_BREAKS, lambda form: not form.strip())
        chains = chains_to_write(corpus)
        typed = renamed(chains.name, entity_type) == chains.label
        fine = typed and all(map(_is_name, chains.name.used_names()))
        names = entity_names(corpus, chains, _new_name, fine=fine)
        cells = written_cells(corpus, chains, names, between="", none="_")
        first = corpus.offsets[corpus.documents][corpus.document_of_sentence]
        number = np.arange(corpus.token_count) - first[corpus.sentence_of_token]
        rows = zip(number.tolist(), forms.to_list(), cells, strict=True)
        lines = [f"{index}\t{form}\t{cell}\n" for index, form, cell in rows]
        yield from written_documents(corpus, "# begin document {}".format, "# end document", lines)


def _is_name(name: str) -> bool:
    return bool(_NAME.fullmatch(name))


def _new_name(label: str, number: int) -> str:
    """
    >>> _new_name("person", 3), _new_name("", 3), _new_name("a b", 3)
    ('person-4', '4', '4')
    """
    typed = f"{label}-{number + 1}"
    return typed if label and _is_name(typed) and entity_type(typed) == label else str(number + 1)
