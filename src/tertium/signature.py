"""Signatures: everything that decides a number, in one line that parses back.

Long form:   family.metric|punct:keep|subtypes:no|align:tokens|version:1|tertium:0.1.0
Short form:  family.metric|p:keep|s:no|a:tokens|v:1|t:0.1.0
"""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote, unquote

from tertium.exceptions import UsageError

SHORT = {
    "align": "a",
    "boundaries": "b",
    "column": "c",
    "compat": "k",
    "exclude": "d",
    "focus": "f",
    "join": "j",
    "labels": "n",
    "lexicon": "x",
    "map": "m",
    "on_error": "e",
    "punct": "p",
    "repair": "r",
    "scheme": "i",
    "subtypes": "s",
    "tertium": "t",
    "undefined": "u",
    "version": "v",
    "weights": "w",
}
LONG = {short: long for long, short in SHORT.items()}

_SAFE = "'()=,.@/+-_*<>~!?^&;"  # characters that stay readable; the separators are quoted


@dataclass(frozen=True, slots=True)
class Signature:
    """A metric's id and the settings that decided its number, in order.

    >>> s = Signature.make("family.metric", {"punct": "keep", "subtypes": False, "version": 1})
    >>> str(s)
    'family.metric|punct:keep|subtypes:no|version:1'
    >>> s.short()
    'family.metric|p:keep|s:no|v:1'
    >>> Signature.parse(s.short()) == Signature.parse(str(s)) == s
    True
    """

    metric: str
    entries: tuple[tuple[str, str], ...] = ()

    @classmethod
    def make(cls, metric: str, settings: dict[str, object]) -> Signature:
        """From Python values: booleans become yes and no, None becomes none."""
        return cls(metric, tuple((key, show(value)) for key, value in settings.items()))

    @classmethod
    def parse(cls, text: str) -> Signature:
        """Read back the long or the short form."""
        metric, *parts = text.strip().split("|")
        entries = []
        for part in parts:
            key, colon, value = part.partition(":")
            if not colon or not key:
                raise UsageError(f"'{part}' in signature '{text}' is not KEY:VALUE")
            key = _plain(key)
            entries.append((LONG.get(key, key), _plain(value)))
        if not metric:
            raise UsageError(f"signature '{text}' names no metric")
        return cls(_plain(metric), tuple(entries))

    def __str__(self) -> str:
        return self._join(lambda key: key)

    def short(self) -> str:
        """The same with one-letter keys, for captions."""
        return self._join(lambda key: SHORT.get(key, key))

    def _join(self, name: object) -> str:
        assert callable(name)
        pairs = [f"{_quoted(name(k))}:{_quoted(v)}" for k, v in self.entries]
        return "|".join([_quoted(self.metric), *pairs])

    def differences(self, other: Signature) -> list[str]:
        """What differs, in words; empty when two numbers may be compared.

        Systems of different theories may be: that is what their metrics are for. The name of a
        detected scheme decides nothing where irregular spans are kept, and an output with its first
        slip is detected as another (docs/decisions/scheme-in-the-signature.md).

        >>> Signature.parse("m|punct:keep").differences(Signature.parse("m|punct:form"))
        ['punct: keep / form']
        """
        found = [] if self.metric == other.metric else [f"metric: {self.metric} / {other.metric}"]
        mine, theirs = dict(self.entries), dict(other.entries)
        ignored = {"tertium", "theory"}
        if all(s.get("repair") == "open" and s.get("scheme") != "io" for s in (mine, theirs)):
            ignored.add("scheme")
        for key in sorted({*mine, *theirs} - ignored):
            if mine.get(key) != theirs.get(key):
                found.append(f"{key}: {mine.get(key, '-')} / {theirs.get(key, '-')}")
        return found


def _quoted(text: str) -> str:
    """Separators as %7C; bytes of a file name that are not UTF-8 as %FF."""
    return quote(text, safe=_SAFE, errors="surrogateescape")


def _plain(text: str) -> str:
    return unquote(text, errors="surrogateescape")


def show(value: object) -> str:
    """A setting as text.

    >>> [show(v) for v in (True, False, None, 3, "x", ("a", "b"))]
    ['yes', 'no', 'none', '3', 'x', 'a,b']
    """
    if value is True:
        return "yes"
    if value is False:
        return "no"
    if value is None:
        return "none"
    if isinstance(value, tuple):
        return ",".join(show(v) for v in value)
    return str(value)
