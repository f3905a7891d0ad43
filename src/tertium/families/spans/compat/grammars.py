"""How conlleval and seqeval read raw tags, as tables.

Each tool looks at a token and the one before it. What it concludes depends on their prefixes and
on whether their types are the same, so a grammar is three things: how a tag is split into
prefix and type, and two tables, saying where a chunk starts and where one ends (for seqeval's
strict mode there is a third, saying what continues one). Sources: conlleval.pl of 2004-01-26;
seqeval 1.2.2, `metrics/sequence_labeling.py` (default mode) and `scheme.py` (strict mode).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import numpy.typing as npt

from tertium.exceptions import InputError

Table = npt.NDArray[np.bool_]  # previous prefix x prefix x whether the types differ
Rule = tuple[str, str, str]  # previous prefixes, prefixes ("*" for all), and one of the following
ANY, SAME, DIFFERENT = "", "=", "/"

OUTSIDE = "O"
REST = "?"  # stands for every prefix that has no rules of its own


class UndetectedSchemeError(InputError):
    """seqeval could not tell the scheme either."""


@dataclass(frozen=True)
class TagGrammar:
    """How a tool reads tags.

    `prefixes` begins with O and ends with REST; `allowed` are those that are not refused, empty for
    all. `untyped` is the type of a bare O.
    """

    tool: str
    split: Callable[[str], tuple[str, str]]
    untyped: str
    prefixes: str
    allowed: str = ""
    starts: tuple[Rule, ...] = ()
    inside: tuple[Rule, ...] = ()
    ends: tuple[Rule, ...] = ()

    def code(self, prefix: str) -> int:
        """The place of a prefix in the tables."""
        found = self.prefixes.find(prefix) if len(prefix) == 1 else -1
        return found if found >= 0 else len(self.prefixes) - 1

    def tables(self) -> list[Table]:
        """Where chunks start, where they end and, in strict mode, what continues one."""
        return [_table(self.prefixes, each) for each in (self.starts, self.ends, self.inside)]


@cache
def _table(prefixes: str, rules: tuple[Rule, ...]) -> Table:
    """Rules written out for every pair of prefixes, with equal types and with different ones."""
    found = np.zeros((len(prefixes), len(prefixes), 2), np.bool_)
    for before, now, types in rules:
        rows = [prefixes.index(p) for p in (prefixes if before == "*" else before)]
        columns = [prefixes.index(p) for p in (prefixes if now == "*" else now)]
        for differ in (0, 1):
            if types in (ANY, DIFFERENT if differ else SAME):
                found[np.ix_(rows, columns, [differ])] = True
    return found


def conlleval_tag(tag: str) -> tuple[str, str]:
    """Prefix and type by conlleval: at the first hyphen.

    To Perl the text 0 is as good as none, so a type 0 is no type.

    >>> [conlleval_tag(tag) for tag in ("B-a-b", "NOUN", "-x", "I-0")]
    [('B', 'a-b'), ('NOUN', ''), ('', 'x'), ('I', '')]
    """
    prefix, _, kind = tag.partition("-")
    return prefix, "" if kind == "0" else kind


def seqeval_tag(tag: str) -> tuple[str, str]:
    """Prefix and type by seqeval: the first character, and what follows the next hyphen or, without
    one, all that is left.

    >>> [seqeval_tag(tag) for tag in ("B-a-b", "B-a-", "ADJ", "BIO-x", "I")]
    [('B', 'a-b'), ('B', 'a-'), ('A', 'DJ'), ('B', 'x'), ('I', '_')]
    """
    return tag[0], tag[1:].split("-", 1)[-1] or "_"


def seqeval_suffixed(tag: str) -> tuple[str, str]:
    """The same with `suffix=True`: the last character, and what precedes the hyphen before it.

    >>> [seqeval_suffixed(tag) for tag in ("a-b-B", "PERB", "I")]
    [('B', 'a-b'), ('B', 'PER'), ('I', '_')]
    """
    return tag[-1], tag[:-1].rsplit("-", 1)[0] or "_"


def strict_suffixed(tag: str) -> tuple[str, str]:
    """The same in strict mode.

    >>> [strict_suffixed(tag) for tag in ("a-b-B", "-a-B", "I")]
    [('B', 'a-b'), ('B', 'a'), ('I', '_')]
    """
    return tag[-1], tag[:-1].strip("-") or "_"


def strict_tag(tag: str) -> tuple[str, str]:
    """Prefix and type by seqeval's strict mode: the first character, and the rest without the
    hyphens at its ends.

    >>> [strict_tag(tag) for tag in ("B-a-b", "B-a-", "BIO-x", "I")]
    [('B', 'a-b'), ('B', 'a'), ('B', 'IO-x'), ('I', '_')]
    """
    return tag[0], tag[1:].strip("-") or "_"


# E before B is no start and no end, and S is like any unknown prefix: conlleval's known bugs.
CONLLEVAL = TagGrammar(
    tool="conlleval",
    split=conlleval_tag,
    untyped="",
    prefixes="OBIE.[]?",
    starts=(("OBI", "B", ANY), ("OE", "IE", ANY), ("*", "[]", ANY), ("*", "BIE[]?", DIFFERENT)),
    ends=(("BI", "OB", ANY), ("E", "OIE", ANY), ("[]", "*", ANY), ("BIE[]?", "*", DIFFERENT)),
)
SEQEVAL = TagGrammar(
    tool="seqeval",
    split=seqeval_tag,
    untyped="_",
    prefixes="OBIES.?",
    starts=(("*", "BS", ANY), ("OES", "IE", ANY), ("*", "BIES?", DIFFERENT)),
    ends=(("ES", "*", ANY), ("BI", "OBS", ANY), ("BIES?", "*", DIFFERENT)),
)
STRICT = TagGrammar(tool="seqeval", split=strict_tag, untyped="_", prefixes="OBIESUL?")
STRICT_SCHEMES = {
    "iob1": replace(
        STRICT,
        allowed="IOB",
        starts=(("OB", "I", ANY), ("I", "I", DIFFERENT), ("BI", "B", SAME)),
        inside=(("BI", "I", SAME),),
        ends=(("I", "OB", ANY), ("B", "O", ANY), ("BI", "I", DIFFERENT), ("B", "B", SAME)),
    ),
    "iob2": replace(
        STRICT,
        allowed="IOB",
        starts=(("*", "B", ANY),),
        inside=(("BI", "I", SAME),),
        ends=(("BI", "OB", ANY), ("BI", "I", DIFFERENT)),
    ),
    "ioe1": replace(
        STRICT,
        allowed="IOE",
        starts=(("OE", "I", ANY), ("I", "I", DIFFERENT), ("E", "E", SAME)),
        inside=(("I", "IE", SAME),),
        ends=(("I", "O", ANY), ("I", "IE", DIFFERENT), ("E", "IE", SAME)),
    ),
    "ioe2": replace(
        STRICT,
        allowed="IOE",
        starts=(("OE", "IE", ANY), ("I", "IE", DIFFERENT)),
        inside=(("I", "IE", SAME),),
        ends=(("E", "*", ANY),),
    ),
    "iobes": replace(
        STRICT,
        allowed="IOBES",
        starts=(("*", "BS", ANY),),
        inside=(("BI", "IE", SAME),),
        ends=(("ES", "*", ANY),),
    ),
    "bilou": replace(
        STRICT,
        allowed="BILOU",
        starts=(("*", "BU", ANY),),
        inside=(("BI", "IL", SAME),),
        ends=(("LU", "*", ANY),),
    ),
}
GRAMMARS = {
    "conlleval": CONLLEVAL,
    "seqeval": SEQEVAL,
    "seqeval-strict": STRICT,
}


def grammar_of(compat: str, scheme: str = "auto", *, suffix: bool = False) -> TagGrammar:
    """How a tool reads tags: in strict mode under a scheme, with prefixes in front or at the
    end."""
    is_strict = compat == "seqeval-strict"
    found = STRICT_SCHEMES.get(scheme, STRICT) if is_strict else GRAMMARS[compat]
    return replace(found, split=_SUFFIXED[compat]) if suffix else found


_SUFFIXED = {"seqeval": seqeval_suffixed, "seqeval-strict": strict_suffixed}


def detected(prefixes: frozenset[str]) -> str:
    """The scheme that seqeval's strict mode detects from the prefixes of the gold data.

    It knows IOB2, IOE2, IOBES and BILOU, and raises where it recognises none: for data of O alone,
    of I and O, of S and O.

    >>> [detected(frozenset(prefixes)) for prefixes in ("BIO", "BEO", "S", "BL")]
    ['iob2', 'iobes', 'iobes', 'bilou']
    """
    for scheme, needed in (("iob2", "B"), ("ioe2", "E"), ("iobes", "BE"), ("bilou", "BL")):
        if set(needed) <= prefixes <= set(STRICT_SCHEMES[scheme].allowed):
            return scheme
    if prefixes in ({"S"}, {"U"}):
        return "iobes" if prefixes == {"S"} else "bilou"
    found = ", ".join(sorted(prefixes)) or "none"
    raise UndetectedSchemeError(
        f"seqeval's strict mode detects no scheme where the prefixes of the gold tags are {found}",
        help=f"'scheme=' names one: {', '.join(STRICT_SCHEMES)}",
    )
