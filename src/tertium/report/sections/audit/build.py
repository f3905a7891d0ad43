"""The whole of an audit as blocks: the verdict first, then what it rests on."""

from __future__ import annotations

from collections.abc import Iterator

from tertium.report.sections.audit import curves, tables
from tertium.results.blocks import Block, Text
from tertium.results.texts import counted, unit_noun
from tertium.significance.audit.audit import Audit
from tertium.significance.audit.verdict import how
from tertium.significance.intervals import METHODS as INTERVALS
from tertium.significance.score.coverage import system_coverage

PLOTTED = ("text", "html", "svg")


def build(audit: Audit, *, format: str, limit: int | None = None) -> list[Block]:
    """`limit` is how many rows tables of labels and groups have; counts are always of all."""
    is_text = format == "text"
    # LaTeX has no titles, and tables in which nobody knows who A and B are help nobody.
    is_latex = format == "latex"
    blocks: list[Block] = [Text(_title(audit), role="paragraph" if is_latex else "title")]
    blocks += [Text(paragraph, role="paragraph") for paragraph in audit.verdict]
    blocks += [tables.overview(audit), tables.numbers(audit)]
    if audit.labels:
        blocks.append(tables.labels(audit, limit, is_text=is_text))
    blocks.append(tables.tests(audit))
    blocks += _sampled(audit, has_plots=format in PLOTTED)
    if audit.groups:
        blocks.append(tables.groups(audit, limit, is_text=is_text))
    return [*blocks, *_below(audit)]


def _title(audit: Audit) -> str:
    return f"{audit.a} (A) and {audit.b} (B) against {audit.gold}"


def _sampled(audit: Audit, *, has_plots: bool) -> Iterator[Block]:
    if has_plots:
        yield curves.size_plot(audit)
    else:
        yield tables.points(audit, audit.size, f"{audit.metric}: {curves.size(audit)}")
    yield tables.rates(audit)
    if audit.length is not None and has_plots:
        yield curves.length_plot(audit, audit.length)
    elif audit.length is not None:
        yield tables.points(audit, audit.length, f"{audit.metric}: {curves.length(audit)}")


def _below(audit: Audit) -> Iterator[Text]:
    sizes = [counted(audit.units, unit_noun(audit.unit))]
    if audit.tokens is not None:
        sizes.append(counted(audit.tokens, "token"))
    yield Text(" · ".join([audit.gold, *sizes]), role="gold")
    yield Text(" · ".join(_tested(audit)), role="tests")
    yield from (Text(line) for line in (*audit.left_out, *audit.notes))
    coverage = {result.system: result.coverage for result in audit.results}
    yield from (Text(line, role="coverage") for line in system_coverage(coverage))
    for line in dict.fromkeys(str(result.signature) for result in audit.results):
        yield Text(line, role="signature")


def _tested(audit: Audit) -> list[str]:
    """What decided the p-values."""
    trials = {rate.trials for rate in audit.rates if rate.share < 1}
    fewer = max((each for each in trials if each is not None), default=None)
    found = [how(audit.testing, audit.main)]
    if fewer is not None:
        found.append(f"random samples: {counted(fewer, 'trial')}")
    interval = audit.interval
    found += [
        f"Holm over {counted(audit.whole.looks, 'look')}",
        f"interval {INTERVALS[interval.method]} {100 * interval.level:g} %, "
        f"{counted(interval.trials, 'resample')}",
    ]
    return found
