"""Several gold standards of one text: how far scores and the order of systems depend on the one
chosen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple, cast

from tertium.comparison.diff import diff
from tertium.comparison.disagreement import Difference
from tertium.exceptions import LayerError, UsageError
from tertium.formats.sources import Source
from tertium.results.assessment import TIE
from tertium.results.blocks import (
    Block,
    Cell,
    Column,
    Table,
    Text,
    better_of,
    kind_of,
    or_missing,
    own_kind,
)
from tertium.results.parts import PartKind, Way
from tertium.results.texts import listed
from tertium.significance.score.result import Scores
from tertium.significance.score.verb import score
from tertium.study.sides import expand_runs, input_of, spread

SHOWN = 5  # pairs of systems whose order is told
ODD = ("skipped", "repaired", "unaligned", "differing_forms")  # of the coverage


@dataclass(frozen=True)
class GoldScore:
    """A system under one metric: its value against every gold standard, in their order.

    A value is None where it is undefined, with a reason under the name of that gold standard; so
    are then minimum, mean and maximum, since they would be over other data than those of others.
    """

    system: str
    metric: str
    values: tuple[float | None, ...]
    better: Way = "higher"
    reasons: Mapping[str, str] = field(default_factory=dict)
    kind: PartKind = "share"

    @property
    def _known(self) -> list[float] | None:
        found = [value for value in self.values if value is not None]
        return found if len(found) == len(self.values) else None

    @property
    def minimum(self) -> float | None:
        """The lowest value."""
        return None if self._known is None else min(self._known)

    @property
    def mean(self) -> float | None:
        """The mean of the values."""
        return None if self._known is None else fmean(self._known)

    @property
    def maximum(self) -> float | None:
        """The highest value."""
        return None if self._known is None else max(self._known)

    def to_dict(self) -> dict[str, Any]:
        """The entry in `scores` of `golds` in the JSON output."""
        return {
            "system": self.system,
            "metric": self.metric,
            "values": list(self.values),
            "minimum": self.minimum,
            "mean": self.mean,
            "maximum": self.maximum,
            **({"reasons": dict(self.reasons)} if self.reasons else {}),
        }


class Agreement(NamedTuple):
    """Two gold standards under one metric: items, and those on which they differ."""

    metric: str
    a: str
    b: str
    items: int
    different: int
    diff: float | None
    agreement: float | None


class Reversal(NamedTuple):
    """Two systems: `above` is better against some gold standards, `below` against others."""

    metric: str
    above: str
    below: str
    golds: tuple[str, ...]
    other_golds: tuple[str, ...]


@dataclass(frozen=True)
class Golds:
    """Systems against several gold standards, and these against each other."""

    names: tuple[str, ...]
    scores: tuple[GoldScore, ...]
    agreements: tuple[Agreement, ...]
    notes: tuple[str, ...] = ()

    def __getitem__(self, key: tuple[str, str]) -> GoldScore:
        for each in self.scores:
            if (each.system, each.metric) == key:
                return each
        raise UsageError(f"there is no score of {key[0]} by {key[1]} here")

    @property
    def metrics(self) -> list[str]:
        """The metrics, in order."""
        return list(dict.fromkeys(each.metric for each in self.scores))

    @property
    def reversals(self) -> list[Reversal]:
        """Pairs of systems whose order depends on the gold standard."""
        found = []
        for metric in self.metrics:
            scores = [each for each in self.scores if each.metric == metric]
            for one, other in combinations(scores, 2):
                over, under = self._won(one, other), self._won(other, one)
                if over and under:
                    found.append(Reversal(metric, one.system, other.system, over, under))
        return found

    def closest(self, score: GoldScore) -> tuple[str, ...]:
        """The gold standards, or annotators, that a system agrees with most; several if tied, none
        if a value is undefined."""
        sign = {"higher": 1, "lower": -1, "none": 0}[score.better]
        values = [sign * value for value in score.values if value is not None]
        if not sign or len(values) < len(self.names):
            return ()
        best = max(values)
        return tuple(n for n, v in zip(self.names, values, strict=True) if best - v <= TIE)

    def _won(self, one: GoldScore, other: GoldScore) -> tuple[str, ...]:
        """The gold standards against which one system is better than another."""
        sign = {"higher": 1, "lower": -1, "none": 0}[one.better]
        return tuple(
            name
            for name, a, b in zip(self.names, one.values, other.values, strict=True)
            if a is not None and b is not None and sign * (a - b) > TIE
        )

    def to_dict(self) -> dict[str, Any]:
        """`golds` of the JSON output."""
        return {
            "names": list(self.names),
            "scores": [
                {**each.to_dict(), "closest": list(self.closest(each))} for each in self.scores
            ],
            "reversals": [
                {**r._asdict(), "golds": list(r.golds), "other_golds": list(r.other_golds)}
                for r in self.reversals
            ],
            "agreement": [each._asdict() for each in self.agreements],
            **({"notes": list(self.notes)} if self.notes else {}),
        }


def against_golds(
    scores: Scores,
    compared: Sequence[str],
    gold: Any,
    further: Sequence[Any],
    systems: Sequence[Any],
    options: Mapping[str, Any],
) -> Golds:
    """Score systems against further gold standards, and compare these with each other.

    `scores` are those against the first one; `compared` are the metrics by which gold standards are
    compared; `options` say how files are read, as `score` takes them.
    """
    data = [gold, *further]
    names = gold_names(data)
    systems = expand_runs(spread(gold, systems)[0]).data
    options = {name: value for name, value in options.items() if name not in ("by", "metric")}
    for each in (*data, *systems):
        _must_be_readable_again(each)
    every = [scores]
    notes: list[str] = []
    lacking: dict[tuple[str, str], str] = {}
    for name, other in zip(names[1:], further, strict=True):
        found, lost = _scores(other, name, systems, scores, options)
        every.append(found)
        for metric, why in lost.items():
            lacking[name, metric] = why
            notes.append(f"{name}: {why}")
        notes += _odd(found, name)
    told = [
        GoldScore(
            system=result.system,
            metric=result.metric,
            values=tuple(_value(each, result.system, result.metric)[0] for each in every),
            better=result.better,
            kind=result.part().kind,
            reasons={
                name: lacking.get((name, result.metric)) or why
                for name, each in zip(names, every, strict=True)
                if (why := _value(each, result.system, result.metric)[1])
            },
        )
        for result in scores
    ]
    agreements, more = _agreements(data, names, compared, options)
    return Golds(tuple(names), tuple(told), tuple(agreements), tuple(dict.fromkeys(notes + more)))


def _odd(scores: Scores, gold: str) -> list[str]:
    """What was not judged against a further gold standard as it stands, and what was noted."""
    found = []
    for result in scores:
        odd = [f"{k.replace('_', ' ')} {n:,}" for k, n in result.coverage.items() if k in ODD and n]
        if odd:
            found.append(f"{result.system} against {gold}, {result.metric}: {', '.join(odd)}")
    return found + [f"against {gold}: {note}" for note in scores.notes]


def gold_names(data: Sequence[Any]) -> list[str]:
    """Names of gold standards: those of their files, without folders where these are not needed."""
    given = [input_of(each, "gold" if n == 1 else f"gold{n}")[1] for n, each in enumerate(data, 1)]
    short = [Path(name).name or name for name in given]
    names = short if len(set(short)) == len(short) else given
    for name in names:
        if names.count(name) > 1:
            raise UsageError(
                f"two gold standards are named '{name}'", help="name them: G1=path G2=path"
            )
    return names


def _must_be_readable_again(data: Any) -> None:
    source, name = input_of(data, "data")
    if isinstance(source, Source) and not source.is_sharded and not Path(source.files[0]).is_file():
        raise UsageError(
            f"'{name}' can be read only once, but several gold standards need it",
            help="write it to a file first",
        )


def _scores(
    gold: Any, name: str, systems: Sequence[Any], first: Scores, options: Mapping[str, Any]
) -> tuple[Scores, dict[str, str]]:
    """The same scores against another gold standard, and why it has not all of them."""
    common: dict[str, Any] = {**options, "labels": False, "names": first.systems}
    try:
        return score(gold, *systems, metric=first.metrics, **common), {}
    except LayerError:
        parts, lost = [], {}
    for metric in first.metrics:
        try:
            parts.append(score(gold, *systems, metric=metric, **common))
        except LayerError as error:
            lost[metric] = error.written[0]
    if not parts:
        raise LayerError(
            f"cannot score against {name}: {next(iter(lost.values()))}",
            help="'--columns' names the columns of all gold standards",
        )
    return replace(parts[0], results=tuple(r for part in parts for r in part)), lost


def _value(scores: Scores, system: str, metric: str) -> tuple[float | None, str]:
    """A value, or why there is none."""
    result = scores.find(system, metric)
    if result is None:
        return None, "this gold standard has no such layer"
    return result.value, "" if result.value is not None else result.reasons.get(
        "value", "undefined"
    )


def _agreements(
    data: Sequence[Any], names: Sequence[str], metrics: Sequence[str], options: Mapping[str, Any]
) -> tuple[list[Agreement], list[str]]:
    found: list[Agreement] = []
    notes: list[str] = []
    # Both files of a pair are gold standards, and are read as such.
    reading = {k: v for k, v in options.items() if k not in ("system_format", "system_columns")}
    for metric in metrics:
        for one, other in combinations(range(len(data)), 2):
            try:
                pair = diff(data[one], data[other], metric=metric, **reading)
                layer = cast(Difference, pair).layer
            except LayerError as error:
                notes.append(f"{names[one]} and {names[other]}: {error.written[0]}")
                continue
            counts = (layer.items, layer.different, layer.diff, layer.agreement)
            found.append(Agreement(metric, names[one], names[other], *counts))
    return found, notes


def gold_blocks(golds: Golds | None) -> list[Block]:
    """A row for every system and metric, a row for every two gold standards, and whose order
    depends on the gold standard; nothing where there is one gold standard only."""
    if golds is None:
        return []
    lines = [
        f"{each.metric}: {each.above} is better than {each.below} against {', '.join(each.golds)}, "
        f"but worse against {', '.join(each.other_golds)}"
        for each in golds.reversals
    ]
    if len(lines) > SHOWN:
        more = len(lines) - SHOWN
        lines = [*lines[:SHOWN], f"the order of {more:,} more pairs depends on the gold standard"]
    blocks: list[Block] = [_score_table(golds, "; ".join([*_closest_lines(golds), *lines]))]
    if golds.agreements:
        blocks.append(_agreement_table(golds))
    return [*blocks, *(Text(note) for note in golds.notes)]


def _closest_lines(golds: Golds) -> list[str]:
    """Which gold standard systems agree with most, metric by metric."""
    systems: dict[tuple[str, str], list[str]] = {}
    for each in golds.scores:
        if closest := golds.closest(each):
            systems.setdefault((each.metric, listed([*closest])), []).append(each.system)
    several = len(golds.metrics) > 1
    return [
        f"{f'{metric}: ' if several else ''}{listed(who)} "
        f"{'agrees' if len(who) == 1 else 'agree'} most with {closest}"
        for (metric, closest), who in systems.items()
    ]


def _score_table(golds: Golds, note: str) -> Table:
    several = len(golds.metrics) > 1
    kind = kind_of(golds.scores[0].kind if golds.scores else "share")
    columns = [*([Column("metric")] if several else []), Column("system")]
    columns += [Column(name, "against", kind, "higher") for name in golds.names]
    columns += [Column(name, "", kind) for name in ("minimum", "mean", "maximum")]
    ordered = [s for metric in golds.metrics for s in golds.scores if s.metric == metric]
    rows: list[tuple[Cell, ...]] = []
    for each in ordered:
        numbers = [
            *(
                or_missing(value, each.reasons.get(name, "undefined"))
                for name, value in zip(golds.names, each.values, strict=True)
            ),
            *(
                or_missing(value, "undefined against a gold standard")
                for value in (each.minimum, each.mean, each.maximum)
            ),
        ]
        cells = [own_kind(value, each.kind, columns[-1]) for value in numbers]
        rows.append((*([each.metric] if several else []), each.system, *cells))
    title = "Scores against several gold standards"
    return Table(
        tuple(columns),
        tuple(rows),
        title=title if several else f"{golds.metrics[0]}: {title.lower()}",
        keys=1 + several,
        contests=tuple(each.metric for each in ordered),
        ways={s.metric: better_of(s.better) for s in golds.scores},
        note=note,
    )


def _agreement_table(golds: Golds) -> Table:
    empty = "there is nothing to compare"
    return Table(
        (
            Column("metric"),
            Column("gold"),
            Column("other gold"),
            *(Column(name, "", "count") for name in ("items", "different")),
            *(Column(name, "", "percent") for name in ("diff", "agreement")),
        ),
        tuple(
            (a.metric, a.a, a.b, a.items, a.different,
             or_missing(a.diff, empty), or_missing(a.agreement, empty))
            for a in golds.agreements
        ),
        title="Agreement of the gold standards",
        keys=3,
    )  # fmt: skip
