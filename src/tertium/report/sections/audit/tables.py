"""Tables of looks: what was tested, what came out, and who was better where it counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from tertium.results.blocks import Cell, Column, Missing, Table, kind_of, own_kind
from tertium.results.texts import counted, level, unit_noun
from tertium.significance.audit.audit import Audit
from tertium.significance.audit.curves import Curve
from tertium.significance.audit.looks import (
    FAMILIES,
    LEVELS,
    USUAL,
    AuditLook,
    AuditTally,
)
from tertium.significance.tests import TEST_NAMES

NO_LOOKS = Missing("nothing with a p-value")


def overview(audit: Audit) -> Table:
    """How many looks of each kind were significant, and for whom."""
    columns = [Column("looks"), Column("tested", kind="count")]
    has_undefined = audit.whole.undefined > 0
    columns += [Column("undefined", kind="count")] if has_undefined else []
    for alpha in LEVELS:
        columns += [Column(f"for {side}", f"p < {level(alpha)}", "count") for side in "AB"]
    columns.append(Column("smallest p", kind="p"))
    rows = [
        _tallied(FAMILIES.get(found.family, "all"), found, has_undefined)
        for found in (*audit.tallies, audit.whole)
    ]
    return Table(tuple(columns), tuple(rows), title="How many looks were significant")


def _tallied(name: str, found: AuditTally, has_undefined: bool) -> tuple[Cell, ...]:
    counts = [found.for_side(side, alpha) for alpha in LEVELS for side in "ab"]
    best = found.smallest
    undefined: list[Cell] = [found.undefined] if has_undefined else []
    return (name, found.looks, *undefined, *counts, NO_LOOKS if best is None else best.p)


def numbers(audit: Audit) -> Table:
    """The main number, the other metrics and their parts."""
    return _table(
        audit,
        [audit.main, *audit.metrics],
        "metric",
        "By metric",
        names={id(audit.main): f"{audit.main.name} (main)"},
    )


def labels(audit: Audit, limit: int | None, *, is_text: bool) -> Table:
    """The labels, the smallest p first."""
    looks = sorted(audit.labels, key=_by_p)
    part = looks[0].part.replace("f1", "F1")
    names = {id(look): look.label or "" for look in looks}
    title = f"{audit.metric}: {part} by label"
    return _table(audit, looks, "label", title, names=names, limit=limit, is_text=is_text)


def tests(audit: Audit) -> Table:
    """The main number under other tests."""
    names = {id(audit.main): f"{TEST_NAMES[audit.main.test.method]} (main)"}
    title = f"{audit.metric}: by test"
    looks = [audit.main, *audit.tests]
    return replace(_table(audit, looks, "test", title, names=names), note=_goes_by(audit, looks))


def _goes_by(audit: Audit, looks: Sequence[AuditLook]) -> str:
    """What tests of units and items are about, where a reader would wonder."""
    told = []
    if any(look.test.contradicts and look.is_significant() for look in looks):
        told.append(
            f"a test over units goes by single {unit_noun(audit.unit)}s, in which the system with "
            "the lower value may be better"
        )
    if any(look.test.method == "mcnemar" and look.values != audit.main.values for look in looks):
        told.append("A and B of McNemar's test: gold items that are right")
    return "; ".join(told)


def groups(audit: Audit, limit: int | None, *, is_text: bool) -> Table:
    """Parts of the data, in the order of the keys."""
    return _table(
        audit,
        audit.groups,
        "part",
        f"{audit.metric}: by part of the data",
        limit=limit,
        is_text=is_text,
        sized=True,
    )


def points(audit: Audit, curve: Curve, title: str) -> Table:
    """The looks of a curve, for formats without a plot."""
    names = {id(curve.looks[-1]): "all"}
    first = f"{audit.unit}s" if curve.along == "length" else "sample"
    return _table(audit, curve.looks, first, title, names=names, sized=True)


def rates(audit: Audit) -> Table:
    """Table 4 of the paper: how often random parts of the data are significant."""
    found = {(rate.metric, rate.share): rate for rate in audit.rates}
    metrics = list(dict.fromkeys(rate.metric for rate in audit.rates))
    shares = list(dict.fromkeys(rate.share for rate in audit.rates))
    rows: list[tuple[Cell, ...]] = []
    for metric in metrics:
        values = [found[metric, share].value for share in shares]
        none = Missing("no sample has a p-value")
        rows.append((metric, *(none if value is None else value for value in values)))
    first = audit.rates[0]
    trials = "" if first.trials is None else f", {counted(first.trials, 'trial')} each"
    kinds = {rate.unit: rate.metric for rate in reversed(audit.rates)}
    mixed = len(kinds) > 1
    sizes = "; ".join(
        f"{', '.join(f'{found[metric, share].units:,}' for share in shares)} "
        f"{unit_noun(kind, among_others=mixed)}s"
        for kind, metric in reversed(kinds.items())
    )
    noun = unit_noun("sentence" if mixed else audit.unit)
    return Table(
        (
            Column("metric"),
            *(Column(f"{100 * s:g} %", "significant, % of samples", "percent") for s in shares),
        ),
        tuple(rows),
        title=f"How often samples of the {noun}s have p < {level(USUAL)}",
        note=f"{first.samples:,} random samples of each size ({sizes}) without "
        f"replacement{trials}; 100 % is the one result of all {noun}s",
    )


def _by_p(look: AuditLook) -> tuple[float, str]:
    return (2.0 if look.p is None else look.p, look.name)


def _table(
    audit: Audit,
    looks: Sequence[AuditLook],
    header: str,
    title: str,
    *,
    names: Mapping[int, str] | None = None,
    limit: int | None = None,
    is_text: bool = False,
    sized: bool = False,
) -> Table:
    adjusted = {id(look): p for look, p in zip(audit.looks, audit.adjusted, strict=True)}
    columns = [Column(header)]
    columns += [Column(f"{unit_noun(audit.unit)}s", kind="count")] if sized else []
    main = audit.main.kind
    sides = [Column(side, kind=kind_of(main)) for side in "AB"]
    sides.append(Column("B - A", kind=kind_of(main, "delta")))
    columns += [*sides, Column("p", kind="p"), Column("Holm", kind="p")]
    columns += [Column(level(alpha), "better at") for alpha in LEVELS]
    rows = []
    for look in looks[:limit]:
        name = (names or {}).get(id(look)) or look.name
        # A curve ends with the main look under another name.
        corrected = adjusted.get(id(look), audit.adjusted[0])
        rows.append(
            (
                name,
                *([look.units] if sized else []),
                *_numbers(look, sides),
                *(_value(p, look) for p in (look.p, corrected)),
                *(_winner(look, alpha) for alpha in LEVELS),
            )
        )
    return Table(
        tuple(columns), tuple(rows), title=title, omitted=_rest(len(looks), limit, is_text)
    )


def _value(value: float | None, look: AuditLook) -> Cell:
    return Missing(look.test.reason or "undefined") if value is None else value


def _numbers(look: AuditLook, columns: Sequence[Column]) -> Iterator[Cell]:
    """The values of A and B, and their difference."""
    for value, column in zip((*look.values, look.test.delta), columns, strict=True):
        yield own_kind(_value(value, look), look.kind, column)


def _winner(look: AuditLook, alpha: float) -> str:
    if not look.is_significant(alpha):
        return ""
    if look.wins == "none":
        return "differ"
    return "=" if look.better is None else look.better.upper()


def _rest(count: int, limit: int | None, is_text: bool) -> str:
    if limit is None or count <= limit:
        return ""
    told = f"and {count - limit:,} more"
    return f"{told}; '--limit 0' shows all" if is_text else told
