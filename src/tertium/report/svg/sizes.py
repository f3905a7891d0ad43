"""How much room text takes. Fonts are not known here, so widths are estimates on the safe side."""

from __future__ import annotations

import unicodedata

SIZE = 13.0  # of letters, in pixels
LINE = 1.4  # from one base line to the next, in sizes
_NARROW = frozenset("iIjlt1.,;:'|!()[] ")
_BROAD = frozenset("mwMWQ@%#&<>~^=+_—…")


def text_width(text: str, size: float = SIZE) -> float:
    """About how wide a text is.

    >>> text_width("LOC") < text_width("LOCATION") < text_width("日本語日本語日本語")
    True
    """
    return size * sum(map(_letter, text))


def _letter(letter: str) -> float:
    if unicodedata.combining(letter):
        return 0
    if letter in _NARROW:
        return 0.4
    if letter in _BROAD or unicodedata.east_asian_width(letter) in "WF":
        return 1
    return 0.74 if letter.isupper() else 0.6


def shortened(text: str, room: float, size: float = SIZE) -> str:
    """The text, or its beginning and end around an ellipsis: long labels often differ at the end.

    >>> shortened("nsubj", 100), shortened("Tense=Past|VerbForm=Part", 100)
    ('nsubj', 'Tense…=Part')
    """
    if text_width(text, size) <= room:
        return text
    room -= text_width("…", size)
    begin = _fitting(text, room * 0.6, size)
    end = _fitting(text[::-1], room - text_width(begin, size), size)[::-1]
    return f"{begin}…{end}"


def _fitting(text: str, room: float, size: float) -> str:
    """As many letters as fit, from the first on."""
    for end, letter in enumerate(text):
        room -= text_width(letter, size)
        if room < 0:
            return text[:end]
    return text


def wrapped(text: str, room: float, size: float = SIZE) -> list[str]:
    """Lines that fit, broken at spaces; a word that is too long is broken anywhere.

    >>> wrapped("one two", 30)
    ['one', 'two']
    """
    lines = [""]
    for word in text.split():
        joined = f"{lines[-1]} {word}".strip()
        if text_width(joined, size) <= room:
            lines[-1] = joined
            continue
        if lines[-1]:
            lines.append("")
        for letter in word:
            if lines[-1] and text_width(lines[-1] + letter, size) > room:
                lines.append("")
            lines[-1] += letter
    return [line for line in lines if line]
