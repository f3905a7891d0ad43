"""Coverage lines: what was scored and what was not, said once for all results that agree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tertium.results.blocks import Missing
from tertium.results.scores import Result
from tertium.significance.score.result import Scores

_SIDES = ("gold", "system")


def coverage_lines(scores: Scores) -> list[str]:
    """One line per distinct coverage; where they differ, it names whose it is."""
    alike: dict[tuple[tuple[str, int], ...], list[Result]] = {}
    for result in scores:
        if lacks_layer(result):
            continue
        alike.setdefault(tuple(result.coverage.items()), []).append(result)
    lines = []
    for coverage, results in alike.items():
        what = coverage_text(dict(coverage))
        whose = _whose(results, scores) if len(alike) > 1 else ""
        lines.append(f"{whose}: {what}" if whose else what)
    return lines


def coverage_text(coverage: Mapping[str, int]) -> str:
    """One coverage in words."""
    return " · ".join(_pieces(coverage)) or "unknown"


def _pieces(coverage: Mapping[str, int]) -> Iterator[str]:
    """`scored 9`, `unaligned 5 (gold 3, system 2)`: the sides stand behind their sum."""
    for name, count in coverage.items():
        whole, _, side = name.rpartition("_")
        if side in _SIDES and whole in coverage:
            continue
        sides = [f"{s} {coverage[k]:,}" for s in _SIDES if (k := f"{name}_{s}") in coverage]
        behind = f" ({', '.join(sides)})" if sides else ""
        yield f"{name.replace('_', ' ')} {count:,}{behind}"


def lacks_layer(result: Result) -> bool:
    """Was the metric not applied at all, because the system's file has nothing for it?"""
    return result.value is None and not result.parts


def lacking_cell(result: Result) -> Missing:
    """What a table has in place of a number where that is so."""
    return Missing(f"{f'no {result.lacking}' if result.lacking else 'not'} in this system's file")


def _whose(results: Sequence[Result], scores: Scores) -> str:
    """Systems if all their results are meant, metrics if all of theirs are, else pairs of both."""
    others = [r for r in scores if r not in results and not lacks_layer(r)]
    systems = dict.fromkeys(r.system for r in results)
    metrics = dict.fromkeys(r.metric for r in results)
    names = scores.names
    if not any(r.metric in metrics for r in others):
        return ", ".join(names[metric] for metric in metrics)
    if not any(r.system in systems for r in others):
        return ", ".join(systems)
    return ", ".join(f"{names[r.metric]} of {r.system}" for r in results)


def system_coverage(coverage: Mapping[str, Mapping[str, int]]) -> list[str]:
    """A line for every system, or one for all where they are alike."""
    lines = {name: coverage_text(each) for name, each in coverage.items()}
    if len(set(lines.values())) == 1:
        return [next(iter(lines.values()))]
    return [f"{name}: {text}" for name, text in lines.items()]
