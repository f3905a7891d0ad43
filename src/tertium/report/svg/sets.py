"""Sets as bars over dots (UpSet). `links` are the addresses of combinations in their order; empty
where there is none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tertium.report.svg.axes import circle
from tertium.report.svg.colours import FAINT, HUE, INK, LINE
from tertium.report.svg.elements import SIZE, box, element, linked, text_width, titled, words
from tertium.report.svg.images import Image
from tertium.results.blocks import Intersections
from tertium.results.texts import shown, visible

_PAD = 8.0  # beside texts
_LABEL = 190.0  # the longest label that is shown whole
_MIDDLE = SIZE * 0.36  # from the middle of letters to their base line


class SetBars:
    """One column per combination, the most frequent first; below its bar, a dot for each of its
    sets. What is not shown is told below the drawing, as notes are."""

    highest = 130.0  # of a bar
    least = 22.0  # the width of a combination
    row, dot = 22.0, 5.0
    small = 10.5
    most_told = 5  # combinations in the description

    def __init__(self, figure: Intersections, links: Sequence[str]) -> None:
        self.figure, self.links = figure, links
        self.counts = figure.counts[: figure.shown]
        self.numbers = [shown(count, "count") for count in self.counts]
        widest = max((text_width(text, self.small) for text in self.numbers), default=0)
        self.width = max(self.least, widest + 4)
        self.names = [visible(name) for name in figure.sets]
        self.sizes = [_size(size, sum(figure.counts)) for size in figure.sizes]
        self.head = visible(f"{figure.unit} {figure.axis}")
        self.name_end = min(max(map(text_width, self.names), default=0), _LABEL)
        sizes = max((text_width(t, self.small) for t in (*self.sizes, self.head)), default=0)
        self.left = self.name_end + _PAD + sizes + 2 * _PAD
        self.top = SIZE * 1.2 + self.highest
        self.grid = self.top + _PAD
        self.bottom = self.grid + self.row * len(self.names)
        self.right = self.left + self.width * len(self.counts)

    def image(self) -> Image:
        """All of it."""
        body = [*self._rows(), *self._columns()]
        return Image(self.right + 2, self.bottom + 2, tuple(body), self._description())

    def _rows(self) -> Iterator[str]:
        """Names and sizes of sets, on bands that lead the eye along a row."""
        end = self.left - 2 * _PAD
        if self.names:
            yield words(self.head, end, self.top, anchor="end", size=self.small, look="faint")
        for row, (name, size) in enumerate(zip(self.names, self.sizes, strict=True)):
            y = self.grid + row * self.row
            if row % 2 == 0:
                yield box("band", 0.0, y, self.right, self.row, fill=LINE, fill_opacity=0.35)
            base = y + self.row / 2 + _MIDDLE
            yield words(name, self.name_end, base, anchor="end", room=_LABEL)
            yield words(size, end, base, anchor="end", size=self.small, look="faint")

    def _columns(self) -> Iterator[str]:
        ground = f"M{self.left:.1f} {self.top:.1f}H{self.right:.1f}"
        yield element("path", class_="tick", d=ground, stroke=LINE)
        for place, count in enumerate(self.counts):
            inside = (*self._bar(place, count), *self._dots(place))
            yield linked(self.links, place, titled(self._told(place), *inside, class_="column"))

    def _bar(self, place: int, count: int) -> Iterator[str]:
        x, largest = self.left + place * self.width, max(self.counts)
        height = self.highest * count / largest if largest else 0.0
        top = self.top - height
        # An empty rectangle over the whole height, so that pointing anywhere in the column counts.
        yield box("reach", x, 0.0, self.width, self.bottom, fill=HUE, fill_opacity=0.0)
        yield box("bar", x + 3, top, self.width - 6, height, fill=HUE)
        at = x + self.width / 2, top - 4
        yield words(self.numbers[place], *at, anchor="middle", size=self.small)

    def _dots(self, place: int) -> Iterator[str]:
        middle = self.left + (place + 0.5) * self.width
        rows = [self.grid + (row + 0.5) * self.row for row in range(len(self.names))]
        inside = [y for y, has in zip(rows, self.figure.members[place], strict=True) if has]
        if len(inside) > 1:
            path = f"M{middle:.1f} {inside[0]:.1f}V{inside[-1]:.1f}"
            yield element("path", class_="ink-line", d=path, stroke=INK, stroke_width=2.0)
        for y in rows:
            if y in inside:
                yield element("path", class_="ink", fill=INK, d=circle(middle, y, self.dot))
            else:
                dot = circle(middle, y, self.dot / 2)
                yield element("path", class_="faint", fill=FAINT, fill_opacity=0.5, d=dot)

    def _told(self, place: int) -> str:
        """A combination in words."""
        members = self.figure.members[place]
        names = [name for name, has in zip(self.figure.sets, members, strict=True) if has]
        if len(names) == len(members) and names:
            who = "all" if len(names) > 1 else names[0]
        else:
            who = f"only {', '.join(names)}" if names else "none"
        unit = self.figure.unit.removesuffix("s" * (self.numbers[place] == "1"))
        return f"{who} {self.figure.axis}: {self.numbers[place]} {unit}"

    def _description(self) -> str:
        told = "; ".join(map(self._told, range(min(self.most_told, len(self.counts)))))
        many = len(self.figure.counts)
        return f"{many} combinations of {len(self.names)} sets, the most frequent first: {told}."


def _size(size: int, total: int) -> str:
    share = f" ({100 * size / total:.1f}%)" if total else ""
    return f"{shown(size, 'count')}{share}"
