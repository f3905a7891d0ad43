"""Parameter files of EVALB (`.prm`): which labels do not count, and which count as the same."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from tertium.exceptions import InputError, counted, suggestion
from tertium.formats.resources import Resource, text_lines
from tertium.formats.sources import is_there
from tertium.formats.trees.text import unescape_label

Pairs = frozenset[tuple[str, str]]

# EVALB's own files without their comments, the empty one of Rehbein and van Genabith (2007), and
# that of the SPMRL shared tasks.
_COLLINS = """
DELETE_LABEL TOP
DELETE_LABEL -NONE-
DELETE_LABEL ,
DELETE_LABEL :
DELETE_LABEL ``
DELETE_LABEL ''
DELETE_LABEL .
DELETE_LABEL_FOR_LENGTH -NONE-
EQ_LABEL ADVP PRT
"""
_NEW = """
DELETE_LABEL S1
DELETE_LABEL ?
DELETE_LABEL !
QUOTE_LABEL ``
QUOTE_LABEL ''
QUOTE_LABEL POS
QUOTE_LABEL NN
QUOTE_LABEL CD
QUOTE_LABEL VBZ
QUOTE_LABEL :
"""
_SPMRL = """
DELETE_LABEL TOP
DELETE_LABEL ROOT
DELETE_LABEL S1
DELETE_LABEL -NONE-
DELETE_LABEL VROOT
DELETE_LABEL_FOR_LENGTH -NONE-
"""
_TEXTS = {"collins": _COLLINS, "new": _COLLINS + _NEW, "spmrl": _SPMRL, "paper": ""}
PRESETS = tuple(_TEXTS)
# How many values each keyword has.
_VALUES = {
    **dict.fromkeys(("DEBUG", "MAX_ERROR", "CUTOFF_LEN", "LABELED"), 1),
    **dict.fromkeys(("DELETE_LABEL", "DELETE_LABEL_FOR_LENGTH", "QUOTE_LABEL"), 1),
    **dict.fromkeys(("EQ_LABEL", "EQ_WORD"), 2),
}
_INTEGER = re.compile("[+-]?[0-9]+")
_NUMBERS = ("DEBUG", "MAX_ERROR", "CUTOFF_LEN", "LABELED")


@dataclass(frozen=True, slots=True)
class Prm(Resource):
    """What a parameter file says. A preset has no digest.

    - `deleted`: constituents with these labels do not count; words with these tags are taken out
    - `unmeasured`: tags of words that do not count towards the length of a sentence
    - `quotes`: tags of quotation marks and apostrophes that parsers confuse
    - `same_labels`, `same_words`: what counts as the same, both ways round; not transitive
    - `has_labels`: are labels compared?
    - `cut_at`: signs at which the function is cut off a label
    - `keeps_words`: do words stay whatever their tags, and are tags cut like labels? (SPMRL)
    """

    deleted: frozenset[str] = frozenset()
    unmeasured: frozenset[str] = frozenset()
    quotes: frozenset[str] = frozenset()
    same_labels: Pairs = frozenset()
    same_words: Pairs = frozenset()
    has_labels: bool = True
    cut_at: str = "-="
    keeps_words: bool = False

    def cut(self, label: str) -> str:
        """A label without its function.

        >>> preset("collins").cut("NP-SBJ=1"), preset("spmrl").cut("NP##lemma=x")
        ('NP', 'NP')
        """
        return label[: next((n for n, sign in enumerate(label) if sign in self.cut_at), None)]

    def is_same(self, label: str, other: str) -> bool:
        """Do two labels count as the same?"""
        return label == other or (label, other) in self.same_labels

    def deletes(self, label: str) -> bool:
        """Does a constituent with this label, already cut, not count?"""
        deleted = map(self.cut, self.deleted) if self.keeps_words else self.deleted
        return any(self.is_same(label, each) for each in deleted)


def preset(name: str) -> Prm:
    """One of `PRESETS`."""
    own: dict[str, Any] = {"cut_at": "-=#", "keeps_words": True} if name == "spmrl" else {}
    return Prm(name, "", **_parsed(_TEXTS[name].splitlines(), name), **own)


def load_prm(name: str) -> Prm:
    """A preset, or a parameter file by its path."""
    if name in PRESETS:
        return preset(name)
    if not is_there(name):
        raise InputError(
            f"there is no parameter file '{name}'.{suggestion(name, PRESETS)}",
            help=f"prm is a file for EVALB or one of {', '.join(PRESETS)}",
        )
    lines, digest = text_lines(name)
    return Prm(name, digest, **_parsed(lines, name))


def _parsed(lines: Iterable[str], name: str) -> dict[str, Any]:
    """What the lines of a file say. As in EVALB, a line begins a comment with `#`, and a line of
    one or two characters is passed over."""
    found: dict[str, list[tuple[str, ...]]] = {keyword: [] for keyword in _VALUES}
    for number, line in enumerate(lines, 1):
        keyword, *values = line.split() or [""]
        if line.startswith("#") or len(line.rstrip()) < 3:
            continue
        if keyword not in _VALUES:
            hint = suggestion(keyword, [*_VALUES]) or f" They are: {', '.join(_VALUES)}."
            raise InputError(f"{name}:{number}: '{keyword}' is not a keyword of EVALB.{hint}")
        if len(values) != (wanted := _VALUES[keyword]):
            raise InputError(
                f"{name}:{number}: {keyword} has {counted(len(values), 'value')}, expected {wanted}"
            )
        if keyword in _NUMBERS and not _INTEGER.fullmatch(values[0]):
            raise InputError(f"{name}:{number}: {keyword} is '{values[0]}', expected a number")
        found[keyword].append(tuple(map(unescape_label, values)))

    def labels(keyword: str) -> frozenset[str]:
        return frozenset(value for (value,) in found[keyword])

    def pairs(keyword: str) -> Pairs:
        return frozenset(pair for a, b in found[keyword] for pair in ((a, b), (b, a)))

    return {
        "deleted": labels("DELETE_LABEL"),
        "unmeasured": labels("DELETE_LABEL_FOR_LENGTH"),
        "quotes": labels("QUOTE_LABEL"),
        "same_labels": pairs("EQ_LABEL"),
        "same_words": pairs("EQ_WORD"),
        "has_labels": not found["LABELED"] or int(found["LABELED"][-1][0]) != 0,
    }
