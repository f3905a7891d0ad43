"""Sets: a name for several metrics, such as all numbers of an official evaluation."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from tertium import registry
from tertium.exceptions import UsageError
from tertium.families.base import Measure, Metric, make, part_of
from tertium.registry import Plugin
from tertium.results.parts import Part
from tertium.results.scores import distinct_names


@dataclass(frozen=True, repr=False)
class MetricSet(Plugin):
    """A name for several metrics. It is not a metric: whoever reads a request puts the members in
    its place (`expand`), and nothing behind that meets a set."""

    title: ClassVar[str]
    header: ClassVar[str]
    family: ClassVar[str]
    cite: ClassVar[str]
    version: ClassVar[int] = 1

    @abstractmethod
    def members(self) -> Mapping[str, Metric]:
        """The metrics by short name, in the order of tables."""

    def pick(self, name: str) -> Metric:
        """The metric `id.name`; raises UsageError where there is none."""
        members = self.members()
        if name not in members:
            raise UsageError(
                f"there is no metric '{self.id}.{name}'", help=f"there are: {', '.join(members)}"
            )
        return members[name]


class Member:
    """A metric that is one of a set, whose rules it follows."""

    @property
    @abstractmethod
    def plain(self) -> Metric:
        """The same judgement outside the set."""


def plain(metric: Metric) -> Metric:
    """The same judgement outside a set, where the set adds rules of its own."""
    return metric.plain if isinstance(metric, Member) else metric


def headers_of(texts: Iterable[str]) -> dict[str, str]:
    """What tables call metrics, by their texts; where nothing was read, and files that a text names
    are not.

    >>> headers_of(["deps.las", "deps.ud.las", "tags.accuracy(column='xpos')"])
    {'deps.las': 'deps.las', 'deps.ud.las': 'deps.ud.las', "tags.accuracy(column='xpos')": 'XPOS'}
    >>> headers_of(["theories.tedeval(labeled=False)"])
    {'theories.tedeval(labeled=False)': 'TedEval unlabelled'}
    """
    return distinct_names({text: _header(text) for text in texts})


def known_metric(text: str) -> Metric | None:
    """The metric that a text names, in its usual reading: of its parameters only those that its
    name in tables depends on, so nothing is read. None where no metric has that name, as in a file
    of somebody's own scores."""
    try:
        name, given = registry.parse_call(text)
    except UsageError:
        return None
    found = known_measure(name)
    if not isinstance(found, Metric):
        return None
    return replace(found, **{name: given[name] for name in found.named_by if name in given})


def known_measure(name: str) -> Measure | None:
    """The measure of a name, or that member of a set, with its defaults; None if there is none."""
    parent, _, short = name.rpartition(".")
    for known in (name, parent):
        if known and registry.knows("metrics", known):
            found = registry.get("metrics", known)()
            measure = found.members().get(short) if isinstance(found, MetricSet) else found
            if isinstance(measure, Measure):
                return measure
    return None


def named_part(text: str) -> Part:
    """What the metric of a text, or that member of a set, declares about its value. Files that the
    text names are not read."""
    found = known_measure(registry.parse_call(text)[0])
    return Part("value") if found is None else part_of(found)


def _header(text: str) -> str:
    metric = known_metric(text)
    return text if metric is None else metric.header


def expand(
    asked: str | Metric | Sequence[str | Metric],
) -> tuple[tuple[Metric, ...], dict[Metric, str]]:
    """The requested metrics, each once, with the members of a set in its place; and for members
    that were not requested themselves, the text of their set."""
    if isinstance(asked, str) or not isinstance(asked, Iterable):
        asked = [asked]
    made: list[Plugin] = [make(each) for each in asked]
    sets: dict[Metric, str] = {}
    metrics: dict[Metric, None] = {}
    for i, each in enumerate(made):
        if each in made[:i]:
            raise UsageError(f"metric {each!r} is given twice")
        if isinstance(each, MetricSet):
            for member in each.members().values():
                sets.setdefault(member, repr(each))
                metrics.setdefault(member)
        else:
            assert isinstance(each, Metric)
            metrics.setdefault(each)
    return tuple(metrics), {m: text for m, text in sets.items() if m not in made}
