"""A plain reader of bracketed trees, written for tests: what the readers of formats are held to."""

import re

import numpy as np

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels
from tertium.corpus.layers import EmptyNodes, Layer, Ragged, Tags, Trees
from tertium.corpus.trees import split_label

TOKEN = re.compile(r"\(|\)|[^()\s]+")
NONE = "-NONE-"


def corpus_of(*texts: str, origin: str = "corpus") -> Corpus:
    """One sentence per text: Penn brackets, or with gaps if leaves are written `3=word`. An empty
    text is a sentence without a parse. A leaf tagged -NONE- is a trace. Forms are kept as they
    are."""
    rows: list[list[object]] = []  # label, function, parent, sentence, tokens, start
    forms, tags, functions = [], [], []
    empty: list[tuple[int, int, int, str]] = []
    offsets = [0]
    for sentence, text in enumerate(texts):
        base, words = offsets[-1], {}
        stack, found = [], TOKEN.findall(text)
        for at, token in enumerate(found):
            if token == "(":
                label = found[at + 1] if found[at + 1] not in "()" else ""
                word = found[at + 2] if label else ""
                if word and word not in "()":
                    stack.append(None)
                    if label == NONE:
                        there = base + len(words)
                        parent = stack[-2] if len(stack) > 1 else -1
                        rows.append([NONE, "", parent, sentence, [], there])
                        minor = 1 + sum(e[:2] == (sentence, len(words)) for e in empty)
                        fields = "\t".join([word, "_", "_", NONE, *"_____"])
                        empty.append((sentence, len(words), minor, fields))
                        continue
                    place = len(words)
                    if re.match(r"\d+=", word):
                        place, word = int(word.partition("=")[0]), word.partition("=")[2]
                    words[place] = (word, *split_label(label))
                    for row in stack[:-1]:
                        rows[row][4].append(base + place)
                else:
                    parent = stack[-1] if stack else -1
                    rows.append([*split_label(label), parent, sentence, [], base + len(words)])
                    stack.append(len(rows) - 1)
            elif token == ")":
                stack.pop()
        assert not stack, "unbalanced"
        for place in range(len(words)):
            word, tag, function = words[place]
            forms.append(word)
            tags.append(tag)
            functions.append(function)
        offsets.append(base + len(words))
    sets = [sorted(row[4]) for row in rows]
    start = np.array([s[0] if s else r[5] for s, r in zip(sets, rows, strict=True)], np.int32)
    end = np.array([s[-1] + 1 if s else r[5] for s, r in zip(sets, rows, strict=True)], np.int32)
    has_gaps = any(len(s) < z - a for s, a, z in zip(sets, start, end, strict=True))
    bounds = np.cumsum([0, *map(len, sets)])
    values = np.array([t - a for s, a in zip(sets, start, strict=True) for t in s], np.int32)
    trees = Trees(
        start,
        end,
        Labels.of(str(row[0]) for row in rows),
        Ragged(bounds, values) if has_gaps else None,
        function=Labels.of(str(row[1]) for row in rows),
        parent=np.array([row[2] for row in rows], np.int32),
        sentence=np.array([row[3] for row in rows], np.int32),
    )
    extras: dict[str, Layer] = {}
    if any(functions):
        extras["functions"] = Tags(Labels.of(functions))
    if empty:
        columns = [np.array([e[n] for e in empty], np.int32) for n in range(3)]
        extras["empty"] = EmptyNodes(*columns, Labels.of(e[3] for e in empty))
    layers = {"trees": trees, "pos": Tags(Labels.of(tags))}
    return Corpus(np.array(offsets, np.int64), Labels.of(forms), layers, extras, origin=origin)
