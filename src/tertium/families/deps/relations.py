"""What Universal Dependencies says about relations and features (CoNLL 2018, section 5)."""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from tertium.corpus.labels import Labels, Names

CONTENT = frozenset(
    """nsubj obj iobj csubj ccomp xcomp obl vocative expl dislocated advcl advmod discourse nmod
    appos nummod acl amod conj fixed flat compound list parataxis orphan goeswith reparandum root
    dep""".split()
)
FUNCTION = frozenset(("aux", "cop", "mark", "det", "clf", "case", "cc"))
UNIVERSAL_FEATURES = frozenset(
    """PronType NumType Poss Reflex Foreign Abbr Gender Animacy Number Case Definite Degree VerbForm
    Mood Tense Aspect Voice Evident Polarity Person Polite""".split()
)


def relations(labels: Labels, way: str) -> Labels:
    """Relations as they are compared: "universal" without subtypes, "whole", or in "lower" case."""
    if way == "whole":
        return labels
    if way == "lower":
        return labels.rename({n: n.lower() for n in labels.names})
    return labels.rename({n: n.split(":", 1)[0] for n in labels.names})


def universal_features(labels: Labels) -> Labels:
    """FEATS with the universal features only, sorted; `_` where none is left."""
    return labels.rename({n: _universal(n) for n in labels.names})


@cache
def _universal(bundle: str) -> str:
    kept = sorted(f for f in bundle.split("|") if f.split("=", 1)[0] in UNIVERSAL_FEATURES)
    return "|".join(kept) or "_"


def values_of(bundle: str) -> dict[str, str]:
    """The features of a bundle by name; a name that is written twice has both values.

    >>> values_of("Case=Nom|Number=Sing")
    {'Case': 'Nom', 'Number': 'Sing'}
    """
    found: dict[str, str] = {}
    for feature in bundle.split("|"):
        name, equals, value = feature.partition("=")
        if equals or feature != "_":
            found[name] = f"{found[name]},{value}" if name in found else value
    return found


def among(names: Names, wanted: frozenset[str]) -> npt.NDArray[np.bool_]:
    """Which names are wanted; one more, False, for no label (-1)."""
    return np.array([*(n in wanted for n in names), False], np.bool_)
