"""Composites: several metrics under one name, such as all numbers of an official evaluation."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus
from tertium.corpus.decisions import Decisions
from tertium.corpus.stats import Stats, Totals, join
from tertium.metrics.base import Metric, Scored, union


@dataclass(frozen=True, repr=False)
class Composite(Metric):
    """A tuple of metrics with joined stats and, where they make one number, a formula for it.

    `tertium score` gives one entry per member, named `id.member`; a composite that has a number of
    its own (`headline` is not empty) comes first. Whatever needs single items takes a member:
    `tertium.metric("id.member")`.
    """

    has_items = False
    headline: ClassVar[str] = ""
    shown: ClassVar[tuple[str, ...]] = ()
    counted: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def members(self) -> Mapping[str, Metric]:
        """The metrics by short name, in the order of tables."""

    def combine(self, scores: Mapping[str, Scored]) -> Scored:
        """The composite's own numbers from those of its members; none by default."""
        return {}

    def fitted_members(self, gold: Corpus) -> dict[str, Metric]:
        """The members with everything settled that depends on the gold data."""
        return {name: member.fit(gold) for name, member in self.members().items()}

    def needs(self) -> frozenset[str] | None:
        """What the members need."""
        found = [member.needs() for member in self.members().values()]
        return None if None in found else union(n for n in found if n is not None)

    def fit(self, gold: Corpus) -> Self:
        """Every member must fit; each settles its own parameters when it measures."""
        self.fitted_members(gold)
        return self

    def check(self, corpus: Corpus) -> None:
        """The corpus must have what every member needs."""
        for member in self.members().values():
            member.check(corpus)

    def aligned(self, gold: Corpus, system: Corpus, alignment: Alignment) -> Alignment:
        """How the two sides lie over each other for the members; an evaluation that has its own way
        of pairing, or that refuses some files, says so here."""
        return alignment

    def measure(
        self, gold: Corpus, system: Corpus, alignment: Alignment, *, labels: bool = True
    ) -> tuple[Stats, Decisions | None]:
        """The members' stats side by side."""
        alignment = self.aligned(gold, system, alignment)
        parts = {
            name: member.tally(gold, system, alignment, labels=labels)
            for name, member in self.fitted_members(gold).items()
        }
        return join(parts), None

    def score(self, totals: Totals) -> Scored:
        """The members' numbers as `member.part`, and the composite's own."""
        each = {name: m.score(totals.part(name)) for name, m in self.members().items()}
        flat = {f"{name}.{part}": v for name, s in each.items() for part, v in s.items()}
        return {**self.combine(each), **flat}

    def facts(self, corpus: Corpus) -> frozenset[str]:
        """What the members notice."""
        return union(member.facts(corpus) for member in self.members().values())
