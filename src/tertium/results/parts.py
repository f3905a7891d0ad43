"""What a measure declares about its numbers: tables, groups, reasons and colours follow from it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

PartKind = Literal["share", "count", "mean", "value"]
Way = Literal["higher", "lower", "none"]
Over = Literal["gold", "system", "both", "units"]
EXACT_MATCH = "exact match"  # of whole sentences or documents
ANY = (float("-inf"), float("inf"))


@dataclass(frozen=True, slots=True)
class Part:
    """One number of a measure.

    - `kind`: a share is shown as a percentage, a count, mean or value as it is
    - `range`: the least and the greatest value it can have
    - `better`: the direction in which it gets better, "none" if there is none
    - `over`: what it divides by: items of gold, of the system or of both, or whole units (complete
      sentences), which groups of items cannot have; None for a part that is kept for the sake of a
      common form and is never defined
    - `mean_of`: of a harmonic mean, the names of its precision and recall: in a group of items
      these are of different items
    - `title`: the name that tables show, such as P; by default its name in words
    - `average`: of an average over labels, what it is called and the part that it averages
    - `told`: what the summary of one system says of it, with {} for the number
    """

    name: str
    kind: PartKind = "share"
    range: tuple[float, float] = (0.0, 1.0)
    better: Way = "higher"
    over: Over | None = "gold"
    mean_of: tuple[str, str] | None = None
    title: str = ""
    average: tuple[str, str] | None = None
    told: str = ""

    @property
    def header(self) -> str:
        """What tables call it.

        >>> Part("recall", title="R").header, Part("sentence_mean").header
        ('R', 'sentence mean')
        """
        return self.title or self.name.replace("_", " ").replace(".", " ")

    @property
    def sign(self) -> int:
        """1 if higher is better, -1 if lower is, 0 if neither.

        >>> Part("f1").sign, Part("crossing", better="lower").sign
        (1, -1)
        """
        return {"higher": 1, "lower": -1, "none": 0}[self.better]

    @property
    def width(self) -> float:
        """The largest difference that two values can have."""
        return self.range[1] - self.range[0]


class Count(NamedTuple):
    """A count of a measure, as JSON has it.

    - `side`: whose items it counts: gold's, the system's or, in a group of items, each
    - `is_total`: is it the number of all items of its side?
    - `title`: what tables call it where they show it; by default its name in words
    """

    name: str
    side: Literal["gold", "system", "both"] = "gold"
    is_total: bool = False
    title: str = ""

    @property
    def column(self) -> Part:
        """The count as a number that tables show: none is better than another.

        >>> Count("skipped", title="left out").column.header
        'left out'
        """
        return Part(self.name, "count", (0, float("inf")), "none", None, title=self.title)


class ErrorType(NamedTuple):
    """Why an item is not right.

    - `meaning`: against a gold standard, empty where the name says it all
    - `between`: what it is called where neither side is gold; empty for the same name
    - `diagonal`: what a matrix of confusions counts where a label meets itself, in words; empty
      where the type has no place there
    - `traditional`: the count of errors of this type under the traditional convention, where the
      metric has both
    """

    name: str
    meaning: str = ""
    between: str = ""
    traditional: str = ""
    diagonal: str = ""


def precision_recall_f1_parts(
    prefix: str = "", *, title: str = "", average: str = ""
) -> tuple[Part, ...]:
    """The three numbers of the field. `title` comes before each in tables; `average` is what they
    are called where they are averages over labels.

    >>> [part.header for part in precision_recall_f1_parts("macro_", title="macro ")]
    ['macro P', 'macro R', 'macro F1']
    """
    precision, recall = f"{prefix}precision", f"{prefix}recall"

    def more(name: str, short: str) -> dict[str, Any]:
        return {"title": title + short, "average": (average, name) if average else None}

    return (
        Part(precision, over="system", **more("precision", "P")),
        Part(recall, **more("recall", "R")),
        Part(f"{prefix}f1", over="both", mean_of=(precision, recall), **more("f1", "F1")),
    )


def type_meanings(types: Iterable[str], declared: Iterable[ErrorType]) -> dict[str, str]:
    """What those types mean that do not explain themselves. A type `a:b` is explained by what is
    declared of `a` and of `:b`.

    >>> known = [ErrorType("head", "the head is wrong"), ErrorType(":root", "it is the root")]
    >>> type_meanings(["label", "head:root", "head:other"], known)
    {'head': 'the head is wrong', ':root': 'it is the root'}
    """
    meanings = {each.name: each.meaning for each in declared}
    names: dict[str, None] = {}
    suffixes = set()
    for kind in types:
        name, colon, suffix = kind.partition(":")
        names.setdefault(name)
        suffixes.add(colon + suffix)
    told = {name: meanings[name] for name in names if meanings.get(name)}
    return told | {n: text for n, text in meanings.items() if n[:1] == ":" and n in suffixes}


def legend(types: Iterable[str], declared: Iterable[ErrorType]) -> str:
    """What types mean that do not explain themselves, in one line.

    >>> legend(["FP", "label"], [ErrorType("FP", "false positive"), ErrorType("label")])
    'FP false positive'
    """
    return "; ".join(f"{name} {told}" for name, told in type_meanings(types, declared).items())


def type_order(kind: str, declared: Mapping[str, ErrorType]) -> tuple[int, str]:
    """The place of a type: as declared, the others behind by name; `a:b` stands with `a`."""
    order = [*declared]
    base = kind if kind in declared else kind.partition(":")[0]
    return (order.index(base) if base in declared else len(order), kind)
