"""Tables and p-value curves of an audit: what was tested, what came out, and who was better where
it counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from tertium.results.blocks import (
    Block,
    Cell,
    Column,
    Lines,
    Series,
    Table,
    Text,
    kind_of,
    or_missing,
    own_kind,
)
from tertium.results.signatures import signature_texts
from tertium.results.texts import counted, level, rest_text
from tertium.significance.audit.curves import Curve
from tertium.significance.audit.looks import FAMILIES, LEVELS, USUAL, AuditLook
from tertium.significance.audit.result import Audit, AuditTables
from tertium.significance.audit.verdict import how
from tertium.significance.intervals import METHODS as INTERVALS
from tertium.significance.score.coverage import system_coverage
from tertium.significance.tests import TEST_NAMES

PLOTTED = ("text", "html", "svg")
PARAGRAPHS = 3  # of the verdict, in text: the result, how many analyses agree, which do not


def build(audit: Audit, look: AuditTables) -> list[Block]:
    """How many analyses are significant, the verdict, and what it rests on."""
    # LaTeX has no titles, and tables in which nobody knows who A and B are help nobody.
    title = f"{audit.a} (A) and {audit.b} (B) against {audit.gold}"
    blocks: list[Block] = [Text(title, role="paragraph" if look.format == "latex" else "title")]
    blocks.append(_overview(audit))
    is_short = look.is_text and not look.all
    told = audit.verdict[:PARAGRAPHS] if is_short else audit.verdict
    blocks += [Text(paragraph, role="paragraph") for paragraph in told]
    if is_short:
        more = "the whole verdict, and tables by metric, label, test, sample, length and part"
        return [*blocks, *_below(audit, f"'--all' shows {more}")]
    blocks.append(_numbers(audit))
    if audit.labels:
        blocks.append(_labels(audit, look))
    blocks.append(_tests(audit))
    blocks.append(_curve(audit, audit.size, look))
    blocks.append(_rates(audit))
    if audit.length is not None:
        blocks.append(_curve(audit, audit.length, look))
    if audit.groups:
        title = f"{audit.metric}: by part of the data"
        blocks.append(_table(audit, audit.groups, "part", title, look=look, sized=True))
    return [*blocks, *_below(audit)]


def _overview(audit: Audit) -> Table:
    """How many looks of each kind were significant, and for whom."""
    columns = [Column("analyses"), Column("tested", kind="count")]
    has_undefined = audit.whole.undefined > 0
    columns += [Column("undefined", kind="count")] if has_undefined else []
    for alpha in LEVELS:
        columns += [Column(f"for {side}", f"p < {level(alpha)}", "count") for side in "AB"]
    columns.append(Column("smallest p", kind="p"))
    rows: list[tuple[Cell, ...]] = []
    for found in (*audit.tallies, audit.whole):
        sizes = [found.looks, *([found.undefined] if has_undefined else [])]
        counts = [found.for_side(side, alpha) for alpha in LEVELS for side in "ab"]
        best = None if found.smallest is None else found.smallest.p
        least = or_missing(best, "nothing with a p-value")
        rows.append((FAMILIES.get(found.family, "all"), *sizes, *counts, least))
    return Table(tuple(columns), tuple(rows), title="Significant analyses")


def _numbers(audit: Audit) -> Table:
    """The main number, the other metrics and their parts."""
    return _table(
        audit,
        [audit.main, *audit.metrics],
        "metric",
        "By metric",
        names={id(audit.main): f"{audit.main.name} (main)"},
    )


def _labels(audit: Audit, look: AuditTables) -> Table:
    """The labels, the smallest p first."""
    looks = sorted(audit.labels, key=lambda each: (2.0 if each.p is None else each.p, each.name))
    part = looks[0].part.replace("f1", "F1")
    names = {id(look): look.label or "" for look in looks}
    title = f"{audit.metric}: {part} by label"
    return _table(audit, looks, "label", title, names=names, look=look)


def _tests(audit: Audit) -> Table:
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
            f"Wilcoxon's test and the sign test compare single {audit.unit}s, in which the "
            "system with the lower value may be better"
        )
    if any(look.test.method == "mcnemar" and look.values != audit.main.values for look in looks):
        told.append("A and B of McNemar's test: gold items that are correct")
    return "; ".join(told)


def _rates(audit: Audit) -> Table:
    """Table 4 of the paper: how often random parts of the data are significant."""
    found = {(rate.metric, rate.share): rate for rate in audit.rates}
    metrics = list(dict.fromkeys(rate.metric for rate in audit.rates))
    shares = list(dict.fromkeys(rate.share for rate in audit.rates))
    rows: list[tuple[Cell, ...]] = []
    for metric in metrics:
        none = "no sample has a p-value"
        rows.append((metric, *(or_missing(found[metric, s].value, none) for s in shares)))
    first = audit.rates[0]
    trials = "" if first.trials is None else f", {counted(first.trials, 'trial')} each"
    kinds = {rate.unit: rate.metric for rate in reversed(audit.rates)}
    mixed = len(kinds) > 1
    sizes = "; ".join(
        f"{', '.join(f'{found[metric, share].units:,}' for share in shares)} {kind}s"
        for kind, metric in reversed(kinds.items())
    )
    noun = "sentence" if mixed else audit.unit
    return Table(
        (
            Column("metric"),
            *(Column(f"{100 * s:g}%", "significant, % of samples", "percent") for s in shares),
        ),
        tuple(rows),
        title=f"How often samples of the {noun}s have p < {level(USUAL)}",
        note=f"{first.samples:,} random samples of each size ({sizes}) without "
        f"replacement{trials}; 100% is the result for all {noun}s",
    )


def _table(
    audit: Audit,
    looks: Sequence[AuditLook],
    header: str,
    title: str,
    *,
    names: Mapping[int, str] | None = None,
    look: AuditTables | None = None,
    sized: bool = False,
) -> Table:
    """Some looks, `names` being those of looks that have another one here; as many as the `look` of
    the page has rows for."""
    adjusted = {id(look): p for look, p in zip(audit.looks, audit.adjusted, strict=True)}
    columns = [Column(header)]
    columns += [Column(f"{audit.unit}s", kind="count")] if sized else []
    main = audit.main.kind
    sides = [Column(side, kind=kind_of(main)) for side in "AB"]
    sides.append(Column("B - A", kind=kind_of(main, "delta")))
    columns += [*sides, Column("p", kind="p"), Column("Holm", kind="p")]
    columns += [Column(level(alpha), "better at") for alpha in LEVELS]
    rows = []
    some = looks[: None if look is None else look.rows]
    for each in some:
        name = (names or {}).get(id(each)) or each.name
        # A curve ends with the main look under another name.
        corrected = adjusted.get(id(each), audit.adjusted[0])
        values = zip((*each.values, each.test.delta), sides, strict=True)
        rows.append(
            (
                name,
                *([each.units] if sized else []),
                *(
                    own_kind(or_missing(value, each.test.reason), each.kind, column)
                    for value, column in values
                ),
                *(or_missing(p, each.test.reason) for p in (each.p, corrected)),
                *(_winner(each, alpha) for alpha in LEVELS),
            )
        )
    is_text = look is not None and look.is_text
    omitted = rest_text(len(looks) - len(some), is_text=is_text)
    return Table(tuple(columns), tuple(rows), title=title, omitted=omitted)


def _winner(look: AuditLook, alpha: float) -> str:
    if not look.is_significant(alpha):
        return ""
    if look.wins == "none":
        return "differ"
    return "=" if look.better is None else look.better.upper()


def _curve(audit: Audit, curve: Curve, look: AuditTables) -> Block:
    """p over the size of samples or over cut-offs, as in Figures 3 to 6 of Søgaard et al. (2014); a
    table of the looks in formats without plots."""
    by_size, noun = curve.along == "size", audit.unit
    along = f"p on {audit.unit}s up to a length"
    if by_size:
        along = f"p as {audit.unit}s are added in random order"
    title = f"{audit.metric}: {along}"
    if look.format not in PLOTTED:
        names = {id(curve.looks[-1]): "all"}
        first = "sample" if by_size else f"{audit.unit}s"
        return _table(audit, curve.looks, first, title, names=names, sized=True)
    words = [each.words for each in curve.looks if each.words is not None]
    # Samples of different sizes come from different orders: a larger one may have fewer words.
    in_words = len(words) == len(curve.looks) and words == sorted(words)
    places: dict[float, float | None] = {}
    for each in curve.looks:
        # Empty sentences add no words: the larger sample stands for both.
        size = each.words if in_words else each.units
        places[float((size if by_size else each.most_words) or 0)] = each.p
    x_axis = "words" if in_words else f"{noun}s"
    note = f"{curve.looks[0].units:,} to {curve.looks[-1].units:,} {noun}s"
    reason = next((each.test.reason for each in curve.looks if each.test.reason), "undefined")
    return Lines(
        (Series(audit.metric, tuple(places), tuple(places.values()), reason=reason),),
        title=title,
        x_axis=x_axis if by_size else f"words of the longest {audit.unit}",
        y_axis="p",
        x_kind="count",
        y_kind="p",
        log_y=True,
        y_range=(None, 1.0),
        thresholds=tuple((alpha, level(alpha)) for alpha in LEVELS),
        shade_below=USUAL,
        note=f"{note}{f'; median of {audit.orders.tried} orders' if by_size else ''}",
        numbers=False,
    )


def _below(audit: Audit, more: str = "") -> Iterator[Text]:
    sizes = [counted(audit.units, audit.unit)]
    if audit.tokens is not None:
        sizes.append(counted(audit.tokens, "token"))
    yield Text(" · ".join([audit.gold, *sizes]), role="gold")
    yield Text(" · ".join(_tested(audit)), role="tests")
    yield from (Text(n) for n in (*audit.left_out, *audit.notes, *filter(None, [more])))
    coverage = {result.system: result.coverage for result in audit.results}
    yield from (Text(line, role="coverage") for line in system_coverage(coverage))
    yield from signature_texts((r.system, r.metric, r.signature) for r in audit.results)


def _tested(audit: Audit) -> list[str]:
    """What decided the p-values."""
    trials = {rate.trials for rate in audit.rates if rate.share < 1}
    fewer = max((each for each in trials if each is not None), default=None)
    found = [how(audit.testing, audit.main)]
    if fewer is not None:
        found.append(f"random samples: {counted(fewer, 'trial')}")
    interval = audit.interval
    found += [
        f"Holm over {counted(audit.whole.looks, 'analysis', 'analyses')}",
        f"interval {INTERVALS[interval.method]} {100 * interval.level:g}%, "
        f"{counted(interval.trials, 'resample')}",
    ]
    return found
