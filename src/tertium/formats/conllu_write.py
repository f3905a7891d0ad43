"""Writing CoNLL-U, and the columns of words that CoNLL-X shares with it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import BinaryIO

import numpy as np
import numpy.typing as npt

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels
from tertium.corpus.layers import Arcs, Comments, EmptyNodes, Multiwords, Tags, ranges
from tertium.exceptions import InputError
from tertium.formats.writing import (
    LINE_BREAKS,
    check_strings,
    check_words,
    without_skipped,
    write_text,
)


def write(corpus: Corpus, stream: BinaryIO) -> None:
    """One sentence at a time, so that memory stays that of the columns."""
    corpus = without_skipped(corpus)
    write_text(corpus, _sentences(corpus), stream)


def word_rows(corpus: Corpus, last: Sequence[str], what: str) -> list[str]:
    """Every word as its columns from FORM on; `last` names the tag columns after DEPREL.

    A column without a layer, and an empty string in one, is `_`.
    """
    blank = ["_"] * corpus.token_count

    def written(labels: Labels, name: str) -> list[str]:
        check_strings(corpus, labels, f"{name} of {what}", "\t" + LINE_BREAKS)
        return [x or "_" for x in labels.to_list()]

    def tags(name: str) -> list[str]:
        if name == "misc" and "misc" not in corpus.extras and "spaces" in corpus.extras:
            return ["_" if s else "SpaceAfter=No" for s in _spaced(corpus).tolist()]
        layer = corpus.layers.get(name) or corpus.extras.get(name)
        return written(layer.labels, name) if isinstance(layer, Tags) else blank

    heads = deprels = blank
    deps = corpus.layers.get("deps")
    if isinstance(deps, Arcs):
        heads = [str(h) if h >= 0 else "_" for h in deps.head.tolist()]
        deprels = written(deps.label, "deprel")
    columns = (
        written(check_words(corpus, what), "form"),
        *(tags(n) for n in ("lemma", "upos", "xpos", "feats")),
        heads,
        deprels,
        *(tags(n) for n in last),
    )
    return ["\t".join(row) for row in zip(*columns, strict=True)]


def _spaced(corpus: Corpus) -> npt.NDArray[np.bool_]:
    """Words that need no SpaceAfter=No; of multiword tokens the token's own line says it."""
    spaced = corpus.space_after.copy()
    layer = corpus.extras.get("multiwords")
    if isinstance(layer, Multiwords):
        spaced[ranges(layer.start.astype(np.int64), layer.end.astype(np.int64))] = True
    return spaced


def _sentences(corpus: Corpus) -> Iterator[str]:
    words = word_rows(corpus, ("enhanced", "misc"), "CoNLL-U")
    comments, ranges, empty = _comments(corpus), _ranges(corpus), _empty(corpus)
    offsets = corpus.offsets.tolist()
    for sentence in range(corpus.sentence_count):
        lines = [f"#{text}" for text in comments.get(sentence, ())]
        base = offsets[sentence]
        lines.extend(empty.get((sentence, 0), ()))
        for token in range(base, offsets[sentence + 1]):
            for end, rest in ranges.get(token, ()):
                lines.append(f"{token - base + 1}-{end - base}\t{rest}")
            lines.append(f"{token - base + 1}\t{words[token]}")
            lines.extend(empty.get((sentence, token - base + 1), ()))
        if not lines or lines[-1].startswith("#"):
            raise InputError(
                f"{corpus.origin}: sentence '{corpus.sentence_id(sentence)}' has no words, "
                "which CoNLL-U cannot hold"
            )
        yield "\n".join(lines) + "\n\n"


def _comments(corpus: Corpus) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    layer = corpus.extras.get("comments")
    if isinstance(layer, Comments):
        for text in layer.text.names:
            if any(c in text for c in LINE_BREAKS):
                raise InputError(f"{corpus.origin}: {text!r} cannot be written as a comment")
        for sentence, text in zip(layer.sentence.tolist(), layer.text.to_list(), strict=True):
            found.setdefault(sentence, []).append(text)
    return found


def _ranges(corpus: Corpus) -> dict[int, list[tuple[int, str]]]:
    found: dict[int, list[tuple[int, str]]] = {}
    layer = corpus.extras.get("multiwords")
    if isinstance(layer, Multiwords):
        rows = zip(
            layer.start.tolist(),
            layer.end.tolist(),
            layer.form.to_list(),
            layer.fields.to_list(),
            strict=True,
        )
        for start, end, form, rest in rows:
            found.setdefault(start, []).append((end, f"{form}\t{rest}"))
    return found


def _empty(corpus: Corpus) -> dict[tuple[int, int], list[str]]:
    found: dict[tuple[int, int], list[str]] = {}
    layer = corpus.extras.get("empty")
    if isinstance(layer, EmptyNodes):
        rows = zip(
            layer.sentence.tolist(),
            layer.after.tolist(),
            layer.minor.tolist(),
            layer.fields.to_list(),
            strict=True,
        )
        for sentence, after, minor, rest in rows:
            found.setdefault((sentence, after), []).append(f"{after}.{minor}\t{rest}")
    return found
