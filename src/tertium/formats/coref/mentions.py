"""Mentions as brackets in a column, one cell a token: `(1`, `1)`, `(1)`, `-`."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Sequence
from typing import NamedTuple

import numpy as np

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels, interned
from tertium.corpus.layers import Chains
from tertium.exceptions import InputError, counted
from tertium.formats.coref.corefud import entity_chains
from tertium.formats.coref.documents import NOT_READ, DocumentReader
from tertium.formats.coref.pairs import CLOSES, OPENS, ChainBrackets, numbered
from tertium.formats.lines import byte_counts, grouped
from tertium.formats.trees.text import renamed

CHAINS = "chains"  # the kind of problem
_UNION = re.compile(r"\d+(\+\d+)+")  # an entity that is the union of others


class OpenChains:
    """The mentions in the last column of a reader whose columns were checked.

    Cells that hold anything but brackets are refused and, under "repair", read as empty; brackets
    without a partner are refused and, under "repair", left out. Mentions with split antecedents are
    left out and noted, as the official scorer leaves them out.
    """

    def __init__(self, reader: DocumentReader) -> None:
        self.reader = reader
        self.brackets = found = _without_unions(_read_cells(reader), reader)
        self.sentence = sentence = reader.of_line[found.token]
        self.document = reader.document[sentence].astype(np.int64)
        self.partner = found.partners(self.document)

        def message(row: int) -> str:
            what = reader.document_of(int(sentence[row]))
            if found.does[row] == OPENS:
                return f"chain {found.name[row]} is opened here and never closed in {what}"
            return f"chain {found.name[row]} is closed here but not open in {what}"

        alone = np.flatnonzero(self.partner < 0)
        lines = reader.token_lines[found.token]
        reader.refuse(alone, message, lines, sentence, kind=CHAINS, mended=len(alone))

    def made(self, label: Callable[[str], str] = lambda name: "") -> Chains:
        """The layer, after bad documents were left out; names may say the type of an entity."""
        token, does, names = self.brackets
        place = self.reader.place
        rows = np.flatnonzero((self.partner >= 0) & (does != CLOSES))
        rows = rows[self.reader.is_kept[token[rows]]]
        name = names.take(rows)
        return Chains(
            place[token[rows]],
            place[token[self.partner[rows]]] + np.int32(1),
            renamed(name, label),
            entity=numbered(self.document[rows], name.codes),
            name=name,
            sentence=self.sentence[rows].astype(np.int32),
        )


def _read_cells(reader: DocumentReader) -> ChainBrackets:
    """The brackets in the last column."""
    from tertium.formats.coref._kernels import scan_cells

    (starts, ends), buf = reader.column(-1), reader.table.buf
    room = sum(byte_counts(buf, ord("("), ord(")")))
    events, is_bad = np.empty((4, room), np.int64), np.zeros(len(starts), np.bool_)
    token, does, begin, end = events[:, : scan_cells(buf, starts, ends, events, is_bad)]
    lines, bad = reader.token_lines, np.flatnonzero(is_bad)

    def message(at: int) -> str:
        text = reader.table.field(int(lines[at]), -1)
        return f"the last column is '{text}', expected chains such as '(1', '1)', '(1)|2)' or '-'"

    reader.refuse(bad, message, lines, reader.of_line, kind=CHAINS, mended=len(bad))
    return ChainBrackets(token.copy(), does.copy(), interned(buf, begin, end))


def _without_unions(found: ChainBrackets, reader: DocumentReader) -> ChainBrackets:
    """Without mentions of entities that are unions of others, such as `(0+1)`."""
    names = found.name.names
    if not (names.blob == ord("+")).any():
        return found
    is_union = np.array([bool(_UNION.fullmatch(name)) for name in names], np.bool_)
    is_union = is_union[found.name.codes]
    mentions = np.flatnonzero(is_union & (found.does != CLOSES))
    if len(mentions):
        was = "was" if len(mentions) == 1 else "were"
        reader.problems.note(
            f"{counted(len(mentions), 'mention')} with split antecedents {was} not read, the first "
            f"of chain {found.name[int(mentions[0])]}",
            line=int(reader.token_lines[found.token[mentions[0]]]) + 1,
            kind=NOT_READ,
        )
    return found.some(~is_union)


# -- writing ----------------------------------------------------------------------------------


def chains_to_write(corpus: Corpus) -> Chains:
    """The chains of a corpus; without rows if it has none."""
    found = entity_chains(corpus)
    if found is not None:
        return found
    none, empty = np.zeros(0, np.int32), Labels.of([])
    return Chains(none, none, empty, entity=none, name=empty, sentence=none)


def entity_names(
    corpus: Corpus, chains: Chains, new: Callable[[str, int], str], *, fine: bool
) -> list[str]:
    """The names of mentions' entities for a file: those they have if these are `fine` and every
    entity of a document has one of its own, otherwise new ones made of the type of its first
    mention and its number."""
    document = corpus.document_of_sentence[chains.sentence].tolist()
    keys = [*zip(document, chains.entity.tolist(), strict=True)]
    names = chains.name.to_list()
    if fine and are_own([*zip(document, names, strict=True)], keys):
        return names
    types = dict[tuple[int, int], str]()
    for key, label in zip(keys, chains.label.to_list(), strict=True):
        types.setdefault(key, label)
    return [new(types[key], key[1]) for key in keys]


def are_own(names: Sequence[Hashable], entities: Sequence[Hashable]) -> bool:
    """Does every entity have one name, and every name one entity?

    >>> are_own("aab", "xxy"), are_own("ab", "xx"), are_own("aa", "xy")
    (True, False, False)
    """
    pairs = {*zip(names, entities, strict=True)}
    return len(pairs) == len({*names}) == len({*entities})


class Stretch(NamedTuple):
    """What is to be bracketed: slots (the end exclusive), what opens and what closes it, its
    document and the row of its mention."""

    start: int
    end: int
    opens: str
    closes: str
    document: int
    row: int

    @property
    def is_short(self) -> bool:
        """Is it a single slot?"""
        return self.end == self.start + 1


def bracketed(
    corpus: Corpus, chains: Chains, stretches: Sequence[Stretch], slots: int
) -> list[list[str]]:
    """The brackets of every slot. Raises InputError where stretches that are closed alike cross,
    which brackets cannot hold."""
    in_order = [*enumerate(stretches)]
    events = [(each.start, 1, place, each) for place, each in in_order if each.is_short]
    long = grouped(
        ((each.start, each.document, each.closes), (place, each))
        for place, each in in_order
        if not each.is_short
    )
    for together in long.values():
        # Of those that begin together and are closed alike the longer ones must go first.
        longest = sorted((each for _, each in together), key=lambda each: -each.end)
        for (place, _), each in zip(together, longest, strict=True):
            events += [(each.start, 1, place, each), (each.end - 1, 0, -place, each)]
    cells: list[list[str]] = [[] for _ in range(slots)]
    is_open = dict[tuple[int, str], list[Stretch]]()
    for slot, opens, _, each in sorted(events, key=lambda event: event[:3]):
        waiting = is_open.setdefault((each.document, each.closes), [])
        if opens:
            cells[slot].append(f"({each.opens}{')' if each.is_short else ''}")
            waiting += [] if each.is_short else [each]
        elif waiting.pop() is each:
            cells[slot].append(f"{each.closes})")
        else:
            sentence = corpus.sentence_id(int(chains.sentence[each.row]))
            raise InputError(
                f"{corpus.origin}, sentence '{sentence}': mentions of the entity '{each.closes}' "
                "cross, which brackets cannot hold",
                help="'jsonl' can hold them",
            )
    return cells


def written_cells(
    corpus: Corpus, chains: Chains, names: list[str], *, between: str, none: str
) -> list[str]:
    """The cell of every token. Mentions of empty nodes alone have none, and gaps are filled."""
    document = corpus.document_of_sentence[chains.sentence].tolist()
    spans = zip(chains.start.tolist(), chains.end.tolist(), names, document, strict=True)
    stretches = [
        Stretch(start, end, name, name, number, row)
        for row, (start, end, name, number) in enumerate(spans)
        if end > start
    ]
    cells = bracketed(corpus, chains, stretches, corpus.token_count)
    return [between.join(cell) or none for cell in cells]
