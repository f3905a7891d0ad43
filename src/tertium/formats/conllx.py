"""CoNLL-X: the columns of the shared tasks on dependency parsing of 2006 and 2007."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from types import MappingProxyType

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Bytes
from tertium.formats.base import Problems
from tertium.formats.conll import WORD, WordReader, has_projective_columns, sniffed_rows
from tertium.formats.conllu import word_rows
from tertium.formats.layouts import has_other_columns, refuse_other_columns
from tertium.formats.lines import HASH, TextFormat, by_sentence, check_no_empty_sentences, scan

COLUMNS = tuple("id form lemma cpostag postag feats head deprel phead pdeprel".split())
PROJECTIVE = MappingProxyType({"phead": 8, "pdeprel": 9})


@dataclass(frozen=True, repr=False)
class Conllx(TextFormat):
    """Eight to ten columns as in CoNLL-U, without ranges and empty nodes.

    CPOSTAG is the layer `upos`, POSTAG `xpos`. PHEAD and PDEPREL are kept as written, not checked.
    Lines that begin with `#` are comments, though the shared tasks had none. Writing gives ten
    columns.
    """

    id = "conllx"
    title = "CoNLL-X: the columns of the CoNLL 2006 and 2007 shared tasks"
    suffixes = (".conllx", ".conll")
    layers = ("lemma", "upos", "xpos", "feats", "deps")
    has_span_tags = False
    lossy = "comments, multiword tokens, empty nodes, the enhanced graph, MISC"

    def sniff(self, head: bytes) -> float:
        """Eight or nine columns, a number first and a head seventh; ten are likelier CoNLL-U."""
        rows = sniffed_rows(head)
        widths = [len(row) for row in rows]
        width = max(set(widths), key=widths.count, default=0)
        if not 8 <= width <= 10 or has_other_columns(head, COLUMNS):
            return 0.0
        fitting = [row for row in rows if len(row) == width and _is_word(row)]
        fit = len(fitting) / len(rows)
        if fit < 0.5:
            return 0.0
        if width < 10 or has_projective_columns(rows):
            return 0.9 * fit
        return (0.4 if head.lstrip().startswith(b"#") else 0.65) * fit

    def parse(self, buf: Bytes, problems: Problems) -> Corpus:
        """See the class."""
        refuse_other_columns(buf, problems, COLUMNS)
        return _Reader(scan(buf, problems, comment=HASH), problems).read()

    def blocks(self, corpus: Corpus) -> Iterator[str]:
        """Ten columns; those without a layer are `_`."""
        check_no_empty_sentences(corpus, "CoNLL-X")
        for rows in by_sentence(corpus, word_rows(corpus, tuple(PROJECTIVE), "CoNLL-X")):
            yield "".join(f"{i}\t{row}\n" for i, row in enumerate(rows, 1)) + "\n"


def _is_word(row: list[bytes]) -> bool:
    return row[0].isdigit() and (row[6].isdigit() or row[6] == b"_")


class _Reader(WordReader):
    format = "conllx"
    title = "CoNLL-X"
    columns = COLUMNS
    widths = (8, 9, 10)
    id_kinds = (WORD,)
    id_words = "a number"
    kept = PROJECTIVE
