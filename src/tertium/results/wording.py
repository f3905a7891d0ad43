"""Numbers as the field writes them in running text."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tertium.results.parts import PartKind

_LEAST = 0.00005  # what rounds to a p-value of .0001
_TINY = 1e-12  # what sums of floating point numbers may be off
_NOISE = 1e-9  # a difference below it is none, whatever the size of the values
_SMALL, _HUGE = 0.00005, 1e12  # numbers beyond are written with an exponent


def p_value(value: float, least: float = 0.0) -> str:
    """A p-value with four digits and without a zero in front.

    What would round to 0 or 1 is said to be below or above the nearest that can be written: a
    p-value is never 0. Where none of k resamples counts, `least` is 1 / k: no more is known.

    >>> p_value(0.05), p_value(0.00004), p_value(0.99996), p_value(1)
    ('.0500', '< .0001', '> .9999', '1')
    >>> p_value(0, least=1 / 30), p_value(0.05, least=0.1), p_value(0, least=1e-6)
    ('< .0333', '.0500', '< .0001')
    """
    if not -_TINY <= value <= 1 + _TINY:
        raise ValueError(f"a p-value lies between 0 and 1, not at {value}")
    if value < _LEAST < least and value <= 0:
        return "1" if least >= 1 else f"< {least:.4f}".replace("0.", ".")
    if value < _LEAST:
        return "< .0001"
    if value >= 1:
        return "1"
    return "> .9999" if value >= 1 - _LEAST else f"{value:.4f}".removeprefix("0")


def p_text(value: float, least: float = 0.0) -> str:
    """The same with its sign in front.

    >>> p_text(0.0312), p_text(0.00001)
    ('p = .0312', 'p < .0001')
    """
    text = p_value(value, least)
    return f"p {text}" if text[0] in "<>" else f"p = {text}"


def number(value: float, kind: PartKind = "share") -> str:
    """A number of a measure: shares as percentages, counts whole where they are, others with about
    four digits.

    >>> number(0.84231), number(25096, "count"), number(2.5, "count")
    ('84.23', '25,096', '2.50')
    >>> number(0.84231, "value"), number(12.345, "mean"), number(-1234.5, "value")
    ('0.8423', '12.35', '-1,234.5')
    """
    if kind == "share":
        return f"{100 * value:.2f}"
    if kind == "count":
        return f"{int(value):,}" if float(value).is_integer() else f"{value:,.2f}"
    size = abs(value)
    if 0 < size < _SMALL or size >= _HUGE:
        return f"{value:.3g}"
    digits = sum(size < 10**power for power in range(3))
    return f"{value:,.{1 + digits}f}"


def change(delta: float, kind: PartKind = "share") -> str:
    """A difference of two such numbers with its sign; of shares in percentage points.

    >>> change(0.00159), change(-0.00001), change(-0.25, "value"), change(3, "count")
    ('+0.16', '0.00', '-0.2500', '+3')
    """
    text = number(0.0 if abs(delta) < _NOISE else abs(delta), kind)
    return text if not text.strip("0.,") else f"{'-' if delta < 0 else '+'}{text}"


def points(kind: PartKind) -> str:
    """The noun behind a difference in running text: only shares have one."""
    return " points" if kind == "share" else ""


def level(alpha: float) -> str:
    """A level without a zero in front.

    >>> level(0.05), level(0.0025)
    ('.05', '.0025')
    """
    return f"{alpha:g}".removeprefix("0")


def unit_noun(kind: str, *, among_others: bool = False) -> str:
    """What one unit is called: sentences are simply units, unless there are others beside them.

    >>> unit_noun("sentence"), unit_noun("sentence", among_others=True), unit_noun("document")
    ('unit', 'sentence', 'document')
    """
    return "unit" if kind == "sentence" and not among_others else kind


def listed(names: list[str], most: int = 3) -> str:
    """Names in running text; of many the first, and how many more.

    >>> listed(["a", "b"]), listed(["a", "b", "c", "d", "e"])
    ('a and b', 'a, b, c and 2 more')
    """
    if len(names) > most + 1:
        return f"{', '.join(names[:most])} and {len(names) - most:,} more"
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1]))) if names else ""
