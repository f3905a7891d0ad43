"""What an audit of two systems found."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any

from tertium._version import __version__
from tertium.families.sets import headers_of
from tertium.options import option
from tertium.results.assessment import Interval, Testing
from tertium.results.output import LongLook, Output
from tertium.results.scores import Result
from tertium.results.signatures import signature_entry
from tertium.results.stats import UnitKind
from tertium.significance.audit.curves import Curve, Orders, Rate
from tertium.significance.audit.looks import FAMILIES, LEVELS, AuditLook, AuditTally, tally
from tertium.significance.corrections import adjust
from tertium.significance.ppv import BETA, PRIOR_ODDS, ppv

if TYPE_CHECKING:
    from tertium.results.blocks import Block

SHOWN = 20  # rows of a table on a screen


@dataclass(frozen=True)
class AuditTables(LongLook):
    """How many labels and groups are shown; JSON and CSV have every look."""

    limit: int | None = option(
        None,
        "Labels and groups to show, 0 for all; all are counted. Default: "
        f"{SHOWN} in text, all in other formats.",
        kind=int, metavar="N", least=0,
    )  # fmt: skip

    @property
    def rows(self) -> int | None:
        """How many rows a table of labels or groups has, None for all."""
        return self.usual(SHOWN) if self.limit is None else self.limit or None


@dataclass(frozen=True, eq=False)
class Audit(Output):
    """Two systems looked at in every way that a paper could have chosen, each with its p-value.

    - `results`: of A and B under the main metric; `main` is the test of its headline value on all
      units, and `interval` that of the difference
    - `metrics`, `labels`, `tests`: the other numbers, the main metric's labels, and the main number
      under other tests
    - `size`, `length`: p as data is added and on units up to a length (None where lengths are
      unknown)
    - `groups`: parts of the data
    - `rates`: how often random parts of the data are significant, by metric and size; `orders`: in
      how many further orders adding data made a significant result insignificant
    - `left_out`: what could have been looked at and was not, with the reason
    """

    gold: str
    units: int
    tokens: int | None
    testing: Testing
    results: tuple[Result, Result]
    main: AuditLook
    interval: Interval
    metrics: tuple[AuditLook, ...]
    labels: tuple[AuditLook, ...]
    tests: tuple[AuditLook, ...]
    size: Curve
    length: Curve | None
    groups: tuple[AuditLook, ...]
    rates: tuple[Rate, ...]
    orders: Orders
    left_out: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    version: str = field(default=__version__)

    look = AuditTables

    @property
    def title(self) -> str:
        """Which systems were audited."""
        return f"Audit of {self.a} and {self.b} against {self.gold}"

    @property
    def a(self) -> str:
        """Name of the first system."""
        return self.results[0].system

    @property
    def b(self) -> str:
        """Name of the second system."""
        return self.results[1].system

    @property
    def unit(self) -> UnitKind:
        """What units are."""
        return self.results[0].unit

    @property
    def metric(self) -> str:
        """The main metric."""
        return self.main.metric

    @cached_property
    def looks(self) -> tuple[AuditLook, ...]:
        """All of them, the main one first. Curves end with the main look, which counts once; random
        parts of the data (`rates`) are no looks of their own."""
        along = [c.looks[:-1] for c in (self.size, self.length) if c is not None]
        numbers = (self.main, *self.metrics, *self.labels, *self.tests)
        return (*numbers, *chain.from_iterable(along), *self.groups)

    @cached_property
    def adjusted(self) -> tuple[float | None, ...]:
        """p of every look, corrected for all of them (Holm)."""
        return tuple(adjust([look.p for look in self.looks], "holm"))

    @cached_property
    def tallies(self) -> tuple[AuditTally, ...]:
        """How many looks of each family were significant, for families that have any."""
        found = [tally(name, self.family(name)) for name in FAMILIES]
        return tuple(each for each in found if each.looks or each.undefined)

    @property
    def whole(self) -> AuditTally:
        """How many of all looks were significant."""
        return tally("all", self.looks)

    def family(self, name: str) -> list[AuditLook]:
        """The looks of a family."""
        return [look for look in self.looks if look.family == name]

    @cached_property
    def numbers(self) -> tuple[AuditLook, ...]:
        """What a free choice of metric is between: the main number, the others, and labels."""
        return (self.main, *self.metrics, *self.labels)

    @property
    def chosen(self) -> AuditLook | None:
        """The number with the smallest p: what a free choice of metric would have reported."""
        return tally("", self.numbers).smallest

    @property
    def chosen_adjusted(self) -> float | None:
        """Its p corrected for the choice (Holm)."""
        found = [p for p in adjust([look.p for look in self.numbers], "holm") if p is not None]
        return min(found, default=None)

    @property
    def is_same(self) -> bool:
        """Do the systems never differ?"""
        return all(look.p in (None, 1.0) and not look.test.differing for look in self.looks)

    @cached_property
    def verdict(self) -> tuple[str, ...]:
        """What all this means, in plain language: paragraphs."""
        from tertium.significance.audit.verdict import verdict

        return tuple(verdict(self))

    @property
    def metric_names(self) -> dict[str, str]:
        """What tables call the metrics, by their texts."""
        return headers_of({look.metric: None for look in (self.main, *self.metrics)})

    def in_short(self) -> str:
        """The main result, and how many of all analyses agree with it."""
        from tertium.significance.audit.verdict import in_short

        return in_short(self)

    def blocks(self, look: AuditTables) -> list[Block]:
        """The verdict first, then what it rests on."""
        from tertium.significance.audit.tables import build

        return build(self, look)

    def to_dict(self) -> dict[str, Any]:
        """The JSON output of `tertium audit` (docs/verbs/audit.md)."""
        whole = self.whole
        chosen = self.chosen
        return {
            "tertium": self.version,
            "gold": self.gold,
            "a": self.a,
            "b": self.b,
            "units": self.units,
            **({"unit": self.unit} if self.unit != "sentence" else {}),
            "tokens": self.tokens,
            "metric": self.metric,
            **signature_entry({r.system: r.signature for r in self.results}),
            "testing": {
                name: value
                for name, value in self.testing.to_dict().items()
                if name not in ("correction", "alpha", "groups")
            },
            "main": {**self.main.to_dict(), "interval": self.interval.to_dict()},
            "looks": self._entries(),
            "summary": {
                **whole.to_dict(),
                "expected_by_chance": [
                    {"level": level, "looks": whole.looks * level} for level in LEVELS
                ],
                "families": [each.to_dict() for each in self.tallies],
            },
            "free_choice": {
                "numbers": len(self.numbers),
                "look": None if chosen is None else chosen.name,
                "p": None if chosen is None else chosen.p,
                "adjusted": self.chosen_adjusted,
            },
            "curves": [c.to_dict() for c in (self.size, self.length) if c is not None],
            "orders": self.orders.to_dict(),
            "rates": [rate.to_dict() for rate in self.rates],
            "ppv": {
                "prior_odds": PRIOR_ODDS,
                "beta": BETA,
                "levels": [{"level": level, "ppv": ppv(level)} for level in LEVELS],
            },
            "verdict": list(self.verdict),
            **({"left_out": list(self.left_out)} if self.left_out else {}),
            **({"notes": list(self.notes)} if self.notes else {}),
        }

    def _entries(self) -> list[dict[str, Any]]:
        every = zip(self.looks, self.adjusted, strict=True)
        return [{**look.to_dict(), "adjusted": p} for look, p in every]

    def to_rows(self) -> list[dict[str, Any]]:
        """One look per row, the main one first, then one rate per row: how often random samples
        were significant. Of a rate `a` and `b` say how many of the `samples` favour which system;
        of a look they are the two values."""
        looks = [{"section": "look", **each} for each in self._entries()]
        return [*looks, *({"section": "rate", **rate.to_dict()} for rate in self.rates)]

    def __repr__(self) -> str:
        whole = self.whole
        return (
            f"<Audit of {self.a} and {self.b} by {self.metric}: {whole.at(LEVELS[0])} of "
            f"{whole.looks} analyses significant at {LEVELS[0]:g}, "
            f"{whole.at(LEVELS[1])} at {LEVELS[1]:g}>"
        )
