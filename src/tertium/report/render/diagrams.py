"""Ranks and histograms in text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from rich.cells import cell_len
from rich.text import Text as Line

from tertium.report.render.canvas import Canvas, Signs, axis_below, colour, shortened, signs_of
from tertium.report.render.grid import GAP
from tertium.report.scales import Scale, rank_axis, rank_ticks
from tertium.results.blocks import Histogram, Ranks
from tertium.results.texts import shown, visible

_AXIS = 48  # columns of the axis of ranks
_BAR = 40  # the longest bar of a histogram
_LEAST = 8  # columns of an axis or of bars, however little room there is
_EIGHTHS = " ▏▎▍▌▋▊▉"


def rank_lines(ranks: Ranks, width: int, *, ascii: bool = False) -> Iterator[Line]:
    """A line a name with a marker at its rank, the best at the right; below the axis a bar for each
    group that is not told apart, and the critical difference."""
    yield Line()
    signs = signs_of(ascii=ascii)
    names = [(shortened(visible(n), width // 3, signs), rank) for n, rank in ranks.ordered]
    left = max(map(cell_len, (*(name for name, _ in names), "mean rank"))) + GAP
    canvas = Canvas(min(_AXIS, max(width - left - GAP - 5, _LEAST)), len(names))
    scale = rank_axis(ranks)
    for row, (name, rank) in enumerate(names):
        for column in range(canvas.width):
            canvas.put(column, row, signs.leader, "dim")
        canvas.put(canvas.column(scale, rank), row, signs.marker(0), colour(0))
        yield _row(name, left, canvas.line(row), shown(float(rank), "number"))
    ticks = rank_ticks(ranks, canvas.width // 4)
    begin = "mean rank".ljust(left)
    yield from axis_below(scale, canvas, signs, begin=begin, left=left, right=5, ticks=ticks)
    for number, (best, worst) in enumerate(ranks.bars):
        bar = _bar(canvas.column(scale, worst), canvas.column(scale, best), signs)
        yield _row("" if number else "not apart", left, bar)
    if ranks.critical is not None:
        length = round(ranks.critical / (scale.high - scale.low) * (canvas.width - 1))
        told = shown(float(ranks.critical), "number")
        if length < canvas.width:
            yield _row("CD", left, _bar(0, length, signs), told)
        else:  # longer than the axis: no difference of ranks can reach it
            yield _row("CD", left, Line(f"{told}, more than the axis is long"))


def _row(name: str, left: int, line: Line, told: str = "") -> Line:
    start = Line(name + " " * (left - cell_len(name)))
    return start.append_text(line).append(f"{' ' * GAP}{told}" if told else "")


def _bar(begin: int, end: int, signs: Signs) -> Line:
    """A bar from one column to another."""
    if end <= begin:
        return Line(" " * begin + signs.upright)
    return Line(" " * begin + signs.begin + signs.across * (end - begin - 1) + signs.end)


def histogram_lines(histogram: Histogram, width: int, *, ascii: bool = False) -> Iterator[Line]:
    """A line a bin with its number, panels side by side as far as they fit; all bars have one
    scale."""
    signs = signs_of(ascii=ascii)
    bins = _bins(histogram)
    axis = shortened(visible(histogram.axis), width // 3, signs)
    left = max(map(cell_len, (*bins, axis))) + GAP
    widest = max((len(shown(n, "count")) for row in histogram.counts for n in row), default=1)
    room = width - left
    panels = len(histogram.names)
    # As many panels side by side as leave each of them a bar that can be read.
    abreast = max(1, min(panels, (room + GAP) // (2 * _LEAST + 1 + widest + GAP)))
    bar = min(_BAR, max((room + GAP) // abreast - GAP - 1 - widest, _LEAST))
    for first in range(0, panels, abreast):
        yield Line()
        chosen = range(first, min(first + abreast, panels))
        sizes = left, bar, widest
        yield from _panels(histogram, axis, chosen, bins, sizes, signs, ascii=ascii)


def _panels(
    histogram: Histogram,
    axis: str,
    chosen: Sequence[int],
    bins: Sequence[str],
    sizes: tuple[int, int, int],
    signs: Signs,
    *,
    ascii: bool,
) -> Iterator[Line]:
    left, bar, widest = sizes
    each = bar + 1 + widest
    head = Line(axis + " " * (left - cell_len(axis)), style="bold")
    for place in chosen:
        name = shortened(visible(histogram.names[place] or histogram.unit), each, signs)
        head.append(name + " " * (each - cell_len(name) + GAP))
    yield head
    whole = left + len(chosen) * (each + GAP) - GAP
    yield Line(signs.across * whole)
    for row, (name, (low, high)) in enumerate(zip(bins, pairwise(histogram.edges), strict=True)):
        mark = histogram.mark
        near = 1e-9 * (high - low)
        if mark and abs(mark[0] - low) <= near:
            yield _marked(visible(mark[1]), whole, signs)
        line = Line(name.rjust(left - GAP) + " " * GAP)
        for number, place in enumerate(chosen):
            count = histogram.counts[place][row]
            text = shown(count, "count").rjust(widest)
            share = count / histogram.largest if histogram.largest else 0
            drawn = _length(share * bar, ascii=ascii)
            line.append(" " * GAP if number else "").append(f"{text} ")
            line.append(drawn + " " * (bar - len(drawn)), style=colour(place))
        yield line
        if mark and low + near < mark[0] < high - near:
            yield _marked(f"{visible(mark[1])}, inside the bin above", whole, signs)
        elif mark and high == histogram.edges[-1] and mark[0] >= high - near:
            yield _marked(visible(mark[1]), whole, signs)


def _marked(label: str, width: int, signs: Signs) -> Line:
    """A line with a label at its end."""
    label = shortened(label, width - 4, signs)
    dashes = (f"{signs.across} " * width)[: max(width - cell_len(label) - 1, 0)]
    return Line(f"{dashes} {label}", style="dim")


def _length(size: float, *, ascii: bool) -> str:
    """A bar as long as `size` cells, to an eighth of a cell; what is there at all is seen."""
    if ascii:
        return "#" * max(round(size), size > 0)
    eighths = max(round(size * 8), size > 0)
    full, rest = divmod(eighths, 8)
    return "█" * full + (_EIGHTHS[rest] if rest else "")


def _bins(histogram: Histogram) -> list[str]:
    """From where to where a bin goes, all with the same number of decimals."""
    ends = Scale(histogram.edges[0], histogram.edges[-1], histogram.kind)
    labels = ends.labels(histogram.edges)
    return [f"{low} to {high}" for low, high in pairwise(labels)]
