"""Composites: several metrics under one name, such as all numbers of an official evaluation."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

from tertium.align.tokens import Alignment
from tertium.corpus.corpus import Corpus
from tertium.corpus.labels import Int64
from tertium.corpus.layers import Spans
from tertium.metrics.base import Metric, Scored, union
from tertium.results.decisions import Decisions
from tertium.results.stats import Stats, Totals, join


@dataclass(frozen=True, repr=False)
class Composite(Metric):
    """A tuple of metrics with joined stats and, where they make one number, a formula for it.

    `tertium score` gives one entry per member, named `id.member`; a composite that has a number of
    its own (`headline` is not empty) comes first. Whatever needs single items takes a member,
    `id.member`; a composite that lets one choose its members (parameter `numbers`) is then one with
    that member alone, and has its items.
    """

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

    @property
    def _only(self) -> Metric | None:
        """The member, if there is one."""
        members = [*self.members().values()]
        return members[0] if len(members) == 1 and not self.headline else None

    @property
    def has_items(self) -> bool:  # type: ignore[override]  # depends on the members
        """Those of its only member."""
        return self._only is not None and self._only.has_items

    @property
    def draws_trees(self) -> bool:  # type: ignore[override]
        """As its only member."""
        return self._only is not None and self._only.draws_trees

    @property
    def transitions(self) -> str:  # type: ignore[override]
        """As its only member."""
        return Metric.transitions if self._only is None else self._only.transitions

    @property
    def right_type(self) -> str:  # type: ignore[override]
        """As its only member."""
        return Metric.right_type if self._only is None else self._only.right_type

    @property
    def keeps_subtypes(self) -> bool:
        """As its only member."""
        return self._only is not None and self._only.keeps_subtypes

    def decide(self, gold: Corpus, system: Corpus, alignment: Alignment) -> Decisions:
        """The rows of its only member."""
        if self._only is None:
            return super().decide(gold, system, alignment)
        return self._only.decide(gold, system, self.aligned(gold, system, alignment))

    def items(self, gold: Corpus, system: Corpus) -> tuple[Spans, Spans]:
        """The items of its only member."""
        return super().items(gold, system) if self._only is None else self._only.items(gold, system)

    def heads(self, gold: Corpus, system: Corpus) -> tuple[Int64, Int64] | None:
        """The heads of these."""
        return None if self._only is None else self._only.heads(gold, system)

    def detail(self, corpus: Corpus, row: int) -> str | None:
        """As its only member."""
        return None if self._only is None else self._only.detail(corpus, row)

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
