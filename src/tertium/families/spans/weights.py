"""How much of a true positive, false positive and false negative each kind of error counts as."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from tertium.exceptions import UsageError

Weights = Mapping[str, tuple[float, float, float]]  # error type -> shares of TP, FP, FN

TYPES = ("TP", "FP", "FN", "LE", "BEs", "BEl", "BEo", "LBE")
_WHOLE = {"TP": (1.0, 0.0, 0.0), "FP": (0.0, 1.0, 0.0), "FN": (0.0, 0.0, 1.0)}
_HALF = (0.0, 0.5, 0.5)
_FIVE = {**_WHOLE, **dict.fromkeys(("LE", "BEs", "BEl", "BEo", "LBE"), _HALF)}
# Equations 5, 6 and 7 of Ortmann (2022), section 2.2.
EQUATIONS: Mapping[str, Weights] = {
    "eq5": _FIVE,
    "eq6": {**_FIVE, **dict.fromkeys(("BEs", "BEl", "BEo"), (0.5, 0.25, 0.25))},
    "eq7": {**_FIVE, "BEs": (0.5, 0.0, 0.5), "BEl": (0.5, 0.5, 0.0), "BEo": (0.5, 0.25, 0.25)},
}
HELP = "eq5, eq6, eq7, or equations such as 'BEs=.5TP+.5FN; LE=.5FP+.5FN'"

_TERM = re.compile(r"(\d+(?:\.\d*)?|\.\d+)?\s*\*?\s*(TP|FP|FN)", re.IGNORECASE)


@cache
def parse_weights(text: str) -> Weights:
    """Weights by name, or as equations in the way of the paper; what is not named keeps eq5.

    `BE` stands for all three kinds of boundary errors.

    >>> parse_weights("BE=.5TP+.25FP+.25FN") == EQUATIONS["eq6"]
    True
    """
    if text in EQUATIONS:
        return EQUATIONS[text]
    weights = dict(EQUATIONS["eq5"])
    for equation in filter(None, (part.strip() for part in text.split(";"))):
        name, sign, right = equation.partition("=")
        kinds = [t for t in TYPES if t.lower() == name.strip().lower()]
        if name.strip().lower() == "be":
            kinds = ["BEs", "BEl", "BEo"]
        if not sign or not kinds:
            raise UsageError(
                f"weights: '{equation}' is not an equation such as BEs=.5TP+.5FN",
                help=f"they are {HELP}; types are {', '.join(TYPES)}, and BE for all its kinds",
            )
        for kind in kinds:
            weights[kind] = _shares(right, equation)
    return weights


def _shares(right: str, equation: str) -> tuple[float, float, float]:
    shares = {"TP": 0.0, "FP": 0.0, "FN": 0.0}
    if right.strip() == "0":
        return 0.0, 0.0, 0.0
    for term in right.split("+"):
        match = _TERM.fullmatch(term.strip())
        if not match:
            raise UsageError(
                f"weights: '{term.strip()}' in '{equation}' is not a share of TP, FP or FN",
                help=f"they are {HELP}",
            )
        shares[match[2].upper()] += float(match[1] or 1)
    return shares["TP"], shares["FP"], shares["FN"]


def weights_text(weights: Weights) -> str:
    """One way to write weights: the name of an equation, or what differs from equation 5.

    >>> weights_text(parse_weights("LE = 0; BE=.5TP+.25FP+.25FN"))
    'LE=0; BEs=0.5TP+0.25FP+0.25FN; BEl=0.5TP+0.25FP+0.25FN; BEo=0.5TP+0.25FP+0.25FN'
    >>> weights_text(parse_weights("BE=.5TP+.25FP+.25FN"))
    'eq6'
    """
    for name, known in EQUATIONS.items():
        if weights == known:
            return name
    return "; ".join(
        f"{kind}={_side(weights[kind])}"
        for kind in TYPES
        if weights[kind] != EQUATIONS["eq5"][kind]
    )


def _side(shares: tuple[float, float, float]) -> str:
    named = zip(shares, ("TP", "FP", "FN"), strict=True)
    return "+".join(f"{share:.15g}{name}" for share, name in named if share) or "0"


def are_weights(text: object) -> bool:
    """Can the text be read? Raises with what is wrong in it otherwise."""
    return isinstance(text, str) and bool(text.strip()) and bool(parse_weights(text))
