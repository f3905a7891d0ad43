"""Sentences with empty nodes and mentions of them, for tests of zeros."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels, bounds_of
from tertium.corpus.layers import Chains, EmptyNodes, Ragged

# A mention: the name of its entity, its sentence, and its nodes, the head first: 3 is a word, 3.1
# an empty node.
Mention = tuple[str, int, Sequence[str]]


def conllu(sentences: Sequence[str], mentions: Sequence[Mention] = ()) -> str:
    """Sentences of words, and of empty nodes such as `*2:nsubj|3:obj`, as CoNLL-U; with mentions as
    CorefUD writes them (each of a sentence of its own is a document of one)."""
    lines = ["# newdoc id = d", "# global.Entity = eid-head"]
    for number, sentence in enumerate(sentences):
        lines.append(f"# sent_id = {number + 1}")
        for id, word in zip(node_ids(sentence), sentence.split(), strict=True):
            deps = word[1:] if word.startswith("*") else "_"
            tree = "_\t_" if "." in id else ("0\troot" if id == "1" else "1\tdep")
            misc = entity_cell(id, number, mentions)
            lines.append(
                f"{id}\t{word if deps == '_' else '_'}\t_\t_\t_\t_\t{tree}\t{deps}\t{misc}"
            )
        lines.append("")
    return "\n".join(lines) + "\n"


def node_ids(sentence: str) -> list[str]:
    """The ids of words and empty nodes."""
    ids, major, minor = [], 0, 0
    for word in sentence.split():
        if word.startswith("*"):
            minor += 1
            ids.append(f"{major}.{minor}")
        else:
            major, minor = major + 1, 0
            ids.append(str(major))
    return ids


def place_of(id: str) -> tuple[int, int]:
    major, _, minor = id.partition(".")
    return int(major), int(minor or 0)


def entity_cell(id: str, sentence: int, mentions: Sequence[Mention]) -> str:
    """What MISC says about a node: mentions open and close here."""
    opened, closed = "", ""
    for name, own, nodes in mentions:
        ordered = sorted(nodes, key=place_of)
        if own != sentence or id not in (ordered[0], ordered[-1]):
            continue
        head = ordered.index(nodes[0]) + 1
        if len(nodes) == 1:
            opened += f"({name}-{head})"
        elif id == ordered[0]:
            opened += f"({name}-{head}"
        else:
            closed += f"{name})"
    return f"Entity={closed}{opened}" if opened or closed else "_"


def corpus(origin: str, sentences: Sequence[str], mentions: Sequence[Mention]) -> Corpus:
    """The same as a corpus of one document."""
    words = [[w for w in each.split() if not w.startswith("*")] for each in sentences]
    offsets = np.cumsum([0, *map(len, words)])
    nodes = [
        (number, *place_of(id), "\t".join(["_"] * 7 + [word[1:], "_"]))
        for number, each in enumerate(sentences)
        for id, word in zip(node_ids(each), each.split(), strict=True)
        if "." in id
    ]
    places = {(row[0], row[1], row[2]): n for n, row in enumerate(nodes)}
    numbers = np.array([row[:3] for row in nodes], np.int32).reshape(-1, 3)
    empty = EmptyNodes(*numbers.T, Labels.of(row[3] for row in nodes))
    entities = {name: n for n, name in enumerate(dict.fromkeys(m[0] for m in mentions))}
    rows = []
    for name, number, ids in mentions:
        own = sorted(map(place_of, ids))
        tokens = [int(offsets[number]) + major - 1 for major, minor in own if not minor]
        zeros = [places[number, *each] for each in own if each[1]]
        start = tokens[0] if tokens else int(offsets[number]) + own[0][0]
        first = int(np.searchsorted(empty.sentence, number))
        major, minor = place_of(ids[0])
        head = int(offsets[number]) + major - 1
        if minor:
            head = int(offsets[-1]) + places[number, major, minor]
        rows.append(
            (start, tokens[-1] + 1 if tokens else start, entities[name], number, head,
             [zero - first for zero in zeros])
        )  # fmt: skip
    table = np.array([row[:5] for row in rows], np.int32).reshape(-1, 5).T
    chains = Chains(
        table[0],
        table[1],
        Labels.of([""] * len(rows)),
        entity=table[2],
        name=Labels.of(m[0] for m in mentions),
        sentence=table[3],
        head=table[4],
        zeros=Ragged(
            bounds_of(np.array([len(row[5]) for row in rows], np.int64)),
            np.array([zero for row in rows for zero in row[5]], np.int32),
        ),
    )
    return Corpus(
        offsets,
        Labels.of(w for each in words for w in each),
        {"coref": chains},
        {"empty": empty},
        documents=np.array([0]),
        document_names=Labels.of(["d"]),
        origin=origin,
    )


def without_heads(given: Corpus) -> Corpus:
    """The same where the file does not name heads."""
    chains = given.layer("coref", Chains)
    return replace(given, layers={"coref": replace(chains, head=None)})
