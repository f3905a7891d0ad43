"""Chains as entities in MISC of CoNLL-U, for files that get theirs from another format."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int64, Labels
from tertium.corpus.layers import Chains, Comments, EmptyNodes, Layer, Spaces, Tags
from tertium.formats.coref.corefud import FORMAT, Slots
from tertium.formats.coref.documents import COREF
from tertium.formats.coref.mentions import Stretch, are_own, bracketed
from tertium.formats.lines import grouped

_NAME = re.compile(r"[^-()|=\[\]<>,%\s]+")
_SIGNS = re.compile(r"[-%()|=\[\]<>,\s]")
_NEWDOC = re.compile(r"\s*newdoc\b")
_HEADER = re.compile(r"\s*global\.Entity\b")


def with_entities(corpus: Corpus) -> Corpus:
    """The corpus with its layer of chains in MISC of words and empty nodes, and with comments that
    say what is there and where documents begin; itself if it has no such layer."""
    chains = corpus.layers.get(COREF)
    if not isinstance(chains, Chains):
        return corpus
    slots = Slots(corpus)
    cells = bracketed(corpus, chains, [*_stretches(corpus, chains, slots)], slots.count)
    values = np.array(["".join(cell) for cell in cells], object)
    extras: dict[str, Layer] = {**corpus.extras, "comments": _comments(corpus)}
    misc, spaces = corpus.extra("misc", Tags), corpus.extra("spaces", Spaces)
    if misc is not None:
        given = misc.labels.to_list()
    elif spaces is not None:
        given = ["_" if after else "SpaceAfter=No" for after in spaces.after.tolist()]
    else:
        given = ["_"] * corpus.token_count
    of_word = values[slots.of_word].tolist()
    extras["misc"] = Tags(Labels.of(map(_with_entity, given, of_word)))
    if (nodes := corpus.extra("empty", EmptyNodes)) is not None:
        rows = zip(nodes.fields.to_list(), values[slots.of_node].tolist(), strict=True)
        parts = ((fields.rpartition("\t"), value) for fields, value in rows)
        fields = Labels.of(f"{a}{tab}{_with_entity(b, value)}" for (a, tab, b), value in parts)
        extras["empty"] = replace(nodes, fields=fields)
    return replace(corpus, extras=extras)


def _with_entity(misc: str, value: str) -> str:
    """
    >>> _with_entity("SpaceAfter=No", "(e1)"), _with_entity("_", "")
    ('Entity=(e1)|SpaceAfter=No', '_')
    """
    items = [item for item in misc.split("|") if item != "_" and not item.startswith("Entity=")]
    return "|".join([f"Entity={value}", *items] if value else items) or "_"


def _comments(corpus: Corpus) -> Comments:
    """The comments, with documents that are marked and what entities consist of."""
    texts: dict[int, list[str]] = grouped(corpus.rows_of("comments", Comments))
    names = corpus.document_names.to_list()
    found: list[tuple[int, str]] = []
    begins = dict(zip(corpus.documents.tolist(), range(len(names)), strict=True))
    for sentence in range(corpus.sentence_count):
        comments = [text for text in texts.get(sentence, ()) if not _HEADER.match(text)]
        document = begins.get(sentence, -1)
        if (
            document >= 0
            and corpus.document_marks[document]
            and not any(map(_NEWDOC.match, comments))
        ):
            comments.insert(0, f" newdoc id = {names[document]}" if names[document] else " newdoc")
        if not sentence:
            place = next((i + 1 for i, text in enumerate(comments) if _NEWDOC.match(text)), 0)
            comments.insert(place, f" global.Entity = {'-'.join(FORMAT)}")
        found += [(sentence, text) for text in comments]
    return Comments(
        np.array([sentence for sentence, _ in found], np.int32), Labels.of(t for _, t in found)
    )


def _stretches(corpus: Corpus, chains: Chains, slots: Slots) -> Iterator[Stretch]:
    """Mentions as stretches of slots, those with gaps in parts."""
    document = corpus.document_of_sentence[chains.sentence].tolist()
    names = _names(chains, document)
    heads = [-2] * len(names) if chains.head is None else chains.head.tolist()
    for row, (name, label) in enumerate(zip(names, chains.label.to_list(), strict=True)):
        found = _slots(chains, slots, row)
        cuts = np.flatnonzero(np.diff(found) > 1) + 1
        pieces = np.split(found, cuts)
        number = np.flatnonzero(slots.place[found] == heads[row])
        head = str(number[0] + 1) if len(number) else ""
        said = f"-{_escaped(label)}-{head}".rstrip("-")
        for place, piece in enumerate(pieces, 1):
            part = f"{name}[{place}/{len(pieces)}]" if len(pieces) > 1 else name
            limits = int(piece[0]), int(piece[-1]) + 1
            yield Stretch(*limits, f"{part}{said}", part, document[row], row)


def _escaped(label: str) -> str:
    """
    >>> _escaped("a-b"), _escaped("é")
    ('a%2Db', 'é')
    """
    return _SIGNS.sub(lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode()), label)


def _slots(chains: Chains, slots: Slots, row: int) -> Int64:
    """The slots of a mention. Empty nodes between its words are its own unless the layer says."""
    start, end = int(chains.start[row]), int(chains.end[row])
    words = np.arange(start, end) if chains.tokens is None else start + chains.tokens[row]
    found: Int64 = slots.of_word[words]
    if chains.zeros is not None:
        nodes = slots.first_node[chains.sentence[row]] + chains.zeros[row]
        return np.sort(np.concatenate([found, slots.of_node[nodes]]))
    return np.arange(found[0], found[-1] + 1) if chains.tokens is None else found


def _names(chains: Chains, document: list[int]) -> list[str]:
    """Ids that are unique in the file: the names of entities if they are, otherwise new ones."""
    keys = [*zip(document, chains.entity.tolist(), strict=True)]
    names = chains.name.to_list()
    if all(map(_NAME.fullmatch, chains.name.used_names())) and are_own(names, keys):
        return names
    numbers = {key: number for number, key in enumerate(dict.fromkeys(keys), 1)}
    return [f"e{numbers[key]}" for key in keys]
