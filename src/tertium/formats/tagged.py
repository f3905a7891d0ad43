"""Tagged text: one sentence per line, every word with its tag, as in `The_DET dog_NOUN`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Bytes, Labels, bounds_of
from tertium.corpus.layers import Tags
from tertium.exceptions import InputError
from tertium.formats.base import Problems, Reader
from tertium.formats.files import first_record
from tertium.formats.lines import (
    LINE_BREAKS,
    SPACE,
    FieldTable,
    TextFormat,
    by_sentence,
    check_no_empty_sentences,
    check_strings,
    check_words,
    first_lines,
    scan,
)
from tertium.registry import parameter

# In the order in which a tie is decided: the underscore is rarest inside words.
USUAL = ("_", "/", "|")
SAMPLE = 1 << 16


def _is_separator(value: object) -> bool:
    return isinstance(value, str) and (value == "auto" or (len(value) == 1 and "!" <= value <= "~"))


@dataclass(frozen=True, repr=False)
class TaggedText(TextFormat):
    """Words and tags in running text; the last separator of a token divides it.

    `auto` takes the separator that divides most tokens of the file's beginning, among `_`, `/` and
    `|`. Blank lines are no sentences. The tags are the layer `tag`, or the one that `layer` names.
    """

    id = "tagged"
    title = "tagged text: one sentence per line, word_TAG or word/TAG"
    suffixes = (".tagged", ".pos")
    layers = ("tag",)
    lossy = "everything but forms and one tag layer"

    separator: str = parameter(
        "auto", help="'auto' or the character between word and tag", check=_is_separator
    )
    layer: str = parameter("tag", help="name of the tag layer")

    def sniff(self, head: bytes) -> float:
        """Nearly all tokens can be divided by the same separator."""
        lines = [*first_lines(head, 200)]
        tokens = _tokens(b" ".join(lines))
        most = max(head.count(separator.encode()) for separator in USUAL)
        share, _ = _fit(tokens if most >= 0.9 * len(tokens) else [])
        if share < 0.9 or first_record(head) is not None:
            return 0.0
        # One token in every line is more likely a single column.
        return share * (0.75 if any(len(_tokens(line)) > 1 for line in lines) else 0.2)

    def parse(self, buf: Bytes, problems: Problems) -> Corpus:
        """See the class."""
        table = scan(buf, problems, separator=SPACE)
        separator = self.separator
        if separator == "auto":
            begin = int(table.starts[0]) if len(table.starts) else 0  # after any blank lines
            share, separator = _fit(_tokens(buf[begin : begin + SAMPLE].tobytes()))
            if len(table.starts) and share < 0.5:
                raise problems.fatal(
                    "fewer than half of the tokens hold one of the separators "
                    + " ".join(f"'{s}'" for s in USUAL),
                    help="'--input-format \"tagged(separator='+')\"' names the separator",
                )
        return _read(table, problems, separator, self.layer)

    def blocks(self, corpus: Corpus) -> list[str]:
        """The layer named, else `upos`, else the only tag layer.

        Under "auto" the first usual separator that no tag holds is used.
        """
        forms = check_words(corpus, "tagged text")
        check_no_empty_sentences(corpus, "tagged text")
        tags = self._chosen(corpus)
        separator = self.separator
        if separator == "auto":
            free = [s for s in USUAL if not any(s in name for name in tags.names)]
            separator = free[0] if free else USUAL[0]
        for labels, forbidden in ((forms, ""), (tags, separator)):
            forbidden += " \t" + LINE_BREAKS
            check_strings(corpus, labels, "tagged text", forbidden, lambda name: not name)
        pairs = zip(forms.to_list(), tags.to_list(), strict=True)
        words = [f"{word}{separator}{tag}" for word, tag in pairs]
        lines = [" ".join(sentence) + "\n" for sentence in by_sentence(corpus, words)]
        if self.separator == "auto":
            head = "".join(lines[:SAMPLE]).encode("utf-8", "replace")[:SAMPLE]
            share, told = _fit(_tokens(head))
            if lines and (share < 0.5 or told != separator):
                raise InputError(
                    f"{corpus.origin}: reading could not detect the separator '{separator}'",
                    help="name one: \"tagged(separator='+')\"",
                )
        return lines

    def _chosen(self, corpus: Corpus) -> Labels:
        there = corpus.of_kind(Tags)
        wanted = [self.layer] if self.layer != "tag" else ["tag", "upos"]
        for name in wanted:
            if name in there:
                return there[name].labels
        if self.layer == "tag" and len(there) == 1:
            return next(iter(there.values())).labels
        has = f"It has: {', '.join(there)}." if there else "It has none."
        raise InputError(
            f"{corpus.origin} has no tag layer '{self.layer}'. {has}",
            help="\"tagged(layer='xpos')\" names the layer to write",
        )


def _tokens(data: bytes) -> list[bytes]:
    """Tokens as the scanner divides them; bytes.split() would also divide at other controls."""
    spaced = data.replace(b"\r\n", b" ").replace(b"\n", b" ").replace(b"\t", b" ")
    return [token for token in spaced.split(b" ") if token]


def _fit(tokens: list[bytes]) -> tuple[float, str]:
    """The separator that divides most tokens, and their share; a tie goes to the fewer tags."""
    best: tuple[float, int, str] = (0.0, 0, USUAL[0])
    for separator in USUAL:
        parts = [token.rpartition(separator.encode()) for token in tokens]
        tags = [tag for word, _, tag in parts if word and tag]
        share = len(tags) / len(tokens) if tokens else 0.0
        fit = (share, -len(set(tags)), separator)
        if fit[:2] > best[:2]:
            best = fit
    return best[0], best[2]


def _read(table: FieldTable, problems: Problems, separator: str, name: str) -> Corpus:
    count = np.asarray(table.field_count, np.int64)
    lines = np.flatnonzero(count > 0)
    sizes = count[lines]
    sentence = np.repeat(np.arange(len(lines)), sizes)
    assert table.ends is not None
    starts, ends = table.starts, table.ends
    places = np.append(-1, np.flatnonzero(table.buf == ord(separator))).astype(starts.dtype)
    middle = places[np.searchsorted(places, ends) - 1]  # the last separator before each end
    whole = (starts < middle) & (middle < ends - 1)
    reader = Reader(problems, len(lines), "tagged")

    def message(at: int) -> str:
        token = table.bytes_between(int(starts[at]), int(ends[at]))
        if middle[at] < starts[at]:
            return f"'{token}' has no '{separator}' between word and tag"
        return f"'{token}' has no {'tag' if middle[at] > starts[at] else 'word'}"

    reader.refuse(np.flatnonzero(~whole), message, lines[sentence], sentence)
    problems.stop()
    if len(lines) > 1 and (sizes == 1).all():
        problems.note("every line holds one token, and every line is a sentence")
    keep = ~reader.bad[sentence]
    starts, middle, ends = starts[keep], middle[keep], ends[keep]
    return reader.corpus(
        bounds_of(np.where(reader.bad, 0, sizes)),
        forms=table.intern(starts, middle),
        layers={name: Tags(table.intern(middle + 1, ends))} if keep.any() else {},
        lines=(lines[sentence[keep]] + 1).astype(np.int32),
    )
