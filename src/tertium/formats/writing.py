"""What all writers share: what may be written, and how text becomes bytes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import BinaryIO

import numpy as np

from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Labels
from tertium.exceptions import InputError
from tertium.formats.lines import BOM

# They end a line or a file for some reader, so no text format can hold them inside a field.
LINE_BREAKS = "\n\r\0"


def without_skipped(corpus: Corpus) -> Corpus:
    """The corpus without the sentences that `--on-error skip` left out: they have no content."""
    if corpus.skipped is None or not corpus.skipped.any():
        return corpus
    return corpus.take(~corpus.skipped)


def check_words(corpus: Corpus, what: str) -> Labels:
    """The forms of a corpus of words; anything else cannot be written as `what`."""
    if corpus.forms is None or corpus.atoms != "words":
        raise InputError(
            f"{corpus.origin} has no words and cannot be written as {what}",
            help="spans over a text convert to 'jsonl' or 'spans', over token numbers to 'spans'",
        )
    return corpus.forms


def check_strings(corpus: Corpus, labels: Labels, what: str, forbidden: str) -> None:
    """Raise InputError for the first token whose string holds a forbidden character.

    Only distinct strings are looked at.
    """
    bad = [any(c in name for c in forbidden) for name in labels.names]
    if any(bad):
        for token in np.flatnonzero(np.array(bad)[labels.codes])[:1].tolist():
            raise cannot_hold(corpus, token, labels[token], what)


def cannot_hold(corpus: Corpus, token: int, text: str, what: str) -> InputError:
    """The error for a string that a format has no way to write."""
    sentence = corpus.sentence_id(int(corpus.sentence_of_token[token]))
    return InputError(
        f"{corpus.origin}, sentence '{sentence}': {text!r} cannot be written as {what}"
    )


def check_no_empty_sentences(corpus: Corpus, what: str) -> None:
    """Raise InputError where a sentence has no tokens: most formats have no way to say so."""
    for sentence in np.flatnonzero(np.diff(corpus.offsets) == 0)[:1].tolist():
        raise InputError(
            f"{corpus.origin}: sentence '{corpus.sentence_id(sentence)}' has no tokens, "
            f"which {what} cannot hold"
        )


def write_text(corpus: Corpus, blocks: Iterable[str], stream: BinaryIO) -> None:
    """Write strings as UTF-8. Text that begins with U+FEFF gets a byte order mark in front, or the
    reader would take the character for one."""
    begun = False
    for block in blocks:
        try:
            data = block.encode()
        except UnicodeEncodeError:
            raise InputError(
                f"{corpus.origin} holds half a surrogate pair, which UTF-8 cannot write"
            ) from None
        if not begun and data.startswith(BOM):
            stream.write(BOM)
        begun = begun or bool(data)
        stream.write(data)
