"""CorefUD: mentions as brackets in MISC of CoNLL-U, `Entity=(e1-person-1(e2-place)` and `e1)`.

The comment `# global.Entity = eid-etype-head-other` says what the parts of an opening bracket are.
Empty nodes have brackets as words do, and `(e1[1/2]-person` opens the first of two parts of a
mention with gaps.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple
from urllib.parse import unquote

import numpy as np

from tertium.corpus.corpus import Corpus, once
from tertium.corpus.labels import Int64, Labels, bounds_of, ranges
from tertium.corpus.layers import Chains, Comments, EmptyNodes, Ragged, Tags
from tertium.formats.coref.documents import COREF
from tertium.formats.coref.pairs import BOTH, CLOSES, OPENS, ChainBrackets, numbered

FORMAT = ("eid", "etype", "head", "other")
IDS = ("eid", "GRP")  # the part that names the entity
NOWHERE = -2  # the place of no head
_FORMAT = re.compile(r"\s*global\.Entity\s*=\s*(\S+)\s*")
_BRACKET = re.compile(r"\(([^()]+)(\)?)|([^()]+)\)")
_PART = re.compile(r"(.*)\[(\d{1,9})/(\d{1,9})\]", re.DOTALL)


class Slots:
    """Words and empty nodes of a corpus in their order, as one row of slots."""

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus
        nodes = corpus.extra("empty", EmptyNodes)
        none = np.zeros(0, np.int64)
        self.node_sentence = none if nodes is None else nodes.sentence.astype(np.int64)
        after = none if nodes is None else nodes.after
        self.words_before = corpus.offsets[self.node_sentence] + after  # each node
        self.of_node = self.words_before + np.arange(len(self.words_before))
        self.of_word = np.arange(corpus.token_count) + np.searchsorted(
            self.words_before, np.arange(corpus.token_count), side="right"
        )
        self.count = corpus.token_count + len(self.of_node)
        self.place = np.empty(self.count, np.int64)  # of each slot
        self.place[self.of_word] = np.arange(corpus.token_count)
        self.place[self.of_node] = corpus.token_count + np.arange(len(self.of_node))
        self.first_node = np.searchsorted(
            self.node_sentence, np.arange(corpus.sentence_count + 1)
        )  # of each sentence

    def sentence(self, slots: Int64) -> Int64:
        """The sentences of some slots."""
        place, size = self.place[slots], self.corpus.token_count
        if not len(self.of_node):
            return self.corpus.sentence_of(place)
        is_word = place < size
        found = self.corpus.sentence_of(np.where(is_word, place, 0))
        found[~is_word] = self.node_sentence[place[~is_word] - size]
        return found


class Offence(NamedTuple):
    """A bracket that is wrong: its place and what is wrong there."""

    place: int
    message: str


@dataclass(frozen=True)
class MiscEntities:
    """What MISC says about coreference."""

    chains: Chains
    offences: list[Offence]
    repeated: list[str] = field(default_factory=list)  # ids that several documents have
    split: int = 0  # split antecedents, which are not read


@once
def entity_chains(corpus: Corpus) -> Chains | None:
    """The chains of a corpus: its layer, or what MISC of CoNLL-U says; None where there are none.

    Brackets without a partner are left out. An id that several documents have is an entity of each.
    """
    layer = corpus.layers.get(COREF)
    if isinstance(layer, Chains):
        return layer
    found = scan_entities(corpus)
    return None if found is None else found.chains


def scan_entities(corpus: Corpus) -> MiscEntities | None:
    """Read MISC; None where it has no entities, or where `Entity` is never a bracket, which is
    something else."""
    slots = Slots(corpus)
    cells, split = _cells(corpus, slots)
    if not any("(" in cell or ")" in cell for _, cell in cells):
        return None
    brackets, attributes, offences = _brackets(cells, slots)
    sentence = slots.sentence(brackets.token)
    document = corpus.document_of_sentence[sentence].astype(np.int64)
    partner = brackets.partners(document)
    names = corpus.document_names.to_list()
    for row in np.flatnonzero(partner < 0).tolist():
        where = names[document[row]]
        where = f"document '{where}'" if where else "the document"
        opens = brackets.does[row] == OPENS
        what = (
            f"{'opened here and never closed' if opens else 'closed here but not open'} in {where}"
        )
        place = int(slots.place[brackets.token[row]])
        offences.append(Offence(place, f"entity {brackets.name[row]} is {what}"))
    rows = np.flatnonzero((partner >= 0) & (brackets.does != CLOSES)).tolist()
    ends = brackets.token[partner].tolist()
    made = _Mentions(slots, _entity_format(corpus))
    for row in rows:
        begin = int(brackets.token[row])
        wrong = made.add(int(document[row]), int(sentence[row]), attributes[row], begin, ends[row])
        if wrong:
            offences.append(Offence(int(slots.place[begin]), wrong))
    offences += made.unfinished()
    chains = made.chains()
    of_mention = corpus.document_of_sentence[chains.sentence].tolist()
    documents = Counter(name for name, _ in {*zip(made.names, of_mention, strict=True)})
    repeated = sorted(name for name, count in documents.items() if count > 1)
    return MiscEntities(chains, offences, repeated, split)


def _cells(corpus: Corpus, slots: Slots) -> tuple[list[tuple[int, str]], int]:
    """The slots with an `Entity` in MISC and what it says, in order; and how many split antecedents
    there are."""
    columns: list[tuple[Labels, Int64]] = []
    misc, nodes = corpus.extra("misc", Tags), corpus.extra("empty", EmptyNodes)
    if misc is not None:
        columns.append((misc.labels, slots.of_word))
    if nodes is not None:
        columns.append((nodes.fields, slots.of_node))
    cells: list[tuple[int, str]] = []
    split = 0
    for labels, place in columns:
        if b"Entity=" not in labels.names.blob.tobytes():
            continue
        values = dict[int, str]()
        for code, text in enumerate(labels.names):
            for item in text.rpartition("\t")[2].split("|"):
                if item.startswith("Entity="):
                    values[code] = values.get(code, "") + item.removeprefix("Entity=")
                elif item.startswith("SplitAnte="):
                    split += int((labels.codes == code).sum())
        chosen = np.zeros(len(labels.names), np.bool_)
        chosen[list(values)] = True
        rows = np.flatnonzero(chosen[labels.codes])
        found = zip(place[rows].tolist(), labels.codes[rows].tolist(), strict=True)
        cells += [(slot, values[code]) for slot, code in found]
    return sorted(cells), split


def _brackets(
    cells: Sequence[tuple[int, str]], slots: Slots
) -> tuple[ChainBrackets, list[str], list[Offence]]:
    """Brackets, what each of them says, and cells that hold anything else."""
    token, does, name, said = list[int](), list[int](), list[str](), list[str]()
    offences: list[Offence] = []
    for slot, cell in cells:
        found = [*_BRACKET.finditer(cell)]
        nameless = any((match[1] or match[3]).startswith("-") for match in found)
        if sum(len(match[0]) for match in found) != len(cell) or not found or nameless:
            message = f"Entity is '{cell}', expected brackets such as '(e1-person', 'e1)'"
            offences.append(Offence(int(slots.place[slot]), message))
            continue
        for match in found:
            opened = match[1] is not None
            text = match[1] if opened else match[3]
            token.append(slot)
            does.append(BOTH if opened and match[2] else OPENS if opened else CLOSES)
            name.append(text.partition("-")[0] if opened else text)
            said.append(text)
    return (
        ChainBrackets(np.array(token, np.int64), np.array(does, np.int64), Labels.of(name)),
        said,
        offences,
    )


def _entity_format(corpus: Corpus) -> list[str]:
    """The names of the parts of an opening bracket."""
    comments = corpus.extra("comments", Comments)
    if comments is not None:
        names = comments.text.names
        for text in names.some(names.perhaps_with("global.Entity")):
            if found := _FORMAT.fullmatch(text):
                return found[1].split("-")
    return [*FORMAT]


class _Mentions:
    """Collects mentions, those with gaps from their parts."""

    def __init__(self, slots: Slots, format: list[str]) -> None:
        self.slots, self.format = slots, format
        self.document, self.sentence = list[int](), list[int]()
        self.names, self.labels, self.heads = list[str](), list[str](), list[int]()
        self.stretches: list[list[tuple[int, int]]] = []  # of slots, the end exclusive
        self.waiting: dict[tuple[int, str, str, int], list[int]] = {}  # for their next part

    def add(self, document: int, sentence: int, said: str, begin: int, last: int) -> str:
        """A mention or a part of one; what is wrong with it."""
        parts = said.split("-", len(self.format) - 1)
        name = parts[0]
        if found := _PART.fullmatch(name):
            name, number, count = found[1], int(found[2]), found[3]
            if number > 1:
                rows = self.waiting.get((document, name, count, number), [])
                if not rows:
                    return f"part {number} of {count} of entity {name} is here, but none before it"
                row = rows.pop()
                self.stretches[row].append((begin, last + 1))
            else:
                row = len(self.names)
            if number < int(count):
                self.waiting.setdefault((document, name, count, number + 1), []).append(row)
            if number > 1:
                return ""
        values = dict(zip(self.format, parts, strict=False))
        self.document.append(document)
        self.sentence.append(sentence)
        self.names.append(name)
        label = values.get("etype", "")
        self.labels.append(unquote(label) if "%" in label else label)
        head = values.get("head", values.get("minspan", ""))
        self.heads.append(int(head) if head.isdecimal() and len(head) < 9 else 0)
        self.stretches.append([(begin, last + 1)])
        return ""

    def unfinished(self) -> Iterator[Offence]:
        """Mentions whose last parts are missing."""
        for (_, name, count, number), rows in self.waiting.items():
            for row in rows:
                place = int(self.slots.place[self.stretches[row][0][0]])
                yield Offence(place, f"part {number} of {count} of entity {name} is missing")

    def chains(self) -> Chains:
        """The layer."""
        slots, count = self.slots, len(self.names)
        row, place = self._places()
        is_word = place < slots.corpus.token_count
        of_word, word = row[is_word], place[is_word]
        of_node, node = row[~is_word], place[~is_word] - slots.corpus.token_count
        start = np.zeros(count, np.int32)
        start[of_node[::-1]] = slots.words_before[node[::-1]]  # backwards, so that the first stays
        end = start.copy()
        start[of_word[::-1]] = word[::-1]
        end[of_word] = word + 1
        sizes, nodes, both = (
            np.bincount(each, minlength=count) for each in (of_word, of_node, row)
        )
        number = np.array(self.heads, np.int64)
        inside = (number > 0) & (number <= both)
        head = np.full(count, NOWHERE, np.int32)
        head[inside] = place[(bounds_of(both)[:-1] + number - 1)[inside]]
        sentence, name = np.array(self.sentence, np.int32), Labels.of(self.names)
        has_gaps = bool((sizes < end - start).any())
        return Chains(
            start,
            end,
            Labels.of(self.labels),
            _ragged(sizes, word - start[of_word]) if has_gaps else None,
            entity=numbered(np.array(self.document, np.int64), name.codes),
            name=name,
            sentence=sentence,
            head=head if inside.any() else None,
            zeros=_ragged(nodes, node - slots.first_node[sentence[of_node]]) if len(node) else None,
        )

    def _places(self) -> tuple[Int64, Int64]:
        """The places that mentions cover, in the order of the text, and the mention of each."""
        found = [(row, a, b) for row, each in enumerate(self.stretches) for a, b in each]
        row, first, last = np.array(found, np.int64).reshape(-1, 3).T
        key = np.repeat(row, last - first) * self.slots.count + ranges(first, last)
        key = np.unique(key)  # parts may overlap
        return key // max(self.slots.count, 1), self.slots.place[key % max(self.slots.count, 1)]


def _ragged(sizes: Int64, values: Int64) -> Ragged:
    return Ragged(bounds_of(sizes), values.astype(np.int32))
