"""Significance of a comparison: that of its scores, or McNemar's test of single items."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from tertium.comparison.views import View
from tertium.results.assessment import Assessment, Test, Testing
from tertium.results.scores import Scores
from tertium.significance.assessing import assess, check
from tertium.significance.by_items import MCNEMAR, item_test

GOLD_ALONE = "McNemar's test looks at gold items alone, and not at what systems add"


def check_compared(testing: Testing) -> None:
    """Refuse what there is not; here there is McNemar's test, too."""
    check(testing, further=(MCNEMAR,))


@dataclass(frozen=True, eq=False)
class Assessing:
    """Scores and views that are assessed when somebody looks, and then once."""

    scores: Scores
    views: tuple[View, ...]
    testing: Testing

    @cached_property
    def found(self) -> Assessment:
        """Intervals and tests."""
        if self.testing.test == MCNEMAR:
            return assess(self.scores, self.testing, judge=self._mcnemar)
        return assess(self.scores, self.testing)

    def _mcnemar(self, a: str, b: str, metric: str, group: str | None) -> Test:
        """McNemar's test on gold items: which of the two is right where the other is not?"""
        direction = self.testing.direction
        view = _view(self.views, metric, group)
        if view is None or a not in view.systems or b not in view.systems:
            reason = "the metric is not compared item by item"
            return Test(None, None, MCNEMAR, 0, direction=direction, reason=reason)
        pair = view.pair(a, b)
        return item_test(
            pair.right_a - pair.shared_right,
            pair.right_b - pair.shared_right,
            pair.gold_items,
            self._delta(a, b, metric, group),
            direction=direction,
            warning=f"{metric}: {GOLD_ALONE}" if view.has_extra else "",
        )

    def _delta(self, a: str, b: str, metric: str, group: str | None) -> float | None:
        values = []
        for name in (a, b):
            whole = self.scores[name, metric]
            held = whole if group is None else whole.groups.get(group)
            values.append(None if held is None else held.value)
        return None if values[0] is None or values[1] is None else values[1] - values[0]


def _view(views: Sequence[View], metric: str, group: str | None) -> View | None:
    for view in views:
        if view.metric == metric:
            return view if group is None else view.groups.get(group)
    return None
